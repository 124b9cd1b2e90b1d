/* assembly/model/element_measure.c - length, area or volume of the elements, by the mass rule */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/shape.h"
#include "assembly/model/internal.h"
#include <string.h>

bf_err bf_model_measure(const bf_model *m, double *size)
{
  for (int b = 0; b < m->mesh->nblocks; b++) {
    const bf_block *k   = &m->mesh->block[b];
    const size_t    nen = (size_t)bf_elem(k->type)->nnodes;
    bf_rule         rule;
    double          N[BF_NEN_MAX], dN[BF_QUADRATURE_MAX][BF_NEN_MAX][3];
    if (k->type == BF_POINT1) continue;
    BF_TRY(bf_quadrature(k->type, 0, BF_RULE_MASS, &rule));
    for (int q = 0; q < rule.n; q++) bf_shape(k->type, rule.xi[q], N, dN[q]);
#pragma omp parallel for schedule(static) if (k->n > 1024)
    for (bf_int e = 0; e < k->n; e++) {
      double x[BF_NEN_MAX][3], J[3][3], sum = 0.0;
      for (size_t a = 0; a < nen; a++)
        memcpy(x[a], m->mesh->x + 3 * (size_t)k->node[(size_t)e * nen + a], sizeof x[a]);
      for (int q = 0; q < rule.n; q++)
        sum += rule.w[q] *
               bf_shape_jacobian(k->type, m->sdim, (const double(*)[3])x, (const double(*)[3])dN[q], J);
      size[k->first + e] = sum;
    }
  }
  return BF_OK;
}
