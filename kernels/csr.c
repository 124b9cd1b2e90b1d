/* kernels/csr.c - CSR storage: pattern expanded on the backend from the node pattern, values, copies */
#include "base/memory.h"
#include "kernels/storage.h"

bf_err bf_csr_new(bf_backend *be, bf_int nrows, int64_t nnz, bf_prec prec, bf_csr **out)
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
  BF_GO(be->ops.alloc(be, (size_t)nnz * sizeof *A->col, &p));
  A->col = p;
  BF_GO(be->ops.alloc(be, (size_t)(nnz * bf_prec_bytes(prec)), &A->val));
  *out = A;
  A    = NULL;
done:
  bf_csr_destroy(be, &A);
  return err;
}

bf_err bf_csr_create(bf_backend *be, const bf_graph *pattern, int ncomp, bf_prec prec, bf_csr **out)
{
  bf_err        err  = BF_OK;
  bf_csr       *A    = NULL;
  void         *nptr = NULL, *nadj = NULL;
  const int64_t count = pattern->ptr[pattern->n];
  *out                = NULL;
  BF_GO(bf_csr_new(be, pattern->n * ncomp, count * ncomp * ncomp, prec, &A));
  BF_GO(bf_alloc_copy(be, pattern->ptr, (int64_t)pattern->n + 1, sizeof *pattern->ptr, &nptr));
  BF_GO(bf_alloc_copy(be, pattern->adj, count, sizeof *pattern->adj, &nadj));
  BF_GO(BF_OP(be, csr_expand, pattern->n, ncomp, nptr, nadj, A->ptr, A->col));
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
  *out        = NULL;
  BF_GO(bf_csr_new(be, A->nrows, A->nnz, BF_FP32, &B));
  BF_GO(be->ops.copy(be, B->ptr, A->ptr, ((size_t)A->nrows + 1) * sizeof *A->ptr, BF_WITHIN));
  BF_GO(be->ops.copy(be, B->col, A->col, (size_t)A->nnz * sizeof *A->col, BF_WITHIN));
  BF_GO(BF_OP(be, demote, A->nnz, A->val, B->val));
  *out = B;
  B    = NULL;
done:
  bf_csr_destroy(be, &B);
  return err;
}

bf_err bf_csr_from_sparse(bf_backend *be, const bf_sparse *S, bf_prec prec, bf_csr **out)
{
  bf_err  err = BF_OK;
  bf_csr *A   = NULL;
  float  *f   = NULL;
  *out        = NULL;
  BF_GO(bf_csr_new(be, S->nrows, S->nnz, prec, &A));
  BF_GO(be->ops.copy(be, A->ptr, S->ptr, ((size_t)S->nrows + 1) * sizeof *A->ptr, BF_TO_DEVICE));
  BF_GO(be->ops.copy(be, A->col, S->col, (size_t)S->nnz * sizeof *A->col, BF_TO_DEVICE));
  if (prec == BF_FP32) {
    BF_GO(BF_NEW_ARRAY(f, S->nnz));
    for (int64_t p = 0; p < S->nnz; p++) f[p] = (float)S->val[p];
  }
  BF_GO(be->ops.copy(be, A->val, f ? (const void *)f : S->val, (size_t)(S->nnz * bf_prec_bytes(prec)),
                     BF_TO_DEVICE));
  BF_GO(be->ops.sync(be)); /* f is released below */
  *out = A;
  A    = NULL;
done:
  bf_host_free(f);
  bf_csr_destroy(be, &A);
  return err;
}

bf_err bf_csr_to_sparse(bf_backend *be, const bf_csr *A, bf_sparse **out)
{
  bf_err     err = BF_OK;
  bf_sparse *S   = NULL;
  void      *f   = NULL;
  *out           = NULL;
  BF_GO(bf_sparse_create(A->nrows, A->nrows, A->nnz, &S));
  BF_GO(be->ops.copy(be, S->ptr, A->ptr, ((size_t)A->nrows + 1) * sizeof *A->ptr, BF_TO_HOST));
  BF_GO(be->ops.copy(be, S->col, A->col, (size_t)A->nnz * sizeof *A->col, BF_TO_HOST));
  if (A->prec == BF_FP32) {
    BF_GO(bf_fetch(be, A->val, A->nnz, sizeof(float), &f));
    for (int64_t p = 0; p < A->nnz; p++) S->val[p] = (double)((const float *)f)[p];
  } else
    BF_GO(be->ops.copy(be, S->val, A->val, (size_t)A->nnz * sizeof(double), BF_TO_HOST));
  *out = S;
  S    = NULL;
done:
  bf_host_free(f);
  bf_sparse_destroy(&S);
  return err;
}

void bf_csr_destroy(bf_backend *be, bf_csr **A)
{
  if (!A || !*A) return;
  be->ops.release(be, (*A)->ptr);
  be->ops.release(be, (*A)->col);
  be->ops.release(be, (*A)->val);
  bf_host_free(*A);
  *A = NULL;
}

static bf_err check_rows(const bf_csr *A, const int64_t *ptr, const bf_int *col)
{
  BF_CHECK(ptr[0] == 0 && ptr[A->nrows] == A->nnz, BF_E_ARG, "rows hold %lld of %lld entries",
           (long long)ptr[A->nrows], (long long)A->nnz);
  for (bf_int i = 0; i < A->nrows; i++) {
    BF_CHECK(ptr[i] <= ptr[i + 1] && ptr[i + 1] <= A->nnz, BF_E_ARG, "row %d has no end", (int)i);
    for (int64_t p = ptr[i]; p < ptr[i + 1]; p++) {
      BF_CHECK(col[p] >= 0 && col[p] < A->nrows, BF_E_ARG, "row %d: column %d", (int)i, (int)col[p]);
      BF_CHECK(p == ptr[i] || col[p - 1] < col[p], BF_E_ARG, "columns of row %d do not ascend", (int)i);
    }
  }
  return BF_OK;
}

bf_err bf_csr_check(bf_backend *be, const bf_csr *A)
{
  bf_err err = BF_OK;
  void  *ptr = NULL, *col = NULL;
  BF_CHECK(A && A->ptr && A->nrows > 0 && A->nnz >= 0, BF_E_ARG, "null table");
  BF_GO(bf_fetch(be, A->ptr, (int64_t)A->nrows + 1, sizeof *A->ptr, &ptr));
  BF_GO(bf_fetch(be, A->col, A->nnz, sizeof *A->col, &col));
  BF_GO(check_rows(A, ptr, col));
done:
  bf_host_free(ptr);
  bf_host_free(col);
  return err;
}

bf_err bf_csr_to_dense(bf_backend *be, const bf_csr *A, double *a)
{
  bf_err        err = BF_OK;
  void         *ptr = NULL, *col = NULL, *val = NULL;
  const int64_t n = A->nrows;
  BF_GO(bf_fetch(be, A->ptr, n + 1, sizeof *A->ptr, &ptr));
  BF_GO(bf_fetch(be, A->col, A->nnz, sizeof *A->col, &col));
  BF_GO(bf_fetch(be, A->val, A->nnz, (size_t)bf_prec_bytes(A->prec), &val));
  for (int64_t i = 0; i < n; i++)
    for (int64_t p = ((const int64_t *)ptr)[i]; p < ((const int64_t *)ptr)[i + 1]; p++)
      a[i * n + ((const bf_int *)col)[p]] =
          A->prec == BF_FP32 ? (double)((const float *)val)[p] : ((const double *)val)[p];
done:
  bf_host_free(ptr);
  bf_host_free(col);
  bf_host_free(val);
  return err;
}
