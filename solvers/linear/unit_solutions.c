/* solvers/linear/unit_solutions.c - see unit_solutions.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/unit_solutions.h"
#include "base/memory.h"
#include "base/timer.h"
#include "solvers/linear/band_factor.h"
#include "solvers/linear/direct.h"
#include "solvers/linear/inverse_run.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REFINEMENTS = 2 };

typedef struct unit {
  const bf_matrix        *A, *A_fast; /* borrowed */
  const bf_solve_options *opt;
  bf_int                  n, m;
  const bf_int           *row; /* [m] */
  double                 *F;   /* [m][m] */
  bf_unit_report         *report;
} unit;

bf_unit_route bf_unit_route_of(bf_method method, bf_int rows)
{
  if (method == BF_METHOD_INVERSE || rows <= BF_UNIT_DENSE) return BF_UNIT_INVERSE;
  return method == BF_METHOD_DIRECT ? BF_UNIT_FACTORS : BF_UNIT_ITERATIONS;
}

const char *bf_unit_route_name(bf_unit_route route)
{
  static const char *const name[] = {"inverse", "factors", "iterations"};
  return name[route];
}

int64_t bf_unit_bytes(bf_unit_route route, bf_int rows, bf_int m)
{
  const int64_t n = rows;
  (void)m;
  return route == BF_UNIT_INVERSE ? 32 * n * n + 16 * n : 40 * n;
}

/* ---- INVERSE ---- */

static void take(const unit *u, size_t order, const bf_int *place, const double *X)
{
  for (size_t j = 0; j < (size_t)u->m; j++)
    for (size_t i = 0; i < (size_t)u->m; i++)
      u->F[j * (size_t)u->m + i] = X[(size_t)place[u->row[j]] * order + (size_t)place[u->row[i]]];
}

/* The lower triangle of S, mirrored: S is symmetric but for the rounding of its sums. */
static void make_dense(const unit *u, const bf_sparse *S, size_t order, const bf_int *place, double *D)
{
  for (bf_int i = 0; i < u->n; i++)
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++)
      if (place[i] >= 0 && place[S->col[p]] >= 0 && S->col[p] <= i) {
        const size_t r = (size_t)place[i], c = (size_t)place[S->col[p]];
        D[c * order + r] = D[r * order + c] = S->val[p];
      }
}

static void verdict_of_inverse(unit *u)
{
  bf_unit_report          *rep = u->report;
  const bf_inverse_report *r   = &rep->inverse;
  rep->residual                = r->residual;
  rep->reason                  = r->syinv.info > rep->order ? BF_KRYLOV_NAN
                                 : r->syinv.info > 0        ? BF_KRYLOV_SINGULAR
                                 : !(r->rho < 1.0)          ? BF_KRYLOV_ILL_CONDITIONED
                                                            : BF_KRYLOV_CONVERGED;
  if (rep->reason == BF_KRYLOV_CONVERGED) return;
  snprintf(rep->text, sizeof rep->text, "%s: dense inverse of order %d, %s path, condition %.2g",
           bf_reason_name(rep->reason), (int)rep->order, bf_inverse_path(r->syinv.path), r->syinv.condition);
}

static bf_err by_inverse(unit *u, const bf_sparse *S)
{
  bf_err  err   = BF_OK;
  bf_int *place = NULL;
  double *D = NULL, *X = NULL;
  BF_GO(BF_NEW_ARRAY(place, u->n));
  u->report->order   = bf_coupled_rows(S, u->m, u->row, place);
  const size_t order = (size_t)u->report->order;
  BF_NEED(order <= BF_SYINV_LARGEST, BF_E_ARG, "dense inverse of order %d, at most %d", (int)order,
          (int)BF_SYINV_LARGEST);
  BF_GO(BF_NEW_ARRAY(D, order * order));
  BF_GO(BF_NEW_ARRAY(X, order * order));
  make_dense(u, S, order, place, D);
  BF_GO(bf_inverse(u->A->be, BF_D, u->report->order, D, X, &u->report->inverse));
  verdict_of_inverse(u);
  if (u->report->reason == BF_KRYLOV_CONVERGED) take(u, order, place, X);
done:
  bf_host_free(X);
  bf_host_free(D);
  bf_host_free(place);
  return err;
}

