/* kernels/cuda/batch_lu_last.cuh - LU by stages: rows left of panels in their last order, all at once
 *
 * Cost       what lies below the diagonal blocks is read and written once.
 * Source     delayed interchanges: paper 003.
 * Checked    t362, t366, t368.
 */
#ifndef BF_BATCH_LU_LAST_CUH
#define BF_BATCH_LU_LAST_CUH
#include "kernels/cuda/batch_lu_panel.cuh"

/* Panel p's columns below its diagonal block: rows in the order of all panels after it.
 * perm[panel][b][place]. A thread owns a row, HOLD columns at a time. */
template <class T, int NB, int HOLD>
static __global__ void lu_last(const batch_view<T> A, const uint16_t *perm, int64_t panel_pitch, int panels)
{
  const int k = (int)blockIdx.x / panels, p = (int)blockIdx.x - k * panels;
  if (k >= A.members()) return;
  const int b = A.member(k), n = A.order(b), below = (p + 1) * NB, row = below + (int)threadIdx.x,
            tail = lu_tail_start<NB>(n);
  if (below >= tail) return;
  const int64_t ld = A.ld;
  perm += (int64_t)b * A.pitch;
  int from = row;
  if (row < n)
    for (int q = tail / NB; q > p; q--)
      if (from >= q * NB) from = perm[q * panel_pitch + from];
  T *a = A.matrix(b) + (int64_t)(p * NB) * ld;
  for (int c = 0; c < NB; c += HOLD, a += HOLD * ld) {
    T x[HOLD];
    if (row < n && from != row)
#pragma unroll
      for (int j = 0; j < HOLD; j++) x[j] = a[j * ld + from];
    __syncthreads();
    if (row < n && from != row)
#pragma unroll
      for (int j = 0; j < HOLD; j++) a[j * ld + row] = x[j];
  }
}

template <int NB, class T>
static cudaError_t lu_last_launch(const batch_view<T> &A, const uint16_t *perm, int64_t panel_pitch,
                                  cudaStream_t s)
{
  const int panels = lu_tail_start<NB>(A.n) / NB - 1; /* the last one's rows are the tail's */
  if (panels < 1) return cudaSuccess;
  lu_last<T, NB, 16><<<(unsigned)A.count *(unsigned)panels, (unsigned)(A.n - NB + 31) / 32 * 32, 0, s>>>(
      A, perm, panel_pitch, panels);
  return cudaGetLastError();
}
#endif
