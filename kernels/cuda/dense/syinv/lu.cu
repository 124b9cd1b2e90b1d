/* kernels/cuda/dense/syinv/lu.cu - inverse of a large symmetric matrix by LU with partial pivoting: where
 * blocks cannot be eliminated
 *
 * Computes   P A = L U, right-looking by panels of 64 columns; X = U^-1 L^-1 P; the lower triangle of X
 *            mirrored.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 3.4 and 3.6.
 * Launch     a panel: two kernels a column, the first one block; products and triangular solutions by cuBLAS.
 * Cost       8/3 n^3 flops, 2 n launches.
 * Checked    tests/kernels/dense/t378_syinv.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/syinv/blas.cuh"

namespace bf
{

enum { PANEL = 64, SEARCH = 1024, THREADS = 256 };

/* pivot[k] = the first row from k on whose entry in column k is largest; rows k and pivot[k] of columns j0 ..
 * j1-1 are exchanged.  NaN counts as largest.  *info: see kernels/dense.h. */
template <class T>
static __global__ void __launch_bounds__(SEARCH)
    exchange(int n, int k, int j0, int j1, T *A, size_t ld, int *pivot, int *info)
{
  __shared__ T   best[SEARCH];
  __shared__ int at[SEARCH];
  const int      x   = (int)threadIdx.x;
  T              top = -1;
  int            row = k;
  for (int i = k + x; i < n; i += SEARCH) {
    const T v = fabs(A[k * ld + i]), w = v == v ? v : T(INFINITY);
    if (w > top) {
      top = w;
      row = i;
    }
  }
  best[x] = top;
  at[x]   = row;
  __syncthreads();
  for (int half = SEARCH / 2; half > 0; half /= 2) {
    if (x < half && (best[x + half] > best[x] || (best[x + half] == best[x] && at[x + half] < at[x]))) {
      best[x] = best[x + half];
      at[x]   = at[x + half];
    }
    __syncthreads();
  }
  const int p = at[0];
  if (x == 0) {
    pivot[k] = p;
    if (!(best[0] < T(INFINITY)))
      *info = n + 1;
    else if (best[0] == 0 && *info == 0)
      *info = k + 1;
  }
  for (int j = j0 + x; j < j1 && p != k; j += SEARCH) {
    const T v     = A[j * ld + k];
    A[j * ld + k] = A[j * ld + p];
    A[j * ld + p] = v;
  }
}

/* Columns k+1 .. j1-1 less their multiple of column k; blocks of rows.  The multipliers are stored by the
 * blocks of the first column, which alone write them; the others divide for themselves. */
template <class T>
static __global__ void eliminate(int n, int k, T *A, size_t ld)
{
  const int i = k + 1 + (int)(blockIdx.x * THREADS + threadIdx.x), j = k + 1 + (int)blockIdx.y;
  const T   d = A[k * ld + k];
  if (i < n && d != 0) A[j * ld + i] -= A[k * ld + i] / d * A[j * ld + k];
}
template <class T>
static __global__ void divide(int n, int k, T *A, size_t ld)
{
  const int i = k + 1 + (int)(blockIdx.x * THREADS + threadIdx.x);
  const T   d = A[k * ld + k];
  if (i < n && d != 0) A[k * ld + i] /= d;
}

