/* kernels/cuda/dense/syinv/steps.cu - steps on a large dense matrix that move data: columns of a symmetric
 * matrix, zeros, mirrors, norms; see kernels/dense.h
 *
 * Launch     tiles of 32 x 32 by 32 x 8 threads; what is read across columns passes through shared memory.
 * Cost       bytes of the entries that are read and written.
 * Checked    tests/kernels/dense/t378_syinv.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/syinv/blas.cuh"

namespace bf
{

enum { TILE = 32, ROWS = 8, SUM = 256 };

static dim3 tiles(bf_int m, bf_int n)
{
  return dim3(bf_cuda_blocks(m, TILE), bf_cuda_blocks(n, TILE));
}
static const dim3 threads(TILE, ROWS);

/* f(i, c) for the entries of this block's tile, rows along the lanes. */
template <class F>
static __device__ __forceinline__ void entries(int m, int n, F f)
{
  const int i = (int)(blockIdx.x * TILE + threadIdx.x);
  for (int y = (int)threadIdx.y; y < TILE; y += ROWS) {
    const int c = (int)(blockIdx.y * TILE) + y;
    if (i < m && c < n) f(i, c);
  }
}
/* The same, columns along the lanes; x, y: within the tile. */
template <class F>
static __device__ __forceinline__ void entries_across(int m, int n, F f)
{
  const int c = (int)(blockIdx.y * TILE + threadIdx.x);
  for (int y = (int)threadIdx.y; y < TILE; y += ROWS) {
    const int i = (int)(blockIdx.x * TILE) + y;
    if (i < m && c < n) f(i, c, (int)threadIdx.x, y);
  }
}

/* Is the tile wholly above the diagonal of the block that begins at row k0? */
static __device__ __forceinline__ bool above(int k0)
{
  return (int)((blockIdx.x + 1) * TILE) <= k0 + (int)(blockIdx.y * TILE);
}

template <class T>
static __global__ void gather(bf_dense_block k, const T *__restrict__ A, size_t ld, T *__restrict__ B,
                              size_t ldb)
{
  __shared__ T t[TILE][TILE + 1];
  if (above(k.k0)) {
    entries_across(k.n, k.m, [&](int i, int c, int x, int y) { t[x][y] = A[i * ld + k.k0 + c]; });
    __syncthreads();
    entries(k.n, k.m, [&](int i, int c) { B[c * ldb + i] = t[c % TILE][i % TILE]; });
  } else
    entries(k.n, k.m, [&](int i, int c) {
      const int j    = k.k0 + c;
      B[c * ldb + i] = i >= j ? A[j * ld + i] : A[i * ld + j];
    });
}

bf_err bf_cuda_dense_gather(bf_backend *be, bf_scalar type, bf_dense_block k, const void *A, bf_int lda,
                            void *B, bf_int ldb)
{
  return dense_by_type(type, [&](auto zero) {
    using T = decltype(zero);
    gather<T><<<tiles(k.n, k.m), threads, 0, bf_cuda_dense_stream(be)>>>(k, (const T *)A, (size_t)lda, (T *)B,
                                                                         (size_t)ldb);
    return BF_CUDA_LAUNCHED(be);
  });
}

template <class T>
static __global__ void clear(bf_dense_block k, T *A, size_t ld, T *B, size_t ldb, int columns, T *G, T *H,
                             size_t ldg)
{
  if (above(k.k0))
    entries_across(k.n, k.m, [&](int i, int c, int, int) { A[i * ld + k.k0 + c] = 0; });
  else
    entries(k.n, k.m, [&](int i, int c) {
      const int j = k.k0 + c;
      if (i >= j)
        A[j * ld + i] = 0;
      else
        A[i * ld + j] = 0;
    });
  const int i = (int)(blockIdx.x * TILE + threadIdx.x);
  if (!B || i < k.k0 || i >= k.k0 + k.m) return;
  for (int c = (int)(blockIdx.y * ROWS + threadIdx.y); c < k.m; c += (int)gridDim.y * ROWS)
    B[c * ldb + i] = i - k.k0 == c ? -1 : 0;
  for (int c = (int)(blockIdx.y * ROWS + threadIdx.y); c < columns; c += (int)gridDim.y * ROWS)
    G[c * ldg + i] = H[c * ldg + i] = 0;
}

