/* kernels/cuda/dense/syinv/bordering.cu - bordering with one row and column at a time, as published
 *
 * Computes   W = inverse of the leading block of order t, in place: q = -W r, beta = rho + r.q,
 *            W += q q^T / beta, border q / beta and 1 / beta.
 * Source     Y. Huo et al., Computer Engineering and Design 36 (2015) 2133, doi
 *            10.16208/j.issn1000-7024.2015.08.025, section 3.2: a block of threads for each row of W r, 32
 * blocks of 256 for r.q, blocks of 16 x 16 for q q^T.  Deviation: the sum of the 32 parts is made by every
 *            block of the last two kernels; the sum of both matrices is fused with q q^T.
 * Cost       12 t^2 bytes in fp32, 24 t^2 in fp64 a step; four launches.
 * Checked    tests/kernels/dense/t378_syinv.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/syinv/blas.cuh"

namespace bf
{

enum { THREADS = 256, PARTS = 32, EDGE = 16 };

template <class T>
static __device__ T block_sum(T v)
{
  __shared__ T part[THREADS];
  part[threadIdx.x] = v;
  __syncthreads();
  for (int half = THREADS / 2; half > 0; half /= 2) {
    if ((int)threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  return part[0];
}

template <class T>
static __global__ void multiply(int t, const T *__restrict__ W, size_t ld, const T *__restrict__ r, T *q)
{
  const T *row = W + (size_t)blockIdx.x * ld; /* symmetric: a column */
  T        sum = 0;
  for (int j = (int)threadIdx.x; j < t; j += THREADS) sum -= row[j] * r[j];
  sum = block_sum(sum);
  if (threadIdx.x == 0) q[blockIdx.x] = sum;
}

template <class T>
static __global__ void dot(int t, const T *__restrict__ r, const T *__restrict__ q, T *parts)
{
  T sum = 0;
  for (int j = (int)(blockIdx.x * THREADS + threadIdx.x); j < t; j += PARTS * THREADS) sum += r[j] * q[j];
  sum = block_sum(sum);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

template <class T>
static __device__ __forceinline__ T inverse_beta(T rho, const T *parts)
{
  for (int k = 0; k < PARTS; k++) rho += parts[k];
  return 1 / rho;
}

template <class T>
static __global__ void add(int t, T *W, size_t ld, const T *__restrict__ q, const T *__restrict__ parts)
{
  const int i = (int)(blockIdx.x * EDGE + threadIdx.x), j = (int)(blockIdx.y * EDGE + threadIdx.y);
  if (i < t && j < t) W[j * ld + i] += inverse_beta(W[t * ld + t], parts) * (q[i] * q[j]);
}

/* One block: the diagonal is read before it is replaced. */
template <class T>
static __global__ void close(int t, T *W, size_t ld, const T *__restrict__ q, const T *__restrict__ parts)
{
  const T scale = inverse_beta(W[t * ld + t], parts);
  __syncthreads();
  for (int i = (int)threadIdx.x; i < t; i += THREADS) W[i * ld + t] = W[t * ld + i] = scale * q[i];
  if (threadIdx.x == 0) W[t * ld + t] = scale;
}

bf_err bf_cuda_dense_border(bf_backend *be, bf_scalar type, bf_int n, void *A, bf_int lda, void *room)
{
  const cudaStream_t s = bf_cuda_of(be)->stream;
  return dense_by_type(type, [&](auto zero) {
    using T  = decltype(zero);
    T     *W = (T *)A, *q = (T *)room, *parts = q + n;
    size_t ld = (size_t)lda;
    for (bf_int t = 0; t < n; t++) {
      const unsigned edge = bf_cuda_blocks(t, EDGE);
      if (t > 0) multiply<T><<<(unsigned)t, THREADS, 0, s>>>(t, W, ld, W + t * ld, q);
      dot<T><<<PARTS, THREADS, 0, s>>>(t, W + t * ld, q, parts);
      if (t > 0) add<T><<<dim3(edge, edge), dim3(EDGE, EDGE), 0, s>>>(t, W, ld, q, parts);
      close<T><<<1, THREADS, 0, s>>>(t, W, ld, q, parts);
      BF_TRY(BF_CUDA_LAUNCHED(be));
    }
    return BF_OK;
  });
}

} // namespace bf
