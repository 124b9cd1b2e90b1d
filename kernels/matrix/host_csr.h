/* kernels/matrix/host_csr.h - a sparse matrix on the host in compressed rows, used for external matrices,
 * conversions and reference results
 *
 * Scalar rows, fp64 values, rectangular allowed, rows may be empty, entries may be zero.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MATRIX_HOST_CSR_H
#define BF_KERNELS_MATRIX_HOST_CSR_H
#include "base/err.h"

typedef struct bf_sparse {
  bf_int   nrows, ncols;
  int64_t  nnz;
  int64_t *ptr; /* owned [nrows + 1], ptr[0] = 0 */
  bf_int  *col; /* owned [nnz], in each row ascending, without repeats */
  double  *val; /* owned [nnz] */
} bf_sparse;

/* Arrays of these sizes, all zero (so not yet a checked matrix unless nnz is 0). */
bf_err bf_sparse_create(bf_int nrows, bf_int ncols, int64_t nnz, bf_sparse **out);
void   bf_sparse_destroy(bf_sparse **S);

/* BF_E_ARG with the first broken invariant in the message.  Cost: one pass over ptr and col. */
bf_err bf_sparse_check(const bf_sparse *S);

/* S(row[k], col[k]) += val[k] for k = 0 .. count-1, in any order and with repeats: an entry named more than
 * once is the sum of its values from the first to the last.  BF_E_ARG for an index outside the matrix.
 * Cost: O(count + nrows), a row that is not ascending O(m log m); 12 bytes per entry besides the result. */
bf_err bf_sparse_from_triplets(bf_int nrows, bf_int ncols, int64_t count, const bf_int *row,
                               const bf_int *col, const double *val, bf_sparse **out);

/* a A + b B of two matrices of the same size, with every entry that one of them lists.  Cost: one pass over
 * both, twice. */
bf_err bf_sparse_add(double a, const bf_sparse *A, double b, const bf_sparse *B, bf_sparse **out);

/* Place of (i, j) in col and val, or -1 where it is not listed; its value, 0 there.  Cost: O(log row). */
int64_t bf_sparse_place(const bf_sparse *S, bf_int i, bf_int j);
double  bf_sparse_value(const bf_sparse *S, bf_int i, bf_int j);
#endif
