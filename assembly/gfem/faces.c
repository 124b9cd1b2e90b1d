/* assembly/gfem/faces.c - sides under a prescribed value: strong imposition on flat ones, Nitsche's method on
 * curved ones; and the test for flat interfaces of materials
 *
 * Faces of one condition that meet two at a node (in space: at an edge) without a corner of 40 degrees are
 * one side.  A side is flat if its nodes lie in the line or plane through one of them along the mean of the
 * faces, to 1e-6 of its extent.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/shape.h"
#include "assembly/gfem/gfem.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct bf_facet { /* a face, or a side of an element between two materials */
  int    n;
  bf_int node[4]; /* in the order of the parent's side */
  bf_int key[4];  /* ascending; -1 past them */
  bf_int from;    /* condition, or material */
  bf_int side;    /* number of the side it is part of: of its first panel, then 0, 1, ... */
  double normal[3], measure;
} bf_facet;

typedef struct bf_ridge { /* node of a face of the plane, edge of one of space */
  bf_int a, b, panel;
} bf_ridge;

static int by_nodes(const void *x, const void *y)
{
  const bf_facet *p = x, *q = y;
  for (int i = 0; i < 4; i++)
    if (p->key[i] != q->key[i]) return p->key[i] < q->key[i] ? -1 : 1;
  return (p->from > q->from) - (p->from < q->from);
}

static int by_ridge(const void *x, const void *y)
{
  const bf_ridge *p = x, *q = y;
  if (p->a != q->a) return p->a < q->a ? -1 : 1;
  if (p->b != q->b) return p->b < q->b ? -1 : 1;
  return (p->panel > q->panel) - (p->panel < q->panel);
}

static bf_facet panel_of(const bf_mesh *mesh, bf_elem_type type, const bf_int *node, bf_int from)
{
  bf_facet p = {.n = bf_elem(type)->nnodes, .from = from};
  double   X[BF_NEN_MAX][3], dN[BF_NEN_MAX][3], N[BF_NEN_MAX], J[3][3], xi[3] = {0.0};
  for (int i = 0; i < 4; i++) p.key[i] = -1;
  for (int i = 0; i < p.n; i++) {
    int j     = i;
    p.node[i] = node[i];
    for (; j > 0 && p.key[j - 1] > node[i]; j--) p.key[j] = p.key[j - 1];
    p.key[j] = node[i];
    memcpy(X[i], mesh->x + 3 * (size_t)node[i], sizeof X[i]);
  }
  if (type == BF_TRI3) xi[0] = xi[1] = 1.0 / 3.0;
  bf_shape(type, xi, N, dN);
  bf_shape_normal(type, mesh->dim, (const double(*)[3])X, (const double(*)[3])dN, p.normal);
  p.measure = bf_shape_jacobian(type, mesh->dim, (const double(*)[3])X, (const double(*)[3])dN, J);
  return p;
}

static bf_int root(bf_facet *panel, bf_int i)
{
  while (panel[i].side != i) i = panel[i].side = panel[panel[i].side].side;
  return i;
}

/* The ridges of panels, sorted; the caller's. */
static bf_err list_ridges(const bf_mesh *mesh, const bf_facet *panel, bf_int n, bf_ridge **out, bf_int *count)
{
  bf_ridge *ridge = NULL;
  bf_int    k     = 0;
  BF_TRY(BF_NEW_ARRAY(ridge, 4 * (size_t)n));
  for (bf_int i = 0; i < n; i++)
    for (int a = 0; a < panel[i].n; a++) {
      const bf_int u = panel[i].node[a], v = mesh->dim == 2 ? -1 : panel[i].node[(a + 1) % panel[i].n];
      ridge[k++] = (bf_ridge){u > v ? u : v, u > v ? v : u, i};
    }
  qsort(ridge, (size_t)k, sizeof *ridge, by_ridge);
  *out   = ridge;
  *count = k;
  return BF_OK;
}

static double cosine(const bf_facet *p, const bf_facet *q)
{
  double s = 0.0;
  for (int i = 0; i < 3; i++) s += p->normal[i] * q->normal[i];
  return s;
}

/* Joins panels into sides and numbers the sides 0 .. n-1; *count of them. */
static bf_err join(const bf_mesh *mesh, bf_facet *panel, bf_int n, bf_int *count)
{
  bf_ridge *ridge = NULL;
  bf_int    k;
  *count = 0;
  BF_TRY(list_ridges(mesh, panel, n, &ridge, &k));
  for (bf_int i = 0; i < n; i++) panel[i].side = i;
  for (bf_int i = 0, j; i < k; i = j) {
    for (j = i + 1; j < k && ridge[j].a == ridge[i].a && ridge[j].b == ridge[i].b;) j++;
    if (j - i != 2) continue;
    const bf_int p = ridge[i].panel, q = ridge[i + 1].panel;
    if (panel[p].from == panel[q].from && cosine(&panel[p], &panel[q]) > cos(40.0 / 180.0 * acos(-1.0)))
      panel[root(panel, p)].side = root(panel, q);
  }
  for (bf_int i = 0; i < n; i++) panel[i].side = root(panel, i);
  for (bf_int i = 0; i < n; i++) /* a root becomes -1 - number, the others copy it from their root */
    if (panel[i].side == i) panel[i].side = -1 - (*count)++;
  for (bf_int i = 0; i < n; i++)
    if (panel[i].side >= 0) panel[i].side = panel[panel[i].side].side;
  for (bf_int i = 0; i < n; i++) panel[i].side = -1 - panel[i].side;
  bf_host_free(ridge);
  return BF_OK;
}

