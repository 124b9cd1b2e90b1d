/* kernels/cuda/batch_getri.cu - batches: inverses of factors of orders 33 .. 512
 *
 * Computes   U^-1 L^-1 P, column by column: P e_j through two substitutions.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 3.4.  From a matrix to its inverse the
 *            fused way (batch_inverse.cuh) is the fast one; this is for factors that are there.
 * Layout     a block owns a matrix, a thread a row, R columns at a time in registers; columns wait in the
 *            workspace until the last is there, for the factors stand in their place.
 * Cost       2 n^3 flops; the factors are read n / R times, from L2, the inverse is written twice.
 * Checked    tests/t362_lu_batch.c, t366_sizes_batch.c.
 */
#include "kernels/cuda/batch_families.cuh"
#include "kernels/cuda/batch_triangle.cuh"

template <class T, int R>
static __global__ void __launch_bounds__(BATCH_MID)
    invert_factors(const batch_view<T> A, const int *__restrict__ ipiv, int *__restrict__ info, T *work)
{
  __shared__ T   done[2 * R * WARP];
  __shared__ int at[BATCH_MID], least;
  const int      i = (int)threadIdx.x;
  if ((int)blockIdx.x >= A.members()) return;
  const int b = A.member((int)blockIdx.x), n = A.order(b);
  T        *a = A.matrix(b), *w = work + (int64_t)blockIdx.x * A.n * A.n;
  if (n <= 0 || n > A.n) return;
  if (i == 0) least = n + 2;
  at[i] = i;
  __syncthreads();
  if (i < n) atomicMin(&least, diagonal_info(a[(int64_t)i * (A.ld + 1)], i, n));
  if (i == 0) follow_exchanges(ipiv + (int64_t)b * A.pitch, n, at);
  __syncthreads();
  if (i == 0) info[b] = settle(least, n);
  if (least <= n) return;
  const triangle   L = {1, 1, 0, false}, U = {0, 0, 0, false};
  const entries<T> lower(a, A.ld, L), upper(a, A.ld, U);
  for (int c0 = 0; c0 < n; c0 += R) {
    T x[R];
#pragma unroll
    for (int c = 0; c < R; c++) x[c] = from_real<T>(i < n && at[i] == c0 + c ? 1 : 0);
    substitute<T, R>(L, lower, n, x, done);
    __syncthreads();
    substitute<T, R>(U, upper, n, x, done);
#pragma unroll
    for (int c = 0; c < R; c++)
      if (i < n && c0 + c < n) w[(int64_t)(c0 + c) * n + i] = x[c];
    __syncthreads();
  }
  for (int j = 0; j < n && i < n; j++) a[(int64_t)j * A.ld + i] = w[(int64_t)j * n + i];
}

template <class T>
size_t getri_mid_work(int n, int count)
{
  return (size_t)n * (size_t)n * (size_t)count * sizeof(T);
}

template <class T>
cudaError_t getri_mid(const batch_view<T> &A, const int *ipiv, int *info, void *work, cudaStream_t s)
{
  constexpr int R = sizeof(T) == 16 ? 4 : 8;
  invert_factors<T, R><<<(unsigned)A.count, (unsigned)((A.n + WARP - 1) / WARP * WARP), 0, s>>>(
      A, ipiv, info, static_cast<T *>(work));
  return cudaGetLastError();
}

template size_t      getri_mid_work<float>(int, int);
template size_t      getri_mid_work<double>(int, int);
template size_t      getri_mid_work<cplx<float>>(int, int);
template size_t      getri_mid_work<cplx<double>>(int, int);
template cudaError_t getri_mid(const batch_view<float> &, const int *, int *, void *, cudaStream_t);
template cudaError_t getri_mid(const batch_view<double> &, const int *, int *, void *, cudaStream_t);
template cudaError_t getri_mid(const batch_view<cplx<float>> &, const int *, int *, void *, cudaStream_t);
template cudaError_t getri_mid(const batch_view<cplx<double>> &, const int *, int *, void *, cudaStream_t);
