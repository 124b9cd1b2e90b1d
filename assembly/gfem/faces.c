/* assembly/gfem/faces.c - sides under a prescribed value: strong imposition on straight ones, Nitsche's
 * method on curved ones; and the test for straight interfaces of materials
 *
 * Faces of one condition that meet two at a node without a corner (40 degrees) are one side.  A side is
 * straight if its nodes lie on the line through the two farthest from the first, to 1e-6 of its length.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/gfem/gfem.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>

typedef struct bf_edge { /* a face, or a side of an element between two materials */
  bf_int a, b;           /* a < b */
  bf_int key;            /* condition, or material */
  bf_int side;           /* number of the side it is part of: of its first edge, then 0, 1, ... */
} bf_edge;

static int by_nodes(const void *x, const void *y)
{
  const bf_edge *p = x, *q = y;
  if (p->a != q->a) return p->a < q->a ? -1 : 1;
  if (p->b != q->b) return p->b < q->b ? -1 : 1;
  return (p->key > q->key) - (p->key < q->key);
}

static bf_edge edge_of(bf_int a, bf_int b, bf_int key)
{
  return (bf_edge){a < b ? a : b, a < b ? b : a, key, 0};
}

static void direction(const bf_mesh *mesh, const bf_edge *e, bf_int from, double d[2])
{
  const bf_int  to = e->a == from ? e->b : e->a;
  const double *x = mesh->x + 3 * (size_t)from, *y = mesh->x + 3 * (size_t)to;
  const double  l = hypot(y[0] - x[0], y[1] - x[1]);
  for (int i = 0; i < 2; i++) d[i] = l > 0.0 ? (y[i] - x[i]) / l : 0.0;
}

/* Edges at each node: edge[item[ptr[v] .. ptr[v+1])]. */
static bf_err edges_at(bf_int nnodes, const bf_edge *edge, bf_int n, bf_int **out_ptr, bf_int **out_item)
{
  bf_err  err = BF_OK;
  bf_int *ptr = NULL, *item = NULL;
  BF_GO(BF_NEW_ARRAY(ptr, (size_t)nnodes + 1));
  BF_GO(BF_NEW_ARRAY(item, 2 * (size_t)n));
  for (bf_int i = 0; i < n; i++) {
    ptr[edge[i].a + 1]++;
    ptr[edge[i].b + 1]++;
  }
  for (bf_int v = 0; v < nnodes; v++) ptr[v + 1] += ptr[v];
  for (bf_int i = 0; i < n; i++) {
    item[ptr[edge[i].a]++] = i;
    item[ptr[edge[i].b]++] = i;
  }
  for (bf_int v = nnodes; v > 0; v--) ptr[v] = ptr[v - 1];
  ptr[0]    = 0;
  *out_ptr  = ptr;
  *out_item = item;
  ptr = item = NULL;
done:
  bf_host_free(ptr);
  bf_host_free(item);
  return err;
}

static bf_int root(bf_edge *edge, bf_int i)
{
  while (edge[i].side != i) i = edge[i].side = edge[edge[i].side].side;
  return i;
}

/* Joins edges into sides and numbers the sides 0 .. n-1; returns n. */
static bf_int join(const bf_mesh *mesh, bf_edge *edge, bf_int n, const bf_int *ptr, const bf_int *item)
{
  bf_int count = 0;
  for (bf_int i = 0; i < n; i++) edge[i].side = i;
  for (bf_int v = 0; v < mesh->nnodes; v++) {
    double d[2], e[2];
    if (ptr[v + 1] - ptr[v] != 2) continue;
    bf_edge *p = &edge[item[ptr[v]]], *q = &edge[item[ptr[v] + 1]];
    direction(mesh, p, v, d);
    direction(mesh, q, v, e);
    if (p->key == q->key && d[0] * e[0] + d[1] * e[1] < -cos(40.0 / 180.0 * acos(-1.0)))
      edge[root(edge, item[ptr[v]])].side = root(edge, item[ptr[v] + 1]);
  }
  for (bf_int i = 0; i < n; i++) edge[i].side = root(edge, i);
  for (bf_int i = 0; i < n; i++) /* a root becomes -1 - number, the others copy it from their root */
    if (edge[i].side == i) edge[i].side = -1 - count++;
  for (bf_int i = 0; i < n; i++)
    if (edge[i].side >= 0) edge[i].side = edge[edge[i].side].side;
  for (bf_int i = 0; i < n; i++) edge[i].side = -1 - edge[i].side;
  return count;
}

