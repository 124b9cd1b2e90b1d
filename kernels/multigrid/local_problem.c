/* kernels/multigrid/local_problem.c - see local_problem.h: the lists of aggregates, from products of patterns
 *
 *     element -> aggregates = (element -> nodes)(node -> aggregate);  its transpose;
 *     aggregate -> nodes    = (aggregate -> elements)(element -> nodes)
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/multigrid/local_problem.h"
#include "kernels/multigrid/aggregates.h"

static bf_err reserve(bf_backend *be, int64_t count, size_t one, void **p)
{
  *p = NULL;
  return be->ops.alloc(be, (size_t)count * one, p);
}

void bf_local_lists_clear(bf_backend *be, bf_local_lists *L)
{
  be->ops.release(be, L->owner);
  be->ops.release(be, L->rank);
  be->ops.release(be, L->slot);
  be->ops.release(be, L->uptr);
  be->ops.release(be, L->unknown);
  be->ops.release(be, L->place);
  be->ops.release(be, L->others);
  bf_block_rows_destroy(&L->touched);
  bf_block_rows_destroy(&L->element);
  bf_block_rows_destroy(&L->node);
  *L = (bf_local_lists){.owner = NULL};
}

/* owner, rank, uptr, unknown, slot */
static bf_err list_unknowns(bf_backend *be, const bf_local_body *B, bf_local_lists *L)
{
  bf_err                     err = BF_OK;
  const bf_mg_aggregate_ops *ops = be->ops.mg_aggregates;
  void                      *own = NULL, *p;
  BF_GO(reserve(be, B->unknowns, sizeof(bf_int), &own));
  BF_GO(reserve(be, B->unknowns, sizeof(bf_int), &p));
  L->owner = p;
  BF_GO(reserve(be, B->unknowns, sizeof(bf_int), &p));
  L->rank = p;
  BF_GO(reserve(be, B->unknowns, sizeof(bf_int), &p));
  L->slot = p;
  BF_GO(reserve(be, B->unknowns, sizeof(bf_int), &p));
  L->unknown = p;
  BF_GO(reserve(be, (int64_t)B->count + 1, sizeof(int64_t), &p));
  L->uptr = p;
  BF_GO(ops->local->unknowns(be, B, L->owner, L->rank, own));
  BF_GO(ops->members(be, B->unknowns, B->count, own, L->uptr, L->unknown));
  BF_GO(ops->local->slots(be, B->unknowns, B->count, L->uptr, L->unknown, L->slot));
done:
  be->ops.release(be, own);
  return err;
}

/* element -> nodes, values 1 */
static bf_err nodes_of_elements(bf_backend *be, const bf_local_body *B, bf_block_rows **out)
{
  bf_err                err  = BF_OK;
  bf_block_rows        *A    = NULL;
  const bf_element_set *E    = &B->E;
  const bf_block_form   form = {E->ne, B->n, 1, 1, BF_FP64};
  BF_GO(bf_block_rows_create(be, &form, E->nodes, &A));
  BF_GO(be->ops.copy(be, A->ptr, E->ptr, ((size_t)E->ne + 1) * sizeof *E->ptr, BF_WITHIN));
  BF_GO(be->ops.copy(be, A->col, E->node, (size_t)E->nodes * sizeof *E->node, BF_WITHIN));
  BF_GO(be->ops.mg_aggregates->local->ones(be, E->nodes, A->val));
done:
  if (err != BF_OK) bf_block_rows_destroy(&A);
  *out = A;
  return err;
}

/* node -> aggregate, values 1 */
static bf_err aggregate_of_nodes(bf_backend *be, const bf_local_body *B, bf_block_rows **out)
{
  bf_err                     err  = BF_OK;
  const bf_mg_aggregate_ops *ops  = be->ops.mg_aggregates;
  bf_block_rows             *A    = NULL;
  const bf_block_form        form = {B->n, B->count, 1, 1, BF_FP64};
  void                      *ptr  = NULL;
  int64_t                    nnz  = 0;
  BF_GO(reserve(be, (int64_t)B->n + 1, sizeof(int64_t), &ptr));
  BF_GO(ops->tentative_rows(be, B->n, B->aggregate, ptr, &nnz));
  BF_GO(bf_block_rows_create(be, &form, nnz, &A));
  BF_GO(be->ops.copy(be, A->ptr, ptr, ((size_t)B->n + 1) * sizeof(int64_t), BF_WITHIN));
  BF_GO(ops->local->node_rows(be, B->aggregate, A));
done:
  be->ops.release(be, ptr);
  if (err != BF_OK) bf_block_rows_destroy(&A);
  *out = A;
  return err;
}

bf_err bf_local_lists_create(bf_backend *be, const bf_local_body *B, bf_local_lists *L)
{
  bf_err         err   = BF_OK;
  bf_block_rows *nodes = NULL, *aggregates = NULL;
  void          *p;
  *L = (bf_local_lists){.owner = NULL};
  BF_CHECK(be->ops.mg_aggregates && be->ops.mg_aggregates->local, BF_E_UNSUPPORTED,
           "backend '%s' has no operations for spectral aggregates", be->ops.name);
  BF_GO(list_unknowns(be, B, L));
  BF_GO(nodes_of_elements(be, B, &nodes));
  BF_GO(aggregate_of_nodes(be, B, &aggregates));
  BF_GO(bf_block_rows_multiply(nodes, aggregates, &L->touched));
  BF_GO(bf_block_rows_transpose(L->touched, &L->element));
  BF_GO(bf_block_rows_multiply(L->element, nodes, &L->node));
  BF_GO(reserve(be, L->node->nnz, sizeof(bf_int), &p));
  L->place = p;
  BF_GO(reserve(be, B->count, sizeof(bf_int), &p));
  L->others = p;
  BF_GO(be->ops.mg_aggregates->local->places(be, B, L));
done:
  bf_block_rows_destroy(&nodes);
  bf_block_rows_destroy(&aggregates);
  if (err != BF_OK) bf_local_lists_clear(be, L);
  return err;
}
