/* solvers/direct_order.c - a numbering with a narrow band for a factorisation, and what the band will take
 *
 * Of the numbering as it is and reverse Cuthill-McKee on the graph of A + A^T the one with the smaller
 * largest distance of two coupled rows: a factorisation fills the band, so its width counts, not its
 * diagonals.
 */
#include "base/memory.h"
#include "solvers/direct.h"
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
  const bf_int p = *(const bf_int *)a, q = *(const bf_int *)b;
  return (p > q) - (p < q);
}

/* Sorts every row of ends ptr[i] .. ptr[i+1] and leaves each neighbour once; closes the gaps. */
static void tidy(bf_graph *g)
{
  int64_t to = 0, from = 0;
  for (bf_int i = 0; i < g->n; i++) {
    const int64_t end = g->ptr[i + 1], begin = to;
    qsort(g->adj + from, (size_t)(end - from), sizeof *g->adj, ascending);
    for (; from < end; from++)
      if (to == begin || g->adj[to - 1] != g->adj[from]) g->adj[to++] = g->adj[from];
    g->ptr[i + 1] = to;
  }
}

bf_err bf_direct_graph(const bf_sparse *S, int D, bf_graph **out)
{
  bf_err       err = BF_OK;
  bf_graph    *g   = NULL;
  int64_t     *at  = NULL;
  const bf_int n   = S->nrows / D;
  *out             = NULL;
  BF_GO(BF_NEW_ARRAY(at, (size_t)n + 1));
  for (int put = 0; put < 2; put++) {
    for (bf_int i = 0; i < S->nrows; i++)
      for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) {
        const bf_int u = i / D, v = S->col[p] / D;
        if (u == v || S->val[p] == 0.0) continue;
        if (put) {
          g->adj[at[u]++] = v;
          g->adj[at[v]++] = u;
        } else {
          at[u + 1]++;
          at[v + 1]++;
        }
      }
    if (put) break;
    for (bf_int i = 0; i < n; i++) at[i + 1] += at[i];
    BF_GO(bf_graph_create(n, at[n], &g));
    for (bf_int i = 0; i <= n; i++) g->ptr[i] = at[i];
  }
  tidy(g);
  *out = g;
  g    = NULL;
done:
  bf_graph_destroy(&g);
  bf_host_free(at);
  return err;
}

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
  cost->beside     = 12 * nnz + n * (8 + 8 + 8 + 4); /* the matrix in rows; vectors of the permuted system */
  cost->flops      = (double)n * kl * kl * (symmetric ? 1.0 : 4.0);
done:
  bf_host_free(place);
  return err;
}
