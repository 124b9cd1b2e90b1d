/* tests/solvers/t430_multigrid_cycle.c - the multigrid cycle against its formula in dense matrices; solves
 * with it; matrices that have no hierarchy
 *
 * usage: t430_multigrid_cycle <backend>
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/no_memory.h"
#include "tests/solvers/lattice_case.h"
#include "tests/solvers/solver_case.h"

static const double EVEN[3] = {1.0, 1.0, 1.0};

static bf_multigrid_options options_of(bf_coarsening coarsening, bf_cycle cycle, int degree, bf_int coarsest)
{
  return (bf_multigrid_options){
      .coarsening = coarsening, .cycle = cycle, .degree = degree, .coarsest = coarsest, .theta = 0.02};
}

static bf_multigrid *hierarchy(const bf_matrix *A, const bf_multigrid_options *o, int symmetric)
{
  bf_multigrid       *M   = NULL;
  bf_multigrid_report rep = {.nlevels = 0};
  T_OK(bf_multigrid_create(A, o, NULL, symmetric, &rep, &M));
  if (!M) fail_msg("no hierarchy: %s", rep.failure);
  return M;
}

/* m[n][n], row by row: M^-1 applied to unit vectors. */
static double *dense_cycle(const bf_matrix *A, const bf_multigrid *M)
{
  const bf_int n     = A->nrows;
  const size_t bytes = (size_t)n * sizeof(double);
  double      *m = calloc((size_t)n * (size_t)n, sizeof *m), *x = calloc((size_t)n, sizeof *x), *r = NULL,
         *z = NULL;
  T_OK(bf_vector_create(t_be, n, A->guard, &r));
  T_OK(bf_vector_create(t_be, n, A->guard, &z));
  for (bf_int c = 0; c < n; c++) {
    for (bf_int i = 0; i < n; i++) x[i] = i == c;
    T_OK(t_be->ops.copy(t_be, r, x, bytes, BF_TO_DEVICE));
    T_OK(bf_multigrid_apply(M, 0, r, z, NULL));
    T_OK(t_be->ops.copy(t_be, x, z, bytes, BF_TO_HOST));
    T_OK(t_be->ops.sync(t_be));
    for (bf_int i = 0; i < n; i++) m[(size_t)i * (size_t)n + (size_t)c] = x[i];
  }
  bf_vector_destroy(t_be, A->guard, &r);
  bf_vector_destroy(t_be, A->guard, &z);
  free(x);
  return m;
}

/* c[n][m] = a[n][k] b[k][m] */
static double *times(const double *a, const double *b, bf_int n, bf_int k, bf_int m)
{
  double *c = calloc((size_t)n * (size_t)m, sizeof *c);
  for (bf_int i = 0; i < n; i++)
    for (bf_int l = 0; l < k; l++)
      for (bf_int j = 0; j < m; j++)
        c[(size_t)i * (size_t)m + (size_t)j] +=
            a[(size_t)i * (size_t)k + (size_t)l] * b[(size_t)l * (size_t)m + (size_t)j];
  return c;
}

/* x = S b from 0: the three-term recurrence with the table of Lottes, written out for one vector. */
static void smooth(const double *a, bf_int n, double lambda, int degree, const double *b, double *x)
{
  static const double beta[3][3] = {
      {1.125}, {1.02387287570313, 1.26408905371085}, {1.00842544782028, 1.08867839208730, 1.33753125909618}};
  double *r = malloc((size_t)n * sizeof *r), *z = calloc((size_t)n, sizeof *z);
  memcpy(r, b, (size_t)n * sizeof *r);
  memset(x, 0, (size_t)n * sizeof *x);
  for (int k = 1; k <= degree; k++) {
    for (bf_int i = 0; i < n; i++) {
      const double d = a[(size_t)i * (size_t)n + (size_t)i];
      z[i] =
          (2.0 * k - 3.0) / (2.0 * k + 1.0) * z[i] + (8.0 * k - 4.0) / ((2.0 * k + 1.0) * lambda) * r[i] / d;
      x[i] += beta[degree - 1][k - 1] * z[i];
    }
    for (bf_int i = 0; i < n; i++)
      for (bf_int j = 0; j < n; j++) r[i] -= a[(size_t)i * (size_t)n + (size_t)j] * z[j];
  }
  free(r);
  free(z);
}

