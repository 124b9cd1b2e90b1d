/* tests/solvers/t400_solve.c - CG and BiCGStab reach the tolerance on every format, and report when
 * they do not usage: t400_solve <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/no_memory.h"
#include "tests/solvers/solver_case.h"
#include <float.h>

typedef double (*entry_fn)(int nx, int i, int j); /* matrix entry of an nx x nx grid, rows by lines */

static double laplace(int nx, int i, int j)
{
  const int same_line = i / nx == j / nx;
  if (i == j) return (t_quick() == 2 ? 32.0 : 4.0) + 1e-3 * (i % 7); /* the quickest: few iterations */
  return (abs(i - j) == 1 && same_line) || abs(i - j) == nx ? -1.0 : 0.0;
}
static double wind(int nx, int i,
                   int j) /* upwind advection to the right added: unsymmetric, diagonally dominant */
{
  const double a = laplace(nx, i, j);
  return i == j ? a + 2.0 : j == i - 1 && i / nx == j / nx ? a - 2.0 : a;
}
static double saddle(int nx, int i, int j) /* symmetric, half of its eigenvalues negative */
{
  return i == j ? (i % 2 ? -4.5 : 4.5) : laplace(nx, i, j);
}

enum { NX = 24, N = NX * NX };

static bf_matrix *banded(entry_fn a, int half, bf_prec prec)
{
  static const bf_int off[] = {-NX, -1, 0, 1, NX};
  bf_bands           *bands = NULL;
  bf_matrix          *A     = NULL;
  T_OK(bf_bands_create(N, 1, 5, &bands));
  bands->row[0] = 0, bands->row[1] = N, bands->ptr[0] = 0, bands->ptr[1] = 5;
  memcpy(bands->off, off, sizeof off);
  T_OK(bf_matrix_create_bdia(t_be, bands, 1, half, BF_FP64, 5 * N, &A));
  bf_bdia *B = A->bdia;
  double  *v = calloc((size_t)B->nvalues, sizeof *v);
  for (int s = 0; s < B->nseg; s++)
    for (int k = 0; k < B->seg[s].ndiag; k++)
      for (int i = 0; i < B->seg[s].nrows; i++) {
        const int row = B->seg[s].row0 + i, col = row + B->off[B->seg[s].diag0 + k];
        if (col >= 0 && col < N) v[bf_bdia_at(&B->seg[s], 1, k, i)] = a(NX, row, col);
      }
  T_OK(t_be->ops.copy(t_be, B->values, v, (size_t)B->nvalues * sizeof *v, BF_TO_DEVICE));
  T_OK(t_be->ops.sync(t_be));
  free(v);
  bf_bands_destroy(&bands);
  if (prec == BF_FP64) return A;
  bf_matrix *A32 = NULL;
  T_OK(bf_matrix_to_fp32(A, &A32));
  bf_matrix_destroy(&A);
  return A32;
}

static bf_matrix *rows(entry_fn a)
{
  bf_graph  *g = NULL;
  bf_matrix *A = NULL;
  int64_t    n = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) n += a(NX, i, j) != 0.0;
  T_OK(bf_graph_create(N, n, &g));
  double *v = calloc((size_t)n, sizeof *v);
  n         = 0;
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++)
      if (a(NX, i, j) != 0.0) g->adj[n] = j, v[n++] = a(NX, i, j);
    g->ptr[i + 1] = n;
  }
  T_OK(bf_matrix_create_csr(t_be, g, 1, BF_FP64, &A));
  T_OK(t_be->ops.copy(t_be, A->csr->val, v, (size_t)n * sizeof *v, BF_TO_DEVICE));
  T_OK(t_be->ops.sync(t_be));
  free(v);
  bf_graph_destroy(&g);
  return A;
}

typedef struct result {
  double          x[N];
  bf_solve_report rep;
} result;

static bf_solve_options usual(bf_method method, bf_precond precond)
{
  return (bf_solve_options){
      .method = method, .precond = precond, .rtol = 1e-10, .max_iterations = 2000, .monitor_every = 10};
}

