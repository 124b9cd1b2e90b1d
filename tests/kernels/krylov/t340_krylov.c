/* tests/kernels/krylov/t340_krylov.c - the steps of CG and BiCGStab against plain scalar code, one step and
 * to the end usage: t340_krylov <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/matrix.h"
#include "tests/kernels/krylov/krylov_case.h"
#include "tests/reference/dense.h"
#include <float.h>
#include <math.h>
#include <omp.h>

enum { LIMIT = 400, VECTORS = 10 };
enum { X, R, P, Q, PH, RH, R0, T, DINV, B }; /* the vectors of an iteration; CG uses X R P Q DINV */

typedef struct bench { /* an iteration on the backend */
  bf_int            n, guard;
  int               jacobi;
  double           *v[VECTORS];
  bf_krylov_state  *st;
  bf_krylov_sample *history;
} bench;

static bench open_bench(bf_int n, bf_int guard, int jacobi, double rr_stop, int limit)
{
  bench           k     = {.n = n, .guard = guard, .jacobi = jacobi};
  bf_krylov_state start = {.rr_stop = rr_stop, .limit = limit};
  for (int i = 0; i < VECTORS; i++) T_OK(bf_vector_create(t_be, n, guard, &k.v[i]));
  k.st      = t_to_backend(&start, sizeof start);
  k.history = t_samples(LIMIT + 1);
  return k;
}

static void close_bench(bench *k)
{
  for (int i = 0; i < VECTORS; i++) bf_vector_destroy(t_be, k->guard, &k->v[i]);
  t_be->ops.release(t_be, k->st);
  t_be->ops.release(t_be, k->history);
}

static void put(const bench *k, int which, const double *h)
{
  T_OK(t_be->ops.copy(t_be, k->v[which], h, (size_t)k->n * sizeof *h, BF_TO_DEVICE));
}

static const double *dinv_of(const bench *k)
{
  return k->jacobi ? k->v[DINV] : NULL;
}

/* ---- one step at a time, on made-up vectors long enough for many partial sums ---- */

static double host_dot(bf_int n, const double *x, const double *y)
{
  long double s = 0.0L;
  for (bf_int i = 0; i < n; i++) s += (long double)x[i] * (long double)y[i];
  return (double)s;
}

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

typedef struct sys {
  bf_matrix *A;
  bf_int     n;
  double    *a, *u, *b; /* dense matrix, solution, A u */
} sys;

/* Symmetric positive definite for shift > 0 (diagonally dominant), or with half = 0 unsymmetric. */
static sys open_system(int half, double shift, uint64_t *seed)
{
  sys       S = {.n = 2 * 300};
  t_table  *t = t_table_of_kind(T_RANDOM_SEGMENTS, 300, seed);
  bf_bands *b = t_table_bands(t);
  S.a         = t_dense_random(t, 2, half, seed);
  for (size_t i = 0; i < (size_t)S.n; i++) {
    double sum = 0.0;
    for (size_t j = 0; j < (size_t)S.n; j++) sum += j == i ? 0.0 : fabs(S.a[i * (size_t)S.n + j]);
    S.a[i * (size_t)S.n + i] = sum + shift * (1.0 + 20.0 * t_uniform(seed));
  }
  T_OK(bf_matrix_create_bdia(t_be, b, 2, half, BF_FP64, 0, &S.A));
  t_matrix_put(S.A, S.a);
  S.u          = t_random_vector((size_t)S.n, seed);
  S.b          = malloc((size_t)S.n * sizeof *S.b);
  double *size = malloc((size_t)S.n * sizeof *size);
  t_dense_product(S.n, S.a, S.u, S.b, size);
  free(size);
  bf_bands_destroy(&b);
  t_table_free(t);
  return S;
}

static void close_system(sys *S)
{
  bf_matrix_destroy(&S->A);
  free(S->a);
  free(S->u);
  free(S->b);
}

static bench bench_on(const sys *S, const double *b, int jacobi, double rr_stop, int limit)
{
  bench k = open_bench(S->n, S->A->guard, jacobi, rr_stop, limit);
  put(&k, R, b); /* x = 0 */
  T_OK(bf_matrix_diagonal(S->A, k.v[DINV]));
  T_OK(BF_OP(t_be, vector.reciprocal, S->n, k.v[DINV], k.v[DINV]));
  return k;
}

static void cg_iterations(const bench *k, const sys *S, int begin, int count)
{
  if (begin) T_OK(BF_OP(t_be, krylov.cg_begin, k->n, k->v[R], dinv_of(k), k->v[P], k->st, k->history));
  for (int i = 0; i < count; i++) {
    T_OK(bf_matrix_spmv(S->A, k->v[P], k->v[Q], k->v[P], (double *)k->st));
    T_OK(
        BF_OP(t_be, krylov.cg_move, k->n, k->v[X], k->v[R], k->v[P], k->v[Q], dinv_of(k), k->st, k->history));
  }
}

static void bicgstab_iterations(const bench *k, const sys *S, int begin, int count)
{
  const double *dinv = dinv_of(k);
  double       *ph = k->v[dinv ? PH : P], *rh = k->v[dinv ? RH : R];
  if (begin)
    T_OK(BF_OP(t_be, krylov.bicgstab_begin, k->n, k->v[R], dinv, k->v[R0], k->v[P], ph, k->st, k->history));
  for (int i = 0; i < count; i++) {
    T_OK(bf_matrix_spmv(S->A, ph, k->v[Q], k->v[R0], (double *)k->st));
    T_OK(BF_OP(t_be, krylov.bicgstab_middle, k->n, k->v[R], k->v[Q], dinv, rh, k->st));
    T_OK(bf_matrix_spmv(S->A, rh, k->v[T], k->v[R], (double *)k->st));
    T_OK(BF_OP(t_be, krylov.bicgstab_move, k->n, k->v[X], k->v[R], k->v[P], ph, k->v[R0], rh, k->v[Q],
               k->v[T], dinv, k->st, k->history));
  }
}

typedef void (*method)(const bench *, const sys *, int, int);
static const method both[2] = {cg_iterations, bicgstab_iterations};

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

/* ---- how iterations end ---- */

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
      cmocka_unit_test(cg_steps_are_the_scalar_ones),
      cmocka_unit_test(bicgstab_steps_are_the_scalar_ones),
      cmocka_unit_test(cg_follows_the_plain_iteration_to_the_solution),
      cmocka_unit_test(bicgstab_solves_an_unsymmetric_system),
      cmocka_unit_test(whole_solutions_repeat_bit_for_bit_on_any_number_of_threads),
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
