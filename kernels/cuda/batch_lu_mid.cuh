/* kernels/cuda/batch_lu_mid.cuh - which kernels of LU for which order above 32; instantiated by type */
#ifndef BF_BATCH_LU_MID_CUH
#define BF_BATCH_LU_MID_CUH
#include "kernels/cuda/batch_families.cuh"
#include "kernels/cuda/batch_lu.cuh"
#include "kernels/cuda/batch_lu_staged.cuh"

enum { LU_ONE_LAUNCH = 64 }; /* the last order of it */

template <class T>
size_t lu_mid_work(int n, int count)
{
  return n <= LU_ONE_LAUNCH ? 0 : lu_staged_work<T>(n, count);
}

template <class T>
cudaError_t lu_mid(const batch_view<T> &A, int *ipiv, int *info, void *work, cudaStream_t s)
{
  if (batch_edge(A.n) > LU_ONE_LAUNCH) return lu_staged(A, ipiv, info, work, s);
  if constexpr (sizeof(real_t<T>) == 8)
    return lu_warp(A, ipiv, info, s);
  else
    return lu_chip_launch<T, 1, 1, 2, 4>(A, ipiv, info, s);
}
#endif
