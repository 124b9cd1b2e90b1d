/* kernels/cuda/vector/multivector.cu - products between blocks of tall columns
 *
 * Computes   G = X^T Y, Y = beta Y + X C, Y = diag(d) X for k and l columns of n entries.
 * Source     the definition; the distribution of the work is this project's.
 * Layout     columns ld apart (kernels/multivector.h); G and C column by column, k rows.
 * Cost       2 n k l flops; dot reads every column once for k, l <= 48, else once for 48 of the others;
 *            combine reads X once for every 16 columns of Y, mostly from L2.
 * Launch     dot: blocks of 16 x 16 threads, each block sums its share of the rows for a tile of up to
 *            48 x 48 numbers; their number depends on n and the device only, a second kernel adds the blocks'
 *            sums in their order, so repeats have the same bits.  combine: a thread has a row of 16 columns.
 * Checked    tests/kernels/vector/t331_columns.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/launch_and_reduce.cuh"

namespace bf
{

enum { SIDE = 16, ROWS = 32, WIDE = 16, DEPTH = 128, THREADS = 256 };

/* The block owns rows ROWS*(b + i gridDim.x) .. + ROWS and a tile of R*SIDE x R*SIDE numbers of G; thread
 * (ti, tj) those at ti + SIDE u, tj + SIDE v. */
template <int R>
static __global__ void __launch_bounds__(SIDE *SIDE)
    columns_dot(bf_int n, int k, const double *__restrict__ X, int64_t ldx, int l,
                const double *__restrict__ Y, int64_t ldy, double *__restrict__ partial)
{
  enum { T = R * SIDE };
  __shared__ double xs[T][ROWS + 1], ys[T][ROWS + 1];
  const int         i0 = (int)blockIdx.y * T, j0 = (int)blockIdx.z * T;
  const int         lane = (int)threadIdx.x & 31, warp = (int)threadIdx.x >> 5;
  const int         ti = (int)threadIdx.x % SIDE, tj = (int)threadIdx.x / SIDE;
  double            s[R][R] = {};
  for (int64_t r0 = (int64_t)blockIdx.x * ROWS; r0 < n; r0 += (int64_t)gridDim.x * ROWS) {
    const int64_t r    = r0 + lane;
    const bool    here = r < n;
    __syncthreads(); /* the last rows have been used */
    for (int c = warp; c < T; c += SIDE * SIDE / 32) {
      xs[c][lane] = here && i0 + c < k ? X[(i0 + c) * ldx + r] : 0.0;
      ys[c][lane] = here && j0 + c < l ? Y[(j0 + c) * ldy + r] : 0.0;
    }
    __syncthreads();
#pragma unroll 8
    for (int q = 0; q < ROWS; q++) {
      double x[R], y[R];
#pragma unroll
      for (int u = 0; u < R; u++) x[u] = xs[ti + SIDE * u][q], y[u] = ys[tj + SIDE * u][q];
#pragma unroll
      for (int u = 0; u < R; u++)
#pragma unroll
        for (int v = 0; v < R; v++) s[u][v] += x[u] * y[v];
    }
  }
  double *out = partial + (size_t)blockIdx.x * (size_t)k * (size_t)l;
#pragma unroll
  for (int u = 0; u < R; u++)
#pragma unroll
    for (int v = 0; v < R; v++) {
      const int i = i0 + ti + SIDE * u, j = j0 + tj + SIDE * v;
      if (i < k && j < l) out[(size_t)j * (size_t)k + (size_t)i] = s[u][v];
    }
}

/* Thread t owns number t of G. */
static __global__ void columns_sum(int blocks, int64_t kl, const double *__restrict__ partial, double *G)
{
  const int64_t t = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= kl) return;
  double s = 0.0;
#pragma unroll 8
  for (int b = 0; b < blocks; b++) s += partial[b * kl + t];
  G[t] = s;
}

