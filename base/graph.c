/* base/graph.c - see graph.h; reverse Cuthill-McKee is in graph_rcm.c */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/graph.h"
#include "base/incidence.h"
#include "base/memory.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

bf_err bf_graph_create(bf_int n, int64_t nadj, bf_graph **out)
{
  bf_err    err = BF_OK;
  bf_graph *g   = NULL;
  BF_CHECK(out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_CHECK(n >= 0 && nadj >= 0, BF_E_ARG, "n=%d nadj=%lld", n, (long long)nadj);
  BF_GO(BF_NEW(g));
  g->n = n;
  BF_GO(BF_NEW_ARRAY(g->ptr, (size_t)n + 1));
  BF_GO(BF_NEW_ARRAY(g->adj, (size_t)nadj));
  *out = g;
  g    = NULL;
done:
  bf_graph_destroy(&g);
  return err;
}

void bf_graph_destroy(bf_graph **g)
{
  if (!g || !*g) return;
  bf_host_free((*g)->ptr);
  bf_host_free((*g)->adj);
  bf_host_free(*g);
  *g = NULL;
}

bf_err bf_graph_check(const bf_graph *g)
{
  BF_CHECK(g && g->ptr && g->adj, BF_E_ARG, "null argument");
  BF_CHECK(g->n >= 0 && g->ptr[0] == 0, BF_E_ARG, "n=%d ptr[0]=%lld", g->n, (long long)g->ptr[0]);
  for (bf_int i = 0; i < g->n; i++) {
    BF_CHECK(g->ptr[i] <= g->ptr[i + 1], BF_E_ARG, "ptr[%d] > ptr[%d]", i, i + 1);
    for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++) {
      BF_CHECK(g->adj[k] >= 0 && g->adj[k] < g->n, BF_E_ARG, "vertex %d has neighbour %d of %d", i, g->adj[k],
               g->n);
      BF_CHECK(k == g->ptr[i] || g->adj[k - 1] < g->adj[k], BF_E_ARG,
               "vertex %d: neighbour %d is not above %d", i, g->adj[k], g->adj[k - 1]);
    }
  }
  return BF_OK;
}

/* ---- from items: the neighbours of a node are collected from its items in a small hash set ---- */

typedef struct slot { /* the entry is valid if `stamp` is that of the current node */
  bf_int key, stamp;
} slot;

typedef struct incidence { /* items of each node */
  bf_int         n;
  const int64_t *item_ptr;
  const bf_int  *item_node;
  int            diagonal;
  int64_t       *ptr;  /* owned [n + 1] */
  bf_int        *item; /* owned [ptr[n]] */
} incidence;

/* Incidences of the items at a node, at most. */
static int64_t widest(const incidence *I)
{
  int64_t most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
  for (bf_int v = 0; v < I->n; v++) {
    int64_t width = 0;
    for (int64_t k = I->ptr[v]; k < I->ptr[v + 1]; k++)
      width += I->item_ptr[I->item[k] + 1] - I->item_ptr[I->item[k]];
    most = width > most ? width : most;
  }
  return most;
}

/* Writes the distinct neighbours of v, unsorted; returns their number. */
static bf_int gather(const incidence *I, bf_int v, slot *set, uint32_t mask, bf_int stamp, bf_int *to)
{
  bf_int count = 0;
  for (int64_t k = I->ptr[v]; k < I->ptr[v + 1]; k++) {
    const bf_int e = I->item[k];
    for (int64_t j = I->item_ptr[e]; j < I->item_ptr[e + 1]; j++) {
      const bf_int u = I->item_node[j];
      if (u < 0 || (u == v && !I->diagonal)) continue;
      uint32_t h = ((uint32_t)u * 2654435769U >> 7) & mask;
      while (set[h].stamp == stamp && set[h].key != u) h = (h + 1) & mask;
      if (set[h].stamp == stamp) continue;
      set[h]      = (slot){u, stamp};
      to[count++] = u;
    }
  }
  return count;
}

static int compare_int(const void *p, const void *q)
{
  const bf_int a = *(const bf_int *)p, b = *(const bf_int *)q;
  return (a > b) - (a < b);
}

static void sort_row(bf_int *a, bf_int n)
{
  if (n > 64) {
    qsort(a, (size_t)n, sizeof *a, compare_int);
    return;
  }
  for (bf_int i = 1; i < n; i++) {
    const bf_int t = a[i];
    bf_int       j = i;
    for (; j > 0 && a[j - 1] > t; j--) a[j] = a[j - 1];
    a[j] = t;
  }
}

typedef struct rows { /* the rows of a range of nodes, one after another */
  bf_int *adj;        /* owned */
  int64_t used, room;
} rows;

