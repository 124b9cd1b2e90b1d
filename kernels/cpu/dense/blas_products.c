/* kernels/cpu/dense/blas_products.c - products of large dense matrices by OpenBLAS
 *
 * A product is divided into tiles of fixed size, one thread per tile, so that the bits do not depend on the
 * number of threads.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/dense/blas.h"
#include <omp.h>

typedef void   gemm_fn(const char *ta, const char *tb, const int *m, const int *n, const int *k,
                       const void *alpha, const void *a, const int *lda, const void *b, const int *ldb,
                       const void *beta, void *c, const int *ldc, size_t, size_t);
extern gemm_fn sgemm_, dgemm_;

enum { COLUMNS = 128, ROWS = 512, DIAGONAL = 64 };

typedef union square {
  float  s[DIAGONAL * DIAGONAL];
  double d[DIAGONAL * DIAGONAL];
} square;

/* One tile, by this thread */
static void tile(bf_scalar type, char ta, char tb, bf_int m, bf_int n, bf_int k, double alpha, const void *A,
                 bf_int lda, const void *B, bf_int ldb, double beta, void *C, bf_int ldc)
{
  const float alpha1 = (float)alpha, beta1 = (float)beta;
  const int   single = type == BF_S;
  const void *x = single ? (const void *)&alpha1 : &alpha, *y = single ? (const void *)&beta1 : &beta;
  (single ? sgemm_ : dgemm_)(&ta, &tb, &m, &n, &k, x, A, &lda, B, &ldb, y, C, &ldc, 1, 1);
}

static bf_int smaller(bf_int a, bf_int b)
{
  return a < b ? a : b;
}

bf_err bf_cpu_dense_gemm(bf_backend *be, bf_scalar type, bf_trans ta, bf_trans tb, bf_int m, bf_int n,
                         bf_int k, double alpha, const void *A, bf_int lda, const void *B, bf_int ldb,
                         double beta, void *C, bf_int ldc)
{
  const bf_int down = (m + ROWS - 1) / ROWS, right = (n + COLUMNS - 1) / COLUMNS;
  (void)be;
#pragma omp parallel for schedule(static) num_threads(bf_cpu_batch_threads())
  for (bf_int t = 0; t < down * right; t++) {
    const bf_int i = t % down * ROWS, j = t / down * COLUMNS;
    const void  *a = ta == BF_NO_TRANS ? bf_dense_at(type, A, lda, i, 0) : bf_dense_at(type, A, lda, 0, i);
    const void  *b = tb == BF_NO_TRANS ? bf_dense_at(type, B, ldb, 0, j) : bf_dense_at(type, B, ldb, j, 0);
    tile(type, ta == BF_NO_TRANS ? 'N' : 'T', tb == BF_NO_TRANS ? 'N' : 'T', smaller(ROWS, m - i),
         smaller(COLUMNS, n - j), k, alpha, a, lda, b, ldb, beta, bf_dense_at(type, C, ldc, i, j), ldc);
  }
  return BF_OK;
}

/* C -= A B^T of a diagonal tile, whose other triangle is unchanged */
static void diagonal(bf_scalar type, bf_int n, bf_int k, const void *A, const void *B, bf_int ld, void *C,
                     bf_int ldc)
{
  square room;
  tile(type, 'N', 'T', n, n, k, 1.0, A, ld, B, ld, 0.0, &room, DIAGONAL);
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = j; i < n; i++) {
      void *c = bf_dense_at(type, C, ldc, i, j);
      if (type == BF_S)
        *(float *)c -= room.s[j * DIAGONAL + i];
      else
        *(double *)c -= room.d[j * DIAGONAL + i];
    }
}

bf_err bf_cpu_dense_syrkx(bf_backend *be, bf_scalar type, bf_int n, bf_int k, const void *A, const void *B,
                          bf_int ldab, void *C, bf_int ldc)
{
  const bf_int right = (n + DIAGONAL - 1) / DIAGONAL;
  (void)be;
#pragma omp parallel for schedule(dynamic) num_threads(bf_cpu_batch_threads())
  for (bf_int t = 0; t < right; t++) {
    const bf_int j = t * DIAGONAL, m = smaller(DIAGONAL, n - j), below = j + m;
    const void  *b = bf_dense_at(type, B, ldab, j, 0);
    diagonal(type, m, k, bf_dense_at(type, A, ldab, j, 0), b, ldab, bf_dense_at(type, C, ldc, j, j), ldc);
    for (bf_int i = below; i < n; i += ROWS)
      tile(type, 'N', 'T', smaller(ROWS, n - i), m, k, -1.0, bf_dense_at(type, A, ldab, i, 0), ldab, b, ldab,
           1.0, bf_dense_at(type, C, ldc, i, j), ldc);
  }
  return BF_OK;
}

/* One tile of C = -A B: A's blocks left of the diagonal as stored, right of it transposed, on it column
 * by column */
static void symmetric_rows(bf_scalar type, bf_int n, bf_int i, bf_int j, bf_int m, const void *A, bf_int lda,
                           const void *B, bf_int ldb, void *C, bf_int ldc)
{
  const bf_int rows = smaller(DIAGONAL, n - i), below = n - i - rows;
  square       room;
  void        *c = bf_dense_at(type, C, ldc, i, j);
  for (bf_int q = 0; q < rows; q++)
    for (bf_int p = q; p < rows; p++) {
      const void *a = bf_dense_at(type, A, lda, i + p, i + q);
      if (type == BF_S)
        room.s[q * DIAGONAL + p] = room.s[p * DIAGONAL + q] = *(const float *)a;
      else
        room.d[q * DIAGONAL + p] = room.d[p * DIAGONAL + q] = *(const double *)a;
    }
  tile(type, 'N', 'N', rows, m, rows, -1.0, &room, DIAGONAL, bf_dense_at(type, B, ldb, i, j), ldb, 0.0, c,
       ldc);
  tile(type, 'N', 'N', rows, m, i, -1.0, bf_dense_at(type, A, lda, i, 0), lda,
       bf_dense_at(type, B, ldb, 0, j), ldb, 1.0, c, ldc);
  if (below > 0)
    tile(type, 'T', 'N', rows, m, below, -1.0, bf_dense_at(type, A, lda, i + rows, i), lda,
         bf_dense_at(type, B, ldb, i + rows, j), ldb, 1.0, c, ldc);
}

bf_err bf_cpu_dense_symm(bf_backend *be, bf_scalar type, bf_int n, bf_int m, const void *A, bf_int lda,
                         const void *B, bf_int ldb, void *C, bf_int ldc)
{
  const bf_int down = (n + DIAGONAL - 1) / DIAGONAL, right = (m + COLUMNS - 1) / COLUMNS;
  (void)be;
#pragma omp parallel for schedule(static) num_threads(bf_cpu_batch_threads())
  for (bf_int t = 0; t < down * right; t++) {
    const bf_int j = t / down * COLUMNS;
    symmetric_rows(type, n, t % down * DIAGONAL, j, smaller(COLUMNS, m - j), A, lda, B, ldb, C, ldc);
  }
  return BF_OK;
}