/* One column of the cycle of two levels: S, correction by X = A_c^-1, S again. */
static void two_levels(const double *a, const double *p, const double *X, bf_int n, bf_int nc, double lambda,
                       int degree, double *x)
{
  double *b = malloc((size_t)n * sizeof *b), *r = malloc((size_t)n * sizeof *r),
         *y = malloc((size_t)n * sizeof *y);
  double *c = calloc((size_t)nc, sizeof *c);
  memcpy(b, x, (size_t)n * sizeof *b);
  smooth(a, n, lambda, degree, b, x);
  for (int again = 0; again < 2; again++) {
    for (bf_int i = 0; i < n; i++) {
      r[i] = b[i];
      for (bf_int j = 0; j < n; j++) r[i] -= a[(size_t)i * (size_t)n + (size_t)j] * x[j];
    }
    if (again) break;
    for (bf_int k = 0; k < nc; k++)
      for (bf_int i = 0; i < n; i++) c[k] += p[(size_t)i * (size_t)nc + (size_t)k] * r[i];
    for (bf_int i = 0; i < n; i++)
      for (bf_int k = 0; k < nc; k++)
        for (bf_int l = 0; l < nc; l++)
          x[i] += p[(size_t)i * (size_t)nc + (size_t)k] * X[(size_t)k * (size_t)nc + (size_t)l] * c[l];
  }
  smooth(a, n, lambda, degree, r, y);
  for (bf_int i = 0; i < n; i++) x[i] += y[i];
  free(b);
  free(r);
  free(y);
  free(c);
}

static void a_cycle_of_two_levels_is_its_formula(void **state)
{
  (void)state;
  for (int degree = 1; degree <= 3; degree++) {
    const bf_int               n[3] = {5, 4, 3};
    t_lattice                  L    = t_lattice_random(n, 1, 1, EVEN, NULL, 5);
    bf_matrix                 *A    = t_lattice_matrix(&L);
    const bf_multigrid_options o    = options_of(BF_COARSENING_PLANES, BF_CYCLE_V, degree, 20);
    bf_multigrid              *M    = hierarchy(A, &o, 1);
    assert_int_equal(M->nlevels, 2);
    const bf_int nc = M->level[1].n, rows = L.rows;
    double      *p = t_transfer_dense(&M->level[0].T, rows, nc, 0), *m = dense_cycle(A, M);
    double      *X = malloc((size_t)nc * (size_t)nc * sizeof *X), *x = malloc((size_t)rows * sizeof *x);
    t_to_host(X, M->inverse, (size_t)nc * (size_t)nc * sizeof *X);
    for (bf_int c = 0; c < rows; c++) {
      for (bf_int i = 0; i < rows; i++) x[i] = i == c;
      two_levels(L.a, p, X, rows, nc, M->level[0].lambda, degree, x);
      for (bf_int i = 0; i < rows; i++) T_NEAR(m[(size_t)i * (size_t)rows + (size_t)c], x[i], 2e-6);
    }
    free(p), free(m), free(X), free(x);
    bf_multigrid_destroy(&M);
    bf_matrix_destroy(&A);
    t_lattice_free(&L);
  }
}

/* The coarsest matrix times its inverse is the unit matrix. */
static void the_coarsest_inverse_is_that_of_the_coarse_matrix(void **state)
{
  (void)state;
  const bf_int               n[3] = {4, 4, 3};
  t_lattice                  L    = t_lattice_random(n, 2, 1, EVEN, NULL, 9);
  bf_matrix                 *A    = t_lattice_matrix(&L);
  const bf_multigrid_options o    = options_of(BF_COARSENING_AUTO, BF_CYCLE_V, 2, 500);
  bf_multigrid              *M    = hierarchy(A, &o, 1);
  assert_int_equal(M->nlevels, 1);
  const size_t rows = (size_t)L.rows;
  double      *X    = malloc(rows * rows * sizeof *X);
  t_to_host(X, M->inverse, rows * rows * sizeof *X);
  double *one = times(L.a, X, L.rows, L.rows, L.rows);
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < rows; j++) T_NEAR(one[i * rows + j], i == j ? 1.0 : 0.0, 1e-12);
  free(X), free(one);
  bf_multigrid_destroy(&M);
  bf_matrix_destroy(&A);
  t_lattice_free(&L);
}

