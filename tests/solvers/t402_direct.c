/* tests/solvers/t402_direct.c - the factorisation against Gauss elimination in long double; its report of
 * matrices that have none usage: t402_direct <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/no_memory.h"
#include "tests/reference/dense.h"
#include "tests/solvers/solver_case.h"
#include <float.h>

/* Gauss elimination with row exchanges in long double: an oracle that shares no code. */
static double *gauss(bf_int n, t_entry a, const double *b)
{
  const size_t N = (size_t)n, w = N + 1;
  long double *m = calloc(N * w, sizeof *m);
  double      *x = malloc(N * sizeof *x);
  for (size_t i = 0; i < N; i++) {
    for (size_t j = 0; j < N; j++) m[i * w + j] = (long double)a(n, (bf_int)i, (bf_int)j);
    m[i * w + N] = (long double)b[i];
  }
  for (size_t k = 0; k < N; k++) {
    size_t best = k;
    for (size_t i = k + 1; i < N; i++)
      if (fabsl(m[i * w + k]) > fabsl(m[best * w + k])) best = i;
    for (size_t j = k; j < w; j++) {
      const long double t = m[k * w + j];
      m[k * w + j]        = m[best * w + j];
      m[best * w + j]     = t;
    }
    for (size_t i = k + 1; i < N; i++) {
      const long double f = m[i * w + k] / m[k * w + k];
      for (size_t j = k; j < w && f != 0.0L; j++) m[i * w + j] -= f * m[k * w + j];
    }
  }
  for (size_t k = N; k-- > 0;) {
    long double s = m[k * w + N];
    for (size_t j = k + 1; j < N; j++) s -= m[k * w + j] * (long double)x[j];
    x[k] = (double)(s / m[k * w + k]);
  }
  free(m);
  return x;
}

static void expect_solved(bf_int n, t_entry a, int ncomp, const char *how)
{
  uint64_t seed = 3;
  double  *b = t_random_vector((size_t)n, &seed), *x0 = t_random_vector((size_t)n, &seed),
         *want = gauss(n, a, b);
  bf_sparse *S = t_sparse(n, a);
  for (int start = 0; start < 2; start++) {
    t_solution s = t_direct(S, ncomp, b, start ? x0 : NULL);
    assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
    T_CONTAINS(s.rep.text, how);
    T_LE(s.rep.true_residual, 1e-14);
    assert_int_equal(s.rep.nhistory, s.rep.iterations + 1);
    for (bf_int i = 0; i < n; i++) T_NEAR(s.x[i], want[i], 1e-11);
    t_solution_clear(&s);
  }
  bf_sparse_destroy(&S);
  free(b), free(x0), free(want);
}

static void symmetric_positive_definite_systems_are_solved_by_cholesky(void **state)
{
  (void)state;
  expect_solved(1, t_laplace, 1, "Cholesky of 1 rows");
  expect_solved(T_NX * 12, t_laplace, 1, "Cholesky");
  expect_solved(T_NX * 12, t_laplace, 3, "Cholesky");
}

static void indefinite_and_unsymmetric_ones_by_lu(void **state)
{
  (void)state;
  expect_solved(T_NX * 12, t_wind, 1, "; LU of");
  expect_solved(T_NX * 12, t_wind, 2, "; LU of");
  expect_solved(T_NX * 12, t_saddle, 1, "LU");
  expect_solved(40, t_skew, 1, "LU"); /* a zero diagonal */
}

static double plane(bf_int n, bf_int i, bf_int j) /* symmetric, positive diagonal, eigenvalues 3 and -1 */
{
  (void)n;
  return i == j ? 1.0 : i / 2 == j / 2 ? 2.0 : 0.0;
}

static void a_positive_diagonal_is_tried_with_cholesky_first_and_said(void **state)
{
  (void)state;
  expect_solved(30, plane, 1, "symmetric but not positive definite, so LU");
}

/* Rows far apart in the numbering of the file, close in the one of the band. */
static double folded(bf_int n, bf_int i, bf_int j)
{
  const bf_int u = i < n / 2 ? 2 * i : 2 * (n - 1 - i) + 1, v = j < n / 2 ? 2 * j : 2 * (n - 1 - j) + 1;
  return u == v ? 3.0 : u - v == 1 || v - u == 1 ? -1.0 : 0.0;
}

static void the_band_is_that_of_a_narrow_numbering(void **state)
{
  (void)state;
  expect_solved(300, folded, 1, "half-bandwidth 1,");
}

