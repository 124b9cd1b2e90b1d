/* tests/kernels/dense/t378_syinv.c - inverse of one symmetric matrix: residuals of all families, symmetry,
 * paths, failures usage: t378_syinv <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/dense/syinv_case.h"
#include <omp.h>

static void one(bf_scalar type, bf_int n, t_family f, bf_syinv_how how)
{
  t_syinv t = t_syinv_create(type, n, f);
  t.how     = how;
  t_syinv_run(&t);
  const double e = t.report.info == 0 ? t_syinv_error(&t) : INFINITY;
  if (getenv("BF_TEST_SHOW"))
    print_message("%c n=%d %s: %.2g path %d refined %d deferred %d residual %.2g condition %.2g\n",
                  "sd"[type], (int)n, t_family_name(f), e, t.report.path, t.report.refined,
                  (int)t.report.deferred, t.report.residual, t.report.condition);
  if (!(e <= 10.0))
    fail_msg("%c n=%d %s: info %d path %d refined %d, error %g, reported %g", "sd"[type], (int)n,
             t_family_name(f), (int)t.report.info, (int)t.report.path, t.report.refined, e,
             t.report.residual);
  if (!t_is_symmetric(&t)) fail_msg("n=%d: not symmetric", (int)n);
  if (!(t.report.condition >= 0.999)) fail_msg("n=%d: condition %g", (int)n, t.report.condition);
  if (f == T_SPD && how.method == BF_SYINV_AUTO) assert_int_equal(t.report.path, BF_SYINV_DEFINITE);
  t_syinv_destroy(&t);
}

static void all_families(const bf_int *n, int count, int families)
{
  for (int k = 0; k < count; k++)
    for (int type = BF_S; type <= BF_D; type++)
      for (int f = 0; f < families; f++) {
        if (type == BF_S && f >= T_LARGE) continue; /* beyond fp32 */
        one((bf_scalar)type, n[k], (t_family)f, (bf_syinv_how){.uplo = k % 2 ? BF_UPPER : BF_LOWER});
      }
}

static void small_orders_of_all_families_are_accurate(void **state)
{
  static const bf_int n[] = {1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200};
  (void)state;
  all_families(t_quick() ? n + 9 : n, t_quick() ? 4 : (int)(sizeof n / sizeof *n), T_FAMILIES);
}

static void orders_of_several_panels_are_accurate(void **state)
{
  static const bf_int n[] = {511, 512, 513, 1000, 2048, 4097};
  (void)state;
  all_families(n, t_quick() ? 1 : t_be->ops.on_device ? 6 : 3, T_FAMILIES);
}

static void every_rank_gives_an_accurate_inverse(void **state)
{
  static const bf_int rank[] = {128, 256, 384};
  (void)state;
  for (size_t k = 0; k < sizeof rank / sizeof *rank; k++)
    for (int type = BF_S; type <= BF_D; type++)
      for (int f = 0; f < (type == BF_S ? T_RANDOM + 1 : T_FAMILIES); f++)
        one((bf_scalar)type, 550, (t_family)f, (bf_syinv_how){.uplo = BF_LOWER, .rank = rank[k]});
}

static void every_method_gives_an_accurate_inverse(void **state)
{
  (void)state;
  for (int type = BF_S; type <= BF_D; type++)
    for (bf_int n = 5; n < 300; n += 140) {
      one((bf_scalar)type, n, T_SPD, (bf_syinv_how){.method = BF_SYINV_DEFINITE});
      one((bf_scalar)type, n, T_SPD, (bf_syinv_how){.method = BF_SYINV_INDEFINITE});
      one((bf_scalar)type, n, T_SPD, (bf_syinv_how){.method = BF_SYINV_BORDER});
      one((bf_scalar)type, n, T_SPD, (bf_syinv_how){.method = BF_SYINV_PIVOTED});
      one((bf_scalar)type, n, T_RANDOM, (bf_syinv_how){.method = BF_SYINV_PIVOTED});
      one((bf_scalar)type, n, T_ZERO_DIAGONAL, (bf_syinv_how){.method = BF_SYINV_PIVOTED});
      one((bf_scalar)type, n, T_SADDLE_LAST, (bf_syinv_how){.method = BF_SYINV_PIVOTED});
      one((bf_scalar)type, n, T_RANDOM, (bf_syinv_how){.method = BF_SYINV_INDEFINITE, .refine = 1});
      one((bf_scalar)type, n, T_RANDOM, (bf_syinv_how){.method = BF_SYINV_INDEFINITE, .refine = 2});
    }
}

