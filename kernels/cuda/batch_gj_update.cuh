/* kernels/cuda/batch_gj_update.cuh - a strip of 16 columns: x' + G u by one warp
 *
 * Computes   the update of batch_gj.cuh for all rows or some of them, G of one or two panels.
 * Layout     d, z: G in the order of the tensor cores' fragments: 8 rows x 16 columns together, a lane's four
 *            in two 16-byte pieces (z: four); u is in registers.  s, c: G by columns, u [16 S][16] in shared
 *            memory, a lane takes 4 rows (c: 2 times 2) by 8 (4) columns.
 * Cost       d: 16 bytes of shared memory a lane for 2 m16n8k16; u is gathered once a strip.
 * Checked    tests/t361_inverse_batch.c.
 */
#ifndef BF_BATCH_GJ_UPDATE_CUH
#define BF_BATCH_GJ_UPDATE_CUH
#include "kernels/cuda/batch_gj_panel.cuh"

/* A panel's row into G. */
template <class T>
static __device__ __forceinline__ void gj_put_row(T *G, int height, int row, const T (&a)[GJ_NB])
{
  if constexpr (!gj_tensor<T>) {
#pragma unroll
    for (int k = 0; k < GJ_NB; k++) gj_put(G + k * height + row, a[k]);
  } else if constexpr (is_complex<T>) {
    T *q = G + (row >> 3) * (8 * GJ_NB) + (row & 7) * 4;
#pragma unroll
    for (int k = 0; k < GJ_NB; k++) gj_put(q + (k >> 2) * 32 + (k & 3), a[k]);
  } else {
    T *q = G + (row >> 3) * (8 * GJ_NB) + (row & 7) * 8;
#pragma unroll
    for (int h = 0; h < 2; h++)
#pragma unroll
      for (int t = 0; t < 4; t++) lu_store(q + h * 64 + t * 2, {a[t + 8 * h], a[t + 8 * h + 4]});
  }
}

/* Of a strip at w: u, then rows [r0, r1), r0 a multiple of 32; G of panel h at G + h*step.  pivots[16 S] are
 * rows of the matrix also beyond nb. */
template <class T, int S>
struct gj_strip;

template <int S>
struct gj_strip<double, S> {
  double u[S][8];

  __device__ __forceinline__ void gather(const double *w, int pitch, const int *pivots, int nb, double *,
                                         int lane)
  {
    const int g = lane >> 2, t = lane & 3;
#pragma unroll
    for (int h = 0; h < S; h++)
#pragma unroll
      for (int i = 0; i < 8; i++) {
        const int    k = GJ_NB * h + t + 4 * (i >> 1);
        const double x = w[(g + 8 * (i & 1)) * pitch + pivots[k]];
        u[h][i]        = k < nb ? x : 0.0;
      }
  }
  static constexpr int                   U = 4; /* groups of 8 rows at once */
  __device__ __forceinline__ static void take(double (&c)[U][4], const double *w0, const double *w1, int b,
                                              int blocks)
  {
#pragma unroll
    for (int i = 0; i < U; i++)
      if (b + i < blocks) {
        const lu_packet<double> x = lu_load(w0 + (b + i) * 8), y = lu_load(w1 + (b + i) * 8);
        c[i][0] = x.v[0], c[i][1] = x.v[1], c[i][2] = y.v[0], c[i][3] = y.v[1];
      }
  }
  /* FAR: the next rows are on their way while these are multiplied. */
  template <bool FAR>
  __device__ __forceinline__ void rows(double *w, int pitch, const double *G, int, int step, int panels,
                                       const double *, const unsigned *mask, int r0, int r1, int lane) const
  {
    const int g = lane >> 2, t = lane & 3, blocks = (r1 + 7) >> 3;
    double   *w0 = w + g * pitch + 2 * t, *w1 = w0 + 8 * pitch;
    double    c[U][4], next[U][4];
    if (FAR) take(next, w0, w1, r0 >> 3, blocks);
#pragma unroll 1
    for (int b = r0 >> 3; b < blocks; b += U) {
      const unsigned m = mask[b >> 2] >> (2 * t);
      if (!FAR) take(next, w0, w1, b, blocks);
#pragma unroll
      for (int i = 0; i < U; i++)
#pragma unroll
        for (int e = 0; e < 4; e++) c[i][e] = m >> (8 * i + (e & 1)) & 1 ? 0.0 : next[i][e];
      if (FAR) take(next, w0, w1, b + U, blocks);
#pragma unroll
      for (int h = 0; h < S; h++)
        if (h < panels)
#pragma unroll
          for (int i = 0; i < U; i++)
            if (b + i < blocks) {
              const double           *q = G + h * step + (b + i) * (8 * GJ_NB) + lane * 2;
              const lu_packet<double> x = lu_load(q), y = lu_load(q + 64);
              const double            v[4] = {x.v[0], x.v[1], y.v[0], y.v[1]};
              lu_dmma(c[i], u[h], v);
            }
#pragma unroll
      for (int i = 0; i < U; i++)
        if (b + i < blocks) {
          lu_store(w0 + (b + i) * 8, {c[i][0], c[i][1]});
          lu_store(w1 + (b + i) * 8, {c[i][2], c[i][3]});
        }
    }
  }
};