static void cycles_are_symmetric_and_positive(void **state)
{
  (void)state;
  for (int k = 0; k < 4; k++) {
    const bf_int               n[3] = {9, 7, 5};
    const bf_coarsening        how  = k < 2 ? BF_COARSENING_PLANES : BF_COARSENING_AGGREGATES;
    t_lattice                  L    = t_lattice_random(n, 1, 1, EVEN, NULL, 3);
    bf_matrix                 *A    = t_lattice_matrix(&L);
    const bf_multigrid_options o    = options_of(how, k % 2 ? BF_CYCLE_W : BF_CYCLE_V, 2, 4);
    bf_multigrid              *M    = hierarchy(A, &o, 1);
    double                    *m    = dense_cycle(A, M);
    const size_t               rows = (size_t)L.rows;
    double                     most = 0.0;
    for (size_t i = 0; i < rows; i++) {
      assert_true(m[i * rows + i] > 0.0);
      most = fmax(most, m[i * rows + i]);
    }
    for (size_t i = 0; i < rows; i++)
      for (size_t j = 0; j < i; j++) T_NEAR(m[i * rows + j], m[j * rows + i], 1e-6 * most);
    free(m);
    bf_multigrid_destroy(&M);
    bf_matrix_destroy(&A);
    t_lattice_free(&L);
  }
}

/* ---- solves ---- */

static t_solution solve_laplace(bf_int n, const bf_solve_options *opt, t_entry entry)
{
  bf_sparse *S = t_sparse(n, entry);
  bf_matrix *A = NULL;
  t_solution s = {.x = NULL};
  double    *b = malloc((size_t)n * sizeof *b);
  for (bf_int i = 0; i < n; i++) b[i] = sin(0.37 * i) + 0.1;
  T_OK(bf_matrix_from_sparse(t_be, S, &(bf_matrix_form){.format = BF_FORMAT_CSR}, &A));
  T_OK(t_solve(A, NULL, b, NULL, opt, &s));
  if (s.rep.reason == BF_KRYLOV_CONVERGED) {
    t_solution exact = t_direct(S, 1, b, NULL);
    double     error = 0.0, size = 0.0;
    for (bf_int i = 0; i < n; i++) {
      error = fmax(error, fabs(s.x[i] - exact.x[i]));
      size  = fmax(size, fabs(exact.x[i]));
    }
    T_LE(error, 1e-5 * size);
    t_solution_clear(&exact);
  }
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
  free(b);
  return s;
}

static bf_solve_options solve_options(bf_method method, bf_precond precond)
{
  bf_solve_options o = t_options(method, precond, 1e-9);
  o.multigrid        = options_of(BF_COARSENING_AUTO, BF_CYCLE_AUTO, 0, 30);
  return o;
}

enum { ROWS = T_NX * 40 };

static void solves_find_the_solution_of_the_factorisation(void **state)
{
  (void)state;
  const bf_method method[2] = {BF_METHOD_CG, BF_METHOD_BICGSTAB};
  for (int k = 0; k < 2; k++)
    for (int windy = 0; windy <= k; windy++) {
      const bf_solve_options o = solve_options(method[k], BF_PRECOND_MULTIGRID);
      t_solution             s = solve_laplace(ROWS, &o, windy ? t_wind : t_laplace);
      assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
      assert_int_equal(s.rep.multigrid.failure[0], 0);
      assert_true(s.rep.multigrid.nlevels > 1);
      T_LE(s.rep.iterations, 25);
      t_solution_clear(&s);
    }
}

static void repeats_have_the_same_bits(void **state)
{
  (void)state;
  const bf_solve_options o = solve_options(BF_METHOD_CG, BF_PRECOND_MULTIGRID);
  t_solution             s = solve_laplace(ROWS, &o, t_laplace), again = solve_laplace(ROWS, &o, t_laplace);
  assert_int_equal(s.rep.iterations, again.rep.iterations);
  assert_memory_equal(s.x, again.x, ROWS * sizeof *s.x);
  t_solution_clear(&s);
  t_solution_clear(&again);
}

static void a_kept_hierarchy_serves_a_second_solve(void **state)
{
  (void)state;
  bf_multigrid    *kept = NULL;
  bf_solve_options o    = solve_options(BF_METHOD_CG, BF_PRECOND_MULTIGRID);
  o.kept                = &kept;
  t_solution first      = solve_laplace(ROWS, &o, t_laplace);
  assert_non_null(kept);
  T_LE(1e-9, first.rep.multigrid.seconds);
  bf_multigrid *before = kept;
  t_solution    second = solve_laplace(ROWS, &o, t_laplace);
  assert_ptr_equal(kept, before);
  assert_true(second.rep.multigrid.seconds == 0.0);
  assert_int_equal(second.rep.multigrid.nlevels, first.rep.multigrid.nlevels);
  assert_memory_equal(first.x, second.x, ROWS * sizeof *first.x);
  bf_multigrid_destroy(&kept);
  t_solution_clear(&first);
  t_solution_clear(&second);
}

