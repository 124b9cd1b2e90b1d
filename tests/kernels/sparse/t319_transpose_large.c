/* tests/kernels/sparse/t319_transpose_large.c - transposes and triplets of sizes that fill many tiles and
 * blocks usage: t319_transpose_large <backend>.  The oracle counts on one thread. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/host_csr.h"
#include "tests/kernels/sparse/transpose_case.h"
#include "tests/no_memory.h"

/* Places of the entries of S by column, by counting. */
static void compare(const t_entries *S, const bf_csr_arrays *T)
{
  t_csr_copy h    = t_csr_fetch(T);
  int64_t   *next = calloc((size_t)S->ncols + 1, sizeof *next);
  for (int64_t k = 0; k < S->n; k++) next[S->e[k].col + 1]++;
  for (bf_int j = 0; j < S->ncols; j++) next[j + 1] += next[j];
  assert_memory_equal(h.ptr, next, ((size_t)S->ncols + 1) * sizeof *next);
  for (int64_t k = 0; k < S->n; k++) {
    const int64_t at = next[S->e[k].col]++;
    if (h.col[at] != S->e[k].row || t_value_at(h.val, T->prec, at) != S->e[k].val)
      fail_msg("entry %lld of %lld: column %d value %g, not %d %g", (long long)at, (long long)S->n,
               (int)h.col[at], t_value_at(h.val, T->prec, at), (int)S->e[k].row, S->e[k].val);
  }
  t_csr_copy_free(&h);
  free(next);
}

static void check(t_entries *S)
{
  for (int prec = 0; prec < 2; prec++) {
    T_ONE_OF(5);
    bf_csr_arrays A = t_csr(S, (bf_prec)prec), T = t_csr_alloc(S->ncols, S->n, (bf_prec)prec);
    bf_csr_arrays U = t_csr_alloc(S->ncols, S->n, (bf_prec)prec);
    T_OK(bf_csr_transpose(t_be, &A, &T));
    compare(S, &T);
    T_OK(bf_csr_transpose(t_be, &A, &U));
    t_csr_copy t = t_csr_fetch(&T), u = t_csr_fetch(&U);
    assert_memory_equal(t.val, u.val, (size_t)S->n * t_value_size((bf_prec)prec));
    t_csr_copy_free(&t);
    t_csr_copy_free(&u);
    t_csr_free(&A);
    t_csr_free(&T);
    t_csr_free(&U);
  }
  free(S->e);
}

static void wide_and_narrow_bands_of_many_rows_are_transposed(void **state)
{
  (void)state;
  uint64_t  seed = 1;
  t_entries S    = t_entries_band(60000, 60000, 13, 1.0, &seed);
  check(&S);
  S = t_entries_band(20000, 19000, 50, 1.0, &seed);
  check(&S);
  S = t_entries_band(40000, 41000, 31, 0.5, &seed);
  check(&S);
}

static void grids_are_transposed(void **state)
{
  (void)state;
  enum { N = 36 };
  t_entries S = t_entries_new(N * N * N, N * N * N);
  for (int i = 0; i < N * N * N; i++)
    for (int k = 0; k < 27; k++) {
      const int x = i % N + k % 3 - 1, y = i / N % N + k / 3 % 3 - 1, z = i / N / N + k / 9 - 1;
      if (x >= 0 && x < N && y >= 0 && y < N && z >= 0 && z < N) t_entries_add(&S, i, x + N * (y + N * z));
    }
  check(&S);
}

static void scattered_columns_are_transposed(void **state)
{
  (void)state;
  uint64_t  seed = 2;
  t_entries S    = t_entries_random(150000, 300000, 8, &seed); /* 19 bits */
  check(&S);
  S = t_entries_random(20000, 20000000, 10, &seed); /* 25 bits, nearly all columns empty */
  check(&S);
  S = t_entries_random(50000, 300, 20, &seed);
  check(&S);
}

static void one_column_may_hold_most_entries(void **state)
{
  (void)state;
  T_LONG;
  uint64_t  seed = 3;
  t_entries S    = t_entries_new(200000, 70000);
  for (bf_int i = 0; i < 200000; i++) {
    t_entries_add(&S, i, 30000);
    t_entries_add(&S, i, (bf_int)(t_uniform(&seed) * 70000.0));
  }
  check(&S);
}

