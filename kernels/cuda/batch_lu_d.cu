/* kernels/cuda/batch_lu_d.cu - batch_lu.cuh for double */
#include "kernels/cuda/batch_lu_mid.cuh"

template cudaError_t lu_mid(const batch_view<double> &, int *, int *, cudaStream_t);
