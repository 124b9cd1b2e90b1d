/* kernels/cuda/batch_chol_stream.cuh - Cholesky factors of orders whose triangle does not lie on the chip: a
 * block factors a matrix from the left, panel by panel of 16 columns, of which only the one at hand is there
 *
 *     for panel p:  C(t) = A(t, p) - sum of L(t, q) L(p, q)^H, q < p     tensor cores, L from memory
 *                   C(p) = L(p, p) L(p, p)^H                            one warp, a row a lane
 *                   L(t, p) = C(t) L(p, p)^-H                           a row a thread
 *
 * The upper triangle is read as the lower one of A^T, whose factor is U^T.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 4.2.6 (block, gaxpy form).
 * Layout     the panel in shared memory by rows as in batch_chol.cuh; W warps, TILES tiles of 16 x 16 each at
 *            a time; what is multiplied next is on its way meanwhile.
 * Cost       1/3 n^3 flops; the triangle is written once and read n / 32 times; 4 barriers a panel.
 * Checked    tests/t364_cholesky_batch.c, t366_sizes_batch.c.
 */
#ifndef BF_BATCH_CHOL_STREAM_CUH
#define BF_BATCH_CHOL_STREAM_CUH
#include "kernels/cuda/batch_chol.cuh"
#include "kernels/cuda/batch_mma.cuh"

/* Real tiles of a tile of T; c += a b^H or, with MINUS, c -= a b^H. */
template <class T>
struct chol_mma {
  using R = real_t<T>;
  struct left {
    mma_real<R> re[4];
  };
  struct right {
    mma_real<R> re[2]; /* minus */
  };
  static __device__ __forceinline__ left take(const T (&x)[4])
  {
    return {{mma_part(x[0]), mma_part(x[1]), mma_part(x[2]), mma_part(x[3])}};
  }
  static __device__ __forceinline__ right take(const T (&x)[2])
  {
    return {{-mma_part(x[0]), -mma_part(x[1])}};
  }
  struct sum {
    R                            re[4];
    __device__ __forceinline__ T get(int e) const
    {
      return re[e];
    }
    __device__ __forceinline__ void put(int e, T x)
    {
      re[e] = x;
    }
    __device__ __forceinline__ void subtract(const left &a, const right &b)
    {
      mma(re, a.re, b.re);
    }
  };
};
template <class R>
struct chol_mma<cplx<R>> {
  using T = cplx<R>;
  struct left {
    mma_real<R> re[4], im[4];
  };
  struct right {
    mma_real<R> re[2], im[2], minus[2]; /* -re, im, -im */
  };
  static __device__ __forceinline__ left take(const T (&x)[4])
  {
    return {{mma_part(x[0].re), mma_part(x[1].re), mma_part(x[2].re), mma_part(x[3].re)},
            {mma_part(x[0].im), mma_part(x[1].im), mma_part(x[2].im), mma_part(x[3].im)}};
  }
  static __device__ __forceinline__ right take(const T (&x)[2])
  {
    right r;
#pragma unroll
    for (int e = 0; e < 2; e++) {
      r.re[e]    = -mma_part(x[e].re);
      r.im[e]    = mma_part(x[e].im);
      r.minus[e] = -r.im[e];
    }
    return r;
  }
  struct sum {
    R                            re[4], im[4];
    __device__ __forceinline__ T get(int e) const
    {
      return {re[e], im[e]};
    }
    __device__ __forceinline__ void put(int e, T x)
    {
      re[e] = x.re, im[e] = x.im;
    }
    __device__ __forceinline__ void subtract(const left &a, const right &b)
    {
      mma(re, a.re, b.re);
      mma(im, a.re, b.im);
      mma(re, a.im, b.minus);
      mma(im, a.im, b.re);
    }
  };
};

template <class T>
struct chol_stream_layout {
  int panel, line, inverse, flags, bytes;

