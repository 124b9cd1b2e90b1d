/* kernels/cuda/inverse_front.cu - batches: inverses of orders 65 .. 80 by batch_inverse_front.cuh */
#include "kernels/cuda/batch_inverse_front.cuh"

/* Blocks on a multiprocessor: what shared memory has room for */
template <class T>
cudaError_t inverse_front(const batch_view<T> &A, int *info, cudaStream_t s)
{
  constexpr int most = 8, all = 228 * 1024, of8 = all / (inverse_front_bytes<T, 8> + 1024),
                of16 = all / (inverse_front_bytes<T, 16> + 1024);
  if (A.n <= 72) return inverse_front_launch < T, 8, of8 < most ? of8 : most > (A, info, s);
  return inverse_front_launch < T, 16, of16 < most ? of16 : most > (A, info, s);
}

template cudaError_t inverse_front(const batch_view<float> &, int *, cudaStream_t);
template cudaError_t inverse_front(const batch_view<double> &, int *, cudaStream_t);
template cudaError_t inverse_front(const batch_view<cplx<float>> &, int *, cudaStream_t);
template cudaError_t inverse_front(const batch_view<cplx<double>> &, int *, cudaStream_t);
