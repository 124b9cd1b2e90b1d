/* kernels/cuda/dense/eigen/heev_global_steps.cuh - heev_global.cuh: screening, scaled loads, results of
 * diagonal and failed matrices
 *
 * Computes   flags and the largest component of a triangle; S = A scaled; eigenpairs of diagonal matrices;
 *            NaN for failed ones.
 * Layout     a block per matrix, a warp per column, ROWS_AHEAD loads in flight per lane.
 * Cost       each pass reads the triangle once.
 * Checked    tests/kernels/dense/t359_pairs_batch.c, t373_large_spectra.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_HEEV_GLOBAL_STEPS_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_HEEV_GLOBAL_STEPS_CUH
#include "kernels/cuda/dense/eigen/hetrd_blocked.cuh"

namespace bf
{

enum { HEEV_THREADS = HETRD_THREADS };

struct heev_flags {
  int                nonfinite, dense; /* an entry that is not finite; one off the diagonal that is not 0 */
  unsigned long long largest;          /* bits of a double */
};

/* Loads rows i0 + 32 u of a column that are in from .. end-1, all in flight at once; 0 for others */
enum { ROWS_AHEAD = 4 };
template <class T>
__device__ __forceinline__ void load_rows_ahead(const T *column, int i0, int from, int end,
                                                T (&x)[ROWS_AHEAD])
{
#pragma unroll
  for (int u = 0; u < ROWS_AHEAD; u++) {
    const int i = i0 + 32 * u + (int)(threadIdx.x & 31);
    x[u]        = i >= from && i < end ? column[i] : from_real<T>(0);
  }
}

/* Flags and the largest component of the triangle */
template <class T>
__device__ void heev_screen(const T *a, int lda, int n, bool upper, heev_flags *flags)
{
  const int lane      = threadIdx.x & 31;
  real_t<T> largest   = 0;
  bool      nonfinite = false, dense = false;
  for (int j = threadIdx.x >> 5; j < n; j += HETRD_WARPS)
    for (int i0 = upper ? 0 : j / 32 * 32; i0 < (upper ? j + 1 : n); i0 += 32 * ROWS_AHEAD) {
      T x[ROWS_AHEAD];
      load_rows_ahead(a + (size_t)j * lda, i0, upper ? 0 : j, upper ? j + 1 : n, x);
#pragma unroll
      for (int u = 0; u < ROWS_AHEAD; u++) {
        const int i = i0 + 32 * u + lane;
        const T   y = i == j ? from_real<T>(real_part(x[u])) : x[u];
        nonfinite |= !is_finite(y);
        dense |= i != j && abs1(y) != 0;
        largest = fmax(largest, fmax(fabs(real_part(y)), fabs(imag_part(y))));
      }
    }
  for (int o = 16; o; o /= 2) largest = fmax(largest, __shfl_xor_sync(~0u, largest, o));
  if (nonfinite) flags->nonfinite = 1;
  if (dense) flags->dense = 1;
  if (lane == 0) atomicMax(&flags->largest, (unsigned long long)__double_as_longlong((double)largest));
}

/* The lower triangle of S = A times 2^-exponent, leading dimension n */
template <class T>
__device__ void heev_load_scaled(const T *a, int lda, int n, bool upper, int exponent, T *S)
{
  using R      = real_t<T>;
  const R down = scalbn(R(1), -exponent / 2), down2 = scalbn(R(1), -exponent + exponent / 2);
  for (int j = threadIdx.x >> 5; j < n; j += (int)(blockDim.x >> 5))
    for (int i0 = upper ? 0 : j / 32 * 32; i0 < (upper ? j + 1 : n); i0 += 32 * ROWS_AHEAD) {
      T x[ROWS_AHEAD];
      load_rows_ahead(a + (size_t)j * lda, i0, upper ? 0 : j, upper ? j + 1 : n, x);
#pragma unroll
      for (int u = 0; u < ROWS_AHEAD; u++) {
        const int i = i0 + 32 * u + (int)(threadIdx.x & 31);
        if (i < (upper ? 0 : j) || i >= (upper ? j + 1 : n)) continue;
        T y = times(times(x[u], down), down2);
        if (i == j) y = from_real<T>(real_part(y));
        S[upper ? i * n + j : j * n + i] = upper ? conj(y) : y;
      }
    }
}

/* Entry (i, j) of A times 2^-exponent, from its triangle; 0 beyond n */
template <class T>
struct scaled_entries {
  const T  *a;
  int       lda, n;
  bool      upper;
  real_t<T> down, down2;

  __device__ __forceinline__ scaled_entries(const T *a_, int lda_, int n_, bool upper_, int exponent)
      : a(a_), lda(lda_), n(n_), upper(upper_), down(scalbn(real_t<T>(1), -exponent / 2)),
        down2(scalbn(real_t<T>(1), -exponent + exponent / 2))
  {
  }
  __device__ __forceinline__ T operator()(int i, int j) const
  {
    if (i >= n || j >= n) return from_real<T>(0);
    const bool there = upper ? i <= j : i >= j;
    const T    x     = times(times(a[there ? (size_t)j * lda + i : (size_t)i * lda + j], down), down2);
    return i == j ? from_real<T>(real_part(x)) : there ? x : conj(x);
  }
};

/* w = the sorted diagonal of A, A = the unit vectors; d, at: n entries each */
template <class T>
__device__ void heev_global_diagonal(T *a, int lda, int n, bool vectors, real_t<T> *w, real_t<T> *d, int *at)
{
  for (int c = threadIdx.x; c < n; c += HEEV_THREADS) d[c] = real_part(a[(size_t)c * lda + c]);
  __syncthreads();
  for (int c = threadIdx.x; c < n; c += HEEV_THREADS) {
    int r = 0;
    for (int j = 0; j < n; j++) r += d[j] < d[c] || (d[j] == d[c] && j < c);
    w[r]  = d[c];
    at[r] = c;
  }
  __syncthreads();
  for (int j = threadIdx.x >> 5; j < n && vectors; j += HEEV_THREADS / 32)
    for (int i = threadIdx.x & 31; i < n; i += 32) a[(size_t)j * lda + i] = from_real<T>(i == at[j] ? 1 : 0);
}

template <class T>
__device__ void heev_global_fail(real_t<T> *w, T *a, int lda, int n, bool vectors)
{
  const real_t<T> nan = real_t<T>(nanf(""));
  for (int i = threadIdx.x; i < n; i += (int)blockDim.x) w[i] = nan;
  for (int j = threadIdx.x >> 5; j < n && vectors; j += (int)(blockDim.x >> 5))
    for (int i = threadIdx.x & 31; i < n; i += 32) a[(size_t)j * lda + i] = from_real<T>(nan);
}

} // namespace bf
#endif
