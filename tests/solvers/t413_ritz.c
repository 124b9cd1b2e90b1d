/* tests/solvers/t413_ritz.c - Ritz values of CG, extreme eigenvalues of tridiagonal matrices, iteration
 * limits usage: t413_ritz <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/krylov/steps.h"
#include "solvers/linear/iteration_limit.h"
#include "solvers/linear/tridiagonal_eigenvalues.h"
#include "tests/kernels/krylov/krylov_case.h"
#include "tests/reference/dense.h"
#include "tests/solvers/solver_case.h"

extern void dsterf_(const int *n, double *d, double *e, int *info);

static const double PI = 3.14159265358979323846;

/* Eigenvalues of the tridiagonal matrix by LAPACK, ascending, into diag. */
static void lapack_values(int n, double *diag, double *off)
{
  int info = -1;
  dsterf_(&n, diag, off, &info);
  assert_int_equal(info, 0);
}

/* ---- bf_tridiagonal_ends ---- */

static void expect_ends(int n, const double *diag, const double *off)
{
  double *d = calloc((size_t)n, sizeof *d), *e = calloc((size_t)n, sizeof *e), least, most;
  bf_tridiagonal_ends(n, diag, off, &least, &most);
  memcpy(d, diag, (size_t)n * sizeof *d);
  if (n > 1) memcpy(e, off, (size_t)(n - 1) * sizeof *e);
  lapack_values(n, d, e);
  const double size = fmax(fabs(d[0]), fabs(d[n - 1]));
  T_NEAR(least, d[0], 1e-12 * size);
  T_NEAR(most, d[n - 1], 1e-12 * size);
  free(d), free(e);
}

static void the_ends_of_a_spectrum_are_those_of_lapack(void **state)
{
  (void)state;
  static const int    size[]  = {1, 2, 3, 10, 77, 400};
  static const double scale[] = {1.0, 1e-100, 1e100};
  uint64_t            seed    = 5;
  for (size_t k = 0; k < sizeof size / sizeof *size; k++)
    for (int s = 0; s < 3; s++) {
      double diag[400], off[400];
      for (int i = 0; i < size[k]; i++) {
        diag[i] = scale[s] * (2.0 * t_uniform(&seed) - 1.0);
        off[i] = i % 5 == 3 ? 0.0 : scale[s] * (2.0 * t_uniform(&seed) - 1.0); /* some blocks are decoupled */
      }
      expect_ends(size[k], diag, off);
    }
}

static void a_zero_diagonal_and_equal_eigenvalues_are_no_exception(void **state)
{
  (void)state;
  double diag[50] = {0.0}, off[50], zero[50] = {0.0}, least, most;
  for (int i = 0; i < 50; i++) off[i] = 1.0;
  bf_tridiagonal_ends(50, diag, off, &least, &most); /* 2 cos(j pi/51) */
  T_NEAR(most, 2.0 * cos(PI / 51.0), 1e-12);
  T_NEAR(least, -2.0 * cos(PI / 51.0), 1e-12);
  for (int i = 0; i < 50; i++) diag[i] = 3.0;
  bf_tridiagonal_ends(50, diag, zero, &least, &most);
  T_NEAR(least, 3.0, 1e-12);
  T_NEAR(most, 3.0, 1e-12);
}

/* ---- Ritz values ---- */

enum { N = 60 };

/* Symmetric positive definite, dense, condition number about 100: CG in long double keeps its directions
 * orthogonal. */
static void make_dense(long double a[N][N])
{
  uint64_t           seed = 8;
  static long double g[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) g[i][j] = 2.0L * (long double)t_uniform(&seed) - 1.0L;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = i == j ? 1.0L : 0.0L;
      for (int k = 0; k < N; k++) a[i][j] += g[i][k] * g[j][k];
    }
}

static long double product(const long double *x, const long double *y)
{
  long double s = 0.0L;
  for (int i = 0; i < N; i++) s += x[i] * y[i];
  return s;
}

/* Lanczos with full orthogonalization from v[0]; both arrays [k]. */
static void lanczos(long double a[N][N], const double *start, int k, double *diag, double *off)
{
  static long double v[N + 1][N];
  long double        w[N];
  for (int i = 0; i < N; i++) v[0][i] = (long double)start[i];
  const long double size = sqrtl(product(v[0], v[0]));
  for (int i = 0; i < N; i++) v[0][i] /= size;
  for (int j = 0; j < k; j++) {
    for (int i = 0; i < N; i++) w[i] = product(a[i], v[j]);
    diag[j] = (double)product(w, v[j]);
    for (int pass = 0; pass < 2; pass++)
      for (int l = 0; l <= j; l++) {
        const long double s = product(w, v[l]);
        for (int i = 0; i < N; i++) w[i] -= s * v[l][i];
      }
    const long double norm = sqrtl(product(w, w));
    off[j]                 = (double)norm;
    for (int i = 0; i < N; i++) v[j + 1][i] = w[i] / norm;
  }
}