  __host__ __device__ explicit chol_stream_layout(int n)
  {
    lu_room room;
    panel   = room.take((n + LU_NB - 1) / LU_NB * LU_NB * lu_pitch<T> * (int)sizeof(T));
    line    = room.take(2 * LU_NB * (int)sizeof(T));
    inverse = room.take(LU_NB * (int)sizeof(real_t<T>));
    flags   = room.take(8);
    bytes   = room.bytes;
  }
};

/* A block's part in one matrix. */
template <class T, int W, int TILES>
struct chol_stream_work {
  using M = chol_mma<T>;
  T      *a, *P;
  int64_t down, right; /* from an entry of L to those below it and beside it */
  int     n, w, lane;
  bool    wide;

  __device__ __forceinline__ T at(const T *row, int k) const
  {
    return load(row + k * right, wide);
  }
  /* Entries t, t + 4 of columns k .. of rows: of b */
  __device__ __forceinline__ void fetch(T (&x)[2], const T *row, int k) const
  {
    const int t = lane & 3;
    x[0] = at(row, k + t), x[1] = at(row, k + t + 4);
  }
  __device__ __forceinline__ void fetch(T (&x)[4], const T *row, const T *lower, int k) const
  {
    const int t = lane & 3;
    x[0] = at(row, k + t), x[1] = at(lower, k + t), x[2] = at(row, k + t + 4), x[3] = at(lower, k + t + 4);
  }
  __device__ __forceinline__ const T *row(int i) const
  {
    return a + min(i, n - 1) * down;
  }
  /* Panel p, rows from tile s on, less what is on its left */
  __device__ __forceinline__ void gather(int p, int s) const
  {
    const int g = lane >> 2, t = lane & 3, k0 = LU_NB * p;
    if (LU_NB * (s + w) >= n) return;
    typename M::sum c[TILES][2];
    const T        *l[TILES][2], *u[2] = {row(k0 + g), row(k0 + 8 + g)};
#pragma unroll
    for (int i = 0; i < TILES; i++) {
      const int r = LU_NB * (s + w + W * i) + g;
      l[i][0] = row(r), l[i][1] = row(r + 8);
#pragma unroll
      for (int h = 0; h < 2; h++)
#pragma unroll
        for (int e = 0; e < 4; e++) {
          const int y = r + 8 * (e >> 1), x = k0 + 8 * h + 2 * t + (e & 1);
          T         v = zero_of<T>();
          if (y < n && x <= y) v = at(l[i][e >> 1], x);
          c[i][h].put(e, x == y ? from_real<T>(real_part(v)) : v);
        }
    }
    T next[TILES][4], beside[2][2];
    if (p > 0) {
#pragma unroll
      for (int i = 0; i < TILES; i++) fetch(next[i], l[i][0], l[i][1], 0);
#pragma unroll
      for (int h = 0; h < 2; h++) fetch(beside[h], u[h], 0);
    }
#pragma unroll 1
    for (int k = 0; k < k0; k += 8) {
      typename M::right b[2] = {M::take(beside[0]), M::take(beside[1])};
      typename M::left  x[TILES];
#pragma unroll
      for (int i = 0; i < TILES; i++) x[i] = M::take(next[i]);
      if (k + 8 < k0) {
#pragma unroll
        for (int i = 0; i < TILES; i++) fetch(next[i], l[i][0], l[i][1], k + 8);
#pragma unroll
        for (int h = 0; h < 2; h++) fetch(beside[h], u[h], k + 8);
      }
#pragma unroll
      for (int i = 0; i < TILES; i++)
#pragma unroll
        for (int h = 0; h < 2; h++) c[i][h].subtract(x[i], b[h]);
    }
#pragma unroll
    for (int i = 0; i < TILES; i++) {
      const int r = LU_NB * (s - p + w + W * i) + g;
      if (k0 + r - g < n)
#pragma unroll
        for (int h = 0; h < 2; h++)
#pragma unroll
          for (int e = 0; e < 4; e++)
            store(P + (r + 8 * (e >> 1)) * lu_pitch<T> + 8 * h + 2 * t + (e & 1), c[i][h].get(e), true);
    }
  }
  /* f(entry of the panel, entry of A, is it on the diagonal), in the order of A's columns or rows */
  template <class F>
  __device__ __forceinline__ void entries(int k0, F f) const
  {
    const int m = n - k0;
    if (right == 1) {
      const int c = lane % LU_NB;
      for (int y = 2 * w + lane / LU_NB; y < m; y += 2 * W)
        if (c <= y) f(P + y * lu_pitch<T> + c, a + (k0 + y) * down + k0 + c, c == y);
    } else
      for (int y = lane + 32 * w; y < m; y += 32 * W)
#pragma unroll 4
        for (int c = 0; c < LU_NB; c++)
          if (c <= y && k0 + c < n) f(P + y * lu_pitch<T> + c, a + k0 + y + (k0 + c) * right, c == y);
  }
};

