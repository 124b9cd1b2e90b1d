/* kernels/cuda/dense/solve/trsm_sweep.cuh - triangular solves with getrf's factors by tiles of 16 rows,
 * right-hand sides in registers
 *
 * Computes   X = L^-1 X, X = U^-1 X: X_k = M_kk^-1 X_k, then X_i -= M_ik X_k for the following tiles.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 3.1.3 (block substitution).
 * Layout     G warps share the tiles of 16 MT columns: warp r has tiles r, r + G, .., TS of them. The warp
 *            with tile k stores X_k to shared memory. The warp with the next tile updates and stores that
 *            one first, so that a step waits for one product only. Tiles of M are read from memory once per
 *            16 MT columns, the first one before the barrier.
 * Cost       one barrier of G warps per tile; 2 n^2 flops per right-hand side for both triangles (complex 4
 *            times).
 * Checked    tests/kernels/dense/t362_lu_batch.c, t363_solve_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_SOLVE_TRSM_SWEEP_CUH
#define BF_KERNELS_CUDA_DENSE_SOLVE_TRSM_SWEEP_CUH
#include "kernels/cuda/dense/solve/trsm_invert_diagonal.cuh"

namespace bf
{

/* H such groups of warps in a block, registers for BLOCKS blocks. DENSE: X has no zeros to skip. */
template <class T_, int G_, int TS_, int MT_, int H_, int BLOCKS_, bool DENSE_ = false>
struct trsm_shape {
  using T                = T_;
  static constexpr int G = G_, TS = TS_, MT = MT_, H = H_, BLOCKS = BLOCKS_, WARPS = G * H,
                       THREADS = 32 * WARPS, W = TRSM_NB * MT * H;
  static constexpr bool DENSE = DENSE_;
};

template <class SHAPE>
struct trsm_solver {
  using T                = typename SHAPE::T;
  static constexpr int G = SHAPE::G, TS = SHAPE::TS, MT = SHAPE::MT;
  trsm_sums<T>         x[TS][MT];
  const T             *a, *inverses;
  int64_t              ld;
  int                  n, tiles, first; /* tile of the first column; X = L^-1 is zero in the rows above it */
  int                  r, h, lane, step_count;
  bool                 aligned;
  trsm_exchange<T>    *exchange; /* [2][MT] of the group */

