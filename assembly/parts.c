/* assembly/parts.c - see parts.h: union-find in which the lower node is always the root, by compare-and-swap
 *
 * A node's parent is never above it and only ever moves down, so concurrent unions cannot make a cycle, and
 * the root of a part ends as its lowest node whatever the order of the unions. Source: Jayanti and Tarjan,
 * Concurrent disjoint set union, Distributed Computing 34 (2021).
 */
#include "assembly/parts.h"
#include "base/memory.h"
#include <stdatomic.h>

typedef _Atomic bf_int bf_parent;

static bf_int root(bf_parent *up, bf_int i)
{
  for (;;) {
    bf_int       p = atomic_load_explicit(&up[i], memory_order_relaxed);
    const bf_int g = atomic_load_explicit(&up[p], memory_order_relaxed);
    if (p == g) return p;
    atomic_compare_exchange_weak_explicit(&up[i], &p, g, memory_order_relaxed, memory_order_relaxed);
    i = g; /* path halving; a lost exchange loses only time */
  }
}

static void unite(bf_parent *up, bf_int a, bf_int b)
{
  for (;;) {
    a = root(up, a);
    b = root(up, b);
    if (a == b) return;
    const bf_int hi = a > b ? a : b, lo = a > b ? b : a;
    bf_int       expect = hi;
    if (atomic_compare_exchange_strong_explicit(&up[hi], &expect, lo, memory_order_relaxed,
                                                memory_order_relaxed))
      return;
  }
}

bf_err bf_parts_find(const bf_mesh *mesh, int dim, bf_int *part, bf_int *nparts)
{
  bf_err     err = BF_OK;
  bf_parent *up  = NULL;
  BF_CHECK(mesh && part && nparts, BF_E_ARG, "null argument");
  *nparts        = 0;
  const bf_int n = mesh->nnodes;
  BF_GO(BF_NEW_ARRAY(up, n));
#pragma omp parallel for
  for (bf_int i = 0; i < n; i++) atomic_init(&up[i], i);
  for (bf_int i = 0; i < n; i++) part[i] = -1;
  for (int b = 0; b < mesh->nblocks; b++) {
    const bf_block *k   = &mesh->block[b];
    const int       nen = bf_elem(k->type)->nnodes;
    if (bf_elem(k->type)->dim != dim) continue;
#pragma omp parallel for
    for (bf_int e = 0; e < k->n; e++) {
      const bf_int *node = k->node + (size_t)e * (size_t)nen;
      for (int a = 1; a < nen; a++) unite(up, node[0], node[a]);
    }
    for (size_t i = 0; i < (size_t)k->n * (size_t)nen; i++) part[k->node[i]] = 0;
  }
  for (bf_int i = 0; i < n; i++) { /* the root of i is i or was numbered before it */
    if (part[i] < 0) continue;
    const bf_int r = root(up, i);
    part[i]        = r == i ? (*nparts)++ : part[r];
  }
done:
  bf_host_free(up);
  return err;
}
