/* kernels/cuda/batch_lu_mid.cuh - which kernels of LU for which order above 32; instantiated by type */
#ifndef BF_BATCH_LU_MID_CUH
#define BF_BATCH_LU_MID_CUH
#include "kernels/cuda/batch_families.cuh"
#include "kernels/cuda/batch_lu_ahead.cuh"
#include "kernels/cuda/batch_lu_staged.cuh"

/* The last order of one launch, as measured: a block a matrix. */
template <class T>
inline constexpr int lu_one_launch = sizeof(T) == 16 ? 64 : 128;

template <class T>
size_t lu_mid_work(int n, int count)
{
  return batch_edge(n) <= lu_one_launch<T> ? 0 : lu_staged_work<T>(n, count);
}

/* Orders to lu_one_launch */
template <class T>
static cudaError_t lu_middle(int n, const batch_view<T> &A, int *ipiv, int *info, cudaStream_t s)
{
  if constexpr (sizeof(real_t<T>) == 8) {
    if (n <= 64) return lu_warp(A, ipiv, info, s);
  } else if (n <= 64)
    return lu_chip_launch<T, 1, 1, 2, 4>(A, ipiv, info, s);
  if constexpr (sizeof(T) == 4) {
    if (n <= 96) return lu_ahead_launch<T, 3, 1, 3, 2, 4>(A, ipiv, info, s);
    return lu_ahead_launch<T, 2, 2, 4, 2, 3>(A, ipiv, info, s);
  } else if constexpr (sizeof(T) == 8) {
    if constexpr (is_complex<T>) {
      if (n <= 96) return lu_chip_launch<T, 4, 2, 2, 2>(A, ipiv, info, s);
    } else if (n <= 96)
      return lu_ahead_launch<T, 2, 2, 2, 3, 3>(A, ipiv, info, s);
    return lu_ahead_launch<T, 2, 2, 4, 2, 2>(A, ipiv, info, s);
  }
  return cudaErrorInvalidValue;
}

template <class T>
cudaError_t lu_mid(const batch_view<T> &A, int *ipiv, int *info, void *work, cudaStream_t s)
{
  const int n = batch_edge(A.n);
  if (n > lu_one_launch<T>) return lu_staged(A, ipiv, info, work, s);
  return lu_middle(n, A, ipiv, info, s);
}
#endif
