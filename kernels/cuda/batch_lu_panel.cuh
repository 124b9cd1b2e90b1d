/* kernels/cuda/batch_lu_panel.cuh - one panel of LU by stages: NB columns of every matrix of a batch
 *
 * Computes   P A(k0:, k0:k0+NB) = L U by partial pivoting, in place, rows in their new order; what is left
 *            and right of the panel stays as it is.
 * Layout     a row is a thread's, SUB of its columns in registers at a time; threads of a warp have rows
 *            beside each other: columns are read and written without shared memory on the way.
 * Cost       two barriers a column; a block has as many warps as there are rows left, and several blocks
 *            share a multiprocessor, so that one's chain of a column runs beneath another's.
 * Checked    t362, t366, t368.
 */
#ifndef BF_BATCH_LU_PANEL_CUH
#define BF_BATCH_LU_PANEL_CUH
#include "kernels/cuda/batch_lu_cut.cuh"
#include "kernels/cuda/batch_lu_panel_rows.cuh"

/* perm[b * A.pitch + i], i >= k0: the row that came to place i; both are counted from `head` on. */
template <bool WHOLE, int SUB, int NB, class T>
static __device__ __forceinline__ void lu_panel_matrix(lu_panel_room<T, NB, SUB> &S, T *a,
                                                       const batch_view<T> &A, int b, int head, int k0,
                                                       int *ipiv, uint16_t *perm, int *info)
{
  const int                        t = (int)threadIdx.x, m = A.order(b) - head - k0, nb = min(NB, m);
  const int64_t                    first = (int64_t)b * A.pitch + k0;
  const int                        warps = (m + 31) / 32;
  lu_panel_rows<T, NB, SUB, WHOLE> me    = {{},   t, t < m ? t : -1,    t & 31,     t >> 5, warps, m, 0,
                                            A.ld, a, (T *)(&S + 1) + t, 32 * warps, 0,      S};
  me.factor(nb, ipiv + first + head, head + k0);
  me.exchange(nb);
  if (me.place >= 0) perm[first + me.place] = (uint16_t)(k0 + t);
  const bool bad = __syncthreads_or(!(me.watch == real_t<T>(0))) != 0;
  if (t != 0) return;
  const int before = head + k0 > 0 ? info[b] : 0;
  k0 += head;
  info[b] = bad ? k0 + m + 1 : before == 0 && me.zero > 0 ? k0 + me.zero : before;
}

/* As measured */
template <class T>
inline constexpr int lu_panel_registers = sizeof(T) == 16  ? 112
                                          : sizeof(T) == 8 ? 72
                                                           : 56;

template <class T, int NB, int SUB, int REGS>
static __global__ void __maxnreg__(REGS)
    lu_panel_stage(const batch_view<T> A, int k0, int *ipiv, uint16_t *perm, int *info)
{
  extern __shared__ __align__(16) char room[];
  auto                                &S = *reinterpret_cast<lu_panel_room<T, NB, SUB> *>(room);
  if ((int)blockIdx.x >= A.members()) return;
  const int b = A.member((int)blockIdx.x), head = lu_head<T, NB>(A.order(b)), n = A.order(b) - head;
  if (k0 >= lu_tail_start<NB>(n) || (int)threadIdx.x >= (n - k0 + 31) / 32 * 32) return;
  T *a = A.matrix(b) + (head + k0) * ((int64_t)A.ld + 1);
  if (is_complex<T> && (reinterpret_cast<uintptr_t>(a) & (sizeof(T) - 1)) == 0)
    lu_panel_matrix<is_complex<T>, SUB, NB>(S, a, A, b, head, k0, ipiv, perm, info);
  else
    lu_panel_matrix<false, SUB, NB>(S, a, A, b, head, k0, ipiv, perm, info);
}

template <class T, int NB, int SUB, int REGS>
static cudaError_t lu_panel_launch(const batch_view<T> &A, int n, int k0, int *ipiv, uint16_t *perm,
                                   int *info, cudaStream_t s)
{
  const int  threads = (n - k0 + 31) / 32 * 32;
  const auto kernel  = lu_panel_stage<T, NB, SUB, REGS>;
  const int  bytes = (int)sizeof(lu_panel_room<T, NB, SUB>) + (SUB < NB ? threads * SUB * (int)sizeof(T) : 0);
  const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (e != cudaSuccess) return e;
  kernel<<<(unsigned)A.count, threads, (size_t)bytes, s>>>(A, k0, ipiv, perm, info);
  return cudaGetLastError();
}

/* Panel k0 / NB of every matrix with more than k0 rows, at most 512 of them below. */
template <class T, int NB>
static cudaError_t lu_panel_of(const batch_view<T> &A, int n, int k0, int *ipiv, uint16_t *perm, int *info,
                               cudaStream_t s)
{
  return lu_panel_launch<T, NB, 16, lu_panel_registers<T>>(A, n, k0, ipiv, perm, info, s);
}
#endif
