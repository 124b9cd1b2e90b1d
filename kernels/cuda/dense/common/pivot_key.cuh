/* kernels/cuda/dense/common/pivot_key.cuh - which of 32 rows has the pivot: keys in halves of 32 bits, and
 * what to do where they tie
 *
 * A warp's reduction takes 32 bits, which decide nearly always; ties are settled before anybody else sees the
 * choice.  Of equal entries the first place wins, as LAPACK's.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_COMMON_PIVOT_KEY_CUH
#define BF_KERNELS_CUDA_DENSE_COMMON_PIVOT_KEY_CUH
#include "kernels/cuda/device/scalar.cuh"

namespace bf
{

/* The upper half of a key, above 0 and growing with abs1(x), NaN the largest; and its lower half. */
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
/* Of such an upper half: whether the reciprocal (complex: its square too) is a plain number. */
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

/* What brings m that is not lu_usual, both parts of a complex number too, to where reciprocals are exact. */
static __device__ __forceinline__ float key_scale(float m)
{
  return m < 1.0f ? 0x1p90f : 0x1p-90f;
}
static __device__ __forceinline__ double key_scale(double m)
{
  return m < 1.0 ? 0x1p600 : 0x1p-600;
}

/* Of several lanes with the same upper half the one with the largest lower half, of equal ones the first
 * place: as a mask of one bit. */
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

/* Of a warp's lanes (upper half, lower half, place) the one with the pivot, at least one of them alive: an
 * upper half above 0.  most: the largest upper half. */
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
