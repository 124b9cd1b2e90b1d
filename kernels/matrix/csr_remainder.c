/* kernels/matrix/csr_remainder.c - the remainder of format HYBRID: compressed rows of the rows that have
 * entries outside the bands
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/bands_split.h"
#include "base/memory.h"
#include "kernels/matrix/format.h"
#include "kernels/matrix/storage.h"

/* ---- pattern ---- */

static bf_int listed_nodes(const bf_graph *g)
{
  bf_int n = 0;
  for (bf_int i = 0; i < g->n; i++) n += g->ptr[i] < g->ptr[i + 1];
  return n;
}

bf_err bf_rest_check_pattern(const bf_graph *g, const bf_bands *b, int half)
{
  BF_TRY(bf_graph_check(g));
  BF_CHECK(g->n == b->nrows, BF_E_ARG, "a remainder of %d rows beside bands of %d", (int)g->n, (int)b->nrows);
  for (bf_int s = 0; s < b->nseg; s++)
    for (bf_int i = b->row[s]; i < b->row[s + 1]; i++)
      for (int64_t p = g->ptr[i]; p < g->ptr[i + 1]; p++)
        BF_CHECK((half && g->adj[p] < i) || !bf_bands_has(b, s, g->adj[p] - i), BF_E_ARG,
                 "the remainder's pair (%d, %d) lies on a diagonal of the bands", (int)i, (int)g->adj[p]);
  return BF_OK;
}

/* ---- life ---- */

/* To the backend: row[nlist], ptr[nlist + 1], col[nnz]; the values are left. */
static bf_err new_rest(bf_backend *be, bf_int nrows, bf_int nlist, const bf_int *row, const int64_t *ptr,
                       const bf_int *col, bf_prec prec, bf_rest **out)
{
  bf_err   err = BF_OK;
  bf_rest *A   = NULL;
  void    *p   = NULL;
  *out         = NULL;
  BF_GO(BF_NEW(A));
  *A = (bf_rest){.nrows = nrows, .nlist = nlist, .nnz = ptr[nlist], .prec = prec};
  BF_GO(bf_alloc_copy(be, row, nlist, sizeof *row, &p));
  A->row = p;
  BF_GO(bf_alloc_copy(be, ptr, (int64_t)nlist + 1, sizeof *ptr, &p));
  A->ptr = p;
  BF_GO(bf_alloc_copy(be, col, A->nnz, sizeof *col, &p));
  A->col = p;
  BF_GO(be->ops.sync(be)); /* the host arrays are the caller's to release */
  *out = A;
  A    = NULL;
done:
  bf_rest_destroy(be, &A);
  return err;
}

bf_err bf_rest_create(bf_backend *be, const bf_graph *g, int ncomp, bf_prec prec, bf_rest **out)
{
  bf_err       err = BF_OK;
  bf_rest     *A   = NULL;
  bf_int      *row = NULL, *col = NULL;
  int64_t     *ptr = NULL, at = 0;
  const int    D     = ncomp;
  const bf_int nlist = listed_nodes(g) * D;
  bf_int       k     = 0;
  *out               = NULL;
  BF_GO(BF_NEW_ARRAY(row, nlist));
  BF_GO(BF_NEW_ARRAY(ptr, (size_t)nlist + 1));
  BF_GO(BF_NEW_ARRAY(col, g->ptr[g->n] * D * D));
  for (bf_int i = 0; i < g->n; i++)
    for (int a = 0; a < D && g->ptr[i] < g->ptr[i + 1]; a++) {
      row[k] = i * D + a;
      for (int64_t p = g->ptr[i]; p < g->ptr[i + 1]; p++)
        for (int b = 0; b < D; b++) col[at++] = g->adj[p] * D + b;
      ptr[++k] = at;
    }
  BF_GO(new_rest(be, g->n * D, nlist, row, ptr, col, prec, &A));
  BF_GO(bf_alloc_zero(be, A->nnz, (size_t)bf_prec_bytes(prec), &A->val));
  *out = A;
  A    = NULL;
done:
  bf_host_free(row);
  bf_host_free(ptr);
  bf_host_free(col);
  bf_rest_destroy(be, &A);
  return err;
}

bf_err bf_rest_to_fp32(bf_backend *be, const bf_rest *A, bf_rest **out)
{
  bf_err   err = BF_OK;
  bf_rest *B   = NULL;
  void    *p   = NULL;
  *out         = NULL;
  BF_GO(BF_NEW(B));
  *B = (bf_rest){.nrows = A->nrows, .nlist = A->nlist, .nnz = A->nnz, .prec = BF_FP32};
  BF_GO(bf_alloc_same(be, A->row, A->nlist, sizeof *A->row, &p));
  B->row = p;
  BF_GO(bf_alloc_same(be, A->ptr, (int64_t)A->nlist + 1, sizeof *A->ptr, &p));
  B->ptr = p;
  BF_GO(bf_alloc_same(be, A->col, A->nnz, sizeof *A->col, &p));
  B->col = p;
  BF_GO(bf_values_to_fp32(be, A->val, A->nnz, &B->val));
  *out = B;
  B    = NULL;
done:
  bf_rest_destroy(be, &B);
  return err;
}

