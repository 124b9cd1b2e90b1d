/* tests/solvers/eigen/eigen_claims.h - what holds of every eigen solver; T_SOLVER and T_STEPS, at most so
 * many steps, are defined before */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_SOLVERS_EIGEN_CLAIMS_H
#define BF_TESTS_SOLVERS_EIGEN_CLAIMS_H
#include "tests/solvers/eigen/eigen_case.h"
#include "tests/solvers/solver_forms.h"
#include <omp.h>

static const bf_matrix_form csr = {.format = BF_FORMAT_CSR};

static bf_eigen_options options(int pairs)
{
  return (bf_eigen_options){.pairs = pairs, .rtol = 1e-9, .max_iterations = T_STEPS};
}

static void refused(bf_eigen_options opt)
{
  t_modes m = {.X = NULL};
  T_ERR(BF_E_ARG, t_vibrate(&t_pencils[0], T_SOLVER, &csr, &opt, &m));
  t_modes_clear(&m);
}

static double negative_mass(bf_int n, bf_int i, bf_int j)
{
  (void)n;
  return i != j ? 0.0 : i == 5 ? -1.0 : 1.0;
}
static double no_stiffness(bf_int n, bf_int i, bf_int j)
{
  return i == 4 || j == 4 ? 0.0 : t_chain(n, i, j);
}

static void what_makes_no_sense_is_refused(void **state)
{
  (void)state;
  static const t_pencil  bad[] = {{"negative mass", 20, t_chain, negative_mass, 0},
                                  {"no stiffness", 20, no_stiffness, t_unit, 0}};
  const bf_eigen_options two   = options(2);
  bf_eigen_options       opt;
  for (int i = 0; i < 2; i++) {
    t_modes m = {.X = NULL};
    T_ERR(BF_E_ARG, t_vibrate(&bad[i], T_SOLVER, &csr, &two, &m));
    t_modes_clear(&m);
  }
  opt = two, opt.pairs = 61, refused(opt);
  opt = two, opt.rtol = 0.0, refused(opt);
  opt = two, opt.rtol = NAN, refused(opt);
  opt = two, opt.nnear = 1, refused(opt);
}

static void no_leak(const bf_eigen_options *opt)
{
  const t_pencil *p  = &t_pencils[2];
  bf_sparse      *SK = t_sparse(p->n, p->K), *SM = t_sparse(p->n, p->M);
  bf_matrix      *K = NULL, *M = NULL;
  double         *X   = calloc((size_t)opt->pairs * (size_t)p->n, sizeof *X);
  bf_eigen_report rep = {0};
  t_no_memory     t   = {0};
  T_OK(bf_matrix_from_sparse(t_be, SK, &csr, &K));
  T_OK(bf_matrix_from_sparse(t_be, SM, &csr, &M));
  T_OK(T_SOLVER(K, M, opt, X, &rep)); /* the backend keeps its scratch of it */
  bf_eigen_report_clear(&rep);
  while (t_no_memory_next(&t)) {
    t_no_memory_begin(&t);
    t_no_memory_end(&t, T_SOLVER(K, M, opt, X, &rep));
    bf_eigen_report_clear(&rep);
  }
  assert_true(t.failed > 20);
  bf_matrix_destroy(&K);
  bf_matrix_destroy(&M);
  bf_sparse_destroy(&SK);
  bf_sparse_destroy(&SM);
  free(X);
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
