/* kernels/multigrid/block_rows.c - see block_rows.h: memory, checks, and the operations of the backend */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/multigrid/block_rows.h"
#include "base/memory.h"
#include "kernels/multigrid/aggregates.h"

static bf_err ops_of(const bf_backend *be, const bf_block_ops **ops)
{
  BF_CHECK(be->ops.mg_aggregates && be->ops.mg_aggregates->rows, BF_E_UNSUPPORTED,
           "backend %s has no block rows", be->ops.name);
  *ops = be->ops.mg_aggregates->rows;
  return BF_OK;
}

static size_t value_bytes(const bf_block_form *f)
{
  return (f->prec == BF_FP32 ? sizeof(float) : sizeof(double)) * (size_t)f->br * (size_t)f->bc;
}

static bf_err check_form(const bf_block_form *f)
{
  BF_CHECK(f->br >= 1 && f->br <= BF_BLOCK_ORDER && f->bc >= 1 && f->bc <= BF_BLOCK_ORDER, BF_E_ARG,
           "blocks of %d x %d; orders are 1 .. %d", f->br, f->bc, (int)BF_BLOCK_ORDER);
  BF_CHECK(f->nrows >= 0 && f->ncols >= 0 && (int64_t)f->nrows * f->br <= INT32_MAX &&
               (int64_t)f->ncols * f->bc <= INT32_MAX,
           BF_E_ARG, "%d x %d nodes of %d and %d unknowns", (int)f->nrows, (int)f->ncols, f->br, f->bc);
  return BF_OK;
}

/* The structure with its row pointers; col and val come when the number of blocks is known. */
static bf_err begin(bf_backend *be, const bf_block_form *form, bf_block_rows **out)
{
  bf_block_rows *A   = NULL;
  bf_err         err = BF_OK;
  BF_TRY(check_form(form));
  BF_TRY(BF_NEW(A));
  A->be   = be;
  A->form = *form;
  BF_GO(be->ops.alloc(be, ((size_t)form->nrows + 1) * sizeof *A->ptr, (void **)&A->ptr));
done:
  if (err != BF_OK) bf_block_rows_destroy(&A);
  *out = A;
  return err;
}

static bf_err reserve(bf_block_rows *A, int64_t nnz)
{
  bf_backend *be = A->be;
  BF_TRY(be->ops.alloc(be, (size_t)nnz * sizeof *A->col, (void **)&A->col));
  BF_TRY(be->ops.alloc(be, (size_t)nnz * value_bytes(&A->form), &A->val));
  A->nnz = nnz;
  return BF_OK;
}

bf_err bf_block_rows_create(bf_backend *be, const bf_block_form *form, int64_t nnz, bf_block_rows **out)
{
  bf_block_rows *A   = NULL;
  bf_err         err = BF_OK;
  *out               = NULL;
  BF_CHECK(be && form && nnz >= 0, BF_E_ARG, "null argument or %lld blocks", (long long)nnz);
  BF_TRY(begin(be, form, &A));
  BF_GO(reserve(A, nnz));
done:
  if (err != BF_OK) bf_block_rows_destroy(&A);
  *out = A;
  return err;
}

void bf_block_rows_destroy(bf_block_rows **A)
{
  if (!A || !*A) return;
  bf_backend *be = (*A)->be;
  be->ops.release(be, (*A)->ptr);
  be->ops.release(be, (*A)->col);
  be->ops.release(be, (*A)->val);
  bf_host_free(*A);
  *A = NULL;
}

int64_t bf_block_rows_bytes(const bf_block_rows *A)
{
  return ((int64_t)A->form.nrows + 1) * (int64_t)sizeof *A->ptr +
         A->nnz * ((int64_t)sizeof *A->col + (int64_t)value_bytes(&A->form));
}

