/* kernels/cpu/dense/batch.c - batched operations on the CPU: threads, workspace, copies, finiteness checks;
 * see batch.h
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/dense/batch.h"
#include <math.h>
#include <omp.h>
#include <string.h>

/* OpenBLAS only, absent in other LAPACK libraries: 1 = it has its own threads, 2 = OpenMP threads, of
 * which it uses one in a parallel region; setting their number would be global. */
extern int  openblas_get_parallel(void) __attribute__((weak));
extern void openblas_set_num_threads(int n) __attribute__((weak));

int bf_cpu_batch_threads(void)
{
  const int most = omp_get_num_procs(), asked = omp_get_max_threads();
  if (openblas_get_parallel && openblas_set_num_threads && openblas_get_parallel() == 1)
    openblas_set_num_threads(1);
  return asked < most ? asked : most;
}

size_t bf_cpu_batch_bytes(bf_batch_op op, const bf_batch *A)
{
  const size_t one = bf_scalar_bytes(A->type), n = (size_t)A->n, square = n * n * one,
               work = (size_t)BF_CPU_WORK * n * one, real = 3 * n * one;
  size_t bytes = 0;
  if (op == BF_GETRI) bytes = work;
  if (op == BF_INVERSE) bytes = square + work + n * sizeof(int);
  if (op == BF_HEEV) bytes = square + work + real;
  if (op == BF_HEGV) bytes = 2 * square + work + real;
  return (bytes + 63) / 64 * 64;
}

bf_err bf_cpu_batch_work(bf_backend *be, bf_batch_op op, const bf_batch *A, size_t *bytes)
{
  (void)be;
  *bytes = bf_cpu_batch_bytes(op, A) * (size_t)omp_get_num_procs();
  return BF_OK;
}

/* Whether rows i0 .. i1-1 of column j are in the part */
static void rows(bf_cpu_part part, bf_int n, bf_int j, bf_int *i0, bf_int *i1)
{
  *i0 = part == BF_CPU_LOWER ? j : 0;
  *i1 = part == BF_CPU_UPPER ? j + 1 : n;
}

void bf_cpu_batch_load(const bf_batch *A, bf_int b, bf_int n, bf_cpu_part part, void *c)
{
  const size_t one = bf_scalar_bytes(A->type);
  const char  *a   = bf_cpu_batch_matrix(A, b);
  for (bf_int j = 0; j < n; j++) {
    char  *to = (char *)c + (size_t)j * (size_t)n * one;
    bf_int i0, i1;
    rows(part, n, j, &i0, &i1);
    memset(to, 0, (size_t)n * one);
    memcpy(to + (size_t)i0 * one, a + ((size_t)j * (size_t)A->ld + (size_t)i0) * one,
           (size_t)(i1 - i0) * one);
    if (part != BF_CPU_ALL && A->type >= BF_C) memset(to + (size_t)j * one + one / 2, 0, one / 2);
  }
}

void bf_cpu_batch_store(const bf_batch *A, bf_int b, bf_int n, const void *c)
{
  const size_t one = bf_scalar_bytes(A->type);
  char        *a   = bf_cpu_batch_matrix(A, b);
  for (bf_int j = 0; j < n; j++)
    memcpy(a + (size_t)j * (size_t)A->ld * one, (const char *)c + (size_t)j * (size_t)n * one,
           (size_t)n * one);
}

/* Real numbers i0 .. i1-1 of p; x * 0 is 0 for finite x only */
static int finite_f(const float *p, int64_t i0, int64_t i1)
{
  float s = 0.0F;
  for (int64_t i = i0; i < i1; i++) s += p[i] * 0.0F;
  return s == 0.0F;
}
static int finite_d(const double *p, int64_t i0, int64_t i1)
{
  double s = 0.0;
  for (int64_t i = i0; i < i1; i++) s += p[i] * 0.0;
  return s == 0.0;
}

int bf_cpu_batch_finite(bf_scalar type, bf_int n, bf_int ld, const void *a, bf_cpu_part part)
{
  const int64_t per  = type >= BF_C ? 2 : 1;
  int           fine = 1;
  for (bf_int j = 0; j < n && fine; j++) {
    bf_int i0, i1;
    rows(part, n, j, &i0, &i1);
    const int64_t at = (int64_t)j * ld, p0 = (at + i0) * per, p1 = (at + i1) * per;
    fine = type == BF_S || type == BF_C ? finite_f(a, p0, p1) : finite_d(a, p0, p1);
  }
  return fine;
}

int bf_cpu_batch_diagonal(bf_scalar type, bf_int n, bf_int ld, const void *a)
{
  const int64_t per  = type >= BF_C ? 2 : 1;
  int           info = 0;
  for (bf_int k = 0; k < n; k++) {
    const int64_t at  = (int64_t)k * (ld + 1) * per;
    double        sum = 0.0;
    for (int64_t i = at; i < at + per; i++)
      sum += fabs(type == BF_S || type == BF_C ? (double)((const float *)a)[i] : ((const double *)a)[i]);
    if (!isfinite(sum)) return n + 1;
    if (sum == 0.0 && info == 0) info = k + 1;
  }
  return info;
}
