/* kernels/cuda/dense/syinv/leaf.cu - W = L^-1 of a diagonal block D = L L^T of order up to 128, by one block
 *
 * Computes   elimination of [D | I] by blocks of 32.  Step b: w = L_bb^-1; L_ib = D_ib w^T, W_bj = w V_bj;
 * then for i > b   V_ij -= L_ib W_bj (j < b),  V_ib = -L_ib w,  D_ij -= L_ib L_jb^T (b < j <= i). L_bb^-1 by
 * one warp, without exchanges and without roots, lane j a column: after step k the rows i > k of a column
 * have lost x_k / d_k u_i, u the column k of D, which is in the lanes as row k.  At the end entry (i, j) is
 * multiplied by -1 / (d_j sqrt(d_i)). Layout     shared memory: D and V by columns; blocks above the diagonal
 * hold L_ib of the step and the W_bj that are complete, diagonal blocks w by rows.  Products of 16 x 32 tiles
 * by the tensor cores, a warp a tile; warp 0 goes on with the next diagonal block while the others finish the
 * step. Cost       m^3/3 flops; two barriers a step. Checked    tests/kernels/dense/t378_syinv.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/syinv/blas.cuh"
#include "kernels/cuda/dense/syinv/product.cuh"
#include "kernels/cuda/device/reciprocal.cuh"

namespace bf
{

enum { B = 32, MOST = BF_DENSE_LEAF, WARPS = 8, THREADS = 32 * WARPS };

template <class T>
struct leaf_shape {
  enum {
    LD    = MOST + (sizeof(T) == 8 ? 4 : 8),
    PER   = 16 / (int)sizeof(T),
    BYTES = MOST * LD * (int)sizeof(T)
  };
  struct __align__(16) group
  {
    T v[PER];
  };
};

template <class T>
static __device__ __forceinline__ T inverse_of(T d)
{
  const T f = safe_power_of_two<T>(high_bits(d));
  return reciprocal(d * f) * f;
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

/* A matrix in shared memory: entry (i, j) at p[i * row + j * column] */
template <class T>
struct part {
  T  *p;
  int row, column;
};
/* Block (i, j) from its row `from` on: of D, V, L, W; transposed */
template <class T>
static __device__ __forceinline__ part<T> block(T *S, int i, int j, int from)
{
  return {S + B * j * leaf_shape<T>::LD + B * i + from, 1, leaf_shape<T>::LD};
}
template <class T>
static __device__ __forceinline__ part<T> transposed(part<T> x)
{
  return {x.p, x.column, x.row};
}
/* w of diagonal block b, from its row `from` on */
template <class T>
static __device__ __forceinline__ part<T> diagonal(T *S, int b, int from)
{
  return {S + (B * b + from) * leaf_shape<T>::LD + B * b, leaf_shape<T>::LD, 1};
}

typedef enum { SET, NEGATE, SUBTRACT } update;

/* C = A X, -A X or C - A X: C 16 x 32, A 16 x 32, X 32 x 32; C may be X where a warp reads it all before. */
template <class T>
static __device__ __forceinline__ void multiply(update how, part<T> C, part<T> A, part<T> X)
{
  enum { STEP = sizeof(T) == 8 ? 16 : 8 };
  const int lane = (int)threadIdx.x % 32, g = lane / 4, t = lane % 4;
  T         c[4][4] = {};
#pragma unroll
  for (int p = 0; p < B; p += STEP) {
    mma_real<T> x[STEP / 2], y[4][STEP / 4];
#pragma unroll
    for (int e = 0; e < STEP / 2; e++)
      x[e] = mma_operand(A.p[(g + e % 2 * 8) * A.row + (p + t + e / 2 * 4) * A.column]);
#pragma unroll
    for (int j = 0; j < 4; j++)
#pragma unroll
      for (int e = 0; e < STEP / 4; e++)
        y[j][e] = mma_operand(X.p[(p + t + 4 * e) * X.row + (8 * j + g) * X.column]);
    product_row(c, x, y);
  }
#pragma unroll
  for (int j = 0; j < 4; j++)
#pragma unroll
    for (int e = 0; e < 4; e++) {
      T *to = C.p + (g + e / 2 * 8) * C.row + (8 * j + 2 * t + e % 2) * C.column;
      *to   = how == SET ? c[j][e] : how == NEGATE ? -c[j][e] : *to - c[j][e];
    }
}

/* One warp: the diagonal block b becomes w; u[2][B] */
template <class T>
static __device__ __forceinline__ void eliminate(T *S, int b, T *u, T *pivot)
{
  using shape    = leaf_shape<T>;
  const int lane = (int)threadIdx.x;
  T        *w    = S + B * b * shape::LD + B * b;
  T         x[B], own = 1;
#pragma unroll
  for (int i = 0; i < B; i++) x[i] = w[i * shape::LD + lane];
#pragma unroll 4
  for (int k = 0; k < B; k++) { /* x[i] is row (k + i) % B */
    T      *v   = u + k % 2 * B;
    const T top = x[0], d = __shfl_sync(~0u, top, k);
    v[(lane - k) & (B - 1)] = lane >= k ? top : T(0);
    __syncwarp();
    typename shape::group a[B / shape::PER];
#pragma unroll
    for (int q = 0; q < B / shape::PER; q++) a[q] = reinterpret_cast<const typename shape::group *>(v)[q];
    const T r = -inverse_of(d) * top, s = lane == k ? T(0) : r;
    own = lane == k ? d : own;
#pragma unroll
    for (int i = 1; i < B; i++) x[i - 1] = fma(s, a[i / shape::PER].v[i % shape::PER], x[i]);
    x[B - 1] = top;
  }
  const T root = T(1) / sqrt(own), scale = -inverse_of(own);
#pragma unroll
  for (int i = 0; i < B; i++) {
    const T r               = __shfl_sync(~0u, root, i);
    w[i * shape::LD + lane] = i > lane ? x[i] * scale * r : i == lane ? r : T(0);
  }
  pivot[B * b + lane] = own;
}

