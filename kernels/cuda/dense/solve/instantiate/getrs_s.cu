/* kernels/cuda/dense/solve/instantiate/getrs_s.cu - solve/getrs.cuh for float */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/solve/getrs.cuh"

namespace bf
{

template cudaError_t getrs_tiled(const batch_view<float> &, const rhs_view<float> &, const int *, int *,
                                 cudaStream_t);

} // namespace bf
