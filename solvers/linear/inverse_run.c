/* solvers/linear/inverse_run.c - A x = b by X = A^-1: x = X b, corrections, and a bound of the error
 *
 *     x += X (b - A x),  b - A x in twice the working precision
 *     ||x - A^-1 b||_inf <= || |X| w ||_inf / (1 - rho),  w = (1 + 2u) |r| + gamma_m^2 (|A||x| + |b|)
 *
 * r: the computed residual, m: entries of a row and 2, rho: of inverse.h; rows with a diagonal entry alone
 * are divided.  A that is symmetric but for rounding is replaced by D = (A + A^T)/2 for X, and rho grows by
 * ||X||_1 ||A - D||_inf.
 *
 * Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. (2002), ch. 12 and 14,
 * doi:10.1137/1.9780898718027; Ogita, Rump and Oishi, SIAM J. Sci. Comput. 26 (2005) 1955, prop. 5.5,
 * doi:10.1137/030601818.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/inverse_run.h"
#include "base/memory.h"
#include "base/timer.h"
#include "solvers/linear/backward_error.h"
#include "solvers/linear/direct.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double UNIT = DBL_EPSILON / 2, SYMMETRIC = 0x1p-40; /* as bf_statistics_nearly_symmetric */

/* Rows with a diagonal entry alone, as those of prescribed values, are solved apart. */
typedef struct inverse {
  bf_int     n, order;         /* rows; those of the dense matrix */
  bf_int    *place;            /* owned [n]: position in the dense matrix, -1: a diagonal entry alone */
  bf_sparse *S;                /* owned: A on the host */
  double    *D, *X;            /* owned [order][order] */
  double    *b, *x, *r, *next; /* owned [n] */
  double    *in, *out;         /* owned [order] */
  double     skew;             /* ||A - D||_inf */
} inverse;

bf_int bf_coupled_rows(const bf_sparse *S, bf_int nkeep, const bf_int *keep, bf_int *place)
{
  bf_int k = 0;
  for (bf_int i = 0; i < S->nrows; i++) place[i] = -1;
  for (bf_int i = 0; i < nkeep; i++) place[keep[i]] = 0;
  for (bf_int i = 0; i < S->nrows; i++)
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++)
      if (S->col[p] != i && S->val[p] != 0.0) place[i] = place[S->col[p]] = 0;
  for (bf_int i = 0; i < S->nrows; i++)
    if (place[i] == 0) place[i] = k++;
  return k;
}

bf_err bf_inverse_forecast(bf_backend *be, bf_int n, int fp32, int64_t *backend, int64_t *host)
{
  *host = 16 * (int64_t)n * n;
  return bf_inverse_bytes(be, fp32 ? BF_S : BF_D, n, backend);
}

/* D = (S + S^T)/2 of the coupled rows and ||S - D||_inf; BF_E_ARG where a pair differs by more than rounding.
 */
static bf_err make_dense(inverse *v)
{
  const bf_sparse *S = v->S;
  const size_t     N = (size_t)v->order;
  for (bf_int i = 0; i < v->n; i++) {
    double largest = 0.0, most = 0.0, sum = 0.0;
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) {
      const double a = S->val[p], t = bf_sparse_value(S, S->col[p], i);
      largest = fmax(largest, fabs(a));
      most    = fmax(most, fabs(a - t));
      sum += fabs(a - t) / 2;
      if (v->place[i] < 0 || v->place[S->col[p]] < 0) continue;
      const size_t r = (size_t)v->place[i], c = (size_t)v->place[S->col[p]];
      v->D[c * N + r] = v->D[r * N + c] = a == t ? a : a / 2 + t / 2;
    }
    BF_CHECK(most <= SYMMETRIC * largest, BF_E_ARG, "method inverse: row %d of the matrix is not symmetric",
             (int)i);
    v->skew = fmax(v->skew, sum);
  }
  return BF_OK;
}

/* y = A^-1 r by X and the diagonal entries of the other rows */
static void apply(inverse *v, const double *r, double *y)
{
  for (bf_int i = 0; i < v->n; i++)
    if (v->place[i] >= 0) v->in[v->place[i]] = r[i];
  bf_inverse_apply(v->order, v->X, v->in, v->out);
  for (bf_int i = 0; i < v->n; i++)
    y[i] = v->place[i] >= 0 ? v->out[v->place[i]] : r[i] == 0.0 ? 0.0 : r[i] / bf_sparse_value(v->S, i, i);
}

static double norm_of(bf_int n, const double *v)
{
  double sum = 0.0;
  for (bf_int i = 0; i < n; i++) sum += v[i] * v[i];
  return sqrt(sum);
}

