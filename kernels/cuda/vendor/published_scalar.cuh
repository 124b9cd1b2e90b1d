/* kernels/cuda/vendor/published_scalar.cuh - arithmetic of the four types for the published kernels */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_VENDOR_PUBLISHED_SCALAR_CUH
#define BF_KERNELS_CUDA_VENDOR_PUBLISHED_SCALAR_CUH
#include "kernels/cuda/vendor/vendor_batched.cuh"

namespace bf
{

template <typename T>
struct bf_real {
  using type = T;
};
template <>
struct bf_real<cuComplex> {
  using type = float;
};
template <>
struct bf_real<cuDoubleComplex> {
  using type = double;
};

template <typename T>
static __device__ __forceinline__ T number(double re)
{
  if constexpr (std::is_arithmetic_v<T>)
    return (T)re;
  else
    return T{(typename bf_real<T>::type)re, 0};
}
/* a - b c */
template <typename T>
static __device__ __forceinline__ T minus(T a, T b, T c)
{
  if constexpr (std::is_arithmetic_v<T>)
    return a - b * c;
  else
    return T{a.x - b.x * c.x + b.y * c.y, a.y - b.x * c.y - b.y * c.x};
}
template <typename T>
static __device__ __forceinline__ T times(T a, T b)
{
  if constexpr (std::is_arithmetic_v<T>)
    return a * b;
  else
    return T{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
template <typename T>
static __device__ __forceinline__ T inverse(T a)
{
  if constexpr (std::is_arithmetic_v<T>) {
    return (T)1 / a;
  } else {
    const auto d = 1 / (a.x * a.x + a.y * a.y);
    return T{a.x * d, -a.y * d};
  }
}
template <typename T>
static __device__ __forceinline__ typename bf_real<T>::type size_of(T a)
{
  if constexpr (std::is_arithmetic_v<T>)
    return fabs(a);
  else
    return fabs(a.x) + fabs(a.y);
}

} // namespace bf
#endif