/* Thread owns row r of W columns of Y. */
template <int W>
static __global__ void __launch_bounds__(THREADS)
    columns_combine(bf_int n, int k, const double *__restrict__ X, int64_t ldx, int l,
                    const double *__restrict__ C, double beta, double *Y, int64_t ldy)
{
  __shared__ double c[DEPTH][W];
  const int64_t     r    = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  const int         j0   = (int)blockIdx.y * W;
  double            s[W] = {};
  for (int i0 = 0; i0 < k; i0 += DEPTH) {
    const int depth = min((int)DEPTH, k - i0);
    __syncthreads();
    for (int t = (int)threadIdx.x; t < depth * W; t += THREADS) {
      const int i = t % depth, j = t / depth;
      c[i][j] = j0 + j < l ? C[(int64_t)(j0 + j) * k + i0 + i] : 0.0;
    }
    __syncthreads();
    if (r < n) {
#pragma unroll 4
      for (int i = 0; i < depth; i++) {
        const double x = X[(i0 + i) * ldx + r];
#pragma unroll
        for (int j = 0; j < W; j++) s[j] += x * c[i][j];
      }
    }
  }
  if (r >= n) return;
#pragma unroll
  for (int j = 0; j < W; j++)
    if (j0 + j < l) {
      double *y = Y + (j0 + j) * ldy + r;
      *y        = beta == 0.0 ? s[j] : beta * *y + s[j];
    }
}

/* Thread owns row r of column blockIdx.y. */
static __global__ void columns_scale(bf_int n, const double *__restrict__ d, const double *X, int64_t ldx,
                                     double *Y, int64_t ldy)
{
  const int64_t r = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (r < n) Y[blockIdx.y * ldy + r] = d[r] * X[blockIdx.y * ldx + r];
}

template <int R>
static void launch_dot(cudaStream_t stream, int blocks, bf_int n, int k, const double *X, int64_t ldx, int l,
                       const double *Y, int64_t ldy, double *partial)
{
  const dim3 grid((unsigned)blocks, (unsigned)((k - 1) / (R * SIDE) + 1),
                  (unsigned)((l - 1) / (R * SIDE) + 1));
  columns_dot<R><<<grid, SIDE * SIDE, 0, stream>>>(n, k, X, ldx, l, Y, ldy, partial);
}

BF_CUDA_DECLARE(vector.columns_dot, columns_dot);
bf_err bf_cuda_columns_dot(bf_backend *be, bf_int n, int k, const double *X, int64_t ldx, int l,
                           const double *Y, int64_t ldy, double *G)
{
  if (k <= 0 || l <= 0) return BF_OK;
  cudaStream_t  stream = bf_cuda_of(be)->stream;
  const int64_t need = ((int64_t)n + ROWS - 1) / ROWS, most = 2 * bf_cuda_of(be)->sms, kl = (int64_t)k * l;
  const int     blocks = (int)(need < 1 ? 1 : need < most ? need : most), wide = k > l ? k : l;
  double       *partial;
  BF_TRY(bf_cuda_partials(be, blocks * kl, &partial));
  if (wide <= SIDE)
    launch_dot<1>(stream, blocks, n, k, X, ldx, l, Y, ldy, partial);
  else if (wide <= 2 * SIDE)
    launch_dot<2>(stream, blocks, n, k, X, ldx, l, Y, ldy, partial);
  else
    launch_dot<3>(stream, blocks, n, k, X, ldx, l, Y, ldy, partial);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  columns_sum<<<bf_cuda_blocks(kl, 64), 64, 0, stream>>>(blocks, kl, partial, G);
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(vector.columns_combine, columns_combine);
bf_err bf_cuda_columns_combine(bf_backend *be, bf_int n, int k, const double *X, int64_t ldx, int l,
                               const double *C, double beta, double *Y, int64_t ldy)
{
  if (n <= 0 || l <= 0) return BF_OK;
  cudaStream_t stream = bf_cuda_of(be)->stream;
  const int    wide   = l <= 4 ? 4 : WIDE;
  const dim3   grid(bf_cuda_blocks(n, THREADS), (unsigned)((l - 1) / wide + 1));
  if (wide == 4)
    columns_combine<4><<<grid, THREADS, 0, stream>>>(n, k, X, ldx, l, C, beta, Y, ldy);
  else
    columns_combine<WIDE><<<grid, THREADS, 0, stream>>>(n, k, X, ldx, l, C, beta, Y, ldy);
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(vector.columns_scale, columns_scale);
bf_err bf_cuda_columns_scale(bf_backend *be, bf_int n, int k, const double *d, const double *X, int64_t ldx,
                             double *Y, int64_t ldy)
{
  if (n <= 0 || k <= 0) return BF_OK;
  columns_scale<<<dim3(bf_cuda_blocks(n, THREADS), (unsigned)k), THREADS, 0, bf_cuda_of(be)->stream>>>(
      n, d, X, ldx, Y, ldy);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
