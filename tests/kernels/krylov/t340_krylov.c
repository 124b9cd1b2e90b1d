/* tests/kernels/krylov/t340_krylov.c - the steps of CG and BiCGStab against plain scalar code: one step, and
 * whole solutions
 *
 * usage: t340_krylov <backend>
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/krylov/iteration_case.h"
#include <float.h>
#include <omp.h>

/* ---- one step at a time, on made-up vectors long enough for many partial sums ---- */

static void near_vector(const bench *k, int which, const double *want)
{
  double *h = t_on_host(k->v[which], k->n);
  for (bf_int i = 0; i < k->n; i++)
    if (!(fabs(h[i] - want[i]) <= 1e-14 * (1.0 + fabs(want[i]))))
      fail_msg("vector %d, entry %d of %d: %.17g instead of %.17g", which, (int)i, (int)k->n, h[i], want[i]);
  free(h);
}

static const bf_int lengths[] = {1, 31, 32, 33, 64, 65, 257, 4097, 100003};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

/* In a quick run: all but one block's rows, not of whole warps, and those of several. */
static int n_is_left_out(bf_int n)
{
  return t_quick() && n != 33 && n != 4097;
}

static void random_vectors(const bench *k, double *h[VECTORS], uint64_t *seed)
{
  for (int i = 0; i < VECTORS; i++) {
    h[i] = t_random_vector((size_t)k->n, seed);
    for (bf_int j = 0; i == DINV && j < k->n; j++) h[i][j] = k->jacobi ? 0.5 + fabs(h[i][j]) : 1.0;
    put(k, i, h[i]);
  }
}

static void free_vectors(double *h[VECTORS])
{
  for (int i = 0; i < VECTORS; i++) free(h[i]);
}

static void cg_steps_are_the_scalar_ones(void **state)
{
  (void)state;
  uint64_t seed = 1;
  for (int c = 0; c < LENGTHS; c++)
    for (int jacobi = 0; jacobi < 2; jacobi++) {
      if (n_is_left_out(lengths[c])) continue;
      const bf_int n = lengths[c];
      bench        k = open_bench(n, 32, jacobi, 0.0, LIMIT);
      double      *h[VECTORS], *z = malloc((size_t)n * sizeof *z);
      random_vectors(&k, h, &seed);
      T_OK(BF_OP(t_be, krylov.cg_begin, n, k.v[R], dinv_of(&k), k.v[P], k.st, k.history));
      for (bf_int i = 0; i < n; i++) z[i] = h[DINV][i] * h[R][i];
      near_vector(&k, P, z);
      bf_krylov_state st = t_state(k.st);
      T_NEAR(st.rr, host_dot(n, h[R], h[R]), 1e-14 * n);
      T_NEAR(st.rho, host_dot(n, h[R], z), 1e-13 * n);
      assert_int_equal(st.status, BF_KRYLOV_RUNNING);

      st.dot[0] = 1.7; /* as the product would leave p.q */
      T_OK(t_be->ops.copy(t_be, k.st, &st, sizeof st, BF_TO_DEVICE));
      T_OK(BF_OP(t_be, krylov.cg_move, n, k.v[X], k.v[R], k.v[P], k.v[Q], dinv_of(&k), k.st, k.history));
      const double alpha = st.rho / 1.7;
      for (bf_int i = 0; i < n; i++) {
        h[X][i] += alpha * z[i];
        h[R][i] -= alpha * h[Q][i];
      }
      double *p = z; /* the direction so far */
      z         = malloc((size_t)n * sizeof *z);
      for (bf_int i = 0; i < n; i++) z[i] = h[DINV][i] * h[R][i];
      near_vector(&k, X, h[X]);
      near_vector(&k, R, h[R]);
      const bf_krylov_state after = t_state(k.st);
      const double          rr = host_dot(n, h[R], h[R]), rz = host_dot(n, h[R], z);
      T_NEAR(after.rr, rr, 1e-12 * rr);
      T_NEAR(after.rho, rz, 1e-12 * rz);
      T_NEAR(after.beta, rz / st.rho, 1e-12 * rz / st.rho);
      assert_int_equal(after.iteration, 1);
      for (bf_int i = 0; i < n; i++) p[i] = z[i] + after.beta * p[i];
      near_vector(&k, P, p);
      double history[2];
      t_residuals(k.history, 2, history);
      assert_true(history[0] == st.rr && history[1] == after.rr);
      free(p);
      free(z);
      free_vectors(h);
      close_bench(&k);
    }
}

