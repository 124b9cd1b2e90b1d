/* kernels/cuda/dense/lu/blocked_final64.cuh - blocked LU: final block of at most 64 rows and columns, in
 * shared memory
 *
 * Computes   the trailing update of the final block by the last panel (blocked_final64_update.cuh) or, type
 *            s after an even number of panels, by the last two (blocked_final64_update2.cuh); P A22 = L U
 *            of the final block by warp_factor.cuh; row exchanges in the last panel's columns.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 3.2.11 (block LU).
 * Layout     two warps per matrix; the final block in shared memory, the panel's columns in registers.
 * Cost       the columns right of the panel are read and written once, L21 is read twice and written once.
 * Launch     64 threads per matrix, FINAL::BLOCKS blocks per multiprocessor. With many matrices the first
 *            blocks of a multiprocessor start with a delay (stagger_blocks).
 * Checked    tests/kernels/dense/t362_lu_batch.c, t366_sizes_batch.c, t368_lu_panels.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_LU_BLOCKED_FINAL64_CUH
#define BF_KERNELS_CUDA_DENSE_LU_BLOCKED_FINAL64_CUH
#include "kernels/cuda/dense/lu/blocked_final64_update2.cuh"

namespace bf
{

template <class T>
inline constexpr int final64_bytes = warp_layout<T, LU_FINAL, 32>::template bytes<true>;

/* Row exchanges of the panel's columns: a warp's columns in its registers */
template <int NB, class T>
struct final64_left_columns {
  static constexpr int COLUMNS = NB / 2; /* columns of a warp */
  T                    v[COLUMNS][2];
  T                   *a; /* of the warp's first column, the lane's first row */
  int64_t              ld;
  int                  m, lane;

  __device__ __forceinline__ final64_left_columns(T *columns, int64_t ld_, int m_)
      : a(columns + (int64_t)threadIdx.x / 32 * COLUMNS * ld_ + (int)threadIdx.x % 32), ld(ld_), m(m_),
        lane((int)threadIdx.x % 32)
  {
  }
  __device__ __forceinline__ void load_all(bool aligned)
  {
    if (aligned)
      load_typed<is_complex<T>>();
    else
      load_typed<false>();
    __syncwarp();
  }
  __device__ __forceinline__ void store_all(const uint16_t *positions, bool aligned) const
  {
    if (aligned)
      store_typed<is_complex<T>>(positions);
    else
      store_typed<false>(positions);
  }

private:
  template <bool WIDE>
  __device__ __forceinline__ void load_typed()
  {
#pragma unroll
    for (int c = 0; c < COLUMNS; c++)
#pragma unroll
      for (int i = 0; i < 2; i++)
        if (lane + 32 * i < m) v[c][i] = load(a + c * ld + 32 * i, WIDE);
  }
  template <bool WIDE>
  __device__ __forceinline__ void store_typed(const uint16_t *positions) const
  {
#pragma unroll
    for (int i = 0; i < 2; i++)
      if (lane + 32 * i < m) {
        T *p = a + positions[lane + 32 * i] - lane;
#pragma unroll
        for (int c = 0; c < COLUMNS; c++) store(p + c * ld, v[c][i], WIDE);
      }
  }
};

/* Staggers co-resident blocks so that their memory phases do not coincide: blocks of one multiprocessor
 * start `clocks` clocks one after the other. */
static __device__ __forceinline__ void stagger_blocks(int multiprocessors, int clocks)
{
  const int     wave  = (int)blockIdx.x / multiprocessors;
  const int64_t until = (int64_t)wave * clocks, begin = clock64();
  while (clock64() - begin < until) __nanosleep(200);
}

/* Multiprocessors whose first blocks are staggered for this number of matrices, 0: none. Staggering
 * needs several waves of blocks to gain. */
template <class FINAL>
static int stagger_multiprocessors(int count)
{
  const int multiprocessors = batch_multiprocessors();
  return count >= 4 * FINAL::BLOCKS * multiprocessors ? multiprocessors : 0;
}

/* M without its first `leading` columns and rows */
template <class T>
static __device__ __forceinline__ subwarp_matrix<T> trailing_matrix(subwarp_matrix<T> M, int leading)
{
  M.a += leading * ((int64_t)M.ld + 1);
  M.n -= leading;
  return M;
}

/* P A22 = L U of M from row and column k1 on; LOADED: the block is in `smem` already. Exchanges the rows
 * of the preceding panel. ipiv: after the leading columns; order[position]: the row that moved there, if
 * there are earlier panels or leading columns. */
