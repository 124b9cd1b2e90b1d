/* kernels/cuda/batch_lu_staged.cuh - LU of orders 81 (s, d: 89) .. 512 by stages: panels, the strips right of
 * each, last the rows left of them
 *
 *     lu_head: 8 or 16 columns, where the order is a few above a multiple of 32
 *     for panel k0, k0 + NB ..:   lu_panel_of: factors NB columns
 *                                 lu_strip: after the first of a pair the second's columns, then all that
 *                                 are right of both, which reads and writes them half as often
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
#include "kernels/cuda/batch_lu_head.cuh"
#include "kernels/cuda/batch_lu_last.cuh"
#include "kernels/cuda/batch_lu_panel.cuh"
#include "kernels/cuda/batch_lu_strip.cuh"
#include "kernels/cuda/batch_lu_tail.cuh"

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

/* ONE: strips of a single panel; MANY: of a pair; both make the same of an entry. */
template <class ONE, class MANY, class TAIL, class T>
static cudaError_t lu_stages(const batch_view<T> &A, int *ipiv, int *info, uint16_t *perm, cudaStream_t s)
{
  constexpr int NB    = ONE::NB;
  const int64_t all   = (int64_t)A.count * A.pitch;
  const lu_cut  cut   = lu_cut_of<NB>(A);
  const bool    heads = cut.eight || cut.sixteen;
  const int     n = cut.n, tail = lu_tail_start<NB>(n);
  uint16_t     *head = perm + ((A.n + 31) / 32 - 1) * all; /* behind those of panels and tail */
  cudaError_t   e    = cudaSuccess;
  if (cut.eight) e = lu_head_launch<8, ONE>(A, ipiv, head, info, s);
  if (e == cudaSuccess && cut.sixteen) e = lu_head_launch<16, ONE>(A, ipiv, head, info, s);
  for (int p = 0; e == cudaSuccess && p * NB < tail; p++) {
    const strip_step step = strip_after<NB>(p, n);
    const int        c1   = A.sizes ? min(n, step.c1 + LU_TAIL) : step.c1; /* smaller ones may want more */
    e                     = lu_panel_of<T, NB>(A, n, p * NB, ipiv, perm + p * all, info, s);
    if (e == cudaSuccess && step.c1 > 0)
      e = step.panels == 1 ? lu_strip_launch<ONE>(A, perm, all, info, p, n, c1, heads, s)
                           : lu_strip_launch<MANY>(A, perm, all, info, p, n, c1, heads, s);
  }
  if (e == cudaSuccess) e = lu_tail_launch<T, NB, TAIL>(A, ipiv, perm, all, info, s);
  return e != cudaSuccess ? e : lu_last_launch<NB>(A, perm, all, n, heads, s);
}

/* Shapes as measured on one H200, 2026-11-22. */
template <class T>
static cudaError_t lu_staged(const batch_view<T> &A, int *ipiv, int *info, void *work, cudaStream_t s)
{
  uint16_t *perm = static_cast<uint16_t *>(work);
  if constexpr (sizeof(T) == 4) {
    using one  = strip_shape<32, 32, 4, 5, 2, 8, 4>;
    using many = strip_shape<32, 64, 4, 3, 2, 8, 4>;
    return lu_stages<one, many, tail_shape<true, true, 8, 6000>>(A, ipiv, info, perm, s);
  } else if constexpr (sizeof(T) == 16) {
    using one  = strip_shape<32, 32, 4, 2, 1, 8, 5, true>;
    using many = strip_shape<32, 32, 4, 2, 1, 8, 3, true>;
    return lu_stages<one, many, tail_shape<true, false, 3, 40000>>(A, ipiv, info, perm, s);
  } else if constexpr (is_complex<T>) {
    using one = strip_shape<32, 32, 4, 4, 1, 16, 2>;
    return lu_stages<one, one, tail_shape<false, false, 6, 18000>>(A, ipiv, info, perm, s);
  } else {
    using one = strip_shape<32, 32, 4, 3, 2, 8, 4>;
    return lu_stages<one, one, tail_shape<true, false, 6, 13000>>(A, ipiv, info, perm, s);
  }
}
#endif
