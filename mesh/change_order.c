/* mesh/change_order.c - converts linear elements to quadratic ones and the reverse: see mesh.h
 *
 * The types of one shape are neighbours in the list of types (quad4, quad8, quad9), and blocks ascend by
 * type: the blocks of a shape follow each other and are joined in order, so elements keep their numbers and
 * groups stay as they are.
 *
 * To order 2: every edge, two corner nodes, has one mid-side node, found in a table: that of an existing
 * quadratic element, else a new one at the midpoint. To order 1: nodes that are only mid-side nodes are
 * removed.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/build.h"
#include <limits.h>
#include <string.h>

typedef struct edge { /* of the table; its ends plus one, so that zeros are an empty place */
  bf_int lo, hi, mid;
} edge;

typedef struct edges {
  edge    *at;     /* owned [places], open addressing with linear probing, at most half full */
  uint64_t places; /* a power of two */
  int64_t  count, made, most;
  bf_int   nnodes;
} edges;

static edge *place_of(const edges *t, bf_int lo, bf_int hi)
{
  uint64_t h = ((uint64_t)lo << 32 | (uint64_t)hi) * UINT64_C(0x9e3779b97f4a7c15);
  for (h = (h ^ h >> 32) & (t->places - 1);; h = (h + 1) & (t->places - 1))
    if (!t->at[h].lo || (t->at[h].lo == lo && t->at[h].hi == hi)) return &t->at[h];
}

static bf_err grow(edges *t)
{
  edges more  = *t;
  more.places = t->places ? 2 * t->places : 64;
  BF_TRY(BF_NEW_ARRAY(more.at, more.places));
  for (uint64_t k = 0; k < t->places; k++)
    if (t->at[k].lo) *place_of(&more, t->at[k].lo, t->at[k].hi) = t->at[k];
  bf_host_free(t->at);
  *t = more;
  return BF_OK;
}

/* The mid-side node of p-q; mid < 0: created if the edge has none. */
static bf_err mid_of(edges *t, bf_int p, bf_int q, bf_int mid, bf_int *out)
{
  if (2 * (uint64_t)(t->count + 1) > t->places) BF_TRY(grow(t));
  const bf_int lo = (p < q ? p : q) + 1, hi = (p < q ? q : p) + 1;
  edge        *e = place_of(t, lo, hi);
  if (!e->lo) {
    BF_CHECK(mid >= 0 || t->nnodes + t->made < t->most, BF_E_MODEL,
             "more than %lld nodes with mid-side nodes", (long long)t->most);
    *e = (edge){lo, hi, mid >= 0 ? mid : (bf_int)(t->nnodes + t->made++)};
    t->count++;
  }
  *out = e->mid;
  return BF_OK;
}

/* node[n][to's nodes]: corners, then the edges' mid-side nodes, theirs or from the table. */
static bf_err fill_block(const bf_block *from, bf_elem_type to, edges *t, bf_int *node)
{
  const bf_elem_info *a = bf_elem(from->type), *b = bf_elem(to);
  for (int64_t e = 0; e < from->n; e++) {
    const bf_int *old = from->node + e * a->nnodes;
    bf_int *new       = node + e * b->nnodes;
    memcpy(new, old, sizeof *new *(size_t)(a->nnodes < b->nnodes ? a->nnodes : b->nnodes));
    for (int k = a->nnodes; k < b->nnodes; k++)
      BF_TRY(mid_of(t, old[b->edge[k - b->ncorners][0]], old[b->edge[k - b->ncorners][1]], -1, &new[k]));
  }
  return BF_OK;
}

/* Edges of the existing quadratic elements, with their nodes. */
static bf_err known_edges(const bf_mesh *m, edges *t)
{
  for (int b = 0; b < m->nblocks; b++) {
    const bf_elem_info *info = bf_elem(m->block[b].type);
    if (info->order != 2) continue;
    for (int64_t e = 0; e < m->block[b].n; e++) {
      const bf_int *node = m->block[b].node + e * info->nnodes;
      bf_int        mid;
      for (int k = 0; k < info->nedges; k++)
        BF_TRY(mid_of(t, node[info->edge[k][0]], node[info->edge[k][1]], node[info->ncorners + k], &mid));
    }
  }
  return BF_OK;
}

/* New blocks, of types of the order; block[nblocks] of the new mesh, n of them. */
static bf_err new_blocks(const bf_mesh *m, int order, edges *t, bf_block *block, int *n)
{
  for (int b = 0; b < m->nblocks; b++) {
    const bf_elem_type to  = bf_elem_of_order(m->block[b].type, order);
    bf_block          *B   = *n > 0 && block[*n - 1].type == to ? &block[*n - 1] : &block[(*n)++];
    const bf_int       had = B->n, all = had + m->block[b].n;
    const size_t       nen = (size_t)bf_elem(to)->nnodes;
    bf_int            *node;
    int64_t           *tag;
    if (!had) *B = (bf_block){.type = to, .first = m->block[b].first};
    node = bf_host_realloc(B->node, (size_t)all * nen, sizeof *node);
    BF_CHECK(node, BF_E_MEMORY, "no memory for %d elements", all);
    B->node = node;
    tag     = bf_host_realloc(B->tag, (size_t)all, sizeof *tag);
    BF_CHECK(tag, BF_E_MEMORY, "no memory for %d elements", all);
    B->tag = tag;
    B->n   = all;
    memcpy(tag + had, m->block[b].tag, (size_t)m->block[b].n * sizeof *tag);
    BF_TRY(fill_block(&m->block[b], to, t, node + (size_t)had * nen));
  }
  return BF_OK;
}

