/* kernels/cuda/dense/lu/blocked_panel.cuh - blocked LU: panel of NB columns
 *
 * Computes   P A(k0:, k0:k0+NB) = L U by partial pivoting, in place, rows in their new order; columns left
 *            and right of the panel are not changed.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 3.2.11 (block LU).
 * Layout     blocked_panel_kernel.cuh; more than 64 rows remain.
 * Cost       the panel is read and written once; m NB^2 flops for m rows. Latency-bound: several blocks per
 *            multiprocessor overlap, limited by registers.
 * Launch     a block per matrix, a thread per row.
 * Checked    tests/kernels/dense/t362_lu_batch.c, t366_sizes_batch.c, t368_lu_panels.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_LU_BLOCKED_PANEL_CUH
#define BF_KERNELS_CUDA_DENSE_LU_BLOCKED_PANEL_CUH
#include "kernels/cuda/dense/lu/blocked_panel_kernel.cuh"
#include "kernels/cuda/dense/lu/blocked_partition.cuh"

namespace bf
{

/* threadIdx.x; KEEP_THREAD: kept in a register instead of being read again for every column */
template <bool KEEP_THREAD>
static __device__ __forceinline__ int lu_panel_thread()
{
  const int t = (int)threadIdx.x;
  return KEEP_THREAD ? __shfl_sync(~0u, t, t & 31) : t;
}

/* perm[b * A.pitch + i], i >= k0: the row at position i; both count from `leading` on. */
template <bool ALIGNED, bool KEEP_THREAD, int SUB, int NB, class T>
static __device__ __forceinline__ void lu_panel_matrix(lu_panel_smem<T, NB, SUB> &S, T *a,
                                                       const batch_view<T> &A, int b, int leading, int k0,
                                                       int *ipiv, uint16_t *perm, int *info)
{
  const int                          t = lu_panel_thread<KEEP_THREAD>(), m = A.order(b) - leading - k0;
  const int64_t                      first = (int64_t)b * A.pitch + k0;
  lu_panel_rows<T, NB, SUB, ALIGNED> me    = {{}, t, t < m ? t : -1, m, A.ld, a, (T *)(&S + 1) + t, 0, S};
  if (t == 0) S.zero = 0;
  me.factor();
  me.exchange();
  if (me.position >= 0) perm[first + me.position] = (uint16_t)(k0 + t);
  k0 += leading;
  if (t < NB) ipiv[first + leading + t] = k0 + S.pivots[t] + 1;
  const bool bad = __syncthreads_or(!(me.nonfinite == real_t<T>(0))) != 0;
  if (t != 0) return;
  const int before = k0 > 0 ? info[b] : 0;
  info[b]          = bad ? k0 + m + 1 : before == 0 && S.zero > 0 ? k0 + S.zero : before;
}

template <class T, int NB, int SUB, int REGS>
static __global__ void __maxnreg__(REGS)
    lu_panel_stage(const batch_view<T> A, int k0, int *ipiv, uint16_t *perm, int *info)
{
  constexpr bool    KEEP_THREAD = !is_complex<T> && REGS >= 64; /* enough registers for it */
  extern __shared__ __align__(16) char smem[];
  auto                                &S = *reinterpret_cast<lu_panel_smem<T, NB, SUB> *>(smem);
  if ((int)blockIdx.x >= A.members()) return;
  const int b = A.member((int)blockIdx.x), leading = leading_count<T, NB>(A.order(b)),
            n = A.order(b) - leading;
  if (k0 >= final64_start<NB>(n) || (int)threadIdx.x >= (n - k0 + 31) / 32 * 32) return;
  T *a = A.matrix(b) + (leading + k0) * ((int64_t)A.ld + 1);
  if (is_complex<T> && (reinterpret_cast<uintptr_t>(a) & (sizeof(T) - 1)) == 0)
    lu_panel_matrix<is_complex<T>, KEEP_THREAD, SUB, NB>(S, a, A, b, leading, k0, ipiv, perm, info);
  else
    lu_panel_matrix<false, KEEP_THREAD, SUB, NB>(S, a, A, b, leading, k0, ipiv, perm, info);
}

template <class T, int NB, int SUB, int REGS>
static cudaError_t lu_panel_launch(const batch_view<T> &A, int n, int k0, int *ipiv, uint16_t *perm,
                                   int *info, cudaStream_t s)
{
  const int  threads = (n - k0 + 31) / 32 * 32;
  const auto kernel  = lu_panel_stage<T, NB, SUB, REGS>;
  const int  bytes = (int)sizeof(lu_panel_smem<T, NB, SUB>) + (SUB < NB ? threads * SUB * (int)sizeof(T) : 0);
  const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (e != cudaSuccess) return e;
  kernel<<<(unsigned)A.count, threads, (size_t)bytes, s>>>(A, k0, ipiv, perm, info);
  return cudaGetLastError();
}

/* Blocks of so many warps that fit in a multiprocessor's registers, 512 per lane and quarter */
static constexpr int lu_panel_blocks(int regs, int warps)
{
  return 4 * (512 / regs) / warps;
}

/* FEW registers where they allow at least 1.5 times as many blocks as MANY. */
template <class T, int NB, int MANY, int FEW>
static cudaError_t lu_panel_with(const batch_view<T> &A, int n, int k0, int *ipiv, uint16_t *perm, int *info,
                                 cudaStream_t s)
{
  const int warps = (n - k0 + 31) / 32;
  return 2 * lu_panel_blocks(FEW, warps) >= 3 * lu_panel_blocks(MANY, warps)
             ? lu_panel_launch<T, NB, 16, FEW>(A, n, k0, ipiv, perm, info, s)
             : lu_panel_launch<T, NB, 16, MANY>(A, n, k0, ipiv, perm, info, s);
}

/* Panel k0 / NB of every matrix with more than k0 + 64 rows after its leading columns, n at most;
 * registers as measured on one H200, 2026-11-23 */
template <class T, int NB>
static cudaError_t lu_panel_of(const batch_view<T> &A, int n, int k0, int *ipiv, uint16_t *perm, int *info,
                               cudaStream_t s)
{
  if constexpr (sizeof(T) == 16)
    return lu_panel_with<T, NB, 120, 96>(A, n, k0, ipiv, perm, info, s);
  else if constexpr (sizeof(T) == 8)
    return lu_panel_with<T, NB, 64, 56>(A, n, k0, ipiv, perm, info, s);
  else
    return lu_panel_with<T, NB, 40, 40>(A, n, k0, ipiv, perm, info, s);
}

} // namespace bf
#endif
