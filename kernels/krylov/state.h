/* kernels/krylov/state.h - state of a Krylov iteration, in backend memory
 *
 * The vector kernels of CG and BiCGStab (backend.h) read and write one bf_krylov_state in backend memory; the
 * host copies it every few iterations.  After `status` has left RUNNING every kernel returns at once, so
 * iterations queued past the end change nothing. The scalar steps between the vector operations are the
 * functions below, compiled for both backends. Jacobi preconditioning enters as dinv = 1/diag(A), or NULL
 * for none, or for a preconditioner applied by the caller (steps.h).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_KRYLOV_STATE_H
#define BF_KERNELS_KRYLOV_STATE_H
#include "base/err.h"
#include <math.h>

#ifdef __CUDACC__
#define BF_HD __host__ __device__
#else
#define BF_HD
#endif

typedef enum bf_krylov_status {
  BF_KRYLOV_RUNNING,
  BF_KRYLOV_CONVERGED,
  BF_KRYLOV_LIMIT,           /* iteration limit */
  BF_KRYLOV_INDEFINITE,      /* CG: p.Ap <= 0 (or r.M^-1 r <= 0): the matrix is not positive definite */
  BF_KRYLOV_BREAKDOWN,       /* rho, r0.v, pt.q or omega is zero, or beta overflows */
  BF_KRYLOV_NAN,             /* a scalar is not finite */
  BF_KRYLOV_STAGNATION,      /* no progress over `patience` iterations: see bf_krylov_progress */
  BF_KRYLOV_DIVERGED,        /* ||r|| has grown to BF_KRYLOV_GROWTH times that of the start */
  BF_KRYLOV_SINGULAR,        /* set by the host: the factorisation has a zero pivot */
  BF_KRYLOV_ILL_CONDITIONED, /* set by the host: condition number above 1/u, the direct solution is not
                                accurate */
  BF_KRYLOV_INTERRUPTED      /* set by the host: bf_solve_options.interrupted requested the end */
} bf_krylov_status;

/* A residual that has grown by this factor leaves no correct digit in x.  For CG and a symmetric positive
 * definite matrix, ||r|| grows at most by the square root of the condition number. */
#define BF_KRYLOV_GROWTH 1e12

#define BF_KRYLOV_UNIT 0x1p-53 /* unit roundoff of fp64 */

/* One iteration.  The backend keeps the last BF_KRYLOV_SAMPLES of a run; sample k is in entry
 * k % BF_KRYLOV_SAMPLES. */
enum { BF_KRYLOV_SAMPLES = 4096 };
typedef struct bf_krylov_sample {
  double rr;    /* r.r after iteration k; k = 0: at the start */
  double rho;   /* CG and BiCG: rho after iteration k */
  double alpha; /* CG and BiCG: step length of iteration k; 0 for k = 0 */
} bf_krylov_sample;

typedef struct bf_krylov_state {
  double dot[2]; /* written by spmv: w.y and y.y (see backend.h) */
  double rr;     /* r.r */
  double rho;    /* CG: r.M^-1 r; BiCGStab: r0.r */
  double rz;     /* CG: r.M^-1 r of the new r for a preconditioner applied by the caller; BiCGStab: see
                    bf_bicgstab_end_early */
  double alpha, beta, omega;
  double rr_stop;  /* converged when rr <= rr_stop */
  double rr_worst; /* diverged when rr is above */
  double rr_best;  /* smallest rr of the run */
  /* CG: set by the caller at the start, plus the sum of alpha rho up to the last progress: the decrease of
   * the squared energy norm of the error (Hestenes and Stiefel 1952, theorem 6:1) */
  double  energy;
  double  gained; /* CG: the same since the last progress */
  int32_t iteration, limit;
  int32_t progress; /* last iteration with progress */
  int32_t patience; /* iterations without progress that count as STAGNATION; 0 = no limit */
  int32_t status;   /* bf_krylov_status */
  int32_t half;     /* BiCGStab: 1 if the half step already met rr_stop, so update adds only alpha*phat */
} bf_krylov_state;

/* ---- CG, and BiCG, whose rho and p.Ap may have any sign ----
 *
 * BiCG: q = A p, qt = A^T pt, alpha = rho / pt.q, x += alpha p, r -= alpha q, rt -= alpha qt, rho' = rt.M^-1
 * r, beta = rho'/rho, p = M^-1 r + beta p, pt = M^-T rt + beta pt (Fletcher, Conjugate gradient methods for
 * indefinite systems, 1976; Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., alg. 7.3, with M =
 * M^T on both sides): rho is rt.M^-1 r, dot[0] is pt.q, and the steps are those of CG but for the signs. */

