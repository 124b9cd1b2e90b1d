/* solvers/eigen/report.c - the report of an eigenproblem: residuals, orthogonality, text */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "solvers/eigen/pencil.h"
#include <float.h>
#include <math.h>
#include <stdio.h>

static const double ROUNDED = 100.0 * 0.5 * DBL_EPSILON; /* times ||K|| ||x||: rounding level of fp64 */
static const double ZERO    = 1e-13;                     /* of the typical value */
static const double CLUSTER = 1e-5;                      /* of lambda: 5e-6 of a frequency */

double bf_eigen_goal(const bf_pencil *p, double rtol, double value, double mx, double x)
{
  return fmax(rtol * fabs(value) * mx, ROUNDED * p->k * x);
}

bf_err bf_eigen_report_create(int pairs, bf_eigen_report *report)
{
  *report = (bf_eigen_report){.pairs = pairs, .next = NAN, .count_at = NAN};
  BF_TRY(BF_NEW_ARRAY(report->value, pairs));
  BF_TRY(BF_NEW_ARRAY(report->residual, pairs));
  BF_TRY(BF_NEW_ARRAY(report->relative, pairs));
  BF_TRY(BF_NEW_ARRAY(report->orthogonality, pairs));
  return BF_NEW_ARRAY(report->ok, pairs);
}

void bf_eigen_report_clear(bf_eigen_report *report)
{
  if (!report) return;
  bf_host_free(report->value);
  bf_host_free(report->residual);
  bf_host_free(report->relative);
  bf_host_free(report->orthogonality);
  bf_host_free(report->ok);
  *report = (bf_eigen_report){0};
}

typedef struct norms { /* squares, backend then host */
  double r, mx, x;
} norms;

/* r = K x - lambda M x and the squares of its norm, that of M x, that of x; w: two work columns. */
static bf_err residual(const bf_pencil *p, const double *x, double value, const bf_columns *w, double *dots,
                       norms *out)
{
  bf_backend *be = p->be;
  double     *r = bf_column(w, 0), *mx = bf_column(w, 1);
  BF_TRY(bf_matrix_spmv(p->K, x, r, NULL, NULL));
  BF_TRY(bf_matrix_spmv(p->M, x, mx, NULL, NULL));
  BF_TRY(BF_OP(be, vector.axpby, p->n, -value, mx, 1.0, r));
  BF_TRY(BF_OP(be, vector.dot, p->n, r, r, dots));
  BF_TRY(BF_OP(be, vector.dot, p->n, mx, mx, dots + 1));
  BF_TRY(BF_OP(be, vector.dot, p->n, x, x, dots + 2));
  BF_TRY(be->ops.copy(be, out, dots, sizeof *out, BF_TO_HOST));
  return be->ops.sync(be);
}

static bf_err residuals(bf_pencil *p, const bf_eigen_options *opt, const bf_columns *X, const bf_columns *w,
                        double *dots, bf_eigen_report *rep)
{
  for (int i = 0; i < rep->pairs; i++) {
    norms        s;
    const double v = rep->value[i];
    BF_TRY(residual(p, bf_column(X, i), v, w, dots, &s));
    const double r = sqrt(s.r), mx = sqrt(s.mx), x = sqrt(s.x);
    rep->residual[i] = r / ((p->k + fabs(v) * p->m) * x);
    rep->relative[i] = r / (fabs(v) * mx);
    rep->ok[i]       = r <= bf_eigen_goal(p, opt->rtol, v, mx, x);
    rep->converged += rep->ok[i];
    if (!isfinite(r) || !isfinite(v)) rep->reason = BF_EIGEN_NAN;
    rep->zeros += fabs(v) <= ZERO * p->typical;
  }
  p->products += rep->pairs;
  return BF_OK;
}

