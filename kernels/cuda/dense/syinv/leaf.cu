/* kernels/cuda/dense/syinv/leaf.cu - W = L^-1 of a diagonal block D = L L^T of order up to 128, by one block
 *
 * Computes   forward elimination of [D | I] without exchanges, in place: after step k column k of D has
 * become column k of the unit triangular inverse.  u = (row k of that, 1, column k of D below), d the pivot:
 *            entry (i, j), i > k, less u_i / d u_j.  At the end row k is multiplied by 1 / sqrt(d).
 * Layout     16 x 16 threads; thread (x, y) has the entries (x + 16 r, y + 16 c), c <= r, in registers.
 *            u passes through shared memory, one barrier a step.  The reciprocal of the next pivot is formed
 *            before the other entries, by the thread that has it.
 * Cost       m^3/3 flops; m barriers.
 * Checked    tests/kernels/dense/t378_syinv.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/syinv/blas.cuh"
#include "kernels/cuda/device/reciprocal.cuh"

namespace bf
{

enum { SIDE = 16, THREADS = SIDE * SIDE };

template <class T>
static __device__ __forceinline__ T inverse_of(T d)
{
  return reciprocal_safe<T>(high_bits(d)) ? reciprocal(d) : T(1) / d;
}

/* *flag as in kernels/dense.h, by the first warp; pivots: in shared memory */
template <class T>
static __device__ __forceinline__ void report(int m, int k0, const T *pivot, int *flag)
{
  int bad = m;
  for (int k = (int)threadIdx.x; k < m; k += 32)
    if (bad == m && !(pivot[k] > 0 && pivot[k] < T(INFINITY))) bad = k;
  bad = __reduce_min_sync(~0u, bad);
  if (threadIdx.x == 0 && bad < m && *flag == 0) *flag = k0 + bad + 1;
}

template <class T, int R>
static __global__ void __launch_bounds__(THREADS)
    definite(int m, int k0, T *__restrict__ D, size_t ldd, bool replace, T *__restrict__ W, size_t ldw,
             int *flag)
{
  __shared__ T shown[2][SIDE * R], inverse[2], pivot[SIDE * R];
  const int    x = (int)threadIdx.x % SIDE, y = (int)threadIdx.x / SIDE;
  T            v[R][R];
#pragma unroll
  for (int r = 0; r < R; r++)
#pragma unroll
    for (int c = 0; c <= r; c++) {
      const int i = x + SIDE * r, j = y + SIDE * c;
      v[r][c] = i < m && j <= i ? D[j * ldd + i] : T(i == j);
    }
  if (threadIdx.x == 0) {
    pivot[0]   = v[0][0];
    inverse[0] = inverse_of(v[0][0]);
  }
#pragma unroll
  for (int b = 0; b < R; b++)
#pragma unroll 1
    for (int s = 0; s < SIDE; s++) {
      T *u = shown[s % 2];
      if (y == s)
#pragma unroll
        for (int r = b; r < R; r++) {
          if (r > b || x > s) u[x + SIDE * r] = v[r][b];
          v[r][b] = r > b || x > s ? T(0) : v[r][b];
        }
      if (x == s) {
#pragma unroll
        for (int c = 0; c < b; c++) u[y + SIDE * c] = v[b][c];
        if (y <= s) u[y + SIDE * b] = y < s ? v[b][b] : T(1);
      }
      __syncthreads();
      const T scale = -inverse[s % 2];
      T       w[R];
#pragma unroll
      for (int c = 0; c < R; c++) w[c] = u[y + SIDE * c];
      const bool last = s + 1 == SIDE;
      if (b + 1 < R && last && threadIdx.x == 0) {
        const T l = u[SIDE * (b + 1)], d = v[b + 1][b + 1] + scale * l * l;
        pivot[SIDE * (b + 1)] = d;
        inverse[0]            = inverse_of(d);
      }
      if (!last && x == s + 1 && y == s + 1) {
        const T l = u[x + SIDE * b], d = v[b][b] + scale * l * l;
        pivot[x + SIDE * b] = d;
        inverse[x % 2]      = inverse_of(d);
      }
#pragma unroll
      for (int r = b; r < R; r++) {
        const T l = r > b || x > s ? scale * u[x + SIDE * r] : T(0);
#pragma unroll
        for (int c = 0; c <= r; c++) v[r][c] += l * w[c];
      }
      if (x == s && y == s) v[b][b] = 1;
    }
  __syncthreads();
  if (threadIdx.x < 32) report(m, k0, pivot, flag);
#pragma unroll
  for (int r = 0; r < R; r++) {
    const int i    = x + SIDE * r;
    const T   root = T(1) / sqrt(pivot[i]);
#pragma unroll
    for (int c = 0; c < R; c++) {
      const int j = y + SIDE * c;
      if (i < m && j < m) W[j * ldw + i] = c <= r && j <= i ? root * v[r][c <= r ? c : 0] : T(0);
    }
  }
  for (int j = y; j < m && replace; j += SIDE)
    for (int i = x; i < m; i += SIDE) D[j * ldd + i] = i == j;
}

bf_err bf_cuda_dense_definite(bf_backend *be, bf_scalar type, bf_int m, bf_int k0, void *D, bf_int ldd,
                              int replace, void *W, bf_int ldw, bf_int *flag)
{
  const cudaStream_t s = bf_cuda_dense_stream(be);
  return dense_by_type(type, [&](auto zero) {
    using T      = decltype(zero);
    const auto f = m <= 32   ? definite<T, 2>
                   : m <= 64 ? definite<T, 4>
                   : m <= 96 ? definite<T, 6>
                             : definite<T, 8>;
    f<<<1, THREADS, 0, s>>>(m, k0, (T *)D, (size_t)ldd, replace != 0, (T *)W, (size_t)ldw, flag);
    return BF_CUDA_LAUNCHED(be);
  });
}

} // namespace bf
