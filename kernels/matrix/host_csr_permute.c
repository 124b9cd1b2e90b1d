/* kernels/matrix/host_csr_permute.c - see statistics.h: the graph of a matrix, and its rows in another order
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/matrix/statistics.h"
#include <stdlib.h>

/* ---- graph ---- */

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

/* Pairs of nodes (u, v) with an entry; mirror: also (v, u); all: diagonal pairs and entries of value 0 too.
 */
static bf_err pairs(const bf_sparse *S, int D, int mirror, int all, bf_graph **out)
{
  bf_err    err = BF_OK;
  bf_graph *g   = NULL;
  int64_t  *at  = NULL;
  BF_CHECK(S && out && D >= 1 && S->nrows == S->ncols && S->nrows % D == 0, BF_E_ARG, "not a square matrix");
  *out           = NULL;
  const bf_int n = S->nrows / D;
  BF_GO(BF_NEW_ARRAY(at, (size_t)n + 1));
  for (int put = 0; put < 2; put++) {
    for (bf_int i = 0; i < S->nrows; i++)
      for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) {
        const bf_int u = i / D, v = S->col[p] / D;
        if (!all && (u == v || S->val[p] == 0.0)) continue;
        if (put) {
          g->adj[at[u]++] = v;
          if (mirror) g->adj[at[v]++] = u;
        } else {
          at[u + 1]++;
          if (mirror) at[v + 1]++;
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

bf_err bf_sparse_graph(const bf_sparse *S, int D, bf_graph **out)
{
  return pairs(S, D, 1, 0, out);
}

bf_err bf_sparse_node_pattern(const bf_sparse *S, int D, int mirror, bf_graph **out)
{
  return pairs(S, D, mirror, 1, out);
}

/* ---- order ---- */

typedef struct moved { /* an entry of a row in its new column */
  bf_int col;
  double val;
} moved;

static int by_column(const void *a, const void *b)
{
  const moved *p = a, *q = b;
  return (p->col > q->col) - (p->col < q->col);
}

static void move_row(const bf_sparse *S, bf_int i, const bf_int *place, moved *m, bf_int *col, double *val)
{
  const int64_t n = S->ptr[i + 1] - S->ptr[i];
  for (int64_t p = 0; p < n; p++) m[p] = (moved){place[S->col[S->ptr[i] + p]], S->val[S->ptr[i] + p]};
  qsort(m, (size_t)n, sizeof *m, by_column);
  for (int64_t p = 0; p < n; p++) {
    col[p] = m[p].col;
    val[p] = m[p].val;
  }
}

bf_err bf_sparse_permute(const bf_sparse *S, const bf_int *order, bf_sparse **out)
{
  bf_err     err   = BF_OK;
  bf_int    *place = NULL;
  moved     *room  = NULL;
  bf_sparse *P     = NULL;
  int64_t    most  = 0;
  BF_CHECK(S && order && out && S->nrows == S->ncols, BF_E_ARG,
           "not a square matrix and an order of its rows");
  *out = NULL;
  BF_GO(BF_NEW_ARRAY(place, S->nrows));
  for (bf_int k = 0; k < S->nrows; k++) place[order[k]] = k;
  BF_GO(bf_sparse_create(S->nrows, S->ncols, S->nnz, &P));
  for (bf_int k = 0; k < S->nrows; k++) {
    const int64_t n = S->ptr[order[k] + 1] - S->ptr[order[k]];
    P->ptr[k + 1]   = P->ptr[k] + n;
    most            = n > most ? n : most;
  }
  BF_GO(BF_NEW_ARRAY(room, most));
  for (bf_int k = 0; k < S->nrows; k++)
    move_row(S, order[k], place, room, P->col + P->ptr[k], P->val + P->ptr[k]);
  *out = P;
  P    = NULL;
done:
  bf_host_free(place);
  bf_host_free(room);
  bf_sparse_destroy(&P);
  return err;
}
