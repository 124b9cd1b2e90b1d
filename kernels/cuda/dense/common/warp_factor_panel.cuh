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
BF_LANES double of_one(bool yes, double x)
{
  const unsigned hi = __reduce_or_sync(ALL_LANES, yes ? (unsigned)__double2hiint(x) : 0u),
                 lo = __reduce_or_sync(ALL_LANES, yes ? (unsigned)__double2loint(x) : 0u);
  return __hiloint2double((int)hi, (int)lo);
}

/* A lane's part in one matrix: its rows in a panel */
template <class T, int N, int G, bool INVERSE, bool ENGINE, bool HELP>
struct warp_rows {
  using S                 = warp_shape<T, N, G>;
  using R                 = real_t<T>;
  static constexpr int KB = WARP_KB, P = S::pitch, OWN = S::own, V = packet<T>::of, MANY = 32 / G,
                       BYTES = S::template bytes<HELP>;
  /* Steps of a panel, and blocks of 8 columns of an update, in their code: the less of it, the nearer it
   * stays; that of real numbers is short */
  static constexpr bool HALVES = warp_halves<T, N, G, INVERSE, HELP>;
  static constexpr int  TURN   = !is_complex<T> || HALVES || (OWN == 1 && (INVERSE || sizeof(T) == 16)) ? KB
                                 : sizeof(T) == 8                                                       ? 2
                                                                                                        : 4,
                       AT_ONCE = TURN < KB || HALVES ? 1 : 2;
  /* HALVES: the steps of a panel's second half leave W of its first half alone, and warp_update makes up for
   * it.  Of what a step of real numbers then shows to all lanes a packet goes by the warp's reductions. */
  static constexpr bool  REDUCE = HALVES && !is_complex<T>, NOTED = OWN == 1 && G == 32;
  const small_matrix<T> &M;
  const lane_group<G>   &L;
  char                  *warp; /* the matrices of its groups, one after the other */
  T                     *own;  /* of column 0, this lane's entries */
  packet<T>             *shown;
  uint16_t              *order;
  int                    w, r, done[OWN], zero = 0; /* r: first row; done: 0, or NO_ROW and which pivot */
  R                      by[OWN], rest = 0;         /* rest: 0 while all that was stored is finite */
  T                      scale[OWN];

  __device__ __forceinline__ T *matrix(int m) const
  {
    return reinterpret_cast<T *>(warp + m * BYTES);
  }
  __device__ __forceinline__ uint16_t *order_of(int m) const
  {
    return reinterpret_cast<uint16_t *>(warp + m * BYTES + S::matrix + S::rows);
  }
  /* What the helper is told: masks of two panels in turn, `zero`; places and scales of rows */
  __device__ __forceinline__ unsigned *told() const
  {
    return reinterpret_cast<unsigned *>(warp + S::alone);
  }
  __device__ __forceinline__ T *scales() const
  {
    return reinterpret_cast<T *>(warp + S::alone + 48);
  }
  __device__ __forceinline__ uint16_t *places() const
  {
    return reinterpret_cast<uint16_t *>(scales() + N);
  }
  /* Of the first panel's columns, which come before the others are asked for, and of those */
  __device__ __forceinline__ uint64_t *barriers() const
  {
    return reinterpret_cast<uint64_t *>(order + N);
  }
  static __device__ __forceinline__ void sync()
  {
    if constexpr (HELP)
      __syncthreads();
    else
      __syncwarp();
  }
  __device__ __forceinline__ warp_rows(const small_matrix<T> &M_, const lane_group<G> &L_, int w_, char *room,
                                       bool fetched = false)
      : M(M_), L(L_), warp(room), w(w_), r(L_.r * OWN)
  {
    T *a  = matrix(L.lane / G);
    own   = a + (r < N ? r : 0);
    shown = reinterpret_cast<packet<T> *>(a + N * P);
    order = order_of(L.lane / G);
#pragma unroll
    for (int i = 0; i < OWN; i++) {
      done[i]  = r + i < M.n ? 0 : NO_ROW | NO_PLACE;
      by[i]    = 1;
      scale[i] = zero_of<T>();
    }
    if (w == 0) {
      for (int i = L.r; i < 2 * KB; i += G) shared_put(a + N * P + i, zero_of<T>());
      for (int i = L.r; i < N; i += G) order[i] = 0;
    }
    if (fetched) {
      __syncwarp();
      return;
    }
    if constexpr (ENGINE) {
      uint64_t *b = barriers();
      if (r == 0) {
        bf_barrier_init(b, 1);
        bf_barrier_init(b + 1, 1);
        bf_barrier_made();
      }
      __syncwarp();
      fetch_engine<T, N, G, 0, KB>(M, L.r, a, b);
      fetch_wait<0>(M, b);
      fetch_engine<T, N, G, KB, N>(M, L.r, a, b + 1);
    } else {
      if (w == 0) fetch_columns<T, N, G, 0, KB>(M, L.r, a);
      if (w == 1 || !HELP) fetch_columns<T, N, G, KB, N>(M, L.r, a);
      if (!HELP) bf_copies_wait<1>();
      if (HELP && w == 0) bf_copies_done();
    }
    __syncwarp();
  }

