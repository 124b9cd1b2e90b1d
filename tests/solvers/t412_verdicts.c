/* tests/solvers/t412_verdicts.c - when CG, BiCG and BiCGStab stop, and how many iterations they are allowed
 * usage: t412_verdicts <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/iteration_limit.h"
#include "tests/reference/dense.h"
#include "tests/solvers/verdict_case.h"

/* ---- progress and stagnation ---- */

static void the_state_counts_a_new_smallest_residual_or_a_decrease_of_the_energy(void **state)
{
  (void)state;
  bf_krylov_state st = {.patience = 5, .limit = 1000, .energy = 1.0, .rr_stop = 1e-30};
  bf_krylov_begin(&st, 1.0, 1.0, BF_POSITIVE, NULL);
  for (int k = 1; k <= 100; k++) { /* 0.4 u each: every third decrease is above the rounding of the energy */
    st.rho = 1.0, st.dot[0] = 1.0 / (0.4 * BF_KRYLOV_UNIT);
    bf_krylov_end(&st, 2.0, 1.0, BF_POSITIVE, NULL);
    assert_int_equal(st.status, BF_KRYLOV_RUNNING);
    assert_int_equal(st.progress, k - k % 3);
  }
  for (int k = 0; k < 3; k++) { /* 1/16 u each: nothing for five iterations */
    st.rho = 1.0, st.dot[0] = 16.0 / BF_KRYLOV_UNIT;
    bf_krylov_end(&st, 2.0, 1.0, BF_POSITIVE, NULL);
    assert_int_equal(st.status, BF_KRYLOV_RUNNING);
  }
  bf_krylov_end(&st, 2.0, 1.0, BF_POSITIVE, NULL);
  assert_int_equal(st.status, BF_KRYLOV_STAGNATION);
  assert_int_equal(st.iteration - st.progress, 5);
}

static void without_an_energy_the_residual_counts_alone(void **state)
{
  (void)state;
  bf_krylov_state st = {.patience = 5, .limit = 1000, .energy = 1.0, .rr_stop = 1e-30};
  bf_krylov_begin(&st, 1.0, 1.0, BF_ANY_SIGN, NULL);
  for (int k = 1; k <= 8; k++) {
    st.dot[0] = 1.0;
    bf_krylov_end(&st, k == 3 ? 0.9 : 2.0, 1.0, BF_ANY_SIGN, NULL);
    assert_int_equal(st.status, k < 8 ? BF_KRYLOV_RUNNING : BF_KRYLOV_STAGNATION);
  }
  T_NEAR(st.rr_best, 0.9, 0.0);
}

/* The iterates are exact: the load reaches one point more in every iteration, and the residual keeps the norm
 * 1 until the last one. */
static void cg_goes_on_while_the_residual_does_not_decrease_but_the_energy_does(void **state)
{
  (void)state;
  T_LONG_CHAINS;
  enum { n = 2000 };
  double *b = unit(n, n - 1);
  for (int jacobi = 0; jacobi < 2; jacobi++) {
    const t_case c = {.n      = n,
                      .a      = bar,
                      .format = BF_FORMAT_BDIA,
                      .b      = b,
                      .opt    = automatic(BF_METHOD_CG, jacobi ? BF_PRECOND_JACOBI : BF_PRECOND_NONE, 1e-10)};
    t_solution   s = solve(&c);
    assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
    assert_in_range(s.rep.iterations, n, n + n / 10);
    for (int i = 0; i < n - 1; i++) T_NEAR(s.rep.history[i], 1.0, 1e-6);
    for (int i = 0; i < n; i++) T_NEAR(s.x[i], i + 1.0, 1e-7 * n);
    t_solution_clear(&s);
  }
  free(b);
}

