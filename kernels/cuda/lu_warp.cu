/* kernels/cuda/lu_warp.cu - batches: LU of orders 17 .. 32, but for s to 64, by batch_warp.cuh: which shape
 * for which orders, as measured */
#include "kernels/cuda/batch_families.cuh"
#include "kernels/cuda/batch_warp.cuh"

/* Shapes: teams in a block, blocks on a multiprocessor */
template <class T>
struct lu_shape; /* orders to 24, to 32 */
template <>
struct lu_shape<float> {
  enum { T24 = 2, B24 = 16, T32 = 4, B32 = 8 };
};
template <>
struct lu_shape<double> {
  enum { T24 = 2, B24 = 14, T32 = 4, B32 = 5, B40 = 14, B48 = 10, B64 = 6 };
};
template <>
struct lu_shape<cplx<float>> {
  enum { T24 = 2, B24 = 12, T32 = 1, B32 = 20, B40 = 14, B48 = 10, B64 = 6 };
};
template <>
struct lu_shape<cplx<double>> {
  enum { T24 = 1, B24 = 16, T32 = 1, B32 = 12, B40 = 8, B48 = 5, B64 = 3 };
};

template <class T>
cudaError_t lu_warp(const batch_view<T> &A, int *ipiv, int *info, cudaStream_t s)
{
  using S                      = lu_shape<T>;
  constexpr bool whole_columns = sizeof(T) == 16;
  const int      n             = batch_edge(A.n);
  if (n <= 24) return warp_launch<T, 24, false, S::T24, S::B24, whole_columns>(A, ipiv, info, s);
  if constexpr (sizeof(T) > 4) {
    if (n > 48) return warp_launch<T, 64, false, 1, S::B64, true>(A, ipiv, info, s);
    if (n > 40) return warp_launch<T, 48, false, 1, S::B48, true>(A, ipiv, info, s);
    if (n > 32) return warp_launch<T, 40, false, 1, S::B40, true>(A, ipiv, info, s);
  }
  return warp_launch<T, 32, false, S::T32, S::B32, whole_columns>(A, ipiv, info, s);
}

template cudaError_t lu_warp(const batch_view<float> &, int *, int *, cudaStream_t);
template cudaError_t lu_warp(const batch_view<double> &, int *, int *, cudaStream_t);
template cudaError_t lu_warp(const batch_view<cplx<float>> &, int *, int *, cudaStream_t);
template cudaError_t lu_warp(const batch_view<cplx<double>> &, int *, int *, cudaStream_t);
