/* kernels/cuda/transpose.cu - dense transposes, and which way a CSR matrix takes
 *
 * Computes   t(j, i) = a(i, j) by tiles of 32 x 32 through shared memory; for CSR the reach of a sample of
 * rows: narrow bands take the way without sorting, which finds out itself where a row outside the sample
 *            reaches farther.
 * Cost       dense: 16 bytes an entry.  CSR: the sample reads at most SAMPLE rows; two waits.
 * Launch     dense: 256 threads a tile; sample: a warp a row.
 * Checked    tests/t317_transpose.c.
 */
#include "kernels/cuda/transpose.cuh"

enum { THREADS = 256, SIDE = 32, SAMPLE = 16384 };

/* Block b owns tile b, tiles counted along rows of a. */
static __global__ void __launch_bounds__(THREADS)
    dense(int64_t m, int64_t n, int64_t tiles, const double *__restrict__ a, double *t)
{
  __shared__ double tile[SIDE][SIDE + 1];
  const int         x = (int)threadIdx.x % SIDE, y0 = (int)threadIdx.x / SIDE;
  const int64_t     i0 = blockIdx.x / tiles * SIDE, j0 = blockIdx.x % tiles * SIDE;
  for (int y = y0; y < SIDE; y += THREADS / SIDE)
    if (i0 + y < m && j0 + x < n) tile[y][x] = a[(i0 + y) * n + j0 + x];
  __syncthreads();
  for (int y = y0; y < SIDE; y += THREADS / SIDE)
    if (j0 + y < n && i0 + x < m) t[(j0 + y) * m + i0 + x] = tile[x][y];
}

/* Warp w looks at row w*step. */
static __global__ void reach(int64_t m, int64_t                   step, const int64_t *__restrict__ ptr,
                             const bf_int *__restrict__ col, int *most)
{
  const int64_t r = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / 32 * step;
  if (r >= m) return;
  const int64_t begin = ptr[r], end = ptr[r + 1], length = end - begin;
  unsigned      far = length > 2 * BF_BAND_MOST + 1 ? INT32_MAX : 0; /* more than such a band can hold */
  for (int64_t p = begin + threadIdx.x % 32; p < end && far < INT32_MAX; p += 32) {
    const int64_t d = col[p] < r ? r - col[p] : col[p] - r;
    far             = d > far ? (unsigned)(d < INT32_MAX ? d : INT32_MAX) : far;
  }
  far = __reduce_max_sync(~0u, far);
  if (threadIdx.x % 32 == 0) atomicMax(most, (int)far);
}

BF_CUDA_DECLARE(dense_transpose);
bf_err bf_cuda_dense_transpose(bf_backend *be, bf_int nrows, bf_int ncols, const double *a, double *t)
{
  const int64_t high = bf_cuda_blocks(nrows, SIDE), wide = bf_cuda_blocks(ncols, SIDE);
  BF_CHECK(high * wide <= INT32_MAX, BF_E_ARG, "dense transpose of %d x %d", (int)nrows, (int)ncols);
  dense<<<(unsigned)(high * wide), THREADS, 0, bf_cuda_of(be)->stream>>>(nrows, ncols, wide, a, t);
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(csr_transpose);
bf_err bf_cuda_csr_transpose(bf_backend *be, const bf_csr_arrays *A, bf_csr_arrays *T)
{
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const int64_t      step = ((int64_t)A->nrows + SAMPLE - 1) / SAMPLE, rows = (A->nrows + step - 1) / step;
  int                most = 0, fits = 0;
  void              *far;
  BF_TRY(bf_cuda_scratch(be, sizeof most, &far));
  BF_TRY(BF_CUDA(cudaMemsetAsync(far, 0, sizeof most, stream)));
  reach<<<bf_cuda_blocks(rows * 32, THREADS), THREADS, 0, stream>>>(A->nrows, step, A->ptr, A->col,
                                                                    static_cast<int *>(far));
  BF_TRY(BF_CUDA_LAUNCHED(be));
  BF_TRY(BF_CUDA(cudaMemcpyAsync(&most, far, sizeof most, cudaMemcpyDeviceToHost, stream)));
  BF_TRY(BF_CUDA(cudaStreamSynchronize(stream)));
  if (most <= BF_BAND_MOST) BF_TRY(bf_cuda_transpose_band(be, A, most, T, &fits));
  if (!fits) BF_TRY(bf_cuda_transpose_sort(be, A, T));
  return BF_OK;
}
