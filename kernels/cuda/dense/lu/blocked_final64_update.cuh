/* kernels/cuda/dense/lu/blocked_final64_update.cuh - blocked LU: update of the final 64 columns by the last
 * panel
 *
 * Computes   U12 = L11^-1 C1, stored to A; C2 - L21 U12 in shared memory, rows in the panel's order.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 3.2.11 (block LU).
 * Layout     two warps; each keeps 32 rows of L21 as tiles in registers; columns are loaded final64_width
 *            at a time. The pivot rows are in shared memory at the place of their columns, L11 below them.
 * Cost       2 m NB m' flops for m rows and m' columns; C is read once, U12 is written once.
 * Checked    tests/kernels/dense/t362_lu_batch.c, t366_sizes_batch.c, t368_lu_panels.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_LU_BLOCKED_FINAL64_UPDATE_CUH
#define BF_KERNELS_CUDA_DENSE_LU_BLOCKED_FINAL64_UPDATE_CUH
#include "kernels/cuda/dense/common/warp_factor_tuning.cuh"
#include "kernels/cuda/dense/lu/blocked_panel.cuh"

namespace bf
{

enum { LU_FINAL_THREADS = 64 };
/* Columns at a time, as measured */
template <class T>
inline constexpr int final64_width = std::is_same_v<T, double> ? 16 : 8;

/* Calls f(h, i, e, column, row) for entry e of tile i, columns from 8 h on, of 16 TILES rows from
 * `first` on of W columns held as mma accumulators */
template <class T, int TILES, int W, class F>
static __device__ __forceinline__ void final64_entries(int first, int lane, F f)
{
  const int g = lane >> 2, t = lane & 3;
#pragma unroll
  for (int h = 0; h < W / 8; h++)
#pragma unroll
    for (int i = 0; i < TILES; i++)
#pragma unroll
      for (int e = 0; e < 4; e++)
        f(h, i, e, 8 * h + mma_layout<T, LU_FINAL, 32>::column(2 * t + (e & 1)),
          first + 16 * i + g + 8 * (e >> 1));
}

/* 32 rows of L21 in a warp's registers */
template <class T, int K, int W, bool SPLIT, bool WIDE>
struct final64_rows {
  using R                = real_t<T>;
  using Q                = mma_sum<T, is_complex<T>>;
  using stored           = std::conditional_t<SPLIT, mma_real<Q>, R>;
  using shape            = warp_layout<T, LU_FINAL, 32>;
  using tensor           = mma_layout<T, LU_FINAL, 32>;
  static constexpr int P = shape::pitch, TILES = 2, STEPS = K / 8, PARTS = is_complex<T> ? 2 : 1;
  stored               l[PARTS][TILES][STEPS][4];
  Q                    c[PARTS][TILES][W / 8][4];

