/* solvers/linear/backward_error.c - see backward_error.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/backward_error.h"
#include "base/memory.h"
#include "kernels/multigrid/ops.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POWER_STEPS = 12, SWEEPS = 10, VECTORS = 4 };
static const double   LARGE_ROW = 16.0; /* size of a row above which the diagonal is not used for scaling */
static const double   NEAR_1    = 1.0;  /* sizes between 1/2 and 2 are not changed */
static const uint64_t SEED      = 88172645463325252u;

double bf_accuracy_limit(void)
{
  return 2.0 * DBL_EPSILON;
}

bf_err bf_accuracy_evaluation(const bf_matrix *A, double *limit)
{
  int64_t k;
  BF_TRY(bf_matrix_longest_row(A, &k));
  *limit = fmax(bf_accuracy_limit(), 0.5 * DBL_EPSILON * (double)(k + 1));
  return BF_OK;
}

/* ---- memory ---- */

void bf_accuracy_destroy(bf_accuracy **acc)
{
  if (!acc || !*acc) return;
  bf_accuracy *a  = *acc;
  bf_backend  *be = a->A->be;
  bf_vector_destroy(be, 0, &a->row);
  bf_vector_destroy(be, 0, &a->column);
  bf_vector_destroy(be, a->A->guard, &a->t);
  bf_vector_destroy(be, 0, &a->sum);
  bf_host_free(a);
  *acc = NULL;
}

static bf_err create(const bf_matrix *A, bf_accuracy **out)
{
  BF_CHECK(A && out && A->prec == BF_FP64, BF_E_ARG, "the matrix has no fp64 values");
  BF_TRY(BF_NEW(*out));
  (*out)->A = A;
  BF_TRY(bf_vector_create(A->be, A->nrows, 0, &(*out)->row));
  BF_TRY(bf_vector_create(A->be, A->nrows, 0, &(*out)->column));
  BF_TRY(bf_vector_create(A->be, A->nrows, A->guard, &(*out)->t));
  return bf_vector_create(A->be, 1, 0, &(*out)->sum);
}

static bf_err to_backend(bf_backend *be, double *v, const double *host, bf_int n)
{
  BF_TRY(be->ops.copy(be, v, host, (size_t)n * sizeof *v, BF_TO_DEVICE));
  return be->ops.sync(be);
}

static bf_err to_host(bf_backend *be, double *host, const double *v, bf_int n)
{
  BF_TRY(be->ops.copy(be, host, v, (size_t)n * sizeof *v, BF_TO_HOST));
  return be->ops.sync(be);
}

/* ---- norms ---- */

static bf_err norm_of(const bf_accuracy *acc, const double *v, double *norm)
{
  bf_backend *be = acc->A->be;
  double      s;
  BF_TRY(BF_OP(be, vector.dot, acc->A->nrows, v, v, acc->sum));
  BF_TRY(to_host(be, &s, acc->sum, 1));
  *norm = sqrt(s);
  return BF_OK;
}

/* acc->t = scale v */
static bf_err scaled(const bf_accuracy *acc, const double *scale, const double *v)
{
  const bf_int n = acc->A->nrows;
  return BF_OP(acc->A->be, vector.columns_scale, n, 1, scale, v, n, acc->t, n);
}

/* Numbers of random sign and of size 1/2 to 3/2, the same in every run (xorshift). */
static void fill_random(bf_int n, uint64_t *seed, double *v)
{
  for (bf_int i = 0; i < n; i++) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    const double size = 0.5 + (double)(*seed >> 12) * 0x1p-52;
    v[i]              = *seed & 1 ? -size : size;
  }
}

