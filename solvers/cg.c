/* solvers/cg.c - conjugate gradients with Jacobi preconditioning
 *
 *     q = A p,  alpha = rho / p.q,  x += alpha p,  r -= alpha q,  rho' = r.M^-1 r,  p = M^-1 r + (rho'/rho) p
 *
 * Source: Hestenes and Stiefel (1952); Saad, Iterative Methods for Sparse Linear Systems (2nd ed.), alg. 9.1.
 * Cost an iteration: kernels/krylov_steps.h.
 */
#include "kernels/krylov_steps.h"
#include "solvers/krylov_run.h"

static bf_err steps(bf_run *run, int count)
{
  const bf_cg_work w = {run->x, run->r, run->v[0], run->v[1], run->dinv, run->state, run->history};
  return bf_cg_steps(run->A, &w, count);
}

bf_err bf_cg_run(bf_run *run, double stop, int limit)
{
  BF_TRY(bf_run_begin(run, stop, limit));
  BF_TRY(BF_OP(run->A->be, cg_begin, run->A->nrows, run->r, run->dinv, run->v[0], run->state, run->history));
  return bf_run_iterate(run, steps);
}
