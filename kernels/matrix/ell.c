/* kernels/matrix/ell.c - ELL storage: every row as long as the longest, entry by entry; layout in matrix.h
 *
 * Also the first part of HYB, whose rows stop at `width` entries.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/matrix/format.h"
#include "kernels/matrix/storage.h"

/* Indices as stored, -1 where a row has no entry k; values likewise, 0 there. */
static int64_t fill(const bf_sparse *S, bf_int width, int64_t ld, bf_int *col, double *val)
{
  int64_t nnz = 0;
  for (int64_t k = 0; k < width * ld; k++) col[k] = -1;
  for (bf_int i = 0; i < S->nrows; i++) {
    const int64_t length = S->ptr[i + 1] - S->ptr[i], m = length < width ? length : width;
    for (int64_t k = 0; k < m; k++) {
      col[k * ld + i] = S->col[S->ptr[i] + k];
      val[k * ld + i] = S->val[S->ptr[i] + k];
    }
    nnz += m;
  }
  return nnz;
}

bf_err bf_ell_from_sparse(bf_backend *be, const bf_sparse *S, bf_int width, bf_prec prec, bf_ell **out)
{
  bf_err        err = BF_OK;
  bf_ell       *A   = NULL;
  bf_int       *col = NULL;
  double       *val = NULL;
  void         *p   = NULL;
  const int64_t ld = bf_ell_ld(S->nrows), n = ld * width;
  *out = NULL;
  BF_GO(BF_NEW(A));
  BF_GO(BF_NEW_ARRAY(col, n));
  BF_GO(BF_NEW_ARRAY(val, n));
  *A     = (bf_ell){.nrows = S->nrows, .width = width, .ld = ld, .prec = prec};
  A->nnz = fill(S, width, ld, col, val);
  BF_GO(bf_alloc_copy(be, col, n, sizeof *col, &p));
  A->col = p;
  BF_GO(bf_values_put(be, n, val, prec, &A->val));
  BF_GO(be->ops.sync(be)); /* the host arrays are released below */
  *out = A;
  A    = NULL;
done:
  bf_host_free(col);
  bf_host_free(val);
  bf_ell_destroy(be, &A);
  return err;
}

bf_err bf_ell_to_fp32(bf_backend *be, const bf_ell *A, bf_ell **out)
{
  bf_err        err = BF_OK;
  bf_ell       *B   = NULL;
  void         *p   = NULL;
  const int64_t n   = A->width * A->ld;
  *out              = NULL;
  BF_GO(BF_NEW(B));
  *B = (bf_ell){.nrows = A->nrows, .width = A->width, .ld = A->ld, .nnz = A->nnz, .prec = BF_FP32};
  BF_GO(bf_alloc_same(be, A->col, n, sizeof *A->col, &p));
  B->col = p;
  BF_GO(bf_values_to_fp32(be, A->val, n, &B->val));
  *out = B;
  B    = NULL;
done:
  bf_ell_destroy(be, &B);
  return err;
}

void bf_ell_destroy(bf_backend *be, bf_ell **A)
{
  if (!A || !*A) return;
  be->ops.release(be, (*A)->col);
  be->ops.release(be, (*A)->val);
  bf_host_free(*A);
  *A = NULL;
}

bf_err bf_ell_to_sparse(bf_backend *be, const bf_ell *A, bf_sparse **out)
{
  bf_err        err = BF_OK;
  bf_sparse    *S   = NULL;
  bf_int       *col = NULL;
  double       *val = NULL;
  const int64_t n   = A->width * A->ld;
  int64_t       at  = 0;
  *out              = NULL;
  BF_GO(BF_NEW_ARRAY(col, n));
  BF_GO(BF_NEW_ARRAY(val, n));
  BF_GO(be->ops.copy(be, col, A->col, (size_t)n * sizeof *col, BF_TO_HOST));
  BF_GO(bf_values_get(be, n, A->val, A->prec, val));
  for (int64_t k = 0; k < n; k++) at += col[k] >= 0;
  BF_NEED(at == A->nnz, BF_E_ARG, "%lld entries of %lld", (long long)at, (long long)A->nnz);
  BF_GO(bf_sparse_create(A->nrows, A->nrows, A->nnz, &S));
  at = 0;
  for (bf_int i = 0; i < A->nrows; i++) {
    for (int64_t k = i; k < n && col[k] >= 0; k += A->ld, at++) {
      S->col[at] = col[k];
      S->val[at] = val[k];
    }
    S->ptr[i + 1] = at;
  }
  BF_NEED(at == A->nnz, BF_E_ARG, "entries after the end of a row, or in rows of the padding");
  *out = S;
  S    = NULL;
done:
  bf_host_free(col);
  bf_host_free(val);
  bf_sparse_destroy(&S);
  return err;
}

