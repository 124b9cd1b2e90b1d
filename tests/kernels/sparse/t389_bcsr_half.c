/* tests/kernels/sparse/t389_bcsr_half.c - block CSR in half storage: against long double, CSR and full
 * storage in every operation usage: t389_bcsr_half <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/sparse/bcsr_case.h"
#include <string.h>

static void the_product_is_that_of_long_double(void **state)
{
  (void)state;
  static const bf_int size[] = {1, 2, 3, 31, 32, 33, 65, 127, 500, 2000};
  uint64_t            seed   = 1;
  for (int k = 0; k < 10; k++)
    for (int D = 1; D <= 3; D++)
      for (int prec = 0; prec < 2; prec++) {
        T_ONE_OF(7);
        bf_sparse *S = t_sparse_random(size[k] * D, 9, 1, k % 2 ? 40 : 0, &seed);
        bf_matrix *A = t_bcsr_stored(S, BF_FORMAT_BCSR, 1, D, (bf_prec)prec);
        assert_int_equal(bf_matrix_half(A), 1);
        t_bcsr_check_product(S, A, &seed);
        bf_matrix_destroy(&A);
        bf_sparse_destroy(&S);
      }
}

/* Twice the same bits, with and without dots; the product with the transpose is the product. */
static void a_repeated_product_has_the_same_bits(void **state)
{
  (void)state;
  uint64_t seed = 2;
  for (int D = 1; D <= 3; D++) {
    bf_sparse   *S = t_sparse_random(3000 * D, 20, 1, 300, &seed);
    bf_matrix   *A = t_bcsr_stored(S, BF_FORMAT_BCSR, 1, D, BF_FP64);
    const size_t n = (size_t)S->nrows;
    double      *x = t_random_vector(n, &seed), *y = t_bcsr_product(A, x, 0), *z = t_bcsr_product(A, x, 1);
    assert_true(bf_matrix_transposes_in_place(A));
    assert_memory_equal(y, z, n * sizeof *y);
    double *dx = t_vector(t_be, A->nrows, 0, x), *dy = t_vector(t_be, A->nrows, 0, NULL), dot[2];
    double *dd = t_to_backend((double[2]){0.0, 0.0}, 16);
    T_OK(bf_matrix_spmv(A, dx, dy, dx, dd));
    t_to_host(z, dy, n * sizeof *z);
    t_to_host(dot, dd, sizeof dot);
    assert_memory_equal(y, z, n * sizeof *y);
    long double xy = 0.0L, yy = 0.0L, size = 0.0L;
    for (size_t i = 0; i < n; i++) {
      xy += (long double)x[i] * y[i];
      yy += (long double)y[i] * y[i];
      size += fabsl((long double)x[i] * y[i]);
    }
    T_NEAR(dot[0], (double)xy, 1e-13 * (double)size);
    T_NEAR(dot[1], (double)yy, 1e-13 * (double)yy);
    bf_vector_destroy(t_be, 0, &dx);
    bf_vector_destroy(t_be, 0, &dy);
    t_be->ops.release(t_be, dd);
    free(x);
    free(y);
    free(z);
    bf_matrix_destroy(&A);
    bf_sparse_destroy(&S);
  }
}

/* 16 bits up to the last place that they reach on either side of the diagonal, 32 beyond; one row with all
 * columns. */
static void columns_are_as_wide_as_they_need(void **state)
{
  (void)state;
  uint64_t seed = 3;
  for (int far = 0; far < 2; far++)
    for (int D = 1; D <= 3; D++) {
      const bf_int row[] = {0, 1000},
                   col[] = {32767, 33535 + far}; /* 1000 is 232 after the base of its block */
      bf_int     r[4], c[4];
      bf_sparse *S = NULL;
      for (int k = 0; k < 4; k++) {
        r[k] = (k < 2 ? row[k] : col[k - 2]) * D;
        c[k] = (k < 2 ? col[k] : row[k - 2]) * D;
      }
      T_OK(bf_sparse_from_triplets(40000 * D, 40000 * D, 4, r, c, (double[]){1, 2, 1, 2}, &S));
      bf_matrix *A = t_bcsr_stored(S, BF_FORMAT_BCSR, 1, D, BF_FP64);
      assert_true((A->bcsr->rel != NULL) == !far);
      t_bcsr_check_product(S, A, &seed);
      bf_matrix_destroy(&A);
      bf_sparse_destroy(&S);
    }
  bf_sparse *S = t_sparse_arrow(36000);
  for (int D = 1; D <= 3; D++) {
    bf_matrix *A = t_bcsr_stored(S, BF_FORMAT_BCSR, 1, D, BF_FP64);
    assert_true((A->bcsr->col != NULL) == (D == 1)); /* 36000, 18000 and 12000 nodes */
    t_bcsr_check_product(S, A, &seed);
    bf_matrix_destroy(&A);
  }
  bf_sparse_destroy(&S);
}

