/* kernels/cuda/dense/eigen/instantiate/heev_s.cu - heev_shared.cuh for float */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/eigen/heev_shared.cuh"

namespace bf
{

template cudaError_t heev_dispatch(const batch_view<float> &, bf_uplo, bool, real_t<float> *, int *, void *,
                                   cudaStream_t);
template size_t      heev_dispatch_work<float>(int, int);

} // namespace bf
