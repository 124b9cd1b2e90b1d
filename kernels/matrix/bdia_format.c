/* kernels/matrix/bdia_format.c - the part bdia, and the formats bdia and dia that consist of it */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/format.h"
#include "kernels/matrix/storage.h"

/* ---- the part ---- */

static bf_part_size size(const bf_matrix *A)
{
  const bf_bdia     *B     = A->bdia;
  const bf_bdia_size z     = {.ndiag = B->ndiag, .nlower = B->nlower, .nvalues = B->nvalues, .pad = B->pad};
  const int64_t      D     = B->ncomp;
  int64_t            slots = 0;
  for (int s = 0; s < B->nseg; s++) slots += (int64_t)B->seg[s].nrows * B->seg[s].ndiag;
  return (bf_part_size){.nrows   = B->nrows * B->ncomp,
                        .prec    = B->prec,
                        .half    = B->half,
                        .entries = -1,
                        .values  = B->nvalues + 2 * B->pad,
                        .bytes   = bf_bdia_size_bytes(&z, B->nseg, B->prec),
                        .product = slots * D * D * bf_prec_bytes(B->prec)};
}

static bf_err longest(const bf_matrix *A, int64_t *most)
{
  const bf_bdia *B = A->bdia;
  *most            = 0;
  for (int s = 0; s < B->nseg; s++) {
    const int64_t row = (int64_t)(B->seg[s].ndiag + B->seg[s].nlower) * B->ncomp;
    if (row > *most) *most = row;
  }
  return BF_OK;
}

BF_PART_FUNCTIONS(bdia)

const bf_part bf_bdia_part = {.name      = "bdia",
                              .diagonals = BF_DIAGONAL_ALL,
                              .size      = size,
                              .check     = check,
                              .to_sparse = to_sparse,
                              .to_fp32   = to_fp32,
                              .longest   = longest,
                              .destroy   = destroy};

/* ---- the formats ---- */

static bf_why_not fits(const bf_layout *L)
{
  return L->bands ? BF_FITS : BF_TOO_MANY_DIAGONALS;
}

static bf_err cost(const bf_layout *L, int half, bf_prec prec, bf_format_cost *out)
{
  *out = (bf_format_cost){bf_bdia_bytes(L->bands, L->ncomp, half, prec),
                          bf_bdia_product_bytes(L->bands, L->ncomp, half, prec)};
  return BF_OK;
}

static bf_err create(bf_matrix *A, const bf_layout *L, int half)
{
  BF_CHECK(A->format != BF_FORMAT_DIA || L->bands->nseg == 1, BF_E_ARG,
           "format dia has one table of offsets for all rows");
  BF_TRY(bf_memory_refuse(A->be, bf_bdia_bytes(L->bands, A->ncomp, half, A->prec), "matrix"));
  BF_TRY(bf_bdia_create(A->be, L->bands, A->ncomp, half, A->prec, &A->bdia));
  A->guard = (bf_int)A->bdia->pad;
  return BF_OK;
}

static bf_err from_sparse(bf_matrix *A, const bf_sparse *S, int half)
{
  bf_err    err = BF_OK;
  bf_bands *b   = NULL;
  BF_GO(bf_bands_of_sparse(S, A->ncomp, half, &b));
  BF_GO(create(A, &(bf_layout){.ncomp = A->ncomp, .bands = b}, half));
  BF_GO(bf_bdia_put(A->be, A->bdia, S));
done:
  bf_bands_destroy(&b);
  return err;
}

const bf_format_ops bf_bdia_format = {.word        = "bdia",
                                      .parts       = 1U << BF_PART_bdia,
                                      .bands       = 1,
                                      .half        = 1,
                                      .elements    = 1,
                                      .automatic   = 1,
                                      .transposes  = 1,
                                      .fits        = fits,
                                      .cost        = cost,
                                      .create      = create,
                                      .from_sparse = from_sparse};

const bf_format_ops bf_dia_format = {.word        = "dia",
                                     .parts       = 1U << BF_PART_bdia,
                                     .bands       = 1,
                                     .elements    = 1,
                                     .transposes  = 1,
                                     .fits        = fits,
                                     .cost        = cost,
                                     .create      = create,
                                     .from_sparse = from_sparse};
