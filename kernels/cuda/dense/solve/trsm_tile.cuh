/* kernels/cuda/dense/solve/trsm_tile.cuh - 16 x 16 tiles of a factor and right-hand sides in registers, for
 * tensor cores
 *
 * Computes   X_i += (-X_k) M_ik^T for tiles M_ik of a triangle; X has 16 columns and is stored transposed.
 * Source     PTX ISA, mma.m16n8k8; mma_16x8x8.cuh.
 * Layout     a warp has 16 rows of 16 columns of X: lane (g, t), g = lane / 4, t = lane % 4, has columns g
 *            and g + 8, rows 4t .. 4t + 3. Accumulator f = 0, 1 has rows 4t + f and 4t + f + 2, so an
 *            accumulator is the left operand of the next product without data movement: rows 4t + e and 4t
 *            + e + 2 are the t-th and (t+4)-th of eight. Of M a lane has rows 2g, 2g + 1 of columns 4t ..
 *            4t + 3, in pairs adjacent in memory.
 * Cost       8192 flops per product (complex 4 times).
 * Checked    tests/kernels/dense/t362_lu_batch.c, t363_solve_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_SOLVE_TRSM_TILE_CUH
#define BF_KERNELS_CUDA_DENSE_SOLVE_TRSM_TILE_CUH
#include "kernels/cuda/dense/batch_view.cuh"
#include "kernels/cuda/dense/common/mma_16x8x8.cuh"
#include "kernels/cuda/dense/common/subwarp_rows.cuh"

namespace bf
{

enum { TRSM_NB = 16, TRSM_TILE = TRSM_NB * TRSM_NB };

template <class T>
struct alignas(sizeof(T) > 8 ? 16 : 2 * sizeof(T)) trsm_pair {
  T v[2];
};

/* Whether all pairs of rows of a matrix are aligned as trsm_pair */
template <class T>
BF_DEVICE bool trsm_aligned(const T *a, int64_t ld)
{
  return (reinterpret_cast<uintptr_t>(a) % alignof(trsm_pair<T>)) == 0 && (sizeof(T) == 16 || ld % 2 == 0);
}

/* A lane's entries of a tile of M: v[q][f] is the entry of row 2g + f, column 4t + q */
template <class T>
struct trsm_entries {
  T v[4][2];
};

/* Tile of a matrix at `a` with so many rows and columns left; 0 beyond */
template <class T>
BF_DEVICE void trsm_load(trsm_entries<T> &M, const T *a, int64_t ld, int rows, int columns, int lane,
                         bool aligned)
{
  const int r = 2 * (lane >> 2), c = 4 * (lane & 3);
  const T  *p = a + c * ld + r;
  if (aligned) {
#pragma unroll
    for (int q = 0; q < 4; q++, p += ld) {
      M.v[q][0] = M.v[q][1] = zero_of<T>();
      if (c + q < columns && r + 1 < rows) {
        const trsm_pair<T> x = *reinterpret_cast<const trsm_pair<T> *>(p);
        M.v[q][0] = x.v[0], M.v[q][1] = x.v[1];
      } else if (c + q < columns && r < rows)
        M.v[q][0] = *p;
    }
    return;
  }
#pragma unroll
  for (int q = 0; q < 4; q++, p += ld) {
    M.v[q][0] = c + q < columns && r < rows ? p[0] : zero_of<T>();
    M.v[q][1] = c + q < columns && r + 1 < rows ? p[1] : zero_of<T>();
  }
}

/* Tiles computed here are packed in the order of the lanes, pairs [q][lane]. */
BF_DEVICE int trsm_packed(int row, int column)
{
  return ((column & 3) * 32 + (row >> 1) * 4 + (column >> 2)) * 2 + (row & 1);
}
template <class T>
BF_DEVICE void trsm_load(trsm_entries<T> &M, const T *packed, int lane)
{
#pragma unroll
  for (int q = 0; q < 4; q++) {
    const trsm_pair<T> x = reinterpret_cast<const trsm_pair<T> *>(packed)[q * 32 + lane];
    M.v[q][0] = x.v[0], M.v[q][1] = x.v[1];
  }
}

/* 16 columns of X by 16 rows: [rows 4t + f, 4t + f + 2][re, im][mma accumulator] */
template <class T>
struct trsm_sums {
  static constexpr int PARTS = is_complex<T> ? 2 : 1;
  real_t<T>            c[2][PARTS][4];

