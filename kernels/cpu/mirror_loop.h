/* kernels/cpu/mirror_loop.h - the loop of mirror.h, entry by entry, for one type of value and one instruction
 * set
 *
 * Included by mirror.c with NAME(f) the function's name, ISA its target attribute, VALUE double or float, and
 * WHOLE(..) what takes the whole blocks of a run.  `last` holds the products of the last two nodes before the
 * block, which give to targets in it; `end`: those of the block behind its own nodes too.
 */
ISA static inline __attribute__((always_inline)) void NAME(block)(int D, int G, int m, int end, int64_t r,
                                                                  const mirror_run *R, products last)
{
  double p[PLANES][(LAST + BF_MIRROR_BLOCK + LAST) * BF_MIRROR_D], sum[BF_MIRROR_BLOCK * BF_MIRROR_D],
      X[BF_MIRROR_BLOCK * BF_MIRROR_D];
  const int len = m * D, targets = !R->t ? 0 : end ? m + G - 1 : m, g0 = R->t == R->y;
  for (int l = 0; l < len; l++) sum[l] = R->y[r + l];
  for (int k = 0; k < G * D; k++) {
    const VALUE  *u = (const VALUE *)R->v[k] + r;
    const double *x = R->there + r + k / D * D + k % D;
    for (int i = 0; i < m; i++)
      for (int a = 0; a < D; a++) X[i * D + a] = x[i * D];
    for (int l = 0; l < len; l++) sum[l] += (double)u[l] * X[l];
    for (int l = 0; l < LAST * D; l++) p[k][l] = last[k][l], p[k][LAST * D + len + l] = 0.0;
    for (int l = 0; l < len; l++) p[k][LAST * D + l] = (double)u[l] * R->here[r + l];
    for (int l = 0; l < LAST * D; l++) last[k][l] = p[k][len + l];
  }
  for (int l = 0; l < len; l++) R->y[r + l] = sum[l];
  for (int i = 0; i < targets; i++)
    for (int b = 0; b < D; b++) {
      double add = 0.0;
      for (int c = 0; c < D; c++) {
        const int at = (LAST + i) * D + (b + c) % D;
        double    s  = p[g0 * D + b][at - g0 * D];
        for (int g = g0 + 1; g < G; g++) s += p[g * D + b][at - g * D];
        add = c == 0 ? s : add + s;
      }
      R->t[r + i * D + b] += add;
    }
}

/* What whole blocks have left, and what the last nodes give behind them. */
ISA static __attribute__((noinline)) void NAME(rest)(int D, int G, int64_t i, const mirror_run *R,
                                                     products last)
{
  NAME(block)(D, G, (int)(R->n - i), 1, i * D, R, last);
}

ISA static inline __attribute__((always_inline)) int64_t NAME(blocks)(int D, int G, const mirror_run *R,
                                                                      products last)
{
  int64_t i = 0;
  for (; i + BF_MIRROR_BLOCK <= R->n; i += BF_MIRROR_BLOCK)
    NAME(block)(D, G, BF_MIRROR_BLOCK, 0, i * D, R, last);
  return i;
}

#define ONE(D, G)                                                                                            \
  ISA static void NAME(mirror##D##G)(int64_t n, const void *const *v, const double *here,                    \
                                     const double *there, double *y, double *t)                              \
  {                                                                                                          \
    const mirror_run R    = {n, v, here, there, y, t};                                                       \
    products         last = {{0.0}};                                                                         \
    const int64_t    i    = WHOLE(D, G, &R, last);                                                           \
    if (D == 1 && (G > 1 || i < n))                                                                          \
      NAME(block)(D, G, (int)(n - i), 1, i * D, &R, last);                                                   \
    else if (G > 1 || i < n)                                                                                 \
      NAME(rest)(D, G, i, &R, last);                                                                         \
  }
ONE(1, 1)
ONE(1, 2)
ONE(1, 3)
ONE(2, 1)
ONE(2, 2)
ONE(2, 3)
ONE(3, 1)
ONE(3, 2)
ONE(3, 3)
#undef ONE