static void constraints_and_diagonals_are_those_of_csr(void **state)
{
  (void)state;
  t_bcsr_check_constraints(1, 4);
}

static void diagonal_blocks_are_those_of_csr(void **state)
{
  (void)state;
  t_bcsr_check_blocks(1, 5);
}

/* Bits of full storage, and of CSR, from symmetric element matrices. */
static void element_matrices_arrive_as_in_full_storage(void **state)
{
  (void)state;
  uint64_t seed = 6;
  for (int D = 1; D <= 3; D++) {
    t_grid          g  = t_grid_new(4, 3, 5, &seed);
    bf_graph       *p  = t_grid_pattern(&g);
    double         *Ke = t_grid_matrices(&g, D, 1, &seed);
    bf_matrix      *A = NULL, *B = NULL, *C = NULL;
    const bf_layout L = {.nrows = p->n, .ncomp = D, .nnz = p->ptr[p->n] * D * D, .graph = p};
    T_OK(bf_matrix_create(t_be, BF_FORMAT_BCSR, &L, 1, BF_FP64, &A));
    T_OK(bf_matrix_create(t_be, BF_FORMAT_BCSR, &L, 0, BF_FP64, &B));
    T_OK(bf_matrix_create(t_be, BF_FORMAT_CSR, &L, 0, BF_FP64, &C));
    T_OK(bf_matrix_check(A));
    for (int twice = 0; twice < 2; twice++) { /* sums add up */
      T_OK(t_bcsr_scatter(A, &g, Ke));
      T_OK(t_bcsr_scatter(B, &g, Ke));
      T_OK(t_bcsr_scatter(C, &g, Ke));
    }
    t_bcsr_same_dense(A, B);
    t_bcsr_same_dense(A, C);
    bf_matrix_destroy(&A);
    bf_matrix_destroy(&B);
    bf_matrix_destroy(&C);
    bf_graph *few = NULL; /* the diagonal alone */
    T_OK(bf_graph_create(p->n, p->n, &few));
    for (bf_int i = 0; i < p->n; i++) few->adj[i] = i, few->ptr[i + 1] = i + 1;
    const bf_layout F = {.nrows = p->n, .ncomp = D, .nnz = (int64_t)p->n * D * D, .graph = few};
    T_OK(bf_matrix_create(t_be, BF_FORMAT_BCSR, &F, 1, BF_FP64, &A));
    T_ERR(BF_E_ARG, t_bcsr_scatter(A, &g, Ke));
    bf_matrix_destroy(&A);
    bf_graph_destroy(&few);
    bf_graph_destroy(&p);
    free(Ke);
    t_grid_free(&g);
  }
}

static void an_unsymmetric_matrix_is_refused(void **state)
{
  (void)state;
  bf_sparse           *S    = NULL;
  bf_matrix           *A    = NULL;
  const bf_matrix_form form = {.format = BF_FORMAT_BCSR, .half = 1, .ncomp = 2};
  T_OK(bf_sparse_from_triplets(4, 4, 2, (bf_int[]){0, 2}, (bf_int[]){2, 0}, (double[]){1.0, 1.5}, &S));
  T_ERR(BF_E_ARG, bf_matrix_from_sparse(t_be, S, &form, &A));
  T_CONTAINS(bf_err_message(), "row 0, for one, has 1 in column 2, and the transposed entry is 1.5");
  bf_sparse_destroy(&S);
  bf_graph *g = NULL;
  T_OK(bf_graph_create(2, 1, &g));
  g->adj[0] = 1, g->ptr[1] = g->ptr[2] = 1;
  const bf_layout L = {.nrows = 2, .ncomp = 2, .nnz = 4, .graph = g};
  T_ERR(BF_E_ARG, bf_matrix_create(t_be, BF_FORMAT_BCSR, &L, 1, BF_FP64, &A));
  T_CONTAINS(bf_err_message(), "half storage needs a symmetric pattern");
  assert_null(A);
  bf_graph_destroy(&g);
}

