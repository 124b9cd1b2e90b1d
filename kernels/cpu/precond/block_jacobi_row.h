/* kernels/cpu/precond/block_jacobi_row.h - a small dense product, for one type of values
 *
 * Included twice by block_jacobi_apply.c, with VALUE and NAME(f) the function's name.  a[m][ld] by columns,
 * sums in fp64.
 */
/* SPDX-License-Identifier: BSD-3-Clause */

/* y = A x: four columns at once, so that y is read and written once for them */
static void NAME(product)(bf_int m, bf_int ld, const VALUE *a, const double *x, double *y)
{
  bf_int j = 0;
  for (bf_int i = 0; i < m; i++) y[i] = 0.0;
  for (; j + 4 <= m; j += 4, a += 4 * (int64_t)ld) {
    const VALUE *a1 = a + ld, *a2 = a1 + ld, *a3 = a2 + ld;
    const double x0 = x[j], x1 = x[j + 1], x2 = x[j + 2], x3 = x[j + 3];
    for (bf_int i = 0; i < m; i++)
      y[i] += ((double)a[i] * x0 + (double)a1[i] * x1) + ((double)a2[i] * x2 + (double)a3[i] * x3);
  }
  for (; j < m; j++, a += ld)
    for (bf_int i = 0; i < m; i++) y[i] += (double)a[i] * x[j];
}

/* y = A^T x: four running sums per column */
static void NAME(product_t)(bf_int m, bf_int ld, const VALUE *a, const double *x, double *y)
{
  for (bf_int j = 0; j < m; j++, a += ld) {
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    bf_int i = 0;
    for (; i + 4 <= m; i += 4) {
      s0 += (double)a[i] * x[i];
      s1 += (double)a[i + 1] * x[i + 1];
      s2 += (double)a[i + 2] * x[i + 2];
      s3 += (double)a[i + 3] * x[i + 3];
    }
    for (; i < m; i++) s0 += (double)a[i] * x[i];
    y[j] = (s0 + s1) + (s2 + s3);
  }
}
