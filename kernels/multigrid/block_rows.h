/* kernels/multigrid/block_rows.h - sparse matrices of small dense blocks in compressed rows, rectangular, in
 * backend memory
 *
 *     A(i br + a, j bc + b) = val[(k bc + b) br + a],  col[k] = j,  ptr[i] <= k < ptr[i+1]
 *
 * Rows and columns are those of nodes; a node has br unknowns as a row and bc as a column, 1 <= br, bc <=
 * BF_BLOCK_ORDER.  Columns ascend in each row, without repeats.  Vectors are fp64, need no guard and are
 * indexed by unknown.  Every sum has a fixed order: blocks of a row from the first to the last.
 *
 * Source: Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., SIAM 2003, section 3.4 (block rows);
 * Gustavson, ACM Trans. Math. Softw. 4 (1978) 250, doi 10.1145/355791.355796 (product by rows).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MULTIGRID_BLOCK_ROWS_H
#define BF_KERNELS_MULTIGRID_BLOCK_ROWS_H
#include "kernels/matrix/matrix.h"

enum { BF_BLOCK_ORDER = 6 };

typedef struct bf_block_form {
  bf_int  nrows, ncols; /* nodes */
  int     br, bc;       /* unknowns of a node */
  bf_prec prec;         /* of the values */
} bf_block_form;

typedef struct bf_block_rows {
  bf_backend   *be; /* borrowed */
  bf_block_form form;
  int64_t       nnz; /* blocks */
  int64_t      *ptr; /* backend, owned [nrows + 1] */
  bf_int       *col; /* backend, owned [nnz] */
  void         *val; /* backend, owned [nnz][bc][br] */
} bf_block_rows;

/* Arrays of these sizes, unset.  BF_E_ARG for a block order outside 1 .. BF_BLOCK_ORDER or more unknowns than
 * bf_int counts.  BF_E_MEMORY where the backend has no room. */
bf_err bf_block_rows_create(bf_backend *be, const bf_block_form *form, int64_t nnz, bf_block_rows **out);
void   bf_block_rows_destroy(bf_block_rows **A);

/* From host arrays in the layout above; form->prec is fp64.  BF_E_ARG where columns do not ascend or are
 * outside. */
bf_err bf_block_rows_from_host(bf_backend *be, const bf_block_form *form, const int64_t *ptr,
                               const bf_int *col, const double *val, bf_block_rows **out);
/* The node blocks of a square matrix in any format, fp64; blocks of zeros are left out, diagonal ones are
 * there.  On the backend for bDIA, HYBRID, CSR, CSR16 and BCSR, by way of the host for the others.  Reads the
 * matrix twice. */
bf_err bf_block_rows_from_matrix(const bf_matrix *A, bf_block_rows **out);

int64_t bf_block_rows_bytes(const bf_block_rows *A);

/* y = A x; y += A x; r = b - A x, where r may be b.  x is no other argument.  2 nnz br bc flops; reads the
 * matrix once. */
bf_err bf_block_rows_spmv(const bf_block_rows *A, const double *x, double *y);
bf_err bf_block_rows_add(const bf_block_rows *A, const double *x, double *y);
bf_err bf_block_rows_residual(const bf_block_rows *A, const double *b, const double *x, double *r);

/* d[nrows br], of square blocks; 0 where there is no block. */
bf_err bf_block_rows_diagonal(const bf_block_rows *A, double *d);
/* T = A^T, of the same precision. */
bf_err bf_block_rows_transpose(const bf_block_rows *A, bf_block_rows **T);
/* C = A B in fp64.  Waits once, for the number of blocks. */
bf_err bf_block_rows_multiply(const bf_block_rows *A, const bf_block_rows *B, bf_block_rows **C);
/* Ac = PT A P, PT = P^T. */
bf_err bf_block_rows_galerkin(const bf_block_rows *A, const bf_block_rows *P, const bf_block_rows *PT,
                              bf_block_rows **Ac);
/* Values rounded to nearest, in new memory. */
bf_err bf_block_rows_to_fp32(const bf_block_rows *A, bf_block_rows **out);
/* Diagonal entry 1 where flag[nrows br] (backend) is set, of square blocks. */
bf_err bf_block_rows_unit_diagonal(bf_block_rows *A, const uint8_t *flag);
/* a[nrows br][ncols bc], row by row, backend. */
bf_err bf_block_rows_to_dense(const bf_block_rows *A, double *a);

/* ---- what a backend implements; shapes and precisions are checked ---- */
typedef enum { BF_BLOCK_SET, BF_BLOCK_ADD, BF_BLOCK_RESIDUAL } bf_block_update;

typedef struct bf_block_ops {
  /* count: ptr[nodes + 1] and the number of blocks; fill: C->col and C->val, C->ptr is set */
  bf_err (*matrix_count)(bf_backend *be, const bf_matrix *A, int64_t *ptr, int64_t *nnz);
  bf_err (*matrix_fill)(bf_backend *be, const bf_matrix *A, bf_block_rows *C);
  bf_err (*product_count)(bf_backend *be, const bf_block_rows *A, const bf_block_rows *B, int64_t *ptr,
                          int64_t *nnz);
  bf_err (*product_fill)(bf_backend *be, const bf_block_rows *A, const bf_block_rows *B, bf_block_rows *C);
  /* y = A x, y += A x, y = b - A x */
  bf_err (*spmv)(bf_backend *be, const bf_block_rows *A, bf_block_update how, const double *b,
                 const double *x, double *y);
  bf_err (*diagonal)(bf_backend *be, const bf_block_rows *A, double *d);
  bf_err (*transpose)(bf_backend *be, const bf_block_rows *A, bf_block_rows *T);
  bf_err (*unit_diagonal)(bf_backend *be, bf_block_rows *A, const uint8_t *flag);
  bf_err (*dense)(bf_backend *be, const bf_block_rows *A, double *a);
} bf_block_ops;
#endif
