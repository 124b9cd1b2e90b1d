/* kernels/cuda/batch_lu_c.cu - batch_lu.cuh for cplx<float> */
#include "kernels/cuda/batch_lu_mid.cuh"

template cudaError_t lu_mid(const batch_view<cplx<float>> &, int *, int *, cudaStream_t);
