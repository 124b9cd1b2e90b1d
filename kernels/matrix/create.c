/* kernels/matrix/create.c - zero matrices of a pattern, and the table of formats */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/matrix/format.h"
#include "kernels/matrix/storage.h"

/* ---- formats ---- */

#define FORMAT(word, NAME) &bf_##word##_format,
static const bf_format_ops *const formats[BF_FORMATS] = {BF_FORMAT_LIST(FORMAT)};
#undef FORMAT

const bf_format_ops *bf_format_of(bf_format format)
{
  return formats[format];
}

const char *bf_format_word(bf_format format)
{
  return (int)format >= 0 && format < BF_FORMATS ? formats[format]->word : "unknown";
}

bf_err bf_matrix_check_shape(const bf_backend *be, int64_t nrows, int ncomp, bf_prec prec)
{
  BF_CHECK(be, BF_E_ARG, "no backend");
  BF_CHECK(ncomp >= 1 && ncomp <= 3, BF_E_ARG, "%d components of a node: 1, 2 or 3", ncomp);
  BF_CHECK(nrows >= 1 && nrows * ncomp <= INT32_MAX - 64, BF_E_ARG, "%lld node rows of %d components",
           (long long)nrows, ncomp);
  BF_CHECK(prec == BF_FP64 || prec == BF_FP32, BF_E_ARG, "precision %d", (int)prec);
  return BF_OK;
}

/* ---- zero matrices ---- */

bf_err bf_matrix_new(bf_backend *be, bf_format format, bf_int nrows, int ncomp, bf_prec prec, int64_t nnz,
                     bf_matrix **out)
{
  *out = NULL;
  BF_TRY(BF_NEW(*out));
  **out = (bf_matrix){.format = format, .be = be, .nrows = nrows, .ncomp = ncomp, .prec = prec, .nnz = nnz};
  return BF_OK;
}

bf_err bf_matrix_create(bf_backend *be, bf_format format, const bf_layout *L, int half, bf_prec prec,
                        bf_matrix **out)
{
  bf_err     err = BF_OK;
  bf_matrix *A   = NULL;
  BF_CHECK(L && out && (int)format >= 0 && format < BF_FORMATS, BF_E_ARG, "null argument or no format");
  *out                   = NULL;
  const bf_format_ops *f = bf_format_of(format);
  BF_CHECK(f->create, BF_E_ARG, "format %s is not assembled but converted to", f->word);
  BF_CHECK(f->bands ? L->bands != NULL : L->graph != NULL, BF_E_ARG, "null argument");
  BF_CHECK(!half || f->half, BF_E_ARG, "format %s has no symmetric half storage", f->word);
  BF_TRY(bf_matrix_check_shape(be, L->nrows, L->ncomp, prec));
  if (f->bands)
    BF_TRY(bf_bands_check(L->bands));
  else
    BF_TRY(bf_graph_check(L->graph));
  BF_GO(bf_matrix_new(be, format, L->nrows * L->ncomp, L->ncomp, prec, L->nnz, &A));
  BF_GO(f->create(A, L, half));
  *out = A;
  A    = NULL;
done:
  bf_matrix_destroy(&A);
  return err;
}

int bf_format_takes_elements(bf_format format)
{
  return bf_format_of(format)->elements;
}

bf_err bf_matrix_create_bdia(bf_backend *be, const bf_bands *b, int ncomp, int half, bf_prec prec,
                             int64_t nnz, bf_matrix **out)
{
  BF_CHECK(b, BF_E_ARG, "null argument");
  const bf_layout L = {.nrows = b->nrows, .ncomp = ncomp, .nnz = nnz, .bands = b};
  return bf_matrix_create(be, BF_FORMAT_BDIA, &L, half, prec, out);
}

bf_err bf_matrix_create_dia(bf_backend *be, const bf_bands *b, int ncomp, bf_prec prec, int64_t nnz,
                            bf_matrix **out)
{
  BF_CHECK(b, BF_E_ARG, "null argument");
  const bf_layout L = {.nrows = b->nrows, .ncomp = ncomp, .nnz = nnz, .bands = b};
  return bf_matrix_create(be, BF_FORMAT_DIA, &L, 0, prec, out);
}

bf_err bf_matrix_create_hybrid(bf_backend *be, const bf_bands *b, const bf_graph *rest, int ncomp, int half,
                               bf_prec prec, int64_t nnz, bf_matrix **out)
{
  BF_CHECK(b && rest, BF_E_ARG, "null argument");
  const bf_layout L = {.nrows = b->nrows, .ncomp = ncomp, .nnz = nnz, .bands = b, .rest = rest};
  return bf_matrix_create(be, BF_FORMAT_HYBRID, &L, half, prec, out);
}

static bf_err of_graph(bf_backend *be, bf_format format, const bf_graph *g, int ncomp, bf_prec prec,
                       bf_matrix **out)
{
  BF_CHECK(g, BF_E_ARG, "null argument");
  const bf_layout L = {.nrows = g->n, .ncomp = ncomp, .nnz = g->ptr[g->n] * ncomp * ncomp, .graph = g};
  return bf_matrix_create(be, format, &L, 0, prec, out);
}

bf_err bf_matrix_create_csr(bf_backend *be, const bf_graph *pattern, int ncomp, bf_prec prec, bf_matrix **out)
{
  return of_graph(be, BF_FORMAT_CSR, pattern, ncomp, prec, out);
}

bf_err bf_matrix_create_csr16(bf_backend *be, const bf_graph *pattern, int ncomp, bf_prec prec,
                              bf_matrix **out)
{
  return of_graph(be, BF_FORMAT_CSR16, pattern, ncomp, prec, out);
}