/* Every ||R A C v|| / ||v|| is a lower bound of ||R A C||. */
static bf_err estimate_norm(bf_accuracy *acc, const double *column, double *host)
{
  bf_err           err = BF_OK;
  const bf_matrix *A   = acc->A;
  bf_backend      *be  = A->be;
  double          *C = NULL, *v = NULL, *w = NULL, size;
  const bf_int     n    = A->nrows;
  uint64_t         seed = SEED;
  BF_GO(bf_vector_create(be, n, 0, &C));
  BF_GO(bf_vector_create(be, n, 0, &v));
  BF_GO(bf_vector_create(be, n, 0, &w));
  BF_GO(to_backend(be, C, column, n));
  fill_random(n, &seed, host);
  BF_GO(to_backend(be, w, host, n));
  BF_GO(norm_of(acc, w, &size));
  for (int k = 0; k < POWER_STEPS && size > 0.0 && isfinite(size); k++) {
    BF_GO(BF_OP(be, vector.axpby, n, 1.0 / size, w, 0.0, v));
    BF_GO(scaled(acc, C, v));
    BF_GO(bf_matrix_spmv(A, acc->t, w, NULL, NULL));
    BF_GO(BF_OP(be, vector.columns_scale, n, 1, acc->row, w, n, w, n));
    BF_GO(norm_of(acc, w, &size));
    acc->norm = fmax(acc->norm, size);
  }
done:
  bf_vector_destroy(be, 0, &C);
  bf_vector_destroy(be, 0, &v);
  bf_vector_destroy(be, 0, &w);
  return err;
}

/* ---- scaling ---- */

/* size[i] = d_i times the root mean square of (A D z)_i over `count` random z: about the 2-norm of row i of
 * D A D.  y: backend, host: scratch, both [n]. */
static bf_err row_sizes(const bf_accuracy *acc, const double *d, int count, uint64_t *seed, double *y,
                        double *host, double *size)
{
  const bf_matrix *A = acc->A;
  const bf_int     n = A->nrows;
  memset(size, 0, (size_t)n * sizeof *size);
  for (int k = 0; k < count; k++) {
    fill_random(n, seed, host);
    for (bf_int i = 0; i < n; i++) host[i] *= d[i];
    BF_TRY(to_backend(A->be, acc->t, host, n));
    BF_TRY(bf_matrix_spmv(A, acc->t, y, NULL, NULL));
    BF_TRY(to_host(A->be, host, y, n));
    for (bf_int i = 0; i < n; i++) size[i] += host[i] * host[i];
  }
  for (bf_int i = 0; i < n; i++) size[i] = d[i] * sqrt(size[i] / count);
  return BF_OK;
}

/* d_i = 1/sqrt|a_ii| where this leaves no row large, as in every positive definite matrix; else rows of a
 * size near 1, from d = 1 by d_i /= sqrt(size_i) (D. Ruiz, A scaling algorithm to equilibrate both rows and
 * columns norms in matrices, RAL-TR-2001-034 (2001)). */
static bf_err choose(bf_accuracy *acc, double *d, double *host)
{
  bf_err       err  = BF_OK;
  const bf_int n    = acc->A->nrows;
  double      *size = NULL, *y = NULL;
  uint64_t     seed = SEED;
  int          well = 1;
  BF_GO(BF_NEW_ARRAY(size, n));
  BF_GO(bf_vector_create(acc->A->be, n, 0, &y));
  BF_GO(bf_matrix_diagonal(acc->A, y));
  BF_GO(to_host(acc->A->be, d, y, n));
  for (bf_int i = 0; i < n; i++) {
    well = well && d[i] != 0.0 && isfinite(d[i]);
    d[i] = d[i] != 0.0 && isfinite(d[i]) ? 1.0 / sqrt(fabs(d[i])) : 1.0;
  }
  if (well) BF_GO(row_sizes(acc, d, 1, &seed, y, host, size));
  for (bf_int i = 0; i < n; i++) well = well && size[i] <= LARGE_ROW;
  if (well) goto done;
  for (bf_int i = 0; i < n; i++) d[i] = 1.0;
  for (int sweep = 0; sweep < SWEEPS && !well; sweep++) {
    BF_GO(row_sizes(acc, d, VECTORS, &seed, y, host, size));
    well = 1;
    for (bf_int i = 0; i < n; i++) {
      if (!(size[i] > 0.0 && isfinite(size[i])) || fabs(log2(size[i])) < NEAR_1) continue;
      d[i] /= sqrt(size[i]);
      well = 0;
    }
  }
done:
  bf_host_free(size);
  bf_vector_destroy(acc->A->be, 0, &y);
  return err;
}

static bf_err set_scales(bf_accuracy *acc, const double *row, const double *column)
{
  bf_backend  *be = acc->A->be;
  const bf_int n  = acc->A->nrows;
  BF_TRY(to_backend(be, acc->row, row, n));
  BF_TRY(to_backend(be, acc->t, column, n));
  return BF_OP(be, vector.reciprocal, n, acc->t, acc->column);
}

