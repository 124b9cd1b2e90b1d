/* kernels/cuda/dense/solve/trsm_square_rhs.cuh - triangular solve with as many right-hand sides as rows, by
 * tensor cores
 *
 * Computes   X = M^-1 X for M = the lower or upper triangle of A, X of A's order. Diagonal blocks of order
 *            8 are inverted first; a step multiplies 8 rows of X by the inverse and updates the other rows.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 3.1.3 (block forward substitution).
 * Layout     as eigen/unmtr.cuh: a block has 16 COLS columns of X, transposed, in registers; columns of M
 *            are copied to shared memory 8 at a time, double-buffered; the warp with the rows of a step
 *            stores them for the others.
 * Cost       n^3 flops (complex 4 times); one barrier per 8 rows.
 * Launch     blockIdx.x: matrix, blockIdx.y: columns of X; UNMTR_THREADS threads.
 * Checked    tests/kernels/dense/t371_hegv_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_SOLVE_TRSM_SQUARE_RHS_CUH
#define BF_KERNELS_CUDA_DENSE_SOLVE_TRSM_SQUARE_RHS_CUH
#include "kernels/cuda/dense/eigen/unmtr_transposed_tiles.cuh"

namespace bf
{

template <class T, int CHUNKS>
static size_t trsm_square_bytes(int n)
{
  return ((size_t)2 * 8 * v_pitch<T>(n) + 8 * (size_t)((n + 7) / 8 * 8) +
          2 * 8 * unmtr_columns<T, CHUNKS>)*sizeof(T);
}

/* Column j of the inverse of the diagonal block of order 8 at row and column k0; 1 on the diagonal
 * beyond n */
template <class T>
__device__ __forceinline__ void trsm_square_invert(const T *a, int lda, int n, int k0, int j, bool upper,
                                                   T *column)
{
  T y[8], d[8];
#pragma unroll
  for (int s = 0; s < 8; s++) {
    const int i = upper ? 7 - s : s, at = k0 + i;
    T         sum = from_real<T>(i == j ? 1 : 0);
#pragma unroll
    for (int h = 0; h < s; h++) {
      const int p = k0 + (upper ? 7 - h : h);
      if (at < n && p < n) sum = mulsub(a[(int64_t)p * lda + at], y[h], sum);
    }
    d[s]      = at < n ? a[(int64_t)at * lda + at] : from_real<T>(1);
    y[s]      = divide(sum, d[s]);
    column[i] = y[s];
  }
}

/* Starts the copy of columns 8k .. 8k+7 of M to `to`, rows outside the diagonal block; a column per warp */
template <class T>
__device__ __forceinline__ void trsm_square_load(const T *a, int lda, int n, int k, bool upper, T *to,
                                                 int pitch)
{
  using R              = real_t<T>;
  constexpr int P      = (is_complex<T> ? 2 : 1);
  const int     column = 8 * k + (int)(threadIdx.x >> 5), from = upper ? 0 : 8 * k + 8,
            end   = upper ? 8 * k : (n + 7) / 8 * 8;
  const R *source = reinterpret_cast<const R *>(a + (int64_t)(column < n ? column : 0) * lda);
  R       *v      = reinterpret_cast<R *>(to + (size_t)(threadIdx.x >> 5) * pitch);
  for (int i = P * from + (int)(threadIdx.x & 31); i < P * end; i += 32) {
    const bool in = column < n && i < P * n;
    __pipeline_memcpy_async(v + i, source + (in ? i : 0), sizeof(R), in ? 0 : sizeof(R));
  }
  __pipeline_commit();
}

