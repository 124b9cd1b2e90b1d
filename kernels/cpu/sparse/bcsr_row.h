/* kernels/cpu/sparse/bcsr_row.h - sum of n products of stored values and gathered entries of x, for one type
 * of values
 *
 * Included by bcsr.c with VALUE and NAME(f) the functions' names. Eight running sums in a fixed order:
 * entry k is added to sum k % 8.
 */
/* SPDX-License-Identifier: BSD-3-Clause */

static double NAME(sum)(int64_t n, const VALUE *v, const double *x)
{
  double  s[8] = {0.0};
  int64_t k    = 0;
  for (; k + 8 <= n; k += 8)
    for (int j = 0; j < 8; j++) s[j] += (double)v[k + j] * x[k + j];
  for (; k < n; k++) s[k % 8] += (double)v[k] * x[k];
  return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}
