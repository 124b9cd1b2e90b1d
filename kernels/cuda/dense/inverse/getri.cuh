/* kernels/cuda/dense/inverse/getri.cuh - batched inverses from the factors of getrf, orders 33 .. 512
 *
 * Computes   X = U^-1 L^-1; column i of X is column p(i) of A^-1, p(i) the row that the exchanges move to
 *            position i.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 3.4; design:
 *            docs/design-notes/batched-inverse.md. From a matrix directly: gauss_jordan.cuh.
 * Layout     where all columns fit in a block's registers (trsm_sweep.cuh), the factors are read once and X
 *            replaces them at the end; otherwise a block has some columns (getri_left_looking.cuh) and
 *            stores them in the workspace until all blocks have read the factors. work: for every member
 *            inverses of diagonal tiles [2 tiles][16 x 16], then X [n][16 tiles], then p [n].
 * Cost       4/3 n^3 flops (complex 4 times). A block per matrix: A read and written once; otherwise A and
 *            X read and written, the factors n / W times from L2.
 * Launch     a block per matrix, or per W columns after getri_prepare and before getri_permute.
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

/* ---- a block per matrix */
template <class SHAPE>
static __global__ void __launch_bounds__(SHAPE::THREADS, SHAPE::BLOCKS)
    getri_sweep(const batch_view<typename SHAPE::T> A, const int *__restrict__ ipiv, int *__restrict__ info,
                int                                 tiles)
{
  using T = typename SHAPE::T;
  extern __shared__ __align__(16) char smem[];
  __shared__ int                       first_bad;
  const trsm_smem<SHAPE>               R(smem, tiles);
  int                                  b, n;
  if (!trsm_member(A, (int)blockIdx.x, &b, &n)) return;
  T        *a           = A.matrix(b);
  const int factor_info = trsm_prepare<T>(a, A.ld, n, ipiv + (int64_t)b * A.pitch, R.tile, R.row, &first_bad,
                                          R.inverses, R.permuted);
  if (factor_info != 0) {
    if (threadIdx.x == 0) info[b] = factor_info;
    return;
  }
  trsm_solver<SHAPE> X(a, A.ld, n, R.inverses, 0, smem);
  real_t<T>          nonfinite = 0;
  if (X.first < X.tiles) {
    X.identity();
    X.template sweep<false>();
    X.template sweep<true>();
    X.for_each_tile([&](trsm_sums<T> &S, int, int) {
#pragma unroll
      for (int k = 0; k < 8; k++) nonfinite = track_nonfinite(S.entry(k >> 2, k & 3), nonfinite);
    });
  }
  const int has_nonfinite = __syncthreads_or(!(nonfinite == 0));
  if (threadIdx.x == 0) info[b] = has_nonfinite ? n + 1 : 0;
  if (has_nonfinite) return;
  X.for_each_tile([&](trsm_sums<T> &S, int i, int j) {
#pragma unroll
    for (int e = 0; e < 2; e++)
      if (j + 8 * e < n && i < n) getri_store(a + R.permuted[j + 8 * e] * X.ld + i, S, e, n - i, X.aligned);
  });
}

template <class SHAPE>
static cudaError_t getri_sweep_launch(const batch_view<typename SHAPE::T> &A, const int *ipiv, int *info,
                                      cudaStream_t s)
{
  const int         tiles  = (A.n + TRSM_NB - 1) / TRSM_NB;
  const size_t      bytes  = trsm_smem<SHAPE>::bytes(tiles);
  const auto        kernel = getri_sweep<SHAPE>;
  const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
  if (e != cudaSuccess) return e;
  kernel<<<(unsigned)A.count, SHAPE::THREADS, bytes, s>>>(A, ipiv, info, tiles);
  return cudaGetLastError();
}

/* ---- some columns per block */
enum {
  GETRI_PREPARE_WARPS   = 4,
  GETRI_PERMUTE_COLUMNS = 16,
  GETRI_PERMUTE_ROWS    = 64,
  GETRI_PERMUTE_THREADS = 256
};

template <class T>
static __global__ void __launch_bounds__(32 * GETRI_PREPARE_WARPS, 4)
    getri_prepare(const batch_view<T> A, const int *__restrict__ ipiv, bool use_info, int *__restrict__ info,
                  void *work)
{
  __shared__ T             smem[TRSM_SCRATCH * GETRI_PREPARE_WARPS];
  __shared__ int           first_bad, row[BATCH_MAX];
  const getri_workspace<T> W(work, A.n, A.count);
  const int                k = (int)blockIdx.x;
  int                      b, n;
  if (!trsm_member(A, k, &b, &n) || (use_info && info[b] != 0)) return;
  const int factor_info = trsm_prepare<T>(A.matrix(b), A.ld, n, ipiv + (int64_t)b * A.pitch, smem, row,
                                          &first_bad, W.inverses_of(k), W.permuted + (size_t)k * (size_t)A.n);
  if (threadIdx.x == 0) info[b] = factor_info;
}

