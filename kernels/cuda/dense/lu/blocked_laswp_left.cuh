/* kernels/cuda/dense/lu/blocked_laswp_left.cuh - blocked LU: row exchanges in the columns left of panels
 *
 * Computes   rows below the diagonal block of every panel in the order of all later panels.
 * Source     delayed interchanges: Liu et al. 2023 (docs/references.md).
 * Layout     perm[panel][b][position], positions after the leading columns.
 * Cost       the entries below the diagonal blocks are read and written once.
 * Launch     a block per matrix and panel, a thread per row.
 * Checked    tests/kernels/dense/t362_lu_batch.c, t366_sizes_batch.c, t368_lu_panels.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_LU_BLOCKED_LASWP_LEFT_CUH
#define BF_KERNELS_CUDA_DENSE_LU_BLOCKED_LASWP_LEFT_CUH
#include "kernels/cuda/dense/launchers.cuh"
#include "kernels/cuda/dense/lu/blocked_panel.cuh"

namespace bf
{

/* Panel p's columns below its diagonal block, the leading columns for p = -1. A thread owns a row, HOLD
 * columns at a time. LEADING: some matrices may have leading columns. updated: matrices without leading
 * columns that lu_final64_laswp factored are done already. */
template <class T, int NB, int HOLD, bool LEADING>
static __global__ void __launch_bounds__(BATCH_MAX)
    lu_laswp_left(const batch_view<T> A, const uint16_t *perm, int64_t panel_pitch, int panels, bool updated)
{
  const int k = (int)blockIdx.x / panels, p = (int)blockIdx.x - k * panels - (LEADING ? 1 : 0);
  if (k >= A.members()) return;
  const int b = A.member(k), leading = LEADING ? leading_count<T, NB>(A.order(b)) : 0,
            n = A.order(b) - leading, below = (p + 1) * NB, row = below + (int)threadIdx.x,
            final_start = final64_start<NB>(n), columns = LEADING && p < 0 ? leading : NB;
  if (below >= final_start || columns == 0 ||
      (updated && leading == 0 && final64_is_updated<T, NB>(final_start / NB)))
    return;
  const int64_t ld = A.ld;
  perm += (int64_t)b * A.pitch;
  int from = row;
  if (row < n)
    for (int q = final_start / NB; q > p; q--)
      if (from >= q * NB) from = perm[q * panel_pitch + from];
  T *a = A.matrix(b) + (LEADING && p < 0 ? 0 : leading + p * NB) * ld + leading;
  for (int c = 0; c < columns; c += HOLD, a += HOLD * ld) {
    T x[HOLD];
    if (row < n && from != row)
#pragma unroll
      for (int j = 0; j < HOLD; j++)
        if (c + j < columns) x[j] = a[j * ld + from];
    __syncthreads();
    if (row < n && from != row)
#pragma unroll
      for (int j = 0; j < HOLD; j++)
        if (c + j < columns) a[j * ld + row] = x[j];
  }
}

/* n: the largest order without its leading columns */
template <int NB, class T>
static cudaError_t lu_laswp_left_launch(const batch_view<T> &A, const uint16_t *perm, int64_t panel_pitch,
                                        int n, bool leading, bool updated, cudaStream_t s)
{
  const int panels = final64_start<NB>(n) / NB - (leading ? 0 : 1);
  if (panels < 1) return cudaSuccess; /* the last panel's rows are in place */
  const auto     kernel  = leading ? lu_laswp_left<T, NB, 16, true> : lu_laswp_left<T, NB, 16, false>;
  const unsigned threads = (unsigned)(n - (leading ? 0 : NB) + 31) / 32 * 32;
  kernel<<<(unsigned)A.count *(unsigned)panels, threads, 0, s>>>(A, perm, panel_pitch, panels, updated);
  return cudaGetLastError();
}

} // namespace bf
#endif
