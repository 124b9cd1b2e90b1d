/* tests/kernels/dense/t362_lu_batch.c - batched LU of all types: P A = L U, LAPACK's pivots, inverses of
 * factors, failures usage: t362_lu_batch <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/dense/batch_family.h"
#include "tests/kernels/dense/batch_lu.h"

static const bf_int small_size[] = {1,  2,  3,  4,  5,  8,  9,  16,  17,  31,  32,
                                    33, 48, 63, 64, 65, 96, 97, 108, 127, 128, 129};
static const bf_int large_size[] = {140, 160, 190, 255, 256, 384, 512};
enum { SMALL = sizeof small_size / sizeof *small_size, LARGE = sizeof large_size / sizeof *large_size };

static t_matrix_of *const families[] = {t_random_matrix,       t_tiny_matrix,       t_huge_matrix,
                                        t_graded_matrix,       t_permuted_identity, t_empty_diagonal,
                                        t_twice_graded_matrix, t_definite_matrix,   t_ties,
                                        t_growth_matrix,       t_kahan_matrix,      t_lehmer_matrix};
enum { FAMILIES = sizeof families / sizeof *families, GROWTH = 9 };

static void lu_make(t_lu *L, bf_int b, t_matrix_of *family, uint64_t *seed)
{
  family(L->B.type, L->B.n, t_lu_matrix(L, b), seed);
  t_lu_put(L, b);
}

static void one_batch(bf_scalar type, bf_int n, int count, int judged, uint64_t *seed)
{
  const double most = (t_is_complex(type) ? sqrt(2.0) : 1.0) * (1.0 + 4.0 * t_u(type));
  t_lu         L    = t_lu_create(type, n, count);
  for (int b = 0; b < count; b++) lu_make(&L, b, families[b], seed);
  t_getrf(&L.B, L.ipiv, L.info);
  t_guards(&L.B);
  for (int b = 0; b < judged; b++) {
    const t_lu_error e = t_lu_judge(&L, b);
    if (L.info[b] != 0 || !((b == GROWTH ? e.over_lu : e.over_a) <= 1.0) || !(e.largest_l <= most))
      fail_msg("type %d n=%d family %d: info %d, %g over A, %g over L U, largest l %.17g", (int)type, (int)n,
               b, (int)L.info[b], e.over_a, e.over_lu, e.largest_l);
  }
  t_lu_destroy(&L);
}

static void residuals_of_all_families_are_at_roundoff(void **state)
{
  (void)state;
  uint64_t seed = 1;
  for (int t = 0; t < T_TYPES; t++) {
    const t_order_list o     = t_orders_of(T_LU, t_types[t], small_size, SMALL, 512);
    const int          count = t_quick() ? 3 : FAMILIES;
    for (int s = 0; s < o.count; s++) one_batch(t_types[t], o.n[s], count, count, &seed);
  }
}

static void residuals_of_large_matrices_are_at_roundoff(void **state)
{
  (void)state;
  T_LONG;
  uint64_t seed = 2;
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < LARGE; s++)
      one_batch(t_types[t], large_size[s], 4, large_size[s] > 256 ? 1 : 3, &seed);
}

/* Rows by elimination in long double, and whether every largest entry was clearly the largest. */
static int reference_pivots(bf_scalar type, bf_int n, const t_cx *A, bf_int *ipiv)
{
  const size_t all = (size_t)n * (size_t)n;
  t_long      *re = bf_host_alloc(all, sizeof *re), *im = bf_host_alloc(all, sizeof *im);
  int          clear = 1;
  assert_true(re && im);
  for (size_t i = 0; i < all; i++) {
    re[i] = (t_long)A[i].re;
    im[i] = (t_long)A[i].im;
  }
  for (bf_int k = 0; k < n; k++) {
    t_long most = -1, next = -1;
    bf_int p = k;
    for (bf_int i = k; i < n; i++) {
      const t_long size = fabsl(re[k * n + i]) + fabsl(im[k * n + i]);
      if (size > most) p = i;
      next = size > most ? most : size > next ? size : next;
      most = size > most ? size : most;
    }
    ipiv[k] = p + 1;
    if (next > most * (1 - 200 * (t_long)t_u(type))) clear = 0;
    for (bf_int j = 0; j < n; j++) {
      const t_long x = re[j * n + k], y = im[j * n + k];
      re[j * n + k] = re[j * n + p], im[j * n + k] = im[j * n + p];
      re[j * n + p] = x, im[j * n + p] = y;
    }
    const t_long d = re[k * n + k], e = im[k * n + k], r = d * d + e * e;
    for (bf_int i = k + 1; i < n; i++) {
      const t_long x = (re[k * n + i] * d + im[k * n + i] * e) / r,
                   y = (im[k * n + i] * d - re[k * n + i] * e) / r;
      for (bf_int j = k + 1; j < n; j++) {
        re[j * n + i] -= x * re[j * n + k] - y * im[j * n + k];
        im[j * n + i] -= x * im[j * n + k] + y * re[j * n + k];
      }
    }
  }
  bf_host_free(re);
  bf_host_free(im);
  return clear;
}

