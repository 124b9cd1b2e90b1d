/* kernels/cuda/device/grid_reduce_flagged.cuh - reductions over the grid by values that carry a sequence
 * number
 *
 * Computes   sums over all blocks of a cooperative launch, available in every block.
 * Source     a single 16-byte store carries both value and flag (PTX ISA 8.3, .b128 ld and st, sm_70 on),
 *            as in decoupled look-back (Merrill, Garland 2016); own for all-reduce.
 * Layout     a slot is a double and a sequence number, read and written in one access. A reader polls until
 *            it finds the number it waits for, without fence or counter. Numbers only grow, so slots are
 *            never cleared; a slot is written again only after all blocks must have read it. The reduction
 *            is also a barrier: it ends when every block has arrived. All blocks must be resident
 *            (cooperative launch).
 * Cost       one store and gridDim.x loads of 16 bytes per block and sum, through L2; about 1 us (H200).
 * Checked    tests/kernels/krylov/t344_fused_cg.c, t346_fused_bicgstab.c, t350_large.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DEVICE_GRID_REDUCE_FLAGGED_CUH
#define BF_KERNELS_CUDA_DEVICE_GRID_REDUCE_FLAGGED_CUH
#include "kernels/cuda/device/launch_and_reduce.cuh"

namespace bf
{

/* Kernels with two passes over long vectors and a sum in between: one block of BF_MOVE_THREADS per
 * multiprocessor, which caches as many pairs of entries per thread as fit in shared memory */
enum { BF_MOVE_THREADS = 1024, BF_MOVE_SLOTS = 8192 };

/* cooperative_launch.cu: dynamic shared memory available to a block; cached pairs per thread for vectors
 * of n entries; cooperative launch of one block per multiprocessor */
bf_err bf_cuda_max_dynamic_shared(bf_backend *be, const void *kernel, size_t *bytes);
bf_err bf_cuda_cached_pairs(bf_backend *be, const void *kernel, int64_t n, int *cached);
bf_err bf_cuda_launch_cooperative(bf_backend *be, const void *kernel, int threads, size_t shared,
                                  void **parameters);
static inline size_t cached_bytes(int cached)
{
  return (size_t)cached * BF_MOVE_THREADS * sizeof(double2);
}

/* Pairs of entries of a vector */
static __device__ __forceinline__ double2 load_pair(const double *v, int64_t i)
{
  return reinterpret_cast<const double2 *>(v)[i];
}
static __device__ __forceinline__ double2 load_pair_streaming(const double *v,
                                                              int64_t i) /* streaming: not used again soon */
{
  return __ldcs(reinterpret_cast<const double2 *>(v) + i);
}
static __device__ __forceinline__ void store_pair(double *v, int64_t i, double2 value)
{
  reinterpret_cast<double2 *>(v)[i] = value;
}
static __device__ __forceinline__ void store_pair_streaming(double *v, int64_t i, double2 value)
{
  __stcs(reinterpret_cast<double2 *>(v) + i, value);
}

/* Entries of a thread: pairs t, t + threads of the grid, ...; an odd last entry belongs to the last
 * thread. */
struct pair_range {
  int64_t first, step, pairs;
  int     count;
  bool    odd;
};
static __device__ __forceinline__ pair_range pair_range_of(int64_t n)
{
  const int64_t step = (int64_t)gridDim.x * BF_MOVE_THREADS, pairs = n / 2;
  const int64_t first = (int64_t)blockIdx.x * BF_MOVE_THREADS + threadIdx.x;
  return {first, step, pairs, first < pairs ? (int)((pairs - 1 - first) / step) + 1 : 0,
          (n & 1) && first == step - 1};
}

static __device__ __forceinline__ void store_flagged(bf_flagged *to, double value,
                                                     unsigned long long sequence)
{
  asm volatile("{ .reg .b128 t; mov.b128 t, {%1, %2}; st.relaxed.gpu.global.b128 [%0], t; }" ::"l"(to),
               "l"(__double_as_longlong(value)), "l"(sequence)
               : "memory");
}

static __device__ __forceinline__ bool try_load_flagged(const bf_flagged *from, unsigned long long sequence,
                                                        double *value)
{
  long long          bits;
  unsigned long long found_sequence;
  asm volatile("{ .reg .b128 t; ld.relaxed.gpu.global.b128 t, [%2]; mov.b128 {%0, %1}, t; }"
               : "=l"(bits), "=l"(found_sequence)
               : "l"(from)
               : "memory");
  *value = __longlong_as_double(bits);
  return found_sequence == sequence;
}

static __device__ __forceinline__ double load_flagged(const bf_flagged *from, unsigned long long sequence)
{
  double value;
  while (!try_load_flagged(from, sequence, &value)) {}
  return value;
}

