/* assembly/gfem_entries.c - nodes seen from their materials, and which of them share an element; see gfem.h
 */
#include "assembly/gfem.h"
#include "base/memory.h"

/* Calls for every corner of every element of the plane. */
#define EACH_CORNER(m, body)                                                                                 \
  for (int b_ = 0; b_ < (m)->nblocks; b_++) {                                                                \
    const bf_block *B_   = (m)->block[b_].block;                                                             \
    const int       nen_ = bf_elem(B_->type)->nnodes;                                                        \
    for (bf_int e_ = 0; e_ < B_->n; e_++)                                                                    \
      for (int a_ = 0; a_ < nen_; a_++) {                                                                    \
        const bf_int elem = B_->first + e_, node = B_->node[(size_t)e_ * (size_t)nen_ + (size_t)a_];         \
        const size_t place = BF_GFEM_CORNERS * (size_t)elem + (size_t)a_;                                    \
        body                                                                                                 \
      }                                                                                                      \
  }

/* region[k], ptr[node] <= k < ptr[node+1]: the materials at a node, as often as elements bring them. */
static bf_err materials_at(const bf_model *m, bf_int **out_ptr, bf_int **out_region)
{
  bf_err  err = BF_OK;
  bf_int *ptr = NULL, *region = NULL;
  BF_GO(BF_NEW_ARRAY(ptr, (size_t)m->mesh->nnodes + 1));
  EACH_CORNER(m, (void)place; (void)elem; ptr[node + 1]++;)
  for (bf_int v = 0; v < m->mesh->nnodes; v++) ptr[v + 1] += ptr[v];
  BF_GO(BF_NEW_ARRAY(region, ptr[m->mesh->nnodes]));
  EACH_CORNER(m, (void)place; region[ptr[node]++] = m->region[elem];)
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

/* Leaves the distinct ones in front, ascending; returns how many. */
static bf_int distinct(bf_int *region, bf_int n)
{
  bf_int k = 0;
  for (bf_int i = 0; i < n; i++) {
    const bf_int r = region[i];
    bf_int       j = 0;
    while (j < k && region[j] < r) j++;
    if (j < k && region[j] == r) continue;
    for (bf_int l = k++; l > j; l--) region[l] = region[l - 1]; /* k <= i: room is there */
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
  EACH_CORNER(m, bf_int q = 0; while (region[ptr[node] + q] != m->region[elem]) q++;
              at->corner[place] = at->first[node] + q;)
  BF_GO(graph_of(m, at));
done:
  bf_host_free(ptr);
  bf_host_free(region);
  return err;
}
