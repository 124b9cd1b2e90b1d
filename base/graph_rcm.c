/* base/graph_rcm.c - reverse Cuthill-McKee
 *
 * From a pseudo-peripheral vertex, breadth first, the new neighbours of a vertex in order of their degree;
 * the order of each connected part is then reversed.
 * Source: A. George, J. W. H. Liu, Computer Solution of Large Sparse Positive Definite Systems, Prentice-Hall
 * (1981), sec. 4.3-4.4.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/graph.h"
#include "base/memory.h"
#include <stdlib.h>

enum {
  AHEAD = 8,
  FEW   = 24
}; /* prefetch distance in vertices; neighbours up to this number are sorted by insertion */

typedef struct by_degree {
  bf_int degree, vertex;
} by_degree;

typedef struct rcm {
  const bf_graph *g;     /* borrowed */
  bf_int         *queue; /* borrowed: the vertices reached, in order */
  bf_int         *seen;  /* owned [n]: stamp of the last sweep that reached the vertex */
  bf_int          stamp;
  by_degree      *next; /* owned [largest degree] */
} rcm;

static bf_int degree(const bf_graph *g, bf_int v)
{
  return (bf_int)(g->ptr[v + 1] - g->ptr[v]);
}

/* Prefetches the neighbours of a vertex farther on in the queue. */
static inline void ask_ahead(const rcm *r, bf_int head, bf_int tail)
{
  if (head + 2 * AHEAD >= tail) return;
  __builtin_prefetch(&r->g->adj[r->g->ptr[r->queue[head + 2 * AHEAD]]]);
  const bf_int u = r->queue[head + AHEAD];
  for (int64_t k = r->g->ptr[u]; k < r->g->ptr[u + 1]; k++) __builtin_prefetch(&r->seen[r->g->adj[k]], 1);
}

/* Levels from v; returns their number, *reached vertices, and a vertex of least degree in the last level. */
static bf_int sweep(rcm *r, bf_int v, bf_int *reached, bf_int *last)
{
  const bf_graph *g    = r->g;
  bf_int          head = 0, tail = 1, level = 0, begin = 0;
  r->stamp++;
  r->queue[0] = v;
  r->seen[v]  = r->stamp;
  while (head < tail) {
    begin            = head;
    const bf_int end = tail;
    level++;
    for (; head < end; head++) {
      const bf_int u = r->queue[head];
      ask_ahead(r, head, tail);
      for (int64_t k = g->ptr[u]; k < g->ptr[u + 1]; k++)
        if (r->seen[g->adj[k]] != r->stamp) {
          r->seen[g->adj[k]] = r->stamp;
          r->queue[tail++]   = g->adj[k];
        }
    }
  }
  *reached = tail;
  *last    = r->queue[begin];
  for (bf_int i = begin; i < tail; i++) {
    const bf_int u = r->queue[i], d = degree(g, u), best = degree(g, *last);
    if (d < best || (d == best && u < *last)) *last = u;
  }
  return level;
}

static int compare_degree(const void *p, const void *q)
{
  const by_degree *a = p, *b = q;
  if (a->degree != b->degree) return a->degree < b->degree ? -1 : 1;
  return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

static void sort_by_degree(by_degree *a, bf_int n)
{
  if (n > FEW) {
    qsort(a, (size_t)n, sizeof *a, compare_degree);
    return;
  }
  for (bf_int i = 1; i < n; i++) {
    const by_degree t = a[i];
    bf_int          j = i;
    for (; j > 0 && compare_degree(&a[j - 1], &t) > 0; j--) a[j] = a[j - 1];
    a[j] = t;
  }
}

/* Cuthill-McKee from v into the queue: breadth first, neighbours by degree. */
static void number(rcm *r, bf_int v)
{
  const bf_graph *g    = r->g;
  bf_int          tail = 1;
  r->stamp++;
  r->queue[0] = v;
  r->seen[v]  = r->stamp;
  for (bf_int head = 0; head < tail; head++) {
    const bf_int u = r->queue[head];
    bf_int       m = 0;
    ask_ahead(r, head, tail);
    for (int64_t k = g->ptr[u]; k < g->ptr[u + 1]; k++) {
      const bf_int w = g->adj[k];
      if (r->seen[w] == r->stamp) continue;
      r->seen[w]   = r->stamp;
      r->next[m++] = (by_degree){degree(g, w), w};
    }
    sort_by_degree(r->next, m);
    for (bf_int i = 0; i < m; i++) r->queue[tail++] = r->next[i].vertex;
  }
}

bf_err bf_graph_rcm(const bf_graph *g, bf_int *order)
{
  bf_err err  = BF_OK;
  rcm    r    = {g, order, NULL, 0, NULL};
  bf_int most = 0;
  BF_CHECK(g && order, BF_E_ARG, "null argument");
  for (bf_int v = 0; v < g->n; v++) most = degree(g, v) > most ? degree(g, v) : most;
  BF_GO(BF_NEW_ARRAY(r.seen, (size_t)g->n));
  BF_GO(BF_NEW_ARRAY(r.next, (size_t)most));
  for (bf_int v = 0; v < g->n; v++) {
    if (r.seen[v]) continue;
    bf_int count, last, levels = 0, root = v;
    for (int tries = 0; tries < 8;
         tries++) { /* to the most distant vertex, until the distance does not grow */
      const bf_int now = sweep(&r, root, &count, &last);
      if (now <= levels) break;
      levels = now;
      root   = last;
    }
    number(&r, root);
    for (bf_int i = 0; i < count / 2; i++) {
      const bf_int t         = r.queue[i];
      r.queue[i]             = r.queue[count - 1 - i];
      r.queue[count - 1 - i] = t;
    }
    r.queue += count;
  }
done:
  bf_host_free(r.seen);
  bf_host_free(r.next);
  return err;
}
