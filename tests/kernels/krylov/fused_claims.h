/* tests/kernels/krylov/fused_claims.h - what holds of CG and of BiCGStab queued as a whole (STAB:
 * fused_case.h) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_KERNELS_KRYLOV_FUSED_CLAIMS_H
#define BF_TESTS_KERNELS_KRYLOV_FUSED_CLAIMS_H
#include "tests/kernels/krylov/fused_case.h"

/* Of the program: the method in long double, x after `count` iterations and the squares of the residuals. */
static void plain_iteration(const bf_sparse *S, int jacobi, int count, double *x, double *history);

static void follows(const bf_matrix *A, const char *name, int jacobi, const double *x, const double *want)
{
  bench  k = open_bench(A, jacobi, 0.0, LIMIT);
  double history[LIMIT + 1], largest = 0.0;
  steps(&k, 2);
  steps(&k, SHOWN - 2);
  t_residuals(k.history, LIMIT + 1, history);
  assert_int_equal(t_state(k.st).iteration, SHOWN);
  assert_int_equal(t_state(k.st).status, BF_KRYLOV_RUNNING);
  for (int i = 0; i <= SHOWN; i++)
    if (!(fabs(history[i] - want[i]) <= 1e-9 * want[i] + 1e-12 * sqrt(want[i] * want[0])))
      fail_msg("%s: r.r after %d iterations %.17g instead of %.17g", name, i, history[i], want[i]);
  assert_true(history[SHOWN + 1] == -1.0);
  double *got = t_on_host(k.v[X], k.n);
  for (bf_int i = 0; i < k.n; i++) largest = fmax(largest, fabs(x[i]));
  for (bf_int i = 0; i < k.n; i++)
    if (!(fabs(got[i] - x[i]) <= 1e-10 * largest))
      fail_msg("%s: x(%d) = %.17g instead of %.17g", name, (int)i, got[i], x[i]);
  free(got);
  close_bench(&k);
}

/* All forms of a matrix, half storage where it is symmetric. */
static void follow_in_every_form(const bf_sparse *S, const shape *s, int symmetric, int jacobi)
{
  double *x = malloc((size_t)S->nrows * sizeof *x), want[SHOWN + 1];
  plain_iteration(S, jacobi, SHOWN, x, want);
  for (int form = 0; form < 5; form++) {
    const int half = form == 1 || form == 3, csr = form == 4;
    char      name[120];
    if (half && !symmetric) continue;
    T_ONE_OF(7);
    bf_matrix *A = on_backend(S, csr ? BF_FORMAT_CSR : BF_FORMAT_BDIA, s->D, half,
                              form == 2 || form == 3 ? BF_FP32 : BF_FP64);
    snprintf(name, sizeof name, "%s, form %d, jacobi %d", s->name, form, jacobi);
    follows(A, name, jacobi, x, want);
    bf_matrix_destroy(&A);
  }
  free(x);
}

static void follow_everywhere(int unsymmetric, int jacobi, range of)
{
  for (int s = of.first; s < of.last; s++) {
    bf_sparse *S = make(&shapes[s], unsymmetric, 1.0 / 64);
    follow_in_every_form(S, &shapes[s], !unsymmetric, jacobi);
    bf_sparse_destroy(&S);
  }
}

static void the_plain_iteration_is_followed(range of)
{
  follow_everywhere(STAB, 0, of);
}
static void with_jacobi_the_plain_iteration_is_followed(range of)
{
  follow_everywhere(STAB, 1, of);
}
ON_ALL_ROWS(the_plain_iteration_is_followed)
ON_ALL_ROWS(with_jacobi_the_plain_iteration_is_followed)

/* Of both storages that the method's matrices have. */
static void cuts_into_calls_and_repeats_give_the_same_bits(range of)
{
  static const int cuts[3][4] = {{26, 0, 0, 0}, {1, 25, 0, 0}, {1, 2, 23, 0}}; /* a graph, another, none */
  for (int half = 0; half < 2; half++)
    for (int s = of.first; s < of.last; s++) {
      if (!half && !STAB) continue;
      T_ONE_OF(t_quick() == 2 ? 6 : 5);
      bf_sparse *S        = make(&shapes[s], !half, 1.0 / 64);
      bf_matrix *A        = on_backend(S, BF_FORMAT_BDIA, shapes[s].D, half, BF_FP64);
      double    *first[3] = {NULL};
      for (int c = 0; c < 3; c++) {
        bench k = open_bench(A, 1, 0.0, LIMIT);
        for (int i = 0; cuts[c][i] > 0; i++) steps(&k, cuts[c][i]);
        for (int v = 0; v < 3; v++) {
          double *h = t_on_host(k.v[v], k.n);
          if (c == 0)
            first[v] = h;
          else {
            assert_memory_equal(first[v], h, (size_t)k.n * sizeof *h);
            free(h);
          }
        }
        close_bench(&k);
      }
      for (int v = 0; v < 3; v++) free(first[v]);
      bf_matrix_destroy(&A);
      bf_sparse_destroy(&S);
    }
}

