/* tests/eigen_claims.h - what holds of every eigen solver; T_SOLVER and T_STEPS, at most so many steps, are
 * defined before */
#ifndef BF_TEST_EIGEN_CLAIMS_H
#define BF_TEST_EIGEN_CLAIMS_H
#include "tests/eigen_case.h"
#include "tests/solver_forms.h"
#include <omp.h>

static const bf_matrix_form csr = {.format = BF_FORMAT_CSR};

static bf_eigen_options options(int pairs)
{
  return (bf_eigen_options){.pairs = pairs, .rtol = 1e-9, .max_iterations = T_STEPS};
}

static void the_lowest_values_are_lapacks(void **state)
{
  (void)state;
  T_LONG;
  for (int k = 0; k < T_PENCILS; k++) {
    const t_pencil *p    = &t_pencils[k];
    const int       most = (int)t_massive(p), pairs[] = {1, 2, 7, most - 1, most};
    for (int i = 0; i < 5; i++) {
      t_modes                m   = {.X = NULL};
      const bf_eigen_options opt = options(pairs[i]);
      if (pairs[i] < 1 || pairs[i] > most) continue;
      T_OK(t_vibrate(p, T_SOLVER, &csr, &opt, &m));
      t_expect_lowest(p, &opt, &m);
      t_modes_clear(&m);
    }
  }
}

static void a_cluster_that_is_cut_shows(void **state)
{
  (void)state;
  T_LONG;
  static const t_pencil three = {"three chains", 66, t_three, t_unit, 0};
  for (int pairs = 1; pairs <= 7; pairs++) {
    const bf_eigen_options opt = options(pairs);
    t_modes                m   = {.X = NULL};
    T_OK(t_vibrate(&three, T_SOLVER, &csr, &opt, &m));
    assert_int_equal(m.rep.cut, pairs % 3 != 0);
    t_modes_clear(&m);
  }
}

static void vectors_to_begin_with_may_be_given(void **state)
{
  (void)state;
  T_LONG;
  const t_pencil  *p = &t_pencils[10];
  double           near[2 * 80];
  bf_eigen_options opt = options(6);
  t_modes          m   = {.X = NULL};
  for (int i = 0; i < 80; i++) near[i] = 1.0, near[80 + i] = i - 40.0;
  opt.near_null = near;
  opt.nnear     = 2;
  T_OK(t_vibrate(p, T_SOLVER, &csr, &opt, &m));
  t_expect_lowest(p, &opt, &m);
  t_modes_clear(&m);
}

static void every_form_of_the_matrices_will_do(void **state)
{
  (void)state;
  T_LONG_CHAINS;
  const bf_eigen_options opt = options(4);
  for (int f = 0; f < T_FORMS; f++) {
    T_ONE_OF(13);
    t_modes m = {.X = NULL};
    T_OK(t_vibrate(&t_pencils[0], T_SOLVER, &t_forms[f], &opt, &m));
    t_expect_lowest(&t_pencils[0], &opt, &m);
    t_modes_clear(&m);
  }
}

static void runs_repeat_bit_for_bit_on_any_number_of_threads(void **state)
{
  (void)state;
  T_LONG;
  const t_pencil        *p     = &t_pencils[3];
  const bf_eigen_options opt   = options(6);
  const int              many  = omp_get_max_threads();
  t_modes                first = {.X = NULL};
  T_OK(t_vibrate(p, T_SOLVER, &csr, &opt, &first));
  for (int threads = 1; threads <= 3; threads++) {
    t_modes m = {.X = NULL};
    omp_set_num_threads(threads);
    T_OK(t_vibrate(p, T_SOLVER, &csr, &opt, &m));
    assert_memory_equal(m.X, first.X, 6 * (size_t)p->n * sizeof(double));
    assert_memory_equal(m.rep.value, first.rep.value, 6 * sizeof(double));
    t_modes_clear(&m);
  }
  omp_set_num_threads(many);
  t_modes_clear(&first);
}
#endif
