/* kernels/cuda/dense/size_buckets.cu - batches of several sizes: lists of the members of each bucket, built
 * on the device
 *
 * Computes   for every bucket (orders above the previous bucket's, up to its own) the list of its members
 *            and its length.
 * Layout     work: list_size[LISTS_OFFSET], one per bucket, then one list of `count` per bucket.
 * Cost       4 bytes read and 4 written per matrix, two launches; the host does not wait.
 * Launch     256 threads per block, one per matrix.
 * Checked    tests/kernels/dense/t366_sizes_batch.c.
 * The order within a list is not fixed; results do not depend on it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/batch_view.cuh"

namespace bf
{

static const int bucket_orders[BATCH_BUCKETS] = {
    4, 8, 16, 24, 32, 40, 48, 64, 72, 80, 88, 96, 128, 160, 192, 256, 384, 512, BF_BATCH_LARGEST};
enum { LISTS_OFFSET = 32, THREADS = 256 }; /* integers before the lists */

int bucket_order(int n)
{
  int k = 0;
  while (bucket_orders[k] < n) k++;
  return bucket_orders[k];
}

int batch_multiprocessors(void)
{
  int        device = 0, count = 0;
  const bool known = cudaGetDevice(&device) == cudaSuccess &&
                     cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device) == cudaSuccess;
  return known ? count : 1;
}

size_t batch_lists_bytes(const bf_batch *A)
{
  return A->sizes ? (LISTS_OFFSET + (size_t)BATCH_BUCKETS * (size_t)A->count) * sizeof(int) : 0;
}

int batch_buckets(const bf_batch *A, const void *work, batch_bucket *bucket)
{
  const int *list_size = static_cast<const int *>(work);
  if (!A->sizes) {
    bucket[0] = {A->n, NULL, NULL};
    return 1;
  }
  for (int k = 0; k < BATCH_BUCKETS; k++) {
    bucket[k] = {bucket_orders[k] < A->n ? bucket_orders[k] : A->n,
                 list_size + LISTS_OFFSET + (size_t)k * (size_t)A->count, list_size + k};
    if (bucket_orders[k] >= A->n) return k + 1;
  }
  return BATCH_BUCKETS;
}

struct bucket_table {
  int n[BATCH_BUCKETS];
};

/* A thread owns a matrix; the members of one bucket in a warp reserve their places with one atomic
 * operation. */
static __global__ void build_lists(int count, int n, const int *__restrict__ sizes, const bucket_table table,
                                   int *__restrict__ info, int *__restrict__ list_size,
                                   int *__restrict__ lists)
{
  const int b = (int)(blockIdx.x * blockDim.x + threadIdx.x), lane = (int)threadIdx.x & 31;
  const int size = b < count ? sizes[b] : 0;
  if (b < count && info && (size <= 0 || size > n)) info[b] = size == 0 ? 0 : -1;
  int k = size <= 0 || size > n ? -1 : 0;
  while (k >= 0 && size > table.n[k]) k++;
  const unsigned same   = __match_any_sync(0xffffffffu, k);
  const int      leader = __ffs((int)same) - 1;
  int            at     = 0;
  if (lane == leader && k >= 0) at = atomicAdd(list_size + k, __popc(same));
  at = __shfl_sync(0xffffffffu, at, leader) + __popc(same & ((1u << lane) - 1u));
  if (k >= 0) lists[(size_t)k * (size_t)count + (size_t)at] = b;
}

bf_err batch_build_lists(bf_backend *be, const bf_batch *A, int *info, void *work)
{
  const cudaStream_t stream    = bf_cuda_of(be)->stream;
  int               *list_size = static_cast<int *>(work);
  bucket_table       table;
  if (!A->sizes) return BF_OK;
  for (int k = 0; k < BATCH_BUCKETS; k++) table.n[k] = bucket_orders[k];
  BF_TRY(BF_CUDA(cudaMemsetAsync(list_size, 0, LISTS_OFFSET * sizeof *list_size, stream)));
  build_lists<<<(A->count + THREADS - 1) / THREADS, THREADS, 0, stream>>>(
      A->count, A->n, A->sizes, table, info, list_size, list_size + LISTS_OFFSET);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
