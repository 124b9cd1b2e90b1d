/* assembly/gfem/near.c - entries around an entry: rings of elements, breadth first, or the nearest ones
 *
 * A search marks what it saw with its number, so its cost is that of the neighbours it visits.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/gfem/near.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>

bf_err bf_gfem_near_create(const bf_gfem *g, bf_gfem_near *w)
{
  BF_TRY(BF_NEW_ARRAY(w->stamp, g->at.n));
  BF_TRY(BF_NEW_ARRAY(w->entry, g->at.n));
  return BF_NEW_ARRAY(w->far, g->at.n);
}

void bf_gfem_near_clear(bf_gfem_near *w)
{
  bf_host_free(w->stamp);
  bf_host_free(w->entry);
  bf_host_free(w->far);
}

void bf_gfem_sort(bf_int *v, bf_int n)
{
  static const bf_int gap[] = {301, 132, 57, 23, 10, 4, 1}; /* Shell's method */
  for (int k = 0; k < 7; k++)
    for (bf_int i = gap[k]; i < n; i++) {
      const bf_int x = v[i];
      bf_int       j = i;
      for (; j >= gap[k] && v[j - gap[k]] > x; j -= gap[k]) v[j] = v[j - gap[k]];
      v[j] = x;
    }
}

int bf_gfem_by_rings(const bf_model *m, const bf_gfem *g, bf_int q)
{
  const bf_int v = g->at.node[q];
  if (g->at.first[v + 1] - g->at.first[v] > 1) return 1; /* on an interface of materials */
  return m->problem->patch == BF_PATCH_RINGS ||
         (m->problem->patch == BF_PATCH_AUTO && (g->dim == 2 || m->problem->extra_rings > 0));
}

void bf_gfem_near_begin(bf_gfem_near *w, bf_int q)
{
  w->q        = q;
  w->stamp[q] = ++w->search;
  w->nrings   = 0;
  w->end[0]   = 0;
  w->sorted   = -1;
}

static void next_ring(const bf_gfem *g, bf_gfem_near *w)
{
  const bf_graph *G    = g->at.near;
  const bf_int    from = w->nrings == 0 ? -1 : w->end[w->nrings - 1], to = w->end[w->nrings];
  bf_int          n = to;
  for (bf_int i = from; i < to; i++) {
    const bf_int c = i < 0 ? w->q : w->entry[i];
    for (int64_t j = G->ptr[c]; j < G->ptr[c + 1]; j++) {
      if (w->stamp[G->adj[j]] == w->search) continue;
      w->stamp[G->adj[j]] = w->search;
      w->entry[n++]       = G->adj[j];
    }
    if (i < 0) break;
  }
  bf_gfem_sort(w->entry + to, n - to);
  w->end[++w->nrings] = n;
}

static int nearer(const void *a, const void *b)
{
  const bf_gfem_far *p = a, *q = b;
  return p->r != q->r ? (p->r < q->r ? -1 : 1) : (p->entry > q->entry) - (p->entry < q->entry);
}

/* The k nearest of far[n] to the front, in any order (quickselect). */
static void nearest_first(bf_gfem_far *far, bf_int n, bf_int k)
{
  bf_int lo = 0, hi = n - 1;
  while (lo < hi) {
    const bf_gfem_far pivot = far[(lo + hi) / 2];
    bf_int            i = lo, j = hi;
    while (i <= j) {
      while (nearer(&far[i], &pivot) < 0) i++;
      while (nearer(&far[j], &pivot) > 0) j--;
      if (i > j) break;
      const bf_gfem_far t = far[i];
      far[i++]            = far[j];
      far[j--]            = t;
    }
    if (k <= j)
      hi = j;
    else if (k >= i)
      lo = i;
    else
      return;
  }
}

/* Sorts the nearest `want` of the candidates of order + 1 rings. */
static void by_distance(const bf_model *m, const bf_gfem *g, bf_gfem_near *w, bf_int want)
{
  const double *x = m->mesh->x + 3 * (size_t)g->at.node[w->q];
  if (w->sorted < 0) {
    while (w->nrings < g->order + 1) next_ring(g, w);
    for (bf_int i = 0; i < w->end[w->nrings]; i++) {
      const double *y = m->mesh->x + 3 * (size_t)g->at.node[w->entry[i]];
      double        s = 0.0;
      for (int k = 0; k < g->dim; k++) s += (y[k] - x[k]) * (y[k] - x[k]);
      w->far[i] = (bf_gfem_far){sqrt(s), w->entry[i]};
    }
  }
  const bf_int all = w->end[w->nrings];
  w->sorted        = want < all ? want : all;
  if (w->sorted < all) nearest_first(w->far, all, w->sorted);
  qsort(w->far, (size_t)w->sorted, sizeof *w->far, nearer);
}

/* The first `level` distance cuts past the least number of candidates, ties together. */
static int compact(const bf_model *m, const bf_gfem *g, bf_gfem_near *w, int level, bf_int *count)
{
  const double least = (g->dim == 2 && g->order == 3 ? 1.8 : 1.3) * (g->nb - 1);
  if (w->sorted < 0) by_distance(m, g, w, (bf_int)(3.0 * least));
  const bf_int all = w->end[w->nrings];
  for (;;) {
    bf_int n    = 0;
    int    cuts = level;
    for (; n < w->sorted; n++) {
      const int cut = n > 0 && w->far[n].r > w->far[n - 1].r * (1.0 + 1e-6);
      if (cut && n >= least && cuts-- == 0) break;
    }
    if (n == w->sorted && n < all) {
      by_distance(m, g, w, all);
      continue;
    }
    for (bf_int i = 0; i < n; i++) w->entry[i] = w->far[i].entry; /* end[] stays: no further ring */
    *count = n;
    return n < all;
  }
}

int bf_gfem_near_level(const bf_model *m, const bf_gfem *g, bf_gfem_near *w, int level, bf_int *n)
{
  if (!bf_gfem_by_rings(m, g, w->q)) return compact(m, g, w, level, n);
  while (w->nrings < level) next_ring(g, w);
  *n = w->end[level];
  return level < g->order + BF_GFEM_REST;
}
