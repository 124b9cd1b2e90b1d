/* kernels/cuda/dense/lu/lu_register.cu - batches: LU with partial pivoting of orders 1 .. 32, up to 16 (z: 8)
 * in registers, above by warp_factor.cuh
 *
 * Computes   P A = L U, LAPACK's ipiv and info.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., algorithm 3.4.1 (outer products).
 * Layout     lane r of 4, 8 or 16 lanes holds row r; rows stay where they are, and each carries its place in
 *            LAPACK's order: row k of the moment takes the place of the pivot, the pivot place k.  That place
 *            is ipiv(k), decides between equal pivots, and is at the end the row of the store.
 * Cost       2/3 n^3 flops; A is read and written once.  A step: one choice of a pivot, one row through
 *            shared memory, no barrier.
 * Launch     two warps or four a block.
 * Checked    tests/kernels/dense/t362_lu_batch.c, t367_small_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/common/subwarp_pivot.cuh"
#include "kernels/cuda/dense/launchers.cuh"

namespace bf
{

template <class T, int N, int G, int KB>
static __global__ void __launch_bounds__(lane_launch<T, N, G>::threads, lane_launch<T, N, G>::blocks_lu)
    lu_rows(const batch_view<T> A, int *__restrict__ ipiv, int *__restrict__ info)
{
  using S = lane_launch<T, N, G>;
  batch_early_begin<S::early>(A, S::groups);
  __shared__ packet<T>  shown[2 * S::pitch * S::groups];
  const lane_group<G>   L;
  const small_matrix<T> M(A, L);
  packet<T>            *mine = shown + 2 * S::pitch * ((int)threadIdx.x / G);
  T                     a[N];
  real_t<T>             by[1] = {1};
  int place = L.r < M.n ? L.r : NOBODY, dead[1] = {L.r < M.n ? 0 : NO_ROW}, swapped = 0, zero = 0;
  load_row(
      M, L.r, [](int) { return true; }, a);
  if (S::early) bf_early_let();
#pragma unroll 1
  for (int t = 0; t < N / KB; t++) {
    const auto live = [&](int q) { return q == 0 || (t + q) * KB < M.top; };
    if (t * KB < M.top) {
#pragma unroll
      for (int j = 0; j < KB; j++) {
        const int      k    = t * KB + j;
        T              x[1] = {a[j]};
        int            which;
        packet<T>     *row  = mine + j % 2 * S::pitch;
        const unsigned best = find_pivot<false>(
            L, k, dead, [&](int) { return place; }, x, which, zero, by,
            [&](bool yes, int, T inverse) {
              if (yes) show_row<KB, N>(j, live, row, [&](int c) { return c == j ? inverse : a[c]; });
            });
        const int  at = __shfl_sync(ALL_LANES, place, __ffs((int)best) - 1);
        const bool is = best == L.bit, left = dead[0] == 0 && !is;
        __syncwarp();
        const T l = choose(left, x[0], zero_of<T>()) * row[j / packet<T>::of].e[j % packet<T>::of];
        if (is) dead[0] = NO_ROW;
        if (L.r == k) swapped = at;
        if (place == k) place = at;
        if (is) place = k;
        subtract_row<KB>(
            a, [&](int) { return l; }, j + 1, NOBODY, live, row);
        a[j] = choose(left, l, a[j]);
        settle(a[j]);
      }
    }
    turn<KB>(a);
  }
  const bool wide = whole(M);
  real_t<T>  rest = 0;
#pragma unroll
  for (int j = 0; j < N; j++)
    if (j < M.n && place >= 0) {
      rest = with(a[j], rest);
      store(M.a + (int64_t)j * M.ld + place, a[j], wide);
    }
  const unsigned wild = L.own(__ballot_sync(ALL_LANES, !(rest == 0)));
  if (L.r < M.n) ipiv[(int64_t)M.b * A.pitch + L.r] = swapped + 1;
  if (L.r == 0 && M.b != NOBODY) info[M.b] = wild ? M.n + 1 : zero;
}

template <int N, int G, int KB, class T>
static cudaError_t launch(const batch_view<T> &A, int *ipiv, int *info, cudaStream_t stream)
{
  using S = lane_launch<T, N, G>;
  return bf_early_launch(lu_rows<T, N, G, KB>, S::grid(A.count), S::threads, 0, stream, A, ipiv, info);
}

template <class T>
cudaError_t lu_small(const batch_view<T> &A, int *ipiv, int *info, cudaStream_t stream)
{
  if (A.n <= 4) return launch<4, 4, 4>(A, ipiv, info, stream);
  if (A.n <= 8) return launch<8, 8, 8>(A, ipiv, info, stream);
  if constexpr (sizeof(T) < 16)
    if (A.n <= 16) return launch<16, 16, 16>(A, ipiv, info, stream);
  return lu_warp(A, ipiv, info, stream);
}

template cudaError_t lu_small(const batch_view<float> &, int *, int *, cudaStream_t);
template cudaError_t lu_small(const batch_view<double> &, int *, int *, cudaStream_t);
template cudaError_t lu_small(const batch_view<cplx<float>> &, int *, int *, cudaStream_t);
template cudaError_t lu_small(const batch_view<cplx<double>> &, int *, int *, cudaStream_t);

} // namespace bf
