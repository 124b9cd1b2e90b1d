/* solvers/linear/inverse.c - see inverse.h: memory, the inverse, its residual column block by column block */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/inverse.h"
#include "base/timer.h"
#include "kernels/backend.h"
#include "kernels/dense.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { COLUMNS = 256 }; /* of a block of the residual */
static const bf_syinv_how how = {.uplo = BF_LOWER, .method = BF_SYINV_AUTO};

double bf_inverse_gamma(double k)
{
  const double ku = k * (DBL_EPSILON / 2);
  return ku < 1.0 ? ku / (1.0 - ku) : INFINITY;
}

const char *bf_inverse_path(bf_syinv_method path)
{
  static const char *const name[] = {"auto", "definite", "indefinite", "pivoted", "bordering"};
  return name[path];
}

static bf_int columns_of(bf_int n)
{
  return n < COLUMNS ? n : COLUMNS;
}

/* Bytes of the residual: room of `norms` and the six results behind it, A on a device, blocks of X and R. */
static int64_t check_bytes(const bf_backend *be, bf_int n)
{
  const int64_t N = n, block = 8 * N * columns_of(n);
  return 8 * (3 * N + 6) + block + (be->ops.on_device ? block + 8 * N * N : 0);
}

bf_err bf_inverse_bytes(bf_backend *be, bf_scalar type, bf_int n, int64_t *bytes)
{
  size_t work;
  BF_TRY(bf_syinv_work(be, &how, type, n, &work));
  const int64_t inverse = (int64_t)n * n * (int64_t)bf_scalar_bytes(type) + (int64_t)work;
  const int64_t check   = check_bytes(be, n);
  *bytes                = inverse > check ? inverse : check;
  return BF_OK;
}

/* ---- inverse ---- */

/* The first k floats of x become k doubles, or doubles floats. */
static void to_floats(size_t k, const double *from, void *to)
{
  for (size_t i = 0; i < k; i++) {
    const float f = (float)from[i];
    memcpy((char *)to + i * sizeof f, &f, sizeof f);
  }
}
static void to_doubles(size_t k, double *x)
{
  for (size_t i = k; i-- > 0;) {
    float f;
    memcpy(&f, (char *)x + i * sizeof f, sizeof f);
    const double d = (double)f;
    memcpy((char *)x + i * sizeof d, &d, sizeof d);
  }
}

static bf_err invert(bf_backend *be, bf_scalar type, bf_int n, const double *A, double *X,
                     bf_syinv_report *report)
{
  const size_t square = (size_t)n * (size_t)n, bytes = square * bf_scalar_bytes(type);
  bf_err       err = BF_OK;
  size_t       room;
  void        *a = NULL, *work = NULL;
  BF_GO(bf_syinv_work(be, &how, type, n, &room));
  BF_GO(be->ops.alloc(be, bytes, &a));
  BF_GO(be->ops.alloc(be, room, &work));
  if (type == BF_S) to_floats(square, A, X);
  BF_GO(be->ops.copy(be, a, type == BF_S ? X : A, bytes, BF_TO_DEVICE));
  BF_GO(bf_syinv(be, &how, type, n, n, a, work, report));
  if (report->info == 0) BF_GO(be->ops.copy(be, X, a, bytes, BF_TO_HOST));
  BF_GO(be->ops.sync(be));
  if (type == BF_S && report->info == 0) to_doubles(square, X);
done:
  be->ops.release(be, work);
  be->ops.release(be, a);
  return err;
}

/* ---- check ---- */

typedef struct check {
  bf_backend         *be;
  const bf_dense_ops *op;
  bf_int              n;
  const double       *A, *X;                /* host */
  void               *a;                    /* backend: A; on the CPU NULL, A is used */
  void               *x, *r;                /* backend [columns][n]; x on a device only */
  double             *room;                 /* backend [3 n + 6], the norms at its end */
  double              one[3], frobenius[3]; /* of R, A, X */
} check;