template <class T, int W, int TILES>
static __global__ void __launch_bounds__(32 * W) chol_stream(const batch_view<T> A, bool upper, int *info)
{
  extern __shared__ __align__(16) char room[];
  if ((int)blockIdx.x >= A.members()) return;
  const int                           b = A.member((int)blockIdx.x), n = A.order(b), tid = (int)threadIdx.x;
  const chol_stream_layout<T>         at(n);
  T                                  *P = (T *)(room + at.panel), *a = A.matrix(b);
  real_t<T>                          *inverse = (real_t<T> *)(room + at.inverse), rest = 0;
  int                                *flags = (int *)(room + at.flags);
  const chol_stream_work<T, W, TILES> me{
      a,
      P,
      upper ? A.ld : 1,
      upper ? 1 : A.ld,
      n,
      tid >> 5,
      tid & 31,
      (reinterpret_cast<uintptr_t>(a) | ((size_t)A.ld * sizeof(T))) % sizeof(T) == 0};
  if (tid < 2) flags[tid] = 0;
  int p = 0;
  for (; LU_NB * p < n; p++) {
    const int k0 = LU_NB * p, m = n - k0;
    for (int s = p; LU_NB * s < n; s += W * TILES) me.gather(p, s);
    __syncthreads();
    if (tid < 32) {
      const int first = chol_diagonal(P, m, (T *)(room + at.line), inverse);
      if (tid == 0 && first != 0) flags[0] = k0 + first;
    }
    __syncthreads();
    if (flags[0] != 0) break;
    for (int y = LU_NB + tid; y < m; y += 32 * W) chol_solve(P, inverse, P + y * lu_pitch<T>);
    __syncthreads();
    me.entries(k0, [&](const T *s, T *x, bool) {
      const T v = load(s, true);
      rest      = with(v, rest);
      store(x, v, me.wide);
    });
    __syncthreads();
  }
  for (; LU_NB * p < n; p++) /* what was not reached may not be finite: that is said first */
    me.entries(LU_NB * p, [&](const T *, const T *x, bool diagonal) {
      const T v = load(x, me.wide);
      rest      = with(diagonal ? from_real<T>(real_part(v)) : v, rest);
    });
  if (!(rest == 0)) flags[1] = 1;
  __syncthreads();
  if (tid == 0) info[b] = flags[1] ? n + 1 : flags[0];
}

template <class T, int W, int TILES>
static cudaError_t chol_stream_launch(const batch_view<T> &A, bool upper, int *info, cudaStream_t s)
{
  const chol_stream_layout<T> at(A.n);
  const auto                  kernel = chol_stream<T, W, TILES>;
  const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, at.bytes);
  if (e != cudaSuccess) return e;
  kernel<<<(unsigned)A.count, 32 * W, (size_t)at.bytes, s>>>(A, upper, info);
  return cudaGetLastError();
}
#endif
