/* kernels/cuda/dense/lu/blocked_final64_update2.cuh - LU by stages: what the last two panels do to the 64
 * columns, at most, right of them
 *
 * Computes   U12 = L11^-1 C1 of 64 rows, to A; C2 - L21 U12, into shared memory, rows in the panels' order.
 * Layout     two warps.  The pivots' rows lie in shared memory where their columns will.  Of U12 a warp has
 *            32 columns: 16 rows less what is above them, by tensor cores, then those by blocks of 8, a lane
 *            a column.  Of C2 a warp has 32 rows in its registers, through which L21 comes once.
 * Checked    t362, t366, t368.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_LU_BLOCKED_FINAL64_UPDATE2_CUH
#define BF_KERNELS_CUDA_DENSE_LU_BLOCKED_FINAL64_UPDATE2_CUH
#include "kernels/cuda/dense/lu/blocked_final64_update.cuh"

namespace bf
{

/* What is below the diagonal of a block of 8 rows, column after column */
enum { LU_EIGHT = 28 };
static __host__ __device__ constexpr int lu_eight_at(int c)
{
  return 7 * c - c * (c - 1) / 2;
}

/* 8 columns of L at 16 TILES rows, as products want them */
template <class T, int TILES>
struct pair_left {
  T l[TILES][4];

  __device__ __forceinline__ void take(const T *p, int64_t ld, const int (&row)[TILES][2], int t)
  {
#pragma unroll
    for (int i = 0; i < TILES; i++)
#pragma unroll
      for (int e = 0; e < 4; e++) l[i][e] = -p[(t + 4 * (e >> 1)) * ld + row[i][e & 1]];
  }
};

/* 16 TILES rows of W columns in a warp's registers */
template <class T, int TILES, int W>
struct pair_tile {
  using tensor           = warp_tensor<T, LU_TAIL, 32>;
  static constexpr int P = warp_shape<T, LU_TAIL, 32>::pitch; /* of columns in shared memory */
  T                    c[TILES][W / 8][4];

  /* f(entry, column, row less the lane's / 4) for the lane's entries */
  template <class F>
  __device__ __forceinline__ void each(int lane, F f)
  {
    tail_entries<T, TILES, W>(-(lane >> 2), lane,
                              [&](int h, int i, int e, int j, int row) { f(c[i][h][e], j, row); });
  }
  /* less L times 8 rows of U */
  __device__ __forceinline__ void update(const pair_left<T, TILES> &L, const T *U, int lane)
  {
    const int   g = lane >> 2, t = lane & 3;
    mma_real<T> l[TILES][4];
#pragma unroll
    for (int i = 0; i < TILES; i++)
#pragma unroll
      for (int e = 0; e < 4; e++) l[i][e] = mma_part(L.l[i][e]);
#pragma unroll
    for (int h = 0; h < W / 8; h++) {
      const T          *u    = U + (8 * h + tensor::column(g)) * P + t;
      const mma_real<T> x[2] = {mma_part(u[0]), mma_part(u[4])};
#pragma unroll
      for (int i = 0; i < TILES; i++) mma(c[i][h], l[i], x);
    }
  }
};

/* 8 entries at x := their solution with a diagonal block */
template <class T>
static __device__ __forceinline__ void pair_solve(const T *L, T *x)
{
  constexpr int V = lu_vec<T>;
  T             y[8];
#pragma unroll
  for (int i = 0; i < 8; i += V) {
    const lu_packet<T> p = lu_load(x + i);
#pragma unroll
    for (int e = 0; e < V; e++) y[i + e] = p.v[e];
  }
#pragma unroll
  for (int k = 0; k < 7; k++)
#pragma unroll
    for (int i = k + 1; i < 8; i++) y[i] = mulsub(L[lu_eight_at(k) + i - k - 1], y[k], y[i]);
#pragma unroll
  for (int i = 0; i < 8; i += V) {
    lu_packet<T> p;
#pragma unroll
    for (int e = 0; e < V; e++) p.v[e] = y[i + e];
    lu_store(x + i, p);
  }
}

/* 64 rows of a warp's 32 columns := their solution with L */
template <int NB, class T>
struct pair_upper {
  using tile             = pair_tile<T, 1, 32>;
  static constexpr int P = tile::P;
  T                   *S;      /* the columns */
  const T             *eights; /* L's diagonal blocks */
  const T             *panel;  /* column k0 of A */
  int64_t              ld;
  int                  k0;
  const uint16_t      *second; /* the second panel's order: the first one's columns stand as it left them */
  int                  lane;
  pair_left<T, 1>      above[6], low; /* of the rows at hand: what is left of them, the first 8 of theirs */

