/* kernels/cuda/dense/inverse/getri_left_looking.cuh - getri for some columns per block: left-looking block
 * substitution
 *
 * Computes   X_i = M_ii^-1 (X_i - sum_k M_ik X_k), tiles i of 16 rows, k the finished ones: first with L
 *            downwards, then with U upwards.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 3.1.3 (block substitution).
 * Layout     a warp has a tile i and all columns of the block in registers until it is finished; then -X_i
 *            is stored to shared memory for all warps. G tiles are in progress at once: updates by earlier
 *            tiles need no barrier, updates among them one per tile.
 * Cost       the factors are read once per W columns; 4/3 n^2 W flops (complex 4 times).
 * Launch     G warps per block, a block per matrix and W columns.
 * Checked    tests/kernels/dense/t362_lu_batch.c, t366_sizes_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_INVERSE_GETRI_LEFT_LOOKING_CUH
#define BF_KERNELS_CUDA_DENSE_INVERSE_GETRI_LEFT_LOOKING_CUH
#include "kernels/cuda/dense/solve/trsm_invert_diagonal.cuh"

namespace bf
{

/* Four rows of a column, as far as there are `rows` */
template <class T>
BF_DEVICE void getri_store(T *to, const trsm_sums<T> &S, int e, int rows, bool aligned)
{
  if (aligned && rows >= 4) {
    trsm_pair<T> *two = reinterpret_cast<trsm_pair<T> *>(to);
    two[0]            = {S.entry(e, 0), S.entry(e, 1)};
    two[1]            = {S.entry(e, 2), S.entry(e, 3)};
    return;
  }
#pragma unroll
  for (int q = 0; q < 4; q++)
    if (q < rows) to[q] = S.entry(e, q);
}

/* Workspace of all members; for the k-th: inverses of its diagonal tiles, columns of X, target columns */
template <class T>
struct getri_workspace {
  int  tiles;
  T   *inverses, *x;
  int *permuted;

  __host__ __device__ getri_workspace(void *work, int n, int count) : tiles((n + TRSM_NB - 1) / TRSM_NB)
  {
    inverses = static_cast<T *>(work);
    x        = inverses + (size_t)count * (size_t)tiles * 2 * TRSM_TILE;
    permuted = reinterpret_cast<int *>(x + (size_t)count * (size_t)tiles * TRSM_NB * (size_t)n);
  }
  static size_t bytes(int n, int count)
  {
    const size_t tiles = (size_t)((n + TRSM_NB - 1) / TRSM_NB), order = (size_t)n;
    return (size_t)count * (tiles * (2 * TRSM_TILE + TRSM_NB * order) * sizeof(T) + order * sizeof(int));
  }
  __device__ __forceinline__ T *inverses_of(int k) const
  {
    return inverses + (size_t)k * (size_t)tiles * 2 * TRSM_TILE;
  }
  __device__ __forceinline__ T *column(int k, int n, int j) const
  {
    return x + ((size_t)k * (size_t)n + (size_t)j) * (size_t)(tiles * TRSM_NB);
  }
};

/* G warps per block, 16 MT columns, BLOCKS per multiprocessor */
template <class T_, int G_, int MT_, int BLOCKS_>
struct getri_left_looking_shape {
  using T                = T_;
  static constexpr int G = G_, MT = MT_, BLOCKS = BLOCKS_, THREADS = 32 * G, W = TRSM_NB * MT;
  static size_t        bytes(int tiles)
  {
    return sizeof(trsm_exchange<T>) * (size_t)(MT * tiles);
  }
};

template <class SHAPE>
struct getri_left_looking_solver {
  using T                = typename SHAPE::T;
  static constexpr int G = SHAPE::G, MT = SHAPE::MT;
  const T             *a, *inverses;
  int64_t              ld;
  int                  n, tiles, first, r, lane; /* first: tile of the first column */
  bool                 aligned;
  trsm_exchange<T>    *exchange; /* [tiles][MT] */

