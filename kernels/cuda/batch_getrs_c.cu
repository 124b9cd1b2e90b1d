/* kernels/cuda/batch_getrs_c.cu - batch_getrs.cuh for cplx<float> */
#include "kernels/cuda/batch_getrs.cuh"

template cudaError_t getrs_tiled(const batch_view<cplx<float>> &, const rhs_view<cplx<float>> &, const int *,
                                 int *, cudaStream_t);
