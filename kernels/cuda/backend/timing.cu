/* kernels/cuda/backend/timing.cu - timing by events and graphs, and a read-only kernel; see
 * kernels/timing.h
 *
 * Computes   median times of a function; reads of an array.
 * Source     CUDA programming guide, events and graphs.
 * Cost       read kernel: n bytes.
 * Launch     read_all: 1024 blocks of 256 threads; read_words: READ_DEPTH 16-byte words per thread.
 * Checked    tests/tools/t353_bench.py.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/launch_and_reduce.cuh"
#include "kernels/timing.h"
#include <algorithm>
#include <vector>

namespace bf
{

enum { THREADS = 256, READ_THREADS = 512, READ_DEPTH = 4, ENOUGH_MS = 20 };

/* Reads n values: after they were written the caches then hold clean lines, so that the next kernel
 * neither finds its own data nor has to write back these. */
static __global__ void read_all(size_t n, const double *p, double *out)
{
  double s = 0.0;
  for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += (size_t)gridDim.x * THREADS)
    s += p[i];
  if (s == 1.0) *out = s; /* never: the bytes are all equal */
}

extern "C" bf_err bf_bench_time(bf_backend *be, bf_err (*fn)(void *context), void *context, int reps,
                                size_t flush_bytes, double *median, double *least)
{
  BF_CHECK(be && fn && reps > 0 && median && least && be->ops.on_device, BF_E_ARG, "bench: bad argument");
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  std::vector<float> ms((size_t)reps);
  cudaEvent_t        begin = NULL, end = NULL;
  void              *flush = NULL;
  bf_err             err   = BF_OK;
  BF_GO(BF_CUDA(cudaEventCreate(&begin)));
  BF_GO(BF_CUDA(cudaEventCreate(&end)));
  if (flush_bytes > 0) BF_GO(BF_CUDA(cudaMalloc(&flush, flush_bytes)));
  for (int i = -2; i < reps; i++) {
    if (flush) {
      double *f = static_cast<double *>(flush);
      BF_GO(BF_CUDA(cudaMemsetAsync(f, i & 63, flush_bytes, stream)));
      read_all<<<1024, THREADS, 0, stream>>>(flush_bytes / sizeof *f, f, f);
    }
    BF_GO(BF_CUDA(cudaEventRecord(begin, stream)));
    BF_GO(fn(context));
    BF_GO(BF_CUDA(cudaEventRecord(end, stream)));
    BF_GO(BF_CUDA(cudaEventSynchronize(end)));
    if (i >= 0) BF_GO(BF_CUDA(cudaEventElapsedTime(&ms[(size_t)i], begin, end)));
  }
  std::sort(ms.begin(), ms.end());
  *median = 1e-3 * 0.5 * ((double)ms[(size_t)(reps - 1) / 2] + (double)ms[(size_t)reps / 2]);
  *least  = 1e-3 * (double)ms[0];
done:
  cudaFree(flush);
  if (begin) cudaEventDestroy(begin);
  if (end) cudaEventDestroy(end);
  return err;
}

extern "C" bf_err bf_bench_time_graph(bf_backend *be, bf_err (*fn)(void *context), void *context, int reps,
                                      int calls, double *median)
{
  BF_CHECK(be && fn && reps > 0 && calls > 0 && median && be->ops.on_device, BF_E_ARG, "bench: bad argument");
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  std::vector<float> ms((size_t)reps);
  cudaEvent_t        begin = NULL, end = NULL;
  cudaGraph_t        graph = NULL;
  cudaGraphExec_t    exec  = NULL;
  bf_err             err   = BF_OK;
  BF_GO(fn(context)); /* its first allocations are done */
  BF_GO(BF_CUDA(cudaEventCreate(&begin)));
  BF_GO(BF_CUDA(cudaEventCreate(&end)));
  BF_GO(BF_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal)));
  for (int i = 0; i < calls && err == BF_OK; i++) err = fn(context);
  if (BF_CUDA(cudaStreamEndCapture(stream, &graph)) != BF_OK) err = BF_E_DEVICE;
  BF_GO(err);
  BF_GO(BF_CUDA(cudaGraphInstantiate(&exec, graph, 0)));
  for (int i = -2; i < reps; i++) {
    BF_GO(BF_CUDA(cudaEventRecord(begin, stream)));
    BF_GO(BF_CUDA(cudaGraphLaunch(exec, stream)));
    BF_GO(BF_CUDA(cudaEventRecord(end, stream)));
    BF_GO(BF_CUDA(cudaEventSynchronize(end)));
    if (i >= 0) BF_GO(BF_CUDA(cudaEventElapsedTime(&ms[(size_t)i], begin, end)));
  }
  std::sort(ms.begin(), ms.end());
  *median = 1e-3 * (double)ms[(size_t)reps / 2] / calls;
