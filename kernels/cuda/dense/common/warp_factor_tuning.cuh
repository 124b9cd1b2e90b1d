/* kernels/cuda/dense/common/warp_factor_tuning.cuh - shapes of warp_factor.cuh by order, as measured (H200)
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_COMMON_WARP_FACTOR_TUNING_CUH
#define BF_KERNELS_CUDA_DENSE_COMMON_WARP_FACTOR_TUNING_CUH
#include "kernels/cuda/dense/common/warp_factor.cuh"
#include "kernels/cuda/dense/launchers.cuh"

namespace bf
{

/* For orders to 24, 32, 40, 48, 64: teams per block (to 32), blocks per multiprocessor */
template <class T>
struct warp_tuning;
template <>
struct warp_tuning<float> {
  enum { T24 = 2, B24 = 16, T32 = 4, B32 = 8, B40 = 20, B48 = 18, B64 = 11 };
};
template <>
struct warp_tuning<double> {
  enum { T24 = 2, B24 = 14, T32 = 4, B32 = 5, B40 = 15, B48 = 10, B64 = 6 };
};
template <>
struct warp_tuning<cplx<float>> {
  enum { T24 = 2, B24 = 12, T32 = 4, B32 = 5, B40 = 14, B48 = 10, B64 = 6 };
};
template <>
struct warp_tuning<cplx<double>> {
  enum { T24 = 1, B24 = 16, T32 = 1, B32 = 12, B40 = 8, B48 = 5, B64 = 3 };
};

/* Orders from 17 on, z from 9 on */
template <bool INVERSE, class T>
static cudaError_t warp_dispatch(const batch_view<T> &A, int *ipiv, int *info, cudaStream_t s)
{
  using B                  = warp_tuning<T>;
  constexpr bool bulk_copy = sizeof(T) == 16; /* columns are long enough for it */
  constexpr bool helper    = sizeof(T) > 4;   /* products are long enough, from order 49 on */
  const int      n         = bucket_order(A.n);
  if constexpr (sizeof(T) == 16)
    if (n <= 16) return warp_launch<T, 16, 16, INVERSE, 2, 8, false, false>(A, ipiv, info, s);
  if (n <= 24) return warp_launch<T, 24, 32, INVERSE, B::T24, B::B24, bulk_copy, false>(A, ipiv, info, s);
  if (n <= 32) return warp_launch<T, 32, 32, INVERSE, B::T32, B::B32, bulk_copy, false>(A, ipiv, info, s);
  if (n <= 40) return warp_launch<T, 40, 32, INVERSE, 1, B::B40, false, false>(A, ipiv, info, s);
  if (n <= 48) return warp_launch<T, 48, 32, INVERSE, 1, B::B48, false, false>(A, ipiv, info, s);
  return warp_launch<T, 64, 32, INVERSE, 1, B::B64, false, helper>(A, ipiv, info, s);
}

} // namespace bf
#endif
