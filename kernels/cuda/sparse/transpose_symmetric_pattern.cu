/* kernels/cuda/sparse/transpose_symmetric_pattern.cu - transpose of a matrix with symmetric pattern: only
 * values move
 *
 * Computes   T = A^T: T has A's rows and columns, and the value of entry (j, i) is that of (i, j). Position
 *            of column j in row i: as far from the end as i is from the start of row j, as in any symmetric
 *            stencil; otherwise by bisection.
 * Source     own.
 * Layout     transpose.h.
 * Cost       4 + 4 bytes per entry for the columns, 8 + 8 for values (fp64), and a second read of 4 bytes
 *            of columns, which comes from the caches because adjacent rows of the mesh are close to each
 *            other.
 * Launch     2048 entries per block of 256 threads, for any row lengths.
 * Checked    tests/kernels/sparse/t317_transpose.c, t319_transpose_large.c. Entries without transposed
 *            entry and rows that do not ascend are detected here, and the caller uses another method.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/sparse/transpose.cuh"

namespace bf
{

enum { THREADS = BF_EXPAND_THREADS, DEPTH = BF_EXPAND_DEPTH, TILE = BF_EXPAND_TILE };

template <typename T>
static __global__ void __launch_bounds__(THREADS)
    mirror(bf_int n, int64_t nnz, const int64_t *__restrict__ ptr, const bf_int *__restrict__ col,
           const T *__restrict__ val, bf_int *__restrict__ colT, T *__restrict__ valT,
           bf_transpose_sample *sample)
{
  __shared__ bf_int row[TILE];
  const int64_t     p0 = (int64_t)blockIdx.x * TILE, p1 = p0 + TILE < nnz ? p0 + TILE : nnz;
  bool              failed = false;
  bf_expand_rows(n, ptr, p0, p1, row);
#pragma unroll 4
  for (int k = 0; k < DEPTH; k++) {
    const int64_t p = p0 + k * THREADS + threadIdx.x;
    if (p >= p1) break;
    const bf_int j = row[p - p0], i = col[p];
    if (i < 0 || i >= n) {
      failed = true;
      break;
    }
    const int64_t own = __ldg(ptr + j), begin = __ldg(ptr + i), end = __ldg(ptr + i + 1);
    int64_t       at = end - 1 - (p - own);
    failed |= p > own && col[p - 1] >= i;
    if (at < begin || __ldg(col + at) != j) {
      const int found = bf_find(col + begin, (int)(end - begin), j);
      failed |= found < 0;
      at = begin + found;
    }
    if (failed) break;
    __stcs(colT + p, i);
    __stcs(valT + p, __ldg(val + at));
  }
  if (failed) sample->failed = 1;
}

bf_err bf_cuda_transpose_symmetric_pattern(bf_backend *be, const bf_csr_arrays *A, bf_csr_arrays *T,
                                           bf_transpose_sample *sample)
{
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const unsigned     blocks = bf_cuda_blocks(A->nnz, TILE);
  BF_TRY(be->ops.copy(be, T->ptr, A->ptr, ((size_t)A->nrows + 1) * sizeof *A->ptr, BF_WITHIN));
  if (A->prec == BF_FP64)
    mirror<<<blocks, THREADS, 0, stream>>>(A->nrows, A->nnz, A->ptr, A->col,
                                           static_cast<const double *>(A->val), T->col,
                                           static_cast<double *>(T->val), sample);
  else
    mirror<<<blocks, THREADS, 0, stream>>>(A->nrows, A->nnz, A->ptr, A->col,
                                           static_cast<const float *>(A->val), T->col,
                                           static_cast<float *>(T->val), sample);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
