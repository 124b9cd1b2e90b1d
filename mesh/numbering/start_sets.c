/* mesh/numbering/start_sets.c - start sets of level orders
 *
 * 2D: each chain of the boundary from corner to corner; each loop without corners, and a cut line from it.
 * 3D: each side with each chain of its own boundary.  A corner is a boundary vertex with a number of elements
 * (3D: of the side's facets) other than 2 in meshes of quadrilaterals and hexahedra, an angle over 40 degrees
 * in meshes with simplices.  Longest chains and largest sides are first, because they are the outer ones of a
 * mesh of several blocks; in a single block (4 chains; 6 sides of 4 chains) the shortest is first, because
 * all give the same diagonals and the shortest the least bandwidth.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/numbering/starts.h"
#include "mesh/numbering/vertex_mesh.h"
#include <stdlib.h>
#include <string.h>

enum { SEEN = 128 }; /* beside a count of at most 127 */

typedef struct builder {
  const bf_vmesh    *v;
  const bf_graph    *g;
  const bf_boundary *b;
  const bf_int      *part; /* or NULL */
  bf_starts         *s;
  bf_int            *local;  /* [nv] scratch, -1 */
  uint8_t           *corner; /* [nv] scratch */
} builder;

void bf_starts_destroy(bf_starts **s)
{
  if (!s || !*s) return;
  bf_host_free((*s)->item);
  bf_host_free((*s)->vert);
  bf_host_free((*s)->side);
  bf_host_free((*s)->edge);
  bf_host_free(*s);
  *s = NULL;
}

bf_err bf_starts_add(bf_starts *s, bf_start item, const bf_int *vert, bf_int nvert)
{
  if (s->n == s->capacity) {
    const bf_int more  = 2 * s->capacity + 32;
    bf_start    *grown = bf_host_realloc(s->item, (size_t)more, sizeof *grown);
    BF_CHECK(grown, BF_E_MEMORY, "no memory for %d starts", more);
    s->item     = grown;
    s->capacity = more;
  }
  if (nvert > s->vert_capacity - s->nvert) {
    const bf_int more  = 2 * s->vert_capacity + nvert + 1024;
    bf_int      *grown = bf_host_realloc(s->vert, (size_t)more, sizeof *grown);
    BF_CHECK(grown, BF_E_MEMORY, "no memory for the vertices of %d starts", s->n);
    s->vert          = grown;
    s->vert_capacity = more;
  }
  item.first = s->nvert;
  if (nvert > 0) memcpy(s->vert + s->nvert, vert, (size_t)nvert * sizeof *vert);
  s->nvert += nvert;
  s->item[s->n++] = item;
  return BF_OK;
}

static bf_int part_of(const builder *B, bf_int v)
{
  return B->part ? B->part[v] : 0;
}

/* 1D: end vertices; 2D: the chains, loops and cut lines of the boundary. */
static bf_err add_chains(builder *B)
{
  bf_err err       = BF_OK;
  bf_int(*edge)[2] = NULL;
  bf_chains *c     = NULL;
  BF_GO(BF_NEW_ARRAY(edge, B->b->nfacets));
  for (bf_int i = 0; i < B->b->nfacets; i++) {
    const bf_int *v = B->b->facet[i].v;
    if (B->v->dim == 1)
      BF_GO(bf_starts_add(B->s, (bf_start){BF_START_CHAIN, part_of(B, v[0]), -1, i, 0, 1, 0, 1}, v, 1));
    memcpy(edge[i], v, sizeof edge[i]);
    B->corner[v[0]] = B->v->ncells[v[0]] != 2;
  }
  if (B->v->dim == 1) goto done;
  for (bf_int i = 0; i < B->b->nfacets; i++) B->corner[edge[i][1]] = B->v->ncells[edge[i][1]] != 2;
  BF_GO(bf_chains_create(B->v, B->b->nfacets, (const bf_int(*)[2])edge, B->v->simplices ? NULL : B->corner,
                         B->local, &c));
  for (bf_int i = 0; i < c->n; i++) {
    const bf_int *vert = c->vert + c->ptr[i], n = c->ptr[i + 1] - c->ptr[i];
    bf_start item = {c->loop[i] ? BF_START_LOOP : BF_START_CHAIN, part_of(B, vert[0]), -1, i, 0, n, 0, n};
    BF_GO(bf_starts_add(B->s, item, vert, n));
    if (c->loop[i] && !B->v->simplices) BF_GO(bf_starts_add_cut(B->s, B->v, B->g, B->b, vert, n, item));
  }
done:
  bf_host_free(edge);
  bf_chains_destroy(&c);
  return err;
}

