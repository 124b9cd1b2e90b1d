/* tests/kernels/multigrid/block_case.h - block rows beside dense matrices on the host */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_KERNELS_MULTIGRID_BLOCK_CASE_H
#define BF_TESTS_KERNELS_MULTIGRID_BLOCK_CASE_H
#include "kernels/multigrid/block_rows.h"
#include "tests/backend.h"
#include <math.h>

typedef struct t_blocks { /* on the host */
  bf_block_form form;
  int64_t      *ptr;
  bf_int       *col;
  double       *val;
} t_blocks;

/* How full rows are: row i has column j where this is not 0. */
typedef int (*t_pattern)(bf_int i, bf_int j);

static inline t_blocks t_blocks_of(bf_int nrows, bf_int ncols, int br, int bc, t_pattern has, uint64_t *seed)
{
  t_blocks     b   = {.form = {nrows, ncols, br, bc, BF_FP64}};
  const size_t one = (size_t)(br * bc);
  int64_t      nnz = 0;
  b.ptr            = calloc((size_t)nrows + 1, sizeof *b.ptr);
  for (bf_int i = 0; i < nrows; i++) {
    for (bf_int j = 0; j < ncols; j++) nnz += has(i, j) != 0;
    b.ptr[i + 1] = nnz;
  }
  b.col = calloc((size_t)nnz + 1, sizeof *b.col);
  b.val = calloc((size_t)nnz * one + 1, sizeof *b.val);
  nnz   = 0;
  for (bf_int i = 0; i < nrows; i++)
    for (bf_int j = 0; j < ncols; j++)
      if (has(i, j)) b.col[nnz++] = j;
  for (size_t e = 0; e < (size_t)nnz * one; e++) b.val[e] = 2.0 * t_uniform(seed) - 1.0;
  return b;
}

static inline void t_blocks_free(t_blocks *b)
{
  free(b->ptr);
  free(b->col);
  free(b->val);
}

static inline bf_block_rows *t_rows_of(const t_blocks *b)
{
  bf_block_rows *A = NULL;
  T_OK(bf_block_rows_from_host(t_be, &b->form, b->ptr, b->col, b->val, &A));
  return A;
}

/* a[nrows br][ncols bc] */
static inline double *t_blocks_dense(const t_blocks *b)
{
  const bf_block_form *f = &b->form;
  const size_t         n = (size_t)f->ncols * (size_t)f->bc;
  double              *a = calloc((size_t)f->nrows * (size_t)f->br * n + 1, sizeof *a);
  for (bf_int i = 0; i < f->nrows; i++)
    for (int64_t k = b->ptr[i]; k < b->ptr[i + 1]; k++)
      for (int y = 0; y < f->bc; y++)
        for (int x = 0; x < f->br; x++)
          a[(size_t)(i * f->br + x) * n + (size_t)(b->col[k] * f->bc + y)] =
              b->val[(k * f->bc + y) * f->br + x];
  return a;
}

/* The same of block rows on the backend. */
static inline double *t_rows_dense(const bf_block_rows *A)
{
  const size_t bytes =
      ((size_t)A->form.nrows * (size_t)A->form.br * (size_t)A->form.ncols * (size_t)A->form.bc) *
      sizeof(double);
  double *a = malloc(bytes + 1);
  void   *d = NULL;
  T_OK(t_be->ops.alloc(t_be, bytes, &d));
  T_OK(bf_block_rows_to_dense(A, d));
  t_to_host(a, d, bytes);
  t_be->ops.release(t_be, d);
  return a;
}

/* Columns ascend, pointers too; the number of blocks. */
static inline void t_rows_check(const bf_block_rows *A)
{
  const bf_int n   = A->form.nrows;
  int64_t     *ptr = malloc(((size_t)n + 1) * sizeof *ptr);
  bf_int      *col = malloc((size_t)A->nnz * sizeof *col + 1);
  t_to_host(ptr, A->ptr, ((size_t)n + 1) * sizeof *ptr);
  t_to_host(col, A->col, (size_t)A->nnz * sizeof *col);
  assert_int_equal(ptr[0], 0);
  assert_int_equal(ptr[n], A->nnz);
  for (bf_int i = 0; i < n; i++)
    for (int64_t k = ptr[i]; k < ptr[i + 1]; k++) {
      assert_in_range(col[k], 0, A->form.ncols - 1);
      if (k > ptr[i]) assert_true(col[k] > col[k - 1]);
    }
  free(ptr);
  free(col);
}

/* ---- patterns ---- */
static inline int t_scattered(bf_int i, bf_int j) /* every seventh row is empty, as is every fifth column */
{
  return i % 7 != 3 && j % 5 != 2 && ((int64_t)i * 31 + (int64_t)j * 17) % 11 < 2;
}
static inline int t_near(bf_int i, bf_int j)
{
  return abs(i - j) <= 2 || abs(i - j) == 9;
}
static inline int t_few(bf_int i, bf_int j) /* as a prolongation: to aggregates of five, and a neighbour */
{
  return i / 5 == j || (i % 3 == 0 && i / 5 + 1 == j);
}
static inline int t_long(bf_int i, bf_int j) /* a row of all columns now and then */
{
  return i % 50 == 7 || t_scattered(i, j);
}
#endif
