/* kernels/ops/gfem.h - operations on batches of generalised finite elements (gfem.h) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_OPS_GFEM_H
#define BF_OPS_GFEM_H
#include "base/err.h"
#include "kernels/batch.h"
#include "kernels/gfem.h"

typedef struct bf_gfem_ops {
  /* conn[ne][width]: the rows that an element couples, ascending, each once; the places behind them repeat
   * the first.  An element with more rows than `width`: BF_E_ARG, found at the latest by the next sync. */
  bf_err (*support)(bf_backend *be, const bf_gfem_fits *F, const bf_gfem_batch *B, bf_int *conn);
  /* Ke[ne][width*ncomp][width*ncomp] by the rows of conn, 0 at the places behind them; exactly symmetric.
   * Cost per element: points * (patches * terms * dim + width^2/2 * dim^2) multiply-adds. */
  bf_err (*matrix)(bf_backend *be, const bf_gfem_fits *F, const bf_gfem_batch *B, const bf_int *conn,
                   double *Ke);
  /* fe[ne][width*ncomp] of a load (bf_element_source, by the order of the batch) */
  bf_err (*source)(bf_backend *be, const bf_gfem_fits *F, const bf_gfem_batch *B, const bf_int *conn,
                   const bf_element_source *f, double *fe);
} bf_gfem_ops;
#endif
