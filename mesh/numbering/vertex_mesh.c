/* mesh/numbering/vertex_mesh.c - the vertex mesh of a mesh: corner nodes of the elements of its dimension,
 * numbered in file order */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/numbering/vertex_mesh.h"
#include "base/memory.h"
#include <omp.h>
#include <string.h>

enum { MANY = 255, CHUNKS = 16 }; /* CHUNKS: at most, for counting in parallel */

void bf_vmesh_destroy(bf_vmesh **v)
{
  if (!v || !*v) return;
  bf_host_free((*v)->node);
  bf_host_free((*v)->rank);
  bf_host_free((*v)->ncells);
  bf_host_free((*v)->file);
  for (int b = 0; b < BF_ELEM_TYPES; b++) bf_host_free((*v)->owned[b]);
  bf_host_free(*v);
  *v = NULL;
}

static bf_int ideal_count(bf_elem_type type)
{
  switch (type) {
  case BF_LINE2:
  case BF_LINE3: return 3;
  case BF_TRI3:
  case BF_TRI6: return 7;
  case BF_QUAD4:
  case BF_QUAD8:
  case BF_QUAD9: return 9;
  case BF_TET4:
  case BF_TET10: return 15;
  case BF_HEX8:
  case BF_HEX20:
  case BF_HEX27: return 27;
  default: return 0;
  }
}

/* Blocks of the mesh's dimension, by nodes of the mesh. */
static void find_blocks(const bf_mesh *m, bf_vmesh *v)
{
  bf_cells *c = &v->cells;
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block     *block = &m->block[b];
    const bf_elem_info *info  = bf_elem(block->type);
    if (info->dim != m->dim || block->n == 0) continue;
    v->ideal = c->nblocks == 0 ? ideal_count(block->type) : 0;
    v->simplices |= info->ncorners == info->dim + 1 && info->dim > 1;
    v->only_edges = (c->nblocks == 0 || v->only_edges) && info->ncorners == info->dim + 1;
    v->quadratic |= info->order > 1;
    c->block[c->nblocks++] =
        (bf_cell_block){block->type, info->ncorners, info->nnodes, block->n, block->node};
  }
}

/* Nodes of an element that get a row. */
static int kept(const bf_vmesh *v, bf_elem_type type)
{
  return bf_elem(type)->nnodes - (v->condensed ? bf_elem(type)->inner : 0);
}

/* The elements of chunk t of nt: at[] and mid[] as below. */
static void count_chunk(const bf_vmesh *v, int t, int nt, uint8_t *at, uint8_t *mid)
{
  const bf_cells *c = &v->cells;
  for (int b = 0; b < c->nblocks; b++) {
    const bf_cell_block *B  = &c->block[b];
    const bf_int         lo = (bf_int)((int64_t)B->n * t / nt), hi = (bf_int)((int64_t)B->n * (t + 1) / nt);
    const int            nodes = kept(v, B->type);
    for (bf_int e = lo; e < hi; e++) {
      const bf_int *node = B->v + (size_t)e * (size_t)B->stride;
      for (int k = 0; k < B->nc; k++) at[node[k]] = (uint8_t)(at[node[k]] + (at[node[k]] != MANY));
      for (int k = B->nc; k < nodes; k++) {
#pragma omp atomic write
        mid[node[k]] = 1;
      }
    }
  }
}

/* at[nnodes], out: elements that have the node as a corner, up to 255; mid[nnodes]: 1 for nodes between
 * corners.  Each chunk of the elements has its own counts, which are added. */
static bf_err count_cells(const bf_vmesh *v, bf_int nnodes, uint8_t *at, uint8_t *mid)
{
  const int    nt  = omp_get_max_threads() < CHUNKS ? omp_get_max_threads() : CHUNKS;
  const size_t n   = (size_t)nnodes;
  uint8_t     *own = NULL; /* of the chunks 1 .. nt-1 */
  BF_TRY(BF_NEW_ARRAY(own, (size_t)(nt - 1) * n));
#pragma omp parallel for schedule(static, 1)
  for (int t = 0; t < nt; t++) count_chunk(v, t, nt, t > 0 ? own + (size_t)(t - 1) * n : at, mid);
#pragma omp parallel for schedule(static)
  for (bf_int i = 0; i < nnodes; i++)
    for (int t = 1; t < nt; t++) {
      const int sum = at[i] + own[(size_t)(t - 1) * n + (size_t)i];
      at[i]         = (uint8_t)(sum < MANY ? sum : MANY);
    }
  bf_host_free(own);
  return BF_OK;
}

/* Largest distance of two nodes of an element, in numbers rank[] (NULL: node numbers). */
static bf_int reach_of(const bf_vmesh *v, const bf_int *rank)
{
  const bf_cells *c     = &v->cells;
  bf_int          reach = 0;
  for (int b = 0; b < c->nblocks; b++) {
    const bf_cell_block *B = &c->block[b];
#pragma omp parallel for schedule(static) reduction(max : reach)
    for (bf_int e = 0; e < B->n; e++) {
      const bf_int *node = B->v + (size_t)e * (size_t)B->stride;
      bf_int        lo = INT32_MAX, hi = 0;
      for (int k = 0; k < kept(v, B->type); k++) {
        const bf_int r = rank ? rank[node[k]] : node[k];
        lo             = r < lo ? r : lo;
        hi             = r > hi ? r : hi;
      }
      reach = hi - lo > reach ? hi - lo : reach;
    }
  }
  return reach;
}

