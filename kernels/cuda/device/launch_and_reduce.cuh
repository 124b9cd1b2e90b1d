/* kernels/cuda/device/launch_and_reduce.cuh - base of every .cu file: types of the backend, errors,
 * launches, reductions
 *
 * Layout     one stream and one scratch buffer: kernels run one after another, so the partial sums and the
 *            ticket of a launch are free again for the next.
 * Order      sums are deterministic: every thread adds its own terms in order, a block adds its threads by
 *            a fixed tree, and the last block to arrive (found by an atomic ticket) adds the partial sums
 *            in the order of the blocks. No floating-point atomics.
 * Checked    tests/kernels/vector/t330_vector.c, tests/kernels/backend/t300_backend.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DEVICE_LAUNCH_AND_REDUCE_CUH
#define BF_KERNELS_CUDA_DEVICE_LAUNCH_AND_REDUCE_CUH
#include <cuda_runtime.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <type_traits>
extern "C" {
#include "kernels/matrix/matrix.h"
}

namespace bf
{

struct alignas(16) bf_flagged { /* grid_reduce_flagged.cuh */
  double             value;
  unsigned long long sequence;
};

struct bf_cuda_blas; /* syinv/blas.cu */

struct bf_cuda { /* bf_backend.impl */
  cudaStream_t stream;
  int          device, sms;
  bool wait;  /* BF_CUDA_SYNC=1: synchronise after every launch, so that an error is reported at its launch */
  bool watch; /* a scatter was queued since `violation` was read */
  int *violation;              /* device: 1 after a scatter to an entry outside the pattern */
  unsigned           *ticket;  /* device: 0 between launches */
  double             *partial; /* device */
  size_t              partial_bytes;
  cudaGraphExec_t     graph;        /* iterations of the run started last, or NULL: krylov/dispatch.cu */
  const void         *graph_key[4]; /* its matrix and vectors */
  bf_flagged         *reduce_slots; /* device, numbers at most *sequence */
  size_t              reduce_slot_bytes;
  unsigned long long *sequence; /* device: the last sequence number */
  void               *scratch;  /* device */
  size_t              scratch_bytes;
  unsigned            moved_memory; /* times that `partial`, `packets` or `scratch` got another place */
  void               *pinned[2];    /* host, pinned: staged_copy.cu */
  cudaEvent_t         moved[2];     /* pinned[k] may be used again */
  bf_cuda_blas       *blas;         /* handle of cuBLAS, or NULL */
};

static inline bf_cuda *bf_cuda_of(const bf_backend *be)
{
  return static_cast<bf_cuda *>(be->impl);
}

/* syinv/blas.cu, with BF_WITH_CUBLAS: destroys the handle of cuBLAS, if there is one. */
void bf_cuda_dense_close(bf_backend *be);

/* krylov/dispatch.cu: destroys the graph of the previous run. */
bf_err bf_cuda_drop_graph(bf_backend *be);

/* Operation `op` of the table, such as vector.dot, is the function bf_cuda_<name> of the table's own type,
 * with C linkage: the same function in every namespace. */
#define BF_CUDA_DECLARE(op, name) extern "C" std::remove_pointer_t<decltype(bf_ops::op)> bf_cuda_##name

/* BF_CUDA(call): bf_err of a CUDA call. BF_CUDA_LAUNCHED(be): of the last launch. */
bf_err bf_cuda_status(cudaError_t code, const char *call, const char *func, const char *file, int line);
bf_err bf_cuda_launched(bf_backend *be, const char *func, const char *file, int line);
#define BF_CUDA(call)        bf_cuda_status((call), #call, __func__, __FILE__, __LINE__)
#define BF_CUDA_LAUNCHED(be) bf_cuda_launched((be), __func__, __FILE__, __LINE__)

/* staged_copy.cu: copies queued on the stream; host to device returns when src may change, device to
 * host of large blocks when dst is complete. */
bf_err bf_cuda_transfer_open(bf_backend *be);
void   bf_cuda_transfer_close(bf_backend *be);
bf_err bf_cuda_transfer(bf_backend *be, void *dst, const void *src, size_t bytes, bf_dir dir);

/* vector/blas1.cu: dot[0] = w.y, dot[1] = y.y, for products whose rows are not completed by one kernel */
bf_err bf_cuda_dots(bf_backend *be, bf_int n, const double *w, const double *y, double *dot);

/* memory.cu */
bf_err bf_cuda_memory_open(bf_backend *be);
void   bf_cuda_memory_close(bf_backend *be);

/* Memory for `count` partial sums, or `bytes` of scratch; valid until the next request. */
bf_err bf_cuda_partials(bf_backend *be, int64_t count, double **partial);
bf_err bf_cuda_scratch(bf_backend *be, size_t bytes, void **p);
/* `count` slots whose numbers are at most **sequence */
bf_err bf_cuda_reduce_slots(bf_backend *be, int64_t count, bf_flagged **reduce_slots,
                            unsigned long long **sequence);

/* Blocks of a grid-stride loop over n entries that ends with a sum: enough to fill the device, few
 * enough for the last block to add them. At least 1, so that the step after the sum is executed for n =
 * 0. */
