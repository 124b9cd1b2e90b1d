/* kernels/cuda/dense/eigen/instantiate/jacobi_s.cu - jacobi_onesided.cuh for float */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/eigen/jacobi_onesided.cuh"

namespace bf
{

template cudaError_t heev_jacobi(const batch_view<float> &, const bf_heev_how &, real_t<float> *, int *,
                                 void *, cudaStream_t);
template size_t      heev_jacobi_work<float>(int, int);

} // namespace bf
