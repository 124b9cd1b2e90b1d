/* solvers/linear/fp32_matrix.c - see fp32_matrix.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/fp32_matrix.h"
#include <math.h>

static const double SHARE = 0.1; /* of the tolerance: largest effect of the rounding of the values */

bf_err bf_fp32_leave(bf_run *run)
{
  if (run->A == run->exact) return BF_OK;
  run->A = run->exact;
  if (!run->At) return BF_OK;
  bf_matrix_destroy(&run->At);
  return bf_bicg_transpose(run->A, &run->At);
}

static bf_err dot(const bf_run *run, const double *x, const double *y, double *value)
{
  bf_backend *be = run->exact->be;
  BF_TRY(BF_OP(be, vector.dot, run->exact->nrows, x, y, run->state->dot));
  return be->ops.copy(be, value, run->state->dot, sizeof *value, BF_TO_HOST);
}

/* z = M^-1 r */
static bf_err precondition(const bf_run *run, double *z)
{
  bf_backend  *be = run->exact->be;
  const bf_int n  = run->exact->nrows;
  if (run->precond) return run->precond->apply(run->precond->M, 0, run->r, z, NULL);
  if (run->dinv) return BF_OP(be, vector.columns_scale, n, 1, run->dinv, run->r, n, z, n);
  return be->ops.copy(be, z, run->r, (size_t)n * sizeof *z, BF_WITHIN);
}

bf_err bf_fp32_try(bf_run *run)
{
  const bf_matrix *A = run->exact;
  double          *z = run->v[0], *q = run->v[1], *t, rz, zq, dd;
  if (run->A == A) return BF_OK;
  BF_TRY(bf_run_separate(run));
  t = run->x;
  BF_TRY(precondition(run, z));
  BF_TRY(bf_matrix_spmv(A, z, q, NULL, NULL));
  BF_TRY(bf_matrix_spmv(run->A, z, t, NULL, NULL));
  BF_TRY(dot(run, run->r, z, &rz));
  BF_TRY(dot(run, z, q, &zq));
  BF_TRY(BF_OP(A->be, vector.axpby, A->nrows, -1.0, q, 1.0, t));
  BF_TRY(dot(run, t, t, &dd));
  if (!(fabs(rz / zq) * sqrt(dd) <= SHARE * run->tol)) BF_TRY(bf_fp32_leave(run));
  BF_TRY(A->be->ops.zero(A->be, t, (size_t)A->nrows * sizeof *t));
  return BF_OK;
}

bf_err bf_fp32_check(bf_run *run, int *discard)
{
  bf_backend  *be = run->exact->be;
  const bf_int n  = run->exact->nrows;
  double      *t  = run->v[1], norm, dd;
  *discard        = 0;
  if (run->A == run->exact) return BF_OK;
  BF_TRY(BF_OP(be, vector.axpby, n, 1.0, run->x, 1.0, run->sum));
  BF_TRY(bf_run_true_residual(run->exact, run->b, run->sum, t, run->state->dot, &norm));
  BF_TRY(BF_OP(be, vector.axpby, n, -1.0, run->x, 1.0, run->sum));
  BF_TRY(BF_OP(be, vector.axpby, n, -1.0, run->r, 1.0, t));
  BF_TRY(dot(run, t, t, &dd));
  *discard = !(sqrt(dd) <= SHARE * run->tol);
  return BF_OK;
}
