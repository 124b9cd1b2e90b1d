/* kernels/cuda/dense/eigen/unmtr.cuh - reflectors applied to the vectors of a tridiagonal matrix, by tensor
 * cores
 *
 * Computes   out = H Q, H the product of the reflectors I - tau v v^H, the last first; Q real.  GROUP of them
 *            are I - V T V^H, T upper triangular:  M = V^H Q,  Q -= V (T M).
 * Source     R. Schreiber, C. Van Loan, SIAM J. Sci. Stat. Comput. 10 (1989); LAPACK's zlarft.
 * Layout     unmtr_transposed_tiles.cuh: a block has columns of Q in registers from the first reflector to
 *            the last.  M is added up over the warps in shared memory, through which reflectors come too, the
 *            next ones while these are applied; blocks of a matrix share nothing.
 * Cost       2 n^3 multiplications and additions (complex four times); three barriers a group.
 * Checked    tests/kernels/dense/t359_pairs_batch.c, t373_large_spectra.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_UNMTR_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_UNMTR_CUH
#include "kernels/cuda/dense/eigen/unmtr_transposed_tiles.cuh"

namespace bf
{

enum { BACK_GROUP = TURNED_DEEP };

template <class T, int CHUNKS>
static size_t back_bytes(int n)
{
  return ((size_t)2 * BACK_GROUP * turned_pitch<T>(n) +
          (TURNED_WARPS + 1) * 8 * turned_columns<T, CHUNKS>)*sizeof(T);
}

/* T of the reflectors k0 .. k0 + GROUP - 1, t[j*GROUP + i], 0 where i > j: a warp's.  S as below; there are
 * n - 1. */
template <class T>
__device__ void back_triangle(const T *S, const T *tau, int n, int k0, T *t)
{
  using R        = real_t<T>;
  const int lane = threadIdx.x & 31, g = lane >> 2, q = lane & 3, k = k0 + g;
  R         dot[2][4] = {};
  T         row[BACK_GROUP];
  for (int i = k0 + 2 * q; i < n + 2 * q; i += 8) { /* V^H V */
    const T x = k < n - 1 && i > k && i < n ? own(S + (size_t)k * n + i) : from_real<T>(0),
            y = k < n - 1 && i + 1 > k && i + 1 < n ? own(S + (size_t)k * n + i + 1) : from_real<T>(0);
    const mma_real<R> none = mma_part(R(0));
    mma_real<R>       re[2];
    R                 real[4];
    turned_pair<0>(x, y, re);
    turned_begin(dot[0], real);
    mma(real, {re[0], none, re[1], none}, re);
    if constexpr (is_complex<T>) {
      mma_real<R> im[2];
      R           other[4];
      turned_pair<1>(x, y, im);
      turned_begin(dot[1], other);
      mma(real, {im[0], none, im[1], none}, im);
      mma(other, {re[0], none, re[1], none}, im);
      mma(other, {-im[0], none, -im[1], none}, re);
      turned_end(dot[1], other);
    }
    turned_end(dot[0], real);
  }
#pragma unroll
  for (int j = 0; j < BACK_GROUP; j++) {
    const T factor = k0 + j < n - 1 ? tau[k0 + j] : from_real<T>(0);
    T       s      = from_real<T>(0);
#pragma unroll
    for (int h = 0; h < j; h++) {
      T d;
      if constexpr (is_complex<T>)
        d = of_lane(T{dot[0][j & 1], dot[1][j & 1]}, 4 * h + j / 2);
      else
        d = of_lane(dot[0][j & 1], 4 * h + j / 2);
      s = muladd(row[h], d, s);
    }
    row[j] = lane == j ? factor : lane < j ? -(factor * s) : from_real<T>(0);
    if (lane < BACK_GROUP) t[j * BACK_GROUP + lane] = row[j];
  }
}

/* Reflectors k0 .. k0 + GROUP - 1 on their way into `to`, with zeros above them; a warp has one. */
template <class T>
__device__ __forceinline__ void back_fetch(const T *S, int n, int k0, T *to, int pitch)
{
  const int k = k0 + (int)(threadIdx.x >> 5);
  T        *v = to + (size_t)(threadIdx.x >> 5) * pitch;
  for (int i = k0 + (int)(threadIdx.x & 31); i < (n + 7) / 8 * 8; i += 32) {
    const bool in = k < n - 1 && i > k && i < n;
    __pipeline_memcpy_async(v + i, S + (in ? (size_t)k * n + i : 0), sizeof(T), in ? 0 : sizeof(T));
  }
  __pipeline_commit();
}

/* M, by this warp's rows from tile `first` on; V: the group. */
template <class T, int CHUNKS>
__device__ __forceinline__ void back_dots(const turned<T, CHUNKS> &q, const T *V, int pitch, int first,
                                          int end, turned_sum<T, turned<T, CHUNKS>::COLS> &M)
{
  using R        = real_t<T>;
  const int lane = threadIdx.x & 31;
#pragma unroll
  for (int i = 0; i < q.TILES; i++) {
    if (q.tile(i) < first || q.tile(i) >= end) continue;
    const T    *v = V + (lane >> 2) * pitch + 8 * q.tile(i) + 2 * (lane & 3);
    const T     x = own(v), y = own(v + 1);
    mma_real<R> re[2], a[4];
    turned_pair<0>(x, y, re);
#pragma unroll
    for (int m = 0; m < q.COLS; m++) {
      R real[4];
      turned_factor(q.x[m][i][0], a);
      turned_begin(M.of[m][0], real);
      mma(real, a, re);
      if constexpr (is_complex<T>) {
        mma_real<R> im[2], less[2], b[4];
        R           other[4];
        turned_pair<1>(x, y, im);
        turned_pair<1>(-x, -y, less);
        turned_factor(q.x[m][i][1], b);
        turned_begin(M.of[m][1], other);
        mma(other, a, less);
        mma(real, b, im);
        mma(other, b, re);
        turned_end(M.of[m][1], other);
      }
      turned_end(M.of[m][0], real);
    }
  }
}