typedef struct bf_extent { /* of a side */
  bf_int first;
  double normal[3], size;
} bf_extent;

/* flat[nsides] */
static bf_err flat_sides(const bf_mesh *mesh, const bf_facet *panel, bf_int n, bf_int nsides, uint8_t *flat)
{
  bf_extent *side = NULL;
  BF_TRY(BF_NEW_ARRAY(side, nsides));
  for (bf_int s = 0; s < nsides; s++) side[s].first = -1;
  for (bf_int i = 0; i < n; i++) {
    bf_extent *s = &side[panel[i].side];
    if (s->first < 0) s->first = panel[i].node[0];
    for (int k = 0; k < 3; k++) s->normal[k] += panel[i].measure * panel[i].normal[k];
  }
  for (bf_int s = 0; s < nsides; s++) {
    const double l = hypot(hypot(side[s].normal[0], side[s].normal[1]), side[s].normal[2]);
    for (int k = 0; k < 3; k++) side[s].normal[k] /= l;
    flat[s] = 1;
  }
  for (int pass = 0; pass < 2; pass++)
    for (bf_int i = 0; i < n; i++)
      for (int a = 0; a < panel[i].n; a++) {
        bf_extent    *s = &side[panel[i].side];
        const double *x = mesh->x + 3 * (size_t)s->first, *y = mesh->x + 3 * (size_t)panel[i].node[a];
        double        r = 0.0, off = 0.0;
        for (int k = 0; k < 3; k++) {
          r += (y[k] - x[k]) * (y[k] - x[k]);
          off += (y[k] - x[k]) * s->normal[k];
        }
        if (pass == 0)
          s->size = fmax(s->size, sqrt(r));
        else if (!(fabs(off) <= 1e-6 * s->size))
          flat[panel[i].side] = 0;
      }
  bf_host_free(side);
  return BF_OK;
}

static bf_int number_of_faces(const bf_gfem_faces *f)
{
  bf_int n = 0;
  for (int s = 0; s < f->nsets; s++) n += f->set[s].n;
  return n;
}

/* The faces as panels, each once, with the first condition that has it. */
static bf_err list_faces(const bf_mesh *mesh, const bf_gfem_faces *f, bf_facet **out, bf_int *count)
{
  bf_facet *panel = NULL;
  bf_int    n = 0, kept = 0;
  BF_TRY(BF_NEW_ARRAY(panel, number_of_faces(f)));
  for (int s = 0; s < f->nsets; s++)
    for (bf_int i = 0; i < f->set[s].n; i++) {
      const size_t nn = (size_t)bf_elem(f->set[s].type)->nnodes;
      panel[n++]      = panel_of(mesh, f->set[s].type, f->set[s].node + nn * (size_t)i, f->set[s].boundary);
    }
  qsort(panel, (size_t)n, sizeof *panel, by_nodes);
  for (bf_int i = 0; i < n; i++)
    if (kept == 0 || memcmp(panel[kept - 1].key, panel[i].key, sizeof panel[i].key) != 0)
      panel[kept++] = panel[i];
  *out   = panel;
  *count = kept;
  return BF_OK;
}

static void add_chain(bf_gfem_faces *f, bf_int v, bf_int side)
{
  bf_int *c  = f->chain[v];
  f->flat[v] = 1;
  for (int k = 0; k < BF_GFEM_SIDES; k++) { /* a side beyond these at a node is ignored */
    if (c[k] == side) return;
    if (c[k] >= 0) continue;
    c[k] = side;
    f->count[side]++;
    return;
  }
}

/* weak[s][i] = 1 for faces of curved sides. */
static bf_err mark_weak(const bf_mesh *mesh, bf_gfem_faces *f, const bf_facet *panel, bf_int n,
                        const uint8_t *flat)
{
  BF_TRY(BF_NEW_ARRAY(f->weak, f->nsets));
  for (int s = 0; s < f->nsets; s++) {
    const size_t nn = (size_t)bf_elem(f->set[s].type)->nnodes;
    BF_TRY(BF_NEW_ARRAY(f->weak[s], f->set[s].n));
    for (bf_int i = 0; i < f->set[s].n; i++) {
      const bf_facet key = panel_of(mesh, f->set[s].type, f->set[s].node + nn * (size_t)i, -1);
      bf_int         lo = 0, hi = n - 1;
      while (lo < hi) { /* the only panel of these nodes follows the key */
        const bf_int mid = (lo + hi) / 2;
        if (by_nodes(&panel[mid], &key) < 0)
          lo = mid + 1;
        else
          hi = mid;
      }
      f->weak[s][i] = !flat[panel[lo].side];
      f->ncurved += f->weak[s][i];
    }
  }
  return BF_OK;
}

