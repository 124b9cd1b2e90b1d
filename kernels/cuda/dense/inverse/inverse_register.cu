/* kernels/cuda/dense/inverse/inverse_register.cu - batched inverses of orders 1 .. 32 in registers, of
 * matrices and of factors
 *
 * Computes   A^-1 by Gauss-Jordan in place with partial pivoting: step k with pivot row p subtracts l_i
 *            a(p,:), l_i = a(i,k)/a(p,k), from row i for all i != p; column k becomes -l_i, and 1 in row p.
 *            Rows are divided by their pivots at the end: n divisions in all. For factors P A = L U the
 *            same: the l_i below the diagonal are those of L, and rows below already have columns > k of U.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 3.2; accuracy: Higham, Accuracy and
 *            Stability of Numerical Algorithms, 2nd ed., section 14.4.
 * Layout     as in lu_register.cu: rows stay in their lanes. With row p of step k and column k of Y, the
 *            array after the last step, A^-1(k', p) = Y(p', k): the row's position and the pivot's row give
 *            the target of the store.
 * Cost       2 n^3 flops (complex 4 times); A is read and written once.
 * Launch     two or four warps per block.
 * Checked    tests/kernels/dense/t361_inverse_batch.c, t362_lu_batch.c (of factors), t367_small_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/common/subwarp_pivot.cuh"
#include "kernels/cuda/dense/launchers.cuh"

namespace bf
{

/* The row of A that the exchanges of ipiv move to this lane */
template <class T, int G>
BF_DEVICE int permuted(const subwarp_matrix<T> &M, const subwarp<G> &L, const int *ipiv)
{
  const int swap = L.r < M.n ? ipiv[L.r] - 1 : L.r;
  int       at   = L.r;
#pragma unroll 1
  for (int k = 0; k < M.n_max; k++) {
    const int p = __shfl_sync(ALL_LANES, swap, L.first + k), x = __shfl_sync(ALL_LANES, at, L.first + k),
              y = __shfl_sync(ALL_LANES, at, L.first + p);
    at          = L.r == p ? x : L.r == k ? y : at;
  }
  return at;
}

template <class T, int N, int G, int KB, bool FACTORS>
static __global__ void __launch_bounds__(subwarp_launch<T, N, G>::threads, subwarp_launch<T, N, G>::blocks)
    inverse_rows(const batch_view<T> A, const int *__restrict__ ipiv, int *__restrict__ info)
{
  using S              = subwarp_launch<T, N, G>;
  constexpr int BLOCKS = N / KB;
  if (!FACTORS) pdl_begin<S::early>(A, S::groups);
  __shared__ vec16<T>     row_buffer[2 * S::pitch * S::groups];
  const subwarp<G>        L;
  const subwarp_matrix<T> M(A, L);
  vec16<T>               *buffer = row_buffer + 2 * S::pitch * ((int)threadIdx.x / G);
  T                       a[N], scale = zero_of<T>();
  int                     position = L.r < M.n ? L.r : NO_INDEX, column = 0, zero = 0;
  real_t<T>               nonfinite = 0, scaling = 1;
  zero_rows(L, buffer, 2 * S::pitch);
  load_row(
      M, L.r, [](int) { return true; }, a);
  if (!FACTORS && S::early) pdl_trigger();
  if (FACTORS) column = permuted(M, L, ipiv + (int64_t)(M.b == NO_INDEX ? 0 : M.b) * A.pitch);
#pragma unroll
  for (int j = 0; j < N; j++) nonfinite = track_nonfinite(a[j], nonfinite);
#pragma unroll 1
  for (int t = 0; t < BLOCKS; t++) {
    const auto active = [&](int q) {
      return q == 0 || (t + q < BLOCKS ? t + q : t + q - BLOCKS) * KB < M.n_max;
    };
    if (t * KB < M.n_max) {
#pragma unroll
      for (int j = 0; j < KB; j++) {
        const int      k   = t * KB + j;
        T              x   = a[j];
        const bool     may = position >= k;
        const pivot<T> p   = FACTORS ? next_pivot(L, k, M.n, x, zero, scaling)
                                     : choose_pivot(L, k, position, x, zero, scaling);
        const bool     is  = may && L.r == p.row;
        vec16<T>      *row = buffer + j % 2 * S::pitch;
        if (is) store_row<KB, N>(0, active, row, [&](int c) { return a[c]; });
        __syncwarp();
        const bool lower = FACTORS && L.r > k;
        T          l     = select(is, zero_of<T>(), select(lower, a[j], x * p.inverse));
        T          right = select(lower, zero_of<T>(), l);
        if (FACTORS) materialize(right);
        if (!FACTORS && L.r == k) column = p.row;
        if (!FACTORS && position == k) position = p.position;
        if (is) {
          position = k;
          scale    = p.inverse;
        }
        const auto of = [=](int c) { return select(c / KB == 0 ? c < j : t + c / KB >= BLOCKS, l, right); };
        subtract_row<KB>(a, of, 0, j, active, row);
        a[j] = select(is, from_real<T>(1), -l);
        materialize(a[j]);
      }
    }
    rotate_blocks<KB>(a);
  }
  scale = times(scale, scaling);
#pragma unroll
  for (int j = 0; j < N; j++) {
    a[j] = a[j] * scale;
    if (j < M.n && position >= 0) nonfinite = track_nonfinite(a[j], nonfinite);
  }
  const unsigned has_nonfinite = L.group_bits(__ballot_sync(ALL_LANES, !(nonfinite == 0)));
  const bool     aligned = is_aligned(M), is_finite = M.b != NO_INDEX && !has_nonfinite && zero == 0;
#pragma unroll
  for (int j = 0; j < N; j++) {
    const int c = __shfl_sync(ALL_LANES, column, L.first + j);
    if (j < M.n && is_finite && position >= 0) store(M.a + (int64_t)c * M.ld + position, a[j], aligned);
  }
  if (L.r == 0 && M.b != NO_INDEX) info[M.b] = has_nonfinite ? M.n + 1 : zero;
}

