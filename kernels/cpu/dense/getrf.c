/* kernels/cpu/dense/getrf.c - batched LU with partial pivoting, solutions, inverses
 *
 * Computes   P A = L U (getrf), A^-1 B (getrs), A^-1 (getri; inverse = getrf and getri of a copy, so that a
 *            failure leaves A unchanged; the smallest orders by inverse_tiny.c).
 * Source     LAPACK Users' Guide, 3rd ed., section 2.4.1.
 * Checked    tests/kernels/dense/t361_inverse_batch.c, t362_lu_batch.c, t363_solve_batch.c,
 *            t369_hard_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/dense/batch.h"
#include <math.h>
#include <omp.h>

/* a[n][n] times 2^e; BF_CPU_UPPER: its upper triangle. */
static void scale(bf_scalar type, bf_int n, bf_int ld, void *a, bf_cpu_part part, int e)
{
  const int64_t per = type >= BF_C ? 2 : 1;
  for (bf_int j = 0; j < n && e != 0; j++) {
    const int64_t first = (int64_t)j * ld * per, rows = (part == BF_CPU_UPPER ? j + 1 : n) * per;
    for (int64_t i = first; i < first + rows; i++)
      if (type == BF_S || type == BF_C)
        ((float *)a)[i] = ldexpf(((float *)a)[i], e);
      else
        ((double *)a)[i] = ldexp(((double *)a)[i], e);
  }
}

/* LAPACK divides by reciprocals, which overflow for pivots near the smallest numbers of a type. Exponent
 * of the power of 2 that scales such a matrix up, unless it has large entries too; 0: no scaling. */
static int lift(bf_scalar type, bf_int n, bf_int ld, const void *a)
{
  const int     single = type == BF_S || type == BF_C, middle = single ? 40 : 400, low = single ? -110 : -960;
  const int64_t per   = type >= BF_C ? 2 : 1;
  double        least = INFINITY, most = 0.0;
  for (bf_int j = 0; j < n; j++)
    for (int64_t i = (int64_t)j * ld * per; i < ((int64_t)j * ld + n) * per; i++) {
      const double x = fabs(single ? (double)((const float *)a)[i] : ((const double *)a)[i]);
      if (x > most) most = x;
      if (x > 0.0 && x < least) least = x;
    }
  if (!(least < ldexp(1.0, low)) || most > ldexp(1.0, middle)) return 0;
  return middle - ilogb(most);
}

static int getrf(const bf_batch *A, bf_int b, bf_int n, int *ipiv)
{
  void *a = bf_cpu_batch_matrix(A, b);
  int   info;
  for (int k = 0; k < n; k++) ipiv[k] = k + 1;
  if (!bf_cpu_batch_finite(A->type, n, A->ld, a, BF_CPU_ALL)) return n + 1;
  const int e = lift(A->type, n, A->ld, a);
  scale(A->type, n, A->ld, a, BF_CPU_ALL, e);
  bf_lapack_of[A->type].getrf(&n, &n, a, &A->ld, ipiv, &info);
  scale(A->type, n, A->ld, a, BF_CPU_UPPER, -e);
  return bf_cpu_batch_finite(A->type, n, A->ld, a, BF_CPU_UPPER) ? info : n + 1;
}

bf_err bf_cpu_getrf_batch(bf_backend *be, const bf_batch *A, bf_int *ipiv, bf_int *info, void *work)
{
  (void)be;
  (void)work;
#pragma omp parallel for schedule(static) num_threads(bf_cpu_batch_threads())
  for (bf_int b = 0; b < A->count; b++) {
    const bf_int n = bf_cpu_batch_order(A, b, &info[b]);
    if (n > 0) info[b] = getrf(A, b, n, ipiv + (int64_t)b * A->n);
  }
  return BF_OK;
}

static int getrs(bf_trans trans, const bf_batch *A, bf_int b, bf_int n, const int *ipiv,
                 const bf_batch_rhs *B)
{
  static const char letter[] = {[BF_NO_TRANS] = 'N', [BF_TRANS] = 'T', [BF_CONJ_TRANS] = 'C'};
  const void       *a        = bf_cpu_batch_matrix(A, b);
  int               info     = bf_cpu_batch_diagonal(A->type, n, A->ld, a);
  if (info == 0 && B->nrhs > 0)
    bf_lapack_of[A->type].getrs(&letter[trans], &n, &B->nrhs, a, &A->ld, ipiv, bf_cpu_batch_rhs(A, B, b),
                                &B->ld, &info, 1);
  return info;
}

