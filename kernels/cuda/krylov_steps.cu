/* kernels/cuda/krylov_steps.cu - whole iterations: which way for which matrix
 *
 * A banded matrix that fits on the chip stays there (cg_small.cu, bicgstab_small.cu); the others are read
 * once a product. In CG the product of a banded matrix leaves the sums p.q in parts, which cg_move adds up
 * where it waits for everybody anyhow: two kernels an iteration. Where many iterations are asked for they are
 * queued as a graph of GRAPH iterations, which spares the device 1.5 us an iteration between kernels; the
 * graph belongs to the run that cg_begin opened. H200, 2026-11-22: 27-point grid 128^3, half: 120 us an
 * iteration, 123 without graph, 134 with sums, update and direction as kernels of their own; band 101, n =
 * 30000: 6.4 us against 20.
 */
#include "kernels/cuda/bdia.cuh"
#include "kernels/cuda/cg.cuh"
#include "kernels/cuda/small.cuh"
#include <string.h>

enum { GRAPH = 8, WORTH = 3 * GRAPH }; /* iterations */

static bf_err two_kernels(bf_backend *be, const bf_bdia *A, const bf_cg_work *w, int count)
{
  for (int k = 0; k < count; k++) {
    bf_cg_move g = {};
    g.n          = (int64_t)A->nrows * A->ncomp;
    g.x          = w->x;
    g.r          = w->r;
    g.p          = w->p;
    g.q          = w->q;
    g.dinv       = w->dinv;
    g.state      = w->state;
    g.history    = w->history;
    g.stride     = 2;
    BF_TRY(bf_cuda_bdia_product(be, A, w->p, w->q, w->p, w->state->dot, &g.partials));
    g.partial = bf_cuda_of(be)->partial;
    BF_TRY(bf_cuda_cg_move_partials(be, &g));
  }
  return BF_OK;
}

/* Records GRAPH iterations; scratch memory has its size, because some ran before. */
static bf_err record(bf_backend *be, const bf_bdia *A, const bf_cg_work *w)
{
  bf_cuda    *cu    = bf_cuda_of(be);
  const void *of[4] = {A, w->state, w->x, w->p};
  cudaGraph_t graph = NULL;
  if (cu->graph) BF_TRY(BF_CUDA(cudaGraphExecDestroy(cu->graph)));
  cu->graph = NULL;
  BF_TRY(BF_CUDA(cudaStreamBeginCapture(cu->stream, cudaStreamCaptureModeThreadLocal)));
  bf_err err = two_kernels(be, A, w, GRAPH);
  if (err == BF_OK)
    err = BF_CUDA(cudaStreamEndCapture(cu->stream, &graph));
  else
    cudaStreamEndCapture(cu->stream, &graph);
  if (err == BF_OK) err = BF_CUDA(cudaGraphInstantiate(&cu->graph, graph, 0));
  if (graph) cudaGraphDestroy(graph);
  memcpy(cu->graph_of, of, sizeof of);
  return err;
}

static bool recorded(const bf_cuda *cu, const bf_bdia *A, const bf_cg_work *w)
{
  const void *of[4] = {A, w->state, w->x, w->p};
  return cu->graph && memcmp(cu->graph_of, of, sizeof of) == 0;
}

BF_CUDA_DECLARE(cg_steps);
bf_err bf_cuda_cg_steps(bf_backend *be, const bf_matrix *A, const bf_cg_work *w, int count, int *done)
{
  const bf_cuda *cu = bf_cuda_of(be);
  BF_TRY(bf_cuda_cg_small(be, A, w, count, done));
  if (*done > 0 || A->nrows == 0) return BF_OK;
  if (A->format != BF_FORMAT_BDIA && A->format != BF_FORMAT_DIA) return BF_OK;
  if (count >= WORTH && !cu->wait) {
    if (!recorded(cu, A->bdia, w)) {
      BF_TRY(two_kernels(be, A->bdia, w, GRAPH));
      *done = GRAPH;
      BF_TRY(record(be, A->bdia, w));
    }
    for (; *done + GRAPH <= count; *done += GRAPH) BF_TRY(BF_CUDA(cudaGraphLaunch(cu->graph, cu->stream)));
  }
  BF_TRY(two_kernels(be, A->bdia, w, count - *done));
  *done = count;
  return BF_OK;
}

BF_CUDA_DECLARE(bicgstab_steps);
bf_err bf_cuda_bicgstab_steps(bf_backend *be, const bf_matrix *A, const bf_bicgstab_work *w, int count,
                              int *done)
{
  return bf_cuda_bicgstab_small(be, A, w, count, done);
}
