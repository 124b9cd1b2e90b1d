/* kernels/couplings.c - see couplings.h */
#include "kernels/couplings.h"
#include "base/memory.h"
#include <math.h>

/* Place of u among the neighbours of v, or -1. */
static int64_t edge(const bf_graph *g, bf_int v, bf_int u)
{
  int64_t lo = g->ptr[v], hi = g->ptr[v + 1];
  while (lo < hi) {
    const int64_t mid = lo + (hi - lo) / 2;
    if (g->adj[mid] == u) return mid;
    if (g->adj[mid] < u)
      lo = mid + 1;
    else
      hi = mid;
  }
  return -1;
}

/* 1 / sqrt(max |A_uu|) */
static double scale(const bf_sparse *S, int D, bf_int u)
{
  double most = 0.0;
  for (bf_int r = u * D; r < (u + 1) * D; r++)
    for (int64_t p = S->ptr[r]; p < S->ptr[r + 1]; p++)
      if (S->col[p] / D == u) most = fmax(most, fabs(S->val[p]));
  return 1.0 / sqrt(most);
}

/* Columns and neighbours ascend: they are walked side by side. */
static void one_way(const bf_sparse *S, int D, const bf_graph *g, bf_int u, const double *s, float *c)
{
  for (bf_int r = u * D; r < (u + 1) * D; r++) {
    int64_t k = g->ptr[u];
    for (int64_t p = S->ptr[r]; p < S->ptr[r + 1]; p++) {
      const bf_int v = S->col[p] / D;
      while (k < g->ptr[u + 1] && g->adj[k] < v) k++;
      if (k == g->ptr[u + 1]) break;
      const double x = fabs(S->val[p]) * s[u] * s[v];
      if (g->adj[k] == v && isfinite(x)) c[k] = fmaxf(c[k], (float)x);
    }
  }
}

bf_err bf_sparse_couplings(const bf_sparse *S, int D, const bf_graph *g, float **coupling)
{
  bf_err  err = BF_OK;
  double *s   = NULL;
  float  *c = NULL, *both = NULL;
  BF_CHECK(S && g && coupling, BF_E_ARG, "null argument");
  *coupling = NULL;
  BF_CHECK(D >= 1 && S->nrows == S->ncols && (int64_t)g->n * D == S->nrows, BF_E_ARG,
           "a graph of %d nodes for %d rows of %d components", g->n, S->nrows, D);
  BF_GO(BF_NEW_ARRAY(s, (size_t)g->n));
  BF_GO(BF_NEW_ARRAY(c, (size_t)g->ptr[g->n]));
  BF_GO(BF_NEW_ARRAY(both, (size_t)g->ptr[g->n]));
#pragma omp parallel for schedule(static)
  for (bf_int u = 0; u < g->n; u++) s[u] = scale(S, D, u);
#pragma omp parallel for schedule(static)
  for (bf_int u = 0; u < g->n; u++) one_way(S, D, g, u, s, c);
#pragma omp parallel for schedule(static)
  for (bf_int u = 0; u < g->n; u++)
    for (int64_t k = g->ptr[u]; k < g->ptr[u + 1]; k++) {
      const int64_t back = edge(g, g->adj[k], u);
      both[k]            = back >= 0 && g->adj[k] != u ? 0.5F * (c[k] + c[back]) : 0.0F;
    }
  *coupling = both;
  both      = NULL;
done:
  bf_host_free(s);
  bf_host_free(c);
  bf_host_free(both);
  return err;
}
