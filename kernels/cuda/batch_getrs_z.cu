/* kernels/cuda/batch_getrs_z.cu - batch_getrs.cuh for cplx<double> */
#include "kernels/cuda/batch_getrs.cuh"

template cudaError_t getrs_tiled(const batch_view<cplx<double>> &, const rhs_view<cplx<double>> &,
                                 const int *, int *, cudaStream_t);
