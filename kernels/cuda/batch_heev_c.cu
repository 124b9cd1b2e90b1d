/* kernels/cuda/batch_heev_c.cu - batch_heev.cuh for cplx<float> */
#include "kernels/cuda/batch_heev.cuh"

template cudaError_t heev_tridiagonal(const batch_view<cplx<float>> &, bf_uplo, bool, real_t<cplx<float>> *,
                                      int *, void *, cudaStream_t);
template size_t      heev_tridiagonal_work<cplx<float>>(int, int);
