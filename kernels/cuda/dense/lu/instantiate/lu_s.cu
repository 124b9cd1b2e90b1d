/* kernels/cuda/dense/lu/instantiate/lu_s.cu - LU of orders 33 .. 512 for float */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/lu/lu_dispatch.cuh"

namespace bf
{

template size_t      lu_dispatch_work<float>(int, int);
template cudaError_t lu_dispatch(const batch_view<float> &, int *, int *, void *, cudaStream_t);

} // namespace bf