template <bool FACTORS, int N, int G, int KB, class T>
static cudaError_t launch(const batch_view<T> &A, const int *ipiv, int *info, cudaStream_t stream)
{
  using S           = subwarp_launch<T, N, G>;
  const auto kernel = inverse_rows<T, N, G, KB, FACTORS>;
  if (!FACTORS) return pdl_launch(kernel, S::grid(A.count), S::threads, 0, stream, A, ipiv, info);
  kernel<<<S::grid(A.count), S::threads, 0, stream>>>(A, ipiv, info);
  return cudaGetLastError();
}

template <bool FACTORS, class T>
static cudaError_t by_order(const batch_view<T> &A, const int *ipiv, int *info, cudaStream_t stream)
{
  /* longer loops over 8 columns are not unrolled, and rows would not stay in registers */
  constexpr int block = sizeof(T) == 16 || (FACTORS && is_complex<T>) ? 4 : 8;
  if (A.n <= 4) return launch<FACTORS, 4, 4, 4>(A, ipiv, info, stream);
  if (A.n <= 8) return launch<FACTORS, 8, 8, 8>(A, ipiv, info, stream);
  if constexpr (FACTORS || sizeof(T) < 16)
    if (A.n <= 16) return launch<FACTORS, 16, 16, 16>(A, ipiv, info, stream);
  if constexpr (FACTORS) return launch<true, 32, 32, block>(A, ipiv, info, stream);
  return inverse_warp(A, info, stream);
}

template <class T>
cudaError_t inverse_register(const batch_view<T> &A, int *info, cudaStream_t stream)
{
  return by_order<false>(A, NULL, info, stream);
}
template <class T>
cudaError_t getri_register(const batch_view<T> &A, const int *ipiv, int *info, cudaStream_t stream)
{
  return by_order<true>(A, ipiv, info, stream);
}

template cudaError_t inverse_register(const batch_view<float> &, int *, cudaStream_t);
template cudaError_t inverse_register(const batch_view<double> &, int *, cudaStream_t);
template cudaError_t inverse_register(const batch_view<cplx<float>> &, int *, cudaStream_t);
template cudaError_t inverse_register(const batch_view<cplx<double>> &, int *, cudaStream_t);
template cudaError_t getri_register(const batch_view<float> &, const int *, int *, cudaStream_t);
template cudaError_t getri_register(const batch_view<double> &, const int *, int *, cudaStream_t);
template cudaError_t getri_register(const batch_view<cplx<float>> &, const int *, int *, cudaStream_t);
template cudaError_t getri_register(const batch_view<cplx<double>> &, const int *, int *, cudaStream_t);

} // namespace bf
