/* kernels/cuda/dense/lu/lu_blocked_one_panel.cuh - LU of orders 73 .. 80: one panel of 16 columns, then the
 * final block of at most 64
 *
 * Computes   P A = L U, LAPACK's ipiv and info.
 * Source     docs/design-notes/batched-lu.md, "From 64 to 65".
 * Layout     work: as in lu_blocked.cuh, one panel.
 * Cost       2/3 n^3 flops (complex 4 times).
 * Launch     blocked_panel.cuh, blocked_final64.cuh.
 * Checked    tests/kernels/dense/t362_lu_batch.c, t366_sizes_batch.c, t368_lu_panels.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_LU_LU_BLOCKED_ONE_PANEL_CUH
#define BF_KERNELS_CUDA_DENSE_LU_LU_BLOCKED_ONE_PANEL_CUH
#include "kernels/cuda/dense/lu/lu_blocked.cuh"

namespace bf
{

template <class T>
static cudaError_t lu_one_panel(const batch_view<T> &A, int *ipiv, int *info, void *work, cudaStream_t s)
{
  constexpr bool c = is_complex<T>;
  using final_shape =
      std::conditional_t<sizeof(T) == 4, final64_shape<true, true, 8, 6000>,
                         std::conditional_t<sizeof(T) == 16, final64_shape<true, false, 3, 40000>,
                                            final64_shape<!c, false, 6, c ? 18000 : 13000>>>;
  uint16_t         *perm = static_cast<uint16_t *>(work);
  const cudaError_t e    = lu_panel_of<T, 16>(A, A.n, 0, ipiv, perm, info, s);
  return e != cudaSuccess
             ? e
             : lu_final64_launch<T, 16, final_shape>(A, ipiv, perm, (int64_t)A.count * A.pitch, info, s);
}

} // namespace bf
#endif
