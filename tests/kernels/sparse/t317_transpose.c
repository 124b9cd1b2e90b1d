/* tests/kernels/sparse/t317_transpose.c - transposes of CSR and dense matrices
 * usage: t317_transpose <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/sparse/transpose_case.h"

/* T against S's entries sorted by (column, place). */
static void compare(const t_entries *S, const bf_csr_arrays *T)
{
  t_entry *want = malloc((size_t)S->n * sizeof *want + 1);
  if (S->n > 0) memcpy(want, S->e, (size_t)S->n * sizeof *want);
  if (S->n > 0) qsort(want, (size_t)S->n, sizeof *want, t_by_column_then_place);
  t_csr_copy h  = t_csr_fetch(T);
  int64_t    at = 0;
  assert_int_equal(T->nrows, S->ncols);
  assert_int_equal(T->ncols, S->nrows);
  assert_int_equal(T->nnz, S->n);
  for (bf_int j = 0; j <= S->ncols; j++) {
    if (h.ptr[j] != at)
      fail_msg("row %d of %d begins at %lld, not %lld", (int)j, (int)S->ncols, (long long)h.ptr[j],
               (long long)at);
    while (at < S->n && want[at].col == j) at++;
  }
  for (int64_t k = 0; k < S->n; k++)
    if (h.col[k] != want[k].row || t_value_at(h.val, T->prec, k) != want[k].val)
      fail_msg("entry %lld of %lld: column %d value %g, not %d %g", (long long)k, (long long)S->n,
               (int)h.col[k], t_value_at(h.val, T->prec, k), (int)want[k].row, want[k].val);
  t_csr_copy_free(&h);
  free(want);
}

static void check(t_entries *S)
{
  for (int prec = 0; prec < 2; prec++) {
    T_ONE_OF(5);
    bf_csr_arrays A = t_csr(S, (bf_prec)prec), T = t_csr_alloc(S->ncols, S->n, (bf_prec)prec);
    T_OK(bf_csr_transpose(t_be, &A, &T));
    compare(S, &T);
    t_csr_free(&A);
    t_csr_free(&T);
  }
  free(S->e);
}

/* Bands of n rows: of one word and of several, full and with holes. */
static void bands(bf_int n, uint64_t seed)
{
  static const bf_int half[] = {0, 1, 13, 15, 16, 31, 40, 63, 64, 200};
  for (int h = 0; h < 10; h++)
    for (int v = 0; v < 2; v++) {
      T_ONE_OF(7);
      t_entries S = t_entries_band(n, n, half[h], v ? 0.3 : 1.0, &seed);
      check(&S);
    }
}

static void bands_of_one_block_are_transposed(void **state)
{
  (void)state;
  static const bf_int size[] = {1, 2, 31, 64, 127};
  for (int k = 0; k < 5; k++) bands(size[k], 1 + (uint64_t)k);
}

static void bands_of_several_blocks_are_transposed(void **state)
{
  (void)state;
  bands(500, 8);
}

static void bands_of_many_blocks_are_transposed(void **state)
{
  (void)state;
  bands(3000, 9);
}

static void rectangles_are_transposed(void **state)
{
  (void)state;
  static const bf_int shape[][2] = {{1, 1}, {1, 700}, {700, 1}, {3, 1000}, {1000, 3}, {450, 500}, {500, 450}};
  uint64_t            seed       = 2;
  for (int k = 0; k < 7; k++) {
    T_ONE_OF(2);
    t_entries S = t_entries_band(shape[k][0], shape[k][1], -1, 0.2, &seed);
    check(&S);
    S = t_entries_band(shape[k][0], shape[k][1], 7, 0.8, &seed);
    check(&S);
  }
}

static void rows_may_be_unsorted_and_name_a_place_again(void **state)
{
  (void)state;
  uint64_t  seed = 3;
  t_entries S    = t_entries_random(600, 40, 9, &seed);
  check(&S);
  S = t_entries_random(40, 100000, 300, &seed);
  check(&S);
  S = t_entries_new(900, 900); /* inside a narrow band, where a place named twice must not be lost */
  for (bf_int i = 0; i < 900; i++)
    for (int k = 0; k < 6; k++) {
      const bf_int j = i + (bf_int)(t_uniform(&seed) * 9.0) - 4;
      t_entries_add(&S, i, j < 0 ? 0 : j > 899 ? 899 : j);
    }
  check(&S);
}

