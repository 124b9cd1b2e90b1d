/* kernels/cuda/dense/eigen/unmtr_transposed_tiles.cuh - columns of a matrix in the registers of a block,
 * transposed, as tensor-core operands
 *
 * Computes   X -= V N, N = S M; X of n rows, V eight columns, S of order 8.
 * Source     PTX ISA, mma.m16n8k8; mma_16x8x8.cuh.
 * Layout     a block has 16 COLS columns of X as tiles of 16 columns by 8 rows; warp w has those of rows 8
 *            (w + WARPS i): lane (g, t) columns g and g + 8, rows 2t and 2t + 1. An accumulator is the left
 *            operand of the next product without data movement: 2t and 2t + 1 are the t-th and (t+4)-th of
 *            eight. V is in shared memory, `pitch` scalars per column.
 * Cost       16 flops per entry of X and update (complex 4 times).
 * Checked    tests/kernels/dense/t359_pairs_batch.c, t371_hegv_batch.c, t373_large_spectra.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_UNMTR_TRANSPOSED_TILES_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_UNMTR_TRANSPOSED_TILES_CUH
#include "kernels/cuda/dense/common/mma_16x8x8.cuh"
#include "kernels/cuda/dense/eigen/householder.cuh"
#include <cuda_pipeline.h>

namespace bf
{

enum { UNMTR_WARPS = 8, UNMTR_THREADS = 32 * UNMTR_WARPS, UNMTR_NB = 8 }; /* columns of V */

/* For orders to 32 CHUNKS: tiles per warp, tiles of 16 columns, columns per block, blocks per
 * multiprocessor */
template <int CHUNKS>
inline constexpr int unmtr_tiles_per_warp = CHUNKS * 32 / (8 * UNMTR_WARPS);
template <class T, int CHUNKS>
inline constexpr int unmtr_column_tiles = unmtr_tiles_per_warp<CHUNKS> * sizeof(T) > 32 ? 1 : 2;
template <class T, int CHUNKS>
inline constexpr int unmtr_columns = 16 * unmtr_column_tiles<T, CHUNKS>;
template <class T, int CHUNKS>
inline constexpr int unmtr_blocks = unmtr_tiles_per_warp<CHUNKS> * sizeof(T) > 64 ? 1 : 2;

/* Accumulators of 16 COLS columns by eight rows, real parts */
template <class T, int COLS>
struct tile_sum {
  static constexpr int PARTS = is_complex<T> ? 2 : 1;
  real_t<T>            of[COLS][PARTS][4];
};

template <class T, int CHUNKS>
struct transposed_tiles {
  static constexpr int TILES = unmtr_tiles_per_warp<CHUNKS>, COLS = unmtr_column_tiles<T, CHUNKS>,
                       PARTS = is_complex<T> ? 2 : 1,
                       ALL   = COLS * PARTS * 128; /* real numbers in a warp's tile_sum */
  real_t<T> x[COLS][TILES][PARTS][4];

  __device__ __forceinline__ static int tile(int i) /* its number among all */
  {
    return i * UNMTR_WARPS + (int)(threadIdx.x >> 5);
  }
  __device__ __forceinline__ static int row(int i, int e)
  {
    return 8 * tile(i) + 2 * (int)(threadIdx.x & 3) + (e & 1);
  }
  __device__ __forceinline__ static int column(int m, int e)
  {
    return 16 * m + (int)(threadIdx.x >> 2 & 7) + 8 * (e >> 1);
  }
  __device__ __forceinline__ T entry(int m, int i, int e) const
  {
    if constexpr (is_complex<T>)
      return {x[m][i][0][e], x[m][i][1][e]};
    else
      return x[m][i][0][e];
  }
};

/* From an array of n rows and `columns` columns, of T or of its real type */
template <class T, int CHUNKS, class X>
__device__ __forceinline__ void load_tiles(transposed_tiles<T, CHUNKS> &q, const X *from, int ld, int n,
                                           int columns)
{
#pragma unroll
  for (int m = 0; m < q.COLS; m++)
#pragma unroll
    for (int i = 0; i < q.TILES; i++)
#pragma unroll
      for (int e = 0; e < 4; e++) {
        const int r = q.row(i, e), c = q.column(m, e);
        const X   v     = r < n && c < columns ? from[(size_t)c * ld + r] : from_real<X>(0);
        q.x[m][i][0][e] = real_part(v);
        if constexpr (is_complex<T>) q.x[m][i][1][e] = imag_part(v);
      }
}

/* Pitch of the columns of V in shared memory, without bank conflicts */
template <class T>
__host__ __device__ inline int v_pitch(int n)
{
  return sizeof(T) == 16  ? (n + 7) / 8 * 8 + 1
         : sizeof(T) == 8 ? (n + 15) / 16 * 16 + 2
                          : (n + 31) / 32 * 32 + 8;
}

