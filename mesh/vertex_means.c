/* mesh/vertex_means.c - see vertex_means.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/vertex_means.h"
#include "base/memory.h"

void bf_vertex_means_clear(bf_vertex_means *v)
{
  bf_host_free(v->ends);
  bf_host_free(v->count);
  *v = (bf_vertex_means){.ends = NULL};
}

/* Node a of an element with these nodes. */
static void enter(const bf_numbering *n, const bf_elem_info *info, const bf_int *node, int a,
                  bf_vertex_means *v)
{
  int          corner[BF_CORNERS_MAX];
  const bf_int row   = n->row[node[a]];
  const int    count = bf_elem_span(info, a, corner);
  if (row < 0 || (v->count[row] != 0 && v->count[row] <= count)) return;
  v->count[row] = (uint8_t)count;
  for (int k = 0; k < count; k++) v->ends[row][k] = n->row[node[corner[k]]];
}

bf_err bf_vertex_means_create(const bf_mesh *m, const bf_numbering *n, bf_vertex_means *out)
{
  bf_err err = BF_OK;
  *out       = (bf_vertex_means){.ends = NULL};
  BF_GO(BF_NEW_ARRAY(out->ends, n->nrows));
  BF_GO(BF_NEW_ARRAY(out->count, n->nrows));
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block     *block = &m->block[b];
    const bf_elem_info *info  = bf_elem(block->type);
    for (bf_int e = 0; info->dim == m->dim && e < block->n; e++)
      for (int a = 0; a < info->nnodes; a++)
        enter(n, info, block->node + (size_t)e * (size_t)info->nnodes, a, out);
  }
  for (bf_int r = 0; r < n->nrows; r++) out->between += out->count[r] > 1;
done:
  if (err != BF_OK) bf_vertex_means_clear(out);
  return err;
}
