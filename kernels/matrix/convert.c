/* kernels/matrix/convert.c - a matrix in any form from the host's compressed rows, and back: see matrix.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/matrix/format.h"
#include "kernels/matrix/storage.h"

static bf_err check_form(const bf_backend *be, const bf_sparse *S, const bf_matrix_form *form, int D)
{
  BF_CHECK((int)form->format >= 0 && form->format < BF_FORMATS, BF_E_ARG, "format %d", (int)form->format);
  BF_CHECK(S->nrows == S->ncols, BF_E_ARG, "a matrix of %d rows and %d columns is not square", (int)S->nrows,
           (int)S->ncols);
  BF_CHECK(D >= 1 && D <= 3 && S->nrows % D == 0, BF_E_ARG, "%d rows of nodes with %d components",
           (int)S->nrows, D);
  BF_TRY(bf_matrix_check_shape(be, S->nrows / D, D, form->prec));
  BF_CHECK(!form->half || bf_format_of(form->format)->half, BF_E_ARG,
           "format %s has no symmetric half storage", bf_format_word(form->format));
  return BF_OK;
}

/* ---- from the host ---- */

bf_err bf_matrix_from_sparse(bf_backend *be, const bf_sparse *S, const bf_matrix_form *form, bf_matrix **out)
{
  bf_err     err = BF_OK;
  bf_matrix *A   = NULL;
  BF_CHECK(S && form && out, BF_E_ARG, "null argument");
  *out        = NULL;
  const int D = form->ncomp ? form->ncomp : 1;
  BF_TRY(bf_sparse_check(S));
  BF_TRY(check_form(be, S, form, D));
  if (form->half) BF_TRY(bf_sparse_symmetric(S));
  BF_GO(bf_matrix_new(be, form->format, S->nrows, D, form->prec, S->nnz, &A));
  BF_GO(bf_format_of(form->format)->from_sparse(A, S, form->half));
  *out = A;
  A    = NULL;
done:
  bf_matrix_destroy(&A);
  return err;
}

/* ---- to the host ---- */

/* C = A + B, no entry in both.  Zeros of a remainder only fill its blocks: `drop` leaves those of B out. */
static bf_err merge(const bf_sparse *A, const bf_sparse *B, int drop, bf_sparse **out)
{
  bf_sparse *C  = NULL;
  int64_t    at = 0;
  *out          = NULL;
  BF_TRY(bf_sparse_create(A->nrows, A->ncols, A->nnz + B->nnz, &C));
  for (bf_int i = 0; i < A->nrows; i++) {
    int64_t p = A->ptr[i], q = B->ptr[i];
    while (p < A->ptr[i + 1] || q < B->ptr[i + 1]) {
      const int first = q == B->ptr[i + 1] || (p < A->ptr[i + 1] && A->col[p] < B->col[q]);
      C->col[at]      = first ? A->col[p] : B->col[q];
      C->val[at]      = first ? A->val[p] : B->val[q];
      at += first || !drop || !(B->val[q] == 0.0);
      p += first;
      q += !first;
    }
    C->ptr[i + 1] = at;
  }
  C->nnz = at;
  *out   = C;
  return BF_OK;
}

bf_err bf_matrix_to_sparse(const bf_matrix *A, bf_sparse **out)
{
  bf_err     err = BF_OK;
  bf_sparse *sum = NULL, *part = NULL, *both = NULL;
  BF_CHECK(A && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_FOR_PARTS(A)
  {
    BF_GO(bf_parts[k]->to_sparse(A, &part));
    if (sum) {
      BF_GO(merge(sum, part, bf_parts[k]->diagonals == BF_DIAGONAL_NONE, &both));
      bf_sparse_destroy(&sum);
      bf_sparse_destroy(&part);
    } else {
      both = part;
      part = NULL;
    }
    sum  = both;
    both = NULL;
  }
  BF_NEED(sum, BF_E_ARG, "a matrix without a stored part");
  *out = sum;
  sum  = NULL;
done:
  bf_sparse_destroy(&sum);
  bf_sparse_destroy(&part);
  return err;
}

bf_err bf_matrix_to_dense(const bf_matrix *A, double *a)
{
  bf_sparse *S = NULL;
  BF_CHECK(A && a, BF_E_ARG, "null argument");
  const size_t n = (size_t)A->nrows;
  BF_TRY(bf_matrix_to_sparse(A, &S));
  for (size_t i = 0; i < n * n; i++) a[i] = 0.0;
  for (size_t i = 0; i < n; i++)
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) a[i * n + (size_t)S->col[p]] = S->val[p];
  bf_sparse_destroy(&S);
  return BF_OK;
}

bf_err bf_matrix_convert(const bf_matrix *A, const bf_matrix_form *form, bf_matrix **out)
{
  bf_sparse *S = NULL;
  BF_CHECK(A && form && out, BF_E_ARG, "null argument");
  bf_matrix_form f = *form;
  if (!f.ncomp) f.ncomp = A->ncomp;
  *out = NULL;
  BF_TRY(bf_matrix_to_sparse(A, &S));
  const bf_err err = bf_matrix_from_sparse(A->be, S, &f, out);
  bf_sparse_destroy(&S);
  BF_TRY(err);
  return BF_OK;
}
