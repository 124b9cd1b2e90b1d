/* tests/solvers/accuracy/t408_accuracy.c - backward errors in the scaled norm against dense matrices in long
 * double usage: t408_accuracy <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/backward_error.h"
#include "tests/reference/dense.h"
#include "tests/solvers/solver_forms.h"

enum { N = T_NX * 12 };

/* R A C as a dense matrix; row, column NULL: 1/sqrt|a_ii|. */
static long double *scaled_dense(bf_int n, t_entry a, const double *row, const double *column)
{
  long double *m = calloc((size_t)n * (size_t)n, sizeof *m);
  for (bf_int i = 0; i < n; i++)
    for (bf_int j = 0; j < n; j++) {
      const long double r = row ? (long double)row[i] : 1.0L / sqrtl(fabsl((long double)a(n, i, i)));
      const long double c = column ? (long double)column[j] : 1.0L / sqrtl(fabsl((long double)a(n, j, j)));
      m[(size_t)i * (size_t)n + (size_t)j] = r * (long double)a(n, i, j) * c;
    }
  return m;
}

/* The largest singular value by 3000 steps with M^T M. */
static long double norm2(bf_int n, const long double *m)
{
  const size_t N2 = (size_t)n;
  long double *v = calloc(N2, sizeof *v), *w = calloc(N2, sizeof *w), size = 0.0L;
  for (size_t i = 0; i < N2; i++) v[i] = 1.0L + 0.37L * (long double)((i * 7919) % 101) * (i % 2 ? -1 : 1);
  for (int k = 0; k < 3000; k++) {
    long double s = 0.0L;
    for (size_t i = 0; i < N2; i++) s += v[i] * v[i];
    for (size_t i = 0; i < N2; i++) v[i] /= sqrtl(s);
    memset(w, 0, N2 * sizeof *w);
    size = 0.0L;
    for (size_t i = 0; i < N2; i++) {
      long double t = 0.0L;
      for (size_t j = 0; j < N2; j++) t += m[i * N2 + j] * v[j];
      size += t * t;
      for (size_t j = 0; j < N2; j++) w[j] += m[i * N2 + j] * t;
    }
    memcpy(v, w, N2 * sizeof *v);
  }
  free(v), free(w);
  return sqrtl(size);
}

typedef struct t_system { /* host arrays, n <= N */
  bf_int  n;
  double *b, *x, *r;
} t_system;

/* x random; b = A x (1 + perturbation). */
static t_system make(bf_int n, t_entry a, double perturbation)
{
  uint64_t seed = 11;
  t_system s    = {n, calloc(N, 8), t_random_vector(N, &seed), calloc(N, 8)};
  for (bf_int i = 0; i < n; i++) {
    long double sum = 0.0L;
    for (bf_int j = 0; j < n; j++) sum += (long double)a(n, i, j) * (long double)s.x[j];
    s.b[i] = (double)(sum * (1.0L + (i % 3 ? 1 : -1) * (long double)perturbation));
    s.r[i] = (double)((long double)s.b[i] - sum);
  }
  return s;
}

static void forget(t_system *s)
{
  free(s->b), free(s->x), free(s->r);
}

static long double size_of(bf_int n, const double *v, const double *scale, t_entry a, int inverse)
{
  long double s = 0.0L;
  for (bf_int i = 0; i < n; i++) {
    const long double d = scale ? (long double)scale[i] : 1.0L / sqrtl(fabsl((long double)a(n, i, i)));
    const long double t = inverse ? (long double)v[i] / d : (long double)v[i] * d;
    s += t * t;
  }
  return sqrtl(s);
}

static double eta_of(const bf_accuracy *acc, const t_system *s)
{
  const size_t bytes = (size_t)s->n * sizeof(double);
  double      *b = t_to_backend(s->b, bytes), *x = t_to_backend(s->x, bytes), *r = t_to_backend(s->r, bytes);
  double       eta = NAN;
  T_OK(bf_accuracy_backward(acc, b, x, r, &eta));
  t_be->ops.release(t_be, b), t_be->ops.release(t_be, x), t_be->ops.release(t_be, r);
  return eta;
}

/* eta by the program with norm 0 or given, in one form. */
static double program_eta(const bf_sparse *S, const bf_matrix_form *form, double norm, const t_system *s)
{
  bf_matrix   *A   = t_stored(S, form, BF_FP64);
  bf_accuracy *acc = NULL;
  T_OK(bf_accuracy_create(A, norm, &acc));
  const double eta = eta_of(acc, s);
  bf_accuracy_destroy(&acc);
  assert_null(acc);
  bf_matrix_destroy(&A);
  return eta;
}