/* Columns j .. j+m-1 of R = I - A X and their norms. */
static bf_err block(check *c, bf_int j, bf_int m)
{
  const bf_int  n     = c->n;
  const size_t  bytes = (size_t)n * (size_t)m * sizeof(double);
  const double *X     = c->X + (size_t)j * (size_t)n;
  const void   *a = c->a ? c->a : (const void *)c->A, *x = c->x ? c->x : (const void *)X;
  const void   *aj = (const double *)a + (size_t)j * (size_t)n;
  double       *at = c->room + 3 * (size_t)n, norm[6];
  if (c->x) BF_TRY(c->be->ops.copy(c->be, c->x, X, bytes, BF_TO_DEVICE));
  BF_TRY(c->op->gemm(c->be, BF_D, BF_NO_TRANS, BF_NO_TRANS, n, m, n, -1.0, a, n, x, n, 0.0, c->r, n));
  BF_TRY(c->op->shift(c->be, BF_D, m, (double *)c->r + j, n));
  BF_TRY(c->op->norms(c->be, BF_D, n, m, c->r, n, at, c->room));
  BF_TRY(c->op->norms(c->be, BF_D, n, m, aj, n, at + 2, c->room));
  BF_TRY(c->op->norms(c->be, BF_D, n, m, x, n, at + 4, c->room));
  BF_TRY(c->be->ops.copy(c->be, norm, at, sizeof norm, BF_TO_HOST));
  BF_TRY(c->be->ops.sync(c->be));
  for (int k = 0; k < 3; k++) {
    if (!(norm[2 * k] <= c->one[k])) c->one[k] = norm[2 * k]; /* NaN too */
    c->frobenius[k] = hypot(c->frobenius[k], norm[2 * k + 1]);
  }
  return BF_OK;
}

static bf_err residual(check *c)
{
  const size_t N = (size_t)c->n, bytes = N * (size_t)columns_of(c->n) * sizeof(double);
  bf_err       err  = BF_OK;
  void        *room = NULL;
  if (c->be->ops.on_device) {
    BF_GO(c->be->ops.alloc(c->be, N * N * sizeof(double), &c->a));
    BF_GO(c->be->ops.copy(c->be, c->a, c->A, N * N * sizeof(double), BF_TO_DEVICE));
    BF_GO(c->be->ops.alloc(c->be, bytes, &c->x));
  }
  BF_GO(c->be->ops.alloc(c->be, bytes, &c->r));
  BF_GO(c->be->ops.alloc(c->be, (3 * N + 6) * sizeof(double), &room));
  c->room = room;
  for (bf_int j = 0; j < c->n; j += COLUMNS) BF_GO(block(c, j, c->n - j < COLUMNS ? c->n - j : COLUMNS));
done:
  c->be->ops.release(c->be, room);
  c->be->ops.release(c->be, c->r);
  c->be->ops.release(c->be, c->x);
  c->be->ops.release(c->be, c->a);
  return err;
}

/* R is computed with at most gamma_(n+1) (|A||X| + I) of rounding, norms with gamma_n. */
static void conclude(const check *c, bf_scalar type, bf_inverse_report *report)
{
  const double u = type == BF_S ? (double)FLT_EPSILON : DBL_EPSILON, g = bf_inverse_gamma(2.0 * c->n + 8.0);
  report->norm_a   = c->one[1];
  report->norm_x   = c->one[2];
  report->residual = c->frobenius[0] / c->frobenius[1] / c->frobenius[2] / (c->n * u);
  report->rho      = (1.0 + g) * c->one[0] + g * (c->one[1] * c->one[2]);
  report->bound    = report->rho < 1.0 ? report->rho / (1.0 - report->rho) : INFINITY;
}

bf_err bf_inverse(bf_backend *be, bf_scalar type, bf_int n, const double *A, double *X,
                  bf_inverse_report *report)
{
  BF_CHECK(be && A && X && report, BF_E_ARG, "null argument");
  const double t0 = bf_seconds();
  *report         = (bf_inverse_report){.residual = (double)NAN, .rho = (double)NAN, .bound = INFINITY};
  BF_TRY(invert(be, type, n, A, X, &report->syinv));
  const double t1 = bf_seconds();
  report->seconds = t1 - t0;
  if (report->syinv.info != 0) return BF_OK;
  check c = {.be = be, .op = be->ops.dense, .n = n, .A = A, .X = X};
  BF_TRY(residual(&c));
  conclude(&c, type, report);
  report->check_seconds = bf_seconds() - t1;
  return BF_OK;
}

void bf_inverse_apply(bf_int n, const double *X, const double *v, double *y)
{
#pragma omp parallel for schedule(static)
  for (bf_int i = 0; i < n; i++) {
    const double *x      = X + (size_t)i * (size_t)n;
    double        sum[4] = {0.0, 0.0, 0.0, 0.0};
    bf_int        j      = 0;
    for (; j + 4 <= n; j += 4)
      for (int k = 0; k < 4; k++) sum[k] += x[j + k] * v[j + k];
    for (; j < n; j++) sum[0] += x[j] * v[j];
    y[i] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
}
