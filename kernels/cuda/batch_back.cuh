/* kernels/cuda/batch_back.cuh - reflectors applied to the vectors of a tridiagonal matrix
 *
 * Computes   out = H Q, H the product of the reflectors I - tau v v^H, the last first; Q real.  GROUP of them
 *            are I - V T V^H, T upper triangular.
 * Source     R. Schreiber, C. Van Loan, SIAM J. Sci. Stat. Comput. 10 (1989); LAPACK's zlarft.
 * Layout     a warp holds COLUMNS columns of Q in registers, a lane rows l + 32 r of them, from the first
 *            reflector to the last.  Reflectors come through shared memory, PANEL at a time, the next ones
 *            while these are applied; blocks of a matrix share nothing.
 * Cost       2 n^3 multiplications and additions (complex four times).
 * Checked    tests/t359_pairs_batch.c, t373_large_spectra.c.
 */
#ifndef BF_BATCH_BACK_CUH
#define BF_BATCH_BACK_CUH
#include "kernels/cuda/batch_reflect.cuh"
#include <cuda_pipeline.h>

enum { BACK_WARPS = 8, BACK_PANEL = 8, BACK_GROUP = 4 };

/* of a warp; blocks of a multiprocessor */
template <class T, int CHUNKS>
inline constexpr int back_columns = sizeof(T) == 16                 ? 2
                                    : sizeof(T) == 4 && CHUNKS <= 8 ? 8
                                                                    : 4;
template <class T, int CHUNKS>
inline constexpr int back_blocks = CHUNKS > 8 && sizeof(T) > 4 ? 1 : 2;

template <class T>
static size_t back_bytes(int n)
{
  return (size_t)2 * BACK_PANEL * n * sizeof(T);
}

/* Reflectors k0 .. k0 + PANEL - 1 on their way into `to`; a scalar is copied by its real parts. */
template <class T>
__device__ __forceinline__ void back_fetch(const T *S, int n, int k0, T *to)
{
  using R        = real_t<T>;
  const R  *from = reinterpret_cast<const R *>(S + (size_t)k0 * n);
  R        *into = reinterpret_cast<R *>(to);
  const int all  = min(BACK_PANEL, n - k0) * n * (int)(sizeof(T) / sizeof(R));
  for (int x = threadIdx.x; x < all; x += 32 * BACK_WARPS)
    __pipeline_memcpy_async(into + x, from + x, sizeof(R));
  __pipeline_commit();
}

/* T of the reflectors k0 .. k0 + GROUP - 1, t[j*GROUP + i], i <= j: a warp's.  S as below; there are n - 1.
 */
template <class T>
__device__ void back_triangle(const T *S, const T *tau, int n, int k0, T *t)
{
  const int lane                        = threadIdx.x & 31;
  T         dot[BACK_GROUP][BACK_GROUP] = {}, tri[BACK_GROUP][BACK_GROUP] = {};
  for (int i = k0 + 1 + lane; i < n; i += 32) {
    T v[BACK_GROUP];
#pragma unroll
    for (int j = 0; j < BACK_GROUP; j++) {
      const int k = k0 + j;
      v[j]        = k < n - 1 && i > k ? own(S + (size_t)k * n + i) : from_real<T>(0);
    }
#pragma unroll
    for (int j = 1; j < BACK_GROUP; j++)
#pragma unroll
      for (int h = 0; h < j; h++) dot[j][h] = muladd(conj(v[h]), v[j], dot[j][h]);
  }
#pragma unroll
  for (int j = 0; j < BACK_GROUP; j++) {
    const T factor = k0 + j < n - 1 ? tau[k0 + j] : from_real<T>(0);
#pragma unroll
    for (int h = 0; h < j; h++) dot[j][h] = sum_warp(dot[j][h]);
    tri[j][j] = factor;
#pragma unroll
    for (int i = 0; i < j; i++) {
      T s = from_real<T>(0);
#pragma unroll
      for (int h = i; h < j; h++) s = muladd(tri[h][i], dot[j][h], s);
      tri[j][i] = -(factor * s);
    }
#pragma unroll
    for (int i = 0; i <= j; i++)
      if (lane == 0) t[j * BACK_GROUP + i] = tri[j][i];
  }
}

