/* kernels/cuda/dense/lu/lu_warp_leading_columns.cuh - LU of orders 65 to 72: what is beyond 64 columns is
 * eliminated while the matrix is fetched
 *
 * Computes   the first n - 64 steps of P A = L U.  The 64 x 64 entries that are left come into shared memory
 *            with their rows at LAPACK's places, where warp_factor.cuh takes them for any matrix of order 64;
 *            rows of U and columns of L are in A.
 * Layout     two warps, a thread has rows t and t + 64 of the first columns in registers; W, what their steps
 *            do to any other column, is 16 x 8 tiles in the warps' registers.  Columns come from A by 8.
 * Cost       A is read and written once, the first columns' rows below once more.
 * Checked    t362, t366, t368.
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
struct front_update : warp_update<T, N, 32, warp_wide<T, N, false>> {
  using Q = mma_sum<T, warp_wide<T, N, false>>;
  using P = mma_real<Q>;
  using R = real_t<T>;
  __device__ __forceinline__ void tile(int i, const T (&u)[2], T (&x)[4]) const
  {
    if constexpr (is_complex<T>) {
      const P re[2] = {mma_part((Q)u[0].re), mma_part((Q)u[1].re)},
              im[2] = {mma_part((Q)u[0].im), mma_part((Q)u[1].im)}, minus[2] = {-im[0], -im[1]};
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
      mma(x, this->w[i], {mma_part(u[0]), mma_part(u[1])});
  }
};

/* WIDE: entries of A have T's full alignment. */
template <class T, bool WIDE>
struct warp_front : front_rows<T, WARP_KB> {
  using base = front_rows<T, WARP_KB>;
  using R    = real_t<T>;
  using base::M, base::S, base::t, base::lane, base::w, base::front, base::place, base::rest, base::x,
      base::row, base::column, base::OWN, base::NOWHERE;
  static constexpr int KB = WARP_KB, N = FRONT_REST + KB, TILES = (N + 15) / 16;
  static constexpr int PITCH = warp_shape<T, N, 32>::pitch;
  /* Laid out where the matrix comes to lie: W and the columns done of the panel, rows that were chosen */
  struct alignas(16) desk {
    T                  w[KB * PITCH], done[KB * PITCH];
    front_shown<T, KB> shown;
    uint16_t           place[16 * TILES], pivot[KB];
  };

  desk &D;

  __device__ __forceinline__ warp_front(const small_matrix<T> &M_, T *S_)
      : base(M_, S_), D(*reinterpret_cast<desk *>(S_))
  {
  }
  /* The first columns, zeros beyond them */
  __device__ __forceinline__ void read()
  {
#pragma unroll
    for (int i = 0; i < OWN; i++)
#pragma unroll
      for (int c = 0; c < KB; c++)
        x[i][c] = c < front && row(i) < M.n ? load(column(c) + row(i), WIDE) : zero_of<T>();
  }
  /* Step j: x[i][0] is the column at hand, what the steps before do to the others stands behind the columns
   * that are left. */
  __device__ __forceinline__ void step(int j, int *ipiv)
  {
    T                 u[KB], reciprocal;
    R                 by;
    const front_claim pivot = this->take(D.shown, j, u, by, reciprocal);
    if (t == 0) {
      ipiv[j]                 = pivot.place + 1;
      D.pivot[KB - front + j] = (uint16_t)pivot.row;
    }
#pragma unroll
    for (int i = 0; i < OWN; i++) {
      place[i]       = place[i] == pivot.place ? j : place[i] == j ? pivot.place : place[i];
      const bool on  = place[i] > j;
      const T    l   = on ? times(x[i][0], by) * reciprocal : lu_zero<T>();
      const T    out = on ? l : x[i][0];
      if (place[i] >= 0) {
        D.done[j * PITCH + row(i)] = out;
        rest                       = with(out, rest);
      }
#pragma unroll
      for (int c = 1; c < KB; c++) x[i][c - 1] = mulsub(l, u[c], x[i][c]);
      x[i][KB - 1] = l;
    }
  }
  /* W and the rows' places for all; the columns that are done to A, rows in their places */
  __device__ __forceinline__ void lay_out()
  {
    if (t < KB - front) D.pivot[t] = 0; /* W is 0 there */
    for (int i = t; i < 16 * TILES; i += FRONT_THREADS) D.place[i] = NOWHERE;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < OWN; i++) {
      if (place[i] >= 0) D.place[row(i)] = (uint16_t)place[i];
#pragma unroll
      for (int c = 0; c < KB; c++) {
        const int j = c - (KB - front);
        if (row(i) < N) D.w[c * PITCH + row(i)] = j >= 0 && place[i] > j ? -x[i][c] : lu_zero<T>();
      }
      if (place[i] >= 0)
        for (int c = 0; c < front; c++) store(column(c) + place[i], D.done[c * PITCH + row(i)], WIDE);
    }
    __syncthreads();
  }
  /* Columns from c on, W applied, to where their rows belong: of to[i][h] the lower half is a row of what is
   * left, the upper half the row of U and 1, 0 for others. */
  __device__ __forceinline__ void block(const front_update<T, N> &W, const unsigned (&to)[TILES][2],
                                        unsigned upper, const int (&pivot)[2], int c)
  {
    using tensor    = warp_tensor<T, N, 32>;
    constexpr int P = warp_shape<T, FRONT_REST, 32>::pitch;
    const int g = lane >> 2, own[2] = {tensor::column(2 * (lane & 3)), tensor::column(2 * (lane & 3) + 1)};
    const T  *from = column(c + tensor::column(g));
    T        *p[2] = {column(c + own[0]) + g, column(c + own[1]) + g};
    T        *s    = S + (c - front) * P;
    T         u[2], x[TILES][4];
#pragma unroll
    for (int e = 0; e < 2; e++) u[e] = load(from + pivot[e], WIDE);
#pragma unroll
    for (int i = 0; i < TILES; i++)
#pragma unroll
      for (int e = 0; e < 4; e++) {
        const int down = 16 * i + 8 * (e >> 1);
        x[i][e]        = down < FRONT_REST || down + g < M.n ? load(p[e & 1] + down, WIDE) : lu_zero<T>();
      }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < TILES; i++) {
      W.tile(i, u, x[i]);
#pragma unroll
      for (int e = 0; e < 4; e++) {
        const unsigned at = to[i][e >> 1] & NOWHERE;
        if (at < FRONT_REST) shared_put(s + own[e & 1] * P + at, x[i][e]);
      }
    }
