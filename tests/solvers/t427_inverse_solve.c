/* tests/solvers/t427_inverse_solve.c - bf_solve with method inverse: solutions, bounds of their error,
 * verdicts
 *
 * Oracles: known solutions, and the factorisation of a band (method direct).  usage: t427_inverse_solve
 * <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/no_memory.h"
#include "tests/solvers/solver_case.h"

static bf_matrix *matrix_of(const bf_sparse *S, bf_format format, int half)
{
  bf_matrix *A = NULL;
  T_OK(bf_matrix_from_sparse(t_be, S, &(bf_matrix_form){.format = format, .half = half, .ncomp = 1}, &A));
  return A;
}

/* Largest difference over the largest entry of want. */
static double error_of(bf_int n, const double *x, const double *want)
{
  double most = 0.0, size = 0.0;
  for (bf_int i = 0; i < n; i++) {
    most = fmax(most, fabs(x[i] - want[i]));
    size = fmax(size, fabs(want[i]));
  }
  return most / size;
}

/* b in long double, rounded: the solution of the rounded system differs from want by cond(A) u. */
static void right_side(bf_int n, t_entry a, const double *want, double *b)
{
  for (bf_int i = 0; i < n; i++) {
    long double sum = 0.0L;
    for (bf_int j = 0; j < n; j++) sum += (long double)a(n, i, j) * (long double)want[j];
    b[i] = (double)sum;
  }
}

static t_solution solve(bf_int n, t_entry a, const double *b, int fp32)
{
  const bf_solve_options opt = t_options(BF_METHOD_INVERSE, BF_PRECOND_NONE, 1e-12);
  bf_sparse             *S   = t_sparse(n, a);
  bf_matrix             *A = matrix_of(S, BF_FORMAT_CSR, 0), *fast = NULL;
  t_solution             s;
  if (fp32) T_OK(bf_matrix_to_fp32(A, &fast));
  T_OK(t_solve(A, fast, b, NULL, &opt, &s));
  bf_matrix_destroy(&fast);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
  return s;
}

/* Small whole numbers: A, x and b are exact. */
static double whole(bf_int n, bf_int i, bf_int j)
{
  const bf_int low = i < j ? i : j, high = i < j ? j : i;
  (void)n;
  return i == j ? 20.0 + i % 5 : (double)((low * 7 + high * 3) % 5 - 2) * (high - low < 9);
}
static double whole_indefinite(bf_int n, bf_int i, bf_int j)
{
  return i == j && i % 2 ? -whole(n, i, j) : whole(n, i, j);
}

static void known_solutions_are_within_the_bound(void **state)
{
  static const bf_int order[] = {1, 2, 3, 31, 32, 33, 65, 129, 300};
  t_entry             kind[]  = {whole, whole_indefinite};
  (void)state;
  for (size_t k = 0; k < sizeof order / sizeof *order; k++)
    for (int f = 0; f < 2; f++)
      for (int fp32 = 0; fp32 < 2; fp32++) {
        const bf_int n = order[k];
        double       want[300], b[300];
        T_ONE_OF(3);
        for (bf_int i = 0; i < n; i++) want[i] = 1.0 + i % 7;
        right_side(n, kind[f], want, b);
        t_solution s = solve(n, kind[f], b, fp32);
        if (s.rep.reason != BF_KRYLOV_CONVERGED) fail_msg("n=%d: %s", (int)n, s.rep.text);
        T_LE(error_of(n, s.x, want), s.rep.forward_error);
        T_LE(s.rep.forward_error, 1e-13);
        assert_true(s.rep.condition >= 0.999);
        t_solution_clear(&s);
      }
}

static void the_factorisation_gives_the_same(void **state)
{
  enum { N = T_NX * 9 };
  double b[N];
  (void)state;
  for (bf_int i = 0; i < N; i++) b[i] = sin(i + 1.0);
  bf_sparse *S = t_sparse(N, t_saddle);
  t_solution s = solve(N, t_saddle, b, 0), d = t_direct(S, 1, b, NULL);
  assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
  T_LE(error_of(N, s.x, d.x), 1e-14);
  t_solution_clear(&s);
  t_solution_clear(&d);
  bf_sparse_destroy(&S);
}

/* Planted: an x moved by more than the bound is seen by it. */
static void the_bound_is_not_far_from_the_error(void **state)
{
  enum { N = 65 };
  double want[N], b[N];
  (void)state;
  for (bf_int i = 0; i < N; i++) want[i] = 1.0 + i % 7;
  right_side(N, whole, want, b);
  t_solution s = solve(N, whole, b, 0);
  s.x[5] += 1e-12;
  assert_true(error_of(N, s.x, want) > s.rep.forward_error);
  t_solution_clear(&s);
}

static void every_storage_gives_the_same_bits(void **state)
{
  enum { N = T_NX * 9 };
  static const bf_format format[] = {BF_FORMAT_BDIA, BF_FORMAT_BDIA, BF_FORMAT_CSR16, BF_FORMAT_ELL,
                                     BF_FORMAT_COO};
  const bf_solve_options opt      = t_options(BF_METHOD_INVERSE, BF_PRECOND_NONE, 1e-12);
  double                 b[N];
  (void)state;
  for (bf_int i = 0; i < N; i++) b[i] = cos(i + 1.0);
  bf_sparse *S     = t_sparse(N, t_laplace);
  t_solution first = solve(N, t_laplace, b, 0);
  for (size_t k = 0; k < sizeof format / sizeof *format; k++) {
    t_solution s;
    bf_matrix *A = matrix_of(S, format[k], k == 1);
    T_OK(t_solve(A, NULL, b, NULL, &opt, &s));
    assert_memory_equal(s.x, first.x, sizeof b);
    t_solution_clear(&s);
    bf_matrix_destroy(&A);
  }
  t_solution_clear(&first);
  bf_sparse_destroy(&S);
}

