/* kernels/cuda/precond/block_jacobi_apply.cu - block Jacobi: inverses of diagonal blocks, stored and
 * multiplied by a vector
 *
 * Computes   blocks_measure: 1-norm and diagonal of the blocks; blocks_store: values = X / scale, rounded;
 *            X = the inverse, its mean with its transpose for a symmetric matrix, or the inverse of the
 *            diagonal if there is none; blocks_apply: z_b = scale X_b r_b or scale X_b^T r_b, and r.z:
 *            gather, product and scatter in one kernel, since blocks share no row.
 * Source     Saad, Iterative Methods for Sparse Linear Systems, section 12.2 (block Jacobi).
 * Layout     block_jacobi.h. Columns start at multiples of 32 bytes (fp32) or 64; below row m they are 0.
 * Cost       apply: m values, r, z and a row number per row; sums in fp64.
 * Launch     above 32 rows a block of threads per block of the matrix: a thread owns 16 bytes of every C-th
 *            column, C as many as there are threads for, and the C sums of a row are added in order. Up to
 *            32 rows `lanes` threads per block. The grid has as many blocks as are resident; its parts of
 *            r.z are added in order.
 * Checked    tests/solvers/t404_blocks.c, t405_block_jacobi.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/launch_and_reduce.cuh"
#include <float.h>
extern "C" {
#include "kernels/precond/block_jacobi.h"
}

namespace bf
{

enum { THREADS = 256, WARPS = THREADS / 32 };

struct blocks_args {
  int           count, ld, symmetric;
  int64_t       stride;
  const bf_int *ptr, *row;
  double       *scale;
};

static blocks_args args_of(const bf_blocks *B)
{
  return {B->count, B->ld, B->symmetric, B->stride, B->ptr, B->row, B->scale};
}

/* ---- inverses ---- */

/* Largest value of all threads of the block, in all of them */
static __device__ __forceinline__ double largest_of_all(double v)
{
  __shared__ double most[WARPS];
  for (int o = 16; o > 0; o >>= 1) v = fmax(v, __shfl_xor_sync(~0u, v, o));
  __syncthreads(); /* the array may still be read from an earlier call */
  if (threadIdx.x % 32 == 0) most[threadIdx.x / 32] = v;
  __syncthreads();
  for (int w = 0; w < WARPS; w++) v = fmax(v, most[w]);
  return v;
}

