/* kernels/cuda/dense/solve/instantiate/getrs_d.cu - solve/getrs.cuh for double */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/solve/getrs.cuh"

namespace bf
{

template cudaError_t getrs_tiled(const batch_view<double> &, const rhs_view<double> &, const int *, int *,
                                 cudaStream_t);

} // namespace bf
