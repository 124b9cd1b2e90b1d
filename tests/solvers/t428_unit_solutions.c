/* tests/solvers/t428_unit_solutions.c - entries of the inverse at chosen rows, by three routes
 *
 * Oracles: elimination of the dense matrix in long double, and the inverse of the condensed matrix
 * S = A_bb - A_bi A_ii^-1 A_ib by bf_syinv.  usage: t428_unit_solutions <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/unit_solutions.h"
#include "tests/no_memory.h"
#include "tests/solvers/solver_case.h"

static const bf_unit_route routes[] = {BF_UNIT_INVERSE, BF_UNIT_FACTORS, BF_UNIT_ITERATIONS};

static bf_matrix *matrix_of(const bf_sparse *S)
{
  bf_matrix *A = NULL;
  T_OK(bf_matrix_from_sparse(t_be, S, &(bf_matrix_form){.format = BF_FORMAT_CSR, .ncomp = 1}, &A));
  return A;
}

/* x = A^-1 e_k by Gauss-Jordan in long double with row exchanges */
static void column_of(bf_int n, t_entry a, bf_int k, long double *x)
{
  const size_t N = (size_t)n;
  long double *M = calloc(N * (N + 1), sizeof *M);
  for (size_t i = 0; i < N; i++) {
    for (size_t j = 0; j < N; j++) M[i * (N + 1) + j] = (long double)a(n, (bf_int)i, (bf_int)j);
    M[i * (N + 1) + N] = i == (size_t)k ? 1.0L : 0.0L;
  }
  for (size_t p = 0; p < N; p++) {
    size_t best = p;
    for (size_t i = p; i < N; i++)
      if (fabsl(M[i * (N + 1) + p]) > fabsl(M[best * (N + 1) + p])) best = i;
    for (size_t j = 0; j <= N; j++) {
      const long double t   = M[p * (N + 1) + j];
      M[p * (N + 1) + j]    = M[best * (N + 1) + j];
      M[best * (N + 1) + j] = t;
    }
    for (size_t i = 0; i < N; i++) {
      const long double f = M[i * (N + 1) + p] / M[p * (N + 1) + p];
      if (i == p || f == 0.0L) continue;
      for (size_t j = p; j <= N; j++) M[i * (N + 1) + j] -= f * M[p * (N + 1) + j];
    }
  }
  for (size_t i = 0; i < N; i++) x[i] = M[i * (N + 1) + N] / M[i * (N + 1) + i];
  free(M);
}

/* A(i, i) alone for every fifth row, as constrained unknowns have. */
static double clamped(bf_int n, bf_int i, bf_int j)
{
  if (i == j) return t_laplace(n, i, j);
  return i % 5 == 2 || j % 5 == 2 ? 0.0 : t_laplace(n, i, j);
}

static void every_route_gives_entries_of_the_inverse(void **state)
{
  enum { N = T_NX * 5, M = 6 };
  static const bf_int row[M] = {3, 40, 0, 84, 41, 17};
  t_entry             kind[] = {t_laplace, clamped};
  (void)state;
  for (int k = 0; k < 2; k++) {
    bf_sparse             *S   = t_sparse(N, kind[k]);
    bf_matrix             *A   = matrix_of(S);
    const bf_solve_options opt = t_options(BF_METHOD_CG, BF_PRECOND_JACOBI, 1e-13);
    long double            x[N];
    double                 F[M * M];
    bf_unit_report         rep;
    for (int r = 0; r < 3; r++) {
      if (routes[r] == BF_UNIT_FACTORS && t_be->ops.on_device) {
        T_ERR(BF_E_UNSUPPORTED, bf_unit_solutions(A, NULL, &opt, routes[r], M, row, F, &rep));
        continue;
      }
      T_OK(bf_unit_solutions(A, NULL, &opt, routes[r], M, row, F, &rep));
      if (rep.reason != BF_KRYLOV_CONVERGED) fail_msg("route %d: %s", r, rep.text);
      for (int j = 0; j < M; j++) {
        column_of(N, kind[k], row[j], x);
        for (int i = 0; i < M; i++) {
          T_NEAR(F[j * M + i], (double)x[row[i]], routes[r] == BF_UNIT_ITERATIONS ? 1e-11 : 1e-14);
          assert_memory_equal(&F[j * M + i], &F[i * M + j], sizeof(double));
        }
      }
      assert_int_equal(rep.route, routes[r]);
      if (r == 0 && k == 1) assert_int_equal(rep.order, N - N / 5 + 1); /* row 17 is clamped, but asked for */
      if (r == 0) assert_true(rep.inverse.bound < 1e-9);
      T_LE(rep.asymmetry, 1e-10);
      assert_true(r == 0 || rep.iterations >= M);
    }
    bf_matrix_destroy(&A);
    bf_sparse_destroy(&S);
  }
}

