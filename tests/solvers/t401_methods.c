/* tests/solvers/t401_methods.c - every method on every format, storage and precision finds what the
 * factorisation finds usage: t401_methods <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/reference/dense.h"
#include "tests/solvers/solver_forms.h"

enum { ROWS = 12, N = T_NX * ROWS };

static double *right_hand_side(uint64_t seed)
{
  return t_random_vector(N, &seed);
}

/* x is the factorisation's up to what the tolerance leaves: |x - x*| <= cond * rtol |x*|, cond about 100
 * here. */
static void near_solution(const t_solution *s, const t_solution *want, double within)
{
  double error = 0.0, size = 0.0;
  for (int i = 0; i < N; i++) {
    error += (s->x[i] - want->x[i]) * (s->x[i] - want->x[i]);
    size += want->x[i] * want->x[i];
  }
  T_LE(sqrt(error), within * sqrt(size));
}

static void converges(const bf_matrix *A, const bf_matrix *fast, const double *b, const bf_solve_options *opt,
                      const t_solution *want)
{
  t_solution one = {.x = NULL}, two = {.x = NULL};
  T_OK(t_solve(A, fast, b, NULL, opt, &one));
  if (one.rep.reason != BF_KRYLOV_CONVERGED)
    fail_msg("%s on %s: %s", bf_method_name(opt->method), bf_format_word(A->format), one.rep.text);
  T_LE(one.rep.true_residual, opt->rtol);
  near_solution(&one, want, 200.0 * opt->rtol);
  T_OK(t_solve(A, fast, b, NULL, opt, &two)); /* the same bits again */
  assert_memory_equal(one.x, two.x, N * sizeof(double));
  assert_int_equal(one.rep.iterations, two.rep.iterations);
  assert_memory_equal(one.rep.history, two.rep.history, (size_t)one.rep.nhistory * sizeof(double));
  t_solution_clear(&one);
  t_solution_clear(&two);
}

/* All forms the matrix can have, with and without Jacobi, fp64 and fp32 values. */
static void solve_all(t_entry a, int symmetric, const bf_method *method, int nmethods)
{
  double    *b    = right_hand_side(5);
  bf_sparse *S    = t_sparse(N, a);
  t_solution want = t_direct(S, 1, b, NULL);
  for (int f = 0; f < T_FORMS; f++) {
    if (t_forms[f].half && !symmetric) continue;
    bf_matrix *A = t_stored(S, &t_forms[f], BF_FP64), *A32 = t_stored(S, &t_forms[f], BF_FP32);
    for (int m = 0; m < nmethods * 4; m++) {
      T_ONE_OF(29);
      const bf_solve_options opt =
          t_options(method[m / 4], m & 1 ? BF_PRECOND_JACOBI : BF_PRECOND_NONE, 1e-10);
      converges(A, m & 2 ? A32 : NULL, b, &opt, &want);
    }
    bf_matrix_destroy(&A);
    bf_matrix_destroy(&A32);
  }
  t_solution_clear(&want);
  bf_sparse_destroy(&S);
  free(b);
}

static void positive_definite_systems_are_solved_by_every_method(void **state)
{
  (void)state;
  solve_all(t_definite, 1, (const bf_method[]){BF_METHOD_CG, BF_METHOD_BICGSTAB, BF_METHOD_BICG}, 3);
}

static void unsymmetric_systems_by_bicgstab_and_bicg(void **state)
{
  (void)state;
  solve_all(t_windy, 0, (const bf_method[]){BF_METHOD_BICGSTAB, BF_METHOD_BICG}, 2);
}

static double shifted(bf_int n, bf_int i, bf_int j) /* symmetric, a few negative eigenvalues */
{
  return t_laplace(n, i, j) - (i == j ? 0.45 : 0.0);
}

static void indefinite_symmetric_systems_by_bicg_and_named_by_cg(void **state)
{
  (void)state;
  T_LONG;
  double    *b    = right_hand_side(6);
  bf_sparse *S    = t_sparse(N, shifted);
  t_solution want = t_direct(S, 1, b, NULL), s = {.x = NULL};
  T_CONTAINS(want.rep.text, "not positive definite");
  for (int f = 0; f < T_FORMS; f++) {
    bf_matrix       *A   = t_stored(S, &t_forms[f], BF_FP64);
    bf_solve_options opt = t_options(BF_METHOD_BICG, BF_PRECOND_NONE, 1e-9);
    T_OK(t_solve(A, NULL, b, NULL, &opt, &s));
    assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
    near_solution(&s, &want, 1e-5);
    t_solution_clear(&s);
    opt.method = BF_METHOD_CG;
    T_OK(t_solve(A, NULL, b, NULL, &opt, &s));
    assert_int_equal(s.rep.reason, BF_KRYLOV_INDEFINITE);
    t_solution_clear(&s);
    bf_matrix_destroy(&A);
  }
  t_solution_clear(&want);
  bf_sparse_destroy(&S);
  free(b);
}

