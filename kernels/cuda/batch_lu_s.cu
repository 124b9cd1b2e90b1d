/* kernels/cuda/batch_lu_s.cu - batch_lu.cuh for float */
#include "kernels/cuda/batch_lu_mid.cuh"

template cudaError_t lu_mid(const batch_view<float> &, int *, int *, cudaStream_t);
