/* kernels/cuda/batch_lu_z.cu - batch_lu.cuh for cplx<double> */
#include "kernels/cuda/batch_lu_mid.cuh"

template cudaError_t lu_mid(const batch_view<cplx<double>> &, int *, int *, cudaStream_t);
