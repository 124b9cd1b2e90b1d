/* tests/solvers/eigen/t414_rounding.c - solutions that are as accurate as fp64 allows, and systems without a
 * solution usage: t414_rounding <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/backward_error.h"
#include "tests/reference/dense.h"
#include "tests/solvers/verdict_case.h"

/* ---- references in long double ---- */

static long double norm_of(bf_int n, const long double *v)
{
  long double s = 0.0L;
  for (bf_int i = 0; i < n; i++) s += v[i] * v[i];
  return sqrtl(s);
}

/* y = D A D x, d = 1/sqrt(a_ii) */
static void scaled_product(bf_int n, t_entry a, const long double *x, long double *y)
{
  for (bf_int i = 0; i < n; i++) {
    y[i] = 0.0L;
    for (bf_int j = i < 2 ? 0 : i - 2; j < n && j <= i + 2; j++)
      y[i] += (long double)a(n, i, j) * x[j] / sqrtl((long double)a(n, i, i) * (long double)a(n, j, j));
  }
}

/* y = (D A D)^-1 x for A = L^T L of the beam: D^-1 L^-1 L^-T D^-1 x */
static void scaled_solve(bf_int n, const long double *x, long double *y)
{
  for (bf_int i = n - 1; i >= 0; i--)
    y[i] = x[i] * sqrtl((long double)beam(n, i, i)) + (i + 1 < n ? 2.0L * y[i + 1] : 0.0L) -
           (i + 2 < n ? y[i + 2] : 0.0L);
  for (bf_int i = 0; i < n; i++) y[i] += (i > 0 ? 2.0L * y[i - 1] : 0.0L) - (i > 1 ? y[i - 2] : 0.0L);
  for (bf_int i = 0; i < n; i++) y[i] *= sqrtl((long double)beam(n, i, i));
}

/* The largest eigenvalue of D A D, or with inverse != 0 of its inverse, of the beam. */
static double largest(bf_int n, int inverse)
{
  long double *v = calloc((size_t)n, sizeof *v), *w = calloc((size_t)n, sizeof *w), size = 0.0L;
  for (bf_int i = 0; i < n; i++) v[i] = 1.0L + 0.3L * (i * 37 % 11) * (i % 2 ? -1.0L : 1.0L);
  for (int k = 0; k < (inverse ? 30 : 3000); k++) {
    size = norm_of(n, v);
    for (bf_int i = 0; i < n; i++) v[i] /= size;
    if (inverse)
      scaled_solve(n, v, w);
    else
      scaled_product(n, beam, v, w);
    memcpy(v, w, (size_t)n * sizeof *v);
  }
  size = norm_of(n, v);
  free(v), free(w);
  return (double)size;
}

/* eta of x for the beam by its definition. */
static double backward_error(bf_int n, const double *b, const double *x)
{
  long double r[300], y[300], c[300];
  for (bf_int i = 0; i < n; i++) {
    const long double d = 1.0L / sqrtl((long double)beam(n, i, i));
    r[i]                = (long double)b[i];
    for (bf_int j = i < 2 ? 0 : i - 2; j < n && j <= i + 2; j++)
      r[i] -= (long double)beam(n, i, j) * (long double)x[j];
    r[i] *= d, y[i] = (long double)x[i] / d, c[i] = (long double)b[i] * d;
  }
  return (double)(norm_of(n, r) / ((long double)largest(n, 0) * norm_of(n, y) + norm_of(n, c)));
}

/* ---- converged to rounding ---- */

static void expect_rounded(bf_int n, bf_method method, bf_precond precond, bf_format format)
{
  double      *b = unit(n, n - 1);
  long double  x[300], error = 0.0L, size = 0.0L;
  const t_case c = {.n = n, .a = beam, .format = format, .opt = automatic(method, precond, 1e-15), .b = b};
  t_solution   s = solve(&c);
  deflection(n, 1.0, x);
  for (bf_int i = 0; i < n; i++) {
    error += ((long double)s.x[i] - x[i]) * ((long double)s.x[i] - x[i]);
    size += x[i] * x[i];
  }
  error            = sqrtl(error / size);
  const double eta = backward_error(n, b, s.x), condition = largest(n, 0) * largest(n, 1);
  assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
  assert_true(s.rep.to_rounding && s.rep.true_residual > 1e-15);
  T_LE(s.rep.backward_error, 0x1p-51);
  T_NEAR(s.rep.backward_error, eta, 0.1 * eta + 5e-17); /* the program's own r has rounding errors */
  T_NEAR(s.rep.forward_error, s.rep.condition * s.rep.backward_error, 1e-12 * s.rep.forward_error);
  if (method == BF_METHOD_CG) {
    T_NEAR(s.rep.condition / condition, 1.0,
           precond == BF_PRECOND_JACOBI ? 0.05 : 0.5); /* none: of A itself */
    T_LE((double)error, s.rep.forward_error);
  } else /* the size of the last correction */
    T_LE((double)error, 100.0 * s.rep.forward_error);
  T_CONTAINS(s.rep.text, "converged to rounding: relative residual ");
  T_CONTAINS(s.rep.text, ", estimated condition ");
  t_solution_clear(&s);
  free(b);
}

