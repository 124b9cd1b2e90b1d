/* solvers/eigen/lobpcg.c - bf_lobpcg: steps until the wanted pairs have converged
 *
 *     W = T (K X - X Lambda M X) of the pairs not converged;   S = [X P W];   S^T K S c = lambda S^T M S c
 *
 * A pair that has converged stays in X, but W and P no longer have a column for it (soft locking): it still
 * improves with the others. K X and M X follow by combination; they are recomputed from X periodically, and
 * before the final test of convergence.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/eigen/lobpcg.h"
#include "base/memory.h"
#include "base/timer.h"
#include <math.h>
#include <stdio.h>

enum {
  REFRESH = 20,  /* steps between products of X itself */
  STALL   = 400, /* stagnation: steps without a smaller residual or another converged pair, plus half of the
                    steps before */
  LOOK = 10      /* steps between calls of the monitor */
};

static const double FALL = 0.999;

typedef struct state {
  double start, worst,
      best;    /* largest residual of the wanted pairs, rtol at convergence; the smallest so far */
  double  sum; /* sum of their values at the last progress: it decreases */
  int     step, best_step, converged, most;
  double *norms; /* owned, host [3 b]: squares of r, M x, x */
} state;

/* Residuals of all columns of X from the current K X and M X: sets the active columns and the number of
 * wanted pairs converged. Overwrites T. */
static bf_err check_convergence(bf_lobpcg_work *w, state *s)
{
  bf_backend  *be = w->p->be;
  const bf_int n  = w->p->n;
  double      *r = w->T.a, *dots = w->small;
  w->nactive = s->converged = 0;
  s->worst                  = 0.0;
  for (int j = 0; j < w->b; j++) {
    BF_TRY(be->ops.copy(be, r, bf_column(&w->KS, j), (size_t)n * sizeof *r, BF_WITHIN));
    BF_TRY(BF_OP(be, vector.axpby, n, -w->value[j], bf_column(&w->MS, j), 1.0, r));
    BF_TRY(BF_OP(be, vector.dot, n, r, r, dots + 3 * j));
    BF_TRY(BF_OP(be, vector.dot, n, bf_column(&w->MS, j), bf_column(&w->MS, j), dots + 3 * j + 1));
    BF_TRY(BF_OP(be, vector.dot, n, bf_column(&w->S, j), bf_column(&w->S, j), dots + 3 * j + 2));
  }
  BF_TRY(be->ops.copy(be, s->norms, dots, 3 * (size_t)w->b * sizeof *dots, BF_TO_HOST));
  BF_TRY(be->ops.sync(be));
  for (int j = 0; j < w->b; j++) {
    const double norm = sqrt(s->norms[3 * j]), mx = sqrt(s->norms[3 * j + 1]), x = sqrt(s->norms[3 * j + 2]),
                 over = norm / bf_eigen_goal(w->p, w->opt->rtol, w->value[j], mx, x);
    const int ok      = over <= 1.0;
    if (!ok) w->active[w->nactive++] = j;
    if (j >= w->opt->pairs) continue;
    s->converged += ok;
    s->worst = fmax(s->worst, over * w->opt->rtol);
  }
  return BF_OK;
}

static void tell(const bf_lobpcg_work *w, const state *s)
{
  if (!w->opt->monitor) return;
  const bf_eigen_progress p = {.iteration = s->step,
                               .limit     = w->opt->max_iterations,
                               .converged = s->converged,
                               .pairs     = w->opt->pairs,
                               .residual  = s->worst,
                               .seconds   = bf_seconds() - s->start};
  w->opt->monitor(w->opt->context, &p);
}

/* 1 after many steps without a smaller residual, smaller values or another pair. */
static int stalled(const bf_lobpcg_work *w, state *s)
{
  double sum = 0.0;
  for (int j = 0; j < w->opt->pairs; j++) sum += fabs(w->value[j]);
  if (s->converged > s->most || s->worst < s->best || sum < FALL * s->sum) {
    s->sum       = sum;
    s->most      = s->converged > s->most ? s->converged : s->most;
    s->best      = fmin(s->best, s->worst);
    s->best_step = s->step;
  }
  return s->step - s->best_step > STALL + s->step / 2;
}

