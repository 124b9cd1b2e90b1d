/* kernels/cuda/dense/inverse/inverse_leading_columns.cuh - inverses of orders 65 to 80: the first n - 64
 * columns are eliminated while the matrix is loaded
 *
 * Computes   with f = n - 64 and P the exchanges of the first f steps, P A = (A11 A12; A21 A22):
 *            Gauss-Jordan of f columns gives W = (G; -L) = (A11^-1; -A21 A11^-1), H = G A12 and S = A22 - L
 *            A12. warp_factor.cuh inverts S; then
 *
 *                A^-1 P^T = (G + H S^-1 L, -H S^-1; -S^-1 L, S^-1)
 *
 *            (inverse_bordering.cuh). A is written last: a matrix that fails is not changed.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 3.2; Higham, Accuracy and Stability of
 *            Numerical Algorithms, 2nd ed., section 14.2.
 * Layout     two warps; a thread has rows t and t + 64 of the first columns in registers, F = 8 or 16 of
 *            them, of which the first F - f are unused. W and H stay in shared memory beside S.
 * Cost       A is read and written once; 2 n^3 flops (complex 4 times).
 * Launch     64 threads per matrix; as many blocks per multiprocessor as fit in shared memory, at most 8.
 * Checked    tests/kernels/dense/t361_inverse_batch.c, t366_sizes_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_INVERSE_INVERSE_LEADING_COLUMNS_CUH
#define BF_KERNELS_CUDA_DENSE_INVERSE_INVERSE_LEADING_COLUMNS_CUH
#include "kernels/cuda/dense/inverse/inverse_bordering.cuh"

namespace bf
{

/* Elimination of the first f columns and loading of the others. WIDE: entries of A have T's full
 * alignment. */
template <class T, int F, bool WIDE>
struct inverse_leading_columns : leading_columns<T, F> {
  using base  = leading_columns<T, F>;
  using R     = real_t<T>;
  using saved = bordering_smem<T, F>;
  using base::M, base::S, base::t, base::lane, base::w, base::leading, base::position, base::nonfinite,
      base::x, base::row, base::column, base::OWN, base::NOWHERE;
  enum { N = saved::N, PITCH = saved::PITCH, TILES = saved::ROWS / 16 };
  static constexpr int P = warp_layout<T, TRAILING_ORDER, 32>::pitch;

  pivot_exchange<T, F> &D; /* reused by the matrix later */
  saved                &K;

  __device__ __forceinline__ inverse_leading_columns(const subwarp_matrix<T> &M_, T *S_, saved &K_)
      : base(M_, S_), D(*reinterpret_cast<pivot_exchange<T, F> *>(S_)), K(K_)
  {
#pragma unroll
    for (int i = 0; i < OWN; i++) {
#pragma unroll
      for (int c = 0; c < F; c++) {
        x[i][c]   = c < leading && row(i) < M.n ? load(column(c) + row(i), WIDE) : zero_of<T>();
        nonfinite = track_nonfinite(x[i][c], nonfinite);
      }
    }
  }
  /* Step j: x[i][0] is the current column; the effect of earlier steps on other columns is stored after
   * the columns that remain. */
  __device__ __forceinline__ void step(int j)
  {
    T                     u[F], reciprocal;
    R                     scaling;
    const pivot_candidate pivot = this->pivot_row(D, j, u, scaling, reciprocal);
#pragma unroll
    for (int i = 0; i < OWN; i++) {
      const bool taken = position[i] == pivot.position;
      position[i]      = taken ? j : position[i] == j ? pivot.position : position[i];
      const T l        = times(taken ? from_real<T>(-1) : x[i][0], scaling) * reciprocal;
#pragma unroll
      for (int c = 1; c < F; c++) x[i][c - 1] = mulsub(l, u[c], taken ? zero_of<T>() : x[i][c]);
      x[i][F - 1] = -l;
    }
  }
  /* Writes W, positions and rows to shared memory. */
  __device__ __forceinline__ void publish()
  {
    const int unused = F - leading;
    for (int i = t; i < saved::ROWS; i += LEADING_THREADS) K.position[i] = NOWHERE;
    if (t < unused) K.pivot[t] = 0; /* W is 0 there */
    __syncthreads();
#pragma unroll
    for (int i = 0; i < OWN; i++) {
      if (position[i] >= 0) {
        K.position[row(i)]    = (uint16_t)position[i];
        K.origin[position[i]] = (uint16_t)row(i);
        if (position[i] < leading) K.pivot[unused + position[i]] = (uint16_t)row(i);
      }
      if (row(i) < N)
#pragma unroll
        for (int c = 0; c < F; c++) K.w[c * PITCH + row(i)] = position[i] >= 0 ? x[i][c] : zero_of<T>();
    }
    __syncthreads();
  }
  /* Applies W to 8 columns from c on; row i is stored at to[i][h] + stride[i][h] times the column. */
  __device__ __forceinline__ void block(const int (&to)[TILES][2], const int (&stride)[TILES][2],
                                        unsigned trailing_rows, int c)
  {
    using tensor = mma_layout<T, N, 32>;
    const int g = lane >> 2, own[2] = {tensor::column(2 * (lane & 3)), tensor::column(2 * (lane & 3) + 1)};
    const T  *from = column(c + tensor::column(g)), *p[2] = {column(c + own[0]) + g, column(c + own[1]) + g};
    T         u[F / 8][2], y[TILES][4];
#pragma unroll
    for (int k = 0; k < F / 8; k++)
#pragma unroll
      for (int e = 0; e < 2; e++) {
        u[k][e]   = load(from + K.pivot[8 * k + (lane & 3) + 4 * e], WIDE);
        nonfinite = track_nonfinite(u[k][e], nonfinite);
      }
#pragma unroll
    for (int i = 0; i < TILES; i++)
#pragma unroll
      for (int e = 0; e < 4; e++) {
        const int h = e >> 1;
        y[i][e]     = trailing_rows >> (2 * i + h) & 1 ? load(p[e & 1] + 16 * i + 8 * h, WIDE) : zero_of<T>();
        nonfinite   = track_nonfinite(y[i][e], nonfinite);
      }
#pragma unroll
    for (int k = 0; k < F / 8; k++)
      if (8 * (k + 1) > F - leading) { /* the others are unused: a matrix gets the same result for any F */
        leading_update<T, N> W;
        W.init(K.w + 8 * k * PITCH, lane, K.pivot + 8 * k);
#pragma unroll
        for (int i = 0; i < TILES; i++) W.tile(i, u[k], y[i]);
      }
#pragma unroll
    for (int i = 0; i < TILES; i++)
#pragma unroll
      for (int e = 0; e < 4; e++) {
        const int h = e >> 1;
        if (16 * i + 8 * h < TRAILING_ORDER || to[i][h] >= 0)
          shared_put(S + to[i][h] + (c - leading + own[e & 1]) * stride[i][h], y[i][e]);
      }
  }
  __device__ __forceinline__ void run()
  {
#pragma unroll 1
    for (int j = 0; j < leading; j++) step(j);
    publish();
    const int g = lane >> 2, h0 = (int)(K.h - S);
    int       to[TILES][2], stride[TILES][2];
    unsigned  trailing_rows = 0; /* rows of S */
#pragma unroll
    for (int i = 0; i < 2 * TILES; i++) {
      const int  at        = K.position[8 * i + g];
      const bool is        = at < leading;
      to[i / 2][i % 2]     = is ? h0 + F - leading + at : at == NOWHERE ? -1 : at - leading;
      stride[i / 2][i % 2] = is ? F : P;
      trailing_rows |= !is && at != NOWHERE ? 1u << i : 0;
    }
#pragma unroll 1
    for (int c = leading + 8 * w; c < M.n; c += 16) block(to, stride, trailing_rows, c);
    __syncthreads();
  }
};