/* ---- columns ---- */

static double norm_of(bf_int n, const double *v)
{
  double sum = 0.0;
  for (bf_int i = 0; i < n; i++) sum += v[i] * v[i];
  return sqrt(sum);
}

static void keep_column(unit *u, bf_int j, const double *x)
{
  for (bf_int i = 0; i < u->m; i++) u->F[(size_t)j * (size_t)u->m + (size_t)i] = x[u->row[i]];
}

/* F = (F + F^T) / 2. */
static void symmetrise(unit *u)
{
  const size_t m    = (size_t)u->m;
  double       most = 0.0, size = 0.0;
  for (size_t j = 0; j < m; j++)
    for (size_t i = j; i < m; i++) {
      double *low = &u->F[j * m + i], *high = &u->F[i * m + j];
      most = fmax(most, fabs(*low - *high));
      size = fmax(size, fmax(fabs(*low), fabs(*high)));
      *low = *high = *low / 2 + *high / 2;
    }
  u->report->asymmetry = size > 0.0 ? most / size : 0.0;
}

/* x = A^-1 e_row with refinement; r: its residual */
static bf_err solve_column(const bf_factors *f, const bf_sparse *S, const double *e, double *x, double *r,
                           double *next, double *norm)
{
  const size_t bytes = (size_t)S->nrows * sizeof *x;
  memset(x, 0, bytes);
  BF_TRY(bf_factors_add(f, e, x));
  bf_direct_residual(S, e, x, r);
  *norm = norm_of(S->nrows, r);
  for (int k = 0; k<REFINEMENTS && * norm> 0.0; k++) {
    memcpy(next, x, bytes);
    BF_TRY(bf_factors_add(f, r, next));
    bf_direct_residual(S, e, next, r);
    const double less = norm_of(S->nrows, r);
    if (!(less < *norm)) break;
    memcpy(x, next, bytes);
    const int last = !(less <= 0.5 * *norm);
    *norm          = less;
    if (last) break;
  }
  return BF_OK;
}

static void verdict_of_factors(unit *u, const bf_factors *f)
{
  bf_unit_report *rep = u->report;
  rep->reason         = f->met.info > 0                                    ? BF_KRYLOV_SINGULAR
                        : !(1.0 / f->met.rcond <= 1.0 / (DBL_EPSILON / 2)) ? BF_KRYLOV_ILL_CONDITIONED
                                                                           : BF_KRYLOV_CONVERGED;
  if (rep->reason != BF_KRYLOV_CONVERGED)
    snprintf(rep->text, sizeof rep->text, "%s: band factorisation of %d rows%s", bf_reason_name(rep->reason),
             (int)u->n, f->met.info > 0 ? ", a pivot is zero" : ", the condition number exceeds 1/u");
}

static bf_err by_factors(unit *u, const bf_sparse *S)
{
  bf_err      err = BF_OK;
  bf_factors *f   = NULL;
  double     *e = NULL, *x = NULL, *r = NULL, *next = NULL, norm = 0.0;
  BF_NEED(!u->A->be->ops.on_device, BF_E_UNSUPPORTED, "factors are made on the CPU, the matrix is on '%s'",
          u->A->be->ops.name);
  BF_GO(bf_factors_create(u->A->be, S, u->A->ncomp, &f));
  BF_GO(BF_NEW_ARRAY(e, u->n));
  BF_GO(BF_NEW_ARRAY(x, u->n));
  BF_GO(BF_NEW_ARRAY(r, u->n));
  BF_GO(BF_NEW_ARRAY(next, u->n));
  verdict_of_factors(u, f);
  for (bf_int j = 0; j < u->m && u->report->reason == BF_KRYLOV_CONVERGED; j++) {
    e[u->row[j]] = 1.0;
    BF_GO(solve_column(f, S, e, x, r, next, &norm));
    e[u->row[j]] = 0.0;
    keep_column(u, j, x);
    u->report->residual = fmax(u->report->residual, norm);
    u->report->iterations++;
    if (isfinite(norm)) continue;
    u->report->reason = BF_KRYLOV_NAN;
    u->report->column = j;
    snprintf(u->report->text, sizeof u->report->text, "a solution is not finite");
  }
  if (u->report->reason == BF_KRYLOV_CONVERGED) symmetrise(u);
done:
  bf_host_free(e);
  bf_host_free(x);
  bf_host_free(r);
  bf_host_free(next);
  bf_factors_destroy(&f);
  return err;
}

