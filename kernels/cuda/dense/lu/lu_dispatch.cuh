/* kernels/cuda/dense/lu/lu_dispatch.cuh - LU of orders above 32: kernel family by order; instantiated by
 * type
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_LU_LU_DISPATCH_CUH
#define BF_KERNELS_CUDA_DENSE_LU_LU_DISPATCH_CUH
#include "kernels/cuda/dense/launchers.cuh"
#include "kernels/cuda/dense/lu/lu_blocked.cuh"
#include "kernels/cuda/dense/lu/lu_blocked_one_panel.cuh"
#include "kernels/cuda/dense/lu/lu_warp_leading_columns.cuh"

namespace bf
{

/* Largest orders of warp_factor.cuh, of lu_warp_leading_columns.cuh, of lu_blocked_one_panel.cuh */
enum { LU_WARP_MAX = 64, LU_LEADING_MAX = 72, LU_ONE_PANEL_MAX = 80 };

template <class T>
size_t lu_dispatch_work(int n, int count)
{
  return n <= LU_LEADING_MAX ? 0 : lu_blocked_work<T>(n, count);
}

template <class T>
cudaError_t lu_dispatch(const batch_view<T> &A, int *ipiv, int *info, void *work, cudaStream_t s)
{
  const int n = bucket_order(A.n);
  if (n <= LU_WARP_MAX) return lu_warp(A, ipiv, info, s);
  if (n <= LU_LEADING_MAX) return lu_warp_leading_launch(A, ipiv, info, s);
  if (n <= LU_ONE_PANEL_MAX) return lu_one_panel(A, ipiv, info, work, s);
  return lu_blocked(A, ipiv, info, work, s);
}

} // namespace bf
#endif
