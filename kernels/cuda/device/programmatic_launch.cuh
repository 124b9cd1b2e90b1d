/* kernels/cuda/device/programmatic_launch.cuh - programmatic dependent launch
 *
 * Source     CUDA programming guide, programmatic dependent launch.
 * Layout     every block of a dependent kernel calls pdl_wait before it accesses memory of preceding
 *            kernels; so it does not end before them, and after the wait all their writes are visible. Data
 *            written by preceding kernels must not be read through the read-only (ld.global.nc) path.
 *            Graphs keep the dependency; after any other operation pdl_wait returns at once.
 * Checked    tests/kernels/dense/t361_inverse_batch.c, t362_lu_batch.c, t372_spectra_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DEVICE_PROGRAMMATIC_LAUNCH_CUH
#define BF_KERNELS_CUDA_DEVICE_PROGRAMMATIC_LAUNCH_CUH
#include <cuda_runtime.h>

namespace bf
{

/* Lets the dependent kernel launch once every block has called this or exited. */
static __device__ __forceinline__ void pdl_trigger()
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}
/* Waits until the preceding kernels have ended. */
static __device__ __forceinline__ void pdl_wait()
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

/* Launch of a kernel that calls pdl_wait */
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
