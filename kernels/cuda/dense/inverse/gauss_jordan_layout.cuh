/* kernels/cuda/dense/inverse/gauss_jordan_layout.cuh - blocked Gauss-Jordan: algorithm and data layout
 *
 * Computes   A^-1 in place. A step reduces a panel of 16 columns to its Gauss-Jordan form G with pivots
 *            from the unused rows; then every other column x becomes x' + G u: u = the 16 pivot rows of x,
 *            x' = x with those rows zero. Rows and columns do not move: with p(k) the row of pivot k the
 *            inverse is X(k, p(j)) = W(p(k), j), where W is the result of all steps.
 * Source     N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 14.4.
 * Layout     columns 0 .. resident-1 in shared memory, the rest in the block's part of the workspace; a
 *            panel's rows are lanes of the first warps, one row per lane.
 * Cost       one barrier per column, two more per 16 S columns.
 * Checked    tests/kernels/dense/t361_inverse_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_INVERSE_GAUSS_JORDAN_LAYOUT_CUH
#define BF_KERNELS_CUDA_DENSE_INVERSE_GAUSS_JORDAN_LAYOUT_CUH
#include "kernels/cuda/dense/common/warp_tile16.cuh"
#include "kernels/cuda/dense/launchers.cuh"

namespace bf
{

enum {
  GJ_NB        = 16,        /* columns of a panel, and of a block of the update */
  GJ_SLOT      = GJ_NB + 4, /* a candidate pivot row: reciprocal of the pivot, 15 others, the pivot */
  GJ_MAX_ORDER = BATCH_MAX, /* largest order: nine bits of a key */
  GJ_SHARED    = 228        /* KB of a multiprocessor; every block takes 1 KB more than it requests */
};

/* One scalar at its own alignment */
template <class T>
struct alignas(sizeof(T)) gj_scalar {
  T v;
};
template <class T>
static __device__ __forceinline__ T gj_get(const T *p)
{
  return reinterpret_cast<const gj_scalar<T> *>(p)->v;
}
template <class T>
static __device__ __forceinline__ void gj_put(T *p, T v)
{
  reinterpret_cast<gj_scalar<T> *>(p)->v = v;
}
/* Pitch of columns in shared memory, without bank conflicts for the update */
template <class T>
static __host__ __device__ __forceinline__ int gj_pitch(int n)
{
  const int l = (n + 7) / 8 * 8;
  return sizeof(T) == 16 ? l + 1 : l / 8 % 2 == 1 ? l : l + 8;
}

/* Keys of TEAM warps */
template <int TEAM>
inline constexpr int gj_key_slots = (TEAM + 3) / 4 * 4;

static __host__ __device__ __forceinline__ int gj_warps(int n)
{
  return (n + 31) / 32;
}

/* Layout for orders up to n: S panels per step, `blocks` per multiprocessor, at most `max_resident`
 * columns in shared memory; the rest of it is L1 for the other columns. */
struct gj_layout {
  int    warps;                   /* warps of panels */
  int    resident;                /* columns in shared memory */
  int    panels, slots, integers; /* sizes of what follows them, in bytes */
  size_t shared, work;            /* bytes; scalars of workspace for each block */
};
template <class T, int S, int TEAM>
static gj_layout gj_layout_of(int n, int blocks, int max_resident)
{
  const int    columns = (n + GJ_NB - 1) / GJ_NB * GJ_NB, warps = gj_warps(n), step = S * GJ_NB;
  const size_t column = sizeof(T) * (size_t)gj_pitch<T>(n), most = (size_t)(GJ_SHARED / blocks - 1) * 1024;
  gj_layout    p     = {warps, columns, 0, 0, 0, 0, 0};
  p.panels           = step * warps * 32 * (int)sizeof(T);
  p.slots            = 2 * TEAM * GJ_SLOT * (int)sizeof(T);
  p.integers         = 4 * (2 * gj_key_slots<TEAM> + (S + 1) * warps + step + columns + 1);
  const size_t fixed = (size_t)(p.panels + p.slots + p.integers);
  if (columns > max_resident || fixed + column * (size_t)columns > most) {
    p.resident = (int)((most - fixed) / column) / step * step;
    if (p.resident > max_resident) p.resident = max_resident;
    p.work = (size_t)(columns - p.resident) * (size_t)columns;
  }
  p.shared = fixed + column * (size_t)p.resident;
  return p;
}

/* Data shared by the warps of a block */
template <class T>
struct gj_block {
  T        *smem_columns, *global_columns; /* columns */
  T        *panels;                        /* G of each panel, `step` apart */
  T        *slots;                         /* candidate rows */
  unsigned *keys, *mask;    /* keys of the candidates; bits of pivot rows: each panel's, then the step's */
  int      *pivots, *order; /* the step's pivot rows; all p(k) */
  int      *fail;
  int       n, resident, pitch, global_pitch, step, mask_words, warps;

  /* f(column j, pitch) with a pointer whose address space is known. The pitch is hidden from the
   * compiler, which would keep the offsets of all columns in registers across loops. */
  template <class F>
  __device__ __forceinline__ void at(int j, F f) const
  {
    int across = j < resident ? pitch : global_pitch;
    asm volatile("" : "+r"(across));
    if (j < resident)
      f(smem_columns + j * across, across);
    else
      f(global_columns + (int64_t)(j - resident) * across, across);
  }
};

} // namespace bf
#endif
