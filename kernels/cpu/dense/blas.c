/* kernels/cpu/dense/blas.c - the CPU's operations on one large dense matrix: see kernels/dense.h; products
 * are in blas_products.c, factorisations are LAPACK's
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/dense/blas.h"
#include "kernels/cpu/dense/lapack.h"
#include <math.h>
#include <string.h>

#define REAL    float
#define NAME(f) f##_s
#include "kernels/cpu/dense/blas_loop.h"
#undef REAL
#undef NAME
#define REAL    double
#define NAME(f) f##_d
#include "kernels/cpu/dense/blas_loop.h"
#undef REAL
#undef NAME

/* f_s or f_d(...) */
#define BY_TYPE(f, ...) (type == BF_S ? f##_s(__VA_ARGS__) : f##_d(__VA_ARGS__))

static bf_err dense_open(bf_backend *be)
{
  (void)be;
  return BF_OK;
}

static bf_err emulate(bf_backend *be, int on)
{
  return on ? bf_unsupported(be, "emulated fp64 products") : BF_OK;
}

static bf_err gather(bf_backend *be, bf_scalar type, bf_dense_block k, const void *A, bf_int lda, void *B,
                     bf_int ldb)
{
  (void)be;
  BY_TYPE(gather, k, A, (size_t)lda, B, (size_t)ldb);
  return BF_OK;
}

static bf_err clear(bf_backend *be, bf_scalar type, bf_dense_block k, void *A, bf_int lda, void *B,
                    bf_int ldb, bf_int c, void *G, void *H, bf_int ldg)
{
  (void)be;
  BY_TYPE(clear, k, A, (size_t)lda, B, (size_t)ldb, c, G, H, (size_t)ldg);
  return BF_OK;
}

/* LAPACK's bits depend on the number of OpenBLAS threads; inside a parallel region it uses one. */
static bf_err definite(bf_backend *be, bf_scalar type, bf_int m, bf_int k0, void *D, bf_int ldd, int replace,
                       void *W, bf_int ldw, bf_int *flag)
{
  int info = 0;
  (void)be;
  BY_TYPE(copy_lower, m, 0, D, (size_t)ldd, W, (size_t)ldw);
#pragma omp parallel num_threads(bf_cpu_batch_threads())
#pragma omp          single
  {
    bf_lapack_of[type].potrf("L", &m, W, &ldw, &info, 1);
    if (info == 0) bf_lapack_of[type].trtri("L", "N", &m, W, &ldw, &info, 1, 1);
  }
  if (info == 0 && !BY_TYPE(is_factor, m, W, (size_t)ldw)) info = 1;
  if (info != 0 && *flag == 0) *flag = k0 + info;
  if (replace) BY_TYPE(identity, m, m, 1, D, (size_t)ldd);
  return BF_OK;
}

static bf_err lower(bf_backend *be, bf_scalar type, bf_dense_block k, const void *V, bf_int ldv, void *W,
                    bf_int ldw, void *B, bf_int ldb)
{
  (void)be;
  BY_TYPE(lower, k.m, V, (size_t)ldv, W, (size_t)ldw);
  BY_TYPE(identity, k.m, k.m, -1, bf_dense_at(type, B, ldb, k.k0, 0), (size_t)ldb);
  return BF_OK;
}

static bf_err factor(bf_backend *be, bf_scalar type, bf_int n, bf_int m, const void *B, bf_int ldb,
                     const void *W, bf_int ldw, void *G, bf_int ldg)
{
  for (bf_int j = 0; j < m; j += BF_DENSE_LEAF) {
    const bf_int end = m - j < BF_DENSE_LEAF ? m : j + BF_DENSE_LEAF;
    BF_TRY(bf_cpu_dense_gemm(be, type, BF_NO_TRANS, BF_TRANS, n, end - j, end, 1.0, B, ldb,
                             bf_dense_at(type, W, ldw, j, 0), ldw, 0.0, bf_dense_at(type, G, ldg, 0, j),
                             ldg));
  }
  return BF_OK;
}

static bf_err advance(bf_backend *be, bf_scalar type, bf_dense_block k, bf_dense_block next, const void *G,
                      bf_int ldg, const void *A, bf_int lda, void *B, bf_int ldb)
{
  if (A) BY_TYPE(gather, next, A, (size_t)lda, B, (size_t)ldb);
  BY_TYPE(identity, k.m, next.m, 0, bf_dense_at(type, B, ldb, k.k0, 0), (size_t)ldb);
  return bf_cpu_dense_gemm(be, type, BF_NO_TRANS, BF_TRANS, k.n, next.m, k.m, -1.0, G, ldg,
                           bf_dense_at(type, G, ldg, next.k0, 0), ldg, 1.0, B, ldb);
}

static bf_err sweep(bf_backend *be, bf_scalar type, bf_dense_block k, bf_dense_block next, const void *G,
                    bf_int ldg, void *A, bf_int lda)
{
  (void)next;
  BY_TYPE(clear_lower, k, A, (size_t)lda);
  return bf_cpu_dense_syrkx(be, type, k.n, k.m, G, G, ldg, A, lda);
}

