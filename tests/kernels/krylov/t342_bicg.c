/* tests/kernels/krylov/t342_bicg.c - the steps of BiCG against plain scalar code, one step and to the end
 * usage: t342_bicg <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/matrix.h"
#include "tests/kernels/krylov/krylov_case.h"
#include "tests/reference/dense.h"
#include <math.h>

enum { LIMIT = 200, X = 0, R, RT, P, PT, Q, QT, DINV, VECTORS };

typedef struct bench { /* an iteration on the backend and its twin on the host */
  bf_int            n, guard;
  int               jacobi;
  double           *v[VECTORS], *h[VECTORS];
  bf_krylov_state  *st;
  bf_krylov_sample *history;
} bench;

static bench open_bench(bf_int n, bf_int guard, int jacobi, double rr_stop, uint64_t *seed)
{
  bench           k     = {.n = n, .guard = guard, .jacobi = jacobi};
  bf_krylov_state start = {.rr_stop = rr_stop, .limit = LIMIT};
  for (int i = 0; i < VECTORS; i++) {
    k.h[i] = t_random_vector((size_t)n, seed);
    for (bf_int j = 0; i == DINV && j < n; j++) k.h[i][j] = jacobi ? 0.5 + fabs(k.h[i][j]) : 1.0;
    k.v[i] = t_vector(t_be, n, guard, k.h[i]);
  }
  k.st      = t_to_backend(&start, sizeof start);
  k.history = t_samples(LIMIT + 1);
  return k;
}

static void close_bench(bench *k)
{
  for (int i = 0; i < VECTORS; i++) {
    bf_vector_destroy(t_be, k->guard, &k->v[i]);
    free(k->h[i]);
  }
  t_be->ops.release(t_be, k->st);
  t_be->ops.release(t_be, k->history);
}

static void near_vectors(const bench *k)
{
  double *h = malloc((size_t)k->n * sizeof *h);
  for (int v = 0; v < VECTORS; v++) {
    t_to_host(h, k->v[v], (size_t)k->n * sizeof *h);
    for (bf_int i = 0; i < k->n; i++)
      if (!(fabs(h[i] - k->h[v][i]) <= 1e-14 * (1.0 + fabs(h[i]))))
        fail_msg("vector %d, entry %d of %d: %.17g instead of %.17g", v, (int)i, (int)k->n, h[i], k->h[v][i]);
  }
  free(h);
}

static double dot3(bf_int n, const double *x, const double *d, const double *y)
{
  long double s = 0.0L;
  for (bf_int i = 0; i < n; i++) s += (long double)x[i] * (long double)d[i] * (long double)y[i];
  return (double)s;
}

static bf_err begin_from(const bench *k) /* rt as it is */
{
  return BF_OP(t_be, krylov.bicg_begin, k->n, k->v[R], k->jacobi ? k->v[DINV] : NULL, k->v[RT], k->v[P],
               k->v[PT], k->st, k->history);
}
static bf_err begin(const bench *k) /* rt = r */
{
  T_OK(t_be->ops.copy(t_be, k->v[RT], k->v[R], (size_t)k->n * sizeof(double), BF_WITHIN));
  return begin_from(k);
}
static bf_err update(const bench *k)
{
  return BF_OP(t_be, krylov.bicg_update, k->n, k->v[X], k->v[R], k->v[RT], k->v[P], k->v[Q], k->v[QT],
               k->jacobi ? k->v[DINV] : NULL, k->st, k->history);
}
static bf_err direction(const bench *k)
{
  return BF_OP(t_be, krylov.bicg_direction, k->n, k->v[R], k->v[RT], k->jacobi ? k->v[DINV] : NULL, k->v[P],
               k->v[PT], k->st);
}

