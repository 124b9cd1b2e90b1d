/* tests/kernels/sparse/bcsr_case.h - steps of the tests of block CSR: matrices, products, element matrices */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_KERNELS_SPARSE_BCSR_CASE_H
#define BF_TESTS_KERNELS_SPARSE_BCSR_CASE_H
#include "kernels/matrix/bcsr.h"
#include "kernels/precond/block_jacobi.h"
#include "tests/backend.h"
#include "tests/reference/dense.h"
#include "tests/reference/grid.h"
#include "tests/reference/sparse.h"
#include <math.h>

static inline bf_matrix *t_bcsr_stored(const bf_sparse *S, bf_format format, int half, int D, bf_prec prec)
{
  bf_matrix           *A    = NULL;
  const bf_matrix_form form = {.format = format, .half = half, .prec = prec, .ncomp = D};
  T_OK(bf_matrix_from_sparse(t_be, S, &form, &A));
  T_OK(bf_matrix_check(A));
  return A;
}

/* y of one product; transposed 1: A^T x. */
static inline double *t_bcsr_product(const bf_matrix *A, const double *x, int transposed)
{
  double *dx = t_vector(t_be, A->nrows, A->guard, x), *dy = t_vector(t_be, A->nrows, A->guard, NULL);
  double *y = calloc((size_t)A->nrows, sizeof *y);
  T_OK(transposed ? bf_matrix_spmv_t(A, dx, dy) : bf_matrix_spmv(A, dx, dy, NULL, NULL));
  t_to_host(y, dy, (size_t)A->nrows * sizeof *y);
  bf_vector_destroy(t_be, A->guard, &dx);
  bf_vector_destroy(t_be, A->guard, &dy);
  return y;
}

/* y of every row within (d + 2) u |A||x| of long double, d entries of the row. */
static inline void t_bcsr_check_product(const bf_sparse *S, const bf_matrix *A, uint64_t *seed)
{
  const size_t n = (size_t)S->nrows;
  double      *x = t_random_vector(n, seed), *want = calloc(n, 8), *size = calloc(n, 8),
         *y = t_bcsr_product(A, x, 0);
  t_sparse_product(S, A->prec == BF_FP32, x, want, size);
  for (size_t i = 0; i < n; i++)
    if (!(fabs(y[i] - want[i]) <= ((double)(S->ptr[i + 1] - S->ptr[i]) + 2.0) * 0x1p-53 * size[i]))
      fail_msg("D = %d, n = %zu, row %zu: %.17g, reference %.17g", A->ncomp, n, i, y[i], want[i]);
  free(x);
  free(want);
  free(size);
  free(y);
}

static inline void t_bcsr_same_dense(const bf_matrix *A, const bf_matrix *B)
{
  const size_t bytes = (size_t)A->nrows * (size_t)A->nrows * sizeof(double);
  double      *a = malloc(bytes), *b = malloc(bytes);
  T_OK(bf_matrix_to_dense(A, a));
  T_OK(bf_matrix_to_dense(B, b));
  assert_memory_equal(a, b, bytes);
  free(a);
  free(b);
}

static inline bf_err t_bcsr_scatter(bf_matrix *A, const t_grid *g, const double *Ke)
{
  const size_t nd = (size_t)(g->nen * A->ncomp), count = (size_t)(g->ne * g->nen);
  bf_int      *conn = t_to_backend(g->conn, count * sizeof(bf_int));
  double      *k    = t_to_backend(Ke, (size_t)g->ne * nd * nd * sizeof *Ke);
  void        *ptr = NULL, *item = NULL;
  T_OK(t_be->ops.alloc(t_be, ((size_t)g->n + 1) * sizeof(bf_int), &ptr));
  T_OK(t_be->ops.alloc(t_be, count * sizeof(bf_int), &item));
  T_OK(BF_OP(t_be, element.incidence, g->ne, g->nen, conn, g->n, ptr, item));
  bf_err err = bf_matrix_scatter(A, ptr, item, g->nen, conn, k);
  if (err == BF_OK) err = t_be->ops.sync(t_be);
  t_be->ops.release(t_be, conn);
  t_be->ops.release(t_be, k);
  t_be->ops.release(t_be, ptr);
  t_be->ops.release(t_be, item);
  return err;
}