/* The step's update of the rows below but for block (b+1, b+1), by warps 1 and up */
template <class T>
static __device__ __forceinline__ void update_rest(T *S, int b, int blocks)
{
  int task = (int)threadIdx.x / 32 - 1;
  for (int i = b + 1; i < blocks; i++)
    for (int j = 0; j <= i; j++)
      for (int from = 0; from < B; from += 16) {
        if (i == b + 1 && j == i) continue;
        if (task-- != 0) continue;
        task            = WARPS - 2;
        const part<T> X = j < b    ? block(S, j, b, 0)
                          : j == b ? diagonal(S, b, 0)
                                   : transposed(block(S, b, j, 0));
        multiply(j == b ? NEGATE : SUBTRACT, block(S, i, j, from), block(S, b, i, from), X);
      }
}

/* L_ib and W_bj of step b */
template <class T>
static __device__ __forceinline__ void complete_row(T *S, int b, int blocks)
{
  int task = (int)threadIdx.x / 32;
  for (int o = 0; o < blocks; o++)
    for (int from = 0; from < B && o != b; from += 16) {
      if (task-- != 0) continue;
      task                = WARPS - 1;
      const bool    right = o > b;
      const part<T> C     = right ? block(S, b, o, from) : block(S, o, b, from);
      const part<T> A     = right ? block(S, o, b, from) : diagonal(S, b, from);
      multiply(SET, C, A, right ? transposed(diagonal(S, b, 0)) : block(S, b, o, 0));
    }
}

template <class T>
static __global__ void __launch_bounds__(THREADS)
    definite(int m, int k0, T *__restrict__ D, size_t ldd, bool replace, T *__restrict__ W, size_t ldw,
             int *flag)
{
  enum { LD = leaf_shape<T>::LD };
  extern __shared__ __align__(16) unsigned char leaf_room[];
  __shared__ __align__(16) T u[2 * B];
  __shared__ T               pivot[MOST];
  T                         *S = reinterpret_cast<T *>(leaf_room);
  const int blocks = (m + B - 1) / B, lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
#pragma unroll 1
  for (int j = warp; j < B * blocks; j += WARPS)
    for (int i = lane; i < B * blocks; i += 32)
      if (i < m && j <= i)
        cp_async<(int)sizeof(T)>(S + j * LD + i, D + j * ldd + i);
      else if (i >= j)
        S[j * LD + i] = i == j;
  cp_async_wait_all();
  __syncthreads();
#pragma unroll 1
  for (int j = warp; j < B * blocks; j += WARPS)
    if (lane > j % B) S[(j / B * B + lane) * LD + j] = S[j * LD + j / B * B + lane];
  __syncthreads();
  for (int b = 0; b < blocks; b++) {
    if (warp == 0) {
      for (int from = 0; from < B && b > 0; from += 16)
        multiply(SUBTRACT, block(S, b, b, from), block(S, b - 1, b, from), transposed(block(S, b - 1, b, 0)));
      __syncwarp();
      eliminate(S, b, u, pivot);
    } else if (b > 0)
      update_rest(S, b - 1, blocks);
    __syncthreads();
    complete_row(S, b, blocks);
    __syncthreads();
  }
  if (warp == 0) report(m, k0, pivot, flag);
#pragma unroll 1
  for (int j = warp; j < m; j += WARPS)
    for (int i = lane; i < m; i += 32) {
      const T w      = i / B == j / B ? S[i * LD + j] : S[(i / B * B + j % B) * LD + j / B * B + i % B];
      W[j * ldw + i] = i < j ? T(0) : w;
      if (replace) D[j * ldd + i] = i == j;
    }
}

bf_err bf_cuda_dense_definite(bf_backend *be, bf_scalar type, bf_int m, bf_int k0, void *D, bf_int ldd,
                              int replace, void *W, bf_int ldw, bf_int *flag)
{
  const cudaStream_t s = bf_cuda_dense_stream(be);
  return dense_by_type(type, [&](auto zero) {
    using T      = decltype(zero);
    const auto f = definite<T>;
    enum { BYTES = leaf_shape<T>::BYTES };
    BF_TRY(BF_CUDA(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES)));
    f<<<1, THREADS, BYTES, s>>>(m, k0, (T *)D, (size_t)ldd, replace != 0, (T *)W, (size_t)ldw, flag);
    return BF_CUDA_LAUNCHED(be);
  });
}

} // namespace bf
