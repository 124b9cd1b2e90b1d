/* tests/kernels/multigrid/t385_block_rows.c - block rows against dense matrices
 * usage: t385_block_rows <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/multigrid/block_case.h"
#include "tests/reference/dense.h"
#include <omp.h>

/* y = A x in long double and |A| |x| */
static void multiply(int64_t m, int64_t n, const double *a, const double *x, double *y, double *size)
{
  for (int64_t i = 0; i < m; i++) {
    long double s = 0.0L, t = 0.0L;
    for (int64_t j = 0; j < n; j++) {
      s += (long double)a[i * n + j] * (long double)x[j];
      t += fabsl((long double)a[i * n + j] * (long double)x[j]);
    }
    y[i]    = (double)s;
    size[i] = (double)t;
  }
}

static void check_products(const bf_block_rows *A, const double *a, uint64_t *seed)
{
  const int64_t m = (int64_t)A->form.nrows * A->form.br, n = (int64_t)A->form.ncols * A->form.bc;
  double       *x = t_random_vector((size_t)n, seed), *b = t_random_vector((size_t)m, seed);
  double       *want = malloc((size_t)m * sizeof *want), *size = malloc((size_t)m * sizeof *size),
         *y  = malloc((size_t)m * sizeof *y);
  double *dx = t_to_backend(x, (size_t)n * sizeof *x), *dy = t_to_backend(b, (size_t)m * sizeof *b);
  multiply(m, n, a, x, want, size);
  T_OK(bf_block_rows_add(A, dx, dy));
  t_to_host(y, dy, (size_t)m * sizeof *y);
  for (int64_t i = 0; i < m; i++) T_NEAR(y[i], b[i] + want[i], 1e-15 * (4.0 * size[i] + fabs(b[i])));
  T_OK(bf_block_rows_spmv(A, dx, dy));
  t_to_host(y, dy, (size_t)m * sizeof *y);
  for (int64_t i = 0; i < m; i++) T_NEAR(y[i], want[i], 4e-15 * size[i]);
  T_OK(t_be->ops.copy(t_be, dy, b, (size_t)m * sizeof *b, BF_TO_DEVICE));
  T_OK(bf_block_rows_residual(A, dy, dx, dy));
  t_to_host(y, dy, (size_t)m * sizeof *y);
  for (int64_t i = 0; i < m; i++) T_NEAR(y[i], b[i] - want[i], 1e-15 * (4.0 * size[i] + fabs(b[i])));
  t_be->ops.release(t_be, dx);
  t_be->ops.release(t_be, dy);
  free(x), free(b), free(want), free(size), free(y);
}

static void products_of_every_order_are_those_of_the_dense_matrix(void **state)
{
  (void)state;
  static const t_pattern patterns[] = {t_scattered, t_near, t_few, t_long};
  uint64_t               seed       = 5;
  for (int p = 0; p < 4; p++)
    for (int br = 1; br <= BF_BLOCK_ORDER; br++)
      for (int bc = 1; bc <= BF_BLOCK_ORDER; bc++) {
        T_ONE_OF(5);
        t_blocks       b = t_blocks_of(67, p == 2 ? 14 : 83, br, bc, patterns[p], &seed);
        bf_block_rows *A = t_rows_of(&b), *S = NULL;
        double        *a = t_blocks_dense(&b);
        check_products(A, a, &seed);
        T_OK(bf_block_rows_to_fp32(A, &S));
        for (size_t e = 0; e < (size_t)67 * (size_t)(br * bc) * (size_t)b.form.ncols; e++)
          a[e] = (double)(float)a[e];
        check_products(S, a, &seed);
        free(a);
        bf_block_rows_destroy(&A);
        bf_block_rows_destroy(&S);
        t_blocks_free(&b);
      }
}

