/* kernels/cuda/batch_warp_update.cuh - where matrices of batch_warp.cuh lie in shared memory, and what a
 * panel's 8 steps do to 8 other columns x:  x := x' + W u, u the panel's pivot rows of x, x' = x, or for
 * inverses x with zeros in those rows
 *
 * Layout     columns, `pitch` scalars from one to the next: neither rows in lanes nor tiles meet in a bank.
 *            d, z: W in the panel's own columns, products by tensor cores (m16n8k8; four real ones for a
 *            complex one).  s, c: W in their place by packets, [8 / packet][N]; a lane takes every eighth row
 *            of two columns.
 * Checked    tests/t361_inverse_batch.c, t362_lu_batch.c, t367_small_batch.c.
 */
#ifndef BF_BATCH_WARP_UPDATE_CUH
#define BF_BATCH_WARP_UPDATE_CUH
#include "kernels/cuda/lanes.cuh"

enum { WARP_KB = 8 }; /* columns of a panel */

/* Orders to N: a team of warps works on a matrix, a row a lane; its pieces of shared memory in bytes. */
template <class T, int N>
struct warp_shape {
  static constexpr bool tensor  = sizeof(real_t<T>) == 8;
  static constexpr int  team    = (N + 31) / 32;
  static constexpr int  pitch   = sizeof(T) == 4 ? (N + 15) / 16 * 16 + 8 : sizeof(T) == 8 ? N + 4 : N + 2;
  static constexpr int  packets = WARP_KB / packet<T>::of;
  static constexpr int  matrix  = N * pitch * (int)sizeof(T);
  static constexpr int  rows    = 2 * team * WARP_KB * (int)sizeof(T); /* pivots' */
  static constexpr int  order   = N * 4; /* rows of the pivots, and 256 times their places */
  static constexpr int  heads   = team > 1 ? 2 * team * 32 : 0; /* proposals */
  static constexpr int  rest    = 32; /* barrier of the copies, masks of pivot rows */
  static constexpr int  bytes   = matrix + rows + order + heads + rest;
};

/* Scalars in shared memory have their full alignment, whatever T's. */
template <class T>
BF_LANES T shared_get(const T *p)
{
  return load(p, true);
}
template <class T>
BF_LANES void shared_put(T *p, T x)
{
  store(p, x, true);
}

/* Bits of rows g, g + 8 .. */
template <int N>
struct warp_rows {
  unsigned                   bits[(N + 31) / 32];
  __device__ __forceinline__ warp_rows(const unsigned *mask, int g)
  {
#pragma unroll
    for (int i = 0; i < (N + 31) / 32; i++) bits[i] = mask[i] >> g;
  }
  __device__ __forceinline__ bool has(int down) const
  {
    return bits[down / 32] >> (down % 32) & 1;
  }
};

/* s, c.  W: the panel's columns; order: its pivots; mask: their rows as bits, where they are to be zero. */
template <class T, int N>
struct warp_update {
  static constexpr int P = warp_shape<T, N>::pitch, V = packet<T>::of;
  const packet<T>     *w;
  int                  g, t, row[WARP_KB];
  warp_rows<N>         zero;

  __device__ __forceinline__ warp_update(const T *W, int lane, const int *order, const unsigned *mask)
      : w(reinterpret_cast<const packet<T> *>(W) + (lane >> 2)), g(lane >> 2), t(lane & 3),
        zero(mask, lane >> 2)
  {
#pragma unroll
    for (int k = 0; k < WARP_KB; k++) row[k] = order[k] & 255;
  }
  __device__ __forceinline__ void block(T *S) const
  {
    T c[N / 8][2], b[WARP_KB][2];
#pragma unroll
    for (int h = 0; h < 2; h++) {
      const T *x = S + (t + 4 * h) * P;
#pragma unroll
      for (int k = 0; k < WARP_KB; k++) b[k][h] = shared_get(x + row[k]);
#pragma unroll
      for (int i = 0; i < N / 8; i++) c[i][h] = zero.has(8 * i) ? zero_of<T>() : shared_get(x + g + 8 * i);
    }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < WARP_KB; k += V)
#pragma unroll
      for (int i = 0; i < N / 8; i++) {
        const packet<T> q = w[k / V * N + 8 * i];
#pragma unroll
        for (int e = 0; e < V; e++)
#pragma unroll
          for (int h = 0; h < 2; h++) c[i][h] = muladd(q.e[e], b[k + e][h], c[i][h]);
      }
#pragma unroll
    for (int h = 0; h < 2; h++)
#pragma unroll
      for (int i = 0; i < N / 8; i++) shared_put(S + (t + 4 * h) * P + g + 8 * i, c[i][h]);
  }
};

