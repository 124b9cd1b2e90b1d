/* kernels/cuda/dense/lu/lu_blocked.cuh - LU of orders 81 .. 512: blocked right-looking factorisation
 *
 *     lu_leading_launch    8 or 16 leading columns, where the order is a few above a multiple of 32
 *     for panel k0, k0 + NB ..:
 *       lu_panel_of          factors NB columns
 *       lu_trailing_launch   after the first panel of a pair updates the second's columns only, then
 *                            all columns right of both: these are read and written half as often
 *     lu_final64_launch or lu_final64_laswp_launch   the final 64 rows and columns, at most
 *     lu_laswp_left_launch   row exchanges left of the panels, unless already done
 *
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 3.2.11 (block LU);
 *            docs/design-notes/batched-lu.md.
 * Layout     work: perm[panel][count][pitch], the row order after each panel.
 * Cost       2/3 n^3 flops (complex 4 times). Panels are latency-bound and overlap across matrices;
 *            trailing updates are bandwidth-bound.
 * Launch     one launch per step for all matrices.
 * Checked    tests/kernels/dense/t362_lu_batch.c, t366_sizes_batch.c, t368_lu_panels.c.
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
static size_t lu_blocked_work(int n, int count)
{
  return (size_t)((n + 31) / 32) * (size_t)count * (size_t)n * sizeof(uint16_t);
}

/* SPLIT: keep L21 as split mma operands; EARLY: load L21 before U12 is solved; blocks per
 * multiprocessor; start delay in clocks */
template <bool SPLIT_, bool EARLY_, int BLOCKS_, int STAGGER_CLOCKS_>
struct final64_shape {
  static constexpr bool SPLIT = SPLIT_, EARLY = EARLY_;
  static constexpr int  BLOCKS = BLOCKS_, STAGGER_CLOCKS = STAGGER_CLOCKS_;
};
/* For lu_final64_laswp: blocks, start delay after up to three panels; after more it is doubled */
template <int BLOCKS_, int STAGGER_CLOCKS_>
struct final64_laswp_shape {
  static constexpr int BLOCKS = BLOCKS_, STAGGER_CLOCKS = STAGGER_CLOCKS_;
};

/* The final block, then the row exchanges left of it; partition: of the largest order. FINAL,
 * FINAL_LASWP: void where no order of the type uses that kernel; in a batch of several sizes both may be
 * used. */
template <int NB, class FINAL, class FINAL_LASWP, class T>
static cudaError_t lu_final(const batch_view<T> &A, const lu_partition &partition, int *ipiv, int *info,
                            uint16_t *perm, cudaStream_t s)
{
  constexpr bool HAS_FINAL = !std::is_void_v<FINAL>, HAS_FINAL_LASWP = !std::is_void_v<FINAL_LASWP>;
  const int64_t  all   = (int64_t)A.count * A.pitch;
  const int      count = final64_start<NB>(partition.n) / NB;
  const bool     ends = final64_is_updated<T, NB>(count), pairs = final64_takes_two<T, NB>(count);
  bool           laswp_done = false; /* matrices of lu_final64_laswp have all rows in place */
  cudaError_t    e          = cudaSuccess;
  if constexpr (HAS_FINAL)
    if ((!ends && !pairs) || A.sizes) e = lu_final64_launch<T, NB, FINAL>(A, ipiv, perm, all, info, s);
  if constexpr (HAS_FINAL && !HAS_FINAL_LASWP)
    if (e == cudaSuccess && (pairs || A.sizes))
      e = lu_final64_launch<T, NB, FINAL, true>(A, ipiv, perm, all, info, s);
  if constexpr (HAS_FINAL_LASWP) {
    laswp_done = stagger_multiprocessors<FINAL_LASWP>(A.count) > 0;
    if (e == cudaSuccess && (ends || A.sizes))
      e = lu_final64_laswp_launch<T, NB, FINAL_LASWP>(A, ipiv, perm, all, info, laswp_done, s);
  }
  if (e != cudaSuccess || (laswp_done && ends && !partition.has_leading() && !(HAS_FINAL && A.sizes)))
    return e;
  return lu_laswp_left_launch<NB>(A, perm, all, partition.n, partition.has_leading(), laswp_done, s);
}

