/* assembly/physics/flow_check.c - warnings about a flow: cells too large for Galerkin's method (W311), values
 * at an outflow (W312), inflow without a condition (W313)
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/physics/flow.h"
#include "base/memory.h"
#include <math.h>

/* Mean of the nodes of an element or a face */
static void middle(const bf_model *m, const bf_int *node, int n, double x[3])
{
  x[0] = x[1] = x[2] = 0.0;
  for (int a = 0; a < n; a++)
    for (int d = 0; d < 3; d++) x[d] += m->mesh->x[3 * (size_t)node[a] + (size_t)d] / n;
}

static void warn_peclet(const bf_model *m, const double *peclet, bf_diags *diags)
{
  bf_int        most = -1, count = 0, all = 0;
  const bf_int *node;
  double        x[3];
  int           n = 0;
  for (int k = 0; k < m->nblocks; k++)
    for (bf_int e = m->block[k].block->first; e < m->block[k].block->first + m->block[k].block->n;
         e++, all++) {
      count += peclet[e] > 1.0;
      if (most < 0 || peclet[e] > peclet[most]) most = e;
    }
  if (count == 0) return;
  const bf_block *b = bf_mesh_block_of(m->mesh, most);
  node              = bf_mesh_elem_nodes(m->mesh, most, &n);
  middle(m, node, n, x);
  bf_diag_add(
      diags, BF_WARNING, 311, m->problem->stabilization_where,
      "without stabilization %d of %d cells have a Peclet number |v|h/2D above 1, up to %.4g in element "
      "%lld at (%g, %g, %g): the solution may oscillate; use 'supg' or smaller elements there",
      (int)count, (int)all, peclet[most], (long long)b->tag[most - b->first], x[0], x[1], x[2]);
}

typedef struct bf_odd { /* faces of one kind */
  bf_int count;
  double at[3], thin, peclet; /* the first; least D/v.n, largest cell Peclet number of all */
} bf_odd;

/* The condition that prescribes all nodes of a face, or -1: fixed_by is the first one of a node. */
static bf_int prescriber(const bf_model *m, const bf_int *node, int nen)
{
  bf_int by = -1;
  for (int a = 0; a < nen; a++) {
    if (!m->fixed[node[a]]) return -1;
    by = m->fixed_by[node[a]] > by ? m->fixed_by[node[a]] : by;
  }
  return by;
}

static int all_of(const uint8_t *mark, const bf_int *node, int nen)
{
  int all = 1;
  for (int a = 0; a < nen; a++) all &= mark[node[a]];
  return all;
}

static void note(const bf_model *m, bf_odd *o, const bf_int *node, int nen, double thin, double peclet)
{
  if (o->count++ == 0) {
    middle(m, node, nen, o->at);
    o->thin = thin;
  }
  o->thin   = fmin(o->thin, thin);
  o->peclet = fmax(o->peclet, peclet);
}

/* out[nboundaries]: outflow faces of a condition; in: inflow faces without a condition. */
static bf_err survey(const bf_model *m, const bf_face_set *set, const uint8_t *convection,
                     const double *peclet, bf_diags *diags, bf_odd *out, bf_odd *in)
{
  bf_err    err = BF_OK;
  double   *vn = NULL, *speed = NULL;
  const int nen = bf_elem(set->type)->nnodes, nq = set->rule.n;
  BF_GO(bf_flow_normal(m, set, diags, &vn, &speed));
  for (bf_int e = 0; e < set->n; e++) {
    const bf_int *node = set->node + (size_t)e * (size_t)nen;
    const bf_int  by   = prescriber(m, node, nen);
    double        net = 0.0, gross = 0.0;
    for (int q = 0; q < nq; q++) {
      net += vn[(size_t)e * (size_t)nq + (size_t)q] / nq;
      gross += speed[(size_t)e * (size_t)nq + (size_t)q] / nq;
    }
    const bf_block       *b = bf_mesh_block_of(m->mesh, set->parent[e]);
    const bf_model_block *k = m->block;
    while (k->block != b) k++;
    const double D = bf_flow_at(m, k, set->parent[e] - b->first, 0)[0];
    if (by >= 0 && net > 1e-6 * gross) note(m, &out[by], node, nen, D / net, peclet[set->parent[e]]);
    if (by < 0 && net < -1e-6 * gross && !all_of(convection, node, nen))
      note(m, in, node, nen, D / -net, peclet[set->parent[e]]);
  }
done:
  bf_host_free(vn);
  bf_host_free(speed);
  return err;
}

static void warn_sides(const bf_model *m, const bf_odd *out, const bf_odd *in, bf_diags *diags)
{
  const bf_problem *p = m->problem;
  for (int b = 0; b < p->nboundaries; b++)
    if (out[b].count > 0)
      bf_diag_add(diags, BF_WARNING, 312, p->boundary[b].where,
                  "'value' is prescribed at an outflow (%d faces, the first at (%g, %g, %g)): it causes a "
                  "boundary layer as thin as D/v = %.3g, where cells have Peclet numbers up to %.3g (above "
                  "1 the layer is thinner than a cell); use 'outflow' instead",
                  (int)out[b].count, out[b].at[0], out[b].at[1], out[b].at[2], out[b].thin, out[b].peclet);
  if (in->count > 0)
    bf_diag_add(diags, BF_WARNING, 313, p->nboundaries ? p->boundary[0].where : p->material[0].where,
                "inflow through %d boundary faces without a condition of type value or convection, the first "
                "at (%g, %g, %g): the incoming concentration is not given",
                (int)in->count, in->at[0], in->at[1], in->at[2]);
}

bf_err bf_flow_check(bf_model *m, bf_diags *diags)
{
  bf_err   err        = BF_OK;
  double  *peclet     = NULL;
  uint8_t *convection = NULL;
  bf_odd  *out = NULL, in = {0};
  BF_GO(bf_flow_peclets(m, &peclet));
  BF_GO(bf_model_outer_faces(m, &m->outer, &m->nouter));
  BF_GO(BF_NEW_ARRAY(convection, m->mesh->nnodes));
  BF_GO(BF_NEW_ARRAY(out, m->problem->nboundaries + 1));
  for (int s = 0; s < m->nsets; s++)
    if (m->problem->boundary[m->set[s].boundary].type == BF_BC_CONVECTION)
      for (size_t i = 0; i < (size_t)m->set[s].n * (size_t)bf_elem(m->set[s].type)->nnodes; i++)
        convection[m->set[s].node[i]] = 1;
  if (!m->problem->stabilized) warn_peclet(m, peclet, diags);
  for (int s = 0; s < m->nouter; s++) BF_GO(survey(m, &m->outer[s], convection, peclet, diags, out, &in));
  warn_sides(m, out, &in, diags);
done:
  bf_host_free(peclet);
  bf_host_free(convection);
  bf_host_free(out);
  return err;
}
