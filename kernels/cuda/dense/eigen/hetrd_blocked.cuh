/* kernels/cuda/dense/eigen/hetrd_blocked.cuh - tridiagonal reduction of Hermitian matrices of orders up to
 * 512, blocked
 *
 * Computes   S = H T H^H, H a product of reflectors I - tau v v^H. For a column: apply the panel's
 *            reflectors, its reflector, p = S v by the lower triangle of S before the panel, w = tau (p - V
 *            W^H v - W V^H v) + half v; after a panel S -= V W^H + W V^H.
 * Source     J. Dongarra, S. Hammarling, D. Sorensen, J. Comput. Appl. Math. 27 (1989); LAPACK's zlatrd.
 * Layout     S, W in the workspace (L2), V in the finished columns of S. A thread owns rows of vectors; for
 *            p a warp takes some columns at a time, uses each entry twice and accumulates rows in
 *            registers: 16 partial sums, added in pairs.
 * Cost       4/3 n^3 multiply-adds (complex 4 times); the triangle is read once per column, written once
 *            per panel. Four barriers per column.
 * Launch     a block per matrix, of 8 warps (two blocks per multiprocessor) or 16, with the same bits.
 * Checked    tests/kernels/dense/t359_pairs_batch.c, t373_large_spectra.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_HETRD_BLOCKED_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_HETRD_BLOCKED_CUH
#include "kernels/cuda/dense/eigen/householder.cuh"

namespace bf
{

enum { HETRD_WARPS = 8, HETRD_THREADS = 32 * HETRD_WARPS, HETRD_PARTIALS = 16, HETRD_TILE = 64 };

template <class T>
inline constexpr int hetrd_nb = sizeof(T) == 16 ? 8 : 16; /* columns of V and W */

template <class T, int WARPS>
struct hetrd_smem {
  T *x, *y, *dots; /* [n]: v; p; sums along columns */
  T *part;         /* [WARPS][n], or four tiles of V and W */
  T *a, *b;        /* [panel]: W^H v, V^H v */
  T *sums;         /* [2][HETRD_PARTIALS] */
  T *alpha;

  static size_t bytes(int n)
  {
    const size_t part = (size_t)WARPS * n, tiles = (size_t)4 * HETRD_TILE * hetrd_nb<T>;
    return ((size_t)3 * n + (part > tiles ? part : tiles) + 2 * hetrd_nb<T> + 2 * HETRD_PARTIALS + 1) *
           sizeof(T);
  }
  __device__ hetrd_smem(char *p, int n)
  {
    x     = reinterpret_cast<T *>(p);
    y     = x + n;
    dots  = y + n;
    a     = dots + n;
    b     = a + hetrd_nb<T>;
    sums  = b + hetrd_nb<T>;
    alpha = sums + 2 * HETRD_PARTIALS;
    part  = alpha + 1;
  }
};

/* p from the columns after k: row sums to `part`, column sums to `dots`. CHUNKS_AT_ONCE x 32 rows of a
 * column are in flight at once. */
