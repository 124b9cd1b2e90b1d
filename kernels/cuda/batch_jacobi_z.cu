/* kernels/cuda/batch_jacobi_z.cu - batch_jacobi.cuh for cplx<double> */
#include "kernels/cuda/batch_jacobi.cuh"

template cudaError_t heev_jacobi(const batch_view<cplx<double>> &, const bf_heev_how &,
                                 real_t<cplx<double>> *, int *, void *, cudaStream_t);
template size_t      heev_jacobi_work<cplx<double>>(int, int);
