/* tests/kernels/krylov/t344_fused_cg.c - CG queued as a whole (krylov/steps.h): the plain iteration in long
 * double, the same bits however it is cut into calls, and every way to end usage: t344_fused_cg <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#define STAB 0
#include "tests/kernels/krylov/fused_claims.h"

static void plain_iteration(const bf_sparse *S, int jacobi, int count, double *x, double *history)
{
  const bf_int n = S->nrows;
  long double *w = calloc((size_t)n * 5, sizeof *w), *d = w, *r = w + n, *p = r + n, *q = p + n, *y = q + n;
  right_side(n, x);
  inverse_diagonal(S, jacobi, d);
  for (bf_int i = 0; i < n; i++) {
    r[i] = (long double)x[i];
    p[i] = d[i] * r[i];
  }
  long double rho = dot(n, r, p);
  for (int it = 0; it <= count; it++) {
    history[it] = (double)dot(n, r, r);
    if (it == count) break;
    product(S, p, q);
    const long double a = rho / dot(n, p, q);
    long double new     = 0.0L;
    for (bf_int i = 0; i < n; i++) {
      y[i] += a * p[i];
      r[i] -= a * q[i];
      new += r[i] * d[i] * r[i];
    }
    for (bf_int i = 0; i < n; i++) p[i] = d[i] * r[i] + new / rho *p[i];
    rho = new;
  }
  for (bf_int i = 0; i < n; i++) x[i] = (double)y[i];
  free(w);
}

static void two_runs_do_not_disturb_each_other(void **state)
{
  (void)state;
  T_LONG;
  const shape *const of[2] = {&shapes[SHAPES - 1], &shapes[WINDOWS]};
  double            *x[2][2];
  for (int together = 0; together < 2; together++) {
    bench      k[2];
    bf_matrix *A[2];
    for (int i = 0; i < 2; i++) {
      bf_sparse *S = make(of[i], 0, 1.0 / 64);
      A[i]         = on_backend(S, BF_FORMAT_BDIA, 1, 1, BF_FP64);
      bf_sparse_destroy(&S);
    }
    for (int i = 0; i < 2; i++) {
      k[i] = open_bench(A[i], 0, 0.0, LIMIT);
      if (!together) steps(&k[i], 50);
    }
    for (int i = 0; together && i < 4; i++) steps(&k[i % 2], 25);
    for (int i = 0; i < 2; i++) {
      x[together][i] = t_on_host(k[i].v[X], k[i].n);
      close_bench(&k[i]);
      bf_matrix_destroy(&A[i]);
    }
  }
  for (int i = 0; i < 2; i++) {
    assert_memory_equal(x[0][i], x[1][i], (size_t)of[i]->nodes * sizeof(double));
    free(x[0][i]);
    free(x[1][i]);
  }
}

/* What a residual replacement goes on with. */
static void the_direction_of_the_last_iteration_stays(range of)
{
  for (int s = of.first; s < of.last; s++)
    for (int form = 0; form < 4; form++) {
      T_ONE_OF(7);
      const int  half = form / 2, jacobi = form % 2;
      bf_sparse *S    = make(&shapes[s], 0, 1.0 / 64);
      bf_matrix *A    = on_backend(S, BF_FORMAT_BDIA, shapes[s].D, half, BF_FP32);
      bench      goes = open_bench(A, jacobi, 0.0, LIMIT), ends = open_bench(A, jacobi, 0.0, SHOWN);
      steps(&goes, SHOWN - 1);
      steps(&ends, 26);
      assert_int_equal(t_state(ends.st).status, BF_KRYLOV_LIMIT);
      double *p = t_on_host(goes.v[P], goes.n), *last = t_on_host(ends.v[P], ends.n);
      assert_memory_equal(p, last, (size_t)A->nrows * sizeof *p);
      free(p);
      free(last);
      close_bench(&goes);
      close_bench(&ends);
      bf_matrix_destroy(&A);
      bf_sparse_destroy(&S);
    }
}

ON_ALL_ROWS(the_direction_of_the_last_iteration_stays)

static void negative(bf_sparse *S)
{
  each_value(S, -1.0, 0.0, 0.0);
}

static void an_indefinite_matrix_is_named(range of)
{
  for (int s = of.first; s < of.last; s++) {
    T_ONE_OF(5);
    bf_sparse            *S    = make(&shapes[s], 0, 1.0 / 64);
    const bf_krylov_state none = end_of(S, shapes[s].D, negative, LIMIT);
    assert_int_equal(none.status, BF_KRYLOV_INDEFINITE);
    assert_int_equal(none.iteration, 0);
    bf_sparse_destroy(&S);
  }
}
ON_ALL_ROWS(an_indefinite_matrix_is_named)

int main(int argc, char **argv)
{
  const int code = t_backend_open(argc, argv);
  if (code) return code;
  const struct CMUnitTest tests[] = {
      FUSED_TESTS,
      cmocka_unit_test(two_runs_do_not_disturb_each_other),
      TESTS(the_direction_of_the_last_iteration_stays),
      TESTS(an_indefinite_matrix_is_named),
  };
  return t_backend_close(T_RUN(tests));
}
