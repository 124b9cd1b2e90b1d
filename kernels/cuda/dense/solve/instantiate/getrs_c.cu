/* kernels/cuda/dense/solve/instantiate/getrs_c.cu - solve/getrs.cuh for cplx<float> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/solve/getrs.cuh"

namespace bf
{

template cudaError_t getrs_tiled(const batch_view<cplx<float>> &, const rhs_view<cplx<float>> &, const int *,
                                 int *, cudaStream_t);

} // namespace bf
