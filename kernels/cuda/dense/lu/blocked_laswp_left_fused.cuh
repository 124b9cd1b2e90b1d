/* kernels/cuda/dense/lu/blocked_laswp_left_fused.cuh - blocked LU: row exchanges left of the panels, by the
 * block that factored the final 64 columns
 *
 * Computes   rows below the diagonal blocks in their final order.
 * Source     delayed interchanges: Liu et al. 2023 (docs/references.md).
 * Layout     a panel's columns below its diagonal block are copied to shared memory, as many as fit in half
 *            of it, and stored in the final row order; the copy of the next ones overlaps.
 * Cost       the entries below the diagonal blocks are read and written once, column by column; the memory
 *            traffic overlaps the factorisation of other blocks.
 * Checked    tests/kernels/dense/t362_lu_batch.c, t366_sizes_batch.c, t368_lu_panels.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_LU_BLOCKED_LASWP_LEFT_FUSED_CUH
#define BF_KERNELS_CUDA_DENSE_LU_BLOCKED_LASWP_LEFT_FUSED_CUH
#include "kernels/cuda/dense/launchers.cuh"
#include "kernels/cuda/dense/lu/blocked_panel.cuh"
#include "kernels/cuda/device/async_bulk_copy.cuh"

namespace bf
{

/* A matrix: its columns, the row order after each panel, the start of the final block */
template <class T>
struct laswp_args {
  T              *a;
  int64_t         ld;
  int             n, k1;
  const uint16_t *perm;
  int64_t         pitch; /* from one panel's order to the next */
};

/* A block of THREADS with `BYTES` of shared memory. On entry source[position] is the row of a position
 * from k1 on. */
template <int NB, int THREADS, int BYTES, bool WIDE, class T>
struct laswp_left {
  static constexpr int TABLE = BATCH_MAX * (int)sizeof(uint16_t), WARPS = THREADS / 32,
                       HALF = (BYTES - TABLE) / 2 / (int)sizeof(T);
  laswp_args<T> at;
  uint16_t     *source;
  T            *smem;
  int           lane, w;

  __device__ __forceinline__ laswp_left(char *shared, const laswp_args<T> &position)
      : at(position), source(reinterpret_cast<uint16_t *>(shared)),
        smem(reinterpret_cast<T *>(shared + TABLE)), lane((int)threadIdx.x % 32), w((int)threadIdx.x / 32)
  {
  }
  /* Columns of panel p at a time, from its column c on */
  __device__ __forceinline__ int columns_at_once(int p, int c) const
  {
    return min(NB - c, HALF / (at.n - (p + 1) * NB));
  }
  __device__ __forceinline__ void load_async(int p, int c, T *to) const
  {
    const int below = (p + 1) * NB, rows = at.n - below, end = columns_at_once(p, c);
    const T  *q = at.a + (int64_t)(p * NB + c + w) * at.ld + below;
    to += w * rows;
    for (int j = w; j < end; j += WARPS, q += WARPS * at.ld, to += WARPS * rows)
#pragma unroll 4
      for (int i = lane; i < rows; i += 32)
        cp_async_scalar<WIDE ? (int)sizeof(T) : (int)sizeof(real_t<T>)>(to + i, q + i);
  }
  __device__ __forceinline__ void write_back(int p, int c, const T *s) const
  {
    const int below = (p + 1) * NB, rows = at.n - below, end = columns_at_once(p, c);
    T        *q = at.a + (int64_t)(p * NB + c + w) * at.ld;
    s += w * rows - below;
    for (int j = w; j < end; j += WARPS, q += WARPS * at.ld, s += WARPS * rows)
#pragma unroll 4
      for (int i = below + lane; i < at.n; i += 32) store(q + i, load(s + source[i], true), WIDE);
  }
  /* source: composes the order of panel p + 1 with those of the later panels */
  __device__ __forceinline__ void follow_order(int p)
  {
    const int       below = (p + 1) * NB;
    const uint16_t *order = at.perm + (p + 1) * at.pitch;
#pragma unroll 2
    for (int i = below + (int)threadIdx.x; i < at.n; i += THREADS)
      source[i] = order[i < below + NB ? i : (int)source[i]];
  }
  /* All panels but the last, whose rows are in place */
  __device__ __forceinline__ void run()
  {
    int p = at.k1 / NB - 2, c = 0, buffer = 0;
    if (p >= 0) load_async(p, c, smem);
    cp_async_commit_group();
    while (p >= 0) {
      const int next = c + columns_at_once(p, c), p2 = next < NB ? p : p - 1, c2 = next < NB ? next : 0;
      if (p2 >= 0) load_async(p2, c2, smem + (buffer ^ 1) * HALF);
      cp_async_commit_group();
      if (c == 0) follow_order(p);
      cp_async_wait_group<1>();
      __syncthreads();
      write_back(p, c, smem + buffer * HALF);
      __syncthreads();
      buffer ^= 1, p = p2, c = c2;
    }
  }
};

} // namespace bf
#endif