/* s[j] = sum over the lane's part of slots[count][N], in their order; the loads of a round are
 * unconditional and in flight together. */
template <int N>
static __device__ __forceinline__ void load_flagged_sum(const bf_flagged *slots, unsigned count,
                                                        unsigned long long sequence, double (&s)[N])
{
  enum { ROUND = 5 }; /* 160 blocks */
#pragma unroll
  for (int j = 0; j < N; j++) s[j] = 0.0;
  for (unsigned b = threadIdx.x & 31; b < count; b += 32 * ROUND) {
    double v[ROUND * N];
    bool   arrived[ROUND * N], all;
    do {
#pragma unroll
      for (int k = 0; k < ROUND * N; k++) {
        const unsigned from = min(b + 32 * (unsigned)(k / N), count - 1);
        arrived[k]          = try_load_flagged(slots + (size_t)from * N + k % N, sequence, &v[k]);
      }
      all = true;
#pragma unroll
      for (int k = 0; k < ROUND * N; k++) all &= arrived[k];
    } while (!all);
#pragma unroll
    for (int k = 0; k < ROUND * N; k++)
      if (b + 32 * (unsigned)(k / N) < count) s[k % N] += v[k];
  }
}

/* All-reduce: after(s) runs in one thread of every block with s[j] = sum of v[j] over the grid, in the
 * order of threads and blocks, so it is the same in every block; what after(s) writes to shared memory
 * is visible to all threads on return. Meanwhile the other warps of the block execute idle(thread,
 * threads). Warps from `used` on contribute nothing. slots[gridDim.x * N] */
template <int N, typename After, typename Idle>
static __device__ __forceinline__ void grid_all_reduce(double (&v)[N], int used, bf_flagged *slots,
                                                       unsigned long long sequence, After after, Idle idle)
{
  __shared__ double warp_sum[N][32];
  const int         lane = (int)threadIdx.x & 31, warp = (int)threadIdx.x >> 5;
  if (warp < used) {
#pragma unroll
    for (int j = 0; j < N; j++) {
      for (int o = 16; o > 0; o >>= 1) v[j] += __shfl_down_sync(~0u, v[j], o);
      if (lane == 0) warp_sum[j][warp] = v[j];
    }
  }
  __syncthreads();
  if (warp == 0) {
    double s[N];
#pragma unroll
    for (int j = 0; j < N; j++) {
      s[j] = lane < used ? warp_sum[j][lane] : 0.0;
      for (int o = 16; o > 0; o >>= 1) s[j] += __shfl_down_sync(~0u, s[j], o);
      if (lane == 0) store_flagged(slots + (size_t)blockIdx.x * N + j, s[j], sequence);
    }
    load_flagged_sum<N>(slots, gridDim.x, sequence, s);
#pragma unroll
    for (int j = 0; j < N; j++)
      for (int o = 16; o > 0; o >>= 1) s[j] += __shfl_down_sync(~0u, s[j], o);
    if (lane == 0) after(s);
  } else
    idle((int)threadIdx.x - 32, (int)blockDim.x - 32);
  __syncthreads();
}

/* The same for several sums without idle work: warp j polls for the j-th. slots[N * gridDim.x] */
template <int N, typename After>
static __device__ __forceinline__ void grid_all_reduce_warps(double (&v)[N], bf_flagged *slots,
                                                             unsigned long long sequence, After after)
{
  __shared__ double warp_sum[N][32], total[N];
  const int         lane = (int)threadIdx.x & 31, warp = (int)threadIdx.x >> 5, warps = (int)blockDim.x >> 5;
#pragma unroll
  for (int j = 0; j < N; j++) {
    for (int o = 16; o > 0; o >>= 1) v[j] += __shfl_down_sync(~0u, v[j], o);
    if (lane == 0) warp_sum[j][warp] = v[j];
  }
  __syncthreads();
  if (warp < N) {
    double s[1] = {lane < warps ? warp_sum[warp][lane] : 0.0};
    for (int o = 16; o > 0; o >>= 1) s[0] += __shfl_down_sync(~0u, s[0], o);
    slots += (size_t)warp * gridDim.x;
    if (lane == 0) store_flagged(slots + blockIdx.x, s[0], sequence);
    load_flagged_sum<1>(slots, gridDim.x, sequence, s);
    for (int o = 16; o > 0; o >>= 1) s[0] += __shfl_down_sync(~0u, s[0], o);
    if (lane == 0) total[warp] = s[0];
  }
  __syncthreads();
  if (threadIdx.x == 0) after(total);
  __syncthreads();
}

} // namespace bf
#endif