  __device__ __forceinline__ trsm_solver(const T *a_, int64_t ld_, int n_, const T *inverses_, int first_,
                                         void *exchanges)
      : a(a_), inverses(inverses_), ld(ld_), n(n_), tiles((n_ + TRSM_NB - 1) / TRSM_NB)
  {
    const int warp = (int)threadIdx.x >> 5;
    lane           = (int)threadIdx.x & 31;
    r              = warp % G;
    h              = warp / G;
    step_count     = 0;
    first          = first_ + h * MT;
    aligned        = trsm_aligned(a, ld);
    exchange       = static_cast<trsm_exchange<T> *>(exchanges) + h * 2 * MT;
  }
  /* Columns m of L^-1 are zero in rows k. */
  template <bool UPPER>
  __device__ __forceinline__ bool zero(int m, int k) const
  {
    return !UPPER && !SHAPE::DENSE && first + m > k;
  }
  /* f(sums, row of their row 4t, column of their column g) for all tiles */
  template <class F>
  __device__ __forceinline__ void for_each_tile(F f)
  {
#pragma unroll
    for (int s = 0; s < TS; s++)
#pragma unroll
      for (int m = 0; m < MT; m++)
        f(x[s][m], (s * G + r) * TRSM_NB + 4 * (lane & 3), (first + m) * TRSM_NB + (lane >> 2));
  }
  __device__ __forceinline__ void identity()
  {
    for_each_tile([](trsm_sums<T> &S, int row, int column) {
#pragma unroll
      for (int k = 0; k < 8; k++) S.set(k >> 2, k & 3, from_real<T>(row + (k & 3) == column + 8 * (k >> 2)));
    });
  }
  __device__ __forceinline__ void sync() const
  {
    asm volatile("bar.sync %0, %1;" ::"r"(h + 1), "n"(32 * G) : "memory");
  }
  template <bool UPPER>
  __device__ __forceinline__ void fetch_inverse(trsm_entries<T> &M, int k) const
  {
    trsm_load(M, inverses + (2 * k + UPPER) * TRSM_TILE, lane);
  }
  /* X_k = M_kk^-1 X_k, stored for the other warps */
  template <bool UPPER>
  __device__ __forceinline__ void solve_tile(trsm_sums<T> (&y)[MT], int k, const trsm_entries<T> &inverse)
  {
    const trsm_right_operand<T> M(inverse);
#pragma unroll
    for (int m = 0; m < MT; m++) {
      if (zero<UPPER>(m, k)) continue;
      trsm_sums<T> z = {};
      trsm_product(z, trsm_left_operand<T>(y[m]), M);
      y[m] = z;
      exchange[(step_count & 1) * MT + m].store(trsm_left_operand<T>(z), lane);
    }
  }
  /* Updates the warp's tiles U, U +- 1, .. by X_k. M: the tile of the matrix for the next of them */
  template <bool UPPER, int U, int S>
  __device__ __forceinline__ void update(trsm_entries<T> &M, int k, int next, const trsm_exchange<T> *from)
  {
    const int i = U * G + r, then = UPPER ? i - G : i + G;
    if ((UPPER ? i < k : i > k) && i < tiles) {
      const trsm_right_operand<T> right(M);
      if (UPPER ? then >= 0 : then < tiles) fetch(M, then, k);
#pragma unroll
      for (int m = 0; m < MT; m++)
        if (!zero<UPPER>(m, k)) trsm_product(x[U][m], from[m].load(lane), right);
      if constexpr (U == S || U == (UPPER ? S - 1 : S + 1))
        if (i == next) {
          trsm_entries<T> inverse;
          fetch_inverse<UPPER>(inverse, next);
          solve_tile<UPPER>(x[U], next, inverse);
        }
    }
    if constexpr (UPPER ? U > 0 : U + 1 < TS) update<UPPER, UPPER ? U - 1 : U + 1, S>(M, k, next, from);
  }
  __device__ __forceinline__ void fetch(trsm_entries<T> &M, int i, int k) const
  {
    trsm_load(M, a + (int64_t)k * TRSM_NB * ld + i * TRSM_NB, ld, n - i * TRSM_NB, n - k * TRSM_NB, lane,
              aligned);
  }
  /* Steps of the tiles S G .. S G + G - 1, then those of the next S */
  template <bool UPPER, int S>
  __device__ __forceinline__ void steps()
  {
    const int       start = UPPER ? tiles - 1 : SHAPE::DENSE ? 0 : first, by = UPPER ? -1 : 1;
    trsm_entries<T> M, inverse;
    if (start == S * G + r) {
      fetch_inverse<UPPER>(inverse, start);
      solve_tile<UPPER>(x[S], start, inverse);
    }
    const int from = UPPER ? min(start, S * G + G - 1) : max(start, S * G),
              end  = UPPER ? max(0, S * G - 1) : min(tiles - 1, S * G + G);
#pragma unroll 1
    for (int k = from; UPPER ? k > end : k < end; k += by) {
      const int own = S * G + r, i = (UPPER ? own < k : own > k) ? own : own + by * G, next = k + by;
      if (UPPER ? i >= 0 : i < tiles) fetch(M, i, k);
      sync();
      const trsm_exchange<T> *published = exchange + (step_count & 1) * MT;
      step_count++;
      update<UPPER, S, S>(M, k, next, published);
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
inline constexpr size_t trsm_exchange_bytes = sizeof(trsm_exchange<typename SHAPE::T>) *
                                              2 * SHAPE::MT *SHAPE::H;

/* Shared memory of a block that prepares and solves: exchange buffers (first used for the tiles to
 * invert), inverses, permutation */
template <class SHAPE>
struct trsm_smem {
  using T                             = typename SHAPE::T;
  static constexpr size_t TILE_BYTES  = sizeof(T) * TRSM_SCRATCH * SHAPE::WARPS,
                          FIRST_BYTES = trsm_exchange_bytes<SHAPE> > TILE_BYTES ? trsm_exchange_bytes<SHAPE>
                                                                                : TILE_BYTES;
  T   *tile, *inverses;
  int *row, *permuted;

  __device__ __forceinline__ trsm_smem(char *smem, int tiles)
      : tile(reinterpret_cast<T *>(smem)), inverses(reinterpret_cast<T *>(smem + FIRST_BYTES)),
        row(reinterpret_cast<int *>(inverses + 2 * tiles * TRSM_TILE)), permuted(row + tiles * TRSM_NB)
  {
  }
  static size_t bytes(int tiles)
  {
    return FIRST_BYTES + (size_t)tiles * (2 * TRSM_TILE * sizeof(T) + 2 * TRSM_NB * sizeof(int));
  }
};

/* Number and order of the k-th member; false: nothing to do */
template <class T>
BF_DEVICE bool trsm_member(const batch_view<T> &A, int k, int *b, int *n)
{
  if (k >= A.members()) return false;
  *b = A.member(k);
  *n = A.order(*b);
  return *n > 0 && *n <= A.n;
}

} // namespace bf
#endif