  static __device__ __forceinline__ mma_real<Q> operand(stored x)
  {
    if constexpr (SPLIT)
      return x;
    else
      return mma_operand((Q)x);
  }
  /* L's columns at these rows */
  __device__ __forceinline__ void load_l(const T *L, int64_t ld, const int (&row)[TILES][2], int lane)
  {
    const int t = lane & 3;
#pragma unroll
    for (int s = 0; s < STEPS; s++)
#pragma unroll
      for (int i = 0; i < TILES; i++)
#pragma unroll
        for (int e = 0; e < 4; e++) {
          const T x = load(L + (8 * s + t + 4 * (e >> 1)) * ld + row[i][e & 1], WIDE);
          if constexpr (SPLIT) {
            l[0][i][s][e] = mma_operand(-(Q)real_part(x));
            if constexpr (is_complex<T>) l[1][i][s][e] = mma_operand(-(Q)x.im);
          } else {
            l[0][i][s][e] = -real_part(x);
            if constexpr (is_complex<T>) l[1][i][s][e] = -x.im;
          }
        }
  }
  __device__ __forceinline__ void load_c(const T *a, int64_t ld, const int (&from)[TILES][2], int last,
                                         int lane)
  {
    final64_entries<T, TILES, W>(0, lane, [&](int h, int i, int e, int j, int) {
      const T x     = load(a + min(j, last) * ld + from[i][e >> 1], WIDE);
      c[0][i][h][e] = real_part(x);
      if constexpr (is_complex<T>) c[1][i][h][e] = x.im;
    });
  }
  /* c -= L21 U; own(h, s, i, u) receives the entries of U, each on one warp */
  template <class F>
  __device__ __forceinline__ void update(const T *U, int lane, F own)
  {
    const int g = lane >> 2, t = lane & 3;
    if constexpr (!SPLIT)
#pragma unroll
      for (int k = 0; k < PARTS * TILES * STEPS * 4;
           k++) /* split again: kept operands would take registers */
        materialize(l[k / (TILES * STEPS * 4)][k / (STEPS * 4) % TILES][k / 4 % STEPS][k % 4]);
#pragma unroll
    for (int s = 0; s < STEPS; s++) {
      mma_real<Q> x[W / 8][2], y[W / 8][2], z[W / 8][2];
#pragma unroll
      for (int h = 0; h < W / 8; h++)
#pragma unroll
        for (int i = 0; i < 2; i++) {
          const T u = shared_get(U + (8 * h + tensor::column(g)) * P + 8 * s + t + 4 * i);
          own(h, s, i, u);
          x[h][i] = mma_operand((Q)real_part(u));
          y[h][i] = mma_operand((Q)imag_part(u));
          z[h][i] = -y[h][i];
        }
#pragma unroll
      for (int i = 0; i < TILES; i++) {
        mma_real<Q> re[4], im[4];
#pragma unroll
        for (int e = 0; e < 4; e++) {
          re[e] = operand(l[0][i][s][e]);
          if constexpr (is_complex<T>) im[e] = operand(l[1][i][s][e]);
        }
#pragma unroll
        for (int h = 0; h < W / 8; h++) {
          mma(c[0][i][h], re, x[h]);
          if constexpr (is_complex<T>) {
            mma(c[1][i][h], re, y[h]);
            mma(c[0][i][h], im, z[h]);
            mma(c[1][i][h], im, x[h]);
          }
        }
      }
    }
  }
  __device__ __forceinline__ void store_c(T *S, int first, int m, int last, int lane) const
  {
    final64_entries<T, TILES, W>(first, lane, [&](int h, int i, int e, int j, int row) {
      T x = zero_of<T>();
      if (row < m && j <= last) {
        if constexpr (is_complex<T>)
          x = {(R)c[0][i][h][e], (R)c[1][i][h][e]};
        else
          x = (R)c[0][i][h][e];
      }
      shared_put(S + j * P + row, x);
    });
  }
};

/* NB entries at x := their solution with L; both in shared memory */
template <int NB, int P, class T>
static __device__ __forceinline__ void final64_trsm(const T *L, T *x)
{
  constexpr int V = panel_vec<T>, B = 16;
#pragma unroll
  for (int r0 = 0; r0 < NB; r0 += B) {
    T y[B];
#pragma unroll
    for (int i = 0; i < B; i += V) {
      const panel_vec16<T> p = load_panel_vec(x + r0 + i);
#pragma unroll
      for (int e = 0; e < V; e++) y[i + e] = p.v[e];
    }
#pragma unroll 4
    for (int k = 0; k < r0; k++) {
      const T u = shared_get(x + k);
#pragma unroll
      for (int i = 0; i < B; i += V) {
        const panel_vec16<T> l = load_panel_vec(L + k * P + r0 + i);
#pragma unroll
        for (int e = 0; e < V; e++) y[i + e] = mulsub(l.v[e], u, y[i + e]);
      }
    }
#pragma unroll
    for (int k = 0; k < B - 1; k++) {
#pragma unroll
      for (int i = (k + 1) / V * V; i < B; i += V) {
        const panel_vec16<T> l = load_panel_vec(L + (r0 + k) * P + r0 + i);
#pragma unroll
        for (int e = 0; e < V; e++)
          if (i + e > k) y[i + e] = mulsub(l.v[e], y[k], y[i + e]);
      }
    }
#pragma unroll
    for (int i = 0; i < B; i += V) {
      panel_vec16<T> p;
#pragma unroll
      for (int e = 0; e < V; e++) p.v[e] = y[i + e];
      store_panel_vec(x + r0 + i, p);
    }
  }
}

