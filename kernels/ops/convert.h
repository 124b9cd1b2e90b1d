/* kernels/ops/convert.h - transposes and orders of sparse and dense arrays (matrix/transpose.h) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_OPS_CONVERT_H
#define BF_OPS_CONVERT_H
#include "base/err.h"
#include "kernels/batch.h"

struct bf_csr_arrays;
struct bf_coo_arrays;

typedef struct bf_convert_ops {
  /* transposes: see transpose.h; no argument is empty */
  bf_err (*dense_transpose)(bf_backend *be, bf_int nrows, bf_int ncols, const double *a, double *t);
  bf_err (*csr_transpose)(bf_backend *be, const struct bf_csr_arrays *A, struct bf_csr_arrays *T);
  bf_err (*coo_sort)(bf_backend *be, const struct bf_coo_arrays *A, struct bf_coo_arrays *B);
  bf_err (*coo_to_csr)(bf_backend *be, const struct bf_coo_arrays *A, struct bf_csr_arrays *B);
} bf_convert_ops;
#endif