static void cg_goes_on_while_the_residual_is_above_its_start(void **state)
{
  (void)state;
  T_LONG_CHAINS;
  enum { n = 250 };
  double      *b = unit(n, n - 1);
  long double  x[n];
  const t_case c     = {.n      = n,
                        .a      = beam,
                        .format = BF_FORMAT_CSR,
                        .opt    = automatic(BF_METHOD_CG, BF_PRECOND_JACOBI, 1e-6),
                        .b      = b};
  t_solution   s     = solve(&c);
  int          above = 0;
  assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
  for (int i = 0; i < s.rep.iterations; i++) above += s.rep.history[i] > 1.0;
  assert_true(above > 1500 && above > bf_limit_patience(n));
  deflection(n, 1.0, x);
  for (int i = 0; i < n; i++) T_NEAR(s.x[i] / (double)x[n - 1], (double)(x[i] / x[n - 1]), 1e-4);
  t_solution_clear(&s);
  free(b);
}

/* BiCG makes the iterates of CG, but computes no energy. */
static void stagnation_comes_so_many_iterations_after_the_smallest_residual(void **state)
{
  (void)state;
  T_LONG_CHAINS;
  enum { n = 250 };
  double      *b    = unit(n, n - 1);
  const t_case c    = {.n      = n,
                       .a      = beam,
                       .format = BF_FORMAT_CSR,
                       .opt    = automatic(BF_METHOD_BICG, BF_PRECOND_JACOBI, 1e-6),
                       .b      = b};
  t_solution   s    = solve(&c);
  int          best = 0;
  for (int i = 0; i < s.rep.nhistory; i++) best = s.rep.history[i] < s.rep.history[best] ? i : best;
  assert_int_equal(s.rep.reason, BF_KRYLOV_STAGNATION);
  assert_int_equal(s.rep.iterations - best, bf_limit_patience(n));
  T_CONTAINS(s.rep.text, "stagnation: true residual ");
  T_CONTAINS(s.rep.text, "no smaller residual for 1063 iterations");
  t_solution_clear(&s);
  free(b);
}

/* ---- limits ---- */

static void expect_limits(const t_case *usual)
{
  t_solution whole = solve(usual);
  const int  total = whole.rep.iterations;
  assert_int_equal(whole.rep.reason, BF_KRYLOV_CONVERGED);
  int runs = 0;
  for (int i = 1; i <= total; i++) runs += !isnan(whole.rep.true_history[i]);
  assert_true(runs > 1);
  for (int most = 0; most <= total + 1; most++) {
    T_ONE_OF(7);
    t_case c             = *usual;
    c.opt.max_iterations = most;
    t_solution s         = solve(&c);
    assert_int_equal(s.rep.limit, most);
    assert_int_equal(s.rep.iterations, most < total ? most : total);
    assert_int_equal(s.rep.reason,
                     s.rep.true_residual <= usual->opt.rtol ? BF_KRYLOV_CONVERGED : BF_KRYLOV_LIMIT);
    if (most < total - 2) assert_int_equal(s.rep.reason, BF_KRYLOV_LIMIT);
    assert_memory_equal(s.rep.history, whole.rep.history, (size_t)s.rep.nhistory * sizeof(double));
    t_solution_clear(&s);
  }
  t_solution_clear(&whole);
}

static void a_given_limit_counts_every_iteration_of_every_run(void **state)
{
  (void)state;
  enum { n = 60 };
  uint64_t seed = 9;
  double  *b = t_random_vector(n, &seed), *start = t_random_vector(n, &seed);
  for (int i = 0; i < n; i++) start[i] *= 1e7; /* its rounding errors are removed by a second run */
  for (int m = 0; m < 3; m++)
    for (int fp32 = 0; fp32 < 2; fp32++) {
      const t_case c = {.n      = n,
                        .a      = t_laplace,
                        .format = BF_FORMAT_BDIA,
                        .fp32   = fp32,
                        .b      = b,
                        .start  = start,
                        .opt    = automatic((bf_method)m, BF_PRECOND_JACOBI, 1e-12)};
      expect_limits(&c);
    }
  free(b), free(start);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_state_counts_a_new_smallest_residual_or_a_decrease_of_the_energy),
      cmocka_unit_test(without_an_energy_the_residual_counts_alone),
      cmocka_unit_test(cg_goes_on_while_the_residual_does_not_decrease_but_the_energy_does),
      cmocka_unit_test(cg_goes_on_while_the_residual_is_above_its_start),
      cmocka_unit_test(stagnation_comes_so_many_iterations_after_the_smallest_residual),
      cmocka_unit_test(a_given_limit_counts_every_iteration_of_every_run),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
