/* kernels/cuda/batch_lu_mid.cuh - which kernel of batch_lu.cuh for which order; instantiated by type */
#ifndef BF_BATCH_LU_MID_CUH
#define BF_BATCH_LU_MID_CUH
#include "kernels/cuda/batch_families.cuh"
#include "kernels/cuda/batch_lu_ahead.cuh"
#include "kernels/cuda/batch_lu_stream.cuh"

/* Orders 65 .. 192 by warps of two kinds where they win, as measured */
template <class T>
static cudaError_t lu_middle(int n, const batch_view<T> &A, int *ipiv, int *info, cudaStream_t s)
{
  if constexpr (sizeof(T) == 16) {
    if (n <= 96) return lu_ahead_launch<T, 3, 1, 3, 2, 1>(A, ipiv, info, s);
    if (n <= 128) return lu_ahead_launch<T, 4, 1, 4, 2, 1>(A, ipiv, info, s);
    return lu_stream_launch<T, 8, 4, 2, 2, 2>(A, ipiv, info, s);
  } else if constexpr (sizeof(T) == 4) {
    if (n <= 96) return lu_ahead_launch<T, 3, 1, 3, 2, 4>(A, ipiv, info, s);
    if (n <= 128) return lu_ahead_launch<T, 2, 2, 4, 2, 3>(A, ipiv, info, s);
    if (n <= 160) return lu_ahead_launch<T, 6, 1, 6, 2, 2>(A, ipiv, info, s);
    return lu_ahead_launch<T, 6, 1, 12, 1, 1>(A, ipiv, info, s);
  } else {
    if constexpr (is_complex<T>) {
      if (n <= 96) return lu_chip_launch<T, 4, 2, 2, 2>(A, ipiv, info, s);
    } else if (n <= 96)
      return lu_ahead_launch<T, 2, 2, 2, 3, 3>(A, ipiv, info, s);
    if (n <= 128) return lu_ahead_launch<T, 2, 2, 4, 2, 2>(A, ipiv, info, s);
    return lu_ahead_launch<T, 6, 1, 6, 2, 1>(A, ipiv, info, s);
  }
}

template <class T>
cudaError_t lu_mid(const batch_view<T> &A, int *ipiv, int *info, cudaStream_t s)
{
  const int n = batch_edge(A.n);
  if constexpr (sizeof(real_t<T>) == 8) {
    if (n <= 64) return lu_warp(A, ipiv, info, s);
  } else if (n <= 64)
    return lu_chip_launch<T, 1, 1, 2, 4>(A, ipiv, info, s);
  if (n <= 192) return lu_middle(n, A, ipiv, info, s);
  if (n <= 256) return lu_stream_launch<T, 8, 4, 2, 2, 2>(A, ipiv, info, s);
  if constexpr (sizeof(T) < 16)
    return lu_stream_launch<T, 8, 8, 2, 4, 2>(A, ipiv, info, s);
  else
    return lu_stream_launch<T, 8, 8, 2, 4, 1>(A, ipiv, info, s);
}
#endif