static void record(bf_run *run, int k, double norm)
{
  bf_solve_report *rep = run->report;
  rep->history[k]      = norm / (rep->norm_b > 0.0 ? rep->norm_b : 1.0);
  rep->true_history[k] = rep->residual = rep->true_residual = rep->history[k];
  rep->time_history[k]                                      = bf_seconds() - run->start;
  rep->iterations                                           = k;
  rep->nhistory                                             = k + 1;
}

/* x = X b and corrections while each halves the residual; x is the one of the smallest residual. */
static double refine(inverse *v, bf_run *run)
{
  const size_t bytes = (size_t)v->n * sizeof(double);
  double       best  = INFINITY;
  memcpy(v->r, v->b, bytes);
  memset(v->x, 0, bytes);
  for (int k = 1; k <= BF_DIRECT_SOLUTIONS; k++) {
    apply(v, v->r, v->next);
    for (bf_int i = 0; i < v->n; i++) v->next[i] += v->x[i];
    bf_direct_residual(v->S, v->b, v->next, v->r);
    const double norm = norm_of(v->n, v->r);
    if (k > 1 && !(norm < best)) break;
    const int last = !(norm <= 0.5 * best) || norm == 0.0;
    memcpy(v->x, v->next, bytes);
    record(run, k, norm);
    best = norm;
    if (last) break;
  }
  bf_direct_residual(v->S, v->b, v->x, v->r);
  return best;
}

/* Bound of ||x - A^-1 b||_inf / ||x||_inf; 0 for x = 0 = b. */
static double bound_of(inverse *v, double rho)
{
  double worst = 0.0, size = 0.0, *w = v->next;
  if (!(rho < 1.0)) return INFINITY;
  for (bf_int i = 0; i < v->n; i++) {
    const double g   = bf_inverse_gamma((double)(v->S->ptr[i + 1] - v->S->ptr[i]) + 2.0);
    double       sum = fabs(v->b[i]);
    for (int64_t p = v->S->ptr[i]; p < v->S->ptr[i + 1]; p++) sum += fabs(v->S->val[p] * v->x[v->S->col[p]]);
    w[i] = (1.0 + 2.0 * UNIT) * fabs(v->r[i]) + g * g * sum;
    size = fmax(size, fabs(v->x[i]));
    if (v->place[i] >= 0)
      v->in[v->place[i]] = w[i];
    else if (w[i] > 0.0)
      worst = fmax(worst, w[i] / fabs(bf_sparse_value(v->S, i, i)));
  }
  for (bf_int i = 0; i < v->order; i++) {
    const double *X   = v->X + (size_t)i * (size_t)v->order;
    double        sum = 0.0;
    for (bf_int j = 0; j < v->order; j++) sum += fabs(X[j]) * v->in[j];
    worst = sum <= worst ? worst : sum; /* NaN too */
  }
  worst *= (1.0 + bf_inverse_gamma(2.0 * v->n + 8.0)) / (1.0 - rho);
  return worst == 0.0 ? 0.0 : worst / size;
}

/* ---- result ---- */

static void explain(const inverse *v, bf_solve_report *rep, double rho, double target)
{
  const bf_syinv_report *y = &rep->inverse.syinv;
  const size_t           n = strlen(rep->text); /* of bf_accuracy_conclude */
  if (y->info > v->order)
    snprintf(rep->text, sizeof rep->text, "the inverse is not finite: an entry overflows");
  else if (y->info > 0)
    snprintf(rep->text, sizeof rep->text, "singular matrix: no usable pivot after %d of %d rows (%s path)",
             (int)y->info - 1, (int)v->order, bf_inverse_path(y->path));
  else if (rep->reason == BF_KRYLOV_ILL_CONDITIONED)
    snprintf(rep->text, sizeof rep->text,
             "ill-conditioned beyond the precision of the inverse: condition %.2g, ||A X - I|| up to %.2g; "
             "solution not trusted: true residual %.3g",
             rep->condition, rho, rep->true_residual);
  else if (rep->to_rounding)
    snprintf(rep->text + n, sizeof rep->text - n, "; error of x at most %.2g (bound)", rep->forward_error);
  else
    snprintf(rep->text, sizeof rep->text,
             "%s: true residual %.3g, target %.3g, backward error %.2g, condition %.2g, error of x at most "
             "%.2g (bound); inverse of order %d, %s path",
             bf_reason_name(rep->reason), rep->true_residual, target, rep->backward_error, rep->condition,
             rep->forward_error, (int)v->order, bf_inverse_path(y->path));
}

