/* kernels/ops/krylov.h - steps of Krylov methods (krylov/steps.h) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_OPS_KRYLOV_H
#define BF_OPS_KRYLOV_H
#include "base/err.h"
#include "kernels/batch.h"
#include "kernels/krylov/state.h"

struct bf_matrix;
typedef struct bf_cg_work       bf_cg_work; /* krylov/steps.h */
typedef struct bf_bicgstab_work bf_bicgstab_work;

typedef struct bf_krylov_ops {
  /* Steps on a state in backend memory, krylov/state.h; history[BF_KRYLOV_SAMPLES], dinv may be NULL:
   * cg_begin  rr = r.r, rz = r.(dinv r), p = dinv r, bf_krylov_begin
   * cg_move   a = bf_krylov_alpha; x += a p, r -= a q, rr, rz, bf_krylov_end; p = dinv r + beta p */
  bf_err (*cg_begin)(bf_backend *be, bf_int n, const double *r, const double *dinv, double *p,
                     bf_krylov_state *st, bf_krylov_sample *history);
  bf_err (*cg_move)(bf_backend *be, bf_int n, double *x, double *r, double *p, const double *q,
                    const double *dinv, bf_krylov_state *st, bf_krylov_sample *history);
  /* with z = M^-1 r by an operation between the steps, which leaves r.z in state->rz:
   * cg_open       rr = r.r, bf_krylov_begin
   * cg_update     a = bf_krylov_alpha; x += a p, r -= a q, rr = r.r
   * cg_direction  bf_krylov_end; p = z + beta p */
  bf_err (*cg_open)(bf_backend *be, bf_int n, const double *r, bf_krylov_state *st,
                    bf_krylov_sample *history);
  bf_err (*cg_update)(bf_backend *be, bf_int n, double *x, double *r, const double *p, const double *q,
                      bf_krylov_state *st);
  bf_err (*cg_direction)(bf_backend *be, bf_int n, const double *z, double *p, bf_krylov_state *st,
                         bf_krylov_sample *history);
  /* bicg_begin      p = dinv r, pt = dinv rt, rr = r.r, rho = rt.(dinv r), bf_krylov_begin
   * bicg_update     a = bf_krylov_alpha; x += a p, r -= a q, rt -= a qt, rr = r.r, rz = rt.(dinv r),
   *                 bf_krylov_end
   * bicg_direction  p = dinv r + beta p, pt = dinv rt + beta pt */
  bf_err (*bicg_begin)(bf_backend *be, bf_int n, const double *r, const double *dinv, const double *rt,
                       double *p, double *pt, bf_krylov_state *st, bf_krylov_sample *history);
  bf_err (*bicg_update)(bf_backend *be, bf_int n, double *x, double *r, double *rt, const double *p,
                        const double *q, const double *qt, const double *dinv, bf_krylov_state *st,
                        bf_krylov_sample *history);
  bf_err (*bicg_direction)(bf_backend *be, bf_int n, const double *r, const double *rt, const double *dinv,
                           double *p, double *pt, const bf_krylov_state *st);
  /* bicgstab_begin      r0 = r, p = r, ph = dinv p, rr = r.r, bf_bicgstab_begin
   * bicgstab_middle     a = bf_bicgstab_alpha; r -= a v, rh = dinv r, ss = r.r, bf_bicgstab_middle
   * bicgstab_move       o = bf_bicgstab_omega; x += alpha ph + o rh, r -= o t, rr, r0.r, bf_bicgstab_end;
   *                     p = r + beta (p - omega v), ph = dinv p
   * dinv NULL: ph and rh are not written by these; the caller has made them by an operation of its own, or
   * passes p and r in their place to spmv and here. */
  bf_err (*bicgstab_begin)(bf_backend *be, bf_int n, const double *r, const double *dinv, double *r0,
                           double *p, double *ph, bf_krylov_state *st, bf_krylov_sample *history);
  bf_err (*bicgstab_middle)(bf_backend *be, bf_int n, double *r, const double *v, const double *dinv,
                            double *rh, bf_krylov_state *st);
  bf_err (*bicgstab_move)(bf_backend *be, bf_int n, double *x, double *r, double *p, double *ph,
                          const double *r0, const double *rh, const double *v, const double *t,
                          const double *dinv, bf_krylov_state *st, bf_krylov_sample *history);

  /* optional: up to `count` whole iterations on this matrix in fewer kernels; *done = how many of them were
   * queued, 0 where the steps above are the way */
  bf_err (*cg_steps)(bf_backend *be, const struct bf_matrix *A, const bf_cg_work *w, int count, int *done);
  bf_err (*bicgstab_steps)(bf_backend *be, const struct bf_matrix *A, const bf_bicgstab_work *w, int count,
                           int *done);
  /* with it bicgstab_steps wants y0 (krylov/steps.h) for matrices in bDIA: bf_bicgstab_early_alpha with y0.ph
   */
  bf_err (*bicgstab_early_alpha)(bf_backend *be, bf_int n, const double *y0, const double *ph,
                                 bf_krylov_state *st);
} bf_krylov_ops;
#endif
