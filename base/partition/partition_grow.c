/* base/partition/partition_grow.c - see partition.h: parts grown along strong couplings
 *
 * The neighbours of the current part are in a heap by their gain, the sum of their couplings to it. A vertex
 * whose gain grows is inserted again, and outdated entries are skipped. Among equal gains the entry inserted
 * first is taken.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/partition/partition.h"

typedef struct entry {
  float   gain;
  bf_int  vertex;
  int64_t order;
} entry;

typedef struct growth {
  const bf_graph *g;
  const float    *coupling;
  bf_int         *part;  /* owned [n]: -1 = not yet in one */
  float          *gain;  /* owned [n]: to the current part, else 0 */
  bf_int         *queue; /* owned [n]: neighbours of finished parts, in order, each once */
  uint8_t        *queued;
  bf_int          head, tail, next; /* of the queue; vertices below next are in parts */
  entry          *heap;             /* owned [room] */
  bf_int         *touched;          /* owned [room]: whose gain is not 0, with repeats */
  int64_t         room, entries, ntouched, order;
} growth;

static void clear(growth *w)
{
  bf_host_free(w->part);
  bf_host_free(w->gain);
  bf_host_free(w->queue);
  bf_host_free(w->queued);
  bf_host_free(w->heap);
  bf_host_free(w->touched);
}

static int before(entry a, entry b)
{
  return a.gain > b.gain || (a.gain == b.gain && a.order < b.order);
}

static void push(growth *w, bf_int v)
{
  const entry e = {w->gain[v], v, w->order++};
  int64_t     k = w->entries++;
  for (; k > 0 && before(e, w->heap[(k - 1) / 2]); k = (k - 1) / 2) w->heap[k] = w->heap[(k - 1) / 2];
  w->heap[k] = e;
}

static entry pop(growth *w)
{
  const entry top = w->heap[0], last = w->heap[--w->entries];
  int64_t     k = 0;
  while (2 * k + 1 < w->entries) {
    int64_t c = 2 * k + 1;
    if (c + 1 < w->entries && before(w->heap[c + 1], w->heap[c])) c++;
    if (!before(w->heap[c], last)) break;
    w->heap[k] = w->heap[c];
    k          = c;
  }
  w->heap[k] = last;
  return top;
}

/* Room for `more` entries. */
static bf_err reserve(growth *w, int64_t more)
{
  const int64_t need = (w->ntouched > w->entries ? w->ntouched : w->entries) + more;
  if (need <= w->room) return BF_OK;
  const int64_t room = 2 * need;
  entry        *heap = bf_host_realloc(w->heap, (size_t)room, sizeof *heap);
  BF_CHECK(heap, BF_E_MEMORY, "no memory for %lld entries", (long long)room);
  w->heap         = heap;
  bf_int *touched = bf_host_realloc(w->touched, (size_t)room, sizeof *touched);
  BF_CHECK(touched, BF_E_MEMORY, "no memory for %lld entries", (long long)room);
  w->touched = touched;
  w->room    = room;
  return BF_OK;
}

/* A vertex without part, a neighbour of earlier parts if there is one; -1: all have parts. */
static bf_int seed(growth *w)
{
  while (w->head < w->tail && w->part[w->queue[w->head]] >= 0) w->head++;
  if (w->head < w->tail) return w->queue[w->head++];
  while (w->next < w->g->n && w->part[w->next] >= 0) w->next++;
  return w->next < w->g->n ? w->next : -1;
}

/* v joins part `number`; its neighbours gain. */
static bf_err join(growth *w, bf_int v, bf_int number)
{
  const bf_graph *g = w->g;
  w->part[v]        = number;
  BF_TRY(reserve(w, g->ptr[v + 1] - g->ptr[v]));
  for (int64_t k = g->ptr[v]; k < g->ptr[v + 1]; k++) {
    const bf_int u = g->adj[k];
    if (w->part[u] >= 0) continue;
    w->gain[u] += w->coupling[k];
    w->touched[w->ntouched++] = u;
    push(w, u);
  }
  return BF_OK;
}

static bf_err grow(growth *w, bf_int from, bf_int size, bf_int number)
{
  bf_int have = 1;
  w->entries = w->ntouched = 0;
  BF_TRY(join(w, from, number));
  while (have < size && w->entries > 0) {
    const entry e = pop(w);
    if (w->part[e.vertex] >= 0 || e.gain != w->gain[e.vertex]) continue;
    BF_TRY(join(w, e.vertex, number));
    have++;
  }
  for (int64_t k = 0; k < w->ntouched; k++) {
    const bf_int u = w->touched[k];
    w->gain[u]     = 0.0F;
    if (w->part[u] >= 0 || w->queued[u]) continue;
    w->queued[u]        = 1;
    w->queue[w->tail++] = u;
  }
  return BF_OK;
}