bf_err bf_cuda_dense_clear(bf_backend *be, bf_scalar type, bf_dense_block k, void *A, bf_int lda, void *B,
                           bf_int ldb, bf_int c, void *G, void *H, bf_int ldg)
{
  return dense_by_type(type, [&](auto zero) {
    using T = decltype(zero);
    clear<T><<<tiles(k.n, k.m), threads, 0, bf_cuda_dense_stream(be)>>>(
        k, (T *)A, (size_t)lda, (T *)B, (size_t)ldb, c, (T *)G, (T *)H, (size_t)ldg);
    return BF_CUDA_LAUNCHED(be);
  });
}

/* Tile (x, y) of W, and of the rows of B */
template <class T>
static __global__ void lower(bf_dense_block k, const T *__restrict__ V, size_t ldv, T *__restrict__ W,
                             size_t ldw, T *__restrict__ B, size_t ldb)
{
  __shared__ T t[TILE][TILE + 1]; /* [row of V][column of V] */
  entries_across(k.m, k.m, [&](int i, int j, int x, int y) { t[x][y] = V[i * ldv + j]; });
  __syncthreads();
  entries(k.m, k.m, [&](int i, int j) {
    W[j * ldw + i]        = i >= j ? t[j % TILE][i % TILE] : T(0);
    B[j * ldb + k.k0 + i] = i == j ? -1 : 0;
  });
}

bf_err bf_cuda_dense_lower(bf_backend *be, bf_scalar type, bf_dense_block k, const void *V, bf_int ldv,
                           void *W, bf_int ldw, void *B, bf_int ldb)
{
  return dense_by_type(type, [&](auto zero) {
    using T = decltype(zero);
    lower<T><<<tiles(k.m, k.m), threads, 0, bf_cuda_dense_stream(be)>>>(k, (const T *)V, (size_t)ldv, (T *)W,
                                                                        (size_t)ldw, (T *)B, (size_t)ldb);
    return BF_CUDA_LAUNCHED(be);
  });
}

/* The larger; NaN is taken and stays. */
static __device__ __forceinline__ double larger(double a, double b)
{
  return isnan(a) || b <= a ? a : b;
}

