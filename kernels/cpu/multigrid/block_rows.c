/* kernels/cpu/multigrid/block_rows.c - block rows: from a matrix, transpose, diagonal, dense
 *
 * Checked  tests/kernels/multigrid/t385_block_rows.c
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/multigrid/multigrid.h"
#include "kernels/cpu/sparse/counting_sort.h"
#include "kernels/multigrid/block_source.h"
#include <string.h>

static bf_err matrix_count(bf_backend *be, const bf_matrix *A, int64_t *ptr, int64_t *nnz)
{
  bf_block_source s;
  (void)be;
  BF_TRY(bf_block_source_of(A, &s));
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (bf_int i = 0; i < s.n; i++) ptr[i + 1] = bf_block_row_of(&s, i, NULL, NULL);
  *nnz = bf_cpu_row_sums(s.n, ptr);
  return BF_OK;
}

static bf_err matrix_fill(bf_backend *be, const bf_matrix *A, bf_block_rows *C)
{
  bf_block_source s;
  (void)be;
  BF_TRY(bf_block_source_of(A, &s));
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (bf_int i = 0; i < s.n; i++)
    bf_block_row_of(&s, i, C->col + C->ptr[i], (double *)C->val + C->ptr[i] * s.D * s.D);
  return BF_OK;
}

static bf_err diagonal(bf_backend *be, const bf_block_rows *A, double *d)
{
  (void)be;
  const int D = A->form.br;
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (bf_int i = 0; i < A->form.nrows; i++) {
    for (int a = 0; a < D; a++) d[(int64_t)i * D + a] = 0.0;
    for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++)
      for (int a = 0; a < D && A->col[k] == i; a++)
        d[(int64_t)i * D + a] = bf_cpu_value(A->val, A->form.prec, (k * D + a) * D + a);
  }
  return BF_OK;
}

/* The row that holds block k: the last with ptr[row] <= k. */
static bf_int row_of(const int64_t *ptr, bf_int nrows, int64_t k)
{
  bf_int lo = 0, hi = nrows;
  while (hi - lo > 1) {
    const bf_int mid = lo + (hi - lo) / 2;
    if (ptr[mid] <= k)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

static bf_err transpose(bf_backend *be, const bf_block_rows *A, bf_block_rows *T)
{
  const int    br = A->form.br, bc = A->form.bc;
  const bf_int ncols  = A->form.ncols;
  const int    chunks = bf_cpu_counting_chunks(A->nnz, ncols);
  double      *scratch;
  if (A->nnz == 0) return be->ops.zero(be, T->ptr, ((size_t)ncols + 1) * sizeof *T->ptr);
  BF_TRY(bf_cpu_scratch(be, (int64_t)chunks * ncols, &scratch));
  int64_t *first = (int64_t *)scratch;
  BF_TRY(bf_cpu_count(A->nnz, A->col, ncols, chunks, first, T->ptr, "column"));
#pragma omp parallel for schedule(static) if (chunks > 1)
  for (int c = 0; c < chunks; c++) {
    int64_t      *next = first + (int64_t)c * ncols;
    int64_t       k    = bf_cpu_chunk_begin(A->nnz, chunks, c);
    const int64_t end  = bf_cpu_chunk_begin(A->nnz, chunks, c + 1);
    for (bf_int i = row_of(A->ptr, A->form.nrows, k); k < end; i++)
      for (; k < end && k < A->ptr[i + 1]; k++) {
        const int64_t at = next[A->col[k]]++;
        T->col[at]       = i;
        for (int b = 0; b < bc; b++)
          for (int a = 0; a < br; a++)
            bf_cpu_move_value(A->form.prec, T->val, (at * br + a) * bc + b, A->val, (k * bc + b) * br + a);
      }
  }
  return BF_OK;
}

static bf_err unit_diagonal(bf_backend *be, bf_block_rows *A, const uint8_t *flag)
{
  (void)be;
  const int D   = A->form.br;
  double   *val = A->val;
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (bf_int i = 0; i < A->form.nrows; i++)
    for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++)
      for (int c = 0; c < D && A->col[k] == i; c++)
        if (flag[(int64_t)i * D + c]) val[k * D * D + c * D + c] = 1.0;
  return BF_OK;
}

static bf_err dense(bf_backend *be, const bf_block_rows *A, double *out)
{
  const int     br = A->form.br, bc = A->form.bc;
  const int64_t n = (int64_t)A->form.ncols * bc;
  BF_TRY(be->ops.zero(be, out, (size_t)A->form.nrows * (size_t)br * (size_t)n * sizeof *out));
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (bf_int i = 0; i < A->form.nrows; i++)
    for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++)
      for (int b = 0; b < bc; b++)
        for (int a = 0; a < br; a++)
          out[((int64_t)i * br + a) * n + (int64_t)A->col[k] * bc + b] =
              bf_cpu_value(A->val, A->form.prec, (k * bc + b) * br + a);
  return BF_OK;
}

const bf_block_ops bf_cpu_block_rows = {
    .matrix_count  = matrix_count,
    .matrix_fill   = matrix_fill,
    .product_count = bf_cpu_block_product_count,
    .product_fill  = bf_cpu_block_product_fill,
    .spmv          = bf_cpu_block_spmv,
    .diagonal      = diagonal,
    .transpose     = transpose,
    .unit_diagonal = unit_diagonal,
    .dense         = dense,
};
