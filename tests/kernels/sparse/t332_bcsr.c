/* tests/kernels/sparse/t332_bcsr.c - block CSR in full storage: against CSR in every operation, column
 * widths, transposed product usage: t332_bcsr <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/sparse/bcsr_case.h"

static bf_sparse *transposed_of(const bf_sparse *S)
{
  bf_int    *row = malloc((size_t)S->nnz * sizeof *row + 1);
  bf_sparse *T   = NULL;
  for (bf_int i = 0; i < S->nrows; i++)
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) row[p] = i;
  T_OK(bf_sparse_from_triplets(S->ncols, S->nrows, S->nnz, S->col, row, S->val, &T));
  free(row);
  return T;
}

/* Unsymmetric values on a symmetric pattern of nodes. */
static bf_sparse *paired_pattern(bf_int nodes, int D, uint64_t *seed)
{
  bf_sparse    *P = t_sparse_random(nodes, 6, 1, 0, seed), *S = NULL;
  const int64_t n   = P->nnz * D * D;
  bf_int       *row = malloc((size_t)n * sizeof *row + 1), *col = malloc((size_t)n * sizeof *col + 1);
  double       *val = malloc((size_t)n * sizeof *val + 1);
  int64_t       at  = 0;
  for (bf_int i = 0; i < P->nrows; i++)
    for (int64_t p = P->ptr[i]; p < P->ptr[i + 1]; p++)
      for (int k = 0; k < D * D; k++, at++) {
        row[at] = i * D + k / D;
        col[at] = P->col[p] * D + k % D;
        val[at] = 2.0 * t_uniform(seed) - 1.0;
      }
  T_OK(bf_sparse_from_triplets(nodes * D, nodes * D, n, row, col, val, &S));
  bf_sparse_destroy(&P);
  free(row);
  free(col);
  free(val);
  return S;
}

static void the_transposed_product_is_that_of_the_transpose(void **state)
{
  (void)state;
  static const bf_int size[] = {1, 2, 31, 33, 65, 127, 500};
  uint64_t            seed   = 1;
  for (int k = 0; k < 7; k++)
    for (int D = 1; D <= 3; D++)
      for (int prec = 0; prec < 2; prec++) {
        bf_sparse   *S = paired_pattern(size[k], D, &seed), *T = transposed_of(S);
        bf_matrix   *A = t_bcsr_stored(S, BF_FORMAT_BCSR, 0, D, (bf_prec)prec);
        const size_t n = (size_t)A->nrows;
        double      *x = t_random_vector(n, &seed), *want = calloc(n, 8), *bound = calloc(n, 8);
        assert_true(bf_matrix_transposes_in_place(A));
        double *y = t_bcsr_product(A, x, 1), *again = t_bcsr_product(A, x, 1);
        t_sparse_product(T, prec, x, want, bound);
        for (size_t i = 0; i < n; i++)
          assert_true(fabs(y[i] - want[i]) <=
                      ((double)(T->ptr[i + 1] - T->ptr[i]) + 2.0) * 0x1p-53 * bound[i]);
        assert_memory_equal(y, again, n * sizeof *y);
        free(x);
        free(want);
        free(bound);
        free(y);
        free(again);
        bf_matrix_destroy(&A);
        bf_sparse_destroy(&S);
        bf_sparse_destroy(&T);
      }
}

static void an_unsymmetric_pattern_asks_for_an_explicit_transpose(void **state)
{
  (void)state;
  bf_sparse *S = NULL;
  T_OK(bf_sparse_from_triplets(4, 4, 2, (bf_int[]){0, 3}, (bf_int[]){2, 3}, (double[]){1.0, 2.0}, &S));
  bf_matrix *A = t_bcsr_stored(S, BF_FORMAT_BCSR, 0, 2, BF_FP64);
  double    *x = t_vector(t_be, 4, 0, NULL), *y = t_vector(t_be, 4, 0, NULL);
  assert_false(bf_matrix_transposes_in_place(A));
  T_ERR(BF_E_UNSUPPORTED, bf_matrix_spmv_t(A, x, y));
  bf_vector_destroy(t_be, 0, &x);
  bf_vector_destroy(t_be, 0, &y);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
}

static void constraints_and_diagonals_are_those_of_csr(void **state)
{
  (void)state;
  t_bcsr_check_constraints(0, 2);
}

static void diagonal_blocks_are_those_of_csr(void **state)
{
  (void)state;
  t_bcsr_check_blocks(0, 3);
}

