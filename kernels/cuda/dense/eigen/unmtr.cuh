/* kernels/cuda/dense/eigen/unmtr.cuh - back-transformation: reflectors applied to the vectors of the
 * tridiagonal matrix, by tensor cores
 *
 * Computes   out = H Q, H the product of the reflectors I - tau v v^H, the last first; Q real. UNMTR_GROUP
 *            of them are I - V T V^H, T upper triangular: M = V^H Q, Q -= V (T M).
 * Source     R. Schreiber, C. Van Loan, SIAM J. Sci. Stat. Comput. 10 (1989); LAPACK's zlarft.
 * Layout     unmtr_transposed_tiles.cuh: a block has columns of Q in registers for all reflectors. M is
 *            summed over the warps in shared memory; reflectors are copied there, double-buffered. Blocks
 *            of a matrix are independent.
 * Cost       2 n^3 multiply-adds (complex 4 times); three barriers per group.
 * Checked    tests/kernels/dense/t359_pairs_batch.c, t373_large_spectra.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_UNMTR_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_UNMTR_CUH
#include "kernels/cuda/dense/eigen/unmtr_transposed_tiles.cuh"

namespace bf
{

enum { UNMTR_GROUP = UNMTR_NB };

template <class T, int CHUNKS>
static size_t unmtr_bytes(int n)
{
  return ((size_t)2 * UNMTR_GROUP * v_pitch<T>(n) +
          (UNMTR_WARPS + 1) * 8 * unmtr_columns<T, CHUNKS>)*sizeof(T);
}

/* T of the reflectors k0 .. k0 + UNMTR_GROUP - 1, t[j*UNMTR_GROUP + i], 0 for i > j, by a warp. S as
 * below; there are n - 1 reflectors. */
template <class T>
__device__ void larft(const T *S, const T *tau, int n, int k0, T *t)
{
  using R        = real_t<T>;
  const int lane = threadIdx.x & 31, g = lane >> 2, q = lane & 3, k = k0 + g;
  R         dot[2][4] = {};
  T         row[UNMTR_GROUP];
  for (int i = k0 + 2 * q; i < n + 2 * q; i += 8) { /* V^H V */
    const T x = k < n - 1 && i > k && i < n ? load_aligned(S + (size_t)k * n + i) : from_real<T>(0),
            y = k < n - 1 && i + 1 > k && i + 1 < n ? load_aligned(S + (size_t)k * n + i + 1)
                                                    : from_real<T>(0);
    const mma_real<R> none = mma_operand(R(0));
    mma_real<R>       re[2];
    R                 re_sum[4];
    right_operand<0>(x, y, re);
    begin_sum(dot[0], re_sum);
    mma(re_sum, {re[0], none, re[1], none}, re);
    if constexpr (is_complex<T>) {
      mma_real<R> im[2];
      R           im_sum[4];
      right_operand<1>(x, y, im);
      begin_sum(dot[1], im_sum);
      mma(re_sum, {im[0], none, im[1], none}, im);
      mma(im_sum, {re[0], none, re[1], none}, im);
      mma(im_sum, {-im[0], none, -im[1], none}, re);
      end_sum(dot[1], im_sum);
    }
    end_sum(dot[0], re_sum);
  }
#pragma unroll
  for (int j = 0; j < UNMTR_GROUP; j++) {
    const T factor = k0 + j < n - 1 ? tau[k0 + j] : from_real<T>(0);
    T       s      = from_real<T>(0);
#pragma unroll
    for (int h = 0; h < j; h++) {
      T d;
      if constexpr (is_complex<T>)
        d = shfl(T{dot[0][j & 1], dot[1][j & 1]}, 4 * h + j / 2);
      else
        d = shfl(dot[0][j & 1], 4 * h + j / 2);
      s = muladd(row[h], d, s);
    }
    row[j] = lane == j ? factor : lane < j ? -(factor * s) : from_real<T>(0);
    if (lane < UNMTR_GROUP) t[j * UNMTR_GROUP + lane] = row[j];
  }
}