/* Largest entry of every column of |X^T M X - 1|. */
static bf_err orthogonality(const bf_pencil *p, const bf_columns *X, int pairs, const bf_columns *w, void *g,
                            double *host, double *worst)
{
  bf_backend *be = p->be;
  for (int j = 0; j < pairs; j++) {
    worst[j] = 0.0;
    BF_TRY(bf_matrix_spmv(p->M, bf_column(X, j), bf_column(w, 1), NULL, NULL));
    BF_TRY(BF_OP(be, vector.columns_dot, p->n, pairs, X->a, X->ld, 1, bf_column(w, 1), w->ld, g));
    BF_TRY(be->ops.copy(be, host, g, (size_t)pairs * sizeof *host, BF_TO_HOST));
    BF_TRY(be->ops.sync(be));
    for (int i = 0; i < pairs; i++) worst[j] = fmax(worst[j], fabs(host[i] - (i == j)));
  }
  return BF_OK;
}

bf_err bf_eigen_finish(bf_pencil *p, const bf_eigen_options *opt, const bf_columns *X, const double *value,
                       double next, double *host, bf_eigen_report *rep)
{
  bf_err      err   = BF_OK;
  bf_backend *be    = p->be;
  const int   pairs = opt->pairs;
  bf_columns  w     = {0};
  double     *row   = NULL;
  void       *g     = NULL;
  BF_GO(bf_columns_create(be, p->n, p->guard, 2, &w));
  BF_GO(be->ops.alloc(be, ((size_t)pairs + 3) * sizeof(double), &g));
  BF_GO(BF_NEW_ARRAY(row, pairs));
  for (int i = 0; i < pairs; i++) rep->value[i] = value[i];
  rep->next = next;
  rep->cut  = fabs(next - value[pairs - 1]) <= CLUSTER * fabs(value[pairs - 1]);
  BF_GO(residuals(p, opt, X, &w, g, rep));
  BF_GO(orthogonality(p, X, pairs, &w, g, row, rep->orthogonality));
  for (int i = 0; i < pairs; i++)
    BF_GO(be->ops.copy(be, host + (size_t)i * (size_t)p->n, bf_column(X, i), (size_t)p->n * sizeof *host,
                       BF_TO_HOST));
  BF_GO(be->ops.sync(be));
  rep->products = p->products;
  if (rep->reason != BF_EIGEN_NAN && rep->converged == pairs) rep->reason = BF_EIGEN_CONVERGED;
done:
  bf_columns_release(&w);
  be->ops.release(be, g);
  bf_host_free(row);
  return err;
}

const char *bf_eigen_precond_name(bf_eigen_precond p)
{
  static const char *const name[BF_EIGEN_PRECONDS] = {"jacobi", "block_jacobi", "direct", "multigrid"};
  return name[p];
}

const char *bf_eigen_reason_name(bf_eigen_reason reason)
{
  static const char *const name[] = {"converged", "iteration limit", "stagnation",
                                     "singular",  "not a number",    "values missed"};
  return name[reason];
}

void bf_eigen_explain(const bf_eigen_options *opt, const char *how, bf_eigen_report *rep)
{
  double worst = 0.0;
  for (int i = 0; i < rep->pairs; i++)
    if (!rep->ok[i]) worst = fmax(worst, rep->relative[i]);
  if (rep->reason == BF_EIGEN_MISSED)
    snprintf(rep->text, sizeof rep->text, "%s: %lld values lie below %.6g, %lld of them were not found; %s",
             bf_eigen_reason_name(rep->reason), (long long)rep->below, rep->count_at, (long long)rep->missing,
             how);
  else if (rep->reason == BF_EIGEN_CONVERGED)
    snprintf(rep->text, sizeof rep->text, "%s: %d of %d pairs; %s%s", bf_eigen_reason_name(rep->reason),
             rep->converged, rep->pairs, how,
             rep->counted ? ", none missed according to the inertia of the factors" : "");
  else
    snprintf(rep->text, sizeof rep->text, "%s: %d of %d pairs to %g, the worst of the others to %.2g; %s; %s",
             bf_eigen_reason_name(rep->reason), rep->converged, rep->pairs, opt->rtol, worst, how,
             rep->reason == BF_EIGEN_LIMIT
                 ? "more iterations, a stronger preconditioner of lobpcg, or the other method"
                 : "try a stronger preconditioner of lobpcg, the other method or a larger rtol");
}
