/* kernels/cuda/device/async_bulk_copy.cuh - asynchronous copies from global to shared memory (cp.async,
 * cp.async.bulk) and their barriers (mbarrier)
 *
 * Source     PTX ISA, cp.async, cp.async.bulk and mbarrier.
 * Layout     an mbarrier has two alternating phases; `phase` is the parity of the phase to wait for. A wait
 *            orders the following accesses after the copies and arrivals that it waited for.
 * Checked    tests/kernels/sparse/t354_band_shapes.c, tests/kernels/dense/t361_inverse_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DEVICE_ASYNC_BULK_COPY_CUH
#define BF_KERNELS_CUDA_DEVICE_ASYNC_BULK_COPY_CUH
#include <stdint.h>

namespace bf
{

static __device__ __forceinline__ uint32_t shared_address(const void *p)
{
  return (uint32_t)__cvta_generic_to_shared(p);
}

/* One thread initialises the barriers of a block; the block synchronises before it uses them. */
static __device__ __forceinline__ void mbarrier_init(uint64_t *b, int arrivals)
{
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(arrivals));
}
static __device__ __forceinline__ void mbarrier_init_fence(void)
{
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/* Arrives; the phase ends only after `bytes` have been copied. */
static __device__ __forceinline__ void mbarrier_arrive_expect_tx(uint64_t *b, uint32_t bytes)
{
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(b)), "r"(bytes)
               : "memory");
}
static __device__ __forceinline__ void mbarrier_arrive(uint64_t *b)
{
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(b)) : "memory");
}
static __device__ __forceinline__ void mbarrier_wait(uint64_t *b, uint32_t phase)
{
  asm volatile("{\n"
               ".reg .pred done;\n"
               "again_%=:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@done bra end_%=;\n"
               "bra again_%=;\n"
               "end_%=:\n"
               "}" ::"r"(shared_address(b)),
               "r"(phase)
               : "memory");
}

/* Orders generic accesses to shared memory before a bulk copy that overwrites it (async proxy). */
static __device__ __forceinline__ void fence_proxy_async(void)
{
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* to (shared), from (global): multiples of 16 bytes; bytes a multiple of 16 */
static __device__ __forceinline__ void cp_async_bulk(void *to, const void *from, uint32_t bytes, uint64_t *b)
{
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(b))
      : "memory");
}

/* Copies 4, 8 or 16 bytes, or a scalar in parts of this size; the thread's own copies are complete after
 * cp_async_wait_all. */
template <int BYTES>
static __device__ __forceinline__ void cp_async(void *to, const void *from)
{
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared_address(to)), "l"(from), "n"(BYTES)
               : "memory");
}
template <int BYTES, class T>
static __device__ __forceinline__ void cp_async_scalar(T *to, const T *from)
{
#pragma unroll
  for (int i = 0; i < (int)sizeof(T); i += BYTES)
    cp_async<BYTES>(reinterpret_cast<char *>(to) + i, reinterpret_cast<const char *>(from) + i);
}
/* Closes a group of copies; waits until at most MANY groups are pending. */
static __device__ __forceinline__ void cp_async_commit_group(void)
{
  asm volatile("cp.async.commit_group;" ::: "memory");
}
template <int MANY>
static __device__ __forceinline__ void cp_async_wait_group(void)
{
  asm volatile("cp.async.wait_group %0;" ::"n"(MANY) : "memory");
}
static __device__ __forceinline__ void cp_async_wait_all(void)
{
  asm volatile("cp.async.wait_all;" ::: "memory");
}

/* Arrives at the barrier when the thread's own copies so far are complete. */
static __device__ __forceinline__ void cp_async_mbarrier_arrive(uint64_t *b)
{
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared_address(b)) : "memory");
}

/* Position in a ring buffer in shared memory, filled by one warp and read by others */
struct ring_position {
  int      slot;
  uint32_t phase;
};
static __device__ __forceinline__ void ring_advance(ring_position &at, int slots)
{
  if (++at.slot == slots) at.slot = 0, at.phase ^= 1;
}

} // namespace bf
#endif
