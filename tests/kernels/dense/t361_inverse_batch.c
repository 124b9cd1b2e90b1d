/* tests/kernels/dense/t361_inverse_batch.c - batched inverses of all types: residuals of one side, exact
 * inverses, another method's, planted failures usage: t361_inverse_batch <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/dense/batch_family.h"
#include "tests/kernels/dense/batch_score.h"
#include <complex.h>

static const bf_int small_size[] = {1,  2,  3,  4,  5,  8,  9,  16, 17,  31,  32,
                                    33, 48, 63, 64, 65, 72, 80, 96, 127, 128, 129};
static const bf_int large_size[] = {160, 190, 255, 256, 257, 384, 512};
enum { SMALL = sizeof small_size / sizeof *small_size, LARGE = sizeof large_size / sizeof *large_size };

static t_matrix_of *const families[] = {t_random_matrix,       t_tiny_matrix,       t_huge_matrix,
                                        t_graded_matrix,       t_permuted_identity, t_empty_diagonal,
                                        t_twice_graded_matrix, t_definite_matrix,   t_lehmer_matrix};
enum { FAMILIES = sizeof families / sizeof *families };

/* The first `judged` of `count` matrices have small residuals. */
static void one_batch(bf_scalar type, bf_int n, int count, int judged, uint64_t *seed)
{
  const size_t all = (size_t)n * (size_t)n;
  t_cx        *A = bf_host_alloc(all * (size_t)count, sizeof *A), *X = bf_host_alloc(all, sizeof *X);
  bf_int       info[FAMILIES];
  t_batch      B = t_batch_create(type, n, count);
  assert_true(A && X);
  for (int b = 0; b < count; b++) {
    families[b](type, n, A + all * (size_t)b, seed);
    t_put(&B, b, A + all * (size_t)b);
    t_get(&B, b, A + all * (size_t)b); /* as it was rounded */
  }
  t_inverse(&B, info);
  t_guards(&B);
  for (int b = 0; b < judged; b++) {
    assert_int_equal(info[b], 0);
    t_get(&B, b, X);
    const double e = t_inverse_error(type, n, A + all * (size_t)b, X);
    if (!(e <= 10.0)) fail_msg("type %d n=%d family %d: %g", (int)type, (int)n, b, e);
  }
  t_batch_destroy(&B);
  bf_host_free(A);
  bf_host_free(X);
}

static void residuals_of_all_families_are_at_roundoff(void **state)
{
  (void)state;
  uint64_t seed = 1;
  for (int t = 0; t < T_TYPES; t++) {
    const t_order_list o     = t_orders_of(T_INVERSES, t_types[t], small_size, SMALL, 512);
    const int          count = t_quick() == 2 ? 1 : t_quick() ? 3 : FAMILIES;
    for (int s = 0; s < o.count; s++) {
      if (t_quick() == 2 && ((s + t) % T_TYPES != 0 || o.n[s] > 257)) continue; /* each order in one type */
      one_batch(t_types[t], o.n[s], count, t_quick() ? o.n[s] < 150 : count, &seed);
    }
  }
}

static void residuals_of_large_matrices_are_at_roundoff(void **state)
{
  (void)state;
  T_LONG;
  uint64_t seed = 2;
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < LARGE; s++)
      one_batch(t_types[t], large_size[s], 3, large_size[s] > 256 ? 1 : 2, &seed);
}

