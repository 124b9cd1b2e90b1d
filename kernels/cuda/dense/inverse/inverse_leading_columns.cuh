/* kernels/cuda/dense/inverse/inverse_leading_columns.cuh - inverses of orders 65 to 80: what is beyond 64
 * columns is eliminated while the matrix is fetched
 *
 * Computes   with f = n - 64 and P the exchanges of the first f steps, P A = (A11 A12; A21 A22):
 *            Gauss-Jordan of f columns leaves W = (G; -L) = (A11^-1; -A21 A11^-1) in their place, which makes
 *            H = G A12 and S = A22 - L A12 of the others.  warp_factor.cuh inverts S as any matrix of order
 *            64; then
 *
 *                A^-1 P^T = (G + H S^-1 L, -H S^-1; -S^-1 L, S^-1)
 *
 *            (inverse_bordering.cuh).  A is written last: a matrix that fails stays as it was.
 * Layout     two warps; a thread has rows t and t + 64 of the first columns in registers, F = 8 or 16 of
 *            them, of which F - f, in front, are empty.  W and H stay in shared memory beside S.
 * Cost       A is read and written once.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 3.2; Higham, 2nd ed., section 14.2.
 * Checked    t361, t366.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_INVERSE_INVERSE_LEADING_COLUMNS_CUH
#define BF_KERNELS_CUDA_DENSE_INVERSE_INVERSE_LEADING_COLUMNS_CUH
#include "kernels/cuda/dense/inverse/inverse_bordering.cuh"

namespace bf
{

/* The first f columns, and the others on their way.  WIDE: entries of A have T's full alignment. */
template <class T, int F, bool WIDE>
struct inverse_columns : front_rows<T, F> {
  using base = front_rows<T, F>;
  using R    = real_t<T>;
  using kept = inverse_front_kept<T, F>;
  using base::M, base::S, base::t, base::lane, base::w, base::front, base::place, base::rest, base::x,
      base::row, base::column, base::OWN, base::NOWHERE;
  enum { N = kept::N, PITCH = kept::PITCH, TILES = kept::ROWS / 16 };
  static constexpr int P = warp_shape<T, FRONT_REST, 32>::pitch;

  front_shown<T, F> &D; /* where the matrix comes to lie */
  kept              &K;

  __device__ __forceinline__ inverse_columns(const small_matrix<T> &M_, T *S_, kept &K_)
      : base(M_, S_), D(*reinterpret_cast<front_shown<T, F> *>(S_)), K(K_)
  {
#pragma unroll
    for (int i = 0; i < OWN; i++) {
#pragma unroll
      for (int c = 0; c < F; c++) {
        x[i][c] = c < front && row(i) < M.n ? load(column(c) + row(i), WIDE) : zero_of<T>();
        rest    = with(x[i][c], rest);
      }
    }
  }
  /* Step j: x[i][0] is the column at hand, what the steps before do to the others stands behind the columns
   * that are left. */
  __device__ __forceinline__ void step(int j)
  {
    T                 u[F], reciprocal;
    R                 by;
    const front_claim pivot = this->take(D, j, u, by, reciprocal);
#pragma unroll
    for (int i = 0; i < OWN; i++) {
      const bool taken = place[i] == pivot.place;
      place[i]         = taken ? j : place[i] == j ? pivot.place : place[i];
      const T l        = times(taken ? from_real<T>(-1) : x[i][0], by) * reciprocal;
#pragma unroll
      for (int c = 1; c < F; c++) x[i][c - 1] = mulsub(l, u[c], taken ? zero_of<T>() : x[i][c]);
      x[i][F - 1] = -l;
    }
  }
  /* W, places and rows for all */
  __device__ __forceinline__ void lay_out()
  {
    const int empty = F - front;
    for (int i = t; i < kept::ROWS; i += FRONT_THREADS) K.place[i] = NOWHERE;
    if (t < empty) K.pivot[t] = 0; /* W is 0 there */
    __syncthreads();
#pragma unroll
    for (int i = 0; i < OWN; i++) {
      if (place[i] >= 0) {
        K.place[row(i)]    = (uint16_t)place[i];
        K.origin[place[i]] = (uint16_t)row(i);
        if (place[i] < front) K.pivot[empty + place[i]] = (uint16_t)row(i);
      }
      if (row(i) < N)
#pragma unroll
        for (int c = 0; c < F; c++) K.w[c * PITCH + row(i)] = place[i] >= 0 ? x[i][c] : zero_of<T>();
    }
    __syncthreads();
  }
  /* 8 columns from c on, W applied; to[i][h] + pace[i][h] times the column is where a row comes to lie. */
  __device__ __forceinline__ void block(const int (&to)[TILES][2], const int (&pace)[TILES][2], unsigned mine,
                                        int c)
  {
    using tensor = warp_tensor<T, N, 32>;
    const int g = lane >> 2, own[2] = {tensor::column(2 * (lane & 3)), tensor::column(2 * (lane & 3) + 1)};
    const T  *from = column(c + tensor::column(g)), *p[2] = {column(c + own[0]) + g, column(c + own[1]) + g};
    T         u[F / 8][2], y[TILES][4];
#pragma unroll
    for (int k = 0; k < F / 8; k++)
#pragma unroll
      for (int e = 0; e < 2; e++) {
        u[k][e] = load(from + K.pivot[8 * k + (lane & 3) + 4 * e], WIDE);
        rest    = with(u[k][e], rest);
      }
#pragma unroll
    for (int i = 0; i < TILES; i++)
#pragma unroll
      for (int e = 0; e < 4; e++) {
        const int h = e >> 1;
        y[i][e]     = mine >> (2 * i + h) & 1 ? load(p[e & 1] + 16 * i + 8 * h, WIDE) : zero_of<T>();
        rest        = with(y[i][e], rest);
      }
#pragma unroll
    for (int k = 0; k < F / 8; k++)
      if (8 * (k + 1) > F - front) { /* others are empty: a matrix becomes the same with any F */
        front_update<T, N> W;
        W.take(K.w + 8 * k * PITCH, lane, K.pivot + 8 * k);
#pragma unroll
        for (int i = 0; i < TILES; i++) W.tile(i, u[k], y[i]);
      }
#pragma unroll
    for (int i = 0; i < TILES; i++)
#pragma unroll
      for (int e = 0; e < 4; e++) {
        const int h = e >> 1;
        if (16 * i + 8 * h < FRONT_REST || to[i][h] >= 0)
          shared_put(S + to[i][h] + (c - front + own[e & 1]) * pace[i][h], y[i][e]);
      }
  }
  __device__ __forceinline__ void run()
  {
#pragma unroll 1
    for (int j = 0; j < front; j++) step(j);
    lay_out();
    const int g = lane >> 2, h0 = (int)(K.h - S);
    int       to[TILES][2], pace[TILES][2];
    unsigned  mine = 0; /* rows that are S's */
#pragma unroll
    for (int i = 0; i < 2 * TILES; i++) {
      const int  at      = K.place[8 * i + g];
      const bool is      = at < front;
      to[i / 2][i % 2]   = is ? h0 + F - front + at : at == NOWHERE ? -1 : at - front;
      pace[i / 2][i % 2] = is ? F : P;
      mine |= !is && at != NOWHERE ? 1u << i : 0;
    }
#pragma unroll 1
    for (int c = front + 8 * w; c < M.n; c += 16) block(to, pace, mine, c);
    __syncthreads();
  }
};

