/* assembly/physics/flow_initial_guess.c - start vector of an iteration on an unsymmetric system: random
 * values
 *
 * With the start 0 the first residual is nonzero only near the inlet.  BiCGStab and BiCG measure
 * every later residual by it (rho = r0 . r), while the flow transports the residual downstream: rho reaches
 * the rounding level, the residual grows by orders of magnitude, and on long meshes the methods break down.
 * Random values of a thousandth of the prescribed ones make the first residual nonzero everywhere.
 * Measurements: docs/theory/advection.md.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/physics/flow.h"
#include "base/memory.h"
#include <math.h>

/* Uniform in (-1, 1), a function of the node's number (splitmix64). */
static double noise(bf_int node)
{
  uint64_t z = ((uint64_t)(uint32_t)node + 1) * 0x9e3779b97f4a7c15u;
  z          = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z          = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return 2.0 * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53 - 1.0;
}

bf_err bf_flow_start(const bf_model *m, const bf_numbering *num, bf_backend *be, double *x0)
{
  bf_err       err = BF_OK;
  double      *g = NULL, size = 0.0;
  const bf_int n = num->nrows; /* one component */
  for (bf_int v = 0; v < m->mesh->nnodes; v++) size = fmax(size, fabs(m->value[v]));
  BF_GO(BF_NEW_ARRAY(g, n));
#pragma omp parallel for schedule(static) if (n > 8192)
  for (bf_int r = 0; r < n; r++) {
    const bf_int v = num->node[r];
    g[r]           = v < 0 ? 0.0 : m->fixed[v] ? m->value[v] : 1e-3 * size * noise(v);
  }
  BF_GO(be->ops.copy(be, x0, g, (size_t)n * sizeof *g, BF_TO_DEVICE));
  BF_GO(be->ops.sync(be));
done:
  bf_host_free(g);
  return err;
}
