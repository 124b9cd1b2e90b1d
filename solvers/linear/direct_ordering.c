/* solvers/linear/direct_ordering.c - a numbering with a narrow band for a factorisation, and the size of the
 * band
 *
 * Compares the given numbering with reverse Cuthill-McKee on the graph of A + A^T and takes the smaller
 * bandwidth: a factorisation fills the band, so its width counts, not its diagonals.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "solvers/linear/direct.h"

/* Largest |place[u] - place[v]| of two neighbours; place NULL: as numbered. */
static bf_int width(const bf_graph *g, const bf_int *place)
{
  bf_int most = 0;
  for (bf_int u = 0; u < g->n; u++)
    for (int64_t k = g->ptr[u]; k < g->ptr[u + 1]; k++) {
      const bf_int v = g->adj[k], d = place ? place[u] - place[v] : u - v;
      if (d > most) most = d;
      if (-d > most) most = -d;
    }
  return most;
}

bf_err bf_direct_order(const bf_graph *g, bf_int *place, bf_int *half)
{
  bf_err  err   = BF_OK;
  bf_int *order = NULL;
  BF_GO(BF_NEW_ARRAY(order, g->n));
  BF_GO(bf_graph_rcm(g, order));
  for (bf_int k = 0; k < g->n; k++) place[order[k]] = k;
  *half              = width(g, place);
  const bf_int plain = width(g, NULL);
  if (plain <= *half) {
    for (bf_int v = 0; v < g->n; v++) place[v] = v;
    *half = plain;
  }
done:
  bf_host_free(order);
  return err;
}

bf_err bf_direct_forecast(const bf_graph *pattern, int ncomp, int symmetric, bf_direct_cost *cost)
{
  bf_err  err   = BF_OK;
  bf_int *place = NULL, half;
  BF_CHECK(pattern && cost && ncomp >= 1, BF_E_ARG, "null argument");
  BF_GO(BF_NEW_ARRAY(place, pattern->n));
  BF_GO(bf_direct_order(pattern, place, &half));
  const int64_t D = ncomp, n = pattern->n * D, nnz = pattern->ptr[pattern->n] * D * D;
  const bf_int  kl = (bf_int)((half + 1) * D - 1 < n ? (half + 1) * D - 1 : n - 1);
  const bf_band B  = bf_band_shape((bf_int)n, kl, kl, symmetric);
  cost->half       = kl;
  cost->band       = bf_band_bytes(&B);
  cost->beside     = 12 * nnz + n * (12 * 8 + 4); /* the matrix in rows; vectors */
  cost->flops      = (double)n * kl * kl * (symmetric ? 1.0 : 4.0);
done:
  bf_host_free(place);
  return err;
}
