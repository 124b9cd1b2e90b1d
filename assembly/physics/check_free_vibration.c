/* assembly/physics/check_free_vibration.c - checks for modal analysis: density required, no loads allowed
 *
 *     K x = lambda M x        has no right-hand side
 *
 * A load or a prescribed value other than 0 has no effect on a frequency, so it is an error.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/internal.h"
#include "base/memory.h"

static const char *const leave_out = "it has no effect on free vibrations; remove it";

bf_err bf_model_densities(const bf_model *m, bf_diags *diags, const char *need, int *all)
{
  const bf_problem *p    = m->problem;
  uint8_t          *seen = NULL;
  *all                   = 1;
  BF_TRY(BF_NEW_ARRAY(seen, p->nmaterials > 0 ? p->nmaterials : 1));
  for (bf_int e = 0; e < m->mesh->nelem; e++)
    if (m->region[e] >= 0) seen[m->region[e]] = 1;
  for (int k = 0; k < p->nmaterials; k++) {
    if (!seen[k] || p->material[k].has_rho) continue;
    *all = 0;
    if (diags)
      bf_diag_add(diags, BF_ERROR, 304, p->material[k].where, "%s the density of material '%s': add rho, %s",
                  need, p->material[k].name, bf_unit_in(p->units, "kg/m3"));
  }
  bf_host_free(seen);
  return BF_OK;
}

static void refuse(const bf_quantity *q, const char *what, bf_where where, bf_diags *diags)
{
  if (!bf_quantity_is_zero(q))
    bf_diag_add(diags, BF_ERROR, 316, q->where.line > 0 ? q->where : where, "%s: %s", what, leave_out);
}

static void check_condition(const bf_boundary *bc, bf_diags *diags)
{
  const char *name = bf_bc_name(bc->type);
  switch (bc->type) {
  case BF_BC_TRACTION:
  case BF_BC_PRESSURE:
  case BF_BC_FORCE:
  case BF_BC_FLUX:
    for (int c = 0; c < 3; c++) refuse(&bc->value[c], name, bc->where, diags);
    if (bc->moment[0] != 0.0 || bc->moment[1] != 0.0 || bc->moment[2] != 0.0)
      bf_diag_add(diags, BF_ERROR, 316, bc->moment_where, "the moment of a force: %s", leave_out);
    break;
  case BF_BC_CONVECTION: refuse(&bc->ambient, "an ambient value that is not 0", bc->where, diags); break;
  default: break; /* supports */
  }
}

/* Prescribed values that are not 0, once for each condition. */
static bf_err check_values(const bf_model *m, bf_diags *diags)
{
  const bf_problem *p        = m->problem;
  uint8_t          *reported = NULL;
  BF_TRY(BF_NEW_ARRAY(reported, p->nboundaries > 0 ? p->nboundaries : 1));
  for (size_t i = 0; i < (size_t)m->mesh->nnodes * (size_t)m->ncomp; i++) {
    if (!m->fixed[i] || m->value[i] == 0.0 || m->fixed_by[i] < 0 || reported[m->fixed_by[i]]) continue;
    const bf_boundary *bc    = &p->boundary[m->fixed_by[i]];
    reported[m->fixed_by[i]] = 1;
    bf_diag_add(diags, BF_ERROR, 316, bc->where,
                "%s prescribes %g: free vibrations are about the state at rest; prescribe 0",
                bf_bc_name(bc->type), m->value[i]);
  }
  bf_host_free(reported);
  return BF_OK;
}

bf_err bf_model_check_free(const bf_model *m, bf_diags *diags)
{
  const bf_problem *p   = m->problem;
  int               all = 0;
  if (m->physics->form == BF_FORM_TRANSPORT)
    bf_diag_add(diags, BF_ERROR, 316, p->analysis_where,
                "%s does not vibrate: elasticity and heat do (heat: "
                "scalar waves, k the stiffness and rho the mass)",
                m->physics->words.name);
  else
    BF_TRY(bf_model_densities(m, diags, "free vibrations need", &all));
  if (m->basis->no_mass) bf_diag_add(diags, BF_ERROR, 316, p->order_where, "%s", m->basis->no_mass);
  for (int i = 0; i < p->nloads; i++)
    bf_diag_add(diags, BF_ERROR, 316, p->load[i].where, "load '%s': %s", bf_load_name(p->load[i].type),
                leave_out);
  for (int i = 0; i < p->nboundaries; i++) check_condition(&p->boundary[i], diags);
  return check_values(m, diags);
}