static bf_err iterate(bf_lobpcg_work *w, state *s, bf_eigen_reason *reason)
{
  bf_int info  = 0;
  int    fresh = 1;
  *reason      = BF_EIGEN_LIMIT;
  BF_TRY(bf_lobpcg_start(w));
  BF_TRY(bf_lobpcg_project(w, &info));
  for (s->step = 0;; s->step++) {
    if (info != 0) *reason = BF_EIGEN_NAN;
    if (info != 0) return BF_OK;
    BF_TRY(check_convergence(w, s));
    if (s->converged == w->opt->pairs && !fresh) {
      BF_TRY(bf_lobpcg_refresh(w));
      BF_TRY(check_convergence(w, s));
      fresh = 1;
    }
    const int done = s->converged == w->opt->pairs;
    if (done || s->step % LOOK == 0) tell(w, s);
    if (done) *reason = BF_EIGEN_CONVERGED;
    if (done || s->step >= w->opt->max_iterations) return BF_OK;
    if (stalled(w, s)) *reason = BF_EIGEN_STAGNATION;
    if (*reason == BF_EIGEN_STAGNATION) return BF_OK;
    if (!fresh && s->step % REFRESH == 0) BF_TRY(bf_lobpcg_refresh(w));
    BF_TRY(bf_lobpcg_search(w));
    if (w->nw == 0 && fresh) *reason = BF_EIGEN_STAGNATION; /* X cannot be improved */
    if (*reason == BF_EIGEN_STAGNATION) return BF_OK;
    fresh = s->step % REFRESH == 0;
    BF_TRY(bf_lobpcg_project(w, &info));
  }
}

/* Vectors of the block: guard vectors let clusters at the end converge. */
static int block_of(int pairs, int guard)
{
  return pairs + (guard > 0 ? guard : pairs / 4 + 4);
}

int64_t bf_lobpcg_vectors(int pairs, int guard)
{
  return 11 * (int64_t)block_of(pairs, guard) + 4; /* S, K S, M S and T; the diagonal, residuals at the end */
}

bf_err bf_lobpcg(const bf_matrix *K, const bf_matrix *M, const bf_eigen_options *opt, double *X,
                 bf_eigen_report *report)
{
  bf_err            err      = BF_OK;
  bf_pencil         p        = {.K = NULL};
  bf_lobpcg_work    w        = {.p = NULL};
  bf_lobpcg_precond T        = {.use = NULL};
  state             s        = {.start = bf_seconds(), .best = INFINITY, .sum = INFINITY};
  char              how[240] = "LOBPCG";
  BF_CHECK(K && M && opt && X && report, BF_E_ARG, "null argument");
  *report = (bf_eigen_report){0};
  BF_CHECK(opt->shift == 0.0, BF_E_ARG, "LOBPCG computes the lowest eigenvalues and takes no shift");
  BF_GO(bf_pencil_create(K, M, &p));
  BF_GO(bf_pencil_check(&p, opt));
  BF_GO(bf_eigen_report_create(opt->pairs, report));
  const int b = block_of(opt->pairs, opt->guard);
  BF_GO(bf_lobpcg_precond_create(&p, opt, &T));
  BF_GO(bf_lobpcg_create(&p, opt, T.use, b < p.massive ? b : (int)p.massive, &w));
  BF_GO(BF_NEW_ARRAY(s.norms, 3 * (size_t)w.b));
  report->reason = BF_EIGEN_SINGULAR;
  if (!T.none) BF_GO(iterate(&w, &s, &report->reason));
  report->iterations = s.step;
  if (report->reason != BF_EIGEN_NAN && report->reason != BF_EIGEN_SINGULAR)
    BF_GO(bf_eigen_finish(&p, opt, &w.S, w.value, w.b > opt->pairs ? w.value[opt->pairs] : NAN, X, report));
  snprintf(how, sizeof how, "LOBPCG of %d vectors%s, %d steps", w.b, T.text, s.step);
  bf_eigen_explain(opt, how, report);
  report->seconds = bf_seconds() - s.start;
done:
  bf_lobpcg_release(&w);
  bf_lobpcg_precond_release(&T);
  bf_pencil_clear(&p);
  bf_host_free(s.norms);
  if (err != BF_OK) bf_eigen_report_clear(report);
  return err;
}