static bf_err judge(inverse *v, const bf_matrix *A, bf_run *run, double tol, double norm, double rho)
{
  bf_solve_report *rep = run->report;
  bf_accuracy     *acc = NULL;
  bf_err           err = BF_OK;
  if (!isfinite(norm)) {
    rep->reason = BF_KRYLOV_NAN;
    return BF_OK;
  }
  BF_GO(bf_accuracy_create(A, 0.0, &acc));
  BF_GO(bf_accuracy_backward(acc, run->b, run->x, run->r, &rep->backward_error));
  const double bound = bound_of(v, rho);
  if (!(rho < 1.0))
    rep->reason = BF_KRYLOV_ILL_CONDITIONED;
  else if (norm <= tol)
    rep->reason = BF_KRYLOV_CONVERGED;
  else if (rep->backward_error <= bf_accuracy_limit())
    bf_accuracy_conclude(rep, rep->backward_error, rep->condition);
  else
    rep->reason = BF_KRYLOV_STAGNATION;
  rep->forward_error = bound;
done:
  bf_accuracy_destroy(&acc);
  return err;
}

static bf_err create(const bf_matrix *A, inverse *v)
{
  const size_t N = (size_t)A->nrows;
  v->n           = A->nrows;
  BF_TRY(bf_matrix_to_sparse(A, &v->S));
  BF_TRY(BF_NEW_ARRAY(v->place, N));
  v->order = bf_coupled_rows(v->S, 0, NULL, v->place);
  for (bf_int i = 0; i < v->n; i++) /* a row without a diagonal entry is part of the singular matrix */
    if (v->place[i] < 0 && bf_sparse_value(v->S, i, i) == 0.0) v->order = 0;
  if (v->order == 0)
    for (bf_int i = 0; i < v->n; i++) v->place[i] = v->order++;
  BF_CHECK(v->order <= BF_SYINV_LARGEST, BF_E_ARG, "method inverse: order %d, at most %d", (int)v->order,
           (int)BF_SYINV_LARGEST);
  const size_t order = (size_t)v->order;
  BF_TRY(BF_NEW_ARRAY(v->D, order * order));
  BF_TRY(BF_NEW_ARRAY(v->X, order * order));
  BF_TRY(BF_NEW_ARRAY(v->in, order));
  BF_TRY(BF_NEW_ARRAY(v->out, order));
  BF_TRY(BF_NEW_ARRAY(v->b, N));
  BF_TRY(BF_NEW_ARRAY(v->x, N));
  BF_TRY(BF_NEW_ARRAY(v->r, N));
  BF_TRY(BF_NEW_ARRAY(v->next, N));
  return make_dense(v);
}

bf_err bf_inverse_run(const bf_matrix *A, const double *b, bf_run *run, double tol)
{
  const size_t     bytes = (size_t)A->nrows * sizeof(double);
  bf_backend      *be    = A->be;
  bf_solve_report *rep   = run->report;
  inverse          v     = {.S = NULL};
  double           rho   = INFINITY;
  bf_err           err   = BF_OK;
  BF_GO(create(A, &v));
  BF_GO(bf_inverse(be, run->rounded_values ? BF_S : BF_D, v.order, v.D, v.X, &rep->inverse));
  if (rep->inverse.syinv.info != 0) {
    rep->reason = rep->inverse.syinv.info > v.order ? BF_KRYLOV_NAN : BF_KRYLOV_SINGULAR;
  } else {
    rep->condition = rep->inverse.syinv.condition;
    BF_GO(be->ops.copy(be, v.b, b, bytes, BF_TO_HOST));
    BF_GO(be->ops.sync(be));
    const double norm = refine(&v, run);
    BF_GO(be->ops.copy(be, run->x, v.x, bytes, BF_TO_DEVICE));
    BF_GO(be->ops.copy(be, run->r, v.r, bytes, BF_TO_DEVICE));
    BF_GO(be->ops.sync(be));
    rho = rep->inverse.rho + rep->inverse.norm_x * v.skew;
    BF_GO(judge(&v, A, run, tol, norm, rho));
  }
  explain(&v, rep, rho, tol / (rep->norm_b > 0.0 ? rep->norm_b : 1.0));
done:
  bf_sparse_destroy(&v.S);
  bf_host_free(v.place);
  bf_host_free(v.in);
  bf_host_free(v.out);
  bf_host_free(v.D);
  bf_host_free(v.X);
  bf_host_free(v.b);
  bf_host_free(v.x);
  bf_host_free(v.r);
  bf_host_free(v.next);
  return err;
}