/* Prescribed values remain on flat sides and at prescribed points and lines. */
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
      if (!g || g->dim >= m->sdim - 1) continue;
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

/* Sides between elements of different materials, once each; the caller's. */
static bf_err list_interfaces(const bf_model *m, const bf_gfem_entries *at, bf_facet **out, bf_int *count)
{
  bf_facet *panel = NULL;
  bf_int    n     = 0;
  *count          = 0;
  for (int pass = 0; pass < 2; pass++) {
    bf_int k = 0;
    for (int b = 0; b < m->nblocks; b++) {
      const bf_block     *B    = m->block[b].block;
      const bf_elem_info *info = bf_elem(B->type);
      for (bf_int e = 0; e < B->n; e++)
        for (int s = 0; s < info->nfaces; s++) {
          bf_int    v[4];
          const int nn = bf_elem(info->face_type)->nnodes;
          int       on = 1;
          for (int a = 0; a < nn; a++) {
            v[a] = B->node[(size_t)e * (size_t)info->nnodes + (size_t)info->face[s][a]];
            on &= at->first[v[a] + 1] - at->first[v[a]] > 1;
          }
          if (on && pass == 1) panel[k] = panel_of(m->mesh, info->face_type, v, m->region[B->first + e]);
          k += on;
        }
    }
    n = k;
    if (pass == 0) BF_TRY(BF_NEW_ARRAY(panel, n));
  }
  qsort(panel, (size_t)n, sizeof *panel, by_nodes);
  for (bf_int i = 0; i + 1 < n; i++)
    if (memcmp(panel[i].key, panel[i + 1].key, sizeof panel[i].key) == 0 &&
        panel[i].from != panel[i + 1].from)
      panel[(*count)++] = panel[i];
  *out = panel;
  return BF_OK;
}

/* f->bent = 1 if two sides of an interface meet at an angle. */
static bf_err check_interfaces(const bf_model *m, const bf_gfem_entries *at, bf_gfem_faces *f)
{
  bf_err    err   = BF_OK;
  bf_facet *panel = NULL;
  bf_ridge *ridge = NULL;
  bf_int    n, k;
  int       several = 0;
  for (bf_int v = 0; v < m->mesh->nnodes; v++) several |= at->first[v + 1] - at->first[v] > 1;
  if (!several) return BF_OK;
  BF_GO(list_interfaces(m, at, &panel, &n));
  BF_GO(list_ridges(m->mesh, panel, n, &ridge, &k));
  for (bf_int i = 0, j; i < k; i = j) {
    for (j = i + 1; j < k && ridge[j].a == ridge[i].a && ridge[j].b == ridge[i].b;) j++;
    if (j - i == 2) /* the orientation follows from the lower material */
      f->bent |= fabs(cosine(&panel[ridge[i].panel], &panel[ridge[i + 1].panel])) < 1.0 - 5e-9;
  }
done:
  bf_host_free(panel);
  bf_host_free(ridge);
  return err;
}

bf_err bf_gfem_faces_create(bf_model *m, const bf_gfem_entries *at, bf_gfem_faces *f, bf_diags *diags)
{
  bf_err    err   = BF_OK;
  bf_facet *panel = NULL;
  bf_int    n     = 0;
  uint8_t  *flat  = NULL;
  int       odd;
  BF_GO(BF_NEW_ARRAY(f->flat, m->mesh->nnodes));
  BF_GO(BF_NEW_ARRAY(f->chain, m->mesh->nnodes));
  for (bf_int v = 0; v < m->mesh->nnodes; v++)
    for (int k = 0; k < BF_GFEM_SIDES; k++) f->chain[v][k] = -1;
  BF_GO(bf_model_prescribed_faces(m, &f->set, &f->nsets, &odd));
  if (odd >= 0)
    bf_diag_add(
        diags, BF_ERROR, 107, m->problem->boundary[odd].where,
        "'%s' on sides between two elements is not available with gfem of order %d in this version; use "
        "method: fem",
        bf_bc_name(m->problem->boundary[odd].type), m->problem->order);
  BF_GO(list_faces(m->mesh, f, &panel, &n));
  BF_GO(join(m->mesh, panel, n, &f->nchains));
  BF_GO(BF_NEW_ARRAY(f->count, f->nchains));
  BF_GO(BF_NEW_ARRAY(flat, f->nchains));
  BF_GO(flat_sides(m->mesh, panel, n, f->nchains, flat));
  for (bf_int i = 0; i < n; i++)
    for (int a = 0; a < panel[i].n && flat[panel[i].side]; a++) add_chain(f, panel[i].node[a], panel[i].side);
  BF_GO(mark_weak(m->mesh, f, panel, n, flat));
  BF_GO(check_interfaces(m, at, f));
  if (f->ncurved > 0) BF_GO(release(m, f));
done:
  bf_host_free(panel);
  bf_host_free(flat);
  return err;
}
