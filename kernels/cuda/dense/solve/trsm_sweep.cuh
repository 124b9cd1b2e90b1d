/* kernels/cuda/dense/solve/trsm_sweep.cuh - substitutions with getrf's factors by tiles of 16 rows: all rows
 * of some right-hand sides in the registers of a few warps
 *
 * Computes   X = L^-1 X, X = U^-1 X:  X_k = M_kk^-1 X_k, then X_i -= M_ik X_k for the tiles behind.
 * Layout     G warps share the tiles of 16 MT columns: warp r has tiles r, r + G, .., TS of them.  The warp
 *            that has tile k shows X_k to the others through shared memory; whoever has the next one takes
 *            X_k from that first and shows it before it goes on, so that a step waits for one product and not
 *            for all. Tiles of M come from memory, each once for the 16 MT columns, the first one before the
 *            barrier.
 * Cost       a barrier of G warps a tile.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 3.1.3 (block substitution).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_SOLVE_TRSM_SWEEP_CUH
#define BF_KERNELS_CUDA_DENSE_SOLVE_TRSM_SWEEP_CUH
#include "kernels/cuda/dense/solve/trsm_invert_diagonal.cuh"

namespace bf
{

/* H such groups of warps a block, registers for BLOCKS blocks.  DENSE: X has no zeros to be left out. */
template <class T_, int G_, int TS_, int MT_, int H_, int BLOCKS_, bool DENSE_ = false>
struct tiled_shape {
  using T                = T_;
  static constexpr int G = G_, TS = TS_, MT = MT_, H = H_, BLOCKS = BLOCKS_, WARPS = G * H,
                       THREADS = 32 * WARPS, W = TILED * MT * H;
  static constexpr bool DENSE = DENSE_;
};

template <class SHAPE>
struct tiled_strip {
  using T                = typename SHAPE::T;
  static constexpr int G = SHAPE::G, TS = SHAPE::TS, MT = SHAPE::MT;
  tiled_sums<T>        x[TS][MT];
  const T             *a, *inverses;
  int64_t              ld;
  int                  n, tiles, first; /* tile of the first column, in whose rows above X is zero in L^-1 */
  int                  r, h, lane, turn;
  bool                 wide;
  tiled_board<T>      *board; /* [2][MT] of the group */

