/* kernels/cuda/dense/common/warp_factor_panel.cuh - panel of 8 columns of warp_factor.cuh: pivots and W,
 * rows in lanes
 *
 * Computes   LAPACK's pivots of 8 columns in registers, with one to three rows per lane, and W in place of
 *            the columns: the effect of the steps on any other column. Rows do not move; pivot_state holds
 *            the step in which a row became the pivot, and positions in LAPACK's order follow from the
 *            pivot rows.
 * Source     see warp_factor.cuh.
 * Layout     the matrix in shared memory (warp_factor_update.cuh), followed by a buffer of two rows for all
 *            lanes, the pivot rows, and with HELPER a mailbox for the second warp.
 * Cost       one pivot search and one row through shared memory per column.
 * Checked    tests/kernels/dense/t361_inverse_batch.c, t362_lu_batch.c, t367_small_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_COMMON_WARP_FACTOR_PANEL_CUH
#define BF_KERNELS_CUDA_DENSE_COMMON_WARP_FACTOR_PANEL_CUH
#include "kernels/cuda/dense/common/subwarp_pivot.cuh"
#include "kernels/cuda/dense/common/warp_factor_load.cuh"

namespace bf
{

/* x of the one lane with `yes`, in all lanes; 0 if there is none */
BF_DEVICE double of_one(bool yes, double x)
{
  const unsigned hi = __reduce_or_sync(ALL_LANES, yes ? (unsigned)__double2hiint(x) : 0u),
                 lo = __reduce_or_sync(ALL_LANES, yes ? (unsigned)__double2loint(x) : 0u);
  return __hiloint2double((int)hi, (int)lo);
}

/* A lane's part of one matrix: its rows of a panel */
template <class T, int N, int G, bool INVERSE, bool BULK_COPY, bool HELPER>
struct warp_panel {
  using S                 = warp_layout<T, N, G>;
  using R                 = real_t<T>;
  static constexpr int KB = WARP_KB, P = S::pitch, OWN = S::rows_per_lane, V = vec16<T>::length,
                       GROUPS = 32 / G, BYTES = S::template bytes<HELPER>;
  /* Unroll factors of the panel's steps and of the update's blocks of 8 columns, limited by the
   * instruction cache; the code of real types is short. */
  static constexpr bool HALVES = warp_two_halves<T, N, G, INVERSE, HELPER>;
  static constexpr int  UNROLL = !is_complex<T> || HALVES || (OWN == 1 && (INVERSE || sizeof(T) == 16)) ? KB
                                 : sizeof(T) == 8                                                       ? 2
                                                                                                        : 4,
                       UPDATE_UNROLL = UNROLL < KB || HALVES ? 1 : 2;
  /* HALVES: the steps of a panel's second half do not update W of its first half; warp_update accounts
   * for it. For real types one 16-byte unit of the pivot row is then broadcast by warp reductions. */
  static constexpr bool    REDUCE = HALVES && !is_complex<T>, RECORD_LATE = OWN == 1 && G == 32;
  const subwarp_matrix<T> &M;
  const subwarp<G>        &L;
  char                    *warp;     /* the matrices of its subwarps, one after the other */
  T                       *own_rows; /* this lane's entries of column 0 */
  vec16<T>                *row_buffer;
  uint16_t                *pivot_rows;
  int                      w, r, pivot_state[OWN],
      zero = 0; /* r: first row; pivot_state: 0, or KEY_INACTIVE and the number of the pivot */
  R scaling[OWN], nonfinite = 0; /* nonfinite: 0 while all stored values are finite */
  T scale[OWN];

