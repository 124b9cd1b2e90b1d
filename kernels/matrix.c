/* kernels/matrix.c - see matrix.h: forecast, life and operations of a matrix in either format, and vectors */
#include "kernels/matrix.h"
#include "base/memory.h"
#include "kernels/storage.h"
#include <stdio.h>

/* ---- memory ---- */

/* "12.3 GiB", "4.5 MiB", "12 B": one text per call site and thread is not needed, the caller gives the room.
 */
static const char *bytes_text(double bytes, char *text, size_t size)
{
  static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  int                      u      = 0;
  while (bytes >= 1024.0 && u < 4) {
    bytes /= 1024.0;
    u++;
  }
  snprintf(text, size, u ? "%.1f %s" : "%.0f %s", bytes, unit[u]);
  return text;
}

bf_err bf_memory_refuse(bf_backend *be, int64_t bytes, const char *what)
{
  size_t available = 0, total = 0;
  char   need[32], have[32];
  BF_TRY(be->ops.memory(be, &available, &total));
  BF_CHECK(available == 0 || (bytes >= 0 && (uint64_t)bytes <= available), BF_E_MEMORY,
           "%s needs %s, %s available on backend '%s'", what, bytes_text((double)bytes, need, sizeof need),
           bytes_text((double)available, have, sizeof have), be->ops.name);
  return BF_OK;
}

bf_err bf_alloc_zero(bf_backend *be, int64_t n, size_t size, void **p)
{
  bf_err err = BF_OK;
  void  *q   = NULL;
  *p         = NULL;
  BF_NEED(n >= 0 && (uint64_t)n <= SIZE_MAX / 2 / size, BF_E_MEMORY, "%lld x %zu bytes", (long long)n, size);
  BF_GO(be->ops.alloc(be, (size_t)n * size, &q));
  BF_GO(be->ops.zero(be, q, (size_t)n * size));
  *p = q;
  q  = NULL;
done:
  be->ops.release(be, q);
  return err;
}

bf_err bf_alloc_copy(bf_backend *be, const void *host, int64_t n, size_t size, void **p)
{
  bf_err err = BF_OK;
  void  *q   = NULL;
  *p         = NULL;
  BF_GO(be->ops.alloc(be, (size_t)n * size, &q));
  BF_GO(be->ops.copy(be, q, host, (size_t)n * size, BF_TO_DEVICE));
  *p = q;
  q  = NULL;
done:
  be->ops.release(be, q);
  return err;
}

bf_err bf_fetch(bf_backend *be, const void *p, int64_t n, size_t size, void **host)
{
  bf_err err = BF_OK;
  char  *h   = NULL;
  *host      = NULL;
  BF_GO(BF_NEW_ARRAY(h, (size_t)n * size));
  BF_GO(be->ops.copy(be, h, p, (size_t)n * size, BF_TO_HOST));
  *host = h;
  h     = NULL;
done:
  bf_host_free(h);
  return err;
}

/* ---- forecast ---- */

int64_t bf_bdia_bytes(const bf_bands *b, int ncomp, int half, bf_prec prec)
{
  const bf_bdia_size z = bf_bdia_measure(b, ncomp, half);
  return bf_bdia_size_bytes(&z, b->nseg, prec);
}

int64_t bf_csr_bytes(int64_t nnz, bf_int nrows, bf_prec prec)
{
  return nnz * (bf_prec_bytes(prec) + (int64_t)sizeof(bf_int)) + ((int64_t)nrows + 1) * 8;
}

int64_t bf_matrix_bytes(const bf_matrix *A)
{
  if (A->format == BF_FORMAT_CSR) return bf_csr_bytes(A->csr->nnz, A->csr->nrows, A->csr->prec);
  const bf_bdia     *B = A->bdia;
  const bf_bdia_size z = {
      .ndiag = B->ndiag, .nlower = B->nlower, .nvalues = B->nvalues, .pad = B->pad, .slots = 0, .reach = 0};
  return bf_bdia_size_bytes(&z, B->nseg, B->prec);
}

/* slots*D*D values, x once, y once */
static int64_t bdia_product_bytes(int64_t slots, int64_t nrows, int64_t D, bf_prec prec)
{
  return slots * D * D * bf_prec_bytes(prec) + nrows * D * 16;
}

