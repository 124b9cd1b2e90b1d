/* kernels/cuda/dense/common/pivot_key.cuh - choice of the pivot among the 32 rows of a warp
 *
 * Computes   the row with the largest |re| + |im|; of equal rows the first position, as LAPACK.
 * Layout     a key is the bit pattern of |re| + |im| in two halves of 32 bits.
 * Cost       one warp reduction of the upper halves; a second one only for ties.
 * Checked    tests/kernels/dense/t361_inverse_batch.c, t362_lu_batch.c, t368_lu_panels.c,
 *            t369_hard_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_COMMON_PIVOT_KEY_CUH
#define BF_KERNELS_CUDA_DENSE_COMMON_PIVOT_KEY_CUH
#include "kernels/cuda/device/scalar.cuh"

namespace bf
{

/* Upper half of a key: above 0, grows with abs1(x), largest for NaN; and the lower half. */
static __device__ __forceinline__ unsigned key_bits(float m)
{
  return (unsigned)__float_as_int(m);
}
static __device__ __forceinline__ unsigned key_bits(double m)
{
  return (unsigned)__double2hiint(m);
}
template <class T>
static __device__ __forceinline__ unsigned key_high(T x)
{
  if constexpr (is_complex<T>)
    return key_bits(abs1(x)) + 1u;
  else
    return (key_bits(x) & 0x7fffffffu) + 1u;
}
template <class T>
static __device__ __forceinline__ unsigned key_low(T x)
{
  if constexpr (sizeof(real_t<T>) == 4)
    return 0;
  else
    return (unsigned)__double2loint(abs1(x));
}
/* For an upper half: whether the reciprocal (complex: also the square) neither overflows nor underflows */
template <class T>
static __device__ __forceinline__ bool key_reciprocal_safe(unsigned high)
{
  constexpr bool     f   = sizeof(real_t<T>) == 4;
  constexpr unsigned low = f               ? (is_complex<T> ? 0x22000000u : 0x01000000u)
                           : is_complex<T> ? 0x21000000u
                                           : 0x01a00000u;
  constexpr unsigned top = f               ? (is_complex<T> ? 0x5d000000u : 0x7e000000u)
                           : is_complex<T> ? 0x5e000000u
                                           : 0x7e300000u;
  return high - low < top - low;
}

/* Factor that brings m, for which key_reciprocal_safe is false, into the safe range; for both parts of a
 * complex number */
static __device__ __forceinline__ float key_scale(float m)
{
  return m < 1.0f ? 0x1p90f : 0x1p-90f;
}
static __device__ __forceinline__ double key_scale(double m)
{
  return m < 1.0 ? 0x1p600 : 0x1p-600;
}

/* Among lanes with the same upper half: the one with the largest lower half, then the first position; as
 * a mask of one bit */
template <class R>
static __device__ __forceinline__ unsigned break_tie(bool mine, unsigned low, int position)
{
  if constexpr (sizeof(R) == 8) {
    const unsigned most = __reduce_max_sync(~0u, mine ? low : 0);
    mine                = mine && low == most;
  }
  const unsigned first = __reduce_min_sync(~0u, mine ? (unsigned)position : ~0u);
  return __ballot_sync(~0u, mine && (unsigned)position == first);
}

/* The lane with the pivot from (upper half, lower half, position) of each lane; at least one upper half
 * is above 0. most: the largest upper half. */
template <class R>
static __device__ __forceinline__ int pivot_lane(unsigned high, unsigned low, int position, unsigned &most)
{
  most         = __reduce_max_sync(~0u, high);
  unsigned who = __ballot_sync(~0u, high == most);
  if ((who & (who - 1)) && most != 0) who = break_tie<R>(high == most, low, position);
  return __ffs((int)who) - 1;
}

} // namespace bf
#endif
