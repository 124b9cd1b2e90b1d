/* kernels/cuda/dense/eigen/instantiate/jacobi_z.cu - jacobi_onesided.cuh for cplx<double> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/eigen/jacobi_onesided.cuh"

namespace bf
{

template cudaError_t heev_jacobi(const batch_view<cplx<double>> &, const bf_heev_how &,
                                 real_t<cplx<double>> *, int *, void *, cudaStream_t);
template size_t      heev_jacobi_work<cplx<double>>(int, int);

} // namespace bf
