/* kernels/cuda/dense/cholesky/potrf_cluster.cuh - Cholesky factorisation of few matrices: a thread block
 * cluster per matrix
 *
 *     for panel p:  C(t) of p: subtract the products with panel p - 1 (the others are subtracted already)
 *                   C(p) = L(p, p) L(p, p)^H by one warp; the others subtract from C(t) of panel p + 1
 *                   the products with the panels before p
 *                   L(t, p) = C(t) L(p, p)^-H, stored to A; cluster barrier
 *
 * Every block factors the diagonal tile itself. Results are bitwise those of potrf_left_looking.cuh.
 * Computes   A = L L^H or U^H U, LAPACK's info.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 4.2.6 (block, gaxpy form).
 * Layout     tile t > p of a panel belongs to the block with rank t - p - 1 modulo the cluster size; each
 *            warp but the first has TILES of the block's tiles in registers.
 * Cost       1/3 n^3 flops (complex 4 times), one cluster barrier per panel.
 * Launch     `size` blocks of W warps per matrix, where potrf_cluster_fits.
 * Checked    tests/kernels/dense/t364_cholesky_batch.c, t366_sizes_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_CHOLESKY_POTRF_CLUSTER_CUH
#define BF_KERNELS_CUDA_DENSE_CHOLESKY_POTRF_CLUSTER_CUH
#include "kernels/cuda/dense/cholesky/potrf_left_looking.cuh"

namespace bf
{

/* A block's tiles of a panel: the diagonal one, then its own; tiles: of the matrix */
struct potrf_cluster_share {
  int tiles, rank, size;

  static __host__ __device__ __forceinline__ int most(int n, int size)
  {
    return 1 + ((n + PANEL_NB - 1) / PANEL_NB - 2 + size) / size;
  }
  __device__ __forceinline__ int tile(int p, int item) const
  {
    return item == 0 ? p : p + 1 + rank + size * (item - 1);
  }
  __device__ __forceinline__ int count(int p) const
  {
    return 1 + (max(tiles - p - 1 - rank, 0) + size - 1) / size;
  }
};

template <class T, int W, int TILES, int AHEAD>
struct potrf_cluster_work {
  potrf_matrix<T>              A;
  T                           *P;
  potrf_cluster_share          has;
  potrf_tiles<T, TILES, AHEAD> C; /* of all warps but the first */
  int                          w, lane;

  /* Tiles go last to the scheduler of the first warp. */
  __device__ __forceinline__ int item(int i) const
  {
    return (w % 4 == 0 ? W - W / 4 + w / 4 - 1 : w - 1 - w / 4) + (W - 1) * i;
  }
  __device__ __forceinline__ void rows(int p, int (&r)[TILES]) const
  {
#pragma unroll
    for (int i = 0; i < TILES; i++) r[i] = PANEL_NB * has.tile(p, item(i));
  }
  /* Panel p minus the products with the panels before `done` */
  __device__ __forceinline__ void begin(int p, int done)
  {
    int r[TILES];
    rows(p, r);
    if (r[0] >= A.n) return;
    C.begin(A, r, PANEL_NB * p);
    C.subtract(A, 0, PANEL_NB * done);
  }
  /* the products with the panels done .. p - 1; stores to P */
  __device__ __forceinline__ void end(int p, int done)
  {
    int r[TILES], from[TILES];
    rows(p, r);
    if (r[0] >= A.n) return;
#pragma unroll
    for (int i = 0; i < TILES; i++) from[i] = PANEL_NB * item(i);
    C.subtract(A, PANEL_NB * done, PANEL_NB * p);
    C.store_factor(A, r, P, from);
  }
  /* f(entry of P, entry of A, whether it is on the diagonal) for the block's tiles; the diagonal tile
   * belongs to the first block. Consecutive threads have consecutive entries of A. */
  template <class F>
  __device__ __forceinline__ void entries(int p, F f) const
  {
    const int k0 = PANEL_NB * p, y0 = has.rank == 0 ? 0 : PANEL_NB,
              all = (PANEL_NB * has.count(p) - y0) * PANEL_NB;
    for (int e = (int)threadIdx.x; e < all; e += 32 * W) {
      const int one = e % PANEL_NB, other = e / PANEL_NB % PANEL_NB,
                first = y0 + e / (PANEL_NB * PANEL_NB) * PANEL_NB;
      const int y = first + (A.column_stride == 1 ? other : one), c = A.column_stride == 1 ? one : other;
      const int i = PANEL_NB * has.tile(p, y / PANEL_NB) + y % PANEL_NB, j = k0 + c;
      if (i < A.n && j <= i)
        f(P + y * panel_pitch<T> + c, A.a + i * A.row_stride + j * A.column_stride, i == j);
    }
  }
};

