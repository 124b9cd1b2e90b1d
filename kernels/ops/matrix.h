/* kernels/ops/matrix.h - operations on the parts of a sparse matrix (matrix/matrix.h)
 *
 * A part is a member of the matrix: A->csr for the part csr.  Each part has one table of the same operations;
 * NULL: the part has no such operation.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_OPS_MATRIX_H
#define BF_OPS_MATRIX_H
#include "base/err.h"
#include "kernels/batch.h"
#include "kernels/matrix/lists.h"

struct bf_bdia;
struct bf_csr;
struct bf_matrix;
struct bf_block_map; /* precond/block_jacobi.h */

/* y = A x, or y += A x, with this part of A; w.y and y.y in dot[0..1] where w is not NULL */
typedef bf_err bf_part_spmv(bf_backend *be, const struct bf_matrix *A, const double *x, double *y,
                            const double *w, double *dot);
/* y = A^T x */
typedef bf_err bf_part_spmv_t(bf_backend *be, const struct bf_matrix *A, const double *x, double *y);
/* d[nrows] = diagonal */
typedef bf_err bf_part_diagonal(bf_backend *be, const struct bf_matrix *A, double *d);
/* Rows and columns with fixed[nrows] != 0 become zero, their diagonal entry stays. */
typedef bf_err bf_part_constrain(bf_backend *be, struct bf_matrix *A, const uint8_t *fixed);
/* Copies entries of diagonal blocks to the positions of the map. */
typedef bf_err bf_part_blocks(bf_backend *be, const struct bf_matrix *A, const struct bf_block_map *map);
/* A += element matrices, each row by one owner that walks its incidences in order: deterministic, no atomics.
 * Half storage takes the entries with column node >= row node.  Every (row, column) must be in the pattern:
 * BF_E_ARG otherwise, found at the latest by the next sync.  Beside bands a remainder (A->rest) takes what no
 * band has; beside half storage also the transposed entry. */
typedef bf_err bf_part_scatter(bf_backend *be, struct bf_matrix *A, const bf_int *ptr, const bf_int *item,
                               int nen, const bf_int *conn, const double *Ke);

typedef struct bf_part_ops {
  bf_part_spmv      *spmv;     /* y = A x: of parts that are the first of a format */
  bf_part_spmv      *spmv_add; /* y += A x: of parts that are the second; the dots are of the new y */
  bf_part_spmv_t    *spmv_t;
  bf_part_diagonal  *diagonal;
  bf_part_constrain *constrain;
  bf_part_blocks    *blocks;
  bf_part_scatter   *scatter;
} bf_part_ops;

typedef struct bf_matrix_ops {
  /* node rows of a tile, 8, 16 or 32, and whether its components lie apart; NULL: a segment is a tile */
  int (*bdia_tile)(const struct bf_bdia *A, int *by_component);
  /* scalar pattern from a node pattern: A->ptr[n*D+1] and A->col[] or A->rel[] from nptr[n+1], nadj[] */
  bf_err (*csr_expand)(bf_backend *be, bf_int n, int D, const int64_t *nptr, const bf_int *nadj,
                       struct bf_csr *A);
} bf_matrix_ops;
#endif