  /* Columns m of L^-1 are zero in tile k. */
  template <bool UPPER>
  __device__ __forceinline__ bool zero(int m, int k) const
  {
    return !UPPER && first + m > k;
  }
  /* The warp's next tile of the factor: (i, k), or for k = i the inverse */
  template <bool UPPER>
  __device__ __forceinline__ void fetch(trsm_entries<T> &M, int i, int k) const
  {
    if (UPPER ? k > i : k < i)
      trsm_load(M, a + (int64_t)k * TRSM_NB * ld + i * TRSM_NB, ld, n - i * TRSM_NB, n - k * TRSM_NB, lane,
                aligned);
    else if (k == i)
      trsm_load(M, inverses + (2 * i + UPPER) * TRSM_TILE, lane);
  }
  /* G tiles from `low` on; done(sums, m, i) receives the finished tiles of X. */
  template <bool UPPER, class DONE>
  __device__ __forceinline__ void segment(int low, DONE done)
  {
    const int       i = low + r, high = min(tiles, low + G), by = UPPER ? -1 : 1;
    const int       start = UPPER ? tiles - 1 : first, end = UPPER ? low - 1 : high;
    trsm_sums<T>    S[MT];
    trsm_entries<T> M;
#pragma unroll
    for (int m = 0; m < MT; m++) {
      if (UPPER && i < tiles && i >= first + m) {
        const trsm_left_operand<T> X = exchange[i * MT + m].load(lane);
#pragma unroll
        for (int p = 0; p < S[m].PARTS; p++)
#pragma unroll
          for (int e = 0; e < 2; e++) {
            S[m].c[e][p][0] = -X.a[p][e][0], S[m].c[e][p][2] = -X.a[p][e][1];
            S[m].c[e][p][1] = -X.a[p][e][2], S[m].c[e][p][3] = -X.a[p][e][3];
          }
      } else
#pragma unroll
        for (int k = 0; k < 8; k++)
          S[m].set(k >> 2, k & 3,
                   from_real<T>(!UPPER && i == first + m &&
                                4 * (lane & 3) + (k & 3) == (lane >> 2) + 8 * (k >> 2)));
    }
    if (i < tiles) fetch<UPPER>(M, i, start);
#pragma unroll 1
    for (int k = start; k != end; k += by) {
      if (UPPER ? k < high : k >= low) {
        if (k == i) {
          const trsm_right_operand<T> right(M);
#pragma unroll
          for (int m = 0; m < MT; m++) {
            if (zero<UPPER>(m, i)) continue;
            trsm_sums<T> z = {};
            trsm_product(z, trsm_left_operand<T>(S[m]), right);
            exchange[i * MT + m].store(trsm_left_operand<T>(z), lane);
            done(z, m, i);
          }
        }
        __syncthreads();
      }
      if ((UPPER ? i < k : i > k) && i < tiles) {
        const trsm_right_operand<T> right(M);
        fetch<UPPER>(M, i, k + by);
#pragma unroll
        for (int m = 0; m < MT; m++)
          if (!zero<UPPER>(m, k)) trsm_product(S[m], exchange[k * MT + m].load(lane), right);
      }
    }
  }
};

template <class SHAPE>
static __global__ void __launch_bounds__(SHAPE::THREADS, SHAPE::BLOCKS)
    getri_left_looking(const batch_view<typename SHAPE::T> A, int *info, void *work, int column_blocks)
{
  using T             = typename SHAPE::T;
  constexpr int     G = SHAPE::G, MT = SHAPE::MT;
  extern __shared__ __align__(16) char smem[];
  const getri_workspace<T>             W(work, A.n, A.count);
  const int                            k = (int)blockIdx.x / column_blocks;
  int                                  b, n;
  if (!trsm_member(A, k, &b, &n) || info[b] != 0) return;
  const int warp = (int)threadIdx.x >> 5, first = ((int)blockIdx.x - k * column_blocks) * MT;
  getri_left_looking_solver<SHAPE> X = {A.matrix(b),
                                        W.inverses_of(k),
                                        A.ld,
                                        n,
                                        (n + TRSM_NB - 1) / TRSM_NB,
                                        first,
                                        warp,
                                        (int)threadIdx.x & 31,
                                        false,
                                        reinterpret_cast<trsm_exchange<T> *>(smem)};
  X.aligned                          = trsm_aligned(X.a, X.ld);
  if (first >= X.tiles) return;
  real_t<T> nonfinite = 0;
#pragma unroll 1
  for (int low = first / G * G; low < X.tiles; low += G)
    X.template segment<false>(low, [](trsm_sums<T> &, int, int) {});
#pragma unroll 1
  for (int low = (X.tiles - 1) / G * G; low >= 0; low -= G)
    X.template segment<true>(low, [&](trsm_sums<T> &S, int m, int i) {
      const int row = i * TRSM_NB + 4 * (X.lane & 3), column = (first + m) * TRSM_NB + (X.lane >> 2);
#pragma unroll
      for (int e = 0; e < 2; e++) {
        if (column + 8 * e >= n || row >= n) continue;
        getri_store(W.column(k, A.n, column + 8 * e) + row, S, e, 4, true);
#pragma unroll
        for (int q = 0; q < 4; q++) nonfinite = track_nonfinite(S.entry(e, q), nonfinite);
      }
    });
  if (!(nonfinite == 0)) info[b] = n + 1;
}

} // namespace bf
#endif
