/* kernels/cuda/dense/lu/blocked_leading_columns.cuh - blocked LU: 8 or 16 leading columns before the panels
 *
 * Computes   P A(:, :H) = L U as a panel of H columns; right of it U12 = L11^-1 C1, C2 -= L21 U12.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 3.2.11 (block LU).
 * Layout     perm[b][position]: row order after the panel.
 * Cost       the matrix is read and written once.
 * Launch     a block per matrix, a thread per row (panel); a block per W columns (update).
 * Checked    tests/kernels/dense/t362_lu_batch.c, t366_sizes_batch.c, t368_lu_panels.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_LU_BLOCKED_LEADING_COLUMNS_CUH
#define BF_KERNELS_CUDA_DENSE_LU_BLOCKED_LEADING_COLUMNS_CUH
#include "kernels/cuda/dense/lu/blocked_panel.cuh"
#include "kernels/cuda/dense/lu/blocked_trailing_update.cuh"

namespace bf
{

template <class T, int H, int REGS>
static __global__ void __maxnreg__(REGS)
    lu_leading_panel(const batch_view<T> A, int *ipiv, uint16_t *perm, int *info)
{
  extern __shared__ __align__(16) char smem[];
  auto                                &S = *reinterpret_cast<lu_panel_smem<T, H, H> *>(smem);
  if ((int)blockIdx.x >= A.members()) return;
  const int b = A.member((int)blockIdx.x), n = A.order(b);
  if (leading_count<T, 32>(n) != H || (int)threadIdx.x >= (n + 31) / 32 * 32) return;
  T *a = A.matrix(b);
  if (is_complex<T> && (reinterpret_cast<uintptr_t>(a) & (sizeof(T) - 1)) == 0)
    lu_panel_matrix<is_complex<T>, false, H, H>(S, a, A, b, 0, 0, ipiv, perm, info);
  else
    lu_panel_matrix<false, false, H, H>(S, a, A, b, 0, 0, ipiv, perm, info);
}

/* Columns right of the leading ones, W in a block */
template <class SHAPE, class T>
static __global__ void __launch_bounds__(32 * SHAPE::WARPS, SHAPE::BLOCKS)
    lu_leading_update(const batch_view<T> A, const uint16_t *perm, int *info, int column_blocks)
{
  extern __shared__ __align__(16) char smem[];
  constexpr int                        H = SHAPE::NB;
  const int                            k = (int)blockIdx.x / column_blocks;
  if (k >= A.members()) return;
  const int b = A.member(k), n = A.order(b), c0 = H + ((int)blockIdx.x - k * column_blocks) * SHAPE::W;
  if (leading_count<T, 32>(n) != H || c0 >= n) return;
  const int64_t          ld = A.ld;
  T                     *a  = A.matrix(b);
  const trailing_args<T> at = {
      a, a + c0 * ld, ld, n, 0, 0, min(SHAPE::W, n - c0), 1, perm + (int64_t)b * A.pitch, 0};
  if (is_complex<T> && (reinterpret_cast<uintptr_t>(a) & (sizeof(T) - 1)) != 0)
    trailing_columns<SHAPE, false>(reinterpret_cast<T *>(smem), at, info + b);
  else
    trailing_columns<SHAPE, true>(reinterpret_cast<T *>(smem), at, info + b);
}

/* SINGLE: the shape of the update by a single panel */
template <int H, class SINGLE, class T>
static cudaError_t lu_leading_launch(const batch_view<T> &A, int *ipiv, uint16_t *perm, int *info,
                                     cudaStream_t s)
{
  using shape = trailing_shape<H, SINGLE::W, SINGLE::WARPS, SINGLE::BLOCKS, SINGLE::M, 8,
                               SINGLE::KC / 8 * SINGLE::STAGES, SINGLE::THREE>;
  lu_leading_panel<T, H,
                   sizeof(T) == 16  ? 120
                   : sizeof(T) == 8 ? 64
                                    : 40>
      <<<(unsigned)A.count, (unsigned)(A.n + 31) / 32 * 32, sizeof(lu_panel_smem<T, H, H>), s>>>(A, ipiv,
                                                                                                 perm, info);
  cudaError_t e = cudaGetLastError();
  if (e != cudaSuccess) return e;
  const auto kernel       = lu_leading_update<shape, T>;
  const int  bytes        = trailing_smem<shape, T>::bytes(1, A.n),
            column_blocks = (A.n - H + shape::W - 1) / shape::W;
  e                       = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (e != cudaSuccess) return e;
  kernel<<<(unsigned)A.count *(unsigned)column_blocks, 32 * shape::WARPS, bytes, s>>>(A, perm, info,
                                                                                      column_blocks);
  return cudaGetLastError();
}

} // namespace bf
#endif
