/* mesh/numbering/pair_count.c - the nonzeros of any pattern, row by row, without storing it
 *
 * The cells of each position by counting sort; then the distinct larger positions in them, through a small
 * hash set.  Exact for every mesh; five times slower than the masks of band_cost.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/numbering/band_cost.h"
#include "mesh/numbering/vertex_mesh.h"
#include <omp.h>

typedef struct slot { /* the entry is valid if `stamp` is that of the current row */
  bf_int key, stamp;
} slot;

typedef struct rows { /* cells of each position: block and number packed as number * nblocks + block */
  int64_t *ptr;       /* owned [n + 1] */
  int64_t *cell;      /* owned [ptr[n]] */
  int64_t  widest;
} rows;

static inline bf_int at(const bf_int *pos, bf_int node)
{
  return pos ? pos[node] : node;
}

static bf_err rows_build(rows *R, const bf_cells *c, const bf_int *pos, bf_int n)
{
  bf_err  err  = BF_OK;
  bf_int *fill = NULL;
  BF_GO(BF_NEW_ARRAY(R->ptr, (size_t)n + 1));
  BF_GO(BF_NEW_ARRAY(fill, n));
  for (int b = 0; b < c->nblocks; b++) {
    const bf_cell_block *B = &c->block[b];
    for (bf_int e = 0; e < B->n; e++)
      for (int k = 0; k < B->nc; k++) R->ptr[at(pos, B->v[(size_t)e * (size_t)B->stride + (size_t)k]) + 1]++;
  }
  for (bf_int i = 0; i < n; i++) {
    R->widest = R->ptr[i + 1] > R->widest ? R->ptr[i + 1] : R->widest;
    R->ptr[i + 1] += R->ptr[i];
  }
  R->widest *= BF_NEN_MAX;
  BF_GO(BF_NEW_ARRAY(R->cell, R->ptr[n]));
  for (int b = 0; b < c->nblocks; b++) {
    const bf_cell_block *B = &c->block[b];
    for (bf_int e = 0; e < B->n; e++)
      for (int k = 0; k < B->nc; k++) {
        const bf_int i                 = at(pos, B->v[(size_t)e * (size_t)B->stride + (size_t)k]);
        R->cell[R->ptr[i] + fill[i]++] = (int64_t)e * c->nblocks + b;
      }
  }
done:
  bf_host_free(fill);
  return err;
}

/* Distinct positions above i in the cells of i. */
static bf_int count_row(const rows *R, const bf_cells *c, const bf_int *pos, bf_int i, slot *set,
                        uint32_t mask)
{
  bf_int count = 0;
  for (int64_t k = R->ptr[i]; k < R->ptr[i + 1]; k++) {
    const bf_cell_block *B = &c->block[R->cell[k] % c->nblocks];
    const bf_int        *v = B->v + (size_t)(R->cell[k] / c->nblocks) * (size_t)B->stride;
    for (int j = 0; j < B->nc; j++) {
      const bf_int p = at(pos, v[j]);
      if (p <= i) continue;
      uint32_t h = ((uint32_t)p * 2654435769U >> 7) & mask;
      while (set[h].stamp == i + 1 && set[h].key != p) h = (h + 1) & mask;
      if (set[h].stamp == i + 1) continue;
      set[h] = (slot){p, i + 1};
      count++;
    }
  }
  return count;
}

bf_err bf_pairs_count_rows(const bf_cells *cells, const bf_int *pos, bf_int n, int64_t *nnz)
{
  bf_err   err   = BF_OK;
  rows     R     = {0};
  slot    *set   = NULL;
  uint32_t size  = 128;
  int64_t  upper = 0;
  BF_GO(rows_build(&R, cells, pos, n));
  BF_NEED(R.widest < (int64_t)1 << 29, BF_E_MODEL, "a node has %lld elements",
          (long long)(R.widest / BF_NEN_MAX));
  while (size < 2 * R.widest) size *= 2;
  BF_GO(BF_NEW_ARRAY(set, (size_t)omp_get_max_threads() * size));
#pragma omp parallel for schedule(static) reduction(+ : upper)
  for (bf_int i = 0; i < n; i++)
    upper += count_row(&R, cells, pos, i, set + (size_t)omp_get_thread_num() * size, size - 1);
  *nnz = n + 2 * upper;
done:
  bf_host_free(R.ptr);
  bf_host_free(R.cell);
  bf_host_free(set);
  return err;
}