/* A matrix: where the last panel and the final block start, the order of the final block, the panel's
 * row order */
template <class T>
struct final64_args {
  T              *a;
  int64_t         ld;
  int             k0, k1, m;
  const uint16_t *perm;
};

/* Copies NB x NB entries of A to S. */
template <int NB, class T>
static __device__ __forceinline__ void final64_load_l11(const T *a, int64_t ld, T *S, int P)
{
  const int k = (int)threadIdx.x % NB;
#pragma unroll 8
  for (int j = (int)threadIdx.x / NB; j < NB; j += LU_FINAL_THREADS / NB)
    cp_async_scalar<(int)sizeof(real_t<T>)>(S + j * P + k, a + j * ld + k);
}

/* S: final columns, rows in the panel's order, updated; U12 to A. Returns 0 if all of it is finite. */
template <int NB, class FINAL, bool WIDE, class T>
static __device__ __forceinline__ real_t<T> final64_update(T *S, const final64_args<T> &at)
{
  constexpr int HALF = NB / 16, W = final64_width<T>;
  using rows        = final64_rows<T, NB, W, FINAL::SPLIT, WIDE>;
  constexpr int P   = rows::P;
  const int     tid = (int)threadIdx.x, lane = tid & 31, w = tid >> 5, g = lane >> 2, t = lane & 3,
            first = 32 * w, m = at.m;
  const int64_t ld       = at.ld;
  const T      *panel    = at.a + at.k0 * ld;
  T            *trailing = at.a + at.k1 * ld;
  rows          X;
  int           from[rows::TILES][2], row[rows::TILES][2];
  {
    const int k = tid % NB, top = at.perm[at.k0 + k];
#pragma unroll 8
    for (int j = tid / NB; j < LU_FINAL; j += LU_FINAL_THREADS / NB)
      if (j < m) cp_async_scalar<(int)sizeof(real_t<T>)>(S + j * P + k, trailing + j * ld + top);
    final64_load_l11<NB>(panel + at.k0, ld, S + 32, P);
  }
#pragma unroll
  for (int i = 0; i < rows::TILES; i++)
#pragma unroll
    for (int h = 0; h < 2; h++) {
      row[i][h]  = at.k1 + min(first + 16 * i + 8 * h + g, m - 1);
      from[i][h] = at.perm[row[i][h]];
    }
  const auto start_loads = [&]() {
    X.load_l(panel, ld, row, lane);
    X.load_c(trailing, ld, from, m - 1, lane);
  };
  if (FINAL::EARLY) start_loads();
  cp_async_wait_all();
  __syncthreads();
  final64_trsm<NB, P>(S + 32, S + tid * P);
  __syncthreads();
  if (!FINAL::EARLY) start_loads();
  real_t<T> nonfinite = 0;
#pragma unroll 1
  for (int c = 0; c < LU_FINAL; c += W) {
    T u[W / 8][HALF][2];
    X.update(S + c * P, lane, [&](int h, int s, int i, T x) {
      if (s / HALF == w) u[h][s % HALF][i] = x;
    });
    __syncthreads();
    X.store_c(S + c * P, first, m, m - 1 - c, lane);
#pragma unroll
    for (int h = 0; h < W / 8; h++)
#pragma unroll
      for (int s = 0; s < HALF; s++)
#pragma unroll
        for (int i = 0; i < 2; i++) {
          const int j = c + 8 * h + rows::tensor::column(g);
          if (j < m) {
            nonfinite = track_nonfinite(u[h][s][i], nonfinite);
            store(trailing + j * ld + at.k0 + 8 * (s + HALF * w) + t + 4 * i, u[h][s][i], WIDE);
          }
        }
    if (c + W < m) X.load_c(trailing + (c + W) * ld, ld, from, m - 1 - (c + W), lane);
  }
  __syncthreads();
  return nonfinite;
}

} // namespace bf
#endif
