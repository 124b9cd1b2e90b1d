/* kernels/multivector.h - blocks of vectors in backend memory, side by side, for methods that iterate on
 * several vectors at once
 *
 * Column j is a + j*ld, n entries; before, between and after the columns are at least `guard` zeros, so
 * that every column can be multiplied by a matrix of that guard or a smaller one (bf_vector_create). The
 * operations are entries of the backend's table (backend.h): columns_dot, columns_combine, columns_scale.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MULTIVECTOR_H
#define BF_KERNELS_MULTIVECTOR_H
#include "kernels/backend.h"

typedef struct bf_columns {
  bf_backend *be; /* borrowed */
  bf_int      n, guard;
  int         count;
  int64_t     ld;    /* multiple of 32, at least n + guard */
  double     *a;     /* inside `store` */
  void       *store; /* backend, owned */
} bf_columns;

/* count columns of zeros. BF_E_MEMORY with the sizes if the backend has less memory left. */
bf_err bf_columns_create(bf_backend *be, bf_int n, bf_int guard, int count, bf_columns *out);
void   bf_columns_release(bf_columns *X); /* of zeros too */

static inline double *bf_column(const bf_columns *X, int j)
{
  return X->a + (int64_t)j * X->ld;
}
#endif
