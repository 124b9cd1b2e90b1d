/* kernels/cuda/dense/eigen/stedc_leaves.cuh - the smallest blocks of divide and conquer, by rotations
 *
 * Computes   T torn at every eighth entry beside its diagonal, |e| less on both sides of it; of each block
 *            vectors and values, ascending.
 * Source     jacobi_sweep.cuh; J. Cuppen, Numer. Math. 36 (1981).
 * Layout     a quarter of a warp a block.  A function of its own, lest it share the registers of what calls.
 * Checked    tests/kernels/dense/t360_heev_batch.c, t359_pairs_batch.c, t373_large_spectra.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_STEDC_LEAVES_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_STEDC_LEAVES_CUH
#include "kernels/cuda/dense/eigen/jacobi_sweep.cuh"

namespace bf
{

enum { DIVIDE_LEAF = 8, DIVIDE_LEAF_LEVELS = 3 };

/* d: the diagonal, then eigenvalues, ascending in each block; vectors in blocks of Q.  aside: n numbers;
 * room: a square of Q's size.  False where rotations did not end. */
template <class R>
__device__ __noinline__ bool divide_leaves(int n, R *d, const R *e, R *aside, R *Q, int ld, R *room)
{
  using S                  = jacobi_shape<R, DIVIDE_LEAF, 1, 1>;
  const int           lane = threadIdx.x & 31, part = lane % S::LANES, row = part / S::PAIRS * S::ROWS;
  const jacobi_limits how  = {4.0 * (sizeof(R) == 8 ? 0x1p-53 : 0x1p-24), 30};
  bool                fine = true;
  for (int first = (int)(threadIdx.x >> 5) * S::EACH; first * DIVIDE_LEAF < n;
       first += (int)(blockDim.x >> 5) * S::EACH) {
    const int block = first + lane / S::LANES, o = block * DIVIDE_LEAF, k = max(0, min(DIVIDE_LEAF, n - o));
    R        *A = room + (size_t)block * S::PITCH;
    for (int x = part; x < DIVIDE_LEAF * DIVIDE_LEAF; x += S::LANES) {
      const int i = x % DIVIDE_LEAF, j = x / DIVIDE_LEAF;
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
    quotients<S>(x, y, A, lane, &wx, &wy);
    places<S>(x, y, wx, wy, k, lane, &px, &py);
    const R up = scalbn(R(1), ex / 2), more = scalbn(R(1), ex - ex / 2);
    if (x.id < k && row == 0) aside[o + px] = wx * up * more;
    if (y.id < k && row == 0) aside[o + py] = wy * up * more;
#pragma unroll
    for (int r = 0; r < S::ROWS; r++) {
      if (x.id < k && row + r < k) Q[(size_t)(o + px) * ld + o + row + r] = x.e[r];
      if (y.id < k && row + r < k) Q[(size_t)(o + py) * ld + o + row + r] = y.e[r];
    }
    __syncwarp();
  }
  __syncthreads();
  for (int c = threadIdx.x; c < n; c += blockDim.x) d[c] = aside[c];
  return fine;
}

} // namespace bf
#endif
