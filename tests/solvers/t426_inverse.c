/* tests/solvers/t426_inverse.c - bf_inverse: the inverse of a symmetric matrix, its residual and the bounds
 *
 * Two oracles: matrices whose inverse is known in closed form, and products in long double, from which the
 * residual is formed anew.  usage: t426_inverse <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/inverse.h"
#include "tests/backend.h"
#include <float.h>
#include <math.h>

typedef struct pair {
  bf_int            n;
  double           *A, *X;
  bf_inverse_report report;
} pair;

static pair make(bf_int n, double (*entry)(bf_int n, bf_int i, bf_int j))
{
  const size_t N = (size_t)n;
  pair p = {.n = n, .A = bf_host_alloc(N * N, sizeof(double)), .X = bf_host_alloc(N * N, sizeof(double))};
  assert_true(p.A && p.X);
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = 0; i < n; i++) p.A[(size_t)j * N + (size_t)i] = i > j ? entry(n, i, j) : entry(n, j, i);
  return p;
}
static void end(pair *p)
{
  bf_host_free(p->A);
  bf_host_free(p->X);
}

static double random_entry(bf_int i, bf_int j)
{
  uint64_t s = UINT64_C(88172645463325252) + (uint64_t)i * 65536 + (uint64_t)j;
  (void)t_random(&s);
  return t_uniform(&s) - 0.5;
}
static double definite(bf_int n, bf_int i, bf_int j)
{
  return random_entry(i, j) + (i == j ? n : 0.0);
}
static double indefinite(bf_int n, bf_int i, bf_int j)
{
  (void)n;
  return random_entry(i, j);
}
static double hollow(bf_int n, bf_int i, bf_int j) /* zero diagonal blocks: the pivoted path */
{
  return n == 1                       ? 3.0
         : (i < n / 2) == (j < n / 2) ? (i == n - 1 && i == j && n % 2 ? 2.0 : 0.0)
                                      : random_entry(i, j) + (i - n / 2 == j ? 4.0 : 0.0);
}
/* min(i, j) with i, j from 1: the inverse is tridiagonal with -1, 2 (the last 1), -1 */
static double minimum(bf_int n, bf_int i, bf_int j)
{
  (void)n;
  return (double)(i < j ? i : j) + 1.0;
}
static double minimum_inverse(bf_int n, bf_int i, bf_int j)
{
  const bf_int d = i < j ? j - i : i - j;
  return d == 0 ? (i == n - 1 ? 1.0 : 2.0) : d == 1 ? -1.0 : 0.0;
}

static void expect_symmetric(const pair *p)
{
  for (size_t j = 0; j < (size_t)p->n; j++)
    for (size_t i = 0; i < j; i++)
      assert_memory_equal(&p->X[j * (size_t)p->n + i], &p->X[i * (size_t)p->n + j], sizeof(double));
}

/* ||A X - I|| in the 1-norm and in Frobenius's, and the norms of A and X, by sums in long double. */
static void norms_of(const pair *p, long double one[3], long double frobenius[3])
{
  const size_t N = (size_t)p->n;
  for (int k = 0; k < 3; k++) one[k] = frobenius[k] = 0.0L;
  for (size_t j = 0; j < N; j++) {
    long double sum[3] = {0.0L, 0.0L, 0.0L};
    for (size_t i = 0; i < N; i++) {
      long double r = i == j ? -1.0L : 0.0L;
      for (size_t k = 0; k < N; k++) r += (long double)p->A[k * N + i] * (long double)p->X[j * N + k];
      const long double v[3] = {r, (long double)p->A[j * N + i], (long double)p->X[j * N + i]};
      for (int k = 0; k < 3; k++) {
        sum[k] += fabsl(v[k]);
        frobenius[k] += v[k] * v[k];
      }
    }
    for (int k = 0; k < 3; k++) one[k] = sum[k] > one[k] ? sum[k] : one[k];
  }
  for (int k = 0; k < 3; k++) frobenius[k] = sqrtl(frobenius[k]);
}

