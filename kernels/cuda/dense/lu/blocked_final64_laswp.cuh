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
template <class T, int NB, class FINAL_LASWP>
static __global__ void __launch_bounds__(LU_FINAL_THREADS, FINAL_LASWP::BLOCKS)
    lu_final64_laswp(const batch_view<T> A, int *__restrict__ ipiv, uint16_t *perm, int64_t panel_pitch,
                     int *__restrict__ info, int stagger, bool do_laswp)
{
  extern __shared__ __align__(16) char smem[];
  constexpr int                        BYTES = warp_layout<T, LU_FINAL, 32>::matrix;
  const subwarp_matrix<T>              all(A, subwarp<LU_FINAL_THREADS>());
  if (all.b == NO_INDEX) return;
  const int               leading = leading_count<T, NB>(all.n);
  const subwarp_matrix<T> M       = trailing_matrix(all, leading);
  const int               k1 = final64_start<NB>(M.n), panels = k1 / NB;
  do_laswp = do_laswp && leading == 0;
  if (!final64_is_updated<T, NB>(panels)) return;
  if ((int)blockIdx.x < stagger * FINAL_LASWP::BLOCKS)
    stagger_blocks(stagger, panels < 4 ? FINAL_LASWP::STAGGER_CLOCKS : 2 * FINAL_LASWP::STAGGER_CLOCKS);
  perm += (int64_t)M.b * A.pitch;
  final64_factor<NB, false>(M, leading, k1, smem, real_t<T>(0), ipiv + (int64_t)M.b * A.pitch + leading, info,
                            do_laswp ? reinterpret_cast<uint16_t *>(smem) : perm + panels * panel_pitch);
  if (!do_laswp || panels == 1) return;
  const laswp_args<T> args = {M.a, M.ld, M.n, k1, perm, panel_pitch};
  __syncthreads();
  if (is_aligned(M))
    laswp_left<NB, LU_FINAL_THREADS, BYTES, is_complex<T>, T>(smem, args).run();
  else
    laswp_left<NB, LU_FINAL_THREADS, BYTES, false, T>(smem, args).run();
}

template <class T, int NB, class FINAL_LASWP>
static cudaError_t lu_final64_laswp_launch(const batch_view<T> &A, int *ipiv, uint16_t *perm,
                                           int64_t panel_pitch, int *info, bool do_laswp, cudaStream_t s)
{
  const auto        kernel = lu_final64_laswp<T, NB, FINAL_LASWP>;
  const cudaError_t e =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, final64_bytes<T>);
  if (e != cudaSuccess) return e;
  kernel<<<(unsigned)A.count, LU_FINAL_THREADS, (size_t)final64_bytes<T>, s>>>(
      A, ipiv, perm, panel_pitch, info, stagger_multiprocessors<FINAL_LASWP>(A.count), do_laswp);
  return cudaGetLastError();
}

} // namespace bf
#endif
