/* kernels/cuda/batch_heev_s.cu - batch_heev.cuh for float */
#include "kernels/cuda/batch_heev.cuh"

template cudaError_t heev_tridiagonal(const batch_view<float> &, bf_uplo, bool, real_t<float> *, int *,
                                      void *, cudaStream_t);
template size_t      heev_tridiagonal_work<float>(int, int);