static bf_err by_iterations(unit *u)
{
  bf_err           err   = BF_OK;
  bf_backend      *be    = u->A->be;
  const size_t     bytes = (size_t)u->n * sizeof(double);
  double          *b = NULL, *x = NULL, *host = NULL;
  bf_multigrid    *kept = NULL; /* one hierarchy for all columns */
  bf_solve_options opt  = *u->opt;
  opt.kept              = &kept;
  BF_GO(BF_NEW_ARRAY(host, u->n));
  BF_GO(bf_vector_create(be, u->n, u->A->guard, &b));
  BF_GO(bf_vector_create(be, u->n, u->A->guard, &x));
  for (bf_int j = 0; j < u->m && u->report->reason == BF_KRYLOV_CONVERGED; j++) {
    bf_solve_report rep;
    memset(host, 0, bytes);
    host[u->row[j]] = 1.0;
    BF_GO(be->ops.copy(be, b, host, bytes, BF_TO_DEVICE));
    BF_GO(be->ops.zero(be, x, bytes));
    BF_GO(be->ops.sync(be));
    BF_GO(bf_solve(u->A, u->A_fast, b, x, &opt, &rep));
    u->report->reason = rep.reason;
    u->report->iterations += rep.iterations;
    u->report->residual = fmax(u->report->residual, fabs(rep.true_residual));
    if (rep.reason != BF_KRYLOV_CONVERGED) {
      u->report->column = j;
      snprintf(u->report->text, sizeof u->report->text, "%s", rep.text);
    }
    bf_solve_report_clear(&rep);
    BF_GO(be->ops.copy(be, host, x, bytes, BF_TO_HOST));
    BF_GO(be->ops.sync(be));
    keep_column(u, j, host);
  }
  if (u->report->reason == BF_KRYLOV_CONVERGED) symmetrise(u);
done:
  bf_multigrid_destroy(&kept);
  bf_vector_destroy(be, u->A->guard, &x);
  bf_vector_destroy(be, u->A->guard, &b);
  bf_host_free(host);
  return err;
}

bf_err bf_unit_solutions(const bf_matrix *A, const bf_matrix *A_fast, const bf_solve_options *opt,
                         bf_unit_route route, bf_int m, const bf_int *row, double *F, bf_unit_report *report)
{
  BF_CHECK(A && opt && row && F && report && m >= 1, BF_E_ARG, "null argument, or no rows");
  for (bf_int i = 0; i < m; i++)
    BF_CHECK(row[i] >= 0 && row[i] < A->nrows, BF_E_ARG, "row %d of %d", (int)row[i], (int)A->nrows);
  const double t0  = bf_seconds();
  bf_err       err = BF_OK;
  bf_sparse   *S   = NULL;
  unit         u   = {A, A_fast, opt, A->nrows, m, row, F, report};
  *report          = (bf_unit_report){.route = route, .reason = BF_KRYLOV_CONVERGED, .column = -1};
  if (route == BF_UNIT_ITERATIONS) {
    BF_GO(by_iterations(&u));
  } else {
    BF_GO(bf_matrix_to_sparse(A, &S));
    BF_GO(route == BF_UNIT_INVERSE ? by_inverse(&u, S) : by_factors(&u, S));
  }
  report->seconds = bf_seconds() - t0;
done:
  bf_sparse_destroy(&S);
  return err;
}
