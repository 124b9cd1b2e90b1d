/* outputs/matrix/mtx_sparse.h - a sparse matrix as a Matrix Market file */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MTX_SPARSE_H
#define BF_MTX_SPARSE_H
#include "base/err.h"

/* Writes compressed rows ptr[nrows + 1], col, val as 'matrix coordinate real general', or, with `symmetric`,
 * the entries col <= row as 'symmetric'; 17 digits; the comment's lines get a '%'.  The file is complete or
 * absent: BF_E_FILE "cannot write 'path': ...". */
bf_err bf_write_mtx_sparse(const char *path, const char *comment, bf_int nrows, bf_int ncols, int symmetric,
                           const int64_t *ptr, const bf_int *col, const double *val);
#endif
