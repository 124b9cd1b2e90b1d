/* kernels/cuda/dense/lu/blocked_final64.cuh - LU by stages: the last rows and columns, 64 at most, on the
 * chip
 *
 * Computes   what the last panel does right of it (blocked_final64_update.cuh) or, s behind an even number of
 *            panels, the last two (blocked_final64_update2.cuh), P A22 = L U of what is left by
 *            warp_factor.cuh, in shared memory; the panel's rows go to their last places.
 * Cost       what lies right of the panel is read and written once, L21 twice read and once written.
 * Checked    t362, t366, t368.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_LU_BLOCKED_FINAL64_CUH
#define BF_KERNELS_CUDA_DENSE_LU_BLOCKED_FINAL64_CUH
#include "kernels/cuda/dense/lu/blocked_final64_update2.cuh"

namespace bf
{

template <class T>
inline constexpr int final64_bytes = warp_layout<T, LU_FINAL, 32>::template bytes<true>;

/* Rows of the panel's columns to their places: a warp's columns in its registers */
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

/* Blocks that begin together want memory together and leave it alone together: those that share a
 * multiprocessor from the beginning begin `wait` clocks one after the other. */
static __device__ __forceinline__ void stagger_blocks(int multiprocessors, int clocks)
{
  const int     wave  = (int)blockIdx.x / multiprocessors;
  const int64_t until = (int64_t)wave * clocks, begin = clock64();
  while (clock64() - begin < until) __nanosleep(200);
}

/* Of so many matrices: the multiprocessors whose first blocks begin so, 0: none; it pays for itself in
 * several turns of them alone. */
template <class FINAL>
static int stagger_multiprocessors(int count)
{
  const int multiprocessors = batch_multiprocessors();
  return count >= 4 * FINAL::BLOCKS * multiprocessors ? multiprocessors : 0;
}

/* M without its first columns, `head` */
template <class T>
static __device__ __forceinline__ subwarp_matrix<T> trailing_matrix(subwarp_matrix<T> M, int leading)
{
  M.a += leading * ((int64_t)M.ld + 1);
  M.n -= leading;
  return M;
}

/* P A22 = L U of M, which is what its head has left, from row and column k1 on, THERE: in `room` already; the
 * rows of the panel in front of it to their places.  ipiv: from the head on; order[place]: the row that came
 * there, where there are panels or a head before that one. */
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
  /* real: on their way while what is right of them is stored; c 96 is 3 % slower that way */
  if (!is_complex<T>) L21.load_all(is_aligned(M));
  solver.store_result(ipiv + k1, info, result);
  if (is_complex<T>) L21.load_all(is_aligned(M));
  L21.store_all(solver.positions(), is_aligned(M));
  if (w == 0 && (k1 > NB || leading > 0))
#pragma unroll
    for (int i = 0; i < 2; i++)
      if (solver.r + i < M.n) order[k1 + solver.position(i)] = (uint16_t)(k1 + solver.r + i);
}

/* perm[panel][b][place], places behind the head; of the tail the order that its own steps brought, in the
 * place of a panel's. PAIR: behind two panels at once. */
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
