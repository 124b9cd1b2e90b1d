/* tests/solvers/eigen/t411_lobpcg.c - LOBPCG against LAPACK's dsygv and closed forms
 * usage: t411_lobpcg <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#define T_SOLVER bf_lobpcg
#define T_STEPS  2000
#include "tests/solvers/eigen/eigen_claims.h"

/* z = (K's diagonal)^-1 r once more, as an operation. */
typedef struct twice {
  bf_backend *be;
  bf_int      n;
  double     *dinv;
} twice;

static bf_err apply(const void *M, int transposed, const double *r, double *z, double *dot)
{
  const twice *t = M;
  (void)transposed, (void)dot;
  BF_TRY(t->be->ops.copy(t->be, z, r, (size_t)t->n * sizeof *z, BF_WITHIN));
  return BF_OP(t->be, vector.columns_scale, t->n, 1, t->dinv, z, t->n, z, t->n);
}

static void an_operation_preconditions_as_the_diagonal_does(void **state)
{
  (void)state;
  T_LONG;
  const t_pencil  *p = &t_pencils[3];
  double           dinv[T_NX * 12];
  t_modes          a = {.X = NULL}, b = {.X = NULL};
  bf_eigen_options opt = options(5);
  for (bf_int i = 0; i < p->n; i++) dinv[i] = 1.0 / p->K(p->n, i, i);
  const twice        D = {t_be, p->n, t_to_backend(dinv, sizeof dinv)};
  const bf_operation o = {apply, &D};
  T_OK(t_vibrate(p, bf_lobpcg, &csr, &opt, &a));
  opt.precond = &o;
  T_OK(t_vibrate(p, bf_lobpcg, &csr, &opt, &b));
  t_expect_lowest(p, &opt, &b);
  assert_int_equal(a.rep.iterations, b.rep.iterations);
  for (int k = 0; k < 5; k++) assert_true(a.rep.value[k] == b.rep.value[k]);
  t_be->ops.release(t_be, D.dinv);
  t_modes_clear(&a);
  t_modes_clear(&b);
}

/* Blocks of 16 rows one after the other. */
static bf_partition *slices(bf_int n)
{
  bf_partition *parts = NULL;
  bf_int       *part  = calloc((size_t)n, sizeof *part);
  for (bf_int i = 0; i < n; i++) part[i] = i / 16;
  T_OK(bf_partition_of(n, (n + 15) / 16, part, 16, &parts));
  free(part);
  return parts;
}

static void blocks_find_the_same_in_fewer_steps(void **state)
{
  (void)state;
  T_LONG_CHAINS;
  int steps[2] = {0, 0};
  for (int k = 0; k < T_PENCILS; k++)
    for (int pairs = 2; pairs <= 7; pairs += 5) {
      T_ONE_OF(13);
      const t_pencil  *p   = &t_pencils[k];
      bf_eigen_options opt = options(pairs);
      t_modes          a = {.X = NULL}, b = {.X = NULL};
      bf_partition    *parts = slices(p->n);
      if (pairs <= t_massive(p)) {
        T_OK(t_vibrate(p, bf_lobpcg, &csr, &opt, &a));
        opt.help  = BF_EIGEN_BLOCK_JACOBI;
        opt.parts = parts;
        T_OK(t_vibrate(p, bf_lobpcg, &csr, &opt, &b));
        t_expect_lowest(p, &opt, &b);
        steps[0] += a.rep.iterations, steps[1] += b.rep.iterations;
        T_CONTAINS(b.rep.text, " blocks of ");
      }
      bf_partition_destroy(&parts);
      t_modes_clear(&a);
      t_modes_clear(&b);
    }
  assert_true(2 * steps[1] < steps[0]);
}

