/* kernels/convert.c - a matrix in any form from the host's compressed rows, and back: see matrix.h */
#include "base/memory.h"
#include "kernels/storage.h"

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

static bf_err banded(bf_backend *be, const bf_sparse *S, const bf_matrix_form *form, int D, bf_matrix **out)
{
  bf_err     err = BF_OK;
  bf_bands  *b   = NULL;
  bf_matrix *A   = NULL;
  if (form->half) BF_TRY(bf_sparse_symmetric(S));
  BF_GO(bf_bands_of_sparse(S, D, form->half, &b));
  BF_GO(bf_matrix_create_bdia(be, b, D, form->half, form->prec, S->nnz, &A));
  A->format = form->format;
  BF_GO(bf_bdia_put(be, A->bdia, S));
  *out = A;
  A    = NULL;
done:
  bf_bands_destroy(&b);
  bf_matrix_destroy(&A);
  return err;
}

static bf_err compressed(bf_backend *be, const bf_sparse *S, const bf_matrix_form *form, int D,
                         bf_matrix **out)
{
  bf_err     err = BF_OK;
  bf_matrix *A   = NULL;
  BF_TRY(bf_memory_refuse(be, bf_csr_bytes(S->nnz, S->nrows, form->prec), "matrix"));
  BF_GO(BF_NEW(A));
  A->format = form->format;
  A->be     = be;
  A->nrows  = S->nrows;
  A->ncomp  = D;
  A->prec   = form->prec;
  A->nnz    = S->nnz;
  BF_GO(bf_csr_from_sparse(be, S, form->prec, &A->csr));
  *out = A;
  A    = NULL;
done:
  bf_matrix_destroy(&A);
  return err;
}

bf_err bf_matrix_from_sparse(bf_backend *be, const bf_sparse *S, const bf_matrix_form *form, bf_matrix **out)
{
  BF_CHECK(S && form && out, BF_E_ARG, "null argument");
  *out        = NULL;
  const int D = form->ncomp ? form->ncomp : 1;
  BF_TRY(bf_sparse_check(S));
  BF_TRY(check_form(be, S, form, D));
  switch (form->format) {
  case BF_FORMAT_BDIA:
  case BF_FORMAT_DIA: BF_TRY(banded(be, S, form, D, out)); break;
  case BF_FORMAT_CSR: BF_TRY(compressed(be, S, form, D, out)); break;
  default: return BF_FAIL(BF_E_UNSUPPORTED, "no matrix in format %s", bf_format_word(form->format));
  }
  return BF_OK;
}

bf_err bf_matrix_to_sparse(const bf_matrix *A, bf_sparse **out)
{
  BF_CHECK(A && out, BF_E_ARG, "null argument");
  BF_TRY(A->bdia ? bf_bdia_to_sparse(A->be, A->bdia, out) : bf_csr_to_sparse(A->be, A->csr, out));
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