static void elements_of_a_large_mesh_become_rows(void **state)
{
  (void)state;
  T_LONG;
  enum { M = 24, NODES = (M + 1) * (M + 1) * (M + 1), COUNT = 64 * M * M * M };
  uint64_t seed = 4;
  for (int far = 0; far < 3; far++) { /* far 2: rows too long for a warp */
    bf_int    *row = malloc(COUNT * sizeof *row), *col = malloc(COUNT * sizeof *col);
    double    *val = malloc(COUNT * sizeof *val);
    bf_sparse *H   = NULL;
    for (int k = 0; k < COUNT; k++) {
      const int e = far ? (int)((int64_t)(k / 64) * 7919 % (M * M * M)) : k / 64;
      for (int s = 0; s < 2; s++) {
        const int c = s ? k % 8 : k / 8 % 8;
        (s ? col : row)[k] =
            e % M + c % 2 + (M + 1) * (e / M % M + c / 2 % 2 + (M + 1) * (e / M / M + c / 4));
      }
      if (far == 2 && k % 50 == 0) row[k] = 4711;
      val[k] = t_uniform(&seed) - 0.5;
    }
    T_OK(bf_sparse_from_triplets(NODES, NODES, COUNT, row, col, val, &H));
    bf_coo_arrays A = {.nrows = NODES, .ncols = NODES, .nnz = COUNT, .prec = BF_FP64};
    A.row           = t_to_backend(row, COUNT * sizeof *row);
    A.col           = t_to_backend(col, COUNT * sizeof *col);
    A.val           = t_to_backend(val, COUNT * sizeof *val);
    t_rows_are(&A, H);
    t_coo_free(&A);
    bf_sparse_destroy(&H);
    free(row);
    free(col);
    free(val);
  }
}

/* A band of half-width `half` of 40000 rows, of which a device samples every third, with one entry changed in
 * row 20000 that no other row has. */
enum { LONE_FAR, LONE_NEAR, TWICE, TURNED, MISSING, ODD_THINGS };
static t_entries odd_band(bf_int step, bf_int half, int odd)
{
  enum { N = 40000, ROW = 20000 };
  t_entries S = t_entries_new(N, N);
  for (bf_int i = 0; i < N; i++)
    for (bf_int k = -half; k <= half; k++) {
      const bf_int j = i + k * step;
      if (j < 0 || j >= N || (odd == MISSING && i == ROW && k == half)) continue;
      t_entries_add(&S, i, odd == TURNED && i == ROW ? i - k * step : j);
      if (odd == TWICE && i == ROW && k == 1) t_entries_add(&S, i, j);
      if (odd == LONE_FAR && i == ROW && k == half) t_entries_add(&S, i, N - 7);
      if (odd == LONE_NEAR && i == ROW && k == half) t_entries_add(&S, i, j + 1);
    }
  return S;
}

static void what_a_sample_of_rows_does_not_show_is_found(void **state)
{
  (void)state;
  for (int odd = 0; odd < ODD_THINGS; odd++) {
    T_ONE_OF(ODD_THINGS);
    t_entries S = odd_band(1, 5, odd); /* a narrow band, but for that row */
    check(&S);
    S = odd_band(1, 20, odd);
    check(&S);
    S = odd_band(300, 4, odd); /* symmetric, but for that row */
    check(&S);
  }
}

/* Host memory that runs out at any allocation leaves no block behind; device memory is not counted here. */
static void no_memory_is_reported_and_leaves_nothing(void **state)
{
  (void)state;
  uint64_t      seed = 5;
  t_entries     S    = t_entries_random(300, 300, 4, &seed);
  bf_csr_arrays A = t_csr(&S, BF_FP64), T = t_csr_alloc(300, S.n, BF_FP64),
                B = t_csr_alloc(300, S.n, BF_FP64);
  bf_coo_arrays C = t_coo(&S, BF_FP64), D = t_coo_alloc(S.n, BF_FP64);
  int64_t       failed = 0;
  T_OK(bf_csr_transpose(t_be, &A, &T)); /* the backend's scratch is there from now on */
  T_OK(bf_coo_to_csr(t_be, &C, &B));
  T_OK(bf_coo_sort(t_be, &C, &D));
  for (int what = 0; what < 3; what++) {
    t_no_memory t = {0};
    while (t_no_memory_next(&t)) {
      t_no_memory_begin(&t);
      t_no_memory_end(&t, what == 0   ? bf_csr_transpose(t_be, &A, &T)
                          : what == 1 ? bf_coo_to_csr(t_be, &C, &B)
                                      : bf_coo_sort(t_be, &C, &D));
    }
    failed += t.failed;
  }
  if (!t_be->ops.on_device) assert_true(failed > 4);
  t_csr_free(&A);
  t_csr_free(&T);
  t_csr_free(&B);
  t_coo_free(&C);
  t_coo_free(&D);
  free(S.e);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wide_and_narrow_bands_of_many_rows_are_transposed),
      cmocka_unit_test(grids_are_transposed),
      cmocka_unit_test(scattered_columns_are_transposed),
      cmocka_unit_test(one_column_may_hold_most_entries),
      cmocka_unit_test(elements_of_a_large_mesh_become_rows),
      cmocka_unit_test(what_a_sample_of_rows_does_not_show_is_found),
      cmocka_unit_test(no_memory_is_reported_and_leaves_nothing),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
