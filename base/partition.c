/* base/partition.c - see partition.h
 *
 * METIS 5 divides by log2(count), so one part is made here; it writes to the terminal about input it does not
 * like, so the graph is looked at before.
 */
#include "base/partition.h"
#include "base/memory.h"
#include <metis.h>

typedef struct input { /* what METIS is given and gives */
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

/* part[v] of every vertex: all in one, each for itself, or as METIS says. */
static bf_err divide(const bf_graph *g, bf_int count, input *in)
{
  BF_TRY(BF_NEW_ARRAY(in->part, (size_t)g->n));
  if (count >= g->n)
    for (bf_int v = 0; v < g->n; v++) in->part[v] = v;
  if (count >= g->n || count == 1) return BF_OK;
  BF_TRY(edges(g, in));
  return metis(g->n, count, in);
}

/* Sorts the vertices by part; size[count], all 0 at first; empty parts go, parts above `most` are cut. */
static bf_err gather(const idx_t *part, bf_int count, bf_int most, bf_int *size, bf_partition *p)
{
  bf_err  err  = BF_OK;
  bf_int *fill = NULL, made = 0, at = 0;
  BF_GO(BF_NEW_ARRAY(fill, (size_t)count));
  for (bf_int v = 0; v < p->n; v++) size[part[v]]++;
  for (bf_int k = 0; k < count; k++) made += (size[k] + most - 1) / most;
  BF_GO(BF_NEW_ARRAY(p->ptr, (size_t)made + 1));
  BF_GO(BF_NEW_ARRAY(p->vertex, (size_t)p->n));
  for (bf_int k = 0; k < count; k++) {
    const bf_int pieces = (size[k] + most - 1) / most;
    fill[k]             = at;
    for (bf_int j = 0; j < pieces; j++)
      p->ptr[p->count + j + 1] = at + (bf_int)((int64_t)size[k] * (j + 1) / pieces);
    p->count += pieces;
    at += size[k];
  }
  for (bf_int v = 0; v < p->n; v++) p->vertex[fill[part[v]]++] = v;
done:
  bf_host_free(fill);
  return err;
}

bf_err bf_partition_create(const bf_graph *g, bf_int count, bf_int most, bf_partition **out)
{
  bf_err        err  = BF_OK;
  bf_partition *p    = NULL;
  bf_int       *size = NULL;
  input         in   = {NULL, NULL, NULL};
  BF_CHECK(g && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_CHECK(count >= 1 && most >= 1, BF_E_ARG, "%d parts of at most %d vertices", count, most);
  if (count > g->n) count = g->n > 0 ? g->n : 1;
  BF_GO(BF_NEW(p));
  p->n = g->n;
  BF_GO(divide(g, count, &in));
  BF_GO(BF_NEW_ARRAY(size, (size_t)count));
  BF_GO(gather(in.part, count, most, size, p));
  *out = p;
  p    = NULL;
done:
  clear(&in);
  bf_host_free(size);
  bf_partition_destroy(&p);
  return err;
}

void bf_partition_destroy(bf_partition **p)
{
  if (!p || !*p) return;
  bf_host_free((*p)->ptr);
  bf_host_free((*p)->vertex);
  bf_host_free(*p);
  *p = NULL;
}

static bf_err check_vertices(const bf_partition *p, uint8_t *seen)
{
  for (bf_int k = 0; k < p->count; k++) {
    BF_CHECK(p->ptr[k] < p->ptr[k + 1], BF_E_ARG, "part %d is empty", k);
    for (bf_int i = p->ptr[k]; i < p->ptr[k + 1]; i++) {
      const bf_int v = p->vertex[i];
      BF_CHECK(v >= 0 && v < p->n && !seen[v], BF_E_ARG, "vertex %d of %d in part %d", v, p->n, k);
      BF_CHECK(i == p->ptr[k] || p->vertex[i - 1] < v, BF_E_ARG, "part %d is not ascending", k);
      seen[v] = 1;
    }
  }
  return BF_OK;
}

bf_err bf_partition_check(const bf_partition *p)
{
  BF_CHECK(p && p->ptr && p->vertex, BF_E_ARG, "null argument");
  BF_CHECK(p->n >= 0 && p->count >= 0 && p->ptr[0] == 0, BF_E_ARG, "n=%d count=%d", p->n, p->count);
  uint8_t *seen = NULL;
  BF_TRY(BF_NEW_ARRAY(seen, (size_t)p->n));
  bf_err err = check_vertices(p, seen);
  if (err == BF_OK && p->ptr[p->count] != p->n)
    err = BF_FAIL(BF_E_ARG, "%d of %d vertices are in parts", p->ptr[p->count], p->n);
  bf_host_free(seen);
  return err;
}
