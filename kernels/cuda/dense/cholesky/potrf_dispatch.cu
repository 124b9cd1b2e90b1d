/* kernels/cuda/dense/cholesky/potrf_dispatch.cu - batched Cholesky of orders 33 .. 512: kernel by order and
 * number of matrices, as measured (H200)
 *
 * Computes   A = L L^H or U^H U, LAPACK's info.
 * Layout     potrf_shared.cuh where several triangles fit in shared memory; otherwise
 *            potrf_left_looking.cuh, or potrf_cluster.cuh for few matrices. The last two give the same
 *            bits.
 * Checked    tests/kernels/dense/t364_cholesky_batch.c, t366_sizes_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/cholesky/potrf_cluster.cuh"
#include "kernels/cuda/dense/launchers.cuh"

namespace bf
{

/* Blocks per matrix, at most one per multiprocessor; some multiprocessors cannot form a cluster of this
 * size. */
static int blocks_per_matrix(int n, int count)
{
  const int all  = batch_multiprocessors();
  int       each = n <= 80 ? 1 : CLUSTER_LARGEST;
  while (each > 1 && each * count > all * 10 / 11) each /= 2;
  return each;
}

/* At most as many matrices as multiprocessors */
template <class T>
static cudaError_t few_matrices(const batch_view<T> &A, bool upper, int *info, cudaStream_t s)
{
  constexpr bool z = sizeof(T) == 16;
  const int      n = bucket_order(A.n), each = blocks_per_matrix(n, A.count);
  if (potrf_cluster_fits<8, 1>(A.n, each))
    return potrf_cluster_launch < T, 8, 1, is_complex<T> ? 2 : 4 > (A, upper, info, each, s);
  if (potrf_cluster_fits<8, 2>(A.n, each) && (each > 1 || !is_complex<T>))
    return potrf_cluster_launch<T, 8, 2, 2>(A, upper, info, each, s);
  if constexpr (z)
    if (n <= 128) return potrf_left_looking_launch<T, 8, 1, 1>(A, upper, info, s);
  return potrf_left_looking_launch < T, z ? 12 : 16, 1, z ? 1 : 2 > (A, upper, info, s);
}

template <class T>
cudaError_t potrf_dispatch(const batch_view<T> &A, bf_uplo uplo, int *info, cudaStream_t s)
{
  constexpr bool z     = sizeof(T) == 16;
  const int      n     = bucket_order(A.n);
  const bool     upper = uplo == BF_UPPER;
  if (n <= 64) return potrf_shared_launch < T, z ? 2 : 1, z ? 2 : 4 > (A, upper, info, s);
  if (A.count <= batch_multiprocessors()) return few_matrices(A, upper, info, s);
  if constexpr (z) {
    if (n <= 192) return potrf_left_looking_launch<T, 2, 2, 1>(A, upper, info, s);
    return potrf_left_looking_launch<T, 4, 2, 1>(A, upper, info, s);
  } else {
    if (n <= (sizeof(T) == 4 ? 128 : 160)) return potrf_left_looking_launch<T, 2, 1, 2>(A, upper, info, s);
    if constexpr (sizeof(T) == 4)
      if (n <= 192) return potrf_left_looking_launch<T, 2, 2, 2>(A, upper, info, s);
    if (n <= (is_complex<T> ? 256 : 192)) return potrf_left_looking_launch<T, 4, 1, 2>(A, upper, info, s);
    return potrf_left_looking_launch<T, 4, 2, 2>(A, upper, info, s);
  }
}

template cudaError_t potrf_dispatch(const batch_view<float> &, bf_uplo, int *, cudaStream_t);
template cudaError_t potrf_dispatch(const batch_view<double> &, bf_uplo, int *, cudaStream_t);
template cudaError_t potrf_dispatch(const batch_view<cplx<float>> &, bf_uplo, int *, cudaStream_t);
template cudaError_t potrf_dispatch(const batch_view<cplx<double>> &, bf_uplo, int *, cudaStream_t);

} // namespace bf
