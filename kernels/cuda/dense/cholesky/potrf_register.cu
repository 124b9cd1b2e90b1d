/* kernels/cuda/dense/cholesky/potrf_register.cu - batches: Cholesky factors of orders 1 .. 32 in registers
 *
 * Computes   A = L L^H (lower) or U^H U (upper), in the triangle named; info k where the leading minor of
 *            order k is the first that is not positive.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 4.2.5 (outer products).
 * Layout     lane r of 4, 8, 16 or 32 lanes holds row r of the triangle.  Of step k the group needs column k
 *            of L, which all lanes show together, or row k of U, which lane k shows before it is divided by
 *            its root.
 * Cost       1/3 n^3 flops useful, 2/3 done (whole rows); the triangle is read and written once.
 * Launch     two warps or four a block.
 * Checked    tests/kernels/dense/t364_cholesky_batch.c, t367_small_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/common/subwarp_rows.cuh"
#include "kernels/cuda/dense/launchers.cuh"

namespace bf
{

template <class T, int N, int G, int KB, bool UPPER>
static __global__ void __launch_bounds__(lane_launch<T, N, G>::threads, lane_launch<T, N, G>::blocks)
    potrf_rows(const batch_view<T> A, int *__restrict__ info)
{
  using S = lane_launch<T, N, G>;
  using R = real_t<T>;
  __shared__ packet<T>  shown[2 * S::pitch * S::groups];
  const lane_group<G>   L;
  const small_matrix<T> M(A, L);
  packet<T>            *mine = shown + 2 * S::pitch * ((int)threadIdx.x / G);
  T                     a[N];
  R                     scale = 0; /* of a row of U, which is divided by its root at the end */
  int                   bad   = 0;
  const auto            in    = [&](int j) { return UPPER ? j >= L.r : j <= L.r; };
  load_row(M, L.r, in, a);
#pragma unroll 1
  for (int t = 0; t < N / KB; t++) {
    const auto live = [&](int q) { return q == 0 || (t + q) * KB < M.top; };
    if (t * KB < M.top) {
#pragma unroll
      for (int j = 0; j < KB; j++) {
        const int  k     = t * KB + j;
        const R    d     = __shfl_sync(ALL_LANES, real_part(a[j]), L.first + k);
        const bool fine  = d > 0;
        const R    r     = fine ? inverse_root(d) : R(0);
        const bool below = L.r > k;
        packet<T> *row   = mine + j % 2 * S::pitch;
        if (!fine && bad == 0 && k < M.n) bad = k + 1;
        T *line = reinterpret_cast<T *>(row), l = zero_of<T>();
        if (!UPPER && below) a[j] = l = times(a[j], r);
        if (L.r == k) {
          a[j]  = from_real<T>(fine ? root(d, r) : d);
          scale = r;
        }
        settle(a[j]);
        if (UPPER) {
          if (L.r == k) show_row<KB, N>(j + 1, live, row, [&](int c) { return a[c]; });
          __syncwarp();
          if (below && L.r < M.top) l = times(conj(line[L.r - t * KB]), r * r);
        } else {
          line[L.r] = conj(a[j]);
          __syncwarp();
        }
        subtract_row<KB>(
            a, [&](int) { return l; }, j + 1, NOBODY, live, row + (UPPER ? 0 : t * KB / packet<T>::of));
      }
    }
    turn<KB>(a);
  }
  const bool wide = whole(M);
  R          rest = 0;
#pragma unroll
  for (int j = 0; j < N; j++)
    if (j < M.n && L.r < M.n && in(j)) {
      if (UPPER && j > L.r) a[j] = times(a[j], scale);
      rest = with(a[j], rest);
      store(M.a + (int64_t)j * M.ld + L.r, a[j], wide);
    }
  const unsigned wild = L.own(__ballot_sync(ALL_LANES, !(rest == 0)));
  if (L.r == 0 && M.b != NOBODY) info[M.b] = wild ? M.n + 1 : bad;
}

template <int N, int G, int KB, class T>
static cudaError_t launch(const batch_view<T> &A, bf_uplo uplo, int *info, cudaStream_t stream)
{
  using S = lane_launch<T, N, G>;
  if (uplo == BF_UPPER)
    potrf_rows<T, N, G, KB, true><<<S::grid(A.count), S::threads, 0, stream>>>(A, info);
  else
    potrf_rows<T, N, G, KB, false><<<S::grid(A.count), S::threads, 0, stream>>>(A, info);
  return cudaGetLastError();
}

template <class T>
cudaError_t potrf_small(const batch_view<T> &A, bf_uplo uplo, int *info, cudaStream_t stream)
{
  if (A.n <= 4) return launch<4, 4, 4>(A, uplo, info, stream);
  if (A.n <= 8) return launch<8, 8, 8>(A, uplo, info, stream);
  if (A.n <= 16) return launch<16, 16, 16>(A, uplo, info, stream);
  return launch<32, 32, 8>(A, uplo, info, stream);
}

template cudaError_t potrf_small(const batch_view<float> &, bf_uplo, int *, cudaStream_t);
template cudaError_t potrf_small(const batch_view<double> &, bf_uplo, int *, cudaStream_t);
template cudaError_t potrf_small(const batch_view<cplx<float>> &, bf_uplo, int *, cudaStream_t);
template cudaError_t potrf_small(const batch_view<cplx<double>> &, bf_uplo, int *, cudaStream_t);

} // namespace bf
