/* kernels/cuda/dense/common/leading_columns.cuh - partial pivoting in the first n - 64 columns, held in
 * registers
 *
 * Computes   the pivot of one column after the other, with LAPACK's choice, and the pivot row for all
 *            threads.
 * Layout     two warps; a thread has rows t and t + 64. Rows do not move; `position` is the row's position
 *            in LAPACK's order. Each warp writes its best row, its key and its reciprocal to shared memory,
 *            and all threads take the better of the two.
 * Cost       one barrier per column.
 * Checked    tests/kernels/dense/t361_inverse_batch.c, t362_lu_batch.c, t366_sizes_batch.c,
 *            t368_lu_panels.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_COMMON_LEADING_COLUMNS_CUH
#define BF_KERNELS_CUDA_DENSE_COMMON_LEADING_COLUMNS_CUH
#include "kernels/cuda/dense/common/pivot_key.cuh"
#include "kernels/cuda/dense/common/subwarp_rows.cuh"
#include "kernels/cuda/dense/common/vector_access.cuh"

namespace bf
{

enum { TRAILING_ORDER = 64, LEADING_THREADS = 64 };

/* A warp's best row in the current column: its key in two halves, its position, its row */
struct alignas(16) pivot_candidate {
  unsigned high, low;
  int      position, row;
};
/* The candidates' rows, by parity of the step and by warp */
template <class T, int C>
struct alignas(16) pivot_exchange {
  alignas(16) T rows[2][2][C], reciprocal[2][2];
  pivot_candidate candidates[2][2];
};

/* C columns, all rows */
template <class T, int C>
struct leading_columns {
  using R = real_t<T>;
  enum { OWN = 2, NOWHERE = 0xffff };
  static constexpr int V = panel_vec<T>;

  const subwarp_matrix<T> &M;
  T                       *S; /* shared: 64 columns, one after the other */
  int                      t, lane, w, leading, position[OWN],
      zero    = 0; /* leading: number of columns; zero: first column without a pivot, from 1 */
  R nonfinite = 0; /* 0 while all entries are finite */
  T x[OWN][C];

  __device__ __forceinline__ leading_columns(const subwarp_matrix<T> &M_, T *S_)
      : M(M_), S(S_), t((int)threadIdx.x), lane(t & 31), w(t >> 5), leading(M_.n - TRAILING_ORDER)
  {
    for (int c = t; c < M.n; c += LEADING_THREADS)
      for (int o = 0; o < M.n * (int)sizeof(T); o += 128)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(reinterpret_cast<const char *>(column(c)) + o));
#pragma unroll
    for (int i = 0; i < OWN; i++) position[i] = row(i) < M.n ? row(i) : NO_INDEX;
  }
  __device__ __forceinline__ int row(int i) const
  {
    return t + LEADING_THREADS * i;
  }
  __device__ __forceinline__ T *column(int c) const
  {
    return M.a + (int64_t)c * M.ld;
  }
  /* Writes the warps' best rows to shared memory; returns the better candidate and its warp. */
  __device__ __forceinline__ pivot_candidate select_pivot(pivot_exchange<T, C> &D, int j, int &owner) const
  {
    const bool     second       = position[1] >= j && (position[0] < j || abs1(x[1][0]) > abs1(x[0][0]) ||
                                             (abs1(x[1][0]) == abs1(x[0][0]) && position[1] < position[0]));
    const T        own          = second ? x[1][0] : x[0][0];
    const int      own_position = second ? position[1] : position[0];
    const unsigned high         = own_position >= j ? key_high(own) : 0;
    unsigned       most;
    const int      best = pivot_lane<R>(high, key_low(own), own_position, most), parity = j & 1;
    if (lane == best) {
#pragma unroll
      for (int c = 0; c < C; c += V) {
        panel_vec16<T> v;
#pragma unroll
        for (int e = 0; e < V; e++) v.v[e] = second ? x[1][c + e] : x[0][c + e];
        store_panel_vec(D.rows[parity][w] + c, v);
      }
      D.reciprocal[parity][w] = panel_reciprocal(own);
      D.candidates[parity][w] = {high, key_low(own), own_position, row(second)};
    }
    __syncthreads();
    const pivot_candidate a = D.candidates[parity][0], b = D.candidates[parity][1];
    owner = b.high > a.high ||
            (b.high == a.high && (b.low > a.low || (b.low == a.low && b.position < a.position)));
    return owner ? b : a;
  }
  /* The pivot of step j, its row u and 1 / (scaling u[0]) */
  __device__ __forceinline__ pivot_candidate pivot_row(pivot_exchange<T, C> &D, int j, T (&u)[C], R &scaling,
                                                       T &reciprocal)
  {
    int                   owner;
    const pivot_candidate pivot = select_pivot(D, j, owner);
    reciprocal                  = D.reciprocal[j & 1][owner];
    scaling                     = 1;
#pragma unroll
    for (int c = 0; c < C; c += V) {
      const panel_vec16<T> v = load_panel_vec(D.rows[j & 1][owner] + c);
#pragma unroll
      for (int e = 0; e < V; e++) u[c + e] = v.v[e];
    }
    if (!key_reciprocal_safe<T>(pivot.high)) { /* zero, or its reciprocal could overflow */
      scaling    = key_scale(abs1(u[0]));
      reciprocal = panel_reciprocal(times(u[0], scaling));
      if (abs1(u[0]) == R(0)) {
        reciprocal = zero_of<T>();
        if (zero == 0) zero = j + 1;
      }
    }
    return pivot;
  }
};

} // namespace bf
#endif