static void bicgstab_steps_are_the_scalar_ones(void **state)
{
  (void)state;
  uint64_t seed = 2;
  for (int c = 0; c < LENGTHS; c++)
    for (int jacobi = 0; jacobi < 2; jacobi++) {
      if (n_is_left_out(lengths[c])) continue;
      const bf_int n  = lengths[c];
      bench        k  = open_bench(n, 32, jacobi, 0.0, LIMIT);
      const int    ph = jacobi ? PH : P, rh = jacobi ? RH : R; /* without Jacobi they are the same vectors */
      double      *h[VECTORS], *z           = malloc((size_t)n * sizeof *z);
      random_vectors(&k, h, &seed);
      T_OK(BF_OP(t_be, krylov.bicgstab_begin, n, k.v[R], dinv_of(&k), k.v[R0], k.v[P], k.v[ph], k.st,
                 k.history));
      near_vector(&k, R0, h[R]);
      near_vector(&k, P, h[R]);
      for (bf_int i = 0; i < n; i++) z[i] = h[DINV][i] * h[R][i];
      near_vector(&k, ph, z);
      memcpy(h[R0], h[R], (size_t)n * sizeof **h);
      memcpy(h[P], h[R], (size_t)n * sizeof **h);
      memcpy(h[PH], z, (size_t)n * sizeof **h);

      bf_krylov_state st = t_state(k.st);
      T_NEAR(st.rho, host_dot(n, h[R], h[R]), 1e-14 * n);
      st.dot[0] = 2.3 * st.rho; /* r0.v */
      T_OK(t_be->ops.copy(t_be, k.st, &st, sizeof st, BF_TO_DEVICE));
      T_OK(BF_OP(t_be, krylov.bicgstab_middle, n, k.v[R], k.v[Q], dinv_of(&k), k.v[rh], k.st));
      const double alpha = 1.0 / 2.3;
      for (bf_int i = 0; i < n; i++) {
        h[R][i] -= alpha * h[Q][i];
        h[RH][i] = h[DINV][i] * h[R][i];
      }
      near_vector(&k, R, h[R]);
      near_vector(&k, rh, h[RH]);
      bf_krylov_state mid = t_state(k.st);
      T_NEAR(mid.alpha, alpha, 1e-14);
      assert_int_equal(mid.half, 0);

      mid.dot[0] = 0.8; /* s.t, t.t */
      mid.dot[1] = 2.0;
      T_OK(t_be->ops.copy(t_be, k.st, &mid, sizeof mid, BF_TO_DEVICE));
      T_OK(BF_OP(t_be, krylov.bicgstab_move, n, k.v[X], k.v[R], k.v[P], k.v[ph], k.v[R0], k.v[rh], k.v[Q],
                 k.v[T], dinv_of(&k), k.st, k.history));
      for (bf_int i = 0; i < n; i++) {
        h[X][i] += alpha * h[PH][i] + 0.4 * h[RH][i];
        h[R][i] -= 0.4 * h[T][i];
      }
      near_vector(&k, X, h[X]);
      near_vector(&k, R, h[R]);
      const bf_krylov_state end = t_state(k.st);
      const double          rr = host_dot(n, h[R], h[R]), r0r = host_dot(n, h[R0], h[R]);
      T_NEAR(end.rr, rr, 1e-12 * rr);
      T_NEAR(end.rho, r0r, 1e-13 * (1.0 + n));
      T_NEAR(end.beta, end.rho / st.rho * alpha / 0.4, 1e-12 * fabs(end.beta));
      assert_int_equal(end.status, BF_KRYLOV_RUNNING);
      for (bf_int i = 0; i < n; i++) {
        h[P][i] = h[R][i] + end.beta * (h[P][i] - 0.4 * h[Q][i]);
        z[i]    = h[DINV][i] * h[P][i];
      }
      near_vector(&k, P, h[P]);
      near_vector(&k, ph, z);
      free(z);
      free_vectors(h);
      close_bench(&k);
    }
}

/* ---- whole solutions on a small matrix ---- */

