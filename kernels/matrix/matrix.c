/* kernels/matrix/matrix.c - see matrix.h: life and operations of a matrix as the sum of its parts, and
 * vectors */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/matrix.h"
#include "base/memory.h"
#include "kernels/matrix/storage.h"

/* ---- life ---- */

bf_err bf_matrix_check_shape(const bf_backend *be, int64_t nrows, int ncomp, bf_prec prec)
{
  BF_CHECK(be, BF_E_ARG, "no backend");
  BF_CHECK(ncomp >= 1 && ncomp <= 3, BF_E_ARG, "%d components of a node: 1, 2 or 3", ncomp);
  BF_CHECK(nrows >= 1 && nrows * ncomp <= INT32_MAX - 64, BF_E_ARG, "%lld node rows of %d components",
           (long long)nrows, ncomp);
  BF_CHECK(prec == BF_FP64 || prec == BF_FP32, BF_E_ARG, "precision %d", (int)prec);
  return BF_OK;
}

/* A matrix without parts. */
static bf_err new_matrix(bf_backend *be, bf_format format, bf_int nrows, int ncomp, bf_prec prec, int64_t nnz,
                         bf_matrix **out)
{
  *out = NULL;
  BF_TRY(BF_NEW(*out));
  **out = (bf_matrix){.format = format, .be = be, .nrows = nrows, .ncomp = ncomp, .prec = prec, .nnz = nnz};
  return BF_OK;
}

