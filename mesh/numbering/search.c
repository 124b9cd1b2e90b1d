/* mesh/numbering/search.c - the search for an order of few diagonals
 *
 * Cheap candidates first: the order in the file and the lexicographic one need no graph; then levels from
 * each start of each connected part; reverse Cuthill-McKee if no order costs less than CSR (12 bytes per
 * nonzero). A part's search ends at the ideal number of diagonals, or within 5 % of 8 bytes per nonzero.
 * Parts are numbered one after another.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/timer.h"
#include "mesh/numbering/search_internal.h"
#include "mesh/numbering/tries.h"
#include <omp.h>
#include <stdio.h>
#include <string.h>

static void search_free(bf_search *S)
{
  bf_host_free(S->o);
  bf_graph_destroy(&S->g);
  bf_host_free(S->part);
  bf_host_free(S->part_ptr);
  bf_host_free(S->file);
  bf_host_free(S->lex);
  bf_host_free(S->rcm);
  bf_starts_destroy(&S->starts);
  bf_level_work_destroy(&S->work);
  bf_bound_destroy(&S->bound);
  bf_host_free(S->cut);
  bf_host_free(S->local);
  bf_host_free(S->list);
  bf_host_free(S->begin);
  for (int b = 0; b < BF_ELEM_TYPES; b++) bf_host_free(S->cells_owned[b]);
  bf_host_free(S->cells_first);
  bf_choice_clear(&S->now);
  bf_choice_clear(&S->best);
}

/* ---- candidates from the graph ---- */

/* by_part = order, stably sorted by part. */
static void sort_by_part(const bf_search *S, const bf_int *order, bf_int *at, bf_int *by_part)
{
  for (bf_int p = 0; p < S->nparts; p++) at[p] = S->part_ptr[p];
  for (bf_int k = 0; k < S->v->cells.nv; k++) {
    const bf_int v            = order ? order[k] : k;
    by_part[at[S->part[v]]++] = v;
  }
}

static bf_err split_parts(bf_search *S)
{
  bf_err       err = BF_OK;
  const bf_int nv  = S->v->cells.nv;
  bf_int      *at  = NULL;
  BF_GO(BF_NEW_ARRAY(S->part, nv));
  BF_GO(bf_graph_components(S->g, S->part, &S->nparts));
  if (S->nparts == 1) goto done;
  BF_GO(BF_NEW_ARRAY(S->part_ptr, (size_t)S->nparts + 1));
  for (bf_int v = 0; v < nv; v++) S->part_ptr[S->part[v] + 1]++;
  for (bf_int p = 0; p < S->nparts; p++) S->part_ptr[p + 1] += S->part_ptr[p];
  BF_GO(BF_NEW_ARRAY(at, S->nparts));
  BF_GO(BF_NEW_ARRAY(S->file, nv));
  sort_by_part(S, S->v->file, at, S->file);
  BF_GO(BF_NEW_ARRAY(S->lex, nv));
  sort_by_part(S, NULL, at, S->lex); /* the vertices are numbered in this order */
  BF_GO(bf_cells_by_part(&S->v->cells, S->part, S->nparts, &S->cells, S->cells_owned, &S->cells_first));
done:
  bf_host_free(at);
  return err;
}

/* Renumbers the vertices lexicographically, for the cache, and the best order so far. */
static bf_err renumber(bf_search *S, bf_int *reach)
{
  bf_err       err = BF_OK;
  const bf_int nv  = S->v->cells.nv;
  bf_int      *lex = NULL, *pos = NULL;
  BF_GO(BF_NEW_ARRAY(lex, nv));
  BF_GO(bf_order_lexicographic(S->v, lex, S->axes));
  BF_GO(bf_vmesh_renumber(S->v, lex, reach));
  if (S->best.pos) {
    BF_GO(BF_NEW_ARRAY(pos, nv));
    for (bf_int k = 0; k < nv; k++) pos[k] = S->best.pos[lex[k]];
    bf_host_free(S->best.pos);
    S->best.pos = pos;
  }
done:
  bf_host_free(lex);
  return err;
}

/* Fewer than 3/4 of the vertices have one of the two most frequent degrees: not a mesh of large structured
 * blocks. */
static int has_irregular_degrees(const bf_graph *g)
{
  enum { MOST = 64 }; /* larger degrees are irregular */
  bf_int count[MOST] = {0}, first = 0, second = 0;
  for (bf_int v = 0; v < g->n; v++) {
    const int64_t degree = g->ptr[v + 1] - g->ptr[v];
    if (degree < MOST) count[degree]++;
  }
  for (int d = 0; d < MOST; d++) {
    second = count[d] > first ? first : count[d] > second ? count[d] : second;
    first  = count[d] > first ? count[d] : first;
  }
  return first + second < 0.75 * g->n;
}