template <int NB, bool LOADED, class T>
static __device__ __forceinline__ void final64_factor(subwarp_matrix<T> M, int leading, int k1, char *smem,
                                                      real_t<T> nonfinite, int *ipiv, int *info,
                                                      uint16_t *order)
{
  const subwarp<32>       L;
  const int               w      = (int)threadIdx.x / 32;
  const leading_result<T> result = {leading + k1, info[M.b], nonfinite, leading + k1};
  M.a += k1 * ((int64_t)M.ld + 1);
  M.n = M.n_max = M.n - k1;
  warp_solver<T, LU_FINAL, 32, false, false, true> solver(M, L, w, smem, LOADED);
  solver.panels();
  final64_left_columns<NB, T> L21(M.a - NB * (int64_t)M.ld, M.ld, M.n);
  /* real types: loaded while the columns right of them are stored; for c 96 that is 3 % slower */
  if (!is_complex<T>) L21.load_all(is_aligned(M));
  solver.store_result(ipiv + k1, info, result);
  if (is_complex<T>) L21.load_all(is_aligned(M));
  L21.store_all(solver.positions(), is_aligned(M));
  if (w == 0 && (k1 > NB || leading > 0))
#pragma unroll
    for (int i = 0; i < 2; i++)
      if (solver.r + i < M.n) order[k1 + solver.position(i)] = (uint16_t)(k1 + solver.r + i);
}

/* perm[panel][b][position], positions after the leading columns; for the final block the order of its
 * own steps, stored like a panel's. PAIR: update by two panels */
template <class T, int NB, class FINAL, bool PAIR>
static __global__ void __launch_bounds__(LU_FINAL_THREADS, FINAL::BLOCKS)
    lu_final64(const batch_view<T> A, int *__restrict__ ipiv, uint16_t *__restrict__ perm,
               int64_t panel_pitch, int *__restrict__ info, int stagger)
{
  extern __shared__ __align__(16) char smem[];
  const subwarp_matrix<T>              all(A, subwarp<LU_FINAL_THREADS>());
  if (all.b == NO_INDEX) return;
  constexpr int           ABOVE   = PAIR ? 2 * NB : NB; /* rows of U12 */
  const int               leading = leading_count<T, NB>(all.n);
  const subwarp_matrix<T> M       = trailing_matrix(all, leading);
  const int               k1 = final64_start<NB>(M.n), m = M.n - k1;
  if (final64_is_updated<T, NB>(k1 / NB) || PAIR != final64_takes_two<T, NB>(k1 / NB)) return;
  prefetch_columns_l2(M.a + (int64_t)k1 * M.ld + (k1 - ABOVE), M.ld, m + ABOVE, m);
  if ((int)blockIdx.x < stagger * FINAL::BLOCKS) stagger_blocks(stagger, FINAL::STAGGER_CLOCKS);
  const int64_t         first = (int64_t)M.b * A.pitch;
  uint16_t             *last  = perm + (k1 / NB - 1) * panel_pitch + first;
  T                    *S     = reinterpret_cast<T *>(smem);
  const final64_args<T> at    = {M.a, M.ld, k1 - NB, k1, m, last};
  real_t<T>             nonfinite;
  if constexpr (PAIR)
    nonfinite =
        final64_update2<NB>(S, reinterpret_cast<T *>(smem + final64_bytes<T>), at, last - panel_pitch);
  else
    nonfinite = is_aligned(M) ? final64_update<NB, FINAL, is_complex<T>>(S, at)
                              : final64_update<NB, FINAL, false>(S, at);
  final64_factor<NB, true>(M, leading, k1, smem, nonfinite, ipiv + first + leading, info, last + panel_pitch);
}

template <class T, int NB, class FINAL, bool PAIR = false>
static cudaError_t lu_final64_launch(const batch_view<T> &A, int *ipiv, uint16_t *perm, int64_t panel_pitch,
                                     int *info, cudaStream_t s)
{
  const auto        kernel = lu_final64<T, NB, FINAL, PAIR>;
  constexpr int     bytes  = final64_bytes<T> + (PAIR ? 8 * DIAGONAL8 * (int)sizeof(T) : 0);
  const cudaError_t e      = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (e != cudaSuccess) return e;
  kernel<<<(unsigned)A.count, LU_FINAL_THREADS, (size_t)bytes, s>>>(A, ipiv, perm, panel_pitch, info,
                                                                    stagger_multiprocessors<FINAL>(A.count));
  return cudaGetLastError();
}

} // namespace bf
#endif
