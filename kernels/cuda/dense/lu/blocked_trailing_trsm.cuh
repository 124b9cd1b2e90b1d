/* kernels/cuda/dense/lu/blocked_trailing_trsm.cuh - blocked LU: triangular solve for U12 in shared memory
 *
 * Computes   U := L^-1 U for one panel's diagonal block, by blocks of 8 rows; C -= L U of 16 rows.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 3.1.3 (block forward substitution).
 * Layout     U row-major, L column-major in shared memory; a lane per column for the diagonal blocks,
 *            tensor cores for the others.
 * Cost       NB^2 W flops (complex 4 times).
 * Checked    tests/kernels/dense/t362_lu_batch.c, t366_sizes_batch.c, t368_lu_panels.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_LU_BLOCKED_TRAILING_TRSM_CUH
#define BF_KERNELS_CUDA_DENSE_LU_BLOCKED_TRAILING_TRSM_CUH
#include "kernels/cuda/dense/common/mma_16x8x8.cuh"
#include "kernels/cuda/dense/common/subwarp_rows.cuh"
#include "kernels/cuda/dense/common/vector_access.cuh"

namespace bf
{

/* A scalar of A; WIDE: complex ones have their full alignment */
template <bool WIDE, class T>
static __device__ __forceinline__ T trailing_load(const T *p)
{
  if constexpr (WIDE && is_complex<T>)
    return load_vector(p);
  else
    return *p;
}
template <bool WIDE, class T>
static __device__ __forceinline__ void trailing_store(T *p, T x)
{
  if constexpr (WIDE && is_complex<T>)
    store_vector(p, x);
  else
    *p = x;
}

/* 16 rows of K columns of L in a warp's registers, as mma operands */
template <class T, int K>
struct trailing_l_rows {
  T l[K / 8][4];

  /* column-major, rows at `at` */
  template <bool WIDE>
  __device__ __forceinline__ void load(const T *L, int64_t ld, const int (&at)[2], int lane)
  {
#pragma unroll
    for (int k = 0; k < K; k += 8)
#pragma unroll
      for (int i = 0; i < 4; i++)
        l[k / 8][i] = trailing_load<WIDE>(L + (k + (lane & 3) + 4 * (i >> 1)) * ld + at[i & 1]);
  }
};

/* 16 rows of W columns in a warp's registers: a lane has rows row(lane, 0 and 1) */
template <class T, int W>
struct trailing_tile {
  using R                   = real_t<T>;
  static constexpr int ROWS = 16, PARTS = is_complex<T> ? 2 : 1;
  R                    c[PARTS][W / 8][4];

  static __device__ __forceinline__ int row(int lane, int i)
  {
    return (lane >> 2) + 8 * i;
  }
  /* f(entry, which of the rows, column) for the lane's entries */
  template <class F>
  __device__ __forceinline__ void each(int lane, F f)
  {
#pragma unroll
    for (int h = 0; h < W / 8; h++)
#pragma unroll
      for (int e = 0; e < 4; e++) {
        const int j = 8 * h + 2 * (lane & 3) + (e & 1);
        if constexpr (is_complex<T>) {
          T x = {c[0][h][e], c[1][h][e]};
          f(x, e >> 1, j);
          c[0][h][e] = x.re, c[1][h][e] = x.im;
        } else
          f(c[0][h][e], e >> 1, j);
      }
  }
  /* C -= L U; U: row-major */
  template <int P, int K>
  __device__ __forceinline__ void update(const trailing_l_rows<T, K> &L, const T *U, int lane)
  {
    const int g = lane >> 2, t = lane & 3;
#pragma unroll
    for (int k = 0; k < K; k += 8) {
      mma_real<R> re[4], im[4];
#pragma unroll
      for (int i = 0; i < 4; i++) {
        re[i] = mma_operand(-real_part(L.l[k / 8][i]));
        im[i] = mma_operand(-imag_part(L.l[k / 8][i]));
      }
#pragma unroll
      for (int h = 0; h < W / 8; h++) {
        mma_real<R> x[2], y[2];
#pragma unroll
        for (int i = 0; i < 2; i++) {
          const T u = trailing_load<true>(U + (k + t + 4 * i) * P + 8 * h + g);
          x[i]      = mma_operand(real_part(u));
          y[i]      = mma_operand(imag_part(u));
        }
        mma(c[0][h], re, x);
        if constexpr (is_complex<T>) {
          mma(c[1][h], re, y);
          mma(c[0][h], im, {-y[0], -y[1]});
          mma(c[1][h], im, x);
        }
      }
    }
  }
};

