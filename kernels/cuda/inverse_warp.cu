/* kernels/cuda/inverse_warp.cu - batches: inverses of orders 17 .. 64, by batch_warp.cuh: which
 * shape for which orders, as measured */
#include "kernels/cuda/batch_families.cuh"
#include "kernels/cuda/batch_warp.cuh"

/* Shapes: teams in a block, blocks on a multiprocessor */
template <class T>
struct inverse_shape; /* orders to 24, to 32, 40, 48, 64 */
template <>
struct inverse_shape<float> {
  enum { T24 = 2, B24 = 16, T32 = 4, B32 = 8, B40 = 14, B48 = 14, B64 = 11 };
};
template <>
struct inverse_shape<double> {
  enum { T24 = 2, B24 = 14, T32 = 4, B32 = 5, B40 = 12, B48 = 10, B64 = 6 };
};
template <>
struct inverse_shape<cplx<float>> {
  enum { T24 = 2, B24 = 12, T32 = 4, B32 = 6, B40 = 12, B48 = 10, B64 = 6 };
};
template <>
struct inverse_shape<cplx<double>> {
  enum { T24 = 1, B24 = 16, T32 = 1, B32 = 12, B40 = 8, B48 = 5, B64 = 3 };
};

template <class T>
cudaError_t inverse_warp(const batch_view<T> &A, int *info, cudaStream_t s)
{
  using S                      = inverse_shape<T>;
  constexpr bool whole_columns = sizeof(T) == 16;
  const int      n             = batch_edge(A.n);
  if (n <= 24) return warp_launch<T, 24, true, S::T24, S::B24, whole_columns>(A, NULL, info, s);
  if (n <= 32) return warp_launch<T, 32, true, S::T32, S::B32, whole_columns>(A, NULL, info, s);
  if (n > 48) return warp_launch<T, 64, true, 1, S::B64, true>(A, NULL, info, s);
  if (n <= 40) return warp_launch<T, 40, true, 1, S::B40, true>(A, NULL, info, s);
  return warp_launch<T, 48, true, 1, S::B48, true>(A, NULL, info, s);
}

template cudaError_t inverse_warp(const batch_view<float> &, int *, cudaStream_t);
template cudaError_t inverse_warp(const batch_view<double> &, int *, cudaStream_t);
template cudaError_t inverse_warp(const batch_view<cplx<float>> &, int *, cudaStream_t);
template cudaError_t inverse_warp(const batch_view<cplx<double>> &, int *, cudaStream_t);
