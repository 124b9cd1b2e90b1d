/* kernels/cuda/dense/solve/trsm_invert_diagonal.cuh - what solutions with getrf's factors by tiles begin
 * with: the inverses of the tiles on the diagonal, info, where the exchanges of rows lead
 *
 * Layout     a warp a tile: half of its lanes have the columns of L's inverse, half those of U's, which read
 *            backwards is a lower triangle too.  A thread follows one row through all exchanges.
 * Cost       2 (n/16) 16^3/3 flops, n^2 comparisons.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 3.1.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_SOLVE_TRSM_INVERT_DIAGONAL_CUH
#define BF_KERNELS_CUDA_DENSE_SOLVE_TRSM_INVERT_DIAGONAL_CUH
#include "kernels/cuda/dense/solve/trsm_tile.cuh"
#include "kernels/cuda/dense/solve/trsv.cuh"

namespace bf
{

enum { TILED_PITCH = TILED + 1, TILED_ROOM = TILED * TILED_PITCH };

/* inverse: L's, then U's, packed.  room: TILED_ROOM of the warp.  The matrix has `left` rows from a on;
 * beyond them it is continued as the identity. */
template <class T>
BF_TILED void tiled_invert(const T *a, int64_t ld, int left, T *room, T *inverse, int lane)
{
  const int half = lane >> 4, c = lane & 15;
#pragma unroll
  for (int e = 0; e < TILED_ALL / 32; e++) {
    const int k               = 2 * e + half;
    room[c * TILED_PITCH + k] = c < left && k < left ? a[k * ld + c] : from_real<T>(c == k);
  }
  __syncwarp();
  const auto at = [&](int i, int k) {
    const int x = i * TILED_PITCH + k;
    return half ? TILED_ROOM - 2 - x : x;
  };
  const T pivot = half ? divide(from_real<T>(1), room[at(c, c)]) : from_real<T>(1);
  T       x[TILED];
#pragma unroll
  for (int i = 0; i < TILED; i++) x[i] = from_real<T>(i == c);
#pragma unroll
  for (int k = 0; k < TILED; k++) {
    x[k] = x[k] * of_lane(pivot, half * TILED + k);
#pragma unroll
    for (int i = k + 1; i < TILED; i++) x[i] = mulsub(room[at(i, k)], x[k], x[i]);
  }
  inverse += half * TILED_ALL;
#pragma unroll
  for (int i = 0; i < TILED; i++)
    inverse[half ? tiled_packed(TILED - 1 - i, TILED - 1 - c) : tiled_packed(i, c)] =
        i < c ? zero_of<T>() : x[i];
  __syncwarp();
}

/* Returns info to all threads.  inverses: 2 TILED_ALL for every tile; at[i]: the row of the matrix that the
 * exchanges bring to place i; `room`, row[n], least are shared. */
template <class T>
BF_TILED int tiled_begin(const T *a, int64_t ld, int n, const int *ipiv, T *room, int *row, int *least,
                         T *inverses, int *at)
{
  const int tid = (int)threadIdx.x, all = (int)blockDim.x;
  if (tid == 0) *least = n + 2;
  for (int i = tid; i < n; i += all) row[i] = ipiv[i] - 1;
  __syncthreads();
  for (int i = tid; i < n; i += all) {
    const int what = diagonal_info(a[(int64_t)i * (ld + 1)], i, n);
    if (what <= n) atomicMin(least, what);
  }
  for (int k = tid >> 5; k * TILED < n; k += all >> 5)
    tiled_invert(a + (int64_t)k * TILED * (ld + 1), ld, n - k * TILED, room + (tid >> 5) * TILED_ROOM,
                 inverses + 2 * k * TILED_ALL, tid & 31);
  for (int i = tid; i < n; i += all) {
    int place = i;
#pragma unroll 8
    for (int k = 0; k < n; k++) {
      const int p = row[k];
      place       = place == k ? p : place == p ? k : place;
    }
    at[place] = i;
  }
  __syncthreads();
  return settle(*least, n);
}

} // namespace bf
#endif
