/* kernels/cuda/dense/lu/blocked_final64_laswp.cuh - blocked LU: final block after the trailing update, then
 * the row exchanges left of it
 *
 * Computes   P A22 = L U of the final 64 rows and columns by warp_factor.cuh; row exchanges in the last
 *            panel's columns and, with many matrices, in all others (blocked_laswp_left_fused.cuh), so that
 *            one block's row exchanges overlap another block's factorisation.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 3.2.11 (block LU).
 * Layout     two warps per matrix; the final block in shared memory.
 * Cost       the final block and the columns left of it are read and written once.
 * Launch     64 threads per matrix, FINAL_LASWP::BLOCKS blocks per multiprocessor, staggered as in
 *            blocked_final64.cuh.
 * Checked    tests/kernels/dense/t362_lu_batch.c, t366_sizes_batch.c, t368_lu_panels.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_LU_BLOCKED_FINAL64_LASWP_CUH
#define BF_KERNELS_CUDA_DENSE_LU_BLOCKED_FINAL64_LASWP_CUH
#include "kernels/cuda/dense/lu/blocked_final64.cuh"
#include "kernels/cuda/dense/lu/blocked_laswp_left_fused.cuh"

namespace bf
{

/* perm[panel][b][position], positions after the leading columns; do_laswp: exchange the rows of all
 * columns left of the final block, unless there are leading columns; otherwise the block's own order is
 * stored like a panel's */
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