/* The sum of M over the warps; sums: shared memory, [WARPS + 1][ALL]; two barriers. */
template <class T, int COLS>
__device__ __forceinline__ void back_add(turned_sum<T, COLS> &M, real_t<T> *sums)
{
  constexpr int ALL   = COLS * turned_sum<T, COLS>::PARTS * 128;
  real_t<T>    *total = sums + TURNED_WARPS * ALL;
  turned_show(M, sums + (int)(threadIdx.x >> 5) * ALL);
  __syncthreads();
  for (int x = threadIdx.x; x < ALL; x += TURNED_THREADS) {
    real_t<T> s = sums[x];
#pragma unroll
    for (int w = 1; w < TURNED_WARPS; w++) s += sums[w * ALL + x];
    total[x] = s;
  }
  __syncthreads();
  turned_see(M, total);
}

/* The largest component of a column so far, and its row: the larger one, or the one above. */
template <class T>
struct back_largest {
  T   x;
  int row;
};
template <class T>
__device__ __forceinline__ void back_meet(back_largest<T> &a, T x, int row)
{
  const real_t<T> mine = square_of(a.x), other = square_of(x);
  const bool      more = other > mine || (other == mine && row < a.row);
  a.x                  = more ? x : a.x;
  a.row                = more ? row : a.row;
}

/* The columns into out, of which there are `columns` of n rows, the largest component of each real and
 * positive; room: shared memory for a back_largest of each column and warp. */
template <class T, int CHUNKS>
__device__ __forceinline__ void back_give(const turned<T, CHUNKS> &q, int n, int columns, T *out, int ldo,
                                          back_largest<T> *room)
{
  using R            = real_t<T>;
  constexpr int MADE = turned_columns<T, CHUNKS>;
  const int     warp = threadIdx.x >> 5, t = threadIdx.x & 3;
#pragma unroll
  for (int m = 0; m < q.COLS; m++)
#pragma unroll
    for (int h = 0; h < 4; h += 2) {
      back_largest<T> best = {q.entry(m, 0, h), q.row(0, h)};
#pragma unroll
      for (int i = 0; i < q.TILES; i++)
#pragma unroll
        for (int e = h; e < h + 2; e++) back_meet(best, q.entry(m, i, e), q.row(i, e));
      for (int o = 1; o < 4; o *= 2) {
        const T other = lane_xor(best.x, o);
        back_meet(best, other, __shfl_xor_sync(~0u, best.row, o));
      }
      if (t == 0) room[warp * MADE + q.column(m, h)] = best;
    }
  __syncthreads();
#pragma unroll
  for (int m = 0; m < q.COLS; m++)
#pragma unroll
    for (int h = 0; h < 4; h += 2) {
      const int       c    = q.column(m, h);
      back_largest<T> best = room[c];
#pragma unroll
      for (int w = 1; w < TURNED_WARPS; w++) back_meet(best, room[w * MADE + c].x, room[w * MADE + c].row);
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

/* Columns of this block of out = H Q; S[k*n + i], i > k, holds reflector k of n - 1;
 * t: T of its group. */
template <class T, int CHUNKS>
__device__ void back_columns_of(const real_t<T> *Q, int ldq, const T *S, const T *t, int n, T *out, int ldo,
                                T *room)
{
  using R     = real_t<T>;
  const int c = (int)blockIdx.y * turned_columns<T, CHUNKS>, pitch = turned_pitch<T>(n), end = (n + 7) / 8,
            at           = 2 * (int)(threadIdx.x & 3) * BACK_GROUP + (int)(threadIdx.x >> 2 & 7);
  T                *sums = room + (size_t)2 * BACK_GROUP * pitch;
  int               k0 = (n - 2) / BACK_GROUP * BACK_GROUP, buffer = 0;
  turned<T, CHUNKS> q;
  back_fetch(S, n, k0, room, pitch);
  turned_take(q, Q + (size_t)c * ldq, ldq, n, n - c);
  for (; k0 >= 0; k0 -= BACK_GROUP, buffer ^= 1) {
    const T *V = room + (size_t)buffer * BACK_GROUP * pitch, *tri = t + (size_t)k0 * BACK_GROUP + at;
    const T  t0 = own(tri), t1 = own(tri + BACK_GROUP);
    turned_sum<T, turned<T, CHUNKS>::COLS> M = {}, N = {};
    __pipeline_wait_prior(0);
    __syncthreads();
    if (k0 > 0) back_fetch(S, n, k0 - BACK_GROUP, room + (size_t)(buffer ^ 1) * BACK_GROUP * pitch, pitch);
    back_dots(q, V, pitch, k0 / 8, end, M);
    back_add(M, reinterpret_cast<R *>(sums));
    turned_times(t0, t1, M, N);
    turned_update(q, V, pitch, k0 / 8, end, N);
  }
  __syncthreads();
  back_give(q, n, n - c, out + (size_t)c * ldo, ldo, reinterpret_cast<back_largest<T> *>(sums));
}

} // namespace bf
#endif
