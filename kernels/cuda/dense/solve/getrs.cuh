/* kernels/cuda/dense/solve/getrs.cuh - batched solves with several right-hand sides and getrf's factors,
 * orders from 33 on
 *
 * Computes   B = U^-1 L^-1 P B.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., sections 3.1.3 and 3.4.
 * Layout     as trsm_sweep.cuh; a block has SHAPE::W columns of B and computes the inverses of the diagonal
 *            tiles in shared memory.
 * Cost       2 n^2 nrhs flops (complex 4 times); the factors are read once per block.
 * Launch     blockIdx.x: matrix, blockIdx.y: columns of B.
 * Checked    tests/kernels/dense/t363_solve_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_SOLVE_GETRS_CUH
#define BF_KERNELS_CUDA_DENSE_SOLVE_GETRS_CUH
#include "kernels/cuda/dense/launchers.cuh"
#include "kernels/cuda/dense/solve/trsm_sweep.cuh"

namespace bf
{

template <class SHAPE>
static __global__ void __launch_bounds__(SHAPE::THREADS, SHAPE::BLOCKS)
    getrs_columns(const batch_view<typename SHAPE::T> A, const rhs_view<typename SHAPE::T> B,
                  const int *__restrict__ ipiv, int *__restrict__ info, int tiles)
{
  using T = typename SHAPE::T;
  extern __shared__ __align__(16) char smem[];
  __shared__ int                       first_bad;
  const trsm_smem<SHAPE>               R(smem, tiles);
  int                                  b, n;
  if (!trsm_member(A, (int)blockIdx.x, &b, &n)) return;
  const T  *a           = A.matrix(b);
  T        *x           = B.matrix(b);
  const int factor_info = trsm_prepare<T>(a, A.ld, n, ipiv + (int64_t)b * A.pitch, R.tile, R.row, &first_bad,
                                          R.inverses, R.permuted);
  if (threadIdx.x == 0 && blockIdx.y == 0) info[b] = factor_info;
  if (factor_info != 0) return;
  for (int y = (int)blockIdx.y; y * SHAPE::W < B.nrhs; y += (int)gridDim.y) {
    trsm_solver<SHAPE> X(a, A.ld, n, R.inverses, y * (SHAPE::W / TRSM_NB), smem);
    if (X.first * TRSM_NB >= B.nrhs) return;
    X.sync(); /* the exchange buffers may be written again */
    X.for_each_tile([&](trsm_sums<T> &S, int i, int j) {
#pragma unroll
      for (int k = 0; k < 8; k++) {
        const int c = j + 8 * (k >> 2), r = i + (k & 3);
        S.set(k >> 2, k & 3, c < B.nrhs && r < n ? x[(int64_t)c * B.ld + R.permuted[r]] : zero_of<T>());
      }
    });
    X.template sweep<false>();
    X.template sweep<true>();
    X.for_each_tile([&](trsm_sums<T> &S, int i, int j) {
#pragma unroll
      for (int k = 0; k < 8; k++) {
        const int c = j + 8 * (k >> 2), r = i + (k & 3);
        if (c < B.nrhs && r < n) x[(int64_t)c * B.ld + r] = S.entry(k >> 2, k & 3);
      }
    });
  }
}

template <class SHAPE>
static cudaError_t getrs_launch(const batch_view<typename SHAPE::T> &A, const rhs_view<typename SHAPE::T> &B,
                                const int *ipiv, int *info, cudaStream_t s)
{
  const int         tiles = (A.n + TRSM_NB - 1) / TRSM_NB, columns = (B.nrhs + SHAPE::W - 1) / SHAPE::W;
  const size_t      bytes  = trsm_smem<SHAPE>::bytes(tiles);
  const auto        kernel = getrs_columns<SHAPE>;
  const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
  if (e != cudaSuccess) return e;
  kernel<<<dim3((unsigned)A.count, (unsigned)min(columns, 1024)), SHAPE::THREADS, bytes, s>>>(A, B, ipiv,
                                                                                              info, tiles);
  return cudaGetLastError();
}

template <class T>
cudaError_t getrs_tiled(const batch_view<T> &A, const rhs_view<T> &B, const int *ipiv, int *info,
                        cudaStream_t s)
{
  const int edge = bucket_order(A.n);
  if (edge <= 64)
    return getrs_launch<trsm_shape<T, 4, 1, 1, 2, sizeof(T) == 16 ? 1 : 2, true>>(A, B, ipiv, info, s);
  if (edge <= 128)
    return getrs_launch<trsm_shape<T, 4, 2, 1, 2, sizeof(T) == 16 ? 1 : 2, true>>(A, B, ipiv, info, s);
  if (edge <= 256)
    return getrs_launch<trsm_shape<T, 8, 2, 1, 1, sizeof(T) == 16 ? 1 : 2, true>>(A, B, ipiv, info, s);
  if constexpr (sizeof(T) < 16) return getrs_launch<trsm_shape<T, 8, 4, 1, 1, 1, true>>(A, B, ipiv, info, s);
  return cudaErrorInvalidValue;
}

} // namespace bf
#endif
