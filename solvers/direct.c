/* solvers/direct.c - A x = b by one factorisation of the band and one step of refinement, on the CPU
 *
 *     S P A P^T S = L L^T  or  L U,   x += S P^T (..)^-1 P S (b - A x),  twice
 *
 * P is the numbering of direct_order.c, S a diagonal of powers of two that makes the diagonal of A about 1,
 * so that the condition estimate does not count units.  Cholesky where A is symmetric with a positive
 * diagonal; if that meets a leading minor that is not positive, or A is unsymmetric, LU with row exchanges.
 * Source: LAPACK Users' Guide (dpbtrf, dgbtrf); Higham, Accuracy and Stability of Numerical Algorithms,
 * ch. 12.
 */
#include "solvers/direct.h"
#include "base/memory.h"
#include "base/timer.h"
#include "kernels/survey.h"
#include <float.h>
#include <math.h>
#include <stdio.h>

static const double ROUNDED   = 4.0; /* times u || |b| + |A||x| ||: a residual as small as doubles allow */
static const double SYMMETRIC = 0x1p-40; /* largest |a_ij - a_ji| of a symmetric matrix, scaled */

typedef struct direct {
  const bf_matrix *A;     /* borrowed */
  bf_sparse       *S;     /* owned: A on the host */
  bf_int          *place; /* owned [nrows]: position of a row in the band */
  double          *scale; /* owned [nrows] */
  double          *t;     /* owned [nrows]: the permuted right-hand side */
  bf_int           kl, ku;
  int              symmetric, tried; /* Cholesky was tried and met a minor that is not positive */
  int              rounded;          /* the residual is above the tolerance, and cannot be smaller */
  bf_band          B;                /* its memory owned */
  bf_band_report   met;
} direct;

/* ---- the permuted, scaled band ---- */

static bf_err order(direct *d)
{
  bf_err       err  = BF_OK;
  bf_graph    *g    = NULL;
  bf_int      *node = NULL, half;
  const int    D    = d->A->ncomp;
  const bf_int n    = d->S->nrows;
  BF_GO(bf_sparse_graph(d->S, D, &g));
  BF_GO(BF_NEW_ARRAY(node, g->n));
  BF_GO(bf_direct_order(g, node, &half));
  for (bf_int i = 0; i < n; i++) d->place[i] = node[i / D] * D + i % D;
  for (bf_int i = 0; i < n; i++)
    for (int64_t p = d->S->ptr[i]; p < d->S->ptr[i + 1]; p++) {
      const bf_int k = d->place[i] - d->place[d->S->col[p]];
      if (d->S->val[p] == 0.0) continue;
      if (k > d->kl) d->kl = k;
      if (-k > d->ku) d->ku = -k;
    }
done:
  bf_graph_destroy(&g);
  bf_host_free(node);
  return err;
}

/* Scale factors; d->symmetric: symmetric up to rounding with a positive diagonal, where Cholesky is worth a
 * try. */
static void look_at(direct *d)
{
  const bf_sparse *S = d->S;
  for (bf_int i = 0; i < S->nrows; i++) {
    double size = fabs(bf_sparse_value(S, i, i));
    for (int64_t p = S->ptr[i]; size == 0.0 && p < S->ptr[i + 1]; p++) size = fmax(size, fabs(S->val[p]));
    d->scale[i] = size > 0.0 && isfinite(size) ? ldexp(1.0, -(int)floor(0.5 * ilogb(size))) : 1.0;
  }
  d->symmetric = 1;
  for (bf_int i = 0; i < S->nrows && d->symmetric; i++) {
    d->symmetric = bf_sparse_value(S, i, i) >= 0.0;
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1] && d->symmetric; p++) {
      const bf_int j = S->col[p];
      if (j != i)
        d->symmetric = fabs(S->val[p] - bf_sparse_value(S, j, i)) * d->scale[i] * d->scale[j] <= SYMMETRIC;
    }
  }
}

/* A row of zeros whose column is zeros too: an unknown in no equation (a row that belongs to no node).  It
 * gets a diagonal of 1, so it keeps its start where its equation is 0 = 0. */
static void fill_unused(direct *d, const uint8_t *used)
{
  for (bf_int i = 0; i < d->S->nrows; i++)
    if (!used[i]) d->B.ab[bf_band_at(&d->B, d->place[i], d->place[i])] = 1.0;
}

static bf_err fill(direct *d)
{
  const bf_sparse *S    = d->S;
  uint8_t         *used = NULL;
  BF_TRY(BF_NEW_ARRAY(used, S->nrows));
  for (bf_int r = 0; r < S->nrows; r++)
    for (int64_t p = S->ptr[r]; p < S->ptr[r + 1]; p++) {
      const bf_int c = S->col[p], i = d->place[r], j = d->place[c];
      if (S->val[p] == 0.0) continue;
      used[r] = used[c] = 1;
      if (!d->B.spd || i >= j) d->B.ab[bf_band_at(&d->B, i, j)] = d->scale[r] * S->val[p] * d->scale[c];
    }
  fill_unused(d, used);
  bf_host_free(used);
  return BF_OK;
}