static void factors_find_the_same_in_a_few_steps(void **state)
{
  (void)state;
  for (int k = 0; k < T_PENCILS; k++)
    for (int pairs = 2; pairs <= 7; pairs += 5) {
      T_ONE_OF(7);
      const t_pencil  *p   = &t_pencils[k];
      bf_eigen_options opt = options(pairs);
      t_modes          m   = {.X = NULL};
      opt.help             = BF_EIGEN_DIRECT;
      if (pairs > t_massive(p)) continue;
      T_OK(t_vibrate(p, bf_lobpcg, &csr, &opt, &m));
      t_expect_lowest(p, &opt, &m);
      T_LE(m.rep.iterations, 30);
      T_CONTAINS(m.rep.text, p->zeros              ? ", factors of K + "
                             : t_be->ops.on_device ? ", factors of K on the CPU, half-bandwidth "
                                                   : ", factors of K, half-bandwidth ");
      t_modes_clear(&m);
    }
}

static void few_steps_are_a_limit(void **state)
{
  (void)state;
  bf_eigen_options opt = options(3);
  t_modes          m   = {.X = NULL};
  opt.max_iterations   = 5;
  T_OK(t_vibrate(&t_pencils[3], bf_lobpcg, &csr, &opt, &m));
  assert_int_equal(m.rep.reason, BF_EIGEN_LIMIT);
  assert_int_equal(m.rep.iterations, 5);
  T_CONTAINS(m.rep.text, "iteration limit: 0 of 3 pairs to 1e-09, the worst");
  for (int k = 0; k < 3; k++) assert_int_equal(m.rep.ok[k], 0);
  t_modes_clear(&m);
}

static int  looks;
static void see(void *context, const bf_eigen_progress *p)
{
  assert_true(context == &looks && p->pairs == 2 && p->converged <= 2 && p->residual >= 0.0);
  looks++;
}

static void the_monitor_sees_the_steps(void **state)
{
  (void)state;
  T_LONG;
  bf_eigen_options opt = options(2);
  t_modes          m   = {.X = NULL};
  opt.monitor = see, opt.context = &looks;
  looks = 0;
  T_OK(t_vibrate(&t_pencils[0], bf_lobpcg, &csr, &opt, &m));
  assert_int_equal(looks, (m.rep.iterations + 9) / 10 + 1);
  t_modes_clear(&m);
}

static void a_shift_and_blocks_without_parts_are_refused(void **state)
{
  (void)state;
  bf_eigen_options opt = options(2);
  opt.shift            = 1.0;
  refused(opt);
  opt      = options(2);
  opt.help = BF_EIGEN_BLOCK_JACOBI;
  refused(opt);
}

static void nothing_leaks_where_memory_is_short(void **state)
{
  (void)state;
  T_LONG;
  const bf_eigen_precond help[] = {BF_EIGEN_JACOBI, BF_EIGEN_BLOCK_JACOBI, BF_EIGEN_DIRECT};
  bf_partition          *parts  = slices(t_pencils[2].n);
  bf_eigen_options       opt    = options(3);
  opt.max_iterations            = 3; /* the others are like these */
  opt.parts                     = parts;
  for (int i = 0; i < (t_be->ops.on_device ? 2 : 3); i++) {
    opt.help = help[i];
    no_leak(&opt);
  }
  bf_partition_destroy(&parts);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_lowest_values_are_lapacks),
      cmocka_unit_test(a_cluster_that_is_cut_shows),
      cmocka_unit_test(vectors_to_begin_with_may_be_given),
      cmocka_unit_test(an_operation_preconditions_as_the_diagonal_does),
      cmocka_unit_test(blocks_find_the_same_in_fewer_steps),
      cmocka_unit_test(factors_find_the_same_in_a_few_steps),
      cmocka_unit_test(few_steps_are_a_limit),
      cmocka_unit_test(the_monitor_sees_the_steps),
      cmocka_unit_test(every_form_of_the_matrices_will_do),
      cmocka_unit_test(runs_repeat_bit_for_bit_on_any_number_of_threads),
      cmocka_unit_test(what_makes_no_sense_is_refused),
      cmocka_unit_test(a_shift_and_blocks_without_parts_are_refused),
      cmocka_unit_test(nothing_leaks_where_memory_is_short),
  };
  const int code = t_backend_open_columns(argc, argv);
  if (code) return code;
  omp_set_num_threads(1); /* hundreds of short steps: a barrier costs more where other programs run */
  return t_backend_close(T_RUN(tests));
}
