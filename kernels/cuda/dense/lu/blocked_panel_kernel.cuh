/* kernels/cuda/dense/lu/blocked_panel_kernel.cuh - blocked LU: device code of a panel, a row per thread
 *
 * Computes   the steps of blocked_panel.cuh.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., algorithm 3.4.1.
 * Layout     SUB columns of a thread's row are in registers at a time; neighbouring threads have
 *            neighbouring rows, so columns are accessed without shared memory. Rows do not move before the
 *            end: `position` is the row's position in LAPACK's order. Each warp writes a candidate, all
 *            warps choose among them, and the chosen warp writes its row for all. The loop over columns is
 *            not unrolled, to keep the code short; registers cannot be indexed at run time, so the update
 *            shifts every row by one register. Of two halves the first one stays in shared memory until the
 *            end; the last columns are stored to A as they are finished. At most 2 NB rows change their
 *            position; those are read again and stored there.
 * Cost       two barriers per column.
 * Checked    tests/kernels/dense/t362_lu_batch.c, t366_sizes_batch.c, t368_lu_panels.c.
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
/* A warp's best row in the current column: its key in halves, its position */
struct alignas(16) panel_candidate {
  unsigned high, low;
  int      position;
};
/* Between the halves of a panel: L11 by columns, U12 by rows, and the pivots' rows */
template <class T, int SUB>
struct panel_halves {
  alignas(16) T l[SUB * SUB];
  alignas(16) T u[SUB * SUB];
  int row[SUB];
};
struct panel_no_halves {
};
template <class T, int NB, int SUB>
struct lu_panel_smem {
  lu_pivot_row<T, SUB> pivot[2];
  panel_candidate      candidate[2][LU_PANEL_WARPS];
  int                  pivots[NB]; /* the pivots' positions before their step */
  int                  zero;       /* first column, from 1, without a pivot */
  std::conditional_t<(SUB < NB), panel_halves<T, SUB>, panel_no_halves> corner;
};

/* Addresses that use the result are recomputed; keeping them would take registers. */
static __device__ __forceinline__ int64_t recompute(int64_t x)
{
  asm volatile("" : "+l"(x));
  return x;
}

