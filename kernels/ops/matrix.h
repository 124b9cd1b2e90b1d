/* kernels/ops/matrix.h - operations on the parts of a sparse matrix (matrix/matrix.h) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_OPS_MATRIX_H
#define BF_OPS_MATRIX_H
#include "base/err.h"
#include "kernels/batch.h"

struct bf_bdia;
struct bf_csr;
struct bf_ell;
struct bf_coo;
struct bf_rest;
struct bf_block_map;

typedef struct bf_matrix_ops {
  /* matrices: the structures of matrix/matrix.h; y = A x with w.y and y.y in dot[0..1] where w is given */
  /* node rows of a tile, 8, 16 or 32, and whether its components lie apart; NULL: a segment is a tile */
  int (*bdia_tile)(const struct bf_bdia *A, int *by_component);
  bf_err (*bdia_spmv)(bf_backend *be, const struct bf_bdia *A, const double *x, double *y, const double *w,
                      double *dot);
  bf_err (*csr_spmv)(bf_backend *be, const struct bf_csr *A, const double *x, double *y, const double *w,
                     double *dot);
  /* y = A^T x, full storage only: the same diagonals with their index shifted, nothing is copied */
  bf_err (*bdia_spmv_t)(bf_backend *be, const struct bf_bdia *A, const double *x, double *y);
  bf_err (*ell_spmv)(bf_backend *be, const struct bf_ell *A, const double *x, double *y, const double *w,
                     double *dot);
  /* y = A x, or y += A x with `add`; the dots are of the new y */
  bf_err (*coo_spmv)(bf_backend *be, const struct bf_coo *A, int add, const double *x, double *y,
                     const double *w, double *dot);
  /* y += A x on the listed rows; the dots are of the whole new y */
  bf_err (*rest_spmv)(bf_backend *be, const struct bf_rest *A, const double *x, double *y, const double *w,
                      double *dot);
  bf_err (*bdia_diagonal)(bf_backend *be, const struct bf_bdia *A, double *d);
  bf_err (*csr_diagonal)(bf_backend *be, const struct bf_csr *A, double *d);
  bf_err (*ell_diagonal)(bf_backend *be, const struct bf_ell *A, double *d);
  bf_err (*coo_diagonal)(bf_backend *be, const struct bf_coo *A,
                         double *d); /* sets those that are there, the others stay */
  bf_err (*bdia_constrain)(bf_backend *be, struct bf_bdia *A, const uint8_t *fixed);
  bf_err (*csr_constrain)(bf_backend *be, struct bf_csr *A, const uint8_t *fixed);
  bf_err (*ell_constrain)(bf_backend *be, struct bf_ell *A, const uint8_t *fixed);
  bf_err (*coo_constrain)(bf_backend *be, struct bf_coo *A, const uint8_t *fixed);
  bf_err (*rest_constrain)(bf_backend *be, struct bf_rest *A, const uint8_t *fixed);
  /* entries of diagonal blocks, to where the map says */
  bf_err (*bdia_blocks)(bf_backend *be, const struct bf_bdia *A, const struct bf_block_map *map);
  bf_err (*csr_blocks)(bf_backend *be, const struct bf_csr *A, const struct bf_block_map *map);
  bf_err (*ell_blocks)(bf_backend *be, const struct bf_ell *A, const struct bf_block_map *map);
  bf_err (*coo_blocks)(bf_backend *be, const struct bf_coo *A, const struct bf_block_map *map);
  bf_err (*rest_blocks)(bf_backend *be, const struct bf_rest *A, const struct bf_block_map *map);
  /* scalar pattern from a node pattern: A->ptr[n*D+1] and A->col[] or A->rel[] from nptr[n+1], nadj[] */
  bf_err (*csr_expand)(bf_backend *be, bf_int n, int D, const int64_t *nptr, const bf_int *nadj,
                       struct bf_csr *A);
  /* A += element matrices, each row by one owner that walks its incidences in order: deterministic, no
   * atomics. Half storage takes the entries with column node >= row node.  Every (row, column) must be in the
   * pattern: BF_E_ARG otherwise, found at the latest by the next sync.  With R (NULL: none) what no band has
   * goes there; beside half storage also the transposed entry. */
  bf_err (*bdia_scatter)(bf_backend *be, struct bf_bdia *A, struct bf_rest *R, const bf_int *ptr,
                         const bf_int *item, int nen, const bf_int *conn, const double *Ke);
  bf_err (*csr_scatter)(bf_backend *be, struct bf_csr *A, int D, const bf_int *ptr, const bf_int *item,
                        int nen, const bf_int *conn, const double *Ke);
} bf_matrix_ops;
#endif
