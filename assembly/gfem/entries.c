/* assembly/gfem/entries.c - pairs of node and material, and the graph of those that share an element; see
 * gfem.h
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/gfem/gfem.h"
#include "base/memory.h"

/* region[k], ptr[node] <= k < ptr[node+1]: the materials at a node, once for each of its elements. */
static bf_err materials_at(const bf_model *m, bf_int **out_ptr, bf_int **out_region)
{
  bf_err  err = BF_OK;
  bf_int *ptr = NULL, *region = NULL;
  BF_GO(BF_NEW_ARRAY(ptr, (size_t)m->mesh->nnodes + 1));
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block *B = m->block[b].block;
    const int64_t   n = (int64_t)B->n * bf_elem(B->type)->nnodes;
    for (int64_t i = 0; i < n; i++) ptr[B->node[i] + 1]++;
  }
  for (bf_int v = 0; v < m->mesh->nnodes; v++) ptr[v + 1] += ptr[v];
  BF_GO(BF_NEW_ARRAY(region, ptr[m->mesh->nnodes]));
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block *B   = m->block[b].block;
    const int       nen = bf_elem(B->type)->nnodes;
    for (int64_t i = 0; i < (int64_t)B->n * nen; i++)
      region[ptr[B->node[i]]++] = m->region[B->first + (bf_int)(i / nen)];
  }
  for (bf_int v = m->mesh->nnodes; v > 0; v--) ptr[v] = ptr[v - 1];
  ptr[0]      = 0;
  *out_ptr    = ptr;
  *out_region = region;
  ptr = region = NULL;
done:
  bf_host_free(ptr);
  bf_host_free(region);
  return err;
}

/* Moves the distinct ones to the front, ascending; returns their number. */
static bf_int distinct(bf_int *region, bf_int n)
{
  bf_int k = 0;
  for (bf_int i = 0; i < n; i++) {
    const bf_int r = region[i];
    bf_int       j = 0;
    while (j < k && region[j] < r) j++;
    if (j < k && region[j] == r) continue;
    for (bf_int l = k++; l > j; l--) region[l] = region[l - 1]; /* k <= i: in place */
    region[j] = r;
  }
  return k;
}

static bf_err graph_of(const bf_model *m, bf_gfem_entries *at)
{
  bf_err   err  = BF_OK;
  int64_t *ptr  = NULL;
  bf_int  *item = NULL, n = 0;
  int64_t  k = 0;
  for (int b = 0; b < m->nblocks; b++) n += m->block[b].block->n;
  BF_GO(BF_NEW_ARRAY(ptr, (size_t)n + 1));
  BF_GO(BF_NEW_ARRAY(item, BF_GFEM_CORNERS * (size_t)n));
  n = 0;
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block *B = m->block[b].block;
    for (bf_int e = B->first; e < B->first + B->n; e++) {
      for (int a = 0; a < bf_elem(B->type)->nnodes; a++)
        item[k++] = at->corner[BF_GFEM_CORNERS * (size_t)e + (size_t)a];
      ptr[++n] = k;
    }
  }
  BF_GO(bf_graph_from_items(at->n, n, ptr, item, 0, &at->near));
done:
  bf_host_free(ptr);
  bf_host_free(item);
  return err;
}

/* corner[] of the elements: the entry of each corner's node in the element's material. */
static void name_corners(const bf_model *m, bf_gfem_entries *at)
{
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block *B   = m->block[b].block;
    const int       nen = bf_elem(B->type)->nnodes;
    for (bf_int e = 0; e < B->n; e++)
      for (int a = 0; a < nen; a++) {
        bf_int q = at->first[B->node[(size_t)e * (size_t)nen + (size_t)a]];
        while (at->region[q] != m->region[B->first + e]) q++;
        at->corner[BF_GFEM_CORNERS * (size_t)(B->first + e) + (size_t)a] = q;
      }
  }
}

bf_err bf_gfem_entries_create(const bf_model *m, bf_gfem_entries *at)
{
  bf_err       err = BF_OK;
  const bf_int nn  = m->mesh->nnodes;
  bf_int      *ptr = NULL, *region = NULL;
  BF_GO(materials_at(m, &ptr, &region));
  BF_GO(BF_NEW_ARRAY(at->first, (size_t)nn + 1));
  for (bf_int v = 0; v < nn; v++)
    at->first[v + 1] = at->first[v] + distinct(region + ptr[v], ptr[v + 1] - ptr[v]);
  at->n = at->first[nn];
  BF_GO(BF_NEW_ARRAY(at->node, at->n));
  BF_GO(BF_NEW_ARRAY(at->region, at->n));
  for (bf_int v = 0; v < nn; v++)
    for (bf_int q = at->first[v]; q < at->first[v + 1]; q++) {
      at->node[q]   = v;
      at->region[q] = region[ptr[v] + q - at->first[v]];
    }
  BF_GO(BF_NEW_ARRAY(at->corner, BF_GFEM_CORNERS * (size_t)m->mesh->nelem));
  for (size_t i = 0; i < BF_GFEM_CORNERS * (size_t)m->mesh->nelem; i++) at->corner[i] = -1;
  name_corners(m, at);
  BF_GO(graph_of(m, at));
done:
  bf_host_free(ptr);
  bf_host_free(region);
  return err;
}