  __device__ __forceinline__ tiled_strip(const T *a_, int64_t ld_, int n_, const T *inverses_, int first_,
                                         void *boards)
      : a(a_), inverses(inverses_), ld(ld_), n(n_), tiles((n_ + TILED - 1) / TILED)
  {
    const int warp = (int)threadIdx.x >> 5;
    lane           = (int)threadIdx.x & 31;
    r              = warp % G;
    h              = warp / G;
    turn           = 0;
    first          = first_ + h * MT;
    wide           = tiled_wide(a, ld);
    board          = static_cast<tiled_board<T> *>(boards) + h * 2 * MT;
  }
  /* Columns m of L^-1 are zero in rows k. */
  template <bool UPPER>
  __device__ __forceinline__ bool zero(int m, int k) const
  {
    return !UPPER && !SHAPE::DENSE && first + m > k;
  }
  /* f(sums, row of their row 4t, column of their column g) for all tiles */
  template <class F>
  __device__ __forceinline__ void each(F f)
  {
#pragma unroll
    for (int s = 0; s < TS; s++)
#pragma unroll
      for (int m = 0; m < MT; m++)
        f(x[s][m], (s * G + r) * TILED + 4 * (lane & 3), (first + m) * TILED + (lane >> 2));
  }
  __device__ __forceinline__ void identity()
  {
    each([](tiled_sums<T> &S, int row, int column) {
#pragma unroll
      for (int k = 0; k < 8; k++) S.set(k >> 2, k & 3, from_real<T>(row + (k & 3) == column + 8 * (k >> 2)));
    });
  }
  __device__ __forceinline__ void sync() const
  {
    asm volatile("bar.sync %0, %1;" ::"r"(h + 1), "n"(32 * G) : "memory");
  }
  template <bool UPPER>
  __device__ __forceinline__ void fetch_inverse(tiled_entries<T> &M, int k) const
  {
    tiled_fetch(M, inverses + (2 * k + UPPER) * TILED_ALL, lane);
  }
  /* X_k = M_kk^-1 X_k, shown */
  template <bool UPPER>
  __device__ __forceinline__ void finish(tiled_sums<T> (&y)[MT], int k, const tiled_entries<T> &inverse)
  {
    const tiled_right<T> M(inverse);
#pragma unroll
    for (int m = 0; m < MT; m++) {
      if (zero<UPPER>(m, k)) continue;
      tiled_sums<T> z = {};
      tiled_product(z, tiled_left<T>(y[m]), M);
      y[m] = z;
      board[(turn & 1) * MT + m].show(tiled_left<T>(z), lane);
    }
  }
  /* What X_k does to the tiles U, U +- 1, .. of the warp.  M: the tile of the matrix that the next of them
   * needs. */
  template <bool UPPER, int U, int S>
  __device__ __forceinline__ void update(tiled_entries<T> &M, int k, int next, const tiled_board<T> *from)
  {
    const int i = U * G + r, then = UPPER ? i - G : i + G;
    if ((UPPER ? i < k : i > k) && i < tiles) {
      const tiled_right<T> right(M);
      if (UPPER ? then >= 0 : then < tiles) fetch(M, then, k);
#pragma unroll
      for (int m = 0; m < MT; m++)
        if (!zero<UPPER>(m, k)) tiled_product(x[U][m], from[m].look(lane), right);
      if constexpr (U == S || U == (UPPER ? S - 1 : S + 1))
        if (i == next) {
          tiled_entries<T> inverse;
          fetch_inverse<UPPER>(inverse, next);
          finish<UPPER>(x[U], next, inverse);
        }
    }
    if constexpr (UPPER ? U > 0 : U + 1 < TS) update<UPPER, UPPER ? U - 1 : U + 1, S>(M, k, next, from);
  }
  __device__ __forceinline__ void fetch(tiled_entries<T> &M, int i, int k) const
  {
    tiled_fetch(M, a + (int64_t)k * TILED * ld + i * TILED, ld, n - i * TILED, n - k * TILED, lane, wide);
  }
  /* Steps of the tiles S G .. S G + G - 1, then those of the next S */
  template <bool UPPER, int S>
  __device__ __forceinline__ void steps()
  {
    const int        start = UPPER ? tiles - 1 : SHAPE::DENSE ? 0 : first, by = UPPER ? -1 : 1;
    tiled_entries<T> M, inverse;
    if (start == S * G + r) {
      fetch_inverse<UPPER>(inverse, start);
      finish<UPPER>(x[S], start, inverse);
    }
    const int from = UPPER ? min(start, S * G + G - 1) : max(start, S * G),
              end  = UPPER ? max(0, S * G - 1) : min(tiles - 1, S * G + G);
#pragma unroll 1
    for (int k = from; UPPER ? k > end : k < end; k += by) {
      const int own = S * G + r, i = (UPPER ? own < k : own > k) ? own : own + by * G, next = k + by;
      if (UPPER ? i >= 0 : i < tiles) fetch(M, i, k);
      sync();
      const tiled_board<T> *shown = board + (turn & 1) * MT;
      turn++;
      update<UPPER, S, S>(M, k, next, shown);
    }
    if constexpr (UPPER ? S > 0 : S + 1 < TS) steps<UPPER, UPPER ? S - 1 : S + 1>();
  }
  template <bool UPPER>
  __device__ __forceinline__ void sweep()
  {
    steps<UPPER, UPPER ? TS - 1 : 0>();
  }
};

template <class SHAPE>
inline constexpr size_t tiled_boards = sizeof(tiled_board<typename SHAPE::T>) * 2 * SHAPE::MT *SHAPE::H;

/* Shared memory of a block that begins and solves: boards, before them the tiles that are inverted; inverses;
 * where rows go. */
template <class SHAPE>
struct tiled_room {
  using T                       = typename SHAPE::T;
  static constexpr size_t TILES = sizeof(T) * TILED_ROOM * SHAPE::WARPS,
                          FRONT = tiled_boards<SHAPE> > TILES ? tiled_boards<SHAPE> : TILES;
  T   *tile, *inverses;
  int *row, *at;

  __device__ __forceinline__ tiled_room(char *room, int tiles)
      : tile(reinterpret_cast<T *>(room)), inverses(reinterpret_cast<T *>(room + FRONT)),
        row(reinterpret_cast<int *>(inverses + 2 * tiles * TILED_ALL)), at(row + tiles * TILED)
  {
  }
  static size_t bytes(int tiles)
  {
    return FRONT + (size_t)tiles * (2 * TILED_ALL * sizeof(T) + 2 * TILED * sizeof(int));
  }
};

/* Number and order of the k-th of the batch; false: there is nothing to do */
template <class T>
BF_TILED bool tiled_order(const batch_view<T> &A, int k, int *b, int *n)
{
  if (k >= A.members()) return false;
  *b = A.member(k);
  *n = A.order(*b);
  return *n > 0 && *n <= A.n;
}

} // namespace bf
#endif