static void check_one(bf_scalar type, bf_int n, double (*entry)(bf_int n, bf_int i, bf_int j), int path)
{
  pair         p = make(n, entry);
  long double  one[3], f[3];
  const double u = type == BF_S ? (double)FLT_EPSILON : DBL_EPSILON;
  T_OK(bf_inverse(t_be, type, n, p.A, p.X, &p.report));
  const bf_inverse_report *r = &p.report;
  assert_int_equal(r->syinv.info, 0);
  if (path >= 0) assert_int_equal(r->syinv.path, path);
  expect_symmetric(&p);
  norms_of(&p, one, f);
  T_NEAR(r->norm_a, (double)one[1], 1e-13 * (double)one[1]);
  T_NEAR(r->norm_x, (double)one[2], 1e-13 * (double)one[2]);
  if (!((double)one[0] <= r->rho))
    fail_msg("n=%d: ||AX - I||_1 = %Lg above its bound %g", (int)n, one[0], r->rho);
  const double residual = (double)(f[0] / f[1] / f[2]) / (n * u);
  T_NEAR(r->residual, residual, 0.02 * residual + (type == BF_D ? 2.0 : 1e-6)); /* computed in fp64 */
  T_LE(residual, 10.0);
  T_NEAR(r->bound, r->rho < 1.0 ? r->rho / (1.0 - r->rho) : INFINITY, 1e-15 + 1e-12 * r->rho);
  end(&p);
}

static void residual_and_bounds_agree_with_long_double(void **state)
{
  static const bf_int n[] = {1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 129, 255, 256, 257, 300};
  (void)state;
  for (size_t k = 0; k < sizeof n / sizeof *n; k++) {
    T_ONE_OF(4);
    check_one(BF_D, n[k], definite, BF_SYINV_DEFINITE);
    check_one(BF_S, n[k], definite, BF_SYINV_DEFINITE);
    check_one(BF_D, n[k], indefinite, -1);
    check_one(BF_D, n[k], hollow, -1);
  }
}

static void every_path_is_taken_and_named(void **state)
{
  (void)state;
  check_one(BF_D, 300, definite, BF_SYINV_DEFINITE);
  check_one(BF_D, 200, indefinite, BF_SYINV_INDEFINITE);
  check_one(BF_D, 300, hollow, BF_SYINV_PIVOTED);
  assert_string_equal(bf_inverse_path(BF_SYINV_DEFINITE), "definite");
  assert_string_equal(bf_inverse_path(BF_SYINV_INDEFINITE), "indefinite");
  assert_string_equal(bf_inverse_path(BF_SYINV_PIVOTED), "pivoted");
}

/* The bound covers the error of matrices whose inverse is known exactly. */
static void the_error_of_a_known_inverse_is_within_the_bound(void **state)
{
  (void)state;
  for (bf_int n = 2; n < 400; n = n * 2 + 1)
    for (int type = BF_S; type <= BF_D; type++) {
      pair   p     = make(n, minimum);
      double error = 0.0;
      T_OK(bf_inverse(t_be, (bf_scalar)type, n, p.A, p.X, &p.report));
      for (bf_int j = 0; j < n; j++) {
        double sum = 0.0;
        for (bf_int i = 0; i < n; i++)
          sum += fabs(p.X[(size_t)j * (size_t)n + (size_t)i] - minimum_inverse(n, i, j));
        error = fmax(error, sum);
      }
      if (type == BF_D) assert_true(p.report.bound < 1e-6);
      T_LE(error / p.report.norm_x, p.report.bound);
      end(&p);
    }
}

/* Planted: the bound of a wrong inverse is no bound. */
static void a_wrong_inverse_has_a_large_residual(void **state)
{
  (void)state;
  pair        p = make(65, definite);
  long double one[3], f[3];
  T_OK(bf_inverse(t_be, BF_D, 65, p.A, p.X, &p.report));
  p.X[0] *= 1.5;
  norms_of(&p, one, f);
  assert_true((double)one[0] > p.report.rho);
  end(&p);
}

static double singular(bf_int n, bf_int i, bf_int j)
{
  return i == n / 2 || j == n / 2 ? 0.0 : definite(n, i, j);
}
static double ones(bf_int n, bf_int i, bf_int j)
{
  (void)n, (void)i, (void)j;
  return 1.0;
}
static double not_a_number(bf_int n, bf_int i, bf_int j)
{
  return i == n - 1 && j == 0 ? (double)NAN : definite(n, i, j);
}
static double infinite(bf_int n, bf_int i, bf_int j)
{
  return i == n / 2 && j == n / 2 ? (double)INFINITY : definite(n, i, j);
}

