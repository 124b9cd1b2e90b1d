/* tests/kernels/dense/batch_score.h - what batched results are judged by, in long double: sums of products of
 * given matrices
 *
 * Matrices are [n][n] by columns.  u = the type's epsilon.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_KERNELS_DENSE_BATCH_SCORE_H
#define BF_TESTS_KERNELS_DENSE_BATCH_SCORE_H
#include "tests/kernels/dense/batch_case.h"

typedef long double t_long;

/* One column of a result, two planes. */
typedef struct t_column {
  t_long *re, *im; /* owned [n] */
} t_column;
static inline t_column t_column_create(bf_int n)
{
  t_column c = {bf_host_alloc((size_t)n, sizeof(t_long)), bf_host_alloc((size_t)n, sizeof(t_long))};
  assert_true(c.re && c.im);
  return c;
}
static inline void t_column_destroy(t_column *c)
{
  bf_host_free(c->re);
  bf_host_free(c->im);
}

/* c[i0 .. n) -= a[i0 .. n) x */
static inline void t_subtract(t_column *c, bf_int i0, bf_int n, int complex, const t_cx *a, t_cx x)
{
  const t_long p = (t_long)x.re, q = (t_long)x.im;
  for (bf_int i = i0; i < n; i++) c->re[i] -= (t_long)a[i].re * p;
  if (!complex) return;
  for (bf_int i = i0; i < n; i++) {
    c->re[i] += (t_long)a[i].im * q;
    c->im[i] -= (t_long)a[i].re * q + (t_long)a[i].im * p;
  }
}
static inline t_long t_square(const t_column *c, bf_int n)
{
  t_long s = 0;
  for (bf_int i = 0; i < n; i++) s += c->re[i] * c->re[i] + c->im[i] * c->im[i];
  return s;
}

/* || X A - s I ||_F / (||X||_F ||A||_F n u) */
static inline double t_product_error(bf_scalar type, bf_int n, const t_cx *X, const t_cx *A)
{
  t_column c = t_column_create(n);
  t_long   s = 0;
  for (bf_int j = 0; j < n; j++) {
    for (bf_int i = 0; i < n; i++) {
      c.re[i] = i == j;
      c.im[i] = 0;
    }
    for (bf_int k = 0; k < n; k++)
      t_subtract(&c, 0, n, t_is_complex(type), X + (int64_t)k * n, A[(int64_t)j * n + k]);
    s += t_square(&c, n);
  }
  t_column_destroy(&c);
  const int64_t all = (int64_t)n * n;
  return (double)(sqrtl(s) / (t_long)t_norm(all, X) / (t_long)t_norm(all, A)) / n / t_u(type);
}

/* An inverse: the smaller side. */
static inline double t_inverse_error(bf_scalar type, bf_int n, const t_cx *A, const t_cx *X)
{
  const double left = t_product_error(type, n, X, A);
  return left <= 1.0 ? left : fmin(left, t_product_error(type, n, A, X));
}

/* at[i] = the row of A that stands in row i of P A; 0 if ipiv is no list of exchanges with rows >= k. */
static inline int t_permutation(bf_int n, const bf_int *ipiv, bf_int *at)
{
  for (bf_int i = 0; i < n; i++) at[i] = i;
  for (bf_int k = 0; k < n; k++) {
    const bf_int p = ipiv[k] - 1, x = at[k];
    if (p < k || p >= n) return 0;
    at[k] = at[p];
    at[p] = x;
  }
  return 1;
}

/* ||P A - L U||_F / (n u) over ||A||_F and over ||L||_F ||U||_F; -1 where ipiv is none. */
typedef struct t_lu_error {
  double over_a, over_lu, largest_l;
} t_lu_error;
static inline t_lu_error t_lu_score(bf_scalar type, bf_int n, const t_cx *A, const t_cx *F,
                                    const bf_int *ipiv)
{
  t_lu_error e  = {-1.0, -1.0, 0.0};
  bf_int    *at = bf_host_alloc((size_t)n, sizeof *at);
  t_column   c  = t_column_create(n);
  t_long     s = 0, l = 0, u = 0;
  if (!t_permutation(n, ipiv, at)) fail_msg("ipiv of n=%d is no list of exchanges", (int)n);
  const double size = t_norm((int64_t)n * n, A);
  for (bf_int j = 0; j < n; j++) {
    const t_cx *f = F + (int64_t)j * n;
    for (bf_int i = 0; i < n; i++) {
      const t_cx a = A[(int64_t)j * n + at[i]];
      c.re[i]      = (t_long)a.re - (i <= j ? (t_long)f[i].re : 0);
      c.im[i]      = (t_long)a.im - (i <= j ? (t_long)f[i].im : 0);
    }
    for (bf_int k = 0; k <= j; k++) t_subtract(&c, k + 1, n, t_is_complex(type), F + (int64_t)k * n, f[k]);
    s += t_square(&c, n);
    for (bf_int i = 0; i < n; i++) {
      const t_long r = (t_long)hypot(f[i].re, f[i].im);
      *(i <= j ? &u : &l) += r * r;
      if (i > j) e.largest_l = fmax(e.largest_l, (double)r);
    }
  }
  e.over_a  = size > 0.0 ? (double)(sqrtl(s) / (t_long)size) / n / t_u(type) : (double)s;
  e.over_lu = u > 0 ? (double)(sqrtl(s) / sqrtl(u) / sqrtl(l + (t_long)n)) / n / t_u(type) : (double)s;
  t_column_destroy(&c);
  bf_host_free(at);
  return e;
}

/* ||b - op(A) x|| / (||A|| ||x|| + ||b||) / (n u), one right-hand side; op: 'N', 'T', 'C' */
static inline double t_solve_error(bf_scalar type, bf_int n, char op, const t_cx *A, const t_cx *x,
                                   const t_cx *b)
{
  t_long s = 0;
  for (bf_int i = 0; i < n; i++) {
    t_long re = (t_long)b[i].re, im = (t_long)b[i].im;
    for (bf_int k = 0; k < n; k++) {
      const t_cx   a = op == 'N' ? A[(int64_t)k * n + i] : A[(int64_t)i * n + k];
      const t_long p = (t_long)a.re, q = op == 'C' ? -(t_long)a.im : (t_long)a.im;
      re -= p * (t_long)x[k].re - q * (t_long)x[k].im;
      im -= p * (t_long)x[k].im + q * (t_long)x[k].re;
    }
    s += re * re + im * im;
  }
  const t_long size = (t_long)t_norm((int64_t)n * n, A) * (t_long)t_norm(n, x) + (t_long)t_norm(n, b);
  return size > 0 ? (double)(sqrtl(s) / size) / n / t_u(type) : (double)s;
}
#endif
