/* kernels/cuda/dense/eigen/instantiate/jacobi_c.cu - jacobi_onesided.cuh for cplx<float> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/eigen/jacobi_onesided.cuh"

namespace bf
{

template cudaError_t heev_jacobi(const batch_view<cplx<float>> &, const bf_heev_how &, real_t<cplx<float>> *,
                                 int *, void *, cudaStream_t);
template size_t      heev_jacobi_work<cplx<float>>(int, int);

} // namespace bf
