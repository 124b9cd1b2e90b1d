/* kernels/cuda/dense/eigen/stedc_leaves.cuh - divide and conquer: eigendecomposition of the diagonal blocks
 * of order 8, by Jacobi rotations
 *
 * Computes   T split at every eighth off-diagonal entry (rank-one tears): |e| is subtracted on both sides
 *            of it; eigenvalues, ascending, and vectors of each block.
 * Source     jacobi_sweep.cuh; J. Cuppen, Numer. Math. 36 (1981).
 * Layout     a quarter of a warp per block. Not inlined, so that it does not share the caller's registers.
 * Cost       5 * 8^3 multiply-adds per sweep and block.
 * Checked    tests/kernels/dense/t360_heev_batch.c, t359_pairs_batch.c, t373_large_spectra.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_STEDC_LEAVES_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_STEDC_LEAVES_CUH
#include "kernels/cuda/dense/eigen/jacobi_sweep.cuh"

namespace bf
{

enum { STEDC_LEAF = 8, STEDC_LEAF_LOG2 = 3 };

/* d: the diagonal, then the eigenvalues, ascending in each block; vectors to the blocks of Q. values: n
 * numbers; square: a square of Q's size. False if the rotations did not converge. */
template <class R>
__device__ __noinline__ bool stedc_leaves(int n, R *d, const R *e, R *values, R *Q, int ld, R *square)
{
  using S        = jacobi_shape<R, STEDC_LEAF, 1, 1>;
  const int lane = threadIdx.x & 31, lane_in_block = lane % S::LANES,
            row            = lane_in_block / S::PAIRS * S::ROWS;
  const jacobi_limits how  = {4.0 * (sizeof(R) == 8 ? 0x1p-53 : 0x1p-24), 30};
  bool                fine = true;
  for (int first = (int)(threadIdx.x >> 5) * S::PER_WARP; first * STEDC_LEAF < n;
       first += (int)(blockDim.x >> 5) * S::PER_WARP) {
    const int block = first + lane / S::LANES, o = block * STEDC_LEAF, k = max(0, min(STEDC_LEAF, n - o));
    R        *A = square + (size_t)block * S::PITCH;
    for (int x = lane_in_block; x < STEDC_LEAF * STEDC_LEAF; x += S::LANES) {
      const int i = x % STEDC_LEAF, j = x / STEDC_LEAF;
      R         v = 0;
      if (i == j && i < k)
        v = d[o + i] - (i == 0 && o > 0 ? fabs(e[o - 1]) : R(0)) -
            (i == k - 1 && o + k < n ? fabs(e[o + i]) : R(0));
      else if (i < k && j < k && abs(i - j) == 1)
        v = e[o + min(i, j)];
      A[j * S::LD + i] = v;
    }
    __syncwarp();
    jacobi_column<R, S::ROWS> x, y;
    const int                 ex = shift<S>(x, y, A, k, lane);
    R                         wx, wy;
    int                       px, py;
    fine &= sweep<S>(x, y, k > 0, lane, how) == 0;
    normalise<S>(x, lane);
    normalise<S>(y, lane);
    rayleigh_quotients<S>(x, y, A, lane, &wx, &wy);
    sorted_positions<S>(x, y, wx, wy, k, lane, &px, &py);
    const R up = scalbn(R(1), ex / 2), more = scalbn(R(1), ex - ex / 2);
    if (x.id < k && row == 0) values[o + px] = wx * up * more;
    if (y.id < k && row == 0) values[o + py] = wy * up * more;
#pragma unroll
    for (int r = 0; r < S::ROWS; r++) {
      if (x.id < k && row + r < k) Q[(size_t)(o + px) * ld + o + row + r] = x.e[r];
      if (y.id < k && row + r < k) Q[(size_t)(o + py) * ld + o + row + r] = y.e[r];
    }
    __syncwarp();
  }
  __syncthreads();
  for (int c = threadIdx.x; c < n; c += blockDim.x) d[c] = values[c];
  return fine;
}

} // namespace bf
#endif
