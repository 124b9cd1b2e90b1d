/* kernels/cpu/dense/potrf.c - batched Cholesky factorisation and solutions
 *
 * Computes   A = L L^H or U^H U (potrf), A^-1 B (potrs; posv = both).
 * Source     LAPACK Users' Guide, 3rd ed., section 2.4.1.
 * Checked    tests/kernels/dense/t364_cholesky_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/dense/batch.h"
#include <omp.h>

static const char triangle[] = {[BF_LOWER] = 'L', [BF_UPPER] = 'U'};

static int potrf(bf_uplo uplo, const bf_batch *A, bf_int b, bf_int n)
{
  void *a = bf_cpu_batch_matrix(A, b);
  int   info;
  if (!bf_cpu_batch_finite(A->type, n, A->ld, a, (bf_cpu_part)uplo)) return n + 1;
  bf_lapack_of[A->type].potrf(&triangle[uplo], &n, a, &A->ld, &info, 1);
  return info != 0 || bf_cpu_batch_finite(A->type, n, A->ld, a, (bf_cpu_part)uplo) ? info : n + 1;
}

bf_err bf_cpu_potrf_batch(bf_backend *be, bf_uplo uplo, const bf_batch *A, bf_int *info, void *work)
{
  (void)be;
  (void)work;
#pragma omp parallel for schedule(static) num_threads(bf_cpu_batch_threads())
  for (bf_int b = 0; b < A->count; b++) {
    const bf_int n = bf_cpu_batch_order(A, b, &info[b]);
    if (n > 0) info[b] = potrf(uplo, A, b, n);
  }
  return BF_OK;
}

static int potrs(bf_uplo uplo, const bf_batch *A, bf_int b, bf_int n, const bf_batch_rhs *B)
{
  const void *a    = bf_cpu_batch_matrix(A, b);
  int         info = bf_cpu_batch_diagonal(A->type, n, A->ld, a);
  if (info == 0 && B->nrhs > 0)
    bf_lapack_of[A->type].potrs(&triangle[uplo], &n, &B->nrhs, a, &A->ld, bf_cpu_batch_rhs(A, B, b), &B->ld,
                                &info, 1);
  return info;
}

bf_err bf_cpu_potrs_batch(bf_backend *be, bf_uplo uplo, const bf_batch *A, const bf_batch_rhs *B,
                          bf_int *info, void *work)
{
  (void)be;
  (void)work;
#pragma omp parallel for schedule(static) num_threads(bf_cpu_batch_threads())
  for (bf_int b = 0; b < A->count; b++) {
    const bf_int n = bf_cpu_batch_order(A, b, &info[b]);
    if (n > 0) info[b] = potrs(uplo, A, b, n, B);
  }
  return BF_OK;
}

bf_err bf_cpu_posv_batch(bf_backend *be, bf_uplo uplo, const bf_batch *A, const bf_batch_rhs *B, bf_int *info,
                         void *work)
{
  (void)be;
  (void)work;
#pragma omp parallel for schedule(static) num_threads(bf_cpu_batch_threads())
  for (bf_int b = 0; b < A->count; b++) {
    const bf_int n = bf_cpu_batch_order(A, b, &info[b]);
    if (n > 0) info[b] = potrf(uplo, A, b, n);
    if (info[b] == 0 && n > 0) info[b] = potrs(uplo, A, b, n, B);
  }
  return BF_OK;
}
