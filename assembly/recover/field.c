/* assembly/recover/field.c - result fields as functions of place, with the shape functions of the elements
 *
 *     f(xi) = sum_a N_a(xi) f_a,      integral over a cell or a side  sum_q w_q det J f(xi_q)
 *
 * (axisymmetric: times 2 pi r), by the mass rule of the element type.  A field in cells is constant in a
 * cell.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/shape.h"
#include "assembly/recover/recover.h"
#include "base/memory.h"
#include <string.h>

typedef struct bf_tables { /* of one element type */
  bf_rule rule;
  double  N[BF_QUADRATURE_MAX][BF_NEN_MAX], dN[BF_QUADRATURE_MAX][BF_NEN_MAX][3];
} bf_tables;

static void value_at(const bf_basis_field *f, bf_int cell, const double xi[3], double *value)
{
  const bf_field    *field = f->field;
  const size_t       w     = (size_t)field->ncomp;
  const bf_elem_type type  = f->view->type[cell];
  const bf_int      *point = f->view->point + f->view->ptr[cell];
  double             N[BF_NEN_MAX];
  if (field->on_cells) {
    memcpy(value, field->data + (size_t)cell * w, w * sizeof *value);
    return;
  }
  bf_shape(type, xi, N, NULL);
  for (size_t k = 0; k < w; k++) {
    value[k] = 0.0;
    for (int a = 0; a < bf_elem(type)->nnodes; a++) value[k] += N[a] * field->data[(size_t)point[a] * w + k];
  }
}

/* Tables of all element types. */
static bf_err tables_create(bf_basis_field *f)
{
  bf_tables *t = NULL;
  BF_TRY(BF_NEW_ARRAY(t, BF_ELEM_TYPES));
  f->data = t;
  for (int k = 0; k < BF_ELEM_TYPES; k++) {
    BF_TRY(bf_model_auto_rule(f->m, (bf_elem_type)k, BF_RULE_MASS, &t[k].rule));
    for (int q = 0; q < t[k].rule.n; q++) bf_shape((bf_elem_type)k, t[k].rule.xi[q], t[k].N[q], t[k].dN[q]);
  }
  return BF_OK;
}

static void tables_clear(bf_basis_field *f)
{
  bf_host_free(f->data);
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

/* Nodal values of a face of n nodes: at the point of the cell for each node, or the cell's value. */
static void values(const bf_view *view, const bf_field *field, int component, bf_int cell, int n,
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

static void add_cell(const bf_basis_field *f, int component, bf_int cell, double *sum)
{
  const bf_field  *field = f->field;
  const bf_view   *view  = f->view;
  const bf_tables *t     = f->data;
  const bf_int    *point = view->point + view->ptr[cell];
  const int        n     = (int)(view->ptr[cell + 1] - view->ptr[cell]);
  double           x[BF_NEN_MAX][3], v[BF_NEN_MAX];
  for (int a = 0; a < n; a++) {
    memcpy(x[a], f->m->mesh->x + 3 * (size_t)view->node[point[a]], sizeof x[a]);
    v[a] =
        field->data[(size_t)(field->on_cells ? cell : point[a]) * (size_t)field->ncomp + (size_t)component];
  }
  *sum += one(f->m, view->type[cell], &t[view->type[cell]], f->m->sdim, x, v);
}

static void add_side(const bf_basis_field *f, int component, bf_int cell, bf_elem_type type,
                     const bf_int *node, double *sum)
{
  const bf_tables *t = f->data;
  const int        n = bf_elem(type)->nnodes;
  double           x[BF_NEN_MAX][3], v[BF_NEN_MAX];
  nodes_at(f->m->mesh, n, node, x);
  values(f->view, f->field, component, cell, n, node, v);
  *sum += one(f->m, type, &t[type], 3, x, v);
}

bf_err bf_fem_field_create(bf_basis_field *f)
{
  static const bf_basis_field_ops ops = {.concurrent = 1,
                                         .value      = value_at,
                                         .integrals  = tables_create,
                                         .add_cell   = add_cell,
                                         .add_side   = add_side,
                                         .clear      = tables_clear};
  f->ops                              = &ops;
  return BF_OK;
}

bf_err bf_basis_field_create(const bf_model *m, const bf_view *view, const bf_field *field, bf_basis_field *f)
{
  bf_err    err     = BF_OK;
  const int of_mesh = field->on_cells || strncmp(field->name, "reaction", 8) == 0;
  *f                = (bf_basis_field){.m = m, .view = view, .field = field};
  BF_GO(of_mesh ? bf_fem_field_create(f) : m->basis->field_create(f));
done:
  if (err != BF_OK) bf_basis_field_clear(f);
  return err;
}

void bf_basis_field_clear(bf_basis_field *f)
{
  if (f->ops) f->ops->clear(f);
  *f = (bf_basis_field){0};
}
