/* kernels/cuda/backend/memory.cu - memory of the CUDA backend: the pool of the device, work arrays
 *
 * Computes   nothing.
 * Layout     everything comes from the pool of the device, which keeps what is released. Work arrays of the
 *            kernels (partial sums, slots, scratch) grow and belong to the backend; one that grows moves, and
 *            recorded graphs that hold its address are recorded again (moved_memory).
 * Cost       a block that was released before: about a microsecond; the driver maps new memory.
 * Checked    tests/kernels/backend/t300_backend.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/launch_and_reduce.cuh"

namespace bf
{

enum { FIRST_PARTIALS = 1 << 14 };

/* ---- the pool ---- */

/* The pool gives nothing back to the driver before the backend closes. */
static bf_err keep_released(int device)
{
  cudaMemPool_t pool = NULL;
  uint64_t      all  = UINT64_MAX;
  BF_TRY(BF_CUDA(cudaDeviceGetDefaultMemPool(&pool, device)));
  return BF_CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
}

static void empty_pool(const bf_cuda *cu)
{
  cudaMemPool_t pool = NULL;
  cudaStreamSynchronize(cu->stream);
  if (cudaDeviceGetDefaultMemPool(&pool, cu->device) == cudaSuccess) cudaMemPoolTrimTo(pool, 0);
}

/* From the pool of the device, which keeps what is released: a released block is there for the next request
 * without a call of the driver. */
BF_CUDA_DECLARE(alloc, alloc);
bf_err bf_cuda_alloc(bf_backend *be, size_t bytes, void **p)
{
  BF_CHECK(p, BF_E_ARG, "null argument");
  *p                  = NULL;
  const bf_cuda *cu   = bf_cuda_of(be);
  cudaError_t    code = cudaMallocAsync(p, bytes > 0 ? bytes : 1, cu->stream);
  if (code ==
      cudaErrorMemoryAllocation) { /* the pool's free blocks may be too small: once more without them */
    cudaGetLastError();
    empty_pool(cu);
    code = cudaMallocAsync(p, bytes > 0 ? bytes : 1, cu->stream);
  }
  if (code == cudaSuccess) return BF_OK;
  cudaGetLastError();
  return BF_FAIL(code == cudaErrorMemoryAllocation ? BF_E_MEMORY : BF_E_DEVICE,
                 "device memory: %zu bytes refused: %s", bytes, cudaGetErrorString(code));
}

BF_CUDA_DECLARE(release, release);
void bf_cuda_release(bf_backend *be, void *p)
{
  if (p) cudaFreeAsync(p, bf_cuda_of(be)->stream);
}

/* Free memory of the device and what the pool holds without using it. */
BF_CUDA_DECLARE(memory, memory);
bf_err bf_cuda_memory(bf_backend *be, size_t *available, size_t *total)
{
  cudaMemPool_t pool     = NULL;
  uint64_t      reserved = 0, used = 0;
  BF_TRY(BF_CUDA(cudaStreamSynchronize(bf_cuda_of(be)->stream)));
  BF_TRY(BF_CUDA(cudaMemGetInfo(available, total)));
  BF_TRY(BF_CUDA(cudaDeviceGetDefaultMemPool(&pool, bf_cuda_of(be)->device)));
  BF_TRY(BF_CUDA(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved)));
  BF_TRY(BF_CUDA(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used)));
  *available += (size_t)(reserved - used);
  return BF_OK;
}

/* ---- work arrays ---- */

/* *array for at least `bytes`, which is more than *size; the old contents are lost.  Kernels that were queued
 * before still use the old place: it is released in the order of the stream. */
static bf_err grow(bf_backend *be, size_t bytes, void **array, size_t *size)
{
  bf_cuda                *cu        = bf_cuda_of(be);
  void                   *fresh     = NULL;
  cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
  BF_TRY(BF_CUDA(cudaStreamIsCapturing(cu->stream, &capturing)));
  BF_CHECK(capturing == cudaStreamCaptureStatusNone, BF_E_INTERNAL,
           "a work array of %zu bytes, which a recorded graph did not need before it was recorded", bytes);
  BF_TRY(bf_cuda_drop_graph(be)); /* which holds the old address */
  cu->moved_memory++;
  BF_TRY(bf_cuda_alloc(be, bytes, &fresh));
  bf_cuda_release(be, *array);
  *array = fresh;
  *size  = bytes;
  return BF_OK;
}

bf_err bf_cuda_partials(bf_backend *be, int64_t count, double **partial)
{
  bf_cuda     *cu    = bf_cuda_of(be);
  const size_t bytes = (size_t)count * sizeof **partial;
  if (bytes > cu->partial_bytes) BF_TRY(grow(be, bytes, (void **)&cu->partial, &cu->partial_bytes));
  *partial = cu->partial;
  return BF_OK;
}

bf_err bf_cuda_scratch(bf_backend *be, size_t bytes, void **p)
{
  bf_cuda *cu = bf_cuda_of(be);
  if (bytes > cu->scratch_bytes) BF_TRY(grow(be, bytes, &cu->scratch, &cu->scratch_bytes));
  *p = cu->scratch;
  return BF_OK;
}

bf_err bf_cuda_reduce_slots(bf_backend *be, int64_t count, bf_flagged **reduce_slots,
                            unsigned long long **sequence)
{
  bf_cuda     *cu    = bf_cuda_of(be);
  const size_t bytes = (size_t)count * sizeof **reduce_slots;
  if (bytes > cu->reduce_slot_bytes) {
    BF_TRY(grow(be, bytes, (void **)&cu->reduce_slots, &cu->reduce_slot_bytes));
    BF_TRY(BF_CUDA(cudaMemsetAsync(cu->reduce_slots, 0, bytes, cu->stream)));
  }
  *reduce_slots = cu->reduce_slots;
  *sequence     = cu->sequence;
  return BF_OK;
}

bf_err bf_cuda_memory_open(bf_backend *be)
{
  double *partial;
  BF_TRY(keep_released(bf_cuda_of(be)->device));
  return bf_cuda_partials(be, FIRST_PARTIALS, &partial);
}

void bf_cuda_memory_close(bf_backend *be)
{
  const bf_cuda *cu = bf_cuda_of(be);
  bf_cuda_release(be, cu->reduce_slots);
  bf_cuda_release(be, cu->partial);
  bf_cuda_release(be, cu->scratch);
  empty_pool(cu);
}

} // namespace bf