/* Facets and edges by side, as lists: those of side i are item[ptr[i] .. ptr[i+1]). */
typedef struct lists {
  bf_int *ptr, *item;
} lists;

static bf_err facets_by_side(const bf_boundary *b, lists *l)
{
  BF_TRY(BF_NEW_ARRAY(l->ptr, (size_t)b->nsides + 2));
  BF_TRY(BF_NEW_ARRAY(l->item, b->nfacets));
  for (bf_int i = 0; i < b->nfacets; i++) l->ptr[b->side[i] + 2]++;
  for (bf_int i = 0; i < b->nsides; i++) l->ptr[i + 2] += l->ptr[i + 1];
  for (bf_int i = 0; i < b->nfacets; i++) l->item[l->ptr[b->side[i] + 1]++] = i;
  return BF_OK;
}

static bf_err edges_by_side(const bf_boundary *b, bf_starts *s)
{
  bf_err  err = BF_OK;
  bf_int *at  = NULL;
  s->nsides   = b->nsides;
  BF_GO(BF_NEW_ARRAY(s->side, b->nsides));
  BF_GO(BF_NEW_ARRAY(s->edge, 2 * (size_t)b->nedges));
  BF_GO(BF_NEW_ARRAY(at, (size_t)b->nsides + 1));
  for (int pass = 0; pass < 2; pass++) {
    for (bf_int j = 0; j < b->nedges; j++) {
      const bf_surface_edge *e  = &b->edge[j];
      const bf_int           s0 = b->side[e->facet[0]], s1 = b->side[e->facet[1]];
      for (int k = 0; k < 1 + (s1 != s0); k++) {
        const bf_int i = k ? s1 : s0;
        if (pass == 0) {
          s->side[i].nedges++;
        } else {
          s->edge[at[i]][0]   = e->a;
          s->edge[at[i]++][1] = e->b;
        }
      }
    }
    for (bf_int i = 0, sum = 0; i < b->nsides && pass == 0; i++) {
      s->side[i].first_edge = at[i] = sum;
      sum += s->side[i].nedges;
    }
  }
done:
  bf_host_free(at);
  return err;
}

/* 1 if edge (p, q) of a facet of side i bounds the side: its other facet is of another side, or it has not
 * exactly one other.
 */
static int ends_side(const bf_boundary *b, const bf_surface_edge *e)
{
  return e->nfacets != 2 || b->side[e->facet[0]] != b->side[e->facet[1]];
}

/* One side: its size, and the chains of its boundary as starts. */
static bf_err add_side(builder *B, bf_int side, const bf_int *facets, bf_int n)
{
  bf_err             err = BF_OK;
  const bf_boundary *b   = B->b;
  bf_int(*edge)[2]       = NULL;
  bf_int     nedges = 0, nvert = 0;
  bf_chains *c = NULL;
  BF_GO(BF_NEW_ARRAY(edge, 4 * (size_t)n));
  for (bf_int i = 0; i < n; i++) {
    const bf_facet *f = &b->facet[facets[i]];
    for (int k = 0; k < f->n; k++) {
      const bf_int p = f->v[k], q = f->v[(k + 1) % f->n];
      nvert += B->corner[p] == 0;
      B->corner[p] = (uint8_t)(B->corner[p] + (B->corner[p] != SEEN - 1)); /* facets of the side at p */
      if (!ends_side(b, &b->edge[bf_boundary_edge(b, p, q)])) continue;
      edge[nedges][0]   = p;
      edge[nedges++][1] = q;
    }
  }
  B->s->side[side].nvert = nvert;
  for (bf_int i = 0; i < nedges;
       i++) /* the counts become flags; each boundary vertex has two edges or more */
    for (int k = 0; k < 2; k++) {
      uint8_t *at = &B->corner[edge[i][k]];
      if (*at < SEEN) *at = (uint8_t)(SEEN + (*at != 2));
    }
  for (bf_int i = 0; i < nedges; i++)
    for (int k = 0; k < 2; k++) B->corner[edge[i][k]] &= SEEN - 1;
  BF_GO(bf_chains_create(B->v, nedges, (const bf_int(*)[2])edge, B->v->simplices ? NULL : B->corner, B->local,
                         &c));
  for (bf_int i = 0; i < c->n; i++) {
    const bf_int m    = c->ptr[i + 1] - c->ptr[i];
    bf_start     item = {BF_START_SIDE, part_of(B, c->vert[c->ptr[i]]), side, i, 0, m, 0, 0};
    item.size         = (int64_t)nvert << 31 | m;
    BF_GO(bf_starts_add(B->s, item, c->vert + c->ptr[i], m));
  }
done:
  for (bf_int i = 0; i < n; i++)
    for (int k = 0; k < b->facet[facets[i]].n; k++) B->corner[b->facet[facets[i]].v[k]] = 0;
  bf_host_free(edge);
  bf_chains_destroy(&c);
  return err;
}