  /* asks for L of rows 16 R and on */
  template <int R>
  __device__ __forceinline__ void ask()
  {
    const int t = lane & 3, own = k0 + 16 * R + (lane >> 2);
    int       row[1][2] = {{own, own + 8}}, before[1][2] = {{own, own + 8}};
    if constexpr (16 * R >= NB) before[0][0] = second[own], before[0][1] = second[own + 8];
#pragma unroll
    for (int s = 0; s < 2 * R; s++) above[s].take(panel + 8 * s * ld, ld, 8 * s < NB ? before : row, t);
    low.take(panel + 16 * R * ld, ld, row, t);
  }
  template <int R>
  __device__ __forceinline__ void rows()
  {
    T *C = S + 16 * R, *own = C + (lane >> 2);
    if constexpr (R > 0) {
      tile D;
      D.each(lane, [&](T &x, int j, int i) { x = own[j * P + i]; });
#pragma unroll
      for (int s = 0; s < 2 * R; s++) D.update(above[s], S + 8 * s, lane);
      D.each(lane, [&](T &x, int j, int i) { own[j * P + i] = x; });
      __syncwarp();
    }
    const pair_left<T, 1> of = low;
    if constexpr (R < 3) ask<R + 1>();
    pair_solve(eights + 2 * R * LU_EIGHT, C + lane * P);
    __syncwarp();
    tile D;
    D.each(lane, [&](T &x, int j, int i) { x = own[j * P + i]; });
    D.update(of, C, lane);
    D.each(lane, [&](T &x, int j, int i) {
      if (i >= 8) own[j * P + i] = x;
    });
    __syncwarp();
    pair_solve(eights + (2 * R + 1) * LU_EIGHT, C + 8 + lane * P);
    __syncwarp();
  }
  __device__ __forceinline__ void run()
  {
    ask<0>();
    rows<0>();
    rows<1>();
    rows<2>();
    rows<3>();
  }
};

/* S: columns of what is left, rows in the panels' order, their steps applied; U12 in A.  0 while all of it is
 * finite.  at: of the last panel; order: of the one before; eights: room for L's diagonal blocks. */
template <int NB, class T>
static __device__ __forceinline__ T tail_pair(T *S, T *eights, const tail_place<T> &at, const uint16_t *order)
{
  static_assert(2 * NB == LU_TAIL_THREADS, "a thread a pivot's row");
  using tile        = pair_tile<T, 2, LU_TAIL>;
  constexpr int P   = tile::P;
  const int     tid = (int)threadIdx.x, lane = tid & 31, w = tid >> 5, g = lane >> 2, t = lane & 3,
            first = 32 * w, m = at.m, k0 = at.k0 - NB;
  const int64_t ld    = at.ld;
  const T      *panel = at.a + k0 * ld;
  T            *rest  = at.a + at.k1 * ld;
  {
    const T  *top = rest + order[tid < NB ? k0 + tid : at.perm[k0 + tid]];
    const int q = tid >> 3, r = tid & 7;
#pragma unroll 8
    for (int j = 0; j < m; j++) bf_copy_parts<(int)sizeof(T)>(S + j * P + tid, top + j * ld);
#pragma unroll
    for (int c = 0; c < 7; c++)
      if (r > c)
        bf_copy_parts<(int)sizeof(T)>(eights + q * LU_EIGHT + lu_eight_at(c) + r - c - 1,
                                      panel + (8 * q + c) * ld + k0 + 8 * q + r);
  }
  const auto place = [&](int i) { return at.k1 + min(first + 8 * i + g, m - 1); };
  int        row[2][2], from[2][2]; /* of L, of C */
#pragma unroll
  for (int i = 0; i < 4; i++) row[i / 2][i % 2] = at.perm[place(i)];
#pragma unroll
  for (int i = 0; i < 4; i++) from[i / 2][i % 2] = order[row[i / 2][i % 2]];
  bf_copies_done();
  __syncthreads();
  pair_upper<NB, T> U = {S + 32 * w * P, eights, panel, ld, k0, at.perm, lane};
  U.run();
  tile X;
  X.each(lane, [&](T &x, int j, int i) { x = j < m ? rest[j * ld + from[i / 16][i / 8 % 2]] : T(0); });
  pair_left<T, 2> l;
  l.take(panel, ld, row, t);
  __syncthreads(); /* U12 is known, and nobody reads any more where it goes */
  T poison = 0;
#pragma unroll 4
  for (int j = w; j < m; j += 2)
#pragma unroll
    for (int i = 0; i < 64; i += 32) {
      const T x                    = S[j * P + lane + i];
      poison                       = with(x, poison);
      rest[j * ld + k0 + lane + i] = x;
    }
#pragma unroll 1
  for (int k = 0; k < 2 * NB; k += 8) {
    if (k == NB)
#pragma unroll
      for (int i = 0; i < 4; i++) row[i / 2][i % 2] = place(i);
    if (k > 0) l.take(panel + k * ld, ld, row, t);
    X.update(l, S + k, lane);
  }
  __syncthreads();
  X.each(lane, [&](T &x, int j, int i) { S[j * P + first + g + i] = first + g + i < m && j < m ? x : T(0); });
  __syncthreads();
  return poison;
}

} // namespace bf
#endif
