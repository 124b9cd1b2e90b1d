/* mesh/check_conformity.c - elements that meet without having the same nodes there do not conform: E207
 *
 *     an edge of a linear and of a quadratic element
 *     in space, a face of quad8 or hex20 and of quad9 or hex27, which have a node in its middle
 *
 * Only meshes with both are checked: the edges or faces of the first kind are sorted, those of the second
 * looked up.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/build.h"
#include <stdlib.h>
#include <string.h>

typedef struct part { /* an edge or a face */
  bf_int v[4], elem;  /* corners ascending, -1 past the last */
} part;

typedef struct kind {        /* selects elements, and the number of corners of their parts */
  int corners, order, inner; /* inner < 0: any */
} kind;

static int by_nodes(const void *p, const void *q)
{
  const part *s = p, *t = q;
  for (int k = 0; k < 4; k++)
    if (s->v[k] != t->v[k]) return s->v[k] < t->v[k] ? -1 : 1;
  return 0;
}

/* Parts of an element; a quadrilateral in space is a face itself. */
static int parts_of(const bf_mesh *m, const bf_elem_info *info, kind k)
{
  if (info->dim == 0 || info->order != k.order || (k.inner >= 0 && info->inner != k.inner)) return 0;
  if (k.corners == 2) return info->nedges;
  if (m->dim != 3 || bf_elem(info->dim == 3 ? info->face_type : BF_QUAD4)->ncorners != 4) return 0;
  return info->dim == 3 ? info->nfaces : info->ncorners == 4;
}

static part part_of(const bf_block *block, bf_int e, int corners, int i)
{
  const bf_elem_info *info = bf_elem(block->type);
  const bf_int       *node = block->node + (size_t)e * (size_t)info->nnodes;
  part                p    = {{-1, -1, -1, -1}, block->first + e};
  for (int k = 0; k < corners; k++) {
    const bf_int v = node[corners == 2 ? info->edge[i][k] : info->dim == 3 ? info->face[i][k] : k];
    int          j = k;
    for (; j > 0 && p.v[j - 1] > v; j--) p.v[j] = p.v[j - 1];
    p.v[j] = v;
  }
  return p;
}

static int64_t count_parts(const bf_mesh *m, kind k)
{
  int64_t n = 0;
  for (int b = 0; b < m->nblocks; b++)
    n += (int64_t)m->block[b].n * parts_of(m, bf_elem(m->block[b].type), k);
  return n;
}

static void collect(const bf_mesh *m, kind k, part *list)
{
  for (int b = 0; b < m->nblocks; b++) {
    const int n = parts_of(m, bf_elem(m->block[b].type), k);
    for (bf_int e = 0; e < m->block[b].n; e++)
      for (int i = 0; i < n; i++) *list++ = part_of(&m->block[b], e, k.corners, i);
  }
}

static int64_t tag_of(const bf_mesh *m, bf_int elem)
{
  const bf_block *b = bf_mesh_block_of(m, elem);
  return b->tag[elem - b->first];
}

/* Number of parts of kind t that are also of kind s; the first of them, in t and in s. */
static bf_err shared(const bf_mesh *m, kind s, kind t, int64_t *count, part *first, part *with)
{
  part         *list = NULL;
  const int64_t n    = count_parts(m, s);
  *count             = 0;
  if (n == 0 || count_parts(m, t) == 0) return BF_OK;
  BF_TRY(BF_NEW_ARRAY(list, n));
  collect(m, s, list);
  qsort(list, (size_t)n, sizeof *list, by_nodes);
  for (int b = 0; b < m->nblocks; b++) {
    const int parts = parts_of(m, bf_elem(m->block[b].type), t);
    for (bf_int e = 0; e < m->block[b].n; e++)
      for (int i = 0; i < parts; i++) {
        const part  key = part_of(&m->block[b], e, t.corners, i);
        const part *hit = bsearch(&key, list, (size_t)n, sizeof *list, by_nodes);
        if (hit && (*count)++ == 0) {
          *first = key;
          *with  = *hit;
        }
      }
  }
  bf_host_free(list);
  return BF_OK;
}

bf_err bf_mesh_check_orders(const bf_mesh *m, bf_diags *diags)
{
  int64_t        count;
  part           p, q;
  const bf_where where = {m->file, 0, 0};
  BF_TRY(shared(m, (kind){2, 1, -1}, (kind){2, 2, -1}, &count, &p, &q));
  if (count)
    bf_diag_add(diags, BF_ERROR, 207, where,
                "linear and quadratic elements meet: non-conforming orders on the shared edge %lld-%lld "
                "(elements %lld and %lld; %lld such edges); mesh all with one order",
                (long long)m->node_tag[p.v[0]], (long long)m->node_tag[p.v[1]], (long long)tag_of(m, q.elem),
                (long long)tag_of(m, p.elem), (long long)count);
  BF_TRY(shared(m, (kind){4, 2, 0}, (kind){4, 2, 1}, &count, &p, &q));
  if (count)
    bf_diag_add(diags, BF_ERROR, 207, where,
                "elements with and without a node in the middle of their faces meet: %s %lld and %s %lld "
                "(%lld such faces); mesh all with quad8 and hex20, or with quad9 and hex27",
                bf_elem(bf_mesh_block_of(m, q.elem)->type)->name, (long long)tag_of(m, q.elem),
                bf_elem(bf_mesh_block_of(m, p.elem)->type)->name, (long long)tag_of(m, p.elem),
                (long long)count);
  return BF_OK;
}
