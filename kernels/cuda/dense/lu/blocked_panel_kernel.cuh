/* kernels/cuda/dense/lu/blocked_panel_kernel.cuh - one panel of LU by stages: its rows, a thread's each
 *
 * Layout     a row is a thread's, SUB of its columns in registers at a time; threads of a warp have rows
 *            beside each other: columns are read and written without shared memory on the way.
 * Cost       two barriers a column.
 * Checked    t362, t366, t368.
 *
 * Rows do not move before the end: a row's place in LAPACK's order is a number beside it.  Each warp names
 * its best row, all of them choose the best of these, whose warp lays it out for all.  The loop over columns
 * is a loop, so that its code is short, and registers cannot be addressed by column: the update moves every
 * row one place to the left instead, for nothing.  Of two halves the first one waits for the end in shared
 * memory; the last columns go back to A as they are done: at most 2 NB rows have another place in the end
 * than in the beginning, those are read again and written there.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_LU_BLOCKED_PANEL_KERNEL_CUH
#define BF_KERNELS_CUDA_DENSE_LU_BLOCKED_PANEL_KERNEL_CUH
#include "kernels/cuda/dense/common/pivot_key.cuh"
#include "kernels/cuda/dense/common/subwarp_rows.cuh"
#include "kernels/cuda/dense/common/vector_access.cuh"

namespace bf
{

enum { LU_PANEL_WARPS = 16 };

template <class T, int SUB>
struct alignas(16) lu_pivot_row {
  T row[SUB], reciprocal;
};
/* A warp's best row in the column at hand: its key in halves, its place. */
struct alignas(16) lu_claim {
  unsigned high, low;
  int      place;
};
/* Between the halves of a panel: L11 by columns, U12 by rows, where the pivots' rows lie. */
template <class T, int SUB>
struct lu_corner {
  alignas(16) T l[SUB * SUB];
  alignas(16) T u[SUB * SUB];
  int row[SUB];
};
struct lu_no_corner {
};
template <class T, int NB, int SUB>
struct lu_panel_room {
  lu_pivot_row<T, SUB> pivot[2];
  lu_claim             claim[2][LU_PANEL_WARPS];
  int                  chosen[NB]; /* the pivots' places before */
  int                  zero;       /* first column, from 1, without a pivot */
  std::conditional_t<(SUB < NB), lu_corner<T, SUB>, lu_no_corner> corner;
};

/* Addresses formed with it are formed anew: kept from an earlier use they would take registers. */
static __device__ __forceinline__ int64_t lu_anew(int64_t x)
{
  asm volatile("" : "+l"(x));
  return x;
}

template <class T, int NB, int SUB, bool WHOLE>
struct lu_panel_rows {
  T                          a[SUB];
  int                        row, place, m;
  int64_t                    ld;
  T                         *A, *kept; /* the row's part of the first half, a block's rows apart */
  real_t<T>                  watch;    /* 0 while all is finite */
  lu_panel_room<T, NB, SUB> &S;

  __device__ __forceinline__ int lane() const
  {
    return row & 31;
  }
  __device__ __forceinline__ int w() const
  {
    return row >> 5;
  }
  __device__ __forceinline__ int warps() const
  {
    return (m + 31) >> 5;
  }
  __device__ __forceinline__ int threads() const
  {
    return (m + 31) & ~31;
  }

