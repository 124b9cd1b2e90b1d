/* mesh/numbering/create.c - the numbering of a mesh; method: docs/theory/numbering.md */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/numbering/drivers.h"

/* row and node from the positions of the vertices. */
static bf_err set_vertex_rows(const bf_vmesh *v, const bf_int *pos, bf_numbering *n)
{
  n->nrows = v->cells.nv;
  BF_TRY(BF_NEW_ARRAY(n->row, n->nnodes));
  BF_TRY(BF_NEW_ARRAY(n->node, n->nrows));
  for (bf_int i = 0; i < n->nnodes && n->nrows < n->nnodes; i++) n->row[i] = -1;
#pragma omp parallel for schedule(static)
  for (bf_int k = 0; k < n->nrows; k++) {
    const bf_int i  = v->node ? v->node[k] : k;
    n->row[i]       = pos[k];
    n->node[pos[k]] = i;
  }
  return BF_OK;
}

static bf_err number_linear(const bf_mesh *m, bf_vmesh *v, bf_order order, bf_numbering *n)
{
  bf_err    err  = BF_OK;
  bf_choice best = {0};
  BF_GO(bf_search_orders(v, order, 0, n, &best, &n->nnz));
  n->ideal                   = v->ideal;
  n->reach                   = best.reach;
  n->bands                   = best.bands;
  n->line                    = best.line;
  n->tries[best.line].chosen = 1;
  best.bands                 = NULL;
  BF_GO(set_vertex_rows(v, best.pos, n));
  if ((order == BF_ORDER_AUTO || order == BF_ORDER_LEVELS) && bf_may_have_blocks(v, n))
    BF_GO(bf_number_blocks(m, v, n, &n->next));
done:
  bf_choice_clear(&best);
  return err;
}

static bf_err create(const bf_mesh *m, bf_order order, int condensed, bf_numbering **out)
{
  bf_err        err = BF_OK;
  bf_numbering *n   = NULL;
  bf_vmesh     *v   = NULL;
  BF_CHECK(m && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_CHECK((int)order >= BF_ORDER_AUTO && order <= BF_ORDER_LEVELS, BF_E_ARG, "order %d", (int)order);
  BF_CHECK(m->dim >= 1 && m->dim <= 3, BF_E_ARG, "a mesh of dimension %d", m->dim);
  BF_GO(BF_NEW(n));
  n->nnodes = m->nnodes;
  n->kind   = "plain";
  BF_GO(bf_vmesh_create(m, condensed, &v));
  BF_NEED(v->cells.nblocks > 0, BF_E_ARG, "no elements of dimension %d", m->dim);
  n->reach_file = v->reach_file;
  BF_GO(v->quadratic ? bf_number_quadratic(m, v, order, n) : number_linear(m, v, order, n));
  *out = n;
  n    = NULL;
done:
  bf_vmesh_destroy(&v);
  bf_numbering_destroy(&n);
  return err;
}

bf_err bf_numbering_create(const bf_mesh *m, bf_order order, bf_numbering **out)
{
  return create(m, order, 0, out);
}

bf_err bf_numbering_create_condensed(const bf_mesh *m, bf_order order, bf_numbering **out)
{
  return create(m, order, 1, out);
}