BF_LANES void warp_mma(double (&c)[4], const double (&a)[4], const double (&b)[2])
{
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}

/* Where a lane's shares of tensor products lie: entry e of tile i of W, u[e], entry e of tile i of a block.
 */
template <class T, int N>
struct warp_tensor {
  static constexpr int P = warp_shape<T, N>::pitch, M = (N + 15) / 16;
  int                  from, row[2], to[2];
  warp_rows<N>         zero;

  /* An order of 8 columns in which neither u nor the blocks meet in a bank. */
  static __device__ __forceinline__ int column(int g)
  {
    return (int)(0x57463120u >> (4 * g) & 7u);
  }
  __device__ __forceinline__ warp_tensor(int lane, const int *order, const unsigned *mask)
      : from((lane & 3) * P + (lane >> 2)), zero(mask, lane >> 2)
  {
    const int g = lane >> 2, t = lane & 3;
#pragma unroll
    for (int e = 0; e < 2; e++) {
      row[e] = column(g) * P + (order[t + 4 * e] & 255);
      to[e]  = column(2 * t + e) * P + g;
    }
  }
  __device__ __forceinline__ T get_w(const T *W, int i, int e) const
  {
    const int down = 16 * i + 8 * (e & 1);
    return down < N ? shared_get(W + from + 4 * (e >> 1) * P + down) : zero_of<T>();
  }
  __device__ __forceinline__ T get(const T *S, int i, int e) const
  {
    const int down = 16 * i + 8 * (e >> 1);
    return down >= N || zero.has(down < N ? down : 0) ? zero_of<T>() : shared_get(S + to[e & 1] + down);
  }
  __device__ __forceinline__ void put(T *S, int i, int e, T x) const
  {
    const int down = 16 * i + 8 * (e >> 1);
    if (down < N) shared_put(S + to[e & 1] + down, x);
  }
};

template <int N>
struct warp_update<double, N> {
  static constexpr int   M = (N + 15) / 16;
  warp_tensor<double, N> at;
  double                 w[M][4];

  __device__ __forceinline__ warp_update(const double *W, int lane, const int *order, const unsigned *mask)
      : at(lane, order, mask)
  {
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
      for (int e = 0; e < 4; e++) w[i][e] = at.get_w(W, i, e);
  }
  __device__ __forceinline__ void block(double *S) const
  {
    const double u[2] = {S[at.row[0]], S[at.row[1]]};
    double       c[M][4];
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
      for (int e = 0; e < 4; e++) c[i][e] = at.get(S, i, e);
    __syncwarp();
#pragma unroll
    for (int i = 0; i < M; i++) warp_mma(c[i], w[i], u);
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
      for (int e = 0; e < 4; e++) at.put(S, i, e, c[i][e]);
  }
};

template <int N>
struct warp_update<cplx<double>, N> {
  using T                = cplx<double>;
  static constexpr int M = (N + 15) / 16;
  warp_tensor<T, N>    at;
  double               re[M][4], im[M][4];

  __device__ __forceinline__ warp_update(const T *W, int lane, const int *order, const unsigned *mask)
      : at(lane, order, mask)
  {
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
      for (int e = 0; e < 4; e++) {
        const T v = at.get_w(W, i, e);
        re[i][e] = v.re, im[i][e] = v.im;
      }
  }
  __device__ __forceinline__ void block(T *S) const
  {
    const T      x = shared_get(S + at.row[0]), y = shared_get(S + at.row[1]);
    const double ur[2] = {x.re, y.re}, ui[2] = {x.im, y.im}, minus[2] = {-x.im, -y.im};
    double       cr[M][4], ci[M][4];
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
      for (int e = 0; e < 4; e++) {
        const T v = at.get(S, i, e);
        cr[i][e] = v.re, ci[i][e] = v.im;
      }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < M; i++) {
      warp_mma(cr[i], re[i], ur);
      warp_mma(ci[i], re[i], ui);
      warp_mma(cr[i], im[i], minus);
      warp_mma(ci[i], im[i], ur);
    }
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
      for (int e = 0; e < 4; e++) at.put(S, i, e, {cr[i][e], ci[i][e]});
  }
};
#endif