/* F is the inverse of the condensed matrix: eliminates all rows but those of F in long double. */
static void it_is_the_inverse_of_the_condensed_matrix(void **state)
{
  enum { N = T_NX * 4, M = 5 };
  static const bf_int row[M] = {1, 8, 33, 50, 67};
  bf_sparse          *S      = t_sparse(N, t_laplace);
  bf_matrix          *A      = matrix_of(S);
  bf_syinv_how        how    = {.uplo = BF_LOWER};
  bf_syinv_report     inverse;
  bf_unit_report      rep;
  size_t              bytes;
  long double         K[N][N];
  double              F[M * M], C[M * M];
  void               *work = NULL, *c;
  (void)state;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) K[i][j] = (long double)t_laplace(N, i, j);
  for (int p = 0; p < N; p++) {
    int kept = 0;
    for (int k = 0; k < M; k++) kept |= row[k] == p;
    for (int i = 0; i < N && !kept; i++)
      for (int j = 0; j < N && i != p; j++)
        if (j != p) K[i][j] -= K[i][p] * K[p][j] / K[p][p];
    for (int i = 0; i < N && !kept; i++)
      if (i != p) K[i][p] = K[p][i] = 0.0L;
  }
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++) C[j * M + i] = (double)K[row[i]][row[j]];
  T_OK(bf_syinv_work(t_be, &how, BF_D, M, &bytes));
  T_OK(t_be->ops.alloc(t_be, bytes, &work));
  c = t_to_backend(C, sizeof C);
  T_OK(bf_syinv(t_be, &how, BF_D, M, M, c, work, &inverse));
  t_to_host(C, c, sizeof C);
  const bf_solve_options opt = t_options(BF_METHOD_CG, BF_PRECOND_JACOBI, 1e-13);
  T_OK(bf_unit_solutions(A, NULL, &opt, BF_UNIT_ITERATIONS, M, row, F, &rep));
  for (int k = 0; k < M * M; k++) T_NEAR(F[k], C[k], 1e-11);
  t_be->ops.release(t_be, c);
  t_be->ops.release(t_be, work);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
}

static void a_singular_matrix_and_a_limit_are_named(void **state)
{
  enum { N = 40 };
  const bf_int     row[2] = {0, 39};
  bf_sparse       *S      = t_sparse(N, t_neumann);
  bf_matrix       *A      = matrix_of(S);
  bf_solve_options opt    = t_options(BF_METHOD_CG, BF_PRECOND_JACOBI, 1e-13);
  double           F[4];
  bf_unit_report   rep;
  (void)state;
  for (int r = 0; r < 3; r++) {
    if (routes[r] == BF_UNIT_FACTORS && t_be->ops.on_device) continue;
    T_OK(bf_unit_solutions(A, NULL, &opt, routes[r], 2, row, F, &rep));
    assert_int_not_equal(rep.reason, BF_KRYLOV_CONVERGED);
    assert_true(rep.text[0] != '\0');
  }
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
  S                  = t_sparse(T_NX * 5, t_laplace);
  A                  = matrix_of(S);
  opt.max_iterations = 2;
  T_OK(bf_unit_solutions(A, NULL, &opt, BF_UNIT_ITERATIONS, 2, row, F, &rep));
  assert_int_equal(rep.reason, BF_KRYLOV_LIMIT);
  assert_int_equal(rep.column, 0);
  T_CONTAINS(rep.text, "iteration limit");
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
}

static void the_route_follows_method_and_size(void **state)
{
  (void)state;
  assert_int_equal(bf_unit_route_of(BF_METHOD_CG, 2048), BF_UNIT_INVERSE);
  assert_int_equal(bf_unit_route_of(BF_METHOD_CG, 2049), BF_UNIT_ITERATIONS);
  assert_int_equal(bf_unit_route_of(BF_METHOD_DIRECT, 2049), BF_UNIT_FACTORS);
  assert_int_equal(bf_unit_route_of(BF_METHOD_INVERSE, 30000), BF_UNIT_INVERSE);
  assert_string_equal(bf_unit_route_name(BF_UNIT_INVERSE), "inverse");
  assert_string_equal(bf_unit_route_name(BF_UNIT_FACTORS), "factors");
  assert_string_equal(bf_unit_route_name(BF_UNIT_ITERATIONS), "iterations");
}

static void mistakes_are_refused(void **state)
{
  const bf_int           none[1] = {-1}, far[1] = {34};
  bf_sparse             *S   = t_sparse(34, t_laplace);
  bf_matrix             *A   = matrix_of(S);
  const bf_solve_options opt = t_options(BF_METHOD_CG, BF_PRECOND_JACOBI, 1e-13);
  double                 F[1];
  bf_unit_report         rep;
  (void)state;
  T_ERR(BF_E_ARG, bf_unit_solutions(A, NULL, &opt, BF_UNIT_INVERSE, 1, none, F, &rep));
  T_ERR(BF_E_ARG, bf_unit_solutions(A, NULL, &opt, BF_UNIT_INVERSE, 1, far, F, &rep));
  T_ERR(BF_E_ARG, bf_unit_solutions(A, NULL, &opt, BF_UNIT_INVERSE, 0, far, F, &rep));
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
}

static void every_failed_allocation_is_an_error(void **state)
{
  const bf_int           row[3] = {0, 5, 33};
  bf_sparse             *S      = t_sparse(34, t_laplace);
  bf_matrix             *A      = matrix_of(S);
  const bf_solve_options opt    = t_options(BF_METHOD_CG, BF_PRECOND_JACOBI, 1e-13);
  (void)state;
  for (int r = 0; r < 3; r++) {
    t_no_memory t = {0};
    if (routes[r] == BF_UNIT_FACTORS && t_be->ops.on_device) continue;
    while (t_no_memory_next(&t)) {
      double         F[9];
      bf_unit_report rep;
      t_no_memory_begin(&t);
      t_no_memory_end(&t, bf_unit_solutions(A, NULL, &opt, routes[r], 3, row, F, &rep));
    }
    assert_true(t.failed >= 4);
  }
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_route_gives_entries_of_the_inverse),
      cmocka_unit_test(it_is_the_inverse_of_the_condensed_matrix),
      cmocka_unit_test(a_singular_matrix_and_a_limit_are_named),
      cmocka_unit_test(the_route_follows_method_and_size),
      cmocka_unit_test(mistakes_are_refused),
      cmocka_unit_test(every_failed_allocation_is_an_error),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
