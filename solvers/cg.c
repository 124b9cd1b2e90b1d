/* solvers/cg.c - conjugate gradients with Jacobi preconditioning, one product and two vector kernels an
 * iteration
 *
 *     q = A p,  alpha = rho / p.q,  x += alpha p,  r -= alpha q,  rho' = r.M^-1 r,  p = M^-1 r + (rho'/rho) p
 *
 * Source: Hestenes and Stiefel (1952); Saad, Iterative Methods for Sparse Linear Systems (2nd ed.), alg. 9.1.
 * Cost an iteration: the product, and 9 (11 with M) vectors read or written in the two vector kernels.
 */
#include "solvers/krylov_run.h"

static bf_err step(bf_run *run)
{
  bf_backend  *be = run->A->be;
  const bf_int n  = run->A->nrows;
  double      *p = run->v[0], *q = run->v[1];
  BF_TRY(bf_matrix_spmv(run->A, p, q, p, run->state->dot));
  BF_TRY(BF_OP(be, cg_update, n, run->x, run->r, p, q, run->dinv, run->state, run->history));
  BF_TRY(BF_OP(be, cg_direction, n, run->r, run->dinv, p, run->state));
  return BF_OK;
}

bf_err bf_cg_run(bf_run *run, double stop, int limit)
{
  BF_TRY(bf_run_begin(run, stop, limit));
  BF_TRY(BF_OP(run->A->be, cg_begin, run->A->nrows, run->r, run->dinv, run->v[0], run->state, run->history));
  return bf_run_iterate(run, step);
}
