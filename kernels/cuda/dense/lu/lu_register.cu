/* kernels/cuda/dense/lu/lu_register.cu - batched LU with partial pivoting of orders 1 .. 32, up to 16 (z:
 * 8) in registers, above by warp_factor.cuh
 *
 * Computes   P A = L U, LAPACK's ipiv and info.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., algorithm 3.4.1 (outer products).
 * Layout     lane r of 4, 8 or 16 lanes has row r. Rows do not move; each has its position in LAPACK's
 *            order: in step k the row at position k gets the pivot's position, the pivot gets position k.
 *            The pivot's position is ipiv(k), decides between equal pivots, and is the row of the final
 *            store.
 * Cost       2/3 n^3 flops (complex 4 times); A is read and written once. Per step: one pivot search and
 *            one row through shared memory, no barrier.
 * Launch     two or four warps per block.
 * Checked    tests/kernels/dense/t362_lu_batch.c, t367_small_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/common/subwarp_pivot.cuh"
#include "kernels/cuda/dense/launchers.cuh"

namespace bf
{

template <class T, int N, int G, int KB>
static __global__ void __launch_bounds__(subwarp_launch<T, N, G>::threads, subwarp_launch<T, N, G>::blocks_lu)
    lu_rows(const batch_view<T> A, int *__restrict__ ipiv, int *__restrict__ info)
{
  using S = subwarp_launch<T, N, G>;
  pdl_begin<S::early>(A, S::groups);
  __shared__ vec16<T>     row_buffer[2 * S::pitch * S::groups];
  const subwarp<G>        L;
  const subwarp_matrix<T> M(A, L);
  vec16<T>               *buffer = row_buffer + 2 * S::pitch * ((int)threadIdx.x / G);
  T                       a[N];
  real_t<T>               scaling[1] = {1};
  int position = L.r < M.n ? L.r : NO_INDEX, inactive[1] = {L.r < M.n ? 0 : KEY_INACTIVE}, exchanged = 0,
      zero = 0;
  load_row(
      M, L.r, [](int) { return true; }, a);
  if (S::early) pdl_trigger();
#pragma unroll 1
  for (int t = 0; t < N / KB; t++) {
    const auto active = [&](int q) { return q == 0 || (t + q) * KB < M.n_max; };
    if (t * KB < M.n_max) {
#pragma unroll
      for (int j = 0; j < KB; j++) {
        const int      k    = t * KB + j;
        T              x[1] = {a[j]};
        int            which;
        vec16<T>      *row  = buffer + j % 2 * S::pitch;
        const unsigned best = find_pivot<false>(
            L, k, inactive, [&](int) { return position; }, x, which, zero, scaling,
            [&](bool yes, int, T inverse) {
              if (yes) store_row<KB, N>(j, active, row, [&](int c) { return c == j ? inverse : a[c]; });
            });
        const int  at = __shfl_sync(ALL_LANES, position, __ffs((int)best) - 1);
        const bool is = best == L.bit, left = inactive[0] == 0 && !is;
        __syncwarp();
        const T l = select(left, x[0], zero_of<T>()) * row[j / vec16<T>::length].e[j % vec16<T>::length];
        if (is) inactive[0] = KEY_INACTIVE;
        if (L.r == k) exchanged = at;
        if (position == k) position = at;
        if (is) position = k;
        subtract_row<KB>(
            a, [&](int) { return l; }, j + 1, NO_INDEX, active, row);
        a[j] = select(left, l, a[j]);
        materialize(a[j]);
      }
    }
    rotate_blocks<KB>(a);
  }
  const bool aligned   = is_aligned(M);
  real_t<T>  nonfinite = 0;
#pragma unroll
  for (int j = 0; j < N; j++)
    if (j < M.n && position >= 0) {
      nonfinite = track_nonfinite(a[j], nonfinite);
      store(M.a + (int64_t)j * M.ld + position, a[j], aligned);
    }
  const unsigned has_nonfinite = L.group_bits(__ballot_sync(ALL_LANES, !(nonfinite == 0)));
  if (L.r < M.n) ipiv[(int64_t)M.b * A.pitch + L.r] = exchanged + 1;
  if (L.r == 0 && M.b != NO_INDEX) info[M.b] = has_nonfinite ? M.n + 1 : zero;
}

template <int N, int G, int KB, class T>
static cudaError_t launch(const batch_view<T> &A, int *ipiv, int *info, cudaStream_t stream)
{
  using S = subwarp_launch<T, N, G>;
  return pdl_launch(lu_rows<T, N, G, KB>, S::grid(A.count), S::threads, 0, stream, A, ipiv, info);
}

template <class T>
cudaError_t lu_register(const batch_view<T> &A, int *ipiv, int *info, cudaStream_t stream)
{
  if (A.n <= 4) return launch<4, 4, 4>(A, ipiv, info, stream);
  if (A.n <= 8) return launch<8, 8, 8>(A, ipiv, info, stream);
  if constexpr (sizeof(T) < 16)
    if (A.n <= 16) return launch<16, 16, 16>(A, ipiv, info, stream);
  return lu_warp(A, ipiv, info, stream);
}

template cudaError_t lu_register(const batch_view<float> &, int *, int *, cudaStream_t);
template cudaError_t lu_register(const batch_view<double> &, int *, int *, cudaStream_t);
template cudaError_t lu_register(const batch_view<cplx<float>> &, int *, int *, cudaStream_t);
template cudaError_t lu_register(const batch_view<cplx<double>> &, int *, int *, cudaStream_t);

} // namespace bf
