/* tests/batch_case.h - batches of matrices with guards around every one of them, for t36x
 *
 * A case holds count matrices n x n with leading dimension n+3 and 5 doubles between two of them; what is not
 * of a matrix is NaN of one bit pattern, and must stay that.
 */
#ifndef BF_TEST_BATCH_CASE_H
#define BF_TEST_BATCH_CASE_H
#include "tests/backend.h"
#include <float.h>
#include <math.h>

typedef struct t_batch {
  bf_int  n, ld, count;
  int64_t stride;
  double *a; /* owned, host */
  size_t  size;
} t_batch;

static inline uint64_t t_bits(double x)
{
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}

static inline t_batch t_batch_create(bf_int n, bf_int count)
{
  t_batch B = {.n = n, .ld = n + 3, .count = count};
  B.stride  = (int64_t)B.ld * n + 5;
  B.size    = (size_t)B.stride * (size_t)count + 1;
  B.a       = bf_host_alloc(B.size, sizeof(double));
  assert_non_null(B.a);
  for (size_t i = 0; i < B.size; i++) B.a[i] = NAN;
  return B;
}

static inline double *t_at(const t_batch *B, bf_int b, bf_int i, bf_int j)
{
  return B->a + b * B->stride + (int64_t)j * B->ld + i;
}

/* A[n][n], by columns, becomes matrix b of the batch, and back. */
static inline void t_put(t_batch *B, bf_int b, const double *A)
{
  for (bf_int j = 0; j < B->n; j++)
    for (bf_int i = 0; i < B->n; i++) *t_at(B, b, i, j) = A[(int64_t)j * B->n + i];
}
static inline void t_get(const t_batch *B, bf_int b, double *A)
{
  for (bf_int j = 0; j < B->n; j++)
    for (bf_int i = 0; i < B->n; i++) A[(int64_t)j * B->n + i] = *t_at(B, b, i, j);
}

/* All guards as they were made. */
static inline void t_guards(const t_batch *B)
{
  const uint64_t guard = t_bits((double)NAN);
  for (size_t i = 0; i < B->size; i++) {
    const int64_t at = (int64_t)i % B->stride;
    const int     in = (int64_t)i / B->stride < B->count && at / B->ld < B->n && at % B->ld < B->n;
    if (!in && t_bits(B->a[i]) != guard) fail_msg("guard %zu of n=%d was written", i, (int)B->n);
  }
}

/* Room on the backend for what `op` needs beside A. */
static inline void *t_work(bf_batch_op op, const bf_batch *A)
{
  size_t bytes;
  void  *work = NULL;
  T_OK(bf_batch_work(t_be, op, A, &bytes));
  T_OK(t_be->ops.alloc(t_be, bytes, &work));
  return work;
}

/* Runs the operation on the backend, in place; w = NULL: the inverse. */
static inline bf_err t_batch_run(t_batch *B, int vectors, double *w, bf_int *info)
{
  const size_t bytes = B->size * sizeof(double), n = (size_t)B->count * (size_t)B->n * sizeof(double);
  bf_batch     A    = {.type   = BF_D,
                       .n      = B->n,
                       .ld     = B->ld,
                       .count  = B->count,
                       .stride = B->stride,
                       .a      = t_to_backend(B->a, bytes)};
  double      *wb   = w ? t_to_backend(w, n) : NULL;
  bf_int      *ib   = t_to_backend(info, (size_t)B->count * sizeof *info);
  void        *work = t_work(w ? BF_HEEV : BF_INVERSE, &A);
  const bf_err err  = w ? bf_heev_batch(t_be, &(bf_heev_how){.vectors = vectors}, &A, wb, ib, work)
                        : bf_inverse_batch(t_be, &A, ib, work);
  t_to_host(B->a, A.a, bytes);
  if (w) t_to_host(w, wb, n);
  t_to_host(info, ib, (size_t)B->count * sizeof *info);
  t_be->ops.release(t_be, A.a);
  t_be->ops.release(t_be, wb);
  t_be->ops.release(t_be, ib);
  t_be->ops.release(t_be, work);
  return err;
}

static inline double t_norm(int64_t n, const double *a) /* Frobenius, scaled against overflow */
{
  double most = 0.0, s = 0.0;
  for (int64_t i = 0; i < n; i++) most = fmax(most, fabs(a[i]));
  for (int64_t i = 0; i < n && most > 0.0; i++) s += a[i] / most * (a[i] / most);
  return most * sqrt(s);
}

/* The backend has the operation, or the test says so and ends. */
static inline int t_batch_missing(int there, const char *name)
{
  if (there) return 0;
  fprintf(stderr, "backend '%s' has no operation '%s' yet: skipped\n", t_be->ops.name, name);
  return T_SKIP;
}
#endif
