/* assembly/gfem/field.c - a result field between its points: f(x) = sum_J psi_J(x) f_J with the shape
 * functions of gfem.h; a point of the view is an entry, a node seen from one material
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/gfem/gfem.h"
#include "base/memory.h"
#include <string.h>

int bf_gfem_interpolates(const bf_model *m, const bf_model_field *field)
{
  return m->gfem && !field->on_cells && strcmp(field->name, "reaction") != 0;
}

bf_err bf_gfem_field_create(const bf_model *m, const bf_view *view, const bf_model_field *field,
                            bf_gfem_field *f)
{
  bf_err         err = BF_OK;
  const bf_gfem *g   = m->gfem;
  *f                 = (bf_gfem_field){.m = m, .view = view, .field = field};
  BF_GO(BF_NEW_ARRAY(f->point, g->at.n));
  BF_GO(BF_NEW_ARRAY(f->psi, g->most));
  BF_GO(BF_NEW_ARRAY(f->d, 2 * (size_t)g->most));
  for (bf_int c = 0; c < view->ncells; c++)
    for (int64_t i = view->ptr[c]; i < view->ptr[c + 1]; i++)
      f->point[g->at.corner[BF_GFEM_CORNERS * (size_t)view->elem[c] + (size_t)(i - view->ptr[c])]] =
          view->point[i];
done:
  if (err != BF_OK) bf_gfem_field_clear(f);
  return err;
}

void bf_gfem_field_clear(bf_gfem_field *f)
{
  bf_host_free(f->point);
  bf_host_free(f->psi);
  bf_host_free(f->d);
  *f = (bf_gfem_field){0};
}

double bf_gfem_field_value(bf_gfem_field *f, bf_int cell, const double xi[3], double *value)
{
  const bf_gfem *g    = f->m->gfem;
  const bf_int   elem = f->view->elem[cell], *node, region = f->m->region[elem];
  const int      n = bf_gfem_nodes(g, elem, &node), w = f->field->ncomp;
  double         x[3];
  const double   det = bf_gfem_shape(f->m->mesh, g, elem, xi, f->psi, f->d, x);
  for (int k = 0; k < w; k++) value[k] = 0.0;
  for (int j = 0; j < n; j++) {
    bf_int q = g->at.first[node[j]];
    while (g->at.region[q] != region) q++; /* a patch stays in its material */
    const double *v = f->field->data + (size_t)f->point[q] * (size_t)w;
    for (int k = 0; k < w; k++) value[k] += f->psi[j] * v[k];
  }
  return det;
}
