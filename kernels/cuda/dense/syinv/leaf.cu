/* kernels/cuda/dense/syinv/leaf.cu - W = L^-1 of a diagonal block D = L L^T of order up to 128, by one block
 *
 * Computes   forward elimination of [D | I] without exchanges.  With d the pivot of step k, r = 1/sqrt(d),
 *            l = r D(:, k), w = r times row k (for columns j < k of W so far, 1 at k, D(j, k) behind):
 *            entry (i, j), i > k, of D or of W less l_i w_j; row k of W = w.
 * Layout     16 x 16 threads; thread (x, y) has the entries (x + 16 r, y + 16 c), c <= r, in registers.
 *            Column and row k pass through shared memory, one barrier a step.
 * Cost       m^3/3 flops; m barriers.
 * Checked    tests/kernels/dense/t378_syinv.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/syinv/blas.cuh"

namespace bf
{

static __device__ __forceinline__ double inverse_root(double d)
{
  return rsqrt(d);
}
static __device__ __forceinline__ float inverse_root(float d)
{
  return 1.0f / sqrtf(d);
}

enum { SIDE = 16 };

template <class T, int R>
static __global__ void __launch_bounds__(SIDE *SIDE)
    definite(int m, int k0, const T *__restrict__ D, size_t ldd, T *__restrict__ W, size_t ldw, int *flag)
{
  __shared__ T shown[2][2][SIDE * R];
  const int    x = (int)threadIdx.x % SIDE, y = (int)threadIdx.x / SIDE;
  T            v[R][R];
  int          bad = 0;
#pragma unroll
  for (int r = 0; r < R; r++)
#pragma unroll
    for (int c = 0; c < R; c++) {
      const int i = x + SIDE * r, j = y + SIDE * c;
      v[r][c] = i < m && j <= i ? D[j * ldd + i] : T(i == j);
    }
#pragma unroll
  for (int b = 0; b < R; b++)
#pragma unroll 1
    for (int s = 0; s < SIDE; s++) {
      T *column = shown[s % 2][0], *row = shown[s % 2][1];
      if (y == s)
#pragma unroll
        for (int r = b; r < R; r++) column[x + SIDE * r] = v[r][b];
      if (x == s)
#pragma unroll
        for (int c = 0; c <= b; c++) row[y + SIDE * c] = v[b][c];
      __syncthreads();
      const T    d    = column[SIDE * b + s];
      const bool fine = d > 0 && d < T(INFINITY);
      const T    root = fine ? inverse_root(d) : T(0);
      T          w[R];
      if (!fine && bad == 0) bad = SIDE * b + s + 1;
#pragma unroll
      for (int c = 0; c < R; c++) {
        const int j = y + SIDE * c;
        w[c]        = root * (c < b ? row[j] : c > b ? column[j] : y < s ? row[j] : y > s ? column[j] : T(1));
      }
#pragma unroll
      for (int r = b; r < R; r++) {
        const bool below = r > b || x > s;
        const T    l     = below ? root * column[x + SIDE * r] : T(0);
        if (below && y == s) v[r][b] = 0;
#pragma unroll
        for (int c = 0; c <= r; c++) v[r][c] -= l * w[c];
      }
      if (x == s)
#pragma unroll
        for (int c = 0; c <= b; c++) v[b][c] = w[c];
    }
#pragma unroll
  for (int r = 0; r < R; r++)
#pragma unroll
    for (int c = 0; c < R; c++) {
      const int i = x + SIDE * r, j = y + SIDE * c;
      if (i < m && j < m) W[j * ldw + i] = j <= i ? v[r][c] : T(0);
    }
  if (threadIdx.x == 0 && bad != 0 && *flag == 0) *flag = k0 + bad;
}

bf_err bf_cuda_dense_definite(bf_backend *be, bf_scalar type, bf_dense_block k, const void *B, bf_int ldb,
                              void *W, bf_int ldw, bf_int *flag)
{
  const cudaStream_t s = bf_cuda_of(be)->stream;
  return dense_by_type(type, [&](auto zero) {
    using T      = decltype(zero);
    const auto f = k.m <= 32   ? definite<T, 2>
                   : k.m <= 64 ? definite<T, 4>
                   : k.m <= 96 ? definite<T, 6>
                               : definite<T, 8>;
    f<<<1, SIDE * SIDE, 0, s>>>(k.m, k.k0, (const T *)B + k.k0, (size_t)ldb, (T *)W, (size_t)ldw, flag);
    return BF_CUDA_LAUNCHED(be);
  });
}

} // namespace bf