#pragma unroll
    for (int i = 0; i < 2 * TILES; i++)
      if (upper >> i & 1)
        if (const int at = (int)(to[i / 2][i % 2] >> 16) - 1; at >= 0)
#pragma unroll
          for (int e = 0; e < 2; e++) {
            const T v = x[i / 2][i % 2 * 2 + e];
            rest      = with(v, rest);
            store(column(c + own[e]) + at, v, WIDE);
          }
  }
  __device__ __forceinline__ void apply()
  {
    const int          g = lane >> 2;
    front_update<T, N> W;
    unsigned           to[TILES][2], upper = 0; /* upper: rows of U among the lanes' */
    int                pivot[2];
    W.take(D.w, lane, D.pivot);
#pragma unroll
    for (int i = 0; i < 2 * TILES; i++) {
      const int  at    = D.place[8 * i + g];
      const bool is    = at < front;
      to[i / 2][i % 2] = is ? (at + 1) << 16 | FRONT_REST : at == NOWHERE ? FRONT_REST : at - front;
      upper |= __any_sync(ALL_LANES, is) ? 1u << i : 0;
    }
#pragma unroll
    for (int e = 0; e < 2; e++) pivot[e] = D.pivot[(lane & 3) + 4 * e];
    __syncthreads();
#pragma unroll 1
    for (int c = front + KB * w; c < M.n; c += 2 * KB) block(W, to, upper, pivot, c);
    __syncthreads();
  }
  __device__ __forceinline__ void run(int *ipiv)
  {
    read();
#pragma unroll 1
    for (int j = 0; j < front; j++) step(j, ipiv);
    lay_out();
    apply();
  }
};

template <class T, bool WIDE>
static __device__ __forceinline__ warp_left<T> front_eliminate(const small_matrix<T> &M, char *room,
                                                               int *ipiv)
{
  warp_front<T, WIDE> front(M, reinterpret_cast<T *>(room));
  front.run(ipiv);
  return {front.front, front.zero, front.rest, 0};
}

template <class T, int BLOCKS>
static __global__ void __launch_bounds__(FRONT_THREADS, BLOCKS)
    lu_front(const batch_view<T> A, int *__restrict__ ipiv, int *__restrict__ info)
{
  extern __shared__ __align__(16) char room[];
  const lane_group<32>                 L;
  small_matrix<T>                      M(A, lane_group<FRONT_THREADS>());
  if (M.b == NOBODY) return;
  ipiv += (int64_t)M.b * A.pitch;
  const warp_left<T> left =
      whole(M) ? front_eliminate<T, is_complex<T>>(M, room, ipiv) : front_eliminate<T, false>(M, room, ipiv);
  M.a += left.columns * ((int64_t)M.ld + 1);
  M.n = M.top = FRONT_REST;
  warp_work<T, FRONT_REST, 32, false, false, true> work(M, L, (int)threadIdx.x / 32, room, true);
  work.panels();
  work.give(ipiv + left.columns, info, left);
}

/* Orders 65 .. 72 */
template <class T>
static cudaError_t lu_front_launch(const batch_view<T> &A, int *ipiv, int *info, cudaStream_t s)
{
  const auto        kernel = lu_front < T, sizeof(T) == 4 ? 8 : warp_blocks<T>::B64 > ;
  constexpr int     bytes  = warp_shape<T, FRONT_REST, 32>::template bytes<true>;
  const cudaError_t e      = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (e != cudaSuccess) return e;
  kernel<<<(unsigned)A.count, FRONT_THREADS, (size_t)bytes, s>>>(A, ipiv, info);
  return cudaGetLastError();
}

} // namespace bf
#endif