/* q -= V T V^H q; V: GROUP reflectors from k0 on, T as back_triangle leaves it. */
template <class T, int CHUNKS, int COLUMNS>
__device__ __forceinline__ void back_group(const T *V, const T *t, int n, int k0, T (&q)[COLUMNS][CHUNKS])
{
  const int lane = threadIdx.x & 31, r0 = (k0 + 1) >> 5;
  T         sum[COLUMNS * BACK_GROUP], turned[BACK_GROUP][COLUMNS];
#pragma unroll
  for (int p = 0; p < COLUMNS * BACK_GROUP; p++) sum[p] = from_real<T>(0);
#pragma unroll
  for (int r = 0; r < CHUNKS; r++) {
    const int i = lane + 32 * r;
    if (r < r0 || 32 * r >= n) continue;
#pragma unroll
    for (int j = 0; j < BACK_GROUP; j++) {
      const T v = i > k0 + j && i < n ? own(V + j * n + i) : from_real<T>(0);
#pragma unroll
      for (int p = 0; p < COLUMNS; p++) sum[j * COLUMNS + p] = muladd(conj(v), q[p][r], sum[j * COLUMNS + p]);
    }
  }
  const T mine = sum_columns<T, COLUMNS * BACK_GROUP>(sum, 32);
#pragma unroll
  for (int p = 0; p < COLUMNS; p++)
#pragma unroll
    for (int j = 0; j < BACK_GROUP; j++) {
      const T s    = of_lane(mine, lane_of_column<COLUMNS * BACK_GROUP>(j * COLUMNS + p));
      turned[j][p] = t[j * BACK_GROUP + j] * s;
#pragma unroll
      for (int i = 0; i < j; i++) turned[i][p] = muladd(t[j * BACK_GROUP + i], s, turned[i][p]);
    }
#pragma unroll
  for (int r = 0; r < CHUNKS; r++) {
    const int i = lane + 32 * r;
    if (r < r0 || 32 * r >= n) continue;
#pragma unroll
    for (int j = 0; j < BACK_GROUP; j++) {
      const T v = i > k0 + j && i < n ? own(V + j * n + i) : from_real<T>(0);
#pragma unroll
      for (int p = 0; p < COLUMNS; p++) q[p][r] = mulsub(v, turned[j][p], q[p][r]);
    }
  }
}

/* Columns of this block of out = H Q; S[k*n + i], i > k, holds reflector k of n - 1;
 * t: T of its group. */
template <class T, int CHUNKS>
__device__ void back_columns_of(const real_t<T> *Q, int ldq, const T *S, const T *t, int n, T *out, int ldo,
                                T *panel)
{
  constexpr int COLUMNS = back_columns<T, CHUNKS>;
  const int lane = threadIdx.x & 31, c = ((int)blockIdx.y * BACK_WARPS + (int)(threadIdx.x >> 5)) * COLUMNS;
  T         q[COLUMNS][CHUNKS];
  int       k0 = (n - 2) / BACK_PANEL * BACK_PANEL, buffer = 0;
  back_fetch(S, n, k0, panel);
#pragma unroll
  for (int p = 0; p < COLUMNS; p++)
#pragma unroll
    for (int r = 0; r < CHUNKS; r++) {
      const int i = lane + 32 * r;
      q[p][r]     = from_real<T>(c + p < n && i < n ? Q[(size_t)(c + p) * ldq + i] : 0);
    }
  for (; k0 >= 0; k0 -= BACK_PANEL, buffer ^= 1) {
    const T *V = panel + (size_t)buffer * BACK_PANEL * n;
    __pipeline_wait_prior(0);
    __syncthreads();
    if (k0 > 0) back_fetch(S, n, k0 - BACK_PANEL, panel + (size_t)(buffer ^ 1) * BACK_PANEL * n);
#pragma unroll 1
    for (int k = k0 + BACK_PANEL - BACK_GROUP; k >= k0; k -= BACK_GROUP)
      if (k < n - 1) back_group<T, CHUNKS, COLUMNS>(V + (k - k0) * n, t + k * BACK_GROUP, n, k, q);
    __syncthreads();
  }
#pragma unroll
  for (int p = 0; p < COLUMNS; p++) {
    const T phase = phase_of<T, CHUNKS>(q[p], lane, 32);
#pragma unroll
    for (int r = 0; r < CHUNKS; r++) {
      const int i = lane + 32 * r;
      if (c + p < n && i < n) out[(size_t)(c + p) * ldo + i] = q[p][r] * phase;
    }
  }
}
#endif
