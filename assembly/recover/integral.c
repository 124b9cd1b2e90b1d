/* assembly/recover/integral.c - integral of a field over elements or faces of a group
 *
 *     thickness * sum_e sum_q w_q det J  f(xi_q)
 * (axisymmetric: times 2 pi r) with f by shape functions (point fields) or the cell's value, and the mass
 * rule of the element type.  A face takes the field from the lowest element that has it as a side: at a
 * material interface one of two values.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/shape.h"
#include "assembly/gfem/gfem.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1024 };

typedef struct bf_face { /* a face of the group; sorted by its corner nodes */
  bf_int key[4];         /* corners ascending, -1 after the last */
  bf_int elem, cell;     /* its own element number; the cell it is a side of, -1 none yet */
} bf_face;

typedef struct bf_tables { /* of one element type */
  bf_rule rule;
  double  N[BF_QUADRATURE_MAX][BF_NEN_MAX], dN[BF_QUADRATURE_MAX][BF_NEN_MAX][3];
} bf_tables;

/* Tables of all types. */
static bf_err tables_create(const bf_model *m, bf_tables **out)
{
  bf_err     err = BF_OK;
  bf_tables *t   = NULL;
  BF_GO(BF_NEW_ARRAY(t, BF_ELEM_TYPES));
  for (int k = 0; k < BF_ELEM_TYPES; k++) {
    BF_GO(bf_model_auto_rule(m, (bf_elem_type)k, BF_RULE_MASS, &t[k].rule));
    for (int q = 0; q < t[k].rule.n; q++) bf_shape((bf_elem_type)k, t[k].rule.xi[q], t[k].N[q], t[k].dN[q]);
  }
  *out = t;
  t    = NULL;
done:
  bf_host_free(t);
  return err;
}

/* Integral over one element: nodes x, values f at its nodes. */
static double one(const bf_model *m, bf_elem_type type, const bf_tables *t, int sdim, double x[BF_NEN_MAX][3],
                  const double *f)
{
  const int nen = bf_elem(type)->nnodes;
  double    s   = 0.0, J[3][3];
  for (int q = 0; q < t->rule.n; q++) {
    double v = 0.0;
    for (int a = 0; a < nen; a++) v += t->N[q][a] * f[a];
    s += t->rule.w[q] * v * bf_model_turn(m, nen, t->N[q], (const double(*)[3])x) *
         bf_shape_jacobian(type, sdim, (const double(*)[3])x, (const double(*)[3])t->dN[q], J);
  }
  return s;
}

/* Nodal values of a face of n nodes: by point of the cell that carries each node, or the cell's value. */
static void values(const bf_view *view, const bf_model_field *field, int component, bf_int cell, int n,
                   const bf_int *node, double *f)
{
  const size_t w = (size_t)field->ncomp, k = (size_t)component;
  for (int a = 0; a < n; a++) {
    f[a] = field->on_cells ? field->data[(size_t)cell * w + k] : 0.0;
    for (int64_t i = view->ptr[cell]; i < view->ptr[cell + 1] && !field->on_cells; i++)
      if (view->node[view->point[i]] == node[a]) f[a] = field->data[(size_t)view->point[i] * w + k];
  }
}

static void nodes_at(const bf_mesh *mesh, int n, const bf_int *node, double x[BF_NEN_MAX][3])
{
  for (int a = 0; a < n; a++) memcpy(x[a], mesh->x + 3 * (size_t)node[a], sizeof x[a]);
}

/* The same of a field between whose nodes psi of gfem.h stands: over a cell, or its side from node[0] to
 * node[1]. */
