/* kernels/cuda/dense/eigen/stedc_back_multiply.cuh - divide and conquer: vectors of the merged problem
 * times those of the halves, by tensor cores
 *
 * Computes   Q2 = Q U for some roots: the columns of Q that are nonzero in a half of the rows, and the rows
 *            of U that belong to them.
 * Source     see stedc.cuh; mma_16x8x8.cuh.
 * Layout     a warp has 16 rows, of one half of a merge, by 8 or 16 roots. Columns of U are permuted within
 *            a row against bank conflicts.
 * Cost       2 k flops per entry for k columns.
 * Checked    tests/kernels/dense/t359_pairs_batch.c, t373_large_spectra.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_STEDC_BACK_MULTIPLY_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_STEDC_BACK_MULTIPLY_CUH
#include "kernels/cuda/dense/common/mma_16x8x8.cuh"
#include "kernels/cuda/dense/eigen/stedc_deflate.cuh"

namespace bf
{

enum { STEDC_MMA_LOG2 = 5 }; /* log2 of the smallest merge: halves of 16 rows and more */

/* Position of column x of row c of U, of 1 << lpanel columns, 8 or 16 */
__device__ __forceinline__ int stedc_swizzle(int x, int c, int lpanel)
{
  return x ^ (lpanel == 3 ? (c >> 1 & 1) << 2 : (c & 3) << 2);
}

/* Rows r0 .. r0 + 15, roots p0 + x0 .. + 8 NT - 1 */
template <int NT, class R>
__device__ __forceinline__ void stedc_multiply_tile(const stedc_smem<R> &m, const stedc_level &v, const R *Q,
                                                    R *Q2, int ld, const R *U, int p0, int x0, int lpanel,
                                                    int r0)
{
  const int  lane = threadIdx.x & 31, g = lane >> 2, t = lane & 3, o = v.first(r0), end = v.end(r0);
  const int  k = v.unpaired(r0) ? 0 : m.undeflated[r0 >> v.lg], i0 = p0 + x0;
  const bool top = r0 < v.middle(r0), upper = r0 + g < v.n, lower = r0 + g + 8 < v.n;
  if (v.unpaired(r0) || o + i0 >= end) return;
  const int *list       = (top ? m.upper : m.lower) + o;
  const int  count      = i0 >= k ? 0 : top ? m.upper_count[r0 >> v.lg] : m.lower_count[r0 >> v.lg];
  R          acc[NT][4] = {};
#pragma unroll 2
  for (int j = 0; j < count; j += 8) {
    R a[4], b[NT][2];
#pragma unroll
    for (int h = 0; h < 2; h++) {
      const bool in = j + t + 4 * h < count;
      const int  e = in ? list[j + t + 4 * h] : 0, c = o + (e >> 16);
      const R   *from = Q + (size_t)(e & 0xffff) * ld + r0 + g;
      a[2 * h]        = in && upper ? from[0] : R(0);
      a[2 * h + 1]    = in && lower ? from[8] : R(0);
#pragma unroll
      for (int q = 0; q < NT; q++)
        b[q][h] = in ? U[(c << lpanel) + stedc_swizzle(x0 + 8 * q + g, c, lpanel)] : R(0);
    }
#pragma unroll
    for (int q = 0; q < NT; q++) mma(acc[q], a, b[q]);
  }
#pragma unroll
  for (int q = 0; q < NT; q++)
#pragma unroll
    for (int x = 0; x < 4; x++) {
      const int i = i0 + 8 * q + 2 * t + (x & 1), r = r0 + g + 8 * (x >> 1);
      if (r < v.n && o + i < end)
        Q2[(size_t)m.pos[o + i] * ld + r] =
            i < k ? acc[q][x] : Q[(size_t)m.deflated_column[o + i - k] * ld + r];
    }
}

/* Roots p0 .. p0 + (1 << lpanel) - 1 of every merge, 8 or 16 */
template <class R>
__device__ void stedc_multiply_tiles(const stedc_smem<R> &m, const stedc_level &v, const R *Q, R *Q2, int ld,
                                     const R *U, int p0, int lpanel)
{
  const int warps = blockDim.x >> 5, tiles = (v.n + 15) / 16;
  if (lpanel == 4 && tiles >= warps)
    for (int job = threadIdx.x >> 5; job < tiles; job += warps)
      stedc_multiply_tile<2>(m, v, Q, Q2, ld, U, p0, 0, lpanel, 16 * job);
  else
    for (int job = threadIdx.x >> 5; job < tiles << (lpanel - 3); job += warps)
      stedc_multiply_tile<1>(m, v, Q, Q2, ld, U, p0, 8 * (job & ((1 << (lpanel - 3)) - 1)), lpanel,
                             16 * (job >> (lpanel - 3)));
}

} // namespace bf
#endif
