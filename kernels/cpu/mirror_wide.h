/* kernels/cpu/mirror_wide.h - a tile of mirror.h in AVX-512: vectors of eight nodes, V to a tile
 *
 * Included by mirror.c with NAME(f), ISA, VALUE, LOAD(p), a vector of values as doubles, and MULADD.  Values
 * are loaded in the order of their places, one load each, whatever the compiler would like better: the
 * processor's prefetcher follows a run only then.  Arrays: x, sums [a][q], X [q][b], T [b][q]; q < V.
 */
ISA static inline __attribute__((always_inline)) void NAME(group)(int D, int G, const VALUE *u, const wide *x,
                                                                  const double *z, double *t, wide *sum)
{
  const int  V = bf_stream_tile(D) / WIDE, W = V + 1;
  const wide none = {0.0};
  wide       X[SOME], T[SOME], P[SOME];
  for (int q = 0; q < V; q++) split(D, z + WIDE * q * D, X + q * D);
  if (G > 1) split_two(D, z + WIDE * V * D, X + V * D);
  for (int g = 0; g < G; g++)
    for (int b = 0; b < D; b++) {
      for (int a = 0; a < D; a++)
        for (int q = 0; q < V; q++, u += WIDE) {
          ask(u, ((g * D + b) * D + a) * V + q, (int)sizeof(VALUE));
          const wide v = LOAD(u), there = g == 0 ? X[q * D + b] : ahead(g, X[q * D + b], X[(q + 1) * D + b]);
          sum[a * V + q] = MULADD(v, there, sum[a * V + q]);
          if (a == 0)
            P[q] = v * x[q];
          else
            P[q] = MULADD(v, x[a * V + q], P[q]);
        }
      for (int q = 0; q < V; q++) {
        if (g == 0)
          T[b * W + q] = P[q];
        else
          T[b * W + q] += behind(g, q == 0 ? none : P[q - 1], P[q]);
      }
      if (g == 1) T[b * W + V] = behind(1, P[V - 1], none);
      if (g == 2) T[b * W + V] += behind(2, P[V - 1], none);
    }
  for (int q = 0; q < V; q++) add_joined(D, T + q, W, t + WIDE * q * D);
  if (G > 1) add_two(D, T + V, W, t + WIDE * V * D);
}

ISA static inline __attribute__((always_inline)) void NAME(tile)(int D, int m, const bf_int *off,
                                                                 const VALUE *u, const double *z, int64_t r,
                                                                 const bf_mirror_rows *to)
{
  const int V = bf_stream_tile(D) / WIDE, n = V * WIDE;
  wide      sum[SOME] = {{0.0}}, x[SOME], X[SOME];
  int       k         = 0;
  for (int q = 0; q < V; q++) {
    split(D, z + WIDE * q * D, X);
    for (int a = 0; a < D; a++) x[a * V + q] = X[a];
  }
  for (; k < m && off[k] == 0; k++)
    for (int b = 0; b < D; b++)
      for (int a = 0; a < D; a++)
        for (int q = 0; q < V; q++, u += WIDE) {
          ask(u, (b * D + a) * V + q, (int)sizeof(VALUE));
          sum[a * V + q] = MULADD(LOAD(u), x[b * V + q], sum[a * V + q]);
        }
  for (int g; k < m; k += g, u += g * D * D * n) {
    const double *there = z + (int64_t)off[k] * D;
    double       *t     = target(D, to, r + off[k]);
    g                   = neighbours(m - k, off + k);
    if (k + g == m || off[k + g] - off[k] > GONE / (m * D * D))
      for (int l = 0; l < n * D; l += WIDE) {
        __builtin_prefetch(there + TILES * n * D + l, 0, 2);
        __builtin_prefetch(t + TILES * n * D + l, 1, 2);
      }
    if (g == 3)
      NAME(group)(D, 3, u, x, there, t, sum);
    else if (g == 2)
      NAME(group)(D, 2, u, x, there, t, sum);
    else
      NAME(group)(D, 1, u, x, there, t, sum);
  }
  double *y = target(D, to, r);
  for (int q = 0; q < V; q++) add_joined(D, sum + q, V, y + WIDE * q * D);
}
