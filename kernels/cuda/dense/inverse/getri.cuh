/* kernels/cuda/dense/inverse/getri.cuh - batches: inverses of factors of orders 33 .. 512
 *
 * Computes   X = U^-1 L^-1, of which column i is column p(i) of A^-1: the row that the exchanges bring to
 *            place i.
 * Layout     while all columns have room in a block's registers (trsm_sweep.cuh), factors are read
 *            once, and X takes their place at the end; else a block has some columns
 *            (getri_left_looking.cuh) and leaves them in the workspace until all have read the factors.
 *            work: for every member inverses of diagonal tiles [2 tiles][16 x 16], then X [n][16 tiles], then
 *            p [n].
 * Cost       4/3 n^3 flops.  A block a matrix: A read and written once; else A and X read and written, the
 *            factors n / W times from L2.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 3.4.
 *            Design: docs/design-notes/batched-inverse.md.
 *            From a matrix to its inverse at once: gauss_jordan.cuh.
 * Checked    tests/kernels/dense/t362_lu_batch.c, t366_sizes_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_INVERSE_GETRI_CUH
#define BF_KERNELS_CUDA_DENSE_INVERSE_GETRI_CUH
#include "kernels/cuda/dense/inverse/getri_left_looking.cuh"
#include "kernels/cuda/dense/launchers.cuh"
#include "kernels/cuda/dense/solve/trsm_sweep.cuh"

namespace bf
{

/* ---- a block a matrix */
template <class SHAPE>
static __global__ void __launch_bounds__(SHAPE::THREADS, SHAPE::BLOCKS)
    getri_whole(const batch_view<typename SHAPE::T> A, const int *__restrict__ ipiv, int *__restrict__ info,
                int                                 tiles)
{
  using T = typename SHAPE::T;
  extern __shared__ __align__(16) char room[];
  __shared__ int                       least;
  const tiled_room<SHAPE>              R(room, tiles);
  int                                  b, n;
  if (!tiled_order(A, (int)blockIdx.x, &b, &n)) return;
  T        *a = A.matrix(b);
  const int in =
      tiled_begin<T>(a, A.ld, n, ipiv + (int64_t)b * A.pitch, R.tile, R.row, &least, R.inverses, R.at);
  if (in != 0) {
    if (threadIdx.x == 0) info[b] = in;
    return;
  }
  tiled_strip<SHAPE> X(a, A.ld, n, R.inverses, 0, room);
  real_t<T>          rest = 0;
  if (X.first < X.tiles) {
    X.identity();
    X.template sweep<false>();
    X.template sweep<true>();
    X.each([&](tiled_sums<T> &S, int, int) {
#pragma unroll
      for (int k = 0; k < 8; k++) rest = with(S.entry(k >> 2, k & 3), rest);
    });
  }
  const int wild = __syncthreads_or(!(rest == 0));
  if (threadIdx.x == 0) info[b] = wild ? n + 1 : 0;
  if (wild) return;
  X.each([&](tiled_sums<T> &S, int i, int j) {
#pragma unroll
    for (int e = 0; e < 2; e++)
      if (j + 8 * e < n && i < n) getri_put(a + R.at[j + 8 * e] * X.ld + i, S, e, n - i, X.wide);
  });
}

template <class SHAPE>
static cudaError_t getri_whole_launch(const batch_view<typename SHAPE::T> &A, const int *ipiv, int *info,
                                      cudaStream_t s)
{
  const int         tiles  = (A.n + TILED - 1) / TILED;
  const size_t      bytes  = tiled_room<SHAPE>::bytes(tiles);
  const auto        kernel = getri_whole<SHAPE>;
  const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
  if (e != cudaSuccess) return e;
  kernel<<<(unsigned)A.count, SHAPE::THREADS, bytes, s>>>(A, ipiv, info, tiles);
  return cudaGetLastError();
}

/* ---- some columns a block */
enum { GETRI_BEGIN_WARPS = 4, GETRI_END_COLUMNS = 16, GETRI_END_ROWS = 64, GETRI_END_THREADS = 256 };