/* The textbook's CG in long double; samples[k + 1]. */
static void conjugate_gradients(long double a[N][N], const double *b, int k, bf_krylov_sample *samples)
{
  long double r[N], p[N], q[N];
  for (int i = 0; i < N; i++) r[i] = p[i] = (long double)b[i];
  long double rho = product(r, r);
  samples[0]      = (bf_krylov_sample){.rr = (double)rho, .rho = (double)rho};
  for (int j = 1; j <= k; j++) {
    for (int i = 0; i < N; i++) q[i] = product(a[i], p);
    const long double alpha = rho / product(p, q);
    for (int i = 0; i < N; i++) r[i] -= alpha * q[i];
    const long double next = product(r, r);
    for (int i = 0; i < N; i++) p[i] = r[i] + next / rho * p[i];
    rho        = next;
    samples[j] = (bf_krylov_sample){.rr = (double)rho, .rho = (double)rho, .alpha = (double)alpha};
  }
}

static void ritz_values_are_eigenvalues_of_the_lanczos_matrix(void **state)
{
  (void)state;
  static long double      a[N][N];
  static const int        steps[] = {1, 2, 5, 12, 20};
  static bf_krylov_sample samples[N + 1];
  uint64_t                seed = 3;
  double                 *b    = t_random_vector(N, &seed);
  make_dense(a);
  conjugate_gradients(a, b, 20, samples);
  for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
    double       diag[N], off[N];
    bf_ritz_ends got;
    lanczos(a, b, steps[s], diag, off);
    lapack_values(steps[s], diag, off);
    T_OK(bf_ritz_values(steps[s], samples, &got));
    T_NEAR(got.most / diag[steps[s] - 1], 1.0, 1e-10);
    T_NEAR(got.least / diag[0], 1.0, 1e-10);
  }
  free(b);
}

static void samples_that_are_not_positive_end_the_lanczos_matrix(void **state)
{
  (void)state;
  bf_krylov_sample s[5] = {{.rho = 4.0},
                           {.rho = 1.0, .alpha = 0.5},
                           {.rho = 0.5, .alpha = 0.25},
                           {.rho = 0.1, .alpha = 0.2},
                           {.rho = 0.01, .alpha = 0.3}};
  bf_ritz_ends     two, got;
  T_OK(bf_ritz_values(2, s, &two));
  assert_true(two.least > 0.0 && two.most > two.least);
  const double bad[] = {0.0, -1.0, NAN, INFINITY};
  for (int k = 0; k < 4; k++) {
    s[3].alpha = bad[k];
    T_OK(bf_ritz_values(4, s, &got));
    assert_true(got.least == two.least && got.most == two.most);
  }
  s[3].alpha = 0.2;
  s[2].rho   = 0.0;
  T_OK(bf_ritz_values(4, s, &got));
  assert_true(got.least == two.least && got.most == two.most);
  s[1].alpha = 0.0;
  T_OK(bf_ritz_values(4, s, &got)); /* nothing is known */
  assert_true(got.least == 0.0 && got.most == 0.0);
}

static double chain(bf_int n, bf_int i, bf_int j) /* held at both ends: 2 - 2 cos(k pi/(n + 1)) */
{
  const bf_int d = i < j ? j - i : i - j;
  (void)n;
  return d == 0 ? 2.0 : d == 1 ? -1.0 : 0.0;
}

