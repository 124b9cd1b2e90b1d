/* kernels/cuda/dense/inverse/inverse_leading_columns.cu - batched inverses of orders 65 .. 80 by
 * inverse_leading_columns.cuh
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/inverse/inverse_leading_columns.cuh"

namespace bf
{

/* Up to F columns beyond 64; blocks per multiprocessor: as many as fit in shared memory */
template <int F, class T>
static cudaError_t inverse_leading_of(const batch_view<T> &A, int *info, cudaStream_t s)
{
  constexpr int most = 8, fit = 228 * 1024 / (inverse_leading_bytes<T, F> + 1024),
                blocks = fit < most ? fit : most;
  return inverse_leading_launch<T, F, blocks>(A, info, s);
}
template <class T>
cudaError_t inverse_leading(const batch_view<T> &A, int *info, cudaStream_t s)
{
  if constexpr (inverse_leading_max < T >> 72)
    if (A.n > 72) return inverse_leading_of<16>(A, info, s);
  return inverse_leading_of<8>(A, info, s);
}

template cudaError_t inverse_leading(const batch_view<float> &, int *, cudaStream_t);
template cudaError_t inverse_leading(const batch_view<double> &, int *, cudaStream_t);
template cudaError_t inverse_leading(const batch_view<cplx<float>> &, int *, cudaStream_t);
template cudaError_t inverse_leading(const batch_view<cplx<double>> &, int *, cudaStream_t);

} // namespace bf
