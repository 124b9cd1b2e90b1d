/* kernels/cpu/sparse/ell.c - ELL: product with w.y and y.y in the same pass, diagonal, constraints
 *
 *     y[i] = sum_k val[k*ld + i] x[col[k*ld + i]],  the entries that are there, k = 0 .. width-1
 *
 * Order    SIDE rows at once, entry k of all of them is a contiguous run.
 * Cost     2 nnz flops; 12 bytes (fp64) or 8 (fp32) for each slot, x and y once.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/backend/cpu.h"

enum { SIDE = 8 }; /* rows: a line of fp64 values */

#define VALUE   double
#define NAME(f) f##_fp64
#include "kernels/cpu/sparse/ell_row.h"
#undef VALUE
#undef NAME
#define VALUE   float
#define NAME(f) f##_fp32
#include "kernels/cpu/sparse/ell_row.h"
#undef VALUE
#undef NAME

bf_err bf_cpu_ell_spmv(bf_backend *be, const bf_matrix *M, const double *x, double *y, const double *w,
                       double *dot)
{
  const bf_ell *A  = M->ell;
  const int64_t nc = bf_cpu_chunks(A->nrows);
  double       *part;
  BF_TRY(bf_cpu_scratch(be, 2 * nc, &part));
#pragma omp parallel for schedule(static) if (A->width * A->ld > BF_CPU_SMALL)
  for (int64_t c = 0; c < nc; c++) {
    const int64_t i0 = c * BF_CPU_CHUNK, i1 = i0 + BF_CPU_CHUNK < A->nrows ? i0 + BF_CPU_CHUNK : A->nrows;
    if (A->prec == BF_FP32)
      rows_fp32(A, i0, i1, x, y);
    else
      rows_fp64(A, i0, i1, x, y);
    if (!w) continue;
    part[2 * c]     = bf_cpu_dot(i1 - i0, w + i0, y + i0);
    part[2 * c + 1] = bf_cpu_dot(i1 - i0, y + i0, y + i0);
  }
  if (w) bf_cpu_add_up(nc, 2, part, dot);
  return BF_OK;
}

bf_err bf_cpu_ell_diagonal(bf_backend *be, const bf_matrix *M, double *d)
{
  const bf_ell *A = M->ell;
  (void)be;
#pragma omp parallel for schedule(static) if (A->width * A->ld > BF_CPU_SMALL)
  for (bf_int i = 0; i < A->nrows; i++) {
    d[i] = 0.0;
    for (int64_t p = i; p < A->width * A->ld; p += A->ld)
      if (A->col[p] == i) d[i] = bf_cpu_value(A->val, A->prec, p);
  }
  return BF_OK;
}

bf_err bf_cpu_ell_constrain(bf_backend *be, bf_matrix *M, const uint8_t *fixed)
{
  bf_ell *A = M->ell;
  (void)be;
#pragma omp parallel for schedule(static) if (A->width * A->ld > BF_CPU_SMALL)
  for (bf_int k = 0; k < A->width; k++)
    for (bf_int i = 0; i < A->nrows; i++) {
      const int64_t p = k * A->ld + i;
      const bf_int  j = A->col[p];
      if (j >= 0 && j != i && (fixed[i] || fixed[j])) bf_cpu_clear(A->val, A->prec, p);
    }
  return BF_OK;
}
