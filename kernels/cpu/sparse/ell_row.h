/* kernels/cpu/sparse/ell_row.h - rows of an ELL product, for one type of values
 *
 * Included twice by ell.c, with VALUE and NAME(f) the function's name.  SIDE neighbouring rows have
 * their sums in registers; a slot without entry reads x[0] and throws the product away.
 */
/* SPDX-License-Identifier: BSD-3-Clause */

static void NAME(rows)(const bf_ell *A, int64_t i0, int64_t i1, const double *x, double *y)
{
  const VALUE  *all   = A->val;
  const int64_t slots = A->width * A->ld;
  int64_t       i     = i0;
  for (; i + SIDE <= i1; i += SIDE) {
    double sum[SIDE] = {0.0};
    for (int64_t p = i; p < slots; p += A->ld) {
      const bf_int *col = A->col + p;
      const VALUE  *val = all + p;
      for (int r = 0; r < SIDE; r++) {
        const bf_int c = col[r] < 0 ? 0 : col[r];
        const double t = (double)val[r] * x[c];
        sum[r] += col[r] < 0 ? 0.0 : t;
      }
    }
    for (int r = 0; r < SIDE; r++) y[i + r] = sum[r];
  }
  for (; i < i1; i++) {
    double sum = 0.0;
    for (int64_t p = i; p < slots && A->col[p] >= 0; p += A->ld) sum += (double)all[p] * x[A->col[p]];
    y[i] = sum;
  }
}