/* Units of very different size: the condition number counts what is left after scaling. */
static double units(bf_int n, bf_int i, bf_int j)
{
  return ldexp(t_laplace(n, i, j), (i % 2 ? 40 : 0) + (j % 2 ? 40 : 0));
}

static void units_of_different_size_do_not_make_a_matrix_singular(void **state)
{
  (void)state;
  const bf_int n    = T_NX * 8;
  uint64_t     seed = 4;
  double      *b    = t_random_vector((size_t)n, &seed);
  bf_sparse   *S = t_sparse(n, units), *L = t_sparse(n, t_laplace);
  t_solution   s = t_direct(S, 1, b, NULL), l;
  assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
  for (bf_int i = 0; i < n; i++) b[i] = ldexp(b[i], i % 2 ? -40 : 0);
  l = t_direct(L, 1, b, NULL);
  for (bf_int i = 0; i < n; i++) T_NEAR(ldexp(s.x[i], i % 2 ? 40 : 0), l.x[i], 1e-12);
  t_solution_clear(&s);
  t_solution_clear(&l);
  bf_sparse_destroy(&S);
  bf_sparse_destroy(&L);
  free(b);
}

static double lost(bf_int n, bf_int i, bf_int j) /* unknown 7 is in no equation but its own, 0 = b */
{
  return i == 7 || j == 7 ? 0.0 : t_laplace(n, i, j);
}
static double twins(bf_int n, bf_int i, bf_int j) /* columns 4 and 5 are the same, unsymmetric */
{
  return t_wind(n, i, j == 5 ? 4 : j) + (i == 9 && j == 3 ? 0.5 : 0.0);
}

static void a_singular_matrix_is_named_with_a_row_of_its_kernel(void **state)
{
  (void)state;
  const bf_int n = T_NX * 3;
  double       b[T_NX * 3];
  for (bf_int i = 0; i < n; i++) b[i] = i == 7 ? 0.0 : 1.0;
  bf_sparse *N = t_sparse(n, t_neumann), *W = t_sparse(n, twins), *L = t_sparse(n, lost);
  t_solution s = t_direct(N, 1, b, NULL);
  assert_int_equal(s.rep.reason, BF_KRYLOV_SINGULAR);
  assert_in_range(s.rep.unknown, 0, n - 1);
  T_CONTAINS(s.rep.text, "singular matrix");
  for (bf_int i = 0; i < n; i++) assert_true(s.x[i] == 0.0); /* the start stays */
  t_solution_clear(&s);
  s = t_direct(W, 1, b, NULL); /* the pivot is what rounding leaves */
  assert_int_equal(s.rep.reason, BF_KRYLOV_ILL_CONDITIONED);
  assert_in_range(s.rep.unknown, 4, 5);
  t_solution_clear(&s);
  s = t_direct(L, 1, b, NULL); /* 0 x = 0 */
  assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
  assert_true(s.x[7] == 0.0);
  t_solution_clear(&s);
  bf_sparse_destroy(&N);
  bf_sparse_destroy(&W);
  bf_sparse_destroy(&L);
}

static void a_tolerance_below_rounding_is_met_as_far_as_doubles_go(void **state)
{
  (void)state;
  const bf_int           n    = 3000;
  uint64_t               seed = 6;
  double                *b    = t_random_vector((size_t)n, &seed);
  const bf_solve_options opt  = t_options(BF_METHOD_DIRECT, BF_PRECOND_NONE, 1e-16);
  bf_backend            *cpu  = NULL;
  bf_matrix             *A    = NULL;
  bf_sparse             *S    = NULL;
  bf_int                 row[9000], col[9000];
  double                 val[9000];
  int64_t                m = 0;
  for (bf_int i = 0; i < n; i++)
    for (bf_int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; j++, m++)
      row[m] = i, col[m] = j, val[m] = i == j ? 2.0 : -1.0; /* condition 1e7 */
  T_OK(bf_sparse_from_triplets(n, n, m, row, col, val, &S));
  T_OK(bf_backend_create("cpu", NULL, &cpu));
  T_OK(bf_matrix_from_sparse(cpu, S, &(bf_matrix_form){.format = BF_FORMAT_BDIA, .half = 1}, &A));
  t_solution s;
  T_OK(t_solve(A, NULL, b, NULL, &opt, &s));
  assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
  assert_true(s.rep.true_residual > 1e-16);
  T_CONTAINS(s.rep.text, "converged to rounding: relative residual ");
  assert_true(s.rep.to_rounding && s.rep.backward_error <= ldexp(4.0, -53) && s.rep.condition > 1e6);
  t_solution_clear(&s);
  bf_matrix_destroy(&A);
  bf_backend_destroy(&cpu);
  bf_sparse_destroy(&S);
  free(b);
}

