/* mesh/numbering/start_boundary.c - facets of one element only, their edges, and the sides they form
 *
 * Vertices that may be on the boundary follow from counts: with f elements and d edges at a vertex,
 * Euler's formula for the sphere around an inner vertex gives d = f in 2D and 2 d = 4 + f in 3D (every
 * element has three edges at each corner).  Only element sides with all vertices marked so are compared.
 * Sides of a 3D mesh: facets joined across edges with exactly 2 elements (hexahedra), or where the normals
 * turn by at most 40 degrees (meshes with simplices).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/numbering/starts.h"
#include "mesh/numbering/vertex_mesh.h"
#include <math.h>
#include <omp.h>
#include <string.h>

static const double COS_CORNER = 0.76604444311897801; /* 40 degrees */

int bf_is_corner(const double a[3], const double b[3])
{
  const double ab = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const double aa = a[0] * a[0] + a[1] * a[1] + a[2] * a[2], bb = b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
  return !(ab >= COS_CORNER * sqrt(aa) * sqrt(bb)) || aa == 0.0 || bb == 0.0;
}

void bf_boundary_destroy(bf_boundary **b)
{
  if (!b || !*b) return;
  bf_host_free((*b)->facet);
  bf_host_free((*b)->vertex);
  bf_host_free((*b)->edge);
  bf_host_free((*b)->edge_ptr);
  bf_host_free((*b)->side);
  bf_host_free(*b);
  *b = NULL;
}

/* 1 if the counts are not those of an inner vertex. */
static void mark_candidates(const bf_vmesh *v, const bf_graph *g, uint8_t *on)
{
#pragma omp parallel for schedule(static)
  for (bf_int i = 0; i < g->n; i++) {
    const int64_t degree = g->ptr[i + 1] - g->ptr[i], cells = v->ncells[i];
    on[i] = v->dim == 3 ? 2 * degree != 4 + cells : v->dim == 2 ? degree != cells : cells == 1;
  }
}

/* Sides of elements lo .. hi-1 of the block with all vertices marked: counted, or written to `to` unless
 * NULL.
 */
static bf_int candidate_facets(const bf_cell_block *B, bf_int lo, bf_int hi, const uint8_t *on, bf_facet *to)
{
  const bf_elem_info *info = bf_elem(B->type);
  const int           nf   = bf_elem(info->face_type)->ncorners;
  bf_int              n    = 0;
  for (bf_int e = lo; e < hi; e++) {
    const bf_int *v    = B->v + (size_t)e * (size_t)B->stride;
    int           mask = 0;
    for (int k = 0; k < B->nc; k++) mask |= on[v[k]] << k;
    if (mask == 0) continue;
    for (int f = 0; f < info->nfaces; f++) {
      int all = 1;
      for (int k = 0; k < nf; k++) all &= mask >> info->face[f][k];
      if (!(all & 1)) continue;
      if (to) {
        to[n].n = nf;
        for (int k = 0; k < nf; k++) to[n].v[k] = v[info->face[f][k]];
      }
      n++;
    }
  }
  return n;
}

/* Those of all elements, in their order, by a thread for each chunk of a block. */
static bf_err all_candidates(const bf_cells *c, const uint8_t *on, bf_facet **out, bf_int *n)
{
  bf_err    err = BF_OK;
  const int nt  = omp_get_max_threads();
  bf_int   *at  = NULL; /* chunk t of block b begins at at[b*nt + t] */
  BF_GO(BF_NEW_ARRAY(at, (size_t)c->nblocks * (size_t)nt + 1));
  for (int fill = 0; fill < 2; fill++) {
#pragma omp parallel for schedule(static, 1)
    for (int t = 0; t < nt; t++)
      for (int b = 0; b < c->nblocks; b++) {
        const int64_t cells = c->block[b].n;
        const bf_int  lo = (bf_int)(cells * t / nt), hi = (bf_int)(cells * (t + 1) / nt);
        const size_t  k     = (size_t)b * (size_t)nt + (size_t)t;
        const bf_int  found = candidate_facets(&c->block[b], lo, hi, on, fill ? *out + at[k] : NULL);
        if (!fill) at[k + 1] = found;
      }
    for (size_t k = 0; k < (size_t)c->nblocks * (size_t)nt && !fill; k++) at[k + 1] += at[k];
    *n = at[(size_t)c->nblocks * (size_t)nt];
    if (!fill) BF_GO(BF_NEW_ARRAY(*out, *n));
  }
done:
  bf_host_free(at);
  return err;
}