static void empty_rows_and_columns_have_their_place(void **state)
{
  (void)state;
  uint64_t seed = 4;
  for (int wide = 0; wide < 2; wide++) {
    t_entries S = t_entries_new(1000, 1000);
    for (bf_int i = 100; i < 900; i++) { /* the first, the last and a hundred in the middle are empty */
      if (i >= 450 && i < 550) continue;
      for (int k = -2; k <= 2; k++) t_entries_add(&S, i, wide ? (i * 37 + k * 211 + 800) % 700 + 150 : i + k);
    }
    check(&S);
    S = t_entries_new(5000, 5000);
    t_entries_add(&S, (bf_int)(t_uniform(&seed) * 5000.0), wide ? 4999 : 0);
    check(&S);
    S = t_entries_new(5, 5); /* Jin, docs/references.md: rows 1 and 3 empty */
    for (int k = 0; k < 9; k++)
      t_entries_add(&S, k < 4 ? 0 : k < 7 ? 2 : 4, k < 4 ? k : k < 7 ? k - 4 : k - 6);
    check(&S);
  }
}

static void no_entries_give_empty_rows(void **state)
{
  (void)state;
  for (bf_int n = 0; n < 1000; n = 3 * n + 1) {
    t_entries     S = t_entries_new(7, n);
    bf_csr_arrays A = t_csr(&S, BF_FP64), T = t_csr_alloc(n, 0, BF_FP64);
    T_OK(bf_csr_transpose(t_be, &A, &T));
    compare(&S, &T);
    t_csr_free(&A);
    t_csr_free(&T);
  }
}

/* A band in the sampled rows only. */
static void a_lone_entry_far_from_a_band_is_not_lost(void **state)
{
  (void)state;
  uint64_t seed = 5;
  for (int k = 0; k < 6; k++) {
    T_ONE_OF(4);
    static const bf_int where[6][2] = {{1501, 20}, {20, 2999},   {0, 2999},
                                       {2999, 0},  {1234, 1300}, {1999, 1935}};
    t_entries           S           = t_entries_new(3000, 3000);
    for (bf_int i = 0; i < 3000; i++) {
      const int lone = i == where[k][0];
      if (lone && where[k][1] < i - 5) t_entries_add(&S, i, where[k][1]);
      for (bf_int j = i < 5 ? 0 : i - 5; j <= i + 5 && j < 3000; j++)
        if (t_uniform(&seed) < 0.9) t_entries_add(&S, i, j);
      if (lone && where[k][1] > i + 5) t_entries_add(&S, i, where[k][1]);
    }
    check(&S);
  }
  t_entries S = t_entries_new(3000, 1000); /* rows below the square part */
  for (bf_int i = 0; i < 1000; i++) t_entries_add(&S, i, i);
  t_entries_add(&S, 2500, 3);
  check(&S);
}

static void long_rows_and_columns_are_transposed(void **state)
{
  (void)state;
  enum { N = 40000 };
  t_entries S = t_entries_new(N, N); /* an arrow */
  for (bf_int j = 0; j < N; j++) t_entries_add(&S, 0, j);
  for (bf_int i = 1; i < N; i++) {
    t_entries_add(&S, i, 0);
    t_entries_add(&S, i, i);
  }
  check(&S);
}

static void the_transpose_of_the_transpose_is_the_matrix_bit_for_bit(void **state)
{
  (void)state;
  uint64_t seed = 6;
  for (int v = 0; v < 8; v++) {
    T_ONE_OF(3);
    const bf_prec prec = (bf_prec)(v & 1);
    t_entries     S    = v < 4   ? t_entries_band(2000, 2000, v < 2 ? 9 : 300, 0.4, &seed)
                         : v < 6 ? t_entries_band(300, 5000, -1, 0.05, &seed)
                                 : t_entries_random(3000, 50, 20, &seed);
    qsort(S.e, (size_t)S.n, sizeof *S.e, t_by_row);
    bf_csr_arrays A = t_csr(&S, prec), T = t_csr_alloc(S.ncols, S.n, prec),
                  B = t_csr_alloc(S.nrows, S.n, prec);
    T_OK(bf_csr_transpose(t_be, &A, &T));
    T_OK(bf_csr_transpose(t_be, &T, &B));
    t_csr_copy a = t_csr_fetch(&A), b = t_csr_fetch(&B);
    assert_memory_equal(a.ptr, b.ptr, ((size_t)S.nrows + 1) * sizeof *a.ptr);
    assert_memory_equal(a.col, b.col, (size_t)S.n * sizeof *a.col);
    assert_memory_equal(a.val, b.val, (size_t)S.n * t_value_size(prec));
    t_csr_copy_free(&a);
    t_csr_copy_free(&b);
    t_csr_free(&A);
    t_csr_free(&T);
    t_csr_free(&B);
    free(S.e);
  }
}

static void a_column_outside_the_matrix_is_refused(void **state)
{
  (void)state;
  for (int k = 0; k < 4; k++) {
    t_entries S = t_entries_new(500, 500);
    for (bf_int i = 0; i < 500; i++) t_entries_add(&S, i, k < 2 ? i : (i * 77) % 500);
    S.e[123].col    = k & 1 ? -1 : 500;
    bf_csr_arrays A = t_csr(&S, BF_FP64), T = t_csr_alloc(500, 500, BF_FP64);
    bf_err        err = bf_csr_transpose(t_be, &A, &T);
    if (err == BF_OK) err = t_be->ops.sync(t_be);
    assert_int_equal(err, BF_E_ARG);
    t_csr_free(&A);
    t_csr_free(&T);
    free(S.e);
  }
}

