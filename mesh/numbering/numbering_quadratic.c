/* mesh/numbering/numbering_quadratic.c - rows for the nodes of quadratic elements once the vertices are
 * numbered
 *
 * Two numberings: node families (families.c) for formats of diagonals, and mid-edge nodes between the ends of
 * their edges (mid_nodes.c), without phantom rows and with a small reach, for formats of rows.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/timer.h"
#include "mesh/numbering/band_cost.h"
#include "mesh/numbering/drivers.h"
#include "mesh/numbering/quadratic.h"
#include "mesh/numbering/search.h"
#include "mesh/numbering/tries.h"
#include "mesh/numbering/vertex_mesh.h"
#include <stdio.h>

enum { SEVERAL = 512 };               /* offsets > 0 up to which segments are tried */
static const double BYTES_CSR = 12.0; /* per nonzero */

typedef struct maker {
  const bf_mesh  *m;
  const bf_vmesh *v;
  bf_cells        cells; /* by all nodes, numbered by rank */
  bf_int         *owned[BF_ELEM_TYPES];
  bf_offsets     *o; /* owned */
  bf_numbering   *n; /* its first one, with the table */
} maker;

/* row and node of k from row[nused], by rank. */
static bf_err set_rows(const bf_vmesh *v, const bf_int *row, bf_int nrows, bf_numbering *k)
{
  k->nrows = nrows;
  BF_TRY(BF_NEW_ARRAY(k->row, k->nnodes));
  BF_TRY(BF_NEW_ARRAY(k->node, nrows));
  for (bf_int r = 0; r < nrows && nrows > v->nused; r++) k->node[r] = -1;
#pragma omp parallel for schedule(static)
  for (bf_int i = 0; i < k->nnodes; i++) {
    const bf_int rank = v->rank ? v->rank[i] : i;
    k->row[i]         = rank >= 0 ? row[rank] : -1;
    if (rank >= 0) k->node[row[rank]] = i;
  }
  return BF_OK;
}

static void add_line(maker *M, const char *name, double begin, bf_numbering *k)
{
  k->reach = M->o->reach;
  k->line  = bf_tries_add(M->n, name, M->o, k->bands, bf_seconds() - begin, 1);
}

/* Mid-edge nodes between their ends, or all nodes in the order of the file. */
static bf_err number_plain(maker *M, const bf_int *vertex_pos, bf_cut cut, bf_numbering *k)
{
  bf_err       err   = BF_OK;
  const double begin = bf_seconds();
  const bf_int n     = M->v->nused;
  bf_int      *pos   = NULL;
  BF_GO(BF_NEW_ARRAY(pos, n));
  for (bf_int i = 0; i < n; i++) pos[i] = i;
  if (vertex_pos) BF_GO(bf_place_mid_nodes(M->m, M->v, vertex_pos, pos));
  BF_GO(bf_offsets_find(&M->cells, pos, n, -1, M->o));
  BF_GO(bf_bands_choose(&M->cells, pos, n, M->o, cut, &k->nnz, &k->bands));
  add_line(M, vertex_pos ? "best, with mid-edge nodes" : "file", begin, k);
  BF_GO(set_rows(M->v, pos, n, k));
done:
  bf_host_free(pos);
  return err;
}

/* The bands of families: one segment each; more where the vertices are not those of one block. */
static bf_err family_bands(maker *M, const bf_families *F, int ideal, bf_numbering *k)
{
  bf_err    err       = BF_OK;
  bf_bands *by_family = NULL, *merged = NULL;
  BF_GO(bf_bands_cut(&M->cells, F->row, F->nrows, M->o, F->nseg, F->cut, &by_family));
  if (!ideal && M->o->n <= SEVERAL && bf_bands_bytes(by_family, 0) > 1.05 * 8.0 * (double)k->nnz)
    BF_GO(bf_bands_segments(&M->cells, F->row, F->nrows, M->o, &merged));
  const int more = merged && bf_bands_bytes(merged, 0) < 0.98 * bf_bands_bytes(by_family, 0);
  k->bands       = more ? merged : by_family;
  if (more)
    merged = NULL;
  else
    by_family = NULL;
done:
  bf_bands_destroy(&by_family);
  bf_bands_destroy(&merged);
  return err;
}

