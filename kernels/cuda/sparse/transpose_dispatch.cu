/* kernels/cuda/sparse/transpose_dispatch.cu - dense transposes; method for the transpose of a CSR matrix
 *
 * Computes   t(j, i) = a(i, j) by tiles of 32 x 32 through shared memory; for CSR the reach of a sample of
 *            rows and whether their entries have transposed entries: narrow bands and matrices of symmetric
 *            pattern use methods without sorting, which detect rows outside the sample that differ.
 * Source     Ruetsch, Micikevicius, Optimizing Matrix Transpose in CUDA (NVIDIA 2009) for the dense
 *            transpose.
 * Layout     transpose.h.
 * Cost       dense: 16 bytes per entry. CSR: the sample is at most SAMPLE rows; one or two
 *            synchronisations.
 * Launch     dense: 256 threads per tile; sample: a warp per row.
 * Checked    tests/kernels/sparse/t317_transpose.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/sparse/transpose.cuh"

namespace bf
{

enum { THREADS = 256, SIDE = 32, SAMPLE = 16384, LONG_ROW = 1024 };

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

/* Warp w examines row w*step: its reach; if it is no band, whether every entry has a transposed entry,
 * by bisection of its row. */
static __global__ void sample_rows(int64_t m, int64_t n, int64_t step, const int64_t *__restrict__ ptr,
                                   const bf_int *__restrict__ col, bf_transpose_sample *sample)
{
  const int64_t r = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / 32 * step;
  if (r >= m) return;
  const int64_t begin = ptr[r], end = ptr[r + 1], length = end - begin;
  int  row_reach = length > 2 * BF_BAND_MAX + 1 ? INT32_MAX : 0; /* more entries than such a band can have */
  bool unsymmetric = m != n || length > LONG_ROW;
  for (int64_t p = begin + threadIdx.x % 32; p < end && row_reach < INT32_MAX; p += 32) {
    const int64_t i = col[p], d = i < r ? r - i : i - r;
    row_reach = d > row_reach ? (int)(d < INT32_MAX ? d : INT32_MAX) : row_reach;
  }
  row_reach = __reduce_max_sync(~0u, row_reach);
  for (int64_t p = begin + threadIdx.x % 32; row_reach > BF_BAND_MAX && p < end && !unsymmetric; p += 32) {
    const int64_t i = col[p];
    unsymmetric     = i < 0 || i >= n || bf_find(col + ptr[i], (int)(ptr[i + 1] - ptr[i]), (bf_int)r) < 0;
  }
  unsymmetric = __any_sync(~0u, unsymmetric);
  if (threadIdx.x % 32 != 0) return;
  if (row_reach > 0) atomicMax(&sample->reach, row_reach);
  if (unsymmetric) sample->unsymmetric = 1;
}

BF_CUDA_DECLARE(convert.dense_transpose, dense_transpose);
bf_err bf_cuda_dense_transpose(bf_backend *be, bf_int nrows, bf_int ncols, const double *a, double *t)
{
  const int64_t high = bf_cuda_blocks(nrows, SIDE), wide = bf_cuda_blocks(ncols, SIDE);
  BF_CHECK(high * wide <= INT32_MAX, BF_E_ARG, "dense transpose of %d x %d", (int)nrows, (int)ncols);
  dense<<<(unsigned)(high * wide), THREADS, 0, bf_cuda_of(be)->stream>>>(nrows, ncols, wide, a, t);
  return BF_CUDA_LAUNCHED(be);
}

static bf_err fetch(bf_backend *be, const bf_transpose_sample *sample, bf_transpose_sample *result)
{
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  BF_TRY(BF_CUDA(cudaMemcpyAsync(result, sample, sizeof *result, cudaMemcpyDeviceToHost, stream)));
  return BF_CUDA(cudaStreamSynchronize(stream));
}

/* The band method is queued before the sample is read back, if the rows are short enough: it does
 * nothing if the sample is no band, and saves a synchronisation if it is. */
BF_CUDA_DECLARE(convert.csr_transpose, csr_transpose);
bf_err bf_cuda_csr_transpose(bf_backend *be, const bf_csr_arrays *A, bf_csr_arrays *T)
{
  const cudaStream_t  stream = bf_cuda_of(be)->stream;
  const int64_t       step = ((int64_t)A->nrows + SAMPLE - 1) / SAMPLE, rows = (A->nrows + step - 1) / step;
  const int           narrow = A->nnz / A->nrows <= 2 * BF_BAND_NARROW + 1;
  bf_transpose_sample result;
  void               *scratch;
  BF_TRY(bf_cuda_scratch(be, sizeof result, &scratch));
  bf_transpose_sample *sample = static_cast<bf_transpose_sample *>(scratch);
  BF_TRY(BF_CUDA(cudaMemsetAsync(sample, 0, sizeof *sample, stream)));
  sample_rows<<<bf_cuda_blocks(rows * 32, THREADS), THREADS, 0, stream>>>(A->nrows, A->ncols, step, A->ptr,
                                                                          A->col, sample);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  if (narrow) BF_TRY(bf_cuda_transpose_band(be, A, BF_BAND_NARROW, T, sample));
  BF_TRY(fetch(be, sample, &result));
  const int tried = narrow && result.reach <= BF_BAND_NARROW, band = !tried && result.reach <= BF_BAND_MAX;
  if (tried && !result.failed) return BF_OK;
  if (band || !result.unsymmetric) {
    BF_TRY(BF_CUDA(cudaMemsetAsync(&sample->failed, 0, sizeof sample->failed, stream)));
    BF_TRY(band ? bf_cuda_transpose_band(be, A, result.reach, T, sample)
                : bf_cuda_transpose_symmetric_pattern(be, A, T, sample));
    BF_TRY(fetch(be, sample, &result));
    if (!result.failed) return BF_OK;
  }
  BF_TRY(bf_cuda_transpose_sort(be, A, T));
  return BF_OK;
}

} // namespace bf
