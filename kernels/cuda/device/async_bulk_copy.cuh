/* kernels/cuda/device/async_bulk_copy.cuh - copies from global to shared memory by the bulk copy engine, and
 * the barriers that tell of their end
 *
 * Source: PTX ISA, cp.async.bulk and mbarrier.  A barrier has two phases in turn; `phase` below is the parity
 * of the one waited for.  Every wait orders what follows behind the copies or arrivals it waited for.
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

/* One thread makes the barriers of a block; the block synchronises before it uses them. */
static __device__ __forceinline__ void mbarrier_init(uint64_t *b, int arrivals)
{
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(arrivals));
}
static __device__ __forceinline__ void mbarrier_init_fence(void)
{
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/* Arrives, and the phase ends only when `bytes` have been copied too. */
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

/* Between what threads have read or written in shared memory and a copy over it; the PTX ISA's proxies. */
static __device__ __forceinline__ void fence_proxy_async(void)
{
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* to (shared), from (global): multiples of 16 bytes; bytes a multiple of 16. */
static __device__ __forceinline__ void cp_async_bulk(void *to, const void *from, uint32_t bytes, uint64_t *b)
{
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(b))
      : "memory");
}

/* 4, 8 or 16 bytes, or a scalar by parts of so many, past the registers; the thread's own ones are there
 * after bf_copies_done. */
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
/* Those begun so far are a group; wait until all but the last MANY groups are there. */
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

/* A ring of slots in shared memory, filled by one warp and used by others: where one of them stands. */
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