static void element_matrices_arrive_as_in_csr(void **state)
{
  (void)state;
  uint64_t seed = 4;
  for (int D = 1; D <= 3; D++) {
    t_grid          g  = t_grid_new(4, 3, 5, &seed);
    bf_graph       *p  = t_grid_pattern(&g);
    double         *Ke = t_grid_matrices(&g, D, 0, &seed);
    bf_matrix      *A = NULL, *B = NULL;
    const bf_layout L = {.nrows = p->n, .ncomp = D, .nnz = p->ptr[p->n] * D * D, .graph = p};
    T_OK(bf_matrix_create(t_be, BF_FORMAT_BCSR, &L, 0, BF_FP64, &A));
    T_OK(bf_matrix_create(t_be, BF_FORMAT_CSR, &L, 0, BF_FP64, &B));
    T_OK(bf_matrix_check(A));
    for (int twice = 0; twice < 2; twice++) { /* sums add up */
      T_OK(t_bcsr_scatter(A, &g, Ke));
      T_OK(t_bcsr_scatter(B, &g, Ke));
    }
    t_bcsr_same_dense(A, B);
    bf_matrix_destroy(&A);
    bf_matrix_destroy(&B);
    bf_graph *few = NULL; /* the diagonal alone */
    T_OK(bf_graph_create(p->n, p->n, &few));
    for (bf_int i = 0; i < p->n; i++) few->adj[i] = i, few->ptr[i + 1] = i + 1;
    const bf_layout F = {.nrows = p->n, .ncomp = D, .nnz = (int64_t)p->n * D * D, .graph = few};
    T_OK(bf_matrix_create(t_be, BF_FORMAT_BCSR, &F, 0, BF_FP64, &A));
    T_ERR(BF_E_ARG, t_bcsr_scatter(A, &g, Ke));
    bf_matrix_destroy(&A);
    bf_graph_destroy(&few);
    bf_graph_destroy(&p);
    free(Ke);
    t_grid_free(&g);
  }
}

/* 16 bits up to the last place that they reach, 32 beyond; a row far longer than the others. */
static void columns_are_as_wide_as_they_need(void **state)
{
  (void)state;
  uint64_t seed = 5;
  for (int far = 0; far < 2; far++)
    for (int D = 1; D <= 3; D++) {
      const bf_int row[] = {255, 33023, 33024, 0}, col[] = {32767, 0, 256, 32767 + far};
      bf_int       r[4], c[4];
      bf_sparse   *S = NULL;
      for (int k = 0; k < 4; k++) r[k] = row[k] * D + D - 1, c[k] = col[k] * D;
      T_OK(bf_sparse_from_triplets(40000 * D, 40000 * D, 4, r, c, (double[]){1, 2, 3, 4}, &S));
      bf_matrix *A = t_bcsr_stored(S, BF_FORMAT_BCSR, 0, D, BF_FP64);
      assert_true((A->bcsr->rel != NULL) == !far);
      t_bcsr_check_product(S, A, &seed);
      bf_matrix_destroy(&A);
      bf_sparse_destroy(&S);
    }
  bf_sparse *S = t_sparse_arrow(36000);
  for (int D = 1; D <= 3; D++) {
    bf_matrix *A = t_bcsr_stored(S, BF_FORMAT_BCSR, 0, D, BF_FP64);
    assert_true((A->bcsr->col != NULL) == (D == 1)); /* 36000, 18000 and 12000 nodes */
    t_bcsr_check_product(S, A, &seed);
    bf_matrix_destroy(&A);
  }
  bf_sparse_destroy(&S);
}

static void a_full_block_costs_one_column_number(void **state)
{
  (void)state;
  uint64_t   seed = 6;
  bf_sparse *S    = paired_pattern(300, 3, &seed);
  for (int prec = 0; prec < 2; prec++) {
    bf_matrix    *A     = t_bcsr_stored(S, BF_FORMAT_BCSR, 0, 3, (bf_prec)prec);
    const int64_t bytes = A->nnz * (prec ? 4 : 8) + A->nnz / 9 * 2 + (int64_t)301 * 8;
    assert_int_equal(A->nnz, A->bcsr->nblocks * 9);
    assert_int_equal(bf_matrix_bytes(A), bytes);
    assert_int_equal(bf_matrix_product_bytes(A), bytes + (int64_t)900 * 16);
    bf_matrix_destroy(&A);
  }
  bf_sparse_destroy(&S);
}

static void a_broken_table_is_found(void **state)
{
  (void)state;
  uint64_t   seed = 7;
  bf_sparse *S    = paired_pattern(20, 2, &seed);
  bf_matrix *A    = t_bcsr_stored(S, BF_FORMAT_BCSR, 0, 2, BF_FP64);
  int16_t    rel[2], turned[2];
  int64_t    ptr[2];
  t_to_host(ptr, A->bcsr->ptr, sizeof ptr);
  assert_true(ptr[0] == 0);
  bf_int row = 0; /* the first with two blocks */
  while (ptr[1] - ptr[0] < 2) t_to_host(ptr, A->bcsr->ptr + ++row, sizeof ptr);
  t_to_host(rel, A->bcsr->rel + ptr[0], sizeof rel);
  turned[0] = rel[1], turned[1] = rel[0];
  T_OK(t_be->ops.copy(t_be, A->bcsr->rel + ptr[0], turned, sizeof rel, BF_TO_DEVICE));
  T_ERR(BF_E_ARG, bf_matrix_check(A));
  T_OK(t_be->ops.copy(t_be, A->bcsr->rel + ptr[0], rel, sizeof rel, BF_TO_DEVICE));
  T_OK(bf_matrix_check(A));
  A->nnz += 1;
  T_ERR(BF_E_ARG, bf_matrix_check(A));
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_transposed_product_is_that_of_the_transpose),
      cmocka_unit_test(an_unsymmetric_pattern_asks_for_an_explicit_transpose),
      cmocka_unit_test(constraints_and_diagonals_are_those_of_csr),
      cmocka_unit_test(diagonal_blocks_are_those_of_csr),
      cmocka_unit_test(element_matrices_arrive_as_in_csr),
      cmocka_unit_test(columns_are_as_wide_as_they_need),
      cmocka_unit_test(a_full_block_costs_one_column_number),
      cmocka_unit_test(a_broken_table_is_found),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