static void expect(t_entry a, int symmetric, double most)
{
  bf_sparse        *S    = t_sparse(N, a);
  t_system          s    = make(N, a, 1e-9);
  long double      *m    = scaled_dense(N, a, NULL, NULL);
  const long double norm = norm2(N, m);
  const double      want = (double)(size_of(N, s.r, NULL, a, 0) /
                               (norm * size_of(N, s.x, NULL, a, 1) + size_of(N, s.b, NULL, a, 0)));
  for (int f = 0; f < (t_quick() == 2 ? 2 : T_FORMS); f++) {
    if (t_forms[f].half && !symmetric) continue;
    T_NEAR(program_eta(S, &t_forms[f], (double)norm, &s) / want, 1.0, 1e-12);
    const double eta = program_eta(S, &t_forms[f], 0.0, &s);
    assert_true(eta >= want * (1.0 - 1e-12)); /* never too small */
    T_LE(eta, most * want);
  }
  free(m);
  forget(&s);
  bf_sparse_destroy(&S);
}

static void the_backward_error_is_that_of_the_dense_formula_in_every_form(void **state)
{
  (void)state;
  expect(t_laplace, 1, 1.1);
  expect(t_wind, 0, 1.5);
}

static int power(bf_int i)
{
  return (int)(i * 37 % 101) - 50;
}
static double stretched(bf_int n, bf_int i, bf_int j)
{
  return ldexp(t_laplace(n, i, j), 2 * (power(i) + power(j)));
}

static void units_of_the_unknowns_do_not_count(void **state)
{
  (void)state;
  bf_sparse   *S = t_sparse(N, t_laplace), *U = t_sparse(N, stretched);
  t_system     s   = make(N, t_laplace, 1e-9);
  const double eta = program_eta(S, &t_forms[0], 0.0, &s);
  for (bf_int i = 0; i < N; i++) {
    s.b[i] = ldexp(s.b[i], 2 * power(i));
    s.r[i] = ldexp(s.r[i], 2 * power(i));
    s.x[i] = ldexp(s.x[i], -2 * power(i));
  }
  T_NEAR(program_eta(U, &t_forms[0], 0.0, &s) / eta, 1.0, 1e-12);
  forget(&s);
  bf_sparse_destroy(&S);
  bf_sparse_destroy(&U);
}

static void rounded_solutions_are_below_the_limit_and_others_above(void **state)
{
  (void)state;
  assert_true(bf_accuracy_limit() == ldexp(4.0, -53));
  bf_sparse *S = t_sparse(N, t_laplace);
  t_system   s = make(N, t_laplace, 0.0), w = make(N, t_laplace, 2e-15);
  T_LE(program_eta(S, &t_forms[1], 0.0, &s), bf_accuracy_limit());
  assert_true(program_eta(S, &t_forms[1], 0.0, &w) > bf_accuracy_limit());
  forget(&s);
  forget(&w);
  bf_sparse_destroy(&S);
}

/* ---- diagonals that are 0 or tiny ---- */

static double tiny(bf_int n, bf_int i, bf_int j)
{
  (void)n;
  return i + j == 0 ? 1e-20 : 1.0;
}
static double constraint(bf_int n, bf_int i,
                         bf_int j) /* stiffness 1e11 and a multiplier, all zero beside it */
{
  return i == n - 1 && j == n - 1 ? 0.0 : i == n - 1 || j == n - 1 ? 1.0 : 1e11 * t_laplace(n, i, j);
}

static void an_error_in_one_row_counts_whatever_the_diagonal(void **state)
{
  (void)state;
  const struct {
    bf_int  n, row;
    t_entry a;
  } c[] = {{2, 0, tiny}, {2, 1, tiny}, {20, 19, constraint}, {20, 3, constraint}, {20, 7, t_skew}};
  for (size_t k = 0; k < sizeof c / sizeof *c; k++) {
    bf_sparse *S    = t_sparse(c[k].n, c[k].a);
    t_system   s    = make(c[k].n, c[k].a, 0.0);
    double     size = 0.0;
    memset(s.r, 0, (size_t)c[k].n * sizeof *s.r);
    for (bf_int j = 0; j < c[k].n; j++) size += fabs(c[k].a(c[k].n, c[k].row, j) * s.x[j]);
    s.r[c[k].row]    = 1e-6 * size; /* 1e-6 of the terms of this row */
    const double eta = program_eta(S, &t_forms[0], 0.0, &s);
    if (!(eta > 1e-9)) fail_msg("case %d: backward error %g", (int)k, eta);
    forget(&s);
    bf_sparse_destroy(&S);
  }
}

