/* tests/solvers/eigen/t410_shift_invert.c - Lanczos with a factorisation against LAPACK's dsygv and closed
 * forms usage: t410_shift_invert */
/* SPDX-License-Identifier: BSD-3-Clause */
#define T_SOLVER bf_shift_invert
#define T_STEPS  50
#include "tests/solvers/eigen/eigen_claims.h"

/* Values nearest to a shift in the middle of the spectrum. */
static void values_around_a_shift_are_found(void **state)
{
  (void)state;
  for (int k = 0; k < T_PENCILS; k++) {
    const t_pencil  *p    = &t_pencils[k];
    const int        most = (int)t_massive(p), pairs = 5;
    double          *all = t_values(p);
    t_modes          m   = {.X = NULL};
    bf_eigen_options opt = options(pairs);
    if (most < 40) {
      free(all);
      continue;
    }
    opt.shift = all[most / 2] + 0.3 * (all[most / 2 + 6] - all[most / 2]) + 1e-3 * all[most / 2];
    T_OK(t_vibrate(p, bf_shift_invert, &csr, &opt, &m));
    assert_int_equal(m.rep.reason, BF_EIGEN_CONVERGED);
    assert_true(m.rep.shift == opt.shift);
    double far    = 0.0;
    int    nearer = 0;
    for (int i = 0; i < pairs; i++) {
      double best = INFINITY;
      for (int j = 0; j < most; j++) best = fmin(best, fabs(all[j] - m.rep.value[i]));
      T_LE(best, 1e-12 * all[most - 1]);
      far = fmax(far, fabs(m.rep.value[i] - opt.shift));
      if (i > 0) assert_true(m.rep.value[i] >= m.rep.value[i - 1]);
    }
    for (int j = 0; j < most; j++) nearer += fabs(all[j] - opt.shift) < far * (1.0 - 1e-9);
    assert_true(nearer < pairs);
    free(all);
    t_modes_clear(&m);
  }
}

static void a_shift_on_a_value_moves_beside_it(void **state)
{
  (void)state;
  static const t_pencil p[] = {{"short chain", 5, t_chain, t_unit, 0}, {"levels", 50, t_levels, t_unit, 0}};
  for (int i = 0; i < 2; i++) { /* pivots that vanish; rows that do */
    bf_eigen_options opt = options(1 + i);
    t_modes          m   = {.X = NULL};
    opt.shift            = 2.0;
    T_OK(t_vibrate(&p[i], bf_shift_invert, &csr, &opt, &m));
    assert_int_equal(m.rep.reason, BF_EIGEN_CONVERGED);
    for (int k = 0; k <= i; k++) T_NEAR(m.rep.value[k], 2.0, 1e-12);
    assert_true(m.rep.shift != 2.0 && fabs(m.rep.shift - 2.0) < 1e-5);
    t_modes_clear(&m);
  }
}

/* Equal values of which there are more than the block has vectors: the first run does not see them all. */
static void no_value_is_missed(void **state)
{
  (void)state;
  static const t_pencil many[] = {{"eight chains", 96, t_eight, t_unit, 0},
                                  {"few values", 60, t_few, t_unit, 0}};
  for (int k = 0; k < 2; k++)
    for (int pairs = 6; pairs <= 20; pairs += 2) {
      const bf_eigen_options opt = options(pairs);
      t_modes                m   = {.X = NULL};
      T_OK(t_vibrate(&many[k], bf_shift_invert, &csr, &opt, &m));
      t_expect_lowest(&many[k], &opt, &m);
      assert_int_equal(m.rep.counted, k == 0 ? pairs >= 8 : pairs == 20);
      if (m.rep.counted) T_CONTAINS(m.rep.text, "none missed");
      t_modes_clear(&m);
    }
}

static void few_restarts_are_a_limit(void **state)
{
  (void)state;
  static const t_pencil p   = {"long chain", 3000, t_chain, t_unit, 0};
  bf_eigen_options      opt = options(40);
  t_modes               m   = {.X = NULL};
  opt.max_iterations        = 0;
  opt.shift                 = 3.0;
  T_OK(t_vibrate(&p, bf_shift_invert, &csr, &opt, &m));
  assert_int_equal(m.rep.reason, BF_EIGEN_LIMIT);
  T_CONTAINS(m.rep.text, "iteration limit: ");
  T_CONTAINS(m.rep.text, "more iterations");
  t_modes_clear(&m);
  opt.max_iterations = 200;
  T_OK(t_vibrate(&p, bf_shift_invert, &csr, &opt, &m));
  assert_int_equal(m.rep.reason, BF_EIGEN_CONVERGED);
  assert_true(m.rep.iterations > 0);
  t_modes_clear(&m);
}