bf_err bf_accuracy_create_scaled(const bf_matrix *A, const double *row, const double *column,
                                 bf_accuracy **out)
{
  bf_err       err  = BF_OK;
  bf_accuracy *acc  = NULL;
  double      *host = NULL;
  BF_CHECK(row && column && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_GO(create(A, &acc));
  BF_GO(BF_NEW_ARRAY(host, A->nrows));
  BF_GO(set_scales(acc, row, column));
  BF_GO(estimate_norm(acc, column, host));
  *out = acc;
  acc  = NULL;
done:
  bf_host_free(host);
  bf_accuracy_destroy(&acc);
  return err;
}

/* The scaling by the diagonal of a matrix whose norm is given, without the host. */
static bf_err scale_by_diagonal(bf_accuracy *acc)
{
  bf_err       err  = BF_OK;
  bf_backend  *be   = acc->A->be;
  const bf_int n    = acc->A->nrows;
  void        *none = NULL, *bad = NULL;
  BF_GO(be->ops.alloc(be, (size_t)n, &none));
  BF_GO(be->ops.alloc(be, sizeof(int), &bad));
  BF_GO(be->ops.zero(be, none, (size_t)n));
  BF_GO(bf_matrix_diagonal(acc->A, acc->t));
  BF_GO(be->ops.mg_cycle->root(be, n, acc->t, none, acc->row, bad));
  BF_GO(BF_OP(be, vector.reciprocal, n, acc->row, acc->column));
done:
  be->ops.release(be, none);
  be->ops.release(be, bad);
  return err;
}

bf_err bf_accuracy_create(const bf_matrix *A, double norm, bf_accuracy **out)
{
  bf_err       err = BF_OK;
  bf_accuracy *acc = NULL;
  double      *d = NULL, *host = NULL;
  BF_CHECK(out && norm >= 0.0 && isfinite(norm), BF_E_ARG, "norm %g", norm);
  *out = NULL;
  BF_GO(create(A, &acc));
  acc->norm = norm;
  if (norm > 0.0) {
    BF_GO(scale_by_diagonal(acc));
  } else {
    BF_GO(BF_NEW_ARRAY(d, A->nrows));
    BF_GO(BF_NEW_ARRAY(host, A->nrows));
    BF_GO(choose(acc, d, host));
    BF_GO(set_scales(acc, d, d));
    BF_GO(estimate_norm(acc, d, host));
  }
  *out = acc;
  acc  = NULL;
done:
  bf_host_free(host);
  bf_host_free(d);
  bf_accuracy_destroy(&acc);
  return err;
}

/* ---- results ---- */

bf_err bf_accuracy_backward(const bf_accuracy *acc, const double *b, const double *x, const double *r,
                            double *eta)
{
  double size_r, size_x, size_b;
  BF_CHECK(acc && b && x && r && eta, BF_E_ARG, "null argument");
  BF_TRY(scaled(acc, acc->row, r));
  BF_TRY(norm_of(acc, acc->t, &size_r));
  BF_TRY(scaled(acc, acc->column, x));
  BF_TRY(norm_of(acc, acc->t, &size_x));
  BF_TRY(scaled(acc, acc->row, b));
  BF_TRY(norm_of(acc, acc->t, &size_b));
  *eta = size_r == 0.0 ? 0.0 : size_r / (acc->norm * size_x + size_b);
  return BF_OK;
}

void bf_accuracy_conclude(bf_solve_report *report, double backward_error, double condition)
{
  report->reason         = BF_KRYLOV_CONVERGED;
  report->to_rounding    = 1;
  report->backward_error = backward_error;
  report->condition      = condition;
  report->forward_error  = condition * backward_error;
  const int n            = snprintf(report->text, sizeof report->text,
                                    "converged to rounding: relative residual %.3g, backward error %.2g",
                                    fabs(report->true_residual), backward_error);
  if (isfinite(condition))
    snprintf(report->text + n, sizeof report->text - (size_t)n,
             ", estimated condition %.2g, estimated forward error %.2g", condition, report->forward_error);
}