template <class T, int F, bool WIDE>
static __device__ __forceinline__ leading_result<T>
inverse_eliminate_leading(const subwarp_matrix<T> &M, char *smem, bordering_smem<T, F> &K)
{
  inverse_leading_columns<T, F, WIDE> leading(M, reinterpret_cast<T *>(smem), K);
  leading.run();
  return {leading.leading, leading.zero, leading.nonfinite};
}

template <class T, int F>
static constexpr int inverse_leading_bytes = warp_layout<T, TRAILING_ORDER, 32>::template bytes<true> +
                                             (int)sizeof(bordering_smem<T, F>);

template <class T, int F, int BLOCKS>
static __global__ void __launch_bounds__(LEADING_THREADS, BLOCKS)
    inverse_leading_kernel(const batch_view<T> A, int *__restrict__ info)
{
  extern __shared__ __align__(16) char smem[];
  const subwarp<32>                    L;
  const subwarp_matrix<T>              M(A, subwarp<LEADING_THREADS>());
  bordering_smem<T, F>                &K = *reinterpret_cast<bordering_smem<T, F> *>(
      smem + warp_layout<T, TRAILING_ORDER, 32>::template bytes<true>);
  if (M.b == NO_INDEX) return;
  const leading_result<T> result = is_aligned(M) ? inverse_eliminate_leading<T, F, is_complex<T>>(M, smem, K)
                                                 : inverse_eliminate_leading<T, F, false>(M, smem, K);
  subwarp_matrix<T>       trailing = M;
  trailing.n = trailing.n_max = TRAILING_ORDER;
  warp_solver<T, TRAILING_ORDER, 32, true, false, true> work(trailing, L, (int)threadIdx.x / 32, smem, true);
  work.panels();
#pragma unroll
  for (int i = 0; i < work.OWN; i++) work.scale[i] = times(work.scale[i], work.scaling[i]);
  work.share_rows();
  bordering_store<T, F>(M, work, reinterpret_cast<const T *>(smem), K, result, info);
}

template <class T, int F, int BLOCKS>
static cudaError_t inverse_leading_launch(const batch_view<T> &A, int *info, cudaStream_t s)
{
  const auto        kernel = inverse_leading_kernel<T, F, BLOCKS>;
  constexpr int     bytes  = inverse_leading_bytes<T, F>;
  const cudaError_t e      = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (e != cudaSuccess) return e;
  kernel<<<(unsigned)A.count, LEADING_THREADS, (size_t)bytes, s>>>(A, info);
  return cudaGetLastError();
}

} // namespace bf
#endif