/* Constraints and diagonals are those of CSR, half: symmetric values in half storage. */
static inline void t_bcsr_check_constraints(int half, uint64_t seed)
{
  for (int k = 0; k < 24; k++) {
    const int  D   = 1 + k % 3;
    bf_sparse *S   = t_sparse_random((11 + 37 * k) * D, 5, half, 0, &seed);
    bf_matrix *A   = t_bcsr_stored(S, BF_FORMAT_BCSR, half, D, (bf_prec)(k / 3 % 2)),
              *B   = t_bcsr_stored(S, BF_FORMAT_CSR, 0, D, A->prec);
    const size_t n = (size_t)S->nrows;
    double      *a = calloc(n, 8), *b = calloc(n, 8), *d = t_vector(t_be, S->nrows, 0, NULL);
    uint8_t     *fixed = calloc(n, 1);
    for (size_t i = 0; i < n; i++) fixed[i] = t_uniform(&seed) < 0.3;
    uint8_t *mask = t_to_backend(fixed, n);
    t_bcsr_same_dense(A, B);
    T_OK(bf_matrix_constrain(A, mask));
    T_OK(bf_matrix_constrain(B, mask));
    t_bcsr_same_dense(A, B);
    T_OK(bf_matrix_diagonal(A, d));
    t_to_host(a, d, n * sizeof *a);
    T_OK(bf_matrix_diagonal(B, d));
    t_to_host(b, d, n * sizeof *b);
    assert_memory_equal(a, b, n * sizeof *a);
    t_be->ops.release(t_be, mask);
    bf_vector_destroy(t_be, 0, &d);
    free(fixed);
    free(a);
    free(b);
    bf_matrix_destroy(&A);
    bf_matrix_destroy(&B);
    bf_sparse_destroy(&S);
  }
}

/* Diagonal blocks of three rows, which cut the blocks of the nodes, are those of CSR. */
static inline void t_bcsr_check_blocks(int half, uint64_t seed)
{
  for (int k = 0; k < 12; k++) {
    const int  D   = 1 + k % 3;
    bf_sparse *S   = t_sparse_random((20 + 31 * k) * D, 6, half, 4, &seed);
    bf_matrix *A   = t_bcsr_stored(S, BF_FORMAT_BCSR, half, D, (bf_prec)(k / 3 % 2)),
              *B   = t_bcsr_stored(S, BF_FORMAT_CSR, 0, D, A->prec);
    const bf_int n = S->nrows, count = (n + 2) / 3;
    const size_t bytes = (size_t)count * 9 * sizeof(double);
    bf_int      *block = malloc((size_t)n * sizeof *block), *place = malloc((size_t)n * sizeof *place);
    double      *zero = calloc((size_t)count * 9, 8), *a = malloc(bytes), *b = malloc(bytes);
    for (bf_int i = 0; i < n; i++) block[i] = i / 3, place[i] = i % 3;
    bf_int *bb       = t_to_backend(block, (size_t)n * sizeof *block),
           *pb       = t_to_backend(place, (size_t)n * sizeof *place);
    double      *to  = t_to_backend(zero, bytes);
    bf_block_map map = {.block = bb, .place = pb, .ld = 3, .stride = 9, .a = to};
    T_OK(bf_matrix_blocks(A, &map));
    t_to_host(a, to, bytes);
    T_OK(t_be->ops.copy(t_be, to, zero, bytes, BF_TO_DEVICE));
    T_OK(bf_matrix_blocks(B, &map));
    t_to_host(b, to, bytes);
    assert_memory_equal(a, b, bytes);
    t_be->ops.release(t_be, bb);
    t_be->ops.release(t_be, pb);
    t_be->ops.release(t_be, to);
    free(block);
    free(place);
    free(zero);
    free(a);
    free(b);
    bf_matrix_destroy(&A);
    bf_matrix_destroy(&B);
    bf_sparse_destroy(&S);
  }
}
#endif
