/* kernels/cuda/dense/common/warp_tile16.cuh - tiles of 16 x 16 in a warp's registers: products of panels
 *
 * Computes   tile += L U for several tiles at once (those in the mask), L by rows of 16 in shared memory, U
 *            16 x 16. d, z: tensor cores (m16n8k16; four real products for a complex one); s, c: fused
 *            multiply-adds.
 * Source     PTX ISA, mma.m16n8k16.
 * Layout     a lane holds rows g = lane / 4 and g + 8, four columns of each (col). Pitch of L: panel_pitch;
 *            of U: panel_u_pitch; no bank conflicts for rows of one parity.
 * Cost       8192 flops per tile and panel (complex 4 times).
 * Checked    tests/kernels/dense/t364_cholesky_batch.c, t366_sizes_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_COMMON_WARP_TILE16_CUH
#define BF_KERNELS_CUDA_DENSE_COMMON_WARP_TILE16_CUH
#include "kernels/cuda/dense/batch_view.cuh"
#include "kernels/cuda/dense/common/vector_access.cuh"

namespace bf
{

/* Offsets in shared memory; each piece is a multiple of 16 bytes. */
struct smem_offsets {
  int                     bytes = 0;
  __host__ __device__ int reserve(int size)
  {
    const int at = bytes;
    bytes += (size + 15) / 16 * 16;
    return at;
  }
};

template <class T>
inline constexpr int panel_u_pitch = sizeof(T) == 4                   ? 20
                                     : std::is_same_v<T, cplx<float>> ? 18
                                                                      : 17;

static __device__ __forceinline__ void mma_16x8x16(double (&c)[4], const double (&a)[8], const double (&b)[4])
{
  asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, "
      "{%12,%13,%14,%15}, {%0,%1,%2,%3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]),
        "d"(b[1]), "d"(b[2]), "d"(b[3]));
}

template <class T>
struct panel_tile { /* s, c */
  T c[2][4];

  static __device__ __forceinline__ int col(int t, int j)
  {
    return 4 * t + j;
  }
  __device__ __forceinline__ void load(int r, const T *row, int t)
  {
#pragma unroll
    for (int j = 0; j < 4; j += panel_vec<T>) {
      const panel_vec16<T> v = load_panel_vec(row + 4 * t + j);
#pragma unroll
      for (int e = 0; e < panel_vec<T>; e++) c[r][j + e] = v.v[e];
    }
  }
  template <int N>
  static __device__ __forceinline__ void updates(panel_tile (&acc)[N], const T *const (&L0)[N],
                                                 const T *const (&L1)[N], unsigned mask, const T *U, int,
                                                 int t)
  {
    constexpr int V = panel_vec<T>;
#pragma unroll 1
    for (int k = 0; k < PANEL_NB; k += V) {
      T b[V][4];
#pragma unroll
      for (int e = 0; e < V; e++)
#pragma unroll
        for (int j = 0; j < 4; j += V) {
          const panel_vec16<T> v = load_panel_vec(U + (k + e) * panel_u_pitch<T> + 4 * t + j);
#pragma unroll
          for (int f = 0; f < V; f++) b[e][j + f] = v.v[f];
        }
#pragma unroll
      for (int i = 0; i < N; i++) {
        if (!(mask >> i & 1)) continue;
        const panel_vec16<T> x = load_panel_vec(L0[i] + k), y = load_panel_vec(L1[i] + k);
#pragma unroll
        for (int e = 0; e < V; e++)
#pragma unroll
          for (int j = 0; j < 4; j++) {
            acc[i].c[0][j] = muladd(x.v[e], b[e][j], acc[i].c[0][j]);
            acc[i].c[1][j] = muladd(y.v[e], b[e][j], acc[i].c[1][j]);
          }
      }
    }
  }
};

template <>
struct panel_tile<double> {
  double c[2][4];

