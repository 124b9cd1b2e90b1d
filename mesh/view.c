/* mesh/view.c - cells and points of a picture: see view.h
 *
 * A node belongs to the lowest region of its cells; every other region of its cells has a copy.  The
 * copies are few (interfaces only): they are collected as sorted keys region * nnodes + node.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/view.h"
#include "base/memory.h"
#include <limits.h>
#include <stdlib.h>

static int by_key(const void *a, const void *b)
{
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* Position of key in sorted list[n], which contains it. */
static bf_int find(const int64_t *list, bf_int n, int64_t key)
{
  bf_int lo = 0, hi = n - 1;
  while (lo < hi) {
    const bf_int mid = lo + (hi - lo) / 2;
    if (list[mid] < key)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

static int shown(const bf_mesh *m, const bf_block *b)
{
  return bf_elem(b->type)->dim == m->dim;
}

/* Lowest and highest region of the elements shown; *ncells and *nconn of the view. */
static bf_err regions(const bf_mesh *m, const bf_int *region, bf_int *lowest, bf_int *highest, bf_int *ncells,
                      int64_t *nconn)
{
  bf_int lo = INT_MAX, hi = 0;
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block *block = &m->block[b];
    if (!shown(m, block)) continue;
    *ncells += block->n;
    *nconn += (int64_t)block->n * bf_elem(block->type)->nnodes;
#pragma omp parallel for reduction(min : lo) reduction(max : hi)
    for (bf_int e = 0; e < block->n; e++) {
      const bf_int r = region ? region[block->first + e] : 0;
      if (r < lo) lo = r;
      if (r > hi) hi = r;
    }
  }
  for (bf_int e = 0; lo < 0 && e < m->nelem; e++)
    BF_CHECK(region[e] >= 0 || !shown(m, bf_mesh_block_of(m, e)), BF_E_ARG, "element %d: region %d", e,
             region[e]);
  *lowest  = lo;
  *highest = hi;
  return BF_OK;
}

/* first[node] = lowest region of its cells, INT_MAX if it has none.  one: the region of all cells, or -1. */
static void first_regions(const bf_mesh *m, const bf_int *region, bf_int one, bf_int *first)
{
#pragma omp parallel for
  for (bf_int i = 0; i < m->nnodes; i++) first[i] = INT_MAX;
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block *block = &m->block[b];
    const int       nen   = bf_elem(block->type)->nnodes;
    if (!shown(m, block)) continue;
    if (one >= 0) {
#pragma omp parallel for
      for (int64_t k = 0; k < (int64_t)block->n * nen; k++) {
#pragma omp atomic write
        first[block->node[k]] = one;
      }
      continue;
    }
    for (bf_int e = 0; e < block->n; e++) {
      const bf_int r = region[block->first + e];
      for (int64_t k = (int64_t)e * nen; k < (int64_t)(e + 1) * nen; k++)
        if (r < first[block->node[k]]) first[block->node[k]] = r;
    }
  }
}

/* Keys of the copies of nodes: list[*n], sorted, without repeats. */
static bf_err extra_copies(const bf_mesh *m, const bf_int *region, const bf_int *first, int64_t **list,
                           bf_int *n)
{
  int64_t count = 0;
  for (int pass = 0; pass < 2; pass++) {
    if (pass) BF_TRY(BF_NEW_ARRAY(*list, count));
    count = 0;
    for (int b = 0; b < m->nblocks; b++) {
      const bf_block *block = &m->block[b];
      const int       nen   = bf_elem(block->type)->nnodes;
      if (!shown(m, block)) continue;
      for (bf_int e = 0; e < block->n; e++)
        for (int64_t k = (int64_t)e * nen; k < (int64_t)(e + 1) * nen; k++) {
          const bf_int r = region[block->first + e], node = block->node[k];
          if (r == first[node]) continue;
          if (pass) (*list)[count] = (int64_t)r * m->nnodes + node;
          count++;
        }
    }
  }
  qsort(*list, (size_t)count, sizeof **list, by_key);
  int64_t kept = 0;
  for (int64_t k = 0; k < count; k++)
    if (k == 0 || (*list)[k] != (*list)[k - 1]) (*list)[kept++] = (*list)[k];
  BF_CHECK(kept <= INT_MAX - m->nnodes, BF_E_MODEL, "%lld split points and %d nodes: more than %d points",
           (long long)kept, m->nnodes, INT_MAX);
  *n = (bf_int)kept;
  return BF_OK;
}

