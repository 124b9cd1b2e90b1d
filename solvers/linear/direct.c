/* solvers/linear/direct.c - A x = b by one factorisation of the band and iterative refinement, on the CPU
 *
 *     x += A^-1 (b - A x)  by the factors of band_factor.c, b - A x in twice the working precision
 *
 * For condition numbers of R A C below about 1/u this brings x to nearly the last digit of the solution of
 * the stored system.  Above that the rounding of the entries of A alone, u, can change the solution by its
 * own size: the matrix is reported as ill-conditioned, whatever the residual.
 *
 * Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. (2002), ch. 12,
 * doi:10.1137/1.9780898718027; Ogita, Rump and Oishi, Accurate sum and dot product, SIAM J. Sci. Comput. 26
 * (2005) 1955, doi:10.1137/030601818 (alg. 5.3).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/direct.h"
#include "base/memory.h"
#include "base/timer.h"
#include "solvers/linear/backward_error.h"
#include "solvers/linear/band_factor.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MANY = 16384 };                      /* entries above which several threads are used */
static const double UNIT = DBL_EPSILON / 2; /* u */

typedef struct direct {
  const bf_matrix *A;   /* borrowed */
  bf_sparse       *S;   /* owned: A on the host */
  bf_factors      *f;   /* owned */
  bf_accuracy     *acc; /* owned */
  double          *dx;  /* owned [n] */
} direct;

/* ---- refinement ---- */

/* b - sum of a x with the rounding errors of products and sums added up. */
static double row_residual(const bf_sparse *S, bf_int i, double b, const double *x)
{
  double sum = b, low = 0.0;
  for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) {
    const double a = -S->val[p], y = x[S->col[p]], product = a * y, next = sum + product, z = next - sum;
    low += fma(a, y, -product) + ((sum - (next - z)) + (product - z));
    sum = next;
  }
  return sum + low;
}

void bf_direct_residual(const bf_sparse *S, const double *b, const double *x, double *r)
{
#pragma omp parallel for schedule(static) if (S->nnz > MANY)
  for (bf_int i = 0; i < S->nrows; i++) r[i] = row_residual(S, i, b[i], x);
}

/* ||C^-1 v|| */
static double size_of(const direct *d, const double *v)
{
  double sum = 0.0;
  for (bf_int i = 0; i < d->f->n; i++) sum += v[i] / d->f->column[i] * (v[i] / d->f->column[i]);
  return sqrt(sum);
}

static double norm_of(bf_int n, const double *v)
{
  double sum = 0.0;
  for (bf_int i = 0; i < n; i++) sum += v[i] * v[i];
  return sqrt(sum);
}

static void record(bf_run *run, int k)
{
  bf_solve_report *rep = run->report;
  const double     by  = rep->norm_b > 0.0 ? rep->norm_b : 1.0;
  rep->history[k]      = norm_of(run->A->nrows, run->r) / by;
  rep->true_history[k] = rep->history[k];
  rep->time_history[k] = bf_seconds() - run->start;
  rep->iterations      = k;
  rep->nhistory        = k + 1;
  rep->residual        = rep->history[k];
  rep->true_residual   = rep->history[k];
}

/* Corrections until the next would not change x, or the last two differ by less than a factor 2. */
static bf_err refine(const direct *d, const double *b, bf_run *run)
{
  const bf_int n    = d->f->n;
  double      *x    = run->x;
  double       last = INFINITY;
  bf_direct_residual(d->S, b, x, run->r);
  for (int k = 1; k <= BF_DIRECT_SOLUTIONS; k++) {
    memset(d->dx, 0, (size_t)n * sizeof *d->dx);
    BF_TRY(bf_factors_add(d->f, run->r, d->dx));
    for (bf_int i = 0; i < n; i++) x[i] += d->dx[i];
    bf_direct_residual(d->S, b, x, run->r);
    record(run, k);
    const double size = size_of(d, d->dx), reduction = k > 1 ? size / last : 1.0;
    if (!(size * fmin(reduction, 1.0) > UNIT * size_of(d, x)) || (k > 1 && !(reduction <= 0.5))) break;
    last = size;
  }
  return BF_OK;
}

/* ---- result ---- */

