/* assembly/recover/element_fields.c - the fields of stresses or fluxes of a solution, filled by its basis */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/physics/flow.h"
#include "assembly/recover/recover.h"

bf_err bf_recover_elements(const bf_model *m, const bf_numbering *num, const bf_view *view, const double *u,
                           bf_solution *out)
{
  bf_basis_targets to = {0};
  const bf_int     nc = view->ncells, np = view->npoints;
  if (m->problem->physics == BF_ELASTICITY) {
    to.width = 6;
    BF_TRY(bf_recover_add(out, "strain", "1", 6, 1, nc, &to.strain));
    BF_TRY(bf_recover_add(out, "stress", "Pa", 6, 1, nc, &to.value));
    BF_TRY(bf_recover_add(out, "von_mises", "Pa", 1, 1, nc, &to.vm));
    BF_TRY(bf_recover_add(out, "von_mises_max_ip", "Pa", 1, 1, nc, &to.vm_max));
    BF_TRY(bf_recover_add(out, "stress_nodal", "Pa", 6, 0, np, &to.nodal));
    BF_TRY(bf_recover_add(out, "von_mises_nodal", "Pa", 1, 0, np, &to.vm_nodal));
  } else {
    const bf_physics_words *words = &m->physics->words;
    to.width                      = 3;
    BF_TRY(bf_recover_add(out, words->flux, words->flux_unit, 3, 1, nc, &to.value));
    BF_TRY(bf_recover_add(out, words->flux_nodal, words->flux_unit, 3, 0, np, &to.nodal));
  }
  if (m->problem->physics == BF_ADVECTION) {
    double *peclet = NULL;
    BF_TRY(bf_recover_add(out, "cell_peclet", "1", 1, 1, nc, &peclet));
    BF_TRY(bf_flow_peclet(m, view, peclet));
  }
  if (m->basis->patch_recovery && m->problem->physics != BF_ADVECTION)
    BF_TRY(bf_recover_add(out, "error_estimate", "1", 1, 1, nc, &to.error));
  return m->basis->element_fields(m, num, view, u, &to, out);
}
