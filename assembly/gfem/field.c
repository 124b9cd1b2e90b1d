/* assembly/gfem/field.c - a result field between its points with the shape functions of gfem.h
 *
 *     f(x) = sum_J psi_J(x) f_J,      integrals by Gauss rules of up to order + 2 points per direction
 * A point of the view is an entry: a pair of node and material.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/shape.h"
#include "assembly/gfem/gfem.h"
#include "base/memory.h"
#include <math.h>

typedef struct bf_gfem_field {
  bf_int *point;               /* owned [n of entries]: of the view */
  double *psi, *d;             /* owned: shape functions at one point */
  bf_rule rule[BF_ELEM_TYPES]; /* of linear elements and their sides */
} bf_gfem_field;

static double at(const bf_basis_field *f, bf_int cell, const double xi[3], double *value)
{
  const bf_gfem_field *own  = f->data;
  const bf_gfem       *g    = bf_gfem_of(f->m);
  const bf_int         elem = f->view->elem[cell], *node, region = f->m->region[elem];
  const int            n = bf_gfem_nodes(g, elem, &node), w = f->field->ncomp;
  double               x[3];
  const double         det = bf_gfem_shape(f->m->mesh, g, elem, xi, own->psi, own->d, x);
  for (int k = 0; k < w; k++) value[k] = 0.0;
  for (int j = 0; j < n; j++) {
    bf_int q = g->at.first[node[j]];
    while (g->at.region[q] != region) q++; /* a patch stays in its material */
    const double *v = f->field->data + (size_t)own->point[q] * (size_t)w;
    for (int k = 0; k < w; k++) value[k] += own->psi[j] * v[k];
  }
  return det;
}

static void value_at(const bf_basis_field *f, bf_int cell, const double xi[3], double *value)
{
  (void)at(f, cell, xi, value);
}

static bf_err integrals(bf_basis_field *f)
{
  bf_gfem_field *own = f->data;
  for (int t = BF_LINE2; t < BF_ELEM_TYPES; t++) {
    const int most = bf_quadrature_max((bf_elem_type)t), n = f->m->problem->order + 2;
    if (bf_elem((bf_elem_type)t)->order > 1) continue;
    BF_TRY(bf_quadrature((bf_elem_type)t, n < most ? n : most, BF_RULE_STIFFNESS, &own->rule[t]));
  }
  return BF_OK;
}

static void add_cell(const bf_basis_field *f, int component, bf_int cell, double *sum)
{
  const bf_gfem_field *own  = f->data;
  const bf_rule       *rule = &own->rule[f->view->type[cell]];
  double               v[9];
  for (int q = 0; q < rule->n; q++) {
    const double det = at(f, cell, rule->xi[q], v);
    *sum += rule->w[q] * v[component] * det;
  }
}

static void add_side(const bf_basis_field *f, int component, bf_int cell, bf_elem_type type,
                     const bf_int *node, double *sum)
{
  const bf_gfem_field *own  = f->data;
  const bf_mesh       *mesh = f->m->mesh;
  const bf_rule       *rule = &own->rule[type];
  double               X[BF_NEN_MAX][3], N[BF_NEN_MAX], dN[BF_NEN_MAX][3], J[3][3], v[9], xi[3];
  for (int a = 0; a < bf_elem(type)->nnodes; a++)
    for (int i = 0; i < 3; i++) X[a][i] = mesh->x[3 * (size_t)node[a] + (size_t)i];
  for (int q = 0; q < rule->n; q++) {
    bf_shape(type, rule->xi[q], N, dN);
    const double measure =
        bf_shape_jacobian(type, f->m->sdim, (const double(*)[3])X, (const double(*)[3])dN, J);
    bf_gfem_on_side(mesh, f->view->elem[cell], type, node, rule->xi[q], xi);
    (void)at(f, cell, xi, v);
    *sum += rule->w[q] * v[component] * measure;
  }
}

static void clear(bf_basis_field *f)
{
  bf_gfem_field *own = f->data;
  if (!own) return;
  bf_host_free(own->point);
  bf_host_free(own->psi);
  bf_host_free(own->d);
  bf_host_free(own);
}

bf_err bf_gfem_field_create(bf_basis_field *f)
{
  static const bf_basis_field_ops ops = {
      .value = value_at, .integrals = integrals, .add_cell = add_cell, .add_side = add_side, .clear = clear};
  const bf_gfem *g    = bf_gfem_of(f->m);
  const bf_view *view = f->view;
  bf_gfem_field *own  = NULL;
  f->ops              = &ops;
  BF_TRY(BF_NEW(own));
  f->data = own;
  BF_TRY(BF_NEW_ARRAY(own->point, g->at.n));
  BF_TRY(BF_NEW_ARRAY(own->psi, g->most));
  BF_TRY(BF_NEW_ARRAY(own->d, (size_t)g->dim * (size_t)g->most));
  for (bf_int c = 0; c < view->ncells; c++)
    for (int64_t i = view->ptr[c]; i < view->ptr[c + 1]; i++)
      own->point[g->at.corner[BF_GFEM_CORNERS * (size_t)view->elem[c] + (size_t)(i - view->ptr[c])]] =
          view->point[i];
  return BF_OK;
}