/* Rows of U in shared memory: no bank conflicts for mma operands of 4 rows and 8 columns */
template <class T, int W>
inline constexpr int trailing_pitch = W + (sizeof(T) == 4    ? 8
                                           : sizeof(T) == 16 ? 2
                                                             : 4);

/* Columns of L in shared memory, likewise */
template <class T, int ROWS>
inline constexpr int trailing_pitch_l = ROWS + (sizeof(T) == 4    ? 8
                                                : sizeof(T) == 16 ? 2
                                                                  : 4);

/* B rows of U := their solution with a diagonal block of L, a lane per column */
template <int B, int LP, int P, class T>
static __device__ __forceinline__ void trailing_solve(const T *L, T *U)
{
  constexpr int V = panel_vec<T>;
  T             x[B];
#pragma unroll
  for (int i = 0; i < B; i++) x[i] = U[i * P];
#pragma unroll
  for (int j = 0; j < B - 1; j++) {
#pragma unroll
    for (int i = (j + 1) / V * V; i < B; i += V) {
      const panel_vec16<T> l = load_panel_vec(L + j * LP + i);
#pragma unroll
      for (int e = 0; e < V; e++)
        if (i + e > j) x[i + e] = mulsub(l.v[e], x[j], x[i + e]);
    }
  }
#pragma unroll
  for (int i = 1; i < B; i++) U[i * P] = x[i];
}

/* Subtracts from 16 rows of U, from R0 on, K columns of L from K0 on times rows of U from K0 on; rows
 * before 8 FIRST are not changed. */
template <int R0, int K0, int K, int FIRST, int LP, int P, int W, class T>
static __device__ __forceinline__ void trailing_subtract(const T *L, T *U, int lane)
{
  trailing_tile<T, W>   D;
  trailing_l_rows<T, K> l;
  T                    *C     = U + R0 * P;
  const int             at[2] = {R0 + D.row(lane, 0), R0 + D.row(lane, 1)};
  D.each(lane, [&](T &x, int i, int j) { x = C[D.row(lane, i) * P + j]; });
  l.template load<true>(L + K0 * LP, LP, at, lane);
  D.template update<P>(l, U + K0 * P, lane);
  D.each(lane, [&](T &x, int i, int j) {
    if (i >= FIRST) C[D.row(lane, i) * P + j] = x;
  });
  __syncwarp();
}

/* 8, 16 or 32 rows of U := L^-1 U by blocks of 8; a warp has its own columns; ends with a barrier */
template <class SHAPE, int LP, int P, class T>
static __device__ __forceinline__ void trailing_trsm(const T *L, T *U, int tid)
{
  static_assert(SHAPE::NB == 8 || SHAPE::NB == 16 || SHAPE::NB == 32, "blocks of 8");
  constexpr int W    = SHAPE::W / SHAPE::WARPS < 8 ? 8 : SHAPE::W / SHAPE::WARPS;
  const int     lane = tid & 31, c = (tid >> 5) * W;
  if (c < SHAPE::W) {
    U += c;
    const auto solve = [&](int r) {
      if (lane < W) trailing_solve<8, LP, P>(L + r * (LP + 1), U + r * P + lane);
      __syncwarp();
    };
    solve(0);
    if constexpr (SHAPE::NB > 8) {
      trailing_subtract<0, 0, 8, 1, LP, P, W>(L, U, lane);
      solve(8);
    }
    if constexpr (SHAPE::NB > 16) {
      trailing_subtract<16, 0, 16, 0, LP, P, W>(L, U, lane);
      solve(16);
      trailing_subtract<16, 16, 8, 1, LP, P, W>(L, U, lane);
      solve(24);
    }
  }
  __syncthreads();
}

} // namespace bf
#endif
