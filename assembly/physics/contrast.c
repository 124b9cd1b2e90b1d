/* assembly/physics/contrast.c - how much the coefficient of a problem jumps between elements, and its largest
 * cell Peclet number: what a choice of the solver needs to know of the materials
 *
 * Contrast: at about 4096 nodes, evenly distributed, the elements of a node are compared.  Equal models give
 * equal numbers.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/physics/flow.h"
#include "base/memory.h"
#include <math.h>

enum { SAMPLE = 4096 };

/* The mean of E or k of element e of a block. */
static double coefficient(const bf_model *m, const bf_model_block *b, bf_int e)
{
  const int     nq     = b->stiffness.n;
  const double *factor = b->factor ? b->factor + (int64_t)e * nq : NULL;
  double        mean   = factor ? 0.0 : 1.0;
  for (int q = 0; factor && q < nq; q++) mean += factor[q] / nq;
  return mean * fabs(m->C[(int64_t)m->region[b->block->first + e] * m->nC]);
}

typedef struct sample { /* of the elements of every `step`-th node */
  bf_int  step;
  double *least, *most; /* owned [nodes / step + 1]; most 0: no element */
} sample;

static void take(const bf_model *m, const bf_model_block *b, sample *s)
{
  const int nen = bf_elem(b->block->type)->nnodes;
#pragma omp parallel for schedule(static) if (b->block->n > 4096)
  for (bf_int e = 0; e < b->block->n; e++)
    for (int a = 0; a < nen; a++) {
      const bf_int node = b->block->node[(int64_t)e * nen + a], i = node / s->step;
      if (node != i * s->step) continue;
      const double now = coefficient(m, b, e);
#pragma omp critical
      {
        s->least[i] = s->most[i] > 0.0 ? fmin(s->least[i], now) : now;
        s->most[i]  = fmax(s->most[i], now);
      }
    }
}

static void count(const sample *s, bf_int n, double *contrast, double *share)
{
  bf_int seen = 0, jumps = 0;
  double least = INFINITY, most = 0.0;
  for (bf_int i = 0; i < n; i++) {
    if (!(s->most[i] > 0.0)) continue;
    seen++;
    jumps += s->most[i] > BF_MODEL_JUMP * s->least[i];
    least = fmin(least, s->least[i]);
    most  = fmax(most, s->most[i]);
  }
  if (seen == 0) return;
  *share = (double)jumps / seen;
  if (least > 0.0 && isfinite(most)) *contrast = most / least;
}

bf_err bf_model_contrast(const bf_model *m, double *contrast, double *share)
{
  bf_err       err     = BF_OK;
  const bf_int nodes   = m->mesh->nnodes;
  sample       s       = {.step = nodes / SAMPLE | 1};
  int          formula = 0;
  *contrast            = 1.0;
  *share               = 0.0;
  for (int k = 0; k < m->nblocks; k++) formula |= m->block[k].factor != NULL;
  if ((m->problem->nmaterials < 2 && !formula) || m->problem->physics == BF_ADVECTION) return BF_OK;
  BF_GO(BF_NEW_ARRAY(s.least, nodes / s.step + 1));
  BF_GO(BF_NEW_ARRAY(s.most, nodes / s.step + 1));
  for (int k = 0; k < m->nblocks; k++) take(m, &m->block[k], &s);
  count(&s, nodes / s.step + 1, contrast, share);
done:
  bf_host_free(s.least);
  bf_host_free(s.most);
  return err;
}

bf_err bf_model_largest_peclet(const bf_model *m, double *most)
{
  double *all = NULL;
  *most       = 0.0;
  if (m->problem->physics != BF_ADVECTION) return BF_OK;
  const bf_err err = bf_flow_peclets(m, &all);
  for (int k = 0; err == BF_OK && k < m->nblocks; k++)
    for (bf_int e = 0; e < m->block[k].block->n; e++) *most = fmax(*most, all[m->block[k].block->first + e]);
  bf_host_free(all);
  return err;
}
