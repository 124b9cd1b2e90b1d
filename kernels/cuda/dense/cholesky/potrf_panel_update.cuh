/* kernels/cuda/dense/cholesky/potrf_panel_update.cuh - Cholesky: 16 x 16 tiles of a panel minus the
 * products with the panels left of it, matrix in global memory
 *
 *     C(t) = A(t, p) - sum of L(t, q) L(p, q)^H, q < p
 *
 * The upper triangle is read as the lower one of A^T, whose factor is U^T.
 * Computes   the formula above.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 4.2.6.
 * Layout     a warp has TILES tiles in registers; tensor cores (s, c: three TF32 products), 8 columns at a
 *            time, with loads AHEAD times 8 columns ahead.
 * Cost       512 k flops per tile for k columns (complex 4 times).
 * Order      an entry's products are added in the order of the columns for any distribution of tiles: the
 *            same bits.
 * Checked    tests/kernels/dense/t364_cholesky_batch.c, t366_sizes_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_CHOLESKY_POTRF_PANEL_UPDATE_CUH
#define BF_KERNELS_CUDA_DENSE_CHOLESKY_POTRF_PANEL_UPDATE_CUH
#include "kernels/cuda/dense/common/mma_16x8x8.cuh"
#include "kernels/cuda/dense/common/subwarp_rows.cuh"
#include "kernels/cuda/dense/common/vector_access.cuh"

namespace bf
{

/* Operands and accumulators of a tile of T; subtract: c -= a b^H */
template <class T>
struct potrf_mma {
  using R = real_t<T>;
  struct left_operand {
    mma_real<R> re[4];
  };
  struct right_operand {
    mma_real<R> re[2]; /* minus */
  };
  static __device__ __forceinline__ left_operand operand(const T (&x)[4])
  {
    return {{mma_operand(x[0]), mma_operand(x[1]), mma_operand(x[2]), mma_operand(x[3])}};
  }
  static __device__ __forceinline__ right_operand operand(const T (&x)[2])
  {
    return {{-mma_operand(x[0]), -mma_operand(x[1])}};
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
    __device__ __forceinline__ void subtract(const left_operand &a, const right_operand &b)
    {
      mma(re, a.re, b.re);
    }
  };
};
template <class R>
struct potrf_mma<cplx<R>> {
  using T = cplx<R>;
  struct left_operand {
    mma_real<R> re[4], im[4];
  };
  struct right_operand {
    mma_real<R> re[2], im[2], im_negated[2]; /* -re, im, -im */
  };
  static __device__ __forceinline__ left_operand operand(const T (&x)[4])
  {
    return {{mma_operand(x[0].re), mma_operand(x[1].re), mma_operand(x[2].re), mma_operand(x[3].re)},
            {mma_operand(x[0].im), mma_operand(x[1].im), mma_operand(x[2].im), mma_operand(x[3].im)}};
  }
  static __device__ __forceinline__ right_operand operand(const T (&x)[2])
  {
    right_operand r;
#pragma unroll
    for (int e = 0; e < 2; e++) {
      r.re[e]         = -mma_operand(x[e].re);
      r.im[e]         = mma_operand(x[e].im);
      r.im_negated[e] = -r.im[e];
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
    __device__ __forceinline__ void subtract(const left_operand &a, const right_operand &b)
    {
      mma(re, a.re, b.re);
      mma(im, a.re, b.im);
      mma(re, a.im, b.im_negated);
      mma(im, a.im, b.re);
    }
  };
};

/* The matrix as a lower triangle */
template <class T>
struct potrf_matrix {
  T      *a;
  int64_t row_stride, column_stride; /* strides from an entry of L to the one below it and beside it */
  int     n;
  bool    aligned;

  __device__ __forceinline__ potrf_matrix(T *first, int order, int ld, bool upper)
      : a(first), row_stride(upper ? ld : 1), column_stride(upper ? 1 : ld), n(order),
        aligned((reinterpret_cast<uintptr_t>(first) | ((size_t)ld * sizeof(T))) % sizeof(T) == 0)
  {
  }
  __device__ __forceinline__ T *row(int i) const
  {
    return a + min(i, n - 1) * row_stride;
  }
  __device__ __forceinline__ T get(const T *p) const
  {
    __builtin_assume(__isGlobal(p));
    return load(p, aligned);
  }
  /* Stores an entry of the factor from shared memory; nonfinite: 0 while all is finite */
  __device__ __forceinline__ void put(T *p, const T *s, real_t<T> &nonfinite) const
  {
    const T v = load(s, true);
    nonfinite = track_nonfinite(v, nonfinite);
    store(p, v, aligned);
  }
  /* Checks an entry that is not factored. */
  __device__ __forceinline__ void check_finite(const T *p, bool diagonal, real_t<T> &nonfinite) const
  {
    const T v = load(p, aligned);
    nonfinite = track_nonfinite(diagonal ? from_real<T>(real_part(v)) : v, nonfinite);
  }
};

/* Tiles of a panel: rows from r[i] on, columns from k0 on; r[i] beyond the matrix: none */
template <class T, int TILES, int AHEAD>
struct potrf_tiles {
  static_assert(AHEAD == 1 || AHEAD % 2 == 0, "panels are two times 8 columns");
  using M = potrf_mma<T>;
  typename M::sum c[TILES][2];
  const T        *l[TILES][2], *u[2]; /* the rows that are multiplied */

