/* outputs/matrix/mtx_symmetric.h - a dense symmetric matrix as a Matrix Market file */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MTX_SYMMETRIC_H
#define BF_MTX_SYMMETRIC_H
#include "base/err.h"

/* Writes the lower triangle of X[n][n] as 'matrix array real symmetric', column by column, 17 digits; the
 * comment's lines get a '%'.  The file is complete or absent: BF_E_FILE "cannot write 'path': ...". */
bf_err bf_write_mtx_symmetric(const char *path, const char *comment, bf_int n, const double *X);
#endif
