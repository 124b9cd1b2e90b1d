/* kernels/cuda/device/thread_block_cluster.cuh - thread block clusters: rank, barrier, remote shared
 * memory, launch
 *
 * Source     PTX ISA, barrier.cluster and mapa; CUDA programming guide, thread block clusters.
 * Layout     global memory written before cluster_sync is visible to all blocks of the cluster after it.
 * Checked    tests/kernels/dense/t364_cholesky_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DEVICE_THREAD_BLOCK_CLUSTER_CUH
#define BF_KERNELS_CUDA_DEVICE_THREAD_BLOCK_CLUSTER_CUH
#include "kernels/cuda/device/async_bulk_copy.cuh"
#include <cuda_runtime.h>

namespace bf
{

enum { CLUSTER_LARGEST = 8 }; /* portable cluster size */

static __device__ __forceinline__ int cluster_rank(void)
{
  int r;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
  return r;
}
static __device__ __forceinline__ int cluster_size(void)
{
  int n;
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(n));
  return n;
}

/* All threads of all blocks */
static __device__ __forceinline__ void cluster_sync(void)
{
  asm volatile("barrier.cluster.arrive.release.aligned;\n"
               "barrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
}

/* Stores to *p of the first block, p at the same shared-memory address in all of them; visible after the
 * barrier. */
static __device__ __forceinline__ void cluster_store_rank0(int *p, int value)
{
  uint32_t there;
  asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(there) : "r"(shared_address(p)));
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(value) : "memory");
}

/* Launches `blocks` blocks for each of `many` work items; blocks of an item form a cluster. */
template <class... Parameters>
static cudaError_t cluster_launch(void (*kernel)(Parameters...), int many, int blocks, int threads, int bytes,
                                  cudaStream_t s, Parameters... parameters)
{
  const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (e != cudaSuccess) return e;
  cudaLaunchAttribute together{};
  together.id               = cudaLaunchAttributeClusterDimension;
  together.val.clusterDim.x = (unsigned)blocks;
  together.val.clusterDim.y = together.val.clusterDim.z = 1;
  cudaLaunchConfig_t how{};
  how.gridDim          = dim3((unsigned)(many * blocks));
  how.blockDim         = dim3((unsigned)threads);
  how.dynamicSmemBytes = (size_t)bytes;
  how.stream           = s;
  how.attrs            = &together;
  how.numAttrs         = blocks > 1 ? 1 : 0;
  return cudaLaunchKernelEx(&how, kernel, parameters...);
}

} // namespace bf
#endif
