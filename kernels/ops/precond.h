/* kernels/ops/precond.h - operations of block-Jacobi (precond/block_jacobi.h) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_OPS_PRECOND_H
#define BF_OPS_PRECOND_H
#include "base/err.h"
#include "kernels/batch.h"

struct bf_blocks;
struct bf_block_kept;

typedef struct bf_precond_ops {
  /* blocks_measure  norm and diagonal of the blocks a[count][stride]
   * blocks_store    values and scale of B from their inverses, or from the diagonal where info is not 0 or
   *                 the condition is out of range, which makes info -2
   * blocks_apply    z = M^-1 r, M^-T r; dot may be NULL */
  bf_err (*blocks_measure)(bf_backend *be, const struct bf_blocks *B, const double *a,
                           const struct bf_block_kept *kept);
  bf_err (*blocks_store)(bf_backend *be, const struct bf_blocks *B, const double *a,
                         const struct bf_block_kept *kept, bf_int *info);
  bf_err (*blocks_apply)(bf_backend *be, const struct bf_blocks *B, int transposed, const double *r,
                         double *z, double *dot);
} bf_precond_ops;
#endif