  __device__ __forceinline__ T *matrix(int m) const
  {
    return reinterpret_cast<T *>(warp + m * BYTES);
  }
  __device__ __forceinline__ uint16_t *pivot_rows_of(int m) const
  {
    return reinterpret_cast<uint16_t *>(warp + m * BYTES + S::matrix + S::row_bytes);
  }
  /* For the helper: masks of two panels, alternating; `zero`; positions and scales of rows */
  __device__ __forceinline__ unsigned *mailbox() const
  {
    return reinterpret_cast<unsigned *>(warp + S::bytes_alone);
  }
  __device__ __forceinline__ T *row_scales() const
  {
    return reinterpret_cast<T *>(warp + S::bytes_alone + 48);
  }
  __device__ __forceinline__ uint16_t *positions() const
  {
    return reinterpret_cast<uint16_t *>(row_scales() + N);
  }
  /* Barriers of the copies: the first panel's columns, and all others */
  __device__ __forceinline__ uint64_t *barriers() const
  {
    return reinterpret_cast<uint64_t *>(pivot_rows + N);
  }
  static __device__ __forceinline__ void sync()
  {
    if constexpr (HELPER)
      __syncthreads();
    else
      __syncwarp();
  }
  __device__ __forceinline__ warp_panel(const subwarp_matrix<T> &M_, const subwarp<G> &L_, int w_, char *smem,
                                        bool fetched = false)
      : M(M_), L(L_), warp(smem), w(w_), r(L_.r * OWN)
  {
    T *a       = matrix(L.lane / G);
    own_rows   = a + (r < N ? r : 0);
    row_buffer = reinterpret_cast<vec16<T> *>(a + N * P);
    pivot_rows = pivot_rows_of(L.lane / G);
#pragma unroll
    for (int i = 0; i < OWN; i++) {
      pivot_state[i] = r + i < M.n ? 0 : KEY_INACTIVE | NO_POSITION;
      scaling[i]     = 1;
      scale[i]       = zero_of<T>();
    }
    if (w == 0) {
      for (int i = L.r; i < 2 * KB; i += G) shared_put(a + N * P + i, zero_of<T>());
      for (int i = L.r; i < N; i += G) pivot_rows[i] = 0;
    }
    if (fetched) {
      __syncwarp();
      return;
    }
    if constexpr (BULK_COPY) {
      uint64_t *b = barriers();
      if (r == 0) {
        mbarrier_init(b, 1);
        mbarrier_init(b + 1, 1);
        mbarrier_init_fence();
      }
      __syncwarp();
      load_columns_bulk<T, N, G, 0, KB>(M, L.r, a, b);
      wait_columns_bulk<0>(M, b);
      load_columns_bulk<T, N, G, KB, N>(M, L.r, a, b + 1);
    } else {
      if (w == 0) load_columns_async<T, N, G, 0, KB>(M, L.r, a);
      if (w == 1 || !HELPER) load_columns_async<T, N, G, KB, N>(M, L.r, a);
      if (!HELPER) cp_async_wait_group<1>();
      if (HELPER && w == 0) cp_async_wait_all();
    }
    __syncwarp();
  }

  /* Unit c of the pivot row of step j: not read by any lane; broadcast by reductions */
  static __device__ __forceinline__ constexpr bool skipped(int c, int j)
  {
    return HALVES && j >= KB / 2 && (c + 1) * V <= KB / 2;
  }
  static __device__ __forceinline__ constexpr bool reduced(int c, int j)
  {
    const int last = S::row_vecs - 1, first = skipped(0, j) ? S::row_vecs / 2 : 0;
    return REDUCE && c == (j / V == last ? first : last);
  }
  /* Writes row `which` of the panel for the other lanes, with 1 / pivot in place of the pivot */
  __device__ __forceinline__ void show(bool yes, const T (&x)[OWN][KB], int which, int j, T inverse,
                                       vec16<T> *row) const
  {
#pragma unroll
    for (int i = 0; i < OWN; i++)
#pragma unroll
      for (int c = 0; c < S::row_vecs; c++) {
        if (skipped(c, j) || reduced(c, j)) continue;
        vec16<T> q;
#pragma unroll
        for (int e = 0; e < V; e++) q.e[e] = c * V + e == j ? inverse : x[i][c * V + e];
        store_if(yes && (OWN == 1 || which == i), row + c, q);
      }
  }

