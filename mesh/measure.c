/* mesh/measure.c - length, area or volume of a group: see mesh.h
 *
 * The integral of |dx/dxi|, |dx/dxi x dx/deta| or det dx/dxi over each element, in the order of the group.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/jacobian.h"
#include <math.h>

static double element(const bf_jacobian *rule, const double *x, const bf_int *node)
{
  double sum = 0.0;
  for (int p = 0; p < rule->npoints; p++) {
    double J[3][3] = {{0}}; /* J[d] = dx/dxi_d */
    if (rule->weight[p] == 0.0) continue;
    for (int a = 0; a < rule->info->nnodes; a++)
      for (int d = 0; d < rule->info->dim; d++)
        for (int i = 0; i < 3; i++) J[d][i] += rule->grad[p][a][d] * x[3 * (size_t)node[a] + (size_t)i];
    if (rule->info->dim == 1) {
      sum += rule->weight[p] * sqrt(J[0][0] * J[0][0] + J[0][1] * J[0][1] + J[0][2] * J[0][2]);
      continue;
    }
    const double c[3] = {J[0][1] * J[1][2] - J[0][2] * J[1][1], J[0][2] * J[1][0] - J[0][0] * J[1][2],
                         J[0][0] * J[1][1] - J[0][1] * J[1][0]};
    sum += rule->weight[p] * (rule->info->dim == 2 ? sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2])
                                                   : c[0] * J[2][0] + c[1] * J[2][1] + c[2] * J[2][2]);
  }
  return sum;
}

bf_err bf_mesh_group_measure(const bf_mesh *m, const bf_group *g, double *measure)
{
  bf_err          err  = BF_OK;
  bf_jacobian    *rule = NULL;
  const bf_block *of   = NULL;
  BF_CHECK(m && g && measure, BF_E_ARG, "null argument");
  *measure = 0.0;
  if (g->dim == 0) return BF_OK;
  BF_GO(BF_NEW(rule));
  for (bf_int k = 0; k < g->nelem; k++) {
    const bf_block *b = bf_mesh_block_of(m, g->elem[k]);
    BF_NEED(b, BF_E_ARG, "group '%s': element %d is in no block", g->name, g->elem[k]);
    if (b != of) bf_jacobian_rule(b->type, rule); /* elements ascend: once per type */
    of = b;
    *measure += element(rule, m->x, b->node + (size_t)(g->elem[k] - b->first) * (size_t)rule->info->nnodes);
  }
done:
  bf_host_free(rule);
  return err;
}
