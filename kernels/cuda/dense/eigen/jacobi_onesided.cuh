/* kernels/cuda/dense/eigen/jacobi_onesided.cuh - eigen-decompositions of orders 1 .. 32, several matrices a
 * warp
 *
 * Computes   A = V diag(w) V^H by one-sided rotations: the columns of W = A + sigma are made orthogonal by
 *            pairs; then they are eigenvectors times what is positive.  Values by Rayleigh quotients.
 * Source     K. Veselic, V. Hari, Numer. Math. 56 (1989): one-sided rotations of a shifted matrix;
 *            jacobi_sweep.cuh.
 * Layout     jacobi_columns.cuh.  A stays in shared memory, where V is turned for the way out.  Matrices are
 *            looked at first: those that are diagonal or not finite are done with, the others are listed, so
 *            that the lanes of a warp all have something to do: by a pass before or, where all blocks are on
 *            the chip at once, or nearly (not of orders 9 to 16), by each block for its own.
 *            The kernels of the pass begin before those in front of them end, and wait where they need them.
 * Cost       5 n^3 multiplications and additions a sweep (complex 16), 5 to 9 sweeps; A is read twice, once
 *            from L1.
 * Checked    tests/kernels/dense/t360_heev_batch.c, t359_pairs_batch.c, t372_spectra_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_JACOBI_ONESIDED_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_JACOBI_ONESIDED_CUH
#include "kernels/cuda/dense/eigen/heev_warp_z32.cuh"

namespace bf
{

/* The matrices of a warp; own: its shared memory. */
template <class S, class T>
BF_JACOBI void decompose(const batch_view<T> &A, const jacobi_matrix<T> &M, bool upper, bool vectors, T *own,
                         int                  lane, real_t<T> *__restrict__ w, int *__restrict__ info,
                         const jacobi_limits &how)
{
  using R = real_t<T>;
  T *mine = own + lane / S::LANES * S::PITCH;
  take<S>(M, A.ld, upper, own, lane);
  __syncwarp();
  jacobi_column<T, S::ROWS> x, y;
  const int                 ex   = shift<S>(x, y, mine, M.n, lane);
  const int                 left = sweep<S>(x, y, M.n > 0, lane, how);
  const bool                fine = left == 0;
  R                         wx, wy;
  normalise<S>(x, lane);
  normalise<S>(y, lane);
  quotients<S>(x, y, mine, lane, &wx, &wy);
  const R nan = R(nanf(""));
  int     px, py;
  places<S>(x, y, wx, wy, M.n, lane, &px, &py);
  const int first = lane % S::LANES / S::PAIRS * S::ROWS;
  const R   up = scalbn(R(1), ex / 2), more = scalbn(R(1), ex - ex / 2);
  if (first == 0) {
    R *values = w + (int64_t)M.b * A.pitch;
    if (x.id < M.n) values[px] = fine ? wx * up * more + R(0) : nan;
    if (y.id < M.n) values[py] = fine ? wy * up * more + R(0) : nan;
    if (lane % S::LANES == 0 && M.n > 0) info[M.b] = fine ? 0 : M.n + 2;
    if (lane % S::LANES == 0 && !fine && how.left) how.left[M.b] = left;
  }
  if (!vectors) return;
  __syncwarp();
#pragma unroll
  for (int r = 0; r < S::ROWS; r++) {
    if (x.id < M.n) mine[px * S::LD + first + r] = fine ? x.e[r] : from_real<T>(nan);
    if (y.id < M.n) mine[py * S::LD + first + r] = fine ? y.e[r] : from_real<T>(nan);
  }
  __syncwarp();
  give<S>(M, A.ld, own, lane);
}

/* The warp that begins, asked by the first one: of blocks of two warps with work for one those that have it
 * are then spread over the schedulers, which own every fourth warp of a multiprocessor. */
template <class S>
BF_JACOBI int jacobi_begin()
{
  unsigned warp;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
  const int block = (int)warp / S::WARPS;
  return S::WARPS == 2 ? (block ^ block >> 1) & 1 : 0;
}

/* Those of the list or, of a block alone, those of its own that are to be decomposed. */
template <class S, class T, bool ALONE>
__global__ void __launch_bounds__(32 * S::WARPS, S::BLOCKS)
    jacobi_rotations(const batch_view<T> A, const int *live, const int *list, bool upper, bool vectors,
                     real_t<T> *__restrict__ w, int *__restrict__ info, const jacobi_limits how)
{
  extern __shared__ __align__(16) char room[];
  __shared__ int                       found[S::MADE], total, begin;
  const int                            lane = (int)threadIdx.x & 31, from = (int)blockIdx.x * S::MADE;
  int                                  warp = (int)threadIdx.x >> 5, here;
  jacobi_matrix<T>                     M    = {NULL, 0, 0};
  if constexpr (ALONE) {
    const int k = from + (int)threadIdx.x / S::N;
    if (threadIdx.x == 0) {
      total = 0;
      begin = jacobi_begin<S>();
    }
    __syncthreads();
    if (k < A.members()) M = jacobi_member(A, k);
    const auto row = survey<S::N, true>(M, A.ld, upper, lane);
    enlist<S::N>(k, row.dense, lane, &total, found);
    __syncthreads();
    settle<S::N>(A, M, row, vectors, lane, w, info);
    warp = (warp + begin) % S::WARPS;
    list = found;
    here = total;
    M    = {NULL, 0, 0};
  } else {
    bf_early_wait();
    list += from;
    here = *live - from;
  }
  const int first = warp * S::EACH, own = first + lane / S::LANES; /* of the block's matrices */
  if (first >= here) return;
  if (own < here) M = jacobi_member(A, list[own]);
  decompose<S>(A, M, upper, vectors, reinterpret_cast<T *>(room) + (size_t)first * S::PITCH, lane, w, info,
               how);
}

