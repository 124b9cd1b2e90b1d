/* kernels/cpu/dense/gemv_symv.c - batched matrix-vector products
 *
 * Computes   y = alpha op(A) x + beta y, A general (gemv) or one triangle of it (symv, hemv); entries may
 *            have half the precision of the vectors.
 * Source     BLAS 2 (Dongarra et al., ACM TOMS 14, 1988).
 * Cost       the entries are read once.
 * Checked    tests/kernels/dense/t365_product_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/dense/batch.h"

typedef struct product {
  const bf_batch *A;
  int             triangle;
  bf_uplo         uplo;
  bf_trans        trans;
  double          alpha, beta;
} product;

#define ENTRY   float
#define REAL    float
#define NAME(f) f##_s
#include "kernels/cpu/dense/gemv_row.h"
#undef REAL
#undef NAME
#define REAL    double
#define NAME(f) f##_sd
#include "kernels/cpu/dense/gemv_row.h"
#undef ENTRY
#undef NAME
#define ENTRY   double
#define NAME(f) f##_d
#include "kernels/cpu/dense/gemv_row.h"
#undef ENTRY
#undef REAL
#undef NAME

static char *vector(const bf_batch_vector *x, bf_int b)
{
  return (char *)x->v + (x->first ? x->first[b] : (int64_t)b * x->stride) * (int64_t)bf_scalar_bytes(x->type);
}

static void all(const product *p, const bf_batch_vector *x, const bf_batch_vector *y)
{
  const bf_batch *A     = p->A;
  const int       small = A->type == BF_S || A->type == BF_C, wide = x->type == BF_D || x->type == BF_Z;
#pragma omp parallel for schedule(static) num_threads(bf_cpu_batch_threads())
  for (bf_int b = 0; b < A->count; b++) {
    const bf_int n = bf_cpu_batch_order(A, b, NULL);
    const void  *a = bf_cpu_batch_matrix(A, b), *u = vector(x, b);
    void        *v = vector(y, b);
    if (!small)
      one_d(p, n, a, u, v);
    else if (wide)
      one_sd(p, n, a, u, v);
    else
      one_s(p, n, a, u, v);
  }
}

bf_err bf_cpu_gemv_batch(bf_backend *be, bf_trans trans, double alpha, const bf_batch *A,
                         const bf_batch_vector *x, double beta, const bf_batch_vector *y)
{
  const product p = {.A = A, .trans = trans, .alpha = alpha, .beta = beta};
  (void)be;
  all(&p, x, y);
  return BF_OK;
}

bf_err bf_cpu_symv_batch(bf_backend *be, bf_uplo uplo, double alpha, const bf_batch *A,
                         const bf_batch_vector *x, double beta, const bf_batch_vector *y)
{
  const product p = {.A = A, .triangle = 1, .uplo = uplo, .alpha = alpha, .beta = beta};
  (void)be;
  all(&p, x, y);
  return BF_OK;
}