bf_err bf_ell_check(bf_backend *be, const bf_ell *A)
{
  bf_sparse *S = NULL;
  BF_CHECK(A && A->col && A->val && A->nrows > 0 && A->width >= 0, BF_E_ARG, "null table");
  BF_CHECK(A->ld == bf_ell_ld(A->nrows), BF_E_ARG, "leading dimension %lld", (long long)A->ld);
  BF_TRY(bf_ell_to_sparse(be, A, &S));
  const bf_err err = bf_sparse_check(S);
  bf_sparse_destroy(&S);
  BF_TRY(err);
  return BF_OK;
}

/* ---- the part ---- */

static bf_part_size size(const bf_matrix *A)
{
  const bf_ell *B     = A->ell;
  const int64_t bytes = bf_ell_bytes(B->width, B->nrows, B->prec);
  return (bf_part_size){.nrows   = B->nrows,
                        .prec    = B->prec,
                        .entries = B->nnz,
                        .values  = B->width * B->ld,
                        .bytes   = bytes,
                        .product = bytes};
}

static bf_err longest(const bf_matrix *A, int64_t *most)
{
  *most = A->ell->width;
  return BF_OK;
}

BF_PART_FUNCTIONS(ell)

const bf_part bf_ell_part = {.name      = "ell",
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
  (void)L;
  return BF_FITS;
}

/* The matrix is fp64 first: its widths are also those of the fp32 copy. */
static bf_err cost(const bf_layout *L, int half, bf_prec prec, bf_format_cost *out)
{
  const bf_int n = L->nrows * L->ncomp;
  bf_widths    w;
  (void)half;
  BF_TRY(bf_widths_count(L->nrows, L->graph->ptr, L->ncomp, BF_FP64, &w));
  *out = (bf_format_cost){bf_ell_bytes(w.longest, n, prec), bf_ell_product_bytes(w.longest, n, prec)};
  return BF_OK;
}

static bf_err cost_hyb(const bf_layout *L, int half, bf_prec prec, bf_format_cost *out)
{
  const bf_int n = L->nrows * L->ncomp;
  bf_widths    w;
  (void)half;
  BF_TRY(bf_widths_count(L->nrows, L->graph->ptr, L->ncomp, BF_FP64, &w));
  const int64_t coo = bf_coo_bytes(w.beyond, prec);
  *out = (bf_format_cost){bf_ell_bytes(w.usual, n, prec) + coo, bf_ell_product_bytes(w.usual, n, prec) + coo};
  return BF_OK;
}

static bf_err from_sparse(bf_matrix *A, const bf_sparse *S, int half)
{
  bf_widths w;
  (void)half;
  BF_TRY(bf_widths_count(A->nrows, S->ptr, 1, A->prec, &w));
  BF_TRY(bf_memory_refuse(A->be, bf_ell_bytes(w.longest, A->nrows, A->prec), "matrix"));
  return bf_ell_from_sparse(A->be, S, w.longest, A->prec, &A->ell);
}

static bf_err from_sparse_hyb(bf_matrix *A, const bf_sparse *S, int half)
{
  bf_widths w;
  (void)half;
  BF_TRY(bf_widths_count(A->nrows, S->ptr, 1, A->prec, &w));
  BF_TRY(bf_memory_refuse(A->be, bf_ell_bytes(w.usual, A->nrows, A->prec) + bf_coo_bytes(w.beyond, A->prec),
                          "matrix"));
  BF_TRY(bf_ell_from_sparse(A->be, S, w.usual, A->prec, &A->ell));
  return bf_coo_from_sparse(A->be, S, w.usual, A->prec, &A->coo);
}

const bf_format_ops bf_ell_format = {.word        = "ell",
                                     .parts       = 1U << BF_PART_ell,
                                     .pattern     = 1,
                                     .fits        = fits,
                                     .cost        = cost,
                                     .from_sparse = from_sparse,
                                     .rate        = {{1e-6, 20e9, 0.0, 0}, {6.0e-6, 2.50e12, 0.0, 0}}};

const bf_format_ops bf_hyb_format = {.word        = "hyb",
                                     .parts       = 1U << BF_PART_ell | 1U << BF_PART_coo,
                                     .pattern     = 1,
                                     .fits        = fits,
                                     .cost        = cost_hyb,
                                     .from_sparse = from_sparse_hyb,
                                     .rate        = {{1e-6, 20e9, 0.0, 0}, {6.0e-6, 2.50e12, 0.0, 0}}};
