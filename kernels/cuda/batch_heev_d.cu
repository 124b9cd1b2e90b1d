/* kernels/cuda/batch_heev_d.cu - batch_heev.cuh for double */
#include "kernels/cuda/batch_heev.cuh"

template cudaError_t heev_tridiagonal(const batch_view<double> &, bf_uplo, bool, real_t<double> *, int *,
                                      void *, cudaStream_t);
template size_t      heev_tridiagonal_work<double>(int, int);
