/* mesh/numbering/numbering_blocks.c - structured blocks numbered one after another, each by its own levels
 *
 * Blocks by size, the largest first; a vertex that two blocks share belongs to the first.  A block begins at
 * a multiple of 128, the rows before it are phantoms.  Each block is a segment whose well-filled diagonals
 * are its bands; the pairs across block boundaries are the remainder (bands_split.c).
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
#include <stdlib.h>

enum { BLOCKS_MAX = 256 };
static const double WORTH = 12.0;       /* bytes per nonzero of CSR */
static const double NEAR  = 1.05 * 8.0; /* near the minimum: blocks cannot improve it */

typedef struct part { /* of the cells */
  bf_int cells, number;
} part;

static int larger_first(const void *p, const void *q)
{
  const part *a = p, *b = q;
  return a->cells != b->cells ? (a->cells > b->cells ? -1 : 1)
                              : (a->number > b->number) - (a->number < b->number);
}

/* The vertex mesh of the cells of one block; local[nv]: -1 before and after. */
static bf_err block_mesh(const bf_vmesh *v, const bf_int *block, part which, bf_int *local, bf_vmesh **out)
{
  bf_err               err = BF_OK;
  const bf_cell_block *B   = &v->cells.block[0];
  const size_t         nc = (size_t)B->nc, most = (size_t)which.cells * nc;
  bf_vmesh            *s = NULL;
  bf_int              *c = NULL, n = 0;
  size_t               at = 0;
  BF_GO(BF_NEW(s));
  s->dim   = v->dim;
  s->ideal = v->ideal;
  s->x     = v->x;
  BF_GO(BF_NEW_ARRAY(s->node, most));
  BF_GO(BF_NEW_ARRAY(s->ncells, most));
  BF_GO(BF_NEW_ARRAY(c, most));
  s->owned[0]       = c;
  s->cells.nblocks  = 1;
  s->cells.block[0] = (bf_cell_block){B->type, B->nc, B->nc, which.cells, c};
  for (bf_int e = 0; e < B->n; e++)
    for (size_t k = 0; k < nc && block[e] == which.number; k++) {
      const bf_int g = B->v[(size_t)e * (size_t)B->stride + k];
      if (local[g] < 0) {
        s->node[n] = g;
        local[g]   = n++;
      }
      s->ncells[local[g]]++;
      c[at++] = local[g];
    }
  for (bf_int i = 0; i < n; i++) {
    local[s->node[i]] = -1;
    s->node[i]        = v->node ? v->node[s->node[i]] : s->node[i];
  }
  s->cells.nv = s->nused = n;
  *out                   = s;
  s                      = NULL;
done:
  bf_vmesh_destroy(&s);
  return err;
}

/* Rows from *at on for the vertices of the block without one. */
static bf_err number_block(bf_vmesh *s, bf_numbering *scratch, bf_int *row, bf_int *at)
{
  bf_err       err  = BF_OK;
  bf_choice    best = {0};
  int64_t      nnz  = 0;
  bf_int      *node = NULL; /* at a position */
  const bf_int n    = s->cells.nv;
  scratch->ntries   = 0;
  BF_GO(BF_NEW_ARRAY(node, n));
  BF_GO(bf_search_orders(s, BF_ORDER_LEVELS, 0, scratch, &best, &nnz));
  for (bf_int i = 0; i < n; i++) node[best.pos[i]] = s->node[i];
  for (bf_int p = 0; p < n; p++)
    if (row[node[p]] < 0) row[node[p]] = (*at)++;
done:
  bf_choice_clear(&best);
  bf_host_free(node);
  return err;
}

typedef struct layout { /* of the blocks one after another */
  bf_int  nblocks, nrows;
  bf_int *row; /* owned [nnodes], or -1 */
  bf_int *cut; /* owned [nblocks + 1]: where the vertices of a block begin */
} layout;

