/* kernels/cuda/dense/solve/instantiate/getrs_z.cu - solve/getrs.cuh for cplx<double> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/solve/getrs.cuh"

namespace bf
{

template cudaError_t getrs_tiled(const batch_view<cplx<double>> &, const rhs_view<cplx<double>> &,
                                 const int *, int *, cudaStream_t);

} // namespace bf
