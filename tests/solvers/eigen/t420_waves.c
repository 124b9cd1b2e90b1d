/* tests/solvers/eigen/t420_waves.c - waves of chains and lattices of masses and springs have their exact
 * frequencies, whatever the batch */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/dispersion.h"
#include "tests/backend.h"
#include "tests/no_memory.h"
#include <math.h>

enum { NK = 9 };
static const double PI = 3.14159265358979323846;

/* A cell of n masses m[i mod 2] in a row, spring s[i mod 2] from mass i to the next, the last to the cell to
 * the right; rows of another cell to the upper side (rungs: spring t from i to i there). */
static void ladder(bf_int n, const double m[2], const double s[2], double t, bf_shifted **K, bf_shifted **M)
{
  T_OK(bf_shifted_create(n, K));
  T_OK(bf_shifted_create(n, M));
  for (bf_int i = 0; i < n; i++) {
    const int    right[2][3] = {{0, 0, 0}, {i + 1 == n, 0, 0}}, up[2][3] = {{0, 0, 0}, {0, 1, 0}};
    const bf_int row[2] = {i, (i + 1) % n}, same[2] = {i, i};
    const double a = s[i % 2], Ke[4] = {a, -a, -a, a}, Te[4] = {t, -t, -t, t}, Me[1] = {m[i % 2]};
    T_OK(bf_shifted_add(*K, 2, row, right[0], Ke));
    if (t > 0.0) T_OK(bf_shifted_add(*K, 2, same, up[0], Te));
    T_OK(bf_shifted_add(*M, 1, row, right[0], Me));
  }
}

static void wave_vectors(double kappa[NK][3])
{
  for (int k = 0; k < NK; k++) {
    kappa[k][0] = 0.5 * k / (NK - 1);
    kappa[k][1] = 0.13 * k;
    kappa[k][2] = 0.0;
  }
}