template <class T, int W, int TILES, int AHEAD>
static __global__ void __launch_bounds__(32 * W) potrf_cluster(const batch_view<T> A, bool upper, int *info)
{
  extern __shared__ __align__(16) char smem[];
  const int size = cluster_size(), rank = cluster_rank(), position = (int)blockIdx.x / size;
  if (position >= A.members()) return;
  const int                              b = A.member(position), n = A.order(b), tid = (int)threadIdx.x;
  const potrf_panel_layout<T>            at(PANEL_NB * potrf_cluster_share::most(A.n, size));
  T                                     *P       = (T *)(smem + at.panel);
  real_t<T>                             *inverse = (real_t<T> *)(smem + at.inverse), nonfinite = 0;
  int                                   *flags = (int *)(smem + at.flags);
  const potrf_cluster_share              has{(n + PANEL_NB - 1) / PANEL_NB, rank, size};
  potrf_cluster_work<T, W, TILES, AHEAD> me{
      potrf_matrix<T>(A.matrix(b), n, A.ld, upper), P, has, {}, tid >> 5, tid & 31};
  if (tid < 2) flags[tid] = 0;
  int p = 0;
  if (me.w > 0) me.begin(0, 0);
  cluster_sync(); /* all blocks have read the first diagonal tile */
  for (; p < has.tiles; p++) {
    if (me.w > 0) me.end(p, max(p - 1, 0));
    __syncthreads();
    if (me.w == 0) {
      const int first = potrf_diagonal(P, n - PANEL_NB * p, (T *)(smem + at.line), inverse);
      if (tid == 0 && first != 0) flags[0] = PANEL_NB * p + first;
    } else if (p + 1 < has.tiles)
      me.begin(p + 1, p);
    __syncthreads();
    if (flags[0] != 0) break; /* in every block */
    for (int y = PANEL_NB + tid; y < PANEL_NB * has.count(p); y += 32 * W)
      potrf_solve_row(P, inverse, P + y * panel_pitch<T>);
    __syncthreads();
    me.entries(p, [&](const T *s, T *x, bool) { me.A.put(x, s, nonfinite); });
    cluster_sync();
  }
  for (; p < has.tiles; p++) /* the remaining entries may be non-finite, which info reports first */
    me.entries(p, [&](const T *, const T *x, bool diagonal) { me.A.check_finite(x, diagonal, nonfinite); });
  if (!(nonfinite == 0)) cluster_store_rank0(flags + 1, 1);
  cluster_sync();
  if (tid == 0 && rank == 0) info[b] = flags[1] ? n + 1 : flags[0];
}

/* Whether `size` blocks have warps for all tiles */
template <int W, int TILES>
static bool potrf_cluster_fits(int n, int size)
{
  return potrf_cluster_share::most(n, size) <= (W - 1) * TILES;
}

template <class T, int W, int TILES, int AHEAD>
static cudaError_t potrf_cluster_launch(const batch_view<T> &A, bool upper, int *info, int size,
                                        cudaStream_t s)
{
  const int bytes = potrf_panel_layout<T>(PANEL_NB * potrf_cluster_share::most(A.n, size)).bytes;
  return cluster_launch(potrf_cluster<T, W, TILES, AHEAD>, A.count, size, 32 * W, bytes, s, A, upper, info);
}

} // namespace bf
#endif
