/* mesh/numbering/levels.c - breadth-first levels from an ordered start: reproduces the lattice numbering of a
 * structured block
 *
 * The start gets positions 0, 1, ...  Each next level is the unnumbered neighbours of the last one, ordered
 * by (largest, smallest) or (smallest, largest) position of their parents.  In a block of
 * quadrilaterals or hexahedra there is one parent and both are the same; in tetrahedra one of the two
 * restores the lattice. A level is found in order of the smallest parent, so it usually needs no sort;
 * otherwise two counting sorts over the positions of the last level order it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/numbering/orders.h"

enum { AHEAD = 8 }; /* prefetch distance in vertices */

typedef struct mark { /* of a vertex: level (0 = not reached), parents' positions */
  bf_int level, least, most;
} mark;

struct bf_level_work {
  bf_int  n;
  mark   *mark;   /* owned [n], level 0 between calls */
  bf_int *sorted; /* owned [n] */
  bf_int *count;  /* owned [n + 1] */
};

bf_err bf_level_work_create(bf_int n, bf_level_work **out)
{
  bf_err         err = BF_OK;
  bf_level_work *w   = NULL;
  *out               = NULL;
  BF_GO(BF_NEW(w));
  w->n = n;
  BF_GO(BF_NEW_ARRAY(w->mark, n));
  BF_GO(BF_NEW_ARRAY(w->sorted, n));
  BF_GO(BF_NEW_ARRAY(w->count, (size_t)n + 1));
  *out = w;
  w    = NULL;
done:
  bf_level_work_destroy(&w);
  return err;
}

void bf_level_work_destroy(bf_level_work **w)
{
  if (!w || !*w) return;
  bf_host_free((*w)->mark);
  bf_host_free((*w)->sorted);
  bf_host_free((*w)->count);
  bf_host_free(*w);
  *w = NULL;
}

/* Stable counting sort of v[n] by least or most parent, which lie in lo .. hi-1. */
static void sort_by(bf_level_work *w, bf_int *v, bf_int n, int by_most, bf_int lo, bf_int hi)
{
  const bf_int width = hi - lo;
  for (bf_int i = 0; i <= width; i++) w->count[i] = 0;
  for (bf_int i = 0; i < n; i++) w->count[(by_most ? w->mark[v[i]].most : w->mark[v[i]].least) - lo + 1]++;
  for (bf_int i = 0; i < width; i++) w->count[i + 1] += w->count[i];
  for (bf_int i = 0; i < n; i++)
    w->sorted[w->count[(by_most ? w->mark[v[i]].most : w->mark[v[i]].least) - lo]++] = v[i];
  for (bf_int i = 0; i < n; i++) v[i] = w->sorted[i];
}

/* Orders a new level; its parents have positions lo .. hi-1. */
static void sort_level(bf_level_work *w, bf_int *v, bf_int n, bf_level_key key, bf_int lo, bf_int hi)
{
  int ascending = 1;
  for (bf_int i = 1; i < n && ascending; i++) {
    const mark *p = &w->mark[v[i - 1]], *q = &w->mark[v[i]];
    if (key == BF_MAX_MIN)
      ascending = p->most < q->most || (p->most == q->most && p->least <= q->least);
    else
      ascending = p->least < q->least || (p->least == q->least && p->most <= q->most);
  }
  if (ascending) return;
  sort_by(w, v, n, key != BF_MAX_MIN, lo, hi);
  sort_by(w, v, n, key == BF_MAX_MIN, lo, hi);
}

/* Prefetches the marks of the neighbours of a vertex ahead, and the neighbours of one farther ahead. */
static inline void ask_ahead(const bf_level_work *w, const bf_graph *g, const bf_int *order, bf_int head,
                             bf_int tail)
{
  if (head + 2 * AHEAD >= tail) return;
  __builtin_prefetch(&g->adj[g->ptr[order[head + 2 * AHEAD]]]);
  const bf_int u = order[head + AHEAD];
  for (int64_t k = g->ptr[u]; k < g->ptr[u + 1]; k++) __builtin_prefetch(&w->mark[g->adj[k]], 1);
}

/* Largest distance of the vertices at positions begin .. end-1 from their first parent. */
static bf_int widest_step(const bf_level_work *w, const bf_int *order, bf_int begin, bf_int end)
{
  bf_int widest = 0;
  for (bf_int p = begin; p < end; p++) {
    const bf_int step = p - w->mark[order[p]].least;
    widest            = step > widest ? step : widest;
  }
  return widest;
}

bf_int bf_levels(bf_level_work *w, const bf_graph *g, const bf_int *start, bf_int nstart, bf_level_key key,
                 const uint8_t *cut, bf_bound *bound, bf_int *order)
{
  bf_int head = 0, tail = 0;
  int    lost = 0;
  for (bf_int i = 0; i < nstart; i++) {
    if (w->mark[start[i]].level) continue;
    w->mark[start[i]].level = 1;
    order[tail++]           = start[i];
  }
  for (bf_int level = 2; head < tail && !lost; level++) {
    const bf_int lo = head, hi = tail;
    for (; head < hi; head++) {
      const bf_int u = order[head];
      ask_ahead(w, g, order, head, tail);
      for (int64_t k = g->ptr[u]; k < g->ptr[u + 1]; k++) {
        const bf_int v = g->adj[k];
        mark        *m = &w->mark[v];
        if (m->level != 0 && m->level != level) continue;
        if (cut && cut[u] + cut[v] == 3) continue;
        m->most = head;
        if (m->level == level) continue;
        *m            = (mark){level, head, head};
        order[tail++] = v;
      }
    }
    sort_level(w, order + hi, tail - hi, key, lo, hi);
    lost = bound && bf_bound_exceeded(bound, order, hi, tail, widest_step(w, order, hi, tail));
  }
  for (bf_int i = 0; i < tail; i++) w->mark[order[i]].level = 0;
  return lost ? -1 : tail;
}

bf_err bf_levels_by_position(const bf_graph *g, const bf_int *pos, bf_int nstart, bf_int *level)
{
  bf_int *at = NULL; /* vertex at a position */
  BF_TRY(BF_NEW_ARRAY(at, g->n));
  for (bf_int v = 0; v < g->n; v++) at[pos[v]] = v;
  for (bf_int p = 0; p < g->n; p++) {
    bf_int least = p;
    level[p]     = 0;
    if (p < nstart) continue;
    for (int64_t k = g->ptr[at[p]]; k < g->ptr[at[p] + 1]; k++)
      least = pos[g->adj[k]] < least ? pos[g->adj[k]] : least; /* its first parent */
    level[p] = level[least] + 1;
  }
  bf_host_free(at);
  return BF_OK;
}