bf_err bf_cpu_getrs_batch(bf_backend *be, bf_trans trans, const bf_batch *A, const bf_int *ipiv,
                          const bf_batch_rhs *B, bf_int *info, void *work)
{
  (void)be;
  (void)work;
#pragma omp parallel for schedule(static) num_threads(bf_cpu_batch_threads())
  for (bf_int b = 0; b < A->count; b++) {
    const bf_int n = bf_cpu_batch_order(A, b, &info[b]);
    if (n > 0) info[b] = getrs(trans, A, b, n, ipiv + (int64_t)b * A->n, B);
  }
  return BF_OK;
}

/* Checks factors at a before anything is written. */
static int getri(bf_scalar type, bf_int n, void *a, bf_int ld, const int *ipiv, void *work)
{
  const int lwork = BF_CPU_WORK * n;
  int       info  = bf_cpu_batch_diagonal(type, n, ld, a);
  if (info == 0) bf_lapack_of[type].getri(&n, a, &ld, ipiv, work, &lwork, &info);
  return info;
}

bf_err bf_cpu_getri_batch(bf_backend *be, const bf_batch *A, const bf_int *ipiv, bf_int *info, void *work)
{
  (void)be;
  const size_t each = bf_cpu_batch_bytes(BF_GETRI, A);
#pragma omp parallel for schedule(static) num_threads(bf_cpu_batch_threads())
  for (bf_int b = 0; b < A->count; b++) {
    const bf_int n = bf_cpu_batch_order(A, b, &info[b]);
    if (n > 0)
      info[b] = getri(A->type, n, bf_cpu_batch_matrix(A, b), A->ld, ipiv + (int64_t)b * A->n,
                      (char *)work + each * (size_t)omp_get_thread_num());
  }
  return BF_OK;
}

/* c: copy, LAPACK's work, pivots */
static int inverse(const bf_batch *A, bf_int b, bf_int n, char *c)
{
  const size_t one = bf_scalar_bytes(A->type), m = (size_t)A->n;
  char        *work = c + m * m * one;
  int         *ipiv = (int *)(work + BF_CPU_WORK * m * one), info;
  bf_cpu_batch_load(A, b, n, BF_CPU_ALL, c);
  if (!bf_cpu_batch_finite(A->type, n, n, c, BF_CPU_ALL)) return n + 1;
  if (bf_cpu_inverse_few(A->type, n, c)) {
    bf_cpu_batch_store(A, b, n, c);
    return 0;
  }
  bf_cpu_batch_load(A, b, n, BF_CPU_ALL, c);
  const int e = lift(A->type, n, n, c);
  scale(A->type, n, n, c, BF_CPU_ALL, e);
  bf_lapack_of[A->type].getrf(&n, &n, c, &n, ipiv, &info);
  if (!bf_cpu_batch_finite(A->type, n, n, c, BF_CPU_UPPER)) return n + 1;
  if (info == 0) info = getri(A->type, n, c, n, ipiv, work);
  scale(A->type, n, n, c, BF_CPU_ALL, e);
  if (info == 0 && !bf_cpu_batch_finite(A->type, n, n, c, BF_CPU_ALL)) return n + 1;
  if (info == 0) bf_cpu_batch_store(A, b, n, c);
  return info;
}

bf_err bf_cpu_inverse_batch(bf_backend *be, const bf_batch *A, bf_int *info, void *work)
{
  (void)be;
  const size_t each = bf_cpu_batch_bytes(BF_INVERSE, A);
#pragma omp parallel for schedule(static) num_threads(bf_cpu_batch_threads())
  for (bf_int b = 0; b < A->count; b++) {
    const bf_int n = bf_cpu_batch_order(A, b, &info[b]);
    if (n > 0) info[b] = inverse(A, b, n, (char *)work + each * (size_t)omp_get_thread_num());
  }
  return BF_OK;
}