/* Samples 0..k that the backend's CG leaves for a chain of n points. */
static void chain_samples(bf_int n, int k, bf_krylov_sample *samples)
{
  uint64_t        seed = 4;
  bf_sparse      *S    = t_sparse(n, chain);
  bf_matrix      *A    = NULL;
  double         *b    = t_random_vector((size_t)n, &seed), *v[4];
  bf_krylov_state st   = {.limit = k};
  T_OK(bf_matrix_from_sparse(t_be, S, &(bf_matrix_form){.format = BF_FORMAT_BDIA}, &A));
  for (int i = 0; i < 4; i++) T_OK(bf_vector_create(t_be, n, A->guard, &v[i]));
  T_OK(t_be->ops.copy(t_be, v[1], b, (size_t)n * sizeof *b, BF_TO_DEVICE));
  bf_krylov_state  *state = t_to_backend(&st, sizeof st);
  bf_krylov_sample *ring  = t_samples(BF_KRYLOV_SAMPLES);
  T_OK(BF_OP(t_be, krylov.cg_begin, n, v[1], NULL, v[2], state, ring));
  T_OK(bf_cg_steps(
      A, &(bf_cg_work){.x = v[0], .r = v[1], .p = v[2], .q = v[3], .state = state, .history = ring}, k));
  t_to_host(samples, ring, (size_t)(k + 1) * sizeof *samples);
  assert_int_equal(t_state(state).iteration, k);
  t_be->ops.release(t_be, ring), t_be->ops.release(t_be, state);
  for (int i = 0; i < 4; i++) bf_vector_destroy(t_be, A->guard, &v[i]);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
  free(b);
}

static void ritz_values_reach_the_ends_of_a_known_spectrum(void **state)
{
  (void)state;
  enum { n = 64 };
  bf_krylov_sample samples[n + 1];
  bf_ritz_ends     before = {INFINITY, 0.0}, got;
  const double     s = sin(PI / (2.0 * (n + 1.0))), c = cos(PI / (2.0 * (n + 1.0)));
  chain_samples(n, n, samples);
  for (int k = 1; k <= n; k++) { /* they spread, and stay within the spectrum */
    T_OK(bf_ritz_values(k, samples, &got));
    assert_true(got.least <= before.least * (1.0 + 1e-12) && got.most >= before.most * (1.0 - 1e-12));
    assert_true(got.least >= 4.0 * s * s * (1.0 - 1e-9) && got.most <= 4.0 * c * c * (1.0 + 1e-12));
    before = got;
  }
  T_NEAR(got.least / (4.0 * s * s), 1.0, 1e-9);
  T_NEAR(got.most / (4.0 * c * c), 1.0, 1e-9);
}

static void the_estimate_of_iterations_is_a_bound(void **state)
{
  (void)state;
  T_NEAR(bf_ritz_iterations(&(bf_ritz_ends){1.0, 100.0}, 1e-8), 5.0 * log(20.0 / 1e-8), 1e-9);
  assert_true(bf_ritz_iterations(&(bf_ritz_ends){0.0, 100.0}, 1e-8) == 0.0);
  for (int k = 0; k < 3; k++) {
    static const double    rtol[] = {1e-3, 1e-6, 1e-11};
    const double           c      = 1.0 / tan(PI / (2.0 * 301.0)); /* square root of the condition number */
    uint64_t               seed   = 4;
    bf_sparse             *S      = t_sparse(300, chain);
    bf_matrix             *A      = NULL;
    t_solution             s      = {.x = NULL};
    double                *b      = t_random_vector(300, &seed);
    const bf_solve_options opt    = t_options(BF_METHOD_CG, BF_PRECOND_NONE, rtol[k]);
    T_OK(bf_matrix_from_sparse(t_be, S, &(bf_matrix_form){.format = BF_FORMAT_CSR}, &A));
    T_OK(t_solve(A, NULL, b, NULL, &opt, &s));
    assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
    T_LE(s.rep.iterations, bf_ritz_iterations(&(bf_ritz_ends){1.0, c * c}, rtol[k]) + 1.0);
    t_solution_clear(&s);
    bf_matrix_destroy(&A);
    bf_sparse_destroy(&S);
    free(b);
  }
}

/* ---- the automatic limit ---- */

static void the_first_limit_and_the_patience_follow_the_number_of_unknowns(void **state)
{
  (void)state;
  assert_int_equal(bf_limit_first(1), 20000);
  assert_int_equal(bf_limit_first(40000), 20000);
  assert_int_equal(bf_limit_first(1000000), 100000);
  assert_int_equal(bf_limit_patience(1), 1004);
  assert_int_equal(bf_limit_patience(1000000), 5000);
}

/* Constant alpha = 1 and beta: the Lanczos matrix is L L^T, L with 1 and sqrt(beta); its spectrum fills
 * (1 -+ sqrt(beta))^2. */
static bf_krylov_sample *constant(double beta, int k)
{
  bf_krylov_sample *s = calloc((size_t)k + 1, sizeof *s);
  for (int j = 0; j <= k; j++)
    s[j] = (bf_krylov_sample){.rr = 1.0, .rho = pow(beta, j), .alpha = j ? 1.0 : 0.0};
  return s;
}

