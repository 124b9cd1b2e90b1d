/* assembly/physics/thermal_strain.c - thermal strain at the integration points, and the stress of the
 * constrained thermal strain
 *
 *     eps_0 = a (1 1 1 0 0 0),   a = alpha (T - reference),   sigma = C (eps - eps_0)
 *     b += integral of B^T C eps_0        C eps_0 = a s:   3D      s = C (1 1 1 0 0 0)
 *                                                  plane stress    s = C (1 1 0)
 *                                                  plane strain    s = (1 + nu) C (1 1 0), as eps_zz = 0
 *                                                  axisymmetric    s = C (1 1 1 0)
 * An element has one temperature: two thermal loads on it are an error, not a sum (E302).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/internal.h"
#include "base/memory.h"

enum { SLAB = 65536 }; /* elements per slab */

void bf_thermal_stress(const bf_model *m, bf_int material, double s[6])
{
  const double *C    = m->C + (size_t)material * (size_t)(m->nv * m->nv);
  const int     n    = bf_model_revolved(m) ? 3 : m->sdim; /* normal strains with thermal expansion */
  const double  more = m->space == BF_SPACE_PLANE_STRAIN ? 1.0 + m->problem->material[material].nu : 1.0;
  for (int i = 0; i < m->nv; i++) {
    s[i] = 0.0;
    for (int j = 0; j < n; j++) s[i] += more * C[i * m->nv + j];
  }
}

/* E302 if an element of the block has a temperature already; by[n]: its load, from 1. */
static void claim(const bf_model *m, const bf_block *block, int l, const uint8_t *in, int *by,
                  bf_diags *diags)
{
  bf_int twice = 0, first = -1;
  for (bf_int e = 0; e < block->n; e++) {
    if (!in[e]) continue;
    if (by[e] > 0 && twice++ == 0) first = e;
    if (by[e] == 0) by[e] = 1 + l;
  }
  if (twice == 0) return;
  const bf_where where = m->problem->load[l].where, other = m->problem->load[by[first] - 1].where;
  char           at[BF_WHERE_TEXT];
  bf_diag_add(diags, BF_ERROR, 302, where,
              "load 'thermal' sets a second temperature in %d element%s; the first was set in %s (element "
              "tag %lld). Assign every element to the groups of one thermal load only",
              (int)twice, twice == 1 ? "" : "s", bf_where_text(other, where, at),
              (long long)block->tag[first]);
}

/* expansion of the marked elements e0 .. e1-1; nodes, x, f: scratch for these. */
static bf_err fill_slab(const bf_model *m, bf_model_block *b, const bf_load *load, const uint8_t *in,
                        bf_int e0, bf_int e1, bf_int *nodes, double *x, double *f)
{
  const size_t nen = (size_t)bf_elem(b->block->type)->nnodes, nq = (size_t)b->stiffness.n;
  bf_int       n = 0;
  for (bf_int e = e0; e < e1; e++) {
    if (!in[e]) continue;
    for (size_t a = 0; a < nen; a++) nodes[(size_t)n * nen + a] = b->block->node[(size_t)e * nen + a];
    n++;
  }
  bf_model_points(m->mesh, b->block->type, nodes, 0, n, &b->stiffness, x);
  const bf_err err = bf_quantity_need(m, &load->value[0], (int64_t)n * (int64_t)nq, x, NULL, 1, f);
  if (err != BF_OK) return err == BF_E_MODEL ? BF_OK : err; /* E319 */
  for (bf_int e = e0; e < e1; e++) {
    if (!in[e]) continue;
    const double alpha = m->problem->material[m->region[b->block->first + e]].alpha;
    for (size_t q = 0; q < nq; q++) b->expansion[(size_t)e * nq + q] = alpha * (*f++ - load->reference);
  }
  return BF_OK;
}

static bf_err fill_block(const bf_model *m, bf_model_block *b, const bf_load *load, const uint8_t *in,
                         bf_diags *diags)
{
  bf_err       err   = BF_OK;
  bf_int      *nodes = NULL;
  double      *x = NULL, *f = NULL;
  const int    before = diags->errors;
  const bf_int n = b->block->n, slab = n < SLAB ? n : SLAB;
  const size_t nq = (size_t)b->stiffness.n;
  if (!b->expansion) BF_GO(BF_NEW_ARRAY(b->expansion, (size_t)n * nq));
  BF_GO(BF_NEW_ARRAY(nodes, (size_t)slab * (size_t)bf_elem(b->block->type)->nnodes));
  BF_GO(BF_NEW_ARRAY(x, (size_t)slab * nq * 3));
  BF_GO(BF_NEW_ARRAY(f, (size_t)slab * nq));
  for (bf_int e0 = 0; e0 < n && diags->errors == before; e0 += slab) {
    const bf_int e1 = n - e0 < slab ? n : e0 + slab;
    BF_GO(fill_slab(m, b, load, in, e0, e1, nodes, x, f));
    if (e1 == n) break;
  }
done:
  bf_host_free(nodes);
  bf_host_free(x);
  bf_host_free(f);
  return err;
}

bf_err bf_model_resolve_thermal(bf_model *m, bf_diags *diags)
{
  bf_err            err = BF_OK;
  const bf_problem *p   = m->problem;
  uint8_t          *in  = NULL;
  int              *by = NULL, thermal = 0;
  for (int l = 0; l < p->nloads; l++) thermal |= p->load[l].type == BF_LOAD_THERMAL;
  for (int i = 0; i < m->nblocks && thermal; i++) {
    const bf_block *block = m->block[i].block;
    BF_GO(BF_NEW_ARRAY(in, block->n));
    BF_GO(BF_NEW_ARRAY(by, block->n));
    for (int l = 0; l < p->nloads; l++) {
      bf_int count = 0;
      if (p->load[l].type != BF_LOAD_THERMAL) continue;
      bf_load_elements(m, &p->load[l], block, -1, in, &count);
      claim(m, block, l, in, by, diags);
      if (count > 0) BF_GO(fill_block(m, &m->block[i], &p->load[l], in, diags));
    }
    bf_host_free(in);
    bf_host_free(by);
    in = NULL, by = NULL;
  }
done:
  bf_host_free(in);
  bf_host_free(by);
  return err;
}
