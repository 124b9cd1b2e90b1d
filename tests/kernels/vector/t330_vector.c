/* tests/kernels/vector/t330_vector.c - operations on vectors: right to rounding, and the same bits every time
 * usage: t330_vector <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/matrix.h"
#include "tests/backend.h"
#include "tests/reference/dense.h"
#include <float.h>
#include <math.h>
#include <omp.h>

static const bf_int size[] = {0, 1, 31, 32, 33, 63, 64, 65, 255, 257, 4095, 4096, 4097, 100003};
enum { SIZES = sizeof size / sizeof *size };

static size_t bytes_of(bf_int n)
{
  return (size_t)n * sizeof(double);
}

static double backend_dot(bf_int n, const double *x, const double *y)
{
  double  s  = NAN;
  double *dx = t_to_backend(x, bytes_of(n)), *dy = t_to_backend(y, bytes_of(n)),
         *ds = t_to_backend(&s, sizeof s);
  T_OK(BF_OP(t_be, vector.dot, n, dx, dy, ds));
  t_to_host(&s, ds, sizeof s);
  t_be->ops.release(t_be, dx);
  t_be->ops.release(t_be, dy);
  t_be->ops.release(t_be, ds);
  return s;
}

static void dots_are_right_to_rounding(void **state)
{
  (void)state;
  uint64_t seed = 1;
  for (int k = 0; k < SIZES; k++) {
    const bf_int n = size[k];
    double      *x = t_random_vector((size_t)n, &seed), *y = t_random_vector((size_t)n, &seed);
    long double  s = 0.0L, m = 0.0L;
    for (bf_int i = 0; i < n; i++) {
      s += (long double)x[i] * (long double)y[i];
      m += fabsl((long double)x[i] * (long double)y[i]);
    }
    /* partial sums are short: far fewer roundings than entries */
    T_NEAR(backend_dot(n, x, y), (double)s, 100.0 * DBL_EPSILON * (double)m);
    free(x);
    free(y);
  }
}

static void dots_repeat_bit_for_bit_on_any_number_of_threads(void **state)
{
  (void)state;
  uint64_t     seed = 2;
  const bf_int n    = 100003;
  double      *x = t_random_vector((size_t)n, &seed), *y = t_random_vector((size_t)n, &seed);
  const double first = backend_dot(n, x, y);
  const int    many  = omp_get_max_threads();
  for (int threads = 1; threads <= 5; threads++) {
    omp_set_num_threads(threads);
    assert_true(backend_dot(n, x, y) == first);
  }
  omp_set_num_threads(many);
  free(x);
  free(y);
}

static void a_dot_with_nan_is_nan(void **state)
{
  (void)state;
  uint64_t seed = 3;
  double  *x    = t_random_vector(5000, &seed);
  x[4999]       = NAN;
  assert_true(isnan(backend_dot(5000, x, x)));
  free(x);
}

static void axpby_is_a_x_plus_b_y(void **state)
{
  (void)state;
  uint64_t     seed    = 4;
  const double ab[][2] = {{2.5, -0.5}, {1.0, 1.0}, {-3.0, 0.0}, {0.0, 2.0}};
  for (int k = 0; k < SIZES; k++)
    for (int c = 0; c < 4; c++) {
      const bf_int n = size[k];
      double      *x = t_random_vector((size_t)n, &seed), *y = t_random_vector((size_t)n, &seed),
             *h  = malloc(bytes_of(n) + 1);
      double *dx = t_to_backend(x, bytes_of(n)), *dy = t_vector(t_be, n, 32, y), guard[64];
      T_OK(BF_OP(t_be, vector.axpby, n, ab[c][0], dx, ab[c][1], dy));
      t_to_host(h, dy, bytes_of(n));
      for (bf_int i = 0; i < n; i++) /* fused multiply-add or not */
        T_NEAR(h[i], ab[c][0] * x[i] + ab[c][1] * y[i],
               2.0 * DBL_EPSILON * (fabs(ab[c][0]) + fabs(ab[c][1])));
      t_to_host(guard, dy - 32, 32 * sizeof *guard);
      t_to_host(guard + 32, dy + n, 32 * sizeof *guard);
      for (int i = 0; i < 64; i++) assert_true(guard[i] == 0.0);
      t_be->ops.release(t_be, dx);
      bf_vector_destroy(t_be, 32, &dy);
      free(x);
      free(y);
      free(h);
    }
}

