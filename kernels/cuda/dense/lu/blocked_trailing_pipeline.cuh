/* kernels/cuda/dense/lu/blocked_trailing_pipeline.cuh - blocked LU: asynchronous copies of the trailing
 * update through shared memory
 *
 * Computes   nothing: loads C and L21 for blocked_trailing_update.cuh.
 * Source     CUDA programming guide, asynchronous data copies; PTX ISA, cp.async.
 * Layout     a warp's tiles are 16 M rows of a block of columns. C and L21 of a tile are copied KC columns
 *            at a time through a ring buffer of the warp, STAGES - 1 parts ahead; registers hold
 *            accumulators only.
 * Limits     where blocks leave less than 60 KB of L1 on a multiprocessor, the update takes 25 % longer
 *            (measured; copies in flight need L1 lines).
 * Checked    tests/kernels/dense/t362_lu_batch.c, t366_sizes_batch.c, t368_lu_panels.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_LU_BLOCKED_TRAILING_PIPELINE_CUH
#define BF_KERNELS_CUDA_DENSE_LU_BLOCKED_TRAILING_PIPELINE_CUH
#include "kernels/cuda/dense/lu/blocked_trailing_trsm.cuh"
#include "kernels/cuda/device/async_bulk_copy.cuh"

namespace bf
{

/* W columns in a block of WARPS warps, registers for BLOCKS blocks, tiles of 16 M rows, KC columns in a
 * part, STAGES parts in a ring; THREE: complex products by three real ones */
template <int NB_, int W_, int WARPS_, int BLOCKS_, int M_, int KC_, int STAGES_, bool THREE_ = false>
struct trailing_shape {
  static constexpr bool THREE = THREE_;
  static constexpr int NB = NB_, W = W_, WARPS = WARPS_, BLOCKS = BLOCKS_, M = M_, KC = KC_, STAGES = STAGES_;
};

/* Pitches without bank conflicts for the fragments of L and of C */
template <class SHAPE, class T>
struct trailing_smem {
  static constexpr int S = (int)sizeof(T), ROWS = 16 * SHAPE::M,
                       L     = ROWS + (S == 4    ? 8
                                       : S == 16 ? 2
                                                 : 4),
                       C     = ROWS + (S == 4    ? 4
                                       : S == 16 ? 1
                                                 : 2),
                       SIZE  = SHAPE::KC * L;
  static constexpr int PITCH = trailing_pitch<T, SHAPE::W>, DIAGONAL_PITCH = SHAPE::NB + (S == 4 ? 8 : 2);
  static int           bytes(int panels, int m)
  {
    return (SHAPE::NB * panels * PITCH + SHAPE::NB * DIAGONAL_PITCH + SHAPE::WARPS * SHAPE::STAGES * SIZE) *
               S +
           panels * m * (int)sizeof(uint16_t);
  }
};

/* A block's data: a: its columns, `last` of them; panel: the columns of `panels` panels, which start at
 * row k0 of n, after `leading` columns; perm: row order of the first panel, `pitch` before that of the
 * next one */
template <class T>
struct trailing_args {
  const T        *panel;
  T              *a;
  int64_t         ld;
  int             n, leading, k0, last, panels;
  const uint16_t *perm;
  int64_t         pitch;
};

template <bool WIDE, class T>
static __device__ __forceinline__ void trailing_copy(T *to, const T *from)
{
  cp_async_scalar<WIDE ? (int)sizeof(T) : (int)sizeof(real_t<T>)>(to, from);
}

/* A warp's sequence of parts: for every tile W columns of C, then the columns of one panel after the
 * other */
template <class SHAPE, bool WIDE, class T>
struct trailing_pipeline {
  using part              = trailing_smem<SHAPE, T>;
  static constexpr int KC = SHAPE::KC, ROWS = part::ROWS, COLUMNS_PER_WARP = 32 / ROWS,
                       FINAL_LASWP = SHAPE::STAGES * part::SIZE;
  const trailing_args<T> &at;
  T                      *ring;
  const uint16_t         *rows;               /* [panels][m]: a position's row in C, in the first panel, .. */
  int                     m, r0, row, column; /* of the tile and the lane */
  int                     operand, columns_left; /* 0: C, 1 ..: panels; columns left to copy */
  int                     slot, previous_slot;   /* the current part and the one before */
  const T                *from;

  __device__ __forceinline__ trailing_pipeline(const trailing_args<T> &position, T *r, const uint16_t *list,
                                               int positions, int first, int lane)
      : at(position), ring(r), rows(list), m(positions), r0(first), row(lane % ROWS), column(lane / ROWS),
        operand(0), columns_left(0), slot(0), previous_slot(FINAL_LASWP - part::SIZE)
  {
#pragma unroll
    for (int s = 0; s < SHAPE::STAGES - 1; s++) issue(s * part::SIZE);
  }
  __device__ __forceinline__ void issue(int slot)
  {
    if (r0 < m) {
      if (columns_left == 0) {
        /* 32 lanes: lanes without a row copy other rows; copies of one address would serialise */
        const int i = r0 + row < m ? r0 + row : COLUMNS_PER_WARP == 1 ? m - ROWS + row : m - 1;
        if (operand == 0) {
          columns_left = SHAPE::W;
          from         = at.a + column * at.ld + rows[i];
        } else {
          columns_left = SHAPE::NB;
          from         = at.panel + (SHAPE::NB * (operand - 1) + column) * at.ld +
                 (operand < at.panels ? rows[operand * m + i] : at.k0 + i);
        }
      }
      const int64_t step = COLUMNS_PER_WARP * at.ld;
      T            *to   = ring + slot + row;
      if (operand == 0) {
        to += column * part::C;
        const int some = at.last - SHAPE::W + columns_left - column;
#pragma unroll
        for (int k = 0; k < KC; k += COLUMNS_PER_WARP, from += step)
          if (k < some) trailing_copy<WIDE>(to + k * part::C, from);
      } else {
        to += column * part::L;
#pragma unroll
        for (int k = 0; k < KC; k += COLUMNS_PER_WARP, from += step)
          trailing_copy<WIDE>(to + k * part::L, from);
      }
      columns_left -= KC;
      if (columns_left == 0 && ++operand > at.panels) operand = 0, r0 += SHAPE::WARPS * ROWS;
    }
    cp_async_commit_group();
  }
  __device__ __forceinline__ const T *next()
  {
    cp_async_wait_group<SHAPE::STAGES - 2>();
    __syncwarp();
    issue(previous_slot);
    previous_slot = slot;
    slot          = slot + part::SIZE == FINAL_LASWP ? 0 : slot + part::SIZE;
    return ring + previous_slot;
  }
};

} // namespace bf
#endif
