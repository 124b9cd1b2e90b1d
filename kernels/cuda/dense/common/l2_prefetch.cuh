/* kernels/cuda/dense/common/l2_prefetch.cuh - kernels of small matrices that come before the kernel in front
 * of them ends
 *
 * Blocks wait before they read; what they will read is brought to the second level of caches meanwhile, which
 * changes no value.  Of matrices whose place has to be read itself nothing is brought.
 * Source     PTX ISA, cp.async.bulk.prefetch.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_COMMON_L2_PREFETCH_CUH
#define BF_KERNELS_CUDA_DENSE_COMMON_L2_PREFETCH_CUH
#include "kernels/cuda/dense/batch_view.cuh"
#include "kernels/cuda/device/programmatic_launch.cuh"

namespace bf
{

/* What the blocks of a multiprocessor may bring.  H200: 196 KB (z 32), all of them together more than half of
 * the second level, makes batches that follow one another 8 % slower; 164 KB (d, c 32) makes those 3 to 7 %
 * faster, but one that is alone waits for its first columns behind all of it. */
enum { PREFETCH_BYTES = 150 << 10 };

/* By one thread: matrix k of the batch, where it lies in one piece, on its way to the second level */
template <class T>
static __device__ __forceinline__ void prefetch_matrix_l2(const batch_view<T> &A, int64_t k)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  if (A.array || A.list || A.ld != A.n || k >= A.count) return;
  const T       *p     = A.a + k * A.stride;
  const unsigned bytes = (unsigned)(A.n * A.n * (int)sizeof(T)) & ~15u;
  if (reinterpret_cast<uintptr_t>(p) % 16 == 0 && bytes > 0)
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(p), "r"(bytes) : "memory");
#endif
}

/* The first thing that a block of `members` matrices does; as many threads at least */
template <bool PREFETCH, class T>
static __device__ __forceinline__ void pdl_begin(const batch_view<T> &A, int matrices)
{
  if (PREFETCH && (int)threadIdx.x < matrices)
    prefetch_matrix_l2(A, (int64_t)blockIdx.x * matrices + threadIdx.x);
  pdl_wait();
}

} // namespace bf
#endif
