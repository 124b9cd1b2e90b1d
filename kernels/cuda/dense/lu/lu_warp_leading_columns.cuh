/* kernels/cuda/dense/lu/lu_warp_leading_columns.cuh - LU of orders 65 to 72: the first n - 64 columns are
 * eliminated while the matrix is loaded
 *
 * Computes   the first n - 64 steps of P A = L U. The remaining 64 x 64 entries are stored in shared memory
 *            with their rows in LAPACK's order and factored by warp_factor.cuh; rows of U and columns of L
 *            are stored to A.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 3.4.
 * Layout     two warps; a thread has rows t and t + 64 of the first columns in registers. W, the effect of
 *            their steps on any other column, is in 16 x 8 tiles in the warps' registers. Columns are
 *            loaded from A 8 at a time.
 * Cost       A is read and written once, the rows of the first columns once more.
 * Launch     64 threads per matrix; blocks per multiprocessor as in warp_factor_tuning.cuh.
 * Checked    tests/kernels/dense/t362_lu_batch.c, t366_sizes_batch.c, t368_lu_panels.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_LU_LU_WARP_LEADING_COLUMNS_CUH
#define BF_KERNELS_CUDA_DENSE_LU_LU_WARP_LEADING_COLUMNS_CUH
#include "kernels/cuda/dense/common/leading_columns.cuh"
#include "kernels/cuda/dense/common/warp_factor_tuning.cuh"

namespace bf
{

/* W as tiles, applied to 16 rows of 8 columns in registers */
template <class T, int N>
struct leading_update : warp_update<T, N, 32, warp_fp64_sums<T, N, false>> {
  using Q = mma_sum<T, warp_fp64_sums<T, N, false>>;
  using P = mma_real<Q>;
  using R = real_t<T>;
  __device__ __forceinline__ void tile(int i, const T (&u)[2], T (&x)[4]) const
  {
    if constexpr (is_complex<T>) {
      const P re[2] = {mma_operand((Q)u[0].re), mma_operand((Q)u[1].re)},
              im[2] = {mma_operand((Q)u[0].im), mma_operand((Q)u[1].im)}, minus[2] = {-im[0], -im[1]};
      Q a[4], b[4];
#pragma unroll
      for (int e = 0; e < 4; e++) a[e] = x[e].re, b[e] = x[e].im;
      mma(a, this->re[i], re);
      mma(b, this->re[i], im);
      mma(a, this->im[i], minus);
      mma(b, this->im[i], re);
#pragma unroll
      for (int e = 0; e < 4; e++) x[e] = {(R)a[e], (R)b[e]};
    } else
      mma(x, this->w[i], {mma_operand(u[0]), mma_operand(u[1])});
  }
};

/* WIDE: entries of A have T's full alignment. */
template <class T, bool WIDE>
struct lu_leading_columns : leading_columns<T, WARP_KB> {
  using base = leading_columns<T, WARP_KB>;
  using R    = real_t<T>;
  using base::M, base::S, base::t, base::lane, base::w, base::leading, base::position, base::nonfinite,
      base::x, base::row, base::column, base::OWN, base::NOWHERE;
  static constexpr int KB = WARP_KB, N = TRAILING_ORDER + KB, TILES = (N + 15) / 16;
  static constexpr int PITCH = warp_layout<T, N, 32>::pitch;
  /* Shared memory, reused by the matrix later: W and finished columns of the panel, pivot rows */
  struct alignas(16) lu_leading_smem {
    T                     w[KB * PITCH], done[KB * PITCH];
    pivot_exchange<T, KB> shown;
    uint16_t              position[16 * TILES], pivot[KB];
  };

  lu_leading_smem &D;