/* Off-diagonal blocks alone: every diagonal block is 0. */
static void zero_diagonal_blocks_are_inverted_by_the_pivoted_path(void **state)
{
  enum { N = 300 };
  (void)state;
  t_syinv t = t_syinv_create(BF_D, N, T_RANDOM);
  for (size_t j = 0; j < N; j++)
    for (size_t i = 0; i < N; i++)
      if ((i < N / 2) == (j < N / 2)) t.A[j * N + i] = 0.0;
  t_syinv_run(&t);
  assert_int_equal(t.report.info, 0);
  assert_int_equal(t.report.path, BF_SYINV_PIVOTED);
  assert_true(t_syinv_error(&t) <= 10.0);
  t_syinv_destroy(&t);
}

/* exp(-(i-j)^2 / 64) + 1e-10 I: condition 1e11 inside of every block */
static void badly_conditioned_definite_matrices_are_accurate(void **state)
{
  enum { N = 300 };
  (void)state;
  for (int hilbert = 0; hilbert < 2; hilbert++) {
    t_syinv t = t_syinv_create(BF_D, N, T_RANDOM);
    for (size_t j = 0; j < N; j++)
      for (size_t i = 0; i < N; i++) {
        const double d = (double)i - (double)j;
        t.A[j * N + i] = hilbert ? 1.0 / (double)(i + j + 1) + (i == j ? 1e-12 : 0.0)
                                 : exp(-d * d / 64.0) + (i == j ? 1e-10 : 0.0);
      }
    t_syinv_run(&t);
    assert_int_equal(t.report.info, 0);
    const double e = t_syinv_error(&t);
    if (!(e <= 10.0)) fail_msg("%d: error %g, path %d", hilbert, e, (int)t.report.path);
    t_syinv_destroy(&t);
  }
}

static bf_int info_of(bf_int n, bf_syinv_method method, bf_int at_i, bf_int at_j, double planted)
{
  t_syinv t                                    = t_syinv_create(BF_D, n, T_SPD);
  t.how.method                                 = method;
  t.A[(size_t)at_j * (size_t)n + (size_t)at_i] = t.A[(size_t)at_i * (size_t)n + (size_t)at_j] = planted;
  t_syinv_run(&t);
  const bf_int info = t.report.info;
  t_syinv_destroy(&t);
  return info;
}

static void entries_that_are_not_finite_give_info(void **state)
{
  static const bf_int order[] = {1, 40, 200};
  (void)state;
  for (size_t k = 0; k < sizeof order / sizeof *order; k++)
    for (int m = BF_SYINV_AUTO; m <= BF_SYINV_PIVOTED; m++) {
      const bf_int n = order[k];
      assert_int_equal(info_of(n, (bf_syinv_method)m, n / 2, n / 2, (double)NAN), n + 1);
      assert_int_equal(info_of(n, (bf_syinv_method)m, n - 1, n / 3, (double)NAN), n + 1);
      assert_int_equal(info_of(n, (bf_syinv_method)m, n - 1, 0, (double)INFINITY), n + 1);
      assert_int_equal(info_of(n, (bf_syinv_method)m, 0, 0, -(double)INFINITY), n + 1);
    }
}

static void the_first_minor_that_is_not_positive_is_named(void **state)
{
  (void)state;
  for (bf_int k = 0; k < 300; k += 37) {
    assert_int_equal(info_of(300, BF_SYINV_DEFINITE, k, k, -1.0), k + 1);
    assert_int_equal(info_of(300, BF_SYINV_AUTO, k, k, -1.0), 0);
  }
}

static void singular_matrices_give_info(void **state)
{
  enum { N = 150, ZERO = 140 };
  (void)state;
  t_syinv t = t_syinv_create(BF_D, N, T_RANDOM);
  for (size_t i = 0; i < N; i++) t.A[ZERO * N + i] = t.A[i * N + ZERO] = 0.0;
  for (int m = BF_SYINV_AUTO; m <= BF_SYINV_PIVOTED; m++) {
    t.how.method = (bf_syinv_method)m;
    t_syinv_run(&t);
    if (!(t.report.info >= 1 && t.report.info <= N)) fail_msg("method %d: info %d", m, (int)t.report.info);
  }
  memset(t.A, 0, N * N * sizeof *t.A);
  t.how.method = BF_SYINV_AUTO;
  t_syinv_run(&t);
  assert_int_equal(t.report.info, 1);
  t_syinv_destroy(&t);
}

