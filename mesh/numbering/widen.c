/* mesh/numbering/widen.c - the bands of a numbering with couplings beyond the elements
 *
 * Two coupled rows form a cell of two, so that offsets and segments are counted as for elements. Rows at the
 * boundary have wider couplings than those inside: many diagonals of few entries, which a remainder stores in
 * fewer bytes.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/timer.h"
#include "mesh/numbering/band_cost.h"
#include "mesh/numbering/tries.h"
#include "mesh/numbering/vertex_mesh.h"
#include <string.h>

/* The same rows with well-filled diagonals only, if that saves 2 % or there are no bands. */
static bf_err add_dense(bf_numbering *n, const bf_graph *rows)
{
  bf_err        err   = BF_OK;
  const double  begin = bf_seconds();
  bf_numbering *k     = NULL;
  BF_GO(BF_NEW(k));
  k->nnodes     = n->nnodes;
  k->nrows      = n->nrows;
  k->nnz        = n->nnz;
  k->reach_file = n->reach_file;
  k->reach      = n->reach;
  k->kind       = n->kind;
  BF_GO(bf_numbering_split(k, rows));
  const double bytes = bf_split_bytes(k, 0);
  if (bytes > 12.0 * (double)k->nnz || (n->bands && bytes > 0.98 * bf_bands_bytes(n->bands, 0))) goto done;
  k->line = bf_tries_add_split(n, "the same, well-filled diagonals", k, bf_seconds() - begin);
  BF_GO(BF_NEW_ARRAY(k->row, k->nnodes));
  BF_GO(BF_NEW_ARRAY(k->node, k->nrows));
  memcpy(k->row, n->row, (size_t)k->nnodes * sizeof *k->row);
  memcpy(k->node, n->node, (size_t)k->nrows * sizeof *k->node);
  n->next = k;
  k       = NULL;
done:
  bf_numbering_destroy(&k);
  return err;
}

bf_err bf_numbering_widen(bf_numbering *n, const bf_graph *rows, const char *name)
{
  bf_err       err   = BF_OK;
  const double begin = bf_seconds();
  bf_int      *pair = NULL, *pos = NULL;
  bf_offsets  *o     = NULL;
  bf_bands    *bands = NULL;
  int64_t      k     = 0;
  BF_CHECK(n && rows && name, BF_E_ARG, "null argument");
  BF_CHECK(rows->n == n->nrows, BF_E_ARG, "couplings of %d rows, a numbering of %d", rows->n, n->nrows);
  const int64_t count = (rows->ptr[rows->n] - rows->n) / 2; /* above the diagonal */
  BF_CHECK(count < INT32_MAX, BF_E_MODEL, "%lld pairs of rows", (long long)count);
  BF_GO(BF_NEW(o));
  BF_GO(BF_NEW_ARRAY(pos, n->nrows));
  BF_GO(BF_NEW_ARRAY(pair, 2 * (size_t)count));
  for (bf_int i = 0; i < rows->n; i++) {
    pos[i] = i;
    for (int64_t j = rows->ptr[i]; j < rows->ptr[i + 1]; j++) {
      if (rows->adj[j] <= i) continue;
      BF_NEED(k < 2 * count, BF_E_ARG, "the couplings are not symmetric, or lack a diagonal");
      pair[k++] = i;
      pair[k++] = rows->adj[j];
    }
  }
  const bf_cells cells = {
      .nv      = n->nrows,
      .nblocks = 1,
      .block   = {{.type = BF_LINE2, .nc = 2, .stride = 2, .n = (bf_int)(k / 2), .v = pair}}};
  int64_t nnz = rows->ptr[rows->n];
  BF_GO(bf_offsets_find(&cells, pos, n->nrows, -1, o));
  BF_GO(bf_bands_choose(&cells, pos, n->nrows, o, BF_CUT, &nnz, &bands));
  bf_bands_destroy(&n->bands);
  n->bands = bands;
  n->nnz   = nnz;
  n->reach = o->reach;
  n->ideal = 0;
  for (int i = 0; i < n->ntries; i++) n->tries[i].chosen = 0;
  n->line = bf_tries_add(n, name, o, bands, bf_seconds() - begin, 1);
  bf_tries_scale(n, n->line, nnz);
  n->tries[n->line].chosen = 1;
  bf_numbering_destroy(&n->next);
  BF_GO(add_dense(n, rows));
done:
  bf_host_free(pair);
  bf_host_free(pos);
  bf_host_free(o);
  return err;
}
