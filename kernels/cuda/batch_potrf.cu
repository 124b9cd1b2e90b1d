/* kernels/cuda/batch_potrf.cu - batches: Cholesky factors of orders 33 .. 512: on the chip (batch_chol.cuh)
 * where the triangle leaves room for several matrices, else by panels of it (batch_chol_stream.cuh), or by a
 * cluster of blocks a matrix (batch_chol_spread.cuh) where there are few; which shape for which orders, as
 * measured; by panels all give the same bits
 */
#include "kernels/cuda/batch_chol_spread.cuh"
#include "kernels/cuda/batch_families.cuh"

/* Multiprocessors for a matrix, some of which no cluster finds neighbours for. */
static int blocks_each(int count)
{
  const int all = batch_multiprocessors();
  return 8 * count <= all * 2 / 3 ? 8 : 4 * count <= all * 9 / 10 ? 4 : 1;
}

template <class T>
cudaError_t potrf_mid(const batch_view<T> &A, bf_uplo uplo, int *info, cudaStream_t s)
{
  const int  n = batch_edge(A.n), each = blocks_each(A.count);
  const bool upper = uplo == BF_UPPER;
  if (n <= 64) return chol_launch < T, sizeof(T) == 16 ? 2 : 1, sizeof(T) == 16 ? 2 : 4 > (A, upper, info, s);
  if (each > 1 && chol_spread_fits<8, 1>(A.n, each))
    return chol_spread_launch<T, 8, 1, 2>(A, upper, info, each, s);
  if (A.count <= batch_multiprocessors()) /* a block has a multiprocessor to itself */
    return n <= 128 ? chol_stream_launch<T, 8, 1, 2>(A, upper, info, s) : chol_stream_launch < T,
           sizeof(T) == 16 ? 12 : 16, 1, 2 > (A, upper, info, s);
  if constexpr (sizeof(T) == 8) {
    if (n <= (is_complex<T> ? 256 : 160)) return chol_stream_launch<T, 4, 1, 2>(A, upper, info, s);
  } else if (n <= (is_complex<T> ? 192 : 256))
    return chol_stream_launch<T, 2, 2, 2>(A, upper, info, s);
  return chol_stream_launch<T, 4, 2, 2>(A, upper, info, s);
}

template cudaError_t potrf_mid(const batch_view<float> &, bf_uplo, int *, cudaStream_t);
template cudaError_t potrf_mid(const batch_view<double> &, bf_uplo, int *, cudaStream_t);
template cudaError_t potrf_mid(const batch_view<cplx<float>> &, bf_uplo, int *, cudaStream_t);
template cudaError_t potrf_mid(const batch_view<cplx<double>> &, bf_uplo, int *, cudaStream_t);