/* Solves with right-hand side b (NULL = a random one) from zero. */
static bf_err solve(const bf_matrix *A, const bf_matrix *fast, const double *b, bf_solve_options opt,
                    result *out)
{
  uint64_t seed = 11;
  double   random[N], *db = NULL, *dx = NULL;
  for (int i = 0; i < N; i++) random[i] = 2.0 * t_uniform(&seed) - 1.0;
  T_OK(bf_vector_create(t_be, N, A->guard, &db));
  T_OK(bf_vector_create(t_be, N, A->guard, &dx));
  T_OK(t_be->ops.copy(t_be, db, b ? b : random, sizeof random, BF_TO_DEVICE));
  const bf_err err = bf_solve(A, fast, db, dx, &opt, &out->rep);
  t_to_host(out->x, dx, sizeof out->x);
  bf_vector_destroy(t_be, A->guard, &db);
  bf_vector_destroy(t_be, A->guard, &dx);
  return err;
}

/* ||b - A x|| / ||b|| with the entries of the formula and the same random b: an oracle that shares no code.
 */
static double residual_of(entry_fn a, const double *x)
{
  uint64_t seed = 11;
  double   rr = 0.0, bb = 0.0;
  for (int i = 0; i < N; i++) {
    const double b = 2.0 * t_uniform(&seed) - 1.0;
    double       r = b;
    for (int j = 0; j < N; j++) r -= a(NX, i, j) * x[j];
    rr += r * r;
    bb += b * b;
  }
  return sqrt(rr / bb);
}

/* The answer of the factorisation, up to what the tolerance leaves. */
static void expect_direct(entry_fn a, const double *x)
{
  uint64_t   seed = 11;
  double     b[N], error = 0.0, size = 0.0;
  bf_int    *at    = malloc(2 * 5 * N * sizeof *at);
  double    *val   = malloc(5 * N * sizeof *val);
  int64_t    count = 0;
  bf_sparse *S     = NULL;
  for (int i = 0; i < N; i++) b[i] = 2.0 * t_uniform(&seed) - 1.0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      if (a(NX, i, j) != 0.0) at[count] = i, at[5 * N + count] = j, val[count++] = a(NX, i, j);
  T_OK(bf_sparse_from_triplets(N, N, count, at, at + 5 * N, val, &S));
  t_solution want = t_direct(S, 1, b, NULL);
  for (int i = 0; i < N; i++) {
    error += (x[i] - want.x[i]) * (x[i] - want.x[i]);
    size += want.x[i] * want.x[i];
  }
  T_LE(sqrt(error), 1e-7 * sqrt(size));
  t_solution_clear(&want);
  bf_sparse_destroy(&S);
  free(at), free(val);
}

static void expect_converged(bf_matrix *A, entry_fn a, bf_method method, bf_precond precond)
{
  static result r;
  T_OK(solve(A, NULL, NULL, usual(method, precond), &r));
  assert_int_equal(r.rep.reason, BF_KRYLOV_CONVERGED);
  T_LE(r.rep.true_residual, 1e-10);
  T_LE(residual_of(a, r.x), 1.05e-10);
  T_NEAR(r.rep.true_residual, residual_of(a, r.x), 1e-13);
  expect_direct(a, r.x);
  assert_in_range(r.rep.iterations, 5, 400);
  assert_int_equal(r.rep.nhistory, r.rep.iterations + 1);
  T_NEAR(r.rep.history[0], 1.0, 1e-12);
  T_CONTAINS(r.rep.text, "converged");
  bf_solve_report_clear(&r.rep);
}

static void every_method_preconditioner_and_format_converges(void **state)
{
  (void)state;
  for (int form = 0; form < 3; form++) {
    bf_matrix *A = form < 2 ? banded(laplace, form, BF_FP64) : rows(laplace);
    for (int m = 0; m < 6; m++) {
      T_ONE_OF(5);
      expect_converged(A, laplace, (bf_method)(m / 2), m & 1 ? BF_PRECOND_JACOBI : BF_PRECOND_NONE);
    }
    bf_matrix_destroy(&A);
  }
}

