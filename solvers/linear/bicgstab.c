/* solvers/linear/bicgstab.c - BiCGStab, preconditioned from the right, two products per iteration
 *
 *     ph = M^-1 p,  v = A ph,  alpha = rho / r0.v,  s = r - alpha v,  sh = M^-1 s,  t = A sh,
 *     omega = s.t / t.t,  x += alpha ph + omega sh,  r = s - omega t,
 *     beta = (r0.r / rho)(alpha / omega),  p = r + beta (p - omega v)
 *
 * Source: H. A. van der Vorst, Bi-CGSTAB: a fast and smoothly converging variant of Bi-CG, SIAM J. Sci. Stat.
 * Comput. 13 (1992) 631, doi 10.1137/0913035; Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed.
 * (2003), alg. 7.7. s overwrites r. The residual is that of the unpreconditioned system: right
 * preconditioning does not change it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/krylov_run.h"

enum { P, V, T, R0, PH, RH };

/* 1 if ph and rh are vectors of their own. */
static int preconditioned(const bf_run *run)
{
  return run->dinv || run->precond;
}

/* y0: the vector after those, if needed. */
static bf_bicgstab_work work_of(const bf_run *run)
{
  double *const *v = run->v;
  return (bf_bicgstab_work){.x       = run->x,
                            .r       = run->r,
                            .r0      = v[R0],
                            .p       = v[P],
                            .v       = v[V],
                            .t       = v[T],
                            .ph      = preconditioned(run) ? v[PH] : v[P],
                            .rh      = preconditioned(run) ? v[RH] : run->r,
                            .y0      = run->precond ? NULL : v[run->dinv ? RH + 1 : PH],
                            .dinv    = run->dinv,
                            .state   = run->state,
                            .history = run->history,
                            .precond = run->precond};
}

static bf_err steps(bf_run *run, int count)
{
  const bf_bicgstab_work w = work_of(run);
  return bf_bicgstab_steps(run->A, &w, count);
}

bf_err bf_bicgstab_run(bf_run *run, double stop)
{
  const bf_bicgstab_work w = work_of(run);
  BF_TRY(bf_run_begin(run, stop));
  BF_TRY(bf_bicgstab_start(run->A, &w));
  return bf_run_iterate(run, steps);
}
