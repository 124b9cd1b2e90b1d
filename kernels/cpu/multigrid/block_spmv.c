/* kernels/cpu/multigrid/block_spmv.c - block rows: y = A x, y += A x, y = b - A x
 *
 * Cost     2 nnz br bc flops; br bc values and 4 bytes for each block, 8 for each row, x and y once.
 * Checked  tests/kernels/multigrid/t385_block_rows.c
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/multigrid/multigrid.h"

#define VALUE   double
#define NAME(f) f##_fp64
#include "kernels/cpu/multigrid/block_spmv_rows.h"
#undef VALUE
#undef NAME
#define VALUE   float
#define NAME(f) f##_fp32
#include "kernels/cpu/multigrid/block_spmv_rows.h"

enum { ROWS = 512 }; /* of one piece of work */

bf_err bf_cpu_block_spmv(bf_backend *be, const bf_block_rows *A, bf_block_update how, const double *b,
                         const double *x, double *y)
{
  (void)be;
  const int64_t n = A->form.nrows, pieces = (n + ROWS - 1) / ROWS;
#pragma omp parallel for schedule(static) if (A->nnz * A->form.br * A->form.bc > BF_CPU_SMALL)
  for (int64_t p = 0; p < pieces; p++) {
    const int64_t i0 = p * ROWS, i1 = i0 + ROWS < n ? i0 + ROWS : n;
    if (A->form.prec == BF_FP32)
      some_rows_fp32(A, i0, i1, how, b, x, y);
    else
      some_rows_fp64(A, i0, i1, how, b, x, y);
  }
  return BF_OK;
}
