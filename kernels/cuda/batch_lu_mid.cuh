/* kernels/cuda/batch_lu_mid.cuh - which kernel of batch_lu.cuh for which order; instantiated by type */
#ifndef BF_BATCH_LU_MID_CUH
#define BF_BATCH_LU_MID_CUH
#include "kernels/cuda/batch_families.cuh"
#include "kernels/cuda/batch_lu_stream.cuh"

enum { LU_ROOM = 227 * 1024 }; /* shared memory that a block may have */

template <class T, int PW>
static inline bool lu_fits(int n)
{
  return lu_layout<T, PW, false, 0>(n).bytes <= LU_ROOM;
}

template <class T>
cudaError_t lu_mid(const batch_view<T> &A, int *ipiv, int *info, cudaStream_t s)
{
  const int n = batch_edge(A.n);
  if constexpr (sizeof(T) == 16)
    if (n > 48 && n <= 64) return lu_chip_launch<T, 2, 1, 2, 2>(A, ipiv, info, s);
  if (n <= 64) return lu_chip_launch<T, 1, 1, 2, 4>(A, ipiv, info, s);
  if (n <= 128 && lu_fits<T, 2>(n)) return lu_chip_launch<T, 4, 2, 2, 2>(A, ipiv, info, s);
  if constexpr (std::is_same_v<T, double>)
    if (n <= 192) return lu_chip_launch<T, 8, 4, 2, 2>(A, ipiv, info, s);
  if (n <= 160 && sizeof(T) == 4) return lu_chip_launch<T, 8, 4, 2, 2>(A, ipiv, info, s);
  if constexpr (std::is_same_v<T, cplx<float>>)
    if (n <= 192) return lu_stream_launch<T, 8, 8, 1, 2, 2>(A, ipiv, info, s);
  if (n <= 256) return lu_stream_launch<T, 8, 4, 2, 2, 2>(A, ipiv, info, s);
  if constexpr (sizeof(T) < 16)
    return lu_stream_launch<T, 8, 8, 2, 4, 2>(A, ipiv, info, s);
  else
    return lu_stream_launch<T, 8, 8, 2, 4, 1>(A, ipiv, info, s);
}
#endif
