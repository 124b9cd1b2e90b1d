/* kernels/cpu/sparse/csr_row.h - rows of a CSR product, for one type of values and one of columns
 *
 * Included by csr.c with VALUE, COLUMN and NAME(f) the functions' names.  Four running sums in a fixed
 * order: entry p of a row is added to sum p % 4.
 */
/* SPDX-License-Identifier: BSD-3-Clause */

/* Rows i0 .. i1-1, of one block of bases where columns are relative: x is moved to that base. */
static void NAME(rows)(int64_t i0, int64_t i1, const int64_t *ptr, const COLUMN *col, const VALUE *val,
                       const double *x, double *y)
{
  for (int64_t i = i0; i < i1; i++) {
    double        s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    int64_t       p  = ptr[i];
    const int64_t p1 = ptr[i + 1];
    for (; p + 4 <= p1; p += 4) {
      s0 += (double)val[p] * x[col[p]];
      s1 += (double)val[p + 1] * x[col[p + 1]];
      s2 += (double)val[p + 2] * x[col[p + 2]];
      s3 += (double)val[p + 3] * x[col[p + 3]];
    }
    for (; p < p1; p++) s0 += (double)val[p] * x[col[p]];
    y[i] = (s0 + s1) + (s2 + s3);
  }
}
