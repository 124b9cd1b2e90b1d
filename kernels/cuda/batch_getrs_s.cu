/* kernels/cuda/batch_getrs_s.cu - batch_getrs.cuh for float */
#include "kernels/cuda/batch_getrs.cuh"

template cudaError_t getrs_tiled(const batch_view<float> &, const rhs_view<float> &, const int *, int *,
                                 cudaStream_t);