/* One block; C may be D. */
template <class T>
static __global__ void take(int m, const T *D, size_t ldd, T *C, size_t ldc, double *norm)
{
  __shared__ double sum[BF_DENSE_LEAF];
  const int         x = (int)threadIdx.x % TILE, y = (int)threadIdx.x / TILE;
  for (int j = y; j < m; j += TILE)
    for (int i = x; i < m; i += TILE)
      if (i >= j) {
        const T v      = D[j * ldd + i];
        C[j * ldc + i] = v;
        C[i * ldc + j] = v;
      }
  __syncthreads();
  for (int j = y; j < m; j += TILE) {
    double s = 0.0;
    for (int i = x; i < m; i += TILE) s += fabs((double)C[j * ldc + i]);
    for (int o = TILE / 2; o > 0; o /= 2) s += __shfl_down_sync(~0u, s, o);
    if (x == 0) sum[j] = s;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  double most = 0.0;
  for (int j = 0; j < m; j++) most = larger(most, sum[j]);
  *norm = most;
}

bf_err bf_cuda_dense_take(bf_backend *be, bf_scalar type, bf_int m, const void *D, bf_int ldd, void *C,
                          bf_int ldc, double *norm)
{
  return dense_by_type(type, [&](auto zero) {
    using T = decltype(zero);
    take<T><<<1, TILE * TILE, 0, bf_cuda_dense_stream(be)>>>(m, (const T *)D, (size_t)ldd, (T *)C,
                                                             (size_t)ldc, norm);
    return BF_CUDA_LAUNCHED(be);
  });
}

/* Tile (x, y), x >= y, of the lower triangle and its mirror image.  A and C may be one matrix; same: the
 * triangle that is read stays. */
template <class T>
static __global__ void mirror(bool upper, bool same, int n, T alpha, const T *A, size_t lda,
                              const T *diagonal, T *C, size_t ldc, T *kept)
{
  __shared__ T t[TILE][TILE + 1]; /* [column][row] of the lower triangle */
  if (blockIdx.x < blockIdx.y) return;
  if (upper)
    entries_across(n, n, [&](int i, int j, int x, int y) { t[x][y] = alpha * A[i * lda + j]; });
  else
    entries(n, n, [&](int i, int j) { t[j % TILE][i % TILE] = alpha * A[j * lda + i]; });
  __syncthreads();
  if (blockIdx.x == blockIdx.y) {
    entries(n, n, [&](int i, int j) {
      const int p = i % TILE, q = j % TILE;
      T         v = p >= q ? t[q][p] : t[p][q];
      if (i == j && diagonal) v = alpha * diagonal[i];
      if (i == j && kept) kept[i] = v;
      C[j * ldc + i] = v;
    });
    return;
  }
  if (upper || !same) entries(n, n, [&](int i, int j) { C[j * ldc + i] = t[j % TILE][i % TILE]; });
  if (!upper || !same) entries_across(n, n, [&](int i, int j, int x, int y) { C[i * ldc + j] = t[x][y]; });
}

bf_err bf_cuda_dense_mirror(bf_backend *be, bf_scalar type, bf_uplo from, bf_int n, double alpha,
                            const void *A, bf_int lda, const void *diagonal, void *C, bf_int ldc, void *kept)
{
  return dense_by_type(type, [&](auto zero) {
    using T = decltype(zero);
    mirror<T><<<tiles(n, n), threads, 0, bf_cuda_dense_stream(be)>>>(
        from == BF_UPPER, A == C && alpha == 1.0, n, (T)alpha, (const T *)A, (size_t)lda, (const T *)diagonal,
        (T *)C, (size_t)ldc, (T *)kept);
    return BF_CUDA_LAUNCHED(be);
  });
}

/* The sum and the largest of v over the block, to all threads. */
static __device__ double block_sum(double v, bool largest)
{
  __shared__ double part[SUM / 32];
  const int         lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
  for (int o = 16; o > 0; o /= 2) {
    const double w = __shfl_xor_sync(~0u, v, o);
    v              = largest ? larger(v, w) : v + w;
  }
  __syncthreads();
  if (lane == 0) part[warp] = v;
  __syncthreads();
  v = part[0];
  for (int k = 1; k < SUM / 32; k++) v = largest ? larger(v, part[k]) : v + part[k];
  return v;
}

/* Column j: room[3 j] = sum of |x|, [3 j + 1] = max |x|, [3 j + 2] = sum of (x / max)^2; a second pass where
 * x^2 could overflow or lose digits */
template <class T>
static __global__ void __launch_bounds__(SUM)
    column_sums(int m, const T *__restrict__ A, size_t ld, double *room)
{
  const T *x   = A + (size_t)blockIdx.x * ld;
  double   sum = 0.0, top = 0.0, square = 0.0;
#pragma unroll 8
  for (int i = (int)threadIdx.x; i < m; i += SUM) {
    const double v = fabs((double)x[i]);
    sum += v;
    top = larger(top, v);
    square += v * v;
  }
  sum              = block_sum(sum, false);
  top              = block_sum(top, true);
  const bool plain = sizeof(T) == 4 || (top > 0x1p-400 && top < 0x1p400);
  if (plain)
    square /= top * top;
  else {
    square = 0.0;
    for (int i = (int)threadIdx.x; i < m && top > 0.0; i += SUM) {
      const double v = (double)x[i] / top;
      square += v * v;
    }
  }
  square = block_sum(square, false);
  if (threadIdx.x != 0) return;
  double *out = room + 3 * (size_t)blockIdx.x;
  out[0]      = sum;
  out[1]      = top;
  out[2]      = top > 0.0 ? square : 0.0;
}

static __global__ void __launch_bounds__(SUM) norms_of(int n, const double *__restrict__ room, double *norm)
{
  double most = 0.0, top = 0.0, sum = 0.0;
  for (int j = (int)threadIdx.x; j < n; j += SUM) {
    most = larger(most, room[3 * j]);
    top  = larger(top, room[3 * j + 1]);
  }
  most = block_sum(most, true);
  top  = block_sum(top, true);
  if (top > 0.0)
    for (int j = (int)threadIdx.x; j < n; j += SUM) {
      const double s = room[3 * j + 1] / top;
      sum += s * s * room[3 * j + 2];
    }
  sum = block_sum(sum, false);
  if (threadIdx.x != 0) return;
  norm[0] = most;
  norm[1] = most < INFINITY ? top * sqrt(sum) : most;
}

bf_err bf_cuda_dense_norms(bf_backend *be, bf_scalar type, bf_int m, bf_int n, const void *A, bf_int lda,
                           double *norm, double *room)
{
  const cudaStream_t s = bf_cuda_dense_stream(be);
  BF_TRY(dense_by_type(type, [&](auto zero) {
    using T = decltype(zero);
    column_sums<T><<<(unsigned)n, SUM, 0, s>>>(m, (const T *)A, (size_t)lda, room);
    return BF_CUDA_LAUNCHED(be);
  }));
  norms_of<<<1, SUM, 0, s>>>(n, room, norm);
  return BF_CUDA_LAUNCHED(be);
}

template <class T>
static __global__ void signs(int n, int k, T *V, size_t ld)
{
  entries(n, k, [&](int i, int j) { V[j * ld + i] = bf_dense_sign(i, j) ? 1 : -1; });
}

bf_err bf_cuda_dense_signs(bf_backend *be, bf_scalar type, bf_int n, bf_int k, void *V, bf_int ldv)
{
  return dense_by_type(type, [&](auto zero) {
    using T = decltype(zero);
    signs<T><<<tiles(n, k), threads, 0, bf_cuda_dense_stream(be)>>>(n, k, (T *)V, (size_t)ldv);
    return BF_CUDA_LAUNCHED(be);
  });
}

template <class T>
static __global__ void shift(int m, T *C, size_t ld)
{
  const int j = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (j < m) C[j * ld + j] += 1;
}

bf_err bf_cuda_dense_shift(bf_backend *be, bf_scalar type, bf_int m, void *C, bf_int ldc)
{
  return dense_by_type(type, [&](auto zero) {
    using T = decltype(zero);
    shift<T><<<bf_cuda_blocks(m, SUM), SUM, 0, bf_cuda_dense_stream(be)>>>(m, (T *)C, (size_t)ldc);
    return BF_CUDA_LAUNCHED(be);
  });
}

/* Rows j of T along the lanes, columns i - j0. */
template <class T>
static __global__ void corrected(int n, int j0, int m, const T *__restrict__ t, size_t ldt,
                                 const T *__restrict__ X, size_t ldx, T *Y, size_t ldy, T *diagonal)
{
  entries(m, n - j0, [&](int j, int c) {
    const int i = j0 + c;
    if (j > c) return;
    const T v                                       = X[i * ldx + j0 + j] + t[c * ldt + j];
    *(j == c ? diagonal + i : Y + i * ldy + j0 + j) = v;
  });
}

bf_err bf_cuda_dense_corrected(bf_backend *be, bf_scalar type, bf_int n, bf_int j0, bf_int m, const void *t,
                               bf_int ldt, const void *X, bf_int ldx, void *Y, bf_int ldy, void *diagonal)
{
  return dense_by_type(type, [&](auto zero) {
    using T = decltype(zero);
    corrected<T><<<tiles(m, n - j0), threads, 0, bf_cuda_dense_stream(be)>>>(
        n, j0, m, (const T *)t, (size_t)ldt, (const T *)X, (size_t)ldx, (T *)Y, (size_t)ldy, (T *)diagonal);
    return BF_CUDA_LAUNCHED(be);
  });
}

} // namespace bf
