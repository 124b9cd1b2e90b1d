/* kernels/cpu/sparse/transpose.c - transposes of CSR by counting, of dense matrices by tiles
 *
 * CSR: an entry's column is its row in the transpose, and its position there follows by counting (Jin,
 * docs/references.md).
 * Cost       CSR: 4 bytes per entry to count, 24 to move (fp64); writes go to as many places as there are
 *            columns.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/transpose.h"
#include "kernels/cpu/sparse/counting_sort.h"

enum { TILE = 32 }; /* 2 x 8 KiB: both tiles fit in L1 */

bf_err bf_cpu_dense_transpose(bf_backend *be, bf_int nrows, bf_int ncols, const double *a, double *t)
{
  (void)be;
  const int64_t m = nrows, n = ncols;
#pragma omp parallel for schedule(static) if (m * n > BF_CPU_SMALL)
  for (int64_t i0 = 0; i0 < m; i0 += TILE)
    for (int64_t j0 = 0; j0 < n; j0 += TILE)
      for (int64_t j = j0; j < j0 + TILE && j < n; j++)
        for (int64_t i = i0; i < i0 + TILE && i < m; i++) t[j * m + i] = a[i * n + j];
  return BF_OK;
}

/* The row of position p: the last with ptr[row] <= p */
static bf_int row_of(const int64_t *ptr, bf_int nrows, int64_t p)
{
  bf_int lo = 0, hi = nrows;
  while (hi - lo > 1) {
    const bf_int mid = lo + (hi - lo) / 2;
    if (ptr[mid] <= p)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

bf_err bf_cpu_csr_transpose(bf_backend *be, const bf_csr_arrays *A, bf_csr_arrays *T)
{
  const int chunks = bf_cpu_counting_chunks(A->nnz, A->ncols);
  double   *scratch;
  BF_TRY(bf_cpu_scratch(be, (int64_t)chunks * A->ncols, &scratch));
  int64_t *first = (int64_t *)scratch;
  BF_TRY(bf_cpu_count(A->nnz, A->col, A->ncols, chunks, first, T->ptr, "column"));
#pragma omp parallel for schedule(static) if (chunks > 1)
  for (int c = 0; c < chunks; c++) {
    int64_t      *next = first + (int64_t)c * A->ncols;
    int64_t       p    = bf_cpu_chunk_begin(A->nnz, chunks, c);
    const int64_t end  = bf_cpu_chunk_begin(A->nnz, chunks, c + 1);
    for (bf_int i = row_of(A->ptr, A->nrows, p); p < end; i++)
      for (; p < end && p < A->ptr[i + 1]; p++) {
        const int64_t at = next[A->col[p]]++;
        T->col[at]       = i;
        bf_cpu_move_value(A->prec, T->val, at, A->val, p);
      }
  }
  return BF_OK;
}
