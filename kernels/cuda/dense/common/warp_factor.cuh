/* kernels/cuda/dense/common/warp_factor.cuh - LU and inverses of orders from 17 on: G lanes of a warp factor
 * a matrix in shared memory, 8 columns at a time
 *
 * Computes   P A = L U with LAPACK's ipiv and info, or A^-1 by Gauss-Jordan.  A panel of 8 columns is taken
 *            with its pivots in registers, one, two or three rows a lane; in place of its columns grows W,
 *            what the panel's steps do to any other column (warp_factor_update.cuh), and then does it to all
 *            of them (LU: on the right) at once.  Rows never move; their places in LAPACK's order follow in
 *            the end from the rows of the pivots.  A panel's steps are a loop over TURN of them, its columns
 *            turn.  After the last panel of an inverse, with Y the array and p(k) the row of pivot k:
 *            A^-1(k, p(j)) = Y(p(k), j) over pivot k.  HELP: a second warp, which applies a panel to all
 *            columns but those of the next panel while the first factors that one.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., sections 3.2, 3.4; W, the inverse of L11 and -L21
 *            times it, column by column as in Gauss-Jordan's method: Higham, 2nd ed., section 14.4.
 * Cost       2/3 n^3 or 2 n^3 flops, 4 n^2 more for W; A is read and written once; no barrier, or with HELP
 *            two a panel.
 * Checked    tests/kernels/dense/t361_inverse_batch.c, t362_lu_batch.c, t367_small_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_COMMON_WARP_FACTOR_CUH
#define BF_KERNELS_CUDA_DENSE_COMMON_WARP_FACTOR_CUH
#include "kernels/cuda/dense/common/warp_factor_panel.cuh"

namespace bf
{

/* What was done left of a matrix: columns eliminated, the first of them without a pivot, 0 while all is
 * finite; of those columns so many whose rows are not moved here
 */
template <class T>
struct warp_left {
  int       columns, zero;
  real_t<T> rest;
  int       still;
};

/* A lane's part in one matrix. */
template <class T, int N, int G, bool INVERSE, bool ENGINE, bool HELP>
struct warp_work : warp_rows<T, N, G, INVERSE, ENGINE, HELP> {
  using B = warp_rows<T, N, G, INVERSE, ENGINE, HELP>;
  using B::HALVES;
  using B::KB, B::P, B::OWN, B::MANY, B::TURN, B::AT_ONCE;
  using B::M, B::L, B::own, B::order, B::w, B::r, B::done, B::zero, B::by, B::rest, B::scale;
  using B::matrix, B::order_of, B::told, B::scales, B::places, B::barriers, B::sync, B::place;
  using B::note, B::take, B::step, B::exchanges;
  using B::warp_rows;
  static constexpr bool WIDE = warp_wide<T, N, INVERSE>;
  using typename B::R;