void bf_rest_destroy(bf_backend *be, bf_rest **A)
{
  if (!A || !*A) return;
  be->ops.release(be, (*A)->row);
  be->ops.release(be, (*A)->ptr);
  be->ops.release(be, (*A)->col);
  be->ops.release(be, (*A)->val);
  bf_host_free(*A);
  *A = NULL;
}

/* ---- from and to the host ---- */

bf_err bf_rest_put(bf_backend *be, bf_rest *A, const bf_sparse *S)
{
  bf_err     err = BF_OK;
  bf_sparse *R   = NULL;
  void      *val = NULL;
  BF_GO(bf_rest_to_sparse(be, A, &R));
  for (bf_int i = 0; i < R->nrows; i++) {
    int64_t q = S->ptr[i];
    for (int64_t p = R->ptr[i]; p < R->ptr[i + 1]; p++) {
      while (q < S->ptr[i + 1] && S->col[q] < R->col[p]) q++;
      R->val[p] = q < S->ptr[i + 1] && S->col[q] == R->col[p] ? S->val[q] : 0.0;
    }
  }
  BF_GO(bf_values_put(be, A->nnz, R->val, A->prec, &val));
  be->ops.release(be, A->val);
  A->val = val;
done:
  bf_sparse_destroy(&R);
  return err;
}

bf_err bf_rest_to_sparse(bf_backend *be, const bf_rest *A, bf_sparse **out)
{
  bf_err     err = BF_OK;
  bf_sparse *S   = NULL;
  void      *row = NULL, *ptr = NULL;
  *out = NULL;
  BF_GO(bf_sparse_create(A->nrows, A->nrows, A->nnz, &S));
  BF_GO(bf_fetch(be, A->row, A->nlist, sizeof *A->row, &row));
  BF_GO(bf_fetch(be, A->ptr, (int64_t)A->nlist + 1, sizeof *A->ptr, &ptr));
  BF_GO(be->ops.copy(be, S->col, A->col, (size_t)A->nnz * sizeof *A->col, BF_TO_HOST));
  BF_GO(bf_values_get(be, A->nnz, A->val, A->prec, S->val));
  const bf_int  *r = row;
  const int64_t *q = ptr;
  for (bf_int k = 0; k < A->nlist; k++) {
    BF_NEED(r[k] >= 0 && r[k] < A->nrows && (k == 0 || r[k - 1] < r[k]), BF_E_ARG,
            "listed row %d out of order or range", (int)r[k]);
    BF_NEED(q[k] >= 0 && q[k] < q[k + 1] && q[k + 1] <= A->nnz, BF_E_ARG, "listed row %d has no end",
            (int)r[k]);
    S->ptr[r[k] + 1] = q[k + 1] - q[k];
  }
  for (bf_int i = 0; i < A->nrows; i++) S->ptr[i + 1] += S->ptr[i];
  BF_NEED(q[0] == 0 && S->ptr[A->nrows] == A->nnz, BF_E_ARG, "listed rows hold %lld of %lld entries",
          (long long)S->ptr[A->nrows], (long long)A->nnz);
  *out = S;
  S    = NULL;
done:
  bf_host_free(row);
  bf_host_free(ptr);
  bf_sparse_destroy(&S);
  return err;
}

bf_err bf_rest_check(bf_backend *be, const bf_rest *A)
{
  bf_sparse *S = NULL;
  BF_CHECK(A && A->row && A->ptr && A->col && A->val && A->nrows > 0 && A->nlist >= 0, BF_E_ARG,
           "null table");
  BF_TRY(bf_rest_to_sparse(be, A, &S));
  const bf_err err = bf_sparse_check(S);
  bf_sparse_destroy(&S);
  BF_TRY(err);
  return BF_OK;
}

/* ---- the part ---- */

static bf_part_size size(const bf_matrix *A)
{
  const bf_rest *B = A->rest;
  return (bf_part_size){.nrows   = B->nrows,
                        .prec    = B->prec,
                        .entries = B->nnz,
                        .values  = B->nnz,
                        .bytes   = bf_rest_bytes(B->nnz, B->nlist, B->prec),
                        .product = bf_rest_product_bytes(B->nnz, B->nlist, B->prec)};
}

static bf_err longest(const bf_matrix *A, int64_t *most)
{
  return bf_longest_row(A->be, A->rest->ptr, A->rest->nlist, most);
}

BF_PART_FUNCTIONS(rest)

const bf_part bf_rest_part = {.name      = "rest",
                              .diagonals = BF_DIAGONAL_NONE,
                              .size      = size,
                              .check     = check,
                              .to_sparse = to_sparse,
                              .to_fp32   = to_fp32,
                              .longest   = longest,
                              .destroy   = destroy};
