/* mesh/numbering/pattern.c - node-to-node adjacency in rows of a numbering: the pattern of a CSR matrix */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/numbering.h"

bf_err bf_numbering_pattern(const bf_mesh *m, const bf_numbering *n, bf_graph **out)
{
  bf_err   err = BF_OK;
  int64_t *ptr = NULL, nnode = 0;
  bf_int  *node = NULL, item = 0;
  int64_t  nitems = 0;
  BF_CHECK(m && n && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_CHECK(m->nnodes == n->nnodes, BF_E_ARG, "a mesh of %d nodes, a numbering of %d", m->nnodes, n->nnodes);
  for (int b = 0; b < m->nblocks; b++)
    if (bf_elem(m->block[b].type)->dim == m->dim) {
      nitems += m->block[b].n;
      nnode += (int64_t)m->block[b].n * bf_elem(m->block[b].type)->nnodes;
    }
  for (bf_int r = 0; r < n->nrows; r++) nitems += n->node[r] < 0; /* a phantom row is its own item */
  BF_CHECK(nitems < INT32_MAX, BF_E_MODEL, "%lld elements and phantom rows", (long long)nitems);
  BF_GO(BF_NEW_ARRAY(ptr, (size_t)nitems + 1));
  BF_GO(BF_NEW_ARRAY(node, (size_t)nnode + (size_t)n->nrows));
  nnode = 0;
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block *B   = &m->block[b];
    const int       nen = bf_elem(B->type)->nnodes;
    if (bf_elem(B->type)->dim != m->dim) continue;
#pragma omp parallel for schedule(static)
    for (bf_int e = 0; e < B->n; e++) {
      for (int k = 0; k < nen; k++) /* a center node may have no row: -1 */
        node[nnode + (int64_t)e * nen + k] = n->row[B->node[(size_t)e * (size_t)nen + (size_t)k]];
      ptr[item + e + 1] = nnode + ((int64_t)e + 1) * nen;
    }
    nnode += (int64_t)B->n * nen;
    item += B->n;
  }
  for (bf_int r = 0; r < n->nrows; r++)
    if (n->node[r] < 0) {
      node[nnode++] = r;
      ptr[++item]   = nnode;
    }
  BF_GO(bf_graph_from_items(n->nrows, item, ptr, node, 1, out));
done:
  bf_host_free(ptr);
  bf_host_free(node);
  return err;
}