/* Copies columns of the k-th X, from c0 on, to the matrix at a. */
template <class T>
BF_DEVICE void getri_permute_columns(const getri_workspace<T> &W, int k, int most, int n, int c0, T *a,
                                     int64_t ld)
{
  const int mine = (int)threadIdx.x % GETRI_PERMUTE_ROWS;
  for (int j = c0 + (int)threadIdx.x / GETRI_PERMUTE_ROWS; j < min(c0 + GETRI_PERMUTE_COLUMNS, n);
       j += GETRI_PERMUTE_THREADS / GETRI_PERMUTE_ROWS) {
    const T *from = W.column(k, most, j);
    T       *to   = a + (int64_t)W.permuted[(size_t)k * (size_t)most + (size_t)j] * ld;
    for (int i = mine; i < n; i += GETRI_PERMUTE_ROWS) to[i] = from[i];
  }
}
template <class T>
static __global__ void __launch_bounds__(GETRI_PERMUTE_THREADS)
    getri_permute(const batch_view<T> A, const int *__restrict__ info, void *work, int column_blocks)
{
  const getri_workspace<T> W(work, A.n, A.count);
  const int                k = (int)blockIdx.x / column_blocks,
            c0               = ((int)blockIdx.x - k * column_blocks) * GETRI_PERMUTE_COLUMNS;
  int b, n;
  if (!trsm_member(A, k, &b, &n) || info[b] != 0) return;
  getri_permute_columns(W, k, A.n, n, c0, A.matrix(b), A.ld);
}

/* X in `work`; use_info: info is the factorisation's; matrices with info != 0 are skipped. */
template <class SHAPE>
static cudaError_t getri_left_looking_compute(const batch_view<typename SHAPE::T> &A, const int *ipiv,
                                              bool use_info, int *info, void *work, cudaStream_t s)
{
  using T                        = typename SHAPE::T;
  const int         left_looking = (A.n + SHAPE::W - 1) / SHAPE::W;
  const size_t      bytes        = SHAPE::bytes((A.n + TRSM_NB - 1) / TRSM_NB);
  const auto        kernel       = getri_left_looking<SHAPE>;
  const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
  if (e != cudaSuccess) return e;
  getri_prepare<T><<<(unsigned)A.count, 32 * GETRI_PREPARE_WARPS, 0, s>>>(A, ipiv, use_info, info, work);
  kernel<<<(unsigned)A.count *(unsigned)left_looking, SHAPE::THREADS, bytes, s>>>(A, info, work,
                                                                                  left_looking);
  return cudaGetLastError();
}
template <class SHAPE>
static cudaError_t getri_left_looking_launch(const batch_view<typename SHAPE::T> &A, const int *ipiv,
                                             int *info, void *work, cudaStream_t s)
{
  using T                         = typename SHAPE::T;
  const int         column_blocks = (A.n + GETRI_PERMUTE_COLUMNS - 1) / GETRI_PERMUTE_COLUMNS;
  const cudaError_t e             = getri_left_looking_compute<SHAPE>(A, ipiv, false, info, work, s);
  if (e != cudaSuccess) return e;
  getri_permute<T><<<(unsigned)A.count *(unsigned)column_blocks, GETRI_PERMUTE_THREADS, 0, s>>>(
      A, info, work, column_blocks);
  return cudaGetLastError();
}

/* getri_tuning<T>::select(n_bucket, sweep, left_looking) calls one of the two with the shape for a
 * bucket. */
template <class T>
struct getri_tuning;

template <class T>
size_t getri_dispatch_work(int n, int count)
{
  return getri_tuning<T>::select(
      bucket_order(n), [](auto) { return (size_t)0; },
      [&](auto) { return getri_workspace<T>::bytes(n, count); });
}

template <class T>
cudaError_t getri_dispatch(const batch_view<T> &A, const int *ipiv, int *info, void *work, cudaStream_t s)
{
  return getri_tuning<T>::select(
      bucket_order(A.n), [&](auto shape) { return getri_sweep_launch<decltype(shape)>(A, ipiv, info, s); },
      [&](auto shape) { return getri_left_looking_launch<decltype(shape)>(A, ipiv, info, work, s); });
}

} // namespace bf
#endif