static void matrices_of_the_host_will_do_too(void **state)
{
  (void)state;
  const t_pencil        *p   = &t_pencils[8];
  const bf_eigen_options opt = options(5);
  t_modes                m   = {.X = calloc(5 * (size_t)p->n, sizeof(double))};
  bf_sparse             *K = t_sparse(p->n, p->K), *M = t_sparse(p->n, p->M);
  T_OK(bf_shift_invert_sparse(K, M, 1, &opt, m.X, &m.rep));
  t_expect_lowest(p, &opt, &m);
  bf_sparse_destroy(&K);
  bf_sparse_destroy(&M);
  t_modes_clear(&m);
}

static void a_shift_at_infinity_is_refused(void **state)
{
  (void)state;
  bf_eigen_options opt = options(2);
  opt.shift            = INFINITY;
  refused(opt);
}

static void the_parts_of_all_vibrations_add_up(void **state)
{
  (void)state;
  const t_pencil        *p   = &t_pencils[8];
  const int              all = (int)t_massive(p);
  const bf_eigen_options opt = options(all);
  t_modes                m   = {.X = NULL};
  double    *R = calloc(2 * (size_t)p->n, sizeof *R), *part = calloc(2 * (size_t)all, sizeof *part), whole[2];
  bf_sparse *S = t_sparse(p->n, p->M);
  bf_matrix *M = NULL;
  T_OK(bf_matrix_from_sparse(t_be, S, &csr, &M));
  T_OK(t_vibrate(p, bf_shift_invert, &csr, &opt, &m));
  for (bf_int i = 0; i < p->n; i++)
    R[i] = t_fixed(i) ? 0.0 : 1.0, R[p->n + i] = t_fixed(i) ? 0.0 : t_noise(i, i);
  T_OK(bf_eigen_participation(M, 2, R, all, m.X, part, whole));
  for (int r = 0; r < 2; r++) {
    double sum = 0.0, want = 0.0;
    for (int k = 0; k < all; k++) sum += part[2 * k + r] * part[2 * k + r];
    for (bf_int i = 0; i < p->n; i++)
      for (bf_int j = 0; j < p->n; j++) want += R[r * p->n + i] * p->M(p->n, i, j) * R[r * p->n + j];
    T_NEAR(whole[r], want, 1e-12 * want);
    T_NEAR(sum, want, 1e-10 * want);
  }
  bf_matrix_destroy(&M);
  bf_sparse_destroy(&S);
  free(R), free(part);
  t_modes_clear(&m);
}

static void nothing_leaks_where_memory_is_short(void **state)
{
  (void)state;
  const bf_eigen_options opt = options(3);
  no_leak(&opt);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_lowest_values_are_lapacks),
      cmocka_unit_test(values_around_a_shift_are_found),
      cmocka_unit_test(a_shift_on_a_value_moves_beside_it),
      cmocka_unit_test(no_value_is_missed),
      cmocka_unit_test(a_cluster_that_is_cut_shows),
      cmocka_unit_test(vectors_to_begin_with_may_be_given),
      cmocka_unit_test(few_restarts_are_a_limit),
      cmocka_unit_test(every_form_of_the_matrices_will_do),
      cmocka_unit_test(matrices_of_the_host_will_do_too),
      cmocka_unit_test(runs_repeat_bit_for_bit_on_any_number_of_threads),
      cmocka_unit_test(what_makes_no_sense_is_refused),
      cmocka_unit_test(a_shift_at_infinity_is_refused),
      cmocka_unit_test(the_parts_of_all_vibrations_add_up),
      cmocka_unit_test(nothing_leaks_where_memory_is_short),
  };
  if (bf_backend_create("cpu", NULL, &t_be) != BF_OK) return 1;
  return t_backend_close(T_RUN(tests));
}
