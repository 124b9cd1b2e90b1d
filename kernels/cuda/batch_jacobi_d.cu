/* kernels/cuda/batch_jacobi_d.cu - batch_jacobi.cuh for double */
#include "kernels/cuda/batch_jacobi.cuh"

template cudaError_t heev_jacobi(const batch_view<double> &, const bf_heev_how &, real_t<double> *, int *,
                                 void *, cudaStream_t);
template size_t      heev_jacobi_work<double>(int, int);
