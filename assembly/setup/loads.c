/* assembly/setup/loads.c - loads at the nodes and their sums, by the same integrals as a run; see setup.h
 *
 *     nodal_load = sum over loads and conditions of  integral N^T f,      total = sum of it over the nodes
 *
 * Convection is not included: its heat depends on the solution.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/setup/steps.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

/* Nodes of the body in the order of the mesh, as many rows. */
static bf_err plain_numbering(const bf_model *m, bf_numbering *num)
{
  num->nnodes = m->mesh->nnodes;
  BF_TRY(BF_NEW_ARRAY(num->row, m->mesh->nnodes));
  BF_TRY(BF_NEW_ARRAY(num->node, m->mesh->nnodes));
  for (bf_int i = 0; i < m->mesh->nnodes; i++) {
    num->row[i] = m->used[i] ? num->nrows : -1;
    if (m->used[i]) num->node[num->nrows++] = i;
  }
  return BF_OK;
}

/* Adds b to the nodes and to the sums, and sets it to zero. */
static void take(const bf_model *m, const bf_numbering *num, double *b, double *nodal, bf_setup_entry *entry,
                 bf_setup *s)
{
  const size_t nc = (size_t)m->ncomp, width = nc == 1 ? 1 : 3;
  entry->has_total = s->has_total = 1;
  for (bf_int r = 0; r < num->nrows; r++)
    for (size_t c = 0; c < nc; c++) {
      const double v = b[(size_t)r * nc + c];
      entry->total[c] += v;
      nodal[(size_t)num->node[r] * width + c] += v;
      b[(size_t)r * nc + c] = 0.0;
    }
  for (size_t c = 0; c < nc; c++) s->total[c] += entry->total[c];
}

/* Moment of the nodal loads b of a force about the point where it acts. */
static void take_moment(const bf_model *m, int boundary, const bf_numbering *num, const double *b,
                        bf_setup_entry *entry)
{
  const bf_boundary *bc = &m->problem->boundary[boundary];
  const size_t       D  = (size_t)m->ncomp;
  if (bc->type != BF_BC_FORCE || bf_model_revolved(m)) return;
  entry->has_moment = 1;
  for (int d = 0; d < 3; d++) entry->about[d] = bc->nabout ? bc->about[d] : m->total[boundary].c[d];
  for (bf_int r = 0; r < num->nrows; r++) {
    double f[3] = {0.0, 0.0, 0.0}, x[3];
    for (size_t c = 0; c < D; c++) f[c] = b[(size_t)r * D + c];
    for (int d = 0; d < 3; d++) x[d] = m->mesh->x[3 * (size_t)num->node[r] + (size_t)d] - entry->about[d];
    for (int d = 0; d < 3; d++)
      entry->moment[d] += x[(d + 1) % 3] * f[(d + 2) % 3] - x[(d + 2) % 3] * f[(d + 1) % 3];
  }
}

static int known_load(bf_bc_type type)
{
  return type == BF_BC_TRACTION || type == BF_BC_PRESSURE || type == BF_BC_FORCE || type == BF_BC_FLUX;
}

static int any_load(const bf_problem *p)
{
  int any = p->nloads > 0;
  for (int i = 0; i < p->nboundaries; i++) any |= known_load(p->boundary[i].type);
  return any;
}

static bf_err integrate(const bf_model *m, bf_backend *be, const bf_numbering *num, double *b, double *nodal,
                        bf_setup *s)
{
  bf_err      err = BF_OK;
  bf_batches *bs  = NULL;
  BF_GO(bf_batches_create(m, num, be, NULL, NULL, &bs));
  for (int l = 0; l < m->problem->nloads; l++) {
    BF_GO(bf_model_add_load(m, l, num, bs, b, NULL));
    take(m, num, b, nodal, &s->load[l], s);
  }
  for (int i = 0; i < m->problem->nboundaries; i++) {
    if (!known_load(m->problem->boundary[i].type)) continue;
    BF_GO(bf_model_add_boundary(m, i, num, bs, b, NULL));
    take_moment(m, i, num, b, &s->condition[i]);
    take(m, num, b, nodal, &s->condition[i], s);
  }
done:
  bf_batches_destroy(&bs);
  return err;
}

bf_err bf_setup_loads(const bf_model *m, bf_setup *s)
{
  bf_err       err = BF_OK;
  bf_backend  *be  = NULL;
  bf_numbering num = {0};
  double      *b = NULL, *nodal = NULL;
  if (!m->sound || !any_load(m->problem)) return BF_OK;
  for (int i = 0; i < m->diags->count; i++)
    if (m->diags->item[i].code == 319) return BF_OK; /* there are no values */
  BF_GO(plain_numbering(m, &num));
  BF_GO(bf_backend_create("cpu", NULL, &be));
  BF_GO(bf_vector_create(be, (bf_int)(num.nrows * m->ncomp), 0, &b));
  BF_GO(bf_setup_add(s, "nodal_load", m->physics->words.force_unit, m->ncomp == 1 ? 1 : 3, 0, m->mesh->nnodes,
                     0.0, &nodal));
  err = integrate(m, be, &num, b, nodal, s);
  if (err == BF_E_MODEL && m->diags->errors > 0) err = BF_OK; /* E319 */
done:
  if (be) bf_vector_destroy(be, 0, &b);
  bf_backend_destroy(&be);
  bf_host_free(num.row);
  bf_host_free(num.node);
  return err;
}
