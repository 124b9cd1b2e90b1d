/* kernels/cuda/dense/common/warp_factor_panel.cuh - the steps of a panel of warp_factor.cuh: rows in lanes
 *
 * Computes   pivots as LAPACK's of 8 columns in registers, one, two or three rows a lane, and in place of
 *            the columns W, what the steps do to any other column.  Rows never move; a row knows as which
 *            pivot it was taken, and its place in LAPACK's order follows from the rows of the pivots.
 * Layout     the matrix in shared memory (warp_factor_update.cuh), behind it two rows that are shown to all
 *            lanes, the rows of the pivots, and with HELP what a second warp is told.
 * Checked    tests/kernels/dense/t361_inverse_batch.c, t362_lu_batch.c, t367_small_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_COMMON_WARP_FACTOR_PANEL_CUH
#define BF_KERNELS_CUDA_DENSE_COMMON_WARP_FACTOR_PANEL_CUH
#include "kernels/cuda/dense/common/subwarp_pivot.cuh"
#include "kernels/cuda/dense/common/warp_factor_load.cuh"

namespace bf
{

/* x of the one lane that says yes, for all; 0 where none does */
BF_DEVICE double of_one(bool yes, double x)
{
  const unsigned hi = __reduce_or_sync(ALL_LANES, yes ? (unsigned)__double2hiint(x) : 0u),
                 lo = __reduce_or_sync(ALL_LANES, yes ? (unsigned)__double2loint(x) : 0u);
  return __hiloint2double((int)hi, (int)lo);
}

/* A lane's part in one matrix: its rows in a panel */
template <class T, int N, int G, bool INVERSE, bool BULK_COPY, bool HELPER>
struct warp_panel {
  using S                 = warp_layout<T, N, G>;
  using R                 = real_t<T>;
  static constexpr int KB = WARP_KB, P = S::pitch, OWN = S::rows_per_lane, V = vec16<T>::length,
                       GROUPS = 32 / G, BYTES = S::template bytes<HELPER>;
  /* Steps of a panel, and blocks of 8 columns of an update, in their code: the less of it, the nearer it
   * stays; that of real numbers is short */
  static constexpr bool HALVES = warp_two_halves<T, N, G, INVERSE, HELPER>;
  static constexpr int  UNROLL = !is_complex<T> || HALVES || (OWN == 1 && (INVERSE || sizeof(T) == 16)) ? KB
                                 : sizeof(T) == 8                                                       ? 2
                                                                                                        : 4,
                       UPDATE_UNROLL = UNROLL < KB || HALVES ? 1 : 2;
  /* HALVES: the steps of a panel's second half leave W of its first half alone, and warp_update makes up for
   * it.  Of what a step of real numbers then shows to all lanes a packet goes by the warp's reductions. */
  static constexpr bool    REDUCE = HALVES && !is_complex<T>, RECORD_LATE = OWN == 1 && G == 32;
  const subwarp_matrix<T> &M;
  const subwarp<G>        &L;
  char                    *warp;     /* the matrices of its groups, one after the other */
  T                       *own_rows; /* of column 0, this lane's entries */
  vec16<T>                *row_buffer;
  uint16_t                *pivot_rows;
  int w, r, pivot_state[OWN], zero = 0; /* r: first row; done: 0, or NO_ROW and which pivot */
  R   scaling[OWN], nonfinite = 0;      /* rest: 0 while all that was stored is finite */
  T   scale[OWN];

  __device__ __forceinline__ T *matrix(int m) const
  {
    return reinterpret_cast<T *>(warp + m * BYTES);
  }
  __device__ __forceinline__ uint16_t *pivot_rows_of(int m) const
  {
    return reinterpret_cast<uint16_t *>(warp + m * BYTES + S::matrix + S::row_bytes);
  }
  /* What the helper is told: masks of two panels in turn, `zero`; places and scales of rows */
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
  /* Of the first panel's columns, which come before the others are asked for, and of those */
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

  /* Packet c of the row that step j shows: nobody reads it; it goes by reductions */
  static __device__ __forceinline__ constexpr bool skipped(int c, int j)
  {
    return HALVES && j >= KB / 2 && (c + 1) * V <= KB / 2;
  }
  static __device__ __forceinline__ constexpr bool reduced(int c, int j)
  {
    const int last = S::row_vecs - 1, first = skipped(0, j) ? S::row_vecs / 2 : 0;
    return REDUCE && c == (j / V == last ? first : last);
  }
  /* Row `which` of the panel for the others, with the pivot's reciprocal in place of the pivot */
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

  /* NOTED: which rows were the pivots of panel k0 so far; otherwise each step says so */
  __device__ __forceinline__ void record_pivots(int k0) const
  {
    if (RECORD_LATE && pivot_state[0] < 0 && (unsigned)(position(0) - k0) < KB)
      pivot_rows[position(0)] = (uint16_t)r;
  }
  /* The place in LAPACK's order of row i, which is no pivot, before step k: what is at a place x < k is sent
   * by step x to where the row of pivot x was; of a pivot its own. */
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
  /* Of panel k0 this lane's rows */
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
  /* Step k, whose column is j of x; lu: what of it is L's or U's */
  __device__ __forceinline__ void step(T (&x)[OWN][KB], T (&lu)[OWN][KB], int k, int j)
  {
    vec16<T> *row = row_buffer + j % 2 * S::row_vecs, q[S::row_vecs];
    T         y[OWN]; /* column j, perhaps scaled as what is shown in the pivot's place */
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
  /* Where the rows of pivots k were before steps k: in the same way, each round twice as far; with a row a
   * lane in registers */
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
