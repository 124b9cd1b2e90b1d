/* kernels/cuda/dense/inverse/gauss_jordan_update.cuh - blocked Gauss-Jordan: update of 16 columns by one
 * warp
 *
 * Computes   x' + G u of gauss_jordan_layout.cuh for all rows or some of them, G of one or two panels, by
 *            tensor cores: u^T is the left operand of 16 x 16, in registers, G^T the right one of 16 x 8.
 * Source     N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 14.4.
 * Layout     G in the order of mma fragments: 8 rows x 16 columns together, of which a lane has columns t,
 *            t + 4, t + 8, t + 12 of row g, 16 bytes at a time.
 * Cost       d: 16 bytes of shared memory per lane for 2 m16n8k16; u is gathered once per 16 columns.
 * Checked    tests/kernels/dense/t361_inverse_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_INVERSE_GAUSS_JORDAN_UPDATE_CUH
#define BF_KERNELS_CUDA_DENSE_INVERSE_GAUSS_JORDAN_UPDATE_CUH
#include "kernels/cuda/dense/common/mma_16x8x8.cuh"
#include "kernels/cuda/dense/inverse/gauss_jordan_panel.cuh"

namespace bf
{

/* Stores a panel's row into G. */
template <class T>
static __device__ __forceinline__ void gj_put_row(T *G, int row, const T (&a)[GJ_NB])
{
  constexpr int V = panel_vec<T>;
  T            *q = G + (row >> 3) * (8 * GJ_NB) + (row & 7) * (4 * V);
#pragma unroll
  for (int e = 0; e < 4; e += V)
#pragma unroll
    for (int t = 0; t < 4; t++) {
      panel_vec16<T> v;
#pragma unroll
      for (int i = 0; i < V; i++) v.v[i] = a[t + 4 * (e + i)];
      store_panel_vec(q + 32 * e + t * V, v);
    }
}

/* c += a b of 16 x 16 by 16 x 8 */
static __device__ __forceinline__ void gj_mma(double (&c)[4], const double (&a)[8], const double (&b)[4])
{
  mma_16x8x16(c, a, b);
}
static __device__ __forceinline__ void gj_mma(float (&c)[4], const tf32_pair (&a)[8], const tf32_pair (&b)[4])
{
  mma(c, {a[0], a[1], a[2], a[3]}, {b[0], b[1]});
  mma(c, {a[4], a[5], a[6], a[7]}, {b[2], b[3]});
}

/* For 16 columns at w: u, then rows [r0, r1), r0 a multiple of 32; G of panel h at G + h*step. pivots[16
 * S] are rows of the matrix also beyond nb. In complex fp32 THREE real products for a complex one: G u =
 * (Gr ur - Gi ui) + i (Gr ui + Gi ur), both written with Gr (ur + ui): -(Gr + Gi) ui, (Gi - Gr) ur. */
template <class T, int S>
struct gj_column_block {
  using R                     = real_t<T>;
  using part                  = mma_real<R>;
  static constexpr int  PARTS = is_complex<T> ? 2 : 1, V = panel_vec<T>, U = 4 / PARTS; /* groups of 8 rows */
  static constexpr bool THREE    = PARTS == 2 && sizeof(R) == 4;
  static constexpr int  OPERANDS = THREE ? 3 : PARTS;
  struct alignas(sizeof(T) < 8 ? 8 : 16) pair {
    T v[2];
  };
  part u[S][OPERANDS][8]; /* re, im; of three: re, -im, re + im */

