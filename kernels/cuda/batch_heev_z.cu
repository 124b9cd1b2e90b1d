/* kernels/cuda/batch_heev_z.cu - batch_heev.cuh for cplx<double> */
#include "kernels/cuda/batch_heev.cuh"

template cudaError_t heev_tridiagonal(const batch_view<cplx<double>> &, bf_uplo, bool, real_t<cplx<double>> *,
                                      int *, void *, cudaStream_t);
template size_t      heev_tridiagonal_work<cplx<double>>(int, int);
