/* kernels/cpu/dense/inverse_tiny_loop.h - included by inverse_tiny.c for each TYPE, with its NAME and
 * SIZE(x), by which pivots are compared
 */
/* SPDX-License-Identifier: BSD-3-Clause */
static int NAME(int n, TYPE *a)
{
  TYPE f[BF_CPU_FEW];
  int  row[BF_CPU_FEW], fine = 1;
  for (int k = 0; k < n; k++) {
    TYPE *ak = a + k * n;
    int   p  = k;
    for (int i = k + 1; i < n; i++)
      if (SIZE(ak[i]) > SIZE(ak[p])) p = i;
    if (!(SIZE(ak[p]) > 0)) return 0;
    row[k] = p;
    for (int j = 0; j < n && p != k; j++) {
      const TYPE t = a[j * n + k];
      a[j * n + k] = a[j * n + p];
      a[j * n + p] = t;
    }
    const TYPE r = 1 / ak[k];
    for (int i = 0; i < n; i++) f[i] = ak[i];
    for (int i = 0; i < n; i++) ak[i] = -f[i] * r;
    f[k]  = 0;
    ak[k] = r;
    for (int j = 0; j < n; j++) {
      TYPE      *aj = a + j * n;
      const TYPE t  = aj[k] * r;
      if (j == k) continue;
      for (int i = 0; i < n; i++) aj[i] -= f[i] * t;
      aj[k] = t;
    }
  }
  for (int k = n - 1; k >= 0; k--)
    for (int i = 0; i < n && row[k] != k; i++) {
      const TYPE t      = a[k * n + i];
      a[k * n + i]      = a[row[k] * n + i];
      a[row[k] * n + i] = t;
    }
  for (int i = 0; i < n * n; i++) fine &= isfinite(SIZE(a[i])) != 0;
  return fine;
}
