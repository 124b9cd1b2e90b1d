/* kernels/matrix/csr_format.c - the part csr, and the formats csr and csr16 that consist of it */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/format.h"
#include "kernels/matrix/storage.h"

/* ---- the part ---- */

static bf_part_size size(const bf_matrix *A)
{
  const bf_csr *B     = A->csr;
  const int64_t bytes = (B->rel ? bf_csr16_bytes : bf_csr_bytes)(B->nnz, B->nrows, B->prec);
  return (bf_part_size){.nrows   = B->nrows,
                        .prec    = B->prec,
                        .entries = B->nnz,
                        .values  = B->nnz,
                        .bytes   = bytes,
                        .product = bytes};
}

static bf_err longest(const bf_matrix *A, int64_t *most)
{
  return bf_longest_row(A->be, A->csr->ptr, A->csr->nrows, most);
}

BF_PART_FUNCTIONS(csr)

const bf_part bf_csr_part = {.name      = "csr",
                             .diagonals = BF_DIAGONAL_ALL,
                             .size      = size,
                             .check     = check,
                             .to_sparse = to_sparse,
                             .to_fp32   = to_fp32,
                             .longest   = longest,
                             .destroy   = destroy};

/* ---- the formats ---- */

static bf_why_not always(const bf_layout *L)
{
  (void)L;
  return BF_FITS;
}

static bf_why_not fits16(const bf_layout *L)
{
  return L->reach * L->ncomp + L->ncomp - 1 <= INT16_MAX - BF_CSR16_ROWS ? BF_FITS : BF_TOO_FAR;
}

static bf_err cost(const bf_layout *L, int half, bf_prec prec, bf_format_cost *out)
{
  const bf_int n = L->nrows * L->ncomp;
  (void)half;
  *out = (bf_format_cost){bf_csr_bytes(L->nnz, n, prec), bf_csr_product_bytes(L->nnz, n, prec)};
  return BF_OK;
}

static bf_err cost16(const bf_layout *L, int half, bf_prec prec, bf_format_cost *out)
{
  const bf_int n = L->nrows * L->ncomp;
  (void)half;
  *out = (bf_format_cost){bf_csr16_bytes(L->nnz, n, prec), bf_csr16_product_bytes(L->nnz, n, prec)};
  return BF_OK;
}

static int64_t bytes_of(const bf_matrix *A)
{
  return (A->format == BF_FORMAT_CSR16 ? bf_csr16_bytes : bf_csr_bytes)(A->nnz, A->nrows, A->prec);
}

static bf_err create(bf_matrix *A, const bf_layout *L, int half)
{
  const int narrow = A->format == BF_FORMAT_CSR16;
  (void)half;
  if (narrow) BF_TRY(bf_csr16_fits(L->graph, A->ncomp));
  /* the node pattern is on the backend too while the scalar one is made */
  const int64_t nodes = L->graph->ptr[L->nrows] * (int64_t)sizeof(bf_int) + ((int64_t)L->nrows + 1) * 8;
  BF_TRY(bf_memory_refuse(A->be, bytes_of(A) + nodes, "matrix"));
  return bf_csr_create(A->be, L->graph, A->ncomp, narrow, A->prec, &A->csr);
}

static bf_err from_sparse(bf_matrix *A, const bf_sparse *S, int half)
{
  (void)half;
  BF_TRY(bf_memory_refuse(A->be, bytes_of(A), "matrix"));
  return bf_csr_from_sparse(A->be, S, A->format == BF_FORMAT_CSR16, A->prec, &A->csr);
}

/* chunk: entries of a row, kernels/cuda/sparse/csr_spmv.cu */
const bf_format_ops bf_csr_format = {.word        = "csr",
                                     .parts       = 1U << BF_PART_csr,
                                     .elements    = 1,
                                     .automatic   = 1,
                                     .fits        = always,
                                     .cost        = cost,
                                     .create      = create,
                                     .from_sparse = from_sparse,
                                     .rate        = {{0.7e-6, 29e9, 0.0, 0}, {5.7e-6, 3.20e12, 0.0, 16}}};

const bf_format_ops bf_csr16_format = {.word        = "csr16",
                                       .parts       = 1U << BF_PART_csr,
                                       .elements    = 1,
                                       .automatic   = 1,
                                       .fits        = fits16,
                                       .cost        = cost16,
                                       .create      = create,
                                       .from_sparse = from_sparse,
                                       .rate        = {{0.7e-6, 25e9, 0.0, 0}, {5.4e-6, 2.90e12, 0.0, 16}}};
