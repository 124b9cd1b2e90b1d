/* mesh/periodic_sides.c - see periodic_sides.h: elements as sorted lists of nodes, both lists sorted */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/periodic_sides.h"
#include "base/memory.h"
#include <stdlib.h>

typedef struct side {
  bf_int v[BF_FACE_NODES_MAX]; /* ascending, -1 after the last */
  bf_int elem;
} side;

static int by_number(const void *a, const void *b)
{
  const bf_int p = *(const bf_int *)a, q = *(const bf_int *)b;
  return (p > q) - (p < q);
}

static int compare(const side *p, const side *q)
{
  for (int i = 0; i < BF_FACE_NODES_MAX; i++)
    if (p->v[i] != q->v[i]) return p->v[i] < q->v[i] ? -1 : 1;
  return 0;
}

static int by_nodes(const void *a, const void *b)
{
  return compare(a, b);
}

/* The elements of a group, their nodes mapped unless map is NULL; those with a node that has no image are of
 * no element of the body. */
static bf_err list(const bf_mesh *m, const bf_group *g, const bf_int *map, side **out, bf_int *n)
{
  BF_TRY(BF_NEW_ARRAY(*out, g->nelem));
  for (bf_int k = 0; k < g->nelem; k++) {
    int           count, alone = 0;
    const bf_int *node = bf_mesh_elem_nodes(m, g->elem[k], &count);
    side         *s    = *out + *n;
    s->elem            = g->elem[k];
    for (int i = 0; i < BF_FACE_NODES_MAX; i++) {
      s->v[i] = i >= count ? -1 : map ? map[node[i]] : node[i];
      alone |= i < count && s->v[i] < 0;
    }
    qsort(s->v, (size_t)count, sizeof *s->v, by_number);
    *n += !alone;
  }
  qsort(*out, (size_t)*n, sizeof **out, by_nodes);
  return BF_OK;
}

/* Number of elements of a[na] that are not in b[nb]; *first: the lowest number of these. */
static bf_int missing(const side *a, bf_int na, const side *b, bf_int nb, bf_int *first)
{
  bf_int count = 0;
  for (bf_int i = 0, j = 0; i < na; i++) {
    while (j < nb && compare(&b[j], &a[i]) < 0) j++;
    if (j < nb && compare(&b[j], &a[i]) == 0) continue;
    if (count++ == 0 || a[i].elem < *first) *first = a[i].elem;
  }
  return count;
}

static void say(const bf_mesh *m, const bf_face_pair *pair, int turned, bf_int count, bf_int all, bf_int elem,
                bf_diags *diags)
{
  int             n;
  const bf_int   *node   = bf_mesh_elem_nodes(m, elem, &n);
  const bf_block *block  = bf_mesh_block_of(m, elem);
  double          mid[3] = {0};
  n                      = bf_elem(block->type)->ncorners;
  for (int i = 0; i < n; i++)
    for (int d = 0; d < 3; d++) mid[d] += m->x[3 * (size_t)node[i] + (size_t)d] / n;
  bf_diag_add(diags, BF_ERROR, 210, pair->where,
              "the nodes of '%s' and '%s' match and their elements do not: %d of the %d of '%s' have no "
              "partner, the first is element %lld, a %s around (%g, %g, %g); divide both sides alike, along "
              "the same diagonals (Gmsh: Periodic Curve, Periodic Surface)",
              pair->first->name, pair->second->name, (int)count, (int)all,
              (turned ? pair->second : pair->first)->name, (long long)block->tag[elem - block->first],
              bf_elem(block->type)->name, mid[0], mid[1], mid[2]);
}

bf_err bf_periodic_sides(const bf_mesh *m, const bf_face_pair *pair, const bf_int *partner, bf_diags *diags)
{
  bf_err  err = BF_OK;
  side   *a = NULL, *b = NULL;
  bf_int *back = NULL, na = 0, nb = 0, first = 0;
  BF_GO(BF_NEW_ARRAY(back, m->nnodes)); /* nodes of the second side; others are of no element of the body */
  for (bf_int v = 0; v < m->nnodes; v++) back[v] = -1;
  for (bf_int v = 0; v < m->nnodes; v++)
    if (partner[v] >= 0) back[partner[v]] = partner[v];
  BF_GO(list(m, pair->first, partner, &a, &na));
  BF_GO(list(m, pair->second, back, &b, &nb));
  const bf_int here = missing(a, na, b, nb, &first);
  if (here > 0) {
    say(m, pair, 0, here, na, first, diags);
    goto done;
  }
  const bf_int there = missing(b, nb, a, na, &first);
  if (there > 0) say(m, pair, 1, there, nb, first, diags);
done:
  bf_host_free(a);
  bf_host_free(b);
  bf_host_free(back);
  return err;
}