static void a_transpose_is_that_of_the_dense_matrix(void **state)
{
  (void)state;
  static const t_pattern patterns[] = {t_scattered, t_few, t_long};
  uint64_t               seed       = 6;
  for (int p = 0; p < 3; p++)
    for (int br = 1; br <= BF_BLOCK_ORDER; br++)
      for (int fp32 = 0; fp32 < 2; fp32++) {
        T_ONE_OF(3);
        const int      bc = 1 + (br * 5 + p) % BF_BLOCK_ORDER;
        t_blocks       b  = t_blocks_of(131, p == 1 ? 27 : 70, br, bc, patterns[p], &seed);
        bf_block_rows *A = t_rows_of(&b), *S = NULL, *T = NULL, *TT = NULL;
        if (fp32) T_OK(bf_block_rows_to_fp32(A, &S));
        const bf_block_rows *from = fp32 ? S : A;
        T_OK(bf_block_rows_transpose(from, &T));
        T_OK(bf_block_rows_transpose(T, &TT));
        t_rows_check(T);
        double      *a = t_rows_dense(from), *t = t_rows_dense(T), *tt = t_rows_dense(TT);
        const size_t m = 131 * (size_t)br, n = (size_t)b.form.ncols * (size_t)bc;
        for (size_t i = 0; i < m; i++)
          for (size_t j = 0; j < n; j++) assert_true(a[i * n + j] == t[j * m + i]);
        assert_memory_equal(a, tt, m * n * sizeof *a);
        assert_int_equal(T->nnz, A->nnz);
        free(a), free(t), free(tt);
        bf_block_rows_destroy(&A);
        bf_block_rows_destroy(&S);
        bf_block_rows_destroy(&T);
        bf_block_rows_destroy(&TT);
        t_blocks_free(&b);
      }
}

/* c = a b of m x l and l x n in long double, |a| |b| */
static void dense_product(size_t m, size_t l, size_t n, const double *a, const double *b, double *c,
                          double *size)
{
  long double *s = calloc(2 * n, sizeof *s);
  for (size_t i = 0; i < m; i++) {
    memset(s, 0, 2 * n * sizeof *s);
    for (size_t k = 0; k < l; k++)
      for (size_t j = 0; a[i * l + k] != 0.0 && j < n; j++) {
        s[j] += (long double)a[i * l + k] * (long double)b[k * n + j];
        s[n + j] += fabsl((long double)a[i * l + k] * (long double)b[k * n + j]);
      }
    for (size_t j = 0; j < n; j++) {
      c[i * n + j]    = (double)s[j];
      size[i * n + j] = (double)s[n + j];
    }
  }
  free(s);
}

static void check_multiply(const t_blocks *x, const t_blocks *y)
{
  const size_t m = (size_t)x->form.nrows * (size_t)x->form.br, l = (size_t)x->form.ncols * (size_t)x->form.bc,
               n   = (size_t)y->form.ncols * (size_t)y->form.bc;
  bf_block_rows *A = t_rows_of(x), *B = t_rows_of(y), *C = NULL;
  double        *a = t_blocks_dense(x), *b = t_blocks_dense(y), *want = malloc((m * n + 1) * sizeof *want),
         *size = malloc((m * n + 1) * sizeof *size);
  T_OK(bf_block_rows_multiply(A, B, &C));
  t_rows_check(C);
  double *c = t_rows_dense(C);
  dense_product(m, l, n, a, b, want, size);
  for (size_t i = 0; i < m * n; i++) T_NEAR(c[i], want[i], 4e-15 * size[i]);
  free(a), free(b), free(c), free(want), free(size);
  bf_block_rows_destroy(&A);
  bf_block_rows_destroy(&B);
  bf_block_rows_destroy(&C);
}

static void a_product_of_two_is_that_of_the_dense_matrices(void **state)
{
  (void)state;
  static const t_pattern left[] = {t_scattered, t_near, t_long}, right[] = {t_few, t_near, t_scattered};
  uint64_t               seed = 7;
  for (int p = 0; p < 3; p++)
    for (int q = 0; q < 3; q++)
      for (int o = 0; o < 8; o++) {
        static const int order[8][3] = {{1, 1, 1}, {2, 2, 3}, {3, 3, 6}, {6, 3, 6},
                                        {6, 6, 6}, {4, 5, 2}, {3, 3, 1}, {1, 3, 1}};
        T_ONE_OF(4);
        t_blocks x = t_blocks_of(73, 61, order[o][0], order[o][1], left[p], &seed);
        t_blocks y = t_blocks_of(61, 40, order[o][1], order[o][2], right[q], &seed);
        check_multiply(&x, &y);
        t_blocks_free(&x);
        t_blocks_free(&y);
      }
}