/* An accumulator as a left operand, and with changed sign */
template <class R>
__device__ __forceinline__ void left_operand(const R (&c)[4], mma_real<R> (&a)[4])
{
  a[0] = mma_operand(c[0]);
  a[1] = mma_operand(c[2]);
  a[2] = mma_operand(c[1]);
  a[3] = mma_operand(c[3]);
}
template <class R>
__device__ __forceinline__ void left_operand_negated(const R (&c)[4], mma_real<R> (&a)[4])
{
  a[0] = -mma_operand(c[0]);
  a[1] = -mma_operand(c[2]);
  a[2] = -mma_operand(c[1]);
  a[3] = -mma_operand(c[3]);
}
/* One part of a pair of scalars as a right operand */
template <int PART, class T>
__device__ __forceinline__ void right_operand(T x, T y, mma_real<real_t<T>> (&b)[2])
{
  b[0] = mma_operand(PART ? imag_part(x) : real_part(x));
  b[1] = mma_operand(PART ? imag_part(y) : real_part(y));
}

/* A sum and the products added to it. Tensor cores truncate fp32 sums, always to the same side: a few
 * products are summed separately and then added with rounding. */
template <class R>
__device__ __forceinline__ void begin_sum(const R (&sum)[4], R (&c)[4])
{
#pragma unroll
  for (int e = 0; e < 4; e++) c[e] = sizeof(R) == 8 ? sum[e] : R(0);
}
template <class R>
__device__ __forceinline__ void end_sum(R (&sum)[4], const R (&c)[4])
{
#pragma unroll
  for (int e = 0; e < 4; e++) sum[e] = sizeof(R) == 8 ? c[e] : sum[e] + c[e];
}

/* N += S M; s, t: entries (g, 2t) and (g, 2t + 1) of S in lane (g, t) */
template <class T, int COLS>
__device__ __forceinline__ void tile_multiply(T s, T t, const tile_sum<T, COLS> &M, tile_sum<T, COLS> &N)
{
  using R = real_t<T>;
  mma_real<R> re[2], a[4];
  right_operand<0>(s, t, re);
#pragma unroll
  for (int m = 0; m < COLS; m++) {
    left_operand(M.of[m][0], a);
    mma(N.of[m][0], a, re);
    if constexpr (is_complex<T>) {
      mma_real<R> im[2], re_negated[2], b[4];
      right_operand<1>(s, t, im);
      right_operand<1>(-s, -t, re_negated);
      left_operand(M.of[m][1], b);
      mma(N.of[m][1], a, im);
      mma(N.of[m][0], b, re_negated);
      mma(N.of[m][1], b, re);
    }
  }
}

/* X -= V N in tiles first .. end-1 */
template <class T, int CHUNKS>
__device__ __forceinline__ void tile_update(transposed_tiles<T, CHUNKS> &q, const T *V, int pitch, int first,
                                            int end, const tile_sum<T, transposed_tiles<T, CHUNKS>::COLS> &N)
{
  using R        = real_t<T>;
  const int lane = threadIdx.x & 31;
#pragma unroll
  for (int m = 0; m < q.COLS; m++) {
    mma_real<R> re_negated[4], b[4], im_negated[4];
    left_operand_negated(N.of[m][0], re_negated);
    if constexpr (is_complex<T>) {
      left_operand(N.of[m][1], b);
      left_operand_negated(N.of[m][1], im_negated);
    }
#pragma unroll
    for (int i = 0; i < q.TILES; i++) {
      if (q.tile(i) < first || q.tile(i) >= end) continue;
      const T    *v = V + 2 * (lane & 3) * pitch + 8 * q.tile(i) + (lane >> 2);
      const T     x = load_aligned(v), y = load_aligned(v + pitch);
      mma_real<R> re[2];
      right_operand<0>(x, y, re);
      R re_sum[4];
      begin_sum(q.x[m][i][0], re_sum);
      mma(re_sum, re_negated, re);
      if constexpr (is_complex<T>) {
        mma_real<R> im[2];
        R           im_sum[4];
        begin_sum(q.x[m][i][1], im_sum);
        right_operand<1>(x, y, im);
        mma(im_sum, re_negated, im);
        mma(re_sum, b, im);
        mma(im_sum, im_negated, re);
        end_sum(q.x[m][i][1], im_sum);
      }
      end_sum(q.x[m][i][0], re_sum);
    }
  }
}

/* Stores and loads a warp's sum in shared memory, in the same layout for all warps. */
template <class T, int COLS>
__device__ __forceinline__ void store_tile_sum(const tile_sum<T, COLS> &M, real_t<T> *to)
{
  constexpr int PARTS = tile_sum<T, COLS>::PARTS;
#pragma unroll
  for (int z = 0; z < COLS * PARTS * 4; z++)
    to[32 * z + (int)(threadIdx.x & 31)] = M.of[z / (4 * PARTS)][z / 4 % PARTS][z % 4];
}
template <class T, int COLS>
__device__ __forceinline__ void load_tile_sum(tile_sum<T, COLS> &M, const real_t<T> *from)
{
  constexpr int PARTS = tile_sum<T, COLS>::PARTS;
#pragma unroll
  for (int z = 0; z < COLS * PARTS * 4; z++)
    M.of[z / (4 * PARTS)][z / 4 % PARTS][z % 4] = from[32 * z + (int)(threadIdx.x & 31)];
}

} // namespace bf
#endif