/* ---- small parts are merged with a neighbour ---- */

typedef struct merger {
  const bf_partition *p; /* as grown */
  bf_int *size, *to; /* owned [count]: size of a part after merging; the part it was merged with, or itself */
  bf_int *near;      /* owned [count]: neighbours of the current part */
  float  *link;      /* owned [count]: couplings to them */
  bf_int  alone;     /* the last small part without neighbours, or -1 */
} merger;

static bf_int root(const merger *m, bf_int k)
{
  while (m->to[k] != k) k = m->to[k];
  return k;
}

static void merge(const growth *w, merger *m, bf_int k, bf_int limit)
{
  const bf_graph *g     = w->g;
  bf_int          nnear = 0, best = -1;
  for (bf_int i = m->p->ptr[k]; i < m->p->ptr[k + 1]; i++) {
    const bf_int v = m->p->vertex[i];
    for (int64_t q = g->ptr[v]; q < g->ptr[v + 1]; q++) {
      const bf_int t = root(m, w->part[g->adj[q]]);
      if (t == k) continue;
      if (m->link[t] == 0.0F) m->near[nnear++] = t;
      m->link[t] += w->coupling[q] + 1e-30F; /* a coupling of 0 still makes a neighbour */
    }
  }
  for (bf_int i = 0; i < nnear; i++) {
    const bf_int t = m->near[i];
    if (m->size[t] + m->size[k] <= limit && (best < 0 || m->link[t] > m->link[best])) best = t;
  }
  for (bf_int i = 0; i < nnear; i++) m->link[m->near[i]] = 0.0F;
  if (nnear == 0) { /* parts without neighbours are merged with each other */
    if (m->alone >= 0 && m->size[m->alone] + m->size[k] <= limit) best = m->alone;
    if (best < 0) m->alone = k;
  }
  if (best < 0) return;
  m->to[k] = best;
  m->size[best] += m->size[k];
}

static bf_err merge_scraps(growth *w, bf_int count, bf_int size, bf_int limit)
{
  bf_err        err   = BF_OK;
  bf_partition *grown = NULL;
  merger        m     = {.alone = -1};
  BF_GO(bf_partition_of(w->g->n, count, w->part, size, &grown));
  m.p = grown;
  BF_GO(BF_NEW_ARRAY(m.size, (size_t)count));
  BF_GO(BF_NEW_ARRAY(m.to, (size_t)count));
  BF_GO(BF_NEW_ARRAY(m.near, (size_t)count));
  BF_GO(BF_NEW_ARRAY(m.link, (size_t)count));
  for (bf_int k = 0; k < count; k++) {
    m.to[k]   = k;
    m.size[k] = grown->ptr[k + 1] - grown->ptr[k];
  }
  for (bf_int k = 0; k < count; k++)
    if (m.size[k] <= size / 2) merge(w, &m, k, limit);
  for (bf_int v = 0; v < w->g->n; v++) w->part[v] = root(&m, w->part[v]);
done:
  bf_partition_destroy(&grown);
  bf_host_free(m.size);
  bf_host_free(m.to);
  bf_host_free(m.near);
  bf_host_free(m.link);
  return err;
}

bf_err bf_partition_grow(const bf_graph *g, const float *coupling, bf_int size, bf_int most,
                         bf_partition **out)
{
  bf_err err   = BF_OK;
  growth w     = {.g = g, .coupling = coupling};
  bf_int count = 0;
  BF_CHECK(g && coupling && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_CHECK(size >= 1 && most >= size, BF_E_ARG, "parts of %d vertices, at most %d", size, most);
  BF_GO(BF_NEW_ARRAY(w.part, (size_t)g->n));
  BF_GO(BF_NEW_ARRAY(w.gain, (size_t)g->n));
  BF_GO(BF_NEW_ARRAY(w.queue, (size_t)g->n));
  BF_GO(BF_NEW_ARRAY(w.queued, (size_t)g->n));
  for (bf_int v = 0; v < g->n; v++) w.part[v] = -1;
  for (bf_int v = seed(&w); v >= 0; v = seed(&w)) BF_GO(grow(&w, v, size, count++));
  const bf_int limit = size + size / 8 < most ? size + size / 8 : most;
  BF_GO(merge_scraps(&w, count, size, limit));
  BF_GO(bf_partition_of(g->n, count > 0 ? count : 1, w.part, most, out));
done:
  clear(&w);
  return err;
}