template <class T, int NB, int SUB, bool ALIGNED>
struct lu_panel_rows {
  T                          a[SUB];
  int                        row, position, m;
  int64_t                    ld;
  T                         *A, *first_half; /* the row's part of the first half, pitch: the block's rows */
  real_t<T>                  nonfinite;      /* 0 while all entries are finite */
  lu_panel_smem<T, NB, SUB> &S;

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
    return load(p, ALIGNED);
  }
  static __device__ __forceinline__ void put(T *p, T x)
  {
    store(p, x, ALIGNED);
  }
  /* SUB columns of a row from p on */
  __device__ __forceinline__ void load_row(const T *p)
  {
    const int64_t step = recompute(ld);
#pragma unroll
    for (int c = 0; c < SUB; c++, p += step) a[c] = get(p);
  }
  /* The pivot row in shared memory, and the upper half of its key */
  template <int NC>
  __device__ __forceinline__ const lu_pivot_row<T, SUB> *select_pivot(int j, unsigned &most)
  {
    lu_pivot_row<T, SUB> *s  = S.pivot + (j & 1);
    panel_candidate      *to = S.candidate[j & 1];
    bool                  mine =
        lane() == pivot_lane<real_t<T>>(position >= j ? key_high(a[0]) : 0, key_low(a[0]), position, most);
    if (mine) *reinterpret_cast<uint4 *>(to + w()) = make_uint4(most, key_low(a[0]), (unsigned)position, 0);
    __syncthreads();
    const bool             is_warp = lane() < warps();
    const panel_candidate &c       = to[is_warp ? lane() : 0];
    const int              best    = pivot_lane<real_t<T>>(is_warp ? c.high : 0, c.low, c.position, most);
    mine                           = mine && w() == best;
    if (mine) {
#pragma unroll
      for (int c = 0; c < NC; c += panel_vec<T>) {
        panel_vec16<T> v;
#pragma unroll
        for (int e = 0; e < panel_vec<T>; e++) v.v[e] = a[c + e];
        store_panel_vec(s->row + c, v);
      }
      s->reciprocal = panel_reciprocal(a[0]);
      S.pivots[j]   = position;
    }
    __syncthreads();
    return s;
  }
  /* Columns j0 .. j0+7; a[0] is the current column, a[NC-1] the last one needed. */
  template <int NC, bool FIRST_HALF>
  __device__ __forceinline__ void columns(int j0)
  {
    const int64_t step = FIRST_HALF ? threads() : ld;
    T            *done = (FIRST_HALF ? first_half : A + row) + j0 * step;
#pragma unroll 1
    for (int j = j0; j < j0 + 8; j++, done += step) {
      unsigned                    most;
      const lu_pivot_row<T, SUB> *s          = select_pivot<NC>(j, most);
      const int                   pivot      = S.pivots[j];
      T                           reciprocal = s->reciprocal, x = a[0];
      panel_vec16<T>              u = load_panel_vec(s->row);
      if (!key_reciprocal_safe<T>(most)) { /* zero, or its reciprocal could overflow */
        const real_t<T> scale = key_scale(abs1(u.v[0]));
        x                     = times(x, scale);
        reciprocal            = panel_reciprocal(times(u.v[0], scale));
        if (abs1(u.v[0]) == real_t<T>(0)) {
          reciprocal = zero_of<T>();
          if (row == 0 && S.zero == 0) S.zero = j + 1;
        }
      }
      position       = position == pivot ? j : position == j ? pivot : position;
      const bool on  = position > j;
      const T    l   = on ? x * reciprocal : zero_of<T>();
      const T    out = on ? l : a[0];
      if (position >= 0) {
        if (FIRST_HALF)
          *done = out;
        else
          put(done, out);
        nonfinite = track_nonfinite(out, nonfinite);
      }
#pragma unroll
      for (int c = 0; c < NC; c += panel_vec<T>) {
        if (c > 0) u = load_panel_vec(s->row + c);
#pragma unroll
        for (int e = 0; e < panel_vec<T>; e++)
          if (c + e > 0) a[c + e - 1] = mulsub(l, u.v[e], a[c + e]);
      }
    }
  }
  /* U12 of the columns from `from` on, by the first warp, a lane per column */
  __device__ __forceinline__ void solve(const T *from)
  {
    auto &Q = S.corner;
    if (position >= 0 && position < SUB) {
      Q.row[position] = row;
#pragma unroll 4
      for (int k = 0; k < SUB; k++) Q.l[k * SUB + position] = first_half[k * threads()];
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
        for (int i = (k + 1) / panel_vec<T> * panel_vec<T>; i < SUB; i += panel_vec<T>) {
          const panel_vec16<T> l = load_panel_vec(Q.l + k * SUB + i);
#pragma unroll
          for (int e = 0; e < panel_vec<T>; e++)
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
#pragma unroll 1 /* unrolled twice it would take the registers of columns() */
    for (int k = 0; k < SUB; k++) {
      const T l = first_half[k * threads()];
#pragma unroll
      for (int c = 0; c < SUB; c += panel_vec<T>) {
        const panel_vec16<T> u = load_panel_vec(S.corner.u + k * SUB + c);
#pragma unroll
        for (int e = 0; e < panel_vec<T>; e++) a[c + e] = mulsub(l, u.v[e], a[c + e]);
      }
    }
    if (position < 0 || position >= SUB) return;
#pragma unroll
    for (int c = 0; c < SUB; c++) a[c] = S.corner.u[position * SUB + c];
  }
  template <int J, int NC, bool FIRST_HALF>
  __device__ __forceinline__ void columns_by_8()
  {
    if constexpr (NC > 0) {
      columns<NC, FIRST_HALF>(J);
      columns_by_8<J + 8, NC - 8, FIRST_HALF>();
    }
  }
  __device__ __forceinline__ void factor()
  {
    load_row(A + min(row, m - 1));
    columns_by_8<0, SUB, (SUB < NB)>();
    if constexpr (SUB < NB) {
      const T *half = A + SUB * ld;
      solve(half);
      load_row(half + min(row, m - 1));
      update();
      columns_by_8<SUB, SUB, false>();
    }
  }
  /* Stores the rows at their final positions */
  __device__ __forceinline__ void exchange()
  {
    constexpr int FIRST = SUB < NB ? SUB : 0; /* columns of the first half */
    const bool    moves = position != row;
    T            *p     = A + FIRST * ld;
    __syncthreads();
    if (position >= 0 && moves) load_row(p + row);
    __syncthreads();
    if (position < 0) return;
    if (moves) {
      T            *to   = p + position;
      const int64_t step = recompute(ld);
#pragma unroll
      for (int c = 0; c < SUB; c++, to += step) put(to, a[c]);
    }
    T *to = A + position;
#pragma unroll 8
    for (int c = 0; c < FIRST; c++, to += ld) put(to, first_half[c * threads()]);
  }
};

} // namespace bf
#endif