static void cg_on_a_badly_conditioned_system_ends_at_the_accuracy_of_fp64(void **state)
{
  (void)state;
  static const int size[] = {30, 120, 240};
  T_LONG_CHAINS;
  for (int k = 0; k < 12; k++)
    expect_rounded(size[k / 4], BF_METHOD_CG, k % 2 ? BF_PRECOND_JACOBI : BF_PRECOND_NONE,
                   k / 2 % 2 ? BF_FORMAT_BDIA : BF_FORMAT_CSR);
}

static void so_do_bicg_and_bicgstab(void **state)
{
  (void)state;
  T_LONG_CHAINS;
  for (int k = 0; k < 4; k++)
    expect_rounded(40, k / 2 ? BF_METHOD_BICG : BF_METHOD_BICGSTAB,
                   k % 2 ? BF_PRECOND_JACOBI : BF_PRECOND_NONE, BF_FORMAT_BDIA);
}

/* ---- singular systems ---- */

/* Two second differences of a beam that is free at both ends: constants and the linear function are its
 * kernel. */
static double free_beam(bf_int n, bf_int i, bf_int j)
{
  static const double L[3] = {1.0, -2.0, 1.0};
  double              s    = 0.0;
  for (bf_int k = 2; k < n; k++)
    if (k >= i && k <= i + 2 && k >= j && k <= j + 2) s += L[k - i] * L[k - j];
  return s;
}

/* The stiffness of the support is lost in rounding where it is added to that of the chain. */
static double lost_support(bf_int n, bf_int i, bf_int j)
{
  return t_neumann(n, i, j) + (i == 0 && j == 0 ? 1e-18 : 0.0);
}

static void a_singular_system_without_a_solution_never_converges(void **state)
{
  (void)state;
  T_LONG;
  enum { n = 200 };
  static const t_entry singular[] = {t_neumann, free_beam, lost_support};
  uint64_t             seed       = 6;
  double              *random = t_random_vector(n, &seed), *end = unit(n, n - 1);
  for (int m = 0; m < 3; m++)
    for (int k = 0; k < 12; k++) {
      const double *b   = k % 2 ? random : end;
      const t_case  c   = {.n      = n,
                           .a      = singular[k / 4],
                           .format = BF_FORMAT_BDIA,
                           .b      = b,
                           .opt =
                               automatic((bf_method)m, k / 2 % 2 ? BF_PRECOND_JACOBI : BF_PRECOND_NONE, 1e-8)};
      t_solution    s   = solve(&c);
      double        sum = 0.0, size = 0.0;
      for (int i = 0; i < n; i++) sum += b[i], size += b[i] * b[i];
      assert_true(s.rep.reason != BF_KRYLOV_CONVERGED && !s.rep.to_rounding);
      if (s.rep.reason != BF_KRYLOV_NAN)
        assert_true(s.rep.true_residual >= 0.99 * fabs(sum) / sqrt(n * size)); /* constants */
      t_solution_clear(&s);
    }
  free(random), free(end);
}

static void a_singular_system_with_a_solution_converges(void **state)
{
  (void)state;
  T_LONG_CHAINS;
  enum { n = 200 };
  double *b = unit(n, n - 1);
  b[0]      = -1.0;
  for (int m = 0; m < 3; m += 2) {
    const t_case c = {.n      = n,
                      .a      = t_neumann,
                      .format = BF_FORMAT_BDIA,
                      .b      = b,
                      .opt    = automatic((bf_method)m, BF_PRECOND_NONE, 1e-8)};
    t_solution   s = solve(&c);
    assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
    for (int i = 0; i < n; i++) T_NEAR(s.x[i] - s.x[0], (double)i, 1e-6 * n);
    t_solution_clear(&s);
  }
  free(b);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cg_on_a_badly_conditioned_system_ends_at_the_accuracy_of_fp64),
      cmocka_unit_test(so_do_bicg_and_bicgstab),
      cmocka_unit_test(a_singular_system_without_a_solution_never_converges),
      cmocka_unit_test(a_singular_system_with_a_solution_converges),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
