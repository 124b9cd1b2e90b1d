/* kernels/cuda/dense/common/leading_columns.cuh - columns in front of 64, in registers: their rows and the
 * choice of a pivot
 *
 * Layout     two warps; a thread has rows t and t + 64, which stay where they are while their places change.
 *            Each warp lays its best row out in shared memory, with its key and its reciprocal; all take the
 *            better of the two: one barrier a step.
 * Checked    t361, t362, t366, t368.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_COMMON_LEADING_COLUMNS_CUH
#define BF_KERNELS_CUDA_DENSE_COMMON_LEADING_COLUMNS_CUH
#include "kernels/cuda/dense/common/pivot_key.cuh"
#include "kernels/cuda/dense/common/subwarp_rows.cuh"
#include "kernels/cuda/dense/common/vector_access.cuh"

namespace bf
{

enum { FRONT_REST = 64, FRONT_THREADS = 64 };

/* A warp's best row in the column at hand: its key in halves, its place, its number */
struct alignas(16) front_claim {
  unsigned high, low;
  int      place, row;
};
/* The rows that were chosen, by the turn and the warp */
template <class T, int C>
struct alignas(16) front_shown {
  alignas(16) T rows[2][2][C], reciprocal[2][2];
  front_claim claims[2][2];
};

/* C columns, all rows */
template <class T, int C>
struct front_rows {
  using R = real_t<T>;
  enum { OWN = 2, NOWHERE = 0xffff };
  static constexpr int V = lu_vec<T>;

  const small_matrix<T> &M;
  T                     *S;                    /* shared: 64 columns, one after the other */
  int t, lane, w, front, place[OWN], zero = 0; /* front: columns; zero: first without a pivot */
  R   rest = 0;                                /* 0 while all is finite */
  T   x[OWN][C];

  __device__ __forceinline__ front_rows(const small_matrix<T> &M_, T *S_)
      : M(M_), S(S_), t((int)threadIdx.x), lane(t & 31), w(t >> 5), front(M_.n - FRONT_REST)
  {
    for (int c = t; c < M.n; c += FRONT_THREADS)
      for (int o = 0; o < M.n * (int)sizeof(T); o += 128)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(reinterpret_cast<const char *>(column(c)) + o));
#pragma unroll
    for (int i = 0; i < OWN; i++) place[i] = row(i) < M.n ? row(i) : NOBODY;
  }
  __device__ __forceinline__ int row(int i) const
  {
    return t + FRONT_THREADS * i;
  }
  __device__ __forceinline__ T *column(int c) const
  {
    return M.a + (int64_t)c * M.ld;
  }
  /* The warps' best rows, laid out for all; the better of them, and which warp's */
  __device__ __forceinline__ front_claim choose(front_shown<T, C> &D, int j, int &whose) const
  {
    const bool     second = place[1] >= j && (place[0] < j || abs1(x[1][0]) > abs1(x[0][0]) ||
                                          (abs1(x[1][0]) == abs1(x[0][0]) && place[1] < place[0]));
    const T        mine   = second ? x[1][0] : x[0][0];
    const int      at     = second ? place[1] : place[0];
    const unsigned high   = at >= j ? lu_high(mine) : 0;
    unsigned       most;
    const int      best = lu_best_lane<R>(high, lu_low(mine), at, most), turn = j & 1;
    if (lane == best) {
#pragma unroll
      for (int c = 0; c < C; c += V) {
        lu_packet<T> v;
#pragma unroll
        for (int e = 0; e < V; e++) v.v[e] = second ? x[1][c + e] : x[0][c + e];
        lu_store(D.rows[turn][w] + c, v);
      }
      D.reciprocal[turn][w] = lu_reciprocal(mine);
      D.claims[turn][w]     = {high, lu_low(mine), at, row(second)};
    }
    __syncthreads();
    const front_claim a = D.claims[turn][0], b = D.claims[turn][1];
    whose = b.high > a.high || (b.high == a.high && (b.low > a.low || (b.low == a.low && b.place < a.place)));
    return whose ? b : a;
  }
  /* The pivot of step j, its row u and 1 / (by u[0]) */
  __device__ __forceinline__ front_claim take(front_shown<T, C> &D, int j, T (&u)[C], R &by, T &reciprocal)
  {
    int               whose;
    const front_claim pivot = choose(D, j, whose);
    reciprocal              = D.reciprocal[j & 1][whose];
    by                      = 1;
#pragma unroll
    for (int c = 0; c < C; c += V) {
      const lu_packet<T> v = lu_load(D.rows[j & 1][whose] + c);
#pragma unroll
      for (int e = 0; e < V; e++) u[c + e] = v.v[e];
    }
    if (!lu_usual<T>(pivot.high)) { /* zero, or its reciprocal could overflow */
      by         = lu_scale(abs1(u[0]));
      reciprocal = lu_reciprocal(times(u[0], by));
      if (abs1(u[0]) == R(0)) {
        reciprocal = lu_zero<T>();
        if (zero == 0) zero = j + 1;
      }
    }
    return pivot;
  }
};

} // namespace bf
#endif