static bf_int least(const bf_facet *f)
{
  bf_int m = f->v[0];
  for (int k = 1; k < f->n; k++) m = f->v[k] < m ? f->v[k] : m;
  return m;
}

static int same_vertices(const bf_facet *f, const bf_facet *g)
{
  if (f->n != g->n) return 0;
  for (int i = 0; i < f->n; i++) {
    int found = 0;
    for (int j = 0; j < g->n; j++) found |= f->v[i] == g->v[j];
    if (!found) return 0;
  }
  return 1;
}

/* Facets that occur once, in the order of the elements; vertex[] becomes exact. */
static bf_err find_facets(const bf_vmesh *v, bf_boundary *b, bf_int *head)
{
  bf_err          err  = BF_OK;
  bf_facet       *f    = NULL;
  bf_int         *next = NULL, n = 0;
  const bf_cells *c = &v->cells;
  BF_GO(all_candidates(c, b->vertex, &f, &n));
  BF_GO(BF_NEW_ARRAY(next, n));
  for (bf_int i = 0; i < n; i++) { /* lists by the least vertex; a facet found again is inside */
    const bf_int m = least(&f[i]);
    bf_int       j = head[m];
    while (j >= 0 && !same_vertices(&f[i], &f[j])) j = next[j] < 0 ? ~next[j] - 1 : next[j] - 1;
    if (j >= 0) {
      if (next[j] >= 0) next[j] = ~next[j]; /* negative: seen twice */
      f[i].n = 0;
      continue;
    }
    next[i] = head[m] + 1; /* 0 = end */
    head[m] = i;
  }
  memset(b->vertex, 0, (size_t)c->nv);
  for (bf_int i = 0; i < n; i++) {
    if (f[i].n == 0 || next[i] < 0) continue;
    for (int k = 0; k < f[i].n; k++) b->vertex[f[i].v[k]] = 1;
    f[b->nfacets++] = f[i];
  }
  b->facet = f;
  f        = NULL;
done:
  bf_host_free(f);
  bf_host_free(next);
  return err;
}

/* Edges of the facets with the facets at them, sorted by their smaller vertex. */
static bf_err find_edges(bf_boundary *b, bf_int nv, bf_int *head)
{
  bf_err           err  = BF_OK;
  bf_surface_edge *edge = NULL;
  bf_int          *next = NULL, n = 0;
  BF_GO(BF_NEW_ARRAY(edge, 4 * (size_t)b->nfacets));
  BF_GO(BF_NEW_ARRAY(next, 4 * (size_t)b->nfacets)); /* lists by vertex a, begun in head[] */
  for (bf_int i = 0; i < b->nfacets; i++) {
    const bf_facet *f = &b->facet[i];
    for (int k = 0; k < f->n; k++) {
      const bf_int p = f->v[k], q = f->v[(k + 1) % f->n], lo = p < q ? p : q, hi = p < q ? q : p;
      bf_int       j = head[lo];
      while (j >= 0 && edge[j].b != hi) j = next[j];
      if (j >= 0) {
        if (edge[j].nfacets < 2) edge[j].facet[edge[j].nfacets] = i;
        edge[j].nfacets++;
        continue;
      }
      edge[n]  = (bf_surface_edge){lo, hi, {i, i}, 1, 0};
      next[n]  = head[lo];
      head[lo] = n++;
    }
  }
  BF_GO(BF_NEW_ARRAY(b->edge, n));
  BF_GO(BF_NEW_ARRAY(b->edge_ptr, (size_t)nv + 1));
  for (bf_int a = 0; a < nv; a++) {
    b->edge_ptr[a] = b->nedges;
    for (bf_int j = head[a]; j >= 0; j = next[j]) b->edge[b->nedges++] = edge[j];
  }
  b->edge_ptr[nv] = b->nedges;
done:
  bf_host_free(edge);
  bf_host_free(next);
  return err;
}

bf_int bf_boundary_edge(const bf_boundary *b, bf_int p, bf_int q)
{
  const bf_int lo = p < q ? p : q, hi = p < q ? q : p;
  for (bf_int j = b->edge_ptr[lo]; j < b->edge_ptr[lo + 1]; j++)
    if (b->edge[j].b == hi) return j;
  return -1;
}