  /* Initial values from A; of the diagonal only the real part */
  __device__ __forceinline__ void begin(const potrf_matrix<T> &A, const int (&r)[TILES], int k0)
  {
    const int g = (int)threadIdx.x >> 2 & 7, t = (int)threadIdx.x & 3;
    u[0] = A.row(k0 + g), u[1] = A.row(k0 + 8 + g);
#pragma unroll
    for (int i = 0; i < TILES; i++) {
      l[i][0] = A.row(r[i] + g), l[i][1] = A.row(r[i] + g + 8);
#pragma unroll
      for (int h = 0; h < 2; h++)
#pragma unroll
        for (int e = 0; e < 4; e++) {
          const int y = r[i] + g + 8 * (e >> 1), x = k0 + 8 * h + 2 * t + (e & 1);
          T         v = zero_of<T>();
          if (y < A.n && x <= y) v = A.get(l[i][e >> 1] + x * A.column_stride);
          c[i][h].put(e, x == y ? from_real<T>(real_part(v)) : v);
        }
    }
  }
  /* Subtracts the products of columns k .. k1 - 1. */
  __device__ __forceinline__ void subtract(const potrf_matrix<T> &A, int k, int k1)
  {
    T          next[AHEAD][TILES][4], right[AHEAD][2][2];
    int64_t    o = (((int)threadIdx.x & 3) + k) * A.column_stride; /* offset of the next loads in every row */
    const auto fetch = [&](int d) {
#pragma unroll
      for (int i = 0; i < TILES; i++)
#pragma unroll
        for (int e = 0; e < 4; e++) next[d][i][e] = A.get(l[i][e & 1] + o + (e >> 1) * 4 * A.column_stride);
#pragma unroll
      for (int h = 0; h < 2; h++)
#pragma unroll
        for (int e = 0; e < 2; e++) right[d][h][e] = A.get(u[h] + o + e * 4 * A.column_stride);
      o += 8 * A.column_stride;
    };
#pragma unroll
    for (int d = 0; d < AHEAD; d++)
      if (k + 8 * d < k1) fetch(d);
#pragma unroll 1
    for (; k < k1; k += 8 * AHEAD)
#pragma unroll
      for (int d = 0; d < AHEAD; d++) {
        if (d >= 2 && k + 8 * d >= k1) break;
        const typename M::right_operand b[2] = {M::operand(right[d][0]), M::operand(right[d][1])};
        typename M::left_operand        x[TILES];
#pragma unroll
        for (int i = 0; i < TILES; i++) x[i] = M::operand(next[d][i]);
        const bool more = k + 8 * (d + AHEAD) < k1;
        if (AHEAD == 1 && more) fetch(d);
#pragma unroll
        for (int i = 0; i < TILES; i++)
#pragma unroll
          for (int h = 0; h < 2; h++) c[i][h].subtract(x[i], b[h]);
        if (AHEAD > 1 && more) fetch(d); /* into the registers just read, without copies */
      }
  }
  /* Stores tile i to rows from from[i] on of P. */
  __device__ __forceinline__ void store_factor(const potrf_matrix<T> &A, const int (&r)[TILES], T *P,
                                               const int (&from)[TILES]) const
  {
    const int g = (int)threadIdx.x >> 2 & 7, t = (int)threadIdx.x & 3;
#pragma unroll
    for (int i = 0; i < TILES; i++)
      if (r[i] < A.n)
#pragma unroll
        for (int h = 0; h < 2; h++)
#pragma unroll
          for (int e = 0; e < 4; e++)
            store(P + (from[i] + g + 8 * (e >> 1)) * panel_pitch<T> + 8 * h + 2 * t + (e & 1), c[i][h].get(e),
                  true);
  }
};

} // namespace bf
#endif