static void the_steps_are_the_scalar_ones(void **state)
{
  (void)state;
  static const bf_int lengths[] = {1, 31, 32, 33, 257, 4097, 100003};
  uint64_t            seed      = 1;
  for (size_t c = 0; c < 2 * sizeof lengths / sizeof *lengths; c++) {
    T_ONE_OF(3);
    const bf_int n = lengths[c / 2];
    bench        k = open_bench(n, 32, c & 1, 0.0, &seed);
    double     **h = k.h;
    T_OK(begin_from(&k));
    for (bf_int i = 0; i < n; i++) {
      h[P][i]  = h[DINV][i] * h[R][i];
      h[PT][i] = h[DINV][i] * h[RT][i];
    }
    near_vectors(&k);
    bf_krylov_state st = t_state(k.st);
    T_NEAR(st.rho, dot3(n, h[RT], h[DINV], h[R]), 1e-13 * n);
    assert_int_equal(st.status, BF_KRYLOV_RUNNING);

    st.dot[0] = -1.7; /* as the product would leave pt.q: either sign is fine */
    T_OK(t_be->ops.copy(t_be, k.st, &st, sizeof st, BF_TO_DEVICE));
    T_OK(update(&k));
    const double a = st.rho / -1.7;
    for (bf_int i = 0; i < n; i++) {
      h[X][i] += a * h[P][i];
      h[R][i] -= a * h[Q][i];
      h[RT][i] -= a * h[QT][i];
    }
    const bf_krylov_state after = t_state(k.st);
    if (n < 1000) near_vectors(&k); /* a grows with n, and rounding with it */
    T_NEAR(after.rho / dot3(n, h[RT], h[DINV], h[R]), 1.0, 1e-9);
    T_NEAR(after.beta, after.rho / st.rho, 1e-12 * fabs(after.beta));
    assert_int_equal(after.iteration, 1);
    for (int i = R; i <= RT; i++) t_to_host(h[i], k.v[i], (size_t)n * sizeof **h);
    T_OK(direction(&k));
    for (bf_int i = 0; i < n; i++) {
      h[P][i]  = h[DINV][i] * h[R][i] + after.beta * h[P][i];
      h[PT][i] = h[DINV][i] * h[RT][i] + after.beta * h[PT][i];
    }
    if (n < 1000) near_vectors(&k);
    close_bench(&k);
  }
}

/* A diagonally dominant unsymmetric matrix, dense and in bDIA. */
static bf_matrix *system_of(bf_int n, int symmetric, double **a, uint64_t *seed)
{
  bf_matrix *A = NULL;
  t_table   *t = t_table_of_kind(T_THREE_BANDS, n, seed);
  bf_bands  *b = t_table_bands(t);
  *a           = t_dense_random(t, 1, symmetric, seed);
  for (size_t i = 0; i < (size_t)n; i++) (*a)[i * (size_t)n + i] = 4.0 + t_uniform(seed);
  T_OK(bf_matrix_create_bdia(t_be, b, 1, 0, BF_FP64, 0, &A));
  t_matrix_put(A, *a);
  bf_bands_destroy(&b);
  t_table_free(t);
  return A;
}

static void iterate(const bench *k, const bf_matrix *A, int count)
{
  for (int i = 0; i < count; i++) {
    T_OK(bf_matrix_spmv(A, k->v[P], k->v[Q], k->v[PT], (double *)k->st));
    T_OK(bf_matrix_spmv_t(A, k->v[PT], k->v[QT]));
    T_OK(update(k));
    T_OK(direction(k));
  }
}

/* Plain BiCG in long double from x = 0; history[i] = r.r after i iterations. */
static void plain(bf_int n, const double *a, const double *b, int iterations, double *history)
{
  long double *v = calloc((size_t)n * 6, sizeof *v), *r = v, *rt = v + n, *p = v + 2 * n, *pt = v + 3 * n,
              *q = v + 4 * n, *qt = v + 5 * n, rho = 0.0L;
  for (bf_int i = 0; i < n; i++) {
    r[i] = rt[i] = p[i] = pt[i] = (long double)b[i];
    rho += r[i] * r[i];
  }
  history[0] = (double)rho;
  for (int it = 1; it <= iterations; it++) {
    long double ptq = 0.0L, next = 0.0L, rr = 0.0L;
    for (bf_int i = 0; i < n; i++) {
      q[i] = qt[i] = 0.0L;
      for (bf_int j = 0; j < n; j++) {
        q[i] += (long double)a[(size_t)i * (size_t)n + (size_t)j] * p[j];
        qt[i] += (long double)a[(size_t)j * (size_t)n + (size_t)i] * pt[j];
      }
      ptq += pt[i] * q[i];
    }
    for (bf_int i = 0; i < n; i++) {
      r[i] -= rho / ptq * q[i];
      rt[i] -= rho / ptq * qt[i];
      rr += r[i] * r[i];
      next += r[i] * rt[i];
    }
    for (bf_int i = 0; i < n; i++) {
      p[i]  = r[i] + next / rho * p[i];
      pt[i] = rt[i] + next / rho * pt[i];
    }
    rho         = next;
    history[it] = (double)rr;
  }
  free(v);
}

