/* kernels/cuda/dense/lu/lu_warp.cu - batched LU of orders 17 .. 64, z from 9 on, by warp_factor.cuh */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/common/warp_factor_tuning.cuh"

namespace bf
{

template <class T>
cudaError_t lu_warp(const batch_view<T> &A, int *ipiv, int *info, cudaStream_t s)
{
  return warp_dispatch<false>(A, ipiv, info, s);
}

template cudaError_t lu_warp(const batch_view<float> &, int *, int *, cudaStream_t);
template cudaError_t lu_warp(const batch_view<double> &, int *, int *, cudaStream_t);
template cudaError_t lu_warp(const batch_view<cplx<float>> &, int *, int *, cudaStream_t);
template cudaError_t lu_warp(const batch_view<cplx<double>> &, int *, int *, cudaStream_t);

} // namespace bf
