/* mesh/view_all_elements.c - the view of all elements: every element a cell, every node a point; see view.h
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/view.h"
#include <string.h>

bf_err bf_view_create_all(const bf_mesh *m, bf_view **out)
{
  bf_err   err   = BF_OK;
  bf_view *v     = NULL;
  int64_t  nconn = 0;
  BF_CHECK(m && out, BF_E_ARG, "null argument");
  *out = NULL;
  for (int b = 0; b < m->nblocks; b++) nconn += (int64_t)m->block[b].n * bf_elem(m->block[b].type)->nnodes;
  BF_GO(BF_NEW(v));
  BF_GO(BF_NEW_ARRAY(v->node, m->nnodes));
  BF_GO(BF_NEW_ARRAY(v->region, m->nnodes));
  BF_GO(BF_NEW_ARRAY(v->elem, m->nelem));
  BF_GO(BF_NEW_ARRAY(v->type, m->nelem));
  BF_GO(BF_NEW_ARRAY(v->ptr, (size_t)m->nelem + 1));
  BF_GO(BF_NEW_ARRAY(v->point, nconn));
  v->npoints = m->nnodes;
  v->ncells  = m->nelem;
  for (bf_int i = 0; i < m->nnodes; i++) v->node[i] = i;
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block *k   = &m->block[b];
    const int       nen = bf_elem(k->type)->nnodes;
    const int64_t   at  = v->ptr[k->first];
    memcpy(v->point + at, k->node, (size_t)k->n * (size_t)nen * sizeof *v->point);
    for (bf_int e = 0; e < k->n; e++) {
      v->elem[k->first + e]    = k->first + e;
      v->type[k->first + e]    = k->type;
      v->ptr[k->first + e + 1] = at + (int64_t)(e + 1) * nen;
    }
  }
  *out = v;
  v    = NULL;
done:
  bf_view_destroy(&v);
  return err;
}
