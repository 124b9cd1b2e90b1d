/* solvers/linear/multigrid/spectral_coarse.c - element matrices of the next level
 *
 *     K_a = sum of T_e^T K_e T_e over the elements e whose first aggregate is a
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/multigrid/aggregates.h"
#include "solvers/linear/multigrid/aggregation.h"
#include "solvers/linear/multigrid/spectral.h"
#include <string.h>

/* aggregate -> elements that it owns; values 1 */
static bf_err owned_elements(const bf_mg_spectrum *s, bf_block_rows **out)
{
  bf_err              err   = BF_OK;
  bf_backend         *be    = s->be;
  const bf_int        ne    = s->body.E.ne;
  const bf_block_form form  = {s->body.count, ne, 1, 1, BF_FP64};
  bf_block_rows      *A     = NULL;
  void               *owner = NULL, *list = NULL, *ptr = NULL;
  int64_t             nnz = 0;
  BF_GO(bf_mg_reserve(be, ne, sizeof(bf_int), &owner));
  BF_GO(bf_mg_reserve(be, ne, sizeof(bf_int), &list));
  BF_GO(bf_mg_reserve(be, (int64_t)form.nrows + 1, sizeof nnz, &ptr));
  BF_GO(s->ops->owners(be, s->lists.touched, owner));
  BF_GO(be->ops.mg_aggregates->members(be, ne, form.nrows, owner, ptr, list));
  BF_GO(be->ops.copy(be, &nnz, (const int64_t *)ptr + form.nrows, sizeof nnz, BF_TO_HOST));
  BF_GO(be->ops.sync(be));
  BF_GO(bf_block_rows_create(be, &form, nnz, &A));
  BF_GO(be->ops.copy(be, A->ptr, ptr, ((size_t)form.nrows + 1) * sizeof nnz, BF_WITHIN));
  BF_GO(be->ops.copy(be, A->col, list, (size_t)nnz * sizeof(bf_int), BF_WITHIN));
  BF_GO(s->ops->ones(be, nnz, A->val));
done:
  be->ops.release(be, owner);
  be->ops.release(be, list);
  be->ops.release(be, ptr);
  if (err != BF_OK) bf_block_rows_destroy(&A);
  *out = A;
  return err;
}

/* The elements of level l: one for every aggregate, of order 0 where it owns none. */
static bf_err make_elements(const bf_mg_spectrum *s, const bf_block_rows *owned, bf_mg_local *l)
{
  bf_err                 err   = BF_OK;
  bf_backend            *be    = s->be;
  const bf_int           count = s->body.count;
  const bf_local_vectors V     = {.k = s->k, .first = s->first, .z = (const double *const *)s->z};
  bf_element_set        *E     = &l->elements.set;
  bf_block_rows         *nodes = NULL;
  int64_t                numbers;
  void                  *at = NULL, *K = NULL;
  BF_GO(bf_block_rows_multiply(owned, s->lists.touched, &nodes));
  BF_GO(bf_mg_reserve(be, (int64_t)count + 1, sizeof numbers, &at));
  E->at = at;
  BF_GO(s->ops->element_sizes(be, nodes, s->first, at, &numbers, &E->most));
  BF_GO(bf_mg_reserve(be, numbers, sizeof(double), &K));
  E->K = K;
  BF_GO(s->ops->element_matrices(be, &s->body, &s->lists, &V, owned->ptr, owned->col, nodes, at, K));
  E->ne      = count;
  E->nodes   = nodes->nnz;
  E->ptr     = nodes->ptr;
  E->node    = nodes->col;
  nodes->ptr = NULL;
  nodes->col = NULL;
done:
  bf_block_rows_destroy(&nodes);
  return err;
}

bf_err bf_mg_spectrum_coarse(bf_mg_spectrum *s, bf_mg_local **out)
{
  bf_err         err   = BF_OK;
  bf_mg_local   *l     = NULL;
  bf_block_rows *owned = NULL;
  *out                 = NULL;
  BF_GO(BF_NEW(l));
  *l = (bf_mg_local){.be = s->be, .level = s->local->level + 1, .n = s->body.count};
  memcpy(l->grid, s->boxes, sizeof l->grid);
  BF_GO(owned_elements(s, &owned));
  BF_GO(make_elements(s, owned, l));
  l->first = s->first;
  l->mixed = s->mixed;
  s->first = NULL;
  s->mixed = NULL;
  *out     = l;
  l        = NULL;
done:
  bf_block_rows_destroy(&owned);
  bf_mg_local_destroy(&l);
  return err;
}