/* The exchanges of rows k0 .. k1-1 in columns j0 .. j1-1, a thread a column. */
template <class T>
static __global__ void exchange_rows(int k0, int k1, const int *__restrict__ pivot, int j0, int j1, T *A,
                                     size_t ld)
{
  const int j = j0 + (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (j >= j1) return;
  T *a = A + j * ld;
  for (int k = k0; k < k1; k++) {
    const int p = pivot[k];
    const T   v = a[k];
    a[k]        = a[p];
    a[p]        = v;
  }
}

template <class T>
static __global__ void identity(int n, T *X, size_t ld)
{
  const int i = (int)(blockIdx.x * THREADS + threadIdx.x), j = (int)blockIdx.y;
  if (i < n) X[j * ld + i] = i == j;
}

template <class T>
static bf_err panel(bf_backend *be, bf_int n, bf_int k0, bf_int k1, T *A, size_t ld, int *pivot, int *info)
{
  const cudaStream_t s = bf_cuda_of(be)->stream;
  for (bf_int k = k0; k < k1; k++) {
    const unsigned blocks = bf_cuda_blocks(n - k, THREADS);
    exchange<T><<<1, SEARCH, 0, s>>>(n, k, k0, k1, A, ld, pivot, info);
    if (k + 1 < k1) eliminate<T><<<dim3(blocks, (unsigned)(k1 - k - 1)), THREADS, 0, s>>>(n, k, A, ld);
    divide<T><<<blocks, THREADS, 0, s>>>(n, k, A, ld);
    BF_TRY(BF_CUDA_LAUNCHED(be));
  }
  if (k0 > 0) exchange_rows<T><<<bf_cuda_blocks(k0, THREADS), THREADS, 0, s>>>(k0, k1, pivot, 0, k0, A, ld);
  if (k1 < n)
    exchange_rows<T><<<bf_cuda_blocks(n - k1, THREADS), THREADS, 0, s>>>(k0, k1, pivot, k1, n, A, ld);
  return BF_CUDA_LAUNCHED(be);
}

template <class T>
static bf_err inverse(bf_backend *be, bf_scalar type, bf_int n, T *A, bf_int lda, T *X, bf_int ldx, int *info,
                      int *pivot)
{
  const cudaStream_t s = bf_cuda_of(be)->stream;
  BF_TRY(BF_CUDA(cudaMemsetAsync(info, 0, sizeof *info, s)));
  for (bf_int k0 = 0; k0 < n; k0 += PANEL) {
    const bf_int k1 = n - k0 < PANEL ? n : k0 + PANEL, m = k1 - k0, rest = n - k1;
    BF_TRY(panel(be, n, k0, k1, A, (size_t)lda, pivot, info));
    if (rest == 0) break;
    T *right = dense_at(A, lda, k0, k1);
    BF_TRY(bf_cuda_dense_trsm(be, type, true, m, rest, dense_at(A, lda, k0, k0), lda, right, lda));
    BF_TRY(bf_cuda_dense_gemm(be, type, BF_NO_TRANS, BF_NO_TRANS, rest, rest, m, -1.0,
                              dense_at(A, lda, k1, k0), lda, right, lda, 1.0, dense_at(A, lda, k1, k1), lda));
  }
  identity<T><<<dim3(bf_cuda_blocks(n, THREADS), (unsigned)n), THREADS, 0, s>>>(n, X, (size_t)ldx);
  exchange_rows<T><<<bf_cuda_blocks(n, THREADS), THREADS, 0, s>>>(0, n, pivot, 0, n, X, (size_t)ldx);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  BF_TRY(bf_cuda_dense_trsm(be, type, true, n, n, A, lda, X, ldx));
  BF_TRY(bf_cuda_dense_trsm(be, type, false, n, n, A, lda, X, ldx));
  return bf_cuda_dense_mirror(be, type, BF_LOWER, n, 1.0, X, ldx, NULL, X, ldx, NULL);
}

size_t bf_cuda_dense_pivoted_bytes(bf_scalar, bf_int n)
{
  return (size_t)n * sizeof(int);
}

bf_err bf_cuda_dense_pivoted(bf_backend *be, bf_scalar type, bf_int n, void *A, bf_int lda, void *X,
                             bf_int ldx, bf_int *info, void *work)
{
  return dense_by_type(type, [&](auto zero) {
    using T = decltype(zero);
    return inverse(be, type, n, (T *)A, lda, (T *)X, ldx, info, (int *)work);
  });
}

} // namespace bf
