/* kernels/matrix/csr.c - CSR storage, columns in 32 or 16 bits: pattern expanded on the backend from the node
 * pattern, values, copies, to and from the host */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/matrix/storage.h"

/* ---- columns in 16 bits ---- */

static bf_int block_of(bf_int row)
{
  return row - row % BF_CSR16_ROWS;
}

static bf_err too_far(int64_t half_bandwidth)
{
  return BF_FAIL(BF_E_ARG,
                 "format csr16 keeps columns up to about 32767 rows from the diagonal, this matrix has a "
                 "half-bandwidth of %lld",
                 (long long)half_bandwidth);
}

bf_err bf_csr16_fits(const bf_graph *pattern, int ncomp)
{
  const int64_t D  = ncomp;
  int64_t       hb = 0;
  int           ok = 1;
  for (int64_t i = 0; i < pattern->n; i++) {
    if (pattern->ptr[i] == pattern->ptr[i + 1]) continue;
    const int64_t first = pattern->adj[pattern->ptr[i]], last = pattern->adj[pattern->ptr[i + 1] - 1];
    const int64_t left = (i - first + 1) * D - 1, right = (last - i + 1) * D - 1;
    hb = left > hb ? left : hb;
    hb = right > hb ? right : hb;
    /* the first row of a node has the least base, its last the largest */
    ok &= first * D - block_of((bf_int)(i * D + D - 1)) >= INT16_MIN;
    ok &= last * D + D - 1 - block_of((bf_int)(i * D)) <= INT16_MAX;
  }
  return ok ? BF_OK : too_far(hb);
}

/* rel[] of the columns; BF_E_ARG where one does not fit. */
static bf_err narrow_columns(const bf_sparse *S, int16_t *rel)
{
  int64_t hb = 0;
  int     ok = 1;
  for (bf_int i = 0; i < S->nrows; i++)
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) {
      const bf_int off = S->col[p] - i, r = S->col[p] - block_of(i);
      hb = off > hb ? off : -off > hb ? -off : hb;
      ok &= r >= INT16_MIN && r <= INT16_MAX;
      rel[p] = (int16_t)r;
    }
  return ok ? BF_OK : too_far(hb);
}

/* ---- life ---- */

bf_err bf_csr_new(bf_backend *be, bf_int nrows, int64_t nnz, int narrow, bf_prec prec, bf_csr **out)
{
  bf_err  err = BF_OK;
  bf_csr *A   = NULL;
  void   *p   = NULL;
  *out        = NULL;
  BF_GO(BF_NEW(A));
  A->nrows = nrows;
  A->nnz   = nnz;
  A->prec  = prec;
  BF_GO(be->ops.alloc(be, ((size_t)nrows + 1) * sizeof *A->ptr, &p));
  A->ptr = p;
  BF_GO(be->ops.alloc(be, (size_t)nnz * (narrow ? sizeof *A->rel : sizeof *A->col), &p));
  if (narrow)
    A->rel = p;
  else
    A->col = p;
  BF_GO(be->ops.alloc(be, (size_t)(nnz * bf_prec_bytes(prec)), &A->val));
  *out = A;
  A    = NULL;
done:
  bf_csr_destroy(be, &A);
  return err;
}

bf_err bf_csr_create(bf_backend *be, const bf_graph *pattern, int ncomp, int narrow, bf_prec prec,
                     bf_csr **out)
{
  bf_err        err  = BF_OK;
  bf_csr       *A    = NULL;
  void         *nptr = NULL, *nadj = NULL;
  const int64_t count = pattern->ptr[pattern->n];
  *out                = NULL;
  BF_GO(bf_csr_new(be, pattern->n * ncomp, count * ncomp * ncomp, narrow, prec, &A));
  BF_GO(bf_alloc_copy(be, pattern->ptr, (int64_t)pattern->n + 1, sizeof *pattern->ptr, &nptr));
  BF_GO(bf_alloc_copy(be, pattern->adj, count, sizeof *pattern->adj, &nadj));
  BF_GO(BF_OP(be, matrix.csr_expand, pattern->n, ncomp, nptr, nadj, A));
  BF_GO(be->ops.zero(be, A->val, (size_t)(A->nnz * bf_prec_bytes(prec))));
  BF_GO(be->ops.sync(be)); /* the node pattern is released below */
  *out = A;
  A    = NULL;
done:
  be->ops.release(be, nptr);
  be->ops.release(be, nadj);
  bf_csr_destroy(be, &A);
  return err;
}

