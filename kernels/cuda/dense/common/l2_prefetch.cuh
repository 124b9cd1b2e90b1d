/* kernels/cuda/dense/common/l2_prefetch.cuh - L2 prefetch of the matrices of a block, for kernels with
 * programmatic dependent launch
 *
 * Computes   nothing: the first threads of a block prefetch the block's matrices into L2, then the block
 *            waits for the preceding kernel (pdl_wait). Results do not change.
 * Layout     only matrices without padding whose address is known before the wait: strided batches of one
 *            size with ld = n.
 * Source     PTX ISA, cp.async.bulk.prefetch.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_COMMON_L2_PREFETCH_CUH
#define BF_KERNELS_CUDA_DENSE_COMMON_L2_PREFETCH_CUH
#include "kernels/cuda/dense/batch_view.cuh"
#include "kernels/cuda/device/programmatic_launch.cuh"

namespace bf
{

/* Bytes that the resident blocks of a multiprocessor may prefetch. H200: 196 KB (z 32) is more than half
 * of L2 for all multiprocessors together and makes consecutive batches 8 % slower; 164 KB (d, c 32)
 * makes them 3 to 7 % faster, but a single batch waits longer for its first columns. */
enum { PREFETCH_BYTES = 150 << 10 };

/* One thread prefetches matrix k of the batch. */
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

/* First statement of a kernel whose blocks have `matrices` matrices and at least as many threads */
template <bool PREFETCH, class T>
static __device__ __forceinline__ void pdl_begin(const batch_view<T> &A, int matrices)
{
  if (PREFETCH && (int)threadIdx.x < matrices)
    prefetch_matrix_l2(A, (int64_t)blockIdx.x * matrices + threadIdx.x);
  pdl_wait();
}

} // namespace bf
#endif
