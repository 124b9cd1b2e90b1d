/* kernels/cuda/batch_back.cuh - reflectors applied to the vectors of a tridiagonal matrix
 *
 * Computes   out = H Q, H the product of the reflectors I - tau v v^H, the last first; Q real.
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

enum { BACK_WARPS = 8, BACK_PANEL = 8 };

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

/* Columns of this block of out = H Q; S[k*n + i], i > k, holds reflector k of n - 1. */
template <class T, int CHUNKS>
__device__ void back_columns_of(const real_t<T> *Q, int ldq, const T *S, const T *tau, int n, T *out, int ldo,
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
    for (int k = min(k0 + BACK_PANEL - 1, n - 2); k >= k0; k--) {
      const int r0 = (k + 1) >> 5;
      T         v[CHUNKS], sum[COLUMNS];
#pragma unroll
      for (int p = 0; p < COLUMNS; p++) sum[p] = from_real<T>(0);
#pragma unroll
      for (int r = 0; r < CHUNKS; r++) {
        if (r < r0) continue;
        const int i = lane + 32 * r;
        v[r]        = i > k && i < n ? V[(k - k0) * n + i] : from_real<T>(0);
#pragma unroll
        for (int p = 0; p < COLUMNS; p++) sum[p] = muladd(conj(v[r]), q[p][r], sum[p]);
      }
      const T mine = sum_columns<T, COLUMNS>(sum, 32) * tau[k];
#pragma unroll
      for (int p = 0; p < COLUMNS; p++) sum[p] = of_lane(mine, lane_of_column<COLUMNS>(p));
#pragma unroll
      for (int r = 0; r < CHUNKS; r++) {
        if (r < r0) continue;
#pragma unroll
        for (int p = 0; p < COLUMNS; p++) q[p][r] = mulsub(v[r], sum[p], q[p][r]);
      }
    }
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
