/* solvers/linear/multigrid/aggregates.c - smoothed aggregation: the next stage from the couplings of a matrix
 *
 *     A_1 = P^T A P
 *
 * A combination of modes that depends on the others on an aggregate is a phantom unknown of the coarse level:
 * decoupled, diagonal 1.  Where aggregates are too small the threshold of strong couplings is halved.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/multigrid/aggregation.h"

static const double WEAKEST = 1e-3; /* thresholds below are 0 */
static const double GAIN    = 0.7;  /* unknowns of the coarse level over those of the fine one, at most */
enum { NODES = 4 };                 /* of an aggregate, on the mean at least */

bf_err bf_mg_reserve(bf_backend *be, int64_t count, size_t one, void **out)
{
  *out = NULL;
  return be->ops.alloc(be, (size_t)count * one, out);
}

void bf_mg_release_graph(bf_mg_aggregation *g)
{
  g->be->ops.release(g->be, g->G.ptr);
  g->be->ops.release(g->be, g->G.col);
  g->be->ops.release(g->be, g->G.strength);
  g->G = (bf_mg_graph){.n = 0};
}

void bf_mg_aggregation_release(bf_mg_aggregation *g)
{
  bf_backend *be = g->be;
  bf_mg_release_graph(g);
  be->ops.release(be, g->strength);
  be->ops.release(be, g->aggregate);
  be->ops.release(be, g->members);
  be->ops.release(be, g->member);
  be->ops.release(be, g->combine);
  bf_block_rows_destroy(&g->own);
  bf_block_rows_destroy(&g->T);
  bf_block_rows_destroy(&g->F);
  bf_block_rows_destroy(&g->P);
  bf_block_rows_destroy(&g->PT);
}

bf_err bf_mg_aggregation_begin(const bf_mg_stage *fine, bf_mg_aggregation *g)
{
  bf_backend *be = fine->be;
  void       *p;
  BF_CHECK(be->ops.mg_aggregates, BF_E_UNSUPPORTED, "backend '%s' has no operations for aggregates",
           be->ops.name);
  g->ops = be->ops.mg_aggregates;
  g->n   = fine->n / fine->ncomp;
  g->nq  = fine->nmodes > 0 ? fine->nmodes : fine->ncomp;
  BF_CHECK(g->nq <= BF_MG_MODES_MOST, BF_E_ARG, "%d modes; at most %d", g->nq, (int)BF_MG_MODES_MOST);
  if (!fine->rows) BF_TRY(bf_block_rows_from_matrix(fine->A, &g->own));
  g->A = fine->rows ? fine->rows : g->own;
  BF_TRY(bf_mg_reserve(be, g->n, sizeof *g->aggregate, &p));
  g->aggregate = p;
  return BF_OK;
}

/* g->G: couplings of at least theta. */
static bf_err strong_couplings(bf_mg_aggregation *g, double theta)
{
  bf_backend *be = g->be;
  void       *p;
  bf_mg_release_graph(g);
  if (!g->strength) {
    BF_TRY(bf_mg_reserve(be, g->A->nnz, sizeof *g->strength, &p));
    g->strength = p;
    BF_TRY(g->ops->strengths(be, g->A, g->strength));
  }
  g->theta = theta;
  g->G.n   = g->n;
  BF_TRY(bf_mg_reserve(be, (int64_t)g->n + 1, sizeof *g->G.ptr, &p));
  g->G.ptr = p;
  BF_TRY(g->ops->strong_count(be, g->A, g->strength, theta, g->G.ptr, &g->G.nnz));
  BF_TRY(bf_mg_reserve(be, g->G.nnz, sizeof *g->G.col, &p));
  g->G.col = p;
  BF_TRY(bf_mg_reserve(be, g->G.nnz, sizeof *g->G.strength, &p));
  g->G.strength = p;
  return g->ops->strong_fill(be, g->A, g->strength, theta, &g->G);
}

