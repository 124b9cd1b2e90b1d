/* solvers/linear/multigrid/spectral_groups.c - aggregates of nodes with different numbers of unknowns: below
 * the first level of spectral aggregates, where there is no lattice
 *
 *     s_ij = ||A_ij||_F / sqrt(||A_ii||_F ||A_jj||_F),   ||A_ij||_F^2 = (G^T (A o A) G)_ij
 *
 * with G the rows unknown -> node.  Of a few thresholds the smallest is taken whose aggregates have at most
 * UNKNOWNS unknowns on the mean, so that their eigenproblems stay small.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/multigrid/aggregation.h"
#include "solvers/linear/multigrid/spectral.h"

enum { UNKNOWNS = 200 };

/* Copy of A with squared values. */
static bf_err squared(const bf_mg_spectrum *s, const bf_block_rows *A, bf_block_rows **out)
{
  bf_err         err     = BF_OK;
  bf_backend    *be      = s->be;
  bf_block_rows *C       = NULL;
  const int64_t  numbers = A->nnz * A->form.br * A->form.bc;
  BF_GO(bf_block_rows_create(be, &A->form, A->nnz, &C));
  BF_GO(be->ops.copy(be, C->ptr, A->ptr, ((size_t)A->form.nrows + 1) * sizeof *A->ptr, BF_WITHIN));
  BF_GO(be->ops.copy(be, C->col, A->col, (size_t)A->nnz * sizeof *A->col, BF_WITHIN));
  BF_GO(be->ops.copy(be, C->val, A->val, (size_t)numbers * sizeof(double), BF_WITHIN));
  BF_GO(s->ops->square(be, numbers, C->val));
done:
  if (err != BF_OK) bf_block_rows_destroy(&C);
  *out = C;
  return err;
}

/* Norms of the couplings of nodes: 1 x 1 blocks. */
static bf_err norms(const bf_mg_spectrum *s, const bf_block_rows *A, bf_block_rows **out)
{
  bf_err              err    = BF_OK;
  const bf_int        n      = s->local->n;
  const int           D      = s->fine->ncomp;
  const bf_block_form form   = {n, s->fine->n / D, 1, D, BF_FP64};
  bf_block_rows      *square = NULL, *nodes = NULL, *unknowns = NULL, *N = NULL;
  BF_GO(squared(s, A, &square));
  BF_GO(bf_block_rows_create(s->be, &form, s->fine->n / D, &unknowns));
  BF_GO(s->ops->unknown_rows(s->be, s->local->first, unknowns));
  BF_GO(bf_block_rows_transpose(unknowns, &nodes));
  BF_GO(bf_block_rows_galerkin(square, nodes, unknowns, &N));
  BF_GO(s->ops->square_root(s->be, N->nnz, N->val));
done:
  bf_block_rows_destroy(&square);
  bf_block_rows_destroy(&nodes);
  bf_block_rows_destroy(&unknowns);
  if (err != BF_OK) bf_block_rows_destroy(&N);
  *out = N;
  return err;
}

/* g->G: the couplings of at least theta. */
static bf_err strong(bf_mg_aggregation *g, const bf_block_rows *N, const float *strength, double theta)
{
  bf_backend *be = g->be;
  void       *p;
  bf_mg_release_graph(g);
  g->G.n = N->form.nrows;
  BF_TRY(bf_mg_reserve(be, (int64_t)g->G.n + 1, sizeof *g->G.ptr, &p));
  g->G.ptr = p;
  BF_TRY(g->ops->strong_count(be, N, strength, theta, g->G.ptr, &g->G.nnz));
  BF_TRY(bf_mg_reserve(be, g->G.nnz, sizeof *g->G.col, &p));
  g->G.col = p;
  BF_TRY(bf_mg_reserve(be, g->G.nnz, sizeof *g->G.strength, &p));
  g->G.strength = p;
  return g->ops->strong_fill(be, N, strength, theta, &g->G);
}

bf_err bf_mg_group_aggregates(bf_mg_spectrum *s, bf_mg_aggregation *g)
{
  static const double thresholds[] = {1e-12, 0.02, 0.04, 0.08, 0.16, 0.32};
  enum { MANY = sizeof thresholds / sizeof *thresholds };
  bf_err               err  = BF_OK;
  bf_backend          *be   = s->be;
  const bf_int         n    = s->local->n;
  const bf_block_rows *A    = s->fine->rows;
  bf_block_rows       *N    = NULL;
  void                *live = NULL, *strength = NULL;
  bf_int               unused;
  BF_CHECK(A, BF_E_ARG, "groups of unknowns need block rows");
  BF_GO(norms(s, A, &N));
  BF_GO(bf_mg_reserve(be, n, 1, &live));
  BF_GO(bf_mg_reserve(be, N->nnz, sizeof(float), &strength));
  BF_GO(g->ops->live(be, n, 1, NULL, live, &unused));
  BF_GO(g->ops->strengths(be, N, strength));
  for (int t = 0; t < MANY; t++) {
    BF_GO(strong(g, N, strength, thresholds[t]));
    BF_GO(g->ops->aggregate(be, &g->G, live, s->body.aggregate, &s->body.count));
    if (s->fine->n <= (int64_t)s->body.count * UNKNOWNS) break;
  }
done:
  be->ops.release(be, live);
  be->ops.release(be, strength);
  bf_block_rows_destroy(&N);
  return err;
}
