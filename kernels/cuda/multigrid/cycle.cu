/* kernels/cuda/multigrid/cycle.cu - vector operations of the multigrid cycle and its set-up
 *
 * Computes   multigrid/ops.h, struct bf_mg_cycle_ops.
 * Source     J. Lottes, "Optimal polynomial smoothers for multigrid V-cycles", Numer. Linear Algebra Appl. 30
 *            (2023) e2518, doi 10.1002/nla.2518 (the steps).
 * Layout     plain arrays; X by rows.
 * Cost       each entry of each vector is read and written once; coarsest: n^2 values.
 * Launch     vectors: grid-stride loops of 256 threads; coarsest: a warp per row.
 * Checked    tests/solvers/t430_multigrid_cycle.c, t431_smoother_steps.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/multigrid/multigrid.cuh"
#include "kernels/cuda/sparse/bdia_view.cuh"
#include <new>
extern "C" {
#include "kernels/krylov/state.h"
#include "kernels/multigrid/hash_noise.h"
#include "kernels/multigrid/jump.h"
#include "kernels/multigrid/step_row.h"
}

struct bf_mg_recorded {
  cudaGraphExec_t exec;
  unsigned        memory; /* bf_cuda.moved_memory when it was recorded */
};

namespace bf
{
namespace
{

enum { THREADS = BF_SUM_THREADS, WARPS = THREADS / 32 };

int stride_blocks(const bf_backend *be, int64_t n)
{
  const int64_t need = (n + THREADS - 1) / THREADS, most = 16 * (int64_t)bf_cuda_of(be)->sms;
  return (int)(need < most ? need : most);
}

/* Calls entry(i) for i < n, a thread per entry. */
template <typename Entry>
__global__ void __launch_bounds__(THREADS) for_entries(int64_t n, Entry entry)
{
  BF_FOR_ENTRIES(i, n) entry(i);
}

template <typename Entry>
bf_err launch(bf_backend *be, int64_t n, Entry entry)
{
  if (n <= 0) return BF_OK;
  for_entries<<<stride_blocks(be, n), THREADS, 0, bf_cuda_of(be)->stream>>>(n, entry);
  return BF_CUDA_LAUNCHED(be);
}

struct step_entry {
  bf_mg_step      s;
  const double   *y;
  __device__ void operator()(int64_t i) const
  {
    bf_mg_step_row(&s, i, y ? y[i] : 0.0);
  }
};

struct noise_entry {
  int             ncomp, salt;
  double         *v;
  __device__ void operator()(int64_t i) const
  {
    v[i] = bf_hash_noise(i / ncomp, (int)(i % ncomp), salt);
  }
};

struct decoupled_entry {
  const double   *d, *v, *y;
  uint8_t        *flag;
  __device__ void operator()(int64_t i) const
  {
    flag[i] = y[i] == d[i] * v[i];
  }
};

struct root_entry {
  const double   *d;
  const uint8_t  *flag;
  double         *s;
  int            *bad;
  __device__ void operator()(int64_t i) const
  {
    const bool good = d[i] > 0.0 && isfinite(d[i]);
    if (!good && !flag[i]) *bad = 1;
    s[i] = good ? sqrt(1.0 / d[i]) : 1.0;
  }
};

struct near_null_entry {
  int             ncomp, q;
  int64_t         n;
  const double   *x;
  const uint8_t  *flag;
  double         *modes;
  __device__ void operator()(int64_t row) const
  {
    const int64_t node = row / ncomp;
    const double *at   = x ? x + 3 * node : nullptr;
    for (int m = 0; m < q; m++)
      modes[m * n + row] = flag[row] ? 0.0 : bf_near_null_value(ncomp, at, (int)(row % ncomp), m);
  }
};

/* Positive doubles are ordered as their bits: the result does not depend on the order. */
struct jump_entry {
  bf_int              n[3];
  int                 ncomp;
  const double       *d;
  const uint8_t      *flag;
  unsigned long long *most;
  __device__ void     operator()(int64_t row) const
  {
    const double q = bf_mg_jump(n, ncomp, d, flag, row);
    if (q > 2.0) atomicMax(most, (unsigned long long)__double_as_longlong(q));
  }
};

__global__ void set_value(double *to, double value)
{
  *to = value;
}

struct centre_entry {
  double          middle[3], by;
  double         *x;
  __device__ void operator()(int64_t i) const
  {
    double    *at   = x + 3 * i;
    const bool node = isfinite(at[0]);
    for (int a = 0; a < 3; a++) at[a] = node ? by * (at[a] - middle[a]) : 0.0;
  }
};

struct scale_entry {
  const double   *s, *x;
  double         *y;
  __device__ void operator()(int64_t i) const
  {
    y[i] = s[i] * x[i];
  }
};

struct scale_both_entry {
  int64_t         n;
  const double   *s;
  double          shift;
  double         *X;
  __device__ void operator()(int64_t e) const
  {
    const int64_t i = e / n, j = e % n;
    X[e] = s[i] * s[j] * X[e] + (i == j ? shift : 0.0);
  }
};

__global__ void __launch_bounds__(THREADS)
    dense_product(bf_int n, const double *X, const double *x, double *y)
{
  const int64_t row  = (int64_t)blockIdx.x * WARPS + threadIdx.x / 32;
  const int     lane = (int)threadIdx.x % 32;
  if (row >= n) return;
  const double *a      = X + row * n;
  double        sum[4] = {0.0, 0.0, 0.0, 0.0};
  bf_int        j      = lane;
  for (; j + 96 < n; j += 128)
#pragma unroll
    for (int k = 0; k < 4; k++) sum[k] += __ldg(a + j + 32 * k) * __ldg(x + j + 32 * k);
  for (; j < n; j += 32) sum[0] += __ldg(a + j) * __ldg(x + j);
  double s = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(~0u, s, o);
  if (lane == 0) y[row] = s;
}

bf_err step(bf_backend *be, bf_int n, const bf_mg_step *s, const double *y)
{
  return launch(be, n, step_entry{*s, y});
}

/* Banded matrices and block rows; others complete a row in more than one kernel or format of row. */
bf_err product_step(bf_backend *be, const bf_matrix *A, const bf_block_rows *rows, const double *v,
                    const bf_mg_step *s, int *done)
{
  *done = !A || ((A->format == BF_FORMAT_BDIA || A->format == BF_FORMAT_DIA) && !A->rest);
  if (!*done) return BF_OK;
  return A ? bf_cuda_bdia_step(be, A->bdia, v, *s) : bf_cuda_block_step(be, rows, v, *s);
}

bf_err noise(bf_backend *be, bf_int n, int ncomp, int salt, double *v)
{
  return launch(be, n, noise_entry{ncomp, salt, v});
}

bf_err decoupled(bf_backend *be, bf_int n, const double *d, const double *v, const double *y, uint8_t *flag)
{
  return launch(be, n, decoupled_entry{d, v, y, flag});
}

bf_err root(bf_backend *be, bf_int n, const double *d, const uint8_t *flag, double *s, int *bad)
{
  BF_TRY(BF_CUDA(cudaMemsetAsync(bad, 0, sizeof *bad, bf_cuda_of(be)->stream)));
  return launch(be, n, root_entry{d, flag, s, bad});
}

bf_err near_null(bf_backend *be, bf_int nodes, int ncomp, const double *x, const uint8_t *flag, double *modes)
{
  const int64_t n = (int64_t)nodes * ncomp;
  return launch(be, n, near_null_entry{ncomp, bf_near_null_count(ncomp, x != nullptr), n, x, flag, modes});
}

bf_err jump(bf_backend *be, const bf_int n[3], int ncomp, const double *d, const uint8_t *flag, double *most)
{
  set_value<<<1, 1, 0, bf_cuda_of(be)->stream>>>(most, 1.0);
  BF_TRY(BF_CUDA_LAUNCHED(be));
  return launch(be, (int64_t)n[0] * n[1] * n[2] * ncomp,
                jump_entry{{n[0], n[1], n[2]}, ncomp, d, flag, reinterpret_cast<unsigned long long *>(most)});
}

bf_err centre(bf_backend *be, bf_int nodes, const double middle[3], double by, double *x)
{
  return launch(be, nodes, centre_entry{{middle[0], middle[1], middle[2]}, by, x});
}

bf_err scale(bf_backend *be, bf_int n, const double *s, const double *x, double *y)
{
  return launch(be, n, scale_entry{s, x, y});
}

bf_err scale_both(bf_backend *be, bf_int n, const double *s, double shift, double *X)
{
  return launch(be, (int64_t)n * n, scale_both_entry{n, s, shift, X});
}

/* What queue() queues is added to `graph`, or becomes *fresh where that is NULL. */
bf_err capture(const bf_cuda *cu, bf_err (*queue)(void *context), void *context, cudaGraph_t graph,
               cudaGraph_t *fresh)
{
  cudaGraph_t made = NULL;
  BF_TRY(graph ? BF_CUDA(cudaStreamBeginCaptureToGraph(cu->stream, graph, NULL, NULL, 0,
                                                       cudaStreamCaptureModeThreadLocal))
               : BF_CUDA(cudaStreamBeginCapture(cu->stream, cudaStreamCaptureModeThreadLocal)));
  bf_err            err    = queue(context);
  const cudaError_t ending = cudaStreamEndCapture(cu->stream, &made);
  if (err == BF_OK) err = BF_CUDA(ending);
  if (fresh) *fresh = made;
  return err;
}

#if CUDART_VERSION >= 13000
__global__ void decide(cudaGraphConditionalHandle handle, const bf_krylov_state *st)
{
  cudaGraphSetConditional(handle, st->status == BF_KRYLOV_RUNNING && !(st->rr <= st->rr_stop));
}

/* A graph that decides by the state whether it does what is queued. */
bf_err conditional(const bf_cuda *cu, bf_err (*queue)(void *context), void *context,
                   const bf_krylov_state *st, cudaGraph_t graph)
{
  cudaGraphConditionalHandle handle;
  cudaGraphNode_t            first, body;
  cudaKernelNodeParams       kernel = {};
  cudaGraphNodeParams        node   = {};
  BF_TRY(BF_CUDA(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0)));
  void *arguments[]       = {&handle, &st};
  kernel.func             = reinterpret_cast<void *>(decide);
  kernel.gridDim          = dim3(1);
  kernel.blockDim         = dim3(1);
  kernel.kernelParams     = arguments;
  node.type               = cudaGraphNodeTypeConditional;
  node.conditional.handle = handle;
  node.conditional.type   = cudaGraphCondTypeIf;
  node.conditional.size   = 1;
  BF_TRY(BF_CUDA(cudaGraphAddKernelNode(&first, graph, NULL, 0, &kernel)));
  BF_TRY(BF_CUDA(cudaGraphAddNode(&body, graph, &first, NULL, 1, &node)));
  return capture(cu, queue, context, node.conditional.phGraph_out[0], NULL);
}
#endif

/* exec with the condition; NULL where this CUDA has none or does not take the kernels. */
void with_condition(const bf_cuda *cu, bf_err (*queue)(void *context), void *context,
                    const bf_krylov_state *st, cudaGraphExec_t *exec)
{
  *exec = NULL;
#if CUDART_VERSION >= 13000
  cudaGraph_t graph = NULL;
  if (cudaGraphCreate(&graph, 0) != cudaSuccess) return;
  if (conditional(cu, queue, context, st, graph) == BF_OK &&
      cudaGraphInstantiate(exec, graph, 0) != cudaSuccess)
    *exec = NULL;
  cudaGraphDestroy(graph);
  cudaGetLastError(); /* clears it */
#else
  (void)cu, (void)queue, (void)context, (void)st;
#endif
}

/* A cycle of many short kernels: one launch in place of forty to eighty. */
bf_err record(bf_backend *be, bf_err (*queue)(void *context), void *context, const bf_krylov_state *st,
              bf_mg_recorded **out)
{
  const bf_cuda *cu    = bf_cuda_of(be);
  cudaGraph_t    graph = NULL;
  *out                 = NULL;
  if (cu->wait) return BF_OK; /* every launch is waited for */
  bf_mg_recorded *g = new (std::nothrow) bf_mg_recorded{NULL, cu->moved_memory};
  BF_CHECK(g, BF_E_MEMORY, "no memory for a graph");
  bf_err err = BF_OK;
  if (st) with_condition(cu, queue, context, st, &g->exec);
  if (!g->exec) err = capture(cu, queue, context, NULL, &graph);
  if (!g->exec && err == BF_OK) err = BF_CUDA(cudaGraphInstantiate(&g->exec, graph, 0));
  if (graph) cudaGraphDestroy(graph);
  if (err == BF_OK)
    *out = g;
  else
    delete g;
  return err;
}

bf_err replay(bf_backend *be, const bf_mg_recorded *g, int *valid)
{
  const bf_cuda *cu = bf_cuda_of(be);
  *valid            = g->memory == cu->moved_memory;
  return *valid ? BF_CUDA(cudaGraphLaunch(g->exec, cu->stream)) : BF_OK;
}

void forget(bf_backend *be, bf_mg_recorded **g)
{
  if (!*g) return;
  cudaStreamSynchronize(bf_cuda_of(be)->stream);
  cudaGraphExecDestroy((*g)->exec);
  delete *g;
  *g = NULL;
}

bf_err coarsest(bf_backend *be, bf_int n, const double *X, const double *x, double *y)
{
  if (n <= 0) return BF_OK;
  dense_product<<<bf_cuda_blocks(n, WARPS), THREADS, 0, bf_cuda_of(be)->stream>>>(n, X, x, y);
  return BF_CUDA_LAUNCHED(be);
}

} /* namespace */

extern "C" {
extern const bf_mg_cycle_ops bf_cuda_mg_cycle;
const bf_mg_cycle_ops        bf_cuda_mg_cycle = {.step          = step,
                                                 .product_step  = product_step,
                                                 .noise         = noise,
                                                 .lanczos_start = bf_cuda_lanczos_start,
                                                 .lanczos_step  = bf_cuda_lanczos_step,
                                                 .decoupled     = decoupled,
                                                 .root          = root,
                                                 .near_null     = near_null,
                                                 .jump          = jump,
                                                 .centre        = centre,
                                                 .scale         = scale,
                                                 .scale_both    = scale_both,
                                                 .record        = record,
                                                 .replay        = replay,
                                                 .forget        = forget,
                                                 .coarsest      = coarsest};
}

} // namespace bf