bf_err bf_block_rows_from_host(bf_backend *be, const bf_block_form *form, const int64_t *ptr,
                               const bf_int *col, const double *val, bf_block_rows **out)
{
  bf_block_rows *A   = NULL;
  bf_err         err = BF_OK;
  *out               = NULL;
  BF_CHECK(be && form && ptr && ptr[0] == 0, BF_E_ARG, "null argument, or rows that do not begin at 0");
  BF_CHECK(form->prec == BF_FP64, BF_E_ARG, "host values are fp64");
  for (bf_int i = 0; i < form->nrows; i++) {
    BF_CHECK(ptr[i + 1] >= ptr[i], BF_E_ARG, "row %d: its pointers descend", (int)i);
    for (int64_t k = ptr[i]; k < ptr[i + 1]; k++)
      BF_CHECK(col[k] >= 0 && col[k] < form->ncols && (k == ptr[i] || col[k] > col[k - 1]), BF_E_ARG,
               "row %d: column %d is outside or does not ascend", (int)i, (int)col[k]);
  }
  const int64_t nnz = ptr[form->nrows];
  BF_TRY(bf_block_rows_create(be, form, nnz, &A));
  BF_GO(be->ops.copy(be, A->ptr, ptr, ((size_t)form->nrows + 1) * sizeof *ptr, BF_TO_DEVICE));
  BF_GO(be->ops.copy(be, A->col, col, (size_t)nnz * sizeof *col, BF_TO_DEVICE));
  BF_GO(be->ops.copy(be, A->val, val, (size_t)nnz * value_bytes(form), BF_TO_DEVICE));
done:
  if (err != BF_OK) bf_block_rows_destroy(&A);
  *out = A;
  return err;
}

bf_err bf_block_rows_from_matrix(const bf_matrix *A, bf_block_rows **out)
{
  const bf_block_ops *ops;
  bf_matrix          *csr = NULL;
  bf_block_rows      *C   = NULL;
  int64_t             nnz;
  bf_err              err = BF_OK;
  *out                    = NULL;
  BF_CHECK(A, BF_E_ARG, "null argument");
  BF_TRY(ops_of(A->be, &ops));
  BF_CHECK(A->ncomp >= 1 && A->ncomp <= BF_BLOCK_ORDER && A->nrows % A->ncomp == 0, BF_E_ARG,
           "%d rows of nodes with %d components", (int)A->nrows, A->ncomp);
  const int direct = A->format == BF_FORMAT_BDIA || A->format == BF_FORMAT_HYBRID ||
                     A->format == BF_FORMAT_CSR || A->format == BF_FORMAT_CSR16 ||
                     A->format == BF_FORMAT_BCSR;
  if (!direct)
    BF_GO(bf_matrix_convert(A, &(bf_matrix_form){.format = BF_FORMAT_CSR, .ncomp = A->ncomp}, &csr));
  const bf_matrix    *from = csr ? csr : A;
  const bf_int        n    = A->nrows / A->ncomp;
  const bf_block_form form = {.nrows = n, .ncols = n, .br = A->ncomp, .bc = A->ncomp, .prec = BF_FP64};
  BF_GO(begin(A->be, &form, &C));
  BF_GO(ops->matrix_count(A->be, from, C->ptr, &nnz));
  BF_GO(reserve(C, nnz));
  BF_GO(ops->matrix_fill(A->be, from, C));
done:
  bf_matrix_destroy(&csr);
  if (err != BF_OK) bf_block_rows_destroy(&C);
  *out = C;
  return err;
}

static bf_err update(const bf_block_rows *A, bf_block_update how, const double *b, const double *x, double *y)
{
  const bf_block_ops *ops;
  BF_CHECK(A && x != y, BF_E_ARG, "null argument, or the result in the place of x");
  BF_TRY(ops_of(A->be, &ops));
  return ops->spmv(A->be, A, how, b, x, y);
}

bf_err bf_block_rows_spmv(const bf_block_rows *A, const double *x, double *y)
{
  return update(A, BF_BLOCK_SET, NULL, x, y);
}

bf_err bf_block_rows_add(const bf_block_rows *A, const double *x, double *y)
{
  return update(A, BF_BLOCK_ADD, NULL, x, y);
}

bf_err bf_block_rows_residual(const bf_block_rows *A, const double *b, const double *x, double *r)
{
  return update(A, BF_BLOCK_RESIDUAL, b, x, r);
}

bf_err bf_block_rows_diagonal(const bf_block_rows *A, double *d)
{
  const bf_block_ops *ops;
  BF_CHECK(A && A->form.br == A->form.bc, BF_E_ARG, "null argument, or blocks that are not square");
  BF_TRY(ops_of(A->be, &ops));
  return ops->diagonal(A->be, A, d);
}

