/* kernels/cuda/dense/common/warp_factor_update.cuh - shared-memory layout of warp_factor.cuh, and the
 * update of 8 columns by a panel
 *
 * Computes   x := x' + W u for 8 other columns x, u the panel's pivot rows of x, x' = x (LU) or x with
 *            zeros in those rows (inverse).
 * Source     see warp_factor.cuh.
 * Layout     column-major, `pitch` scalars per column: no bank conflicts for rows in lanes and for tiles. W
 *            is in the panel's own columns. Products by tensor cores (mma_16x8x8.cuh), four real ones for a
 *            complex one.
 * Cost       128 n flops per block of 8 columns (complex 4 times).
 * Checked    tests/kernels/dense/t361_inverse_batch.c, t362_lu_batch.c, t367_small_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_COMMON_WARP_FACTOR_UPDATE_CUH
#define BF_KERNELS_CUDA_DENSE_COMMON_WARP_FACTOR_UPDATE_CUH
#include "kernels/cuda/dense/common/mma_16x8x8.cuh"
#include "kernels/cuda/dense/common/subwarp_rows.cuh"

namespace bf
{

enum { WARP_KB = 8 }; /* columns of a panel */

/* Orders to N: G lanes per matrix with rows_per_lane consecutive rows each; sizes in shared memory in
 * bytes */
template <class T, int N, int G>
struct warp_layout {
  static constexpr int rows_per_lane = (N + G - 1) / G;
  static constexpr int pitch       = sizeof(T) == 4 ? (N + 15) / 16 * 16 + 8 : sizeof(T) == 8 ? N + 4 : N + 2;
  static constexpr int row_vecs    = WARP_KB / vec16<T>::length;
  static constexpr int matrix      = N * pitch * (int)sizeof(T);
  static constexpr int row_bytes   = 2 * WARP_KB * (int)sizeof(T); /* buffer of two pivot rows */
  static constexpr int pivot_rows  = N * 2;                        /* pivot rows */
  static constexpr int barriers    = 16;                           /* two barriers of the copies */
  static constexpr int bytes_alone = matrix + row_bytes + pivot_rows + barriers;
  static constexpr int helper_bytes = N * (int)sizeof(T) + N * 2 + 48; /* mailbox of the helper */

  template <bool HELP>
  static constexpr int bytes = HELP ? bytes_alone + helper_bytes : bytes_alone;
};

/* Scalars in shared memory have their full alignment. */
template <class T>
BF_DEVICE T shared_get(const T *p)
{
  return load(p, true);
}
template <class T>
BF_DEVICE void shared_put(T *p, T x)
{
  store(p, x, true);
}

/* A lane's entries of the tensor-core operands: entry e of tile i of W, u[e], entry e of tile i of a
 * block */
template <class T, int N, int G>
struct mma_layout {
  using Shape            = warp_layout<T, N, G>;
  static constexpr int P = Shape::pitch, M = (N + 15) / 16;
  int                  from, row[2], to[2];
  unsigned             zero; /* bits of rows g, g + 8 .. that are set to zero */

  /* An order of 8 columns without bank conflicts for u and for the blocks */
  static __device__ __forceinline__ int column(int g)
  {
    return (int)(0x57463120u >> (4 * g) & 7u);
  }
  __device__ __forceinline__ void init(int lane, const uint16_t *pivot_rows)
  {
    const int g = lane >> 2, t = lane & 3;
    from = t * P + g;
    zero = 0;
#pragma unroll
    for (int e = 0; e < 2; e++) {
      row[e] = column(g) * P + pivot_rows[t + 4 * e];
      to[e]  = column(2 * t + e) * P + g;
    }
  }
  /* mask: lanes whose row i is set to zero */
  __device__ __forceinline__ void clear(int lane, const unsigned (&mask)[Shape::rows_per_lane])
  {
    const int g = lane >> 2;
#pragma unroll
    for (int e = 0; e < N / 8; e++) {
      const int at = g + 8 * e, i = at % Shape::rows_per_lane;
      unsigned  m = mask[0];
      if (Shape::rows_per_lane > 1 && i == 1) m = mask[1 % Shape::rows_per_lane];
      if (Shape::rows_per_lane > 2 && i == 2) m = mask[2 % Shape::rows_per_lane];
      zero |= (m >> (at / Shape::rows_per_lane) & 1u) << e;
    }
  }
  __device__ __forceinline__ T get_w(const T *W, int i, int e) const
  {
    const int down = 16 * i + 8 * (e & 1);
    return down < N ? shared_get(W + from + 4 * (e >> 1) * P + down) : zero_of<T>();
  }
  __device__ __forceinline__ T get(const T *S, int i, int e) const
  {
    const int down = 16 * i + 8 * (e >> 1);
    return down >= N || (zero >> (down / 8) & 1) ? zero_of<T>() : shared_get(S + to[e & 1] + down);
  }
  __device__ __forceinline__ void put(T *S, int i, int e, T x) const
  {
    const int down = 16 * i + 8 * (e >> 1);
    if (down < N) shared_put(S + to[e & 1] + down, x);
  }
};

/* Whether W consists of two halves of four columns: then the second half's rows of u are updated by the
 * first half's steps when they are read. */
