/* tests/kernels/sparse/t318_triplets.c - COO: sorted, transposed, into compressed rows with places named more
 * than once added up usage: t318_triplets <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/host_csr.h"
#include "tests/kernels/sparse/transpose_case.h"

static t_entry *sorted(const t_entries *S)
{
  t_entry *e = malloc((size_t)S->n * sizeof *e + 1);
  if (S->n > 0) memcpy(e, S->e, (size_t)S->n * sizeof *e);
  if (S->n > 0) qsort(e, (size_t)S->n, sizeof *e, t_by_row);
  return e;
}

/* Random order; positions are renumbered. */
static void shuffle(t_entries *S, uint64_t *seed)
{
  for (int64_t k = S->n - 1; k > 0; k--) {
    const int64_t j = (int64_t)(t_uniform(seed) * (double)(k + 1));
    const t_entry e = S->e[k];
    S->e[k]         = S->e[j];
    S->e[j]         = e;
  }
  for (int64_t k = 0; k < S->n; k++) S->e[k].place = k;
}

static void check_sort(const t_entries *S, bf_prec prec)
{
  t_entry      *want = sorted(S);
  bf_coo_arrays A = t_coo(S, prec), B = t_coo_alloc(S->n, prec);
  const size_t  n   = (size_t)S->n;
  bf_int       *row = malloc(n * sizeof *row + 1), *col = malloc(n * sizeof *col + 1);
  void         *val = malloc(n * sizeof(double) + 1);
  T_OK(bf_coo_sort(t_be, &A, &B));
  t_to_host(row, B.row, n * sizeof *row);
  t_to_host(col, B.col, n * sizeof *col);
  t_to_host(val, B.val, n * t_value_size(prec));
  for (int64_t k = 0; k < S->n; k++)
    if (row[k] != want[k].row || col[k] != want[k].col || t_value_at(val, prec, k) != want[k].val)
      fail_msg("entry %lld of %lld: (%d, %d) instead of (%d, %d)", (long long)k, (long long)S->n, (int)row[k],
               (int)col[k], (int)want[k].row, (int)want[k].col);
  t_coo_free(&A);
  t_coo_free(&B);
  free(row);
  free(col);
  free(val);
  free(want);
}

/* Rows ascending, equal places added from the first to the last in double, then rounded to prec. */
static void check_csr(const t_entries *S, bf_prec prec)
{
  t_entry      *want = sorted(S);
  bf_coo_arrays A    = t_coo(S, prec);
  bf_csr_arrays B    = t_csr_alloc(S->nrows, S->n, prec);
  T_OK(bf_coo_to_csr(t_be, &A, &B));
  t_csr_copy h  = t_csr_fetch(&B);
  int64_t    at = 0, k = 0;
  for (bf_int i = 0; i < S->nrows; i++) {
    if (h.ptr[i] != at)
      fail_msg("row %d begins at %lld, not %lld", (int)i, (long long)h.ptr[i], (long long)at);
    while (k < S->n && want[k].row == i) {
      const bf_int col = want[k].col;
      double       sum = want[k++].val;
      for (; k < S->n && want[k].row == i && want[k].col == col; k++) sum += want[k].val;
      if (prec == BF_FP32) sum = (double)(float)sum;
      if (h.col[at] != col || t_value_at(h.val, prec, at) != sum)
        fail_msg("(%d, %d): column %d, %.17g instead of %.17g", (int)i, (int)col, (int)h.col[at],
                 t_value_at(h.val, prec, at), sum);
      at++;
    }
  }
  assert_int_equal(h.ptr[S->nrows], at);
  assert_int_equal(B.nnz, at);
  assert_int_equal(B.nrows, S->nrows);
  assert_int_equal(B.ncols, S->ncols);
  t_csr_copy_free(&h);
  t_coo_free(&A);
  t_csr_free(&B);
  free(want);
}