static int all(bf_int i, bf_int j)
{
  return i % 3 == 1 || j == i;
}
static int comb(bf_int i, bf_int j)
{
  return j % 40 == i % 40;
}

static void a_product_has_rows_of_thousands_of_blocks(void **state)
{
  (void)state;
  uint64_t seed = 8;
  t_blocks x = t_blocks_of(9, 40, 1, 1, all, &seed), y = t_blocks_of(40, 12000, 1, 1, comb, &seed);
  check_multiply(&x, &y); /* rows of 300 and of 12000 blocks */
  t_blocks_free(&x);
  t_blocks_free(&y);
  x = t_blocks_of(7, 40, 3, 3, all, &seed), y = t_blocks_of(40, 1500, 3, 6, comb, &seed);
  check_multiply(&x, &y);
  t_blocks_free(&x);
  t_blocks_free(&y);
}

static int none(bf_int i, bf_int j)
{
  (void)i;
  (void)j;
  return 0;
}

static void empty_matrices_are_fine(void **state)
{
  (void)state;
  uint64_t seed = 9;
  t_blocks x = t_blocks_of(5, 6, 2, 3, none, &seed), y = t_blocks_of(6, 4, 3, 1, t_near, &seed);
  check_multiply(&x, &y);
  t_blocks       no = t_blocks_of(0, 0, 2, 2, none, &seed);
  bf_block_rows *A = t_rows_of(&x), *T = NULL, *E = t_rows_of(&no), *EE = NULL, *S = NULL;
  double        *a = t_blocks_dense(&x);
  check_products(A, a, &seed);
  T_OK(bf_block_rows_transpose(A, &T));
  t_rows_check(T);
  T_OK(bf_block_rows_multiply(E, E, &EE));
  T_OK(bf_block_rows_to_fp32(EE, &S));
  assert_int_equal(EE->nnz, 0);
  free(a);
  bf_block_rows_destroy(&A);
  bf_block_rows_destroy(&T);
  bf_block_rows_destroy(&E);
  bf_block_rows_destroy(&EE);
  bf_block_rows_destroy(&S);
  t_blocks_free(&x);
  t_blocks_free(&y);
  t_blocks_free(&no);
}

static void the_diagonal_is_read_and_set(void **state)
{
  (void)state;
  uint64_t       seed = 10;
  t_blocks       b    = t_blocks_of(50, 50, 3, 3, t_near, &seed);
  bf_block_rows *A    = t_rows_of(&b);
  double        *a    = t_blocks_dense(&b), d[150];
  uint8_t        flag[150];
  for (int i = 0; i < 150; i++) flag[i] = i % 4 == 1;
  void *dd = t_to_backend(d, sizeof d), *df = t_to_backend(flag, sizeof flag);
  T_OK(bf_block_rows_diagonal(A, dd));
  t_to_host(d, dd, sizeof d);
  for (int i = 0; i < 150; i++) assert_true(d[i] == a[i * 151]);
  T_OK(bf_block_rows_unit_diagonal(A, df));
  double *after = t_rows_dense(A);
  for (int i = 0; i < 150; i++)
    if (flag[i]) a[i * 151] = 1.0;
  assert_memory_equal(a, after, sizeof(double) * 150 * 150);
  t_be->ops.release(t_be, dd);
  t_be->ops.release(t_be, df);
  free(a), free(after);
  bf_block_rows_destroy(&A);
  t_blocks_free(&b);
}

