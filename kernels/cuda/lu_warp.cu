/* kernels/cuda/lu_warp.cu - batches: LU of orders 17 .. 64, z from 9 on, by batch_warp.cuh */
#include "kernels/cuda/batch_warp_orders.cuh"

template <class T>
cudaError_t lu_warp(const batch_view<T> &A, int *ipiv, int *info, cudaStream_t s)
{
  return warp_by_order<false>(A, ipiv, info, s);
}

template cudaError_t lu_warp(const batch_view<float> &, int *, int *, cudaStream_t);
template cudaError_t lu_warp(const batch_view<double> &, int *, int *, cudaStream_t);
template cudaError_t lu_warp(const batch_view<cplx<float>> &, int *, int *, cudaStream_t);
template cudaError_t lu_warp(const batch_view<cplx<double>> &, int *, int *, cudaStream_t);