static void wrong_arguments_are_refused(void **state)
{
  (void)state;
  uint64_t      seed = 7;
  t_entries     S    = t_entries_random(20, 20, 3, &seed);
  bf_csr_arrays A = t_csr(&S, BF_FP64), T = t_csr_alloc(20, S.n, BF_FP64), B = A;
  T_ERR(BF_E_ARG, bf_csr_transpose(t_be, &A, &B));
  B     = T;
  B.col = NULL;
  T_ERR(BF_E_ARG, bf_csr_transpose(t_be, &A, &B));
  A.ncols = 0;
  T_ERR(BF_E_ARG, bf_csr_transpose(t_be, &A, &T));
  T_ERR(BF_E_ARG, bf_dense_transpose(t_be, 2, 2, A.val, A.val));
  t_csr_free(&A);
  t_csr_free(&T);
  free(S.e);
}

static void dense_matrices_are_transposed(void **state)
{
  (void)state;
  static const bf_int size[] = {0, 1, 31, 32, 33, 64, 65, 200};
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) {
      const size_t m = (size_t)size[i], n = (size_t)size[j];
      double      *a = calloc(m * n + 1, sizeof *a), *t = calloc(m * n + 1, sizeof *t);
      for (size_t k = 0; k < m * n; k++) a[k] = (double)k + 0.5;
      double *da = t_to_backend(a, m * n * sizeof *a), *dt = t_unset((int64_t)(m * n), sizeof *dt);
      T_OK(bf_dense_transpose(t_be, size[i], size[j], da, dt));
      t_to_host(t, dt, m * n * sizeof *t);
      for (size_t k = 0; k < m * n; k++)
        if (t[k] != a[k % m * n + k / m]) fail_msg("%zu x %zu: entry %zu", m, n, k);
      t_be->ops.release(t_be, da);
      t_be->ops.release(t_be, dt);
      free(a);
      free(t);
    }
}

static void matrices_of_every_format_have_a_transpose(void **state)
{
  (void)state;
  uint64_t   seed = 8;
  t_entries  S    = t_entries_band(150, 150, 60, 0.2, &seed);
  bf_sparse *H    = NULL;
  bf_matrix *A = NULL, *T = NULL;
  T_OK(bf_sparse_create(150, 150, S.n, &H));
  for (int64_t k = 0; k < S.n; k++) {
    H->ptr[S.e[k].row + 1]++;
    H->col[k] = S.e[k].col;
    H->val[k] = S.e[k].val;
  }
  for (int i = 0; i < 150; i++) H->ptr[i + 1] += H->ptr[i];
  double *a = calloc(150 * 150, sizeof *a), *t = calloc(150 * 150, sizeof *t);
  for (int k = 0; k < 2 * BF_FORMATS; k++) {
    const bf_matrix_form form = {.format = (bf_format)(k / 2), .prec = (bf_prec)(k % 2)};
    T_OK(bf_matrix_from_sparse(t_be, H, &form, &A));
    T_OK(bf_matrix_transpose(A, &T));
    T_OK(bf_matrix_check(T));
    T_OK(bf_matrix_to_dense(A, a));
    T_OK(bf_matrix_to_dense(T, t));
    for (int i = 0; i < 150; i++)
      for (int j = 0; j < 150; j++) assert_true(t[j * 150 + i] == a[i * 150 + j]);
    bf_matrix_destroy(&A);
    bf_matrix_destroy(&T);
  }
  bf_sparse_destroy(&H);
  free(a);
  free(t);
  free(S.e);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bands_of_one_block_are_transposed),
      cmocka_unit_test(bands_of_several_blocks_are_transposed),
      cmocka_unit_test(bands_of_many_blocks_are_transposed),
      cmocka_unit_test(rectangles_are_transposed),
      cmocka_unit_test(rows_may_be_unsorted_and_name_a_place_again),
      cmocka_unit_test(empty_rows_and_columns_have_their_place),
      cmocka_unit_test(no_entries_give_empty_rows),
      cmocka_unit_test(a_lone_entry_far_from_a_band_is_not_lost),
      cmocka_unit_test(long_rows_and_columns_are_transposed),
      cmocka_unit_test(the_transpose_of_the_transpose_is_the_matrix_bit_for_bit),
      cmocka_unit_test(a_column_outside_the_matrix_is_refused),
      cmocka_unit_test(wrong_arguments_are_refused),
      cmocka_unit_test(dense_matrices_are_transposed),
      cmocka_unit_test(matrices_of_every_format_have_a_transpose),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