typedef struct limited {
  bf_method method;
  bf_int    n;
  double    beta, rr_stop;
  int       given, most, before, chain, made; /* before: iterations of runs before the chain */
} limited;

/* The limit of the solve after bf_limit_grow, or 0 where it does not grow. */
static int grown_limit(const limited *l)
{
  const bf_matrix        A     = {.nrows = l->n};
  const bf_solve_options opt   = {.method = l->method, .max_iterations = l->given};
  bf_run                 run   = {.A       = &A,
                                  .opt     = &opt,
                                  .tol     = 1e-8,
                                  .limit   = l->most,
                                  .chain   = l->chain,
                                  .samples = constant(l->beta, l->most),
                                  .host    = {.limit     = l->most - l->before - l->chain,
                                              .iteration = l->made - l->chain,
                                              .rr_stop   = l->rr_stop}};
  int                    grown = -1, again = -1;
  T_OK(bf_limit_grow(&run, &grown));
  assert_int_equal(run.host.limit, run.limit - l->before - l->chain);
  const int limit = run.limit;
  T_OK(bf_limit_grow(&run, &again)); /* judged once */
  assert_int_equal(again, 0);
  assert_int_equal(run.limit, limit);
  assert_int_equal(grown, limit != l->most);
  free(run.samples);
  return grown ? limit : 0;
}

static void the_automatic_limit_of_cg_grows_with_the_ritz_values(void **state)
{
  (void)state;
  const double root = sqrt(0.992), c = (1.0 + root) / (1.0 - root);
  limited      usual = {BF_METHOD_CG, 1000000, 0.992, 1e-16, BF_ITERATIONS_AUTO, 20000, 0, 0, 10000};
  /* settled: four times the bound */
  T_NEAR(grown_limit(&usual) / (4.0 * 0.5 * c * log(2.0 * c / 1e-8)), 1.0, 0.02);
  usual.rr_stop = 1e-4; /* of a stage: the tolerance counts, whatever the stage that is being made */
  T_NEAR(grown_limit(&usual) / (4.0 * 0.5 * c * log(2.0 * c / 1e-8)), 1.0, 0.02);
  usual.made = 9999; /* too early */
  assert_int_equal(grown_limit(&usual), 0);
  usual.made = 10700; /* a later check decides the same */
  T_NEAR(grown_limit(&usual) / (4.0 * 0.5 * c * log(2.0 * c / 1e-8)), 1.0, 0.02);
  usual.beta = 1.0; /* the smallest Ritz value still decreases: twice the limit */
  assert_int_equal(grown_limit(&usual), 40000);
  usual.before = 700, usual.chain = 4000; /* two runs before, the second one goes on */
  assert_int_equal(grown_limit(&usual), 700 + 2 * 19300);
  usual.beta = 0.9; /* nearly converged: no need */
  assert_int_equal(grown_limit(&usual), 0);
}

static void a_limit_ends_at_20_iterations_an_unknown_and_a_given_one_stays(void **state)
{
  (void)state;
  limited usual = {BF_METHOD_CG, 1500, 1.0, 1e-16, BF_ITERATIONS_AUTO, 20000, 0, 0, 10000};
  assert_int_equal(grown_limit(&usual), 30000);
  usual.n = 1000;
  assert_int_equal(grown_limit(&usual), 0);
  usual.n     = 1000000;
  usual.given = 20000;
  assert_int_equal(grown_limit(&usual), 0);
  usual.given  = BF_ITERATIONS_AUTO;
  usual.method = BF_METHOD_BICG;
  assert_int_equal(grown_limit(&usual), 0);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_ends_of_a_spectrum_are_those_of_lapack),
      cmocka_unit_test(a_zero_diagonal_and_equal_eigenvalues_are_no_exception),
      cmocka_unit_test(ritz_values_are_eigenvalues_of_the_lanczos_matrix),
      cmocka_unit_test(samples_that_are_not_positive_end_the_lanczos_matrix),
      cmocka_unit_test(ritz_values_reach_the_ends_of_a_known_spectrum),
      cmocka_unit_test(the_estimate_of_iterations_is_a_bound),
      cmocka_unit_test(the_first_limit_and_the_patience_follow_the_number_of_unknowns),
      cmocka_unit_test(the_automatic_limit_of_cg_grows_with_the_ritz_values),
      cmocka_unit_test(a_limit_ends_at_20_iterations_an_unknown_and_a_given_one_stays),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