  /* column g + 8 e, row 4t + q */
  __device__ __forceinline__ T entry(int e, int q) const
  {
    if constexpr (is_complex<T>)
      return {c[q & 1][0][2 * e + (q >> 1)], c[q & 1][1][2 * e + (q >> 1)]};
    else
      return c[q & 1][0][2 * e + (q >> 1)];
  }
  __device__ __forceinline__ void set(int e, int q, T x)
  {
    c[q & 1][0][2 * e + (q >> 1)] = real_part(x);
    if constexpr (is_complex<T>) c[q & 1][1][2 * e + (q >> 1)] = x.im;
  }
};

/* The same as left operand: [re, im][eight rows][] */
template <class T>
struct trsm_left_operand {
  real_t<T> a[trsm_sums<T>::PARTS][2][4];

  trsm_left_operand() = default;
  __device__ __forceinline__ explicit trsm_left_operand(const trsm_sums<T> &S)
  {
#pragma unroll
    for (int p = 0; p < S.PARTS; p++)
#pragma unroll
      for (int e = 0; e < 2; e++) {
        a[p][e][0] = S.c[e][p][0], a[p][e][1] = S.c[e][p][2];
        a[p][e][2] = S.c[e][p][1], a[p][e][3] = S.c[e][p][3];
      }
  }
};

/* A tile of M as right operand: [eight of its columns][its rows of parity f][] */
template <class T>
struct trsm_right_operand {
  using real                    = mma_real<real_t<T>>;
  static constexpr int IM_PARTS = is_complex<T> ? 2 : 1;
  real                 re[2][2][2], im[IM_PARTS][2][2], im_negated[IM_PARTS][2][2];

  __device__ __forceinline__ explicit trsm_right_operand(const trsm_entries<T> &M)
  {
#pragma unroll
    for (int k = 0; k < 8; k++) {
      const int e = k >> 2, f = k >> 1 & 1, s = k & 1;
      const T   x = M.v[e + 2 * s][f];
      re[e][f][s] = mma_operand(real_part(x));
      if constexpr (is_complex<T>) {
        im[e][f][s]         = mma_operand(x.im);
        im_negated[e][f][s] = -im[e][f][s];
      }
    }
  }
};

/* S += X M^T */
template <class T>
BF_DEVICE void trsm_product(trsm_sums<T> &S, const trsm_left_operand<T> &X, const trsm_right_operand<T> &M)
{
#pragma unroll
  for (int e = 0; e < 2; e++) {
    mma_real<real_t<T>> re[4], im[4];
#pragma unroll
    for (int i = 0; i < 4; i++) re[i] = mma_operand(X.a[0][e][i]);
#pragma unroll
    for (int f = 0; f < 2; f++) mma(S.c[f][0], re, M.re[e][f]);
    if constexpr (is_complex<T>) {
#pragma unroll
      for (int i = 0; i < 4; i++) im[i] = mma_operand(X.a[1][e][i]);
#pragma unroll
      for (int f = 0; f < 2; f++) mma(S.c[f][1], re, M.im[e][f]);
#pragma unroll
      for (int f = 0; f < 2; f++) mma(S.c[f][0], im, M.im_negated[e][f]);
#pragma unroll
      for (int f = 0; f < 2; f++) mma(S.c[f][1], im, M.re[e][f]);
    }
  }
}

/* -X in shared memory, for other warps, in units of 16 bytes of each lane */
template <class T>
struct trsm_exchange {
  using R                 = real_t<T>;
  static constexpr int OF = vec16<R>::length, PACKETS = 8 * trsm_sums<T>::PARTS / OF;
  vec16<R>             p[PACKETS * 32];

  __device__ __forceinline__ void store(const trsm_left_operand<T> &X, int lane)
  {
#pragma unroll
    for (int k = 0; k < PACKETS; k++) {
      vec16<R> x;
#pragma unroll
      for (int i = 0; i < OF; i++) x.e[i] = -X.a[(k * OF + i) / 8][(k * OF + i) / 4 % 2][(k * OF + i) % 4];
      p[k * 32 + lane] = x;
    }
  }
  __device__ __forceinline__ trsm_left_operand<T> load(int lane) const
  {
    trsm_left_operand<T> X;
#pragma unroll
    for (int k = 0; k < PACKETS; k++) {
      const vec16<R> x = p[k * 32 + lane];
#pragma unroll
      for (int i = 0; i < OF; i++) X.a[(k * OF + i) / 8][(k * OF + i) / 4 % 2][(k * OF + i) % 4] = x.e[i];
    }
    return X;
  }
};

} // namespace bf
#endif