static void count_cells_at_edges(const bf_vmesh *v, bf_boundary *b)
{
  for (int k = 0; k < v->cells.nblocks; k++) {
    const bf_cell_block *B    = &v->cells.block[k];
    const bf_elem_info  *info = bf_elem(B->type);
    for (bf_int e = 0; e < B->n; e++) {
      const bf_int *c    = B->v + (size_t)e * (size_t)B->stride;
      int           some = 0;
      for (int i = 0; i < B->nc; i++) some |= b->vertex[c[i]];
      for (int i = 0; i < info->nedges && some; i++) {
        const bf_int p = c[info->edge[i][0]], q = c[info->edge[i][1]];
        if (!b->vertex[p] || !b->vertex[q]) continue;
        const bf_int j = bf_boundary_edge(b, p, q);
        if (j >= 0) b->edge[j].ncells++;
      }
    }
  }
}

/* Outward normal: cross product of the diagonals, or of two edges. */
static void normal(const bf_vmesh *v, const bf_facet *f, double n[3])
{
  const double *p = bf_vmesh_x(v, f->v[0]), *q = bf_vmesh_x(v, f->v[1]), *r = bf_vmesh_x(v, f->v[2]),
               *s = bf_vmesh_x(v, f->v[f->n == 4 ? 3 : 0]);
  double a[3], b[3];
  for (int d = 0; d < 3; d++) {
    a[d] = r[d] - p[d];
    b[d] = s[d] - q[d];
  }
  if (f->n == 3)
    for (int d = 0; d < 3; d++) b[d] = p[d] - q[d];
  n[0] = a[1] * b[2] - a[2] * b[1];
  n[1] = a[2] * b[0] - a[0] * b[2];
  n[2] = a[0] * b[1] - a[1] * b[0];
}

static bf_int find_root(bf_int *up, bf_int i)
{
  while (up[i] != i) i = up[i] = up[up[i]];
  return i;
}

static bf_err find_sides(const bf_vmesh *v, bf_boundary *b)
{
  BF_TRY(BF_NEW_ARRAY(b->side, b->nfacets));
  bf_int *up = b->side;
  for (bf_int i = 0; i < b->nfacets; i++) up[i] = i;
  for (bf_int j = 0; j < b->nedges; j++) {
    const bf_surface_edge *e      = &b->edge[j];
    int                    smooth = e->nfacets == 2 && e->ncells == 2;
    if (v->simplices && e->nfacets == 2) {
      double n0[3], n1[3];
      normal(v, &b->facet[e->facet[0]], n0);
      normal(v, &b->facet[e->facet[1]], n1);
      smooth = !bf_is_corner(n0, n1);
    }
    if (!smooth) continue;
    const bf_int r = find_root(up, e->facet[0]), s = find_root(up, e->facet[1]);
    if (r < s) /* the root is the first facet of its side */
      up[s] = r;
    else
      up[r] = s;
  }
  for (bf_int i = 0; i < b->nfacets; i++) up[i] = find_root(up, i);
  for (bf_int i = 0; i < b->nfacets; i++) up[i] = up[i] == i ? b->nsides++ : up[up[i]];
  return BF_OK;
}

bf_err bf_boundary_create(const bf_vmesh *v, const bf_graph *g, bf_boundary **out)
{
  bf_err       err  = BF_OK;
  bf_boundary *b    = NULL;
  bf_int      *head = NULL;
  const bf_int nv   = v->cells.nv;
  *out              = NULL;
  BF_GO(BF_NEW(b));
  BF_GO(BF_NEW_ARRAY(b->vertex, nv));
  BF_GO(BF_NEW_ARRAY(head, nv));
  memset(head, -1, (size_t)nv * sizeof *head);
  mark_candidates(v, g, b->vertex);
  BF_GO(find_facets(v, b, head));
  if (v->dim == 3) {
    memset(head, -1, (size_t)nv * sizeof *head);
    BF_GO(find_edges(b, nv, head));
    if (!v->simplices) count_cells_at_edges(v, b);
    BF_GO(find_sides(v, b));
  }
  *out = b;
  b    = NULL;
done:
  bf_host_free(head);
  bf_boundary_destroy(&b);
  return err;
}