  /* RECORD_LATE: records the pivot rows of panel k0 so far; otherwise each step records its own */
  __device__ __forceinline__ void record_pivots(int k0) const
  {
    if (RECORD_LATE && pivot_state[0] < 0 && (unsigned)(position(0) - k0) < KB)
      pivot_rows[position(0)] = (uint16_t)r;
  }
  /* Position in LAPACK's order, before step k, of row i, which is no pivot: step x < k moves the row at
   * position x to where the row of pivot x was. For a pivot: its own position. */
  __device__ __forceinline__ int position_before(int i, int k) const
  {
    int at = r + i;
    if (RECORD_LATE) {
      record_pivots(k & -KB);
      __syncwarp(L.mask);
    }
    if (pivot_state[i] < 0) return position(i);
    while (at < k) at = pivot_rows[at];
    return at;
  }
  __device__ __forceinline__ int position(int i) const
  {
    return pivot_state[i] & NO_POSITION;
  }
  /* This lane's rows of panel k0 */
  __device__ __forceinline__ void load_panel(T (&x)[OWN][KB], int k0) const
  {
#pragma unroll
    for (int j = 0; j < KB; j++) {
      T v[OWN];
      shared_get_run(own_rows + (k0 + j) * P, v);
#pragma unroll
      for (int i = 0; i < OWN; i++) x[i][j] = v[i];
    }
  }
  /* Step k, column j of x; lu: the entries of L or U */
  __device__ __forceinline__ void step(T (&x)[OWN][KB], T (&lu)[OWN][KB], int k, int j)
  {
    vec16<T> *row = row_buffer + j % 2 * S::row_vecs, q[S::row_vecs];
    T         y[OWN]; /* column j, scaled like the published pivot */
    int       which;
#pragma unroll
    for (int i = 0; i < OWN; i++) y[i] = x[i][j];
    const bool is =
        L.bit == find_pivot<INVERSE>(
                     L, k, pivot_state, [&](int i) { return position_before(i, k); }, y, which, zero, scaling,
                     [&](bool yes, int of, T inverse) { show(yes, x, of, j, inverse, row); });
    __syncwarp();
#pragma unroll
    for (int i = 0; i < OWN; i++) x[i][j] = y[i];
#pragma unroll
    for (int c = 0; c < S::row_vecs; c++) {
      if constexpr (REDUCE) {
        if (reduced(c, j)) {
#pragma unroll
          for (int e = 0; e < V; e++) q[c].e[e] = of_one(is, x[0][c * V + e]);
          continue;
        }
      }
      if (!skipped(c, j)) q[c] = row[c];
    }
    const T inverse = q[j / V].e[j % V];
    if (!RECORD_LATE && is) pivot_rows[k] = (uint16_t)(r + which);
#pragma unroll
    for (int i = 0; i < OWN; i++) {
      const bool taken = is && (OWN == 1 || which == i);
      const bool other = !taken && (INVERSE || pivot_state[i] == 0);
      const T    minus = select(other, -x[i][j], zero_of<T>()) * inverse;
      if (taken) {
        pivot_state[i] = k + KEY_INACTIVE;
        if (INVERSE) scale[i] = inverse;
      }
#pragma unroll
      for (int c = 0; c < KB; c++)
        if (c != j && !skipped(c / V, j)) x[i][c] = muladd(minus, q[c / V].e[c % V], x[i][c]);
      if (!INVERSE) {
        lu[i][j] = select(other, -minus, x[i][j]);
        materialize(lu[i][j]);
      }
      x[i][j] = INVERSE ? select(other, minus, from_real<T>(1)) : minus;
      materialize(x[i][j]);
    }
  }
  /* Converts pivot rows to LAPACK's ipiv: position of pivot row k before step k, by pointer jumping; in
   * registers for one row per lane */
  __device__ __forceinline__ void store_ipiv(int *ipiv, int first)
  {
    int  at[OWN];
    bool on = OWN > 1;
#pragma unroll
    for (int i = 0; i < OWN; i++) at[i] = L.r + G * i < M.n ? pivot_rows[L.r + G * i] : L.r + G * i;
    while (OWN == 1 && __any_sync(ALL_LANES, at[0] < L.r)) {
      const int next = __shfl_sync(ALL_LANES, at[0], L.first + at[0]);
      if (at[0] < L.r) at[0] = next;
    }
    while (OWN > 1 && __any_sync(ALL_LANES, on)) {
      on = false;
#pragma unroll
      for (int i = 0; i < OWN; i++)
        if (at[i] < L.r + G * i) {
          at[i] = pivot_rows[at[i]];
          on    = on || at[i] < L.r + G * i;
        }
      __syncwarp();
#pragma unroll
      for (int i = 0; i < OWN; i++)
        if (L.r + G * i < M.n) pivot_rows[L.r + G * i] = (uint16_t)at[i];
      __syncwarp();
    }
#pragma unroll
    for (int i = 0; i < OWN; i++)
      if (L.r + G * i < M.n) ipiv[L.r + G * i] = at[i] + 1 + first;
  }
};

} // namespace bf
#endif
