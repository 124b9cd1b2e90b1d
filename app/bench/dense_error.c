/* app/bench/dense_error.c - residuals in long double; see dense.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/bench/dense.h"
#include "base/memory.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { SAMPLE = 16, FEW = 4, LARGE = 200 };

typedef struct wide { /* a matrix, [n][n] by columns */
  long double *re, *im;
} wide;

static wide part(long double *room, int which, bf_int n)
{
  const size_t nn = (size_t)n * (size_t)n;
  return (wide){room + 2 * (size_t)which * nn, room + (2 * (size_t)which + 1) * nn};
}

static void widen(const bf_dense_case *c, const void *from, wide to)
{
  const int    complex = c->type == BF_C || c->type == BF_Z, single = c->type == BF_S || c->type == BF_C;
  const size_t nn = (size_t)c->n * (size_t)c->n, step = complex ? 2 : 1;
  for (size_t k = 0; k < nn; k++) {
    to.re[k] = single ? ((const float *)from)[k * step] : ((const double *)from)[k * step];
    to.im[k] = !complex ? 0.0L
               : single ? ((const float *)from)[k * step + 1]
                        : ((const double *)from)[k * step + 1];
  }
}

static double norm(wide a, bf_int n)
{
  long double s = 0.0L;
  for (size_t k = 0; k < (size_t)n * (size_t)n; k++) s += a.re[k] * a.re[k] + a.im[k] * a.im[k];
  return (double)sqrtl(s);
}

/* r -= a b */
static void minus_product(bf_int n, int complex, wide a, wide b, wide r)
{
#pragma omp parallel for schedule(dynamic) if (n > 16)
  for (bf_int j = 0; j < n; j++)
    for (bf_int k = 0; k < n; k++) {
      const size_t      aj = (size_t)k * (size_t)n, rj = (size_t)j * (size_t)n, bk = rj + (size_t)k;
      const long double x = b.re[bk], y = b.im[bk];
      if (x == 0.0L && y == 0.0L) continue;
      for (size_t i = 0; i < (size_t)n; i++) {
        r.re[rj + i] -= a.re[aj + i] * x;
        if (!complex) continue;
        r.re[rj + i] += a.im[aj + i] * y;
        r.im[rj + i] -= a.re[aj + i] * y + a.im[aj + i] * x;
      }
    }
}

/* l = unit lower triangle of f (CHOLESKY: its lower triangle), u = the upper (CHOLESKY: l^H). */
static void split(const bf_dense_case *c, wide f, wide l, wide u)
{
  const int chol = c->work == BF_DENSE_CHOLESKY;
  for (bf_int j = 0; j < c->n; j++)
    for (bf_int i = 0; i < c->n; i++) {
      const size_t at = (size_t)j * (size_t)c->n + (size_t)i, mirror = (size_t)i * (size_t)c->n + (size_t)j;
      const int    low = chol ? i >= j : i > j;
      l.re[at]         = low ? f.re[at] : !chol && i == j;
      l.im[at]         = low ? f.im[at] : 0.0L;
      u.re[at]         = i > j ? 0.0L : chol ? f.re[mirror] : f.re[at];
      u.im[at]         = i > j ? 0.0L : chol ? -f.im[mirror] : f.im[at];
    }
}

static void exchange(bf_int n, wide a, const int *pivots)
{
  for (bf_int k = 0; k < n; k++) {
    const bf_int p = pivots[k] - 1;
    if (p < 0 || p >= n) continue; /* the residual tells */
    for (bf_int j = 0; j < n; j++) {
      const size_t      x = (size_t)j * (size_t)n + (size_t)k, y = (size_t)j * (size_t)n + (size_t)p;
      const long double re = a.re[x], im = a.im[x];
      a.re[x] = a.re[y], a.im[x] = a.im[y];
      a.re[y] = re, a.im[y] = im;
    }
  }
}

/* ||XY - I||_F, r: room */
static double from_identity(bf_int n, int complex, wide x, wide y, wide r)
{
  memset(r.re, 0, (size_t)n * (size_t)n * sizeof *r.re);
  memset(r.im, 0, (size_t)n * (size_t)n * sizeof *r.im);
  for (bf_int i = 0; i < n; i++) r.re[(size_t)i * (size_t)n + (size_t)i] = 1.0L;
  minus_product(n, complex, x, y, r);
  return norm(r, n);
}

/* b = a^H */
static void turn(bf_int n, wide a, wide b)
{
  for (size_t j = 0; j < (size_t)n; j++)
    for (size_t i = 0; i < (size_t)n; i++) {
      b.re[j * (size_t)n + i] = a.re[i * (size_t)n + j];
      b.im[j * (size_t)n + i] = -a.im[i * (size_t)n + j];
    }
}

typedef struct sample { /* one matrix and its result, on the host */
  const void *matrix;
  void       *result, *values;
  int        *pivots;
} sample;

static double eigen_residual(const bf_dense_case *c, const sample *s, wide a, wide q, wide qd, wide qh)
{
  const int    complex = c->type == BF_C || c->type == BF_Z, single = c->type == BF_S || c->type == BF_C;
  const bf_int n     = c->n;
  const double bound = n * norm(a, n);
  turn(n, q, qh);
  for (size_t j = 0; j < (size_t)n; j++) {
    const long double d = single ? ((const float *)s->values)[j] : ((const double *)s->values)[j];
    for (size_t at = j * (size_t)n; at < (j + 1) * (size_t)n; at++) {
      qd.re[at] = q.re[at] * d;
      qd.im[at] = q.im[at] * d;
    }
  }
  minus_product(n, complex, qd, qh, a);
  return fmax(norm(a, n) / bound, from_identity(n, complex, qh, q, qd) / n);
}