template <class S, class T, bool ALONE>
static cudaError_t jacobi_launch(const batch_view<T> &A, bool upper, bool vectors, const jacobi_limits &how,
                                 real_t<T> *w, int *info, const int *work, cudaStream_t s)
{
  const auto  kernel = jacobi_rotations<S, T, ALONE>;
  cudaError_t error  = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::shared);
  if (error != cudaSuccess) return error;
  const unsigned blocks = (unsigned)((A.count - 1) / S::MADE + 1);
  if (!ALONE)
    return bf_early_launch(kernel, blocks, 32 * S::WARPS, S::shared, s, A, work, work + HEEV_JACOBI_HEAD,
                           upper, vectors, w, info, how);
  kernel<<<blocks, 32 * S::WARPS, S::shared, s>>>(A, work, work + HEEV_JACOBI_HEAD, upper, vectors, w, info,
                                                  how);
  return cudaGetLastError();
}

/* By blocks of ALONE where all of them are on the chip at once, or nearly, else by blocks of S behind a pass.
 */
template <class S, class ALONE, class T>
static cudaError_t jacobi_with(const batch_view<T> &A, bool upper, bool vectors, const jacobi_limits &how,
                               real_t<T> *w, int *info, int *work, cudaStream_t s)
{
  if constexpr (!std::is_void_v<ALONE>)
    if (A.count <= batch_multiprocessors() * ALONE::BLOCKS * ALONE::MADE / 4 * 5)
      return jacobi_launch<ALONE, T, true>(A, upper, vectors, how, w, info, work, s);
  const cudaError_t error = jacobi_listed<S::N>(A, upper, vectors, w, info, work, s);
  if (error != cudaSuccess) return error;
  return jacobi_launch<S, T, false>(A, upper, vectors, how, w, info, work, s);
}

/* Cosines are known to a few roundoffs; what the caller allows off the diagonal, over ||A||_F, is shared out.
 */
template <class T>
static jacobi_limits jacobi_stop(const bf_heev_how &how, int n)
{
  const double u = sizeof(real_t<T>) == 8 ? 0x1p-53 : 0x1p-24, fine = u * sqrt((double)n),
               allowed = how.tolerance / (1.2 * n * sqrt((double)n));
  return {fine > allowed ? fine : allowed, how.sweeps > 0 ? how.sweeps : 30, how.left};
}

template <class T>
cudaError_t heev_jacobi(const batch_view<T> &A, const bf_heev_how &how, real_t<T> *w, int *info, void *work,
                        cudaStream_t s)
{
  constexpr int       WORDS = (int)sizeof(T) / 4;
  const int           n     = batch_edge(A.n);
  const bool          upper = how.uplo == BF_UPPER, vectors = how.vectors != 0;
  const jacobi_limits stop = jacobi_stop<T>(how, n);
  int                *room = static_cast<int *>(work);
  using s4                 = jacobi_shape<T, 4, 4, 4>;
  using s8                 = jacobi_shape<T, 8, 4, WORDS == 4 ? 4 : 5>;
  using s16                = jacobi_shape<T, 16, 2, WORDS == 4 ? 8 : 10>;
  using s32                = jacobi_shape<T, 32, WORDS == 4 ? 4 : 2, WORDS == 4 ? 2 : WORDS == 2 ? 8 : 10>;
  using alone8             = jacobi_shape<T, 8, 2, 10>;
  using alone32            = jacobi_shape<T, 32, 2, WORDS == 4 ? 4 : WORDS == 2 ? 6 : 8>;
  if (n <= 4) return jacobi_with<s4, s4>(A, upper, vectors, stop, w, info, room, s);
  if (n <= 8) return jacobi_with<s8, alone8>(A, upper, vectors, stop, w, info, room, s);
  if (n <= 16) return jacobi_with<s16, void>(A, upper, vectors, stop, w, info, room, s);
  if constexpr (sizeof(T) == 16)
    return heev_slim(A, upper, vectors, stop, w, info, work, s);
  else
    return jacobi_with<s32, alone32>(A, upper, vectors, stop, w, info, room, s);
}

template <class T>
size_t heev_jacobi_work(int n, int count)
{
  return sizeof(T) == 16 && batch_edge(n) > 16 ? slim_work<T>::bytes(count) : heev_jacobi_list(count);
}

} // namespace bf
#endif
