/* tests/kernels/dense/batch_case.h - batches of matrices of any type with guards around every one of them,
 * for t36x
 *
 * A case holds count matrices with leading dimension n+3 and 5 scalars between two of them, and begins one
 * real number behind the alignment of anything larger.  What is not of a matrix has all bits set (a NaN), and
 * must stay that.  Entries travel as t_cx: exact for every type.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_KERNELS_DENSE_BATCH_CASE_H
#define BF_TESTS_KERNELS_DENSE_BATCH_CASE_H
#include "tests/backend.h"
#include <float.h>
#include <math.h>

typedef struct t_cx {
  double re, im;
} t_cx;

typedef struct t_batch {
  bf_scalar type;
  bf_int    n, ld, count;
  int64_t   stride;
  bf_int   *sizes; /* owned, host, or NULL */
  int       array; /* 1: handed over as pointers, in reverse order in memory */
  char     *a;     /* owned, host */
  size_t    bytes;
} t_batch;

static const bf_scalar t_types[] = {BF_S, BF_D, BF_C, BF_Z};
enum { T_TYPES = 4 };

/* The operations of a batch, and what a quick run takes of their orders: one for each kernel and each shape
 * of it that a type has on the device (kernels/cuda/dense/dispatch.cu and where it leads), near the lower end
 * of its range, where it costs least, and no multiple of a tile. */
typedef enum t_family { T_LU, T_INVERSES, T_CHOLESKY, T_EIGEN, T_SOLUTIONS, T_FAMILIES } t_family;
typedef struct t_order_list {
  const bf_int *n; /* ascending */
  int           count;
} t_order_list;
static const bf_int t_quick_orders[T_FAMILIES][4][18] = {
    /* by type; ended by 0 */
    {{3, 7, 13, 19, 29, 37, 45, 57, 67, 77, 85, 97, 107, 129, 157},
     {3, 7, 13, 19, 29, 37, 45, 57, 67, 77, 85, 97, 107, 129, 157},
     {3, 7, 13, 19, 29, 37, 45, 57, 67, 77, 85, 97, 107, 129, 157},
     {3, 7, 13, 19, 29, 37, 45, 57, 67, 77, 85, 97, 107, 129, 157}},
    {{3, 7, 13, 19, 29, 37, 45, 57, 67, 77, 85, 97, 129, 161, 193, 257, 385},
     {3, 7, 13, 19, 29, 37, 45, 57, 67, 77, 85, 97, 129, 161, 193, 257, 385},
     {3, 7, 13, 19, 29, 37, 45, 57, 67, 77, 85, 97, 129, 161, 193, 257, 385},
     {3, 7, 13, 19, 29, 37, 45, 57, 67, 77, 85, 97, 129, 161, 257, 385}},
    {{3, 7, 13, 29, 45, 67, 257},
     {3, 7, 13, 29, 45, 67, 161},
     {3, 7, 13, 29, 45, 67, 257},
     {3, 7, 13, 29, 45, 67, 193}},
    {{3, 7, 13, 19, 29, 37, 67, 129, 257},
     {3, 7, 13, 19, 29, 37, 67, 129, 257},
     {3, 7, 13, 19, 29, 37, 67, 129, 257},
     {3, 7, 13, 19, 29, 37, 67, 129, 257}},
    {{3, 7, 13, 29, 37}, {3, 7, 13, 29, 37}, {3, 7, 13, 29, 37}, {3, 7, 13, 29, 37}},
};
/* Of full[count] all, or in a quick run those of the table up to `most`. */
static inline t_order_list t_orders_of(t_family family, bf_scalar type, const bf_int *full, int count,
                                       bf_int most)
{
  t_order_list o = {full, count};
  if (!t_quick()) return o;
  o = (t_order_list){t_quick_orders[family][type], 0};
  while (o.n[o.count] > 0 && o.n[o.count] <= most) o.count++;
  return o;
}

static inline int t_is_complex(bf_scalar type)
{
  return type == BF_C || type == BF_Z;
}
static inline int t_is_single(bf_scalar type)
{
  return type == BF_S || type == BF_C;
}
static inline double t_u(bf_scalar type)
{
  return t_is_single(type) ? (double)FLT_EPSILON : DBL_EPSILON;
}
static inline size_t t_real(bf_scalar type)
{
  return t_is_single(type) ? sizeof(float) : sizeof(double);
}

/* Scalar k of an array of the type. */
static inline t_cx t_load(bf_scalar type, const void *p, int64_t k)
{
  const int per = t_is_complex(type) ? 2 : 1;
  if (t_is_single(type)) {
    const float *f = (const float *)p + k * per;
    return (t_cx){(double)f[0], per == 2 ? (double)f[1] : 0.0};
  }
  const double *d = (const double *)p + k * per;
  return (t_cx){d[0], per == 2 ? d[1] : 0.0};
}
static inline void t_store(bf_scalar type, void *p, int64_t k, t_cx x)
{
  const int per = t_is_complex(type) ? 2 : 1;
  if (t_is_single(type)) {
    float *f = (float *)p + k * per;
    f[0]     = (float)x.re;
    if (per == 2) f[1] = (float)x.im;
  } else {
    double *d = (double *)p + k * per;
    d[0]      = x.re;
    if (per == 2) d[1] = x.im;
  }
}