/* A zero without a transposed entry is kept as a block of zeros on both sides. */
static void a_zero_without_its_transposed_is_no_error(void **state)
{
  (void)state;
  bf_sparse *S = NULL, *B = NULL;
  T_OK(bf_sparse_from_triplets(6, 6, 3, (bf_int[]){0, 5, 5}, (bf_int[]){0, 0, 5}, (double[]){2.0, 0.0, 3.0},
                               &S));
  bf_matrix *A = t_bcsr_stored(S, BF_FORMAT_BCSR, 1, 2, BF_FP64);
  assert_int_equal(A->bcsr->nblocks, 4);
  T_OK(bf_matrix_to_sparse(A, &B));
  assert_int_equal(B->nnz, 2);
  assert_true(bf_sparse_value(B, 0, 0) == 2.0 && bf_sparse_value(B, 5, 5) == 3.0);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
  bf_sparse_destroy(&B);
}

/* Values of the blocks from the diagonal on, a column number each block, a position each block left of it. */
static void a_pair_of_blocks_costs_one_block_of_values(void **state)
{
  (void)state;
  uint64_t  seed = 7;
  t_grid    g    = t_grid_new(5, 4, 3, &seed);
  bf_graph *p    = t_grid_pattern(&g);
  for (int D = 1; D <= 3; D++) {
    bf_matrix      *A = NULL, *B = NULL;
    const int64_t   n = p->n, all = p->ptr[n], lower = (all - n) / 2;
    const bf_layout L = {.nrows = p->n, .ncomp = D, .nnz = all * D * D, .graph = p};
    T_OK(bf_matrix_create(t_be, BF_FORMAT_BCSR, &L, 1, BF_FP64, &A));
    T_OK(bf_matrix_to_fp32(A, &B));
    const int64_t tables = all * 2 + lower * 4 + (n + 1) * 16, values = (all - lower) * D * D + BF_BCSR_PAD;
    assert_int_equal(bf_matrix_bytes(A), values * 8 + tables);
    assert_int_equal(bf_matrix_bytes(B), values * 4 + tables);
    assert_int_equal(bf_matrix_product_bytes(A), values * 8 + tables + n * D * 16);
    bf_matrix_destroy(&A);
    bf_matrix_destroy(&B);
  }
  bf_graph_destroy(&p);
  t_grid_free(&g);
}

static void a_broken_list_is_found(void **state)
{
  (void)state;
  uint64_t   seed = 8;
  bf_sparse *S    = t_sparse_random(40, 5, 1, 0, &seed);
  bf_matrix *A    = t_bcsr_stored(S, BF_FORMAT_BCSR, 1, 2, BF_FP64);
  bf_int     from[2], turned[2];
  int64_t    low, less = -1;
  assert_true(A->bcsr->nlower >= 2);
  t_to_host(from, A->bcsr->from, sizeof from);
  turned[0] = from[1], turned[1] = from[0];
  T_OK(t_be->ops.copy(t_be, A->bcsr->from, turned, sizeof from, BF_TO_DEVICE));
  T_ERR(BF_E_ARG, bf_matrix_check(A));
  T_OK(t_be->ops.copy(t_be, A->bcsr->from, from, sizeof from, BF_TO_DEVICE));
  T_OK(bf_matrix_check(A));
  t_to_host(&low, A->bcsr->low, sizeof low);
  T_OK(t_be->ops.copy(t_be, A->bcsr->low, &less, sizeof less, BF_TO_DEVICE));
  T_ERR(BF_E_ARG, bf_matrix_check(A));
  T_OK(t_be->ops.copy(t_be, A->bcsr->low, &low, sizeof low, BF_TO_DEVICE));
  T_OK(bf_matrix_check(A));
  A->bcsr->nlower--;
  T_ERR(BF_E_ARG, bf_matrix_check(A));
  A->bcsr->nlower++;
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_product_is_that_of_long_double),
      cmocka_unit_test(a_repeated_product_has_the_same_bits),
      cmocka_unit_test(columns_are_as_wide_as_they_need),
      cmocka_unit_test(constraints_and_diagonals_are_those_of_csr),
      cmocka_unit_test(diagonal_blocks_are_those_of_csr),
      cmocka_unit_test(element_matrices_arrive_as_in_full_storage),
      cmocka_unit_test(an_unsymmetric_matrix_is_refused),
      cmocka_unit_test(a_zero_without_its_transposed_is_no_error),
      cmocka_unit_test(a_pair_of_blocks_costs_one_block_of_values),
      cmocka_unit_test(a_broken_list_is_found),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
