/* kernels/cpu/ell_spmv.c - ELL: product with w.y and y.y in the same pass, diagonal, constraints
 *
 *     y[i] = sum_k val[k*ld + i] x[col[k*ld + i]],  the entries that are there, k = 0 .. width-1
 *
 * Order    tiles of rows whose sums stay in cache; in a tile entry k of all rows is a contiguous run.  A row
 *          ends at its first column -1.
 * Cost     2 nnz flops; 12 bytes (fp64) or 8 (fp32) for each slot, x and y once.
 */
#include "kernels/cpu/cpu.h"

enum { TILE = 256 }; /* rows; a chunk of the dots holds whole tiles */

static void tile(const bf_ell *A, int64_t i0, int64_t i1, const double *x, double *y)
{
  for (int64_t i = i0; i < i1; i++) y[i] = 0.0;
  for (bf_int k = 0; k < A->width; k++) {
    const bf_int *col = A->col + k * A->ld;
    if (A->prec == BF_FP64) {
      const double *val = (const double *)A->val + k * A->ld;
      for (int64_t i = i0; i < i1; i++)
        if (col[i] >= 0) y[i] += val[i] * x[col[i]];
    } else {
      const float *val = (const float *)A->val + k * A->ld;
      for (int64_t i = i0; i < i1; i++)
        if (col[i] >= 0) y[i] += (double)val[i] * x[col[i]];
    }
  }
}

bf_err bf_cpu_ell_spmv(bf_backend *be, const bf_ell *A, const double *x, double *y, const double *w,
                       double *dot)
{
  const int64_t nc = bf_cpu_chunks(A->nrows);
  double       *part;
  BF_TRY(bf_cpu_scratch(be, 2 * nc, &part));
#pragma omp parallel for schedule(static) if (A->width * A->ld > BF_CPU_SMALL)
  for (int64_t c = 0; c < nc; c++) {
    const int64_t i0 = c * BF_CPU_CHUNK, i1 = i0 + BF_CPU_CHUNK < A->nrows ? i0 + BF_CPU_CHUNK : A->nrows;
    for (int64_t i = i0; i < i1; i += TILE) tile(A, i, i + TILE < i1 ? i + TILE : i1, x, y);
    if (!w) continue;
    part[2 * c]     = bf_cpu_dot(i1 - i0, w + i0, y + i0);
    part[2 * c + 1] = bf_cpu_dot(i1 - i0, y + i0, y + i0);
  }
  if (w) bf_cpu_add_up(nc, 2, part, dot);
  return BF_OK;
}

bf_err bf_cpu_ell_diagonal(bf_backend *be, const bf_ell *A, double *d)
{
  (void)be;
#pragma omp parallel for schedule(static) if (A->width * A->ld > BF_CPU_SMALL)
  for (bf_int i = 0; i < A->nrows; i++) {
    d[i] = 0.0;
    for (int64_t p = i; p < A->width * A->ld; p += A->ld)
      if (A->col[p] == i) d[i] = bf_cpu_value(A->val, A->prec, p);
  }
  return BF_OK;
}

bf_err bf_cpu_ell_constrain(bf_backend *be, bf_ell *A, const uint8_t *fixed)
{
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