static inline t_batch t_batch_create(bf_scalar type, bf_int n, bf_int count)
{
  t_batch B = {.type = type, .n = n, .ld = n + 3, .count = count};
  B.stride  = (int64_t)B.ld * n + 5;
  B.bytes   = ((size_t)B.stride * (size_t)count + 2) * bf_scalar_bytes(type);
  B.a       = bf_host_alloc(B.bytes, 1);
  assert_non_null(B.a);
  memset(B.a, 0xff, B.bytes);
  return B;
}
static inline void t_batch_destroy(t_batch *B)
{
  bf_host_free(B->a);
  bf_host_free(B->sizes);
}

static inline bf_int t_order(const t_batch *B, bf_int b)
{
  return B->sizes ? B->sizes[b] : B->n;
}
/* First byte of matrix b. */
static inline size_t t_place(const t_batch *B, bf_int b)
{
  const bf_int at = B->array ? B->count - 1 - b : b;
  return (size_t)(at * B->stride) * bf_scalar_bytes(B->type) + t_real(B->type);
}
static inline t_cx t_at(const t_batch *B, bf_int b, bf_int i, bf_int j)
{
  return t_load(B->type, B->a + t_place(B, b), (int64_t)j * B->ld + i);
}
static inline void t_set(t_batch *B, bf_int b, bf_int i, bf_int j, t_cx x)
{
  t_store(B->type, B->a + t_place(B, b), (int64_t)j * B->ld + i, x);
}

/* A[n][n], by columns, becomes matrix b of the batch, rounded to its type; and back. */
static inline void t_put(t_batch *B, bf_int b, const t_cx *A)
{
  const bf_int n = t_order(B, b);
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = 0; i < n; i++) t_set(B, b, i, j, A[(int64_t)j * n + i]);
}
static inline void t_get(const t_batch *B, bf_int b, t_cx *A)
{
  const bf_int n = t_order(B, b);
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = 0; i < n; i++) A[(int64_t)j * n + i] = t_at(B, b, i, j);
}

/* Matrix b of B and matrix c of C, of one type and order, agree in every bit. */
static inline int t_same(const t_batch *B, bf_int b, const t_batch *C, bf_int c)
{
  const bf_int n   = t_order(B, b);
  const size_t one = bf_scalar_bytes(B->type);
  for (bf_int j = 0; j < n; j++)
    if (memcmp(B->a + t_place(B, b) + (size_t)j * (size_t)B->ld * one,
               C->a + t_place(C, c) + (size_t)j * (size_t)C->ld * one, (size_t)n * one) != 0)
      return 0;
  return 1;
}

/* All guards as they were made. */
static inline void t_guards(const t_batch *B)
{
  const size_t one  = bf_scalar_bytes(B->type);
  char        *seen = bf_host_alloc(B->bytes, 1);
  assert_non_null(seen);
  memset(seen, 0, B->bytes);
  for (bf_int b = 0; b < B->count; b++)
    for (bf_int j = 0; j < t_order(B, b); j++)
      memset(seen + t_place(B, b) + (size_t)j * (size_t)B->ld * one, 1, (size_t)t_order(B, b) * one);
  for (size_t i = 0; i < B->bytes; i++)
    if (!seen[i] && (unsigned char)B->a[i] != 0xff)
      fail_msg("guard at byte %zu of n=%d was written", i, (int)B->n);
  bf_host_free(seen);
}

