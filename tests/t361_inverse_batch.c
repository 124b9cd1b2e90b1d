/* tests/t361_inverse_batch.c - batched inverses: residuals of one side, exact inverses, another method's,
 * planted failures
 * usage: t361_inverse_batch <backend> */
#include "tests/batch_case.h"

static const bf_int size[] = {1, 2, 3, 5, 8, 9, 16, 31, 32, 33, 63, 64, 65};
enum { SIZES = sizeof size / sizeof *size, MAX = 65 };

static void random_matrix(bf_int n, double *a, uint64_t *seed)
{
  for (bf_int i = 0; i < n * n; i++) a[i] = t_uniform(seed) - 0.5;
}

/* min(||X A - I||, ||A X - I||) / (||A|| ||X|| n u) */
static double score(bf_int n, const double *a, const double *x)
{
  static double l[MAX * MAX], r[MAX * MAX];
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = 0; i < n; i++) {
      l[j * n + i] = r[j * n + i] = i == j ? -1.0 : 0.0;
      for (bf_int k = 0; k < n; k++) {
        l[j * n + i] += x[k * n + i] * a[j * n + k];
        r[j * n + i] += a[k * n + i] * x[j * n + k];
      }
    }
  return fmin(t_norm(n * n, l), t_norm(n * n, r)) / (t_norm(n * n, a) * t_norm(n * n, x)) / n / DBL_EPSILON;
}

static void residuals_are_at_roundoff(void **state)
{
  (void)state;
  enum { COUNT = 7 };
  static double A[COUNT][MAX * MAX], X[MAX * MAX];
  bf_int        info[COUNT];
  uint64_t      seed = 1;
  for (int s = 0; s < SIZES; s++) {
    const bf_int n = size[s];
    t_batch      B = t_batch_create(n, COUNT);
    for (int b = 0; b < COUNT; b++) {
      random_matrix(n, A[b], &seed);
      for (bf_int i = 0; i < n * n && b == 3; i++) A[b][i] *= 0x1p-300;
      for (bf_int i = 0; i < n && b == 4; i++) /* rows of very different size */
        for (bf_int j = 0; j < n; j++) A[b][j * n + i] *= pow(10.0, -6.0 * i / n);
      for (bf_int i = 0; i < n && b == 5; i++) A[b][i * n + i] = 0.0;
      if (b == 5 && n == 1) A[b][0] = -0.25;
      t_put(&B, b, A[b]);
    }
    T_OK(t_batch_run(&B, 0, NULL, info));
    t_guards(&B);
    for (int b = 0; b < COUNT; b++) {
      assert_int_equal(info[b], 0);
      t_get(&B, b, X);
      T_LE(score(n, A[b], X), 10.0);
    }
    bf_host_free(B.a);
  }
}

static void exact_inverses_are_met(void **state)
{
  (void)state;
  static double A[MAX * MAX], X[2][MAX * MAX];
  bf_int        info[2];
  for (bf_int n = 1; n <= 12; n++) {
    t_batch B = t_batch_create(n, 2);
    for (bf_int j = 0; j < n; j++) /* Lehmer: the inverse is tridiagonal */
      for (bf_int i = 0; i < n; i++) A[j * n + i] = (i < j ? i + 1.0 : j + 1.0) / (i < j ? j + 1.0 : i + 1.0);
    t_put(&B, 0, A);
    for (bf_int i = 0; i < n; i++) /* Pascal: determinant 1, an inverse of integers */
      for (bf_int j = 0; j < n; j++)
        A[j * n + i] = i == 0 || j == 0 ? 1.0 : A[j * n + i - 1] + A[(j - 1) * n + i];
    t_put(&B, 1, A);
    T_OK(t_batch_run(&B, 0, NULL, info));
    for (int b = 0; b < 2; b++) t_get(&B, b, X[b]);
    for (bf_int i = 0; i < n; i++)
      for (bf_int j = 0; j < n; j++) {
        const double k  = i + 1.0,
                     on = i == n - 1 ? k * k / (2.0 * k - 1.0) : 4.0 * k * k * k / (4.0 * k * k - 1.0),
                     m = (i > j ? i : j), off = -m * (m + 1.0) / (2.0 * m + 1.0);
        T_NEAR(X[0][j * n + i], i == j ? on : abs(i - j) == 1 ? off : 0.0, 1e-12);
        if (n <= 6) T_NEAR(X[1][j * n + i], round(X[1][j * n + i]), 1e-9);
      }
    if (n == 3) {
      const double p[9] = {3, -3, 1, -3, 5, -2, 1, -2, 1};
      for (int i = 0; i < 9; i++) T_NEAR(X[1][i], p[i], 1e-12);
    }
    bf_host_free(B.a);
  }
}