static void exact_inverses_are_met(void **state)
{
  (void)state;
  enum { MAX = 12 };
  t_cx   A[MAX * MAX] = {{0}}, X[2][MAX * MAX];
  bf_int info[2];
  for (int t = 0; t < T_TYPES; t++)
    for (bf_int n = 1; n <= MAX; n++) {
      T_ONE_OF(5);
      const double u = t_u(t_types[t]);
      t_batch      B = t_batch_create(t_types[t], n, 2);
      t_lehmer_matrix(t_types[t], n, A, NULL);
      t_put(&B, 0, A);
      for (bf_int i = 0; i < n; i++) /* Pascal: determinant 1, an inverse of integers */
        for (bf_int j = 0; j < n; j++)
          A[j * n + i].re = i == 0 || j == 0 ? 1.0 : A[j * n + i - 1].re + A[(j - 1) * n + i].re;
      t_put(&B, 1, A);
      t_inverse(&B, info);
      for (int b = 0; b < 2; b++) t_get(&B, b, X[b]);
      for (bf_int i = 0; i < n; i++)
        for (bf_int j = 0; j < n; j++) {
          const double k  = i + 1.0,
                       on = i == n - 1 ? k * k / (2.0 * k - 1.0) : 4.0 * k * k * k / (4.0 * k * k - 1.0),
                       m = (i > j ? i : j), off = -m * (m + 1.0) / (2.0 * m + 1.0);
          T_NEAR(X[0][j * n + i].re, i == j ? on : abs(i - j) == 1 ? off : 0.0, 5e3 * u);
          if (n <= 4) T_NEAR(X[1][j * n + i].re, round(X[1][j * n + i].re), 1e5 * u);
          T_NEAR(X[0][j * n + i].im, 0.0, 0.0);
        }
      if (n == 3) {
        const double p[9] = {3, -3, 1, -3, 5, -2, 1, -2, 1};
        for (int i = 0; i < 9; i++) T_NEAR(X[1][i].re, p[i], 5e3 * u);
      }
      t_batch_destroy(&B);
    }
}

/* Gauss-Jordan with row pivoting in long double: the other method. */
enum { MAX = 33 };
static void gauss_jordan(bf_int n, const t_cx *a, t_cx *x)
{
  static long double complex m[MAX][2 * MAX];
  for (bf_int i = 0; i < n; i++)
    for (bf_int j = 0; j < n; j++) {
      m[i][j]     = a[j * n + i].re + (long double complex)_Complex_I * a[j * n + i].im;
      m[i][n + j] = i == j;
    }
  for (bf_int k = 0; k < n; k++) {
    bf_int p = k;
    for (bf_int i = k; i < n; i++)
      if (cabsl(m[i][k]) > cabsl(m[p][k])) p = i;
    for (bf_int j = 0; j < 2 * n; j++) {
      const long double complex s = m[k][j];
      m[k][j]                     = m[p][j];
      m[p][j]                     = s;
    }
    const long double complex d = m[k][k];
    for (bf_int j = 0; j < 2 * n; j++) m[k][j] /= d;
    for (bf_int i = 0; i < n; i++) {
      const long double complex f = m[i][k];
      for (bf_int j = 0; j < 2 * n && i != k; j++) m[i][j] -= f * m[k][j];
    }
  }
  for (bf_int i = 0; i < n; i++)
    for (bf_int j = 0; j < n; j++)
      x[j * n + i] = (t_cx){(double)creall(m[i][n + j]), (double)cimagl(m[i][n + j])};
}

static void gauss_jordan_finds_the_same(void **state)
{
  (void)state;
  T_LONG;
  static t_cx A[MAX * MAX], X[MAX * MAX], other[MAX * MAX];
  bf_int      info[1];
  uint64_t    seed = 3;
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < SMALL && small_size[s] <= MAX; s++) {
      const bf_int n = small_size[s];
      t_batch      B = t_batch_create(t_types[t], n, 1);
      t_random_matrix(t_types[t], n, A, &seed);
      for (bf_int i = 0; i < n; i++) A[i * n + i].re += 1.0;
      t_put(&B, 0, A);
      t_get(&B, 0, A);
      t_inverse(&B, info);
      t_get(&B, 0, X);
      gauss_jordan(n, A, other);
      const double norm = t_norm(n * n, other), cond = t_norm(n * n, A) * norm;
      for (bf_int i = 0; i < n * n; i++) X[i] = (t_cx){X[i].re - other[i].re, X[i].im - other[i].im};
      T_LE(t_norm(n * n, X) / norm, 10.0 * n * t_u(t_types[t]) * cond);
      t_batch_destroy(&B);
    }
}

