/* kernels/cpu/sparse/bdia_half_simd_tile.h - tiles of bdia_half_simd.h, diagonal by diagonal, for one type of
 * value and one instruction set
 *
 * Included by bdia_half_simd.c after bdia_half_simd_scalar.h or bdia_half_simd_avx512.h, which define the
 * steps: LANE sum[LANES], x[LANES], carry[BF_HALF_TILES_D]; `carry` is the contribution of the first
 * off-diagonal to the node after the tile.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
ISA static inline __attribute__((always_inline)) void NAME(tile)(int D, int m, const bf_int *off,
                                                                 const VALUE *u, const double *z, double *y,
                                                                 bf_ring *ring, LANE *carry)
{
  const int n = bf_bdia_tile_nodes(D);
  LANE      sum[LANES], x[LANES];
  int       k = 0;
  /* NOLINTNEXTLINE(misc-redundant-expression): VALUE is double or float */
  if (sizeof(VALUE) == sizeof(float) && m > 0) ask_vectors(D, z + (int64_t)off[m - 1] * D, y);
  NAME(begin)(D, z, x, sum);
  for (; k < m && off[k] == 0; k++, u += D * D * n) NAME(own)(D, u, x, sum);
  if (k < m && off[k] == 1) NAME(beside)(D, u, x, z, sum, carry), k++, u += D * D * n;
  for (int g; k < m; k += g, u += g * D * D * n) {
    const int64_t there = ring->at + off[k], r = there < ring->size ? there : there - ring->size;
    const double *X = z + (int64_t)off[k] * D;
    double       *t = ring->sum + r * D;
    g               = neighbours(m - k, off + k);
    if (g == 3)
      NAME(group)(D, 3, u, x, X, t, sum);
    else if (g == 2)
      NAME(group)(D, 2, u, x, X, t, sum);
    else
      NAME(group)(D, 1, u, x, X, t, sum);
  }
  if (ring->at == 0) wrap_around(D, ring);
  NAME(end)(D, sum, ring->sum + ring->at * D, y);
}

#define ALL_TILES(D)                                                                                         \
  ISA static void NAME(half##D)(int64_t tiles, int m, const bf_int *off, const void *v, const double *x,     \
                                double *y, bf_ring *ring)                                                    \
  {                                                                                                          \
    const int64_t n = bf_bdia_tile_nodes(D), room = (int64_t)m * (D) * (D)*n;                                \
    LANE          carry[D] = {NONE};                                                                         \
    for (int64_t t = 0; t < tiles; t++) {                                                                    \
      NAME(tile)(D, m, off, (const VALUE *)v + t * room, x + t * n * (D), y + t * n * (D), ring, carry);     \
      ring->at = ring->at + n < ring->size ? ring->at + n : 0;                                               \
    }                                                                                                        \
    for (int b = 0; b < (D); b++) ring->sum[ring->at * (D) + b] += LAST(carry[b]);                           \
  }
ALL_TILES(1)
ALL_TILES(2)
ALL_TILES(3)
#undef ALL_TILES