static bf_err add_sides(builder *B)
{
  bf_err err = BF_OK;
  lists  l   = {0};
  BF_GO(facets_by_side(B->b, &l));
  BF_GO(edges_by_side(B->b, B->s));
  for (bf_int i = 0; i < B->b->nsides; i++) BF_GO(add_side(B, i, l.item + l.ptr[i], l.ptr[i + 1] - l.ptr[i]));
done:
  bf_host_free(l.ptr);
  bf_host_free(l.item);
  return err;
}

/* The vertex of fewest elements of each part: a start that always reaches the whole part. */
static bf_err add_vertices(builder *B, bf_int nparts)
{
  bf_err  err  = BF_OK;
  bf_int *best = NULL;
  BF_GO(BF_NEW_ARRAY(best, nparts));
  for (bf_int p = 0; p < nparts; p++) best[p] = -1;
  for (bf_int v = 0; v < B->v->cells.nv; v++) {
    bf_int *b = &best[part_of(B, v)];
    if (*b < 0 || B->v->ncells[v] < B->v->ncells[*b]) *b = v;
  }
  for (bf_int p = 0; p < nparts; p++)
    BF_GO(bf_starts_add(B->s, (bf_start){BF_START_VERTEX, p, -1, 0, 0, 1, 0, 0}, &best[p], 1));
done:
  bf_host_free(best);
  return err;
}

/* Parts of one block: the smallest start is tried first. */
static bf_err shortest_first(builder *B, bf_int nparts)
{
  bf_err     err   = BF_OK;
  bf_starts *s     = B->s;
  bf_int    *count = NULL;
  uint8_t   *other = NULL;
  BF_GO(BF_NEW_ARRAY(count, nparts));
  BF_GO(BF_NEW_ARRAY(other, nparts));
  for (int i = 0; i < s->n; i++) {
    const bf_start *t = &s->item[i];
    count[t->part]++;
    if (t->kind == BF_START_CHAIN)
      other[t->part] |= !B->v->simplices && (B->v->ncells[s->vert[t->first]] != 1 ||
                                             B->v->ncells[s->vert[t->first + t->count - 1]] != 1);
    else
      other[t->part] |= t->kind != BF_START_SIDE || t->chain > 3;
  }
  for (int i = 0; i < s->n; i++) {
    bf_start *t = &s->item[i];
    if (!other[t->part] && count[t->part] == (B->v->dim == 3 ? 24 : 4)) t->size = -t->size;
  }
done:
  bf_host_free(count);
  bf_host_free(other);
  return err;
}

static int compare_starts(const void *p, const void *q)
{
  const bf_start *a = p, *b = q;
  const int       av = a->kind == BF_START_VERTEX, bv = b->kind == BF_START_VERTEX;
  if (a->part != b->part) return a->part < b->part ? -1 : 1;
  if (av != bv) return av - bv;
  if (a->size != b->size) return a->size > b->size ? -1 : 1;
  return (a->first > b->first) - (a->first < b->first);
}

bf_err bf_starts_create(const bf_vmesh *v, const bf_graph *g, const bf_int *part, bf_int nparts,
                        bf_starts **out)
{
  bf_err       err = BF_OK;
  bf_boundary *b   = NULL;
  builder      B   = {v, g, NULL, part, NULL, NULL, NULL};
  const bf_int nv  = v->cells.nv;
  *out             = NULL;
  BF_GO(bf_boundary_create(v, g, &b));
  B.b = b;
  BF_GO(BF_NEW(B.s));
  BF_GO(BF_NEW_ARRAY(B.local, nv));
  BF_GO(BF_NEW_ARRAY(B.corner, nv));
  memset(B.local, -1, (size_t)nv * sizeof *B.local);
  BF_GO(v->dim == 3 ? add_sides(&B) : add_chains(&B));
  BF_GO(shortest_first(&B, nparts));
  BF_GO(add_vertices(&B, nparts));
  qsort(B.s->item, (size_t)B.s->n, sizeof *B.s->item, compare_starts);
  *out = B.s;
  B.s  = NULL;
done:
  bf_host_free(B.local);
  bf_host_free(B.corner);
  bf_boundary_destroy(&b);
  bf_starts_destroy(&B.s);
  return err;
}
