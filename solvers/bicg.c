/* solvers/bicg.c - BiCG with Jacobi preconditioning (M^T = M), one product with A and one with A^T an
 * iteration
 *
 *     q = A p,  qt = A^T pt,  alpha = rho / pt.q,  x += alpha p,  r -= alpha q,  rt -= alpha qt,
 *     rho' = rt.M^-1 r,  beta = rho'/rho,  p = M^-1 r + beta p,  pt = M^-1 rt + beta pt
 *
 * Source: Fletcher (1976); Saad, Iterative Methods for Sparse Linear Systems (2nd ed.), alg. 7.3.  Shadow
 * start rt = r: on a symmetric matrix these are the iterates of CG, at twice the cost.
 */
#include "kernels/transpose.h"
#include "solvers/krylov_run.h"

enum { P, Q, PT, QT, RT };

bf_err bf_bicg_transpose(const bf_matrix *A, bf_matrix **out)
{
  *out = NULL;
  return bf_matrix_transposes_in_place(A) ? BF_OK : bf_matrix_transpose(A, out);
}

static bf_err step(bf_run *run)
{
  bf_backend  *be = run->A->be;
  const bf_int n  = run->A->nrows;
  double     **v  = run->v;
  BF_TRY(bf_matrix_spmv(run->A, v[P], v[Q], v[PT], run->state->dot));
  if (run->At)
    BF_TRY(bf_matrix_spmv(run->At, v[PT], v[QT], NULL, NULL));
  else
    BF_TRY(bf_matrix_spmv_t(run->A, v[PT], v[QT]));
  BF_TRY(BF_OP(be, bicg_update, n, run->x, run->r, v[RT], v[P], v[Q], v[QT], run->dinv, run->state,
               run->history));
  BF_TRY(BF_OP(be, bicg_direction, n, run->r, v[RT], run->dinv, v[P], v[PT], run->state));
  return BF_OK;
}

static bf_err steps(bf_run *run, int count)
{
  for (int k = 0; k < count; k++) BF_TRY(step(run));
  return BF_OK;
}

bf_err bf_bicg_run(bf_run *run, double stop, int limit)
{
  double **v = run->v;
  BF_TRY(bf_run_begin(run, stop, limit));
  BF_TRY(BF_OP(run->A->be, bicg_begin, run->A->nrows, run->r, run->dinv, v[RT], v[P], v[PT], run->state,
               run->history));
  return bf_run_iterate(run, steps);
}
