/* assembly/recover/min_max.c - least and greatest value of a field, over the body or a group */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/internal.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

const bf_group *bf_model_find_group(const bf_mesh *mesh, const char *name)
{
  for (int dim = mesh->dim; dim >= mesh->dim - 1; dim--)
    for (int i = 0; i < mesh->ngroups; i++)
      if (mesh->group[i].dim == dim && strcmp(mesh->group[i].name, name) == 0) return &mesh->group[i];
  return bf_mesh_group(mesh, name); /* "dim:tag", or one of a lower dimension */
}

/* Component, or the number itself, or the length of a vector. */
static double size_of(const bf_field *f, int64_t i, int component)
{
  const double *v = f->data + i * f->ncomp;
  if (component >= 0) return v[component];
  return f->ncomp == 1 ? v[0] : sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* take[i] = 1 for the points or cells of the field that belong to the group. */
static bf_err mark(const bf_model *m, const bf_view *view, const bf_field *f, const bf_group *g,
                   uint8_t *take)
{
  bf_err   err  = BF_OK;
  uint8_t *elem = NULL, *node = NULL;
  if (g->dim == m->sdim) { /* its cells, and their points: without those of an adjacent material */
    BF_GO(BF_NEW_ARRAY(elem, m->mesh->nelem));
    for (bf_int i = 0; i < g->nelem; i++) elem[g->elem[i]] = 1;
    for (bf_int c = 0; c < view->ncells; c++) {
      if (!elem[view->elem[c]]) continue;
      if (f->on_cells) take[c] = 1;
      for (int64_t p = view->ptr[c]; p < view->ptr[c + 1] && !f->on_cells; p++) take[view->point[p]] = 1;
    }
  } else {
    BF_NEED(
        !f->on_cells, BF_E_MODEL,
        "field '%s' has values in elements, and group '%s' of dimension %d contains no elements of the body",
        f->name, g->name, g->dim);
    BF_GO(BF_NEW_ARRAY(node, m->mesh->nnodes));
    for (bf_int i = 0; i < g->nelem; i++) {
      int           n;
      const bf_int *en = bf_mesh_elem_nodes(m->mesh, g->elem[i], &n);
      for (int a = 0; a < n; a++) node[en[a]] = 1;
    }
    for (bf_int p = 0; p < view->npoints; p++) take[p] = node[view->node[p]];
  }
done:
  bf_host_free(elem);
  bf_host_free(node);
  return err;
}

bf_err bf_model_extreme(const bf_model *m, const bf_view *view, const bf_field *field, int component,
                        const char *group, int greatest, double *value)
{
  bf_err          err  = BF_OK;
  uint8_t        *take = NULL;
  const bf_group *g    = NULL;
  const double    sign = greatest ? 1.0 : -1.0;
  double          best = -INFINITY;
  int64_t         seen = 0;
  BF_CHECK(m && view && field && value, BF_E_ARG, "null argument");
  BF_CHECK(component < field->ncomp && (component >= 0 || field->ncomp <= 3), BF_E_ARG,
           "component %d of a field of %d", component, field->ncomp);
  const bf_int n = field->on_cells ? view->ncells : view->npoints;
  if (group && strcmp(group, "all") != 0) {
    g = bf_model_find_group(m->mesh, group);
    BF_NEED(g, BF_E_MODEL, "no group '%s' in the mesh", group);
    BF_GO(BF_NEW_ARRAY(take, n));
    BF_GO(mark(m, view, field, g, take));
  }
  for (bf_int i = 0; i < n; i++) {
    if (take && !take[i]) continue;
    const double v = sign * size_of(field, i, component);
    seen++;
    if (!(v <= best)) best = v;
    if (isnan(v)) break; /* it is found */
  }
  BF_NEED(seen > 0, BF_E_MODEL, "group '%s' has no %s of field '%s'", group ? group : "all",
          field->on_cells ? "elements" : "nodes", field->name);
  *value = sign * best;
done:
  bf_host_free(take);
  return err;
}