template <class T, int CHUNKS, int WARPS>
__device__ __forceinline__ void hetrd_hemv(const T *S, int n, int k, const hetrd_smem<T, WARPS> &s)
{
  constexpr int AT_ONCE = sizeof(T) == 16 ? 2 : 4, CHUNKS_AT_ONCE = sizeof(T) > 4 ? 4
                                                                    : CHUNKS > 8  ? 8
                                                                                  : 1; /* as measured */
  const int     lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
#pragma unroll 1
  for (int partial = warp; partial < HETRD_PARTIALS; partial += WARPS) {
    T acc[CHUNKS] = {};
    for (int j = k + 1 + partial * AT_ONCE; j < n; j += AT_ONCE * HETRD_PARTIALS) {
      T xj[AT_ONCE], dot[AT_ONCE];
#pragma unroll
      for (int u = 0; u < AT_ONCE; u++) {
        xj[u]  = j + u < n ? load_aligned(s.x + j + u) : from_real<T>(0);
        dot[u] = from_real<T>(0);
      }
#pragma unroll
      for (int c = 0; c < CHUNKS; c += CHUNKS_AT_ONCE) {
        if (32 * (c + CHUNKS_AT_ONCE) <= j || 32 * c >= n) continue;
        T e[CHUNKS_AT_ONCE][AT_ONCE];
#pragma unroll
        for (int h = 0; h < CHUNKS_AT_ONCE; h++)
#pragma unroll
          for (int u = 0; u < AT_ONCE; u++) {
            const int i = lane + 32 * (c + h);
            e[h][u]     = i < n && i >= j + u && j + u < n ? load_aligned(S + (size_t)(j + u) * n + i)
                                                           : from_real<T>(0);
          }
#pragma unroll
        for (int h = 0; h < CHUNKS_AT_ONCE; h++) {
          const int i  = lane + 32 * (c + h);
          const T   xi = i < n ? load_aligned(s.x + i) : from_real<T>(0);
#pragma unroll
          for (int u = 0; u < AT_ONCE; u++) {
            acc[c + h] = muladd(e[h][u], xj[u], acc[c + h]);
            dot[u]     = muladd(conj(e[h][u]), i == j + u ? from_real<T>(0) : xi, dot[u]);
          }
        }
      }
      const T own_sum = sum_columns<T, AT_ONCE>(dot, 32);
#pragma unroll
      for (int u = 0; u < AT_ONCE; u++)
        if (lane == lane_of_column<AT_ONCE>(u) && j + u < n) s.dots[j + u] = own_sum;
    }
#pragma unroll
    for (int c = 0; c < CHUNKS; c++) {
      T *to = s.part + warp * n + lane + 32 * c;
      if (lane + 32 * c < n) store_aligned(to, partial == warp ? acc[c] : load_aligned(to) + acc[c]);
    }
  }
}

/* Row i of p, added in the same order by 8 and by 16 warps */
template <class T, int WARPS>
__device__ __forceinline__ T hetrd_sum_row(int n, int i, const hetrd_smem<T, WARPS> &s)
{
  T sum = load_aligned(s.dots + i);
#pragma unroll
  for (int w = 0; w < HETRD_WARPS; w++) {
    T own_sum = load_aligned(s.part + w * n + i);
    if constexpr (WARPS == HETRD_PARTIALS)
      own_sum = own_sum + load_aligned(s.part + (w + HETRD_WARPS) * n + i);
    sum = sum + own_sum;
  }
  return sum;
}

/* a = W^H v, b = V^H v for the panel's columns before q; V starts with column k0 of S. */
template <class T, int WARPS>
__device__ __forceinline__ void hetrd_panel_dots(const T *S, const T *W, int n, int k0, int q, int k,
                                                 const hetrd_smem<T, WARPS> &s)
{
  for (int p = threadIdx.x >> 5; p < q; p += WARPS) {
    T a = from_real<T>(0), b = a;
#pragma unroll 4
    for (int i = k + 1 + (threadIdx.x & 31); i < n; i += 32) {
      const T x = load_aligned(s.x + i);
      a         = muladd(conj(load_aligned(W + (size_t)p * n + i)), x, a);
      b         = muladd(conj(load_aligned(S + (size_t)(k0 + p) * n + i)), x, b);
    }
    a = sum_warp(a);
    b = sum_warp(b);
    if ((threadIdx.x & 31) == 0) {
      s.a[p] = a;
      s.b[p] = b;
    }
  }
}

