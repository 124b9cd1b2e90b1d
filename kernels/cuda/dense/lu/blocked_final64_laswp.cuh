/* kernels/cuda/dense/lu/blocked_final64_laswp.cuh - LU by stages: the last 64 rows and columns, at most,
 * which strips have brought up to date, then all rows left of them
 *
 * Computes   P A22 = L U by warp_factor.cuh; the last panel's rows go to their last places, and where there
 *            are many matrices those of all others too (blocked_laswp_left_fused.cuh): one block's memory
 *            runs beneath another's chain of columns.
 * Cost       what is left and what lies left of it is read and written once.
 * Checked    t362, t366, t368.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_LU_BLOCKED_FINAL64_LASWP_CUH
#define BF_KERNELS_CUDA_DENSE_LU_BLOCKED_FINAL64_LASWP_CUH
#include "kernels/cuda/dense/lu/blocked_final64.cuh"
#include "kernels/cuda/dense/lu/blocked_laswp_left_fused.cuh"

namespace bf
{

/* perm[panel][b][place], places behind the head; left: all rows left of what is left, but where there is a
 * head, else its own order in the place of a panel's. */
template <class T, int NB, class END>
static __global__ void __launch_bounds__(LU_TAIL_THREADS, END::BLOCKS)
    lu_end(const batch_view<T> A, int *__restrict__ ipiv, uint16_t *perm, int64_t panel_pitch,
           int *__restrict__ info, int apart, bool left)
{
  extern __shared__ __align__(16) char room[];
  constexpr int                        BYTES = warp_shape<T, LU_TAIL, 32>::matrix;
  const small_matrix<T>                all(A, lane_group<LU_TAIL_THREADS>());
  if (all.b == NOBODY) return;
  const int             head = lu_head<T, NB>(all.n);
  const small_matrix<T> M    = tail_matrix(all, head);
  const int             k1 = lu_tail_start<NB>(M.n), panels = k1 / NB;
  left = left && head == 0;
  if (!lu_ends<T, NB>(panels)) return;
  if ((int)blockIdx.x < apart * END::BLOCKS) tail_apart(apart, panels < 4 ? END::WAIT : 2 * END::WAIT);
  perm += (int64_t)M.b * A.pitch;
  tail_factor<NB, false>(M, head, k1, room, real_t<T>(0), ipiv + (int64_t)M.b * A.pitch + head, info,
                         left ? reinterpret_cast<uint16_t *>(room) : perm + panels * panel_pitch);
  if (!left || panels == 1) return;
  const left_place<T> at = {M.a, M.ld, M.n, k1, perm, panel_pitch};
  __syncthreads();
  if (whole(M))
    left_rows<NB, LU_TAIL_THREADS, BYTES, is_complex<T>, T>(room, at).run();
  else
    left_rows<NB, LU_TAIL_THREADS, BYTES, false, T>(room, at).run();
}

template <class T, int NB, class END>
static cudaError_t lu_end_launch(const batch_view<T> &A, int *ipiv, uint16_t *perm, int64_t panel_pitch,
                                 int *info, bool left, cudaStream_t s)
{
  const auto        kernel = lu_end<T, NB, END>;
  const cudaError_t e =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, tail_bytes<T>);
  if (e != cudaSuccess) return e;
  kernel<<<(unsigned)A.count, LU_TAIL_THREADS, (size_t)tail_bytes<T>, s>>>(A, ipiv, perm, panel_pitch, info,
                                                                           tail_turns<END>(A.count), left);
  return cudaGetLastError();
}

} // namespace bf
#endif
