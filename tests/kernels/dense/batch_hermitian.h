/* tests/kernels/dense/batch_hermitian.h - Hermitian matrices that eigen-decompositions have to stand, for
 * t372 and t373 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_KERNELS_DENSE_BATCH_HERMITIAN_H
#define BF_TESTS_KERNELS_DENSE_BATCH_HERMITIAN_H
#include "tests/kernels/dense/batch_family.h"

/* Entry i >= j of a t_member; complex types may use both parts. */
typedef t_cx t_member(bf_scalar type, bf_int n, bf_int i, bf_int j, t_cx random);

static inline t_cx t_times(t_cx a, double f)
{
  return (t_cx){a.re * f, a.im * f};
}
static inline t_cx t_plain(bf_scalar type, bf_int n, bf_int i, bf_int j, t_cx r)
{
  (void)type, (void)n, (void)i, (void)j;
  return r;
}
static inline t_cx t_zero(bf_scalar type, bf_int n, bf_int i, bf_int j, t_cx r)
{
  (void)type, (void)n, (void)i, (void)j;
  return t_times(r, 0.0);
}
static inline t_cx t_ones(bf_scalar type, bf_int n, bf_int i, bf_int j, t_cx r)
{
  (void)type, (void)n, (void)i, (void)j, (void)r;
  return (t_cx){1.0, 0.0};
}
static inline t_cx t_diagonal(bf_scalar type, bf_int n, bf_int i, bf_int j, t_cx r)
{
  (void)type, (void)n, (void)r;
  return (t_cx){i == j ? (j * 7) % 5 - 2.0 : 0.0, 0.0};
}
static inline t_cx t_clustered(bf_scalar type, bf_int n, bf_int i, bf_int j, t_cx r)
{
  (void)n;
  r = t_times(r, t_is_single(type) ? 1e-5 : 1e-12);
  return (t_cx){(i == j) + r.re, r.im};
}
static inline t_cx t_graded(bf_scalar type, bf_int n, bf_int i, bf_int j, t_cx r)
{
  return t_times(r, pow(10.0, -t_tens(type) * (i + j) / (2.0 * n)));
}
static inline t_cx t_both_signs(bf_scalar type, bf_int n, bf_int i, bf_int j, t_cx r)
{
  r.re += i == j ? (i % 2 ? -1.0 : 1.0) * pow(10.0, 0.5 * t_tens(type) * i / n) : 0.0;
  return r;
}
static inline t_cx t_tiny(bf_scalar type, bf_int n, bf_int i, bf_int j, t_cx r)
{
  (void)n, (void)i, (void)j;
  return t_times(r, t_is_single(type) ? 0x1p-110 : 0x1p-900);
}
static inline t_cx t_huge(bf_scalar type, bf_int n, bf_int i, bf_int j, t_cx r)
{
  (void)n, (void)i, (void)j;
  return t_times(r, t_is_single(type) ? 0x1p110 : 0x1p900);
}
static inline t_cx t_subnormal(bf_scalar type, bf_int n, bf_int i, bf_int j, t_cx r)
{
  (void)n, (void)i, (void)j;
  return t_times(r, t_is_single(type) ? 0x1p-140 : 0x1p-1064);
}
static inline t_cx t_wilkinson(bf_scalar type, bf_int n, bf_int i, bf_int j, t_cx r)
{
  (void)type, (void)r;
  return (t_cx){i == j ? fabs(i - 0.5 * (n - 1)) : i == j + 1 ? 1.0 : 0.0, 0.0};
}
static inline t_cx t_equal_diagonal(bf_scalar type, bf_int n, bf_int i, bf_int j, t_cx r)
{
  (void)n, (void)r;
  if (i == j) return (t_cx){1.0, 0.0};
  return t_is_complex(type) ? (t_cx){0.0, 1.0} : (t_cx){1.0, 0.0};
}
static inline t_cx t_pairs(bf_scalar type, bf_int n, bf_int i, bf_int j,
                           t_cx r) /* 0 1; 1 0 and so on: -1 and 1 many times */
{
  (void)type, (void)n, (void)r;
  return (t_cx){i == j + 1 && j % 2 == 0 ? 1.0 : 0.0, 0.0};
}
static inline t_cx t_one_row(bf_scalar type, bf_int n, bf_int i, bf_int j,
                             t_cx r) /* all but the last of rows is t_zero */
{
  (void)type, (void)j;
  return i == n - 1 ? r : t_times(r, 0.0);
}
static inline t_cx t_identity(bf_scalar type, bf_int n, bf_int i, bf_int j, t_cx r) /* three times 1 */
{
  (void)type, (void)n, (void)r;
  return (t_cx){i == j ? 3.0 : 0.0, 0.0};
}
static inline t_cx t_two_values(bf_scalar type, bf_int n, bf_int i, bf_int j,
                                t_cx r) /* H diag(1 2 1 2 ...) H, H = 1 - 2 v v^H, v all of one length */
{
  const double d_i = 1.0 + i % 2, d_j = 1.0 + j % 2, mean = (n + n / 2) / (double)n;
  const double x = (i == j ? d_i : 0.0) + (4.0 * mean - 2.0 * (d_i + d_j)) / n;
  (void)r;
  if (!t_is_complex(type)) return (t_cx){x, 0.0};
  static const t_cx turn[4] = {{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}}; /* v_k turned by i^k */
  return t_times(turn[(i - j) % 4], x);
}
static inline t_cx t_hilbert(bf_scalar type, bf_int n, bf_int i, bf_int j, t_cx r)
{
  (void)type, (void)n, (void)r;
  return (t_cx){1.0 / (i + j + 1.0), 0.0};
}
static inline t_cx t_lehmer(bf_scalar type, bf_int n, bf_int i, bf_int j, t_cx r)
{
  (void)type, (void)n, (void)r;
  return (t_cx){(j + 1.0) / (i + 1.0), 0.0};
}
static inline t_cx t_laplace_line(bf_scalar type, bf_int n, bf_int i, bf_int j, t_cx r) /* 2 - 2 cos */
{
  (void)type, (void)n, (void)r;
  return (t_cx){i == j ? 2.0 : i == j + 1 ? -1.0 : 0.0, 0.0};
}
static inline t_cx t_clement(bf_scalar type, bf_int n, bf_int i, bf_int j, t_cx r) /* n-1, n-3 .. 1-n */
{
  (void)type, (void)r;
  return (t_cx){i == j + 1 ? sqrt((double)i * (n - i)) : 0.0, 0.0};
}
static inline t_cx t_both_ways_graded(bf_scalar type, bf_int n, bf_int i, bf_int j,
                                      t_cx r) /* D A D, D from 10^-8 to 10^8 (single: 10^+-2) */
{
  const double most = t_is_single(type) ? 2.0 : 8.0;
  return t_times(r, pow(10.0, n > 1 ? most * (2.0 * (i + j) / (n - 1.0) - 2.0) / 2.0 : 0.0));
}
static inline t_cx t_far_below(bf_scalar type, bf_int n, bf_int i, bf_int j, t_cx r) /* squares underflow */
{
  (void)n, (void)i, (void)j;
  return t_times(r, t_is_single(type) ? 1e-30 : 1e-300);
}
static inline t_cx t_far_above(bf_scalar type, bf_int n, bf_int i, bf_int j, t_cx r)
{
  (void)n, (void)i, (void)j;
  return t_times(r, t_is_single(type) ? 1e25 : 1e150);
}
static inline t_cx t_zero_row(bf_scalar type, bf_int n, bf_int i, bf_int j, t_cx r) /* and column */
{
  (void)type;
  return i == n / 2 || j == n / 2 ? t_times(r, 0.0) : r;
}
static t_member *const t_members[] = {
    t_plain,     t_zero,       t_ones,      t_diagonal,  t_clustered,      t_graded,  t_both_signs,
    t_tiny,      t_huge,       t_subnormal, t_wilkinson, t_equal_diagonal, t_pairs,   t_one_row,
    t_identity,  t_two_values, t_hilbert,   t_lehmer,    t_laplace_line,   t_clement, t_both_ways_graded,
    t_far_below, t_far_above,  t_zero_row};
enum { T_MEMBERS = sizeof t_members / sizeof *t_members };

static inline bf_scalar t_real_type(bf_scalar type)
{
  return t_is_single(type) ? BF_S : BF_D;
}

static inline void t_fill(t_batch *B, bf_int b, t_member *of, t_cx *A, uint64_t *seed)
{
  const bf_int n = B->n;
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = j; i < n; i++) {
      const double re = t_uniform(seed) - 0.5, im = t_uniform(seed) - 0.5;
      t_cx         x = of(B->type, n, i, j, (t_cx){re, t_is_complex(B->type) && i > j ? im : 0.0});
      A[j * n + i]   = x;
      A[i * n + j]   = (t_cx){x.re, -x.im};
    }
  t_put(B, b, A);
  t_get(B, b, A);
}

/* Power of 2 that brings the largest entry to about 1. */
static inline double t_scale_of(bf_int n, const t_cx *A)
{
  double most = 0.0;
  int    e    = 0;
  for (bf_int k = 0; k < n * n; k++) most = fmax(most, fmax(fabs(A[k].re), fabs(A[k].im)));
  frexp(most, &e);
  return most > 0.0 ? ldexp(1.0, -e) : 1.0;
}
#endif
