/* assembly/constraints/connected_components.c - see connected_components.h: union-find in which the lower
 * node is always the root, by compare-and-swap
 *
 * The parent of a node has no higher number and only decreases, so concurrent unions cannot make a cycle, and
 * the root of a component is its lowest node for any order of the unions. Source: S. V. Jayanti, R. E.
 * Tarjan, Concurrent disjoint set union, Distributed Computing 34 (2021) 413, doi 10.1007/s00446-020-00388-x.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/constraints/connected_components.h"
#include "base/incidence.h"
#include "base/memory.h"
#include <stdatomic.h>
#include <stdlib.h>

typedef _Atomic bf_int bf_parent;

static bf_int root(bf_parent *up, bf_int i)
{
  for (;;) {
    bf_int       p = atomic_load_explicit(&up[i], memory_order_relaxed);
    const bf_int g = atomic_load_explicit(&up[p], memory_order_relaxed);
    if (p == g) return p;
    atomic_compare_exchange_weak_explicit(&up[i], &p, g, memory_order_relaxed, memory_order_relaxed);
    i = g; /* path halving; a failed exchange costs only time */
  }
}

static void unite(bf_parent *up, bf_int a, bf_int b)
{
  for (;;) {
    a = root(up, a);
    b = root(up, b);
    if (a == b) return;
    const bf_int hi = a > b ? a : b, lo = a > b ? b : a;
    bf_int       expect = hi;
    if (atomic_compare_exchange_strong_explicit(&up[hi], &expect, lo, memory_order_relaxed,
                                                memory_order_relaxed))
      return;
  }
}

/* of[i] >= 0: the number of the component of i; components are numbered in the order of their lowest members,
 * which are their roots. */
static void number_components(bf_parent *up, bf_int n, bf_int *of, bf_int *count)
{
  bf_int found = 0;
#pragma omp parallel for
  for (bf_int i = 0; i < n; i++)
    if (of[i] >= 0) of[i] = root(up, i);
  for (bf_int i = 0; i < n; i++)
    if (of[i] == i) atomic_store_explicit(&up[i], found++, memory_order_relaxed);
#pragma omp parallel for
  for (bf_int i = 0; i < n; i++)
    if (of[i] >= 0) of[i] = atomic_load_explicit(&up[of[i]], memory_order_relaxed);
  *count = found;
}

bf_err bf_parts_find(const bf_mesh *mesh, int dim, bf_int *part, bf_int *nparts)
{
  bf_err     err = BF_OK;
  bf_parent *up  = NULL;
  BF_CHECK(mesh && part && nparts, BF_E_ARG, "null argument");
  *nparts        = 0;
  const bf_int n = mesh->nnodes;
  BF_GO(BF_NEW_ARRAY(up, n));
#pragma omp parallel for
  for (bf_int i = 0; i < n; i++) {
    atomic_init(&up[i], i);
    part[i] = -1;
  }
  for (int b = 0; b < mesh->nblocks; b++) {
    const bf_block *k   = &mesh->block[b];
    const int       nen = bf_elem(k->type)->nnodes;
    if (bf_elem(k->type)->dim != dim) continue;
#pragma omp parallel for
    for (bf_int e = 0; e < k->n; e++) {
      const bf_int *node = k->node + (size_t)e * (size_t)nen;
      for (int a = 0; a < nen; a++) {
        bf_int of; /* read first: a written line leaves the other caches */
#pragma omp atomic read
        of = part[node[a]];
        if (of < 0)
#pragma omp atomic write
          part[node[a]] = 0;
        unite(up, node[0], node[a]);
      }
    }
  }
  number_components(up, n, part, nparts);
done:
  bf_host_free(up);
  return err;
}

/* ---- bodies ---- */

typedef struct bf_star { /* elements at each node, as a corner */
  int64_t *ptr;          /* owned [nnodes + 1] */
  bf_int  *elem;         /* owned [ptr[nnodes]] */
  int64_t  most;         /* at one node */
} bf_star;

typedef struct bf_star_side {
  bf_int key[4], elem; /* corner nodes ascending, -1 past the last */
} bf_star_side;