/* Planted matrices fail alone and stay as they were. */
static void one_batch_with_failures(bf_scalar type, bf_int n)
{
  enum { COUNT = 41 };
  const size_t all = (size_t)n * (size_t)n;
  t_cx        *A   = bf_host_alloc(all, sizeof *A);
  bf_int       info[COUNT], expect[COUNT] = {0};
  uint64_t     seed = 4;
  t_batch      B = t_batch_create(type, n, COUNT), C = t_batch_create(type, n, COUNT), D;
  assert_non_null(A);
  for (bf_int b = 0; b < COUNT; b++) {
    t_random_matrix(type, n, A, &seed);
    t_put(&C, b, A);
    if (b == 3) memset(A, 0, all * sizeof *A);
    if (b == 7) memset(A + (n / 2) * n, 0, (size_t)n * sizeof *A); /* a column is zero */
    if (b == 8) A[all / 3].re = (double)NAN;
    if (b == 40) A[0].re = (double)INFINITY;
    t_put(&B, b, A);
  }
  expect[3] = 1;
  expect[7] = n / 2 + 1;
  expect[8] = expect[40] = n + 1;
  D                      = B;
  D.a                    = bf_host_alloc(D.bytes, 1);
  assert_non_null(D.a);
  memcpy(D.a, B.a, B.bytes);
  t_inverse(&C, info);
  t_inverse(&B, info);
  t_guards(&B);
  for (bf_int b = 0; b < COUNT; b++) {
    assert_int_equal(info[b], expect[b]);
    if (!t_same(&B, b, expect[b] ? &D : &C, b)) fail_msg("type %d n=%d matrix %d", (int)type, (int)n, (int)b);
  }
  t_batch_destroy(&B);
  t_batch_destroy(&C);
  bf_host_free(D.a);
  bf_host_free(A);
}

static void singular_and_broken_matrices_fail_alone(void **state)
{
  (void)state;
  static const bf_int size[] = {2, 3, 7, 9, 16, 31, 33, 65, 130, 200, 261};
  enum { SIZES = sizeof size / sizeof *size };
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < t_orders_of(T_INVERSES, t_types[t], size, SIZES, 97).count; s++) {
      T_ONE_OF(3);
      one_batch_with_failures(t_types[t], t_orders_of(T_INVERSES, t_types[t], size, SIZES, 97).n[s]);
    }
}

static void a_batch_of_none_and_of_very_many_are_batches(void **state)
{
  (void)state;
  enum { MANY = 65537 };
  const bf_int many = t_quick() == 2 ? 2049 : MANY;
  bf_int      *info = bf_host_alloc(MANY, sizeof *info), untouched = 77;
  bf_batch     empty = {.type = BF_Z, .n = 4, .ld = 4};
  T_OK(bf_inverse_batch(t_be, &empty, &untouched, NULL));
  assert_int_equal(untouched, 77);
  for (int t = 0; t < T_TYPES; t++) {
    T_ONE_OF(T_TYPES);
    t_batch B = t_batch_create(t_types[t], 2, many);
    for (bf_int b = 0; b < many; b++) t_put(&B, b, (const t_cx[4]){{0, 0}, {1, 0}, {2, 0}, {b, 0}});
    t_inverse(&B, info);
    t_guards(&B);
    for (bf_int b = 0; b < many; b++) {
      assert_int_equal(info[b], 0);
      assert_true(t_at(&B, b, 0, 0).re == -0.5 * b && t_at(&B, b, 0, 1).re == 1.0 &&
                  t_at(&B, b, 1, 0).re == 0.5);
    }
    t_batch_destroy(&B);
  }
  bf_host_free(info);
}

int main(int argc, char **argv)
{
  int code = t_backend_open(argc, argv);
  if (code == 0) code = t_batch_missing(t_be->ops.batch.inverse != NULL, "inverse_batch");
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(residuals_of_all_families_are_at_roundoff),
      cmocka_unit_test(residuals_of_large_matrices_are_at_roundoff),
      cmocka_unit_test(exact_inverses_are_met),
      cmocka_unit_test(gauss_jordan_finds_the_same),
      cmocka_unit_test(singular_and_broken_matrices_fail_alone),
      cmocka_unit_test(a_batch_of_none_and_of_very_many_are_batches),
  };
  return t_backend_close(T_RUN(tests));
}
