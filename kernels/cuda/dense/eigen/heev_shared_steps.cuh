/* kernels/cuda/dense/eigen/heev_shared_steps.cuh - heev_shared.cuh: loads, back-transformation, results of
 * diagonal and failed matrices
 *
 * Computes   S = A from its triangle; out = H Q; eigenpairs of diagonal matrices; NaN for failed ones.
 * Layout     S: n columns in shared memory, leading dimension ld.
 * Cost       back-transformation 2 n^3 multiply-adds (complex 4 times).
 * Checked    tests/kernels/dense/t360_heev_batch.c, t359_pairs_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_HEEV_SHARED_STEPS_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_HEEV_SHARED_STEPS_CUH
#include "kernels/cuda/dense/eigen/heev_global_steps.cuh"
#include "kernels/cuda/dense/eigen/hetrd_register.cuh"

namespace bf
{

/* S = A from its triangle; largest component and flags */
template <class T, int WARPS>
__device__ void heev_load(const T *a, int lda, int n, bool upper, T *S, int ld, heev_flags *flags)
{
  constexpr int AT_ONCE = 8; /* columns in flight */
  const int     lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  real_t<T>     largest   = 0;
  bool          nonfinite = false, dense = false;
  for (int j0 = warp; j0 < n; j0 += AT_ONCE * WARPS)
    for (int i = lane; i < n; i += 32) {
      T x[AT_ONCE];
#pragma unroll
      for (int u = 0; u < AT_ONCE; u++) {
        const int j = j0 + u * WARPS;
        if (j < n && (upper ? i <= j : i >= j)) x[u] = a[(size_t)j * lda + i];
      }
#pragma unroll
      for (int u = 0; u < AT_ONCE; u++) {
        const int j = j0 + u * WARPS;
        if (!(j < n && (upper ? i <= j : i >= j))) continue;
        if (i == j) x[u] = from_real<T>(real_part(x[u]));
        nonfinite |= !is_finite(x[u]);
        dense |= i != j && abs1(x[u]) != 0;
        largest       = fmax(largest, fmax(fabs(real_part(x[u])), fabs(imag_part(x[u]))));
        S[j * ld + i] = x[u];
        S[i * ld + j] = conj(x[u]);
      }
    }
  for (int o = 16; o; o /= 2) largest = fmax(largest, __shfl_xor_sync(~0u, largest, o));
  if (nonfinite) flags->nonfinite = 1;
  if (dense) flags->dense = 1;
  if (lane == 0) atomicMax(&flags->largest, (unsigned long long)__double_as_longlong((double)largest));
}

/* out = H Q: a group of lanes has COLUMNS columns, a lane ROWS rows of them; V[k*ldv + i], i > k */
template <class T, int CHUNKS, int WARPS>
__device__ void heev_unmtr(const real_t<T> *Q, int ld, int n, const T *V, int ldv, const T *tau, T *out,
                           int ldo)
{
  constexpr int ROWS = 8, LEAST = 8;
  constexpr int MOST = sizeof(T) == 16 ? 4 : 8, FIT = CHUNKS * LEAST * CHUNKS * 16 / (32 * WARPS),
                COLUMNS = FIT < 1      ? 1
                          : FIT < MOST ? FIT
                                       : MOST;
  int group             = LEAST;
  while (group * ROWS < n) group *= 2;
  const int lane = threadIdx.x & 31, g = lane & (group - 1), groups = 32 * WARPS / group;
  for (int c0 = 0; c0 < n; c0 += groups * COLUMNS) {
    const int c = c0 + threadIdx.x / group * COLUMNS;
    T         q[COLUMNS][ROWS];
#pragma unroll
    for (int p = 0; p < COLUMNS; p++)
#pragma unroll
      for (int r = 0; r < ROWS; r++) {
        const int i = g + group * r;
        q[p][r]     = from_real<T>(c + p < n && i < n ? Q[(size_t)(c + p) * ld + i] : 0);
      }
    for (int k = n - 2; k >= 0; k--) {
      T v[ROWS], sum[COLUMNS];
#pragma unroll
      for (int r = 0; r < ROWS; r++) {
        const int i = g + group * r;
        v[r]        = i > k && i < n ? load_aligned(V + (size_t)k * ldv + i) : from_real<T>(0);
      }
#pragma unroll
      for (int p = 0; p < COLUMNS; p++) {
        sum[p] = from_real<T>(0);
#pragma unroll
        for (int r = 0; r < ROWS; r++) sum[p] = muladd(conj(v[r]), q[p][r], sum[p]);
      }
      const T mine = sum_columns<T, COLUMNS>(sum, group) * tau[k];
#pragma unroll
      for (int p = 0; p < COLUMNS; p++) {
        const T s = shfl(mine, (lane & ~(group - 1)) + lane_of_column<COLUMNS>(p));
#pragma unroll
        for (int r = 0; r < ROWS; r++) q[p][r] = mulsub(v[r], s, q[p][r]);
      }
    }
#pragma unroll
    for (int p = 0; p < COLUMNS; p++) {
      const T phase = phase_of<T, ROWS>(q[p], g, group);
#pragma unroll
      for (int r = 0; r < ROWS; r++) {
        const int i = g + group * r;
        if (c + p < n && i < n) out[(size_t)(c + p) * ldo + i] = q[p][r] * phase;
      }
    }
  }
}

/* Copies the part of a square below the diagonal. */
template <class T, int WARPS>
__device__ void heev_copy(const T *from, int ldf, T *to, int ldt, int n)
{
  constexpr int AT_ONCE = 8;
  for (int j0 = threadIdx.x >> 5; j0 < n; j0 += AT_ONCE * WARPS)
    for (int i = threadIdx.x & 31; i < n; i += 32) {
      T x[AT_ONCE];
#pragma unroll
      for (int u = 0; u < AT_ONCE; u++) {
        const int j = j0 + u * WARPS;
        if (j < n && i > j) x[u] = from[(size_t)j * ldf + i];
      }
#pragma unroll
      for (int u = 0; u < AT_ONCE; u++) {
        const int j = j0 + u * WARPS;
        if (j < n && i > j) to[(size_t)j * ldt + i] = x[u];
      }
    }
}

/* w = the sorted diagonal of S, A = the unit vectors */
template <class T, int WARPS>
__device__ void heev_diagonal(const T *S, int ld, int n, real_t<T> *w, T *a, int lda)
{
  for (int c = threadIdx.x; c < n; c += 32 * WARPS) {
    const real_t<T> me = real_part(S[(size_t)c * ld + c]);
    int             r  = 0;
    for (int j = 0; j < n; j++) {
      const real_t<T> x = real_part(S[(size_t)j * ld + j]);
      r += x < me || (x == me && j < c);
    }
    w[r] = me;
    for (int i = 0; i < n && a; i++) a[(size_t)r * lda + i] = from_real<T>(i == c ? 1 : 0);
  }
}

template <class T, int WARPS>
__device__ void heev_fail(real_t<T> *w, T *a, int lda, int n)
{
  const real_t<T> nan = real_t<T>(nanf(""));
  for (int i = threadIdx.x; i < n; i += 32 * WARPS) w[i] = nan;
  for (int j = threadIdx.x >> 5; j < n && a; j += WARPS)
    for (int i = threadIdx.x & 31; i < n; i += 32) a[(size_t)j * lda + i] = from_real<T>(nan);
}

} // namespace bf
#endif
