/* kernels/cpu/dense/heev.c - batched eigenvalues and eigenvectors of symmetric and Hermitian matrices
 *
 * Computes   A = V diag(w) V^H (syev, heev); A V = B V diag(w) (sygv, hegv), eigenvalues ascending.
 * Source     LAPACK Users' Guide, 3rd ed., sections 2.4.4 and 2.4.5.1; QL and QR iterate to roundoff, so
 *            tolerance and sweeps are not used.
 * Layout     a matrix is processed in a contiguous copy of its thread.
 * Checked    tests/kernels/dense/t360_heev_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/dense/batch.h"
#include <math.h>
#include <omp.h>

typedef struct bf_eigen { /* of one thread */
  bf_scalar type;
  void     *a, *b; /* [n][n] */
  void     *work, *rwork;
} bf_eigen;

static bf_eigen eigen_of(const bf_batch *A, bf_batch_op op, void *work)
{
  const size_t one = bf_scalar_bytes(A->type), n = (size_t)A->n;
  char        *p = (char *)work + bf_cpu_batch_bytes(op, A) * (size_t)omp_get_thread_num();
  bf_eigen     e = {.type = A->type, .a = p};
  if (op == BF_HEGV) e.b = p += n * n * one;
  e.work  = p += n * n * one;
  e.rwork = p + BF_CPU_WORK * n * one;
  return e;
}

static double real_of(bf_scalar type, const void *p, int64_t i)
{
  return type == BF_S || type == BF_C ? (double)((const float *)p)[i] : ((const double *)p)[i];
}
static void set_real(bf_scalar type, void *p, int64_t i, double x)
{
  if (type == BF_S || type == BF_C)
    ((float *)p)[i] = (float)x;
  else
    ((double *)p)[i] = x;
}

static void not_a_number(bf_scalar type, void *p, int64_t from, int64_t count)
{
  for (int64_t i = from; i < from + count; i++) set_real(type, p, i, (double)NAN);
}

/* Column j times the number of modulus 1 that makes its largest component real and positive. */
static void normalise(bf_scalar type, void *v, int64_t n, int64_t j)
{
  const int64_t per = type >= BF_C ? 2 : 1, at = j * n * per;
  double        best = 0.0, re = 1.0, im = 0.0;
  for (int64_t i = at; i < at + n * per; i += per) {
    const double x = real_of(type, v, i), y = per == 2 ? real_of(type, v, i + 1) : 0.0, r = hypot(x, y);
    if (r > best) {
      best = r;
      re   = x / r;
      im   = y / r;
    }
  }
  for (int64_t i = at; i < at + n * per && (re < 0.0 || im != 0.0); i += per) {
    const double x = real_of(type, v, i), y = per == 2 ? real_of(type, v, i + 1) : 0.0;
    set_real(type, v, i, x * re + y * im);
    if (per == 2) set_real(type, v, i + 1, y * re - x * im);
  }
}

/* info of e->a (and e->b), and the number of off-diagonal entries that did not converge in LAPACK */
static int decompose(const bf_heev_how *how, const bf_eigen *e, int n, void *w, bf_int *left)
{
  const bf_lapack *L    = &bf_lapack_of[e->type];
  const char      *jobz = how->vectors ? "V" : "N", *uplo = how->uplo == BF_LOWER ? "L" : "U";
  const int        lwork = BF_CPU_WORK * n, one = 1;
  int              info;
  if (e->type >= BF_C && e->b)
    L->hegv(&one, jobz, uplo, &n, e->a, &n, e->b, &n, w, e->work, &lwork, e->rwork, &info, 1, 1);
  else if (e->type >= BF_C)
    L->heev(jobz, uplo, &n, e->a, &n, w, e->work, &lwork, e->rwork, &info, 1, 1);
  else if (e->b)
    L->sygv(&one, jobz, uplo, &n, e->a, &n, e->b, &n, w, e->work, &lwork, &info, 1, 1);
  else
    L->syev(jobz, uplo, &n, e->a, &n, w, e->work, &lwork, &info, 1, 1);
  if (info <= 0) return info;
  if (info > n) return info - n;
  *left = info;
  return n + 2;
}

static int eigen(const bf_heev_how *how, const bf_batch *A, const bf_batch *B, bf_int b, bf_int n,
                 const bf_eigen *e, void *w, bf_int *left)
{
  const bf_cpu_part part = (bf_cpu_part)how->uplo;
  int               info = n + 1, fine;
  bf_cpu_batch_load(A, b, n, part, e->a);
  fine = bf_cpu_batch_finite(A->type, n, n, e->a, part);
  if (B) {
    bf_cpu_batch_load(B, b, n, part, e->b);
    fine &= bf_cpu_batch_finite(B->type, n, n, e->b, part);
  }
  if (fine) info = decompose(how, e, n, w, left);
  if (info != 0) {
    not_a_number(A->type, w, 0, n);
    not_a_number(A->type, e->a, 0, (int64_t)n * n * (A->type >= BF_C ? 2 : 1));
  }
  for (int j = 0; j < n && info == 0 && how->vectors; j++) normalise(A->type, e->a, n, j);
  if (how->vectors) bf_cpu_batch_store(A, b, n, e->a);
  return info;
}

static void all(bf_batch_op op, const bf_heev_how *how, const bf_batch *A, const bf_batch *B, void *w,
                bf_int *info, void *work)
{
  const size_t real = A->type == BF_S || A->type == BF_C ? sizeof(float) : sizeof(double);
#pragma omp parallel for schedule(static) num_threads(bf_cpu_batch_threads())
  for (bf_int b = 0; b < A->count; b++) {
    const bf_int   n    = bf_cpu_batch_order(A, b, &info[b]);
    const bf_eigen e    = eigen_of(A, op, work);
    bf_int         left = 0;
    if (n > 0) info[b] = eigen(how, A, B, b, n, &e, (char *)w + (size_t)b * (size_t)A->n * real, &left);
    if (how->left) how->left[b] = left;
  }
}

bf_err bf_cpu_heev_batch(bf_backend *be, const bf_heev_how *how, const bf_batch *A, void *w, bf_int *info,
                         void *work)
{
  (void)be;
  all(BF_HEEV, how, A, NULL, w, info, work);
  return BF_OK;
}

bf_err bf_cpu_hegv_batch(bf_backend *be, const bf_heev_how *how, const bf_batch *A, const bf_batch *B,
                         void *w, bf_int *info, void *work)
{
  (void)be;
  all(BF_HEGV, how, A, B, w, info, work);
  return BF_OK;
}