/* L->nblocks stays 0 if the mesh is one block, or nearly without blocks. */
static bf_err lay_out(const bf_mesh *m, const bf_vmesh *v, layout *L)
{
  bf_err        err   = BF_OK;
  const bf_int  ncell = v->cells.block[0].n;
  bf_int       *block = NULL, *local = NULL, nblocks = 0;
  part         *parts   = NULL;
  bf_vmesh     *s       = NULL;
  bf_numbering *scratch = NULL;
  BF_GO(BF_NEW_ARRAY(block, ncell));
  BF_GO(bf_cell_blocks(v, block, &nblocks));
  if (nblocks == 1 || nblocks > BLOCKS_MAX || nblocks > ncell / BF_SLICE + 1) goto done;
  BF_GO(BF_NEW_ARRAY(parts, nblocks));
  BF_GO(BF_NEW_ARRAY(local, v->cells.nv));
  BF_GO(BF_NEW_ARRAY(L->row, m->nnodes));
  BF_GO(BF_NEW_ARRAY(L->cut, (size_t)nblocks + 1));
  BF_GO(BF_NEW(scratch));
  for (bf_int i = 0; i < v->cells.nv; i++) local[i] = -1;
  for (bf_int i = 0; i < m->nnodes; i++) L->row[i] = -1;
  for (bf_int b = 0; b < nblocks; b++) parts[b].number = b;
  for (bf_int e = 0; e < ncell; e++) parts[block[e]].cells++;
  qsort(parts, (size_t)nblocks, sizeof *parts, larger_first);
  for (bf_int b = 0; b < nblocks; b++) {
    const bf_int begin = (L->nrows + BF_SLICE - 1) / BF_SLICE * BF_SLICE;
    bf_int       at    = begin;
    BF_GO(block_mesh(v, block, parts[b], local, &s));
    BF_GO(number_block(s, scratch, L->row, &at));
    bf_vmesh_destroy(&s);
    if (at == begin) continue; /* all its vertices belong to others */
    L->cut[L->nblocks++] = begin;
    L->nrows             = at;
  }
  L->cut[L->nblocks] = L->nrows;
done:
  bf_host_free(block);
  bf_host_free(local);
  bf_host_free(parts);
  bf_vmesh_destroy(&s);
  bf_numbering_destroy(&scratch);
  return err;
}

/* The families of each block's mid-edge nodes. */
static bf_err add_families(const bf_mesh *m, const bf_vmesh *v, layout *L)
{
  bf_err      err = BF_OK;
  bf_families F   = {0};
  bf_int     *pos = NULL;
  BF_GO(BF_NEW_ARRAY(pos, v->cells.nv));
  for (bf_int i = 0; i < v->cells.nv; i++) pos[i] = L->row[v->node ? v->node[i] : i];
  BF_GO(bf_families_create(m, v, pos, NULL, L->nblocks, L->cut, &F));
  for (bf_int i = 0; i < m->nnodes; i++) {
    const bf_int rank = v->rank ? v->rank[i] : i;
    L->row[i]         = rank >= 0 ? F.row[rank] : -1;
  }
  L->nrows = F.nrows;
done:
  bf_families_clear(&F);
  bf_host_free(pos);
  return err;
}

static bf_err set_rows(const bf_mesh *m, layout *L, bf_numbering *k)
{
  k->row   = L->row;
  L->row   = NULL;
  k->nrows = L->nrows;
  BF_TRY(BF_NEW_ARRAY(k->node, k->nrows));
  for (bf_int r = 0; r < k->nrows; r++) k->node[r] = -1;
  for (bf_int i = 0; i < m->nnodes; i++)
    if (k->row[i] >= 0) k->node[k->row[i]] = i;
  return BF_OK;
}

static bf_int reach_of(const bf_graph *g)
{
  bf_int reach = 0;
  for (bf_int i = 0; i < g->n; i++) /* rows ascend: the last is the farthest above, the first below */
    for (int end = 0; end < 2 && g->ptr[i] < g->ptr[i + 1]; end++) {
      const bf_int off = g->adj[end ? g->ptr[i + 1] - 1 : g->ptr[i]] - i;
      reach            = abs(off) > reach ? abs(off) : reach;
    }
  return reach;
}

int bf_may_have_blocks(const bf_vmesh *v, const bf_numbering *n)
{
  if (v->cells.nblocks != 1 || v->dim < 2 || v->simplices) return 0;
  if (v->quadratic) return !n->bands || bf_bands_bytes(n->bands, 0) > WORTH * (double)n->nnz;
  return !n->bands || bf_bands_bytes(n->bands, 0) > NEAR * (double)n->nnz;
}

bf_err bf_number_blocks(const bf_mesh *m, const bf_vmesh *v, bf_numbering *n, bf_numbering **out)
{
  bf_err        err   = BF_OK;
  const double  begin = bf_seconds();
  layout        L     = {0};
  bf_numbering *k     = NULL;
  bf_graph     *g     = NULL;
  char          name[40];
  *out = NULL;
  BF_GO(lay_out(m, v, &L));
  if (L.nblocks < 2) goto done;
  if (v->quadratic) BF_GO(add_families(m, v, &L));
  BF_GO(BF_NEW(k));
  k->nnodes     = n->nnodes;
  k->reach_file = n->reach_file;
  k->nnz        = n->nnz;
  k->kind       = "blocks";
  BF_GO(set_rows(m, &L, k));
  BF_GO(bf_numbering_pattern(m, k, &g));
  BF_GO(bf_numbering_split(k, g));
  k->reach = reach_of(g);
  snprintf(name, sizeof name, "%d blocks one by one", L.nblocks);
  k->line = bf_tries_add_split(n, name, k, bf_seconds() - begin);
  if (bf_split_bytes(k, 1) < WORTH * (double)k->nnz) {
    *out = k;
    k    = NULL;
  }
done:
  bf_host_free(L.row);
  bf_host_free(L.cut);
  bf_numbering_destroy(&k);
  bf_graph_destroy(&g);
  return err;
}