static void it_follows_the_plain_iteration(void **state)
{
  (void)state;
  enum { N = 300, MANY = 10 };
  uint64_t   seed = 5;
  double    *a, want[MANY + 1], got[MANY + 1];
  bf_matrix *A = system_of(N, 0, &a, &seed);
  bench      k = open_bench(N, A->guard, 0, 0.0, &seed);
  plain(N, a, k.h[R], MANY, want);
  T_OK(begin(&k));
  iterate(&k, A, MANY);
  t_residuals(k.history, MANY + 1, got);
  for (int i = 0; i <= MANY; i++) T_NEAR(got[i], want[i], 1e-8 * want[i]);
  T_LE(got[MANY], 1e-3 * got[0]);
  close_bench(&k);
  bf_matrix_destroy(&A);
  free(a);
}

static void on_a_symmetric_matrix_it_is_cg(void **state)
{
  (void)state;
  enum { N = 300, MANY = 10 };
  uint64_t   seed = 6;
  double    *a, one[MANY + 1], two[MANY + 1];
  bf_matrix *A = system_of(N, 1, &a, &seed);
  bench      k = open_bench(N, A->guard, 1, 0.0, &seed), c = open_bench(N, A->guard, 1, 0.0, &seed);
  T_OK(t_be->ops.copy(t_be, c.v[R], k.v[R], N * sizeof(double), BF_WITHIN));
  T_OK(t_be->ops.copy(t_be, c.v[DINV], k.v[DINV], N * sizeof(double), BF_WITHIN));
  T_OK(begin(&k));
  iterate(&k, A, MANY);
  T_OK(BF_OP(t_be, krylov.cg_begin, N, c.v[R], c.v[DINV], c.v[P], c.st, c.history));
  for (int i = 0; i < MANY; i++) {
    T_OK(bf_matrix_spmv(A, c.v[P], c.v[Q], c.v[P], (double *)c.st));
    T_OK(BF_OP(t_be, krylov.cg_move, N, c.v[X], c.v[R], c.v[P], c.v[Q], c.v[DINV], c.st, c.history));
  }
  t_residuals(k.history, MANY + 1, one);
  t_residuals(c.history, MANY + 1, two);
  for (int i = 0; i <= MANY; i++) T_NEAR(one[i], two[i], 1e-9 * two[i]);
  close_bench(&k);
  close_bench(&c);
  bf_matrix_destroy(&A);
  free(a);
}

/* Ends the iteration by a planted scalar and expects that x does not move afterwards. */
static void expect_end(double pt_q, double last_r, bf_krylov_status want)
{
  uint64_t     seed   = 8;
  const bf_int n      = 100;
  bench        k      = open_bench(n, 32, 0, 0.0, &seed);
  double      *before = malloc((size_t)n * sizeof *before), *after = malloc((size_t)n * sizeof *after);
  T_OK(begin(&k));
  bf_krylov_state st = t_state(k.st);
  st.dot[0]          = pt_q;
  T_OK(t_be->ops.copy(t_be, k.st, &st, sizeof st, BF_TO_DEVICE));
  k.h[R][n - 1] = last_r;
  T_OK(t_be->ops.copy(t_be, k.v[R], k.h[R], (size_t)n * sizeof(double), BF_TO_DEVICE));
  T_OK(update(&k));
  assert_int_equal(t_state(k.st).status, want);
  t_to_host(before, k.v[X], (size_t)n * sizeof *before);
  T_OK(update(&k));
  T_OK(direction(&k));
  t_to_host(after, k.v[X], (size_t)n * sizeof *after);
  assert_memory_equal(before, after, (size_t)n * sizeof *after);
  free(before), free(after);
  close_bench(&k);
}

static void breakdown_divergence_and_nan_end_it(void **state)
{
  (void)state;
  expect_end(0.0, 1.0, BF_KRYLOV_BREAKDOWN);
  expect_end(NAN, 1.0, BF_KRYLOV_NAN);
  expect_end(1.0, NAN, BF_KRYLOV_NAN);
  expect_end(1e-14, 1.0, BF_KRYLOV_DIVERGED);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_steps_are_the_scalar_ones),
      cmocka_unit_test(it_follows_the_plain_iteration),
      cmocka_unit_test(on_a_symmetric_matrix_it_is_cg),
      cmocka_unit_test(breakdown_divergence_and_nan_end_it),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