/* q, and behind it what is left of B, come from the result. */
static double pencil_residual(const bf_dense_case *c, const sample *s, long double *room)
{
  const int    complex = c->type == BF_C || c->type == BF_Z, single = c->type == BF_S || c->type == BF_C;
  const bf_int n  = c->n;
  const size_t nn = (size_t)n * (size_t)n;
  const wide   a = part(room, 0, n), q = part(room, 1, n), r = part(room, 2, n), h = part(room, 3, n),
             b = part(room, 4, n), bq = part(room, 5, n);
  widen(c, s->matrix, a);
  widen(c, (const char *)s->matrix + c->each / 2, b);
  widen(c, s->result, q);
  memset(bq.re, 0, nn * sizeof *bq.re);
  memset(bq.im, 0, nn * sizeof *bq.im);
  minus_product(n, complex, b, q, bq); /* -B Q */
  for (size_t k = 0; k < nn; k++) {
    const size_t      j = k / (size_t)n;
    const long double d = single ? ((const float *)s->values)[j] : ((const double *)s->values)[j];
    bq.re[k]            = -bq.re[k];
    bq.im[k]            = -bq.im[k];
    r.re[k]             = bq.re[k] * d;
    r.im[k]             = bq.im[k] * d;
  }
  minus_product(n, complex, a, q, r);
  const double left = norm(r, n) / (n * norm(a, n) * norm(q, n));
  turn(n, q, h);
  return fmax(left, from_identity(n, complex, h, bq, r) / n);
}

static double residual(const bf_dense_case *c, const sample *s, long double *room)
{
  const int    complex = c->type == BF_C || c->type == BF_Z, single = c->type == BF_S || c->type == BF_C;
  const bf_int n = c->n;
  const wide   a = part(room, 0, n), f = part(room, 1, n), l = part(room, 2, n), u = part(room, 3, n);
  const double eps = single ? FLT_EPSILON : DBL_EPSILON;
  if (c->work == BF_DENSE_PENCIL) return pencil_residual(c, s, room) / eps;
  widen(c, s->matrix, a);
  widen(c, s->result, f);
  if (c->work == BF_DENSE_EIGEN) return eigen_residual(c, s, a, f, l, u) / eps;
  const double bound = n * eps * norm(a, n);
  if (c->work == BF_DENSE_INVERSE)
    return fmin(from_identity(n, complex, f, a, l), from_identity(n, complex, a, f, l)) /
           (bound * norm(f, n));
  split(c, f, l, u);
  if (c->work == BF_DENSE_LU) exchange(n, a, s->pivots);
  minus_product(n, complex, l, u, a);
  return norm(a, n) / bound;
}

/* Matrix k of the batch and its result. */
static bf_err fetch(const bf_dense_case *c, const bf_dense_result *r, bf_int k, sample *s)
{
  bf_backend  *be = c->b->be;
  const size_t at = (size_t)k, n = (size_t)c->n, item = c->type == BF_S || c->type == BF_C ? 4 : 8;
  s->matrix = (const char *)c->made + (size_t)(k % c->pool) * c->each;
  BF_TRY(be->ops.copy(be, s->result, (const char *)r->matrices + at * c->each, c->each, BF_TO_HOST));
  if (c->work == BF_DENSE_LU)
    BF_TRY(be->ops.copy(be, s->pivots, r->pivots + at * n, n * sizeof *s->pivots, BF_TO_HOST));
  if (c->work == BF_DENSE_EIGEN || c->work == BF_DENSE_PENCIL)
    BF_TRY(be->ops.copy(be, s->values, (const char *)r->values + at * n * item, n * item, BF_TO_HOST));
  return be->ops.sync(be);
}

bf_err bf_dense_case_error(const bf_dense_case *c, const bf_dense_result *r, double *error)
{
  bf_err       err  = BF_OK;
  const int    some = c->count < SAMPLE ? c->count : c->n > LARGE ? FEW : SAMPLE;
  sample       s    = {0};
  char        *got  = NULL;
  double      *w    = NULL;
  long double *room = NULL;
  *error            = 0.0;
  BF_GO(BF_NEW_ARRAY(got, (int64_t)c->each));
  BF_GO(BF_NEW_ARRAY(s.pivots, c->n));
  BF_GO(BF_NEW_ARRAY(w, c->n));
  BF_GO(BF_NEW_ARRAY(room, (int64_t)12 * c->n * c->n));
  s.result = got;
  s.values = w;
  for (int k = 0; k < some; k++) {
    BF_GO(fetch(c, r, (bf_int)((int64_t)k * (c->count - 1) / (some > 1 ? some - 1 : 1)), &s));
    const double e = residual(c, &s, room);
    *error         = e <= *error ? *error : isnan(e) ? INFINITY : e;
  }
done:
  bf_host_free(got);
  bf_host_free(s.pivots);
  bf_host_free(w);
  bf_host_free(room);
  return err;
}
