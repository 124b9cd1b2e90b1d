/* kernels/syinv_refine.c - residual estimate, and Newton-Schulz steps X = X + X (I - A X)
 *
 * The estimate: for entries +1 and -1 at random the mean square of ||R v|| is ||R||_F^2 (Hutchinson, 1990,
 * doi 10.1080/03610919008812866), R v = v - A (X v).
 *
 * A step processes panels of columns: R_J = I_J - A X_J (A in its lower triangle), T = R_J^T X, of which
 * the columns from J on are computed, 3 n^3 flops in all. The new X is stored in the strict upper triangle,
 * next to A.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/syinv_work.h"
#include <float.h>
#include <math.h>

bf_err bf_syinv_residual(const bf_syinv_run *r, double *residual, double *norm)
{
  enum { K = BF_SYINV_SAMPLES };
  const double     u = r->type == BF_S ? (double)FLT_EPSILON : DBL_EPSILON;
  const bf_int     n = r->n;
  void            *v = r->g, *y = bf_syinv_at(r, r->g, r->ldg, 0, K);
  bf_syinv_results seen;
  BF_TRY(r->op->signs(r->be, r->type, n, K, v, r->ldg));
  BF_TRY(r->op->gemm(r->be, r->type, BF_NO_TRANS, BF_NO_TRANS, n, K, n, 1.0, r->a, r->ld, v, r->ldg, 0.0, y,
                     r->ldg));
  BF_TRY(r->op->gemm(r->be, r->type, BF_NO_TRANS, BF_NO_TRANS, n, K, n, -1.0, r->square, n, y, r->ldg, 1.0, v,
                     r->ldg));
  BF_TRY(r->op->norms(r->be, r->type, n, K, v, r->ldg, r->out->norm_r, r->room));
  BF_TRY(r->op->norms(r->be, r->type, n, n, r->a, r->ld, r->out->norm_x, r->room));
  BF_TRY(bf_syinv_read(r, &seen));
  *norm     = seen.norm_r[1] / sqrt((double)K);
  *residual = *norm / seen.norm_a[1] / seen.norm_x[1] / (n * u);
  if (!(*residual < INFINITY)) *residual = INFINITY;
  return BF_OK;
}

bf_err bf_syinv_refine(const bf_syinv_run *r)
{
  const bf_int n = r->n;
  for (bf_int j = 0; j < n; j += r->rank) {
    const bf_int m = n - j < r->rank ? n - j : r->rank;
    const void  *x = bf_syinv_at(r, r->a, r->ld, 0, j);
    BF_TRY(r->op->symm(r->be, r->type, n, m, r->square, n, x, r->ld, r->g, r->ldg));
    BF_TRY(r->op->shift(r->be, r->type, m, bf_syinv_at(r, r->g, r->ldg, j, 0), r->ldg));
    BF_TRY(r->op->gemm(r->be, r->type, BF_TRANS, BF_NO_TRANS, m, n - j, n, 1.0, r->g, r->ldg, x, r->ld, 0.0,
                       r->h, r->rank));
    BF_TRY(r->op->corrected(r->be, r->type, n, j, m, r->h, r->rank, r->a, r->ld, r->square, n, r->new));
  }
  BF_TRY(r->op->mirror(r->be, r->type, BF_UPPER, n, 1.0, r->square, n, r->new, r->a, r->ld, NULL));
  return r->op->mirror(r->be, r->type, BF_LOWER, n, 1.0, r->square, n, NULL, r->square, n, NULL);
}
