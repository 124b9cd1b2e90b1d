/* kernels/cpu/sparse/bdia_full_simd_loop.h - the loops of bdia_full_simd.h for one type of value and one
 * instruction set
 *
 * Included by bdia_full_simd.c with NAME(f) the function's name, ISA its target attribute, VALUE double or
 * float, LOAD(p) a vector of values as doubles, IN_TURN(p) the same in a run of them.  X[b][V]: component b
 * of x, repeated for the rows of each node.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
ISA static inline __attribute__((always_inline)) void
NAME(tiles)(int D, int64_t tiles, int m, const bf_int *off, const void *v, const double *x, double *y)
{
  const int    V = bf_bdia_tile_nodes(D) * D / WIDE;
  const VALUE *u = v;
  for (int64_t t = 0; t < tiles; t++, x += V * WIDE, y += V * WIDE) {
    wide sum[V_MAX] = {{0.0}}, X[V_MAX * D_MAX];
    for (int k = 0; k < m; k++) {
      const double *z = x + (int64_t)off[k] * D;
      for (int c = 0; c < V; c += D) SPREAD(D, V, z + c * WIDE, X + c);
      for (int b = 0; b < D; b++)
        for (int q = 0; q < V; q++, u += WIDE) sum[q] += IN_TURN(u) * X[b * V + q];
    }
    for (int q = 0; q < V; q++) *(wide *)(y + q * WIDE) = sum[q];
  }
}

ISA static inline __attribute__((always_inline)) void NAME(fan)(int D, int64_t n, const bf_planes *p,
                                                                const double *x, double *const *y)
{
  const VALUE    *u     = p->v;
  const ptrdiff_t ahead = TILES_FAR * p->step;
  for (int64_t r = 0, m, skip = p->skip; r < n; r += m, skip = 0, u += p->step) {
    m         = p->ld - skip < n - r ? p->ld - skip : n - r;
    int64_t i = 0;
    for (; i + WIDE <= m; i += WIDE)
      for (int a = 0; a < D; a++) {
        const VALUE *w = u + a * p->ld + skip + i;
        __builtin_prefetch(w + ahead, 0, 2);
        *(wide *)(y[a] + r + i) += LOAD(w) * DOUBLES(x + r + i);
      }
    for (; i < m; i++)
      for (int a = 0; a < D; a++) y[a][r + i] += (double)u[a * p->ld + skip + i] * x[r + i];
  }
}

#define ONE(D)                                                                                               \
  ISA static void NAME(stream##D)(int64_t tiles, int m, const bf_int *off, const void *v, const double *x,   \
                                  double *y)                                                                 \
  {                                                                                                          \
    NAME(tiles)(D, tiles, m, off, v, x, y);                                                                  \
  }                                                                                                          \
  ISA static void NAME(fan##D)(int64_t n, const bf_planes *p, const double *x, double *const *y)             \
  {                                                                                                          \
    NAME(fan)(D, n, p, x, y);                                                                                \
  }
ONE(1)
ONE(2)
ONE(3)
#undef ONE
