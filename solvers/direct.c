/* solvers/direct.c - A x = b by one factorisation of the band and one step of refinement, on the CPU
 *
 *     x += A^-1 (b - A x)  by the factors of factors.c,  twice
 *
 * Source: Higham, Accuracy and Stability of Numerical Algorithms, ch. 12.
 */
#include "solvers/direct.h"
#include "base/memory.h"
#include "base/timer.h"
#include "solvers/factors.h"
#include <float.h>
#include <math.h>
#include <stdio.h>

static const double ROUNDED = 4.0; /* times u || |b| + |A||x| ||: a residual as small as doubles allow */

typedef struct direct {
  const bf_matrix *A;       /* borrowed */
  bf_sparse       *S;       /* owned: A on the host */
  bf_factors      *f;       /* owned */
  int              rounded; /* the residual is above the tolerance, and cannot be smaller */
} direct;

/* ---- solution and report ---- */

static void words(const direct *d, const bf_run *run, double tol)
{
  bf_solve_report *rep = run->report;
  char             how[160];
  snprintf(how, sizeof how, "%s%s of %d rows, half-bandwidth %d, %.1f MiB",
           d->f->tried ? "symmetric but not positive definite, so " : "", d->f->B.spd ? "Cholesky" : "LU",
           (int)d->f->B.n, (int)bf_factors_half(d->f), (double)bf_band_bytes(&d->f->B) / 0x1p20);
  if (rep->reason == BF_KRYLOV_SINGULAR)
    snprintf(rep->text, sizeof rep->text,
             "singular matrix: pivot of row %d is %s (%s); is something not held, or is an equation missing?",
             (int)rep->unknown, d->f->met.info > 0 ? "zero" : "rounding alone", how);
  else
    snprintf(rep->text, sizeof rep->text,
             "%s: true residual %.3g, target %.3g%s; %s; condition number about %.1e",
             bf_reason_name(rep->reason), rep->true_residual, tol,
             d->rounded ? " is below what rounding leaves" : "", how, 1.0 / d->f->met.rcond);
}

/* || |b| + |A||x| || u: what the rounding of A x and b alone leaves of the residual. */
static double rounding(const direct *d, const double *b, const double *x)
{
  double sum = 0.0;
  for (bf_int i = 0; i < d->S->nrows; i++) {
    double w = fabs(b[i]);
    for (int64_t p = d->S->ptr[i]; p < d->S->ptr[i + 1]; p++) w += fabs(d->S->val[p] * x[d->S->col[p]]);
    sum += w * w;
  }
  return 0.5 * DBL_EPSILON * sqrt(sum);
}

static bf_err solve(direct *d, const double *b, bf_run *run, double tol)
{
  enum { SOLUTIONS = 2 }; /* the solution, its refinement */
  bf_solve_report *rep  = run->report;
  const double     by   = rep->norm_b > 0.0 ? rep->norm_b : 1.0;
  double           norm = INFINITY;
  for (int k = 1; k <= SOLUTIONS; k++) {
    BF_TRY(bf_factors_add(d->f, run->r, run->x));
    BF_TRY(bf_run_true_residual(d->A, b, run->x, run->r, run->state->dot, &norm));
    rep->history[k] = rep->true_history[k] = norm / by;
    rep->time_history[k]                   = bf_seconds() - run->start;
    rep->nhistory                          = k + 1;
  }
  rep->iterations = SOLUTIONS;
  rep->residual = rep->true_residual = norm / by;
  d->rounded                         = norm > tol && norm <= ROUNDED * rounding(d, b, run->x);
  rep->reason                        = !isfinite(norm)             ? BF_KRYLOV_NAN
                                       : norm <= tol || d->rounded ? BF_KRYLOV_CONVERGED
                                                                   : BF_KRYLOV_STAGNATION;
  return BF_OK;
}

bf_err bf_direct_run(const bf_matrix *A, const double *b, bf_run *run, double tol)
{
  bf_err err = BF_OK;
  direct d   = {.A = A};
  BF_GO(bf_matrix_to_sparse(A, &d.S));
  BF_GO(bf_factors_create(A->be, d.S, A->ncomp, &d.f));
  if (d.f->met.info > 0 || !(d.f->met.rcond >= DBL_EPSILON)) {
    run->report->reason = BF_KRYLOV_SINGULAR;
    for (bf_int i = 0; i < A->nrows; i++)
      if (d.f->place[i] == d.f->met.weakest) run->report->unknown = i;
  } else
    BF_GO(solve(&d, b, run, tol));
  words(&d, run, tol / (run->report->norm_b > 0.0 ? run->report->norm_b : 1.0));
done:
  bf_factors_destroy(&d.f);
  bf_sparse_destroy(&d.S);
  return err;
}