/* S -= V W^H + W V^H from row and column r0 on, in the lower triangle; m columns of V and W */
template <class T, int WARPS>
__device__ void hetrd_her2k(T *S, const T *W, int n, int k0, int m, int r0, const hetrd_smem<T, WARPS> &s)
{
  constexpr int NB = hetrd_nb<T>, TILE = HETRD_TILE, THREADS = 32 * WARPS, DOWN = THREADS / 16,
                EACH = TILE / DOWN; /* a thread has 4 rows of EACH columns */
  const int t = threadIdx.x, ti = t & 15, tj = t >> 4, tiles = (n - r0 + TILE - 1) / TILE;
  T        *vi = s.part, *wi = vi + NB * TILE, *vj = wi + NB * TILE, *wj = vj + NB * TILE;
  for (int J = 0; J < tiles; J++)
    for (int I = J; I < tiles; I++) {
      const int i0 = r0 + I * TILE, j0 = r0 + J * TILE;
      __syncthreads();
      for (int x = t; x < m * TILE; x += THREADS) {
        const int p = x / TILE, i = i0 + x % TILE, j = j0 + x % TILE;
        store_aligned(vi + x, i < n ? load_aligned(S + (size_t)(k0 + p) * n + i) : from_real<T>(0));
        store_aligned(wi + x, i < n ? load_aligned(W + (size_t)p * n + i) : from_real<T>(0));
        store_aligned(vj + x, j < n ? conj(load_aligned(S + (size_t)(k0 + p) * n + j)) : from_real<T>(0));
        store_aligned(wj + x, j < n ? conj(load_aligned(W + (size_t)p * n + j)) : from_real<T>(0));
      }
      __syncthreads();
      T acc[4][EACH] = {};
#pragma unroll 2
      for (int p = 0; p < m; p++) {
        T a[4], b[4], c[EACH], d[EACH];
#pragma unroll
        for (int u = 0; u < 4; u++) {
          a[u] = load_aligned(vi + p * TILE + ti + 16 * u);
          b[u] = load_aligned(wi + p * TILE + ti + 16 * u);
        }
#pragma unroll
        for (int v = 0; v < EACH; v++) {
          c[v] = load_aligned(wj + p * TILE + tj + DOWN * v);
          d[v] = load_aligned(vj + p * TILE + tj + DOWN * v);
        }
#pragma unroll
        for (int u = 0; u < 4; u++)
#pragma unroll
          for (int v = 0; v < EACH; v++) acc[u][v] = muladd(b[u], d[v], muladd(a[u], c[v], acc[u][v]));
      }
#pragma unroll
      for (int v = 0; v < EACH; v++)
#pragma unroll
        for (int u = 0; u < 4; u++) {
          const int i = i0 + ti + 16 * u, j = j0 + tj + DOWN * v;
          if (i >= n || j > i) continue;
          T y = load_aligned(S + (size_t)j * n + i) - acc[u][v];
          if (i == j) y = from_real<T>(real_part(y));
          store_aligned(S + (size_t)j * n + i, y);
        }
    }
  __syncthreads();
}

/* The sum over all rows; a thread has ROWS of them, groups of 32 rows are added in order; one barrier */
template <class T, int CHUNKS, int WARPS, int ROWS>
__device__ __forceinline__ T hetrd_block_sum(const T (&own_sum)[ROWS], T *sums)
{
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    const T sum = sum_warp(own_sum[r]);
    if ((threadIdx.x & 31) == 0) sums[(int)(threadIdx.x >> 5) + WARPS * r] = sum;
  }
  __syncthreads();
  T all = sums[0];
#pragma unroll
  for (int q = 1; q < CHUNKS; q++) all = all + sums[q];
  return all;
}