done:
  if (exec) cudaGraphExecDestroy(exec);
  if (graph) cudaGraphDestroy(graph);
  if (begin) cudaEventDestroy(begin);
  if (end) cudaEventDestroy(end);
  return err;
}

/* One graph of `calls` calls, or none if something in them cannot be captured */
static bf_err capture(bf_backend *be, bf_err (*run)(void *), void *context, int calls, cudaGraphExec_t *exec)
{
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  cudaGraph_t        graph  = NULL;
  bf_err             err    = BF_OK;
  *exec                     = NULL;
  BF_TRY(BF_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal)));
  for (int i = 0; i < calls && err == BF_OK; i++) err = run(context);
  if (cudaStreamEndCapture(stream, &graph) == cudaSuccess && err == BF_OK)
    err = BF_CUDA(cudaGraphInstantiate(exec, graph, 0));
  (void)cudaGetLastError();
  if (graph) cudaGraphDestroy(graph);
  return BF_OK;
}

extern "C" bf_err bf_bench_time_fresh(bf_backend *be, bf_err (*prepare)(void *context),
                                      bf_err (*run)(void *context), void *context, int calls, int reps,
                                      double *median)
{
  BF_CHECK(be && prepare && run && calls > 0 && reps > 0 && median && be->ops.on_device, BF_E_ARG,
           "bench: bad argument");
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const size_t       room   = (size_t)256 << 20;
  std::vector<float> ms;
  double             total = 0.0; /* ms */
  cudaEvent_t        begin = NULL, end = NULL;
  cudaGraphExec_t    exec  = NULL;
  double            *flush = NULL;
  bf_err             err   = BF_OK;
  BF_GO(BF_CUDA(cudaEventCreate(&begin)));
  BF_GO(BF_CUDA(cudaEventCreate(&end)));
  BF_GO(BF_CUDA(cudaMalloc(&flush, room)));
  if (calls > 1) BF_GO(capture(be, run, context, calls, &exec));
  for (int i = 0; i < reps && (i < 3 || total < ENOUGH_MS); i++) {
    float t;
    BF_GO(prepare(context));
    BF_GO(BF_CUDA(cudaMemsetAsync(flush, i & 63, room, stream)));
    read_all<<<1024, THREADS, 0, stream>>>(room / sizeof *flush, flush, flush);
    BF_GO(BF_CUDA(cudaEventRecord(begin, stream)));
    if (exec)
      BF_GO(BF_CUDA(cudaGraphLaunch(exec, stream)));
    else
      for (int k = 0; k < calls; k++) BF_GO(run(context));
    BF_GO(BF_CUDA(cudaEventRecord(end, stream)));
    BF_GO(BF_CUDA(cudaEventSynchronize(end)));
    BF_GO(BF_CUDA(cudaEventElapsedTime(&t, begin, end)));
    ms.push_back(t);
    total += (double)t;
  }
  std::sort(ms.begin(), ms.end());
  *median = 1e-3 * (double)ms[ms.size() / 2] / calls;
done:
  if (exec) cudaGraphExecDestroy(exec);
  cudaFree(flush);
  if (begin) cudaEventDestroy(begin);
  if (end) cudaEventDestroy(end);
  return err;
}

/* A block reads READ_DEPTH 16-byte words per thread. */
static __global__ void __launch_bounds__(READ_THREADS)
    read_words(size_t n, const double2 *__restrict__ p, double *out)
{
  const size_t first = (size_t)blockIdx.x * READ_THREADS * READ_DEPTH + threadIdx.x;
  double       s     = 0.0;
  double2      v[READ_DEPTH];
#pragma unroll
  for (int k = 0; k < READ_DEPTH; k++) {
    const size_t i = first + (size_t)k * READ_THREADS;
    v[k]           = i < n ? __ldcs(p + i) : make_double2(0.0, 0.0);
  }
#pragma unroll
  for (int k = 0; k < READ_DEPTH; k++) s += v[k].x + v[k].y;
  if (s == 1e-300) *out = s; /* never */
}

extern "C" bf_err bf_bench_read(bf_backend *be, size_t bytes, const void *p, void *out)
{
  const size_t n = bytes / sizeof(double2);
  BF_CHECK(be && p && out && be->ops.on_device, BF_E_ARG, "bench: bad argument");
  read_words<<<bf_cuda_blocks((int64_t)n, READ_THREADS * READ_DEPTH), READ_THREADS, 0,
               bf_cuda_of(be)->stream>>>(n, static_cast<const double2 *>(p), static_cast<double *>(out));
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
