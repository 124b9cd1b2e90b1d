/* mesh/msh/twice.c - two elements with the same nodes would count their stiffness twice: E206
 *
 * The set of an element's nodes has a key, made from the sum of a scrambled number for each (any order gives
 * the same).  A table with 8 to 16 places per element marks the places of keys, and those of repeated keys;
 * only the few elements at the latter are sorted by key and nodes and compared with their neighbours.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/msh/internal.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 256, PARALLEL_FROM = 4096 };

typedef struct suspect {
  uint64_t      key;
  const bf_int *node; /* borrowed [nen] */
  bf_int        elem;
  int           nen;
} suspect;

static uint64_t key_of(const bf_int *node, int nen)
{
  uint64_t sum = 0;
  for (int a = 0; a < nen; a++) {
    const uint64_t h = ((uint64_t)node[a] + 1) * 0x9e3779b97f4a7c15ULL;
    sum += h ^ (h >> 32);
  }
  return (sum ^ (sum >> 32)) * 0xd6e8feb86659fd93ULL;
}

static void sorted(const suspect *s, bf_int node[BF_NEN_MAX])
{
  for (int a = 0; a < s->nen; a++) {
    int at = a;
    for (; at > 0 && node[at - 1] > s->node[a]; at--) node[at] = node[at - 1];
    node[at] = s->node[a];
  }
}

/* By key and then by nodes: 0 only for the same set. */
static int by_nodes(const suspect *s, const suspect *t)
{
  bf_int p[BF_NEN_MAX], q[BF_NEN_MAX];
  if (s->key != t->key) return s->key < t->key ? -1 : 1;
  sorted(s, p);
  sorted(t, q);
  for (int a = 0; a < s->nen; a++)
    if (p[a] != q[a]) return p[a] < q[a] ? -1 : 1;
  return 0;
}

static int by_nodes_and_number(const void *a, const void *b)
{
  const suspect *s = a, *t = b;
  const int      order = by_nodes(s, t);
  return order ? order : (s->elem > t->elem) - (s->elem < t->elem);
}

/* Keys of elements first .. of the block, at most BATCH; returns their number. In batches, so that many
 * random accesses are in flight. */
static int keys_of(const bf_block *block, bf_int first, uint64_t key[BATCH])
{
  const int nen = bf_elem(block->type)->nnodes, n = block->n - first < BATCH ? block->n - first : BATCH;
  for (int i = 0; i < n; i++) key[i] = key_of(block->node + (size_t)(first + i) * (size_t)nen, nen);
  return n;
}

/* Marks every element's place, bit 0 of two: used, bit 1: used again; returns the number of repeated uses.
 * The result does not depend on the order of the elements. */
static bf_int mark(const bf_block *block, _Atomic uint64_t *place, int shift)
{
  bf_int again = 0;
#pragma omp parallel for schedule(static) reduction(+ : again) if (block->n > PARALLEL_FROM)
  for (bf_int batch = 0; batch < (block->n + BATCH - 1) / BATCH; batch++) {
    uint64_t  key[BATCH];
    const int n = keys_of(block, batch * BATCH, key);
    for (int i = 0; i < n; i++) {
      const uint64_t    at = key[i] >> shift, used = 1ULL << 2 * (at % 32);
      _Atomic uint64_t *to = &place[at / 32];
      if (!(atomic_fetch_or_explicit(to, used, memory_order_relaxed) & used)) continue;
      atomic_fetch_or_explicit(to, 2 * used, memory_order_relaxed);
      again++;
    }
  }
  return again;
}

/* The elements at places that were used again, in any order: *list is the caller's. */
static bf_err find_suspects(const bf_block *block, suspect **list, bf_int *found)
{
  bf_err            err   = BF_OK;
  _Atomic uint64_t *place = NULL;
  const int         nen   = bf_elem(block->type)->nnodes;
  bf_int            next  = 0;
  int               shift = 59; /* 2^(64 - shift) places */
  while (1ULL << (64 - shift) < 8 * (uint64_t)block->n) shift--;
  BF_GO(BF_NEW_ARRAY(place, 1ULL << (59 - shift)));
  const bf_int again = mark(block, place, shift);
  BF_GO(BF_NEW_ARRAY(*list, 2 * (size_t)again)); /* k at a place are k - 1 repeated uses */
  if (again == 0) goto done;
#pragma omp        parallel for schedule(static)
  for (bf_int batch = 0; batch < (block->n + BATCH - 1) / BATCH; batch++) {
           uint64_t     key[BATCH];
           const bf_int e = batch * BATCH;
           const int    n = keys_of(block, e, key);
           for (int i = 0; i < n; i++) {
             const uint64_t at = key[i] >> shift;
             bf_int         to;
             if (!(atomic_load_explicit(&place[at / 32], memory_order_relaxed) >> 2 * (at % 32) & 2)) continue;
#pragma omp atomic capture
      to          = next++;
      (*list)[to] = (suspect){key[i], block->node + (size_t)(e + i) * (size_t)nen, e + i, nen};
    }
  }
  *found = next;
done:
  bf_host_free(place);
  return err;
}

static bf_err check_block(const bf_mesh *mesh, const bf_block *block, bf_diags *diags)
{
  bf_err   err  = BF_OK;
  suspect *list = NULL;
  bf_int   n = 0, first = -1, second = -1, pairs = 0;
  BF_GO(find_suspects(block, &list, &n));
  if (n) qsort(list, (size_t)n, sizeof *list, by_nodes_and_number);
  for (bf_int k = 1; k < n; k++) {
    if (by_nodes(&list[k - 1], &list[k]) != 0) continue;
    if (pairs++ == 0 || list[k].elem < second) {
      first  = list[k - 1].elem;
      second = list[k].elem;
    }
  }
  if (pairs) {
    bf_diag_add(diags, BF_ERROR, 206, (bf_where){mesh->file, 0, 0},
                "elements %lld and %lld (%s) have the same nodes (%d such pair%s): remove the duplicates",
                (long long)block->tag[first], (long long)block->tag[second], bf_elem(block->type)->name,
                pairs, pairs == 1 ? "" : "s");
    err = BF_FAIL(BF_E_MODEL, "%s: %d elements are listed twice", mesh->file, pairs);
  }
done:
  bf_host_free(list);
  return err;
}

bf_err bf_msh_check_twice(const bf_mesh *mesh, bf_diags *diags)
{
  for (int b = 0; b < mesh->nblocks; b++)
    if (bf_elem(mesh->block[b].type)->dim == mesh->dim) BF_TRY(check_block(mesh, &mesh->block[b], diags));
  return BF_OK;
}