static bf_int info_of(bf_int n, double (*entry)(bf_int n, bf_int i, bf_int j))
{
  pair p = make(n, entry);
  T_OK(bf_inverse(t_be, BF_D, n, p.A, p.X, &p.report));
  const bf_int info = p.report.syinv.info;
  if (info != 0) assert_true(isnan(p.report.residual) && isnan(p.report.rho) && isinf(p.report.bound));
  end(&p);
  return info;
}

static void singular_and_infinite_matrices_have_no_inverse(void **state)
{
  static const bf_int n[] = {2, 33, 200};
  (void)state;
  for (size_t k = 0; k < 3; k++) {
    assert_in_range(info_of(n[k], singular), 1, n[k]);
    assert_in_range(info_of(n[k], ones), 1, n[k]);
    assert_int_equal(info_of(n[k], not_a_number), n[k] + 1);
    assert_int_equal(info_of(n[k], infinite), n[k] + 1);
  }
}

/* 1/(i+j+1), order 14: condition 1e18 */
static double hilbert(bf_int n, bf_int i, bf_int j)
{
  (void)n;
  return 1.0 / (i + j + 1);
}
static void an_inverse_without_correct_digits_has_no_bound(void **state)
{
  (void)state;
  pair p = make(14, hilbert);
  T_OK(bf_inverse(t_be, BF_D, 14, p.A, p.X, &p.report));
  if (p.report.syinv.info == 0) assert_true(p.report.rho >= 1.0 && isinf(p.report.bound));
  end(&p);
}

static double scaled(bf_int n, bf_int i, bf_int j)
{
  return ldexp(definite(n, i, j), n == 40 ? 500 : -500);
}
static void scaled_matrices_have_the_same_bounds(void **state)
{
  (void)state;
  for (bf_int n = 40; n <= 41; n++) {
    pair p = make(n, scaled), q = make(n, definite);
    T_OK(bf_inverse(t_be, BF_D, n, p.A, p.X, &p.report));
    T_OK(bf_inverse(t_be, BF_D, n, q.A, q.X, &q.report));
    T_NEAR(p.report.residual, q.report.residual, 1e-10);
    T_NEAR(p.report.rho, q.report.rho, 1e-10 * q.report.rho);
    end(&p);
    end(&q);
  }
}

static void apply_multiplies(void **state)
{
  (void)state;
  for (bf_int n = 1; n < 40; n += 6) {
    pair   p = make(n, definite);
    double v[40], y[40];
    for (bf_int i = 0; i < n; i++) v[i] = random_entry(i, 77);
    bf_inverse_apply(n, p.A, v, y);
    for (bf_int i = 0; i < n; i++) {
      long double sum = 0.0L;
      for (bf_int j = 0; j < n; j++)
        sum += (long double)p.A[(size_t)j * (size_t)n + (size_t)i] * (long double)v[j];
      T_NEAR(y[i], (double)sum, 1e-14 * n);
    }
    end(&p);
  }
}

static void memory_is_forecast(void **state)
{
  int64_t bytes = 0, host = 0, less = 0;
  (void)state;
  T_OK(bf_inverse_bytes(t_be, BF_D, 1000, &bytes));
  assert_in_range(bytes, 16000000, 64000000); /* the matrix and a square of workspace at least */
  T_OK(bf_inverse_bytes(t_be, BF_S, 1000, &less));
  assert_true(less < bytes);
  T_OK(bf_inverse_bytes(t_be, BF_D, 32768, &bytes));
  assert_true(bytes > INT64_C(16) * 32768 * 32768);
  (void)host;
  T_ERR(BF_E_ARG, bf_inverse_bytes(t_be, BF_D, 32769, &bytes));
  T_ERR(BF_E_ARG, bf_inverse_bytes(t_be, BF_D, 0, &bytes));
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(residual_and_bounds_agree_with_long_double),
      cmocka_unit_test(every_path_is_taken_and_named),
      cmocka_unit_test(the_error_of_a_known_inverse_is_within_the_bound),
      cmocka_unit_test(a_wrong_inverse_has_a_large_residual),
      cmocka_unit_test(singular_and_infinite_matrices_have_no_inverse),
      cmocka_unit_test(an_inverse_without_correct_digits_has_no_bound),
      cmocka_unit_test(scaled_matrices_have_the_same_bounds),
      cmocka_unit_test(apply_multiplies),
      cmocka_unit_test(memory_is_forecast),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