/* Sums that depend on their order. */
static void rough_values(t_entries *S, uint64_t *seed)
{
  for (int64_t k = 0; k < S->n; k++)
    S->e[k].val = (double)(float)((t_uniform(seed) - 0.5) * (k % 3 ? 1.0 : 1e12));
}

static void check(t_entries *S, uint64_t *seed)
{
  for (int prec = 0; prec < 2; prec++) {
    T_ONE_OF(3);
    check_sort(S, (bf_prec)prec);
    check_csr(S, (bf_prec)prec);
  }
  if (t_quick()) {
    free(S->e);
    return;
  }
  rough_values(S, seed);
  check_csr(S, BF_FP64);
  check_csr(S, BF_FP32);
  free(S->e);
}

static void triplets_in_any_order_become_rows(void **state)
{
  (void)state;
  static const bf_int shape[][2] = {{1, 1},       {1, 300},     {300, 1},    {50, 60},
                                    {4000, 4000}, {70, 200000}, {200000, 70}};
  uint64_t            seed       = 1;
  for (int k = 0; k < 7; k++) {
    t_entries     S     = t_entries_new(shape[k][0], shape[k][1]);
    const int64_t count = k < 3 ? 500 : t_quick() ? 5000 : 20000;
    for (int64_t i = 0; i < count; i++)
      t_entries_add(&S, (bf_int)(t_uniform(&seed) * shape[k][0]), (bf_int)(t_uniform(&seed) * shape[k][1]));
    check(&S, &seed);
  }
}

static void elements_become_rows(void **state)
{
  (void)state;
  enum { N = 12 }; /* hexahedra along an edge: every inner place is named by 1, 2, 4 or 8 of them */
  uint64_t  seed = 2;
  t_entries S    = t_entries_new((N + 1) * (N + 1) * (N + 1), (N + 1) * (N + 1) * (N + 1));
  for (int e = 0; e < N * N * N; e++)
    for (int ab = 0; ab < 64; ab++) {
      bf_int node[2];
      for (int s = 0; s < 2; s++) {
        const int c = s ? ab % 8 : ab / 8;
        node[s]     = e % N + c % 2 + (N + 1) * (e / N % N + c / 2 % 2 + (N + 1) * (e / N / N + c / 4));
      }
      t_entries_add(&S, node[0], node[1]);
    }
  check(&S, &seed);
}

static void rows_that_are_sorted_or_turned_around_become_rows(void **state)
{
  (void)state;
  uint64_t seed = 3;
  for (int k = 0; k < 3; k++) {
    t_entries S = t_entries_band(700, 700, 12, 0.7, &seed);
    if (k == 1)
      for (int64_t i = 0; i < S.n / 2; i++) {
        const t_entry e        = S.e[i];
        S.e[i]                 = S.e[S.n - 1 - i];
        S.e[S.n - 1 - i]       = e;
        S.e[i].place           = i;
        S.e[S.n - 1 - i].place = S.n - 1 - i;
      }
    if (k == 2) shuffle(&S, &seed);
    check(&S, &seed);
  }
}

static void empty_rows_have_their_place(void **state)
{
  (void)state;
  uint64_t  seed = 4;
  t_entries S    = t_entries_new(3000, 500);
  for (int k = 0; k < 4000; k++) {
    const bf_int i = (bf_int)(t_uniform(&seed) * 1000.0) + 500; /* rows from 500 to 999 and 1200 to 1699 */
    t_entries_add(&S, i < 1000 ? i : i + 200, (bf_int)(t_uniform(&seed) * 500.0));
  }
  check(&S, &seed);
  S = t_entries_new(5000, 5000);
  t_entries_add(&S, 4999, 0);
  check(&S, &seed);
  S = t_entries_new(5000, 5000);
  t_entries_add(&S, 0, 4999);
  check(&S, &seed);
}

