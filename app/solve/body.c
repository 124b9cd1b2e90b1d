/* app/solve/body.c - --components and --coordinates: what multigrid needs to know of the nodes behind the
 * rows */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include "app/solve/mtx.h"
#include "base/memory.h"
#include <math.h>

/* A node order as an order of its rows. */
bf_err bf_mtx_order_nodes(const bf_graph *nodes, int D, bf_int *order)
{
  bf_int *node = NULL;
  BF_TRY(BF_NEW_ARRAY(node, (size_t)nodes->n));
  const bf_err err = bf_graph_rcm(nodes, node);
  for (bf_int k = 0; err == BF_OK && k < nodes->n; k++)
    for (int c = 0; c < D; c++) order[k * D + c] = node[k] * D + c;
  bf_host_free(node);
  return err;
}

bf_err bf_mtx_check_components(bf_mtx_job *job)
{
  const int D = job->opt.components;
  if (job->S->nrows % D == 0) return BF_OK;
  bf_diag_add(&job->diags, BF_ERROR, 226, (bf_where){.file = job->opt.path},
              "--components %d: the matrix has %d rows, not a multiple of %d", D, job->S->nrows, D);
  return BF_FAIL(BF_E_MODEL, "rows are not whole nodes");
}

static bf_err refuse(bf_mtx_job *job, const bf_mtx *M)
{
  const int D = job->opt.components;
  bf_diag_add(&job->diags, BF_ERROR, 231, (bf_where){job->opt.coordinates, M->size_line, 1},
              "the coordinates are %d x %d, expected %d x %d: one row per node, one column per component",
              M->nrows, M->ncols, job->S->nrows / D, D);
  return BF_FAIL(BF_E_MODEL, "the coordinates do not fit the matrix");
}

bf_err bf_mtx_coordinates(bf_mtx_job *job)
{
  bf_err        err   = BF_OK;
  bf_mtx       *M     = NULL;
  double       *x     = NULL;
  const int     D     = job->opt.components;
  const bf_int *order = job->numbering[job->candidates.item[job->chosen].layout].order;
  const bf_int  nodes = job->S->nrows / D;
  if (!job->opt.coordinates) return BF_OK;
  BF_GO(bf_mtx_read(job->opt.coordinates, &job->diags, &M));
  if (M->nrows != nodes || M->ncols != D) BF_GO(refuse(job, M));
  BF_GO(bf_mtx_expand(M));
  BF_GO(BF_NEW_ARRAY(x, 3 * (size_t)nodes));
  BF_GO(BF_NEW_ARRAY(job->x_node, 3 * (size_t)nodes));
  for (int64_t k = 0; k < M->nentries; k++) x[3 * (size_t)M->row[k] + (size_t)M->col[k]] += M->val[k];
  for (bf_int k = 0; k < nodes; k++)
    for (int a = 0; a < 3; a++)
      job->x_node[3 * (size_t)k + (size_t)a] = x[3 * (size_t)(order ? order[k * D] / D : k) + (size_t)a];
  bf_log_line(&job->log, "nodes     %d with %d components, coordinates %s", nodes, D, job->opt.coordinates);
done:
  bf_mtx_destroy(&M);
  bf_host_free(x);
  return err;
}
