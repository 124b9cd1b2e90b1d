/* kernels/cuda/dense/eigen/instantiate/jacobi_d.cu - jacobi_onesided.cuh for double */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/eigen/jacobi_onesided.cuh"

namespace bf
{

template cudaError_t heev_jacobi(const batch_view<double> &, const bf_heev_how &, real_t<double> *, int *,
                                 void *, cudaStream_t);
template size_t      heev_jacobi_work<double>(int, int);

} // namespace bf
