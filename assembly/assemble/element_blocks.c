/* assembly/assemble/element_blocks.c - integration rules of the mesh's blocks, and E or k at their points if
 * it is a formula
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/assemble/mass.h"
#include "assembly/physics/flow.h"
#include "base/memory.h"
#include <math.h>

enum { SLAB = 65536 }; /* elements per slab */

/* W328: fewer conditions at the points than the element has modes of deformation. */
static void hint_hourglass(const bf_model *m, const bf_model_block *b, bf_diags *diags)
{
  const bf_elem_info *info  = bf_elem(b->block->type);
  const int           modes = info->nnodes * m->ncomp - bf_model_motions(m),
            have            = b->stiffness.n * (m->ncomp == 1 ? m->sdim : m->nv);
  if (have < modes)
    bf_diag_add(
        diags, BF_WARNING, 328, m->problem->space_where,
        "quadrature %d: %d integration points give a %s %d of %d modes of deformation; the others have "
        "no energy (hourglass) and may show or make the matrix singular",
        m->problem->quadrature, b->stiffness.n, info->name, have, modes);
}

/* Elements [e0, e1) of the block whose material is k: places, formula, and into factor. */
static bf_err factor_slab(const bf_model *m, bf_model_block *b, bf_int k, bf_int e0, bf_int e1, bf_int *nodes,
                          double *x, double *f, bf_diags *diags)
{
  const int          nen = bf_elem(b->block->type)->nnodes, nq = b->stiffness.n;
  const bf_quantity *q = m->physics->quantity(&m->problem->material[k]);
  bf_int             n = 0;
  for (bf_int e = e0; e < e1; e++)
    if (m->region[b->block->first + e] == k) {
      for (int a = 0; a < nen; a++)
        nodes[(size_t)n * (size_t)nen + (size_t)a] = b->block->node[(size_t)e * (size_t)nen + (size_t)a];
      n++;
    }
  if (n == 0) return BF_OK;
  bf_model_points(m->mesh, b->block->type, nodes, 0, n, &b->stiffness, x);
  const bf_err err = bf_quantity_need(m, q, (int64_t)n * nq, x, NULL, 1, f);
  if (err != BF_OK) return err == BF_E_MODEL ? BF_OK : err; /* E319 */
  bf_int at = 0;
  for (bf_int e = e0; e < e1; e++) {
    if (m->region[b->block->first + e] != k) continue;
    for (int i = 0; i < nq; i++) {
      const size_t s = (size_t)at * (size_t)nq + (size_t)i;
      if (!(f[s] > 0.0)) {
        bf_diag_add(diags, BF_ERROR, 303, q->where,
                    "%s = '%s' of material '%s' is %g at (%g, %g, %g); it must be positive",
                    m->physics->coefficient, q->formula, m->problem->material[k].name, f[s], x[3 * s],
                    x[3 * s + 1], x[3 * s + 2]);
        return BF_OK;
      }
      b->factor[(size_t)e * (size_t)nq + (size_t)i] = f[s];
    }
    at++;
  }
  return BF_OK;
}

static bf_err fill_factor(const bf_model *m, bf_model_block *b, bf_diags *diags)
{
  bf_err       err   = BF_OK;
  bf_int      *nodes = NULL;
  double      *x = NULL, *f = NULL;
  const bf_int n = b->block->n, slab = n < SLAB ? n : SLAB;
  const size_t nq   = (size_t)b->stiffness.n;
  const int    errs = diags->errors;
  int          any  = 0;
  for (int k = 0; k < m->problem->nmaterials; k++)
    any |= m->physics->quantity(&m->problem->material[k])->formula != NULL;
  if (!any) return BF_OK;
  any = 0;
  for (bf_int e = 0; e < n && !any; e++) {
    const bf_int r = m->region[b->block->first + e];
    any            = r >= 0 && m->physics->quantity(&m->problem->material[r])->formula;
  }
  if (!any) return BF_OK;
  BF_GO(BF_NEW_ARRAY(b->factor, (size_t)n * nq));
  BF_GO(BF_NEW_ARRAY(nodes, (size_t)slab * (size_t)bf_elem(b->block->type)->nnodes));
  BF_GO(BF_NEW_ARRAY(x, (size_t)slab * nq * 3));
  BF_GO(BF_NEW_ARRAY(f, (size_t)slab * nq));
  for (size_t i = 0; i < (size_t)n * nq; i++) b->factor[i] = 1.0;
  for (bf_int k = 0; k < m->problem->nmaterials; k++) {
    if (!m->physics->quantity(&m->problem->material[k])->formula) continue;
    for (bf_int e0 = 0; e0 < n && diags->errors == errs; e0 += slab)
      BF_GO(factor_slab(m, b, k, e0, n - e0 < slab ? n : e0 + slab, nodes, x, f, diags));
  }
done:
  bf_host_free(nodes);
  bf_host_free(x);
  bf_host_free(f);
  return err;
}

bf_err bf_model_prepare_blocks(bf_model *m, bf_diags *diags)
{
  const int points = m->problem->quadrature;
  for (int i = 0; i < m->nblocks; i++) {
    bf_model_block    *b    = &m->block[i];
    const bf_elem_type type = b->block->type;
    const int          most = bf_quadrature_max(type);
    if (points < 0 || points > most) {
      bf_diag_add(diags, BF_ERROR, 310, m->problem->space_where,
                  "quadrature %d is outside 1 .. %d of %s elements (auto chooses the usual rule)", points,
                  most, bf_elem(type)->name);
      continue;
    }
    BF_TRY(bf_model_rule(m, type, BF_RULE_STIFFNESS, &b->stiffness));
    BF_TRY(bf_model_rule(m, type, BF_RULE_MASS, &b->mass));
    if (points > 0) hint_hourglass(m, b, diags);
    if (diags->errors > 0) continue;
    BF_TRY((m->physics->form == BF_FORM_TRANSPORT ? bf_flow_fill : fill_factor)(m, b, diags));
  }
  return BF_OK;
}