static bf_err queue(bf_backend *be, bf_dense_queue where)
{
  (void)be;
  (void)where;
  return BF_OK;
}

static bf_err take(bf_backend *be, bf_scalar type, bf_int m, const void *D, bf_int ldd, void *C, bf_int ldc,
                   double *norm)
{
  double of[2], room[3 * BF_DENSE_LEAF];
  (void)be;
  BY_TYPE(copy_lower, m, 1, D, (size_t)ldd, C, (size_t)ldc);
  BY_TYPE(norms, m, m, C, (size_t)ldc, of, room);
  *norm = of[0];
  return BF_OK;
}

static bf_err mirror(bf_backend *be, bf_scalar type, bf_uplo from, bf_int n, double alpha, const void *A,
                     bf_int lda, const void *diagonal, void *C, bf_int ldc, void *kept)
{
  (void)be;
  if (type == BF_S)
    mirror_s(from == BF_UPPER, n, (float)alpha, A, (size_t)lda, diagonal, C, (size_t)ldc, kept);
  else
    mirror_d(from == BF_UPPER, n, alpha, A, (size_t)lda, diagonal, C, (size_t)ldc, kept);
  return BF_OK;
}

static bf_err norms(bf_backend *be, bf_scalar type, bf_int m, bf_int n, const void *A, bf_int lda,
                    double *norm, double *room)
{
  (void)be;
  BY_TYPE(norms, m, n, A, (size_t)lda, norm, room);
  return BF_OK;
}

static bf_err signs(bf_backend *be, bf_scalar type, bf_int n, bf_int k, void *V, bf_int ldv)
{
  (void)be;
  BY_TYPE(signs, n, k, V, (size_t)ldv);
  return BF_OK;
}

static bf_err shift(bf_backend *be, bf_scalar type, bf_int m, void *C, bf_int ldc)
{
  (void)be;
  for (bf_int j = 0; j < m; j++)
    if (type == BF_S)
      *(float *)bf_dense_at(type, C, ldc, j, j) += 1;
    else
      *(double *)bf_dense_at(type, C, ldc, j, j) += 1;
  return BF_OK;
}

static bf_err corrected(bf_backend *be, bf_scalar type, bf_int n, bf_int j0, bf_int m, const void *T,
                        bf_int ldt, const void *X, bf_int ldx, void *Y, bf_int ldy, void *diagonal)
{
  (void)be;
  BY_TYPE(corrected, n, j0, m, T, (size_t)ldt, X, (size_t)ldx, Y, (size_t)ldy, diagonal);
  return BF_OK;
}

enum { BLOCK = 64 }; /* of sytrf's workspace */

static size_t pivoted_bytes(bf_scalar type, bf_int n)
{
  return (size_t)n * (BLOCK * bf_scalar_bytes(type) + sizeof(int));
}

/* P^T A P = L D L^T (Bunch-Kaufman) and its inverse */
static bf_err pivoted(bf_backend *be, bf_scalar type, bf_int n, void *A, bf_int lda, void *X, bf_int ldx,
                      bf_int *info, void *work)
{
  const int lwork = BLOCK * n;
  int      *ipiv = (int *)bf_dense_at(type, work, n, 0, BLOCK), seen = 0;
  BF_TRY(mirror(be, type, BF_LOWER, n, 1.0, A, lda, NULL, X, ldx, NULL));
#pragma omp parallel num_threads(bf_cpu_batch_threads())
#pragma omp          single
  {
    bf_lapack_of[type].sytrf("L", &n, X, &ldx, ipiv, work, &lwork, &seen, 1);
    if (seen == 0) bf_lapack_of[type].sytri("L", &n, X, &ldx, ipiv, work, &seen, 1);
  }
  *info = seen;
  return mirror(be, type, BF_LOWER, n, 1.0, X, ldx, NULL, X, ldx, NULL);
}

static bf_err border(bf_backend *be, bf_scalar type, bf_int n, void *A, bf_int lda, void *q)
{
  (void)be;
  BY_TYPE(border, n, A, (size_t)lda, q);
  return BF_OK;
}

const bf_dense_ops bf_cpu_dense = {.open          = dense_open,
                                   .emulate       = emulate,
                                   .gemm          = bf_cpu_dense_gemm,
                                   .syrkx         = bf_cpu_dense_syrkx,
                                   .symm          = bf_cpu_dense_symm,
                                   .gather        = gather,
                                   .clear         = clear,
                                   .definite      = definite,
                                   .lower         = lower,
                                   .factor        = factor,
                                   .advance       = advance,
                                   .sweep         = sweep,
                                   .queue         = queue,
                                   .take          = take,
                                   .mirror        = mirror,
                                   .norms         = norms,
                                   .signs         = signs,
                                   .shift         = shift,
                                   .corrected     = corrected,
                                   .pivoted       = pivoted,
                                   .pivoted_bytes = pivoted_bytes,
                                   .border        = border};
