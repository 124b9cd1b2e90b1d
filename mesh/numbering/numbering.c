/* mesh/numbering/numbering.c - the type bf_numbering: create, destroy, invariants, list, log; see numbering.h
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/bands_split.h"
#include "base/memory.h"
#include "mesh/numbering/band_cost.h"
#include <stdio.h>
#include <string.h>

void bf_numbering_destroy(bf_numbering **n)
{
  if (!n || !*n) return;
  bf_host_free((*n)->row);
  bf_host_free((*n)->node);
  bf_bands_destroy(&(*n)->bands);
  for (int half = 0; half < 2; half++) {
    bf_bands_destroy(&(*n)->split[half].bands);
    bf_graph_destroy(&(*n)->split[half].rest);
  }
  bf_numbering_destroy(&(*n)->next);
  bf_host_free(*n);
  *n = NULL;
}

bf_err bf_numbering_whole(const bf_mesh *m, const bf_numbering *n, bf_numbering **out)
{
  bf_err        err = BF_OK;
  bf_numbering *w   = NULL;
  BF_CHECK(m && n && out && m->nnodes == n->nnodes, BF_E_ARG, "the numbering does not belong to the mesh");
  *out = NULL;
  BF_GO(BF_NEW(w));
  w->nnodes = n->nnodes;
  w->kind   = n->kind;
  w->nrows  = n->nrows;
  BF_GO(BF_NEW_ARRAY(w->row, m->nnodes));
  memcpy(w->row, n->row, (size_t)m->nnodes * sizeof *w->row);
  BF_NEED((int64_t)n->nrows + m->nelem < INT32_MAX, BF_E_MODEL, "%d rows and %d elements", n->nrows,
          m->nelem);
  for (int b = 0; b < m->nblocks; b++) {
    const bf_elem_info *info = bf_elem(m->block[b].type);
    if (info->dim != m->dim || !info->inner) continue;
    for (int64_t e = 0; e < m->block[b].n; e++) {
      bf_int *row = &w->row[m->block[b].node[(e + 1) * info->nnodes - 1]];
      if (*row < 0) *row = w->nrows++;
    }
  }
  BF_GO(BF_NEW_ARRAY(w->node, w->nrows));
  memcpy(w->node, n->node, (size_t)n->nrows * sizeof *w->node);
  for (bf_int i = 0; i < m->nnodes; i++)
    if (w->row[i] >= n->nrows) w->node[w->row[i]] = i;
  *out = w;
  w    = NULL;
done:
  bf_numbering_destroy(&w);
  return err;
}

bf_int bf_numbering_phantoms(const bf_numbering *n)
{
  bf_int count = 0;
  for (bf_int r = 0; r < n->nrows; r++) count += n->node[r] < 0;
  return count;
}

double bf_split_bytes(const bf_numbering *n, int half)
{
  const bf_split *k = &n->split[half];
  return bf_bands_bytes(k->bands, half) + 16.0 * (double)k->rest->ptr[k->rest->n];
}

bf_err bf_numbering_split(bf_numbering *n, const bf_graph *pattern)
{
  for (int half = 0; half < 2; half++) {
    const bf_split_options want = {.ncomp = 1, .half = half, .value_bytes = 8, .remainder = 1};
    BF_TRY(bf_bands_split(pattern, &want, &n->split[half].bands, &n->split[half].rest));
  }
  return BF_OK;
}

const bf_numbering *bf_numbering_plain(const bf_numbering *n)
{
  while (n && strcmp(n->kind, "plain") != 0) n = n->next;
  return n;
}

bf_err bf_numbering_select(bf_numbering **n, int which)
{
  bf_numbering *first = *n, **at = n;
  for (int i = 0; i < which && *at; i++) at = &(*at)->next;
  BF_CHECK(*at, BF_E_ARG, "there is no numbering %d in the list", which);
  bf_numbering *chosen = *at;
  if (chosen == first) return BF_OK;
  *at          = chosen->next; /* moves it to the front of the list */
  chosen->next = first;
  for (int i = 0; i < first->ntries; i++) {
    chosen->tries[i]        = first->tries[i];
    chosen->tries[i].chosen = i == chosen->line;
  }
  chosen->ntries   = first->ntries;
  chosen->given_up = first->given_up;
  first->ntries    = 0;
  *n               = chosen;
  return BF_OK;
}

