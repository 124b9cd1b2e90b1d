/* kernels/cuda/batch_lu_staged.cuh - LU of orders 81 (s, d: 89) .. 512 by stages: panels, the strips right of
 * each, last the rows left of them
 *
 *     for panel k0, k0 + NB ..:   lu_panel_of: factors NB columns
 *                                 lu_strip: the columns right of them; or, after the first of a pair, those
 *                                 of the second, then those right of both
 *     lu_last: rows left of panels
 *
 * Each stage is a launch over all matrices with blocks of its own: a panel's chain of columns, which nothing
 * else of its matrix may overtake, runs beside those of other matrices, and strips wait for memory alone.
 * Layout     work: perm[panel][count][pitch], the order of rows that each panel left.
 * Source     docs/performance/batched-lu-staged.md.
 * Checked    t362, t366, t368.
 */
#ifndef BF_BATCH_LU_STAGED_CUH
#define BF_BATCH_LU_STAGED_CUH
#include "kernels/cuda/batch_lu_last.cuh"
#include "kernels/cuda/batch_lu_panel.cuh"
#include "kernels/cuda/batch_lu_strip.cuh"
#include "kernels/cuda/batch_lu_tail.cuh"

/* How strips are cut: W columns a block of WARPS warps, registers for BLOCKS blocks,
 * solutions with blocks of B rows. */
template <int NB_, int W_, int WARPS_, int BLOCKS_, int B_>
struct strip_shape {
  static constexpr int NB = NB_, W = W_, WARPS = WARPS_, BLOCKS = BLOCKS_, B = B_;
};

template <class T>
static size_t lu_staged_work(int n, int count)
{
  return (size_t)((n + 31) / 32) * (size_t)count * (size_t)n * sizeof(uint16_t);
}

/* Whether the tail keeps L21's parts apart, whether it reads L21 before U12 is solved; blocks on a
 * multiprocessor, clocks from one's begin to the next one's. */
template <bool SPLIT_, bool EARLY_, int BLOCKS_, int WAIT_>
struct tail_shape {
  static constexpr bool SPLIT = SPLIT_, EARLY = EARLY_;
  static constexpr int  BLOCKS = BLOCKS_, WAIT = WAIT_;
};

/* Strips after every panel, or after pairs of them, which reads and writes what is right of them half as
 * often */
template <class SHAPE, class PAIR, class TAIL, class T>
static cudaError_t lu_stages(const batch_view<T> &A, bool pairs, int *ipiv, int *info, uint16_t *perm,
                             cudaStream_t s)
{
  constexpr int NB   = SHAPE::NB;
  const int64_t all  = (int64_t)A.count * A.pitch;
  const int     tail = lu_tail_start<NB>(A.n), least = A.sizes ? tail - 128 : tail; /* of the bucket */
  cudaError_t   e = cudaSuccess;
  for (int k0 = 0; e == cudaSuccess && k0 < tail; k0 += NB) {
    const bool second = pairs && k0 / NB % 2 == 1;
    const int  next = k0 + 2 * NB, c1 = pairs && next < least ? next : A.n;
    uint16_t  *order = perm + k0 / NB * all;
    e                = lu_panel_of<T, NB>(A, k0, ipiv, order, info, s);
    if (e == cudaSuccess && k0 + NB < tail)
      e = second ? lu_strip_launch<PAIR, 2>(A, order - all, order, info, k0 - NB, pairs, A.n, s)
                 : lu_strip_launch<SHAPE, 1>(A, order, order, info, k0, pairs, c1, s);
  }
  if (e == cudaSuccess) e = lu_tail_launch<T, NB, TAIL>(A, ipiv, perm, all, info, s);
  return e != cudaSuccess ? e : lu_last_launch<NB>(A, perm, all, s);
}

template <class T>
static cudaError_t lu_staged(const batch_view<T> &A, int *ipiv, int *info, void *work, cudaStream_t s)
{
  uint16_t  *perm  = static_cast<uint16_t *>(work);
  const bool pairs = sizeof(T) == 4 && batch_edge(A.n) >= 192; /* where they pay */
  if constexpr (sizeof(T) == 4) {
    using one = strip_shape<32, 32, 4, 8, 16>;
    return lu_stages<one, one, tail_shape<true, true, 8, 6000>>(A, pairs, ipiv, info, perm, s);
  } else if constexpr (sizeof(T) == 16) {
    using one = strip_shape<32, 16, 4, 4, 16>;
    return lu_stages<one, one, tail_shape<true, false, 3, 40000>>(A, pairs, ipiv, info, perm, s);
  } else {
    using one = strip_shape<32, 32, 4, is_complex<T> ? 6 : 7, 16>;
    return lu_stages<one, one, tail_shape<!is_complex<T>, false, 6, is_complex<T> ? 18000 : 13000>>(
        A, pairs, ipiv, info, perm, s);
  }
}
#endif
