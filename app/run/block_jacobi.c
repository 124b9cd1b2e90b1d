/* app/run/block_jacobi.c - preconditioner: block_jacobi of solver or eigensolver: parts of the nodes, memory
 * forecast of the blocks, log line and W503 (a block without an inverse) after the solve
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/precond/block_jacobi.h"
#include "app/analysis.h"
#include "base/memory.h"
#include "kernels/precond/coupling_graph.h"

static const bf_block_config *blocks(const bf_job *job)
{
  return job->analysis->blocks(job).config;
}

bf_prec bf_job_block_values(const bf_job *job)
{
  return blocks(job)->values;
}

bf_blocks_bytes bf_job_blocks_forecast(const bf_job *job, int on_device)
{
  const int     D = bf_model_ncomp(job->model);
  const int64_t n = (int64_t)job->num->nrows * D;
  if (job->analysis->precond(job) != BF_PRECOND_BLOCK_JACOBI) return (bf_blocks_bytes){0, 0};
  const bf_int m = blocks(job)->size, count = (bf_int)((n + m - 1) / m);
  return bf_blocks_forecast((bf_int)n, count, bf_block_largest(m, D), bf_job_block_values(job), on_device);
}

/* Along the couplings of the assembled matrix. */
static bf_err along_couplings(bf_job *job, const bf_graph *pattern, bf_int nodes)
{
  float *coupling = NULL;
  BF_TRY(bf_matrix_couplings(job->A, pattern, &coupling));
  const bf_err err =
      bf_partition_grow(pattern, coupling, nodes, BF_BLOCK_MOST / bf_model_ncomp(job->model), &job->parts);
  bf_host_free(coupling);
  BF_TRY(err);
  return BF_OK;
}

int bf_job_blocks_by_couplings(const bf_job *job)
{
  return !blocks(job)->metis;
}

bf_err bf_job_parts(bf_job *job)
{
  bf_err        err     = BF_OK;
  bf_graph     *pattern = NULL;
  const int     D = bf_model_ncomp(job->model), couplings = bf_job_blocks_by_couplings(job);
  const int64_t n  = (int64_t)job->num->nrows * D;
  const double  t0 = bf_seconds();
  if (job->analysis->precond(job) != BF_PRECOND_BLOCK_JACOBI) return BF_OK;
  const bf_int m = blocks(job)->size;
  BF_GO(bf_model_pattern(job->model, job->num, &pattern));
  if (couplings)
    BF_GO(along_couplings(job, pattern, m > D ? m / D : 1));
  else
    BF_GO(bf_partition_create(pattern, (bf_int)((n + m - 1) / m), BF_BLOCK_MOST / D, &job->parts));
  job->parts_seconds = bf_seconds() - t0;
  bf_phase_add(&job->phases, "blocks: partition", job->parts_seconds, 0.0, 0.0);
  bf_log_line(&job->log, "blocks    %d parts of about %d unknowns %s, %.2f s", (int)job->parts->count, (int)m,
              couplings ? "along the couplings" : "by METIS", job->parts_seconds);
done:
  bf_graph_destroy(&pattern);
  return err;
}

/* W503 */
static void singular(bf_job *job, const bf_blocks_report *b)
{
  const int      D       = bf_model_ncomp(job->model);
  const bf_int   node    = job->num->node[b->singular_row / D];
  const bf_mesh *m       = job->mesh;
  const double   none[3] = {0.0, 0.0, 0.0}, *x = node >= 0 ? &m->x[3 * (size_t)node] : none;
  bf_diag_add(
      &job->diags, BF_WARNING, 503, job->analysis->blocks(job).where,
      "%d of %d blocks have no inverse and were replaced by their diagonals; the first is that of node "
      "%lld at (%g, %g, %g)",
      (int)b->singular, (int)b->count, node >= 0 ? (long long)m->node_tag[node] : 0LL, x[0], x[1], x[2]);
}

void bf_job_blocks_done(bf_job *job)
{
  bf_blocks_report *b = &job->solve.blocks;
  char              text[24];
  if (b->count == 0) return;
  b->partition_seconds = job->parts_seconds;
  bf_bytes_text((double)b->bytes, text);
  bf_log_line(&job->log,
              "          %d blocks of %d to %d unknowns inverted in %.3g s, %s in %s, condition up to %.2g",
              (int)b->count, (int)b->smallest, (int)b->largest, b->seconds, text, b->values, b->condition);
  if (b->singular > 0) singular(job, b);
}
