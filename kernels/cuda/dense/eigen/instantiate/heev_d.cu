/* kernels/cuda/dense/eigen/instantiate/heev_d.cu - heev_shared.cuh for double */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/eigen/heev_shared.cuh"

namespace bf
{

template cudaError_t heev_dispatch(const batch_view<double> &, bf_uplo, bool, real_t<double> *, int *, void *,
                                   cudaStream_t);
template size_t      heev_dispatch_work<double>(int, int);

} // namespace bf
