/* kernels/krylov_bicg.h - the scalar steps of BiCG between its vector work, one text for both backends
 *
 *     q = A p, qt = A^T pt, alpha = rho / pt.q, x += alpha p, r -= alpha q, rt -= alpha qt,
 *     rho' = rt.M^-1 r, beta = rho'/rho, p = M^-1 r + beta p, pt = M^-T rt + beta pt
 *
 * Source: Fletcher, Conjugate gradient methods for indefinite systems (1976); Saad, Iterative Methods for
 * Sparse Linear Systems (2nd ed.), alg. 7.3, with M = M^T on both sides.  The state is that of krylov.h: rho
 * is rt.M^-1 r, dot[0] is pt.q.
 */
#ifndef BF_KRYLOV_BICG_H
#define BF_KRYLOV_BICG_H
#include "kernels/krylov.h"

/* After rt = r: rr = r.r, rz = r.M^-1 r. */
static inline BF_HD void bf_bicg_begin(bf_krylov_state *st, double rr, double rz, double *history)
{
  st->rr        = rr;
  st->rho       = rz;
  st->rr_worst  = BF_KRYLOV_GROWTH * BF_KRYLOV_GROWTH * rr;
  st->beta      = 0.0;
  st->iteration = 0;
  history[0]    = rr;
  st->status    = !isfinite(rr) || !isfinite(rz) ? BF_KRYLOV_NAN
                  : rr <= st->rr_stop            ? BF_KRYLOV_CONVERGED
                  : st->limit <= 0               ? BF_KRYLOV_LIMIT
                  : rz == 0.0                    ? BF_KRYLOV_BREAKDOWN
                                                 : BF_KRYLOV_RUNNING;
}

/* Step length rho / pt.q, or 0 where the iteration must stop without moving. */
static inline BF_HD double bf_bicg_alpha(const bf_krylov_state *st)
{
  return st->dot[0] != 0.0 && isfinite(st->dot[0]) ? st->rho / st->dot[0] : 0.0;
}

/* After x, r, rt were moved by alpha: rr = r.r, rz = rt.M^-1 r of the new residuals. */
static inline BF_HD void bf_bicg_end(bf_krylov_state *st, double rr, double rz, double *history)
{
  if (!isfinite(st->dot[0]) || !isfinite(rr) || !isfinite(rz)) {
    st->status = BF_KRYLOV_NAN;
    return;
  }
  if (st->dot[0] == 0.0) {
    st->status = BF_KRYLOV_BREAKDOWN;
    return;
  }
  st->alpha = st->rho / st->dot[0];
  st->beta  = rz / st->rho;
  st->rho   = rz;
  st->rr    = rr;
  st->iteration++;
  history[st->iteration] = rr;
  if (rr <= st->rr_stop)
    st->status = BF_KRYLOV_CONVERGED;
  else if (rz == 0.0 || !isfinite(st->beta))
    st->status = BF_KRYLOV_BREAKDOWN;
  else if (rr > st->rr_worst)
    st->status = BF_KRYLOV_DIVERGED;
  else if (st->iteration >= st->limit)
    st->status = BF_KRYLOV_LIMIT;
}
#endif
