/* tests/kernels/krylov/t639_krylov_ends.c - how iterations of CG and BiCGStab end: convergence, limit,
 * breakdown, NaN, iterations queued past the end
 *
 * usage: t639_krylov_ends <backend>
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/krylov/iteration_case.h"

static bf_krylov_state end_of(method iterate, const sys *S, const double *b, double rr_stop, int limit)
{
  bench k = bench_on(S, b, 0, rr_stop, limit);
  iterate(&k, S, 1, limit + 3);
  const bf_krylov_state st = t_state(k.st);
  /* x is finite whatever happened, except for NaN in b */
  double *x = t_on_host(k.v[X], k.n);
  for (bf_int i = 0; i < S->n; i++) assert_true(isfinite(x[i]));
  free(x);
  close_bench(&k);
  return st;
}

static void a_zero_right_hand_side_converges_at_once(void **state)
{
  (void)state;
  uint64_t seed = 6;
  sys      S    = open_system(1, 1.0, &seed);
  double  *zero = calloc((size_t)S.n, sizeof *zero);
  for (int m = 0; m < 2; m++) {
    const bf_krylov_state st = end_of(both[m], &S, zero, 0.0, 5);
    assert_int_equal(st.status, BF_KRYLOV_CONVERGED);
    assert_int_equal(st.iteration, 0);
  }
  free(zero);
  close_system(&S);
}

static void the_iteration_limit_is_kept(void **state)
{
  (void)state;
  uint64_t seed = 7;
  sys      S    = open_system(1, 0.1, &seed);
  for (int m = 0; m < 2; m++) {
    bf_krylov_state st = end_of(both[m], &S, S.b, 0.0, 4);
    assert_int_equal(st.status, BF_KRYLOV_LIMIT);
    assert_int_equal(st.iteration, 4);
    st = end_of(both[m], &S, S.b, 0.0, 0);
    assert_int_equal(st.status, BF_KRYLOV_LIMIT);
    assert_int_equal(st.iteration, 0);
  }
  close_system(&S);
}

static void an_indefinite_matrix_stops_cg_without_a_step(void **state)
{
  (void)state;
  uint64_t seed = 8;
  sys      S    = open_system(1, 1.0, &seed);
  for (size_t i = 0; i < (size_t)S.n * (size_t)S.n; i++) S.a[i] = -S.a[i];
  t_matrix_put(S.A, S.a);
  bench k = bench_on(&S, S.b, 0, 0.0, 9);
  cg_iterations(&k, &S, 1, 3);
  const bf_krylov_state st = t_state(k.st);
  assert_int_equal(st.status, BF_KRYLOV_INDEFINITE);
  assert_int_equal(st.iteration, 0);
  double *x = t_on_host(k.v[X], k.n), *r = t_on_host(k.v[R], k.n);
  for (bf_int i = 0; i < S.n; i++) assert_true(x[i] == 0.0 && r[i] == S.b[i]);
  free(x);
  free(r);
  close_bench(&k);
  close_system(&S);
}

static void a_zero_matrix_breaks_bicgstab_down(void **state)
{
  (void)state;
  uint64_t seed = 9;
  sys      S    = open_system(1, 1.0, &seed);
  memset(S.a, 0, (size_t)S.n * (size_t)S.n * sizeof *S.a);
  t_matrix_put(S.A, S.a);
  assert_int_equal(end_of(bicgstab_iterations, &S, S.b, 0.0, 5).status, BF_KRYLOV_BREAKDOWN);
  assert_int_equal(end_of(cg_iterations, &S, S.b, 0.0, 5).status, BF_KRYLOV_INDEFINITE);
  close_system(&S);
}