  /* Packet c of the row that step j shows: nobody reads it; it goes by reductions */
  static __device__ __forceinline__ constexpr bool unread(int c, int j)
  {
    return HALVES && j >= KB / 2 && (c + 1) * V <= KB / 2;
  }
  static __device__ __forceinline__ constexpr bool reduced(int c, int j)
  {
    const int last = S::packets - 1, first = unread(0, j) ? S::packets / 2 : 0;
    return REDUCE && c == (j / V == last ? first : last);
  }
  /* Row `which` of the panel for the others, with the pivot's reciprocal in place of the pivot */
  __device__ __forceinline__ void show(bool yes, const T (&x)[OWN][KB], int which, int j, T inverse,
                                       packet<T> *row) const
  {
#pragma unroll
    for (int i = 0; i < OWN; i++)
#pragma unroll
      for (int c = 0; c < S::packets; c++) {
        if (unread(c, j) || reduced(c, j)) continue;
        packet<T> q;
#pragma unroll
        for (int e = 0; e < V; e++) q.e[e] = c * V + e == j ? inverse : x[i][c * V + e];
        put_where(yes && (OWN == 1 || which == i), row + c, q);
      }
  }

  /* NOTED: which rows were the pivots of panel k0 so far; otherwise each step says so */
  __device__ __forceinline__ void note(int k0) const
  {
    if (NOTED && done[0] < 0 && (unsigned)(place(0) - k0) < KB) order[place(0)] = (uint16_t)r;
  }
  /* The place in LAPACK's order of row i, which is no pivot, before step k: what is at a place x < k is sent
   * by step x to where the row of pivot x was; of a pivot its own. */
  __device__ __forceinline__ int place_before(int i, int k) const
  {
    int at = r + i;
    if (NOTED) {
      note(k & -KB);
      __syncwarp(L.mask);
    }
    if (done[i] < 0) return place(i);
    while (at < k) at = order[at];
    return at;
  }
  __device__ __forceinline__ int place(int i) const
  {
    return done[i] & NO_PLACE;
  }
  /* Of panel k0 this lane's rows */
  __device__ __forceinline__ void take(T (&x)[OWN][KB], int k0) const
  {
#pragma unroll
    for (int j = 0; j < KB; j++) {
      T v[OWN];
      shared_get_run(own + (k0 + j) * P, v);
#pragma unroll
      for (int i = 0; i < OWN; i++) x[i][j] = v[i];
    }
  }
  /* Step k, whose column is j of x; lu: what of it is L's or U's */
  __device__ __forceinline__ void step(T (&x)[OWN][KB], T (&lu)[OWN][KB], int k, int j)
  {
    packet<T> *row = shown + j % 2 * S::packets, q[S::packets];
    T          y[OWN]; /* column j, perhaps scaled as what is shown in the pivot's place */
    int        which;
#pragma unroll
    for (int i = 0; i < OWN; i++) y[i] = x[i][j];
    const bool is = L.bit == find_pivot<INVERSE>(
                                 L, k, done, [&](int i) { return place_before(i, k); }, y, which, zero, by,
                                 [&](bool yes, int of, T inverse) { show(yes, x, of, j, inverse, row); });
    __syncwarp();
#pragma unroll
    for (int i = 0; i < OWN; i++) x[i][j] = y[i];
#pragma unroll
    for (int c = 0; c < S::packets; c++) {
      if constexpr (REDUCE) {
        if (reduced(c, j)) {
#pragma unroll
          for (int e = 0; e < V; e++) q[c].e[e] = of_one(is, x[0][c * V + e]);
          continue;
        }
      }
      if (!unread(c, j)) q[c] = row[c];
    }
    const T inverse = q[j / V].e[j % V];
    if (!NOTED && is) order[k] = (uint16_t)(r + which);
#pragma unroll
    for (int i = 0; i < OWN; i++) {
      const bool taken = is && (OWN == 1 || which == i);
      const bool other = !taken && (INVERSE || done[i] == 0);
      const T    minus = choose(other, -x[i][j], zero_of<T>()) * inverse;
      if (taken) {
        done[i] = k + NO_ROW;
        if (INVERSE) scale[i] = inverse;
      }
#pragma unroll
      for (int c = 0; c < KB; c++)
        if (c != j && !unread(c / V, j)) x[i][c] = muladd(minus, q[c / V].e[c % V], x[i][c]);
      if (!INVERSE) {
        lu[i][j] = choose(other, -minus, x[i][j]);
        settle(lu[i][j]);
      }
      x[i][j] = INVERSE ? choose(other, minus, from_real<T>(1)) : minus;
      settle(x[i][j]);
    }
  }
  /* Where the rows of pivots k were before steps k: in the same way, each round twice as far; with a row a
   * lane in registers */
  __device__ __forceinline__ void exchanges(int *ipiv, int first)
  {
    int  at[OWN];
    bool on = OWN > 1;
#pragma unroll
    for (int i = 0; i < OWN; i++) at[i] = L.r + G * i < M.n ? order[L.r + G * i] : L.r + G * i;
    while (OWN == 1 && __any_sync(ALL_LANES, at[0] < L.r)) {
      const int next = __shfl_sync(ALL_LANES, at[0], L.first + at[0]);
      if (at[0] < L.r) at[0] = next;
    }
    while (OWN > 1 && __any_sync(ALL_LANES, on)) {
      on = false;
#pragma unroll
      for (int i = 0; i < OWN; i++)
        if (at[i] < L.r + G * i) {
          at[i] = order[at[i]];
          on    = on || at[i] < L.r + G * i;
        }
      __syncwarp();
#pragma unroll
      for (int i = 0; i < OWN; i++)
        if (L.r + G * i < M.n) order[L.r + G * i] = (uint16_t)at[i];
      __syncwarp();
    }
#pragma unroll
    for (int i = 0; i < OWN; i++)
      if (L.r + G * i < M.n) ipiv[L.r + G * i] = at[i] + 1 + first;
  }
};

} // namespace bf
#endif