static void bicgstab_and_bicg_solve_an_unsymmetric_system(void **state)
{
  (void)state;
  bf_matrix *A = banded(wind, 0, BF_FP64);
  expect_converged(A, wind, BF_METHOD_BICGSTAB, BF_PRECOND_NONE);
  expect_converged(A, wind, BF_METHOD_BICGSTAB, BF_PRECOND_JACOBI);
  expect_converged(A, wind, BF_METHOD_BICG, BF_PRECOND_NONE);
  expect_converged(A, wind, BF_METHOD_BICG, BF_PRECOND_JACOBI);
  bf_matrix_destroy(&A);
}

static void rounded_values_still_reach_the_tolerance_of_the_exact_matrix(void **state)
{
  (void)state;
  static result r;
  bf_matrix    *A = banded(laplace, 1, BF_FP64), *fast = banded(laplace, 1, BF_FP32);
  T_OK(solve(A, fast, NULL, usual(BF_METHOD_CG, BF_PRECOND_JACOBI), &r));
  assert_int_equal(r.rep.reason, BF_KRYLOV_CONVERGED);
  T_CONTAINS(r.rep.text, "with fp32 values");
  T_LE(residual_of(laplace, r.x), 1.05e-10);
  expect_direct(laplace, r.x);
  bf_solve_report_clear(&r.rep);
  bf_matrix_destroy(&A);
  bf_matrix_destroy(&fast);
}

static void rounded_values_hardly_cost_iterations(void **state)
{
  (void)state;
  T_LONG_CHAINS;
  static result r;
  bf_matrix    *A = banded(laplace, 1, BF_FP64), *fast = banded(laplace, 1, BF_FP32);
  T_OK(solve(A, NULL, NULL, usual(BF_METHOD_CG, BF_PRECOND_JACOBI), &r));
  const int exact = r.rep.iterations;
  bf_solve_report_clear(&r.rep);
  T_OK(solve(A, fast, NULL, usual(BF_METHOD_CG, BF_PRECOND_JACOBI), &r));
  assert_in_range(r.rep.iterations, exact, exact + exact / 5);
  bf_solve_report_clear(&r.rep);
  bf_matrix_destroy(&A);
  bf_matrix_destroy(&fast);
}

static void an_indefinite_matrix_is_named(void **state)
{
  (void)state;
  static result r;
  bf_matrix    *A = banded(saddle, 1, BF_FP64);
  T_OK(solve(A, NULL, NULL, usual(BF_METHOD_CG, BF_PRECOND_NONE), &r));
  assert_int_equal(r.rep.reason, BF_KRYLOV_INDEFINITE);
  T_CONTAINS(r.rep.text, "not positive definite");
  for (int i = 0; i < N; i++) assert_true(isfinite(r.x[i]));
  bf_solve_report_clear(&r.rep);
  bf_matrix_destroy(&A);
}

static void the_iteration_limit_is_a_result_with_the_residual_reached(void **state)
{
  (void)state;
  static result    r;
  bf_matrix       *A   = banded(laplace, 1, BF_FP64);
  bf_solve_options opt = usual(BF_METHOD_CG, BF_PRECOND_NONE);
  opt.max_iterations   = 7;
  T_OK(solve(A, NULL, NULL, opt, &r));
  assert_int_equal(r.rep.reason, BF_KRYLOV_LIMIT);
  assert_int_equal(r.rep.iterations, 7);
  T_NEAR(r.rep.true_residual, residual_of(laplace, r.x), 1e-13);
  T_CONTAINS(r.rep.text, "limit of 7 iterations");
  bf_solve_report_clear(&r.rep);
  bf_matrix_destroy(&A);
}

static void a_number_that_is_none_stops_the_solve(void **state)
{
  (void)state;
  static result r;
  bf_matrix    *A    = banded(laplace, 1, BF_FP64);
  double        b[N] = {1.0};
  b[N / 2]           = NAN;
  T_OK(solve(A, NULL, b, usual(BF_METHOD_CG, BF_PRECOND_NONE), &r));
  assert_int_equal(r.rep.reason, BF_KRYLOV_NAN);
  assert_int_equal(r.rep.iterations, 0);
  bf_solve_report_clear(&r.rep);
  bf_matrix_destroy(&A);
}