static void nan_stops_the_iteration(void **state)
{
  (void)state;
  uint64_t seed = 10;
  sys      S    = open_system(1, 1.0, &seed);
  for (int m = 0; m < 2; m++) {
    S.b[17] = NAN; /* in the right-hand side: before the first step */
    assert_int_equal(end_of(both[m], &S, S.b, 0.0, 5).status, BF_KRYLOV_NAN);
    S.b[17]      = 1.0;
    double *save = malloc((size_t)S.n * (size_t)S.n * sizeof *save);
    memcpy(save, S.a, (size_t)S.n * (size_t)S.n * sizeof *save);
    S.a[5 * S.n + 5] = NAN; /* in the matrix: the first product shows it, x stays finite */
    t_matrix_put(S.A, S.a);
    assert_int_equal(end_of(both[m], &S, S.b, 0.0, 5).status, BF_KRYLOV_NAN);
    memcpy(S.a, save, (size_t)S.n * (size_t)S.n * sizeof *save);
    t_matrix_put(S.A, S.a);
    free(save);
  }
  close_system(&S);
}

/* A = 2 I: s = 0 after half a step, so the second half adds nothing. */
static void bicgstab_may_end_with_half_a_step(void **state)
{
  (void)state;
  uint64_t seed = 11;
  sys      S    = open_system(1, 1.0, &seed);
  memset(S.a, 0, (size_t)S.n * (size_t)S.n * sizeof *S.a);
  for (size_t i = 0; i < (size_t)S.n; i++) S.a[i * (size_t)S.n + i] = 2.0;
  t_matrix_put(S.A, S.a);
  for (int jacobi = 0; jacobi < 2; jacobi++) {
    bench k = bench_on(&S, S.b, jacobi, 1e-28 * host_dot(S.n, S.b, S.b), 9);
    bicgstab_iterations(&k, &S, 1, 3);
    const bf_krylov_state st = t_state(k.st);
    assert_int_equal(st.status, BF_KRYLOV_CONVERGED);
    assert_int_equal(st.half, 1);
    assert_int_equal(st.iteration, 1);
    double *x = t_on_host(k.v[X], k.n);
    for (bf_int i = 0; i < S.n; i++) T_NEAR(x[i], 0.5 * S.b[i], 1e-15 * (1.0 + fabs(S.b[i])));
    free(x);
    close_bench(&k);
  }
  close_system(&S);
}

static void iterations_queued_past_the_end_change_nothing(void **state)
{
  (void)state;
  uint64_t seed = 12;
  sys      S    = open_system(1, 0.5, &seed);
  for (int m = 0; m < 2; m++) {
    bench k = bench_on(&S, S.b, 1, t_quick() ? 1e-2 * host_dot(S.n, S.b, S.b) : 1e-12, LIMIT);
    both[m](&k, &S, 1, t_quick() ? 12 : LIMIT / 4);
    bf_krylov_state end = t_state(k.st), later;
    double         *before[VECTORS], h1[LIMIT + 1], h2[LIMIT + 1];
    t_residuals(k.history, LIMIT + 1, h1);
    assert_int_equal(end.status, BF_KRYLOV_CONVERGED);
    for (int i = 0; i < VECTORS; i++) before[i] = t_on_host(k.v[i], k.n);
    both[m](&k, &S, 0, 5);
    later = t_state(k.st);
    t_residuals(k.history, LIMIT + 1, h2);
    memcpy(later.dot, end.dot, sizeof end.dot); /* the product goes on writing its sums */
    assert_memory_equal(&end, &later, sizeof end);
    assert_memory_equal(h1, h2, sizeof h1);
    for (int i = 0; i < VECTORS; i++) {
      double *after = t_on_host(k.v[i], k.n);
      if (i != Q && i != T) assert_memory_equal(after, before[i], (size_t)S.n * sizeof *after);
      free(after);
      free(before[i]);
    }
    close_bench(&k);
  }
  close_system(&S);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_zero_right_hand_side_converges_at_once),
      cmocka_unit_test(the_iteration_limit_is_kept),
      cmocka_unit_test(an_indefinite_matrix_stops_cg_without_a_step),
      cmocka_unit_test(a_zero_matrix_breaks_bicgstab_down),
      cmocka_unit_test(nan_stops_the_iteration),
      cmocka_unit_test(bicgstab_may_end_with_half_a_step),
      cmocka_unit_test(iterations_queued_past_the_end_change_nothing),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
