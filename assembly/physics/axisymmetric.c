/* assembly/physics/axisymmetric.c - bodies of revolution: x is the radius r, y the axis, a point of the mesh
 * a circle
 *
 *     integral over the body = integral over the mesh of  2 pi r f,      r = sum_a N_a x_a
 *
 * Forces, reactions and heat are those of the full revolution.  Strains are rr, yy, the hoop strain u_r/r
 * as zz, and ry as xy.  On the axis the radial displacement is 0: the model prescribes it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/internal.h"
#include <math.h>

static const double axis_tolerance = 1e-9; /* of the mesh's size: closer to x = 0 is on the axis */

int bf_model_revolved(const bf_model *m)
{
  return m->space == BF_SPACE_AXISYMMETRIC;
}

double bf_model_turn(const bf_model *m, int nen, const double *N, const double (*x)[3])
{
  double r = 0.0;
  if (!bf_model_revolved(m)) return 1.0;
  for (int a = 0; a < nen; a++) r += N[a] * x[a][0];
  return BF_TWO_PI * r;
}

bf_err bf_model_auto_rule(const bf_model *m, bf_elem_type type, bf_rule_use use, bf_rule *rule)
{
  const bf_elem_info *el       = bf_elem(type);
  const int           triangle = type == BF_TRI3 || type == BF_TRI6;
  if (m->physics->form == BF_FORM_TRANSPORT) use = BF_RULE_MASS; /* it contains products of shape functions */
  if (!bf_model_revolved(m) || !triangle) return bf_quadrature(type, 0, use, rule);
  return bf_quadrature(type, use == BF_RULE_MASS ? el->order + 1 : 0, BF_RULE_MASS, rule);
}

bf_err bf_model_rule(const bf_model *m, bf_elem_type type, bf_rule_use use, bf_rule *rule)
{
  const int points = m->basis->points(m->problem, type);
  if (points == 0) return bf_model_auto_rule(m, type, use, rule);
  return bf_quadrature(type, points, use, rule);
}

static double axis_width(const bf_model *m)
{
  double lo[3], hi[3], size = 0.0;
  bf_mesh_bounds(m->mesh, lo, hi);
  for (int i = 0; i < 3; i++) size = fmax(size, hi[i] - lo[i]);
  return size * axis_tolerance;
}

void bf_model_check_axis(const bf_model *m, bf_diags *diags)
{
  bf_int first = -1, count = 0;
  if (!bf_model_revolved(m)) return;
  const double width = axis_width(m);
  for (bf_int v = 0; v < m->mesh->nnodes; v++)
    if (m->used[v] && m->mesh->x[3 * (size_t)v] < -width && count++ == 0) first = v;
  if (count == 0) return;
  const double *x = m->mesh->x + 3 * (size_t)first;
  bf_diag_add(
      diags, BF_ERROR, 313, m->problem->space_where,
      "axisymmetric: x is the radius and must not be negative; %d node%s on the other side of the axis, "
      "the first is node %lld (%g, %g)",
      count, count == 1 ? " is" : "s are", (long long)m->mesh->node_tag[first], x[0], x[1]);
}

void bf_model_hold_axis(bf_model *m, bf_diags *diags)
{
  if (!bf_model_revolved(m) || m->problem->physics != BF_ELASTICITY) return;
  const double width = axis_width(m);
  for (bf_int v = 0; v < m->mesh->nnodes; v++) {
    const double *x = m->mesh->x + 3 * (size_t)v;
    const size_t  u = (size_t)v * (size_t)m->ncomp;
    if (!m->used[v] || x[0] > width) continue;
    if (m->fixed[u] && m->value[u] != 0.0) {
      const bf_boundary *bc = &m->problem->boundary[m->fixed_by[u]];
      bf_diag_add(
          diags, BF_ERROR, 313, bc->where,
          "'%s' sets displacement x = %g on node %lld (%g, %g), which lies on the axis and cannot move "
          "across it: the body would open or overlap",
          bf_bc_name(bc->type), m->value[u], (long long)m->mesh->node_tag[v], x[0], x[1]);
      return;
    }
    m->fixed[u] = 1;
  }
}
