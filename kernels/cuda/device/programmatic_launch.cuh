/* kernels/cuda/device/programmatic_launch.cuh - kernels whose blocks may come before the kernel in front of
 * them ends
 *
 * Such a kernel waits before it touches what kernels in front of it may read or write, in every block, so
 * that it does not end before them either; then all memory is as after their end.  What they may have
 * written is not read through the read-only path, which supposes that nothing changes while a kernel lives.
 * Graphs keep this between kernels that follow one another; behind anything else the wait is over at once.
 * Source     CUDA programming guide, programmatic dependent launch.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DEVICE_PROGRAMMATIC_LAUNCH_CUH
#define BF_KERNELS_CUDA_DEVICE_PROGRAMMATIC_LAUNCH_CUH
#include <cuda_runtime.h>

namespace bf
{

/* The next kernel's blocks may come once all blocks of this one have begun and said so, or ended. */
static __device__ __forceinline__ void pdl_trigger()
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}
/* The kernels in front have ended. */
static __device__ __forceinline__ void pdl_wait()
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

/* A launch of a kernel that waits */
template <class... Kernel, class... Given>
static cudaError_t pdl_launch(void (*kernel)(Kernel...), unsigned blocks, unsigned threads, size_t shared,
                              cudaStream_t s, Given... given)
{
  cudaLaunchAttribute early                        = {};
  early.id                                         = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config                        = {};
  config.gridDim                                   = dim3(blocks);
  config.blockDim                                  = dim3(threads);
  config.dynamicSmemBytes                          = shared;
  config.stream                                    = s;
  config.attrs                                     = &early;
  config.numAttrs                                  = 1;
  return cudaLaunchKernelEx(&config, kernel, static_cast<Kernel>(given)...);
}

} // namespace bf
#endif