/* The new nodes, at the midpoints of their edges, with tags above all others. */
static bf_err add_nodes(bf_mesh *m, const edges *t)
{
  const size_t n   = (size_t)(m->nnodes + t->made);
  int64_t      top = 0;
  for (bf_int i = 0; i < m->nnodes; i++)
    if (m->node_tag[i] > top) top = m->node_tag[i];
  BF_CHECK(t->made <= INT64_MAX - top, BF_E_MODEL, "no tags are left above node tag %lld", (long long)top);
  int64_t *tag = bf_host_realloc(m->node_tag, n, sizeof *tag);
  BF_CHECK(tag, BF_E_MEMORY, "no memory for %zu nodes", n);
  m->node_tag = tag;
  double *x   = bf_host_realloc(m->x, n, 3 * sizeof *x);
  BF_CHECK(x, BF_E_MEMORY, "no memory for %zu nodes", n);
  m->x = x;
  for (uint64_t k = 0; k < t->places; k++) {
    const edge *e = &t->at[k];
    if (!e->lo || e->mid < m->nnodes) continue;
    for (int d = 0; d < 3; d++)
      x[3 * (size_t)e->mid + (size_t)d] =
          0.5 * x[3 * (size_t)(e->lo - 1) + (size_t)d] + 0.5 * x[3 * (size_t)(e->hi - 1) + (size_t)d];
    tag[e->mid] = top + 1 + (e->mid - m->nnodes);
  }
  m->nnodes = (bf_int)n;
  return BF_OK;
}

/* number[nnodes], out: a node's number without the nodes that are mid-side nodes and never a corner, else -1.
 */
static bf_int keep_corners(const bf_mesh *m, bf_int *number)
{
  bf_int n = 0;
  for (int corners = 0; corners < 2; corners++) /* 0: mid-side nodes -1; 1: corners back to 0 */
    for (int b = 0; b < m->nblocks; b++) {
      const bf_elem_info *info = bf_elem(m->block[b].type);
      const int           from = corners ? 0 : info->ncorners, to = corners ? info->ncorners : info->nnodes;
      for (int64_t e = 0; e < m->block[b].n; e++)
        for (int a = from; a < to; a++) number[m->block[b].node[e * info->nnodes + a]] = corners ? 0 : -1;
    }
  for (bf_int i = 0; i < m->nnodes; i++)
    if (number[i] == 0) number[i] = n++;
  return n;
}

static void drop_nodes(bf_mesh *m, const bf_int *number, bf_int n)
{
  for (bf_int i = 0; i < m->nnodes; i++) {
    const size_t from = (size_t)i, to = (size_t)number[i];
    if (number[i] < 0 || to == from) continue;
    memcpy(m->x + 3 * to, m->x + 3 * from, 3 * sizeof *m->x);
    m->node_tag[to] = m->node_tag[from];
  }
  for (int b = 0; b < m->nblocks; b++) {
    const int64_t nodes = (int64_t)m->block[b].n * bf_elem(m->block[b].type)->nnodes;
    for (int64_t k = 0; k < nodes; k++) m->block[b].node[k] = number[m->block[b].node[k]];
  }
  m->nnodes = n;
}

static void free_blocks(bf_block *block, int n)
{
  for (int b = 0; b < n; b++) {
    bf_host_free(block[b].node);
    bf_host_free(block[b].tag);
  }
  bf_host_free(block);
}

bf_err bf_mesh_change_order(bf_mesh *m, int order, bf_int most)
{
  bf_err    err    = BF_OK;
  bf_block *block  = NULL;
  bf_int   *number = NULL, left = 0;
  int       n = 0, other = 0;
  BF_CHECK(m && (order == 1 || order == 2), BF_E_ARG, "a mesh, and order 1 or 2");
  edges t = {.nnodes = m->nnodes, .most = most};
  for (int b = 0; b < m->nblocks; b++) other |= bf_elem_of_order(m->block[b].type, order) != m->block[b].type;
  if (!other) return BF_OK;
  BF_GO(BF_NEW_ARRAY(block, m->nblocks));
  if (order == 2) BF_GO(known_edges(m, &t));
  BF_GO(new_blocks(m, order, &t, block, &n));
  if (order == 2) BF_GO(add_nodes(m, &t));
  if (order == 1) {
    BF_GO(BF_NEW_ARRAY(number, m->nnodes));
    left = keep_corners(m, number);
  }
  bf_block *old = m->block; /* nothing fails from here on */
  const int had = m->nblocks;
  m->block      = block;
  m->nblocks    = n;
  block         = old;
  n             = had;
  if (order == 1) drop_nodes(m, number, left);
done:
  free_blocks(block, n);
  bf_host_free(number);
  bf_host_free(t.at);
  return err;
}