template <int S>
struct gj_strip<cplx<double>, S> {
  using T = cplx<double>;
  double re[S][8], im[S][8];

  __device__ __forceinline__ void gather(const T *w, int pitch, const int *pivots, int nb, T *, int lane)
  {
    const int g = lane >> 2, t = lane & 3;
#pragma unroll
    for (int h = 0; h < S; h++)
#pragma unroll
      for (int i = 0; i < 8; i++) {
        const int k = GJ_NB * h + t + 4 * (i >> 1);
        const T   x = gj_get(w + (g + 8 * (i & 1)) * pitch + pivots[k]);
        re[h][i] = k < nb ? x.re : 0.0, im[h][i] = k < nb ? x.im : 0.0;
      }
  }
  static constexpr int                   U = 2;
  __device__ __forceinline__ static void take(T (&c)[U][4], const T *w0, const T *w1, int b, int blocks)
  {
#pragma unroll
    for (int i = 0; i < U; i++)
      if (b + i < blocks)
#pragma unroll
        for (int e = 0; e < 4; e++) c[i][e] = gj_get((e < 2 ? w0 : w1) + (b + i) * 8 + (e & 1));
  }
  template <bool FAR>
  __device__ __forceinline__ void rows(T *w, int pitch, const T *G, int, int step, int panels, const T *,
                                       const unsigned *mask, int r0, int r1, int lane) const
  {
    const int g = lane >> 2, t = lane & 3, blocks = (r1 + 7) >> 3;
    T        *w0 = w + g * pitch + 2 * t, *w1 = w0 + 8 * pitch;
    T         next[U][4];
    if (FAR) take(next, w0, w1, r0 >> 3, blocks);
#pragma unroll 1
    for (int b = r0 >> 3; b < blocks; b += U) {
      const unsigned m = mask[b >> 2] >> ((b & 3) * 8 + 2 * t);
      double         cr[U][4], ci[U][4];
      if (!FAR) take(next, w0, w1, b, blocks);
#pragma unroll
      for (int i = 0; i < U; i++)
#pragma unroll
        for (int e = 0; e < 4; e++) {
          const bool p = m >> (8 * i + (e & 1)) & 1;
          cr[i][e] = p ? 0.0 : next[i][e].re, ci[i][e] = p ? 0.0 : next[i][e].im;
        }
      if (FAR) take(next, w0, w1, b + U, blocks);
#pragma unroll
      for (int h = 0; h < S; h++)
        if (h < panels)
#pragma unroll
          for (int i = 0; i < U; i++)
            if (b + i < blocks) {
              const T *q = G + h * step + (b + i) * (8 * GJ_NB) + lane;
              double   vr[4], vi[4], minus[4];
#pragma unroll
              for (int e = 0; e < 4; e++) {
                const T x = gj_get(q + e * 32);
                vr[e] = x.re, vi[e] = x.im, minus[e] = -x.im;
              }
              lu_dmma(cr[i], re[h], vr);
              lu_dmma(ci[i], re[h], vi);
              lu_dmma(cr[i], im[h], minus);
              lu_dmma(ci[i], im[h], vr);
            }
#pragma unroll
      for (int i = 0; i < U; i++)
        if (b + i < blocks)
#pragma unroll
          for (int e = 0; e < 4; e++)
            gj_put((e < 2 ? w0 : w1) + (b + i) * 8 + (e & 1), T{cr[i][e], ci[i][e]});
    }
  }
};

