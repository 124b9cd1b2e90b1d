/* kernels/cuda/dense/lu/lu_blocked.cuh - LU of orders 81 .. 512 by stages: panels, the strips right of
 * each, what is left on the chip, last the rows left of panels
 *
 *     lu_head: 8 or 16 columns, where the order is a few above a multiple of 32
 *     for panel k0, k0 + NB ..:   lu_panel_of: factors NB columns
 *                                 lu_strip: after the first of a pair the second's columns, then all that
 *                                 are right of both, which reads and writes them half as often
 *     lu_tail or lu_end:          the last 64 rows and columns, at most
 *     lu_last:                    rows left of panels, but where lu_end has them in place
 *
 * Each stage is a launch over all matrices with blocks of its own: a panel's chain of columns, which nothing
 * else of its matrix may overtake, runs beside those of other matrices, and strips wait for memory alone.
 * Layout     work: perm[panel][count][pitch], the order of rows that each panel left.
 * Source     docs/design-notes/batched-lu.md.
 * Checked    t362, t366, t368.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_LU_LU_BLOCKED_CUH
#define BF_KERNELS_CUDA_DENSE_LU_LU_BLOCKED_CUH
#include "kernels/cuda/dense/lu/blocked_final64.cuh"
#include "kernels/cuda/dense/lu/blocked_final64_laswp.cuh"
#include "kernels/cuda/dense/lu/blocked_laswp_left.cuh"
#include "kernels/cuda/dense/lu/blocked_leading_columns.cuh"
#include "kernels/cuda/dense/lu/blocked_panel.cuh"
#include "kernels/cuda/dense/lu/blocked_trailing_update.cuh"

namespace bf
{

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
/* Of lu_end: blocks, clocks behind up to three panels; behind more twice as many. */
template <int BLOCKS_, int WAIT_>
struct end_shape {
  static constexpr int BLOCKS = BLOCKS_, WAIT = WAIT_;
};

/* What is left, then all rows left of it; cut: of the largest.  TAIL, END: void where no order of the type
 * takes that way; of a batch of several sizes some may take the one, others the other. */
template <int NB, class TAIL, class END, class T>
static cudaError_t lu_rest(const batch_view<T> &A, const lu_cut &cut, int *ipiv, int *info, uint16_t *perm,
                           cudaStream_t s)
{
  constexpr bool TAILS = !std::is_void_v<TAIL>, ENDS = !std::is_void_v<END>;
  const int64_t  all   = (int64_t)A.count * A.pitch;
  const int      count = lu_tail_start<NB>(cut.n) / NB;
  const bool     ends = lu_ends<T, NB>(count), pairs = lu_pairs<T, NB>(count);
  bool           left = false; /* those that end have all rows in place */
  cudaError_t    e    = cudaSuccess;
  if constexpr (TAILS)
    if ((!ends && !pairs) || A.sizes) e = lu_tail_launch<T, NB, TAIL>(A, ipiv, perm, all, info, s);
  if constexpr (TAILS && !ENDS)
    if (e == cudaSuccess && (pairs || A.sizes))
      e = lu_tail_launch<T, NB, TAIL, true>(A, ipiv, perm, all, info, s);
  if constexpr (ENDS) {
    left = tail_turns<END>(A.count) > 0;
    if (e == cudaSuccess && (ends || A.sizes))
      e = lu_end_launch<T, NB, END>(A, ipiv, perm, all, info, left, s);
  }
  if (e != cudaSuccess || (left && ends && !cut.heads() && !(TAILS && A.sizes))) return e;
  return lu_last_launch<NB>(A, perm, all, cut.n, cut.heads(), left, s);
}

/* Strips ONE: of a single panel; MANY: of a pair; LAST: of the last pair; all make the same of an entry. */
template <class ONE, class MANY, class LAST, class TAIL, class END, class T>
static cudaError_t lu_stages(const batch_view<T> &A, int *ipiv, int *info, uint16_t *perm, cudaStream_t s)
{
  constexpr int NB    = ONE::NB;
  const int64_t all   = (int64_t)A.count * A.pitch;
  const lu_cut  cut   = lu_cut_of<NB>(A);
  const int     count = lu_tail_start<NB>(cut.n) / NB;
  uint16_t     *head  = perm + ((A.n + 31) / 32 - 1) * all; /* behind those of panels and tail */
  cudaError_t   e     = cudaSuccess;
  if (cut.eight) e = lu_head_launch<8, ONE>(A, ipiv, head, info, s);
  if (e == cudaSuccess && cut.sixteen) e = lu_head_launch<16, ONE>(A, ipiv, head, info, s);
  for (int p = 0; e == cudaSuccess && p < count; p++) {
    const strip_step step = strip_after<T, NB>(p, cut.n);
    const int        c1 = A.sizes ? min(cut.n, step.c1 + LU_TAIL) : step.c1; /* smaller ones may want more */
    e                   = lu_panel_of<T, NB>(A, cut.n, p * NB, ipiv, perm + p * all, info, s);
    if (e != cudaSuccess || step.c1 == 0) continue;
    if (step.panels == 1)
      e = lu_strip_launch<ONE>(A, cut, perm, all, info, p, c1, s);
    else if (p + 1 == count)
      e = lu_strip_launch<LAST>(A, cut, perm, all, info, p, c1, s);
    else
      e = lu_strip_launch<MANY>(A, cut, perm, all, info, p, c1, s);
  }
  return e != cudaSuccess ? e : lu_rest<NB, TAIL, END>(A, cut, ipiv, info, perm, s);
}

/* Shapes as measured on one H200, 2026-11-22 and 23. */
template <class T>
static cudaError_t lu_staged(const batch_view<T> &A, int *ipiv, int *info, void *work, cudaStream_t s)
{
  uint16_t *perm = static_cast<uint16_t *>(work);
  if constexpr (sizeof(T) == 4) {
    using one  = strip_shape<32, 32, 4, 5, 2, 8, 4>;
    using many = strip_shape<32, 64, 4, 3, 2, 8, 4>;
    return lu_stages<one, many, many, tail_shape<true, true, 8, 6000>, void>(A, ipiv, info, perm, s);
  } else if constexpr (sizeof(T) == 16) {
    using one  = strip_shape<32, 32, 4, 2, 1, 8, 5, true>;
    using many = strip_shape<32, 32, 4, 2, 1, 8, 3, true>;
    return lu_stages<one, many, many, void, end_shape<3, 20000>>(A, ipiv, info, perm, s);
  } else if constexpr (is_complex<T>) {
    using one  = strip_shape<32, 32, 4, 4, 1, 16, 2>;
    using last = strip_shape<32, 64, 4, 3, 1, 8, 3>;
    return lu_stages<one, one, last, tail_shape<false, false, 6, 18000>, end_shape<6, 9000>>(A, ipiv, info,
                                                                                             perm, s);
  } else {
    using one  = strip_shape<32, 32, 4, 3, 2, 8, 4>;
    using last = strip_shape<32, 64, 4, 2, 1, 8, 4>;
    return lu_stages<one, one, last, tail_shape<true, false, 6, 13000>, end_shape<6, 7000>>(A, ipiv, info,
                                                                                            perm, s);
  }
}

} // namespace bf
#endif