  __device__ __forceinline__ void put(const T (&x)[OWN][KB], int k0) const
  {
    if (r >= N) return;
#pragma unroll
    for (int j = 0; j < KB; j++) {
      T v[OWN];
#pragma unroll
      for (int i = 0; i < OWN; i++) v[i] = x[i][j];
      shared_put_run(own + (k0 + j) * P, v);
    }
  }
  __device__ __forceinline__ unsigned those_of(unsigned ballot, int m) const
  {
    return ballot >> (m * G % 32) & (~0u >> (32 - G));
  }
  /* The panel's steps for the other columns by W = x, for which its own columns make room: in LU 0 but below
   * each pivot.  Its part of L and U is back before. */
  __device__ __forceinline__ void update(T (&x)[OWN][KB], const T (&lu)[OWN][KB], int k0) const
  {
    unsigned                           mask[MANY][OWN];
    warp_update<T, N, G, WIDE, HALVES> W[MANY];
#pragma unroll
    for (int i = 0; i < OWN; i++)
      if (INVERSE) {
        const unsigned those = __ballot_sync(ALL_LANES, (unsigned)(place(i) - k0) < KB && done[i] < 0);
#pragma unroll
        for (int m = 0; m < MANY; m++) mask[m][i] = those_of(those, m);
        if (HELP && L.lane == 0) told()[k0 / KB % 2 * OWN + i] = those;
      }
    put(x, k0);
    if (ENGINE)
      fetch_wait<KB>(M, barriers() + 1);
    else if (!HELP)
      bf_copies_done();
    sync();
#pragma unroll
    for (int m = 0; m < MANY; m++) {
      W[m].take(matrix(m) + k0 * P, L.lane, order_of(m) + k0);
      if (INVERSE) W[m].at.clear(L.lane, mask[m]);
    }
    if (!INVERSE) {
      sync();
      put(lu, k0);
    }
    if constexpr (HELP) {
      if (k0 + KB < M.top) W[0].block(matrix(0) + (k0 + KB) * P);
    } else {
#pragma unroll(AT_ONCE)
      for (int i = 0; i < N / KB - 1; i++) {
        const int e = KB * i, c = INVERSE ? e + (e >= k0 ? KB : 0) : e + k0 + KB;
        if (c < M.top)
#pragma unroll
          for (int m = 0; m < MANY; m++) W[m].block(matrix(m) + c * P);
      }
    }
    __syncwarp();
  }
  /* The helper's part of a panel */
  __device__ __forceinline__ void help(int k0) const
  {
    warp_update<T, N, G, WIDE> W;
    sync();
    W.take(matrix(0) + k0 * P, L.lane, order + k0);
    if (INVERSE) {
      unsigned mask[OWN];
#pragma unroll
      for (int i = 0; i < OWN; i++) mask[i] = told()[k0 / KB % 2 * OWN + i];
      W.at.clear(L.lane, mask);
    } else
      sync();
#pragma unroll(AT_ONCE)
    for (int i = 0; i < N / KB - (INVERSE ? 1 : 2); i++) {
      const int e = KB * i, c = INVERSE ? e + (e >= k0 ? 2 * KB : 0) : e + k0 + 2 * KB;
      if (c < M.top) W.block(matrix(0) + c * P);
    }
  }
  __device__ __forceinline__ void panel(int k0)
  {
    T x[OWN][KB], lu[OWN][KB];
    take(x, k0);
#pragma unroll 1
    for (int k = k0; k < k0 + KB; k += TURN) {
#pragma unroll
      for (int j = 0; j < TURN; j++) step(x, lu, k + j, j);
#pragma unroll
      for (int i = 0; i < OWN; i++) {
        turn<TURN>(x[i]);
        if (!INVERSE) turn<TURN>(lu[i]);
      }
    }
    note(k0);
    if (INVERSE || k0 + KB < M.top) {
      update(x, lu, k0);
    } else {
      put(lu, k0);
      __syncwarp();
    }
  }
  /* before(k0) is done before panel k0. */
  template <class F>
  __device__ __forceinline__ void panels(F before)
  {
    if (HELP && w == 1) {
      bf_copies_done();
#pragma unroll 1
      for (int k0 = 0; k0 + (INVERSE ? 0 : KB) < M.top; k0 += KB) help(k0);
    } else
#pragma unroll 1
      for (int k0 = 0; k0 < M.top; k0 += KB) {
        before(k0);
        panel(k0);
      }
  }
  __device__ __forceinline__ void panels()
  {
    panels([](int) {});
  }
  /* What the helper wants to know of the rows before it stores some of the columns */
  __device__ __forceinline__ void tell()
  {
#pragma unroll
    for (int i = 0; i < OWN; i++)
      if (w == 0 && r + i < N) {
        places()[r + i] = (uint16_t)done[i];
        if (INVERSE) shared_put(scales() + r + i, scale[i]);
      }
    if (w == 0 && L.lane == 0) told()[2 * OWN] = (unsigned)zero;
    sync();
#pragma unroll
    for (int i = 0; i < OWN; i++)
      if (w == 1 && r + i < M.n) {
        done[i] = places()[r + i];
        if (INVERSE) scale[i] = shared_get(scales() + r + i);
      }
    if (w == 1) zero = (int)told()[2 * OWN];
  }

