/* kernels/cuda/dense/cholesky/potrf_left_looking.cuh - Cholesky factorisation of orders whose triangle does
 * not fit in shared memory: left-looking, a block per matrix, panels of 16 columns
 *
 *     for panel p:  C(t) = A(t, p) - sum of L(t, q) L(p, q)^H, q < p     tensor cores, L from memory
 *                   C(p) = L(p, p) L(p, p)^H                            one warp, a row per lane
 *                   L(t, p) = C(t) L(p, p)^-H                           a row per thread
 *
 * The upper triangle is read as the lower one of A^T, whose factor is U^T.
 * Computes   A = L L^H or U^H U, LAPACK's info.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 4.2.6 (block, gaxpy form).
 * Layout     the current panel in shared memory by rows as in potrf_shared.cuh; W warps with TILES tiles of
 *            16 x 16 each at a time; operands are loaded ahead.
 * Cost       1/3 n^3 flops (complex 4 times); the triangle is written once and read n / 32 times; 4
 *            barriers per panel.
 * Launch     a block of W warps per matrix.
 * Checked    tests/kernels/dense/t364_cholesky_batch.c, t366_sizes_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_CHOLESKY_POTRF_LEFT_LOOKING_CUH
#define BF_KERNELS_CUDA_DENSE_CHOLESKY_POTRF_LEFT_LOOKING_CUH
#include "kernels/cuda/dense/cholesky/potrf_panel_update.cuh"
#include "kernels/cuda/dense/cholesky/potrf_shared.cuh"

namespace bf
{

template <class T>
struct potrf_panel_layout {
  int panel, line, inverse, flags, bytes;

  __host__ __device__ explicit potrf_panel_layout(int n)
  {
    smem_offsets smem;
    panel   = smem.reserve((n + PANEL_NB - 1) / PANEL_NB * PANEL_NB * panel_pitch<T> * (int)sizeof(T));
    line    = smem.reserve(2 * PANEL_NB * (int)sizeof(T));
    inverse = smem.reserve(PANEL_NB * (int)sizeof(real_t<T>));
    flags   = smem.reserve(8);
    bytes   = smem.bytes;
  }
};

/* A block's part of one matrix */
template <class T, int W, int TILES, int AHEAD>
struct potrf_left_looking_work {
  potrf_matrix<T> A;
  T              *P;
  int             w, lane;

  /* Panel p, rows from tile s on, minus the products with the panels left of it */
  __device__ __forceinline__ void update_panel(int p, int s) const
  {
    const int k0 = PANEL_NB * p;
    if (PANEL_NB * (s + w) >= A.n) return;
    potrf_tiles<T, TILES, AHEAD> C;
    int                          r[TILES], from[TILES];
#pragma unroll
    for (int i = 0; i < TILES; i++) r[i] = PANEL_NB * (s + w + W * i), from[i] = r[i] - k0;
    C.begin(A, r, k0);
    C.subtract(A, 0, k0);
    C.store_factor(A, r, P, from);
  }
  /* f(entry of the panel, entry of A, whether it is on the diagonal), in the order of A's columns or
   * rows */
  template <class F>
  __device__ __forceinline__ void entries(int k0, F f) const
  {
    const int m = A.n - k0;
    if (A.column_stride == 1) {
      const int c = lane % PANEL_NB;
      for (int y = 2 * w + lane / PANEL_NB; y < m; y += 2 * W)
        if (c <= y) f(P + y * panel_pitch<T> + c, A.a + (k0 + y) * A.row_stride + k0 + c, c == y);
    } else
      for (int y = lane + 32 * w; y < m; y += 32 * W)
#pragma unroll 4
        for (int c = 0; c < PANEL_NB; c++)
          if (c <= y && k0 + c < A.n)
            f(P + y * panel_pitch<T> + c, A.a + k0 + y + (k0 + c) * A.column_stride, c == y);
  }
};

template <class T, int W, int TILES, int AHEAD>
static __global__ void __launch_bounds__(32 * W)
    potrf_left_looking(const batch_view<T> A, bool upper, int *info)
{
  extern __shared__ __align__(16) char smem[];
  if ((int)blockIdx.x >= A.members()) return;
  const int                   b = A.member((int)blockIdx.x), n = A.order(b), tid = (int)threadIdx.x;
  const potrf_panel_layout<T> at(n);
  T                          *P       = (T *)(smem + at.panel);
  real_t<T>                  *inverse = (real_t<T> *)(smem + at.inverse), nonfinite = 0;
  int                        *flags = (int *)(smem + at.flags);
  const potrf_left_looking_work<T, W, TILES, AHEAD> me{potrf_matrix<T>(A.matrix(b), n, A.ld, upper), P,
                                                       tid >> 5, tid & 31};
  if (tid < 2) flags[tid] = 0;
  int p = 0;
  for (; PANEL_NB * p < n; p++) {
    const int k0 = PANEL_NB * p, m = n - k0;
    for (int s = p; PANEL_NB * s < n; s += W * TILES) me.update_panel(p, s);
    __syncthreads();
    if (tid < 32) {
      const int first = potrf_diagonal(P, m, (T *)(smem + at.line), inverse);
      if (tid == 0 && first != 0) flags[0] = k0 + first;
    }
    __syncthreads();
    if (flags[0] != 0) break;
    for (int y = PANEL_NB + tid; y < m; y += 32 * W) potrf_solve_row(P, inverse, P + y * panel_pitch<T>);
    __syncthreads();
    me.entries(k0, [&](const T *s, T *x, bool) { me.A.put(x, s, nonfinite); });
    __syncthreads();
  }
  for (; PANEL_NB * p < n; p++) /* the remaining entries may be non-finite, which info reports first */
    me.entries(PANEL_NB * p,
               [&](const T *, const T *x, bool diagonal) { me.A.check_finite(x, diagonal, nonfinite); });
  if (!(nonfinite == 0)) flags[1] = 1;
  __syncthreads();
  if (tid == 0) info[b] = flags[1] ? n + 1 : flags[0];
}

template <class T, int W, int TILES, int AHEAD>
static cudaError_t potrf_left_looking_launch(const batch_view<T> &A, bool upper, int *info, cudaStream_t s)
{
  return cluster_launch(potrf_left_looking<T, W, TILES, AHEAD>, A.count, 1, 32 * W,
                        potrf_panel_layout<T>(A.n).bytes, s, A, upper, info);
}

} // namespace bf
#endif
