/* kernels/cpu/spread_loop.h - the spreading of x for D = 3 (stream.h), for one instruction set
 *
 * Included by stream.c with NAME(f) the function's name and ISA its target attribute.  Eight nodes give three
 * vectors: nodes 0 0 0 1 1 1 2 2 | 2 3 3 3 4 4 4 5 | 5 5 6 6 6 7 7 7; up to one entry behind the last node is
 * read.
 */
ISA static void NAME(spread3)(int64_t n, const double *x, double *X)
{
  int64_t i = 0;
  for (; i + WIDE <= n; i += WIDE) {
    const double *z  = x + 3 * i;
    wide         *to = (wide *)(X + 3 * i);
    const wide    a = DOUBLES(z), b = DOUBLES(z + 6), c = DOUBLES(z + 14), d = DOUBLES(z + 15);
    to[0] = __builtin_shufflevector(a, a, 0, 0, 0, 3, 3, 3, 6, 6);
    to[1] = __builtin_shufflevector(b, c, 0, 3, 3, 3, 6, 6, 6, 9);
    to[2] = __builtin_shufflevector(d, d, 0, 0, 3, 3, 3, 6, 6, 6);
  }
  for (; i < n; i++) X[3 * i] = X[3 * i + 1] = X[3 * i + 2] = x[3 * i];
}