/* All parts in order of their first vertex, as they are numbered. */
static bf_err order_by_rcm(bf_search *S)
{
  BF_TRY(BF_NEW_ARRAY(S->rcm, S->v->cells.nv));
  BF_TRY(bf_graph_rcm(S->g, S->rcm));
  return BF_OK;
}

/* The starts; a second thread orders by RCM where the degrees indicate that the search needs it.  Neither
 * result depends on the other. */
static bf_err find_starts(bf_search *S)
{
  bf_err    err = BF_OK, rcm = BF_OK;
  const int both = S->order == BF_ORDER_AUTO && omp_get_max_threads() > 1 && has_irregular_degrees(S->g);
  if (!both) return bf_starts_create(S->v, S->g, S->part, S->nparts, &S->starts);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0)
    err = bf_starts_create(S->v, S->g, S->part, S->nparts, &S->starts);
  else
    rcm = order_by_rcm(S);
  BF_TRY(err);
  BF_CHECK(rcm == BF_OK, rcm, "no memory for reverse Cuthill-McKee of %d vertices", S->v->cells.nv);
  return BF_OK;
}

static bf_err build_graph(bf_search *S)
{
  const bf_int nv = S->v->cells.nv;
  BF_TRY(bf_edge_graph(&S->v->cells, &S->g));
  BF_TRY(split_parts(S));
  BF_TRY(bf_bound_create(S->g, &S->bound));
  if (S->order == BF_ORDER_RCM) return BF_OK;
  BF_TRY(find_starts(S));
  BF_TRY(bf_level_work_create(nv, &S->work));
  BF_TRY(BF_NEW_ARRAY(S->cut, nv));
  BF_TRY(BF_NEW_ARRAY(S->local, nv));
  memset(S->local, -1, (size_t)nv * sizeof *S->local);
  BF_TRY(BF_NEW_ARRAY(S->list, nv));
  BF_TRY(BF_NEW_ARRAY(S->begin, nv));
  return BF_OK;
}

bf_err bf_search_rcm(bf_search *S, int *done)
{
  const double begin = bf_seconds();
  if (S->rcm_tried) return BF_OK;
  S->rcm_tried = 1;
  if (!S->rcm) BF_TRY(order_by_rcm(S));
  return bf_search_evaluate(S, "rcm", S->rcm + (S->nparts > 1 ? S->part_ptr[S->p] : 0), -1, begin, done);
}

/* ---- the whole ---- */

/* The order after the vertices have been renumbered. */
static bf_err try_lexicographic(bf_search *S, bf_int reach, double begin, int *done)
{
  char name[32];
  snprintf(name, sizeof name, "lexicographic %s", S->axes);
  return bf_search_evaluate(S, name, S->nparts > 1 ? S->lex + S->part_ptr[S->p] : NULL, reach, begin, done);
}

/* Nonzeros of the current part if every pair of an element's vertices is an edge. */
static int64_t count_edges(const bf_search *S)
{
  const int64_t *ptr = S->g->ptr;
  const bf_int   n   = bf_search_size(S, S->p);
  if (S->nparts == 1) return n + ptr[n];
  int64_t sum = n;
  for (bf_int k = S->part_ptr[S->p]; k < S->part_ptr[S->p + 1]; k++)
    sum += ptr[S->file[k] + 1] - ptr[S->file[k]];
  return sum;
}

/* All candidates of part p. */
static bf_err search_part(bf_search *S, bf_int p, int *at)
{
  const int first = S->out->ntries, several = S->nparts > 1;
  int       done = 0;
  S->p           = p;
  S->rcm_tried   = 0;
  if (several) S->nnz = 0;
  if (S->nnz == 0 && S->v->only_edges) S->nnz = count_edges(S);
  if (!several) bf_search_judge(S, &S->best);
  if (several) {
    if (S->order == BF_ORDER_AUTO)
      BF_TRY(bf_search_evaluate(S, "file", S->file + S->part_ptr[p], -1, bf_seconds(), &done));
    if (S->order == BF_ORDER_AUTO && !done) BF_TRY(try_lexicographic(S, -1, bf_seconds(), &done));
  }
  if (S->order != BF_ORDER_RCM) BF_TRY(bf_search_levels(S, at, &done));
  if (S->order == BF_ORDER_RCM || (S->order == BF_ORDER_AUTO && !done &&
                                   (S->best.stopped || S->nnz == 0 || S->best.bytes > 12.0 * (double)S->nnz)))
    BF_TRY(bf_search_rcm(S, &done));
  if (several) bf_tries_scale(S->out, first, S->nnz);
  return BF_OK;
}