/* Node pairs of two and three segments, with whole blocks of zeros and zeros in blocks. */
static bf_sparse *scalar_matrix(bf_int n, int D, int symmetric, uint64_t *seed)
{
  const size_t N   = (size_t)n * (size_t)D;
  double      *a   = calloc(N * N, sizeof *a);
  int64_t      nnz = 0;
  for (size_t i = 0; i < N; i++)
    for (size_t j = 0; j <= i; j++) {
      const bf_int u = (bf_int)(i / (size_t)D), v = (bf_int)(j / (size_t)D);
      const int    far = u - v;
      if ((far > 1 && far != 7 && far != 8) || (far == 7 && u % 3 == 0) || (i + j) % 5 == 4) continue;
      if (u == 11 && v == 11) continue; /* no entry on a diagonal block */
      a[i * N + j] = 2.0 * t_uniform(seed) - 1.0;
      a[j * N + i] = symmetric || i == j ? a[i * N + j] : t_uniform(seed);
    }
  bf_sparse *S = NULL;
  for (size_t i = 0; i < N * N; i++) nnz += a[i] != 0.0;
  T_OK(bf_sparse_create((bf_int)N, (bf_int)N, nnz, &S));
  nnz = 0;
  for (size_t i = 0; i < N; i++) {
    for (size_t j = 0; j < N; j++)
      if (a[i * N + j] != 0.0) S->col[nnz] = (bf_int)j, S->val[nnz++] = a[i * N + j];
    S->ptr[i + 1] = nnz;
  }
  free(a);
  return S;
}

static void every_format_has_the_blocks_of_its_nodes(void **state)
{
  (void)state;
  static const bf_format formats[] = {
      BF_FORMAT_BDIA, BF_FORMAT_HYBRID, BF_FORMAT_BCSR, /* in half storage too */
      BF_FORMAT_CSR,  BF_FORMAT_CSR16,  BF_FORMAT_ELL,  BF_FORMAT_HYB, BF_FORMAT_DIA, BF_FORMAT_COO};
  uint64_t seed = 11;
  for (int symmetric = 0; symmetric < 2; symmetric++)
    for (int D = 1; D <= 3; D++) {
      const bf_int n = 70, N = n * D;
      bf_sparse   *S = scalar_matrix(n, D, symmetric, &seed);
      for (int f = 0; f < 9; f++)
        for (int half = 0; half <= (symmetric && f < 3); half++) {
          const bf_matrix_form form = {.format = formats[f], .half = half, .ncomp = D};
          bf_matrix           *A    = NULL;
          bf_block_rows       *B    = NULL;
          T_OK(bf_matrix_from_sparse(t_be, S, &form, &A));
          T_OK(bf_block_rows_from_matrix(A, &B));
          t_rows_check(B);
          const int order = A->ncomp;
          assert_int_equal(B->form.nrows * order, N);
          double *b = t_rows_dense(B);
          for (bf_int i = 0; i < N; i++)
            for (bf_int j = 0; j < N; j++)
              assert_true(b[(size_t)i * (size_t)N + (size_t)j] == bf_sparse_value(S, i, j));
          int64_t blocks = 0; /* that are not zero or on the diagonal */
          for (bf_int u = 0; u < N / order; u++)
            for (bf_int v = 0; v < N / order; v++) {
              int some = u == v;
              for (int x = 0; x < order; x++)
                for (int y = 0; y < order; y++)
                  some |= bf_sparse_value(S, u * order + x, v * order + y) != 0.0;
              blocks += some;
            }
          assert_int_equal(B->nnz, blocks);
          free(b);
          bf_block_rows_destroy(&B);
          bf_matrix_destroy(&A);
        }
      bf_sparse_destroy(&S);
    }
}

