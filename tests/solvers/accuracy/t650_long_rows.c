/* tests/solvers/accuracy/t650_long_rows.c - the longest row of every form, and the rounding of residuals of
 * long rows usage: t650_long_rows <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/backward_error.h"
#include "solvers/linear/krylov_run.h"
#include "tests/reference/dense.h"
#include "tests/solvers/solver_forms.h"

enum { N = 600, SMALL = T_NX * 12 };

/* All unknowns coupled; sums of a row cancel. */
static double dense(bf_int n, bf_int i, bf_int j)
{
  return i == j ? n : -1.0;
}

static void rows_are_counted_in_every_form(void **state)
{
  (void)state;
  bf_sparse *S    = t_sparse(SMALL, t_laplace);
  int64_t    want = 0;
  for (bf_int i = 0; i < SMALL; i++)
    want = S->ptr[i + 1] - S->ptr[i] > want ? S->ptr[i + 1] - S->ptr[i] : want;
  for (int f = 0; f < T_FORMS; f++) {
    bf_matrix *A    = t_stored(S, &t_forms[f], BF_FP64);
    int64_t    most = 0;
    T_OK(bf_matrix_longest_row(A, &most));
    if (most < want) fail_msg("form %d: %lld entries, %lld wanted", f, (long long)most, (long long)want);
    if (t_forms[f].format == BF_FORMAT_CSR || t_forms[f].format == BF_FORMAT_CSR16 ||
        t_forms[f].format == BF_FORMAT_ELL || t_forms[f].format == BF_FORMAT_COO)
      assert_int_equal(most, want);
    assert_true(most <= 3 * (want + 2) * (t_forms[f].ncomp > 1 ? t_forms[f].ncomp : 1));
    bf_matrix_destroy(&A);
  }
  bf_sparse_destroy(&S);
}

/* eta of x for b = A x (1 + relative), rounded from long double, with r = b - A x of the backend. */
static double eta_of(const bf_matrix *A, double relative)
{
  const size_t bytes = N * sizeof(double);
  uint64_t     seed  = 5;
  bf_accuracy *acc   = NULL;
  double      *x = t_random_vector(N, &seed), *b = calloc(N, sizeof *b), dot[2] = {0.0, 0.0}, eta, norm;
  for (bf_int i = 0; i < N; i++) x[i] = 1.0 + 0.1 * x[i];
  for (bf_int i = 0; i < N; i++) {
    long double sum = 0.0L;
    for (bf_int j = 0; j < N; j++) sum += (long double)dense(N, i, j) * (long double)x[j];
    b[i] = (double)(sum * (1.0L + (i % 2 ? 1 : -1) * (long double)relative));
  }
  double *v[] = {t_to_backend(b, bytes), t_to_backend(x, bytes), t_to_backend(b, bytes),
                 t_to_backend(dot, sizeof dot)};
  T_OK(bf_accuracy_create(A, 0.0, &acc));
  T_OK(bf_run_true_residual(A, v[0], v[1], v[2], v[3], &norm));
  T_OK(bf_accuracy_backward(acc, v[0], v[1], v[2], &eta));
  bf_accuracy_destroy(&acc);
  for (int i = 0; i < 4; i++) t_be->ops.release(t_be, v[i]);
  free(x), free(b);
  return eta;
}

static void rounding_of_residuals_is_below_the_bound_and_errors_are_above(void **state)
{
  (void)state;
  bf_sparse *S = t_sparse(N, dense);
  bf_matrix *A = t_stored(S, &t_forms[0], BF_FP64);
  double     limit;
  T_OK(bf_accuracy_evaluation(A, &limit));
  assert_true(limit == ldexp(N + 1, -53));
  const double eta = eta_of(A, 0.0);
  assert_true(eta > 0.0);
  T_LE(eta, limit);
  assert_true(eta_of(A, 1e-11) > limit);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
}

static void short_rows_have_the_limit_of_all(void **state)
{
  (void)state;
  bf_sparse *S = t_sparse(2, dense);
  bf_matrix *A = t_stored(S, &t_forms[0], BF_FP64);
  double     limit;
  T_OK(bf_accuracy_evaluation(A, &limit));
  assert_true(limit == bf_accuracy_limit());
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_counted_in_every_form),
      cmocka_unit_test(rounding_of_residuals_is_below_the_bound_and_errors_are_above),
      cmocka_unit_test(short_rows_have_the_limit_of_all),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
