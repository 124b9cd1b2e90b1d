/* kernels/cuda/dense/lu/blocked_final64_update2.cuh - blocked LU: update of the final 64 columns by the
 * last two panels
 *
 * Computes   U12 = L11^-1 C1 of 64 rows, stored to A; C2 - L21 U12 in shared memory, rows in the panels'
 *            order.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., sections 3.1.3, 3.2.11.
 * Layout     two warps. The pivot rows are in shared memory at the place of their columns. A warp has 32
 *            columns of U12: 16 rows are updated by the rows above by tensor cores, then solved in blocks
 *            of 8 with a lane per column. A warp has 32 rows of C2 in registers; L21 is streamed once.
 * Cost       128 m m' flops for m rows and m' columns; C and L21 are read once, U12 is written once.
 * Checked    tests/kernels/dense/t362_lu_batch.c, t366_sizes_batch.c, t368_lu_panels.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_LU_BLOCKED_FINAL64_UPDATE2_CUH
#define BF_KERNELS_CUDA_DENSE_LU_BLOCKED_FINAL64_UPDATE2_CUH
#include "kernels/cuda/dense/lu/blocked_final64_update.cuh"

namespace bf
{

/* Entries below the diagonal of a block of 8 rows, column by column */
enum { DIAGONAL8 = 28 };
static __host__ __device__ constexpr int diagonal8_offset(int c)
{
  return 7 * c - c * (c - 1) / 2;
}

/* 8 columns of L at 16 TILES rows, as mma operands */
template <class T, int TILES>
struct l_fragment {
  T l[TILES][4];

  __device__ __forceinline__ void load(const T *p, int64_t ld, const int (&row)[TILES][2], int t)
  {
#pragma unroll
    for (int i = 0; i < TILES; i++)
#pragma unroll
      for (int e = 0; e < 4; e++) l[i][e] = -p[(t + 4 * (e >> 1)) * ld + row[i][e & 1]];
  }
};

/* 16 TILES rows of W columns in a warp's registers */
template <class T, int TILES, int W>
struct final64_tile {
  using tensor           = mma_layout<T, LU_FINAL, 32>;
  static constexpr int P = warp_layout<T, LU_FINAL, 32>::pitch; /* pitch of columns in shared memory */
  T                    c[TILES][W / 8][4];

  /* f(entry, column, row minus lane / 4) for the lane's entries */
  template <class F>
  __device__ __forceinline__ void each(int lane, F f)
  {
    final64_entries<T, TILES, W>(-(lane >> 2), lane,
                                 [&](int h, int i, int e, int j, int row) { f(c[i][h][e], j, row); });
  }
  /* subtracts L times 8 rows of U */
  __device__ __forceinline__ void update(const l_fragment<T, TILES> &L, const T *U, int lane)
  {
    const int   g = lane >> 2, t = lane & 3;
    mma_real<T> l[TILES][4];
#pragma unroll
    for (int i = 0; i < TILES; i++)
#pragma unroll
      for (int e = 0; e < 4; e++) l[i][e] = mma_operand(L.l[i][e]);
#pragma unroll
    for (int h = 0; h < W / 8; h++) {
      const T          *u    = U + (8 * h + tensor::column(g)) * P + t;
      const mma_real<T> x[2] = {mma_operand(u[0]), mma_operand(u[4])};
#pragma unroll
      for (int i = 0; i < TILES; i++) mma(c[i][h], l[i], x);
    }
  }
};

/* 8 entries at x := their solution with a diagonal block */
template <class T>
static __device__ __forceinline__ void trsm8(const T *L, T *x)
{
  constexpr int V = panel_vec<T>;
  T             y[8];
#pragma unroll
  for (int i = 0; i < 8; i += V) {
    const panel_vec16<T> p = load_panel_vec(x + i);
#pragma unroll
    for (int e = 0; e < V; e++) y[i + e] = p.v[e];
  }
#pragma unroll
  for (int k = 0; k < 7; k++)
#pragma unroll
    for (int i = k + 1; i < 8; i++) y[i] = mulsub(L[diagonal8_offset(k) + i - k - 1], y[k], y[i]);
#pragma unroll
  for (int i = 0; i < 8; i += V) {
    panel_vec16<T> p;
#pragma unroll
    for (int e = 0; e < V; e++) p.v[e] = y[i + e];
    store_panel_vec(x + i, p);
  }
}

/* Solves 64 rows of a warp's 32 columns with L. */
template <int NB, class T>
struct u12_solver {
  using tile             = final64_tile<T, 1, 32>;
  static constexpr int P = tile::P;
  T                   *S;         /* the columns */
  const T             *diagonal8; /* L's diagonal blocks */
  const T             *panel;     /* column k0 of A */
  int64_t              ld;
  int                  k0;
  const uint16_t *second_perm; /* the second panel's row order; the first panel's columns are still in the
                                  order after the first panel */
  int              lane;
  l_fragment<T, 1> left_l[6], first8_l; /* L of the current 16 rows: left of them, and below their first 8 */