static void the_forecast_is_what_the_band_takes(void **state)
{
  (void)state;
  bf_direct_cost cost;
  bf_graph      *g = NULL;
  const bf_int   n = 100;
  T_OK(bf_graph_create(n, 3 * n - 2, &g));
  int64_t m = 0;
  for (bf_int i = 0; i < n; i++) {
    for (bf_int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; j++) g->adj[m++] = j;
    g->ptr[i + 1] = m;
  }
  T_OK(bf_direct_forecast(g, 2, 1, &cost));
  assert_int_equal(cost.half, 3);
  assert_int_equal(cost.band, 200 * 4 * 8);
  T_OK(bf_direct_forecast(g, 2, 0, &cost));
  assert_int_equal(cost.band, 200 * 10 * 8 + 200 * 4);
  T_ERR(BF_E_ARG, bf_direct_forecast(NULL, 1, 1, &cost));
  bf_graph_destroy(&g);
}

static void a_device_refuses_by_name(void **state)
{
  (void)state;
  if (!t_be->ops.on_device) return;
  bf_sparse             *S     = t_sparse(20, t_laplace);
  bf_matrix             *A     = NULL;
  t_solution             s     = {.x = NULL};
  const double           b[20] = {1.0};
  const bf_solve_options opt   = t_options(BF_METHOD_DIRECT, BF_PRECOND_NONE, 1e-10);
  T_OK(bf_matrix_from_sparse(t_be, S, &(bf_matrix_form){.format = BF_FORMAT_CSR}, &A));
  T_ERR(BF_E_UNSUPPORTED, t_solve(A, NULL, b, NULL, &opt, &s));
  T_CONTAINS(bf_err_message(), "direct");
  t_solution_clear(&s);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
}

static void nothing_leaks_when_an_allocation_fails(void **state)
{
  (void)state;
  T_LONG;
  const bf_int           n   = T_NX * 4;
  bf_sparse             *S   = t_sparse(n, plane);
  bf_backend            *cpu = NULL;
  bf_matrix             *A   = NULL;
  bf_solve_report        rep = {0};
  const bf_solve_options opt = t_options(BF_METHOD_DIRECT, BF_PRECOND_JACOBI, 1e-10);
  double                *b = NULL, *x = NULL;
  T_OK(bf_backend_create("cpu", NULL, &cpu));
  T_OK(bf_matrix_from_sparse(cpu, S, &(bf_matrix_form){.format = BF_FORMAT_BDIA}, &A));
  T_OK(bf_vector_create(cpu, n, A->guard, &b));
  T_OK(bf_vector_create(cpu, n, A->guard, &x));
  b[3] = 1.0;
  T_OK(bf_solve(A, NULL, b, x, &opt, &rep)); /* the backend keeps its scratch of it */
  bf_solve_report_clear(&rep);
  t_no_memory t = {0};
  while (t_no_memory_next(&t)) {
    memset(x, 0, (size_t)n * sizeof *x);
    t_no_memory_begin(&t);
    t_no_memory_end(&t, bf_solve(A, NULL, b, x, &opt, &rep));
    bf_solve_report_clear(&rep);
  }
  assert_in_range(t.failed, 1, 198);
  bf_vector_destroy(cpu, A->guard, &b);
  bf_vector_destroy(cpu, A->guard, &x);
  bf_matrix_destroy(&A);
  bf_backend_destroy(&cpu);
  bf_sparse_destroy(&S);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(symmetric_positive_definite_systems_are_solved_by_cholesky),
      cmocka_unit_test(indefinite_and_unsymmetric_ones_by_lu),
      cmocka_unit_test(a_positive_diagonal_is_tried_with_cholesky_first_and_said),
      cmocka_unit_test(the_band_is_that_of_a_narrow_numbering),
      cmocka_unit_test(units_of_different_size_do_not_make_a_matrix_singular),
      cmocka_unit_test(a_singular_matrix_is_named_with_a_row_of_its_kernel),
      cmocka_unit_test(a_tolerance_below_rounding_is_met_as_far_as_doubles_go),
      cmocka_unit_test(the_forecast_is_what_the_band_takes),
      cmocka_unit_test(a_device_refuses_by_name),
      cmocka_unit_test(nothing_leaks_when_an_allocation_fails),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
