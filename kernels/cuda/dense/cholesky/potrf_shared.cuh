/* kernels/cuda/dense/cholesky/potrf_shared.cuh - Cholesky factorisation of orders from 33 on in shared
 * memory: left-looking, a block per matrix, panels of 16 columns
 *
 *     for panel p:  C(t) = A(t, p) - sum of L(t, q) L(p, q)^H, q < p     16 x 16 tiles in registers
 *                   C(p) = L(p, p) L(p, p)^H                            one warp, a row per lane
 *                   L(t, p) = C(t) L(p, p)^-H                           a row per thread
 *
 * The upper triangle is read as the lower one of A^T, whose factor is U^T.
 * Computes   A = L L^H or U^H U, LAPACK's info.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 4.2.6 (block, gaxpy form).
 * Layout     panels one after the other, rows of 16 as in warp_tile16.cuh; the right operands -L(p, q)^H
 *            are stored in `u`, POTRF_GROUP panels q at a time.
 * Cost       1/3 n^3 flops (complex 4 times); the triangle is read and written once; 4 barriers per panel,
 *            2 per POTRF_GROUP panels q.
 * Launch     a block of W warps per matrix, TPW tiles of a panel per warp.
 * Checked    tests/kernels/dense/t364_cholesky_batch.c, t366_sizes_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_CHOLESKY_POTRF_SHARED_CUH
#define BF_KERNELS_CUDA_DENSE_CHOLESKY_POTRF_SHARED_CUH
#include "kernels/cuda/dense/common/subwarp_rows.cuh"
#include "kernels/cuda/dense/common/warp_tile16.cuh"
#include "kernels/cuda/device/thread_block_cluster.cuh"

namespace bf
{

enum { POTRF_GROUP = 4 };

/* Offsets in shared memory, in bytes */
template <class T>
struct potrf_shared_layout {
  int tiles, l, u, line, inverse, flags, bytes;

  __host__ __device__ explicit potrf_shared_layout(int n)
  {
    smem_offsets smem;
    tiles   = (n + PANEL_NB - 1) / PANEL_NB;
    l       = smem.reserve(PANEL_NB * (tiles * (tiles + 1) / 2) * panel_pitch<T> * (int)sizeof(T));
    u       = smem.reserve(POTRF_GROUP * PANEL_NB * panel_u_pitch<T> * (int)sizeof(T));
    line    = smem.reserve(2 * PANEL_NB * (int)sizeof(T));
    inverse = smem.reserve(PANEL_NB * (int)sizeof(real_t<T>));
    flags   = smem.reserve(8);
    bytes   = smem.bytes;
  }
  __device__ __forceinline__ int panel(int q) const
  {
    return PANEL_NB * (q * tiles - q * (q - 1) / 2) * panel_pitch<T>;
  }
};

template <class T>
static __device__ __forceinline__ void load_row16(const T *row, T (&x)[PANEL_NB])
{
#pragma unroll
  for (int j = 0; j < PANEL_NB; j += panel_vec<T>) {
    const panel_vec16<T> v = load_panel_vec(row + j);
#pragma unroll
    for (int e = 0; e < panel_vec<T>; e++) x[j + e] = v.v[e];
  }
}
template <class T>
static __device__ __forceinline__ void store_row16(T *row, const T (&x)[PANEL_NB])
{
#pragma unroll
  for (int j = 0; j < PANEL_NB; j += panel_vec<T>) {
    panel_vec16<T> v;
#pragma unroll
    for (int e = 0; e < panel_vec<T>; e++) v.v[e] = x[j + e];
    store_panel_vec(row + j, v);
  }
}

/* Subtracts from a row the product with column k; l: conj(x[k]) of all rows */
template <class T>
static __device__ __forceinline__ void subtract_column(int k, const T *l, T (&x)[PANEL_NB])
{
#pragma unroll
  for (int j = 0; j < PANEL_NB; j += panel_vec<T>) {
    if (j + panel_vec<T> <= k + 1) continue;
    const panel_vec16<T> v = load_panel_vec(l + j);
#pragma unroll
    for (int e = 0; e < panel_vec<T>; e++)
      if (j + e > k) x[j + e] = mulsub(x[k], v.v[e], x[j + e]);
  }
}