  /* starts the loads of L of rows 16 R and on */
  template <int R>
  __device__ __forceinline__ void load_l()
  {
    const int t = lane & 3, rows_at = k0 + 16 * R + (lane >> 2);
    int       row[1][2] = {{rows_at, rows_at + 8}}, before[1][2] = {{rows_at, rows_at + 8}};
    if constexpr (16 * R >= NB) before[0][0] = second_perm[rows_at], before[0][1] = second_perm[rows_at + 8];
#pragma unroll
    for (int s = 0; s < 2 * R; s++) left_l[s].load(panel + 8 * s * ld, ld, 8 * s < NB ? before : row, t);
    first8_l.load(panel + 16 * R * ld, ld, row, t);
  }
  template <int R>
  __device__ __forceinline__ void rows()
  {
    T *C = S + 16 * R, *rows_at = C + (lane >> 2);
    if constexpr (R > 0) {
      tile D;
      D.each(lane, [&](T &x, int j, int i) { x = rows_at[j * P + i]; });
#pragma unroll
      for (int s = 0; s < 2 * R; s++) D.update(left_l[s], S + 8 * s, lane);
      D.each(lane, [&](T &x, int j, int i) { rows_at[j * P + i] = x; });
      __syncwarp();
    }
    const l_fragment<T, 1> current = first8_l;
    if constexpr (R < 3) load_l<R + 1>();
    trsm8(diagonal8 + 2 * R * DIAGONAL8, C + lane * P);
    __syncwarp();
    tile D;
    D.each(lane, [&](T &x, int j, int i) { x = rows_at[j * P + i]; });
    D.update(current, C, lane);
    D.each(lane, [&](T &x, int j, int i) {
      if (i >= 8) rows_at[j * P + i] = x;
    });
    __syncwarp();
    trsm8(diagonal8 + (2 * R + 1) * DIAGONAL8, C + 8 + lane * P);
    __syncwarp();
  }
  __device__ __forceinline__ void run()
  {
    load_l<0>();
    rows<0>();
    rows<1>();
    rows<2>();
    rows<3>();
  }
};

/* S: final columns, rows in the panels' order, updated; U12 to A. Returns 0 if all of it is finite. at:
 * the last panel; first_perm: row order of the panel before; diagonal8: storage for L's diagonal blocks */
template <int NB, class T>
static __device__ __forceinline__ T final64_update2(T *S, T *diagonal8, const final64_args<T> &at,
                                                    const uint16_t *first_perm)
{
  static_assert(2 * NB == LU_FINAL_THREADS, "a thread a pivot's row");
  using tile        = final64_tile<T, 2, LU_FINAL>;
  constexpr int P   = tile::P;
  const int     tid = (int)threadIdx.x, lane = tid & 31, w = tid >> 5, g = lane >> 2, t = lane & 3,
            first = 32 * w, m = at.m, k0 = at.k0 - NB;
  const int64_t ld       = at.ld;
  const T      *panel    = at.a + k0 * ld;
  T            *trailing = at.a + at.k1 * ld;
  {
    const T  *top = trailing + first_perm[tid < NB ? k0 + tid : at.perm[k0 + tid]];
    const int q = tid >> 3, r = tid & 7;
#pragma unroll 8
    for (int j = 0; j < m; j++) cp_async_scalar<(int)sizeof(T)>(S + j * P + tid, top + j * ld);
#pragma unroll
    for (int c = 0; c < 7; c++)
      if (r > c)
        cp_async_scalar<(int)sizeof(T)>(diagonal8 + q * DIAGONAL8 + diagonal8_offset(c) + r - c - 1,
                                        panel + (8 * q + c) * ld + k0 + 8 * q + r);
  }
  const auto row_of = [&](int i) { return at.k1 + min(first + 8 * i + g, m - 1); };
  int        row[2][2], from[2][2]; /* of L, of C */
#pragma unroll
  for (int i = 0; i < 4; i++) row[i / 2][i % 2] = at.perm[row_of(i)];
#pragma unroll
  for (int i = 0; i < 4; i++) from[i / 2][i % 2] = first_perm[row[i / 2][i % 2]];
  cp_async_wait_all();
  __syncthreads();
  u12_solver<NB, T> U = {S + 32 * w * P, diagonal8, panel, ld, k0, at.perm, lane};
  U.run();
  tile X;
  X.each(lane, [&](T &x, int j, int i) { x = j < m ? trailing[j * ld + from[i / 16][i / 8 % 2]] : T(0); });
  l_fragment<T, 2> l;
  l.load(panel, ld, row, t);
  __syncthreads(); /* U12 is complete, and its target is not read any more */
  T nonfinite = 0;
#pragma unroll 4
  for (int j = w; j < m; j += 2)
#pragma unroll
    for (int i = 0; i < 64; i += 32) {
      const T x                        = S[j * P + lane + i];
      nonfinite                        = track_nonfinite(x, nonfinite);
      trailing[j * ld + k0 + lane + i] = x;
    }
#pragma unroll 1
  for (int k = 0; k < 2 * NB; k += 8) {
    if (k == NB)
#pragma unroll
      for (int i = 0; i < 4; i++) row[i / 2][i % 2] = row_of(i);
    if (k > 0) l.load(panel + k * ld, ld, row, t);
    X.update(l, S + k, lane);
  }
  __syncthreads();
  X.each(lane, [&](T &x, int j, int i) { S[j * P + first + g + i] = first + g + i < m && j < m ? x : T(0); });
  __syncthreads();
  return nonfinite;
}

} // namespace bf
#endif
