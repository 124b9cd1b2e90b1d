/* assembly/physics/incompatible_modes.c - incompatible modes of quad4 and hex8: checks and tables
 *
 *     u_h = sum_a N_a u_a + sum_i (1 - xi_i^2) a_i,      grad of mode i = -2 xi_i (det J0/det J) J0^-T e_i
 *
 * with J0 = J at the centre: the modes do no work on a constant stress, so the patch test holds on any mesh.
 * Loads do not act on them.  Static condensation eliminates them (assemble/static_condensation.c), and
 * recover/incompatible_amplitudes.c computes their amplitudes from the solution.
 * Source: E. L. Wilson, R. L. Taylor, W. P. Doherty, J. Ghaboussi, Incompatible displacement models, in:
 * Numerical and Computer Methods in Structural Mechanics (1973) 43-57; R. L. Taylor, P. J. Beresford,
 * E. L. Wilson, A non-conforming element for stress analysis, Int. J. Numer. Meth. Engng 10 (1976) 1211-1219,
 * doi 10.1002/nme.1620100602 (element QM6).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/shape.h"
#include "assembly/model/internal.h"

void bf_model_check_modes(const bf_model *m, bf_diags *diags)
{
  const bf_problem *p = m->problem;
  if (!p->incompatible) return;
  for (int b = 0; b < m->nblocks; b++) {
    const bf_elem_type type = m->block[b].block->type;
    if (type == BF_QUAD4 || type == BF_HEX8) continue;
    bf_diag_add(
        diags, BF_ERROR, 314, p->incompatible_where,
        "incompatible modes are for quad4 and hex8, the mesh has %s elements; leave 'incompatible' out%s",
        bf_elem(type)->name, bf_elem(type)->order == 2 ? ": quadratic elements do not need it" : "");
    return;
  }
  if (p->physics != BF_ELASTICITY)
    bf_diag_add(diags, BF_ERROR, 314, p->incompatible_where, "incompatible modes belong to elasticity");
  if (bf_model_revolved(m))
    bf_diag_add(diags, BF_ERROR, 314, p->incompatible_where,
                "incompatible modes do not pass the patch test in a body of revolution; use quad8 or tri6");
  if (p->quadrature == 1)
    bf_diag_add(
        diags, BF_ERROR, 314, p->incompatible_where,
        "incompatible modes have no strain at the one point of 'quadrature: 1'; use auto, or 2 and more");
  for (int l = 0; l < p->nloads; l++)
    if (p->load[l].type == BF_LOAD_THERMAL)
      bf_diag_add(diags, BF_ERROR, 314, p->load[l].where,
                  "a thermal strain that varies in an element would act on its incompatible modes, which "
                  "take no loads; leave 'incompatible' out, or use quadratic elements");
}

void bf_model_mode_tables(bf_elem_type type, const bf_rule *rule, double *dN0, double *dM)
{
  const int    dim       = bf_elem(type)->dim;
  const double centre[3] = {0.0, 0.0, 0.0};
  double       N[BF_NEN_MAX], d[BF_NEN_MAX][3];
  bf_shape(type, centre, N, d);
  for (int a = 0; a < bf_elem(type)->nnodes; a++)
    for (int r = 0; r < dim; r++) dN0[a * dim + r] = d[a][r];
  for (int q = 0; q < rule->n; q++)
    for (int r = 0; r < dim; r++) dM[q * dim + r] = -2.0 * rule->xi[q][r];
}