template <class T, int CHUNKS>
static __global__ void __launch_bounds__(UNMTR_THREADS, unmtr_blocks<T, CHUNKS>)
    trsm_square_kernel(const batch_view<T> A, const rhs_view<T> B, bool upper, const int *info)
{
  using R   = real_t<T>;
  using sum = tile_sum<T, transposed_tiles<T, CHUNKS>::COLS>;
  extern __shared__ __align__(16) char smem[];
  if ((int)blockIdx.x >= A.members()) return;
  const int b = A.member((int)blockIdx.x), n = A.order(b), c = (int)blockIdx.y * unmtr_columns<T, CHUNKS>;
  if (n <= 0 || n > A.n || info[b] != 0 || c >= n) return;
  const T  *a     = A.matrix(b);
  T        *x     = B.matrix(b) + (int64_t)c * B.ld;
  const int pitch = v_pitch<T>(n), tiles = (n + 7) / 8,
            at                      = 2 * (int)(threadIdx.x & 3) * 8 + (int)(threadIdx.x >> 2 & 7);
  T                          *panel = reinterpret_cast<T *>(smem), *inverse = panel + (size_t)2 * 8 * pitch;
  R                          *published = reinterpret_cast<R *>(inverse + 64 * (size_t)tiles);
  transposed_tiles<T, CHUNKS> q;
  trsm_square_load(a, A.ld, n, upper ? tiles - 1 : 0, upper, panel, pitch);
  for (int j = threadIdx.x; j < 8 * tiles; j += UNMTR_THREADS)
    trsm_square_invert(a, A.ld, n, j / 8 * 8, j % 8, upper, inverse + 8 * j);
  load_tiles(q, x, B.ld, n, n - c);
  __syncthreads();
  for (int s = 0; s < tiles; s++) {
    const int k = upper ? tiles - 1 - s : s;
    const T  *V = panel + (size_t)(s & 1) * 8 * pitch, *d = inverse + 64 * (size_t)k + at;
    R        *Y = published + (s & 1) * q.ALL;
#pragma unroll
    for (int i = 0; i < q.TILES; i++) {
      if (q.tile(i) != k) continue;
      sum mine, y = {};
#pragma unroll
      for (int z = 0; z < q.COLS * q.PARTS * 4; z++)
        mine.of[z / (4 * q.PARTS)][z / 4 % q.PARTS][z % 4] =
            q.x[z / (4 * q.PARTS)][i][z / 4 % q.PARTS][z % 4];
      tile_multiply(load_aligned(d), load_aligned(d + 8), mine, y);
#pragma unroll
      for (int z = 0; z < q.COLS * q.PARTS * 4; z++)
        q.x[z / (4 * q.PARTS)][i][z / 4 % q.PARTS][z % 4] = y.of[z / (4 * q.PARTS)][z / 4 % q.PARTS][z % 4];
      store_tile_sum(y, Y);
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    if (s + 1 < tiles)
      trsm_square_load(a, A.ld, n, upper ? k - 1 : k + 1, upper, panel + (size_t)((s & 1) ^ 1) * 8 * pitch,
                       pitch);
    sum N;
    load_tile_sum(N, Y);
    tile_update(q, V, pitch, upper ? 0 : k + 1, upper ? k : tiles, N);
  }
#pragma unroll
  for (int m = 0; m < q.COLS; m++)
#pragma unroll
    for (int i = 0; i < q.TILES; i++)
#pragma unroll
      for (int e = 0; e < 4; e++)
        if (q.row(i, e) < n && c + q.column(m, e) < n)
          x[(int64_t)q.column(m, e) * B.ld + q.row(i, e)] = q.entry(m, i, e);
}

template <class T, int CHUNKS>
static cudaError_t trsm_square_launch(const batch_view<T> &A, const rhs_view<T> &B, bool upper,
                                      const int *info, cudaStream_t s)
{
  const size_t shared = trsm_square_bytes<T, CHUNKS>(A.n);
  const auto   kernel = trsm_square_kernel<T, CHUNKS>;
  cudaError_t  error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
  if (error != cudaSuccess) return error;
  kernel<<<dim3((unsigned)A.count, (unsigned)((A.n - 1) / unmtr_columns<T, CHUNKS> + 1)), UNMTR_THREADS,
           shared, s>>>(A, B, upper, info);
  return cudaGetLastError();
}

/* info: of A's factorisation; matrices with info != 0 are skipped */
template <class T>
static cudaError_t is_aligned(const batch_view<T> &A, const rhs_view<T> &B, bool upper, const int *info,
                              cudaStream_t s)
{
  if (A.n <= 64) return trsm_square_launch<T, 2>(A, B, upper, info, s);
  if (A.n <= 128) return trsm_square_launch<T, 4>(A, B, upper, info, s);
  if (A.n <= 256) return trsm_square_launch<T, 8>(A, B, upper, info, s);
  return trsm_square_launch<T, 16>(A, B, upper, info, s);
}

} // namespace bf
#endif