  __device__ __forceinline__ lu_leading_columns(const subwarp_matrix<T> &M_, T *S_)
      : base(M_, S_), D(*reinterpret_cast<lu_leading_smem *>(S_))
  {
  }
  /* The first columns, zeros beyond them */
  __device__ __forceinline__ void read()
  {
#pragma unroll
    for (int i = 0; i < OWN; i++)
#pragma unroll
      for (int c = 0; c < KB; c++)
        x[i][c] = c < leading && row(i) < M.n ? load(column(c) + row(i), WIDE) : zero_of<T>();
  }
  /* Step j: x[i][0] is the current column; the effect of earlier steps on other columns is stored after
   * the columns that remain. */
  __device__ __forceinline__ void step(int j, int *ipiv)
  {
    T                     u[KB], reciprocal;
    R                     scaling;
    const pivot_candidate pivot = this->pivot_row(D.shown, j, u, scaling, reciprocal);
    if (t == 0) {
      ipiv[j]                   = pivot.position + 1;
      D.pivot[KB - leading + j] = (uint16_t)pivot.row;
    }
#pragma unroll
    for (int i = 0; i < OWN; i++) {
      position[i]    = position[i] == pivot.position ? j : position[i] == j ? pivot.position : position[i];
      const bool on  = position[i] > j;
      const T    l   = on ? times(x[i][0], scaling) * reciprocal : zero_of<T>();
      const T    out = on ? l : x[i][0];
      if (position[i] >= 0) {
        D.done[j * PITCH + row(i)] = out;
        nonfinite                  = track_nonfinite(out, nonfinite);
      }
#pragma unroll
      for (int c = 1; c < KB; c++) x[i][c - 1] = mulsub(l, u[c], x[i][c]);
      x[i][KB - 1] = l;
    }
  }
  /* Writes W and the rows' positions to shared memory, and the finished columns to A with rows in their
   * positions. */
  __device__ __forceinline__ void publish()
  {
    if (t < KB - leading) D.pivot[t] = 0; /* W is 0 there */
    for (int i = t; i < 16 * TILES; i += LEADING_THREADS) D.position[i] = NOWHERE;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < OWN; i++) {
      if (position[i] >= 0) D.position[row(i)] = (uint16_t)position[i];
#pragma unroll
      for (int c = 0; c < KB; c++) {
        const int j = c - (KB - leading);
        if (row(i) < N) D.w[c * PITCH + row(i)] = j >= 0 && position[i] > j ? -x[i][c] : zero_of<T>();
      }
      if (position[i] >= 0)
        for (int c = 0; c < leading; c++) store(column(c) + position[i], D.done[c * PITCH + row(i)], WIDE);
    }
    __syncthreads();
  }
  /* Applies W to columns from c on and stores their rows: the lower half of to[i][h] is a row of the
   * remaining matrix, the upper half the row of U plus 1, or 0. */
  __device__ __forceinline__ void block(const leading_update<T, N> &W, const unsigned (&to)[TILES][2],
                                        unsigned upper, const int (&pivot)[2], int c)
  {
    using tensor    = mma_layout<T, N, 32>;
    constexpr int P = warp_layout<T, TRAILING_ORDER, 32>::pitch;
    const int g = lane >> 2, own[2] = {tensor::column(2 * (lane & 3)), tensor::column(2 * (lane & 3) + 1)};
    const T  *from = column(c + tensor::column(g));
    T        *p[2] = {column(c + own[0]) + g, column(c + own[1]) + g};
    T        *s    = S + (c - leading) * P;
    T         u[2], x[TILES][4];
#pragma unroll
    for (int e = 0; e < 2; e++) u[e] = load(from + pivot[e], WIDE);
#pragma unroll
    for (int i = 0; i < TILES; i++)
#pragma unroll
      for (int e = 0; e < 4; e++) {
        const int down = 16 * i + 8 * (e >> 1);
        x[i][e]        = down < TRAILING_ORDER || down + g < M.n ? load(p[e & 1] + down, WIDE) : zero_of<T>();
      }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < TILES; i++) {
      W.tile(i, u, x[i]);
#pragma unroll
      for (int e = 0; e < 4; e++) {
        const unsigned at = to[i][e >> 1] & NOWHERE;
        if (at < TRAILING_ORDER) shared_put(s + own[e & 1] * P + at, x[i][e]);
      }
    }