  /* f(which row, column, entry of the result) for this lane's rows; of two warps each half of the columns */
  template <class F>
  __device__ __forceinline__ void entries(F f) const
  {
    const int first = HELP && w == 1 ? M.n / 2 : 0, end = HELP && w == 0 ? M.n / 2 : M.n;
    if (r < M.n)
#pragma unroll 8
      for (int j = first; j < end; j++) {
        T v[OWN];
        shared_get_run(own + j * P, v);
#pragma unroll
        for (int i = 0; i < OWN; i++)
          if (r + i < M.n) f(i, j, INVERSE ? v[i] * scale[i] : v[i]);
      }
  }
  /* Rows of columns left of M to their places */
  __device__ __forceinline__ void move(const warp_left<T> &left, bool wide) const
  {
    constexpr int AT_A_TIME = 4;
    const int     columns   = left.columns;
    T            *p         = M.a - (int64_t)columns * M.ld;
    for (int c = left.still + w * AT_A_TIME; c < columns; c += 2 * AT_A_TIME) {
      T v[AT_A_TIME][OWN];
#pragma unroll
      for (int j = 0; j < AT_A_TIME; j++)
#pragma unroll
        for (int i = 0; i < OWN; i++)
          if (c + j < columns) v[j][i] = load(p + (c + j) * (int64_t)M.ld + r + i, wide);
      __syncwarp();
#pragma unroll
      for (int j = 0; j < AT_A_TIME; j++)
#pragma unroll
        for (int i = 0; i < OWN; i++)
          if (c + j < columns) store(p + (c + j) * (int64_t)M.ld + place(i), v[j][i], wide);
    }
  }
  __device__ __forceinline__ void give(int *ipiv, int *info, const warp_left<T> &left = {0, 0, 0, 0})
  {
    const bool wide = whole(M);
    rest += left.rest;
#pragma unroll
    for (int i = 0; i < OWN; i++) scale[i] = times(scale[i], by[i]);
    if (HELP) tell();
    if (HELP && !INVERSE) move(left, wide);
    entries([&](int i, int j, T v) {
      rest = with(v, rest);
      if (!INVERSE) store(M.a + place(i) + (int64_t)j * M.ld, v, wide);
    });
    bool wild = !(rest == 0);
    if constexpr (HELP)
      wild = __syncthreads_or(wild);
    else
      wild = L.own(__ballot_sync(ALL_LANES, wild)) != 0;
    if (INVERSE && !wild && zero == 0)
      entries([&](int i, int j, T v) { store(M.a + place(i) + (int64_t)order[j] * M.ld, v, wide); });
    if (w != 0) return;
    if (!INVERSE) exchanges(ipiv, left.columns);
    if (zero > 0) zero += left.columns;
    if (L.r == 0 && M.b != NOBODY)
      info[M.b] = wild ? M.n + left.columns + 1 : left.zero > 0 ? left.zero : zero;
  }
};

/* Whether a team brings, half way, the matrix that comes to its place; 16 bytes a scalar: slower */
template <class T, int N, int G, bool INVERSE, bool HELP>
inline constexpr bool warp_brings = warp_halves<T, N, G, INVERSE, HELP> && sizeof(T) == 8;

/* TEAMS in a block, BLOCKS of them on a multiprocessor; a team is a warp, or two, of which one helps.
 * ahead: matrices that the device holds at a time. */
template <class T, int N, int G, bool INVERSE, int TEAMS, int BLOCKS, bool ENGINE, bool HELP>
static __global__ void __launch_bounds__((HELP ? 64 : 32) * TEAMS, BLOCKS)
    warp_factor(const batch_view<T> A, int *__restrict__ ipiv, int *__restrict__ info, int ahead)
{
  static_assert(!HELP || (TEAMS == 1 && G == 32 && !ENGINE), "a helper is for one matrix in a block");
  extern __shared__ __align__(16) char room[];
  constexpr int                        EACH  = TEAMS * (32 / G);
  constexpr bool                       BRING = BLOCKS * EACH * N * N * (int)sizeof(T) <= EARLY_BYTES;
  batch_early_begin<BRING>(A, EACH);
  const lane_group<G>   L;
  const small_matrix<T> M(A, lane_group < HELP ? 64 : G > ());
  const int             warp = (int)threadIdx.x / 32;
  if (__all_sync(ALL_LANES, M.b == NOBODY)) return;
  warp_work<T, N, G, INVERSE, ENGINE, HELP> work(
      M, L, HELP ? warp : 0,
      HELP ? room : room + warp * (32 / G) * warp_shape<T, N, G>::template bytes<false>);
  bf_early_let();
  work.panels([&](int k0) {
    if (warp_brings<T, N, G, INVERSE, HELP> && k0 == N / 2 && L.r == 0)
      batch_bring(A, (int64_t)blockIdx.x * EACH + threadIdx.x / G + ahead);
  });
  work.give(INVERSE || M.b == NOBODY ? nullptr : ipiv + (int64_t)M.b * A.pitch, info);
}

template <class T, int N, int G, bool INVERSE, int TEAMS, int BLOCKS, bool ENGINE, bool HELP>
static cudaError_t warp_launch(const batch_view<T> &A, int *ipiv, int *info, cudaStream_t s)
{
  const auto        kernel = warp_factor<T, N, G, INVERSE, TEAMS, BLOCKS, ENGINE, HELP>;
  constexpr int     each = TEAMS * (32 / G), bytes = each * warp_shape<T, N, G>::template bytes<HELP>;
  const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (e != cudaSuccess) return e;
  return bf_early_launch(kernel, (unsigned)(((int64_t)A.count + each - 1) / each), (HELP ? 64 : 32) * TEAMS,
                         (size_t)bytes, s, A, ipiv, info,
                         warp_brings<T, N, G, INVERSE, HELP> ? batch_multiprocessors() * BLOCKS * each : 0);
}

} // namespace bf
#endif
