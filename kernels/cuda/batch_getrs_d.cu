/* kernels/cuda/batch_getrs_d.cu - batch_getrs.cuh for double */
#include "kernels/cuda/batch_getrs.cuh"

template cudaError_t getrs_tiled(const batch_view<double> &, const rhs_view<double> &, const int *, int *,
                                 cudaStream_t);