bf_err bf_block_rows_transpose(const bf_block_rows *A, bf_block_rows **T)
{
  const bf_block_ops *ops;
  bf_block_rows      *t   = NULL;
  bf_err              err = BF_OK;
  *T                      = NULL;
  BF_CHECK(A, BF_E_ARG, "null argument");
  BF_TRY(ops_of(A->be, &ops));
  const bf_block_form form = {.nrows = A->form.ncols,
                              .ncols = A->form.nrows,
                              .br    = A->form.bc,
                              .bc    = A->form.br,
                              .prec  = A->form.prec};
  BF_TRY(bf_block_rows_create(A->be, &form, A->nnz, &t));
  BF_GO(ops->transpose(A->be, A, t));
done:
  if (err != BF_OK) bf_block_rows_destroy(&t);
  *T = t;
  return err;
}

bf_err bf_block_rows_multiply(const bf_block_rows *A, const bf_block_rows *B, bf_block_rows **C)
{
  const bf_block_ops *ops;
  bf_block_rows      *c = NULL;
  int64_t             nnz;
  bf_err              err = BF_OK;
  *C                      = NULL;
  BF_CHECK(A && B, BF_E_ARG, "null argument");
  BF_CHECK(A->form.ncols == B->form.nrows && A->form.bc == B->form.br, BF_E_ARG,
           "product of %d columns of order %d and %d rows of order %d", (int)A->form.ncols, A->form.bc,
           (int)B->form.nrows, B->form.br);
  BF_CHECK(A->form.prec == BF_FP64 && B->form.prec == BF_FP64, BF_E_ARG, "products are of fp64 values");
  BF_TRY(ops_of(A->be, &ops));
  const bf_block_form form = {
      .nrows = A->form.nrows, .ncols = B->form.ncols, .br = A->form.br, .bc = B->form.bc, .prec = BF_FP64};
  BF_TRY(begin(A->be, &form, &c));
  BF_GO(ops->product_count(A->be, A, B, c->ptr, &nnz));
  BF_GO(reserve(c, nnz));
  BF_GO(ops->product_fill(A->be, A, B, c));
done:
  if (err != BF_OK) bf_block_rows_destroy(&c);
  *C = c;
  return err;
}

bf_err bf_block_rows_galerkin(const bf_block_rows *A, const bf_block_rows *P, const bf_block_rows *PT,
                              bf_block_rows **Ac)
{
  bf_block_rows *AP = NULL;
  *Ac               = NULL;
  BF_TRY(bf_block_rows_multiply(A, P, &AP));
  const bf_err err = bf_block_rows_multiply(PT, AP, Ac);
  bf_block_rows_destroy(&AP);
  return err;
}

bf_err bf_block_rows_to_fp32(const bf_block_rows *A, bf_block_rows **out)
{
  bf_block_rows *C   = NULL;
  bf_err         err = BF_OK;
  *out               = NULL;
  BF_CHECK(A && A->form.prec == BF_FP64, BF_E_ARG, "null argument, or values that are fp32");
  bf_backend   *be   = A->be;
  bf_block_form form = A->form;
  form.prec          = BF_FP32;
  BF_TRY(bf_block_rows_create(be, &form, A->nnz, &C));
  BF_GO(be->ops.copy(be, C->ptr, A->ptr, ((size_t)form.nrows + 1) * sizeof *A->ptr, BF_WITHIN));
  BF_GO(be->ops.copy(be, C->col, A->col, (size_t)A->nnz * sizeof *A->col, BF_WITHIN));
  BF_GO(BF_OP(be, vector.demote, A->nnz * form.br * form.bc, A->val, C->val));
done:
  if (err != BF_OK) bf_block_rows_destroy(&C);
  *out = C;
  return err;
}

bf_err bf_block_rows_unit_diagonal(bf_block_rows *A, const uint8_t *flag)
{
  const bf_block_ops *ops;
  BF_CHECK(A && A->form.br == A->form.bc && A->form.prec == BF_FP64, BF_E_ARG,
           "null argument, or blocks that are not square, or fp32 values");
  BF_TRY(ops_of(A->be, &ops));
  return ops->unit_diagonal(A->be, A, flag);
}

bf_err bf_block_rows_to_dense(const bf_block_rows *A, double *a)
{
  const bf_block_ops *ops;
  BF_CHECK(A && a, BF_E_ARG, "null argument");
  BF_TRY(ops_of(A->be, &ops));
  return ops->dense(A->be, A, a);
}