/* Parts one after another: *whole holds the positions, counted as one order at the end. */
static bf_err search_parts(bf_search *S, bf_choice *whole, int64_t *nnz)
{
  bf_int *order = NULL;
  bf_err  err   = BF_OK;
  int     at    = 0, done;
  int64_t sum   = 0;
  BF_GO(BF_NEW_ARRAY(order, S->v->cells.nv));
  for (bf_int p = 0; p < S->nparts; p++) {
    const bf_cells cells = bf_search_cells(S, p);
    BF_GO(search_part(S, p, &at));
    if (S->nnz == 0) BF_GO(bf_pairs_count_rows(&cells, S->best.pos, bf_search_size(S, p), &S->nnz));
    sum += S->nnz;
    for (bf_int k = S->part_ptr[p]; k < S->part_ptr[p + 1]; k++)
      order[S->part_ptr[p] + S->best.pos[S->file[k]]] = S->file[k];
    bf_bands_destroy(&S->best.bands);
    S->best.empty = 1; /* pos is reused for the next part */
  }
  bf_choice_clear(&S->best);
  S->best = *whole; /* file and lexicographic order of all parts at once */
  *whole  = (bf_choice){0};
  S->p    = -1;
  S->nnz  = sum;
  if (S->out->ntries > BF_TRIES_MAX - BF_TRIES_RESERVED - 1)
    S->out->ntries = BF_TRIES_MAX - BF_TRIES_RESERVED - 1;
  bf_search_judge(S, &S->best);
  const int line = S->out->ntries;
  BF_GO(bf_search_evaluate(S, "parts one after another", order, -1, bf_seconds(), &done));
  bf_tries_scale(S->out, line, sum);
  *nnz = sum;
done:
  bf_host_free(order);
  return err;
}

/* Tries segments for the chosen order if that was not done. */
static bf_err choose_again(bf_search *S)
{
  bf_choice *best = &S->best;
  bf_try    *t    = &S->out->tries[best->line];
  if (best->stopped || t->diagonals <= S->v->ideal || best->bands->nseg > 1 ||
      best->bytes <= 1.05 * 8.0 * (double)S->nnz)
    return BF_OK;
  BF_TRY(bf_offsets_find(&S->v->cells, best->pos, S->v->cells.nv, best->reach, S->o));
  bf_bands_destroy(&best->bands);
  BF_TRY(bf_bands_choose(&S->v->cells, best->pos, S->v->cells.nv, S->o, BF_CUT, &S->nnz, &best->bands));
  best->bytes   = bf_bands_bytes(best->bands, 0);
  t->segments   = best->bands->nseg;
  t->bytes_full = best->bytes / (double)S->nnz;
  t->bytes_half = bf_bands_bytes(best->bands, 1) / (double)S->nnz;
  return BF_OK;
}

bf_err bf_search_orders(bf_vmesh *v, bf_order order, int exhaustive, bf_numbering *out, bf_choice *best,
                        int64_t *nnz)
{
  bf_err    err  = BF_OK;
  int       done = 0, at = 0;
  bf_search S     = {.v = v, .order = order, .out = out, .nparts = 1, .p = -1, .exhaustive = exhaustive};
  bf_choice whole = {0};
  BF_GO(BF_NEW(S.o));
  if (order == BF_ORDER_AUTO || order == BF_ORDER_FILE)
    BF_GO(bf_search_evaluate(&S, "file", NULL, v->quadratic ? -1 : v->reach_file, bf_seconds(), &done));
  if (!done && order != BF_ORDER_FILE) {
    const double begin = bf_seconds();
    bf_int       reach;
    BF_GO(renumber(&S, &reach));
    if (order == BF_ORDER_AUTO || order == BF_ORDER_LEXICOGRAPHIC)
      BF_GO(try_lexicographic(&S, reach, begin, &done));
  }
  if (!done && order != BF_ORDER_FILE && order != BF_ORDER_LEXICOGRAPHIC) {
    BF_GO(build_graph(&S));
    if (S.nparts == 1) {
      BF_GO(search_part(&S, 0, &at));
    } else {
      bf_tries_scale(out, 0, S.nnz);
      whole  = S.best;
      S.best = (bf_choice){0};
      BF_GO(search_parts(&S, &whole, &S.nnz));
    }
  }
  if (S.nnz == 0) BF_GO(bf_pairs_count_rows(&v->cells, S.best.pos, v->cells.nv, &S.nnz));
  if (S.nparts == 1) bf_tries_scale(out, 0, S.nnz);
  BF_GO(choose_again(&S));
  if (v->quadratic && S.nparts == 1 && S.best.nstart > 0) {
    BF_GO(BF_NEW_ARRAY(S.best.level, v->cells.nv));
    BF_GO(bf_levels_by_position(S.g, S.best.pos, S.best.nstart, S.best.level));
  }
  *nnz   = S.nnz;
  *best  = S.best;
  S.best = (bf_choice){0};
done:
  bf_choice_clear(&whole);
  search_free(&S);
  return err;
}
