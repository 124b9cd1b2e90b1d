/* kernels/krylov_bicg.h - the scalar steps of BiCG between its vector work, one text for both backends
 *
 *     q = A p, qt = A^T pt, alpha = rho / pt.q, x += alpha p, r -= alpha q, rt -= alpha qt,
 *     rho' = rt.M^-1 r, beta = rho'/rho, p = M^-1 r + beta p, pt = M^-T rt + beta pt
 *
 * Source: Fletcher, Conjugate gradient methods for indefinite systems (1976); Saad, Iterative Methods for
 * Sparse Linear Systems (2nd ed.), alg. 7.3, with M = M^T on both sides.  The state is that of krylov.h: rho
 * is rt.M^-1 r, dot[0] is pt.q; the steps are those of CG but for the signs.
 */
#ifndef BF_KRYLOV_BICG_H
#define BF_KRYLOV_BICG_H
#include "kernels/krylov.h"

/* After rt = r: rr = r.r, rz = r.M^-1 r. */
static inline BF_HD void bf_bicg_begin(bf_krylov_state *st, double rr, double rz, double *history)
{
  bf_krylov_begin(st, rr, rz, 0, history);
}
/* Step length rho / pt.q, or 0 where the iteration must stop without moving. */
static inline BF_HD double bf_bicg_alpha(const bf_krylov_state *st)
{
  return bf_krylov_alpha(st, 0);
}
/* After x, r, rt were moved by alpha: rr = r.r, rz = rt.M^-1 r of the new residuals. */
static inline BF_HD void bf_bicg_end(bf_krylov_state *st, double rr, double rz, double *history)
{
  bf_krylov_end(st, rr, rz, 0, history);
}
#endif