static void fill_points(const bf_mesh *m, const bf_int *first, const int64_t *extra, bf_int nextra,
                        bf_int *point, bf_view *v)
{
  enum { SLICES = 256 };
  bf_int start[SLICES + 1] = {0};
#pragma omp parallel for
  for (int s = 0; s < SLICES; s++)
    for (int64_t i = (int64_t)m->nnodes * s / SLICES; i < (int64_t)m->nnodes * (s + 1) / SLICES; i++)
      start[s + 1] += first[i] != INT_MAX;
  for (int s = 0; s < SLICES; s++) start[s + 1] += start[s];
#pragma omp parallel for
  for (int s = 0; s < SLICES; s++) {
    bf_int at = start[s];
    for (int64_t i = (int64_t)m->nnodes * s / SLICES; i < (int64_t)m->nnodes * (s + 1) / SLICES; i++) {
      if (first[i] == INT_MAX) continue;
      v->node[at]   = (bf_int)i;
      v->region[at] = first[i];
      point[i]      = at++;
    }
  }
  for (bf_int k = 0; k < nextra; k++) {
    v->node[start[SLICES] + k]   = (bf_int)(extra[k] % m->nnodes);
    v->region[start[SLICES] + k] = (bf_int)(extra[k] / m->nnodes);
  }
}

static void fill_cells(const bf_mesh *m, const bf_int *region, const bf_int *first, const int64_t *extra,
                       bf_int nextra, const bf_int *point, bf_view *v)
{
  const bf_int copies = v->npoints - nextra; /* the first copy's point */
  bf_int       cell   = 0;
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block *block = &m->block[b];
    const int       nen   = bf_elem(block->type)->nnodes;
    if (!shown(m, block)) continue;
    const int64_t start = v->ptr[cell];
#pragma omp parallel for schedule(static)
    for (bf_int e = 0; e < block->n; e++) {
      const bf_int r       = region ? region[block->first + e] : 0;
      v->elem[cell + e]    = block->first + e;
      v->type[cell + e]    = block->type;
      v->ptr[cell + e + 1] = start + (int64_t)(e + 1) * nen;
      for (int64_t k = (int64_t)e * nen; k < (int64_t)(e + 1) * nen; k++) {
        const bf_int node = block->node[k];
        v->point[start + k] =
            r == first[node] ? point[node] : copies + find(extra, nextra, (int64_t)r * m->nnodes + node);
      }
    }
    cell += block->n;
  }
}

bf_err bf_view_create(const bf_mesh *m, const bf_int *region, bf_view **out)
{
  bf_err   err   = BF_OK;
  bf_view *v     = NULL;
  bf_int  *first = NULL, *point = NULL, used = 0, nextra = 0, ncells = 0, lowest, highest;
  int64_t *extra = NULL, nconn = 0;
  BF_CHECK(m && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_GO(BF_NEW(v));
  BF_GO(BF_NEW_ARRAY(first, m->nnodes));
  BF_GO(BF_NEW_ARRAY(point, m->nnodes));
  BF_GO(regions(m, region, &lowest, &highest, &ncells, &nconn));
  first_regions(m, region, lowest == highest ? lowest : -1, first);
  if (lowest < highest) BF_GO(extra_copies(m, region, first, &extra, &nextra));
#pragma omp parallel for reduction(+ : used)
  for (bf_int i = 0; i < m->nnodes; i++) used += first[i] != INT_MAX;
  v->npoints = used + nextra;
  v->ncells  = ncells;
  BF_GO(BF_NEW_ARRAY(v->node, v->npoints));
  BF_GO(BF_NEW_ARRAY(v->region, v->npoints));
  BF_GO(BF_NEW_ARRAY(v->elem, ncells));
  BF_GO(BF_NEW_ARRAY(v->type, ncells));
  BF_GO(BF_NEW_ARRAY(v->ptr, (size_t)ncells + 1));
  BF_GO(BF_NEW_ARRAY(v->point, nconn));
  fill_points(m, first, extra, nextra, point, v);
  fill_cells(m, region, first, extra, nextra, point, v);
  *out = v;
  v    = NULL;
done:
  bf_host_free(first);
  bf_host_free(point);
  bf_host_free(extra);
  bf_view_destroy(&v);
  return err;
}

void bf_view_destroy(bf_view **v)
{
  if (!v || !*v) return;
  bf_host_free((*v)->node);
  bf_host_free((*v)->region);
  bf_host_free((*v)->elem);
  bf_host_free((*v)->type);
  bf_host_free((*v)->ptr);
  bf_host_free((*v)->point);
  bf_host_free(*v);
  *v = NULL;
}