static void triad_is_x_plus_a_y(void **state)
{
  (void)state;
  uint64_t seed = 5;
  for (int k = 0; k < SIZES; k++) {
    const bf_int n = size[k];
    double      *x = t_random_vector((size_t)n, &seed), *y = t_random_vector((size_t)n, &seed),
           *h  = malloc(bytes_of(n) + 1);
    double *dx = t_to_backend(x, bytes_of(n)), *dy = t_to_backend(y, bytes_of(n)),
           *dz = t_to_backend(h, bytes_of(n));
    T_OK(BF_OP(t_be, vector.triad, n, 3.0, dx, dy, dz));
    t_to_host(h, dz, bytes_of(n));
    for (bf_int i = 0; i < n; i++) T_NEAR(h[i], x[i] + 3.0 * y[i], 4.0 * DBL_EPSILON);
    t_be->ops.release(t_be, dx);
    t_be->ops.release(t_be, dy);
    t_be->ops.release(t_be, dz);
    free(x);
    free(y);
    free(h);
  }
}

static void reciprocals_of_zero_and_nonsense_are_one(void **state)
{
  (void)state;
  const double d[6] = {2.0, 0.0, -0.0, NAN, INFINITY, -0.25}, want[6] = {0.5, 1.0, 1.0, 1.0, 1.0, -4.0};
  double       h[6], *dd = t_to_backend(d, sizeof d), *dr = t_to_backend(d, sizeof d);
  T_OK(BF_OP(t_be, vector.reciprocal, 6, dd, dr));
  t_to_host(h, dr, sizeof h);
  assert_memory_equal(h, want, sizeof h);
  T_OK(BF_OP(t_be, vector.reciprocal, 6, dd, dd)); /* in place */
  t_to_host(h, dd, sizeof h);
  assert_memory_equal(h, want, sizeof h);
  t_be->ops.release(t_be, dd);
  t_be->ops.release(t_be, dr);
}

static void demotion_rounds_to_nearest(void **state)
{
  (void)state;
  uint64_t seed = 6;
  for (int k = 0; k < SIZES; k++) {
    const bf_int n  = size[k];
    double      *x  = t_random_vector((size_t)n, &seed);
    float       *h  = malloc((size_t)n * sizeof *h + 1);
    double      *dx = t_to_backend(x, bytes_of(n));
    float       *dy = t_to_backend(h, (size_t)n * sizeof *h);
    T_OK(BF_OP(t_be, vector.demote, n, dx, dy));
    t_to_host(h, dy, (size_t)n * sizeof *h);
    for (bf_int i = 0; i < n; i++) assert_true(h[i] == (float)x[i]);
    t_be->ops.release(t_be, dx);
    t_be->ops.release(t_be, dy);
    free(x);
    free(h);
  }
}

static void a_new_vector_is_zero_aligned_and_guarded(void **state)
{
  (void)state;
  for (int k = 0; k < SIZES; k++) {
    const bf_int n = size[k], guard = 96, all = n + 2 * guard;
    double      *x = NULL, *h = malloc(bytes_of(all));
    T_OK(bf_vector_create(t_be, n, guard, &x));
    assert_int_equal((uintptr_t)x % 256, 0);
    t_to_host(h, x - guard, bytes_of(all));
    for (bf_int i = 0; i < all; i++) assert_true(h[i] == 0.0);
    bf_vector_destroy(t_be, guard, &x);
    assert_null(x);
    free(h);
  }
  double *x = NULL;
  T_ERR(BF_E_ARG, bf_vector_create(t_be, 10, 33, &x));
  bf_vector_destroy(t_be, 0, &x);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dots_are_right_to_rounding),
      cmocka_unit_test(dots_repeat_bit_for_bit_on_any_number_of_threads),
      cmocka_unit_test(a_dot_with_nan_is_nan),
      cmocka_unit_test(axpby_is_a_x_plus_b_y),
      cmocka_unit_test(triad_is_x_plus_a_y),
      cmocka_unit_test(reciprocals_of_zero_and_nonsense_are_one),
      cmocka_unit_test(demotion_rounds_to_nearest),
      cmocka_unit_test(a_new_vector_is_zero_aligned_and_guarded),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
