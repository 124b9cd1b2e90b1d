/* kernels/cuda/batch_getri_z.cu - batch_getri.cuh for cplx<double>: which shape for which orders, as measured
 */
#include "kernels/cuda/batch_getri.cuh"

template <class W, class S>
static auto by(int edge, W whole, S strips)
{
  using T = cplx<double>;
  if (edge <= 48) return whole(tiled_shape<T, 3, 1, 3, 1, 2, false>());
  if (edge <= 64) return whole(tiled_shape<T, 4, 1, 1, 4, 1, false>());
  if (edge <= 96) return strips(tiled_shape<T, 6, 1, 1, 1, 2, true>());
  if (edge <= 128) return strips(tiled_shape<T, 4, 2, 1, 1, 2, true>());
  if (edge <= 192) return strips(tiled_shape<T, 12, 1, 1, 1, 1, true>());
  if (edge <= 256) return strips(tiled_shape<T, 8, 2, 1, 1, 1, true>());
  if (edge <= 384) return strips(tiled_shape<T, 8, 3, 1, 1, 1, true>());
  return strips(tiled_shape<T, 8, 4, 1, 1, 1, true>());
}

template <>
size_t getri_mid_work<cplx<double>>(int n, int count)
{
  return getri_bytes<cplx<double>>(n, count, [](int edge, auto w, auto s) { return by(edge, w, s); });
}

template <>
cudaError_t getri_mid(const batch_view<cplx<double>> &A, const int *ipiv, int *info, void *work,
                      cudaStream_t s)
{
  return getri_run(A, ipiv, info, work, s, [](int edge, auto w, auto t) { return by(edge, w, t); });
}
