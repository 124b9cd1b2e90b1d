/* kernels/cuda/backend/staged_copy.cu - large copies between pageable host memory and the device
 *
 * Computes   dst = src through two pinned buffers: all host threads fill or empty one while the other is
 *            transferred. A plain cudaMemcpy of pageable memory is staged by one thread of the driver,
 *            which also takes the page faults of new memory.
 * Source     CUDA programming guide, page-locked host memory.
 * Cost       bytes over the bus once, and once through host memory.
 * Limits     copies below SMALL use cudaMemcpyAsync directly; host to device returns when src may change,
 *            device to host when dst is complete.
 * Checked    tests/kernels/backend/t351_transfer.c (lengths around the buffers, both directions), and every
 *            deck on the device.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/launch_and_reduce.cuh"
extern "C" {
#include "kernels/matrix/host_copy.h"
}

namespace bf
{

static const size_t SMALL = (size_t)1 << 20, BUFFER = (size_t)16 << 20;

bf_err bf_cuda_transfer_open(bf_backend *be)
{
  bf_cuda *cu = bf_cuda_of(be);
  for (int k = 0; k < 2; k++) {
    BF_TRY(BF_CUDA(cudaHostAlloc(&cu->pinned[k], BUFFER, cudaHostAllocDefault)));
    BF_TRY(BF_CUDA(cudaEventCreateWithFlags(&cu->moved[k], cudaEventDisableTiming)));
  }
  return BF_OK;
}

void bf_cuda_transfer_close(bf_backend *be)
{
  bf_cuda *cu = bf_cuda_of(be);
  for (int k = 0; k < 2; k++) {
    if (cu->pinned[k]) cudaFreeHost(cu->pinned[k]);
    if (cu->moved[k]) cudaEventDestroy(cu->moved[k]);
  }
}

static size_t piece(size_t bytes, size_t at)
{
  return bytes - at < BUFFER ? bytes - at : BUFFER;
}

static bf_err to_device(bf_cuda *cu, char *dst, const char *src, size_t bytes)
{
  int k = 0;
  for (size_t at = 0; at < bytes; at += BUFFER, k ^= 1) {
    BF_TRY(BF_CUDA(
        cudaEventSynchronize(cu->moved[k]))); /* an event that was never recorded counts as complete */
    bf_host_copy(cu->pinned[k], src + at, piece(bytes, at));
    BF_TRY(BF_CUDA(
        cudaMemcpyAsync(dst + at, cu->pinned[k], piece(bytes, at), cudaMemcpyHostToDevice, cu->stream)));
    BF_TRY(BF_CUDA(cudaEventRecord(cu->moved[k], cu->stream)));
  }
  return BF_OK;
}

/* While piece i is transferred, piece i-1 is copied out. */
static bf_err to_host(bf_cuda *cu, char *dst, const char *src, size_t bytes)
{
  int k = 0;
  for (size_t at = 0; at < bytes + BUFFER; at += BUFFER, k ^= 1) {
    if (at < bytes) {
      BF_TRY(BF_CUDA(
          cudaMemcpyAsync(cu->pinned[k], src + at, piece(bytes, at), cudaMemcpyDeviceToHost, cu->stream)));
      BF_TRY(BF_CUDA(cudaEventRecord(cu->moved[k], cu->stream)));
    }
    if (at < BUFFER) continue;
    BF_TRY(BF_CUDA(cudaEventSynchronize(cu->moved[k ^ 1])));
    bf_host_copy(dst + at - BUFFER, cu->pinned[k ^ 1], piece(bytes, at - BUFFER));
  }
  return BF_OK;
}

bf_err bf_cuda_transfer(bf_backend *be, void *dst, const void *src, size_t bytes, bf_dir dir)
{
  bf_cuda *cu = bf_cuda_of(be);
  if (bytes >= SMALL && dir == BF_TO_DEVICE) return to_device(cu, (char *)dst, (const char *)src, bytes);
  if (bytes >= SMALL && dir == BF_TO_HOST) return to_host(cu, (char *)dst, (const char *)src, bytes);
  const cudaMemcpyKind kind = dir == BF_TO_DEVICE ? cudaMemcpyHostToDevice
                              : dir == BF_TO_HOST ? cudaMemcpyDeviceToHost
                                                  : cudaMemcpyDeviceToDevice;
  return bytes == 0 ? BF_OK : BF_CUDA(cudaMemcpyAsync(dst, src, bytes, kind, cu->stream));
}

} // namespace bf