template <class T, int F, bool WIDE>
static __device__ __forceinline__ warp_left<T> inverse_front_eliminate(const small_matrix<T> &M, char *room,
                                                                       inverse_front_kept<T, F> &K)
{
  inverse_columns<T, F, WIDE> front(M, reinterpret_cast<T *>(room), K);
  front.run();
  return {front.front, front.zero, front.rest};
}

template <class T, int F>
static constexpr int inverse_front_bytes = warp_shape<T, FRONT_REST, 32>::template bytes<true> +
                                           (int)sizeof(inverse_front_kept<T, F>);

template <class T, int F, int BLOCKS>
static __global__ void __launch_bounds__(FRONT_THREADS, BLOCKS)
    inverse_in_front(const batch_view<T> A, int *__restrict__ info)
{
  extern __shared__ __align__(16) char room[];
  const lane_group<32>                 L;
  const small_matrix<T>                M(A, lane_group<FRONT_THREADS>());
  inverse_front_kept<T, F>            &K = *reinterpret_cast<inverse_front_kept<T, F> *>(
      room + warp_shape<T, FRONT_REST, 32>::template bytes<true>);
  if (M.b == NOBODY) return;
  const warp_left<T> left    = whole(M) ? inverse_front_eliminate<T, F, is_complex<T>>(M, room, K)
                                        : inverse_front_eliminate<T, F, false>(M, room, K);
  small_matrix<T>    of_rest = M;
  of_rest.n = of_rest.top = FRONT_REST;
  warp_work<T, FRONT_REST, 32, true, false, true> work(of_rest, L, (int)threadIdx.x / 32, room, true);
  work.panels();
#pragma unroll
  for (int i = 0; i < work.OWN; i++) work.scale[i] = times(work.scale[i], work.by[i]);
  work.tell();
  inverse_front_give<T, F>(M, work, reinterpret_cast<const T *>(room), K, left, info);
}

template <class T, int F, int BLOCKS>
static cudaError_t inverse_front_launch(const batch_view<T> &A, int *info, cudaStream_t s)
{
  const auto        kernel = inverse_in_front<T, F, BLOCKS>;
  constexpr int     bytes  = inverse_front_bytes<T, F>;
  const cudaError_t e      = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (e != cudaSuccess) return e;
  kernel<<<(unsigned)A.count, FRONT_THREADS, (size_t)bytes, s>>>(A, info);
  return cudaGetLastError();
}

} // namespace bf
#endif