#pragma unroll
    for (int i = 0; i < 2 * TILES; i++)
      if (upper >> i & 1)
        if (const int at = (int)(to[i / 2][i % 2] >> 16) - 1; at >= 0)
#pragma unroll
          for (int e = 0; e < 2; e++) {
            const T v = x[i / 2][i % 2 * 2 + e];
            nonfinite = track_nonfinite(v, nonfinite);
            store(column(c + own[e]) + at, v, WIDE);
          }
  }
  __device__ __forceinline__ void apply()
  {
    const int            g = lane >> 2;
    leading_update<T, N> W;
    unsigned             to[TILES][2], upper = 0; /* upper: whether the lanes have rows of U */
    int                  pivot[2];
    W.init(D.w, lane, D.pivot);
#pragma unroll
    for (int i = 0; i < 2 * TILES; i++) {
      const int  at    = D.position[8 * i + g];
      const bool is    = at < leading;
      to[i / 2][i % 2] = is ? (at + 1) << 16 | TRAILING_ORDER : at == NOWHERE ? TRAILING_ORDER : at - leading;
      upper |= __any_sync(ALL_LANES, is) ? 1u << i : 0;
    }
#pragma unroll
    for (int e = 0; e < 2; e++) pivot[e] = D.pivot[(lane & 3) + 4 * e];
    __syncthreads();
#pragma unroll 1
    for (int c = leading + KB * w; c < M.n; c += 2 * KB) block(W, to, upper, pivot, c);
    __syncthreads();
  }
  __device__ __forceinline__ void run(int *ipiv)
  {
    read();
#pragma unroll 1
    for (int j = 0; j < leading; j++) step(j, ipiv);
    publish();
    apply();
  }
};

template <class T, bool WIDE>
static __device__ __forceinline__ leading_result<T> lu_eliminate_leading(const subwarp_matrix<T> &M,
                                                                         char *smem, int *ipiv)
{
  lu_leading_columns<T, WIDE> leading(M, reinterpret_cast<T *>(smem));
  leading.run(ipiv);
  return {leading.leading, leading.zero, leading.nonfinite, 0};
}

template <class T, int BLOCKS>
static __global__ void __launch_bounds__(LEADING_THREADS, BLOCKS)
    lu_warp_leading(const batch_view<T> A, int *__restrict__ ipiv, int *__restrict__ info)
{
  extern __shared__ __align__(16) char smem[];
  const subwarp<32>                    L;
  subwarp_matrix<T>                    M(A, subwarp<LEADING_THREADS>());
  if (M.b == NO_INDEX) return;
  ipiv += (int64_t)M.b * A.pitch;
  const leading_result<T> result = is_aligned(M) ? lu_eliminate_leading<T, is_complex<T>>(M, smem, ipiv)
                                                 : lu_eliminate_leading<T, false>(M, smem, ipiv);
  M.a += result.columns * ((int64_t)M.ld + 1);
  M.n = M.n_max = TRAILING_ORDER;
  warp_solver<T, TRAILING_ORDER, 32, false, false, true> work(M, L, (int)threadIdx.x / 32, smem, true);
  work.panels();
  work.store_result(ipiv + result.columns, info, result);
}

/* Orders 65 .. 72 */
template <class T>
static cudaError_t lu_warp_leading_launch(const batch_view<T> &A, int *ipiv, int *info, cudaStream_t s)
{
  const auto        kernel = lu_warp_leading < T, sizeof(T) == 4 ? 8 : warp_tuning<T>::B64 > ;
  constexpr int     bytes  = warp_layout<T, TRAILING_ORDER, 32>::template bytes<true>;
  const cudaError_t e      = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (e != cudaSuccess) return e;
  kernel<<<(unsigned)A.count, LEADING_THREADS, (size_t)bytes, s>>>(A, ipiv, info);
  return cudaGetLastError();
}

} // namespace bf
#endif