/* The kernel of a chain that nothing holds are the constants: b has a solution if its sum is 0. */
static void a_consistent_singular_system_is_solved_and_an_inconsistent_one_is_not(void **state)
{
  (void)state;
  T_LONG;
  double    *b = right_hand_side(7), sum = 0.0;
  bf_sparse *S = t_sparse(N, t_neumann);
  t_solution s = {.x = NULL};
  for (int i = 0; i < N; i++) sum += b[i];
  for (int i = 0; i < N; i++) b[i] -= sum / N;
  for (int f = 0; f < T_FORMS; f++)
    for (int m = 0; m < 3; m++) {
      bf_matrix             *A   = t_stored(S, &t_forms[f], BF_FP64);
      const bf_solve_options opt = t_options((bf_method)m, BF_PRECOND_NONE, 1e-8);
      T_OK(t_solve(A, NULL, b, NULL, &opt, &s));
      if (m == BF_METHOD_CG) {
        assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
        for (int i = 1; i < N - 1; i++) T_NEAR(2.0 * s.x[i] - s.x[i - 1] - s.x[i + 1], b[i], 1e-7);
      }
      t_solution_clear(&s);
      b[3] += 1.0;
      T_OK(t_solve(A, NULL, b, NULL, &opt, &s));
      b[3] -= 1.0;
      assert_true(s.rep.reason != BF_KRYLOV_CONVERGED && s.rep.reason != BF_KRYLOV_RUNNING);
      assert_true(s.rep.true_residual > 1e-3); /* what no x can take away: 1/sqrt(N) of |b| */
      T_CONTAINS(s.rep.text, bf_reason_name(s.rep.reason));
      t_solution_clear(&s);
      bf_matrix_destroy(&A);
    }
  bf_sparse_destroy(&S);
  free(b);
}

static void a_zero_right_hand_side_and_an_exact_start_take_no_iteration(void **state)
{
  (void)state;
  double     zero[N] = {0.0}, *start = right_hand_side(8), *b = right_hand_side(9);
  bf_sparse *S = t_sparse(N, t_laplace);
  t_solution s = {.x = NULL}, exact = t_direct(S, 1, b, NULL);
  for (int f = 0; f < T_FORMS; f++)
    for (int m = 0; m < 4; m++) {
      T_ONE_OF(7);
      bf_matrix             *A   = t_stored(S, &t_forms[f], BF_FP64);
      const bf_solve_options opt = t_options((bf_method)m, BF_PRECOND_JACOBI, 1e-10);
      if (m == BF_METHOD_DIRECT && t_be->ops.on_device) {
        bf_matrix_destroy(&A);
        continue;
      }
      T_OK(t_solve(A, NULL, zero, start, &opt, &s)); /* whatever the start */
      assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
      assert_int_equal(s.rep.iterations, 0);
      for (int i = 0; i < N; i++) assert_true(s.x[i] == 0.0);
      t_solution_clear(&s);
      T_OK(t_solve(A, NULL, b, exact.x, &opt, &s));
      assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
      assert_int_equal(s.rep.iterations, 0);
      assert_memory_equal(s.x, exact.x, N * sizeof(double));
      t_solution_clear(&s);
      bf_matrix_destroy(&A);
    }
  t_solution_clear(&exact);
  bf_sparse_destroy(&S);
  free(start);
  free(b);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(positive_definite_systems_are_solved_by_every_method),
      cmocka_unit_test(unsymmetric_systems_by_bicgstab_and_bicg),
      cmocka_unit_test(indefinite_symmetric_systems_by_bicg_and_named_by_cg),
      cmocka_unit_test(a_consistent_singular_system_is_solved_and_an_inconsistent_one_is_not),
      cmocka_unit_test(a_zero_right_hand_side_and_an_exact_start_take_no_iteration),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