/* 1: the backend solves pencils; else the error names what it has not. */
static int solves(void)
{
  bf_shifted  *K = NULL, *M = NULL;
  bf_waves    *w    = NULL;
  const double m[2] = {1.0, 1.0}, s[2] = {1.0, 1.0}, kappa[1][3] = {{0.0}};
  if (t_be->ops.batch.hegv) return 1;
  ladder(2, m, s, 0.0, &K, &M);
  T_ERR(BF_E_UNSUPPORTED, bf_waves_solve(t_be, K, M, 1, kappa[0], 1, 0, &w));
  bf_shifted_destroy(&K);
  bf_shifted_destroy(&M);
  return 0;
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* omega^2 = 2 s/m (1 - cos q), the zone of one mass folded into that of n. */
static void a_chain_in_a_long_cell_has_the_folded_branches_of_a_short_one(void **state)
{
  (void)state;
  enum { N = 6 };
  bf_shifted  *K = NULL, *M = NULL;
  bf_waves    *w    = NULL;
  const double m[2] = {2.0, 2.0}, s[2] = {3.0, 3.0};
  double       kappa[NK][3];
  if (!solves()) return;
  wave_vectors(kappa);
  ladder(N, m, s, 0.0, &K, &M);
  T_LE(bf_shifted_defect(K), 0.0);
  T_OK(bf_waves_solve(t_be, K, M, NK, kappa[0], N, 0, &w));
  assert_int_equal(w->failed, -1);
  for (int k = 0; k < NK; k++) {
    double exact[N];
    for (int j = 0; j < N; j++) exact[j] = 3.0 * (1.0 - cos(2.0 * PI * (kappa[k][0] + j) / N));
    qsort(exact, N, sizeof *exact, ascending);
    for (int j = 0; j < N; j++) {
      T_NEAR(w->lambda[k * N + j], exact[j], 1e-13);
      T_LE(w->residual[k * N + j], 1e-14);
    }
  }
  bf_waves_destroy(&w);
  bf_shifted_destroy(&K);
  bf_shifted_destroy(&M);
}

/* omega^2 = s (1/m1 + 1/m2) -+ s sqrt((1/m1 + 1/m2)^2 - 4 sin^2(q/2)/(m1 m2)); Kittel, ch. 4 */
static void two_masses_have_an_acoustic_and_an_optical_branch(void **state)
{
  (void)state;
  bf_shifted  *K = NULL, *M = NULL;
  bf_waves    *w    = NULL;
  const double m[2] = {1.0, 2.5}, s[2] = {3.0, 3.0}, sum = 1.0 + 1.0 / 2.5;
  double       kappa[NK][3];
  if (!solves()) return;
  wave_vectors(kappa);
  ladder(2, m, s, 0.0, &K, &M);
  T_OK(bf_waves_solve(t_be, K, M, NK, kappa[0], 2, 2, &w));
  assert_int_equal(w->batch, 2);
  for (int k = 0; k < NK; k++) {
    const double q    = sin(PI * kappa[k][0]);
    const double root = sqrt(sum * sum - 4.0 * q * q / 2.5);
    T_NEAR(w->lambda[2 * k], 3.0 * (sum - root), 1e-13);
    T_NEAR(w->lambda[2 * k + 1], 3.0 * (sum + root), 1e-13);
  }
  bf_waves_destroy(&w);
  bf_shifted_destroy(&K);
  bf_shifted_destroy(&M);
}

/* Rungs add 2 t/m (1 - cos q_y) to every branch. */
static void a_second_direction_adds_its_own_phase(void **state)
{
  (void)state;
  enum { N = 4 };
  bf_shifted  *K = NULL, *M = NULL;
  bf_waves    *w    = NULL;
  const double m[2] = {2.0, 2.0}, s[2] = {3.0, 3.0}, t = 0.7;
  double       kappa[NK][3];
  if (!solves()) return;
  wave_vectors(kappa);
  ladder(N, m, s, t, &K, &M);
  T_OK(bf_waves_solve(t_be, K, M, NK, kappa[0], N, 0, &w));
  for (int k = 0; k < NK; k++) {
    double exact[N];
    for (int j = 0; j < N; j++)
      exact[j] =
          3.0 * (1.0 - cos(2.0 * PI * (kappa[k][0] + j) / N)) + t * (1.0 - cos(2.0 * PI * kappa[k][1]));
    qsort(exact, N, sizeof *exact, ascending);
    for (int j = 0; j < N; j++) T_NEAR(w->lambda[k * N + j], exact[j], 1e-13);
  }
  bf_waves_destroy(&w);
  bf_shifted_destroy(&K);
  bf_shifted_destroy(&M);
}

static void results_do_not_depend_on_the_batch_and_modes_are_normalised(void **state)
{
  (void)state;
  enum { BANDS = 5 };
  const int     N = t_quick() == 2 ? 7 : 33;
  bf_shifted   *K = NULL, *M = NULL;
  bf_waves     *w = NULL, *v = NULL;
  const double  m[2] = {1.0, 4.0}, s[2] = {3.0, 1.0};
  double        kappa[NK][3];
  static double form[NK][BANDS][BANDS][2], lambda[NK * BANDS];
  if (!solves()) return;
  wave_vectors(kappa);
  ladder(N, m, s, 0.3, &K, &M);
  T_OK(bf_waves_solve(t_be, K, M, NK, kappa[0], BANDS, 1, &w));
  T_OK(bf_waves_solve(t_be, K, M, NK, kappa[0], BANDS, 0, &v));
  assert_memory_equal(w->lambda, v->lambda, sizeof lambda);
  assert_memory_equal(w->mode, v->mode, sizeof(double) * 2 * (size_t)N * NK * BANDS);
  for (int K_or_M = 0; K_or_M < 2; K_or_M++) { /* X^H K X = diag(lambda), X^H M X = 1 */
    T_OK(bf_waves_form(w, K_or_M ? M : K, kappa[0], form[0][0][0]));
    for (int k = 0; k < NK; k++)
      for (int j = 0; j < BANDS; j++)
        for (int i = j; i < BANDS; i++) {
          T_NEAR(form[k][j][i][0], i != j ? 0.0 : K_or_M ? 1.0 : w->lambda[k * BANDS + j], 1e-12);
          T_NEAR(form[k][j][i][1], 0.0, 1e-12);
        }
  }
  bf_waves_destroy(&w);
  bf_waves_destroy(&v);
  bf_shifted_destroy(&K);
  bf_shifted_destroy(&M);
}

/* A chain of one mass in a cell of two: its branches cross at the middle of the zone, between two samples. */
static void branches_go_on_where_bands_cross(void **state)
{
  (void)state;
  enum { N = 2 };
  bf_shifted  *K = NULL, *M = NULL;
  bf_waves    *w = NULL;
  int          branch[3][N];
  const double m[2] = {1.0, 1.0}, s[2] = {1.0, 1.0};
  const double kappa[3][3] = {{0.47, 0.0, 0.0}, {0.49, 0.0, 0.0}, {0.51, 0.0, 0.0}};
  if (!solves()) return;
  ladder(N, m, s, 0.0, &K, &M);
  T_OK(bf_waves_solve(t_be, K, M, 3, kappa[0], N, 0, &w));
  T_OK(bf_waves_branches(w, M, kappa[0], branch[0]));
  static const int expected[3][N] = {{1, 2}, {1, 2}, {2, 1}};
  assert_memory_equal(branch, expected, sizeof expected);
  bf_waves_destroy(&w);
  bf_shifted_destroy(&K);
  bf_shifted_destroy(&M);
}

static void an_unsymmetric_element_shows_in_the_defect(void **state)
{
  (void)state;
  bf_shifted  *K = NULL, *M = NULL;
  const double m[2] = {1.0, 1.0}, s[2] = {1.0, 2.0};
  ladder(4, m, s, 0.5, &K, &M);
  T_LE(bf_shifted_defect(K), 1e-16);
  K->term[1][3] += 1e-6;
  T_NEAR(bf_shifted_defect(K), 1e-6 / 4.0, 1e-8);
  bf_shifted_destroy(&K);
  bf_shifted_destroy(&M);
}

static void a_mass_that_is_not_positive_is_told_and_more_bands_than_unknowns_refused(void **state)
{
  (void)state;
  bf_shifted  *K = NULL, *M = NULL;
  bf_waves    *w    = NULL;
  const double m[2] = {1.0, -1.0}, s[2] = {1.0, 2.0};
  double       kappa[NK][3];
  if (!solves()) return;
  wave_vectors(kappa);
  ladder(4, m, s, 0.0, &K, &M);
  T_ERR(BF_E_ARG, bf_waves_solve(t_be, K, M, NK, kappa[0], 5, 0, &w));
  T_OK(bf_waves_solve(t_be, K, M, NK, kappa[0], 4, 0, &w));
  assert_int_equal(w->failed, 0);
  assert_int_equal(w->info, 2);
  bf_waves_destroy(&w);
  bf_shifted_destroy(&K);
  bf_shifted_destroy(&M);
}

static void nothing_leaks_where_memory_ends(void **state)
{
  (void)state;
  T_LONG;
  bf_shifted  *K = NULL, *M = NULL;
  const double m[2] = {1.0, 4.0}, s[2] = {3.0, 1.0};
  double       kappa[NK][3];
  if (!solves()) return;
  wave_vectors(kappa);
  ladder(4, m, s, 0.3, &K, &M);
  t_no_memory t = {0};
  while (t_no_memory_next(&t)) {
    bf_waves *w = NULL;
    t_no_memory_begin(&t);
    t_no_memory_end(&t, bf_waves_solve(t_be, K, M, NK, kappa[0], 2, 3, &w));
    bf_waves_destroy(&w);
  }
  assert_in_range(t.failed, 1, 198);
  bf_shifted_destroy(&K);
  bf_shifted_destroy(&M);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_chain_in_a_long_cell_has_the_folded_branches_of_a_short_one),
      cmocka_unit_test(two_masses_have_an_acoustic_and_an_optical_branch),
      cmocka_unit_test(a_second_direction_adds_its_own_phase),
      cmocka_unit_test(results_do_not_depend_on_the_batch_and_modes_are_normalised),
      cmocka_unit_test(branches_go_on_where_bands_cross),
      cmocka_unit_test(an_unsymmetric_element_shows_in_the_defect),
      cmocka_unit_test(a_mass_that_is_not_positive_is_told_and_more_bands_than_unknowns_refused),
      cmocka_unit_test(nothing_leaks_where_memory_ends),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
