/* kernels/cuda/transpose.cuh - what the files of transposes share: rows of positions, the ways to take */
#ifndef BF_CUDA_TRANSPOSE_CUH
#define BF_CUDA_TRANSPOSE_CUH
#include "kernels/cuda/cuda_util.cuh"
extern "C" {
#include "kernels/transpose.h"
}

enum { BF_BAND_MOST = 63 }; /* largest |row - column| of a narrow band */

/* T = A^T where no entry is farther than `half` <= BF_BAND_MOST from the diagonal and the columns of a row
 * ascend.  *fits = 0, and T is unset, where A is not like that: waits. */
bf_err bf_cuda_transpose_band(bf_backend *be, const bf_csr_arrays *A, int half, bf_csr_arrays *T, int *fits);

/* Any A. */
bf_err bf_cuda_transpose_sort(bf_backend *be, const bf_csr_arrays *A, bf_csr_arrays *T);

/* B = A where every row has at most 512 entries; *done = 0, and B is unset, where one has more.  Waits. */
bf_err bf_cuda_rows_of_triplets(bf_backend *be, const bf_coo_arrays *A, bf_csr_arrays *B, int *done);

/* Bits that the numbers 0 .. n-1 need, at least 1. */
static inline int bf_bits_of(bf_int n)
{
  int bits = 1;
  while (bits < 31 && (bf_int)1 << bits < n) bits++;
  return bits;
}

/* Sizes of parts of a scratch, so that each begins at 256 bytes. */
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

/* ptr[r] = p for before < r <= here.  For whole warps: all lanes fill a long gap. */
static __device__ __forceinline__ void bf_fill_rows(int64_t *ptr, bf_int before, bf_int here, int64_t p)
{
  const bool far = (int64_t)here - before > 32;
  for (bf_int r = before; !far && r < here; r++) ptr[r + 1] = p;
  for (unsigned todo = __ballot_sync(~0u, far); todo != 0; todo &= todo - 1) {
    const int     lane = __ffs((int)todo) - 1;
    const bf_int  from = __shfl_sync(~0u, before, lane), to = __shfl_sync(~0u, here, lane);
    const int64_t value = __shfl_sync(~0u, p, lane);
    for (int64_t r = (int64_t)from + 1 + (threadIdx.x & 31); r <= to; r += 32) ptr[r] = value;
  }
}
#endif