/* Shapes of the trailing update: SINGLE: by one panel; PAIR_SHAPE: by two; LAST_PAIR: by the last two.
 * An entry gets the same bits from all of them. */
template <class SINGLE, class PAIR_SHAPE, class LAST_PAIR, class FINAL, class FINAL_LASWP, class T>
static cudaError_t lu_blocked_steps(const batch_view<T> &A, int *ipiv, int *info, uint16_t *perm,
                                    cudaStream_t s)
{
  constexpr int      NB        = SINGLE::NB;
  const int64_t      all       = (int64_t)A.count * A.pitch;
  const lu_partition partition = lu_partition_of<NB>(A);
  const int          count     = final64_start<NB>(partition.n) / NB;
  uint16_t *leading = perm + ((A.n + 31) / 32 - 1) * all; /* after those of the panels and the final block */
  cudaError_t e     = cudaSuccess;
  if (partition.has8) e = lu_leading_launch<8, SINGLE>(A, ipiv, leading, info, s);
  if (e == cudaSuccess && partition.has16) e = lu_leading_launch<16, SINGLE>(A, ipiv, leading, info, s);
  for (int p = 0; e == cudaSuccess && p < count; p++) {
    const trailing_step step = trailing_step_after<T, NB>(p, partition.n);
    const int           c1 =
        A.sizes ? min(partition.n, step.c1 + LU_FINAL) : step.c1; /* smaller matrices may need more */
    e = lu_panel_of<T, NB>(A, partition.n, p * NB, ipiv, perm + p * all, info, s);
    if (e != cudaSuccess || step.c1 == 0) continue;
    if (step.panels == 1)
      e = lu_trailing_launch<SINGLE>(A, partition, perm, all, info, p, c1, s);
    else if (p + 1 == count)
      e = lu_trailing_launch<LAST_PAIR>(A, partition, perm, all, info, p, c1, s);
    else
      e = lu_trailing_launch<PAIR_SHAPE>(A, partition, perm, all, info, p, c1, s);
  }
  return e != cudaSuccess ? e : lu_final<NB, FINAL, FINAL_LASWP>(A, partition, ipiv, info, perm, s);
}

/* Shapes as measured on one H200, 2026-11-22 and 23 */
template <class T>
static cudaError_t lu_blocked(const batch_view<T> &A, int *ipiv, int *info, void *work, cudaStream_t s)
{
  uint16_t *perm = static_cast<uint16_t *>(work);
  if constexpr (sizeof(T) == 4) {
    using single = trailing_shape<32, 32, 4, 5, 2, 8, 4>;
    using pair   = trailing_shape<32, 64, 4, 3, 2, 8, 4>;
    return lu_blocked_steps<single, pair, pair, final64_shape<true, true, 8, 6000>, void>(A, ipiv, info, perm,
                                                                                          s);
  } else if constexpr (sizeof(T) == 16) {
    using single = trailing_shape<32, 32, 4, 2, 1, 8, 5, true>;
    using pair   = trailing_shape<32, 32, 4, 2, 1, 8, 3, true>;
    return lu_blocked_steps<single, pair, pair, void, final64_laswp_shape<3, 20000>>(A, ipiv, info, perm, s);
  } else if constexpr (is_complex<T>) {
    using single    = trailing_shape<32, 32, 4, 4, 1, 16, 2>;
    using last_pair = trailing_shape<32, 64, 4, 3, 1, 8, 3>;
    return lu_blocked_steps<single, single, last_pair, final64_shape<false, false, 6, 18000>,
                            final64_laswp_shape<6, 9000>>(A, ipiv, info, perm, s);
  } else {
    using single    = trailing_shape<32, 32, 4, 3, 2, 8, 4>;
    using last_pair = trailing_shape<32, 64, 4, 2, 1, 8, 4>;
    return lu_blocked_steps<single, single, last_pair, final64_shape<true, false, 6, 13000>,
                            final64_laswp_shape<6, 7000>>(A, ipiv, info, perm, s);
  }
}

} // namespace bf
#endif