static void one_place_may_be_named_by_all(void **state)
{
  (void)state;
  uint64_t  seed = 5;
  t_entries S    = t_entries_new(100, 100);
  for (int k = 0; k < 20000; k++) t_entries_add(&S, 42, 17);
  check(&S, &seed);
  S = t_entries_new(100, 100000);
  for (int k = 0; k < 20000; k++) t_entries_add(&S, 99, (bf_int)(t_uniform(&seed) * 9000.0));
  check(&S, &seed);
}

static void no_triplets_give_empty_rows(void **state)
{
  (void)state;
  for (bf_int n = 0; n < 300; n = 3 * n + 1) {
    t_entries S = t_entries_new(n, 5);
    check_csr(&S, BF_FP64);
    check_sort(&S, BF_FP32);
  }
}

static void rows_on_either_backend_are_those_of_the_host(void **state)
{
  (void)state;
  uint64_t  seed = 6;
  t_entries S    = t_entries_random(900, 900, 30, &seed);
  shuffle(&S, &seed);
  rough_values(&S, &seed);
  bf_int *row = malloc((size_t)S.n * sizeof *row), *col = malloc((size_t)S.n * sizeof *col);
  double *val = malloc((size_t)S.n * sizeof *val);
  for (int64_t k = 0; k < S.n; k++) {
    row[k] = S.e[k].row;
    col[k] = S.e[k].col;
    val[k] = S.e[k].val;
  }
  bf_sparse *H = NULL;
  T_OK(bf_sparse_from_triplets(900, 900, S.n, row, col, val, &H));
  bf_coo_arrays A = t_coo(&S, BF_FP64);
  t_rows_are(&A, H);
  t_coo_free(&A);
  bf_sparse_destroy(&H);
  free(row);
  free(col);
  free(val);
  free(S.e);
}

static void a_transpose_in_its_own_order_moves_nothing(void **state)
{
  (void)state;
  bf_int              r[2], c[2];
  double              v[2];
  const bf_coo_arrays A = {.nrows = 3, .ncols = 9, .nnz = 2, .prec = BF_FP64, .row = r, .col = c, .val = v};
  bf_coo_arrays       T;
  bf_coo_transpose(&A, &T);
  assert_true(T.row == c && T.col == r && T.val == v && T.nrows == 9 && T.ncols == 3 && T.nnz == 2);
}

static void an_index_outside_the_matrix_is_refused(void **state)
{
  (void)state;
  uint64_t seed = 7;
  for (int k = 0; k < 4; k++) {
    t_entries S = t_entries_random(500, 300, 3, &seed);
    if (k & 1)
      S.e[777].col = k & 2 ? -1 : 300;
    else
      S.e[777].row = k & 2 ? -1 : 500;
    bf_coo_arrays A = t_coo(&S, BF_FP64), C = t_coo_alloc(S.n, BF_FP64);
    bf_csr_arrays B = t_csr_alloc(500, S.n, BF_FP64);
    T_ERR(BF_E_ARG, bf_coo_to_csr(t_be, &A, &B));
    bf_err err = bf_coo_sort(t_be, &A, &C);
    if (err == BF_OK) err = t_be->ops.sync(t_be);
    assert_int_equal(err, BF_E_ARG);
    t_coo_free(&A);
    t_coo_free(&C);
    t_csr_free(&B);
    free(S.e);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(triplets_in_any_order_become_rows),
      cmocka_unit_test(elements_become_rows),
      cmocka_unit_test(rows_that_are_sorted_or_turned_around_become_rows),
      cmocka_unit_test(empty_rows_have_their_place),
      cmocka_unit_test(one_place_may_be_named_by_all),
      cmocka_unit_test(no_triplets_give_empty_rows),
      cmocka_unit_test(rows_on_either_backend_are_those_of_the_host),
      cmocka_unit_test(a_transpose_in_its_own_order_moves_nothing),
      cmocka_unit_test(an_index_outside_the_matrix_is_refused),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
