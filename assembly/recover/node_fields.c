/* assembly/recover/node_fields.c - the unknowns at points, and the material of cells */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/recover/recover.h"

bf_err bf_recover_primary(const bf_model *m, const bf_numbering *num, const bf_view *view, const double *u,
                          bf_solution *out)
{
  const bf_physics_words *words = &m->physics->words;
  const int               width = m->ncomp == 1 ? 1 : 3;
  double                 *d     = NULL;
  BF_TRY(bf_recover_add(out, words->field, words->field_unit, width, 0, view->npoints, &d));
#pragma omp parallel for
  for (bf_int p = 0; p < view->npoints; p++) {
    const size_t row = (size_t)num->row[view->node[p]];
    for (int c = 0; c < m->ncomp; c++)
      d[(size_t)p * (size_t)width + (size_t)c] = u[row * (size_t)m->ncomp + (size_t)c];
  }
  return BF_OK;
}

bf_err bf_recover_material(const bf_model *m, const bf_view *view, bf_solution *out)
{
  double *d = NULL;
  BF_TRY(bf_recover_add(out, "material_id", "1", 1, 1, view->ncells, &d));
#pragma omp parallel for
  for (bf_int c = 0; c < view->ncells; c++) d[c] = m->region[view->elem[c]];
  return BF_OK;
}
