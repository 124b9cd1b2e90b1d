/* mesh/orders.c - a linear and a quadratic element that share an edge do not conform: E207
 *
 * Only meshes with both orders are looked at: edges of the linear elements are sorted, those of the quadratic
 * ones looked up.
 */
#include "base/memory.h"
#include "mesh/build.h"
#include <stdlib.h>

typedef struct edge {
  bf_int a, b, elem; /* a < b */
} edge;

static int by_nodes(const void *p, const void *q)
{
  const edge *s = p, *t = q;
  if (s->a != t->a) return s->a < t->a ? -1 : 1;
  return (s->b > t->b) - (s->b < t->b);
}

static edge edge_of(const bf_block *block, bf_int e, int k)
{
  const bf_elem_info *info = bf_elem(block->type);
  const bf_int       *node = block->node + (size_t)e * (size_t)info->nnodes;
  const bf_int        p = node[info->edge[k][0]], q = node[info->edge[k][1]];
  return (edge){p < q ? p : q, p < q ? q : p, block->first + e};
}

static int64_t edges_of_order(const bf_mesh *m, int order)
{
  int64_t n = 0;
  for (int b = 0; b < m->nblocks; b++) {
    const bf_elem_info *info = bf_elem(m->block[b].type);
    if (info->dim > 0 && info->order == order) n += (int64_t)m->block[b].n * info->nedges;
  }
  return n;
}

static void collect(const bf_mesh *m, edge *list)
{
  for (int b = 0; b < m->nblocks; b++) {
    const bf_elem_info *info = bf_elem(m->block[b].type);
    if (info->dim == 0 || info->order != 1) continue;
    for (bf_int e = 0; e < m->block[b].n; e++)
      for (int k = 0; k < info->nedges; k++) *list++ = edge_of(&m->block[b], e, k);
  }
}

static int64_t tag_of(const bf_mesh *m, bf_int elem)
{
  const bf_block *b = bf_mesh_block_of(m, elem);
  return b->tag[elem - b->first];
}

bf_err bf_mesh_check_orders(const bf_mesh *m, bf_diags *diags)
{
  edge         *list  = NULL;
  const int64_t n     = edges_of_order(m, 1);
  int64_t       count = 0;
  if (n == 0 || edges_of_order(m, 2) == 0) return BF_OK;
  BF_TRY(BF_NEW_ARRAY(list, n));
  collect(m, list);
  qsort(list, (size_t)n, sizeof *list, by_nodes);
  edge        first = {0, 0, 0};
  const edge *with  = NULL;
  for (int b = 0; b < m->nblocks; b++) {
    const bf_elem_info *info = bf_elem(m->block[b].type);
    for (bf_int e = 0; info->order == 2 && e < m->block[b].n; e++)
      for (int k = 0; k < info->nedges; k++) {
        const edge  key = edge_of(&m->block[b], e, k);
        const edge *hit = bsearch(&key, list, (size_t)n, sizeof *list, by_nodes);
        if (hit && count++ == 0) {
          first = key;
          with  = hit;
        }
      }
  }
  if (with)
    bf_diag_add(diags, BF_ERROR, 207, (bf_where){m->file, 0, 0},
                "linear and quadratic elements meet: non-conforming orders on the shared edge %lld-%lld "
                "(elements %lld and %lld; %lld such edges); mesh all with one order",
                (long long)m->node_tag[first.a], (long long)m->node_tag[first.b],
                (long long)tag_of(m, with->elem), (long long)tag_of(m, first.elem), (long long)count);
  bf_host_free(list);
  return BF_OK;
}