/* 1-norm of value(i, j), i, j < m, in all threads; a warp per column */
template <typename Value>
static __device__ __forceinline__ double norm_of(int m, Value value)
{
  double most = 0.0;
  for (int j = (int)threadIdx.x / 32; j < m; j += WARPS) {
    double sum = 0.0;
    for (int i = (int)threadIdx.x % 32; i < m; i += 32) sum += fabs(value(i, j));
    for (int o = 16; o > 0; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
    most = sum <= most ? most : sum; /* NaN is kept */
  }
  return largest_of_all(most);
}

/* A block of threads per block of the matrix in both kernels */
static __global__ void __launch_bounds__(THREADS)
    measure(blocks_args g, const double *all, bf_block_kept kept)
{
  const int     b = (int)blockIdx.x, first = g.ptr[b], m = g.ptr[b + 1] - first;
  const double *a    = all + b * g.stride;
  const double  norm = norm_of(m, [&](int i, int j) { return a[(int64_t)j * g.ld + i]; });
  if (threadIdx.x == 0) kept.norm[b] = norm;
  for (int i = (int)threadIdx.x; i < m; i += THREADS) kept.diagonal[first + i] = a[(int64_t)i * (g.ld + 1)];
}

template <typename T>
static __global__ void __launch_bounds__(THREADS)
    store(blocks_args g, const double *all, bf_block_kept kept, bf_int *info, T *values)
{
  const int     b = (int)blockIdx.x, first = g.ptr[b], m = g.ptr[b + 1] - first;
  const double *a = all + b * g.stride, *diagonal = kept.diagonal + first;
  T            *v       = values + b * g.stride;
  const auto    inverse = [&](int i, int j) {
    const double x = a[(int64_t)j * g.ld + i];
    return g.symmetric ? 0.5 * (x + a[(int64_t)i * g.ld + j]) : x;
  };
  const auto instead = [&](int i) {
    const double d = diagonal[i];
    return d != 0.0 && isfinite(d) ? 1.0 / d : 1.0;
  };
  const bool   without   = info[b] != 0;
  const double condition = without ? 0.0 : kept.norm[b] * norm_of(m, inverse);
  const bool   failed    = without || !(condition < 1.0 / DBL_EPSILON);
  double       top       = 0.0;
  int          power     = 0;
  if (failed)
    for (int i = (int)threadIdx.x; i < m; i += THREADS) top = fmax(top, fabs(instead(i)));
  else
    for (int e = (int)threadIdx.x; e < m * m; e += THREADS) top = fmax(top, fabs(inverse(e % m, e / m)));
  top = largest_of_all(top);
  if (top > 0.0 && isfinite(top)) frexp(top, &power);
  power = bf_block_power(power);
  for (int e = (int)threadIdx.x; e < m * m; e += THREADS) {
    const int i = e % m, j = e / m;
    v[(int64_t)j * g.ld + i] = (T)ldexp(!failed ? inverse(i, j) : i == j ? instead(i) : 0.0, -power);
  }
  if (threadIdx.x != 0) return;
  g.scale[b]   = ldexp(1.0, power);
  kept.norm[b] = failed ? 0.0 : condition;
  if (failed && !without) info[b] = -2;
}

BF_CUDA_DECLARE(precond.blocks_measure, blocks_measure);
bf_err bf_cuda_blocks_measure(bf_backend *be, const bf_blocks *B, const double *a, const bf_block_kept *kept)
{
  if (B->count == 0) return BF_OK;
  measure<<<(unsigned)B->count, THREADS, 0, bf_cuda_of(be)->stream>>>(args_of(B), a, *kept);
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(precond.blocks_store, blocks_store);
bf_err bf_cuda_blocks_store(bf_backend *be, const bf_blocks *B, const double *a, const bf_block_kept *kept,
                            bf_int *info)
{
  if (B->count == 0) return BF_OK;
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const unsigned     blocks = (unsigned)B->count;
  bf_cuda_with_values(B->values, B->prec,
                      [&](auto *v) { store<<<blocks, THREADS, 0, stream>>>(args_of(B), a, *kept, info, v); });
  return BF_CUDA_LAUNCHED(be);
}

/* ---- product ---- */

template <typename T>
struct alignas(16) packet { /* adjacent rows of a column */
  enum { ROWS = 16 / sizeof(T) };
  T v[ROWS];
};

template <typename T>
static __device__ __forceinline__ packet<T> fetch(const T *p)
{
  const int4 raw = __ldcs(reinterpret_cast<const int4 *>(p));
  packet<T>  out;
  memcpy(&out, &raw, sizeof out);
  return out;
}

/* part[c][i] = sum over columns c, c + C, ... of X(i, j) x(j) */
template <typename T, int N>
static __device__ __forceinline__ void columns(const T *v, int m, int ld, const double *x, double *part)
{
  enum { ROWS = packet<T>::ROWS };
  const int groups = (m + ROWS - 1) / ROWS, C = min(N / groups, m);
  const int group = (int)threadIdx.x % groups, c = (int)threadIdx.x / groups;
  double    sum[ROWS] = {};
  if (c >= C) return;
#pragma unroll 4
  for (int j = c; j < m; j += C) {
    const packet<T> p = fetch(v + (int64_t)j * ld + group * ROWS);
#pragma unroll
    for (int k = 0; k < ROWS; k++) sum[k] += (double)p.v[k] * x[j];
  }
#pragma unroll
  for (int k = 0; k < ROWS; k++)
    if (group * ROWS + k < m) part[c * m + group * ROWS + k] = sum[k];
}

/* part[0][j] = sum over i of X(i, j) x(i): a warp per column */
template <typename T, int N>
static __device__ __forceinline__ void rows(const T *v, int m, int ld, const double *x, double *part)
{
  const int lane = (int)threadIdx.x % 32;
  for (int j = (int)threadIdx.x / 32; j < m; j += N / 32) {
    double sum = 0.0;
    for (int i = lane; i < m; i += 32) sum += (double)v[(int64_t)j * ld + i] * x[i];
    for (int o = 16; o > 0; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
    if (lane == 0) part[j] = sum;
  }
}

/* A block of threads owns blocks blockIdx.x, blockIdx.x + gridDim.x, ... */
template <typename T, bool TRANSPOSED, int N, int PER_SM>
static __global__ void __launch_bounds__(N, PER_SM)
    apply(blocks_args g, const T *__restrict__ values, const double *__restrict__ r, double *__restrict__ z,
          double *dot, double *partial, unsigned *ticket)
{
  __shared__ double x[BF_BLOCK_MOST], part[N * packet<T>::ROWS];
  double            sum[1] = {0.0};
  for (int b = (int)blockIdx.x; b < g.count; b += (int)gridDim.x) {
    const int    first = g.ptr[b], m = g.ptr[b + 1] - first;
    const T     *v     = values + b * g.stride;
    const double scale = g.scale[b];
    for (int i = (int)threadIdx.x; i < m; i += N) x[i] = r[g.row[first + i]];
    __syncthreads();
    if (TRANSPOSED)
      rows<T, N>(v, m, g.ld, x, part);
    else
      columns<T, N>(v, m, g.ld, x, part);
    __syncthreads();
    const int groups = (m + packet<T>::ROWS - 1) / packet<T>::ROWS, C = TRANSPOSED ? 1 : min(N / groups, m);
    for (int i = (int)threadIdx.x; i < m; i += N) {
      double y = 0.0;
      for (int c = 0; c < C; c++) y += part[c * m + i];
      y *= scale;
      z[g.row[first + i]] = y;
      sum[0] += x[i] * y;
    }
    __syncthreads();
  }
  if (dot && bf_grid_sum(sum, partial, ticket)) *dot = sum[0];
}

enum { SMALL_PER_SM = 8 };

/* `lanes` threads per block of at most as many rows, a row each */
template <typename T, bool TRANSPOSED>
static __global__ void __launch_bounds__(THREADS, SMALL_PER_SM)
    apply_small(blocks_args g, int lanes, const T *__restrict__ values, const double *__restrict__ r,
                double *__restrict__ z, double *dot, double *partial, unsigned *ticket)
{
  const int lane = (int)threadIdx.x % lanes, teams = THREADS / lanes, step = (int)gridDim.x * teams;
  const int last =
      (g.count + teams - 1) / teams * teams; /* the lanes of a warp take the same number of steps */
  double sum[1] = {0.0};
  for (int b = (int)blockIdx.x * teams + (int)threadIdx.x / lanes; b < last; b += step) {
    const int    first = b < g.count ? g.ptr[b] : 0, m = b < g.count ? g.ptr[b + 1] - first : 0;
    const T     *v    = values + b * g.stride;
    const bool   mine = lane < m;
    const bf_int row  = mine ? g.row[first + lane] : 0;
    const double x    = mine ? r[row] : 0.0;
    double       y    = 0.0;
#pragma unroll 8
    for (int j = 0; j < lanes; j++) {
      const double xj = __shfl_sync(~0u, x, j, lanes);
      if (mine && j < m)
        y += (double)v[TRANSPOSED ? (int64_t)lane * g.ld + j : (int64_t)j * g.ld + lane] * xj;
    }
    if (!mine) continue;
    y *= g.scale[b];
    z[row] = y;
    sum[0] += x * y;
  }
  if (dot && bf_grid_sum(sum, partial, ticket)) *dot = sum[0];
}

/* H200, 2026-11-22, 1e6 rows, bricks of a grid, fp32 (fp64): 64 rows: 79 us (133), 125: 144 (264), 200: 219;
 * with 256 threads, 4 blocks an SM, 8 columns in flight: 111 (166), 165 (298), 245.  Half of the symmetric
 * blocks, in tiles of at most 32 rows, products of both kinds with one read: 67 (79), 115 (150), 202, but 67
 * rows 76 for 65. */
enum { FEW = 128, FEW_PER_SM = 12, MANY = 256, MANY_PER_SM = 6, MANY_FROM = 97 };

template <typename T, int N, int PER_SM>
static bf_err launch(bf_backend *be, const bf_blocks *B, int transposed, const double *r, double *z,
                     double *dot)
{
  const bf_cuda *cu     = bf_cuda_of(be);
  const int64_t  most   = (int64_t)PER_SM * cu->sms;
  const unsigned blocks = (unsigned)(B->count < most ? B->count : most);
  double        *partial;
  BF_TRY(bf_cuda_partials(be, blocks, &partial));
  auto *kernel = transposed ? apply<T, true, N, PER_SM> : apply<T, false, N, PER_SM>;
  kernel<<<blocks, N, 0, cu->stream>>>(args_of(B), static_cast<const T *>(B->values), r, z, dot, partial,
                                       cu->ticket);
  return BF_CUDA_LAUNCHED(be);
}

template <typename T>
static bf_err launch_small(bf_backend *be, const bf_blocks *B, int transposed, const double *r, double *z,
                           double *dot)
{
  const bf_cuda *cu    = bf_cuda_of(be);
  int            lanes = 1;
  double        *partial;
  while (lanes < B->largest) lanes *= 2;
  const int64_t need    = ((int64_t)B->count * lanes + THREADS - 1) / THREADS,
                most    = (int64_t)SMALL_PER_SM * cu->sms;
  const unsigned blocks = (unsigned)(need < most ? need : most);
  BF_TRY(bf_cuda_partials(be, blocks, &partial));
  auto *kernel = transposed ? apply_small<T, true> : apply_small<T, false>;
  kernel<<<blocks, THREADS, 0, cu->stream>>>(args_of(B), lanes, static_cast<const T *>(B->values), r, z, dot,
                                             partial, cu->ticket);
  return BF_CUDA_LAUNCHED(be);
}

template <typename T>
static bf_err by_size(bf_backend *be, const bf_blocks *B, int transposed, const double *r, double *z,
                      double *dot)
{
  if (B->largest <= 32) return launch_small<T>(be, B, transposed, r, z, dot);
  return B->largest < MANY_FROM ? launch<T, FEW, FEW_PER_SM>(be, B, transposed, r, z, dot)
                                : launch<T, MANY, MANY_PER_SM>(be, B, transposed, r, z, dot);
}

BF_CUDA_DECLARE(precond.blocks_apply, blocks_apply);
bf_err bf_cuda_blocks_apply(bf_backend *be, const bf_blocks *B, int transposed, const double *r, double *z,
                            double *dot)
{
  if (B->count == 0) return dot ? be->ops.zero(be, dot, sizeof *dot) : BF_OK;
  return B->prec == BF_FP64 ? by_size<double>(be, B, transposed, r, z, dot)
                            : by_size<float>(be, B, transposed, r, z, dot);
}

} // namespace bf
