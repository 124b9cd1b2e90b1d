/* kernels/matrix/convert.c - a matrix in any form from the host's compressed rows, and back: see matrix.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/matrix/storage.h"

const char *bf_format_word(bf_format format)
{
  static const char *const word[BF_FORMATS] = {"bdia", "csr", "csr16", "ell", "hyb", "dia", "coo", "hybrid"};
  return (int)format >= 0 && format < BF_FORMATS ? word[format] : "unknown";
}

static bf_err check_form(const bf_backend *be, const bf_sparse *S, const bf_matrix_form *form, int D)
{
  BF_CHECK((int)form->format >= 0 && form->format < BF_FORMATS, BF_E_ARG, "format %d", (int)form->format);
  BF_CHECK(S->nrows == S->ncols, BF_E_ARG, "a matrix of %d rows and %d columns is not square", (int)S->nrows,
           (int)S->ncols);
  BF_CHECK(D >= 1 && D <= 3 && S->nrows % D == 0, BF_E_ARG, "%d rows of nodes with %d components",
           (int)S->nrows, D);
  BF_TRY(bf_matrix_check_shape(be, S->nrows / D, D, form->prec));
  BF_CHECK(!form->half || form->format == BF_FORMAT_BDIA || form->format == BF_FORMAT_HYBRID, BF_E_ARG,
           "format %s has no symmetric half storage", bf_format_word(form->format));
  return BF_OK;
}

/* ---- from the host ---- */

typedef struct source { /* of a new matrix */
  bf_backend           *be;
  const bf_sparse      *S;
  const bf_matrix_form *form;
  int                   D;
} source;

static bf_err banded(const source *s, bf_matrix **out)
{
  bf_err     err = BF_OK;
  bf_bands  *b   = NULL;
  bf_matrix *A   = NULL;
  BF_GO(bf_bands_of_sparse(s->S, s->D, s->form->half, &b));
  BF_GO(bf_matrix_create_bdia(s->be, b, s->D, s->form->half, s->form->prec, s->S->nnz, &A));
  A->format = s->form->format;
  BF_GO(bf_bdia_put(s->be, A->bdia, s->S));
  *out = A;
  A    = NULL;
done:
  bf_bands_destroy(&b);
  bf_matrix_destroy(&A);
  return err;
}

static bf_err padded(const source *s, bf_matrix *A)
{
  bf_widths w;
  BF_TRY(bf_widths_count(A->nrows, s->S->ptr, 1, A->prec, &w));
  if (A->format == BF_FORMAT_ELL) {
    BF_TRY(bf_memory_refuse(s->be, bf_ell_bytes(w.longest, A->nrows, A->prec), "matrix"));
    return bf_ell_from_sparse(s->be, s->S, w.longest, A->prec, &A->ell);
  }
  BF_TRY(bf_memory_refuse(s->be, bf_ell_bytes(w.usual, A->nrows, A->prec) + bf_coo_bytes(w.beyond, A->prec),
                          "matrix"));
  BF_TRY(bf_ell_from_sparse(s->be, s->S, w.usual, A->prec, &A->ell));
  BF_TRY(bf_coo_from_sparse(s->be, s->S, w.usual, A->prec, &A->coo));
  return BF_OK;
}

/* Formats without bands. */
static bf_err by_rows(const source *s, bf_matrix **out)
{
  bf_err     err    = BF_OK;
  bf_matrix *A      = NULL;
  const int  narrow = s->form->format == BF_FORMAT_CSR16;
  BF_GO(BF_NEW(A));
  *A = (bf_matrix){.format = s->form->format,
                   .be     = s->be,
                   .nrows  = s->S->nrows,
                   .ncomp  = s->D,
                   .prec   = s->form->prec,
                   .nnz    = s->S->nnz};
  switch (A->format) {
  case BF_FORMAT_CSR:
  case BF_FORMAT_CSR16:
    BF_GO(bf_memory_refuse(s->be, bf_csr_bytes(A->nnz, A->nrows, A->prec) - (narrow ? 2 * A->nnz : 0),
                           "matrix"));
    BF_GO(bf_csr_from_sparse(s->be, s->S, narrow, A->prec, &A->csr));
    break;
  case BF_FORMAT_COO:
    BF_GO(bf_memory_refuse(s->be, bf_coo_bytes(A->nnz, A->prec), "matrix"));
    BF_GO(bf_coo_from_sparse(s->be, s->S, 0, A->prec, &A->coo));
    break;
  default: BF_GO(padded(s, A)); break;
  }
  *out = A;
  A    = NULL;
done:
  bf_matrix_destroy(&A);
  return err;
}

bf_err bf_matrix_from_sparse(bf_backend *be, const bf_sparse *S, const bf_matrix_form *form, bf_matrix **out)
{
  BF_CHECK(S && form && out, BF_E_ARG, "null argument");
  *out           = NULL;
  const source s = {.be = be, .S = S, .form = form, .D = form->ncomp ? form->ncomp : 1};
  BF_TRY(bf_sparse_check(S));
  BF_TRY(check_form(be, S, form, s.D));
  if (form->half) BF_TRY(bf_sparse_symmetric(S));
  switch (form->format) {
  case BF_FORMAT_BDIA:
  case BF_FORMAT_DIA: BF_TRY(banded(&s, out)); break;
  case BF_FORMAT_HYBRID: BF_TRY(bf_hybrid_from_sparse(be, S, form, s.D, out)); break;
  default: BF_TRY(by_rows(&s, out)); break;
  }
  return BF_OK;
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
  bf_err     err   = BF_OK;
  bf_sparse *first = NULL, *second = NULL;
  BF_CHECK(A && out, BF_E_ARG, "null argument");
  *out = NULL;
  if (A->bdia) BF_GO(bf_bdia_to_sparse(A->be, A->bdia, &first));
  if (A->csr) BF_GO(bf_csr_to_sparse(A->be, A->csr, &first));
  if (A->ell) BF_GO(bf_ell_to_sparse(A->be, A->ell, &first));
  if (A->coo) BF_GO(bf_coo_to_sparse(A->be, A->coo, first ? &second : &first));
  if (A->rest) BF_GO(bf_rest_to_sparse(A->be, A->rest, &second));
  BF_NEED(first, BF_E_ARG, "a matrix without a stored part");
  if (second)
    BF_GO(merge(first, second, A->rest != NULL, out));
  else {
    *out  = first;
    first = NULL;
  }
done:
  bf_sparse_destroy(&first);
  bf_sparse_destroy(&second);
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
