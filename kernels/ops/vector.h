/* kernels/ops/vector.h - operations on vectors of n scalar entries and on blocks of such vectors */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_OPS_VECTOR_H
#define BF_OPS_VECTOR_H
#include "base/err.h"
#include "kernels/batch.h"

typedef struct bf_vector_ops {
  bf_err (*axpby)(bf_backend *be, bf_int n, double a, const double *x, double b,
                  double *y);                                                           /* y = a x + b y */
  bf_err (*dot)(bf_backend *be, bf_int n, const double *x, const double *y, double *s); /* s[0] = x.y */
  bf_err (*reciprocal)(bf_backend *be, bf_int n, const double *d,
                       double *r); /* r = 1/d, 1 where d = 0 or not finite */
  /* fixed rows: b = diag*g; free rows: b -= Ag.  fixed[n]; g, Ag = A times (g on fixed rows, 0 elsewhere) */
  bf_err (*constrain_rhs)(bf_backend *be, bf_int n, const uint8_t *fixed, const double *diag, const double *g,
                          const double *Ag, double *b);
  bf_err (*demote)(bf_backend *be, int64_t n, const double *x, float *y); /* y = (float)x */
  bf_err (*triad)(bf_backend *be, int64_t n, double a, const double *x, const double *y,
                  double *z); /* z = x + a y */

  /* blocks of columns (multivector.h), ld apart, n entries each; G and C small, column by column
   * columns_dot       G[j*k + i] = X_i . Y_j,  i < k, j < l;  X may be Y
   * columns_combine   Y_j = beta Y_j + sum_i C[j*k + i] X_i;  beta 0: Y is not read; Y overlaps nothing
   * columns_scale     Y_j = d X_j entry by entry, j < k;  Y may be X */
  bf_err (*columns_dot)(bf_backend *be, bf_int n, int k, const double *X, int64_t ldx, int l, const double *Y,
                        int64_t ldy, double *G);
  bf_err (*columns_combine)(bf_backend *be, bf_int n, int k, const double *X, int64_t ldx, int l,
                            const double *C, double beta, double *Y, int64_t ldy);
  bf_err (*columns_scale)(bf_backend *be, bf_int n, int k, const double *d, const double *X, int64_t ldx,
                          double *Y, int64_t ldy);

  /* b[nrows*D] += element vectors */
  bf_err (*scatter)(bf_backend *be, bf_int nrows, int D, const bf_int *ptr, const bf_int *item, int nen,
                    const double *fe, double *b);
} bf_vector_ops;
#endif