/* d, e, tau; the reflectors are stored below the diagonal of S, with their leading 1. W: a panel */
template <class T, int CHUNKS, int WARPS>
__device__ void hetrd_blocked(T *S, T *W, int n, real_t<T> *d, real_t<T> *e, T *tau,
                              const hetrd_smem<T, WARPS> &s)
{
  using R          = real_t<T>;
  constexpr int NB = hetrd_nb<T>, THREADS = 32 * WARPS, ROWS = (32 * CHUNKS + THREADS - 1) / THREADS,
                AHEAD = 4;
  const int t         = threadIdx.x;
  T         w_of_row  = from_real<T>(0); /* of row k, in the panel's last column */
  for (int k = 0; k < n - 1; k++) {
    const int q = k % NB, k0 = k - q;
    T         y[ROWS];
    R         squares[ROWS] = {};
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
      const int i = t + THREADS * r;
      y[r]        = from_real<T>(0);
      if (i < k || i >= n) continue;
      T v = load_aligned(S + (size_t)k * n + i);
      for (int p = 0; p < q; p += AHEAD) {
        T wi[AHEAD], vi[AHEAD], wk[AHEAD], vk[AHEAD]; /* in flight at once */
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
          const int  c    = min(p + u, q - 1);
          const bool last = c == q - 1;
          wi[u]           = load_aligned(W + (size_t)c * n + i);
          vi[u]           = load_aligned(S + (size_t)(k0 + c) * n + i);
          wk[u]           = last ? w_of_row : load_aligned(W + (size_t)c * n + k);
          vk[u]           = last ? from_real<T>(1) : load_aligned(S + (size_t)(k0 + c) * n + k);
        }
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
          if (p + u < q) v = mulsub(wi[u], conj(vk[u]), mulsub(vi[u], conj(wk[u]), v));
      }
      y[r] = v;
      if (i == k) d[k] = real_part(v);
      if (i == k + 1) *s.alpha = v;
      if (i >= k + 2) squares[r] = square_of(v);
    }
    const R xx = hetrd_block_sum<R, CHUNKS, WARPS>(squares, reinterpret_cast<R *>(s.sums));
    T       f;
    R       beta;
    const T scale = reflector(*s.alpha, xx, &f, &beta);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
      const int i = t + THREADS * r;
      y[r]        = i >= k + 2 ? y[r] * scale : from_real<T>(i == k + 1 ? 1 : 0);
      if (i >= n) continue;
      store_aligned(s.x + i, y[r]);
      if (i > k) store_aligned(S + (size_t)k * n + i, y[r]);
    }
    if (t == 0) {
      e[k]   = beta;
      tau[k] = f;
    }
    __syncthreads();
    hetrd_panel_dots(S, W, n, k0, q, k, s);
    hetrd_hemv<T, CHUNKS, WARPS>(S, n, k, s);
    __syncthreads();
    T p[ROWS], dot[ROWS] = {};
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
      const int i = t + THREADS * r;
      p[r]        = from_real<T>(0);
      if (i <= k || i >= n) continue;
      T sum = hetrd_sum_row(n, i, s);
      for (int c = 0; c < q; c += AHEAD) {
        T wi[AHEAD], vi[AHEAD];
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
          wi[u] = load_aligned(W + (size_t)min(c + u, q - 1) * n + i);
          vi[u] = load_aligned(S + (size_t)(k0 + min(c + u, q - 1)) * n + i);
        }
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
          if (c + u < q)
            sum = mulsub(vi[u], load_aligned(s.a + c + u), mulsub(wi[u], load_aligned(s.b + c + u), sum));
      }
      p[r] = sum * f;
      store_aligned(s.y + i, p[r]);
      dot[r] = conj(p[r]) * y[r];
    }
    const T half = times(f * hetrd_block_sum<T, CHUNKS, WARPS>(dot, s.sums + HETRD_PARTIALS), R(-0.5));
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
      const int i = t + THREADS * r;
      if (i > k && i < n) store_aligned(W + (size_t)q * n + i, muladd(half, y[r], p[r]));
    }
    w_of_row = muladd(half, s.x[k + 1], s.y[k + 1]);
    if (q == NB - 1 || k == n - 2) hetrd_her2k(S, W, n, k0, q + 1, k + 1, s);
  }
  if (t == 0) {
    d[n - 1] = real_part(S[(size_t)(n - 1) * n + n - 1]);
    e[n - 1] = 0;
  }
}

} // namespace bf
#endif
