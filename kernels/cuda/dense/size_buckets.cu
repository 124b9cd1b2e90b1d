/* kernels/cuda/dense/size_buckets.cu - batches of several sizes: their members by bucket, listed on the
 * device
 *
 * Computes   for every bucket (orders above the edge before, up to its own) the list of its members and how
 *            many they are.
 * Layout     work: live[HEAD], of it one for each bucket, then one list of `count` for each bucket.
 * Cost       4 bytes read and 4 written a matrix, two launches; the host does not wait.
 * Checked    tests/kernels/dense/t366_sizes_batch.c.
 *
 * The order within a list is not fixed; what a matrix becomes does not depend on it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/batch_view.cuh"

namespace bf
{

static const int edges[BATCH_BUCKETS] = {
    4, 8, 16, 24, 32, 40, 48, 64, 72, 80, 88, 96, 128, 160, 192, 256, 384, 512, BF_BATCH_LARGEST};
enum { HEAD = 32, THREADS = 256 }; /* integers before the lists */

int batch_edge(int n)
{
  int k = 0;
  while (edges[k] < n) k++;
  return edges[k];
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
  return A->sizes ? (HEAD + (size_t)BATCH_BUCKETS * (size_t)A->count) * sizeof(int) : 0;
}

int batch_buckets(const bf_batch *A, const void *work, batch_bucket *bucket)
{
  const int *live = static_cast<const int *>(work);
  if (!A->sizes) {
    bucket[0] = {A->n, NULL, NULL};
    return 1;
  }
  for (int k = 0; k < BATCH_BUCKETS; k++) {
    bucket[k] = {edges[k] < A->n ? edges[k] : A->n, live + HEAD + (size_t)k * (size_t)A->count, live + k};
    if (edges[k] >= A->n) return k + 1;
  }
  return BATCH_BUCKETS;
}

struct batch_edges {
  int n[BATCH_BUCKETS];
};

/* A thread owns a matrix; a warp's members of one bucket take their places together. */
static __global__ void group(int count, int n, const int *__restrict__ sizes, const batch_edges edge,
                             int *__restrict__ info, int *__restrict__ live, int *__restrict__ lists)
{
  const int b = (int)(blockIdx.x * blockDim.x + threadIdx.x), lane = (int)threadIdx.x & 31;
  const int size = b < count ? sizes[b] : 0;
  if (b < count && info && (size <= 0 || size > n)) info[b] = size == 0 ? 0 : -1;
  int k = size <= 0 || size > n ? -1 : 0;
  while (k >= 0 && size > edge.n[k]) k++;
  const unsigned same   = __match_any_sync(0xffffffffu, k);
  const int      leader = __ffs((int)same) - 1;
  int            at     = 0;
  if (lane == leader && k >= 0) at = atomicAdd(live + k, __popc(same));
  at = __shfl_sync(0xffffffffu, at, leader) + __popc(same & ((1u << lane) - 1u));
  if (k >= 0) lists[(size_t)k * (size_t)count + (size_t)at] = b;
}

bf_err batch_group(bf_backend *be, const bf_batch *A, int *info, void *work)
{
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  int               *live   = static_cast<int *>(work);
  batch_edges        edge;
  if (!A->sizes) return BF_OK;
  for (int k = 0; k < BATCH_BUCKETS; k++) edge.n[k] = edges[k];
  BF_TRY(BF_CUDA(cudaMemsetAsync(live, 0, HEAD * sizeof *live, stream)));
  group<<<(A->count + THREADS - 1) / THREADS, THREADS, 0, stream>>>(A->count, A->n, A->sizes, edge, info,
                                                                    live, live + HEAD);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