/* Starts the copy of reflectors k0 .. k0 + UNMTR_GROUP - 1 to `to`, with zeros above them; one per warp */
template <class T>
__device__ __forceinline__ void unmtr_load(const T *S, int n, int k0, T *to, int pitch)
{
  const int k = k0 + (int)(threadIdx.x >> 5);
  T        *v = to + (size_t)(threadIdx.x >> 5) * pitch;
  for (int i = k0 + (int)(threadIdx.x & 31); i < (n + 7) / 8 * 8; i += 32) {
    const bool in = k < n - 1 && i > k && i < n;
    __pipeline_memcpy_async(v + i, S + (in ? (size_t)k * n + i : 0), sizeof(T), in ? 0 : sizeof(T));
  }
  __pipeline_commit();
}

/* M of this warp's rows from tile `first` on; V: the group */
template <class T, int CHUNKS>
__device__ __forceinline__ void unmtr_dots(const transposed_tiles<T, CHUNKS> &q, const T *V, int pitch,
                                           int first, int end,
                                           tile_sum<T, transposed_tiles<T, CHUNKS>::COLS> &M)
{
  using R        = real_t<T>;
  const int lane = threadIdx.x & 31;
#pragma unroll
  for (int i = 0; i < q.TILES; i++) {
    if (q.tile(i) < first || q.tile(i) >= end) continue;
    const T    *v = V + (lane >> 2) * pitch + 8 * q.tile(i) + 2 * (lane & 3);
    const T     x = load_aligned(v), y = load_aligned(v + 1);
    mma_real<R> re[2], a[4];
    right_operand<0>(x, y, re);
#pragma unroll
    for (int m = 0; m < q.COLS; m++) {
      R re_sum[4];
      left_operand(q.x[m][i][0], a);
      begin_sum(M.of[m][0], re_sum);
      mma(re_sum, a, re);
      if constexpr (is_complex<T>) {
        mma_real<R> im[2], re_negated[2], b[4];
        R           im_sum[4];
        right_operand<1>(x, y, im);
        right_operand<1>(-x, -y, re_negated);
        left_operand(q.x[m][i][1], b);
        begin_sum(M.of[m][1], im_sum);
        mma(im_sum, a, re_negated);
        mma(re_sum, b, im);
        mma(im_sum, b, re);
        end_sum(M.of[m][1], im_sum);
      }
      end_sum(M.of[m][0], re_sum);
    }
  }
}

/* The sum of M over the warps; sums: shared memory, [WARPS + 1][ALL]; two barriers */
template <class T, int COLS>
__device__ __forceinline__ void unmtr_sum_warps(tile_sum<T, COLS> &M, real_t<T> *sums)
{
  constexpr int ALL   = COLS * tile_sum<T, COLS>::PARTS * 128;
  real_t<T>    *total = sums + UNMTR_WARPS * ALL;
  store_tile_sum(M, sums + (int)(threadIdx.x >> 5) * ALL);
  __syncthreads();
  for (int x = threadIdx.x; x < ALL; x += UNMTR_THREADS) {
    real_t<T> s = sums[x];
#pragma unroll
    for (int w = 1; w < UNMTR_WARPS; w++) s += sums[w * ALL + x];
    total[x] = s;
  }
  __syncthreads();
  load_tile_sum(M, total);
}

/* The largest component of a column and its row; of equal ones the upper one */
template <class T>
struct largest_component {
  T   x;
  int row;
};
template <class T>
__device__ __forceinline__ void keep_larger(largest_component<T> &a, T x, int row)
{
  const real_t<T> mine = square_of(a.x), im_sum = square_of(x);
  const bool      more = im_sum > mine || (im_sum == mine && row < a.row);
  a.x                  = more ? x : a.x;
  a.row                = more ? row : a.row;
}

/* Stores `columns` columns of n rows to out, the largest component of each real and positive; smem: a
 * largest_component per column and warp */