static void pivots_are_the_largest_entries(void **state)
{
  (void)state;
  T_LONG;
  enum { EACH = 4 };
  static const bf_int across[] = {160, 193, 257}; /* panels */
  enum { ACROSS = sizeof across / sizeof *across };
  bf_int   ipiv[257];
  int      known = 0, all = 0;
  uint64_t seed = 3;
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < SMALL + ACROSS; s++) {
      const bf_int n = s < SMALL ? small_size[s] : across[s - SMALL], count = s < SMALL ? EACH : 2;
      t_lu         L = t_lu_create(t_types[t], n, count);
      for (int b = 0; b < count; b++) lu_make(&L, b, b % 2 ? t_twice_graded_matrix : t_random_matrix, &seed);
      t_getrf(&L.B, L.ipiv, L.info);
      for (int b = 0; b < count; b++, all++) {
        if (!reference_pivots(t_types[t], n, t_lu_matrix(&L, b), ipiv)) continue;
        known++;
        assert_memory_equal(ipiv, L.ipiv + b * n, (size_t)n * sizeof *ipiv);
      }
      t_lu_destroy(&L);
    }
  assert_true(known > all / 2);
}

/* The first of equal ones, as LAPACK: integers, so the choice is not the roundoff's. */
static void of_equal_entries_the_first_is_taken(void **state)
{
  (void)state;
  T_LONG;
  static const bf_int size[] = {2, 5, 16, 32, 33, 64, 65, 130};
  for (int t = 0; t < T_TYPES; t++)
    for (size_t s = 0; s < sizeof size / sizeof *size; s++) {
      const bf_int n = size[s];
      t_lu         L = t_lu_create(t_types[t], n, 1);
      for (bf_int j = 0; j < n; j++)
        for (bf_int i = 0; i < n; i++) /* I - strict lower ones */
          t_lu_matrix(&L, 0)[j * n + i] = (t_cx){i == j ? 1.0 : i > j ? -1.0 : 0.0, 0.0};
      t_put(&L.B, 0, t_lu_matrix(&L, 0));
      t_getrf(&L.B, L.ipiv, L.info);
      for (bf_int k = 0; k < n; k++) assert_int_equal(L.ipiv[k], k + 1);
      t_lu_destroy(&L);
    }
}

static void factors_give_inverses(void **state)
{
  (void)state;
  static const bf_int size[] = {1, 2, 3, 4, 8, 16, 31, 32, 33, 63, 64, 65, 128, 129, 190, 256};
  enum { SIZES = sizeof size / sizeof *size };
  uint64_t seed = 5;
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < t_orders_of(T_SOLUTIONS, t_types[t], size, SIZES, 512).count; s++) {
      const bf_int n = t_orders_of(T_SOLUTIONS, t_types[t], size, SIZES, 512).n[s], count = 4;
      t_lu         L = t_lu_create(t_types[t], n, count);
      for (int b = 0; b < count; b++) lu_make(&L, b, families[b], &seed);
      memset(t_lu_matrix(&L, 2), 0, (size_t)n * sizeof *L.A); /* singular: a column */
      t_put(&L.B, 2, t_lu_matrix(&L, 2));
      t_getrf(&L.B, L.ipiv, L.info);
      t_batch F = L.B;
      F.a       = bf_host_alloc(F.bytes, 1);
      assert_non_null(F.a);
      memcpy(F.a, L.B.a, F.bytes);
      t_getri(&L.B, L.ipiv, L.info);
      t_guards(&L.B);
      for (int b = 0; b < (n > 129 ? 1 : count); b++) {
        assert_int_equal(L.info[b], b == 2);
        if (b == 2) assert_true(t_same(&L.B, b, &F, b));
        t_get(&L.B, b, L.F);
        if (b != 2) T_LE(t_inverse_error(t_types[t], n, t_lu_matrix(&L, b), L.F), 10.0);
      }
      bf_host_free(F.a);
      t_lu_destroy(&L);
    }
}

