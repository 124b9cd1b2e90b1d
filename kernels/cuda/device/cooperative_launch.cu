/* kernels/cuda/device/cooperative_launch.cu - cooperative launches, one block per multiprocessor; see
 * grid_reduce_flagged.cuh
 *
 * Computes   the dynamic shared memory available to a kernel, the pairs of vector entries it can cache, and
 *            the launch.
 * Source     CUDA programming guide, cooperative groups (grid synchronisation).
 * Checked    tests/kernels/krylov/t344_fused_cg.c, t346_fused_bicgstab.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/grid_reduce_flagged.cuh"

namespace bf
{

bf_err bf_cuda_max_dynamic_shared(bf_backend *be, const void *kernel, size_t *bytes)
{
  int                most = 0;
  cudaFuncAttributes attributes;
  BF_TRY(BF_CUDA(
      cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, bf_cuda_of(be)->device)));
  BF_TRY(BF_CUDA(cudaFuncGetAttributes(&attributes, kernel)));
  *bytes = (size_t)most > attributes.sharedSizeBytes ? (size_t)most - attributes.sharedSizeBytes : 0;
  return BF_OK;
}

bf_err bf_cuda_cached_pairs(bf_backend *be, const void *kernel, int64_t n, int *cached)
{
  size_t bytes;
  BF_TRY(bf_cuda_max_dynamic_shared(be, kernel, &bytes));
  const int64_t threads = (int64_t)bf_cuda_of(be)->sms * BF_MOVE_THREADS;
  const int64_t need = (n / 2 + threads - 1) / threads, room = (int64_t)(bytes / cached_bytes(1));
  *cached = (int)(need < room ? need : room);
  return BF_OK;
}

bf_err bf_cuda_launch_cooperative(bf_backend *be, const void *kernel, int threads, size_t shared,
                                  void **parameters)
{
  const bf_cuda *cu = bf_cuda_of(be);
  BF_TRY(BF_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared)));
  BF_TRY(BF_CUDA(cudaLaunchCooperativeKernel(kernel, dim3((unsigned)cu->sms), dim3((unsigned)threads),
                                             parameters, shared, cu->stream)));
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
