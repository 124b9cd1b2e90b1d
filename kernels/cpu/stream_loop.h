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