bf_err bf_mg_find_aggregates(bf_mg_aggregation *g, double theta)
{
  bf_err      err  = BF_OK;
  bf_backend *be   = g->be;
  void       *live = NULL;
  bf_int      nlive;
  BF_GO(bf_mg_reserve(be, g->n, 1, &live));
  BF_GO(g->ops->live(be, g->n, g->fine->ncomp, g->fine->fixed, live, &nlive));
  for (;; theta = theta > WEAKEST ? 0.5 * theta : 0.0) {
    BF_GO(strong_couplings(g, theta));
    BF_GO(g->ops->aggregate(be, &g->G, live, g->aggregate, &g->count));
    if ((int64_t)g->count * NODES <= nlive || !(theta > 0.0)) break;
  }
done:
  be->ops.release(be, live);
  return err;
}

bf_err bf_mg_next_stage(bf_mg_aggregation *g, const char *name, bf_mg_stage *coarse, bf_mg_transfer *T)
{
  bf_backend *be = g->be;
  void       *p;
  BF_TRY(bf_block_rows_transpose(g->P, &g->PT));
  BF_TRY(bf_block_rows_galerkin(g->A, g->P, g->PT, &coarse->rows));
  coarse->n     = coarse->rows->form.nrows * coarse->rows->form.br;
  coarse->ncomp = coarse->rows->form.br;
  BF_TRY(bf_block_rows_unit_diagonal(coarse->rows, coarse->fixed));
  BF_TRY(bf_mg_reserve(be, coarse->n, sizeof *coarse->diagonal, &p));
  coarse->diagonal = p;
  BF_TRY(bf_block_rows_diagonal(coarse->rows, coarse->diagonal));
  return bf_mg_transfer_rows(g->P, g->PT, name, T);
}

bf_err bf_mg_aggregates(const bf_mg_stage *fine, const bf_mg_choice *how, int *made, bf_mg_stage *coarse,
                        bf_mg_transfer *T)
{
  bf_err            err = BF_OK;
  bf_mg_aggregation g   = {.fine = fine, .be = fine->be};
  *made                 = 0;
  *coarse               = (bf_mg_stage){.be = fine->be};
  *T                    = (bf_mg_transfer){.self = NULL};
  BF_GO(bf_mg_aggregation_begin(fine, &g));
  BF_GO(bf_mg_find_aggregates(&g, how->theta));
  if (g.count == 0 || (double)g.count * g.nq > GAIN * fine->n) goto done;
  BF_GO(bf_mg_tentative(&g, coarse));
  BF_GO(bf_mg_smoothed(&g));
  BF_GO(bf_mg_next_stage(&g, "aggregates", coarse, T));
  BF_GO(bf_mg_parents(fine, g.n, g.aggregate, g.count));
  *made = 1;
done:
  bf_mg_aggregation_release(&g);
  if (err != BF_OK || !*made) bf_mg_stage_release(coarse);
  return err;
}

bf_err bf_mg_aggregate_with(const bf_mg_stage *fine, const bf_int *aggregate, bf_int count, int smoothed,
                            bf_mg_stage *coarse, bf_mg_transfer *T)
{
  bf_err            err = BF_OK;
  bf_mg_aggregation g   = {.fine = fine, .be = fine->be, .count = count};
  *coarse               = (bf_mg_stage){.be = fine->be};
  *T                    = (bf_mg_transfer){.self = NULL};
  BF_GO(bf_mg_aggregation_begin(fine, &g));
  BF_GO(g.be->ops.copy(g.be, g.aggregate, aggregate, (size_t)g.n * sizeof *aggregate, BF_WITHIN));
  BF_GO(bf_mg_tentative(&g, coarse));
  if (smoothed) {
    BF_GO(bf_mg_smoothed(&g));
  } else {
    g.P = g.T;
    g.T = NULL;
  }
  BF_GO(bf_mg_next_stage(&g, "aggregates", coarse, T));
  BF_GO(bf_mg_parents(fine, g.n, g.aggregate, g.count));
done:
  bf_mg_aggregation_release(&g);
  if (err != BF_OK) bf_mg_stage_release(coarse);
  return err;
}