/* ---- factors ---- */

static void forget_band(direct *d)
{
  bf_backend *be = d->A->be;
  be->ops.release(be, d->B.ab);
  be->ops.release(be, d->B.pivot);
  d->B = (bf_band){0};
}

static bf_err factor_as(direct *d, int spd)
{
  bf_backend  *be = d->A->be;
  const bf_int k  = d->kl > d->ku ? d->kl : d->ku;
  size_t       available, total;
  void        *p;
  forget_band(d);
  d->B                = bf_band_shape(d->S->nrows, spd ? k : d->kl, spd ? k : d->ku, spd);
  const int64_t bytes = bf_band_bytes(&d->B);
  BF_TRY(be->ops.memory(be, &available, &total));
  BF_CHECK(available == 0 || (uint64_t)bytes <= available, BF_E_MEMORY,
           "a factorisation of %d rows with %d diagonals below and %d above needs %.1f MiB, %.1f MiB are "
           "available",
           (int)d->B.n, (int)d->B.kl, (int)d->B.ku, (double)bytes / 0x1p20, (double)available / 0x1p20);
  BF_TRY(be->ops.alloc(be, (size_t)(d->B.ld * d->B.n) * sizeof(double), &p));
  d->B.ab = p;
  BF_TRY(be->ops.zero(be, p, (size_t)(d->B.ld * d->B.n) * sizeof(double)));
  if (!spd) {
    BF_TRY(be->ops.alloc(be, (size_t)d->B.n * sizeof(bf_int), &p));
    d->B.pivot = p;
  }
  BF_TRY(fill(d));
  return BF_OP(be, band_factor, &d->B, &d->met);
}

static bf_err factor(direct *d)
{
  const size_t n = (size_t)d->A->nrows;
  BF_TRY(bf_matrix_to_sparse(d->A, &d->S));
  BF_TRY(BF_NEW_ARRAY(d->place, n));
  BF_TRY(BF_NEW_ARRAY(d->scale, n));
  BF_TRY(BF_NEW_ARRAY(d->t, n));
  BF_TRY(order(d));
  look_at(d);
  if (d->symmetric) BF_TRY(factor_as(d, 1));
  d->tried = d->symmetric && d->met.info > 0;
  if (!d->symmetric || d->tried) BF_TRY(factor_as(d, 0));
  return BF_OK;
}

/* ---- solution and report ---- */

static void words(const direct *d, const bf_run *run, double tol)
{
  bf_solve_report *rep = run->report;
  char             how[160];
  snprintf(how, sizeof how, "%s%s of %d rows, half-bandwidth %d, %.1f MiB",
           d->tried ? "symmetric but not positive definite, so " : "", d->B.spd ? "Cholesky" : "LU",
           (int)d->B.n, (int)(d->kl > d->ku ? d->kl : d->ku), (double)bf_band_bytes(&d->B) / 0x1p20);
  if (rep->reason == BF_KRYLOV_SINGULAR)
    snprintf(rep->text, sizeof rep->text,
             "singular matrix: pivot of row %d is %s (%s); is something not held, or is an equation missing?",
             (int)rep->unknown, d->met.info > 0 ? "zero" : "rounding alone", how);
  else
    snprintf(rep->text, sizeof rep->text,
             "%s: true residual %.3g, target %.3g%s; %s; condition number about %.1e",
             bf_reason_name(rep->reason), rep->true_residual, tol,
             d->rounded ? " is below what rounding leaves" : "", how, 1.0 / d->met.rcond);
}

/* x += A^-1 r by the factors; r is in the order of the rows. */
static bf_err correct(const direct *d, const double *r, double *x)
{
  const bf_int n = d->A->nrows;
  for (bf_int i = 0; i < n; i++) d->t[d->place[i]] = d->scale[i] * r[i];
  BF_TRY(BF_OP(d->A->be, band_solve, &d->B, d->t));
  for (bf_int i = 0; i < n; i++) x[i] += d->scale[i] * d->t[d->place[i]];
  return BF_OK;
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
    BF_TRY(correct(d, run->r, run->x));
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
  BF_GO(factor(&d));
  if (d.met.info > 0 || !(d.met.rcond >= DBL_EPSILON)) {
    run->report->reason = BF_KRYLOV_SINGULAR;
    for (bf_int i = 0; i < A->nrows; i++)
      if (d.place[i] == d.met.weakest) run->report->unknown = i;
  } else
    BF_GO(solve(&d, b, run, tol));
  words(&d, run, tol / (run->report->norm_b > 0.0 ? run->report->norm_b : 1.0));
done:
  forget_band(&d);
  bf_host_free(d.t);
  bf_host_free(d.scale);
  bf_host_free(d.place);
  bf_sparse_destroy(&d.S);
  return err;
}