/* Sign required of rho and p.Ap: CG: positive, others: not zero */
enum { BF_ANY_SIGN, BF_POSITIVE };

/* RUNNING, or why s is not allowed */
static inline BF_HD int32_t bf_krylov_sign(double s, int positive)
{
  return positive ? (s <= 0.0 ? BF_KRYLOV_INDEFINITE : BF_KRYLOV_RUNNING)
                  : (s == 0.0 ? BF_KRYLOV_BREAKDOWN : BF_KRYLOV_RUNNING);
}

/* Writes sample `iteration`; history may be NULL in all but one of the threads or blocks that compute
 * this step. */
static inline BF_HD void bf_krylov_record(const bf_krylov_state *st, double alpha, bf_krylov_sample *history)
{
  if (!history) return;
  bf_krylov_sample *s = history + st->iteration % BF_KRYLOV_SAMPLES;
  s->rr               = st->rr;
  s->rho              = st->rho;
  s->alpha            = alpha;
}

/* Progress is a new smallest residual, or, if the energy is known (CG: gain = alpha rho), a decrease of
 * the energy above its rounding error since the last progress. */
static inline BF_HD void bf_krylov_progress(bf_krylov_state *st, double gain)
{
  st->gained += gain;
  if (st->rr < st->rr_best || st->gained > BF_KRYLOV_UNIT * st->energy) {
    st->energy += st->gained;
    st->gained   = 0.0;
    st->progress = st->iteration;
  }
  if (st->rr < st->rr_best) st->rr_best = st->rr;
}

/* Other reasons to end the run, after an iteration whose scalars are valid */
static inline BF_HD void bf_krylov_watch(bf_krylov_state *st)
{
  if (st->rr > st->rr_worst)
    st->status = BF_KRYLOV_DIVERGED;
  else if (st->patience > 0 && st->iteration - st->progress >= st->patience)
    st->status = BF_KRYLOV_STAGNATION;
  else if (st->iteration >= st->limit)
    st->status = BF_KRYLOV_LIMIT;
}

/* After the products of the start, BiCG's rt = r: rr = r.r, rz = r.M^-1 r. */
static inline BF_HD void bf_krylov_begin(bf_krylov_state *st, double rr, double rz, int positive,
                                         bf_krylov_sample *history)
{
  st->rr        = rr;
  st->rho       = rz;
  st->rr_worst  = BF_KRYLOV_GROWTH * BF_KRYLOV_GROWTH * rr;
  st->rr_best   = rr;
  st->gained    = 0.0;
  st->beta      = 0.0;
  st->iteration = 0;
  st->progress  = 0;
  bf_krylov_record(st, 0.0, history);
  st->status = !isfinite(rr) || !isfinite(rz) ? BF_KRYLOV_NAN
               : rr <= st->rr_stop            ? BF_KRYLOV_CONVERGED
               : st->limit <= 0               ? BF_KRYLOV_LIMIT
                                              : bf_krylov_sign(rz, positive);
}

/* Step length rho / p.Ap, or 0 if the iteration must stop without a step */
static inline BF_HD double bf_krylov_alpha(const bf_krylov_state *st, int positive)
{
  return isfinite(st->dot[0]) && bf_krylov_sign(st->dot[0], positive) == BF_KRYLOV_RUNNING
             ? st->rho / st->dot[0]
             : 0.0;
}

/* After the update of x, r by alpha: rr = r.r, rz = r.M^-1 r of the new residual */
static inline BF_HD void bf_krylov_end(bf_krylov_state *st, double rr, double rz, int positive,
                                       bf_krylov_sample *history)
{
  if (!isfinite(st->dot[0]) || !isfinite(rr) || !isfinite(rz)) {
    st->status = BF_KRYLOV_NAN;
    return;
  }
  if (bf_krylov_sign(st->dot[0], positive) != BF_KRYLOV_RUNNING) {
    st->status = bf_krylov_sign(st->dot[0], positive);
    return;
  }
  const double gain = positive ? st->rho / st->dot[0] * st->rho : 0.0;
  st->alpha         = st->rho / st->dot[0];
  st->beta          = rz / st->rho;
  st->rho           = rz;
  st->rr            = rr;
  st->iteration++;
  bf_krylov_record(st, st->alpha, history);
  bf_krylov_progress(st, gain);
  if (rr <= st->rr_stop)
    st->status = BF_KRYLOV_CONVERGED;
  else if (bf_krylov_sign(rz, positive) != BF_KRYLOV_RUNNING)
    st->status = bf_krylov_sign(rz, positive);
  else if (!isfinite(st->beta))
    st->status = BF_KRYLOV_BREAKDOWN;
  else
    bf_krylov_watch(st);
}