/* The batch on the backend; t_finish brings it home and releases it. */
static inline bf_batch t_start(const t_batch *B)
{
  bf_batch A = {.type = B->type, .n = B->n, .ld = B->ld, .count = B->count, .stride = B->stride};
  char    *p = t_to_backend(B->a, B->bytes);
  if (B->sizes) A.sizes = t_to_backend(B->sizes, (size_t)B->count * sizeof *B->sizes);
  if (B->array) {
    void **each = bf_host_alloc((size_t)B->count, sizeof *each);
    assert_non_null(each);
    for (bf_int b = 0; b < B->count; b++) each[b] = p + t_place(B, b);
    A.array = t_to_backend(each, (size_t)B->count * sizeof *each);
    bf_host_free(each);
  }
  A.a = p + t_real(B->type);
  return A;
}
static inline void t_finish(t_batch *B, const bf_batch *A)
{
  char *p = (char *)A->a - t_real(B->type);
  t_to_host(B->a, p, B->bytes);
  t_be->ops.release(t_be, p);
  t_be->ops.release(t_be, (void *)A->sizes);
  t_be->ops.release(t_be, (void *)A->array);
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

/* Room for `count` numbers on the backend, and its way home. */
static inline void *t_workspace(size_t bytes)
{
  void *p = NULL;
  T_OK(t_be->ops.alloc(t_be, bytes, &p));
  return p;
}
static inline void t_home(void *host, void *p, size_t bytes)
{
  t_to_host(host, p, bytes);
  t_be->ops.release(t_be, p);
}

/* The operations on a whole case, in place. */
static inline void t_inverse(t_batch *B, bf_int *info)
{
  bf_batch A    = t_start(B);
  bf_int  *ib   = t_workspace((size_t)B->count * sizeof *info);
  void    *work = t_work(BF_INVERSE, &A);
  T_OK(bf_inverse_batch(t_be, &A, ib, work));
  t_finish(B, &A);
  t_home(info, ib, (size_t)B->count * sizeof *info);
  t_be->ops.release(t_be, work);
}
static inline void t_getrf(t_batch *B, bf_int *ipiv, bf_int *info)
{
  const size_t pivots = (size_t)B->count * (size_t)B->n * sizeof *ipiv;
  bf_batch     A      = t_start(B);
  bf_int      *ib = t_workspace((size_t)B->count * sizeof *info), *pb = t_workspace(pivots);
  void        *work = t_work(BF_GETRF, &A);
  T_OK(bf_getrf_batch(t_be, &A, pb, ib, work));
  t_finish(B, &A);
  t_home(info, ib, (size_t)B->count * sizeof *info);
  t_home(ipiv, pb, pivots);
  t_be->ops.release(t_be, work);
}
static inline void t_getri(t_batch *B, const bf_int *ipiv, bf_int *info)
{
  bf_batch A  = t_start(B);
  bf_int  *ib = t_workspace((size_t)B->count * sizeof *info),
         *pb  = t_to_backend(ipiv, (size_t)B->count * (size_t)B->n * sizeof *ipiv);
  void *work  = t_work(BF_GETRI, &A);
  T_OK(bf_getri_batch(t_be, &A, pb, ib, work));
  t_finish(B, &A);
  t_home(info, ib, (size_t)B->count * sizeof *info);
  t_be->ops.release(t_be, pb);
  t_be->ops.release(t_be, work);
}
static inline void t_potrf(t_batch *B, bf_uplo uplo, bf_int *info)
{
  bf_batch A    = t_start(B);
  bf_int  *ib   = t_workspace((size_t)B->count * sizeof *info);
  void    *work = t_work(BF_POTRF, &A);
  T_OK(bf_potrf_batch(t_be, uplo, &A, ib, work));
  t_finish(B, &A);
  t_home(info, ib, (size_t)B->count * sizeof *info);
  t_be->ops.release(t_be, work);
}
/* w[count][n], of the real type */
static inline void t_heev(t_batch *B, const bf_heev_how *how, void *w, bf_int *info)
{
  const size_t values = (size_t)B->count * (size_t)B->n * t_real(B->type);
  bf_batch     A      = t_start(B);
  bf_int      *ib     = t_workspace((size_t)B->count * sizeof *info);
  void        *wb = t_workspace(values), *work = t_work(BF_HEEV, &A);
  T_OK(bf_heev_batch(t_be, how, &A, wb, ib, work));
  t_finish(B, &A);
  t_home(info, ib, (size_t)B->count * sizeof *info);
  t_home(w, wb, values);
  t_be->ops.release(t_be, work);
}

static inline void t_hegv(t_batch *A, t_batch *B, const bf_heev_how *how, void *w, bf_int *info)
{
  const size_t   values = (size_t)A->count * (size_t)A->n * t_real(A->type);
  const bf_batch a = t_start(A), b = t_start(B);
  bf_int        *ib = t_workspace((size_t)A->count * sizeof *info);
  void          *wb = t_workspace(values), *work = t_work(BF_HEGV, &a);
  T_OK(bf_hegv_batch(t_be, how, &a, &b, wb, ib, work));
  t_finish(A, &a);
  t_finish(B, &b);
  t_home(info, ib, (size_t)A->count * sizeof *info);
  t_home(w, wb, values);
  t_be->ops.release(t_be, work);
}

/* Frobenius norm, scaled against overflow. */
static inline double t_norm(int64_t count, const t_cx *a)
{
  double most = 0.0, s = 0.0;
  for (int64_t i = 0; i < count; i++) most = fmax(most, fmax(fabs(a[i].re), fabs(a[i].im)));
  for (int64_t i = 0; i < count && most > 0.0; i++)
    s += a[i].re / most * (a[i].re / most) + a[i].im / most * (a[i].im / most);
  return most * sqrt(s);
}

/* The backend has the operation, or the test is skipped with a message. */
static inline int t_batch_missing(int there, const char *name)
{
  if (there) return 0;
  fprintf(stderr, "backend '%s' has no operation '%s' yet: skipped\n", t_be->ops.name, name);
  return T_SKIP;
}
#endif