static void place_of_smallest_pivot(const direct *d, bf_solve_report *rep)
{
  for (bf_int i = 0; i < d->f->n; i++)
    if (d->f->place[i] == d->f->met.weakest) rep->unknown = i;
}

static bf_err solve(direct *d, const double *b, bf_run *run, double tol)
{
  bf_solve_report *rep = run->report;
  double           norm;
  BF_TRY(bf_accuracy_create_scaled(d->A, d->f->row, d->f->column, &d->acc));
  BF_TRY(refine(d, b, run));
  norm = norm_of(d->f->n, run->r);
  if (!isfinite(norm)) {
    rep->reason = BF_KRYLOV_NAN;
    return BF_OK;
  }
  BF_TRY(bf_accuracy_backward(d->acc, b, run->x, run->r, &rep->backward_error));
  rep->condition     = 1.0 / d->f->met.rcond;
  rep->forward_error = rep->condition * rep->backward_error;
  if (!(rep->condition <= 1.0 / UNIT)) {
    rep->reason = BF_KRYLOV_ILL_CONDITIONED;
    place_of_smallest_pivot(d, rep);
  } else if (norm <= tol)
    rep->reason = BF_KRYLOV_CONVERGED;
  else if (rep->backward_error <= bf_accuracy_limit())
    bf_accuracy_conclude(rep, rep->backward_error, rep->condition);
  else
    rep->reason = BF_KRYLOV_STAGNATION;
  return BF_OK;
}

/* ---- report ---- */

static void explain(const direct *d, bf_solve_report *rep, double target)
{
  char   how[160];
  size_t n = strlen(rep->text); /* of bf_accuracy_conclude */
  snprintf(how, sizeof how, "%s%s of %d rows, half-bandwidth %d, %.1f MiB",
           d->f->tried ? "symmetric but not positive definite, so " : "", d->f->B.spd ? "Cholesky" : "LU",
           (int)d->f->B.n, (int)bf_factors_half(d->f), (double)bf_band_bytes(&d->f->B) / 0x1p20);
  if (d->f->met.info > 0)
    snprintf(rep->text, sizeof rep->text, "singular matrix: a pivot is zero; %s", how);
  else if (rep->reason == BF_KRYLOV_ILL_CONDITIONED)
    snprintf(
        rep->text, sizeof rep->text,
        "ill-conditioned beyond double precision: estimated condition %.2g exceeds 1/u = %.1g; solution not "
        "trusted: relative residual %.3g, backward error %.2g, estimated forward error %.2g; %s",
        rep->condition, 1.0 / UNIT, rep->true_residual, rep->backward_error, rep->forward_error, how);
  else if (rep->to_rounding)
    snprintf(rep->text + n, sizeof rep->text - n, "; %s", how);
  else
    snprintf(rep->text, sizeof rep->text,
             "%s: true residual %.3g, target %.3g, backward error %.2g, estimated condition %.2g, estimated "
             "forward error %.2g; %s",
             bf_reason_name(rep->reason), rep->true_residual, target, rep->backward_error, rep->condition,
             rep->forward_error, how);
}

bf_err bf_direct_run(const bf_matrix *A, const double *b, bf_run *run, double tol)
{
  bf_err err = BF_OK;
  direct d   = {.A = A};
  BF_GO(bf_matrix_to_sparse(A, &d.S));
  bf_kept *kept = run->opt->closed;
  d.f           = kept ? kept->factors : NULL;
  if (!d.f) BF_GO(bf_factors_create(A->be, d.S, A->ncomp, &d.f));
  if (kept) kept->factors = d.f;
  BF_GO(BF_NEW_ARRAY(d.dx, A->nrows));
  if (d.f->met.info > 0) {
    run->report->reason = BF_KRYLOV_SINGULAR;
    place_of_smallest_pivot(&d, run->report);
  } else
    BF_GO(solve(&d, b, run, tol));
  explain(&d, run->report, tol / (run->report->norm_b > 0.0 ? run->report->norm_b : 1.0));
done:
  bf_accuracy_destroy(&d.acc);
  bf_host_free(d.dx);
  if (!run->opt->closed) bf_factors_destroy(&d.f);
  bf_sparse_destroy(&d.S);
  return err;
}