/* Factors the diagonal tile at P in place, by one warp; returns 0 or the first of its nb columns, from
 * 1, whose pivot is not positive. The dependency from pivot to pivot limits the speed: row k + 1
 * computes its pivot before the rank-1 update, and the roots are computed last. */
template <class T>
static __device__ __noinline__ int potrf_diagonal_real(T *P, int nb, T *line, real_t<T> *inverse)
{
  using R        = real_t<T>;
  const int lane = (int)threadIdx.x & 31, r = lane % PANEL_NB;
  T         x[PANEL_NB];
  R         pivot = 0, scale = 0; /* of the lane's row */
  load_row16(P + r * panel_pitch<T>, x);
  R d = __shfl_sync(ALL_LANES, real_part(x[0]), 0);
#pragma unroll
  for (int k = 0; k < PANEL_NB; k++) {
    const R i = inverse_sqrt_branchless(d), y = d > 0 && d - d == 0 ? i : R(0);
    T      *l = line + k % 2 * PANEL_NB;
    if (r == k) pivot = d, scale = y;
    x[k] = times(x[k], y);
    if (k + 1 == PANEL_NB) break;
    d = __shfl_sync(ALL_LANES, real_part(mulsub(x[k], conj(x[k]), x[k + 1])), k + 1);
    if (lane < PANEL_NB) l[r] = conj(x[k]);
    __syncwarp();
    subtract_column(k, l, x);
  }
  const unsigned bad_lanes = __ballot_sync(ALL_LANES, !(pivot > 0) && lane < min(nb, (int)PANEL_NB));
  if (lane < PANEL_NB) {
    inverse[r] = scale;
    store_row16(P + r * panel_pitch<T>, x);
    P[r * (panel_pitch<T> + 1)] = from_real<T>(pivot > 0 ? sqrt_from_inverse(pivot, scale) : pivot);
  }
  return __ffs((int)bad_lanes);
}

/* The same with branches, in fewer registers, for complex types */
template <class T>
static __device__ __noinline__ int potrf_diagonal_complex(T *P, int nb, T *line, real_t<T> *inverse)
{
  const int lane = (int)threadIdx.x & 31, r = lane % PANEL_NB;
  T         x[PANEL_NB];
  int       first = 0;
  load_row16(P + r * panel_pitch<T>, x);
  real_t<T> d = __shfl_sync(ALL_LANES, real_part(x[0]), 0);
#pragma unroll
  for (int k = 0; k < PANEL_NB; k++) {
    const bool      fine = d > 0;
    const real_t<T> y    = fine ? inverse_sqrt(d) : 0;
    T              *l    = line + k % 2 * PANEL_NB;
    if (!fine && first == 0 && k < nb) first = k + 1;
    x[k] = r == k ? from_real<T>(fine ? sqrt_from_inverse(d, y) : d) : times(x[k], y);
    if (k + 1 < PANEL_NB) /* row k + 1 computes its pivot before the rank-1 update */
      d = __shfl_sync(ALL_LANES, real_part(mulsub(x[k], conj(x[k]), x[k + 1])), k + 1);
    if (lane < PANEL_NB) l[r] = conj(x[k]);
    if (lane == k) inverse[k] = y;
    __syncwarp();
    subtract_column(k, l, x);
  }
  __syncwarp();
  if (lane < PANEL_NB) store_row16(P + r * panel_pitch<T>, x);
  return first;
}

template <class T>
static __device__ __forceinline__ int potrf_diagonal(T *P, int nb, T *line, real_t<T> *inverse)
{
  if constexpr (is_complex<T>)
    return potrf_diagonal_complex(P, nb, line, inverse);
  else
    return potrf_diagonal_real(P, nb, line, inverse);
}