bf_err bf_csr_to_fp32(bf_backend *be, const bf_csr *A, bf_csr **out)
{
  bf_err  err = BF_OK;
  bf_csr *B   = NULL;
  void   *p   = NULL;
  *out        = NULL;
  BF_GO(BF_NEW(B));
  *B = (bf_csr){.nrows = A->nrows, .nnz = A->nnz, .prec = BF_FP32};
  BF_GO(bf_alloc_same(be, A->ptr, (int64_t)A->nrows + 1, sizeof *A->ptr, &p));
  B->ptr = p;
  if (A->rel) {
    BF_GO(bf_alloc_same(be, A->rel, A->nnz, sizeof *A->rel, &p));
    B->rel = p;
  } else {
    BF_GO(bf_alloc_same(be, A->col, A->nnz, sizeof *A->col, &p));
    B->col = p;
  }
  BF_GO(bf_values_to_fp32(be, A->val, A->nnz, &B->val));
  *out = B;
  B    = NULL;
done:
  bf_csr_destroy(be, &B);
  return err;
}

void bf_csr_destroy(bf_backend *be, bf_csr **A)
{
  if (!A || !*A) return;
  be->ops.release(be, (*A)->ptr);
  be->ops.release(be, (*A)->col);
  be->ops.release(be, (*A)->rel);
  be->ops.release(be, (*A)->val);
  bf_host_free(*A);
  *A = NULL;
}

/* ---- from and to the host ---- */

bf_err bf_csr_from_sparse(bf_backend *be, const bf_sparse *S, int narrow, bf_prec prec, bf_csr **out)
{
  bf_err   err = BF_OK;
  bf_csr  *A   = NULL;
  int16_t *rel = NULL;
  void    *p   = NULL;
  *out         = NULL;
  BF_GO(BF_NEW(A));
  A->nrows = S->nrows;
  A->nnz   = S->nnz;
  A->prec  = prec;
  if (narrow) {
    BF_GO(BF_NEW_ARRAY(rel, S->nnz));
    BF_GO(narrow_columns(S, rel));
    BF_GO(bf_alloc_copy(be, rel, S->nnz, sizeof *rel, &p));
    A->rel = p;
  } else {
    BF_GO(bf_alloc_copy(be, S->col, S->nnz, sizeof *S->col, &p));
    A->col = p;
  }
  BF_GO(bf_alloc_copy(be, S->ptr, (int64_t)S->nrows + 1, sizeof *S->ptr, &p));
  A->ptr = p;
  BF_GO(bf_values_put(be, S->nnz, S->val, prec, &A->val));
  BF_GO(be->ops.sync(be)); /* rel is released below */
  *out = A;
  A    = NULL;
done:
  bf_host_free(rel);
  bf_csr_destroy(be, &A);
  return err;
}

/* Columns from the 16-bit ones; ptr has been checked. */
static bf_err widen_columns(bf_backend *be, const bf_csr *A, bf_sparse *S)
{
  void *rel = NULL;
  BF_TRY(bf_fetch(be, A->rel, A->nnz, sizeof *A->rel, &rel));
#pragma omp parallel for schedule(static)
  for (bf_int i = 0; i < S->nrows; i++)
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) S->col[p] = ((const int16_t *)rel)[p] + block_of(i);
  bf_host_free(rel);
  return BF_OK;
}

bf_err bf_csr_to_sparse(bf_backend *be, const bf_csr *A, bf_sparse **out)
{
  bf_err     err = BF_OK;
  bf_sparse *S   = NULL;
  *out           = NULL;
  BF_GO(bf_sparse_create(A->nrows, A->nrows, A->nnz, &S));
  BF_GO(be->ops.copy(be, S->ptr, A->ptr, ((size_t)A->nrows + 1) * sizeof *A->ptr, BF_TO_HOST));
  for (bf_int i = 0; i < S->nrows; i++)
    BF_NEED(S->ptr[i] >= 0 && S->ptr[i] <= S->ptr[i + 1] && S->ptr[i + 1] <= S->nnz, BF_E_ARG,
            "row %d has no end", (int)i);
  if (A->rel)
    BF_GO(widen_columns(be, A, S));
  else
    BF_GO(be->ops.copy(be, S->col, A->col, (size_t)A->nnz * sizeof *A->col, BF_TO_HOST));
  BF_GO(bf_values_get(be, A->nnz, A->val, A->prec, S->val));
  *out = S;
  S    = NULL;
done:
  bf_sparse_destroy(&S);
  return err;
}

bf_err bf_csr_check(bf_backend *be, const bf_csr *A)
{
  bf_sparse *S = NULL;
  BF_CHECK(A && A->ptr && A->val && !A->col != !A->rel && A->nrows > 0 && A->nnz >= 0, BF_E_ARG,
           "null table");
  BF_TRY(bf_csr_to_sparse(be, A, &S));
  const bf_err err = bf_sparse_check(S);
  bf_sparse_destroy(&S);
  BF_TRY(err);
  return BF_OK;
}
