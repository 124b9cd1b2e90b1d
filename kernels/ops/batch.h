/* kernels/ops/batch.h - operations on batches of small dense matrices (batch.h) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_OPS_BATCH_H
#define BF_OPS_BATCH_H
#include "base/err.h"
#include "kernels/batch.h"

typedef struct bf_batch_ops {
  /* batches of dense matrices: described in batch.h, where the arguments are checked; count > 0 */
  bf_err (*work)(bf_backend *be, bf_batch_op op, const bf_batch *A, size_t *bytes);
  bf_err (*getrf)(bf_backend *be, const bf_batch *A, bf_int *ipiv, bf_int *info, void *work);
  bf_err (*getrs)(bf_backend *be, bf_trans trans, const bf_batch *A, const bf_int *ipiv,
                  const bf_batch_rhs *B, bf_int *info, void *work);
  bf_err (*getri)(bf_backend *be, const bf_batch *A, const bf_int *ipiv, bf_int *info, void *work);
  bf_err (*inverse)(bf_backend *be, const bf_batch *A, bf_int *info, void *work);
  bf_err (*potrf)(bf_backend *be, bf_uplo uplo, const bf_batch *A, bf_int *info, void *work);
  bf_err (*potrs)(bf_backend *be, bf_uplo uplo, const bf_batch *A, const bf_batch_rhs *B, bf_int *info,
                  void *work);
  bf_err (*posv)(bf_backend *be, bf_uplo uplo, const bf_batch *A, const bf_batch_rhs *B, bf_int *info,
                 void *work);
  bf_err (*gemv)(bf_backend *be, bf_trans trans, double alpha, const bf_batch *A, const bf_batch_vector *x,
                 double beta, const bf_batch_vector *y);
  bf_err (*symv)(bf_backend *be, bf_uplo uplo, double alpha, const bf_batch *A, const bf_batch_vector *x,
                 double beta, const bf_batch_vector *y);
  bf_err (*heev)(bf_backend *be, const bf_heev_how *how, const bf_batch *A, void *w, bf_int *info,
                 void *work);
  bf_err (*hegv)(bf_backend *be, const bf_heev_how *how, const bf_batch *A, const bf_batch *B, void *w,
                 bf_int *info, void *work);
} bf_batch_ops;
#endif