static void a_zero_right_hand_side_gives_zero_at_once(void **state)
{
  (void)state;
  static result r;
  bf_matrix    *A    = banded(laplace, 1, BF_FP64);
  double        b[N] = {0.0};
  T_OK(solve(A, NULL, b, usual(BF_METHOD_BICGSTAB, BF_PRECOND_JACOBI), &r));
  assert_int_equal(r.rep.reason, BF_KRYLOV_CONVERGED);
  assert_int_equal(r.rep.iterations, 0);
  for (int i = 0; i < N; i++) assert_true(r.x[i] == 0.0);
  bf_solve_report_clear(&r.rep);
  bf_matrix_destroy(&A);
}

static void an_unreachable_tolerance_ends_at_the_level_of_rounding(void **state)
{
  (void)state;
  T_LONG_CHAINS;
  static result    r;
  bf_matrix       *A   = banded(laplace, 1, BF_FP64);
  bf_solve_options opt = usual(BF_METHOD_CG, BF_PRECOND_JACOBI);
  opt.rtol             = 1e-18;
  T_OK(solve(A, NULL, NULL, opt, &r));
  assert_int_equal(r.rep.reason, BF_KRYLOV_CONVERGED);
  assert_true(r.rep.to_rounding && r.rep.restarts <= 1);
  assert_true(r.rep.backward_error <= 4.5e-16 && r.rep.backward_error > 0.0);
  T_CONTAINS(r.rep.text, "converged to rounding: relative residual ");
  T_LE(r.rep.true_residual, 1e-13);
  bf_solve_report_clear(&r.rep);
  bf_matrix_destroy(&A);
}

static void two_runs_are_bit_identical(void **state)
{
  (void)state;
  T_LONG_CHAINS;
  static result one, two;
  bf_matrix    *A = banded(wind, 0, BF_FP64);
  T_OK(solve(A, NULL, NULL, usual(BF_METHOD_BICGSTAB, BF_PRECOND_JACOBI), &one));
  T_OK(solve(A, NULL, NULL, usual(BF_METHOD_BICGSTAB, BF_PRECOND_JACOBI), &two));
  assert_memory_equal(one.x, two.x, sizeof one.x);
  assert_int_equal(one.rep.iterations, two.rep.iterations);
  assert_memory_equal(one.rep.history, two.rep.history, (size_t)one.rep.nhistory * sizeof(double));
  bf_solve_report_clear(&one.rep);
  bf_solve_report_clear(&two.rep);
  bf_matrix_destroy(&A);
}

typedef struct seen {
  int    calls, last;
  double residual;
} seen;
static void monitor(void *context, const bf_progress *p)
{
  seen *s = context;
  s->calls++;
  assert_true(p->iteration > s->last);
  s->last     = p->iteration;
  s->residual = p->residual;
}

static void the_monitor_sees_every_tenth_iteration_and_the_end(void **state)
{
  (void)state;
  static result    r;
  seen             s   = {0};
  bf_matrix       *A   = banded(laplace, 1, BF_FP64);
  bf_solve_options opt = usual(BF_METHOD_CG, BF_PRECOND_NONE);
  opt.monitor          = monitor;
  opt.context          = &s;
  T_OK(solve(A, NULL, NULL, opt, &r));
  assert_int_equal(s.calls, r.rep.iterations / 10 + (r.rep.iterations % 10 != 0));
  assert_int_equal(s.last, r.rep.iterations);
  T_NEAR(s.residual, r.rep.residual, 0.0);
  bf_solve_report_clear(&r.rep);
  bf_matrix_destroy(&A);
}

static void senseless_tolerances_are_refused(void **state)
{
  (void)state;
  static result    r;
  bf_matrix       *A     = banded(laplace, 1, BF_FP64);
  const double     bad[] = {NAN, INFINITY, -1.0, 0.0};
  bf_solve_options opt   = usual(BF_METHOD_CG, BF_PRECOND_NONE);
  for (int i = 0; i < 4; i++) {
    opt.rtol = bad[i];
    T_ERR(BF_E_ARG, solve(A, NULL, NULL, opt, &r));
  }
  bf_matrix_destroy(&A);
}

