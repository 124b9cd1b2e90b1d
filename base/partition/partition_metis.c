/* base/partition/partition_metis.c - see partition.h: METIS
 *
 * METIS 5 divides by log2(count), so a single part is made here. It prints messages about invalid input, so
 * the graph is checked first.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/partition/partition.h"
#include <metis.h>

typedef struct input { /* input and output of METIS */
  idx_t *ptr, *adj, *part;
} input;

static void clear(input *in)
{
  bf_host_free(in->ptr);
  bf_host_free(in->adj);
  bf_host_free(in->part);
}

static int has_edge(const bf_graph *g, bf_int from, bf_int to)
{
  int64_t lo = g->ptr[from], hi = g->ptr[from + 1];
  while (lo < hi) {
    const int64_t mid = lo + (hi - lo) / 2;
    if (g->adj[mid] == to) return 1;
    if (g->adj[mid] < to)
      lo = mid + 1;
    else
      hi = mid;
  }
  return 0;
}

/* The edges without loops. */
static bf_err edges(const bf_graph *g, input *in)
{
  const int64_t most = g->ptr[g->n];
  BF_CHECK(most <= IDX_MAX, BF_E_ARG, "a graph of %lld edges is more than METIS can count", (long long)most);
  BF_TRY(BF_NEW_ARRAY(in->ptr, (size_t)g->n + 1));
  BF_TRY(BF_NEW_ARRAY(in->adj, (size_t)most));
  idx_t at = 0;
  for (bf_int v = 0; v < g->n; v++) {
    for (int64_t k = g->ptr[v]; k < g->ptr[v + 1]; k++) {
      const bf_int u = g->adj[k];
      if (u == v) continue;
      BF_CHECK(has_edge(g, u, v), BF_E_ARG, "vertex %d has neighbour %d, but not the other way round", v, u);
      in->adj[at++] = u;
    }
    in->ptr[v + 1] = at;
  }
  return BF_OK;
}

static bf_err metis(bf_int n, bf_int count, input *in)
{
  idx_t     nvtxs = n, nparts = count, ncon = 1, cut = 0;
  const int status = METIS_PartGraphKway(&nvtxs, &ncon, in->ptr, in->adj, NULL, NULL, NULL, &nparts, NULL,
                                         NULL, NULL, &cut, in->part);
  BF_CHECK(status != METIS_ERROR_MEMORY, BF_E_MEMORY, "METIS found no memory for %d vertices in %d parts", n,
           count);
  BF_CHECK(status == METIS_OK, BF_E_INTERNAL, "METIS failed (%d) on %d vertices in %d parts", status, n,
           count);
  return BF_OK;
}

/* part[v] of every vertex, 0 at first: all in one part, each in its own, or as METIS returns. */
static bf_err divide(const bf_graph *g, bf_int count, input *in, bf_int *part)
{
  if (count >= g->n)
    for (bf_int v = 0; v < g->n; v++) part[v] = v;
  if (count >= g->n || count == 1) return BF_OK;
  BF_TRY(BF_NEW_ARRAY(in->part, (size_t)g->n));
  BF_TRY(edges(g, in));
  BF_TRY(metis(g->n, count, in));
  for (bf_int v = 0; v < g->n; v++) part[v] = (bf_int)in->part[v];
  return BF_OK;
}

bf_err bf_partition_create(const bf_graph *g, bf_int count, bf_int most, bf_partition **out)
{
  bf_err  err  = BF_OK;
  bf_int *part = NULL;
  input   in   = {NULL, NULL, NULL};
  BF_CHECK(g && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_CHECK(count >= 1 && most >= 1, BF_E_ARG, "%d parts of at most %d vertices", count, most);
  if (count > g->n) count = g->n > 0 ? g->n : 1;
  BF_GO(BF_NEW_ARRAY(part, (size_t)g->n));
  BF_GO(divide(g, count, &in, part));
  BF_GO(bf_partition_of(g->n, count, part, most, out));
done:
  clear(&in);
  bf_host_free(part);
  return err;
}
