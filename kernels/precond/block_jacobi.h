/* kernels/precond/block_jacobi.h - block Jacobi: inverses of the diagonal blocks of a matrix, in backend
 * memory
 *
 *     z = M^-1 r,  M^-1 = sum_b R_b^T X_b R_b,  X_b = (R_b A R_b^T)^-1,  R_b selects the rows of block b
 *
 * Every row belongs to one block. X_b(i,j) = scale[b] * values[b*stride + j*ld + i], columns as in batch.h;
 * scale is a power of two that brings the largest value into [1/2, 1), so that fp32 can hold it for any
 * units. A block without an inverse, or with a condition number above 1/DBL_EPSILON, has the inverse of its
 * diagonal instead (1 for a diagonal entry that is 0 or not finite).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_PRECOND_BLOCK_JACOBI_H
#define BF_KERNELS_PRECOND_BLOCK_JACOBI_H
#include "base/partition/partition.h"
#include "kernels/matrix/matrix.h"

enum { BF_BLOCK_MOST = 512 }; /* rows of a block */

/* Exponent of the scale from that of the largest value by frexp: the scale itself is a finite double. */
static inline BF_HD int bf_block_power(int exponent)
{
  return exponent > 1023 ? 1023 : exponent < -1022 ? -1022 : exponent;
}

typedef struct bf_blocks {
  bf_backend *be;                              /* borrowed */
  bf_int      nrows, count, smallest, largest; /* scalar rows; blocks; rows of a block */
  bf_prec     prec;                            /* of the values */
  int         symmetric;                       /* X_b is stored exactly symmetric */
  bf_int      ld;
  int64_t     stride; /* in values */
  bf_int     *ptr;    /* backend, owned [count + 1] */
  bf_int     *row;    /* backend, owned [nrows]: those of block b are row[ptr[b]] .. row[ptr[b+1] - 1] */
  double     *scale;  /* backend, owned [count] */
  void       *values; /* backend, owned [count*stride] */
  bf_int      singular, singular_row; /* blocks without an inverse; the row where the first of them failed */
  double      condition;              /* ||A_b||_1 ||X_b||_1, the largest of the others */
} bf_blocks;

/* Norms and diagonals of the blocks, before the inverses replace them */
typedef struct bf_block_kept {
  double *norm;     /* backend [count]: ||A_b||_1; then its product with that of the inverse, 0 without one */
  double *diagonal; /* backend [nrows], block by block */
} bf_block_kept;

/* Target of the extraction of blocks: entry (i, j) of the matrix, if block[i] = block[j], is stored at
 * a[block[i]*stride + place[j]*ld + place[i]]. a is zero before. */
typedef struct bf_block_map {
  const bf_int *block, *place; /* backend [nrows]: of every row */
  bf_int        ld;
  int64_t       stride;
  double       *a;
} bf_block_map;

/* Blocks of the parts of A's nodes (parts->n times A->ncomp is A->nrows; all components of a node are in
 * one block), inverted in fp64, stored as `prec`; symmetric: A is, and X_b is made so. BF_E_ARG for a
 * part of more than BF_BLOCK_MOST rows. BF_E_MEMORY with the estimate. */
bf_err bf_blocks_create(const bf_matrix *A, const bf_partition *parts, bf_prec prec, int symmetric,
                        bf_blocks **out);
void   bf_blocks_destroy(bf_blocks **B);

/* z = M^-1 r, or M^-T r; dot != NULL: also *dot = r.z (backend). z must not be r. Reads every stored
 * value once. Deterministic. */
bf_err bf_blocks_apply(const bf_blocks *B, int transposed, const double *r, double *z, double *dot);

/* Bytes of `count` blocks of at most `largest` rows: stored, and during the construction (including
 * those), which takes more on a device */
typedef struct bf_blocks_bytes {
  int64_t storage, setup;
} bf_blocks_bytes;
/* Rows that the largest of METIS's blocks of about `size` rows may have, D to a node. */
bf_int          bf_block_largest(bf_int size, int D);
bf_blocks_bytes bf_blocks_forecast(bf_int nrows, bf_int count, bf_int largest, bf_prec prec, int on_device);
#endif