static bf_err create_banded(bf_backend *be, bf_format format, const bf_bands *b, const bf_graph *rest,
                            int ncomp, int half, bf_prec prec, int64_t nnz, bf_matrix **out)
{
  bf_err     err = BF_OK;
  bf_matrix *A   = NULL;
  BF_CHECK(b && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_TRY(bf_matrix_check_shape(be, b->nrows, ncomp, prec));
  BF_TRY(bf_bands_check(b));
  if (rest) BF_TRY(bf_rest_check_pattern(rest, b, half));
  BF_TRY(bf_memory_refuse(
      be, rest ? bf_hybrid_bytes(b, rest, ncomp, half, prec) : bf_bdia_bytes(b, ncomp, half, prec),
      "matrix"));
  BF_GO(new_matrix(be, format, b->nrows * ncomp, ncomp, prec, nnz, &A));
  BF_GO(bf_bdia_create(be, b, ncomp, half, prec, &A->bdia));
  if (rest) BF_GO(bf_rest_create(be, rest, ncomp, prec, &A->rest));
  A->guard = (bf_int)A->bdia->pad;
  *out     = A;
  A        = NULL;
done:
  bf_matrix_destroy(&A);
  return err;
}

bf_err bf_matrix_create_bdia(bf_backend *be, const bf_bands *b, int ncomp, int half, bf_prec prec,
                             int64_t nnz, bf_matrix **out)
{
  return create_banded(be, BF_FORMAT_BDIA, b, NULL, ncomp, half, prec, nnz, out);
}

bf_err bf_matrix_create_dia(bf_backend *be, const bf_bands *b, int ncomp, bf_prec prec, int64_t nnz,
                            bf_matrix **out)
{
  BF_CHECK(b && b->nseg == 1, BF_E_ARG, "format dia has one table of offsets for all rows");
  return create_banded(be, BF_FORMAT_DIA, b, NULL, ncomp, 0, prec, nnz, out);
}

bf_err bf_matrix_create_hybrid(bf_backend *be, const bf_bands *b, const bf_graph *rest, int ncomp, int half,
                               bf_prec prec, int64_t nnz, bf_matrix **out)
{
  BF_CHECK(rest, BF_E_ARG, "null argument");
  return create_banded(be, BF_FORMAT_HYBRID, b, rest, ncomp, half, prec, nnz, out);
}

static bf_err create_compressed(bf_backend *be, bf_format format, const bf_graph *pattern, int ncomp,
                                bf_prec prec, bf_matrix **out)
{
  bf_err     err    = BF_OK;
  bf_matrix *A      = NULL;
  const int  narrow = format == BF_FORMAT_CSR16;
  BF_CHECK(pattern && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_TRY(bf_matrix_check_shape(be, pattern->n, ncomp, prec));
  BF_TRY(bf_graph_check(pattern));
  if (narrow) BF_TRY(bf_csr16_fits(pattern, ncomp));
  const bf_int  n    = pattern->n * ncomp;
  const int64_t nadj = pattern->ptr[pattern->n], nnz = nadj * ncomp * ncomp;
  /* the node pattern is on the backend too while the scalar one is made */
  const int64_t nodes = nadj * (int64_t)sizeof(bf_int) + ((int64_t)pattern->n + 1) * 8;
  BF_TRY(bf_memory_refuse(be, (narrow ? bf_csr16_bytes(nnz, n, prec) : bf_csr_bytes(nnz, n, prec)) + nodes,
                          "matrix"));
  BF_GO(new_matrix(be, format, n, ncomp, prec, nnz, &A));
  BF_GO(bf_csr_create(be, pattern, ncomp, narrow, prec, &A->csr));
  *out = A;
  A    = NULL;
done:
  bf_matrix_destroy(&A);
  return err;
}

bf_err bf_matrix_create_csr(bf_backend *be, const bf_graph *pattern, int ncomp, bf_prec prec, bf_matrix **out)
{
  return create_compressed(be, BF_FORMAT_CSR, pattern, ncomp, prec, out);
}

bf_err bf_matrix_create_csr16(bf_backend *be, const bf_graph *pattern, int ncomp, bf_prec prec,
                              bf_matrix **out)
{
  return create_compressed(be, BF_FORMAT_CSR16, pattern, ncomp, prec, out);
}

static int64_t stored_values(const bf_matrix *A)
{
  return (A->bdia ? A->bdia->nvalues + 2 * A->bdia->pad : 0) + (A->csr ? A->csr->nnz : 0) +
         (A->ell ? A->ell->width * A->ell->ld : 0) + (A->coo ? A->coo->nnz : 0) +
         (A->rest ? A->rest->nnz : 0);
}

bf_err bf_matrix_to_fp32(const bf_matrix *A, bf_matrix **out)
{
  bf_err     err = BF_OK;
  bf_matrix *B   = NULL;
  BF_CHECK(A && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_CHECK(A->prec == BF_FP64, BF_E_ARG, "the matrix is fp32 already");
  BF_TRY(bf_memory_refuse(A->be, bf_matrix_bytes(A) - 4 * stored_values(A), "fp32 copy of the matrix"));
  BF_GO(new_matrix(A->be, A->format, A->nrows, A->ncomp, BF_FP32, A->nnz, &B));
  B->guard = A->guard;
  if (A->bdia) BF_GO(bf_bdia_to_fp32(A->be, A->bdia, &B->bdia));
  if (A->csr) BF_GO(bf_csr_to_fp32(A->be, A->csr, &B->csr));
  if (A->ell) BF_GO(bf_ell_to_fp32(A->be, A->ell, &B->ell));
  if (A->coo) BF_GO(bf_coo_to_fp32(A->be, A->coo, &B->coo));
  if (A->rest) BF_GO(bf_rest_to_fp32(A->be, A->rest, &B->rest));
  *out = B;
  B    = NULL;
done:
  bf_matrix_destroy(&B);
  return err;
}

void bf_matrix_destroy(bf_matrix **A)
{
  if (!A || !*A) return;
  bf_bdia_destroy((*A)->be, &(*A)->bdia);
  bf_csr_destroy((*A)->be, &(*A)->csr);
  bf_ell_destroy((*A)->be, &(*A)->ell);
  bf_coo_destroy((*A)->be, &(*A)->coo);
  bf_rest_destroy((*A)->be, &(*A)->rest);
  bf_host_free(*A);
  *A = NULL;
}

/* ---- check ---- */

/* The parts are those of the format, and no others. */
static int has_its_parts(const bf_matrix *A)
{
  enum { BDIA = 1, CSR = 2, ELL = 4, COO = 8, REST = 16 };
  static const int parts[BF_FORMATS] = {
      [BF_FORMAT_BDIA] = BDIA, [BF_FORMAT_DIA] = BDIA,      [BF_FORMAT_HYBRID] = BDIA | REST,
      [BF_FORMAT_CSR] = CSR,   [BF_FORMAT_CSR16] = CSR,     [BF_FORMAT_ELL] = ELL,
      [BF_FORMAT_COO] = COO,   [BF_FORMAT_HYB] = ELL | COO,
  };
  const int has = (A->bdia ? BDIA : 0) | (A->csr ? CSR : 0) | (A->ell ? ELL : 0) | (A->coo ? COO : 0) |
                  (A->rest ? REST : 0);
  return (int)A->format >= 0 && A->format < BF_FORMATS && has == parts[A->format];
}

static bf_err check_entries(const bf_matrix *A)
{
  const int64_t nnz = (A->csr ? A->csr->nnz : 0) + (A->ell ? A->ell->nnz : 0) + (A->coo ? A->coo->nnz : 0);
  BF_CHECK(A->nnz == nnz, BF_E_ARG, "%lld entries of %lld", (long long)nnz, (long long)A->nnz);
  return BF_OK;
}

static bf_err check_bands(const bf_matrix *A)
{
  BF_CHECK(A->bdia->ncomp == A->ncomp && A->bdia->nrows * A->ncomp == A->nrows, BF_E_ARG,
           "the bDIA part does not fit the matrix");
  BF_CHECK(A->guard % 32 == 0 && A->guard >= (int64_t)A->bdia->reach * A->ncomp, BF_E_ARG,
           "guard %d for a reach of %d", (int)A->guard, (int)A->bdia->reach);
  BF_CHECK(A->format != BF_FORMAT_DIA || (A->bdia->nseg == 1 && !A->bdia->half), BF_E_ARG,
           "DIA with %d segments", A->bdia->nseg);
  BF_TRY(bf_bdia_check(A->bdia));
  return BF_OK;
}

bf_err bf_matrix_check(const bf_matrix *A)
{
  BF_CHECK(A && A->be, BF_E_ARG, "null argument");
  BF_CHECK(A->ncomp >= 1 && A->ncomp <= 3 && A->nrows > 0 && A->nrows % A->ncomp == 0, BF_E_ARG,
           "%d rows of %d components", (int)A->nrows, A->ncomp);
  BF_CHECK(has_its_parts(A), BF_E_ARG, "the parts are not those of format %s", bf_format_word(A->format));
  BF_CHECK((!A->bdia || A->bdia->prec == A->prec) && (!A->csr || A->csr->prec == A->prec) &&
               (!A->ell || A->ell->prec == A->prec) && (!A->coo || A->coo->prec == A->prec) &&
               (!A->rest || A->rest->prec == A->prec),
           BF_E_ARG, "a part has another precision than the matrix");
  const bf_int n = A->nrows;
  BF_CHECK((!A->csr || A->csr->nrows == n) && (!A->ell || A->ell->nrows == n) &&
               (!A->coo || A->coo->nrows == n) && (!A->rest || A->rest->nrows == n),
           BF_E_ARG, "a part has other rows than the matrix");
  if (A->bdia)
    BF_TRY(check_bands(A));
  else {
    BF_CHECK(A->guard == 0, BF_E_ARG, "guard %d without bands", (int)A->guard);
    BF_TRY(check_entries(A));
  }
  if (A->csr) BF_TRY(bf_csr_check(A->be, A->csr));
  if (A->ell) BF_TRY(bf_ell_check(A->be, A->ell));
  if (A->coo) BF_TRY(bf_coo_check(A->be, A->coo));
  if (A->rest) BF_TRY(bf_rest_check(A->be, A->rest));
  return BF_OK;
}

/* ---- operations ---- */

bf_err bf_matrix_spmv(const bf_matrix *A, const double *x, double *y, const double *w, double *dot)
{
  BF_CHECK(A && x && y && (!w || dot), BF_E_ARG, "null argument");
  BF_CHECK(x != y, BF_E_ARG, "y = A x with y the same vector as x");
  const int     add   = A->ell || A->bdia;            /* the second part adds to the first */
  const double *first = A->coo || A->rest ? NULL : w; /* the dots are those of the last part */
  if (A->bdia) BF_TRY(BF_OP(A->be, matrix.bdia_spmv, A->bdia, x, y, first, dot));
  if (A->csr) BF_TRY(BF_OP(A->be, matrix.csr_spmv, A->csr, x, y, first, dot));
  if (A->ell) BF_TRY(BF_OP(A->be, matrix.ell_spmv, A->ell, x, y, first, dot));
  if (A->coo) BF_TRY(BF_OP(A->be, matrix.coo_spmv, A->coo, add, x, y, w, dot));
  if (A->rest) BF_TRY(BF_OP(A->be, matrix.rest_spmv, A->rest, x, y, w, dot));
  return BF_OK;
}

bf_err bf_matrix_diagonal(const bf_matrix *A, double *d)
{
  BF_CHECK(A && d, BF_E_ARG, "null argument");
  if (A->format == BF_FORMAT_COO) BF_TRY(A->be->ops.zero(A->be, d, (size_t)A->nrows * sizeof *d));
  if (A->bdia) BF_TRY(BF_OP(A->be, matrix.bdia_diagonal, A->bdia, d)); /* a remainder has no diagonal */
  if (A->csr) BF_TRY(BF_OP(A->be, matrix.csr_diagonal, A->csr, d));
  if (A->ell) BF_TRY(BF_OP(A->be, matrix.ell_diagonal, A->ell, d));
  if (A->coo) BF_TRY(BF_OP(A->be, matrix.coo_diagonal, A->coo, d));
  return BF_OK;
}

bf_err bf_matrix_scatter(bf_matrix *A, const bf_int *inc_ptr, const bf_int *inc_item, int nen,
                         const bf_int *conn, const double *Ke)
{
  BF_CHECK(A && inc_ptr && inc_item && conn && Ke, BF_E_ARG, "null argument");
  BF_CHECK(A->prec == BF_FP64, BF_E_ARG, "element matrices can be added to fp64 values only");
  BF_CHECK(A->bdia || A->csr, BF_E_ARG, "element matrices cannot be added to format %s",
           bf_format_word(A->format));
  BF_TRY(A->bdia ? BF_OP(A->be, matrix.bdia_scatter, A->bdia, A->rest, inc_ptr, inc_item, nen, conn, Ke)
                 : BF_OP(A->be, matrix.csr_scatter, A->csr, A->ncomp, inc_ptr, inc_item, nen, conn, Ke));
  return BF_OK;
}

bf_err bf_matrix_constrain(bf_matrix *A, const uint8_t *fixed)
{
  BF_CHECK(A && fixed, BF_E_ARG, "null argument");
  if (A->bdia) BF_TRY(BF_OP(A->be, matrix.bdia_constrain, A->bdia, fixed));
  if (A->csr) BF_TRY(BF_OP(A->be, matrix.csr_constrain, A->csr, fixed));
  if (A->ell) BF_TRY(BF_OP(A->be, matrix.ell_constrain, A->ell, fixed));
  if (A->coo) BF_TRY(BF_OP(A->be, matrix.coo_constrain, A->coo, fixed));
  if (A->rest) BF_TRY(BF_OP(A->be, matrix.rest_constrain, A->rest, fixed));
  return BF_OK;
}

/* ---- vectors ---- */

bf_err bf_vector_create(bf_backend *be, bf_int n, bf_int guard, double **x)
{
  BF_CHECK(be && x, BF_E_ARG, "null argument");
  *x = NULL;
  BF_CHECK(n >= 0 && guard >= 0 && guard % 32 == 0, BF_E_ARG, "n=%d guard=%d", (int)n, (int)guard);
  void *p = NULL;
  BF_TRY(bf_alloc_zero(be, (int64_t)n + 2 * (int64_t)guard, sizeof **x, &p));
  *x = (double *)p + guard;
  return BF_OK;
}

void bf_vector_destroy(bf_backend *be, bf_int guard, double **x)
{
  if (!be || !x || !*x) return;
  be->ops.release(be, *x - guard);
  *x = NULL;
}