/* Families of mid-edge nodes; *out stays NULL if their diagonals cannot be better. */
static bf_err number_families(maker *M, const bf_choice *best, int64_t nnz, bf_numbering **out)
{
  bf_err        err   = BF_OK;
  const double  begin = bf_seconds();
  const int     ideal = M->n->tries[best->line].diagonals == M->v->ideal;
  bf_families   F     = {0};
  bf_numbering *k     = NULL;
  char          name[40];
  const bf_int  cut[2] = {0, M->v->cells.nv};
  BF_GO(bf_families_create(M->m, M->v, best->pos, ideal || M->v->simplices ? NULL : best->level, 1, cut, &F));
  if (F.n == 1) goto done;
  BF_GO(bf_offsets_find(&M->cells, F.row, F.nrows, -1, M->o));
  if (M->o->stopped) goto done;
  BF_GO(BF_NEW(k));
  k->nnodes     = M->n->nnodes;
  k->kind       = "families";
  k->reach_file = M->n->reach_file;
  k->nnz        = nnz;
  BF_GO(family_bands(M, &F, ideal, k));
  snprintf(name, sizeof name, "best, node families: %d", F.n);
  add_line(M, name, begin, k);
  if (bf_bands_bytes(k->bands, 1) > BYTES_CSR * (double)nnz) goto done;
  BF_GO(set_rows(M->v, F.row, F.nrows, k));
  *out = k;
  k    = NULL;
done:
  bf_families_clear(&F);
  bf_numbering_destroy(&k);
  return err;
}

/* The one of fewer bytes is first in the list and is marked. */
static void finish(maker *M, int first_line, bf_numbering *families)
{
  bf_numbering *n = M->n;
  bf_tries_scale(n, first_line, n->nnz);
  const int better =
      families && (!n->bands || bf_bands_bytes(families->bands, 0) < bf_bands_bytes(n->bands, 0));
  if (better) {
    bf_numbering t = *n; /* swaps the data of the two numberings; the table stays with the first */
    n->nrows = families->nrows, n->row = families->row, n->node = families->node;
    n->bands = families->bands, n->reach = families->reach, n->line = families->line;
    n->kind         = families->kind;
    families->nrows = t.nrows, families->row = t.row, families->node = t.node;
    families->bands = t.bands, families->reach = t.reach, families->line = t.line;
    families->kind = t.kind;
  }
  n->next                  = families;
  n->tries[n->line].chosen = 1;
}

bf_err bf_number_quadratic(const bf_mesh *m, bf_vmesh *v, bf_order order, bf_numbering *n)
{
  bf_err        err      = BF_OK;
  bf_choice     best     = {0};
  bf_numbering *families = NULL, *blocks = NULL;
  maker         M   = {.m = m, .v = v, .n = n};
  int64_t       nnz = 0;
  BF_GO(BF_NEW(M.o));
  BF_GO(bf_cells_of_nodes(m, v, &M.cells, M.owned));
  if (order != BF_ORDER_FILE) BF_GO(bf_search_orders(v, order, 0, n, &best, &nnz));
  const int first_line = n->ntries;
  BF_GO(bf_pairs_count_rows(&M.cells, NULL, v->nused, &n->nnz));
  if (order != BF_ORDER_FILE && !best.stopped) BF_GO(number_families(&M, &best, n->nnz, &families));
  BF_GO(number_plain(&M, best.pos, families ? BF_CUT_NEVER : BF_CUT, n));
  finish(&M, first_line, families);
  families          = NULL;
  const int by_side = order == BF_ORDER_AUTO || order == BF_ORDER_LEVELS;
  if (by_side && bf_may_have_blocks(v, n)) BF_GO(bf_number_blocks(m, v, n, &blocks));
  if (blocks) {
    blocks->next = n->next;
    n->next      = blocks;
  }
done:
  bf_choice_clear(&best);
  bf_numbering_destroy(&families);
  for (int b = 0; b < BF_ELEM_TYPES; b++) bf_host_free(M.owned[b]);
  bf_host_free(M.o);
  return err;
}
