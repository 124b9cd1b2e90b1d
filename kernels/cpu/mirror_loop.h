/* kernels/cpu/mirror_loop.h - a tile of mirror.h entry by entry, for one type of value and one instruction
 * set
 *
 * Included by mirror.c with NAME(f) the function's name, ISA its target attribute, VALUE double or float, and
 * MULADD(a, b, c), a b + c.
 */
ISA static inline __attribute__((always_inline)) void
NAME(group)(int D, int G, const VALUE *u, const double *x, const double *z, double *t, double *sum)
{
  const int n = bf_stream_tile(D), end = n + G - 1;
  double    T[ENTRIES], X[ENTRIES], P[NODES];
  for (int b = 0; b < D; b++)
    for (int i = 0; i < end; i++) X[b * LONG + i] = z[i * D + b], T[b * LONG + i] = 0.0;
  for (int g = 0; g < G; g++)
    for (int b = 0; b < D; b++) {
      for (int a = 0; a < D; a++, u += n)
        for (int i = 0; i < n; i++) {
          sum[a * n + i] = MULADD((double)u[i], X[b * LONG + i + g], sum[a * n + i]);
          P[i]           = a == 0 ? (double)u[i] * x[i] : MULADD((double)u[i], x[a * n + i], P[i]);
        }
      for (int i = 0; i < n; i++) T[b * LONG + i + g] += P[i];
    }
  for (int i = 0; i < end; i++)
    for (int b = 0; b < D; b++) t[i * D + b] += T[b * LONG + i];
}

ISA static inline __attribute__((always_inline)) void NAME(tile)(int D, int m, const bf_int *off,
                                                                 const VALUE *u, const double *z, int64_t r,
                                                                 const bf_mirror_rows *to)
{
  const int n            = bf_stream_tile(D);
  double    sum[ENTRIES] = {0.0}, x[ENTRIES];
  int       k            = 0;
  for (int a = 0; a < D; a++)
    for (int i = 0; i < n; i++) x[a * n + i] = z[i * D + a];
  for (; k < m && off[k] == 0; k++)
    for (int b = 0; b < D; b++)
      for (int a = 0; a < D; a++, u += n)
        for (int i = 0; i < n; i++) sum[a * n + i] = MULADD((double)u[i], x[b * n + i], sum[a * n + i]);
  for (int g; k < m; k += g, u += g * D * D * n) {
    const double *there = z + (int64_t)off[k] * D;
    double       *t     = target(D, to, r + off[k]);
    g                   = neighbours(m - k, off + k);
    if (g == 3)
      NAME(group)(D, 3, u, x, there, t, sum);
    else if (g == 2)
      NAME(group)(D, 2, u, x, there, t, sum);
    else
      NAME(group)(D, 1, u, x, there, t, sum);
  }
  double *y = target(D, to, r);
  for (int i = 0; i < n; i++)
    for (int a = 0; a < D; a++) y[i * D + a] += sum[a * n + i];
}
