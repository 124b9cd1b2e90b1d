/* kernels/cuda/dense/inverse/inverse_warp.cu - batched inverses of orders 17 .. 64, z from 9 on, by
 * warp_factor.cuh
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/common/warp_factor_tuning.cuh"

namespace bf
{

template <class T>
cudaError_t inverse_warp(const batch_view<T> &A, int *info, cudaStream_t s)
{
  return warp_dispatch<true>(A, NULL, info, s);
}

template cudaError_t inverse_warp(const batch_view<float> &, int *, cudaStream_t);
template cudaError_t inverse_warp(const batch_view<double> &, int *, cudaStream_t);
template cudaError_t inverse_warp(const batch_view<cplx<float>> &, int *, cudaStream_t);
template cudaError_t inverse_warp(const batch_view<cplx<double>> &, int *, cudaStream_t);

} // namespace bf
