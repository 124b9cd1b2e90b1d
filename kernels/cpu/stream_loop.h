/* kernels/cpu/stream_loop.h - the loop of stream.h for one type of value and one instruction set
 *
 * Included by stream.c with NAME(f) the function's name, ISA its target attribute, VALUE double or float,
 * LOAD(p) a vector of values as doubles.
 */
ISA static void NAME(stream)(int64_t n, int m, const void *const *v, const double *const *x, double *y)
{
  int64_t i = 0;
  for (; i + BLOCK <= n; i += BLOCK) {
    wide *to = (wide *)(y + i), a = to[0], b = to[1], c = to[2], d = to[3];
    for (int k = 0; k < m; k++) {
      const VALUE  *u = (const VALUE *)v[k] + i;
      const double *z = x[k] + i;
      for (int line = 0; line < BLOCK * (int)sizeof(VALUE); line += LINE)
        __builtin_prefetch((const char *)u + AHEAD + line, 0, 2);
      a += LOAD(u) * DOUBLES(z);
      b += LOAD(u + WIDE) * DOUBLES(z + WIDE);
      c += LOAD(u + 2 * WIDE) * DOUBLES(z + 2 * WIDE);
      d += LOAD(u + 3 * WIDE) * DOUBLES(z + 3 * WIDE);
    }
    to[0] = a, to[1] = b, to[2] = c, to[3] = d;
  }
  for (; i < n; i++)
    for (int k = 0; k < m; k++) y[i] += (double)((const VALUE *)v[k])[i] * x[k][i];
}

/* Two vectors of rows at a time, D targets. */
ISA static inline __attribute__((always_inline)) void
NAME(fan_of)(int D, int64_t n, int m, const void *const *v, const double *const *x, double *const *y)
{
  int64_t i = 0;
  for (; i + 2 * WIDE <= n; i += 2 * WIDE) {
    wide sum[2 * BF_FAN];
    for (int a = 0; a < D; a++) sum[2 * a] = DOUBLES(y[a] + i), sum[2 * a + 1] = DOUBLES(y[a] + i + WIDE);
    for (int k = 0; k < m; k++) {
      const wide z0 = DOUBLES(x[k] + i), z1 = DOUBLES(x[k] + i + WIDE);
      for (int a = 0; a < D; a++) {
        const VALUE *u = (const VALUE *)v[k * D + a] + i;
        for (int line = 0; line < 2 * WIDE * (int)sizeof(VALUE); line += LINE)
          __builtin_prefetch((const char *)u + AHEAD + line, 0, 2);
        sum[2 * a] += LOAD(u) * z0;
        sum[2 * a + 1] += LOAD(u + WIDE) * z1;
      }
    }
    for (int a = 0; a < D; a++) *(wide *)(y[a] + i) = sum[2 * a], *(wide *)(y[a] + i + WIDE) = sum[2 * a + 1];
  }
  for (; i < n; i++)
    for (int k = 0; k < m; k++)
      for (int a = 0; a < D; a++) y[a][i] += (double)((const VALUE *)v[k * D + a])[i] * x[k][i];
}

ISA static void NAME(fan)(int D, int64_t n, int m, const void *const *v, const double *const *x,
                          double *const *y)
{
  if (D == 2)
    NAME(fan_of)(2, n, m, v, x, y);
  else
    NAME(fan_of)(3, n, m, v, x, y);
}