template <class T, int CHUNKS>
__device__ __forceinline__ void unmtr_store(const transposed_tiles<T, CHUNKS> &q, int n, int columns, T *out,
                                            int ldo, largest_component<T> *smem)
{
  using R               = real_t<T>;
  constexpr int COLUMNS = unmtr_columns<T, CHUNKS>;
  const int     warp = threadIdx.x >> 5, t = threadIdx.x & 3;
#pragma unroll
  for (int m = 0; m < q.COLS; m++)
#pragma unroll
    for (int h = 0; h < 4; h += 2) {
      largest_component<T> best = {q.entry(m, 0, h), q.row(0, h)};
#pragma unroll
      for (int i = 0; i < q.TILES; i++)
#pragma unroll
        for (int e = h; e < h + 2; e++) keep_larger(best, q.entry(m, i, e), q.row(i, e));
      for (int o = 1; o < 4; o *= 2) {
        const T im_sum = shfl_xor(best.x, o);
        keep_larger(best, im_sum, __shfl_xor_sync(~0u, best.row, o));
      }
      if (t == 0) smem[warp * COLUMNS + q.column(m, h)] = best;
    }
  __syncthreads();
#pragma unroll
  for (int m = 0; m < q.COLS; m++)
#pragma unroll
    for (int h = 0; h < 4; h += 2) {
      const int            c    = q.column(m, h);
      largest_component<T> best = smem[c];
#pragma unroll
      for (int w = 1; w < UNMTR_WARPS; w++)
        keep_larger(best, smem[w * COLUMNS + c].x, smem[w * COLUMNS + c].row);
      T phase;
      if constexpr (is_complex<T>)
        phase = times(conj(best.x), R(1) / sqrt(square_of(best.x)));
      else
        phase = best.x < 0 ? R(-1) : R(1);
#pragma unroll
      for (int i = 0; i < q.TILES; i++)
#pragma unroll
        for (int e = h; e < h + 2; e++)
          if (q.row(i, e) < n && c < columns) out[(size_t)c * ldo + q.row(i, e)] = q.entry(m, i, e) * phase;
    }
}

/* This block's columns of out = H Q; S[k*n + i], i > k, holds reflector k of n - 1; t: T of the groups */
template <class T, int CHUNKS>
__device__ void unmtr_apply(const real_t<T> *Q, int ldq, const T *S, const T *t, int n, T *out, int ldo,
                            T *smem)
{
  using R     = real_t<T>;
  const int c = (int)blockIdx.y * unmtr_columns<T, CHUNKS>, pitch = v_pitch<T>(n), end = (n + 7) / 8,
            at                     = 2 * (int)(threadIdx.x & 3) * UNMTR_GROUP + (int)(threadIdx.x >> 2 & 7);
  T                          *sums = smem + (size_t)2 * UNMTR_GROUP * pitch;
  int                         k0 = (n - 2) / UNMTR_GROUP * UNMTR_GROUP, buffer = 0;
  transposed_tiles<T, CHUNKS> q;
  unmtr_load(S, n, k0, smem, pitch);
  load_tiles(q, Q + (size_t)c * ldq, ldq, n, n - c);
  for (; k0 >= 0; k0 -= UNMTR_GROUP, buffer ^= 1) {
    const T *V = smem + (size_t)buffer * UNMTR_GROUP * pitch, *tri = t + (size_t)k0 * UNMTR_GROUP + at;
    const T  t0 = load_aligned(tri), t1 = load_aligned(tri + UNMTR_GROUP);
    tile_sum<T, transposed_tiles<T, CHUNKS>::COLS> M = {}, N = {};
    __pipeline_wait_prior(0);
    __syncthreads();
    if (k0 > 0) unmtr_load(S, n, k0 - UNMTR_GROUP, smem + (size_t)(buffer ^ 1) * UNMTR_GROUP * pitch, pitch);
    unmtr_dots(q, V, pitch, k0 / 8, end, M);
    unmtr_sum_warps(M, reinterpret_cast<R *>(sums));
    tile_multiply(t0, t1, M, N);
    tile_update(q, V, pitch, k0 / 8, end, N);
  }
  __syncthreads();
  unmtr_store(q, n, n - c, out + (size_t)c * ldo, ldo, reinterpret_cast<largest_component<T> *>(sums));
}

} // namespace bf
#endif
