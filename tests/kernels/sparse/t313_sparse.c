/* tests/kernels/sparse/t313_sparse.c - compressed rows on the host: triplets sorted and summed in the order
 * of the input */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/host_csr.h"
#include "tests/no_memory.h"
#include "tests/test.h"
#include <math.h>

static void triplets_are_sorted_and_summed_in_the_order_of_the_input(void **state)
{
  (void)state;
  const bf_int row[] = {2, 0, 2, 2, 0, 2, 2}, col[] = {1, 3, 0, 1, 3, 1, 4};
  /* (2,1): (1 + 1e17) - 1e17 = 0; any other order gives 1 */
  const double val[]  = {1.0, 2.0, 3.0, 1e17, 5.0, -1e17, NAN};
  bf_sparse   *S      = NULL;
  const bf_int want[] = {3, 0, 1, 4};
  T_OK(bf_sparse_from_triplets(4, 5, 7, row, col, val, &S));
  T_OK(bf_sparse_check(S));
  assert_int_equal(S->nnz, 4);
  assert_memory_equal(S->ptr, ((int64_t[]){0, 1, 1, 4, 4}), 5 * sizeof *S->ptr);
  assert_memory_equal(S->col, want, sizeof want);
  assert_true(S->val[0] == 7.0 && S->val[1] == 3.0 && S->val[2] == 0.0 && isnan(S->val[3]));
  bf_sparse_destroy(&S);
  assert_null(S);
}

static void random_triplets_equal_a_dense_sum(void **state)
{
  (void)state;
  enum { M = 37, N = 23, COUNT = 30000 };
  static double a[M][N], val[COUNT];
  static bf_int row[COUNT], col[COUNT];
  uint64_t      seed = 5;
  bf_sparse    *S    = NULL;
  for (int k = 0; k < COUNT; k++) {
    row[k] = (bf_int)(t_random(&seed) % M);
    col[k] = (bf_int)(t_random(&seed) % N);
    val[k] = t_uniform(&seed) - 0.5;
    if (row[k] == 7) row[k] = 8; /* an empty row */
    a[row[k]][col[k]] += val[k];
  }
  T_OK(bf_sparse_from_triplets(M, N, COUNT, row, col, val, &S));
  T_OK(bf_sparse_check(S));
  assert_int_equal(S->ptr[7], S->ptr[8]);
  int64_t entries = 0;
  for (bf_int i = 0; i < M; i++)
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++, entries++) assert_true(S->val[p] == a[i][S->col[p]]);
  for (int k = 0; k < M * N; k++) entries -= a[k / N][k % N] != 0.0;
  assert_int_equal(entries, 0);
  bf_sparse_destroy(&S);
}

static void matrices_without_rows_columns_or_entries_are_fine(void **state)
{
  (void)state;
  static const bf_int shape[][2] = {{0, 0}, {0, 5}, {5, 0}, {1, 1}, {1, 9}, {9, 1}};
  for (size_t k = 0; k < sizeof shape / sizeof *shape; k++) {
    bf_sparse *S = NULL;
    T_OK(bf_sparse_from_triplets(shape[k][0], shape[k][1], 0, NULL, NULL, NULL, &S));
    T_OK(bf_sparse_check(S));
    assert_int_equal(S->nnz, 0);
    bf_sparse_destroy(&S);
  }
}

static void an_index_outside_is_named(void **state)
{
  (void)state;
  bf_sparse *S = NULL;
  T_ERR(BF_E_ARG, bf_sparse_from_triplets(3, 3, 1, (bf_int[]){3}, (bf_int[]){0}, (double[]){1.0}, &S));
  T_CONTAINS(bf_err_message(), "entry 0: row 3");
  T_ERR(BF_E_ARG, bf_sparse_from_triplets(3, 3, 1, (bf_int[]){0}, (bf_int[]){-1}, (double[]){1.0}, &S));
  T_CONTAINS(bf_err_message(), "column -1");
  assert_null(S);
}

static void every_broken_invariant_is_found(void **state)
{
  (void)state;
  bf_sparse *S = NULL;
  T_OK(bf_sparse_from_triplets(2, 2, 3, (bf_int[]){0, 0, 1}, (bf_int[]){0, 1, 1}, (double[]){1, 2, 3}, &S));
  S->col[1] = 0;
  T_ERR(BF_E_ARG, bf_sparse_check(S));
  S->col[1] = 2;
  T_ERR(BF_E_ARG, bf_sparse_check(S));
  S->col[1] = 1;
  S->ptr[1] = 4;
  T_ERR(BF_E_ARG, bf_sparse_check(S));
  S->ptr[1] = 2;
  T_OK(bf_sparse_check(S));
  S->ptr[2] = 2;
  T_ERR(BF_E_ARG, bf_sparse_check(S));
  bf_sparse_destroy(&S);
}

static void no_memory_at_any_allocation_is_an_error_and_leaks_nothing(void **state)
{
  (void)state;
  const bf_int row[] = {1, 0, 1, 0}, col[] = {1, 0, 0, 0};
  const double val[] = {1, 2, 3, 4};
  t_no_memory  t     = {0};
  while (t_no_memory_next(&t)) {
    bf_sparse *S = NULL;
    t_no_memory_begin(&t);
    t_no_memory_end(&t, bf_sparse_from_triplets(2, 2, 4, row, col, val, &S));
    assert_int_equal(S != NULL, t.last);
    bf_sparse_destroy(&S);
  }
  assert_true(t.failed >= 5);
}

static void sums_have_the_entries_of_both(void **state)
{
  (void)state;
  bf_sparse *A = NULL, *B = NULL, *S = NULL, *C = NULL;
  T_OK(bf_sparse_from_triplets(3, 4, 4, (bf_int[]){0, 0, 2, 2}, (bf_int[]){0, 3, 1, 2},
                               (double[]){1, 2, 3, 4}, &A));
  T_OK(
      bf_sparse_from_triplets(3, 4, 3, (bf_int[]){0, 1, 2}, (bf_int[]){3, 0, 0}, (double[]){10, 20, 30}, &B));
  T_OK(bf_sparse_add(2.0, A, -1.0, B, &S));
  T_OK(bf_sparse_check(S));
  assert_int_equal(S->nnz, 6);
  const double want[3][4] = {{2, 0, 0, -6}, {-20, 0, 0, 0}, {-30, 6, 8, 0}};
  for (bf_int i = 0; i < 3; i++)
    for (bf_int j = 0; j < 4; j++) assert_true(bf_sparse_value(S, i, j) == want[i][j]);
  T_OK(bf_sparse_create(4, 4, 0, &C));
  bf_sparse *none = NULL;
  T_ERR(BF_E_ARG, bf_sparse_add(1.0, A, 1.0, C, &none));
  bf_sparse_destroy(&A), bf_sparse_destroy(&B), bf_sparse_destroy(&S), bf_sparse_destroy(&C);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(triplets_are_sorted_and_summed_in_the_order_of_the_input),
      cmocka_unit_test(random_triplets_equal_a_dense_sum),
      cmocka_unit_test(matrices_without_rows_columns_or_entries_are_fine),
      cmocka_unit_test(an_index_outside_is_named),
      cmocka_unit_test(every_broken_invariant_is_found),
      cmocka_unit_test(no_memory_at_any_allocation_is_an_error_and_leaks_nothing),
      cmocka_unit_test(sums_have_the_entries_of_both),
  };
  return T_RUN(tests);
}
