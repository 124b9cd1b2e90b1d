/* solvers/linear/multigrid/spectral_groups.c - aggregates of nodes with different numbers of unknowns: below
 * the first level of spectral aggregates, where there is no lattice
 *
 *     s_ij = ||A_ij||_F / sqrt(||A_ii||_F ||A_jj||_F)
 *
 * Of a few thresholds the smallest is taken whose aggregates have at most UNKNOWNS unknowns on the mean, so
 * that their eigenproblems stay small.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/multigrid/aggregate_node.h"
#include "solvers/linear/multigrid/aggregation.h"
#include "solvers/linear/multigrid/spectral.h"
#include <math.h>
#include <string.h>

enum { UNKNOWNS = 200 };

typedef struct groups { /* host, owned: couplings of nodes, columns ascending, with the node itself */
  bf_int   n;
  int64_t *ptr;
  bf_int  *col;
  float   *strength;
  /* the matrix, scalar rows */
  int64_t *aptr;
  bf_int  *acol, *node; /* node of an unknown */
  double  *aval;
} groups;

static void clear(groups *g)
{
  bf_host_free(g->ptr);
  bf_host_free(g->col);
  bf_host_free(g->strength);
  bf_host_free(g->aptr);
  bf_host_free(g->acol);
  bf_host_free(g->node);
  bf_host_free(g->aval);
}

static bf_err fetch(const bf_mg_spectrum *s, groups *g)
{
  const bf_block_rows *A  = s->fine->rows;
  bf_backend          *be = s->fine->be;
  const size_t         n = (size_t)s->fine->n, nnz = (size_t)A->nnz;
  BF_CHECK(A->form.br == 1 && A->form.bc == 1, BF_E_ARG, "groups of unknowns need scalar rows");
  g->n = s->local->n;
  BF_TRY(BF_NEW_ARRAY(g->aptr, n + 1));
  BF_TRY(BF_NEW_ARRAY(g->acol, nnz));
  BF_TRY(BF_NEW_ARRAY(g->aval, nnz));
  BF_TRY(BF_NEW_ARRAY(g->node, n));
  BF_TRY(be->ops.copy(be, g->aptr, A->ptr, (n + 1) * sizeof *g->aptr, BF_TO_HOST));
  BF_TRY(be->ops.copy(be, g->acol, A->col, nnz * sizeof *g->acol, BF_TO_HOST));
  BF_TRY(be->ops.copy(be, g->aval, A->val, nnz * sizeof *g->aval, BF_TO_HOST));
  for (bf_int i = 0; i < g->n; i++)
    for (bf_int u = s->local->first[i]; u < s->local->first[i + 1]; u++) g->node[u] = i;
  return be->ops.sync(be);
}

/* Sums of squares of the couplings of node i: columns into col, ascending, sums by column; their number. */
static bf_int couplings_of(const bf_mg_spectrum *s, const groups *g, bf_int i, bf_int *col, double *sum)
{
  bf_int count = 0;
  for (bf_int u = s->local->first[i]; u < s->local->first[i + 1]; u++)
    for (int64_t k = g->aptr[u]; k < g->aptr[u + 1]; k++) {
      const bf_int j = g->node[g->acol[k]];
      if (sum[j] < 0.0) {
        sum[j]    = 0.0;
        bf_int at = count++;
        for (; at > 0 && col[at - 1] > j; at--) col[at] = col[at - 1];
        col[at] = j;
      }
      sum[j] += g->aval[k] * g->aval[k];
    }
  return count;
}

/* ptr, col and the norms of the blocks; then strengths. */
static bf_err find_couplings(const bf_mg_spectrum *s, groups *g)
{
  bf_err  err = BF_OK;
  bf_int *col = NULL;
  double *sum = NULL, *own = NULL, *norm = NULL;
  BF_GO(BF_NEW_ARRAY(g->ptr, (size_t)g->n + 1));
  BF_GO(BF_NEW_ARRAY(col, (size_t)g->n));
  BF_GO(BF_NEW_ARRAY(sum, (size_t)g->n));
  BF_GO(BF_NEW_ARRAY(own, (size_t)g->n));
  for (bf_int j = 0; j < g->n; j++) sum[j] = -1.0;
  for (int pass = 0; pass < 2; pass++) {
    for (bf_int i = 0; i < g->n; i++) {
      const bf_int count = couplings_of(s, g, i, col, sum);
      g->ptr[i + 1]      = g->ptr[i] + count;
      for (bf_int k = 0; k < count; k++) {
        if (pass == 1) g->col[g->ptr[i] + k] = col[k];
        if (pass == 1) norm[g->ptr[i] + k] = sqrt(sum[col[k]]);
        if (col[k] == i) own[i] = sqrt(sum[col[k]]);
        sum[col[k]] = -1.0;
      }
    }
    if (pass == 1) break;
    BF_GO(BF_NEW_ARRAY(g->col, (size_t)g->ptr[g->n]));
    BF_GO(BF_NEW_ARRAY(norm, (size_t)g->ptr[g->n]));
  }
  BF_GO(BF_NEW_ARRAY(g->strength, (size_t)g->ptr[g->n]));
  for (bf_int i = 0; i < g->n; i++)
    for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++)
      g->strength[k] = g->col[k] == i ? 0.0F : bf_mg_strength(norm[k], own[i], own[g->col[k]]);
