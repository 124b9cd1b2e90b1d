/* assembly/model/outer_faces.c - sides that belong to exactly one element, in the node order of that
 * element's side, so that normals point out of the body
 *
 * Two passes.  First, in parallel, every side's key is mixed to 64 bits and combined by exclusive or at the
 * side's lowest corner: sides that occur twice cancel, so a node with the result 0 is not the lowest corner
 * of a boundary side (with probability 1 - 2^-64). Then the sides at the other nodes are listed one by one,
 * and a side is removed at its second occurrence; the remaining ones are the boundary. Cost: O(sides of all
 * elements), 8 bytes a node.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/internal.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

typedef struct bf_side {
  bf_int key[3]; /* the other corners ascending, -1 after the last */
  bf_int elem, next;
  int    side;
} bf_side;

typedef struct bf_front {
  uint64_t *left; /* owned [nnodes]: result of the first pass at a node */
  bf_int   *head; /* owned [nnodes]: first side at a node, -1 none */
  bf_side  *side; /* owned [capacity] */
  bf_int    n, capacity, spare;
} bf_front;

/* Lowest corner; the others ascending into key. */
static bf_int sort_corners(const bf_int *node, const int *local, int n, bf_int key[3])
{
  bf_int all[4] = {0};
  for (int i = 0; i < n; i++) {
    int j = i;
    for (; j > 0 && all[j - 1] > node[local[i]]; j--) all[j] = all[j - 1];
    all[j] = node[local[i]];
  }
  for (int i = 0; i < 3; i++) key[i] = i + 1 < n ? all[i + 1] : -1;
  return all[0];
}

/* Memory for one more side. */
static bf_err take_place(bf_front *f, bf_int *at)
{
  if (f->spare >= 0) {
    *at      = f->spare;
    f->spare = f->side[*at].next;
    return BF_OK;
  }
  if (f->n == f->capacity) {
    BF_CHECK(f->capacity < INT32_MAX / 2, BF_E_MEMORY, "more than %d sides", f->capacity);
    const bf_int more = f->capacity ? 2 * f->capacity : 1024;
    void        *p    = bf_host_realloc(f->side, (size_t)more, sizeof *f->side);
    BF_CHECK(p, BF_E_MEMORY, "no memory for %d sides of elements", more);
    f->side     = p;
    f->capacity = more;
  }
  *at = f->n++;
  return BF_OK;
}

/* Removes the side if it is listed, else lists it. */
static bf_err meet(bf_front *f, bf_int low, const bf_int key[3], bf_int elem, int side)
{
  bf_int *link = &f->head[low], at;
  while (*link >= 0 && memcmp(f->side[*link].key, key, sizeof f->side->key) != 0) link = &f->side[*link].next;
  if (*link >= 0) {
    at               = *link;
    *link            = f->side[at].next;
    f->side[at].next = f->spare;
    f->side[at].elem = -1;
    f->spare         = at;
    return BF_OK;
  }
  BF_TRY(take_place(f, &at));
  f->side[at] = (bf_side){.elem = elem, .side = side, .next = f->head[low]};
  memcpy(f->side[at].key, key, sizeof f->side->key);
  f->head[low] = at;
  return BF_OK;
}

static uint64_t mixed(const bf_int key[3]) /* splitmix64 of the corners one after the other */
{
  uint64_t z = 0;
  for (int i = 0; i < 3; i++) {
    z += (uint64_t)(uint32_t)key[i] + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
  }
  return z;
}

static void cancel_block(bf_front *f, const bf_block *b)
{
  const bf_elem_info *info = bf_elem(b->type);
  const int           nc   = bf_elem(info->face_type)->ncorners;
#pragma omp parallel for schedule(static) if (b->n > 1024)
  for (bf_int e = 0; e < b->n; e++)
    for (int s = 0; s < info->nfaces; s++) {
      bf_int         key[3];
      const bf_int   low = sort_corners(b->node + (size_t)e * (size_t)info->nnodes, info->face[s], nc, key);
      const uint64_t h   = mixed(key);
#pragma omp atomic
      f->left[low] ^= h;
    }
}

static bf_err meet_block(bf_front *f, const bf_block *b)
{
  const bf_elem_info *info = bf_elem(b->type);
  const int           nc   = bf_elem(info->face_type)->ncorners;
  bf_int              key[3];
  for (bf_int e = 0; e < b->n; e++)
    for (int s = 0; s < info->nfaces; s++) {
      const bf_int low = sort_corners(b->node + (size_t)e * (size_t)info->nnodes, info->face[s], nc, key);
      if (f->left[low] != 0) BF_TRY(meet(f, low, key, b->first + e, s));
    }
  return BF_OK;
}

static int compare(const void *pa, const void *pb)
{
  const bf_side *a = pa, *b = pb;
  return a->elem != b->elem ? (a->elem < b->elem ? -1 : 1) : a->side - b->side;
}

/* The set of sides[0 .. n-1] of one block. */
static bf_err fill(const bf_model *m, const bf_block *b, const bf_side *side, bf_int n, bf_face_set *set)
{
  const bf_elem_info *info = bf_elem(b->type);
  const size_t        nn   = (size_t)bf_elem(info->face_type)->nnodes;
  set->boundary            = -1;
  set->type                = info->face_type;
  set->n                   = n;
  BF_TRY(bf_model_rule(m, set->type, BF_RULE_MASS, &set->rule));
  BF_TRY(BF_NEW_ARRAY(set->parent, n));
  BF_TRY(BF_NEW_ARRAY(set->node, (size_t)n * nn));
  for (bf_int i = 0; i < n; i++) {
    const bf_int *node = b->node + (size_t)(side[i].elem - b->first) * (size_t)info->nnodes;
    set->parent[i]     = side[i].elem;
    for (size_t a = 0; a < nn; a++) set->node[(size_t)i * nn + a] = node[info->face[side[i].side][a]];
  }
  return BF_OK;
}

bf_err bf_model_outer_faces(const bf_model *m, bf_face_set **sets, int *nsets)
{
  bf_err   err = BF_OK;
  bf_front f   = {.spare = -1};
  bf_int   n   = 0;
  BF_GO(BF_NEW_ARRAY(f.head, m->mesh->nnodes));
  for (bf_int i = 0; i < m->mesh->nnodes; i++) f.head[i] = -1;
  BF_GO(BF_NEW_ARRAY(f.left, m->mesh->nnodes));
  for (int b = 0; b < m->nblocks; b++) cancel_block(&f, m->block[b].block);
  for (int b = 0; b < m->nblocks; b++) BF_GO(meet_block(&f, m->block[b].block));
  for (bf_int i = 0; i < f.n; i++)
    if (f.side[i].elem >= 0) f.side[n++] = f.side[i];
  qsort(f.side, (size_t)n, sizeof *f.side, compare);
  BF_GO(BF_NEW_ARRAY(*sets, m->nblocks));
  *nsets = 0;
  for (int b = 0; b < m->nblocks; b++) { /* blocks hold ascending elements */
    const bf_block *k = m->block[b].block;
    bf_int          first, last;
    for (first = 0; first < n && f.side[first].elem < k->first; first++) {}
    for (last = first; last < n && f.side[last].elem < k->first + k->n; last++) {}
    if (last > first) BF_GO(fill(m, k, f.side + first, last - first, &(*sets)[(*nsets)++]));
  }
done:
  bf_host_free(f.left);
  bf_host_free(f.head);
  bf_host_free(f.side);
  return err;
}