static void auto_changes_to_multigrid_after_a_slow_trial(void **state)
{
  (void)state;
  bf_solve_options o = solve_options(BF_METHOD_CG, BF_PRECOND_AUTO);
  o.trial            = 10;
  t_solution s       = solve_laplace(ROWS, &o, t_laplace);
  assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
  assert_int_equal(s.rep.multigrid.switched, 10);
  T_LE(s.rep.iterations, 40);
  t_solution_clear(&s);
  o.trial = 500; /* Jacobi converges before */
  s       = solve_laplace(ROWS, &o, t_laplace);
  assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
  assert_int_equal(s.rep.multigrid.nlevels, 0);
  t_solution_clear(&s);
  o.trial = 0;
  s       = solve_laplace(ROWS, &o, t_laplace);
  assert_true(s.rep.multigrid.nlevels > 1);
  assert_int_equal(s.rep.multigrid.switched, 0);
  t_solution_clear(&s);
}

static void the_limit_of_the_user_holds_during_a_trial(void **state)
{
  (void)state;
  bf_solve_options o = solve_options(BF_METHOD_CG, BF_PRECOND_AUTO);
  o.trial            = 10;
  o.max_iterations   = 7;
  t_solution s       = solve_laplace(ROWS, &o, t_laplace);
  assert_int_equal(s.rep.reason, BF_KRYLOV_LIMIT);
  assert_int_equal(s.rep.iterations, 7);
  t_solution_clear(&s);
}

/* ---- matrices without a hierarchy, and odd ones ---- */

static double negative(bf_int n, bf_int i, bf_int j)
{
  return i == j && i == 100 ? -4.0 : t_laplace(n, i, j);
}
static double isolated(bf_int n, bf_int i, bf_int j)
{
  const int alone = i % 50 == 7 || j % 50 == 7;
  return alone && i != j ? 0.0 : t_laplace(n, i, j);
}
static double two_bodies(bf_int n, bf_int i, bf_int j)
{
  const int apart = (i < ROWS / 2) != (j < ROWS / 2);
  return apart ? 0.0 : t_laplace(n, i, j);
}
static double contrast(bf_int n, bf_int i, bf_int j) /* two materials, 1 and 1e12 */
{
  const double stiff = 1e12, a = t_laplace(n, i, j);
  const int    one = i < ROWS / 2, other = j < ROWS / 2;
  if (i != j) return one && other ? stiff * a : a;
  return one ? stiff * a : a;
}
static double only_diagonal(bf_int n, bf_int i, bf_int j)
{
  (void)n;
  return i == j ? 1.0 + i : 0.0;
}

static void a_negative_diagonal_entry_leaves_jacobi(void **state)
{
  (void)state;
  const bf_solve_options o = solve_options(BF_METHOD_BICGSTAB, BF_PRECOND_MULTIGRID);
  t_solution             s = solve_laplace(ROWS, &o, negative);
  assert_non_null(strstr(s.rep.multigrid.failure, "diagonal entry is not positive"));
  assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
  t_solution_clear(&s);
}

static void isolated_unknowns_bodies_apart_and_contrast_are_solved(void **state)
{
  (void)state;
  const t_entry entry[4] = {isolated, two_bodies, contrast, only_diagonal};
  for (int k = 0; k < 4; k++) {
    const bf_solve_options o = solve_options(BF_METHOD_CG, BF_PRECOND_MULTIGRID);
    t_solution             s = solve_laplace(ROWS, &o, entry[k]);
    if (s.rep.reason != BF_KRYLOV_CONVERGED) fail_msg("matrix %d: %s", k, s.rep.text);
    T_LE(s.rep.iterations, 30);
    t_solution_clear(&s);
  }
}

static void one_unknown_and_no_coupling_at_all(void **state)
{
  (void)state;
  const bf_solve_options o = solve_options(BF_METHOD_CG, BF_PRECOND_MULTIGRID);
  t_solution             s = solve_laplace(1, &o, t_laplace);
  assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
  T_LE(s.rep.iterations, 2);
  t_solution_clear(&s);
}

