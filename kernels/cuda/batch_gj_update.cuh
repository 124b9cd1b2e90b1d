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

/* Of a strip at w: u, then rows [r0, r1), r0 a multiple of 32; G of panel h at G + h*step. */
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
        const int k = GJ_NB * h + t + 4 * (i >> 1);
        u[h][i]     = k < nb ? w[(g + 8 * (i & 1)) * pitch + pivots[k]] : 0.0;
      }
  }
  __device__ __forceinline__ void rows(double *w, int pitch, const double *G, int, int step, int panels,
                                       const double *, const unsigned *mask, int r0, int r1, int lane) const
  {
    constexpr int U = 4;
    const int     g = lane >> 2, t = lane & 3, blocks = (r1 + 7) >> 3;
    double       *w0 = w + g * pitch + 2 * t, *w1 = w0 + 8 * pitch;
#pragma unroll 1
    for (int b = r0 >> 3; b < blocks; b += U) {
      const unsigned m = mask[b >> 2] >> (2 * t);
      double         c[U][4];
#pragma unroll
      for (int i = 0; i < U; i++)
        if (b + i < blocks) {
          const lu_packet<double> x = lu_load(w0 + (b + i) * 8), y = lu_load(w1 + (b + i) * 8);
          const bool              p = m >> (8 * i) & 1, q = m >> (8 * i + 1) & 1;
          c[i][0] = p ? 0.0 : x.v[0], c[i][1] = q ? 0.0 : x.v[1];
          c[i][2] = p ? 0.0 : y.v[0], c[i][3] = q ? 0.0 : y.v[1];
        }
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
        const T   x = k < nb ? gj_get(w + (g + 8 * (i & 1)) * pitch + pivots[k]) : lu_zero<T>();
        re[h][i] = x.re, im[h][i] = x.im;
      }
  }
  __device__ __forceinline__ void rows(T *w, int pitch, const T *G, int, int step, int panels, const T *,
                                       const unsigned *mask, int r0, int r1, int lane) const
  {
    constexpr int U = 2;
    const int     g = lane >> 2, t = lane & 3, blocks = (r1 + 7) >> 3;
    T            *w0 = w + g * pitch + 2 * t, *w1 = w0 + 8 * pitch;
#pragma unroll 1
    for (int b = r0 >> 3; b < blocks; b += U) {
      const unsigned m = mask[b >> 2] >> ((b & 3) * 8 + 2 * t);
      double         cr[U][4], ci[U][4];
#pragma unroll
      for (int i = 0; i < U; i++)
        if (b + i < blocks)
#pragma unroll
          for (int e = 0; e < 4; e++) {
            const T    x = gj_get((e < 2 ? w0 : w1) + (b + i) * 8 + (e & 1));
            const bool p = m >> (8 * i + (e & 1)) & 1;
            cr[i][e] = p ? 0.0 : x.re, ci[i][e] = p ? 0.0 : x.im;
          }
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
#pragma unroll
    for (int e = lane; e < S * GJ_NB * GJ_NB; e += 32) {
      const int k = e / GJ_NB;
      gj_put(u + e, k < nb ? gj_get(w + e % GJ_NB * pitch + pivots[k]) : lu_zero<T>());
    }
  }
  __device__ __forceinline__ void rows(T *w, int pitch, const T *G, int height, int, int panels, const T *u,
                                       const unsigned *mask, int first, int r1, int lane) const
  {
    __syncwarp();
    w += lane / LANES * C * pitch;
    u += lane / LANES * C;
#pragma unroll 1
    for (int r0 = first + lane % LANES * V; r0 < r1; r0 += LANES * V * B) {
      T c[B][C][V];
#pragma unroll
      for (int b = 0; b < B; b++) {
        const int r = r0 + b * LANES * V;
        if (r >= r1) continue;
        const unsigned m = mask[r >> 5] >> (r & 31);
#pragma unroll
        for (int j = 0; j < C; j++) {
          const lu_packet<T> x = lu_load(w + j * pitch + r);
#pragma unroll
          for (int i = 0; i < V; i++) c[b][j][i] = m >> i & 1 ? lu_zero<T>() : x.v[i];
        }
      }
#pragma unroll 4
      for (int k = 0; k < GJ_NB * panels; k++) {
        T v[C];
#pragma unroll
        for (int j = 0; j < C; j += V) {
          const lu_packet<T> x = lu_load(u + k * GJ_NB + j);
#pragma unroll
          for (int i = 0; i < V; i++) v[j + i] = x.v[i];
        }
#pragma unroll
        for (int b = 0; b < B; b++) {
          const int r = r0 + b * LANES * V;
          if (B > 1 && r >= r1) continue;
          const lu_packet<T> x = lu_load(G + k * height + r);
#pragma unroll
          for (int j = 0; j < C; j++)
#pragma unroll
            for (int i = 0; i < V; i++) c[b][j][i] = muladd(x.v[i], v[j], c[b][j][i]);
        }
      }
#pragma unroll
      for (int b = 0; b < B; b++) {
        const int r = r0 + b * LANES * V;
        if (r >= r1) continue;
#pragma unroll
        for (int j = 0; j < C; j++) {
          lu_packet<T> x;
#pragma unroll
          for (int i = 0; i < V; i++) x.v[i] = c[b][j][i];
          lu_store(w + j * pitch + r, x);
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