static size_t vector_bytes; /* of one vector with its guards */
static int    vectors;      /* allocations of this size */

static bf_err counting_alloc(bf_backend *be, size_t bytes, void **p)
{
  vectors += bytes == vector_bytes;
  return t_be->ops.alloc(be, bytes, p);
}

/* Every method allocates as many vectors as the memory forecast counts; an iteration limit of 0 ends before a
 * restart. */
static void a_solve_allocates_the_vectors_that_are_forecast(void **state)
{
  (void)state;
  static result   r;
  const bf_method method[] = {BF_METHOD_CG, BF_METHOD_BICG, BF_METHOD_BICGSTAB};
  bf_backend      counting = *t_be;
  counting.ops.alloc       = counting_alloc;
  for (int m = 0; m < 3; m++)
    for (int p = BF_PRECOND_NONE; p <= BF_PRECOND_JACOBI; p++)
      for (int k = 0; k < 2; k++) {
        bf_matrix       *A   = k ? rows(laplace) : banded(laplace, 0, BF_FP64);
        bf_solve_options opt = usual(method[m], (bf_precond)p);
        opt.max_iterations   = 0;
        vector_bytes         = ((size_t)N + 2 * (size_t)A->guard) * sizeof(double);
        A->be                = &counting;
        vectors              = 0;
        T_OK(solve(A, NULL, NULL, opt, &r));
        A->be = t_be;
        assert_int_equal(r.rep.reason, BF_KRYLOV_LIMIT);
        assert_int_equal(vectors, bf_solve_vectors(method[m], (bf_precond)p, A->format, t_be->ops.on_device));
        bf_solve_report_clear(&r.rep);
        bf_matrix_destroy(&A);
      }
}

static void nothing_leaks_when_an_allocation_fails(void **state)
{
  (void)state;
  T_LONG;
  static result r;
  bf_matrix    *A    = banded(laplace, 1, BF_FP64);
  uint64_t      seed = 3;
  double        b[N], *db = NULL, *dx = NULL;
  for (int i = 0; i < N; i++) b[i] = t_uniform(&seed);
  T_OK(bf_vector_create(t_be, N, A->guard, &db));
  T_OK(bf_vector_create(t_be, N, A->guard, &dx));
  T_OK(t_be->ops.copy(t_be, db, b, sizeof b, BF_TO_DEVICE));
  const bf_solve_options opt = usual(BF_METHOD_BICGSTAB, BF_PRECOND_JACOBI);
  t_no_memory            t   = {0};
  while (t_no_memory_next(&t)) {
    t_no_memory_begin(&t);
    t_no_memory_end(&t, bf_solve(A, NULL, db, dx, &opt, &r.rep));
    bf_solve_report_clear(&r.rep);
  }
  assert_in_range(t.failed, 1, 98);
  bf_vector_destroy(t_be, A->guard, &db);
  bf_vector_destroy(t_be, A->guard, &dx);
  bf_matrix_destroy(&A);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_method_preconditioner_and_format_converges),
      cmocka_unit_test(bicgstab_and_bicg_solve_an_unsymmetric_system),
      cmocka_unit_test(rounded_values_still_reach_the_tolerance_of_the_exact_matrix),
      cmocka_unit_test(rounded_values_hardly_cost_iterations),
      cmocka_unit_test(an_indefinite_matrix_is_named),
      cmocka_unit_test(the_iteration_limit_is_a_result_with_the_residual_reached),
      cmocka_unit_test(a_number_that_is_none_stops_the_solve),
      cmocka_unit_test(a_zero_right_hand_side_gives_zero_at_once),
      cmocka_unit_test(an_unreachable_tolerance_ends_at_the_level_of_rounding),
      cmocka_unit_test(two_runs_are_bit_identical),
      cmocka_unit_test(the_monitor_sees_every_tenth_iteration_and_the_end),
      cmocka_unit_test(senseless_tolerances_are_refused),
      cmocka_unit_test(a_solve_allocates_the_vectors_that_are_forecast),
      cmocka_unit_test(nothing_leaks_when_an_allocation_fails),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
