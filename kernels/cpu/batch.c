/* kernels/cpu/batch.c - batches of dense matrices: one thread a matrix, LAPACK inside
 *
 * Computes   A = V diag(w) V^T, eigenvalues ascending (dsyev); A^-1 by LU with partial pivoting (dgetrf,
 *            dgetri).
 * Source     LAPACK Users' Guide, 3rd ed., sections 2.4.4 and 2.4.1.
 * Layout     a matrix is worked on in a tight copy of its thread, so a failure leaves no trace in it.
 * Checked    tests/t360_heev_batch.c, t361_inverse_batch.c.
 *
 * LAPACK itself runs on one thread here: the batch is what is parallel.
 */
#include "base/memory.h"
#include "kernels/cpu/cpu.h"
#include <math.h>
#include <omp.h>

/* LAPACK, Fortran symbols; the lengths of the character arguments come last. */
extern void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
                   double *work, const int *lwork, int *info, size_t, size_t);
extern void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
extern void dgetri_(const int *n, double *a, const int *lda, const int *ipiv, double *work, const int *lwork,
                    int *info);
/* Of OpenBLAS alone, absent in other LAPACKs: 1 = it has threads of its own, 2 = those of OpenMP, of which it
 * takes one in a parallel region; to set their number would set everybody's. */
extern int  openblas_get_parallel(void) __attribute__((weak));
extern void openblas_set_num_threads(int n) __attribute__((weak));

enum { WORK = 34 }; /* doubles a column: room for LAPACK's blocked algorithms */

static double *matrix(const bf_dense_batch *A, bf_int b)
{
  return A->a + (int64_t)b * A->stride;
}

/* c[n][n] = the matrix, or its lower triangle with zeros above; 0 where an entry of it is not finite. */
static int take(const bf_dense_batch *A, bf_int b, int lower, double *c)
{
  const double *a    = matrix(A, b);
  const int64_t n    = A->n;
  int           fine = 1;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++) {
      c[j * n + i] = lower && i < j ? 0.0 : a[j * A->ld + i];
      fine &= isfinite(c[j * n + i]);
    }
  return fine;
}

static void put(const bf_dense_batch *A, bf_int b, const double *c)
{
  double       *a = matrix(A, b);
  const int64_t n = A->n;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++) a[j * A->ld + i] = c[j * n + i];
}

/* Column j of c times the sign that makes its largest component positive. */
static void normalise(double *c, int64_t n, int64_t j)
{
  double *v = c + j * n, best = 0.0;
  for (int64_t i = 0; i < n; i++)
    if (fabs(v[i]) > fabs(best)) best = v[i];
  for (int64_t i = 0; i < n && best < 0.0; i++) v[i] = -v[i];
}

static int heev(const bf_dense_batch *A, bf_int b, int vectors, double *w, double *c, double *work)
{
  const int     n = A->n, lwork = WORK * n;
  const int64_t nn   = (int64_t)n * n;
  int           info = n + 1;
  if (take(A, b, 1, c)) {
    dsyev_(vectors ? "V" : "N", "L", &n, c, &n, w, work, &lwork, &info, 1, 1);
    if (info != 0) info = n + 2;
  }
  if (info != 0) {
    for (int i = 0; i < n; i++) w[i] = NAN;
    for (int64_t i = 0; i < nn; i++) c[i] = NAN;
  }
  for (int j = 0; j < n && info == 0 && vectors; j++) normalise(c, n, j);
  if (vectors) put(A, b, c);
  return info;
}

static int inverse(const bf_dense_batch *A, bf_int b, int *ipiv, double *c, double *work)
{
  const int n = A->n, lwork = WORK * n;
  int       info;
  if (!take(A, b, 0, c)) return n + 1;
  dgetrf_(&n, &n, c, &n, ipiv, &info);
  if (info == 0) dgetri_(&n, c, &n, ipiv, work, &lwork, &info);
  if (info == 0) put(A, b, c);
  return info;
}

/* Scratch of a thread: a copy of the matrix, LAPACK's work. */
static bf_err scratch(bf_backend *be, const bf_dense_batch *A, int64_t *each, double **p)
{
  BF_TRY(bf_dense_batch_check(A));
  BF_CHECK(A->n <= 16384, BF_E_ARG, "matrices of n=%d are no batch", A->n);
  if (openblas_get_parallel && openblas_set_num_threads && openblas_get_parallel() == 1)
    openblas_set_num_threads(1);
  *each = (int64_t)A->n * A->n + (int64_t)(WORK + 1) * A->n;
  return bf_cpu_scratch(be, *each * omp_get_max_threads(), p);
}

bf_err bf_cpu_heev_batch(bf_backend *be, const bf_dense_batch *A, int vectors, double *w, bf_int *info)
{
  double *p;
  int64_t each;
  BF_TRY(scratch(be, A, &each, &p));
  BF_CHECK((w && info) || A->count == 0, BF_E_ARG, "null argument");
#pragma omp parallel for schedule(static) if (A->count > 1)
  for (bf_int b = 0; b < A->count; b++) {
    double *c = p + each * omp_get_thread_num();
    info[b]   = heev(A, b, vectors, w + (int64_t)b * A->n, c, c + (int64_t)A->n * A->n);
  }
  return BF_OK;
}

bf_err bf_cpu_inverse_batch(bf_backend *be, const bf_dense_batch *A, bf_int *info)
{
  double *p;
  int64_t each;
  BF_TRY(scratch(be, A, &each, &p));
  BF_CHECK(info || A->count == 0, BF_E_ARG, "null argument");
#pragma omp parallel for schedule(static) if (A->count > 1)
  for (bf_int b = 0; b < A->count; b++) {
    double *c = p + each * omp_get_thread_num(), *work = c + (int64_t)A->n * A->n;
    info[b] = inverse(A, b, (int *)(work + (int64_t)WORK * A->n), c, work);
  }
  return BF_OK;
}
