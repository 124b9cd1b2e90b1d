/* kernels/cuda/batch_jacobi_s.cu - batch_jacobi.cuh for float */
#include "kernels/cuda/batch_jacobi.cuh"

template cudaError_t heev_jacobi(const batch_view<float> &, const bf_heev_how &, real_t<float> *, int *,
                                 void *, cudaStream_t);
template size_t      heev_jacobi_work<float>(int, int);