/* Rows of nodes lo .. hi-1 into `out`, their lengths into length[lo .. hi). */
static bf_err rows_of(const incidence *I, bf_int lo, bf_int hi, int64_t most, rows *out, int64_t *length)
{
  bf_err   err  = BF_OK;
  slot    *set  = NULL;
  uint32_t size = 128;
  while (size < 2 * most) size *= 2;
  BF_GO(BF_NEW_ARRAY(set, size));
  for (bf_int v = lo; v < hi; v++) {
    if (out->room - out->used < most) {
      const int64_t room = out->room + out->room / 2 + most + 16 * (int64_t)(hi - v);
      bf_int       *more = bf_host_realloc(out->adj, (size_t)room, sizeof *more);
      BF_NEED(more, BF_E_MEMORY, "no memory for %lld neighbours", (long long)room);
      out->adj  = more;
      out->room = room;
    }
    const bf_int n = gather(I, v, set, size - 1, v + 1, out->adj + out->used);
    sort_row(out->adj + out->used, n);
    length[v] = n;
    out->used += n;
  }
done:
  bf_host_free(set);
  return err;
}

/* A range of nodes per thread; their rows one after another are the graph. */
static bf_err build(const incidence *I, bf_graph *g)
{
  bf_err        err = BF_OK, failed = BF_OK;
  const int     threads = omp_get_max_threads();
  const int64_t most    = widest(I);
  rows         *part    = NULL;
  BF_CHECK(most < (int64_t)1 << 29, BF_E_ARG, "a node has %lld neighbours", (long long)most);
  BF_GO(BF_NEW_ARRAY(part, threads));
#pragma omp        parallel for schedule(static, 1)
  for (int t = 0; t < threads; t++) {
           const bf_err e = rows_of(I, (bf_int)((int64_t)I->n * t / threads),
                                    (bf_int)((int64_t)I->n * (t + 1) / threads), most, &part[t], g->ptr + 1);
           if (e != BF_OK)
       #pragma omp atomic write
      failed = e;
  }
  BF_NEED(failed == BF_OK, failed, "no memory for the neighbours of %d nodes", I->n);
  for (bf_int v = 0; v < I->n; v++) g->ptr[v + 1] += g->ptr[v];
  bf_host_free(g->adj);
  g->adj = NULL;
  BF_GO(BF_NEW_ARRAY(g->adj, (size_t)g->ptr[I->n]));
#pragma omp parallel for schedule(static, 1)
  for (int t = 0; t < threads; t++)
    if (part[t].used)
      memcpy(g->adj + g->ptr[(int64_t)I->n * t / threads], part[t].adj,
             (size_t)part[t].used * sizeof *g->adj);
done:
  for (int t = 0; t < threads && part; t++) bf_host_free(part[t].adj);
  bf_host_free(part);
  return err;
}

bf_err bf_graph_from_items(bf_int n, bf_int nitems, const int64_t *ptr, const bf_int *node, int diagonal,
                           bf_graph **out)
{
  bf_err             err  = BF_OK;
  bf_graph          *g    = NULL;
  incidence          I    = {n, ptr, node, diagonal, NULL, NULL};
  const bf_item_list list = {.n = nitems, .ptr = ptr, .node = node};
  BF_CHECK(out && (nitems == 0 || (ptr && node)), BF_E_ARG, "null argument");
  *out = NULL;
  BF_CHECK(n >= 0 && nitems >= 0, BF_E_ARG, "n=%d nitems=%d", n, nitems);
  BF_GO(bf_incidence_create(n, &list, nitems > 0, &I.ptr, &I.item));
  BF_GO(bf_graph_create(n, 0, &g));
  BF_GO(build(&I, g));
  *out = g;
  g    = NULL;
done:
  bf_host_free(I.ptr);
  bf_host_free(I.item);
  bf_graph_destroy(&g);
  return err;
}

static bf_int find_root(bf_int *up, bf_int v)
{
  while (up[v] != v) v = up[v] = up[up[v]];
  return v;
}

bf_err bf_graph_components(const bf_graph *g, bf_int *part, bf_int *nparts)
{
  BF_CHECK(g && part && nparts, BF_E_ARG, "null argument");
  for (bf_int v = 0; v < g->n; v++) { /* trees of vertices; the root is the one of least number */
    bf_int root = part[v] = v;
    for (int64_t k = g->ptr[v]; k < g->ptr[v + 1] && g->adj[k] < v; k++) {
      const bf_int r = find_root(part, g->adj[k]);
      if (r == root) continue;
      part[r < root ? root : r] = r < root ? r : root;
      root                      = r < root ? r : root;
    }
  }
  *nparts = 0;
  for (bf_int v = 0; v < g->n; v++) /* v points to a smaller vertex, which is already numbered */
    part[v] = part[v] == v ? (*nparts)++ : part[part[v]];
  return BF_OK;
}