/* Copy of the first nc nodes of every cell, renumbered by number[]. */
static bf_err rename_cells(bf_cells *c, const bf_int *number, bf_int *owned[BF_ELEM_TYPES])
{
  for (int b = 0; b < c->nblocks; b++) {
    bf_cell_block *B    = &c->block[b];
    bf_int        *copy = NULL;
    BF_TRY(BF_NEW_ARRAY(copy, (size_t)B->n * (size_t)B->nc));
    owned[b] = copy;
#pragma omp parallel for schedule(static)
    for (bf_int e = 0; e < B->n; e++)
      for (int k = 0; k < B->nc; k++) {
        const bf_int node                           = B->v[(size_t)e * (size_t)B->stride + (size_t)k];
        copy[(size_t)e * (size_t)B->nc + (size_t)k] = number ? number[node] : node;
      }
    B->v      = copy;
    B->stride = B->nc;
  }
  return BF_OK;
}

bf_err bf_vmesh_create(const bf_mesh *m, int condensed, bf_vmesh **out)
{
  bf_err    err = BF_OK;
  bf_vmesh *v   = NULL;
  uint8_t  *at = NULL, *mid = NULL;
  bf_int   *number = NULL, nv = 0, nused = 0;
  *out = NULL;
  BF_GO(BF_NEW(v));
  v->dim       = m->dim;
  v->condensed = condensed;
  v->x         = m->x;
  find_blocks(m, v);
  BF_GO(BF_NEW_ARRAY(at, m->nnodes));
  BF_GO(BF_NEW_ARRAY(mid, v->quadratic ? m->nnodes : 0));
  BF_GO(count_cells(v, m->nnodes, at, mid));
  for (bf_int i = 0; i < m->nnodes; i++) {
    nv += at[i] > 0;
    nused += at[i] > 0 || (v->quadratic && mid[i]);
  }
  v->nused    = nused;
  v->cells.nv = nv;
  if (nused < m->nnodes) {
    BF_GO(BF_NEW_ARRAY(v->rank, m->nnodes));
    for (bf_int i = 0, r = 0; i < m->nnodes; i++)
      v->rank[i] = at[i] > 0 || (v->quadratic && mid[i]) ? r++ : -1;
  }
  v->reach_file = reach_of(v, v->rank);
  if (nv < m->nnodes) {
    BF_GO(BF_NEW_ARRAY(number, m->nnodes));
    BF_GO(BF_NEW_ARRAY(v->node, nv));
    BF_GO(BF_NEW_ARRAY(v->ncells, nv));
    for (bf_int i = 0, r = 0; i < m->nnodes; i++) {
      number[i] = at[i] > 0 ? r : -1;
      if (at[i] == 0) continue;
      v->ncells[r] = at[i];
      v->node[r++] = i;
    }
    BF_GO(rename_cells(&v->cells, number, v->owned));
  } else {
    v->ncells = at;
    at        = NULL;
  }
  *out = v;
  v    = NULL;
done:
  bf_host_free(at);
  bf_host_free(mid);
  bf_host_free(number);
  bf_vmesh_destroy(&v);
  return err;
}

bf_err bf_cells_of_nodes(const bf_mesh *m, const bf_vmesh *v, bf_cells *cells, bf_int *owned[BF_ELEM_TYPES])
{
  memset(cells, 0, sizeof *cells);
  cells->nv = v->nused;
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block     *block = &m->block[b];
    const bf_elem_info *info  = bf_elem(block->type);
    if (info->dim == m->dim && block->n > 0)
      cells->block[cells->nblocks++] =
          (bf_cell_block){block->type, kept(v, block->type), info->nnodes, block->n, block->node};
  }
  if (v->rank) BF_TRY(rename_cells(cells, v->rank, owned));
  return BF_OK;
}

bf_err bf_cells_by_part(const bf_cells *cells, const bf_int *part, bf_int nparts, bf_cells *sorted,
                        bf_int *owned[BF_ELEM_TYPES], bf_int **first)
{
  bf_err       err = BF_OK;
  bf_int      *at  = NULL;
  const size_t nb  = (size_t)cells->nblocks;
  BF_GO(BF_NEW_ARRAY(at, ((size_t)nparts + 1) * nb));
  *sorted = *cells;
  for (size_t b = 0; b < nb; b++) {
    const bf_cell_block *B = &cells->block[b];
    for (bf_int e = 0; e < B->n; e++) at[(size_t)(part[B->v[(size_t)e * (size_t)B->stride]] + 1) * nb + b]++;
    for (bf_int p = 0; p < nparts; p++) at[(size_t)(p + 1) * nb + b] += at[(size_t)p * nb + b];
    bf_int *copy = NULL;
    BF_GO(BF_NEW_ARRAY(copy, (size_t)B->n * (size_t)B->nc));
    owned[b] = copy;
    for (bf_int e = 0; e < B->n; e++) {
      const bf_int *v    = B->v + (size_t)e * (size_t)B->stride;
      bf_int       *next = &at[(size_t)part[v[0]] * nb + b];
      memcpy(copy + (size_t)(*next)++ * (size_t)B->nc, v, (size_t)B->nc * sizeof *v);
    }
    for (bf_int p = nparts; p > 0; p--)
      at[(size_t)p * nb + b] = at[(size_t)(p - 1) * nb + b]; /* back to starts */
    at[b]                   = 0;
    sorted->block[b].v      = copy;
    sorted->block[b].stride = B->nc;
  }
  *first = at;
  at     = NULL;
done:
  bf_host_free(at);
  return err;
}