static void arrays_out_of_order_are_refused(void **state)
{
  (void)state;
  const int64_t  ptr[3] = {0, 2, 3}, back[3] = {0, 2, 1};
  const bf_int   col[3] = {1, 0, 2}, out[3] = {0, 1, 3};
  const double   val[27] = {0};
  bf_block_form  form    = {2, 3, 3, 3, BF_FP64};
  bf_block_rows *A = NULL, *C = NULL;
  T_ERR(BF_E_ARG, bf_block_rows_from_host(t_be, &form, ptr, col, val, &A));
  T_ERR(BF_E_ARG, bf_block_rows_from_host(t_be, &form, ptr, out, val, &A));
  T_ERR(BF_E_ARG, bf_block_rows_from_host(t_be, &form, back, col, val, &A));
  form.br = 7;
  T_ERR(BF_E_ARG, bf_block_rows_create(t_be, &form, 3, &A));
  form = (bf_block_form){1 << 30, 3, 3, 3, BF_FP64};
  T_ERR(BF_E_ARG, bf_block_rows_create(t_be, &form, 3, &A));
  assert_null(A);
  uint64_t seed = 1;
  t_blocks x    = t_blocks_of(4, 5, 2, 2, t_near, &seed);
  A             = t_rows_of(&x);
  T_ERR(BF_E_ARG, bf_block_rows_multiply(A, A, &C));
  assert_null(C);
  bf_block_rows_destroy(&A);
  t_blocks_free(&x);
}

static int wide(bf_int i, bf_int j)
{
  return abs(i - j) <= 6 || (i + 3 * j) % 97 == 0;
}

static void threads_do_not_change_a_bit(void **state)
{
  (void)state;
  uint64_t       seed = 12;
  t_blocks       x = t_blocks_of(900, 900, 3, 3, wide, &seed), y = t_blocks_of(900, 180, 3, 6, t_few, &seed);
  const size_t   m = 2700;
  bf_block_rows *A = t_rows_of(&x), *B = t_rows_of(&y);
  double        *v = t_random_vector(m, &seed), *dv = t_to_backend(v, m * sizeof *v),
         *dy = t_to_backend(v, m * sizeof *v), *first[3] = {NULL, NULL, NULL};
  const int threads = omp_get_max_threads();
  for (int run = 0; run < 3; run++) {
    bf_block_rows *T = NULL, *C = NULL, *G = NULL;
    omp_set_num_threads(run == 0 ? 1 : run == 1 ? 3 : 8);
    T_OK(bf_block_rows_transpose(B, &T));
    T_OK(bf_block_rows_multiply(A, B, &C));
    T_OK(bf_block_rows_galerkin(A, B, T, &G));
    T_OK(bf_block_rows_spmv(A, dv, dy));
    double *got[3] = {malloc(m * sizeof **first), t_rows_dense(C), t_rows_dense(G)};
    t_to_host(got[0], dy, m * sizeof **first);
    const size_t size[3] = {m, m * 1080, (size_t)1080 * 1080};
    for (int k = 0; k < 3; k++) {
      if (run == 0) {
        first[k] = got[k];
        continue;
      }
      assert_memory_equal(first[k], got[k], size[k] * sizeof **first);
      free(got[k]);
    }
    bf_block_rows_destroy(&T);
    bf_block_rows_destroy(&C);
    bf_block_rows_destroy(&G);
  }
  omp_set_num_threads(threads);
  for (int k = 0; k < 3; k++) free(first[k]);
  free(v);
  t_be->ops.release(t_be, dv);
  t_be->ops.release(t_be, dy);
  bf_block_rows_destroy(&A);
  bf_block_rows_destroy(&B);
  t_blocks_free(&x);
  t_blocks_free(&y);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_of_every_order_are_those_of_the_dense_matrix),
      cmocka_unit_test(a_transpose_is_that_of_the_dense_matrix),
      cmocka_unit_test(a_product_of_two_is_that_of_the_dense_matrices),
      cmocka_unit_test(a_product_has_rows_of_thousands_of_blocks),
      cmocka_unit_test(empty_matrices_are_fine),
      cmocka_unit_test(the_diagonal_is_read_and_set),
      cmocka_unit_test(every_format_has_the_blocks_of_its_nodes),
      cmocka_unit_test(arrays_out_of_order_are_refused),
      cmocka_unit_test(threads_do_not_change_a_bit),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