/* Plain CG in long double; history[i] = r.r after i iterations, returns their number. */
static int plain_cg(const sys *S, int jacobi, double rr_stop, double *history)
{
  const bf_int n = S->n;
  long double *x = calloc((size_t)n * 5, sizeof *x), *r = x + n, *p = x + 2 * n, *q = x + 3 * n,
              *z  = x + 4 * n;
  long double rho = 0.0L, rr = 0.0L;
  int         it = 0;
  for (bf_int i = 0; i < n; i++) r[i] = (long double)S->b[i];
  for (;; it++) {
    long double new_rho = 0.0L, pq = 0.0L;
    rr = 0.0L;
    for (bf_int i = 0; i < n; i++) {
      z[i] = jacobi ? r[i] / (long double)S->a[(size_t)i * (size_t)n + (size_t)i] : r[i];
      rr += r[i] * r[i];
      new_rho += r[i] * z[i];
    }
    history[it] = (double)rr;
    if (rr <= (long double)rr_stop || it == LIMIT) break;
    for (bf_int i = 0; i < n; i++) p[i] = it ? z[i] + new_rho / rho * p[i] : z[i];
    rho = new_rho;
    for (bf_int i = 0; i < n; i++) {
      q[i] = 0.0L;
      for (bf_int j = 0; j < n; j++) q[i] += (long double)S->a[(size_t)i * (size_t)n + (size_t)j] * p[j];
      pq += p[i] * q[i];
    }
    for (bf_int i = 0; i < n; i++) {
      x[i] += rho / pq * p[i];
      r[i] -= rho / pq * q[i];
    }
  }
  free(x);
  return it;
}

static void cg_follows_the_plain_iteration_to_the_solution(void **state)
{
  (void)state;
  T_LONG;
  uint64_t seed = 3;
  sys      S    = open_system(1, 0.1, &seed);
  double   plain[LIMIT + 1], history[LIMIT + 1];
  for (int jacobi = 0; jacobi < 2; jacobi++) {
    const double stop = 1e-20 * host_dot(S.n, S.b, S.b);
    bench        k    = bench_on(&S, S.b, jacobi, stop, LIMIT);
    const int    want = plain_cg(&S, jacobi, stop, plain);
    cg_iterations(&k, &S, 1, LIMIT);
    const bf_krylov_state st = t_state(k.st);
    t_residuals(k.history, LIMIT + 1, history);
    assert_int_equal(st.status, BF_KRYLOV_CONVERGED);
    assert_in_range(st.iteration, want - 1, want + 1);
    for (int i = 0; i <= st.iteration / 2; i++) T_NEAR(history[i], plain[i], 1e-6 * plain[i]);
    assert_true(history[st.iteration] <= stop && history[st.iteration] == st.rr);
    if (st.iteration < LIMIT)
      assert_true(history[st.iteration + 1] == -1.0); /* nothing was written past the end */
    double *x = t_on_host(k.v[X], k.n);
    for (bf_int i = 0; i < S.n; i++) T_NEAR(x[i], S.u[i], 1e-9);
    free(x);
    close_bench(&k);
  }
  close_system(&S);
}

static void bicgstab_solves_an_unsymmetric_system(void **state)
{
  (void)state;
  T_LONG;
  uint64_t seed = 4;
  sys      S    = open_system(0, 0.1, &seed);
  for (int jacobi = 0; jacobi < 2; jacobi++) {
    bench k = bench_on(&S, S.b, jacobi, 1e-22 * host_dot(S.n, S.b, S.b), LIMIT);
    bicgstab_iterations(&k, &S, 1, LIMIT);
    const bf_krylov_state st = t_state(k.st);
    assert_int_equal(st.status, BF_KRYLOV_CONVERGED);
    assert_in_range(st.iteration, 2, 150);
    double *x = t_on_host(k.v[X], k.n);
    for (bf_int i = 0; i < S.n; i++) T_NEAR(x[i], S.u[i], 1e-9);
    free(x);
    close_bench(&k);
  }
  close_system(&S);
}

static void whole_solutions_repeat_bit_for_bit_on_any_number_of_threads(void **state)
{
  (void)state;
  uint64_t  seed = 5;
  sys       S    = open_system(1, 0.5, &seed);
  const int many = omp_get_max_threads();
  for (int m = 0; m < 2; m++) {
    double *first = NULL;
    for (int threads = 1; threads <= (t_quick() ? 2 : 3); threads++) {
      omp_set_num_threads(threads);
      bench k = bench_on(&S, S.b, 1, 1e-20, LIMIT);
      both[m](&k, &S, 1, t_quick() ? 3 : 30);
      double *x = t_on_host(k.v[X], k.n);
      if (first) assert_memory_equal(x, first, (size_t)S.n * sizeof *x);
      if (first) free(x);
      if (!first) first = x;
      close_bench(&k);
    }
    free(first);
  }
  omp_set_num_threads(many);
  close_system(&S);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cg_steps_are_the_scalar_ones),
      cmocka_unit_test(bicgstab_steps_are_the_scalar_ones),
      cmocka_unit_test(cg_follows_the_plain_iteration_to_the_solution),
      cmocka_unit_test(bicgstab_solves_an_unsymmetric_system),
      cmocka_unit_test(whole_solutions_repeat_bit_for_bit_on_any_number_of_threads),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