/* B pieces of 16 bytes of rows by C columns a lane */
template <class T, int S, int B, int C>
struct gj_strip_fma {
  static constexpr int V = lu_vec<T>, LANES = 32 * C / GJ_NB; /* along rows */

  __device__ __forceinline__ void gather(const T *w, int pitch, const int *pivots, int nb, T *u, int lane)
  {
    w += (lane & (GJ_NB - 1)) * pitch;
#pragma unroll
    for (int i = 0; i < S * GJ_NB / 2; i++) {
      const int k = 2 * i + (lane >> 4);
      const T   x = gj_get(w + pivots[k]);
      gj_put(u + 32 * i + lane, k < nb ? x : lu_zero<T>());
    }
  }
  template <bool>
  __device__ __forceinline__ void rows(T *w, int pitch, const T *G, int height, int, int panels, const T *u,
                                       const unsigned *mask, int first, int r1, int lane) const
  {
    __syncwarp();
    w += lane / LANES * C * pitch;
    u += lane / LANES * C;
    const int last = (r1 - 1) / V * V;
#pragma unroll 1
    for (int r0 = first + lane % LANES * V; r0 < r1; r0 += LANES * V * B) {
      T   c[B][C][V];
      int at[B]; /* for rows beyond the last its first are done again and not stored */
#pragma unroll
      for (int b = 0; b < B; b++) {
        at[b]            = r0 + b * LANES * V <= last ? r0 + b * LANES * V : r0;
        const unsigned m = mask[at[b] >> 5] >> (at[b] & 31);
#pragma unroll
        for (int j = 0; j < C; j++) {
          const lu_packet<T> x = lu_load(w + j * pitch + at[b]);
#pragma unroll
          for (int i = 0; i < V; i++) c[b][j][i] = m >> i & 1 ? lu_zero<T>() : x.v[i];
        }
      }
#pragma unroll 4
      for (int k = 0; k < GJ_NB * (S == 1 ? 1 : panels); k++) {
        T v[C];
#pragma unroll
        for (int j = 0; j < C; j += V) {
          const lu_packet<T> x = lu_load(u + k * GJ_NB + j);
#pragma unroll
          for (int i = 0; i < V; i++) v[j + i] = x.v[i];
        }
#pragma unroll
        for (int b = 0; b < B; b++) {
          const lu_packet<T> x = lu_load(G + k * height + at[b]);
#pragma unroll
          for (int j = 0; j < C; j++)
#pragma unroll
            for (int i = 0; i < V; i++) c[b][j][i] = muladd(x.v[i], v[j], c[b][j][i]);
        }
      }
#pragma unroll
      for (int b = 0; b < B; b++) {
        if (r0 + b * LANES * V > last) continue;
#pragma unroll
        for (int j = 0; j < C; j++) {
          lu_packet<T> x;
#pragma unroll
          for (int i = 0; i < V; i++) x.v[i] = c[b][j][i];
          lu_store(w + j * pitch + at[b], x);
        }
      }
    }
    __syncwarp();
  }
};
template <int S>
struct gj_strip<float, S> : gj_strip_fma<float, S, 1, 8> {
};
template <int S>
struct gj_strip<cplx<float>, S> : gj_strip_fma<cplx<float>, S, 2, 4> {
};
#endif