  static __device__ __forceinline__ T get(const T *p)
  {
    return load(p, WHOLE);
  }
  static __device__ __forceinline__ void put(T *p, T x)
  {
    store(p, x, WHOLE);
  }
  /* SUB columns of a row from p on */
  __device__ __forceinline__ void read(const T *p)
  {
    const int64_t step = lu_anew(ld);
#pragma unroll
    for (int c = 0; c < SUB; c++, p += step) a[c] = get(p);
  }
  /* The pivot's row laid out, and the upper half of its key. */
  template <int NC>
  __device__ __forceinline__ const lu_pivot_row<T, SUB> *choose(int j, unsigned &most)
  {
    lu_pivot_row<T, SUB> *s  = S.pivot + (j & 1);
    lu_claim             *to = S.claim[j & 1];
    bool mine = lane() == lu_best_lane<real_t<T>>(place >= j ? lu_high(a[0]) : 0, lu_low(a[0]), place, most);
    if (mine) *reinterpret_cast<uint4 *>(to + w()) = make_uint4(most, lu_low(a[0]), (unsigned)place, 0);
    __syncthreads();
    const bool      one  = lane() < warps();
    const lu_claim &c    = to[one ? lane() : 0];
    const int       best = lu_best_lane<real_t<T>>(one ? c.high : 0, c.low, c.place, most);
    mine                 = mine && w() == best;
    if (mine) {
#pragma unroll
      for (int c = 0; c < NC; c += lu_vec<T>) {
        lu_packet<T> v;
#pragma unroll
        for (int e = 0; e < lu_vec<T>; e++) v.v[e] = a[c + e];
        lu_store(s->row + c, v);
      }
      s->reciprocal = lu_reciprocal(a[0]);
      S.chosen[j]   = place;
    }
    __syncthreads();
    return s;
  }
  /* Columns j0 .. j0+7; a[0] is the column at hand, a[NC-1] the last one that matters. */
  template <int NC, bool KEPT>
  __device__ __forceinline__ void columns(int j0)
  {
    const int64_t step = KEPT ? threads() : ld;
    T            *done = (KEPT ? kept : A + row) + j0 * step;
#pragma unroll 1
    for (int j = j0; j < j0 + 8; j++, done += step) {
      unsigned                    most;
      const lu_pivot_row<T, SUB> *s          = choose<NC>(j, most);
      const int                   pivot      = S.chosen[j];
      T                           reciprocal = s->reciprocal, x = a[0];
      lu_packet<T>                u = lu_load(s->row);
      if (!lu_usual<T>(most)) { /* zero, or its reciprocal could overflow */
        const real_t<T> scale = lu_scale(abs1(u.v[0]));
        x                     = times(x, scale);
        reciprocal            = lu_reciprocal(times(u.v[0], scale));
        if (abs1(u.v[0]) == real_t<T>(0)) {
          reciprocal = lu_zero<T>();
          if (row == 0 && S.zero == 0) S.zero = j + 1;
        }
      }
      place          = place == pivot ? j : place == j ? pivot : place;
      const bool on  = place > j;
      const T    l   = on ? x * reciprocal : lu_zero<T>();
      const T    out = on ? l : a[0];
      if (place >= 0) {
        if (KEPT)
          *done = out;
        else
          put(done, out);
        watch = with(out, watch);
      }
#pragma unroll
      for (int c = 0; c < NC; c += lu_vec<T>) {
        if (c > 0) u = lu_load(s->row + c);
#pragma unroll
        for (int e = 0; e < lu_vec<T>; e++)
          if (c + e > 0) a[c + e - 1] = mulsub(l, u.v[e], a[c + e]);
      }
    }
  }
  /* U12 of the columns from `from` on, by the first warp, a lane a column. */
  __device__ __forceinline__ void solve(const T *from)
  {
    auto &Q = S.corner;
    if (place >= 0 && place < SUB) {
      Q.row[place] = row;
#pragma unroll 4
      for (int k = 0; k < SUB; k++) Q.l[k * SUB + place] = kept[k * threads()];
    }
    __syncthreads();
    if (row < SUB) {
      T x[SUB];
      from += row * ld;
#pragma unroll
      for (int k = 0; k < SUB; k++) x[k] = get(from + Q.row[k]);
#pragma unroll
      for (int k = 0; k < SUB; k++) {
#pragma unroll
        for (int i = (k + 1) / lu_vec<T> * lu_vec<T>; i < SUB; i += lu_vec<T>) {
          const lu_packet<T> l = lu_load(Q.l + k * SUB + i);
#pragma unroll
          for (int e = 0; e < lu_vec<T>; e++)
            if (i + e > k) x[i + e] = mulsub(l.v[e], x[k], x[i + e]);
        }
        Q.u[k * SUB + row] = x[k];
      }
    }
    __syncthreads();
  }
  /* The row's part of A22 - L21 U12, or its row of U12 */
  __device__ __forceinline__ void update()
  {
#pragma unroll 1 /* twice would take the registers that columns() wants */
    for (int k = 0; k < SUB; k++) {
      const T l = kept[k * threads()];
#pragma unroll
      for (int c = 0; c < SUB; c += lu_vec<T>) {
        const lu_packet<T> u = lu_load(S.corner.u + k * SUB + c);
#pragma unroll
        for (int e = 0; e < lu_vec<T>; e++) a[c + e] = mulsub(l, u.v[e], a[c + e]);
      }
    }
    if (place < 0 || place >= SUB) return;
#pragma unroll
    for (int c = 0; c < SUB; c++) a[c] = S.corner.u[place * SUB + c];
  }
  template <int J, int NC, bool KEPT>
  __device__ __forceinline__ void eights()
  {
    if constexpr (NC > 0) {
      columns<NC, KEPT>(J);
      eights<J + 8, NC - 8, KEPT>();
    }
  }
  __device__ __forceinline__ void factor()
  {
    read(A + min(row, m - 1));
    eights<0, SUB, (SUB < NB)>();
    if constexpr (SUB < NB) {
      const T *half = A + SUB * ld;
      solve(half);
      read(half + min(row, m - 1));
      update();
      eights<SUB, SUB, false>();
    }
  }
  /* Rows to their places */
  __device__ __forceinline__ void exchange()
  {
    constexpr int FIRST = SUB < NB ? SUB : 0; /* columns kept */
    const bool    moves = place != row;
    T            *p     = A + FIRST * ld;
    __syncthreads();
    if (place >= 0 && moves) read(p + row);
    __syncthreads();
    if (place < 0) return;
    if (moves) {
      T            *to   = p + place;
      const int64_t step = lu_anew(ld);
#pragma unroll
      for (int c = 0; c < SUB; c++, to += step) put(to, a[c]);
    }
    T *to = A + place;
#pragma unroll 8
    for (int c = 0; c < FIRST; c++, to += ld) put(to, kept[c * threads()]);
  }
};

} // namespace bf
#endif
