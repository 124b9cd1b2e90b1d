/* outputs/matrix/mtx_vector.h - a vector as a Matrix Market file */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MTX_VECTOR_H
#define BF_MTX_VECTOR_H
#include "base/err.h"

/* Writes x[n] as 'matrix array real general', n x 1, 17 digits; the comment's lines get a '%'.  The file is
 * complete or absent: BF_E_FILE "cannot write 'path': ...". */
bf_err bf_write_mtx_vector(const char *path, const char *comment, bf_int n, const double *x);
#endif
