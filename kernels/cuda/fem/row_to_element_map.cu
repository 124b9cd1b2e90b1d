/* kernels/cuda/fem/row_to_element_map.cu - map from rows of nodes to the element nodes that refer to them
 *
 * Computes   item[ptr[r] .. ptr[r+1]) = the i with conn[i] = r, ascending (i = e*nen + a).
 * Source     counting sort: histogram, scan, fill; then each row is sorted, so that the order, and every
 *            sum over a row's elements, does not depend on the order of the threads.
 * Layout     ptr[nrows + 1], item[ne nen].
 * Cost       about 28 bytes per incidence; rows have about 4 to 30 items.
 * Launch     256 threads: one per incidence for count and fill, one per row for the sort. Integer atomics
 *            only.
 * Checked    tests/kernels/fem/t321_scatter.c against a serial count.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/launch_and_reduce.cuh"
#include <cub/device/device_scan.cuh>

namespace bf
{

enum { THREADS = 256 };

static __global__ void count(int64_t n, const bf_int *__restrict__ conn, bf_int nrows, bf_int *counts,
                             int *violation)
{
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i >= n) return;
  const bf_int r = conn[i];
  if (r >= 0 && r < nrows)
    atomicAdd(counts + r, 1);
  else
    *violation = 1;
}

/* next[r] starts as ptr[r]. */
static __global__ void fill(int64_t n, const bf_int *__restrict__ conn, bf_int nrows, bf_int *next,
                            bf_int *item)
{
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i >= n) return;
  const bf_int r = conn[i];
  if (r >= 0 && r < nrows) item[atomicAdd(next + r, 1)] = (bf_int)i;
}

/* Thread r owns the items of row r: insertion sort. */
static __global__ void sort_rows(bf_int nrows, const bf_int *__restrict__ ptr, bf_int *item)
{
  const int64_t r = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (r >= nrows) return;
  const bf_int begin = ptr[r], end = ptr[r + 1];
  for (bf_int i = begin + 1; i < end; i++) {
    const bf_int v = item[i];
    bf_int       j = i;
    for (; j > begin && item[j - 1] > v; j--) item[j] = item[j - 1];
    item[j] = v;
  }
}

BF_CUDA_DECLARE(element.incidence, incidence);
bf_err bf_cuda_incidence(bf_backend *be, bf_int ne, int nen, const bf_int *conn, bf_int nrows, bf_int *ptr,
                         bf_int *item)
{
  const int64_t n = (int64_t)ne * nen;
  BF_CHECK(ne >= 0 && nen > 0 && nrows >= 0 && n < INT32_MAX, BF_E_ARG,
           "incidence: %d elements of %d nodes, %d rows", ne, nen, nrows);
  bf_cuda           *cu     = bf_cuda_of(be);
  const cudaStream_t stream = cu->stream;
  const size_t       table  = ((size_t)nrows * sizeof(bf_int) + 511) / 256 * 256;
  size_t             bytes  = 0;
  void              *scratch;
  BF_TRY(BF_CUDA(cudaMemsetAsync(ptr, 0, ((size_t)nrows + 1) * sizeof *ptr, stream)));
  if (n == 0) return BF_OK;
  /* counts in ptr[r], scanned in place: ptr[r] = sum of the counts before r, ptr[nrows] = n */
  BF_TRY(BF_CUDA(cub::DeviceScan::ExclusiveSum(NULL, bytes, ptr, ptr, nrows + 1, stream)));
  BF_TRY(bf_cuda_scratch(be, table + bytes, &scratch));
  bf_int *next = static_cast<bf_int *>(scratch);
  cu->watch    = true;
  count<<<bf_cuda_blocks(n, THREADS), THREADS, 0, stream>>>(n, conn, nrows, ptr, cu->violation);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  BF_TRY(BF_CUDA(cub::DeviceScan::ExclusiveSum(static_cast<char *>(scratch) + table, bytes, ptr, ptr,
                                               nrows + 1, stream)));
  BF_TRY(BF_CUDA(cudaMemcpyAsync(next, ptr, (size_t)nrows * sizeof *ptr, cudaMemcpyDeviceToDevice, stream)));
  fill<<<bf_cuda_blocks(n, THREADS), THREADS, 0, stream>>>(n, conn, nrows, next, item);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  sort_rows<<<bf_cuda_blocks(nrows, THREADS), THREADS, 0, stream>>>(nrows, ptr, item);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
