/* solvers/linear/bicg.c - BiCG, one product with A and one with A^T per iteration
 *
 * Preconditioned by the diagonal (M^T = M):
 *
 *     q = A p,  qt = A^T pt,  alpha = rho / pt.q,  x += alpha p,  r -= alpha q,  rt -= alpha qt,
 *     rho' = rt.M^-1 r,  beta = rho'/rho,  p = M^-1 r + beta p,  pt = M^-1 rt + beta pt
 *
 * By an operation: the same iterates with wt = M^-T rt and w = M p updated instead of rt and p, so that
 * each of M^-1 and M^-T is applied once,
 *
 *     p = M^-1 w,  q = A p,  qt = M^-T A^T pt,  alpha = rho / pt.q,  x += alpha p,  r -= alpha q,
 *     wt -= alpha qt,  rho' = wt.r,  beta = rho'/rho,  w = r + beta w,  pt = wt + beta pt
 *
 * Source: R. Fletcher, Conjugate gradient methods for indefinite systems, Lecture Notes in Mathematics 506
 * (1976) 73, doi 10.1007/BFb0080116; Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed. (2003),
 * alg. 7.3, doi 10.1137/1.9780898718003.  Shadow start rt = r: on a symmetric matrix these are the iterates
 * of CG, at twice the cost.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/transpose.h"
#include "solvers/linear/krylov_run.h"

enum { P, Q, PT, QT, RT, W };

bf_err bf_bicg_transpose(const bf_matrix *A, bf_matrix **out)
{
  *out = NULL;
  return bf_matrix_transposes_in_place(A) ? BF_OK : bf_matrix_transpose(A, out);
}

static bf_err transposed(const bf_run *run, const double *x, double *y)
{
  return run->At ? bf_matrix_spmv(run->At, x, y, NULL, NULL) : bf_matrix_spmv_t(run->A, x, y);
}

static bf_err step(bf_run *run)
{
  bf_backend  *be = run->A->be;
  const bf_int n  = run->A->nrows;
  double     **v  = run->v;
  BF_TRY(bf_matrix_spmv(run->A, v[P], v[Q], v[PT], run->state->dot));
  BF_TRY(transposed(run, v[PT], v[QT]));
  BF_TRY(BF_OP(be, krylov.bicg_update, n, run->x, run->r, v[RT], v[P], v[Q], v[QT], run->dinv, run->state,
               run->history));
  BF_TRY(BF_OP(be, krylov.bicg_direction, n, run->r, v[RT], run->dinv, v[P], v[PT], run->state));
  return BF_OK;
}

/* RT is wt. */
static bf_err preconditioned_step(bf_run *run)
{
  const bf_operation *M  = run->precond;
  bf_backend         *be = run->A->be;
  const bf_int        n  = run->A->nrows;
  double            **v  = run->v;
  BF_TRY(transposed(run, v[PT], v[Q]));
  BF_TRY(M->apply(M->M, 1, v[Q], v[QT], NULL));
  BF_TRY(M->apply(M->M, 0, v[W], v[P], NULL));
  BF_TRY(bf_matrix_spmv(run->A, v[P], v[Q], v[PT], run->state->dot));
  BF_TRY(BF_OP(be, krylov.bicg_update, n, run->x, run->r, v[RT], v[P], v[Q], v[QT], NULL, run->state,
               run->history));
  BF_TRY(BF_OP(be, krylov.bicg_direction, n, run->r, v[RT], NULL, v[W], v[PT], run->state));
  return BF_OK;
}

static bf_err steps(bf_run *run, int count)
{
  for (int k = 0; k < count; k++) BF_TRY(run->precond ? preconditioned_step(run) : step(run));
  return BF_OK;
}

bf_err bf_bicg_run(bf_run *run, double stop)
{
  bf_backend         *be = run->A->be;
  const bf_operation *M  = run->precond;
  const bf_int        n  = run->A->nrows;
  double            **v  = run->v;
  BF_TRY(bf_run_begin(run, stop));
  if (M)
    BF_TRY(M->apply(M->M, 1, run->r, v[RT], NULL));
  else
    BF_TRY(be->ops.copy(be, v[RT], run->r, (size_t)n * sizeof *v[RT], BF_WITHIN));
  BF_TRY(BF_OP(be, krylov.bicg_begin, n, run->r, run->dinv, v[RT], M ? v[W] : v[P], v[PT], run->state,
               run->history));
  return bf_run_iterate(run, steps);
}