/* straight[nsides] */
static bf_err straight_sides(const bf_mesh *mesh, const bf_edge *edge, bf_int n, bf_int nsides,
                             uint8_t *straight)
{
  bf_err  err   = BF_OK;
  bf_int *first = NULL, *last = NULL;
  double *far = NULL;
  BF_GO(BF_NEW_ARRAY(first, nsides));
  BF_GO(BF_NEW_ARRAY(last, nsides));
  BF_GO(BF_NEW_ARRAY(far, nsides));
  for (bf_int s = 0; s < nsides; s++) first[s] = -1;
  for (bf_int i = 0; i < n; i++)
    if (first[edge[i].side] < 0) first[edge[i].side] = edge[i].a;
  for (bf_int i = 0; i < n; i++)
    for (int k = 0; k < 2; k++) {
      const bf_int  s = edge[i].side, v = k ? edge[i].b : edge[i].a;
      const double *x = mesh->x + 3 * (size_t)first[s], *y = mesh->x + 3 * (size_t)v;
      const double  d = hypot(y[0] - x[0], y[1] - x[1]);
      if (d <= far[s]) continue;
      far[s]  = d;
      last[s] = v;
    }
  for (bf_int s = 0; s < nsides; s++) straight[s] = 1;
  for (bf_int i = 0; i < n; i++)
    for (int k = 0; k < 2; k++) {
      const bf_int  s = edge[i].side, v = k ? edge[i].b : edge[i].a;
      const double *x = mesh->x + 3 * (size_t)first[s], *z = mesh->x + 3 * (size_t)last[s],
                   *y  = mesh->x + 3 * (size_t)v;
      const double off = fabs((z[0] - x[0]) * (y[1] - x[1]) - (z[1] - x[1]) * (y[0] - x[0])) / far[s];
      if (!(off <= 1e-6 * far[s])) straight[s] = 0;
    }
done:
  bf_host_free(first);
  bf_host_free(last);
  bf_host_free(far);
  return err;
}

static bf_int number_of_faces(const bf_gfem_faces *f)
{
  bf_int n = 0;
  for (int s = 0; s < f->nsets; s++) n += f->set[s].n;
  return n;
}

/* The faces as edges, each once, with the first condition that has it. */
static bf_err list_faces(const bf_gfem_faces *f, bf_edge **out, bf_int *count)
{
  bf_edge *edge = NULL;
  bf_int   n = 0, kept = 0;
  BF_TRY(BF_NEW_ARRAY(edge, number_of_faces(f)));
  for (int s = 0; s < f->nsets; s++)
    for (bf_int i = 0; i < f->set[s].n; i++) {
      const bf_int *v = f->set[s].node + 2 * (size_t)i;
      edge[n++]       = edge_of(v[0], v[1], f->set[s].boundary);
    }
  qsort(edge, (size_t)n, sizeof *edge, by_nodes);
  for (bf_int i = 0; i < n; i++)
    if (kept == 0 || edge[kept - 1].a != edge[i].a || edge[kept - 1].b != edge[i].b) edge[kept++] = edge[i];
  *out   = edge;
  *count = kept;
  return BF_OK;
}

static void add_chain(bf_gfem_faces *f, bf_int v, bf_int side)
{
  bf_int *c  = f->chain[v];
  f->flat[v] = 1;
  if (c[0] == side || c[1] == side) return;
  if (c[0] < 0)
    c[0] = side;
  else if (c[1] < 0)
    c[1] = side;
  else
    return; /* a third side at a node is ignored */
  f->count[side]++;
}

/* weak[s][i] = 1 for faces of curved sides. */
static bf_err mark_weak(bf_gfem_faces *f, const bf_edge *edge, bf_int n, const uint8_t *straight)
{
  BF_TRY(BF_NEW_ARRAY(f->weak, f->nsets));
  for (int s = 0; s < f->nsets; s++) {
    BF_TRY(BF_NEW_ARRAY(f->weak[s], f->set[s].n));
    for (bf_int i = 0; i < f->set[s].n; i++) {
      const bf_int *v   = f->set[s].node + 2 * (size_t)i;
      const bf_edge key = edge_of(v[0], v[1], -1);
      bf_int        lo = 0, hi = n - 1;
      while (lo < hi) { /* the only edge of these nodes follows the key */
        const bf_int mid = (lo + hi) / 2;
        if (by_nodes(&edge[mid], &key) < 0)
          lo = mid + 1;
        else
          hi = mid;
      }
      f->weak[s][i] = !straight[edge[lo].side];
      f->ncurved += f->weak[s][i];
    }
  }
  return BF_OK;
}

/* Prescribed values remain on straight sides and at prescribed points. */
static bf_err release(bf_model *m, const bf_gfem_faces *f)
{
  bf_err   err   = BF_OK;
  uint8_t *keep  = NULL;
  bf_int  *nodes = NULL, n;
  bf_diags none  = {0};
  BF_GO(BF_NEW_ARRAY(keep, m->mesh->nnodes));
  for (bf_int v = 0; v < m->mesh->nnodes; v++) keep[v] = f->flat[v];
  for (int b = 0; b < m->problem->nboundaries; b++) {
    const bf_boundary *bc = &m->problem->boundary[b];
    for (int k = 0; k < bc->ngroups && bf_model_prescribes(bc->type); k++) {
      const bf_group *g = bf_model_group(m, &bc->group[k], 0, m->sdim - 1, "boundary", &none);
      if (!g || g->dim > 0) continue;
      BF_GO(bf_mesh_group_nodes(m->mesh, g, &nodes, &n));
      for (bf_int i = 0; i < n; i++) keep[nodes[i]] = 1;
      bf_host_free(nodes);
      nodes = NULL;
    }
  }
  for (bf_int v = 0; v < m->mesh->nnodes; v++)
    for (int c = 0; c < m->ncomp && !keep[v]; c++) {
      const size_t u = (size_t)v * (size_t)m->ncomp + (size_t)c;
      m->fixed[u]    = 0;
      m->value[u]    = 0.0;
      m->fixed_by[u] = -1;
    }
done:
  bf_diags_clear(&none);
  bf_host_free(keep);
  bf_host_free(nodes);
  return err;
}

