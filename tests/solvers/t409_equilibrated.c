/* tests/solvers/t409_equilibrated.c - the factorisation of badly scaled, ill-conditioned and singular
 * matrices
 *
 * Matrices of integers or powers of two, whose products with the known solution are exact. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/backward_error.h"
#include "tests/solvers/solver_case.h"

static double permuted(bf_int n, bf_int i, bf_int j) /* one entry a row, from 2^-300 to 2^300 */
{
  return j == (i * 5 + 3) % n ? ldexp(i % 2 ? -1.0 : 1.0, (i * 37 % 601) - 300) : 0.0;
}
static int row_power(bf_int i)
{
  return i * 29 % 241 - 120;
}
static int column_power(bf_int j)
{
  return j * 53 % 199 - 99;
}
static double rows_and_columns(bf_int n, bf_int i, bf_int j)
{
  return ldexp(t_wind(n, i, j), row_power(i) + column_power(j));
}
static double saddle_units(bf_int n, bf_int i, bf_int j) /* symmetric, every second diagonal entry zero */
{
  return i == j && i % 2 ? 0.0 : ldexp(t_saddle(n, i, j), column_power(i) + column_power(j));
}

/* max |x - want| over max |want|, of the unknowns times their units. */
static void expect_solution(bf_int n, t_entry a, const double *want, const int *power, double tolerance)
{
  double *b = calloc((size_t)n, sizeof *b), most = 0.0, size = 0.0;
  for (bf_int i = 0; i < n; i++) {
    long double sum = 0.0L;
    for (bf_int j = 0; j < n; j++)
      sum += (long double)a(n, i, j) * ldexpl((long double)want[j], power ? -power[j] : 0);
    b[i] = (double)sum;
  }
  bf_sparse *S = t_sparse(n, a);
  t_solution s = t_direct(S, 1, b, NULL);
  if (s.rep.reason != BF_KRYLOV_CONVERGED) fail_msg("%s", s.rep.text);
  T_CONTAINS(s.rep.text, "LU of");
  assert_true(s.rep.condition < 1e10); /* of units that span 2^400 and more */
  assert_true(s.rep.backward_error <= bf_accuracy_limit());
  for (bf_int i = 0; i < n; i++) {
    most = fmax(most, fabs(ldexp(s.x[i], power ? power[i] : 0) - want[i]));
    size = fmax(size, fabs(want[i]));
  }
  T_LE(most, tolerance * size);
  t_solution_clear(&s);
  bf_sparse_destroy(&S);
  free(b);
}

static void a_scaled_permutation_is_solved_exactly(void **state)
{
  (void)state;
  double want[64];
  for (int i = 0; i < 64; i++) want[i] = 1.0 + i % 7;
  expect_solution(64, permuted, want, NULL, 0.0);
}

static void rows_and_columns_of_very_different_size_do_not_count(void **state)
{
  (void)state;
  enum { N = T_NX * 9 };
  double want[N];
  int    power[N];
  for (bf_int i = 0; i < N; i++) want[i] = 1.0 + i % 5, power[i] = column_power(i);
  expect_solution(N, rows_and_columns, want, power, 1e-15);
  expect_solution(N, saddle_units, want, power, 1e-13);
}

/* ---- ill-conditioned ---- */

/* T T, T = tridiagonal (-1, 2, -1): a beam, condition 6 (n/pi)^4, the solution known in integers. */
static bf_sparse *beam(bf_int n, double *x, double *b)
{
  bf_sparse *S   = NULL;
  int64_t    nnz = 0;
  T_OK(bf_sparse_create(n, n, 5 * (int64_t)n - 6, &S));
  for (bf_int i = 0; i < n; i++) {
    for (bf_int j = i > 2 ? i - 2 : 0; j < n && j <= i + 2; j++) {
      const bf_int d = i < j ? j - i : i - j;
      S->col[nnz]    = j;
      S->val[nnz++]  = d == 0 ? (i == 0 || i == n - 1 ? 5.0 : 6.0) : d == 1 ? -4.0 : 1.0;
    }
    S->ptr[i + 1] = nnz;
    x[i]          = 1.0 + i * 31 % 17;
  }
  for (bf_int i = 0; i < n; i++)
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) b[i] += S->val[p] * x[S->col[p]];
  return S;
}

static t_solution solve_beam(bf_int n, double *worst)
{
  double    *x = calloc((size_t)n, sizeof *x), *b = calloc((size_t)n, sizeof *b);
  bf_sparse *S = beam(n, x, b);
  t_solution s = t_direct(S, 1, b, NULL);
  *worst       = 0.0;
  for (bf_int i = 0; i < n; i++) *worst = fmax(*worst, fabs(s.x[i] - x[i]) / x[i]);
  free(x), free(b);
  bf_sparse_destroy(&S);
  return s;
}

static void refinement_makes_an_ill_conditioned_solution_exact(void **state)
{
  (void)state;
  double     worst;
  t_solution s = solve_beam(3000, &worst);
  assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
  assert_true(s.rep.condition > 1e12 && s.rep.condition < 1e16);
  T_LE(worst, 1e-15);
  assert_in_range(s.rep.iterations, 3, 10); /* not the first solution */
  t_solution_clear(&s);
}