int64_t bf_bdia_product_bytes(const bf_bands *b, int ncomp, int half, bf_prec prec)
{
  return bdia_product_bytes(bf_bdia_measure(b, ncomp, half).slots, b->nrows, ncomp, prec);
}

int64_t bf_csr_product_bytes(int64_t nnz, bf_int nrows, bf_prec prec)
{
  return bf_csr_bytes(nnz, nrows, prec) + (int64_t)nrows * 16;
}

int64_t bf_matrix_product_bytes(const bf_matrix *A)
{
  if (A->format == BF_FORMAT_CSR) return bf_csr_product_bytes(A->csr->nnz, A->csr->nrows, A->csr->prec);
  const bf_bdia *B     = A->bdia;
  int64_t        slots = 0;
  for (int s = 0; s < B->nseg; s++) slots += (int64_t)B->seg[s].nrows * B->seg[s].ndiag;
  return bdia_product_bytes(slots, B->nrows, B->ncomp, B->prec);
}

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

bf_err bf_matrix_create_bdia(bf_backend *be, const bf_bands *b, int ncomp, int half, bf_prec prec,
                             int64_t nnz, bf_matrix **out)
{
  bf_err     err = BF_OK;
  bf_matrix *A   = NULL;
  BF_CHECK(b && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_TRY(bf_matrix_check_shape(be, b->nrows, ncomp, prec));
  BF_TRY(bf_bands_check(b));
  BF_TRY(bf_memory_refuse(be, bf_bdia_bytes(b, ncomp, half, prec), "matrix"));
  BF_GO(BF_NEW(A));
  A->format = BF_FORMAT_BDIA;
  A->be     = be;
  A->nrows  = b->nrows * ncomp;
  A->ncomp  = ncomp;
  A->prec   = prec;
  A->nnz    = nnz;
  BF_GO(bf_bdia_create(be, b, ncomp, half, prec, &A->bdia));
  A->guard = (bf_int)A->bdia->pad;
  *out     = A;
  A        = NULL;
done:
  bf_matrix_destroy(&A);
  return err;
}

bf_err bf_matrix_create_csr(bf_backend *be, const bf_graph *pattern, int ncomp, bf_prec prec, bf_matrix **out)
{
  bf_err     err = BF_OK;
  bf_matrix *A   = NULL;
  BF_CHECK(pattern && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_TRY(bf_matrix_check_shape(be, pattern->n, ncomp, prec));
  BF_TRY(bf_graph_check(pattern));
  const bf_int  n    = pattern->n * ncomp;
  const int64_t nadj = pattern->ptr[pattern->n], nnz = nadj * ncomp * ncomp;
  /* the node pattern is on the backend too while the scalar one is made */
  const int64_t nodes = nadj * (int64_t)sizeof(bf_int) + ((int64_t)pattern->n + 1) * 8;
  BF_TRY(bf_memory_refuse(be, bf_csr_bytes(nnz, n, prec) + nodes, "matrix"));
  BF_GO(BF_NEW(A));
  A->format = BF_FORMAT_CSR;
  A->be     = be;
  A->nrows  = n;
  A->ncomp  = ncomp;
  A->prec   = prec;
  A->nnz    = nnz;
  BF_GO(bf_csr_create(be, pattern, ncomp, prec, &A->csr));
  *out = A;
  A    = NULL;
done:
  bf_matrix_destroy(&A);
  return err;
}

bf_err bf_matrix_to_fp32(const bf_matrix *A, bf_matrix **out)
{
  bf_err     err = BF_OK;
  bf_matrix *B   = NULL;
  BF_CHECK(A && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_CHECK(A->prec == BF_FP64, BF_E_ARG, "the matrix is fp32 already");
  const int64_t nvalues = A->bdia ? A->bdia->nvalues + 2 * A->bdia->pad : A->csr->nnz;
  BF_TRY(bf_memory_refuse(A->be, bf_matrix_bytes(A) - 4 * nvalues, "fp32 copy of the matrix"));
  BF_GO(BF_NEW(B));
  *B      = *A;
  B->prec = BF_FP32;
  B->bdia = NULL;
  B->csr  = NULL;
  if (A->format == BF_FORMAT_BDIA)
    BF_GO(bf_bdia_to_fp32(A->be, A->bdia, &B->bdia));
  else
    BF_GO(bf_csr_to_fp32(A->be, A->csr, &B->csr));
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
  bf_host_free(*A);
  *A = NULL;
}

bf_err bf_matrix_check(const bf_matrix *A)
{
  BF_CHECK(A && A->be, BF_E_ARG, "null argument");
  BF_CHECK(A->ncomp >= 1 && A->ncomp <= 3 && A->nrows > 0 && A->nrows % A->ncomp == 0, BF_E_ARG,
           "%d rows of %d components", (int)A->nrows, A->ncomp);
  if (A->format == BF_FORMAT_CSR) {
    BF_CHECK(A->csr && !A->bdia && A->csr->nrows == A->nrows && A->guard == 0 && A->nnz == A->csr->nnz,
             BF_E_ARG, "the CSR part does not fit the matrix");
    BF_TRY(bf_csr_check(A->be, A->csr));
    return BF_OK;
  }
  BF_CHECK((A->format == BF_FORMAT_BDIA || A->format == BF_FORMAT_DIA) && A->bdia && !A->csr, BF_E_ARG,
           "format %d", (int)A->format);
  BF_CHECK(A->bdia->ncomp == A->ncomp && A->bdia->nrows * A->ncomp == A->nrows, BF_E_ARG,
           "the bDIA part does not fit the matrix");
  BF_CHECK(A->guard % 32 == 0 && A->guard >= (int64_t)A->bdia->reach * A->ncomp, BF_E_ARG,
           "guard %d for a reach of %d", (int)A->guard, (int)A->bdia->reach);
  BF_TRY(bf_bdia_check(A->bdia));
  return BF_OK;
}

bf_err bf_matrix_to_dense(const bf_matrix *A, double *a)
{
  BF_CHECK(A && a, BF_E_ARG, "null argument");
  const size_t n = (size_t)A->nrows;
  for (size_t i = 0; i < n * n; i++) a[i] = 0.0;
  BF_TRY(A->bdia ? bf_bdia_to_dense(A->be, A->bdia, a) : bf_csr_to_dense(A->be, A->csr, a));
  return BF_OK;
}

/* ---- operations ---- */

bf_err bf_matrix_spmv(const bf_matrix *A, const double *x, double *y, const double *w, double *dot)
{
  BF_CHECK(A && x && y && (!w || dot), BF_E_ARG, "null argument");
  BF_CHECK(x != y, BF_E_ARG, "y = A x with y the same vector as x");
  BF_TRY(A->bdia ? BF_OP(A->be, bdia_spmv, A->bdia, x, y, w, dot)
                 : BF_OP(A->be, csr_spmv, A->csr, x, y, w, dot));
  return BF_OK;
}

bf_err bf_matrix_diagonal(const bf_matrix *A, double *d)
{
  BF_CHECK(A && d, BF_E_ARG, "null argument");
  BF_TRY(A->bdia ? BF_OP(A->be, bdia_diagonal, A->bdia, d) : BF_OP(A->be, csr_diagonal, A->csr, d));
  return BF_OK;
}

bf_err bf_matrix_scatter(bf_matrix *A, const bf_int *inc_ptr, const bf_int *inc_item, int nen,
                         const bf_int *conn, const double *Ke)
{
  BF_CHECK(A && inc_ptr && inc_item && conn && Ke, BF_E_ARG, "null argument");
  BF_CHECK(A->prec == BF_FP64, BF_E_ARG, "element matrices can be added to fp64 values only");
  BF_TRY(A->bdia ? BF_OP(A->be, bdia_scatter, A->bdia, inc_ptr, inc_item, nen, conn, Ke)
                 : BF_OP(A->be, csr_scatter, A->csr, A->ncomp, inc_ptr, inc_item, nen, conn, Ke));
  return BF_OK;
}

bf_err bf_matrix_constrain(bf_matrix *A, const uint8_t *fixed)
{
  BF_CHECK(A && fixed, BF_E_ARG, "null argument");
  BF_TRY(A->bdia ? BF_OP(A->be, bdia_constrain, A->bdia, fixed) : BF_OP(A->be, csr_constrain, A->csr, fixed));
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
