/* assembly/recover/probe.c - the value of a field at a place: sum_a N_a(xi) f_a in the cell that holds it
 * (locate_point.c), or sum_J psi_J f_J with the shape functions of gfem.h
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/locate_point.h"
#include "assembly/basis/shape.h"
#include "assembly/gfem/gfem.h"

static bf_err with_gfem(const bf_model *m, const bf_view *view, const bf_model_field *field,
                        const bf_place *place, double value[9])
{
  bf_gfem_field f;
  BF_TRY(bf_gfem_field_create(m, view, field, &f));
  bf_gfem_field_value(&f, place->cell, place->xi, value);
  bf_gfem_field_clear(&f);
  return BF_OK;
}

bf_err bf_model_probe(const bf_model *m, const bf_view *view, const bf_model_field *field, const double at[3],
                      double value[9])
{
  bf_place place;
  double   N[BF_NEN_MAX], lo[3], hi[3];
  BF_CHECK(m && view && field && at && value, BF_E_ARG, "null argument");
  BF_CHECK(field->ncomp >= 1 && field->ncomp <= 9, BF_E_ARG, "field of %d components", field->ncomp);
  BF_TRY(bf_place_find(m->mesh, view, at, &place));
  bf_mesh_bounds(m->mesh, lo, hi);
  BF_CHECK(place.cell >= 0, BF_E_MODEL,
           "no element holds the point (%g, %g, %g); the mesh reaches from (%g, %g, %g) to (%g, %g, %g)",
           at[0], at[1], at[2], lo[0], lo[1], lo[2], hi[0], hi[1], hi[2]);
  const size_t w = (size_t)field->ncomp;
  if (field->on_cells) {
    for (size_t k = 0; k < w; k++) value[k] = field->data[(size_t)place.cell * w + k];
    return BF_OK;
  }
  if (bf_gfem_interpolates(m, field)) return with_gfem(m, view, field, &place, value);
  const bf_int *point = view->point + view->ptr[place.cell];
  bf_shape(view->type[place.cell], place.xi, N, NULL);
  for (size_t k = 0; k < w; k++) {
    value[k] = 0.0;
    for (int a = 0; a < bf_elem(view->type[place.cell])->nnodes; a++)
      value[k] += N[a] * field->data[(size_t)point[a] * w + k];
  }
  return BF_OK;
}
