/* kernels/cpu/csr_spmv.c - CSR: product with w.y and y.y in the same pass, pattern, diagonal, constraints
 *
 *     y[i] = sum_p val[p] x[col[p]],  ptr[i] <= p < ptr[i+1]
 *
 * Cost     2 nnz flops; 12 bytes (fp64) or 8 (fp32) for each nonzero, 8 for each row, x and y once.
 */
#include "kernels/cpu/cpu.h"

/* Four running sums in a fixed order: entry p of a row goes to sum p % 4. */
static double row_fp64(int64_t n, const double *val, const bf_int *col, const double *x)
{
  double  s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
  int64_t p = 0;
  for (; p + 4 <= n; p += 4) {
    s0 += val[p] * x[col[p]];
    s1 += val[p + 1] * x[col[p + 1]];
    s2 += val[p + 2] * x[col[p + 2]];
    s3 += val[p + 3] * x[col[p + 3]];
  }
  for (; p < n; p++) s0 += val[p] * x[col[p]];
  return (s0 + s1) + (s2 + s3);
}

static double row_fp32(int64_t n, const float *val, const bf_int *col, const double *x)
{
  double  s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
  int64_t p = 0;
  for (; p + 4 <= n; p += 4) {
    s0 += (double)val[p] * x[col[p]];
    s1 += (double)val[p + 1] * x[col[p + 1]];
    s2 += (double)val[p + 2] * x[col[p + 2]];
    s3 += (double)val[p + 3] * x[col[p + 3]];
  }
  for (; p < n; p++) s0 += (double)val[p] * x[col[p]];
  return (s0 + s1) + (s2 + s3);
}

bf_err bf_cpu_csr_spmv(bf_backend *be, const bf_csr *A, const double *x, double *y, const double *w,
                       double *dot)
{
  const int64_t nc = bf_cpu_chunks(A->nrows);
  double       *part;
  BF_TRY(bf_cpu_scratch(be, 2 * nc, &part));
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (int64_t c = 0; c < nc; c++) {
    const int64_t i0 = c * BF_CPU_CHUNK, i1 = i0 + BF_CPU_CHUNK < A->nrows ? i0 + BF_CPU_CHUNK : A->nrows;
    for (int64_t i = i0; i < i1; i++) {
      const int64_t p = A->ptr[i], n = A->ptr[i + 1] - p;
      y[i] = A->prec == BF_FP32 ? row_fp32(n, (const float *)A->val + p, A->col + p, x)
                                : row_fp64(n, (const double *)A->val + p, A->col + p, x);
    }
    if (!w) continue;
    part[2 * c]     = bf_cpu_dot(i1 - i0, w + i0, y + i0);
    part[2 * c + 1] = bf_cpu_dot(i1 - i0, y + i0, y + i0);
  }
  if (w) bf_cpu_add_up(nc, 2, part, dot);
  return BF_OK;
}

bf_err bf_cpu_csr_diagonal(bf_backend *be, const bf_csr *A, double *d)
{
  (void)be;
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (bf_int i = 0; i < A->nrows; i++) {
    d[i] = 0.0;
    for (int64_t p = A->ptr[i]; p < A->ptr[i + 1]; p++)
      if (A->col[p] == i)
        d[i] = A->prec == BF_FP32 ? (double)((const float *)A->val)[p] : ((const double *)A->val)[p];
  }
  return BF_OK;
}

bf_err bf_cpu_csr_constrain(bf_backend *be, bf_csr *A, const uint8_t *fixed)
{
  (void)be;
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (bf_int i = 0; i < A->nrows; i++)
    for (int64_t p = A->ptr[i]; p < A->ptr[i + 1]; p++) {
      if (A->col[p] == i || !(fixed[i] || fixed[A->col[p]])) continue;
      if (A->prec == BF_FP32)
        ((float *)A->val)[p] = 0.0F;
      else
        ((double *)A->val)[p] = 0.0;
    }
  return BF_OK;
}

/* Node i has m neighbours: its D scalar rows follow each other, each with m*D entries. */
bf_err bf_cpu_csr_expand(bf_backend *be, bf_int n, int D, const int64_t *nptr, const bf_int *nadj,
                         int64_t *ptr, bf_int *col)
{
  (void)be;
#pragma omp parallel for schedule(static) if (n > BF_CPU_SMALL)
  for (bf_int i = 0; i < n; i++) {
    const int64_t m = nptr[i + 1] - nptr[i];
    for (int a = 0; a < D; a++) {
      const int64_t at        = nptr[i] * D * D + a * m * D;
      ptr[(int64_t)i * D + a] = at;
      for (int64_t k = 0; k < m; k++)
        for (int b = 0; b < D; b++) col[at + k * D + b] = nadj[nptr[i] + k] * D + b;
    }
  }
  ptr[(int64_t)n * D] = nptr[n] * D * D;
  return BF_OK;
}
