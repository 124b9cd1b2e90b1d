/* tests/solvers/t403_reasons.c - why a method ends on matrices that are hard for it, and what another method
 * makes of them usage: t403_reasons <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/reference/dense.h"
#include "tests/solvers/solver_case.h"

enum { N = 200 };

static t_solution solve(t_entry a, bf_format format, bf_method method, const double *b)
{
  bf_sparse             *S   = t_sparse(N, a);
  bf_matrix             *A   = NULL;
  t_solution             s   = {.x = NULL};
  const bf_solve_options opt = t_options(method, BF_PRECOND_NONE, 1e-9);
  T_OK(bf_matrix_from_sparse(t_be, S, &(bf_matrix_form){.format = format}, &A));
  T_OK(t_solve(A, NULL, b, NULL, &opt, &s));
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
  return s;
}

static void expect(t_entry a, bf_method method, const double *b, bf_krylov_status reason, const char *said)
{
  for (int f = 0; f < (t_quick() == 2 ? 1 : 2); f++) {
    t_solution s = solve(a, f ? BF_FORMAT_CSR : BF_FORMAT_BDIA, method, b);
    if (s.rep.reason != reason) fail_msg("%s: %s", bf_method_name(method), s.rep.text);
    T_CONTAINS(s.rep.text, said);
    for (int i = 0; i < N; i++) assert_true(isfinite(s.x[i]) || reason == BF_KRYLOV_NAN);
    t_solution_clear(&s);
  }
}

/* Eigenvalues 0.01 + i t: BiCGStab's factor 1 - omega A cannot damp them (omega is nearly 0), BiCG ends after
 * N iterations. */
static double turning(bf_int n, bf_int i, bf_int j)
{
  return i == j ? 0.01 : t_skew(n, i, j);
}

static void where_bicgstab_fails_and_bicg_converges_both_are_told(void **state)
{
  (void)state;
  T_LONG;
  uint64_t seed = 1;
  double  *b    = t_random_vector(N, &seed);
  for (int f = 0; f < 2; f++) {
    t_solution s = solve(turning, f ? BF_FORMAT_CSR : BF_FORMAT_BDIA, BF_METHOD_BICGSTAB, b);
    if (s.rep.reason != BF_KRYLOV_STAGNATION && s.rep.reason != BF_KRYLOV_DIVERGED &&
        s.rep.reason != BF_KRYLOV_BREAKDOWN) /* which of them hangs on the last bits */
      fail_msg("%s", s.rep.text);
    T_CONTAINS(s.rep.text, s.rep.reason == BF_KRYLOV_STAGNATION ? "no smaller residual"
                           : s.rep.reason == BF_KRYLOV_DIVERGED ? "has grown by 1e+12"
                                                                : "BiCGStab cannot continue");
    assert_true(s.rep.true_residual > 0.01);
    t_solution_clear(&s);
    s = solve(turning, f ? BF_FORMAT_CSR : BF_FORMAT_BDIA, BF_METHOD_BICG, b);
    assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
    assert_in_range(s.rep.iterations, N / 2, N + 10);
    bf_sparse *S    = t_sparse(N, turning);
    t_solution want = t_direct(S, 1, b, NULL);
    for (int i = 0; i < N; i++) T_NEAR(s.x[i], want.x[i], 1e-5);
    t_solution_clear(&want);
    t_solution_clear(&s);
    bf_sparse_destroy(&S);
  }
  free(b);
}

/* x.Ax = 0: the first denominator r0.v vanishes exactly (the sum is a difference of equal products, in one
 * order). */
static double pair(bf_int n, bf_int i, bf_int j)
{
  (void)n;
  return i / 2 != j / 2 || i == j ? 0.0 : i < j ? 1.0 : -1.0;
}

static void a_first_step_of_zero_length_is_a_breakdown(void **state)
{
  (void)state;
  double b[N];
  for (int i = 0; i < N; i++) b[i] = 1.0;
  expect(pair, BF_METHOD_BICGSTAB, b, BF_KRYLOV_BREAKDOWN, "BiCGStab cannot continue");
  expect(pair, BF_METHOD_BICG, b, BF_KRYLOV_BREAKDOWN, "BiCG cannot continue");
  expect(pair, BF_METHOD_CG, b, BF_KRYLOV_INDEFINITE, "not positive definite");
}

/* p.Ap = p.p > 0 for every p, so that CG cannot see that the matrix is not symmetric; |Ap| is 20 |p|, r
 * grows, and the energy of the recurrence too. */
