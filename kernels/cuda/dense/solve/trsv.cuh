/* kernels/cuda/dense/solve/trsv.cuh - triangular solve for a few right-hand sides: by the lanes of a
 * subwarp, or by a block
 *
 * Computes   B = M^-1 B for a lower or upper triangle, transposed or conjugated.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 3.1 (column-oriented substitution).
 * Layout     a thread owns a row of the right-hand side and holds R columns of it in registers. Row i sums
 *            its terms in the order of substitution for any group: the same bits.
 * Cost       n^2 R flops (complex 4 times); one barrier per 32 rows in a block.
 * Checked    tests/kernels/dense/t363_solve_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_SOLVE_TRSV_CUH
#define BF_KERNELS_CUDA_DENSE_SOLVE_TRSV_CUH
#include "kernels/cuda/dense/batch_view.cuh"
#include <float.h>

namespace bf
{

enum { WARP_SIZE = 32 };

/* A triangular solve: M(i,k) = a[i*down + k*across], conjugated or not; unit: the diagonal is 1. */
struct triangle {
  int  forward, unit, conjugate;
  bool transposed; /* M(i,k) is A(k,i) */
};

template <class T>
struct triangle_entries {
  const T *a;
  int64_t  down, across;
  bool     conjugate;

  __device__ __forceinline__ triangle_entries(const T *p, int ld, const triangle &t)
      : a(p), down(t.transposed ? ld : 1), across(t.transposed ? 1 : ld), conjugate(t.conjugate)
  {
  }
  __device__ __forceinline__ T operator()(int i, int k) const
  {
    const T x = a[i * down + k * across];
    return conjugate ? conj(x) : x;
  }
};

/* x / d by the reciprocal r of d, if that is a normal number */
template <class T>
static __device__ __forceinline__ T divide_by_diagonal(T x, T d, T r)
{
  const auto size = abs1(r);
  const bool fine = size > (sizeof(size) == 4 ? FLT_MIN : DBL_MIN) && is_finite(r);
  return fine ? x * r : divide(x, d);
}

/* Rows k0 .. k0+m-1 of a solve, m <= W: lane k has b[] of row k0 + k; results replace it. */
template <class T, int W, int R>
static __device__ __forceinline__ void
solve_rows(unsigned mask, const triangle &t, const triangle_entries<T> &M, int k0, int m, int lane, T (&b)[R])
{
  const bool mine = lane < m;
  const T    d    = mine && !t.unit ? M(k0 + lane, k0 + lane) : from_real<T>(1);
  const T    r    = divide(from_real<T>(1), d);
#pragma unroll 8
  for (int s = 0; s < m; s++) {
    const int  k     = t.forward ? s : m - 1 - s;
    const bool after = mine && (t.forward ? lane > k : lane < k);
    const T    e     = after ? M(k0 + lane, k0 + k) : from_real<T>(0);
#pragma unroll
    for (int c = 0; c < R; c++) {
      if (lane == k && !t.unit) b[c] = divide_by_diagonal(b[c], d, r);
      const T x = shfl(b[c], k, mask, W);
      if (after) b[c] = mulsub(e, x, b[c]);
    }
  }
}

/* info of a factor as getrs defines it: 0, the first zero on the diagonal from 1, n+1; for a part of the
 * rows */
template <class T>
static __device__ __forceinline__ int diagonal_info(T d, int i, int n)
{
  return !is_finite(d) ? -1 : abs1(d) == 0 ? i + 1 : n + 2;
}
static __device__ __forceinline__ int info_of_diagonal(int least, int n)
{
  return least < 0 ? n + 1 : least > n ? 0 : least;
}

/* at[i] = the row that the exchanges of ipiv move to row i; one thread, at[] in shared memory */
static __device__ __forceinline__ void permute_rows(const int *__restrict__ ipiv, int n, int *at)
{
  for (int k = 0; k < n; k++) {
    const int p = ipiv[k] - 1, x = at[k];
    at[k] = at[p];
    at[p] = x;
  }
}

/* A triangular solve by a block: thread i has b[] of row i; block_results[2][R][WARP_SIZE] in shared
 * memory */
template <class T, int R>
static __device__ __forceinline__ void substitute_block(const triangle &t, const triangle_entries<T> &M,
                                                        int n, T (&b)[R], T *block_results)
{
  const int i = (int)threadIdx.x, blocks = (n + WARP_SIZE - 1) / WARP_SIZE, own = i / WARP_SIZE;
  for (int s = 0; s < blocks; s++) {
    const int k = t.forward ? s : blocks - 1 - s, k0 = k * WARP_SIZE,
              m = n - k0 < WARP_SIZE ? n - k0 : WARP_SIZE;
    T *x        = block_results + (s & 1) * R * WARP_SIZE;
    if (own == k) {
      solve_rows<T, WARP_SIZE, R>(0xffffffffu, t, M, k0, m, i % WARP_SIZE, b);
#pragma unroll
      for (int c = 0; c < R; c++) x[c * WARP_SIZE + i % WARP_SIZE] = b[c];
    }
    __syncthreads();
    if (i >= n || (t.forward ? own <= k : own >= k)) continue;
#pragma unroll 8
    for (int q = 0; q < m; q++) {
      const int j = t.forward ? q : m - 1 - q;
      const T   e = M(i, k0 + j);
#pragma unroll
      for (int c = 0; c < R; c++) b[c] = mulsub(e, x[c * WARP_SIZE + j], b[c]);
    }
  }
}

} // namespace bf
#endif