ON_ALL_ROWS(cuts_into_calls_and_repeats_give_the_same_bits)

static void what_is_queued_past_the_end_changes_nothing(range of)
{
  for (int s = of.first; s < of.last; s++) {
    T_ONE_OF(5);
    bf_sparse *S = make(&shapes[s], STAB, 1.0);
    bf_matrix *A = on_backend(S, BF_FORMAT_BDIA, shapes[s].D, !STAB, BF_FP64);
    bench      k = open_bench(A, 1, 1e-6, LIMIT);
    steps(&k, t_quick() == 2 ? 16 : LIMIT);
    const bf_krylov_state end = t_state(k.st);
    assert_int_equal(end.status, BF_KRYLOV_CONVERGED);
    assert_true(end.rr <= end.rr_stop && end.iteration < LIMIT);
    double *x = t_on_host(k.v[X], k.n), *r = t_on_host(k.v[R], k.n), history[LIMIT + 1], rr = 0.0;
    t_residuals(k.history, LIMIT + 1, history);
    assert_true(history[end.iteration] == end.rr && history[end.iteration + 1] == -1.0);
    for (bf_int i = 0; i < k.n; i++) { /* r is b - A x */
      double y = 1.0 + 0.5 * cos(0.37 * (double)i);
      for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) y -= S->val[p] * x[S->col[p]];
      assert_true(fabs(y - r[i]) < 1e-12 * (1.0 + fabs(y)));
      rr += r[i] * r[i];
    }
    T_NEAR(rr, end.rr, 1e-12 * history[0]);
    steps(&k, 5);
    const bf_krylov_state after = t_state(k.st);
    double               *x2    = t_on_host(k.v[X], k.n);
    assert_int_equal(after.iteration, end.iteration);
    assert_memory_equal(x, x2, (size_t)k.n * sizeof *x);
    free(x);
    free(r);
    free(x2);
    close_bench(&k);
    bf_matrix_destroy(&A);
    bf_sparse_destroy(&S);
  }
}

ON_ROWS(what_is_queued_past_the_end_changes_nothing, one_or_two)
ON_ALL_ROWS(what_is_queued_past_the_end_changes_nothing)

/* Status after many iterations on a matrix that `spoil` has changed for the time. */
static bf_krylov_state end_of(bf_sparse *S, int D, void (*spoil)(bf_sparse *), int limit)
{
  double *val = malloc((size_t)S->nnz * sizeof *val);
  memcpy(val, S->val, (size_t)S->nnz * sizeof *val);
  if (spoil) spoil(S);
  bf_matrix *A = on_backend(S, BF_FORMAT_BDIA, D, 0, BF_FP64);
  memcpy(S->val, val, (size_t)S->nnz * sizeof *val);
  free(val);
  bench k = open_bench(A, 0, 1e-12, limit);
  steps(&k, t_quick() == 2 ? 4 : LIMIT);
  const bf_krylov_state end = t_state(k.st);
  close_bench(&k);
  bf_matrix_destroy(&A);
  return end;
}

static void each_value(bf_sparse *S, double diagonal, double upper, double lower)
{
  for (bf_int i = 0; i < S->nrows; i++)
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++)
      S->val[p] = S->col[p] == i ? diagonal : S->col[p] > i ? upper : lower;
}
static void twice_identity(bf_sparse *S)
{
  each_value(S, 2.0, 0.0, 0.0);
}
static void not_a_number(bf_sparse *S)
{
  S->val[S->nnz / 2] = NAN;
}

static void every_end_is_named(range of)
{
  for (int s = of.first; s < of.last; s++) {
    T_ONE_OF(5);
    bf_sparse *S = make(&shapes[s], STAB, 1.0 / 64);
    const int  D = shapes[s].D;
    assert_int_equal(end_of(S, D, not_a_number, LIMIT).status, BF_KRYLOV_NAN);
    const bf_krylov_state limit = end_of(S, D, NULL, 2);
    assert_int_equal(limit.status, BF_KRYLOV_LIMIT);
    assert_int_equal(limit.iteration, 2);
    const bf_krylov_state one = end_of(S, D, twice_identity, LIMIT);
    assert_int_equal(one.status, BF_KRYLOV_CONVERGED);
    assert_int_equal(one.iteration, 1);
    assert_int_equal(one.half, STAB);
    bf_sparse_destroy(&S);
  }
}
ON_ALL_ROWS(every_end_is_named)

#define FUSED_TESTS                                                                                          \
  TESTS(the_plain_iteration_is_followed), TESTS(with_jacobi_the_plain_iteration_is_followed),                \
      TESTS(cuts_into_calls_and_repeats_give_the_same_bits),                                                 \
      cmocka_unit_test(what_is_queued_past_the_end_changes_nothing_on_one_or_two_rows),                      \
      TESTS(what_is_queued_past_the_end_changes_nothing), TESTS(every_end_is_named)
#endif