/* Gauss-Jordan with full pivoting in long double: the other method. */
static void gauss_jordan(bf_int n, const double *a, double *x)
{
  static long double m[MAX][2 * MAX];
  for (bf_int i = 0; i < n; i++)
    for (bf_int j = 0; j < n; j++) {
      m[i][j]     = a[j * n + i];
      m[i][n + j] = i == j;
    }
  for (bf_int k = 0; k < n; k++) {
    bf_int p = k;
    for (bf_int i = k; i < n; i++)
      if (fabsl(m[i][k]) > fabsl(m[p][k])) p = i;
    for (bf_int j = 0; j < 2 * n; j++) {
      const long double t = m[k][j];
      m[k][j]             = m[p][j];
      m[p][j]             = t;
    }
    const long double d = m[k][k];
    for (bf_int j = 0; j < 2 * n; j++) m[k][j] /= d;
    for (bf_int i = 0; i < n; i++) {
      const long double f = m[i][k];
      for (bf_int j = 0; j < 2 * n && i != k; j++) m[i][j] -= f * m[k][j];
    }
  }
  for (bf_int i = 0; i < n; i++)
    for (bf_int j = 0; j < n; j++) x[j * n + i] = (double)m[i][n + j];
}

static void gauss_jordan_finds_the_same(void **state)
{
  (void)state;
  static double A[MAX * MAX], X[MAX * MAX], other[MAX * MAX];
  bf_int        info[1];
  uint64_t      seed = 3;
  for (int s = 0; s < SIZES; s++) {
    const bf_int n = size[s];
    t_batch      B = t_batch_create(n, 1);
    random_matrix(n, A, &seed);
    for (bf_int i = 0; i < n; i++) A[i * n + i] += 1.0;
    t_put(&B, 0, A);
    T_OK(t_batch_run(&B, 0, NULL, info));
    t_get(&B, 0, X);
    gauss_jordan(n, A, other);
    const double cond = t_norm(n * n, A) * t_norm(n * n, other), norm = t_norm(n * n, other);
    for (bf_int i = 0; i < n * n; i++) X[i] -= other[i];
    T_LE(t_norm(n * n, X) / norm, 10.0 * n * DBL_EPSILON * cond);
    bf_host_free(B.a);
  }
}

/* Planted matrices fail alone and stay as they were. */
static void singular_and_broken_matrices_fail_alone(void **state)
{
  (void)state;
  enum { N = 9, COUNT = 65 };
  static double A[N * N], bad[4][N * N];
  bf_int        info[COUNT];
  uint64_t      seed = 4;
  t_batch       B = t_batch_create(N, COUNT), C = t_batch_create(N, COUNT);
  for (bf_int b = 0; b < COUNT; b++) {
    random_matrix(N, A, &seed);
    t_put(&C, b, A);
    if (b == 3) memset(A, 0, sizeof A);
    if (b == 7) memset(A + 5 * N, 0, N * sizeof *A); /* column 6 is zero */
    if (b == 8) A[11] = NAN;
    if (b == 64) A[0] = INFINITY;
    if (b == 3 || b == 7 || b == 8 || b == 64)
      memcpy(bad[b == 3 ? 0 : b == 7 ? 1 : b == 8 ? 2 : 3], A, sizeof A);
    t_put(&B, b, A);
  }
  T_OK(t_batch_run(&C, 0, NULL, info));
  T_OK(t_batch_run(&B, 0, NULL, info));
  t_guards(&B);
  for (bf_int b = 0; b < COUNT; b++) {
    const int k = b == 3 ? 0 : b == 7 ? 1 : b == 8 ? 2 : b == 64 ? 3 : -1;
    assert_int_equal(info[b], b == 3 ? 1 : b == 7 ? 6 : b == 8 || b == 64 ? N + 1 : 0);
    for (bf_int i = 0; i < N * N; i++)
      assert_true(t_bits(*t_at(&B, b, i % N, i / N)) ==
                  t_bits(k >= 0 ? bad[k][i] : *t_at(&C, b, i % N, i / N)));
  }
  bf_host_free(B.a);
  bf_host_free(C.a);
}

static void a_batch_of_none_and_of_very_many_are_batches(void **state)
{
  (void)state;
  enum { MANY = 65537 };
  bf_int  *info = bf_host_alloc(MANY, sizeof *info), untouched = 77;
  bf_batch empty = {.type = BF_D, .n = 4, .ld = 4};
  T_OK(bf_inverse_batch(t_be, &empty, &untouched, NULL));
  assert_int_equal(untouched, 77);
  t_batch B = t_batch_create(2, MANY);
  for (bf_int b = 0; b < MANY; b++) {
    const double A[4] = {0.0, 1.0, 2.0, b};
    t_put(&B, b, A);
  }
  T_OK(t_batch_run(&B, 0, NULL, info));
  t_guards(&B);
  for (bf_int b = 0; b < MANY; b++) {
    assert_int_equal(info[b], 0);
    assert_true(*t_at(&B, b, 0, 0) == -0.5 * b && *t_at(&B, b, 0, 1) == 1.0 && *t_at(&B, b, 1, 0) == 0.5);
  }
  bf_host_free(B.a);
  bf_host_free(info);
}

int main(int argc, char **argv)
{
  int code = t_backend_open(argc, argv);
  if (code == 0) code = t_batch_missing(t_be->ops.inverse_batch != NULL, "inverse_batch");
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(residuals_are_at_roundoff),
      cmocka_unit_test(exact_inverses_are_met),
      cmocka_unit_test(gauss_jordan_finds_the_same),
      cmocka_unit_test(singular_and_broken_matrices_fail_alone),
      cmocka_unit_test(a_batch_of_none_and_of_very_many_are_batches),
  };
  code = T_RUN(tests);
  bf_backend_destroy(&t_be);
  return code;
}
