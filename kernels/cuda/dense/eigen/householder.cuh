/* kernels/cuda/dense/eigen/householder.cuh - Householder reflectors, sums over the lanes of a warp, phases
 * of columns
 *
 * Computes   a reflector from a vector; sums; the phase that makes the largest component real and positive.
 * Source     LAPACK's zlarfg.
 * Layout     vectors distributed over the lanes of a warp.
 * Checked    tests/kernels/dense/t359_pairs_batch.c, t360_heev_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_HOUSEHOLDER_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_HOUSEHOLDER_CUH
#include "kernels/cuda/dense/common/subwarp_rows.cuh"
#include "kernels/cuda/dense/eigen/stedc_secular.cuh"

namespace bf
{

/* A scalar in workspace or shared memory with full alignment: both parts in one access */
template <class T>
__device__ __forceinline__ T load_aligned(const T *p)
{
  return load(p, true);
}
template <class T>
__device__ __forceinline__ void store_aligned(T *p, T x)
{
  store(p, x, true);
}

template <class T>
__device__ __forceinline__ T sum_warp(T a)
{
  for (int o = 1; o < 32; o *= 2) a = a + shfl_xor(a, o);
  return a;
}

/* The reflector I - tau v v^H, v_0 = 1, that maps (alpha, x) to (beta, 0); returns the factor of x. */
template <class T>
__device__ __forceinline__ T reflector(T alpha, real_t<T> xx, T *tau, real_t<T> *beta)
{
  using R       = real_t<T>;
  const R norm2 = xx + square_of(alpha), tiny = sizeof(R) == 8 ? R(1e-290) : R(1e-35);
  *tau  = from_real<T>(0);
  *beta = real_part(alpha);
  if ((xx == 0 && imag_part(alpha) == 0) || norm2 < tiny) return from_real<T>(0); /* zero to roundoff */
  const R r = real_part(alpha) >= 0 ? -rsqrt(norm2) : rsqrt(norm2);
  *beta     = norm2 * r;
  if constexpr (is_complex<T>) {
    *tau      = {R(1) - alpha.re * r, -alpha.im * r};
    const T q = {alpha.re - *beta, alpha.im};
    const R d = reciprocal_of(square_of(q));
    return {q.re * d, -q.im * d};
  } else {
    *tau = R(1) - alpha * r;
    return reciprocal_of(alpha - *beta);
  }
}

/* Sums of COLUMNS numbers over `lanes` lanes, one result per lane; each step halves the numbers. */
template <class T, int COLUMNS>
__device__ __forceinline__ T sum_columns(const T *sum, int lanes, int o = 1)
{
  if constexpr (COLUMNS == 1) {
    T x = sum[0];
    for (; o < lanes; o *= 2) x = x + shfl_xor(x, o);
    return x;
  } else {
    const bool up = threadIdx.x & (unsigned)o;
    T          half[COLUMNS / 2];
#pragma unroll
    for (int p = 0; p < COLUMNS / 2; p++) {
      const T send = up ? sum[p] : sum[p + COLUMNS / 2], keep = up ? sum[p + COLUMNS / 2] : sum[p];
      half[p] = keep + shfl_xor(send, o);
    }
    return sum_columns<T, COLUMNS / 2>(half, lanes, 2 * o);
  }
}
/* The lane of a group with result p of sum_columns */
template <int COLUMNS>
__device__ __forceinline__ constexpr int lane_of_column(int p)
{
  int l = 0, bit = 1;
  for (int h = COLUMNS / 2; h >= 1; h /= 2, bit *= 2)
    if (p & h) l |= bit;
  return l;
}

/* Phase that makes the largest component of a column real and positive; rows g + lanes*r of it are q[r]. */
template <class T, int ROWS>
__device__ __forceinline__ T phase_of(const T *q, int g, int lanes)
{
  using R  = real_t<T>;
  R   best = -1;
  int at   = 0;
  T   x    = from_real<T>(0);
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    if (square_of(q[r]) > best) {
      best = square_of(q[r]);
      at   = g + lanes * r;
      x    = q[r];
    }
  for (int o = 1; o < lanes; o *= 2) {
    const R   m = __shfl_xor_sync(~0u, best, o);
    const int i = __shfl_xor_sync(~0u, at, o);
    const T   y = shfl_xor(x, o);
    if (m > best || (m == best && i < at)) {
      best = m;
      at   = i;
      x    = y;
    }
  }
  if constexpr (is_complex<T>)
    return times(conj(x), R(1) / sqrt(best));
  else
    return x < 0 ? R(-1) : R(1);
}

} // namespace bf
#endif