/* A row below the diagonal tile D: x := x D^-H */
template <class T>
static __device__ __forceinline__ void potrf_solve_row(const T *D, const real_t<T> *inverse, T *row)
{
  constexpr int V = panel_vec<T>;
  T             x[PANEL_NB];
  load_row16(row, x);
#pragma unroll
  for (int j = 0; j < PANEL_NB; j++) {
#pragma unroll
    for (int q = 0; q < j; q += V) {
      const panel_vec16<T> v = load_panel_vec(D + j * panel_pitch<T> + q);
#pragma unroll
      for (int e = 0; e < V; e++)
        if (q + e < j) x[j] = mulsub(x[q + e], conj(v.v[e]), x[j]);
    }
    x[j] = times(x[j], inverse[j]);
  }
  store_row16(row, x);
}

/* A block's part of one matrix: W warps, TPW tiles of a panel each */
template <class T, int W, int TPW>
struct potrf_shared_work {
  const potrf_shared_layout<T> &at;
  T                            *L, *a;
  int64_t                       ld;
  int                           n, w, lane;
  bool                          upper;

  /* f(entry of L, entry of A) for the triangle; lower: lanes along a column, upper: along a row */
  template <class F>
  __device__ __forceinline__ void entries(F f) const
  {
    const int c = lane % PANEL_NB, row_stride = lane / PANEL_NB;
    for (int q = 0, item = 0; q < at.tiles; q++) {
      T *top = L + at.panel(q);
      if (upper) {
#pragma unroll 4
        for (int y = 2 * w + row_stride; y < n - PANEL_NB * q; y += 2 * W)
          if (c <= y)
            f(top + y * panel_pitch<T> + c, a + (int64_t)(PANEL_NB * q + y) * ld + PANEL_NB * q + c);
      } else
        for (int y0 = 0; y0 < n - PANEL_NB * q; y0 += 32, item++) {
          const int y    = y0 + lane;
          T        *from = a + (int64_t)(PANEL_NB * q) * (ld + 1) + y;
          if (item % W != w || y >= n - PANEL_NB * q) continue;
#pragma unroll
          for (int j = 0; j < PANEL_NB; j++, from += ld)
            if (j <= y) f(top + y * panel_pitch<T> + j, from);
        }
    }
  }
  __device__ __forceinline__ void fetch() const
  {
    entries([](T *s, const T *x) { cp_async_scalar<(int)sizeof(real_t<T>)>(s, x); });
    cp_async_wait_all();
    block_sync<W>();
    if constexpr (is_complex<T>) { /* only the real part of the diagonal is used */
      for (int i = (int)threadIdx.x; i < n; i += 32 * W)
        L[at.panel(i / PANEL_NB) + i % PANEL_NB * (panel_pitch<T> + 1)].im = 0;
      block_sync<W>();
    }
  }
  /* U = -L(p, q)^H for `many` q from q0 on */
  __device__ __forceinline__ void transpose(int p, int q0, int many, T *U) const
  {
    for (int e = (int)threadIdx.x; e < many * PANEL_NB * PANEL_NB; e += 32 * W) {
      const int c = e / PANEL_NB % PANEL_NB, k = e % PANEL_NB, i = e / (PANEL_NB * PANEL_NB);
      U[(i * PANEL_NB + k) * panel_u_pitch<T> + c] =
          -conj(L[at.panel(q0 + i) + (PANEL_NB * (p - q0 - i) + c) * panel_pitch<T> + k]);
    }
  }
  /* Panel p minus the products with the panels left of it */
  __device__ __forceinline__ void update_panel(int p, T *U) const
  {
    const int     g = lane >> 2, t = lane & 3;
    T            *P = L + at.panel(p);
    panel_tile<T> acc[TPW];
    unsigned      mask = 0;
#pragma unroll
    for (int i = 0; i < TPW; i++) {
      const bool in  = p + w + W * i < at.tiles;
      const T   *row = P + ((in ? w + W * i : 0) * PANEL_NB + g) * panel_pitch<T>;
      mask |= in ? 1u << i : 0u;
      if (!in) continue; /* tile 0 may be overwritten already */
      acc[i].load(0, row, t);
      acc[i].load(1, row + 8 * panel_pitch<T>, t);
    }
    for (int q0 = 0; q0 < p; q0 += POTRF_GROUP) {
      const int many = min((int)POTRF_GROUP, p - q0);
      transpose(p, q0, many, U);
      block_sync<W>();
      for (int q = q0; q < q0 + many; q++) {
        const T *L0[TPW], *L1[TPW];
#pragma unroll
        for (int i = 0; i < TPW; i++) {
          L0[i] = L + at.panel(q) + (PANEL_NB * (min(p + w + W * i, at.tiles - 1) - q) + g) * panel_pitch<T>;
          L1[i] = L0[i] + 8 * panel_pitch<T>;
        }
        panel_tile<T>::updates(acc, L0, L1, mask, U + (q - q0) * PANEL_NB * panel_u_pitch<T>, g, t);
      }
      block_sync<W>();
    }
#pragma unroll
    for (int i = 0; i < TPW; i++)
      if (mask >> i & 1)
        store_panel_tile(acc[i], P + (w + W * i) * PANEL_NB * panel_pitch<T>, panel_pitch<T>, g, t);
    block_sync<W>();
  }
  /* Stores the factor to A; without `fine` only checks the entries. Returns NaN or 0. */
  __device__ __forceinline__ real_t<T> store_factor(bool fine) const
  {
    real_t<T> nonfinite = 0;
    entries([&](const T *s, T *x) {
      nonfinite = track_nonfinite(*s, nonfinite);
      if (fine) *x = *s;
    });
    return nonfinite;
  }
};

