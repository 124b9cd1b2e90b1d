/* solvers/linear/cg.c - conjugate gradients, preconditioned by the diagonal or by an operation
 *
 *     q = A p,  alpha = rho / p.q,  x += alpha p,  r -= alpha q,  rho' = r.M^-1 r,  p = M^-1 r + (rho'/rho) p
 *
 * Source: M. R. Hestenes, E. Stiefel, Methods of conjugate gradients for solving linear systems, J. Res.
 * Natl. Bur. Stand. 49 (1952) 409, doi 10.6028/jres.049.044; Y. Saad, Iterative Methods for Sparse Linear
 * Systems, 2nd ed. (2003), alg. 9.1. Cost per iteration: kernels/krylov/steps.h.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/krylov_run.h"

static bf_err steps(bf_run *run, int count)
{
  const bf_cg_work w = {.x       = run->x,
                        .r       = run->r,
                        .p       = run->v[0],
                        .q       = run->v[1],
                        .dinv    = run->dinv,
                        .state   = run->state,
                        .history = run->history,
                        .precond = run->precond};
  return bf_cg_steps(run->A, &w, count);
}

/* Residual replacement: r is now the true residual, close to that of the recurrence, so that the direction is
 * kept: p = z + beta p, z = M^-1 r (van der Vorst and Ye, SIAM J. Sci. Comput. 22 (2000) 835).  `before`: the
 * last state of the iteration, which has not updated p. */
static bf_err replace(bf_run *run, const bf_krylov_state *before, const double *z)
{
  bf_backend *be = run->A->be;
  BF_TRY(be->ops.copy(be, &run->host, run->state, sizeof run->host, BF_TO_HOST));
  return BF_OP(be, vector.axpby, run->A->nrows, 1.0, z, before->beta * run->host.rho / before->rho,
               run->v[0]);
}

/* z = M^-1 r, and the state of the start. */
static bf_err begin(bf_run *run, double *z)
{
  bf_backend  *be = run->A->be;
  const bf_int n  = run->A->nrows;
  if (!run->precond) return BF_OP(be, krylov.cg_begin, n, run->r, run->dinv, z, run->state, run->history);
  BF_TRY(run->precond->apply(run->precond->M, 0, run->r, z, &run->state->rz));
  return BF_OP(be, krylov.cg_open, n, run->r, run->state, run->history);
}

bf_err bf_cg_run(bf_run *run, double stop)
{
  const bf_krylov_state before = run->host;
  double               *z      = run->v[run->replaced]; /* q is scratch here; p is kept */
  BF_TRY(bf_run_begin(run, stop));
  BF_TRY(begin(run, z));
  if (run->replaced) BF_TRY(replace(run, &before, z));
  return bf_run_iterate(run, steps);
}