enum { BF_SUM_THREADS = 256 };
static inline int bf_cuda_sum_blocks(const bf_backend *be, int64_t n)
{
  const int64_t need = (n + 4 * BF_SUM_THREADS - 1) / (4 * BF_SUM_THREADS), most = 8 * bf_cuda_of(be)->sms;
  return (int)(need < 1 ? 1 : need < most ? need : most);
}
/* Parameters of such a launch, with memory for `sums` sums per block */
struct bf_sum_launch {
  int          blocks;
  double      *partial;
  unsigned    *ticket;
  cudaStream_t stream;
};
static inline bf_err bf_cuda_sum_launch(bf_backend *be, int64_t n, int sums, bf_sum_launch *s)
{
  const bf_cuda *cu = bf_cuda_of(be);
  *s                = {bf_cuda_sum_blocks(be, n), NULL, cu->ticket, cu->stream};
  return bf_cuda_partials(be, sums * (int64_t)s->blocks, &s->partial);
}
/* Grid-stride loop: thread t owns entries t, t + threads of the grid, ... */
#define BF_FOR_ENTRIES(i, n)                                                                                 \
  for (int64_t i = (int64_t)blockIdx.x * BF_SUM_THREADS + threadIdx.x; i < (n);                              \
       i += (int64_t)gridDim.x * BF_SUM_THREADS)

static inline unsigned bf_cuda_blocks(int64_t n, int per_block)
{
  return (unsigned)((n + per_block - 1) / per_block);
}

/* call(values) with the type of the values */
template <typename Call>
static void bf_cuda_with_values(void *values, bf_prec prec, Call call)
{
  if (prec == BF_FP64)
    call(static_cast<double *>(values));
  else
    call(static_cast<float *>(values));
}

/* v[j] of thread 0 = sum over the block; all threads of the block must call it. */
template <int N>
static __device__ __forceinline__ void bf_block_sum(double (&v)[N])
{
  __shared__ double warp_sum[N][32];
  const int         lane = (int)threadIdx.x & 31, warp = (int)threadIdx.x >> 5, warps = (int)blockDim.x >> 5;
#pragma unroll
  for (int j = 0; j < N; j++)
    for (int o = 16; o > 0; o >>= 1) v[j] += __shfl_down_sync(~0u, v[j], o);
  __syncthreads(); /* the array may still be read for an earlier sum */
#pragma unroll
  for (int j = 0; j < N; j++)
    if (lane == 0) warp_sum[j][warp] = v[j];
  __syncthreads();
  if (warp > 0) return;
#pragma unroll
  for (int j = 0; j < N; j++) {
    v[j] = lane < warps ? warp_sum[j][lane] : 0.0;
    for (int o = 16; o > 0; o >>= 1) v[j] += __shfl_down_sync(~0u, v[j], o);
  }
}

/* v[j] = sum over the grid, in exactly one thread of the grid, which returns true. partial[gridDim.x *
 * N]; *ticket is 0 before and after. */
template <int N>
static __device__ __forceinline__ bool bf_grid_sum(double (&v)[N], double *partial, unsigned *ticket)
{
  __shared__ bool last;
  bf_block_sum(v);
  if (threadIdx.x == 0) {
#pragma unroll
    for (int j = 0; j < N; j++) partial[(size_t)blockIdx.x * N + j] = v[j];
    __threadfence();
    last = atomicAdd(ticket, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return false;
  __threadfence();
#pragma unroll
  for (int j = 0; j < N; j++) v[j] = 0.0;
#pragma unroll 4
  for (size_t b = threadIdx.x; b < gridDim.x; b += blockDim.x)
#pragma unroll
    for (int j = 0; j < N; j++) v[j] += __ldcg(partial + b * N + j);
  bf_block_sum(v);
  if (threadIdx.x != 0) return false;
  *ticket = 0;
  return true;
}

/* Number of the segment of a node row: the last with row0 <= row */
static __device__ __forceinline__ int bf_find_segment(const bf_bdia_seg *seg, int nseg, bf_int row)
{
  int lo = 0, hi = nseg;
  while (hi - lo > 1) {
    const int mid = (lo + hi) / 2;
    if (__ldg(&seg[mid].row0) <= row)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

/* Base of a CSR row's column indices: 0, or with 16 bits the first row of its block */
template <typename C>
static __device__ __forceinline__ bf_int bf_column_base(int64_t row)
{
  return sizeof(C) == sizeof(bf_int) ? 0 : (bf_int)(row & ~(int64_t)(BF_CSR16_ROWS - 1));
}

/* Position of `value` in the ascending list a[0..n), or -1 */
template <typename C>
static __device__ __forceinline__ int bf_find(const C *__restrict__ a, int n, bf_int value)
{
  int lo = 0, hi = n;
  while (lo < hi) {
    const int    mid = (lo + hi) / 2;
    const bf_int m   = __ldg(a + mid);
    if (m == value) return mid;
    if (m < value)
      lo = mid + 1;
    else
      hi = mid;
  }
  return -1;
}

} // namespace bf
#endif