static void scales_of_rows_and_columns_may_be_given(void **state)
{
  (void)state;
  double row[N], column[N];
  for (bf_int i = 0; i < N; i++) row[i] = ldexp(1.0, power(i)), column[i] = ldexp(0.75, power(i + 5));
  bf_sparse        *S    = t_sparse(N, t_wind);
  bf_matrix        *A    = t_stored(S, &t_forms[0], BF_FP64);
  t_system          s    = make(N, t_wind, 1e-9);
  long double      *m    = scaled_dense(N, t_wind, row, column);
  bf_accuracy      *acc  = NULL;
  const long double norm = norm2(N, m);
  const double      want = (double)(size_of(N, s.r, row, NULL, 0) /
                               (norm * size_of(N, s.x, column, NULL, 1) + size_of(N, s.b, row, NULL, 0)));
  T_OK(bf_accuracy_create_scaled(A, row, column, &acc));
  const double eta = eta_of(acc, &s);
  assert_true(eta >= want * (1.0 - 1e-12));
  T_LE(eta, 100.0 * want); /* far from normal: power iterations see less of it */
  bf_accuracy_destroy(&acc);
  free(m);
  forget(&s);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
}

static void zero_residuals_and_zero_solutions_are_defined(void **state)
{
  (void)state;
  bf_sparse *S = t_sparse(N, t_laplace);
  t_system   s = make(N, t_laplace, 0.0);
  memset(s.r, 0, N * sizeof *s.r);
  assert_true(program_eta(S, &t_forms[0], 0.0, &s) == 0.0);
  memset(s.b, 0, N * sizeof *s.b);
  memset(s.x, 0, N * sizeof *s.x);
  assert_true(program_eta(S, &t_forms[0], 0.0, &s) == 0.0);
  s.r[4] = 1.0;
  assert_true(isinf(program_eta(S, &t_forms[0], 0.0, &s)));
  forget(&s);
  bf_sparse_destroy(&S);
}

static void the_report_says_what_was_reached(void **state)
{
  (void)state;
  bf_solve_report rep = {.true_residual = 1.06e-8};
  bf_accuracy_conclude(&rep, 3e-17, 4e9);
  assert_string_equal(rep.text, "converged to rounding: relative residual 1.06e-08, backward error 3e-17, "
                                "estimated condition 4e+09, estimated forward error 1.2e-07");
  assert_int_equal(rep.reason, BF_KRYLOV_CONVERGED);
  assert_true(rep.to_rounding && rep.backward_error == 3e-17 && rep.forward_error == 3e-17 * 4e9);
  bf_accuracy_conclude(&rep, 3e-17, NAN);
  assert_string_equal(rep.text, "converged to rounding: relative residual 1.06e-08, backward error 3e-17");
  assert_true(isnan(rep.condition) && isnan(rep.forward_error));
}

static void a_wrong_argument_is_an_error(void **state)
{
  (void)state;
  bf_sparse   *S   = t_sparse(N, t_laplace);
  bf_matrix   *A   = t_stored(S, &t_forms[0], BF_FP32);
  bf_accuracy *acc = NULL;
  T_ERR(BF_E_ARG, bf_accuracy_create(A, 0.0, &acc)); /* no accuracy of rounded values */
  assert_null(acc);
  T_ERR(BF_E_ARG, bf_accuracy_create(NULL, 0.0, &acc));
  T_ERR(BF_E_ARG, bf_accuracy_create(A, -1.0, &acc));
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_backward_error_is_that_of_the_dense_formula_in_every_form),
      cmocka_unit_test(units_of_the_unknowns_do_not_count),
      cmocka_unit_test(rounded_solutions_are_below_the_limit_and_others_above),
      cmocka_unit_test(an_error_in_one_row_counts_whatever_the_diagonal),
      cmocka_unit_test(scales_of_rows_and_columns_may_be_given),
      cmocka_unit_test(zero_residuals_and_zero_solutions_are_defined),
      cmocka_unit_test(the_report_says_what_was_reached),
      cmocka_unit_test(a_wrong_argument_is_an_error),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
