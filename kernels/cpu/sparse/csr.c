/* kernels/cpu/sparse/csr.c - CSR: product with w.y and y.y in the same pass, pattern, diagonal, constraints
 *
 *     y[i] = sum_p val[p] x[col[p]],  ptr[i] <= p < ptr[i+1]
 *
 * Cost     2 nnz flops; 12 bytes (fp64) or 8 (fp32) for each nonzero, 2 less with 16-bit columns; 8 for each
 *          row, x and y once.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/backend/cpu.h"

#define VALUE   double
#define COLUMN  bf_int
#define NAME(f) f##_fp64
#include "kernels/cpu/sparse/csr_row.h"
#undef VALUE
#undef NAME
#define VALUE   float
#define NAME(f) f##_fp32
#include "kernels/cpu/sparse/csr_row.h"
#undef COLUMN
#undef NAME
#define COLUMN  int16_t
#define NAME(f) f##_fp32_16
#include "kernels/cpu/sparse/csr_row.h"
#undef VALUE
#undef NAME
#define VALUE   double
#define NAME(f) f##_fp64_16
#include "kernels/cpu/sparse/csr_row.h"
#undef VALUE
#undef COLUMN
#undef NAME

static void some_rows(const bf_csr *A, int64_t i0, int64_t i1, const double *x, double *y)
{
  if (!A->rel && A->prec == BF_FP64) rows_fp64(i0, i1, A->ptr, A->col, A->val, x, y);
  if (!A->rel && A->prec == BF_FP32) rows_fp32(i0, i1, A->ptr, A->col, A->val, x, y);
  for (int64_t i = i0; A->rel && i < i1; i += BF_CSR16_ROWS) { /* i0 is a multiple */
    const int64_t end = i + BF_CSR16_ROWS < i1 ? i + BF_CSR16_ROWS : i1;
    if (A->prec == BF_FP64)
      rows_fp64_16(i, end, A->ptr, A->rel, A->val, x + i, y);
    else
      rows_fp32_16(i, end, A->ptr, A->rel, A->val, x + i, y);
  }
}

bf_err bf_cpu_csr_spmv(bf_backend *be, const bf_matrix *M, const double *x, double *y, const double *w,
                       double *dot)
{
  const bf_csr *A  = M->csr;
  const int64_t nc = bf_cpu_chunks(A->nrows);
  double       *part;
  BF_TRY(bf_cpu_scratch(be, 2 * nc, &part));
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (int64_t c = 0; c < nc; c++) {
    const int64_t i0 = c * BF_CPU_CHUNK, i1 = i0 + BF_CPU_CHUNK < A->nrows ? i0 + BF_CPU_CHUNK : A->nrows;
    some_rows(A, i0, i1, x, y);
    if (!w) continue;
    part[2 * c]     = bf_cpu_dot(i1 - i0, w + i0, y + i0);
    part[2 * c + 1] = bf_cpu_dot(i1 - i0, y + i0, y + i0);
  }
  if (w) bf_cpu_add_up(nc, 2, part, dot);
  return BF_OK;
}

/* Column of entry p in row i. */
static bf_int column(const bf_csr *A, bf_int i, int64_t p)
{
  return A->rel ? A->rel[p] + i - i % BF_CSR16_ROWS : A->col[p];
}

bf_err bf_cpu_csr_diagonal(bf_backend *be, const bf_matrix *M, double *d)
{
  const bf_csr *A = M->csr;
  (void)be;
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (bf_int i = 0; i < A->nrows; i++) {
    d[i] = 0.0;
    for (int64_t p = A->ptr[i]; p < A->ptr[i + 1]; p++)
      if (column(A, i, p) == i) d[i] = bf_cpu_value(A->val, A->prec, p);
  }
  return BF_OK;
}

bf_err bf_cpu_csr_constrain(bf_backend *be, bf_matrix *M, const uint8_t *fixed)
{
  bf_csr *A = M->csr;
  (void)be;
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (bf_int i = 0; i < A->nrows; i++)
    for (int64_t p = A->ptr[i]; p < A->ptr[i + 1]; p++) {
      const bf_int j = column(A, i, p);
      if (j != i && (fixed[i] || fixed[j])) bf_cpu_clear(A->val, A->prec, p);
    }
  return BF_OK;
}

/* Node i has m neighbours: its D scalar rows follow each other, each with m*D entries. */
bf_err bf_cpu_csr_expand(bf_backend *be, bf_int n, int D, const int64_t *nptr, const bf_int *nadj, bf_csr *A)
{
  (void)be;
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (bf_int i = 0; i < n; i++) {
    const int64_t m = nptr[i + 1] - nptr[i];
    for (int a = 0; a < D; a++) {
      const int64_t at = nptr[i] * D * D + a * m * D;
      const bf_int  r = i * D + a, base = r - r % BF_CSR16_ROWS;
      A->ptr[r] = at;
      for (int64_t k = 0; k < m * D; k++) {
        const bf_int c = nadj[nptr[i] + k / D] * D + (bf_int)(k % D);
        if (A->rel)
          A->rel[at + k] = (int16_t)(c - base);
        else
          A->col[at + k] = c;
      }
    }
  }
  A->ptr[(int64_t)n * D] = nptr[n] * D * D;
  return BF_OK;
}