template <class T, int N, int G, bool INVERSE, bool HELP>
inline constexpr bool warp_two_halves = sizeof(T) >= 8 && N == 32 && G == 32 && !INVERSE && !HELP;

/* Operands of a lane: rows t and t + 4 of u */
template <class T, int N, int G, bool HALVES>
struct warp_update_rows {
  __device__ __forceinline__ void take_halves(const T *, int, const uint16_t *)
  {
  }
  __device__ __forceinline__ void get(const T *S, const int (&row)[2], T (&u)[2]) const
  {
    u[0] = shared_get(S + row[0]);
    u[1] = shared_get(S + row[1]);
  }
};
template <class T, int N, int G>
struct warp_update_rows<T, N, G, true> {
  static constexpr int HALF = WARP_KB / 2;
  int                  t, row_of[HALF]; /* of the first half */
  T                    w[HALF];         /* row t + 4 of its W */

  __device__ __forceinline__ void take_halves(const T *W, int lane, const uint16_t *pivot_rows)
  {
    using A = mma_layout<T, N, G>;
    t       = lane & 3;
#pragma unroll
    for (int s = 0; s < HALF; s++) {
      row_of[s] = A::column(lane >> 2) * A::P + pivot_rows[s];
      w[s]      = shared_get(W + s * A::P + pivot_rows[HALF + t]);
    }
  }
  __device__ __forceinline__ void get(const T *S, const int (&row)[2], T (&u)[2]) const
  {
    u[0] = u[1] = shared_get(S + row[1]);
#pragma unroll
    for (int s = 0; s < HALF; s++) {
      const T v = shared_get(S + row_of[s]);
      u[1]      = muladd(w[s], v, u[1]);
      u[0]      = select(s == t, v, u[0]);
    }
  }
};

/* Whether products are WIDE, as measured */
template <class T, int N, bool INVERSE>
inline constexpr bool warp_fp64_sums = std::is_same_v<T, float>         ? N <= (INVERSE ? 40 : 48)
                                       : std::is_same_v<T, cplx<float>> ? (INVERSE ? N <= 40 : N >= 48)
                                                                        : false;

/* W: the panel's columns; pivot_rows: its pivots */
template <class T, int N, int G, bool WIDE, bool HALVES = false>
struct warp_update {
  using Q                             = mma_sum<T, WIDE>;
  static constexpr int              M = (N + 15) / 16;
  mma_layout<T, N, G>               at;
  warp_update_rows<T, N, G, HALVES> rows;
  mma_real<Q>                       w[M][4];

  __device__ __forceinline__ void init(const T *W, int lane, const uint16_t *pivot_rows)
  {
    at.init(lane, pivot_rows);
    rows.take_halves(W, lane, pivot_rows);
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
      for (int e = 0; e < 4; e++) w[i][e] = mma_operand((Q)at.get_w(W, i, e));
  }
  __device__ __forceinline__ void block(T *S) const
  {
    T v[2];
    Q c[M][4];
    rows.get(S, at.row, v);
    const mma_real<Q> u[2] = {mma_operand((Q)v[0]), mma_operand((Q)v[1])};
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
      for (int e = 0; e < 4; e++) c[i][e] = at.get(S, i, e);
    __syncwarp();
#pragma unroll
    for (int i = 0; i < M; i++) mma(c[i], w[i], u);
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
      for (int e = 0; e < 4; e++) at.put(S, i, e, (T)c[i][e]);
  }
};

template <class R, int N, int G, bool WIDE, bool HALVES>
struct warp_update<cplx<R>, N, G, WIDE, HALVES> {
  using T                             = cplx<R>;
  using Q                             = mma_sum<T, WIDE>;
  using P                             = mma_real<Q>;
  static constexpr int              M = (N + 15) / 16;
  mma_layout<T, N, G>               at;
  warp_update_rows<T, N, G, HALVES> rows;
  P                                 re[M][4], im[M][4];

  __device__ __forceinline__ void init(const T *W, int lane, const uint16_t *pivot_rows)
  {
    at.init(lane, pivot_rows);
    rows.take_halves(W, lane, pivot_rows);
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
      for (int e = 0; e < 4; e++) {
        const T v = at.get_w(W, i, e);
        re[i][e] = mma_operand((Q)v.re), im[i][e] = mma_operand((Q)v.im);
      }
  }
  __device__ __forceinline__ void block(T *S) const
  {
    T v[2];
    rows.get(S, at.row, v);
    const P ur[2] = {mma_operand((Q)v[0].re), mma_operand((Q)v[1].re)},
            ui[2] = {mma_operand((Q)v[0].im), mma_operand((Q)v[1].im)}, minus[2] = {-ui[0], -ui[1]};
    __syncwarp();
#pragma unroll
    for (int i = 0; i < M; i++) {
      Q cr[4], ci[4];
#pragma unroll
      for (int e = 0; e < 4; e++) {
        const T v = at.get(S, i, e);
        cr[e] = v.re, ci[e] = v.im;
      }
      mma(cr, re[i], ur);
      mma(ci, re[i], ui);
      mma(cr, im[i], minus);
      mma(ci, im[i], ur);
#pragma unroll
      for (int e = 0; e < 4; e++) at.put(S, i, e, {(R)cr[e], (R)ci[e]});
    }
  }
};

} // namespace bf
#endif
