/* kernels/cuda/sparse/transpose.cuh - transposes: common functions, and the methods that
 * transpose_dispatch.cu chooses from
 *
 * Computes   rows of positions, row pointers of sorted positions.
 * Source     see the kernels.
 * Layout     kernels/matrix/transpose.h.
 * Checked    tests/kernels/sparse/t317_transpose.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_SPARSE_TRANSPOSE_CUH
#define BF_KERNELS_CUDA_SPARSE_TRANSPOSE_CUH
#include "kernels/cuda/device/launch_and_reduce.cuh"
#include <cub/block/block_scan.cuh>
extern "C" {
#include "kernels/matrix/transpose.h"
}

namespace bf
{

enum {
  BF_BAND_NARROW = 15,
  BF_BAND_MAX    = 63
}; /* largest |row - column| of bands that fit in one word of 32 bits, in four */

/* Result of sampling some rows of A, and of the methods that rely on it; on the device */
struct bf_transpose_sample {
  int reach;       /* largest |row - column| among the sampled rows */
  int unsymmetric; /* a sampled entry has no transposed entry */
  int failed;      /* A does not satisfy the method's assumption: T is not set */
};

/* T = A^T where no entry is farther than `half` <= BF_BAND_MAX from the diagonal and the columns of a
 * row ascend. Does nothing if sample->reach is larger. */
bf_err bf_cuda_transpose_band(bf_backend *be, const bf_csr_arrays *A, int half, bf_csr_arrays *T,
                              bf_transpose_sample *sample);

/* T = A^T where (j, i) is an entry if (i, j) is and the columns of a row ascend. */
bf_err bf_cuda_transpose_symmetric_pattern(bf_backend *be, const bf_csr_arrays *A, bf_csr_arrays *T,
                                           bf_transpose_sample *sample);

/* Any A. */
bf_err bf_cuda_transpose_sort(bf_backend *be, const bf_csr_arrays *A, bf_csr_arrays *T);

/* B = A where every row has at most 512 entries; otherwise *done = 0 and B is not set. Synchronises. */
bf_err bf_cuda_rows_of_triplets(bf_backend *be, const bf_coo_arrays *A, bf_csr_arrays *B, int *done);

/* Bits needed for the numbers 0 .. n-1, at least 1 */
static inline int bf_bits_of(bf_int n)
{
  int bits = 1;
  while (bits < 31 && (bf_int)1 << bits < n) bits++;
  return bits;
}

/* Rounds sizes of parts of the scratch up to 256 bytes. */
static inline size_t bf_aligned(size_t bytes)
{
  return (bytes + 255) / 256 * 256;
}

/* Last row of lo .. hi with ptr[row] <= p: the row that holds position p, if ptr[lo] <= p < ptr[hi + 1]. */
static __device__ __forceinline__ bf_int bf_row_of(const int64_t *__restrict__ ptr, bf_int lo, bf_int hi,
                                                   int64_t p)
{
  while (lo < hi) {
    const bf_int mid = lo + (hi - lo + 1) / 2;
    if (__ldg(ptr + mid) <= p)
      lo = mid;
    else
      hi = mid - 1;
  }
  return lo;
}

enum { BF_EXPAND_THREADS = 256, BF_EXPAND_DEPTH = 8, BF_EXPAND_TILE = BF_EXPAND_THREADS * BF_EXPAND_DEPTH };

/* Rows of positions p0 .. p1-1 to row[BF_EXPAND_TILE] in shared memory, by marks at the starts of rows
 * and a running maximum, in the same time for any row lengths. For whole blocks of BF_EXPAND_THREADS. */
static __device__ __forceinline__ void bf_expand_rows(bf_int m, const int64_t *__restrict__ ptr, int64_t p0,
                                                      int64_t p1, bf_int *row)
{
  typedef cub::BlockScan<bf_int, BF_EXPAND_THREADS> Scan;
  __shared__ typename Scan::TempStorage             scan;
  __shared__ bf_int                                 ends[2];
  const int                                         tid = (int)threadIdx.x;
  if (tid == 0) ends[0] = bf_row_of(ptr, 0, m - 1, p0);
  if (tid == 32) ends[1] = bf_row_of(ptr, 0, m - 1, p1 - 1);
  for (int k = tid; k < BF_EXPAND_TILE; k += BF_EXPAND_THREADS) row[k] = 0;
  __syncthreads();
  const bf_int lo = ends[0], hi = ends[1];
  for (int64_t r = (int64_t)lo + 1 + tid; r <= hi; r += BF_EXPAND_THREADS) {
    const int64_t p = ptr[r];
    if (p < ptr[r + 1]) row[p - p0] = (bf_int)(r - lo); /* an empty row has no mark */
  }
  __syncthreads();
  bf_int last[BF_EXPAND_DEPTH];
#pragma unroll
  for (int k = 0; k < BF_EXPAND_DEPTH; k++) last[k] = row[tid * BF_EXPAND_DEPTH + k];
  Scan(scan).InclusiveScan(last, last, [](bf_int a, bf_int b) { return a > b ? a : b; });
#pragma unroll
  for (int k = 0; k < BF_EXPAND_DEPTH; k++) row[tid * BF_EXPAND_DEPTH + k] = lo + last[k];
  __syncthreads();
}

/* ptr[r] = p for before < r <= here; for whole warps: all lanes fill a long gap. */
static __device__ __forceinline__ void bf_fill_rows(int64_t *ptr, bf_int before, bf_int here, int64_t p)
{
  const bool long_gap = (int64_t)here - before > 32;
  for (bf_int r = before; !long_gap && r < here; r++) ptr[r + 1] = p;
  for (unsigned pending = __ballot_sync(~0u, long_gap); pending != 0; pending &= pending - 1) {
    const int     lane = __ffs((int)pending) - 1;
    const bf_int  from = __shfl_sync(~0u, before, lane), to = __shfl_sync(~0u, here, lane);
    const int64_t value = __shfl_sync(~0u, p, lane);
    for (int64_t r = (int64_t)from + 1 + (threadIdx.x & 31); r <= to; r += 32) ptr[r] = value;
  }
}

} // namespace bf
#endif