  static __device__ __forceinline__ int col(int t, int j)
  {
    return 8 * (j >> 1) + 2 * t + (j & 1);
  }
  __device__ __forceinline__ void load(int r, const double *row, int t)
  {
#pragma unroll
    for (int j = 0; j < 4; j += 2) {
      const panel_vec16<double> v = load_panel_vec(row + col(t, j));
      c[r][j] = v.v[0], c[r][j + 1] = v.v[1];
    }
  }
  /* The summation index of lane t is 4t .. 4t + 3: any order is valid if both operands share it. */
  template <int N>
  static __device__ __forceinline__ void updates(panel_tile (&acc)[N], const double *const (&L0)[N],
                                                 const double *const (&L1)[N], unsigned mask, const double *U,
                                                 int g, int t)
  {
    double b[2][4];
#pragma unroll
    for (int h = 0; h < 2; h++)
#pragma unroll
      for (int i = 0; i < 4; i++) b[h][i] = U[(4 * t + i) * panel_u_pitch<double> + 8 * h + g];
#pragma unroll
    for (int m = 0; m < N; m++) {
      if (!(mask >> m & 1)) continue;
      double a[8];
#pragma unroll
      for (int i = 0; i < 4; i += 2) {
        const panel_vec16<double> x = load_panel_vec(L0[m] + 4 * t + i),
                                  y = load_panel_vec(L1[m] + 4 * t + i);
        a[2 * i] = x.v[0], a[2 * i + 1] = y.v[0], a[2 * i + 2] = x.v[1], a[2 * i + 3] = y.v[1];
      }
      auto &c = acc[m].c;
#pragma unroll
      for (int h = 0; h < 4; h += 2) {
        double d[4] = {c[0][h], c[0][h + 1], c[1][h], c[1][h + 1]};
        mma_16x8x16(d, a, b[h / 2]);
        c[0][h] = d[0], c[0][h + 1] = d[1], c[1][h] = d[2], c[1][h + 1] = d[3];
      }
    }
  }
};

template <>
struct panel_tile<cplx<double>> {
  using T = cplx<double>;
  T c[2][4];

  static __device__ __forceinline__ int col(int t, int j)
  {
    return panel_tile<double>::col(t, j);
  }
  __device__ __forceinline__ void load(int r, const T *row, int t)
  {
#pragma unroll
    for (int j = 0; j < 4; j++) c[r][j] = load_panel_vec(row + col(t, j)).v[0];
  }
  template <int N>
  static __device__ __forceinline__ void updates(panel_tile (&acc)[N], const T *const (&L0)[N],
                                                 const T *const (&L1)[N], unsigned mask, const T *U, int g,
                                                 int t)
  {
#pragma unroll
    for (int m = 0; m < N; m++) {
      if (!(mask >> m & 1)) continue; /* one tile after the other, to save registers */
      double ar[8], ai[8];
#pragma unroll
      for (int i = 0; i < 4; i++) {
        const int            k = 2 * t + (i & 1) + 8 * (i >> 1);
        const panel_vec16<T> x = load_panel_vec(L0[m] + k), y = load_panel_vec(L1[m] + k);
        ar[2 * i] = x.v[0].re, ar[2 * i + 1] = y.v[0].re, ai[2 * i] = x.v[0].im, ai[2 * i + 1] = y.v[0].im;
      }
      auto &c = acc[m].c;
#pragma unroll
      for (int h = 0; h < 4; h += 2) {
        double br[4], bi[4], minus[4];
#pragma unroll
        for (int i = 0; i < 4; i++) {
          const int            k = 2 * t + (i & 1) + 8 * (i >> 1);
          const panel_vec16<T> v = load_panel_vec(U + k * panel_u_pitch<T> + 4 * h + g);
          br[i] = v.v[0].re, bi[i] = v.v[0].im, minus[i] = -v.v[0].im;
        }
        double d[4] = {c[0][h].re, c[0][h + 1].re, c[1][h].re, c[1][h + 1].re};
        double e[4] = {c[0][h].im, c[0][h + 1].im, c[1][h].im, c[1][h + 1].im};
        mma_16x8x16(d, ar, br);
        mma_16x8x16(e, ar, bi);
        mma_16x8x16(d, ai, minus);
        mma_16x8x16(e, ai, br);
        c[0][h] = {d[0], e[0]}, c[0][h + 1] = {d[1], e[1]};
        c[1][h] = {d[2], e[2]}, c[1][h + 1] = {d[3], e[3]};
      }
    }
  }
};

template <class T>
static __device__ __forceinline__ void store_panel_tile(const panel_tile<T> &a, T *p, int pitch, int g, int t)
{
#pragma unroll
  for (int r = 0; r < 2; r++)
#pragma unroll
    for (int j = 0; j < 4; j++) p[(g + 8 * r) * pitch + panel_tile<T>::col(t, j)] = a.c[r][j];
}

} // namespace bf
#endif
