/* mesh/numbering/mid_nodes.c - positions for the mid-edge nodes of quadratic elements between the ends of
 * their edges
 *
 * A vertex at position p has the key 2 p, the node of the edge (p, q) the key p + q, a node in the middle of
 * a face or an element that of the first and the last of its corners; all nodes are sorted by key, vertices
 * first, then by the smaller end.  This keeps the bandwidth of the vertices' order (times the
 * nodes per vertex), on which the cache use of a CSR product depends.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/numbering/quadratic.h"
#include "mesh/numbering/vertex_mesh.h"

/* The positions between which node a of an element lies. */
static bf_mid span_of(const bf_elem_info *info, const bf_int *node, int a, const bf_int *pos)
{
  int       corner[BF_CORNERS_MAX];
  const int n  = bf_elem_span(info, a, corner);
  bf_int    lo = INT32_MAX, second = INT32_MAX, hi = -1;
  for (int k = 0; k < n; k++) {
    const bf_int p = pos[node[corner[k]]];
    second         = p < lo ? lo : p < second ? p : second;
    lo             = p < lo ? p : lo;
    hi             = p > hi ? p : hi;
  }
  return (bf_mid){lo, hi, (n > 2) + (n > 4) + 3 * (second == lo + 1)};
}

bf_err bf_mid_ends(const bf_mesh *m, const bf_vmesh *v, const bf_int *vertex_pos, bf_mid *at)
{
  bf_err  err = BF_OK;
  bf_int *pos = NULL; /* of a node that is a vertex, or -1 */
  BF_GO(BF_NEW_ARRAY(pos, m->nnodes));
  for (bf_int i = 0; i < m->nnodes; i++) pos[i] = -1;
  for (bf_int i = 0; i < v->cells.nv; i++) pos[v->node ? v->node[i] : i] = vertex_pos[i];
  for (bf_int i = 0; i < v->nused; i++) at[i].lo = -1;
  for (bf_int i = 0; i < m->nnodes; i++)
    if (pos[i] >= 0) at[v->rank ? v->rank[i] : i] = (bf_mid){pos[i], pos[i], 0};
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block     *B    = &m->block[b];
    const bf_elem_info *info = bf_elem(B->type);
    if (info->dim != m->dim || info->order < 2) continue;
    for (bf_int e = 0; e < B->n; e++) {
      const bf_int *node = B->node + (size_t)e * (size_t)info->nnodes;
      for (int a = info->ncorners; a < info->nnodes; a++) {
        const bf_int i = v->rank ? v->rank[node[a]] : node[a];
        if (pos[node[a]] < 0 && i >= 0) at[i] = span_of(info, node, a, pos);
      }
    }
  }
done:
  bf_host_free(pos);
  return err;
}

/* to = from, stably sorted by 2 lo + (is a mid node), or by lo + hi. */
static void sort_nodes(const bf_mid *at, const bf_int *from, bf_int *to, bf_int n, int by_sum, bf_int *count,
                       bf_int nkeys)
{
  for (bf_int i = 0; i <= nkeys; i++) count[i] = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (bf_int i = 0; i < n; i++) {
      const bf_mid a   = at[from[i]];
      const bf_int key = by_sum ? a.lo + a.hi : (a.lo != a.hi) * (a.lo + 1);
      if (pass == 0)
        count[key + 1]++;
      else
        to[count[key]++] = from[i];
    }
    for (bf_int i = 0; i < nkeys && pass == 0; i++) count[i + 1] += count[i];
  }
}

bf_err bf_place_mid_nodes(const bf_mesh *m, const bf_vmesh *v, const bf_int *vertex_pos, bf_int *pos)
{
  bf_err       err = BF_OK;
  bf_mid      *at  = NULL;
  bf_int      *a = NULL, *b = NULL, *count = NULL;
  const bf_int n = v->nused, nkeys = 2 * v->cells.nv;
  BF_GO(BF_NEW_ARRAY(at, n));
  BF_GO(bf_mid_ends(m, v, vertex_pos, at));
  BF_GO(BF_NEW_ARRAY(a, n));
  BF_GO(BF_NEW_ARRAY(b, n));
  BF_GO(BF_NEW_ARRAY(count, (size_t)nkeys + 1));
  for (bf_int i = 0; i < n; i++) a[i] = i;
  sort_nodes(at, a, b, n, 0, count, nkeys); /* vertices, then mid nodes by their smaller end */
  sort_nodes(at, b, a, n, 1, count, nkeys);
  for (bf_int i = 0; i < n; i++) pos[a[i]] = i;
done:
  bf_host_free(at);
  bf_host_free(a);
  bf_host_free(b);
  bf_host_free(count);
  return err;
}
