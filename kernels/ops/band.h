/* kernels/ops/band.h - operations on a band matrix (band.h) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_OPS_BAND_H
#define BF_OPS_BAND_H
#include "base/err.h"
#include "kernels/band.h"
#include "kernels/batch.h"

typedef struct bf_band_ops {
  /* band matrices (band.h), in place; the report is host memory
   * band_factor    L L^T or P A = L U, with what it met; a pivot of 0 is no error but report->info
   * band_solve     x[n] = A^-1 x with the factors
   * band_inertia   counts negative eigenvalues of a matrix in symmetric storage, which is used up */
  bf_err (*factor)(bf_backend *be, bf_band *B, bf_band_report *report);
  bf_err (*solve)(bf_backend *be, const bf_band *B, double *x);
  bf_err (*inertia)(bf_backend *be, bf_band *B, bf_band_inertia *out);
} bf_band_ops;
#endif