static bf_err one_wide(const bf_model *m, bf_gfem_field *f, int component, bf_int cell, const bf_int *node,
                       double *sum)
{
  const bf_int       elem   = f->view->elem[cell];
  const bf_elem_type type   = node ? BF_LINE2 : f->view->type[cell];
  double             length = 0.0, v[9], xi[3];
  bf_rule            rule;
  BF_TRY(bf_quadrature(type, m->problem->order + 2, BF_RULE_STIFFNESS, &rule));
  for (int i = 0; i < 3 && node; i++) {
    const double d =
        m->mesh->x[3 * (size_t)node[1] + (size_t)i] - m->mesh->x[3 * (size_t)node[0] + (size_t)i];
    length = hypot(length, d);
  }
  for (int q = 0; q < rule.n; q++) {
    if (node) bf_gfem_on_side(m->mesh, elem, node, rule.xi[q][0], xi);
    const double det = bf_gfem_field_value(f, cell, node ? xi : rule.xi[q], v);
    *sum += rule.w[q] * v[component] * (node ? 0.5 * length : det);
  }
  return BF_OK;
}

static bf_err over_wide_cells(const bf_model *m, const bf_view *view, const bf_model_field *field,
                              int component, const uint8_t *take, double *value)
{
  bf_err        err = BF_OK;
  bf_gfem_field f   = {0};
  BF_GO(bf_gfem_field_create(m, view, field, &f));
  for (bf_int c = 0; c < view->ncells; c++)
    if (!take || take[view->elem[c]]) BF_GO(one_wide(m, &f, component, c, NULL, value));
done:
  bf_gfem_field_clear(&f);
  return err;
}

/* Over the cells marked in take (by element number; NULL = all), in fixed runs of cells. */
static bf_err over_cells(const bf_model *m, const bf_tables *t, const bf_view *view,
                         const bf_model_field *field, int component, const uint8_t *take, double *value)
{
  bf_err       err  = BF_OK;
  double      *sum  = NULL;
  const bf_int runs = view->ncells / CHUNK + 1;
  BF_GO(BF_NEW_ARRAY(sum, runs));
#pragma omp parallel for
  for (bf_int r = 0; r < runs; r++) {
    const bf_int last = view->ncells - r * CHUNK < CHUNK ? view->ncells : (r + 1) * CHUNK;
    for (bf_int c = r * CHUNK; c < last; c++) {
      double    x[BF_NEN_MAX][3], f[BF_NEN_MAX];
      const int n = (int)(view->ptr[c + 1] - view->ptr[c]);
      if (take && !take[view->elem[c]]) continue;
      const bf_int *point = view->point + view->ptr[c];
      for (int a = 0; a < n; a++) {
        memcpy(x[a], m->mesh->x + 3 * (size_t)view->node[point[a]], sizeof x[a]);
        f[a] =
            field->data[(size_t)(field->on_cells ? c : point[a]) * (size_t)field->ncomp + (size_t)component];
      }
      sum[r] += one(m, view->type[c], &t[view->type[c]], m->sdim, x, f);
    }
  }
  for (bf_int r = 0; r < runs; r++) *value += sum[r];
done:
  bf_host_free(sum);
  return err;
}

static int by_key(const void *a, const void *b)
{
  const bf_face *p = a, *q = b;
  for (int i = 0; i < 4; i++)
    if (p->key[i] != q->key[i]) return p->key[i] < q->key[i] ? -1 : 1;
  return 0;
}

static void set_key(int corners, const bf_int *node, bf_int key[4])
{
  for (int i = 0; i < 4; i++) key[i] = i < corners ? node[i] : -1;
  for (int i = 1; i < corners; i++)
    for (int j = i; j > 0 && key[j - 1] > key[j]; j--) {
      const bf_int k = key[j];
      key[j]         = key[j - 1];
      key[j - 1]     = k;
    }
}

/* Gives every face the lowest cell that has it as a side. */
static void find_cells(const bf_view *view, const uint8_t *mark, bf_int n, bf_face *face)
{
  for (bf_int c = 0; c < view->ncells; c++) {
    const bf_elem_info *el    = bf_elem(view->type[c]);
    const bf_int       *point = view->point + view->ptr[c];
    for (int s = 0; s < el->nfaces; s++) {
      const int corners = bf_elem(el->face_type)->ncorners;
      bf_int    node[4];
      bf_face   probe;
      int       all = 1;
      for (int a = 0; a < corners; a++) {
        node[a] = view->node[point[el->face[s][a]]];
        all &= mark[node[a]];
      }
      if (!all) continue;
      set_key(corners, node, probe.key);
      bf_face *f = bsearch(&probe, face, (size_t)n, sizeof *face, by_key);
      if (!f || f->cell >= 0) continue;
      while (f > face && by_key(f - 1, &probe) == 0) f--; /* the same face may be there twice */
      for (; f < face + n && by_key(f, &probe) == 0; f++) f->cell = c;
    }
  }
}

