/* kernels/cpu/sparse/csr_remainder.c - the remainder of a hybrid matrix: y += R x on its rows, constraints
 *
 * Cost       2 nnz flops; 12 bytes (fp64) or 8 (fp32) per nonzero, 28 per listed row; with dots w and y are
 *            read once more, since a row is complete only after this product.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/backend/cpu.h"

bf_err bf_cpu_rest_spmv_add(bf_backend *be, const bf_matrix *M, const double *x, double *y, const double *w,
                            double *dot)
{
  const bf_rest *A = M->rest;
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (bf_int k = 0; k < A->nlist; k++) {
    double sum = 0.0;
    for (int64_t p = A->ptr[k]; p < A->ptr[k + 1]; p++)
      sum += bf_cpu_value(A->val, A->prec, p) * x[A->col[p]];
    y[A->row[k]] += sum;
  }
  return w ? bf_cpu_dots(be, A->nrows, w, y, dot) : BF_OK;
}

bf_err bf_cpu_rest_constrain(bf_backend *be, bf_matrix *M, const uint8_t *fixed)
{
  bf_rest *A = M->rest;
  (void)be;
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (bf_int k = 0; k < A->nlist; k++)
    for (int64_t p = A->ptr[k]; p < A->ptr[k + 1]; p++)
      if (fixed[A->row[k]] || fixed[A->col[p]]) bf_cpu_clear(A->val, A->prec, p);
  return BF_OK;
}