/* A chain that nothing holds: constants have no energy; the load is without a resultant. */
static void a_singular_coarsest_matrix_is_shifted(void **state)
{
  (void)state;
  const bf_solve_options o      = solve_options(BF_METHOD_CG, BF_PRECOND_MULTIGRID);
  bf_sparse             *S      = t_sparse(200, t_neumann);
  bf_matrix             *A      = NULL;
  t_solution             s      = {.x = NULL};
  double                 b[200] = {0.0};
  b[0] = 1.0, b[199] = -1.0;
  T_OK(bf_matrix_from_sparse(t_be, S, &(bf_matrix_form){.format = BF_FORMAT_CSR}, &A));
  T_OK(t_solve(A, NULL, b, NULL, &o, &s));
  assert_int_equal(s.rep.multigrid.failure[0], 0);
  assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
  for (int i = 1; i < 200; i++) T_NEAR(s.x[i] - s.x[i - 1], -1.0, 1e-5);
  t_solution_clear(&s);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
}

static void a_matrix_with_nan_is_reported(void **state)
{
  (void)state;
  bf_sparse *S             = t_sparse(ROWS, t_laplace);
  bf_matrix *A             = NULL;
  t_solution s             = {.x = NULL};
  double    *b             = calloc(ROWS, sizeof *b);
  b[3]                     = 1.0;
  S->val[S->ptr[300]]      = NAN;
  const bf_solve_options o = solve_options(BF_METHOD_CG, BF_PRECOND_MULTIGRID);
  T_OK(bf_matrix_from_sparse(t_be, S, &(bf_matrix_form){.format = BF_FORMAT_CSR}, &A));
  T_OK(t_solve(A, NULL, b, NULL, &o, &s));
  assert_int_equal(s.rep.reason, BF_KRYLOV_NAN);
  t_solution_clear(&s);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
  free(b);
}

static void bicg_of_an_unsymmetric_matrix_is_refused(void **state)
{
  (void)state;
  bf_sparse             *S = t_sparse(ROWS, t_wind);
  bf_matrix             *A = NULL;
  t_solution             s = {.x = NULL};
  double                *b = calloc(ROWS, sizeof *b);
  const bf_solve_options o = solve_options(BF_METHOD_BICG, BF_PRECOND_MULTIGRID);
  b[3]                     = 1.0;
  T_OK(bf_matrix_from_sparse(t_be, S, &(bf_matrix_form){.format = BF_FORMAT_CSR}, &A));
  assert_int_equal(t_solve(A, NULL, b, NULL, &o, &s), BF_E_UNSUPPORTED);
  t_solution_clear(&s);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
  free(b);
}

static void failing_allocations_leak_nothing(void **state)
{
  (void)state;
  bf_sparse                 *S = t_sparse(T_NX * 8, t_laplace);
  bf_matrix                 *A = NULL;
  const bf_multigrid_options o = options_of(BF_COARSENING_AGGREGATES, BF_CYCLE_W, 2, 10);
  T_OK(bf_matrix_from_sparse(t_be, S, &(bf_matrix_form){.format = BF_FORMAT_CSR}, &A));
  t_no_memory t = {0};
  while (t_no_memory_next(&t)) {
    bf_multigrid       *M = NULL;
    bf_multigrid_report rep;
    t_no_memory_begin(&t);
    t_no_memory_end(&t, bf_multigrid_create(A, &o, NULL, 1, &rep, &M));
    bf_multigrid_destroy(&M);
  }
  assert_true(t.failed > 10);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cycle_of_two_levels_is_its_formula),
      cmocka_unit_test(the_coarsest_inverse_is_that_of_the_coarse_matrix),
      cmocka_unit_test(cycles_are_symmetric_and_positive),
      cmocka_unit_test(solves_find_the_solution_of_the_factorisation),
      cmocka_unit_test(repeats_have_the_same_bits),
      cmocka_unit_test(a_kept_hierarchy_serves_a_second_solve),
      cmocka_unit_test(auto_changes_to_multigrid_after_a_slow_trial),
      cmocka_unit_test(the_limit_of_the_user_holds_during_a_trial),
      cmocka_unit_test(a_negative_diagonal_entry_leaves_jacobi),
      cmocka_unit_test(isolated_unknowns_bodies_apart_and_contrast_are_solved),
      cmocka_unit_test(one_unknown_and_no_coupling_at_all),
      cmocka_unit_test(a_singular_coarsest_matrix_is_shifted),
      cmocka_unit_test(a_matrix_with_nan_is_reported),
      cmocka_unit_test(bicg_of_an_unsymmetric_matrix_is_refused),
      cmocka_unit_test(failing_allocations_leak_nothing),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