template <class T, int W, int TPW>
static __global__ void __launch_bounds__(32 * W) potrf_shared(const batch_view<T> A, bool upper, int *info)
{
  extern __shared__ __align__(16) char smem[];
  if ((int)blockIdx.x >= A.members()) return;
  const int                          b = A.member((int)blockIdx.x), n = A.order(b), tid = (int)threadIdx.x;
  const potrf_shared_layout<T>       at(n);
  T                                 *L = (T *)(smem + at.l), *U = (T *)(smem + at.u);
  real_t<T>                         *inverse = (real_t<T> *)(smem + at.inverse);
  int                               *flags   = (int *)(smem + at.flags);
  const int                          w       = W == 1 ? 0 : tid >> 5;
  const potrf_shared_work<T, W, TPW> me{at, L, A.matrix(b), A.ld, n, w, tid & 31, upper};
  if (tid < 2) flags[tid] = 0;
  me.fetch();
  for (int p = 0; p < at.tiles && flags[0] == 0; p++) {
    T        *P = L + at.panel(p);
    const int m = n - PANEL_NB * p;
    me.update_panel(p, U);
    if (w == 0) {
      const int first = potrf_diagonal(P, m, (T *)(smem + at.line), inverse);
      if (tid == 0 && first != 0) flags[0] = PANEL_NB * p + first;
    }
    block_sync<W>();
    for (int y = PANEL_NB + tid; y < m; y += 32 * W) potrf_solve_row(P, inverse, P + y * panel_pitch<T>);
    block_sync<W>();
  }
  if (!(me.store_factor(flags[0] == 0) == 0)) flags[1] = 1;
  block_sync<W>();
  if (tid == 0) info[b] = flags[1] ? n + 1 : flags[0];
}

template <class T, int W, int TPW>
static cudaError_t potrf_shared_launch(const batch_view<T> &A, bool upper, int *info, cudaStream_t s)
{
  return cluster_launch(potrf_shared<T, W, TPW>, A.count, 1, 32 * W, potrf_shared_layout<T>(A.n).bytes, s, A,
                        upper, info);
}

} // namespace bf
#endif