static bf_err over_faces(const bf_model *m, const bf_tables *t, const bf_view *view,
                         const bf_model_field *field, int component, const bf_group *group, double *value)
{
  bf_err        err  = BF_OK;
  bf_face      *face = NULL;
  uint8_t      *mark = NULL;
  bf_gfem_field wide = {0};
  if (bf_gfem_interpolates(m, field)) BF_GO(bf_gfem_field_create(m, view, field, &wide));
  BF_GO(BF_NEW_ARRAY(face, group->nelem));
  BF_GO(BF_NEW_ARRAY(mark, m->mesh->nnodes));
  for (bf_int i = 0; i < group->nelem; i++) {
    int           n;
    const bf_int *node = bf_mesh_elem_nodes(m->mesh, group->elem[i], &n);
    for (int a = 0; a < n; a++) mark[node[a]] = 1;
    set_key(bf_elem(bf_mesh_block_of(m->mesh, group->elem[i])->type)->ncorners, node, face[i].key);
    face[i].elem = group->elem[i];
    face[i].cell = -1;
  }
  qsort(face, (size_t)group->nelem, sizeof *face, by_key);
  find_cells(view, mark, group->nelem, face);
  for (bf_int i = 0; i < group->nelem; i++) {
    int                n;
    double             x[BF_NEN_MAX][3], f[BF_NEN_MAX];
    const bf_int      *node = bf_mesh_elem_nodes(m->mesh, face[i].elem, &n);
    const bf_elem_type type = bf_mesh_block_of(m->mesh, face[i].elem)->type;
    BF_NEED(face[i].cell >= 0, BF_E_MODEL,
            "a face of group '%s' is not the side of an element (node tag %lld)", group->name,
            (long long)m->mesh->node_tag[node[0]]);
    if (wide.m) {
      BF_GO(one_wide(m, &wide, component, face[i].cell, node, value));
      continue;
    }
    nodes_at(m->mesh, n, node, x);
    values(view, field, component, face[i].cell, n, node, f);
    *value += one(m, type, &t[type], 3, x, f);
  }
done:
  bf_gfem_field_clear(&wide);
  bf_host_free(face);
  bf_host_free(mark);
  return err;
}

bf_err bf_model_integral(const bf_model *m, const bf_view *view, const bf_model_field *field, int component,
                         const char *group, double *value)
{
  bf_err          err  = BF_OK;
  uint8_t        *take = NULL;
  bf_tables      *t    = NULL;
  const bf_group *g    = NULL;
  BF_CHECK(m && view && field && value, BF_E_ARG, "null argument");
  BF_CHECK(component >= 0 && component < field->ncomp, BF_E_ARG, "component %d of a field of %d", component,
           field->ncomp);
  *value = 0.0;
  BF_GO(tables_create(m, &t));
  if (group && strcmp(group, "all") != 0) {
    g = bf_model_find_group(m->mesh, group);
    BF_NEED(g, BF_E_MODEL, "no group '%s' in the mesh", group);
    BF_NEED(g->dim == m->sdim || g->dim == m->sdim - 1, BF_E_MODEL,
            "group '%s' is %d-D; integrals need a %d-D or a boundary group", group, g->dim, m->sdim);
  }
  if (g && g->dim < m->sdim)
    BF_GO(over_faces(m, t, view, field, component, g, value));
  else {
    if (g) BF_GO(BF_NEW_ARRAY(take, m->mesh->nelem));
    for (bf_int i = 0; g && i < g->nelem; i++) take[g->elem[i]] = 1;
    BF_GO(bf_gfem_interpolates(m, field) ? over_wide_cells(m, view, field, component, take, value)
                                         : over_cells(m, t, view, field, component, take, value));
  }
  *value *= m->thickness;
done:
  bf_host_free(take);
  bf_host_free(t);
  return err;
}