/* ---- BiCGStab ---- */

/* BiCGStab, after r0 = r: rr = r.r. */
static inline BF_HD void bf_bicgstab_begin(bf_krylov_state *st, double rr, bf_krylov_sample *history)
{
  st->alpha = 1.0;
  st->omega = 1.0;
  st->half  = 0;
  bf_krylov_begin(st, rr, rr, BF_ANY_SIGN, history);
}

/* BiCGStab: alpha = rho / r0.v with dot[0] = r0.v; 0 on breakdown (bf_bicgstab_middle then sets the
 * status) */
static inline BF_HD double bf_bicgstab_alpha(const bf_krylov_state *st)
{
  return st->dot[0] != 0.0 && isfinite(st->dot[0]) ? st->rho / st->dot[0] : 0.0;
}

/* BiCGStab, after s = r - alpha v: ss = s.s. */
static inline BF_HD void bf_bicgstab_middle(bf_krylov_state *st, double ss)
{
  if (!isfinite(st->dot[0]) || !isfinite(ss)) {
    st->status = BF_KRYLOV_NAN;
    return;
  }
  if (st->dot[0] == 0.0) {
    st->status = BF_KRYLOV_BREAKDOWN;
    return;
  }
  st->alpha = st->rho / st->dot[0];
  st->half  = ss <= st->rr_stop;
}

/* BiCGStab: omega = t.s / t.t with dot[0] = s.t, dot[1] = t.t; 0 after a half step that met the target */
static inline BF_HD double bf_bicgstab_omega(const bf_krylov_state *st)
{
  return st->half || !(st->dot[1] > 0.0) ? 0.0 : st->dot[0] / st->dot[1];
}

/* BiCGStab, (r0r / rho) (alpha / omega): r0r = r0.r of the new residual. */
static inline BF_HD double bf_bicgstab_beta(const bf_krylov_state *st, double omega, double r0r)
{
  return omega != 0.0 ? r0r / st->rho * (st->alpha / omega) : 0.0;
}

/* BiCGStab with early alpha, after begin or end: r0.v = r0.A M^-1 p is y0.M^-1 p with y0 = A^T r0,
 * available before v. */
static inline BF_HD void bf_bicgstab_early_alpha(bf_krylov_state *st, double y0p)
{
  if (st->status != BF_KRYLOV_RUNNING) return;
  st->alpha = st->rho / y0p;
  if (!isfinite(y0p))
    st->status = BF_KRYLOV_NAN;
  else if (y0p == 0.0)
    st->status = BF_KRYLOV_BREAKDOWN;
}

/* BiCGStab with one update of x, r and p: rho of the new r follows from the sums of s and t = A M^-1 s:
 * r0.r = r0.s - omega r0.t, stored in rz. */
static inline BF_HD void bf_bicgstab_end_early(bf_krylov_state *st, double ss, double ts, double tt,
                                               double r0s, double r0t)
{
  if (!isfinite(ss)) {
    st->status = BF_KRYLOV_NAN;
    return;
  }
  st->half   = ss <= st->rr_stop;
  st->dot[0] = ts;
  st->dot[1] = tt;
  st->rz     = r0s - bf_bicgstab_omega(st) * r0t;
}

/* BiCGStab, after the update of x and r: rr = r.r, r0r = r0.r */
static inline BF_HD void bf_bicgstab_end(bf_krylov_state *st, double rr, double r0r,
                                         bf_krylov_sample *history)
{
  const double omega = bf_bicgstab_omega(st);
  st->iteration++;
  st->rr = rr;
  bf_krylov_record(st, 0.0, history);
  if (!isfinite(rr) || !isfinite(r0r) || !isfinite(omega)) {
    st->status = BF_KRYLOV_NAN;
    return;
  }
  if (st->half || rr <= st->rr_stop) {
    st->status = BF_KRYLOV_CONVERGED;
    return;
  }
  st->beta  = bf_bicgstab_beta(st, omega, r0r);
  st->omega = omega;
  st->rho   = r0r;
  bf_krylov_progress(st, 0.0);
  if (omega == 0.0 || r0r == 0.0 || !isfinite(st->beta))
    st->status = BF_KRYLOV_BREAKDOWN;
  else
    bf_krylov_watch(st);
}
#endif
