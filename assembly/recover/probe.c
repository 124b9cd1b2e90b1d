/* assembly/recover/probe.c - the value of a field at a place: that of the cell which contains it
 * (locate_point.c), at its reference coordinates there (field.c)
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/locate_point.h"
#include "assembly/recover/recover.h"

bf_err bf_model_probe(const bf_model *m, const bf_view *view, const bf_field *field, const double at[3],
                      double value[9])
{
  bf_location    place;
  bf_basis_field f;
  double         lo[3], hi[3];
  BF_CHECK(m && view && field && at && value, BF_E_ARG, "null argument");
  BF_CHECK(field->ncomp >= 1 && field->ncomp <= 9, BF_E_ARG, "field of %d components", field->ncomp);
  BF_TRY(bf_locate_point(m->mesh, view, at, &place));
  bf_mesh_bounds(m->mesh, lo, hi);
  BF_CHECK(place.cell >= 0, BF_E_MODEL,
           "no element contains the point (%g, %g, %g); the mesh extends from (%g, %g, %g) to (%g, %g, %g)",
           at[0], at[1], at[2], lo[0], lo[1], lo[2], hi[0], hi[1], hi[2]);
  BF_TRY(bf_basis_field_create(m, view, field, &f));
  f.ops->value(&f, place.cell, place.xi, value);
  bf_basis_field_clear(&f);
  return BF_OK;
}
