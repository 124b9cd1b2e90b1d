/* assembly/physics/inflow.c - see inflow.h; used only for error messages, so it is simple, not fast */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/physics/inflow.h"
#include "assembly/basis/shape.h"
#include "assembly/model/internal.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

enum { CHUNK = 4096 };

typedef struct bf_patch { /* elements of one type with their nodes; take NULL = all */
  bf_elem_type   type;
  const bf_rule *rule;
  bf_int         n;
  const bf_int  *node;
  const uint8_t *take;
} bf_patch;

static double measure(const bf_model *m, const bf_patch *p, bf_int e, int q)
{
  const int nen = bf_elem(p->type)->nnodes;
  double    x[BF_NEN_MAX][3], N[BF_NEN_MAX], dN[BF_NEN_MAX][3], J[3][3];
  for (int a = 0; a < nen; a++)
    memcpy(x[a], m->mesh->x + 3 * (size_t)p->node[(size_t)e * (size_t)nen + (size_t)a], sizeof x[a]);
  bf_shape(p->type, p->rule->xi[q], N, dN);
  return p->rule->w[q] * bf_model_turn(m, nen, N, (const double(*)[3])x) *
         bf_shape_jacobian(p->type, m->sdim, (const double(*)[3])x, (const double(*)[3])dN, J);
}

/* Adds thickness * integral of the quantity over the patch's elements of part k. */
static bf_err integrate(const bf_model *m, const bf_patch *p, const bf_quantity *value, const bf_int *part,
                        bf_int k, double *in, double *size)
{
  bf_err    err = BF_OK;
  double   *x = NULL, *f = NULL;
  uint8_t  *use = NULL;
  const int nq = p->rule->n, nen = bf_elem(p->type)->nnodes;
  BF_GO(BF_NEW_ARRAY(use, CHUNK));
  BF_GO(BF_NEW_ARRAY(x, (size_t)CHUNK * (size_t)nq * 3));
  BF_GO(BF_NEW_ARRAY(f, (size_t)CHUNK * (size_t)nq));
  for (bf_int e0 = 0; e0 < p->n; e0 += CHUNK) {
    const bf_int e1 = p->n - e0 < CHUNK ? p->n : e0 + CHUNK;
    bf_model_points(m->mesh, p->type, p->node, e0, e1, p->rule, x);
    for (bf_int e = e0; e < e1; e++)
      use[e - e0] = part[p->node[(size_t)e * (size_t)nen]] == k && (!p->take || p->take[e]);
    BF_GO(bf_quantity_need(m, value, (int64_t)(e1 - e0) * nq, x, use, nq, f));
    for (bf_int e = e0; e < e1; e++) {
      if (!use[e - e0]) continue;
      for (int q = 0; q < nq; q++) {
        const double s = m->thickness * measure(m, p, e, q) * f[(size_t)(e - e0) * (size_t)nq + (size_t)q];
        *in += s;
        *size += fabs(s);
      }
    }
  }
done:
  bf_host_free(use);
  bf_host_free(x);
  bf_host_free(f);
  return err;
}

bf_err bf_inflow(const bf_model *m, const bf_int *part, bf_int k, double *in, double *size)
{
  bf_err   err  = BF_OK;
  uint8_t *take = NULL;
  *in = *size = 0.0;
  for (int s = 0; s < m->nsets; s++) {
    const bf_face_set *set = &m->set[s];
    const bf_boundary *bc  = &m->problem->boundary[set->boundary];
    const bf_patch     p   = {set->type, &set->rule, set->n, set->node, NULL};
    if (bc->type == BF_BC_FLUX) BF_GO(integrate(m, &p, &bc->value[0], part, k, in, size));
  }
  BF_GO(BF_NEW_ARRAY(take, m->mesh->nelem));
  for (int l = 0; l < m->problem->nloads; l++) {
    const bf_load *load = &m->problem->load[l];
    if (load->type != BF_LOAD_HEAT_SOURCE && load->type != BF_LOAD_SOURCE) continue;
    for (int b = 0; b < m->nblocks; b++) {
      const bf_block *blk = m->block[b].block;
      const bf_patch  p   = {blk->type, &m->block[b].mass, blk->n, blk->node, take};
      bf_int          count;
      bf_load_elements(m, load, blk, -1, take, &count);
      BF_GO(integrate(m, &p, &load->value[0], part, k, in, size));
    }
  }
done:
  bf_host_free(take);
  return err;
}
