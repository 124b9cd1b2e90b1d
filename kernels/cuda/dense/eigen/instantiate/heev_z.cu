/* kernels/cuda/dense/eigen/instantiate/heev_z.cu - heev_shared.cuh for cplx<double> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/eigen/heev_shared.cuh"

namespace bf
{

template cudaError_t heev_dispatch(const batch_view<cplx<double>> &, bf_uplo, bool, real_t<cplx<double>> *,
                                   int *, void *, cudaStream_t);
template size_t      heev_dispatch_work<cplx<double>>(int, int);

} // namespace bf
