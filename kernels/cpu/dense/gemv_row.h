/* kernels/cpu/dense/gemv_row.h - one matrix-vector product of a small dense matrix, for one type of entries
 * and one of vectors
 *
 * Included by gemv_symv.c with ENTRY and REAL (float or double: of the entries, of the vectors) and NAME(f)
 * the functions' names. Complex numbers are pairs. Columns are added in order, in REAL.
 */
/* SPDX-License-Identifier: BSD-3-Clause */

/* y += alpha A x, or with `down` alpha A^T x, A as stored */
static void NAME(real)(int n, int ld, const ENTRY *a, int down, REAL alpha, const REAL *x, REAL *y)
{
  for (int j = 0; j < n; j++) {
    const ENTRY *c = a + (int64_t)j * ld;
    REAL         s = 0;
    for (int i = 0; i < n && down; i++) s += (REAL)c[i] * x[i];
    if (down)
      y[j] += alpha * s;
    else
      for (int i = 0; i < n; i++) y[i] += (REAL)c[i] * (alpha * x[j]);
  }
}

/* The same for pairs; sign -1 conjugates the entries. */
static void NAME(pair)(int n, int ld, const ENTRY *a, int down, REAL sign, REAL alpha, const REAL *x, REAL *y)
{
  for (int j = 0; j < n; j++) {
    const ENTRY *c  = a + 2 * (int64_t)j * ld;
    REAL         re = 0, im = 0;
    for (int i = 0; i < n; i++) {
      const REAL *v = x + 2 * (down ? i : j), p = (REAL)c[2 * i], q = sign * (REAL)c[2 * i + 1];
      const REAL  f = p * v[0] - q * v[1], g = p * v[1] + q * v[0];
      re += f;
      im += g;
      if (down) continue;
      y[2 * i] += alpha * f;
      y[2 * i + 1] += alpha * g;
    }
    if (!down) continue;
    y[2 * j] += alpha * re;
    y[2 * j + 1] += alpha * im;
  }
}

/* y += alpha A x of one triangle of a symmetric A, of a Hermitian one. */
static void NAME(symmetric)(int n, int ld, const ENTRY *a, int lower, REAL alpha, const REAL *x, REAL *y)
{
  for (int j = 0; j < n; j++) {
    const ENTRY *c = a + (int64_t)j * ld;
    REAL         s = 0;
    for (int i = lower ? j + 1 : 0; i < (lower ? n : j); i++) {
      y[i] += (REAL)c[i] * (alpha * x[j]);
      s += (REAL)c[i] * x[i];
    }
    y[j] += alpha * (s + (REAL)c[j] * x[j]);
  }
}
static void NAME(hermitian)(int n, int ld, const ENTRY *a, int lower, REAL alpha, const REAL *x, REAL *y)
{
  for (int j = 0; j < n; j++) {
    const ENTRY *c  = a + 2 * (int64_t)j * ld;
    REAL         re = (REAL)c[2 * j] * x[2 * j], im = (REAL)c[2 * j] * x[2 * j + 1];
    for (int i = lower ? j + 1 : 0; i < (lower ? n : j); i++) {
      const REAL p = (REAL)c[2 * i], q = (REAL)c[2 * i + 1];
      y[2 * i] += alpha * (p * x[2 * j] - q * x[2 * j + 1]);
      y[2 * i + 1] += alpha * (p * x[2 * j + 1] + q * x[2 * j]);
      re += p * x[2 * i] + q * x[2 * i + 1];
      im += p * x[2 * i + 1] - q * x[2 * i];
    }
    y[2 * j] += alpha * re;
    y[2 * j + 1] += alpha * im;
  }
}

/* y = alpha op(A) x + beta y */
static void NAME(one)(const product *p, int n, const void *a, const void *x, void *y)
{
  const int  pairs = p->A->type >= BF_C, ld = p->A->ld;
  const REAL alpha = (REAL)p->alpha, beta = (REAL)p->beta;
  REAL      *v = y;
  for (int i = 0; i < n * (pairs ? 2 : 1); i++) v[i] = beta == 0 ? 0 : beta * v[i];
  if (p->triangle && pairs)
    NAME(hermitian)(n, ld, a, p->uplo == BF_LOWER, alpha, x, y);
  else if (p->triangle)
    NAME(symmetric)(n, ld, a, p->uplo == BF_LOWER, alpha, x, y);
  else if (pairs)
    NAME(pair)(n, ld, a, p->trans != BF_NO_TRANS, p->trans == BF_CONJ_TRANS ? -1 : 1, alpha, x, y);
  else
    NAME(real)(n, ld, a, p->trans != BF_NO_TRANS, alpha, x, y);
}