/* Singular: complete factors, pivots in range, info; not finite: info; the others do not notice. */
static void one_batch_with_failures(bf_scalar type, bf_int n)
{
  enum { COUNT = 37 };
  bf_int   expect[COUNT] = {0};
  uint64_t seed          = 6;
  t_lu     L = t_lu_create(type, n, COUNT), C = t_lu_create(type, n, COUNT);
  for (bf_int b = 0; b < COUNT; b++) {
    t_cx *A = t_lu_matrix(&L, b);
    lu_make(&L, b, t_random_matrix, &seed);
    t_put(&C.B, b, A);
    for (bf_int i = 0; i < n * n && b == 3; i++) A[i] = (t_cx){0.0, 0.0};
    for (bf_int i = 0; i < n && b == 7; i++) A[(n / 2) * n + i] = (t_cx){0.0, 0.0};
    for (bf_int i = 0; i < n * n && b == 9; i++) A[i] = (t_cx){1.0, 0.0}; /* rank 1 */
    if (b == 8) A[n * n / 3].re = (double)NAN;
    if (b == 36) A[n * n - 1].re = (double)INFINITY;
    t_put(&L.B, b, A);
  }
  expect[3] = 1;
  expect[7] = n / 2 + 1;
  expect[9] = 2;
  expect[8] = expect[36] = n + 1;
  t_getrf(&C.B, C.ipiv, C.info);
  t_getrf(&L.B, L.ipiv, L.info);
  t_guards(&L.B);
  for (bf_int b = 0; b < COUNT; b++) {
    const bf_int *ipiv = L.ipiv + b * n;
    assert_int_equal(L.info[b], expect[b]);
    for (bf_int k = 0; k < n; k++) assert_true(ipiv[k] >= 1 && ipiv[k] <= n);
    if (expect[b] == 0 &&
        (!t_same(&L.B, b, &C.B, b) || memcmp(ipiv, C.ipiv + b * n, (size_t)n * sizeof *ipiv) != 0))
      fail_msg("type %d n=%d matrix %d", (int)type, (int)n, (int)b);
    if (expect[b] != 0 && expect[b] <= n) T_LE(t_lu_judge(&L, b).over_a, 1.0);
  }
  t_lu_destroy(&L);
  t_lu_destroy(&C);
}

static void singular_and_broken_matrices_fail_alone(void **state)
{
  (void)state;
  static const bf_int size[] = {2, 3, 7, 9, 16, 31, 33, 65, 130, 200};
  enum { SIZES = sizeof size / sizeof *size };
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < t_orders_of(T_LU, t_types[t], size, SIZES, 97).count; s++) {
      T_ONE_OF(3);
      one_batch_with_failures(t_types[t], t_orders_of(T_LU, t_types[t], size, SIZES, 97).n[s]);
    }
}

int main(int argc, char **argv)
{
  int code = t_backend_open(argc, argv);
  if (code == 0) code = t_batch_missing(t_be->ops.batch.getrf != NULL, "getrf_batch");
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(residuals_of_all_families_are_at_roundoff),
      cmocka_unit_test(residuals_of_large_matrices_are_at_roundoff),
      cmocka_unit_test(pivots_are_the_largest_entries),
      cmocka_unit_test(of_equal_entries_the_first_is_taken),
      cmocka_unit_test(factors_give_inverses),
      cmocka_unit_test(singular_and_broken_matrices_fail_alone),
  };
  return t_backend_close(T_RUN(tests));
}
