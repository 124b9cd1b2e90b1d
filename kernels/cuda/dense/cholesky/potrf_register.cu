/* kernels/cuda/dense/cholesky/potrf_register.cu - batched Cholesky of orders 1 .. 32 in registers
 *
 * Computes   A = L L^H (lower) or U^H U (upper), in the given triangle; info k if the leading minor of
 *            order k is the first that is not positive.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 4.2.5 (outer products).
 * Layout     lane r of 4, 8, 16 or 32 lanes has row r of the triangle. Step k broadcasts column k of L
 *            (each lane one entry), or row k of U before its division by the root (lane k).
 * Cost       1/3 n^3 flops required, 2/3 n^3 executed (whole rows; complex 4 times); the triangle is read
 *            and written once.
 * Launch     two or four warps per block.
 * Checked    tests/kernels/dense/t364_cholesky_batch.c, t367_small_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/common/subwarp_rows.cuh"
#include "kernels/cuda/dense/launchers.cuh"

namespace bf
{

template <class T, int N, int G, int KB, bool UPPER>
static __global__ void __launch_bounds__(subwarp_launch<T, N, G>::threads, subwarp_launch<T, N, G>::blocks)
    potrf_rows(const batch_view<T> A, int *__restrict__ info)
{
  using S = subwarp_launch<T, N, G>;
  using R = real_t<T>;
  __shared__ vec16<T>     row_buffer[2 * S::pitch * S::groups];
  const subwarp<G>        L;
  const subwarp_matrix<T> M(A, L);
  vec16<T>               *buffer = row_buffer + 2 * S::pitch * ((int)threadIdx.x / G);
  T                       a[N];
  R                       scale     = 0; /* for a row of U, divided by its root at the end */
  int                     first_bad = 0;
  const auto              in        = [&](int j) { return UPPER ? j >= L.r : j <= L.r; };
  load_row(M, L.r, in, a);
#pragma unroll 1
  for (int t = 0; t < N / KB; t++) {
    const auto active = [&](int q) { return q == 0 || (t + q) * KB < M.n_max; };
    if (t * KB < M.n_max) {
#pragma unroll
      for (int j = 0; j < KB; j++) {
        const int  k         = t * KB + j;
        const R    d         = __shfl_sync(ALL_LANES, real_part(a[j]), L.first + k);
        const bool is_finite = d > 0;
        const R    r         = is_finite ? inverse_sqrt(d) : R(0);
        const bool below     = L.r > k;
        vec16<T>  *row       = buffer + j % 2 * S::pitch;
        if (!is_finite && first_bad == 0 && k < M.n) first_bad = k + 1;
        T *line = reinterpret_cast<T *>(row), l = zero_of<T>();
        if (!UPPER && below) a[j] = l = times(a[j], r);
        if (L.r == k) {
          a[j]  = from_real<T>(is_finite ? sqrt_from_inverse(d, r) : d);
          scale = r;
        }
        materialize(a[j]);
        if (UPPER) {
          if (L.r == k) store_row<KB, N>(j + 1, active, row, [&](int c) { return a[c]; });
          __syncwarp();
          if (below && L.r < M.n_max) l = times(conj(line[L.r - t * KB]), r * r);
        } else {
          line[L.r] = conj(a[j]);
          __syncwarp();
        }
        subtract_row<KB>(
            a, [&](int) { return l; }, j + 1, NO_INDEX, active,
            row + (UPPER ? 0 : t * KB / vec16<T>::length));
      }
    }
    rotate_blocks<KB>(a);
  }
  const bool aligned   = is_aligned(M);
  R          nonfinite = 0;
#pragma unroll
  for (int j = 0; j < N; j++)
    if (j < M.n && L.r < M.n && in(j)) {
      if (UPPER && j > L.r) a[j] = times(a[j], scale);
      nonfinite = track_nonfinite(a[j], nonfinite);
      store(M.a + (int64_t)j * M.ld + L.r, a[j], aligned);
    }
  const unsigned has_nonfinite = L.group_bits(__ballot_sync(ALL_LANES, !(nonfinite == 0)));
  if (L.r == 0 && M.b != NO_INDEX) info[M.b] = has_nonfinite ? M.n + 1 : first_bad;
}

template <int N, int G, int KB, class T>
static cudaError_t launch(const batch_view<T> &A, bf_uplo uplo, int *info, cudaStream_t stream)
{
  using S = subwarp_launch<T, N, G>;
  if (uplo == BF_UPPER)
    potrf_rows<T, N, G, KB, true><<<S::grid(A.count), S::threads, 0, stream>>>(A, info);
  else
    potrf_rows<T, N, G, KB, false><<<S::grid(A.count), S::threads, 0, stream>>>(A, info);
  return cudaGetLastError();
}

template <class T>
cudaError_t potrf_register(const batch_view<T> &A, bf_uplo uplo, int *info, cudaStream_t stream)
{
  if (A.n <= 4) return launch<4, 4, 4>(A, uplo, info, stream);
  if (A.n <= 8) return launch<8, 8, 8>(A, uplo, info, stream);
  if (A.n <= 16) return launch<16, 16, 16>(A, uplo, info, stream);
  return launch<32, 32, 8>(A, uplo, info, stream);
}

template cudaError_t potrf_register(const batch_view<float> &, bf_uplo, int *, cudaStream_t);
template cudaError_t potrf_register(const batch_view<double> &, bf_uplo, int *, cudaStream_t);
template cudaError_t potrf_register(const batch_view<cplx<float>> &, bf_uplo, int *, cudaStream_t);
template cudaError_t potrf_register(const batch_view<cplx<double>> &, bf_uplo, int *, cudaStream_t);

} // namespace bf
