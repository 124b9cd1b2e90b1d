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
inline constexpr int tail_bytes = warp_shape<T, LU_TAIL, 32>::template bytes<true>;

/* Rows of the panel's columns to their places: a warp's columns in its registers */
template <int NB, class T>
struct tail_left {
  static constexpr int EACH = NB / 2; /* columns of a warp */
  T                    v[EACH][2];
  T                   *a; /* of the warp's first column, the lane's first row */
  int64_t              ld;
  int                  m, lane;

  __device__ __forceinline__ tail_left(T *columns, int64_t ld_, int m_)
      : a(columns + (int64_t)threadIdx.x / 32 * EACH * ld_ + (int)threadIdx.x % 32), ld(ld_), m(m_),
        lane((int)threadIdx.x % 32)
  {
  }
  __device__ __forceinline__ void fetch(bool wide)
  {
    if (wide)
      fetch_all<is_complex<T>>();
    else
      fetch_all<false>();
    __syncwarp();
  }
  __device__ __forceinline__ void put(const uint16_t *places, bool wide) const
  {
    if (wide)
      put_all<is_complex<T>>(places);
    else
      put_all<false>(places);
  }

private:
  template <bool WIDE>
  __device__ __forceinline__ void fetch_all()
  {
#pragma unroll
    for (int c = 0; c < EACH; c++)
#pragma unroll
      for (int i = 0; i < 2; i++)
        if (lane + 32 * i < m) v[c][i] = load(a + c * ld + 32 * i, WIDE);
  }
  template <bool WIDE>
  __device__ __forceinline__ void put_all(const uint16_t *places) const
  {
#pragma unroll
    for (int i = 0; i < 2; i++)
      if (lane + 32 * i < m) {
        T *p = a + places[lane + 32 * i] - lane;
#pragma unroll
        for (int c = 0; c < EACH; c++) store(p + c * ld, v[c][i], WIDE);
      }
  }
};

/* Blocks that begin together want memory together and leave it alone together: those that share a
 * multiprocessor from the beginning begin `wait` clocks one after the other. */
static __device__ __forceinline__ void tail_apart(int multiprocessors, int wait)
{
  const int     turn  = (int)blockIdx.x / multiprocessors;
  const int64_t until = (int64_t)turn * wait, begin = clock64();
  while (clock64() - begin < until) __nanosleep(200);
}

/* Of so many matrices: the multiprocessors whose first blocks begin so, 0: none; it pays for itself in
 * several turns of them alone. */
template <class TAIL>
static int tail_turns(int count)
{
  const int multiprocessors = batch_multiprocessors();
  return count >= 4 * TAIL::BLOCKS * multiprocessors ? multiprocessors : 0;
}

/* M without its first columns, `head` */
template <class T>
static __device__ __forceinline__ small_matrix<T> tail_matrix(small_matrix<T> M, int head)
{
  M.a += head * ((int64_t)M.ld + 1);
  M.n -= head;
  return M;
}

/* P A22 = L U of M, which is what its head has left, from row and column k1 on, THERE: in `room` already; the
 * rows of the panel in front of it to their places.  ipiv: from the head on; order[place]: the row that came
 * there, where there are panels or a head before that one. */
template <int NB, bool THERE, class T>
static __device__ __forceinline__ void tail_factor(small_matrix<T> M, int head, int k1, char *room,
                                                   real_t<T> poison, int *ipiv, int *info, uint16_t *order)
{
  const lane_group<32> L;
  const int            w    = (int)threadIdx.x / 32;
  const warp_left<T>   left = {head + k1, info[M.b], poison, head + k1};
  M.a += k1 * ((int64_t)M.ld + 1);
  M.n = M.top = M.n - k1;
  warp_work<T, LU_TAIL, 32, false, false, true> work(M, L, w, room, THERE);
  work.panels();
  tail_left<NB, T> L21(M.a - NB * (int64_t)M.ld, M.ld, M.n);
  /* real: on their way while what is right of them is stored; c 96 is 3 % slower that way */
  if (!is_complex<T>) L21.fetch(whole(M));
  work.give(ipiv + k1, info, left);
  if (is_complex<T>) L21.fetch(whole(M));
  L21.put(work.places(), whole(M));
  if (w == 0 && (k1 > NB || head > 0))
#pragma unroll
    for (int i = 0; i < 2; i++)
      if (work.r + i < M.n) order[k1 + work.place(i)] = (uint16_t)(k1 + work.r + i);
}

/* perm[panel][b][place], places behind the head; of the tail the order that its own steps brought, in the
 * place of a panel's. PAIR: behind two panels at once. */
template <class T, int NB, class TAIL, bool PAIR>
static __global__ void __launch_bounds__(LU_TAIL_THREADS, TAIL::BLOCKS)
    lu_tail(const batch_view<T> A, int *__restrict__ ipiv, uint16_t *__restrict__ perm, int64_t panel_pitch,
            int *__restrict__ info, int apart)
{
  extern __shared__ __align__(16) char room[];
  const small_matrix<T>                all(A, lane_group<LU_TAIL_THREADS>());
  if (all.b == NOBODY) return;
  constexpr int         ABOVE = PAIR ? 2 * NB : NB; /* rows of U12 */
  const int             head  = lu_head<T, NB>(all.n);
  const small_matrix<T> M     = tail_matrix(all, head);
  const int             k1 = lu_tail_start<NB>(M.n), m = M.n - k1;
  if (lu_ends<T, NB>(k1 / NB) || PAIR != lu_pairs<T, NB>(k1 / NB)) return;
  fetch_ahead(M.a + (int64_t)k1 * M.ld + (k1 - ABOVE), M.ld, m + ABOVE, m);
  if ((int)blockIdx.x < apart * TAIL::BLOCKS) tail_apart(apart, TAIL::WAIT);
  const int64_t       first = (int64_t)M.b * A.pitch;
  uint16_t           *last  = perm + (k1 / NB - 1) * panel_pitch + first;
  T                  *S     = reinterpret_cast<T *>(room);
  const tail_place<T> at    = {M.a, M.ld, k1 - NB, k1, m, last};
  real_t<T>           poison;
  if constexpr (PAIR)
    poison = tail_pair<NB>(S, reinterpret_cast<T *>(room + tail_bytes<T>), at, last - panel_pitch);
  else
    poison = whole(M) ? tail_strip<NB, TAIL, is_complex<T>>(S, at) : tail_strip<NB, TAIL, false>(S, at);
  tail_factor<NB, true>(M, head, k1, room, poison, ipiv + first + head, info, last + panel_pitch);
}

template <class T, int NB, class TAIL, bool PAIR = false>
static cudaError_t lu_tail_launch(const batch_view<T> &A, int *ipiv, uint16_t *perm, int64_t panel_pitch,
                                  int *info, cudaStream_t s)
{
  const auto        kernel = lu_tail<T, NB, TAIL, PAIR>;
  constexpr int     bytes  = tail_bytes<T> + (PAIR ? 8 * LU_EIGHT * (int)sizeof(T) : 0);
  const cudaError_t e      = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (e != cudaSuccess) return e;
  kernel<<<(unsigned)A.count, LU_TAIL_THREADS, (size_t)bytes, s>>>(A, ipiv, perm, panel_pitch, info,
                                                                   tail_turns<TAIL>(A.count));
  return cudaGetLastError();
}

} // namespace bf
#endif