done:
  bf_host_free(col);
  bf_host_free(sum);
  bf_host_free(own);
  bf_host_free(norm);
  return err;
}

/* The couplings of at least theta, in the backend's memory. */
static bf_err upload(const groups *h, double theta, bf_mg_aggregation *g)
{
  bf_err       err      = BF_OK;
  bf_backend  *be       = g->be;
  int64_t     *ptr      = NULL;
  bf_int      *col      = NULL;
  float       *strength = NULL;
  const size_t nnz      = (size_t)h->ptr[h->n];
  void        *p;
  int64_t      at = 0;
  bf_mg_release_graph(g);
  BF_GO(BF_NEW_ARRAY(ptr, (size_t)h->n + 1));
  BF_GO(BF_NEW_ARRAY(col, nnz));
  BF_GO(BF_NEW_ARRAY(strength, nnz));
  for (bf_int i = 0; i < h->n; i++) {
    for (int64_t k = h->ptr[i]; k < h->ptr[i + 1]; k++)
      if (h->col[k] == i || bf_mg_is_strong(h->strength[k], theta > 1e-12 ? theta : 1e-12)) {
        col[at]        = h->col[k];
        strength[at++] = h->strength[k];
      }
    ptr[i + 1] = at;
  }
  g->G.n   = h->n;
  g->G.nnz = at;
  BF_GO(bf_mg_reserve(be, (int64_t)h->n + 1, sizeof *ptr, &p));
  g->G.ptr = p;
  BF_GO(bf_mg_reserve(be, at, sizeof *col, &p));
  g->G.col = p;
  BF_GO(bf_mg_reserve(be, at, sizeof *strength, &p));
  g->G.strength = p;
  BF_GO(be->ops.copy(be, g->G.ptr, ptr, ((size_t)h->n + 1) * sizeof *ptr, BF_TO_DEVICE));
  BF_GO(be->ops.copy(be, g->G.col, col, (size_t)at * sizeof *col, BF_TO_DEVICE));
  BF_GO(be->ops.copy(be, g->G.strength, strength, (size_t)at * sizeof *strength, BF_TO_DEVICE));
  BF_GO(be->ops.sync(be));
done:
  bf_host_free(ptr);
  bf_host_free(col);
  bf_host_free(strength);
  return err;
}

bf_err bf_mg_group_aggregates(bf_mg_spectrum *s, bf_mg_aggregation *g)
{
  static const double thresholds[] = {0.0, 0.02, 0.04, 0.08, 0.16, 0.32};
  enum { MANY = sizeof thresholds / sizeof *thresholds };
  bf_err      err  = BF_OK;
  bf_backend *be   = g->be;
  groups      h    = {.n = 0};
  uint8_t    *host = NULL;
  void       *live = NULL, *aggregate = NULL;
  int64_t     unknowns = 0;
  BF_GO(fetch(s, &h));
  BF_GO(find_couplings(s, &h));
  BF_GO(BF_NEW_ARRAY(host, (size_t)h.n));
  for (bf_int i = 0; i < h.n; i++)
    for (bf_int u = s->local->first[i]; u < s->local->first[i + 1]; u++) {
      host[i] |= !s->fixed[u];
      unknowns += !s->fixed[u];
    }
  BF_GO(bf_mg_reserve(be, h.n, 1, &live));
  BF_GO(bf_mg_reserve(be, h.n, sizeof(bf_int), &aggregate));
  BF_GO(be->ops.copy(be, live, host, (size_t)h.n, BF_TO_DEVICE));
  for (int t = 0; t < MANY; t++) {
    BF_GO(upload(&h, thresholds[t], g));
    BF_GO(g->ops->aggregate(be, &g->G, live, aggregate, &s->body.count));
    if (unknowns <= (int64_t)s->body.count * UNKNOWNS) break;
  }
  BF_GO(be->ops.copy(be, s->aggregate, aggregate, (size_t)h.n * sizeof(bf_int), BF_TO_HOST));
  BF_GO(be->ops.sync(be));
done:
  be->ops.release(be, live);
  be->ops.release(be, aggregate);
  bf_host_free(host);
  clear(&h);
  return err;
}
