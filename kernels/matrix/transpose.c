/* kernels/matrix/transpose.c - see transpose.h: arguments checked, then the backend's work */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/transpose.h"
#include "base/memory.h"
#include "kernels/matrix/storage.h"

bf_err bf_dense_transpose(bf_backend *be, bf_int nrows, bf_int ncols, const double *a, double *t)
{
  BF_CHECK(be && nrows >= 0 && ncols >= 0, BF_E_ARG, "dense transpose of %d x %d", (int)nrows, (int)ncols);
  if (nrows == 0 || ncols == 0) return BF_OK;
  BF_CHECK(a && t && a != t, BF_E_ARG, "null argument, or the transpose in place of the matrix");
  BF_TRY(BF_OP(be, convert.dense_transpose, nrows, ncols, a, t));
  return BF_OK;
}

static bf_err check_shape(const bf_backend *be, bf_int nrows, bf_int ncols, int64_t nnz, bf_prec prec)
{
  BF_CHECK(be, BF_E_ARG, "no backend");
  BF_CHECK(nrows >= 0 && ncols >= 0 && nnz >= 0, BF_E_ARG, "%d x %d with %lld entries", (int)nrows,
           (int)ncols, (long long)nnz);
  BF_CHECK(nnz == 0 || (nrows > 0 && ncols > 0), BF_E_ARG, "%lld entries in %d x %d", (long long)nnz,
           (int)nrows, (int)ncols);
  BF_CHECK(prec == BF_FP64 || prec == BF_FP32, BF_E_ARG, "precision %d", (int)prec);
  return BF_OK;
}

bf_err bf_csr_transpose(bf_backend *be, const bf_csr_arrays *A, bf_csr_arrays *T)
{
  BF_CHECK(A && T && A != T && A->ptr && T->ptr && A->ptr != T->ptr, BF_E_ARG, "null argument or in place");
  BF_TRY(check_shape(be, A->nrows, A->ncols, A->nnz, A->prec));
  T->nrows = A->ncols;
  T->ncols = A->nrows;
  T->nnz   = A->nnz;
  T->prec  = A->prec;
  if (A->nnz == 0) return be->ops.zero(be, T->ptr, ((size_t)T->nrows + 1) * sizeof *T->ptr);
  BF_CHECK(A->col && A->val && T->col && T->val && A->col != T->col && A->val != T->val, BF_E_ARG,
           "null argument or in place");
  BF_TRY(BF_OP(be, convert.csr_transpose, A, T));
  return BF_OK;
}

void bf_coo_transpose(const bf_coo_arrays *A, bf_coo_arrays *T)
{
  *T = (bf_coo_arrays){.nrows = A->ncols,
                       .ncols = A->nrows,
                       .nnz   = A->nnz,
                       .prec  = A->prec,
                       .row   = A->col,
                       .col   = A->row,
                       .val   = A->val};
}

bf_err bf_coo_sort(bf_backend *be, const bf_coo_arrays *A, bf_coo_arrays *B)
{
  BF_CHECK(A && B && A != B, BF_E_ARG, "null argument or in place");
  BF_TRY(check_shape(be, A->nrows, A->ncols, A->nnz, A->prec));
  B->nrows = A->nrows;
  B->ncols = A->ncols;
  B->nnz   = A->nnz;
  B->prec  = A->prec;
  if (A->nnz == 0) return BF_OK;
  BF_CHECK(A->row && A->col && A->val && B->row && B->col && B->val && A->row != B->row && A->col != B->col &&
               A->val != B->val,
           BF_E_ARG, "null argument or in place");
  BF_TRY(BF_OP(be, convert.coo_sort, A, B));
  return BF_OK;
}

bf_err bf_coo_to_csr(bf_backend *be, const bf_coo_arrays *A, bf_csr_arrays *B)
{
  BF_CHECK(A && B && B->ptr, BF_E_ARG, "null argument");
  BF_TRY(check_shape(be, A->nrows, A->ncols, A->nnz, A->prec));
  B->nrows = A->nrows;
  B->ncols = A->ncols;
  B->nnz   = A->nnz;
  B->prec  = A->prec;
  if (A->nnz == 0) return be->ops.zero(be, B->ptr, ((size_t)B->nrows + 1) * sizeof *B->ptr);
  BF_CHECK(A->row && A->col && A->val && B->col && B->val && A->col != B->col && A->val != B->val, BF_E_ARG,
           "null argument or in place");
  BF_TRY(BF_OP(be, convert.coo_to_csr, A, B));
  return BF_OK;
}

/* Of another format: of its CSR copy, converted on the host */
static bf_err transpose_of_copy(const bf_matrix *A, bf_matrix **AT)
{
  const bf_matrix_form csr  = {.format = BF_FORMAT_CSR, .prec = A->prec};
  bf_matrix           *copy = NULL;
  BF_TRY(bf_matrix_convert(A, &csr, &copy));
  const bf_err err = bf_matrix_transpose(copy, AT);
  bf_matrix_destroy(&copy);
  BF_TRY(err);
  return BF_OK;
}

bf_err bf_matrix_transpose(const bf_matrix *A, bf_matrix **AT)
{
  bf_err     err = BF_OK;
  bf_matrix *T   = NULL;
  BF_CHECK(A && AT, BF_E_ARG, "null argument");
  *AT = NULL;
  if (A->format != BF_FORMAT_CSR) return transpose_of_copy(A, AT);
  BF_TRY(bf_memory_refuse(A->be, bf_matrix_bytes(A), "transpose of the matrix"));
  BF_GO(BF_NEW(T));
  *T     = *A;
  T->csr = NULL;
  BF_GO(bf_csr_new(A->be, A->nrows, A->csr->nnz, 0, A->csr->prec, &T->csr));
  const bf_csr_arrays from = bf_csr_arrays_of(A);
  bf_csr_arrays       to   = {.ptr = T->csr->ptr, .col = T->csr->col, .val = T->csr->val};
  BF_GO(bf_csr_transpose(A->be, &from, &to));
  *AT = T;
  T   = NULL;
done:
  bf_matrix_destroy(&T);
  return err;
}
