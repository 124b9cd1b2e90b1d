/* kernels/matrix/transpose.h - transposes of dense, COO and CSR matrices, and COO -> CSR, in backend memory
 *
 * The structures borrow arrays of the backend: the caller allocates and releases them. Matrices may be
 * rectangular, rows empty, entries repeated; rows and columns are 32-bit, positions 64-bit numbers.
 * Transposes move values and never change them. bDIA needs no transpose: bf_matrix_spmv_t shifts the index
 * instead.
 * Source     Jin, CUDA tutorial 7 (docs/references.md): expand the rows, sort, compress; for bands without
 *            sorting: docs/theory/transpose.md.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MATRIX_TRANSPOSE_H
#define BF_KERNELS_MATRIX_TRANSPOSE_H
#include "kernels/matrix/matrix.h"

typedef struct bf_csr_arrays { /* columns of a row in any order, repeats allowed */
  bf_int   nrows, ncols;
  int64_t  nnz;
  bf_prec  prec;
  int64_t *ptr; /* [nrows + 1], ptr[0] = 0, ptr[nrows] = nnz */
  bf_int  *col; /* [nnz] */
  void    *val; /* [nnz], double or float by prec */
} bf_csr_arrays;

/* Those of a CSR matrix, borrowed. */
static inline bf_csr_arrays bf_csr_arrays_of(const bf_matrix *A)
{
  return (bf_csr_arrays){.nrows = A->nrows,
                         .ncols = A->nrows,
                         .nnz   = A->csr->nnz,
                         .prec  = A->csr->prec,
                         .ptr   = A->csr->ptr,
                         .col   = A->csr->col,
                         .val   = A->csr->val};
}

typedef struct bf_coo_arrays { /* entries in any order, repeats allowed */
  bf_int  nrows, ncols;
  int64_t nnz;
  bf_prec prec;
  bf_int *row; /* [nnz] */
  bf_int *col; /* [nnz] */
  void   *val; /* [nnz] */
} bf_coo_arrays;

/* t[j*nrows + i] = a[i*ncols + j]; t is not a.  Cost: 16 bytes an entry. */
bf_err bf_dense_transpose(bf_backend *be, bf_int nrows, bf_int ncols, const double *a, double *t);

/* T = A^T. T's arrays have room for ncols + 1 and nnz; its shape is set here. Rows of T ascend, duplicates
 * remain in the order of A, so (A^T)^T is A with its rows sorted, bit for bit. BF_E_ARG for a column
 * outside the matrix, on a device found at the latest by the next sync. Cost: fp64 values at least 24 bytes
 * per entry; on a device one pass for narrow bands, otherwise a stable sort of 32-bit keys by the bits of
 * the columns. Device: synchronises to find out whether A is a narrow band.
 */
bf_err bf_csr_transpose(bf_backend *be, const bf_csr_arrays *A, bf_csr_arrays *T);

/* T = A^T in the order of A's entries: the same arrays under other names, nothing moves. */
void bf_coo_transpose(const bf_coo_arrays *A, bf_coo_arrays *T);
/* B = A by row, then column; duplicates remain in order. B's arrays have room for nnz. */
bf_err bf_coo_sort(bf_backend *be, const bf_coo_arrays *A, bf_coo_arrays *B);

/* B = A in compressed rows, columns ascending, duplicates added in order in fp64. B's arrays have room
 * for nrows + 1 and for A's nnz entries; its shape and nnz are set here; synchronises. BF_E_ARG for an
 * index outside the matrix. */
bf_err bf_coo_to_csr(bf_backend *be, const bf_coo_arrays *A, bf_csr_arrays *B);

/* A^T in new memory, in CSR; of another format by conversion on the host.  bDIA needs none:
 * bf_matrix_spmv_t. */
bf_err bf_matrix_transpose(const bf_matrix *A, bf_matrix **AT);
#endif