  static __device__ __forceinline__ void put(part (&to)[OPERANDS][8], int i, T x)
  {
    to[0][i] = mma_operand(real_part(x));
    if constexpr (PARTS == 2) to[1][i] = mma_operand(THREE ? -x.im : x.im);
    if constexpr (THREE) to[2][i] = mma_operand(x.re + x.im);
  }
  __device__ __forceinline__ void gather(const T *w, int pitch, const int *pivots, int nb, int lane)
  {
    const int g = lane >> 2, t = lane & 3;
#pragma unroll
    for (int h = 0; h < S; h++)
#pragma unroll
      for (int i = 0; i < 8; i++) {
        const int k = GJ_NB * h + t + 4 * (i >> 1);
        const T   x = gj_get(w + (g + 8 * (i & 1)) * pitch + pivots[k]);
        put(u[h], i, k < nb ? x : zero_of<T>());
      }
  }
  static __device__ __forceinline__ void load_matrix(T (&c)[U][4], const T *w0, const T *w1, int b,
                                                     int blocks)
  {
#pragma unroll
    for (int i = 0; i < U; i++)
      if (b + i < blocks) {
        const pair x = *reinterpret_cast<const pair *>(w0 + (b + i) * 8),
                   y = *reinterpret_cast<const pair *>(w1 + (b + i) * 8);
        c[i][0] = x.v[0], c[i][1] = x.v[1], c[i][2] = y.v[0], c[i][3] = y.v[1];
      }
  }
  /* 8 rows of the columns and a panel's part of G at q */
  static __device__ __forceinline__ void multiply(R (&c)[PARTS][4], const part (&a)[OPERANDS][8], const T *q)
  {
    T    x[4];
    part re[4];
#pragma unroll
    for (int e = 0; e < 4; e += V) {
      const panel_vec16<T> v = load_panel_vec(q + 32 * e);
#pragma unroll
      for (int i = 0; i < V; i++) x[e + i] = v.v[i];
    }
#pragma unroll
    for (int e = 0; e < 4; e++) re[e] = mma_operand_truncated(real_part(x[e]));
    if constexpr (THREE) {
      part sum[4], less[4];
      R    both[4] = {};
#pragma unroll
      for (int e = 0; e < 4; e++)
        sum[e] = mma_operand_truncated(x[e].re + x[e].im), less[e] = mma_operand_truncated(x[e].im - x[e].re);
      gj_mma(both, a[2], re);
      gj_mma(c[0], a[1], sum);
      gj_mma(c[1], a[0], less);
#pragma unroll
      for (int e = 0; e < 4; e++) c[0][e] += both[e], c[1][e] += both[e];
    } else {
      gj_mma(c[0], a[0], re);
      if constexpr (PARTS == 2) {
        part im[4], minus[4];
#pragma unroll
        for (int e = 0; e < 4; e++) im[e] = mma_operand_truncated(x[e].im), minus[e] = -im[e];
        gj_mma(c[1], a[0], im);
        gj_mma(c[0], a[1], minus);
        gj_mma(c[1], a[1], re);
      }
    }
  }
  /* GLOBAL: the next rows are loaded while these are multiplied. */
  template <bool GLOBAL>
  __device__ __forceinline__ void rows(T *w, int pitch, const T *G, int step, int panels,
                                       const unsigned *mask, int r0, int r1, int lane) const
  {
    const int g = lane >> 2, t = lane & 3, blocks = (r1 + 7) >> 3;
    T        *w0 = w + g * pitch + 2 * t, *w1 = w0 + 8 * pitch;
    T         next[U][4];
    if (GLOBAL) load_matrix(next, w0, w1, r0 >> 3, blocks);
#pragma unroll 1
    for (int b = r0 >> 3; b < blocks; b += U) {
      const unsigned m = mask[b >> 2] >> ((b & 3) * 8 + 2 * t);
      R              c[U][PARTS][4];
      if (!GLOBAL) load_matrix(next, w0, w1, b, blocks);
#pragma unroll
      for (int i = 0; i < U; i++)
#pragma unroll
        for (int e = 0; e < 4; e++) {
          const bool p = m >> (8 * i + (e & 1)) & 1;
          c[i][0][e]   = p ? R(0) : real_part(next[i][e]);
          if constexpr (PARTS == 2) c[i][1][e] = p ? R(0) : next[i][e].im;
        }
      if (GLOBAL) load_matrix(next, w0, w1, b + U, blocks);
#pragma unroll
      for (int h = 0; h < S; h++)
        if (h < panels)
#pragma unroll
          for (int i = 0; i < U; i++)
            if (b + i < blocks) multiply(c[i], u[h], G + h * step + (b + i) * (8 * GJ_NB) + lane * V);
#pragma unroll
      for (int i = 0; i < U; i++)
        if (b + i < blocks)
#pragma unroll
          for (int h = 0; h < 2; h++) {
            pair x;
#pragma unroll
            for (int e = 0; e < 2; e++)
              if constexpr (PARTS == 2)
                x.v[e] = {c[i][0][2 * h + e], c[i][1][2 * h + e]};
              else
                x.v[e] = c[i][0][2 * h + e];
            *reinterpret_cast<pair *>((h ? w1 : w0) + (b + i) * 8) = x;
          }
    }
  }
};

} // namespace bf
#endif
