/* tests/kernels/dense/batch_family.h - matrices that batched LU and inverses have to stand, for t361 .. t366
 *
 * All are built from exact entries or random numbers in (-1/2, 1/2); complex types get imaginary parts too
 * where that makes sense.  The scales 2^+-500 (single: 2^+-60) are exact.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_KERNELS_DENSE_BATCH_FAMILY_H
#define BF_TESTS_KERNELS_DENSE_BATCH_FAMILY_H
#include "tests/kernels/dense/batch_case.h"

typedef void t_matrix_of(bf_scalar type, bf_int n, t_cx *a, uint64_t *seed);

static inline double t_scale(bf_scalar type, int sign)
{
  return ldexp(1.0, sign * (t_is_single(type) ? 60 : 500));
}
/* Power of ten that is still harmless for the type. */
static inline double t_tens(bf_scalar type)
{
  return t_is_single(type) ? 4.0 : 12.0;
}

static inline void t_random_matrix(bf_scalar type, bf_int n, t_cx *a, uint64_t *seed)
{
  for (int64_t i = 0; i < (int64_t)n * n; i++) {
    const double re = t_uniform(seed) - 0.5, im = t_uniform(seed) - 0.5;
    a[i] = (t_cx){re, t_is_complex(type) ? im : 0.0};
    if (t_is_single(type)) a[i] = (t_cx){(double)(float)a[i].re, (double)(float)a[i].im};
  }
}
static inline void t_scale_entry(t_cx *a, double f)
{
  a->re *= f;
  a->im *= f;
}
static inline void t_tiny_matrix(bf_scalar type, bf_int n, t_cx *a, uint64_t *seed)
{
  t_random_matrix(type, n, a, seed);
  for (int64_t i = 0; i < (int64_t)n * n; i++) t_scale_entry(a + i, t_scale(type, -1));
}
static inline void t_huge_matrix(bf_scalar type, bf_int n, t_cx *a, uint64_t *seed)
{
  t_random_matrix(type, n, a, seed);
  for (int64_t i = 0; i < (int64_t)n * n; i++) t_scale_entry(a + i, t_scale(type, 1));
}
/* Rows of very different size: D A */
static inline void t_graded_matrix(bf_scalar type, bf_int n, t_cx *a, uint64_t *seed)
{
  t_random_matrix(type, n, a, seed);
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = 0; i < n; i++) t_scale_entry(a + (int64_t)j * n + i, pow(10.0, -t_tens(type) * i / n));
}
/* D A D */
static inline void t_twice_graded_matrix(bf_scalar type, bf_int n, t_cx *a, uint64_t *seed)
{
  t_random_matrix(type, n, a, seed);
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = 0; i < n; i++)
      t_scale_entry(a + (int64_t)j * n + i, pow(10.0, 0.5 * t_tens(type) * (n - i - j) / n));
}
/* A permutation with signs: every pivot is alone in its column. */
static inline void t_permuted_identity(bf_scalar type, bf_int n, t_cx *a, uint64_t *seed)
{
  (void)type;
  memset(a, 0, (size_t)n * (size_t)n * sizeof *a);
  for (bf_int j = 0; j < n; j++) a[(int64_t)j * n + j].re = j % 2 ? -1.0 : 1.0;
  for (bf_int j = n - 1; j > 0; j--) {
    const bf_int k = (bf_int)(t_random(seed) % (uint64_t)(j + 1));
    for (bf_int i = 0; i < n; i++) {
      const t_cx x          = a[(int64_t)j * n + i];
      a[(int64_t)j * n + i] = a[(int64_t)k * n + i];
      a[(int64_t)k * n + i] = x;
    }
  }
}
/* Nothing on the diagonal. */
static inline void t_empty_diagonal(bf_scalar type, bf_int n, t_cx *a, uint64_t *seed)
{
  t_random_matrix(type, n, a, seed);
  for (bf_int i = 0; i < n && n > 1; i++) a[(int64_t)i * (n + 1)] = (t_cx){0.0, 0.0};
}
/* Ties everywhere, some zeros negative; a bordered diagonal keeps it regular. */
static inline void t_ties(bf_scalar type, bf_int n, t_cx *a, uint64_t *seed)
{
  for (int64_t i = 0; i < (int64_t)n * n; i++) {
    const int k = (int)(t_random(seed) >> 33) % 4;
    a[i]        = (t_cx){k == 0 ? 1.0 : k == 1 ? -1.0 : k == 2 ? -0.0 : 0.0, 0.0};
    if (t_is_complex(type) && k == 1) a[i] = (t_cx){0.0, 1.0};
  }
  for (bf_int i = 0; i < n; i++) a[(int64_t)i * (n + 1)].re += 2.0;
}
/* Symmetric (complex: Hermitian) positive definite, condition about 10 n. */
static inline void t_definite_matrix(bf_scalar type, bf_int n, t_cx *a, uint64_t *seed)
{
  t_random_matrix(type, n, a, seed);
  for (bf_int j = 0; j < n; j++) {
    for (bf_int i = 0; i < j; i++)
      a[(int64_t)j * n + i] = (t_cx){a[(int64_t)i * n + j].re, -a[(int64_t)i * n + j].im};
    a[(int64_t)j * (n + 1)] = (t_cx){0.5 * n + 0.5 + 0.5 * t_uniform(seed), 0.0};
  }
}
/* I - c (strict lower ones), last column 1: elements of U grow to (1 + c)^(n-1), c = 1, single 1/2 */
static inline void t_growth_matrix(bf_scalar type, bf_int n, t_cx *a, uint64_t *seed)
{
  const double c = t_is_single(type) ? 0.5 : 1.0;
  (void)seed;
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = 0; i < n; i++)
      a[(int64_t)j * n + i] = (t_cx){j == n - 1 || i == j ? 1.0 : i > j ? -c : 0.0, 0.0};
}
/* Kahan: upper triangular, graded by sines, theta = 1.2 */
static inline void t_kahan_matrix(bf_scalar type, bf_int n, t_cx *a, uint64_t *seed)
{
  (void)seed;
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = 0; i < n; i++) {
      const double s        = pow(sin(1.2), i > 60 ? 60 : i);
      a[(int64_t)j * n + i] = (t_cx){i == j ? s : i < j ? -cos(1.2) * s : 0.0, 0.0};
    }
  (void)type;
}
/* Lehmer min/max: the inverse is tridiagonal */
static inline void t_lehmer_matrix(bf_scalar type, bf_int n, t_cx *a, uint64_t *seed)
{
  (void)type;
  (void)seed;
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = 0; i < n; i++)
      a[(int64_t)j * n + i] = (t_cx){(i < j ? i + 1.0 : j + 1.0) / (i < j ? j + 1.0 : i + 1.0), 0.0};
}
#endif