static bf_err star_create(const bf_mesh *mesh, int dim, bf_star *s)
{
  bf_item_list list[BF_ELEM_TYPES];
  int          n    = 0;
  int64_t      most = 0;
  for (int b = 0; b < mesh->nblocks; b++) {
    const bf_block     *k    = &mesh->block[b];
    const bf_elem_info *info = bf_elem(k->type);
    if (info->dim == dim)
      list[n++] = (bf_item_list){k->n, k->first, NULL, k->node, info->nnodes, info->ncorners};
  }
  BF_TRY(bf_incidence_create(mesh->nnodes, list, n, &s->ptr, &s->elem));
#pragma omp parallel for schedule(static) reduction(max : most)
  for (bf_int v = 0; v < mesh->nnodes; v++)
    most = s->ptr[v + 1] - s->ptr[v] > most ? s->ptr[v + 1] - s->ptr[v] : most;
  s->most = most;
  return BF_OK;
}

static void star_clear(bf_star *s)
{
  bf_host_free(s->ptr);
  bf_host_free(s->elem);
}

static int by_key(const void *p, const void *q)
{
  const bf_star_side *s = p, *t = q;
  for (int k = 0; k < 4; k++)
    if (s->key[k] != t->key[k]) return s->key[k] < t->key[k] ? -1 : 1;
  return 0;
}

/* Insertion sort of the few sides at an ordinary node; qsort where many elements meet. */
static void sort_sides(bf_star_side *side, size_t n)
{
  if (n > 64) {
    qsort(side, n, sizeof *side, by_key);
    return;
  }
  for (size_t i = 1; i < n; i++) {
    const bf_star_side t = side[i];
    size_t             j = i;
    for (; j > 0 && by_key(&side[j - 1], &t) > 0; j--) side[j] = side[j - 1];
    side[j] = t;
  }
}

/* Unites the elements that share a side whose lowest corner is v; side: scratch for all sides at a node. */
static void unite_star(const bf_mesh *mesh, const bf_star *s, bf_int v, bf_star_side *side, bf_parent *up)
{
  size_t n = 0;
  for (int64_t i = s->ptr[v]; i < s->ptr[v + 1]; i++) {
    const bf_block     *k     = bf_mesh_block_of(mesh, s->elem[i]);
    const bf_elem_info *info  = bf_elem(k->type);
    const bf_int       *node  = k->node + (size_t)(s->elem[i] - k->first) * (size_t)info->nnodes;
    const int           nc    = bf_elem(info->face_type)->ncorners;
    int                 above = 0; /* corners above v: v is the lowest of no side if they are few */
    for (int a = 0; a < info->ncorners; a++) above += node[a] > v;
    if (above < nc - 1) continue;
    for (int f = 0; f < info->nfaces; f++) {
      bf_star_side t    = {{-1, -1, -1, -1}, s->elem[i]};
      int          here = 1;
      for (int a = 0; a < nc && here; a++) {
        const bf_int w = node[info->face[f][a]];
        int          j = a;
        for (; j > 0 && t.key[j - 1] > w; j--) t.key[j] = t.key[j - 1];
        t.key[j] = w;
        here     = w >= v;
      }
      if (here && t.key[0] == v) side[n++] = t;
    }
  }
  sort_sides(side, n);
  for (size_t i = 1; i < n; i++)
    if (by_key(&side[i - 1], &side[i]) == 0) unite(up, side[i - 1].elem, side[i].elem);
}

bf_err bf_bodies_find(const bf_mesh *mesh, int dim, bf_int *body, bf_int *nbodies)
{
  bf_err     err             = BF_OK;
  bf_star    s               = {0};
  bf_parent *up              = NULL;
  int        short_of_memory = 0;
  BF_CHECK(mesh && body && nbodies, BF_E_ARG, "null argument");
  *nbodies = 0;
  BF_GO(star_create(mesh, dim, &s));
  BF_GO(BF_NEW_ARRAY(up, mesh->nelem));
#pragma omp parallel for
  for (bf_int e = 0; e < mesh->nelem; e++) {
    atomic_init(&up[e], e);
    body[e] = bf_elem(bf_mesh_block_of(mesh, e)->type)->dim == dim ? 0 : -1;
  }
#pragma omp parallel reduction(| : short_of_memory)
  {
    bf_star_side *side = bf_host_alloc((size_t)s.most * BF_FACES_MAX, sizeof *side);
    short_of_memory    = !side;
#pragma omp for schedule(static)
    for (bf_int v = 0; v < mesh->nnodes; v++)
      if (side) unite_star(mesh, &s, v, side, up);
    bf_host_free(side);
  }
  BF_NEED(!short_of_memory, BF_E_MEMORY, "no memory to find bodies");
  number_components(up, mesh->nelem, body, nbodies);
done:
  star_clear(&s);
  bf_host_free(up);
  return err;
}