template <class T>
static __global__ void __launch_bounds__(32 * GETRI_BEGIN_WARPS, 4)
    getri_begin(const batch_view<T> A, const int *__restrict__ ipiv, bool judged, int *__restrict__ info,
                void *work)
{
  __shared__ T        room[TILED_ROOM * GETRI_BEGIN_WARPS];
  __shared__ int      least, row[BATCH_MID];
  const getri_room<T> W(work, A.n, A.count);
  const int           k = (int)blockIdx.x;
  int                 b, n;
  if (!tiled_order(A, k, &b, &n) || (judged && info[b] != 0)) return;
  const int in = tiled_begin<T>(A.matrix(b), A.ld, n, ipiv + (int64_t)b * A.pitch, room, row, &least,
                                W.inverses_of(k), W.at + (size_t)k * (size_t)A.n);
  if (threadIdx.x == 0) info[b] = in;
}

/* Columns c0 .. of the k-th X to the matrix at a, those that the block has */
template <class T>
BF_TILED void getri_columns(const getri_room<T> &W, int k, int most, int n, int c0, T *a, int64_t ld)
{
  const int mine = (int)threadIdx.x % GETRI_END_ROWS;
  for (int j = c0 + (int)threadIdx.x / GETRI_END_ROWS; j < min(c0 + GETRI_END_COLUMNS, n);
       j += GETRI_END_THREADS / GETRI_END_ROWS) {
    const T *from = W.column(k, most, j);
    T       *to   = a + (int64_t)W.at[(size_t)k * (size_t)most + (size_t)j] * ld;
    for (int i = mine; i < n; i += GETRI_END_ROWS) to[i] = from[i];
  }
}
template <class T>
static __global__ void __launch_bounds__(GETRI_END_THREADS)
    getri_end(const batch_view<T> A, const int *__restrict__ info, void *work, int parts)
{
  const getri_room<T> W(work, A.n, A.count);
  const int           k = (int)blockIdx.x / parts, c0 = ((int)blockIdx.x - k * parts) * GETRI_END_COLUMNS;
  int                 b, n;
  if (!tiled_order(A, k, &b, &n) || info[b] != 0) return;
  getri_columns(W, k, A.n, n, c0, A.matrix(b), A.ld);
}

/* X in `work`; judged: info is the factorisation's, and where it is not 0 nothing is done. */
template <class SHAPE>
static cudaError_t getri_strips_made(const batch_view<typename SHAPE::T> &A, const int *ipiv, bool judged,
                                     int *info, void *work, cudaStream_t s)
{
  using T                  = typename SHAPE::T;
  const int         strips = (A.n + SHAPE::W - 1) / SHAPE::W;
  const size_t      bytes  = SHAPE::bytes((A.n + TILED - 1) / TILED);
  const auto        kernel = getri_left<SHAPE>;
  const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
  if (e != cudaSuccess) return e;
  getri_begin<T><<<(unsigned)A.count, 32 * GETRI_BEGIN_WARPS, 0, s>>>(A, ipiv, judged, info, work);
  kernel<<<(unsigned)A.count *(unsigned)strips, SHAPE::THREADS, bytes, s>>>(A, info, work, strips);
  return cudaGetLastError();
}
template <class SHAPE>
static cudaError_t getri_strips_launch(const batch_view<typename SHAPE::T> &A, const int *ipiv, int *info,
                                       void *work, cudaStream_t s)
{
  using T                 = typename SHAPE::T;
  const int         parts = (A.n + GETRI_END_COLUMNS - 1) / GETRI_END_COLUMNS;
  const cudaError_t e     = getri_strips_made<SHAPE>(A, ipiv, false, info, work, s);
  if (e != cudaSuccess) return e;
  getri_end<T><<<(unsigned)A.count *(unsigned)parts, GETRI_END_THREADS, 0, s>>>(A, info, work, parts);
  return cudaGetLastError();
}

/* getri_shapes<T>::by(edge, whole, strips) calls one of the two with a shape for orders up to that edge of
 * the buckets. */
template <class T>
struct getri_shapes;

template <class T>
size_t getri_mid_work(int n, int count)
{
  return getri_shapes<T>::by(
      batch_edge(n), [](auto) { return (size_t)0; }, [&](auto) { return getri_room<T>::bytes(n, count); });
}

template <class T>
cudaError_t getri_mid(const batch_view<T> &A, const int *ipiv, int *info, void *work, cudaStream_t s)
{
  return getri_shapes<T>::by(
      batch_edge(A.n), [&](auto shape) { return getri_whole_launch<decltype(shape)>(A, ipiv, info, s); },
      [&](auto shape) { return getri_strips_launch<decltype(shape)>(A, ipiv, info, work, s); });
}

} // namespace bf
#endif
