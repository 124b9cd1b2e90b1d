/* kernels/cuda/dense/lu/instantiate/lu_z.cu - LU of orders 33 .. 512 for cplx<double> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/lu/lu_dispatch.cuh"

namespace bf
{

template size_t      lu_dispatch_work<cplx<double>>(int, int);
template cudaError_t lu_dispatch(const batch_view<cplx<double>> &, int *, int *, void *, cudaStream_t);

} // namespace bf
