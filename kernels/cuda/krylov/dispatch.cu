/* kernels/cuda/krylov/dispatch.cu - iterations of CG and BiCGStab: kernel variant by matrix
 *
 * Computes   `count` iterations. A banded matrix that fits on chip uses the persistent kernels
 *            (cg_persistent.cu, bicgstab_persistent.cu). Otherwise the product of a banded matrix leaves
 *            partial sums that the next kernel adds at its grid barrier: two kernels per iteration of CG,
 *            three of BiCGStab (bicgstab_three_kernel.cu).
 * Layout     many iterations are launched as a CUDA graph of GRAPH iterations; the graph belongs to the run
 *            started last.
 * Cost       see the variants.
 * Launch     the graph saves 1.5 us per iteration of CG. H200, 2026-11-22: 27-point grid 128^3, half: 120
 *            us per iteration, 123 without graph, 134 with separate kernels for sums, update and direction;
 *            band 101, n = 30000: 6.4 us (persistent) against 20.
 * Checked    tests/kernels/krylov/t344_fused_cg.c, t346_fused_bicgstab.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/krylov/bicgstab.cuh"
#include "kernels/cuda/krylov/cg.cuh"
#include "kernels/cuda/krylov/persistent.cuh"
#include "kernels/cuda/sparse/bdia_view.cuh"
#include <string.h>

namespace bf
{

enum { GRAPH = 8, MIN_FOR_GRAPH = 3 * GRAPH }; /* iterations */

/* One iteration of a method, kernel by kernel */
typedef bf_err (*iteration)(bf_backend *be, const bf_bdia *A, const void *work);

static bf_err cg_iteration(bf_backend *be, const bf_bdia *A, const void *work)
{
  const bf_cg_work *w = static_cast<const bf_cg_work *>(work);
  bf_cg_move        g = {};
  g.n                 = (int64_t)A->nrows * A->ncomp;
  g.x                 = w->x;
  g.r                 = w->r;
  g.p                 = w->p;
  g.q                 = w->q;
  g.dinv              = w->dinv;
  g.state             = w->state;
  g.history           = w->history;
  g.stride            = 2;
  BF_TRY(bf_cuda_bdia_product(be, A, w->p, w->q, w->p, w->state->dot, &g.partials));
  g.partial = bf_cuda_of(be)->partial;
  return bf_cuda_cg_move_partials(be, &g);
}

static bf_err bicgstab_iteration(bf_backend *be, const bf_bdia *A, const void *work)
{
  return bf_cuda_bicgstab_three_kernel(be, A, static_cast<const bf_bicgstab_work *>(work));
}

static bf_err iterations(bf_backend *be, const bf_bdia *A, iteration one, const void *work, int count)
{
  for (int k = 0; k < count; k++) BF_TRY(one(be, A, work));
  return BF_OK;
}

bf_err bf_cuda_drop_graph(bf_backend *be)
{
  bf_cuda *cu = bf_cuda_of(be);
  if (cu->graph) BF_TRY(BF_CUDA(cudaGraphExecDestroy(cu->graph)));
  cu->graph = NULL;
  return BF_OK;
}

/* Captures GRAPH iterations; scratch memory has its final size, because some iterations ran before. */
static bf_err record(bf_backend *be, const bf_bdia *A, iteration one, const void *work)
{
  bf_cuda    *cu    = bf_cuda_of(be);
  cudaGraph_t graph = NULL;
  BF_TRY(bf_cuda_drop_graph(be));
  BF_TRY(BF_CUDA(cudaStreamBeginCapture(cu->stream, cudaStreamCaptureModeThreadLocal)));
  bf_err err = iterations(be, A, one, work, GRAPH);
  if (err == BF_OK)
    err = BF_CUDA(cudaStreamEndCapture(cu->stream, &graph));
  else
    cudaStreamEndCapture(cu->stream, &graph);
  if (err == BF_OK) err = BF_CUDA(cudaGraphInstantiate(&cu->graph, graph, 0));
  if (graph) cudaGraphDestroy(graph);
  return err;
}

static bool banded(const bf_matrix *A)
{
  return A->nrows > 0 && (A->format == BF_FORMAT_BDIA || A->format == BF_FORMAT_DIA);
}

/* All of `count` iterations if the matrix is banded, unless they are done; `run`: state and vectors that
 * identify the run */
static bf_err queue(bf_backend *be, const bf_matrix *A, iteration one, const void *work,
                    const void *const run[3], int count, int *done)
{
  bf_cuda    *cu     = bf_cuda_of(be);
  const void *key[4] = {A->bdia, run[0], run[1], run[2]};
  if (*done > 0 || !banded(A)) return BF_OK;
  if (count >= MIN_FOR_GRAPH && !cu->wait) {
    if (!cu->graph || memcmp(cu->graph_key, key, sizeof key) != 0) {
      BF_TRY(iterations(be, A->bdia, one, work, GRAPH));
      *done = GRAPH;
      BF_TRY(record(be, A->bdia, one, work));
      memcpy(cu->graph_key, key, sizeof key);
    }
    for (; *done + GRAPH <= count; *done += GRAPH) BF_TRY(BF_CUDA(cudaGraphLaunch(cu->graph, cu->stream)));
  }
  BF_TRY(iterations(be, A->bdia, one, work, count - *done));
  *done = count;
  return BF_OK;
}

BF_CUDA_DECLARE(krylov.cg_steps, cg_steps);
bf_err bf_cuda_cg_steps(bf_backend *be, const bf_matrix *A, const bf_cg_work *w, int count, int *done)
{
  const void *run[3] = {w->state, w->x, w->p};
  BF_TRY(bf_cuda_cg_persistent(be, A, w, count, done));
  return queue(be, A, cg_iteration, w, run, count, done);
}

BF_CUDA_DECLARE(krylov.bicgstab_steps, bicgstab_steps);
bf_err bf_cuda_bicgstab_steps(bf_backend *be, const bf_matrix *A, const bf_bicgstab_work *w, int count,
                              int *done)
{
  const void *run[3] = {w->state, w->x, w->p};
  BF_TRY(bf_cuda_bicgstab_persistent(be, A, w, count, done));
  return w->y0 ? queue(be, A, bicgstab_iteration, w, run, count, done) : BF_OK;
}

} // namespace bf
