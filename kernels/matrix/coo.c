/* kernels/matrix/coo.c - COO storage: row, column, value, sorted; a matrix, or the entries of HYB outside
 * its ELL part
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/matrix/format.h"
#include "kernels/matrix/storage.h"

bf_err bf_coo_from_sparse(bf_backend *be, const bf_sparse *S, bf_int skip, bf_prec prec, bf_coo **out)
{
  bf_err  err = BF_OK;
  bf_coo *A   = NULL;
  bf_int *row = NULL, *col = NULL;
  double *val = NULL;
  void   *p   = NULL;
  int64_t n   = 0;
  *out        = NULL;
  for (bf_int i = 0; i < S->nrows; i++) {
    const int64_t left = S->ptr[i + 1] - S->ptr[i] - skip;
    n += left > 0 ? left : 0;
  }
  BF_GO(BF_NEW(A));
  BF_GO(BF_NEW_ARRAY(row, n));
  BF_GO(BF_NEW_ARRAY(col, n));
  BF_GO(BF_NEW_ARRAY(val, n));
  n = 0;
  for (bf_int i = 0; i < S->nrows; i++)
    for (int64_t k = S->ptr[i] + skip; k < S->ptr[i + 1]; k++, n++) {
      row[n] = i;
      col[n] = S->col[k];
      val[n] = S->val[k];
    }
  *A = (bf_coo){.nrows = S->nrows, .nnz = n, .prec = prec};
  BF_GO(bf_alloc_copy(be, row, n, sizeof *row, &p));
  A->row = p;
  BF_GO(bf_alloc_copy(be, col, n, sizeof *col, &p));
  A->col = p;
  BF_GO(bf_values_put(be, n, val, prec, &A->val));
  BF_GO(be->ops.sync(be)); /* the host arrays are released below */
  *out = A;
  A    = NULL;
done:
  bf_host_free(row);
  bf_host_free(col);
  bf_host_free(val);
  bf_coo_destroy(be, &A);
  return err;
}

bf_err bf_coo_to_fp32(bf_backend *be, const bf_coo *A, bf_coo **out)
{
  bf_err  err = BF_OK;
  bf_coo *B   = NULL;
  void   *p   = NULL;
  *out        = NULL;
  BF_GO(BF_NEW(B));
  *B = (bf_coo){.nrows = A->nrows, .nnz = A->nnz, .prec = BF_FP32};
  BF_GO(bf_alloc_same(be, A->row, A->nnz, sizeof *A->row, &p));
  B->row = p;
  BF_GO(bf_alloc_same(be, A->col, A->nnz, sizeof *A->col, &p));
  B->col = p;
  BF_GO(bf_values_to_fp32(be, A->val, A->nnz, &B->val));
  *out = B;
  B    = NULL;
done:
  bf_coo_destroy(be, &B);
  return err;
}

void bf_coo_destroy(bf_backend *be, bf_coo **A)
{
  if (!A || !*A) return;
  be->ops.release(be, (*A)->row);
  be->ops.release(be, (*A)->col);
  be->ops.release(be, (*A)->val);
  bf_host_free(*A);
  *A = NULL;
}

bf_err bf_coo_to_sparse(bf_backend *be, const bf_coo *A, bf_sparse **out)
{
  bf_err     err = BF_OK;
  bf_sparse *S   = NULL;
  void      *row = NULL;
  *out           = NULL;
  BF_GO(bf_sparse_create(A->nrows, A->nrows, A->nnz, &S));
  BF_GO(bf_fetch(be, A->row, A->nnz, sizeof *A->row, &row));
  BF_GO(be->ops.copy(be, S->col, A->col, (size_t)A->nnz * sizeof *A->col, BF_TO_HOST));
  BF_GO(bf_values_get(be, A->nnz, A->val, A->prec, S->val));
  const bf_int *r = row;
  for (int64_t k = 0; k < A->nnz; k++) {
    BF_NEED(r[k] >= 0 && r[k] < A->nrows && (k == 0 || r[k - 1] <= r[k]), BF_E_ARG,
            "entry %lld: row %d out of order or range", (long long)k, (int)r[k]);
    S->ptr[r[k] + 1]++;
  }
  for (bf_int i = 0; i < A->nrows; i++) S->ptr[i + 1] += S->ptr[i];
  *out = S;
  S    = NULL;
done:
  bf_host_free(row);
  bf_sparse_destroy(&S);
  return err;
}

bf_err bf_coo_check(bf_backend *be, const bf_coo *A)
{
  bf_sparse *S = NULL;
  BF_CHECK(A && A->row && A->col && A->val && A->nrows > 0 && A->nnz >= 0, BF_E_ARG, "null table");
  BF_TRY(bf_coo_to_sparse(be, A, &S));
  const bf_err err = bf_sparse_check(S);
  bf_sparse_destroy(&S);
  BF_TRY(err);
  return BF_OK;
}

/* ---- the part ---- */

static bf_part_size size(const bf_matrix *A)
{
  const bf_coo *B     = A->coo;
  const int64_t bytes = bf_coo_bytes(B->nnz, B->prec);
  return (bf_part_size){.nrows   = B->nrows,
                        .prec    = B->prec,
                        .entries = B->nnz,
                        .values  = B->nnz,
                        .bytes   = bytes,
                        .product = bytes};
}

static bf_err longest(const bf_matrix *A, int64_t *most)
{
  const bf_coo *B = A->coo;
  void         *p = NULL;
  *most           = 0;
  BF_TRY(bf_fetch(A->be, B->row, B->nnz, sizeof *B->row, &p));
  const bf_int *row = p;
  for (int64_t q = 0, n = 0; q < B->nnz; q++) {
    n = q > 0 && row[q] == row[q - 1] ? n + 1 : 1;
    if (n > *most) *most = n;
  }
  bf_host_free(p);
  return BF_OK;
}

BF_PART_FUNCTIONS(coo)

const bf_part bf_coo_part = {.name      = "coo",
                             .diagonals = BF_DIAGONAL_LISTED,
                             .size      = size,
                             .check     = check,
                             .to_sparse = to_sparse,
                             .to_fp32   = to_fp32,
                             .longest   = longest,
                             .destroy   = destroy};

/* ---- the format ---- */

static bf_why_not fits(const bf_layout *L)
{
  (void)L;
  return BF_FITS;
}

static bf_err cost(const bf_layout *L, int half, bf_prec prec, bf_format_cost *out)
{
  (void)half;
  *out =
      (bf_format_cost){bf_coo_bytes(L->nnz, prec), bf_coo_product_bytes(L->nnz, L->nrows * L->ncomp, prec)};
  return BF_OK;
}

static bf_err from_sparse(bf_matrix *A, const bf_sparse *S, int half)
{
  (void)half;
  BF_TRY(bf_memory_refuse(A->be, bf_coo_bytes(A->nnz, A->prec), "matrix"));
  return bf_coo_from_sparse(A->be, S, 0, A->prec, &A->coo);
}

const bf_format_ops bf_coo_format = {.word        = "coo",
                                     .parts       = 1U << BF_PART_coo,
                                     .fits        = fits,
                                     .cost        = cost,
                                     .from_sparse = from_sparse,
                                     .rate        = {{1e-6, 20e9, 0.0, 0}, {6.0e-6, 2.50e12, 0.0, 0}}};
