/* kernels/cuda/dense/solve/trsm_invert_diagonal.cuh - preparation of solves with getrf's factors by tiles:
 * inverses of the diagonal tiles, info, row permutation
 *
 * Computes   L_kk^-1 and U_kk^-1 of the tiles on the diagonal, info, and the permutation of ipiv.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 3.1.
 * Layout     a warp per tile: 16 lanes have the columns of L's inverse, 16 those of U's; U reversed is a
 *            lower triangle too. A thread follows one row through all exchanges.
 * Cost       2 (n/16) 16^3/3 flops, n^2 comparisons.
 * Checked    tests/kernels/dense/t363_solve_batch.c, t362_lu_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_SOLVE_TRSM_INVERT_DIAGONAL_CUH
#define BF_KERNELS_CUDA_DENSE_SOLVE_TRSM_INVERT_DIAGONAL_CUH
#include "kernels/cuda/dense/solve/trsm_tile.cuh"
#include "kernels/cuda/dense/solve/trsv.cuh"

namespace bf
{

enum { TRSM_PITCH = TRSM_NB + 1, TRSM_SCRATCH = TRSM_NB * TRSM_PITCH };

/* inverse: L's, then U's, packed. scratch: TRSM_SCRATCH scalars of the warp. The matrix has `rows_left`
 * rows from a on and is continued by the identity. */
template <class T>
BF_DEVICE void trsm_invert_tile(const T *a, int64_t ld, int rows_left, T *scratch, T *inverse, int lane)
{
  const int is_upper = lane >> 4, c = lane & 15;
#pragma unroll
  for (int e = 0; e < TRSM_TILE / 32; e++) {
    const int k                 = 2 * e + is_upper;
    scratch[c * TRSM_PITCH + k] = c < rows_left && k < rows_left ? a[k * ld + c] : from_real<T>(c == k);
  }
  __syncwarp();
  const auto at = [&](int i, int k) {
    const int x = i * TRSM_PITCH + k;
    return is_upper ? TRSM_SCRATCH - 2 - x : x;
  };
  const T pivot = is_upper ? divide(from_real<T>(1), scratch[at(c, c)]) : from_real<T>(1);
  T       x[TRSM_NB];
#pragma unroll
  for (int i = 0; i < TRSM_NB; i++) x[i] = from_real<T>(i == c);
#pragma unroll
  for (int k = 0; k < TRSM_NB; k++) {
    x[k] = x[k] * shfl(pivot, is_upper * TRSM_NB + k);
#pragma unroll
    for (int i = k + 1; i < TRSM_NB; i++) x[i] = mulsub(scratch[at(i, k)], x[k], x[i]);
  }
  inverse += is_upper * TRSM_TILE;
#pragma unroll
  for (int i = 0; i < TRSM_NB; i++)
    inverse[is_upper ? trsm_packed(TRSM_NB - 1 - i, TRSM_NB - 1 - c) : trsm_packed(i, c)] =
        i < c ? zero_of<T>() : x[i];
  __syncwarp();
}

/* Returns info to all threads. inverses: 2 TRSM_TILE per tile; permuted[i]: the row of the matrix that
 * the exchanges move to position i; `scratch`, swap[n], first_bad are in shared memory. */
template <class T>
BF_DEVICE int trsm_prepare(const T *a, int64_t ld, int n, const int *ipiv, T *scratch, int *swap,
                           int *first_bad, T *inverses, int *permuted)
{
  const int tid = (int)threadIdx.x, all = (int)blockDim.x;
  if (tid == 0) *first_bad = n + 2;
  for (int i = tid; i < n; i += all) swap[i] = ipiv[i] - 1;
  __syncthreads();
  for (int i = tid; i < n; i += all) {
    const int entry_info = diagonal_info(a[(int64_t)i * (ld + 1)], i, n);
    if (entry_info <= n) atomicMin(first_bad, entry_info);
  }
  for (int k = tid >> 5; k * TRSM_NB < n; k += all >> 5)
    trsm_invert_tile(a + (int64_t)k * TRSM_NB * (ld + 1), ld, n - k * TRSM_NB,
                     scratch + (tid >> 5) * TRSM_SCRATCH, inverses + 2 * k * TRSM_TILE, tid & 31);
  for (int i = tid; i < n; i += all) {
    int position = i;
#pragma unroll 8
    for (int k = 0; k < n; k++) {
      const int p = swap[k];
      position    = position == k ? p : position == p ? k : position;
    }
    permuted[position] = i;
  }
  __syncthreads();
  return info_of_diagonal(*first_bad, n);
}

} // namespace bf
#endif
