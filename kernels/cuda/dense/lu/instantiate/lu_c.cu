/* kernels/cuda/dense/lu/instantiate/lu_c.cu - LU of orders 33 .. 512 for cplx<float> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/lu/lu_dispatch.cuh"

namespace bf
{

template size_t      lu_dispatch_work<cplx<float>>(int, int);
template cudaError_t lu_dispatch(const batch_view<cplx<float>> &, int *, int *, void *, cudaStream_t);

} // namespace bf
