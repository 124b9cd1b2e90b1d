/* mesh/numbering/renumber.c - the vertex mesh in another order, for locality in the cache
 *
 * Node and element numbers of a file may be in any order, and passes over such a mesh are bound by memory
 * latency. One pass renumbers the corners, a counting sort by ranges of 64 vertices orders the cells; then
 * neighbours are close in memory.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/numbering/vertex_mesh.h"
#include <omp.h>
#include <string.h>

enum { RANGE_SHIFT = 6, AHEAD = 16 }; /* prefetch distance in cells */

static bf_int least_of(const bf_int *c, int n)
{
  bf_int m = c[0];
  for (int k = 1; k < n; k++) m = c[k] < m ? c[k] : m;
  return m;
}

static bf_int most_of(const bf_int *c, int n)
{
  bf_int m = c[0];
  for (int k = 1; k < n; k++) m = c[k] > m ? c[k] : m;
  return m;
}

/* Cells of B by number[] of their corners, sorted by the range of the least, into sorted; *reach: largest
 * difference in a cell. */
static bf_err sort_cells(const bf_cell_block *B, const bf_int *number, bf_int nv, bf_int *sorted,
                         bf_int *reach)
{
  bf_err       err     = BF_OK;
  bf_int       widest  = *reach;
  const int    nt      = omp_get_max_threads();
  const size_t nranges = (size_t)(nv >> RANGE_SHIFT) + 1, nc = (size_t)B->nc;
  bf_int      *renamed = NULL, *at = NULL; /* range r, chunk t of the cells: at[r*nt + t] */
  BF_GO(BF_NEW_ARRAY(renamed, (size_t)B->n * nc));
  BF_GO(BF_NEW_ARRAY(at, nranges * (size_t)nt + 1));
#pragma omp parallel for schedule(static, 1) reduction(max : widest)
  for (int t = 0; t < nt; t++)
    for (bf_int e = (bf_int)((int64_t)B->n * t / nt); e < (bf_int)((int64_t)B->n * (t + 1) / nt); e++) {
      bf_int *c = renamed + (size_t)e * nc;
      if (e + AHEAD < B->n)
        for (size_t k = 0; k < nc; k++)
          __builtin_prefetch(&number[B->v[(size_t)(e + AHEAD) * (size_t)B->stride + k]]);
      for (size_t k = 0; k < nc; k++) c[k] = number[B->v[(size_t)e * (size_t)B->stride + k]];
      const bf_int least = least_of(c, B->nc), most = most_of(c, B->nc);
      widest = most - least > widest ? most - least : widest;
      at[(size_t)(least >> RANGE_SHIFT) * (size_t)nt + (size_t)t + 1]++;
    }
  for (size_t i = 0; i < nranges * (size_t)nt; i++) at[i + 1] += at[i];
#pragma omp parallel for schedule(static, 1)
  for (int t = 0; t < nt; t++)
    for (bf_int e = (bf_int)((int64_t)B->n * t / nt); e < (bf_int)((int64_t)B->n * (t + 1) / nt); e++) {
      const bf_int *c     = renamed + (size_t)e * nc;
      const size_t  range = (size_t)(least_of(c, B->nc) >> RANGE_SHIFT);
      memcpy(sorted + (size_t)at[range * (size_t)nt + (size_t)t]++ * nc, c, nc * sizeof *c);
    }
  *reach = widest;
done:
  bf_host_free(renamed);
  bf_host_free(at);
  return err;
}

bf_err bf_vmesh_renumber(bf_vmesh *v, const bf_int *order, bf_int *reach)
{
  bf_err       err    = BF_OK;
  const bf_int nv     = v->cells.nv;
  bf_int      *number = NULL, *node = NULL, *sorted = NULL;
  uint8_t     *ncells = NULL;
  *reach              = 0;
  BF_GO(BF_NEW_ARRAY(number, nv));
  BF_GO(BF_NEW_ARRAY(node, nv));
  BF_GO(BF_NEW_ARRAY(ncells, nv));
#pragma omp parallel for schedule(static)
  for (bf_int k = 0; k < nv; k++) {
    number[order[k]] = k;
    node[k]          = v->node ? v->node[order[k]] : order[k];
    ncells[k]        = v->ncells[order[k]];
  }
  for (int b = 0; b < v->cells.nblocks; b++) {
    bf_cell_block *B = &v->cells.block[b];
    BF_GO(BF_NEW_ARRAY(sorted, (size_t)B->n * (size_t)B->nc));
    BF_GO(sort_cells(B, number, nv, sorted, reach));
    bf_host_free(v->owned[b]);
    v->owned[b] = sorted;
    B->v        = sorted;
    B->stride   = B->nc;
    sorted      = NULL;
  }
  bf_int *t  = v->node;
  v->node    = node;
  node       = t;
  uint8_t *c = v->ncells;
  v->ncells  = ncells;
  ncells     = c;
  bf_host_free(v->file);
  v->file = number;
  number  = NULL;
done:
  bf_host_free(number);
  bf_host_free(node);
  bf_host_free(ncells);
  bf_host_free(sorted);
  return err;
}