static void repeated_runs_and_other_numbers_of_threads_give_the_same_bits(void **state)
{
  enum { N = 700 };
  const int asked = omp_get_max_threads();
  (void)state;
  for (int f = T_SPD; f <= T_ZERO_DIAGONAL; f += T_ZERO_DIAGONAL) {
    t_syinv t = t_syinv_create(BF_D, N, (t_family)f), v = t_syinv_create(BF_D, N, (t_family)f);
    for (int m = BF_SYINV_AUTO; m <= BF_SYINV_PIVOTED; m += BF_SYINV_PIVOTED) {
      t.how.method = v.how.method = (bf_syinv_method)m;
      t_syinv_run(&t);
      omp_set_num_threads(m == 0 ? 1 : 2);
      t_syinv_run(&v);
      omp_set_num_threads(asked);
      assert_memory_equal(t.X, v.X, sizeof(double) * N * N);
    }
    t_syinv_destroy(&t);
    t_syinv_destroy(&v);
  }
}

static void mistakes_are_refused(void **state)
{
  (void)state;
  bf_syinv_how    how = {.uplo = BF_LOWER};
  bf_syinv_report report;
  size_t          bytes;
  double          a[1] = {1.0};
  T_ERR(BF_E_ARG, bf_syinv_work(t_be, &how, BF_Z, 4, &bytes));
  T_ERR(BF_E_ARG, bf_syinv_work(t_be, &how, BF_D, 0, &bytes));
  T_ERR(BF_E_ARG, bf_syinv_work(t_be, &how, BF_D, BF_SYINV_LARGEST + 1, &bytes));
  T_ERR(BF_E_ARG, bf_syinv(t_be, &how, BF_D, 1, 1, a, NULL, &report)); /* an allocation that failed */
  T_ERR(BF_E_ARG, bf_syinv(t_be, &how, BF_D, 1, 1, NULL, a, &report));
  T_ERR(BF_E_ARG, bf_syinv(t_be, &how, BF_D, 2, 1, a, a, &report));
  how.rank = 96;
  T_ERR(BF_E_ARG, bf_syinv_work(t_be, &how, BF_D, 4, &bytes));
  how.rank = 4096;
  T_ERR(BF_E_ARG, bf_syinv_work(t_be, &how, BF_D, 4, &bytes));
}

static void emulated_products_are_as_accurate_or_refused(void **state)
{
  (void)state;
  t_syinv t     = t_syinv_create(BF_D, 65, T_SPD);
  size_t  bytes = 0;
  void   *work = NULL, *a = t_to_backend(t.A, 65 * 65 * sizeof(double));
  t.how.emulate = 1;
  T_OK(bf_syinv_work(t_be, &t.how, BF_D, 65, &bytes));
  T_OK(t_be->ops.alloc(t_be, bytes, &work));
  const bf_err err = bf_syinv(t_be, &t.how, BF_D, 65, 65, a, work, &t.report);
  assert_true(err == BF_E_UNSUPPORTED || err == BF_OK);
  t_to_host(t.X, a, 65 * 65 * sizeof(double));
  if (err == BF_OK) assert_true(t_syinv_error(&t) <= 10.0);
  t_be->ops.release(t_be, a);
  t_be->ops.release(t_be, work);
  t_syinv_destroy(&t);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_orders_of_all_families_are_accurate),
      cmocka_unit_test(orders_of_several_panels_are_accurate),
      cmocka_unit_test(every_rank_gives_an_accurate_inverse),
      cmocka_unit_test(every_method_gives_an_accurate_inverse),
      cmocka_unit_test(zero_diagonal_blocks_are_inverted_by_the_pivoted_path),
      cmocka_unit_test(badly_conditioned_definite_matrices_are_accurate),
      cmocka_unit_test(entries_that_are_not_finite_give_info),
      cmocka_unit_test(the_first_minor_that_is_not_positive_is_named),
      cmocka_unit_test(singular_matrices_give_info),
      cmocka_unit_test(repeated_runs_and_other_numbers_of_threads_give_the_same_bits),
      cmocka_unit_test(mistakes_are_refused),
      cmocka_unit_test(emulated_products_are_as_accurate_or_refused),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