static void singular_and_ill_conditioned_matrices_are_named(void **state)
{
  enum { N = 40 };
  double b[N];
  (void)state;
  for (bf_int i = 0; i < N; i++) b[i] = i == 0 ? 1.0 : 0.0;
  t_solution s = solve(N, t_neumann, b, 0);
  if (s.rep.reason == BF_KRYLOV_SINGULAR)
    T_CONTAINS(s.rep.text, "singular matrix: no usable pivot");
  else
    assert_int_equal(s.rep.reason, BF_KRYLOV_ILL_CONDITIONED);
  assert_true(!(s.rep.forward_error < 1.0));
  t_solution_clear(&s);
}

static double small(bf_int n, bf_int i, bf_int j) /* 1e-310: the inverse overflows */
{
  (void)n;
  return i == j ? 1e-310 : 0.0;
}
static void an_inverse_that_overflows_is_named(void **state)
{
  double b[4] = {1.0, 1.0, 1.0, 1.0};
  (void)state;
  t_solution s = solve(4, small, b, 0);
  assert_true(s.rep.reason == BF_KRYLOV_NAN || (t_be->ops.on_device && s.rep.reason == BF_KRYLOV_SINGULAR));
  if (s.rep.reason == BF_KRYLOV_NAN) T_CONTAINS(s.rep.text, "the inverse is not finite");
  t_solution_clear(&s);
}

static void unsymmetric_matrices_are_refused(void **state)
{
  enum { N = 34 };
  const bf_solve_options opt = t_options(BF_METHOD_INVERSE, BF_PRECOND_NONE, 1e-12);
  double                 b[N];
  t_solution             s;
  (void)state;
  for (bf_int i = 0; i < N; i++) b[i] = 1.0;
  bf_sparse *S = t_sparse(N, t_wind);
  bf_matrix *A = matrix_of(S, BF_FORMAT_CSR, 0);
  T_ERR(BF_E_ARG, t_solve(A, NULL, b, NULL, &opt, &s));
  t_solution_clear(&s);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
}

static double rounded(bf_int n, bf_int i, bf_int j)
{
  return whole(n, i, j) * (i > j ? 1.0 + 4.0 * 0x1p-52 : 1.0);
}
static void symmetric_to_rounding_is_solved_within_the_bound(void **state)
{
  enum { N = 65 };
  double want[N], b[N];
  (void)state;
  for (bf_int i = 0; i < N; i++) want[i] = 1.0 + i % 7;
  right_side(N, rounded, want, b);
  t_solution s = solve(N, rounded, b, 0);
  assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
  T_LE(error_of(N, s.x, want), s.rep.forward_error + 4e-16); /* b is rounded */
  T_LE(s.rep.forward_error, 1e-13);
  t_solution_clear(&s);
}

static void a_zero_right_side_gives_zero(void **state)
{
  double b[33] = {0.0};
  (void)state;
  t_solution s = solve(33, whole, b, 0);
  for (int i = 0; i < 33; i++) assert_true(s.x[i] == 0.0);
  assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
  t_solution_clear(&s);
}

static void every_failed_allocation_is_an_error(void **state)
{
  const bf_solve_options opt = t_options(BF_METHOD_INVERSE, BF_PRECOND_NONE, 1e-12);
  double                 b[33], x[33];
  t_no_memory            t = {0};
  (void)state;
  for (int i = 0; i < 33; i++) b[i] = 1.0;
  bf_sparse *S  = t_sparse(33, whole);
  bf_matrix *A  = matrix_of(S, BF_FORMAT_CSR, 0);
  double    *db = NULL, *dx = NULL;
  T_OK(bf_vector_create(t_be, 33, A->guard, &db));
  T_OK(bf_vector_create(t_be, 33, A->guard, &dx));
  T_OK(t_be->ops.copy(t_be, db, b, sizeof b, BF_TO_DEVICE));
  while (t_no_memory_next(&t)) {
    bf_solve_report rep;
    T_OK(t_be->ops.zero(t_be, dx, sizeof x));
    t_no_memory_begin(&t);
    t_no_memory_end(&t, bf_solve(A, NULL, db, dx, &opt, &rep));
    bf_solve_report_clear(&rep);
  }
  assert_true(t.failed >= 8);
  bf_vector_destroy(t_be, A->guard, &db);
  bf_vector_destroy(t_be, A->guard, &dx);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_solutions_are_within_the_bound),
      cmocka_unit_test(the_factorisation_gives_the_same),
      cmocka_unit_test(the_bound_is_not_far_from_the_error),
      cmocka_unit_test(every_storage_gives_the_same_bits),
      cmocka_unit_test(singular_and_ill_conditioned_matrices_are_named),
      cmocka_unit_test(an_inverse_that_overflows_is_named),
      cmocka_unit_test(unsymmetric_matrices_are_refused),
      cmocka_unit_test(symmetric_to_rounding_is_solved_within_the_bound),
      cmocka_unit_test(a_zero_right_side_gives_zero),
      cmocka_unit_test(every_failed_allocation_is_an_error),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
