/* solvers/bicgstab.c - BiCGStab with right Jacobi preconditioning, two products an iteration
 *
 *     ph = M^-1 p,  v = A ph,  alpha = rho / r0.v,  s = r - alpha v,  sh = M^-1 s,  t = A sh,
 *     omega = s.t / t.t,  x += alpha ph + omega sh,  r = s - omega t,
 *     beta = (r0.r / rho)(alpha / omega),  p = r + beta (p - omega v)
 *
 * Source: van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992) 631; Saad (2nd ed.), alg. 7.7.  s takes r's
 * place. The residual is that of the unpreconditioned system: right preconditioning does not change it.
 */
#include "solvers/krylov_run.h"

enum { P, V, T, R0, PH, RH };

static bf_err step(bf_run *run)
{
  bf_backend  *be = run->A->be;
  const bf_int n  = run->A->nrows;
  double     **v  = run->v;
  double      *ph = run->dinv ? v[PH] : v[P], *rh = run->dinv ? v[RH] : run->r;
  BF_TRY(bf_matrix_spmv(run->A, ph, v[V], v[R0], run->state->dot));
  BF_TRY(BF_OP(be, bicgstab_middle, n, run->r, v[V], run->dinv, rh, run->state));
  BF_TRY(bf_matrix_spmv(run->A, rh, v[T], run->r, run->state->dot));
  BF_TRY(BF_OP(be, bicgstab_update, n, run->x, run->r, v[R0], ph, rh, v[T], run->state, run->history));
  BF_TRY(BF_OP(be, bicgstab_direction, n, run->r, v[V], run->dinv, v[P], ph, run->state));
  return BF_OK;
}

bf_err bf_bicgstab_run(bf_run *run, double stop, int limit)
{
  double **v = run->v;
  BF_TRY(bf_run_begin(run, stop, limit));
  BF_TRY(BF_OP(run->A->be, bicgstab_begin, run->A->nrows, run->r, run->dinv, v[R0], v[P],
               run->dinv ? v[PH] : v[P], run->state, run->history));
  return bf_run_iterate(run, step);
}
