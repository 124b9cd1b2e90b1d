/* kernels/cpu/dense/band_lapack.c - band matrices: LAPACK's factorisations, condition estimates and solutions
 *
 * Computes   A = L L^T (dpbtrf) or P A = L U (dgbtrf); 1-norm condition estimates (dpbcon, dgbcon);
 *            x = A^-1 x.
 * Source     LAPACK Users' Guide, 3rd ed., sections 2.4.1 and 5.3.3 (band storage).
 * Cost       n kl^2 flops (Cholesky), 2 n kl (kl + ku) (LU, at most twice that with exchanges); a solution
 *            4 n kl, 2 n (2 kl + ku); the estimate about five solutions.
 * Checked    tests/solvers/t402_direct.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/band.h"
#include "kernels/cpu/backend/cpu.h"
#include <limits.h>
#include <math.h>
#include <omp.h>

/* LAPACK, Fortran symbols; the lengths of the character arguments come last. */
extern void   dpbtrf_(const char *uplo, const int *n, const int *kd, double *ab, const int *ldab, int *info,
                      size_t);
extern void   dpbtrs_(const char *uplo, const int *n, const int *kd, const int *nrhs, const double *ab,
                      const int *ldab, double *b, const int *ldb, int *info, size_t);
extern void   dpbcon_(const char *uplo, const int *n, const int *kd, const double *ab, const int *ldab,
                      const double *anorm, double *rcond, double *work, int *iwork, int *info, size_t);
extern double dlansb_(const char *norm, const char *uplo, const int *n, const int *k, const double *ab,
                      const int *ldab, double *work, size_t, size_t);
extern void   dgbtrf_(const int *m, const int *n, const int *kl, const int *ku, double *ab, const int *ldab,
                      int *ipiv, int *info);
extern void   dgbtrs_(const char *trans, const int *n, const int *kl, const int *ku, const int *nrhs,
                      const double *ab, const int *ldab, const int *ipiv, double *b, const int *ldb, int *info,
                      size_t);
extern void   dgbcon_(const char *norm, const int *n, const int *kl, const int *ku, const double *ab,
                      const int *ldab, const int *ipiv, const double *anorm, double *rcond, double *work,
                      int *iwork, int *info, size_t);
extern double dlangb_(const char *norm, const int *n, const int *kl, const int *ku, const double *ab,
                      const int *ldab, double *work, size_t);

/* OpenBLAS only, absent in other LAPACK libraries */
extern void openblas_set_num_threads(int n) __attribute__((weak));

/* Narrow bands on one thread: their blocks are too small to share, and on a loaded machine a barrier
 * costs more than a block (2 cores under load, half-bandwidth 137: 0.05 s on one thread, 2.8 s on two). */
enum { NARROW = 2048 };
int bf_cpu_band_threads(const bf_band *B)
{
  const int before = omp_get_max_threads();
  if (B->kl >= NARROW || !openblas_set_num_threads) return 0;
  openblas_set_num_threads(1);
  return before;
}
void bf_cpu_band_threads_end(int before)
{
  if (before == 0) return;
  openblas_set_num_threads(before);
  omp_set_num_threads(before);
}

static bf_err check(const bf_band *B)
{
  BF_CHECK(B && B->ab && (B->spd || B->pivot), BF_E_ARG, "null argument");
  BF_CHECK(B->n >= 1 && B->kl >= 0 && B->ku >= 0 && B->kl < B->n && B->ku < B->n, BF_E_ARG,
           "n=%d kl=%d ku=%d", (int)B->n, (int)B->kl, (int)B->ku);
  BF_CHECK(B->ld == bf_band_shape(B->n, B->kl, B->ku, B->spd).ld && B->ld <= INT_MAX, BF_E_ARG, "ld=%lld",
           (long long)B->ld);
  return BF_OK;
}

bf_err bf_cpu_band_factor(bf_backend *be, bf_band *B, bf_band_report *report)
{
  (void)be;
  bf_err    err   = BF_OK;
  double   *work  = NULL;
  int      *iwork = NULL;
  const int n = B->n, kl = B->kl, ku = B->ku, ld = (int)B->ld;
  int       threads = 0;
  double    norm, weak = INFINITY;
  BF_TRY(check(B));
  *report = (bf_band_report){0};
  BF_GO(BF_NEW_ARRAY(work, 3 * (size_t)n));
  BF_GO(BF_NEW_ARRAY(iwork, n));
  threads = bf_cpu_band_threads(B);
  if (B->spd) {
    norm = dlansb_("1", "L", &n, &kl, B->ab, &ld, work, 1, 1);
    dpbtrf_("L", &n, &kl, B->ab, &ld, &report->info, 1);
  } else {
    norm = dlangb_("1", &n, &kl, &ku, B->ab + kl, &ld, work, 1);
    dgbtrf_(&n, &n, &kl, &ku, B->ab, &ld, B->pivot, &report->info);
  }
  BF_NEED(report->info >= 0, BF_E_INTERNAL, "LAPACK refused argument %d", -report->info);
  report->weakest = report->info - 1;
  if (report->info > 0) goto done;
  for (bf_int j = 0; j < n; j++) {
    const double pivot = fabs(B->ab[bf_band_at(B, j, j)]);
    if (pivot < weak) weak = pivot, report->weakest = j;
  }
  int info;
  if (B->spd)
    dpbcon_("L", &n, &kl, B->ab, &ld, &norm, &report->rcond, work, iwork, &info, 1);
  else
    dgbcon_("1", &n, &kl, &ku, B->ab, &ld, B->pivot, &norm, &report->rcond, work, iwork, &info, 1);
done:
  bf_cpu_band_threads_end(threads);
  bf_host_free(work);
  bf_host_free(iwork);
  return err;
}

bf_err bf_cpu_band_solve(bf_backend *be, const bf_band *B, double *x)
{
  (void)be;
  BF_TRY(check(B));
  const int n = B->n, kl = B->kl, ku = B->ku, ld = (int)B->ld, one = 1, threads = bf_cpu_band_threads(B);
  int       info;
  if (B->spd)
    dpbtrs_("L", &n, &kl, &one, B->ab, &ld, x, &n, &info, 1);
  else
    dgbtrs_("N", &n, &kl, &ku, &one, B->ab, &ld, B->pivot, x, &n, &info, 1);
  bf_cpu_band_threads_end(threads);
  BF_CHECK(info == 0, BF_E_INTERNAL, "LAPACK refused argument %d", -info);
  return BF_OK;
}