static void a_condition_above_1_over_u_is_reported_whatever_the_residual(void **state)
{
  (void)state;
  double     worst;
  t_solution s = solve_beam(24000, &worst);
  assert_int_equal(s.rep.reason, BF_KRYLOV_ILL_CONDITIONED);
  assert_true(s.rep.condition > ldexp(1.0, 53) && s.rep.true_residual < 1e-12);
  T_CONTAINS(s.rep.text, "ill-conditioned beyond double precision: estimated condition ");
  t_solution_clear(&s);
}

/* Diagonal blocks (1, 1-d; 1-d, 1) whose determinant is d: condition 2/d. */
static double nearly_singular(bf_int n, bf_int i, bf_int j)
{
  const double d = ldexp(1.0, -49);
  (void)n;
  return i == j ? (i > 1 ? 1.0 + i % 3 : 1.0) : i + j == 1 ? 1.0 - d : 0.0;
}

static void a_small_determinant_is_no_reason_to_refuse(void **state)
{
  (void)state;
  const double b[20] = {1.0, -1.0, 1.0};
  bf_sparse   *S     = t_sparse(20, nearly_singular);
  t_solution   s     = t_direct(S, 1, b, NULL);
  if (s.rep.reason != BF_KRYLOV_CONVERGED) fail_msg("%s", s.rep.text);
  assert_true(s.rep.condition > 1e14);
  T_NEAR(s.x[0] * ldexp(1.0, -49), 1.0, 1e-15);
  T_NEAR(s.x[1] * ldexp(1.0, -49), -1.0, 1e-15);
  t_solution_clear(&s);
  bf_sparse_destroy(&S);
}

/* ---- singular ---- */

static double weight(bf_int k)
{
  return 1.0 + 0.37 * (k * 7919 % 101);
}
static double unsupported(bf_int n, bf_int i, bf_int j) /* springs between neighbours, none to the ground */
{
  if (i == j) {
    double sum = 0.0;
    for (bf_int k = 0; k < n; k++)
      if (k != i) sum -= unsupported(n, i, k);
    return sum;
  }
  const bf_int d = i < j ? j - i : i - j;
  return d == 1 || d == 5 ? -weight(i + j) : 0.0;
}
static double dependent(bf_int n, bf_int i, bf_int j) /* row 9 = a third of row 3 + a seventh of row 4 */
{
  return i == 9 ? t_wind(n, 3, j) / 3.0 + t_wind(n, 4, j) / 7.0 : t_wind(n, i, j);
}
static double duplicate(bf_int n, bf_int i, bf_int j)
{
  return t_wind(n, i == 9 ? 4 : i, j);
}
static double zero_row(bf_int n, bf_int i, bf_int j)
{
  return i == 9 ? 0.0 : t_wind(n, i, j);
}

/* Refused for a right-hand side without a solution and for one that has solutions. */
static void expect_refused(bf_int n, t_entry a)
{
  double    *b = calloc((size_t)n, sizeof *b);
  bf_sparse *S = t_sparse(n, a);
  for (int consistent = 0; consistent < 2; consistent++) {
    for (bf_int i = 0; i < n; i++) {
      b[i] = consistent ? 0.0 : 1.0;
      for (bf_int j = 0; consistent && j < n; j++) b[i] += a(n, i, j);
    }
    t_solution s     = t_direct(S, 1, b, NULL);
    const int  exact = s.rep.reason == BF_KRYLOV_SINGULAR;
    if (!exact && s.rep.reason != BF_KRYLOV_ILL_CONDITIONED) fail_msg("n = %d: %s", (int)n, s.rep.text);
    T_CONTAINS(s.rep.text,
               exact ? "singular matrix: a pivot is zero; " : "exceeds 1/u = 9e+15; solution not trusted");
    assert_in_range(s.rep.unknown, 0, n - 1);
    assert_true(exact || s.rep.condition > ldexp(1.0, 53));
    for (bf_int i = 0; exact && i < n; i++) assert_true(s.x[i] == 0.0); /* the start stays */
    t_solution_clear(&s);
  }
  free(b);
  bf_sparse_destroy(&S);
}

static void singular_matrices_are_refused_whatever_the_right_hand_side(void **state)
{
  (void)state;
  for (bf_int n = 20; n <= (t_quick() ? 60 : 200); n += 20) {
    expect_refused(n, unsupported);
    expect_refused(n, dependent);
    expect_refused(n, duplicate);
    expect_refused(n, zero_row);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_scaled_permutation_is_solved_exactly),
      cmocka_unit_test(rows_and_columns_of_very_different_size_do_not_count),
      cmocka_unit_test(refinement_makes_an_ill_conditioned_solution_exact),
      cmocka_unit_test(a_condition_above_1_over_u_is_reported_whatever_the_residual),
      cmocka_unit_test(a_small_determinant_is_no_reason_to_refuse),
      cmocka_unit_test(singular_matrices_are_refused_whatever_the_right_hand_side),
  };
  return T_RUN(tests);
}