static bf_err check_rows(const bf_numbering *n)
{
  bf_int nodes = 0;
  for (bf_int i = 0; i < n->nnodes; i++) {
    BF_CHECK(n->row[i] >= -1 && n->row[i] < n->nrows, BF_E_ARG, "node %d has row %d of %d", i, n->row[i],
             n->nrows);
    BF_CHECK(n->row[i] < 0 || n->node[n->row[i]] == i, BF_E_ARG, "node %d has row %d, which has node %d", i,
             n->row[i], n->row[i] < 0 ? -1 : n->node[n->row[i]]);
    nodes += n->row[i] >= 0;
  }
  BF_CHECK(n->nnz >= nodes, BF_E_ARG, "%lld nonzeros of %d nodes", (long long)n->nnz, nodes);
  for (bf_int r = 0; r < n->nrows; r++) {
    BF_CHECK(n->node[r] >= -1 && n->node[r] < n->nnodes, BF_E_ARG, "row %d has node %d of %d", r, n->node[r],
             n->nnodes);
    nodes -= n->node[r] >= 0;
  }
  BF_CHECK(nodes == 0, BF_E_ARG, "%d more nodes with a row than rows with a node", nodes);
  BF_CHECK(n->reach >= 0 && n->reach < n->nrows, BF_E_ARG, "reach %d of %d rows", n->reach, n->nrows);
  for (int half = 0; half < 2 && n->split[half].bands; half++) {
    BF_TRY(bf_bands_check(n->split[half].bands));
    BF_TRY(bf_graph_check(n->split[half].rest));
    BF_CHECK(n->split[half].bands->nrows == n->nrows && n->split[half].rest->n == n->nrows, BF_E_ARG,
             "bands of %d rows, a remainder of %d, a numbering of %d", n->split[half].bands->nrows,
             n->split[half].rest->n, n->nrows);
  }
  if (!n->bands) return BF_OK;
  BF_TRY(bf_bands_check(n->bands));
  BF_CHECK(n->bands->nrows == n->nrows, BF_E_ARG, "bands of %d rows, a numbering of %d", n->bands->nrows,
           n->nrows);
  BF_CHECK(bf_bands_reach(n->bands) == n->reach, BF_E_ARG, "bands reach %d, the numbering %d",
           bf_bands_reach(n->bands), n->reach);
  return BF_OK;
}

bf_err bf_numbering_check(const bf_numbering *n)
{
  int chosen = 0;
  BF_CHECK(n, BF_E_ARG, "null argument");
  for (const bf_numbering *k = n; k; k = k->next) {
    BF_CHECK(k->row && k->node && k->kind, BF_E_ARG, "null argument");
    BF_CHECK(strcmp(k->kind, "plain") != 0 || bf_numbering_phantoms(k) == 0, BF_E_ARG,
             "a plain numbering has phantom rows");
    BF_CHECK(k->nnodes == n->nnodes, BF_E_ARG, "numberings of %d and %d nodes", n->nnodes, k->nnodes);
    BF_CHECK(k->line >= 0 && k->line < n->ntries, BF_E_ARG, "try %d of %d", k->line, n->ntries);
    BF_TRY(check_rows(k));
  }
  BF_CHECK(n->ntries >= 1 && n->ntries <= BF_TRIES_MAX, BF_E_ARG, "%d tries", n->ntries);
  for (int i = 0; i < n->ntries; i++) chosen += n->tries[i].chosen;
  BF_CHECK(chosen == 1 && n->tries[n->line].chosen, BF_E_ARG, "%d tries are marked as chosen", chosen);
  return BF_OK;
}

void bf_numbering_log(const bf_numbering *n, const bf_log *log)
{
  bf_log_line(log, "numbering: %d rows, %lld node pairs, half-bandwidth %d in the file, %d now", n->nrows,
              (long long)n->nnz, n->reach_file, n->reach);
  bf_log_line(log, "  %-36s %9s %9s %8s %17s %8s", "order", "diagonals", "reach", "segments",
              "bytes/nz full/half", "seconds");
  for (int i = 0; i < n->ntries; i++) {
    const bf_try *t           = &n->tries[i];
    const char   *mark        = t->chosen ? "* " : "  ";
    char          outside[40] = "";
    if (t->rest > 0.0) snprintf(outside, sizeof outside, "   %.2g %% outside", 100.0 * t->rest);
    if (t->diagonals == 0)
      bf_log_line(log, "%s%-36s does not reach every node %42.3f", mark, t->name, t->seconds);
    else if (t->stopped)
      bf_log_line(log, "%s%-36s    > %4d %9d %8s %17s %8.3f", mark, t->name, t->diagonals - 1, t->reach, "-",
                  "-", t->seconds);
    else
      bf_log_line(log, "%s%-36s %9d %9d %8d %9.2f %8.2f %8.3f%s", mark, t->name, t->diagonals, t->reach,
                  t->segments, t->bytes_full, t->bytes_half, t->seconds, outside);
  }
  if (n->given_up > 0)
    bf_log_line(log, "  %d orders by levels stopped early: too many diagonals and a larger reach",
                n->given_up);
  if (n->ideal > 0) bf_log_line(log, "  ideal for one structured block: %d diagonals", n->ideal);
  if (!n->bands)
    bf_log_line(log, "  over %d diagonals: diagonal storage is unsuitable, the format is CSR",
                BF_DIAGONALS_MAX);
}