/* Sides between elements of different materials: 1 if two of them meet at an angle. */
static bf_err check_interfaces(const bf_model *m, const bf_gfem_entries *at, bf_gfem_faces *f)
{
  bf_err   err  = BF_OK;
  bf_edge *edge = NULL;
  bf_int  *ptr = NULL, *item = NULL, n = 0, kept = 0;
  int      several = 0;
  for (bf_int v = 0; v < m->mesh->nnodes; v++) several |= at->first[v + 1] - at->first[v] > 1;
  if (!several) return BF_OK;
  BF_GO(BF_NEW_ARRAY(edge, BF_GFEM_CORNERS * (size_t)m->mesh->nelem));
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block     *B    = m->block[b].block;
    const bf_elem_info *info = bf_elem(B->type);
    for (bf_int e = 0; e < B->n; e++)
      for (int s = 0; s < info->nfaces; s++) {
        const bf_int *v = B->node + (size_t)e * (size_t)info->nnodes, p = v[info->face[s][0]],
                     q = v[info->face[s][1]];
        if (at->first[p + 1] - at->first[p] > 1 && at->first[q + 1] - at->first[q] > 1)
          edge[n++] = edge_of(p, q, m->region[B->first + e]);
      }
  }
  qsort(edge, (size_t)n, sizeof *edge, by_nodes);
  for (bf_int i = 0; i + 1 < n; i++)
    if (edge[i].a == edge[i + 1].a && edge[i].b == edge[i + 1].b && edge[i].key != edge[i + 1].key)
      edge[kept++] = edge[i];
  BF_GO(edges_at(m->mesh->nnodes, edge, kept, &ptr, &item));
  for (bf_int v = 0; v < m->mesh->nnodes; v++) {
    double d[2], e[2];
    if (ptr[v + 1] - ptr[v] != 2) continue;
    direction(m->mesh, &edge[item[ptr[v]]], v, d);
    direction(m->mesh, &edge[item[ptr[v] + 1]], v, e);
    f->bent |= d[0] * e[0] + d[1] * e[1] > 0.0 || fabs(d[0] * e[1] - d[1] * e[0]) > 1e-4;
  }
done:
  bf_host_free(edge);
  bf_host_free(ptr);
  bf_host_free(item);
  return err;
}

bf_err bf_gfem_faces_create(bf_model *m, const bf_gfem_entries *at, bf_gfem_faces *f, bf_diags *diags)
{
  bf_err   err  = BF_OK;
  bf_edge *edge = NULL;
  bf_int  *ptr = NULL, *item = NULL, n = 0;
  uint8_t *straight = NULL;
  int      odd;
  BF_GO(BF_NEW_ARRAY(f->flat, m->mesh->nnodes));
  BF_GO(BF_NEW_ARRAY(f->chain, m->mesh->nnodes));
  for (bf_int v = 0; v < m->mesh->nnodes; v++) f->chain[v][0] = f->chain[v][1] = -1;
  BF_GO(bf_model_prescribed_faces(m, &f->set, &f->nsets, &odd));
  if (odd >= 0)
    bf_diag_add(
        diags, BF_ERROR, 107, m->problem->boundary[odd].where,
        "'%s' on sides between two elements is not available with gfem of order %d in this version; use "
        "method: fem",
        bf_bc_name(m->problem->boundary[odd].type), m->problem->order);
  BF_GO(list_faces(f, &edge, &n));
  BF_GO(edges_at(m->mesh->nnodes, edge, n, &ptr, &item));
  f->nchains = join(m->mesh, edge, n, ptr, item);
  BF_GO(BF_NEW_ARRAY(f->count, f->nchains));
  BF_GO(BF_NEW_ARRAY(straight, f->nchains));
  BF_GO(straight_sides(m->mesh, edge, n, f->nchains, straight));
  for (bf_int i = 0; i < n; i++)
    if (straight[edge[i].side]) {
      add_chain(f, edge[i].a, edge[i].side);
      add_chain(f, edge[i].b, edge[i].side);
    }
  BF_GO(mark_weak(f, edge, n, straight));
  BF_GO(check_interfaces(m, at, f));
  if (f->ncurved > 0) BF_GO(release(m, f));
done:
  bf_host_free(edge);
  bf_host_free(ptr);
  bf_host_free(item);
  bf_host_free(straight);
  return err;
}
