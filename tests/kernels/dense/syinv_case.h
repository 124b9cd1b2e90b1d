/* tests/kernels/dense/syinv_case.h - symmetric matrices of known kinds, bf_syinv on them, and what its result
 * is judged by
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_KERNELS_DENSE_SYINV_CASE_H
#define BF_TESTS_KERNELS_DENSE_SYINV_CASE_H
#include "kernels/syinv.h"
#include "tests/backend.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef enum {
  T_SPD,
  T_RANDOM,
  T_SADDLE,
  T_SADDLE_LAST,
  T_GRADED,
  T_ZERO_DIAGONAL,
  T_LARGE,
  T_TINY,
  T_FAMILIES
} t_family;

/* Entry i >= j from a random number. */
static inline double t_symmetric_entry(t_family f, bf_int n, bf_int i, bf_int j, double x)
{
  const bf_int zeros = n / 3; /* SADDLE: rows of the zero block, the last; SADDLE_LAST: the first */
  const int    first = i < zeros && j < zeros, last = i >= n - zeros && j >= n - zeros;
  const double added = i == j ? n : 0.0;
  switch (f) {
  case T_SPD: return x + added;
  case T_SADDLE: return last ? 0.0 : i < n - zeros ? x + added : x + (i - (n - zeros) == j ? 2.0 : 0.0);
  case T_SADDLE_LAST: return first ? 0.0 : j >= zeros ? x + added : x + (i - zeros == j ? 2.0 : 0.0);
  case T_GRADED: return ldexp(x, -(int)(20 * (int64_t)i / n) - (int)(20 * (int64_t)j / n));
  case T_ZERO_DIAGONAL: return i == j && n > 1 ? 0.0 : x;
  case T_LARGE: return ldexp(x, 500);
  case T_TINY: return ldexp(x, -500);
  default: return x;
  }
}

typedef struct t_syinv {
  bf_scalar       type;
  bf_int          n, ld;
  bf_syinv_how    how;
  double         *A, *X; /* host [n][n], full */
  bf_syinv_report report;
} t_syinv;

static inline t_syinv t_syinv_create(bf_scalar type, bf_int n, t_family f)
{
  const size_t N = (size_t)n;
  t_syinv      t = {.type = type, .n = n, .ld = n + 3, .how = {.uplo = BF_LOWER}};
  uint64_t     s = UINT64_C(88172645463325252) + (uint64_t)n;
  t.A            = bf_host_alloc(N * N, sizeof(double));
  t.X            = bf_host_alloc(N * N, sizeof(double));
  assert_true(t.A && t.X);
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = j; i < n; i++) {
      const double x                 = t_symmetric_entry(f, n, i, j, t_uniform(&s) - 0.5);
      t.A[(size_t)j * N + (size_t)i] = t.A[(size_t)i * N + (size_t)j] = type == BF_S ? (double)(float)x : x;
    }
  return t;
}
static inline void t_syinv_destroy(t_syinv *t)
{
  bf_host_free(t->A);
  bf_host_free(t->X);
}

static inline double t_load(bf_scalar type, const void *a, size_t at)
{
  return type == BF_S ? (double)((const float *)a)[at] : ((const double *)a)[at];
}

/* Padding and the triangle that is not read are NaN; the workspace is filled with NaN and guarded. */
static inline void t_syinv_run(t_syinv *t)
{
  enum { GUARD = 512 };
  const size_t N = (size_t)t->n, ld = (size_t)t->ld, e = bf_scalar_bytes(t->type);
  size_t       bytes;
  T_OK(bf_syinv_work(t_be, &t->how, t->type, t->n, &bytes));
  unsigned char *room = bf_host_alloc(bytes + 2 * GUARD, 1);
  char          *a    = bf_host_alloc(ld * N, e);
  assert_true(room && a);
  memset(room, 0xff, bytes + 2 * GUARD);
  for (size_t at = 0; at < ld * N; at++) {
    const size_t i = at % ld, j = at / ld;
    const int    read = i < N && (t->how.uplo == BF_LOWER ? i >= j : i <= j);
    const double x    = read ? t->A[j * N + i] : (double)NAN;
    if (t->type == BF_S)
      ((float *)(void *)a)[at] = (float)x;
    else
      ((double *)(void *)a)[at] = x;
  }
  char *d = t_to_backend(a, ld * N * e), *work = t_to_backend(room, bytes + 2 * GUARD);
  T_OK(bf_syinv(t_be, &t->how, t->type, t->n, t->ld, d, work + GUARD, &t->report));
  t_to_host(a, d, ld * N * e);
  t_to_host(room, work, bytes + 2 * GUARD);
  for (size_t k = 0; k < GUARD; k++)
    if (room[k] != 0xff || room[bytes + GUARD + k] != 0xff)
      fail_msg("n=%d: written outside the workspace", (int)t->n);
  for (size_t at = 0; at < ld * N; at++) {
    const size_t i = at % ld, j = at / ld;
    const double x = t_load(t->type, a, at);
    if (i < N)
      t->X[j * N + i] = x;
    else if (!isnan(x))
      fail_msg("n=%d: padding was written", (int)t->n);
  }
  t_be->ops.release(t_be, d);
  t_be->ops.release(t_be, work);
  bf_host_free(room);
  bf_host_free(a);
}

static inline int t_is_symmetric(const t_syinv *t)
{
  const size_t N = (size_t)t->n;
  for (size_t j = 0; j < N; j++)
    for (size_t i = j; i < N; i++)
      if (memcmp(&t->X[j * N + i], &t->X[i * N + j], sizeof(double)) != 0) return 0;
  return 1;
}

/* sqrt(sum of squares) / scale, scale the largest */
static inline double t_scaled_norm(size_t count, const double *x, double *scale)
{
  double s = 0.0;
  *scale   = 0.0;
  for (size_t k = 0; k < count; k++) *scale = fmax(*scale, fabs(x[k]));
  for (size_t k = 0; k<count && * scale> 0.0; k++) s += x[k] / *scale * (x[k] / *scale);
  return sqrt(s);
}

extern void dgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k,
                   const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
                   const double *beta, double *c, const int *ldc, size_t, size_t);

/* ||A X - I||_F / (||A||_F ||X||_F n u), products in fp64 */
static inline double t_syinv_error(const t_syinv *t)
{
  const size_t N   = (size_t)t->n;
  const double one = 1.0, zero = 0.0, u = t->type == BF_S ? (double)FLT_EPSILON : DBL_EPSILON;
  double      *R = bf_host_alloc(N * N, sizeof *R), sa, sx, sr;
  assert_non_null(R);
  dgemm_("N", "N", &t->n, &t->n, &t->n, &one, t->A, &t->n, t->X, &t->n, &zero, R, &t->n, 1, 1);
  for (size_t j = 0; j < N; j++) R[j * N + j] -= 1.0;
  for (size_t k = 0; k < N * N; k++)
    if (!isfinite(R[k])) R[k] = INFINITY;
  const double a = t_scaled_norm(N * N, t->A, &sa), x = t_scaled_norm(N * N, t->X, &sx);
  const double r = t_scaled_norm(N * N, R, &sr);
  bf_host_free(R);
  return sr < INFINITY ? r * sr / (a * x) / (sa * sx) / (t->n * u) : INFINITY;
}

static inline const char *t_family_name(t_family f)
{
  static const char *const name[] = {"spd",    "random",        "saddle",  "saddle, zeros first",
                                     "graded", "zero diagonal", "2^500 x", "2^-500 x"};
  return name[f];
}
#endif
