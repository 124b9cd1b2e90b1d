/* kernels/cuda/batch_lu_mid.cuh - which kernels of LU for which order above 32; instantiated by type */
#ifndef BF_BATCH_LU_MID_CUH
#define BF_BATCH_LU_MID_CUH
#include "kernels/cuda/batch_families.cuh"
#include "kernels/cuda/batch_lu_ahead.cuh"
#include "kernels/cuda/batch_lu_staged.cuh"

enum { LU_WARPS_MOST = 64 }; /* the last order of a warp or two a matrix */

/* Whether a block factors a matrix faster than the stages do, as measured: n an edge of batch_edge */
template <class T>
static inline bool lu_by_blocks(int n)
{
  return n == 128 && !is_complex<T>;
}

template <class T>
size_t lu_mid_work(int n, int count)
{
  return n <= LU_WARPS_MOST ? 0 : lu_staged_work<T>(n, count);
}

template <class T>
cudaError_t lu_mid(const batch_view<T> &A, int *ipiv, int *info, void *work, cudaStream_t s)
{
  const int n = batch_edge(A.n);
  if constexpr (sizeof(real_t<T>) == 8) {
    if (n <= LU_WARPS_MOST) return lu_warp(A, ipiv, info, s);
  } else if (n <= LU_WARPS_MOST)
    return lu_chip_launch<T, 1, 1, 2, 4>(A, ipiv, info, s);
  if constexpr (!is_complex<T>)
    if (lu_by_blocks<T>(n))
      return lu_ahead_launch < T, 2, 2, 4, 2, sizeof(T) == 4 ? 3 : 2 > (A, ipiv, info, s);
  return lu_staged(A, ipiv, info, work, s);
}
#endif