static double whirl(bf_int n, bf_int i, bf_int j)
{
  return i == j ? 1.0 : 10.0 * t_skew(n, i, j);
}

static void cg_on_an_unsymmetric_matrix_ends_at_its_limit(void **state)
{
  (void)state;
  T_LONG;
  uint64_t seed = 2;
  double  *b    = t_random_vector(N, &seed);
  expect(whirl, BF_METHOD_CG, b, BF_KRYLOV_LIMIT, "limit of 3000 iterations");
  expect(whirl, BF_METHOD_BICG, b, BF_KRYLOV_CONVERGED, "converged");
  free(b);
}

static double huge(bf_int n, bf_int i, bf_int j)
{
  return t_laplace(n, i, j) * 1e200;
}

static void an_overflow_is_not_a_number(void **state)
{
  (void)state;
  double b[N];
  for (int i = 0; i < N; i++) b[i] = 1e200;
  for (int m = 0; m < 3; m++) expect(huge, (bf_method)m, b, BF_KRYLOV_NAN, "check units and formulas");
}

static void every_method_ends_at_its_limit(void **state)
{
  (void)state;
  double b[N] = {1.0};
  for (int m = 0; m < 3; m++) {
    bf_sparse       *S   = t_sparse(N, t_laplace);
    bf_matrix       *A   = NULL;
    t_solution       s   = {.x = NULL};
    bf_solve_options opt = t_options((bf_method)m, BF_PRECOND_JACOBI, 1e-9);
    opt.max_iterations   = 5;
    T_OK(bf_matrix_from_sparse(t_be, S, &(bf_matrix_form){.format = BF_FORMAT_BDIA}, &A));
    T_OK(t_solve(A, NULL, b, NULL, &opt, &s));
    assert_int_equal(s.rep.reason, BF_KRYLOV_LIMIT);
    assert_int_equal(s.rep.iterations, 5);
    T_CONTAINS(s.rep.text, "limit of 5 iterations");
    t_solution_clear(&s);
    bf_matrix_destroy(&A);
    bf_sparse_destroy(&S);
  }
}

static int at_the_second_look(void *context)
{
  return ++*(int *)context == 2;
}

static void an_interrupted_iteration_keeps_its_iterate(void **state)
{
  (void)state;
  static const bf_method methods[] = {BF_METHOD_CG, BF_METHOD_BICGSTAB, BF_METHOD_BICG};
  bf_sparse             *S         = t_sparse(N, t_laplace);
  double                 b[N];
  for (int i = 0; i < N; i++) b[i] = 1.0;
  for (int m = 0; m < 3; m++) {
    int              looks = 0;
    bf_matrix       *A     = NULL;
    t_solution       s     = {.x = NULL};
    bf_solve_options opt   = t_options(methods[m], BF_PRECOND_JACOBI, 1e-12);
    opt.interrupted        = at_the_second_look;
    opt.context            = &looks;
    T_OK(bf_matrix_from_sparse(t_be, S, &(bf_matrix_form){.format = BF_FORMAT_BDIA}, &A));
    T_OK(t_solve(A, NULL, b, NULL, &opt, &s));
    assert_int_equal(s.rep.reason, BF_KRYLOV_INTERRUPTED);
    assert_int_equal(looks, 2);
    assert_in_range(s.rep.iterations, 1, N / 2 - 1); /* CG needs N/2 */
    T_CONTAINS(s.rep.text, "interrupted: true residual");
    double rr = 0.0; /* the true residual is that of the x that came back */
    for (int i = 0; i < N; i++) {
      double r = b[i];
      for (int64_t k = S->ptr[i]; k < S->ptr[i + 1]; k++) r -= S->val[k] * s.x[S->col[k]];
      rr += r * r;
    }
    T_NEAR(sqrt(rr / N), s.rep.true_residual, 1e-12 * sqrt(rr));
    t_solution_clear(&s);
    bf_matrix_destroy(&A);
  }
  bf_sparse_destroy(&S);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(where_bicgstab_fails_and_bicg_converges_both_are_told),
      cmocka_unit_test(a_first_step_of_zero_length_is_a_breakdown),
      cmocka_unit_test(cg_on_an_unsymmetric_matrix_ends_at_its_limit),
      cmocka_unit_test(an_overflow_is_not_a_number),
      cmocka_unit_test(every_method_ends_at_its_limit),
      cmocka_unit_test(an_interrupted_iteration_keeps_its_iterate),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
