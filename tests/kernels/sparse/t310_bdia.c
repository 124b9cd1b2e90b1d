/* tests/kernels/sparse/t310_bdia.c - the bDIA product is the dense one, for every layout the format has
 * usage: t310_bdia <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/backend.h"
#include "tests/reference/dense.h"
#include <math.h>

typedef struct problem { /* a matrix, its dense twin, and x, w on the host */
  t_table   *table;
  bf_bands  *bands;
  bf_matrix *A;
  bf_int     n; /* scalar rows */
  double    *a, *x, *w, *y, *size;
} problem;

static problem open_problem(t_table *table, int D, int half, bf_prec prec, uint64_t *seed)
{
  problem P = {.table = table, .bands = t_table_bands(table), .n = table->n * D};
  T_OK(bf_matrix_create_bdia(t_be, P.bands, D, half, prec, 0, &P.A));
  T_OK(bf_matrix_check(P.A));
  P.a    = t_dense_random(table, D, half, seed);
  P.x    = t_random_vector((size_t)P.n, seed);
  P.w    = t_random_vector((size_t)P.n, seed);
  P.y    = calloc((size_t)P.n, sizeof *P.y);
  P.size = calloc((size_t)P.n, sizeof *P.size);
  if (prec == BF_FP32) t_dense_round((size_t)P.n, P.a);
  t_matrix_put(P.A, P.a);
  t_dense_product(P.n, P.a, P.x, P.y, P.size);
  return P;
}

static void close_problem(problem *P)
{
  bf_matrix_destroy(&P->A);
  bf_bands_destroy(&P->bands);
  t_table_free(P->table);
  free(P->a);
  free(P->x);
  free(P->w);
  free(P->y);
  free(P->size);
}

/* y on the host with its guard zones preset to 7; dot[2] if wanted. */
static double *product(const problem *P, double *dot)
{
  const bf_int guard = P->A->guard, all = P->n + 2 * guard;
  double      *h = malloc((size_t)all * sizeof *h);
  for (bf_int i = 0; i < all; i++) h[i] = 7.0;
  double *x = t_vector(t_be, P->n, guard, P->x), *w = t_vector(t_be, P->n, 0, P->w);
  double *y = t_vector(t_be, P->n, guard, NULL), *d = t_to_backend((double[2]){NAN, NAN}, 16);
  T_OK(t_be->ops.copy(t_be, y - guard, h, (size_t)all * sizeof *h, BF_TO_DEVICE));
  T_OK(bf_matrix_spmv(P->A, x, y, dot ? w : NULL, d));
  t_to_host(h, y - guard, (size_t)all * sizeof *h);
  if (dot) t_to_host(dot, d, 2 * sizeof *dot);
  bf_vector_destroy(t_be, guard, &x);
  bf_vector_destroy(t_be, guard, &y);
  bf_vector_destroy(t_be, 0, &w);
  t_be->ops.release(t_be, d);
  return h;
}

static void compare(const problem *P, const double *h, const double dot[2])
{
  const double *y  = h + P->A->guard;
  double        wy = 0.0, yy = 0.0, ws = 0.0;
  for (bf_int i = 0; i < P->n; i++) {
    const int d = t_dense_entries(P->n, P->a, i);
    if (!(fabs(y[i] - P->y[i]) <= (d + 2) * 0x1p-53 * P->size[i]))
      fail_msg("row %d of %d: %.17g, dense %.17g", (int)i, (int)P->n, y[i], P->y[i]);
    wy += P->w[i] * P->y[i];
    yy += P->y[i] * P->y[i];
    ws += fabs(P->w[i]) * P->size[i];
  }
  T_NEAR(dot[0], wy, 1e-13 * ws);
  T_NEAR(dot[1], yy, 1e-13 * yy);
  for (bf_int i = 0; i < P->A->guard; i++)
    if (h[i] != 7.0 || y[P->n + i] != 7.0) fail_msg("the guard zone of y was written at %d", (int)i);
}

static void check_all_layouts(t_table_kind kind)
{
  static const bf_int size[] = {1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 257, 1000};
  uint64_t            seed   = 42 + (uint64_t)kind;
  for (size_t k = 0; k < sizeof size / sizeof *size; k++)
    for (int D = 1; D <= 3; D++)
      for (int half = 0; half < 2; half++)
        for (int prec = 0; prec < 2; prec++) {
          if (size[k] * D > 2000) continue;
          T_ONE_OF(11);
          problem P = open_problem(t_table_of_kind(kind, size[k], &seed), D, half, (bf_prec)prec, &seed);
          double  dot[2], *h = product(&P, dot);
          compare(&P, h, dot);
          free(h);
          close_problem(&P);
        }
}

static void one_band_is_the_dense_product(void **state)
{
  (void)state;
  check_all_layouts(T_ONE_BAND);
}
static void several_bands_are_the_dense_product(void **state)
{
  (void)state;
  check_all_layouts(T_THREE_BANDS);
}
static void random_segments_are_the_dense_product(void **state)
{
  (void)state;
  check_all_layouts(T_RANDOM_SEGMENTS);
}

/* Long rows: more than one tile or block of the kernels, several segments that end inside one. */
static void long_segments_are_the_dense_product(void **state)
{
  (void)state;
  uint64_t     seed   = 5;
  const bf_int row[4] = {0, 1280, 1408, 2900};
  for (int half = 0; half < 2; half++) {
    t_table *t = t_table_new(2900, 3, row);
    for (bf_int s = 0; s < 3; s++)
      for (bf_int k = 1; k < 9; k++) t_table_put(t, s, s == 1 ? k * 11 : k * k * k);
    t_table_mirror(t);
    problem P = open_problem(t, 1, half, BF_FP64, &seed);
    double  dot[2], *h = product(&P, dot);
    compare(&P, h, dot);
    free(h);
    close_problem(&P);
  }
}

/* The full table of two segments may list -k for rows whose mirror image no row stores. */
static void half_storage_takes_slots_without_a_mirror_image_as_zeros(void **state)
{
  (void)state;
  uint64_t     seed   = 11;
  const bf_int row[4] = {0, 128, 256, 300};
  t_table     *t      = t_table_new(300, 3, row);
  t_table_put(t, 0, 140); /* rows 0..127 reach rows 140..267: segments 1 and 2 */
  t_table_mirror(t);
  t_table_put(t, 2, -100); /* rows 156..199 lie in segment 1, which has no 100; segment 0 has none either */
  t_table_put(t, 0, 100);  /* now it does, for rows 100..227 only */
  t_table_mirror(t);
  problem P = open_problem(t, 2, 1, BF_FP64, &seed);
  double  dot[2], *h = product(&P, dot);
  compare(&P, h, dot);
  free(h);
  close_problem(&P);
}

static void half_storage_refuses_a_diagonal_without_its_mirror_image(void **state)
{
  (void)state;
  const bf_int row[2] = {0, 50};
  t_table     *t      = t_table_new(50, 1, row);
  t_table_put(t, 0, -7);
  bf_bands  *b = t_table_bands(t);
  bf_matrix *A = NULL;
  T_OK(bf_matrix_create_bdia(t_be, b, 1, 0, BF_FP64, 0, &A));
  bf_matrix_destroy(&A);
  T_ERR(BF_E_ARG, bf_matrix_create_bdia(t_be, b, 1, 1, BF_FP64, 0, &A));
  T_CONTAINS(bf_err_message(), "-7");
  assert_null(A);
  b->off[0] = -50; /* no row of the matrix has it */
  T_ERR(BF_E_ARG, bf_matrix_create_bdia(t_be, b, 1, 0, BF_FP64, 0, &A));
  bf_bands_destroy(&b);
  t_table_free(t);
}

static void products_repeat_bit_for_bit(void **state)
{
  (void)state;
  uint64_t seed = 3;
  for (int half = 0; half < 2; half++) {
    problem      P = open_problem(t_table_of_kind(T_RANDOM_SEGMENTS, 900, &seed), 2, half, BF_FP64, &seed);
    double       d1[2], d2[2], *h1 = product(&P, d1), *h2 = product(&P, d2), *h3 = product(&P, NULL);
    const size_t bytes = (size_t)(P.n + 2 * P.A->guard) * sizeof *h1;
    assert_memory_equal(h1, h2, bytes);
    assert_memory_equal(h1, h3, bytes);
    assert_memory_equal(d1, d2, sizeof d1);
    free(h1);
    free(h2);
    free(h3);
    close_problem(&P);
  }
}

static void the_diagonal_is_that_of_the_dense_matrix(void **state)
{
  (void)state;
  uint64_t seed = 17;
  for (int D = 1; D <= 3; D++)
    for (int v = 0; v < 4; v++) {
      problem P =
          open_problem(t_table_of_kind(T_RANDOM_SEGMENTS, 300, &seed), D, v & 1, (bf_prec)(v >> 1), &seed);
      double *d = t_vector(t_be, P.n, 0, NULL), *h = malloc((size_t)P.n * sizeof *h);
      T_OK(bf_matrix_diagonal(P.A, d));
      t_to_host(h, d, (size_t)P.n * sizeof *h);
      for (size_t i = 0; i < (size_t)P.n; i++) assert_true(h[i] == P.a[i * (size_t)P.n + i]);
      bf_vector_destroy(t_be, 0, &d);
      free(h);
      close_problem(&P);
    }
}

static void the_dense_copy_gives_back_every_value(void **state)
{
  (void)state;
  uint64_t seed = 23;
  for (int D = 1; D <= 3; D++)
    for (int v = 0; v < 4; v++) {
      problem P =
          open_problem(t_table_of_kind(T_RANDOM_SEGMENTS, 270, &seed), D, v & 1, (bf_prec)(v >> 1), &seed);
      const size_t bytes = (size_t)P.n * (size_t)P.n * sizeof(double);
      double      *h     = malloc(bytes);
      T_OK(bf_matrix_to_dense(P.A, h));
      assert_memory_equal(h, P.a, bytes);
      free(h);
      close_problem(&P);
    }
}

static void the_fp32_copy_has_the_rounded_values(void **state)
{
  (void)state;
  uint64_t seed = 29;
  for (int half = 0; half < 2; half++) {
    problem      P = open_problem(t_table_of_kind(T_RANDOM_SEGMENTS, 400, &seed), 2, half, BF_FP64, &seed);
    const size_t bytes = (size_t)P.n * (size_t)P.n * sizeof(double);
    double      *h     = malloc(bytes);
    bf_matrix   *B = NULL, *C = NULL;
    T_OK(bf_matrix_to_fp32(P.A, &B));
    T_OK(bf_matrix_check(B));
    T_OK(bf_matrix_to_dense(B, h));
    t_dense_round((size_t)P.n, P.a);
    assert_memory_equal(h, P.a, bytes);
    T_ERR(BF_E_ARG, bf_matrix_to_fp32(B, &C));
    bf_matrix_destroy(&B);
    free(h);
    close_problem(&P);
  }
}

static void the_product_refuses_y_in_place_of_x(void **state)
{
  (void)state;
  uint64_t seed = 31;
  problem  P    = open_problem(t_table_of_kind(T_ONE_BAND, 40, &seed), 1, 0, BF_FP64, &seed);
  double  *x    = t_vector(t_be, P.n, P.A->guard, P.x);
  T_ERR(BF_E_ARG, bf_matrix_spmv(P.A, x, x, NULL, NULL));
  bf_vector_destroy(t_be, P.A->guard, &x);
  close_problem(&P);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_band_is_the_dense_product),
      cmocka_unit_test(several_bands_are_the_dense_product),
      cmocka_unit_test(random_segments_are_the_dense_product),
      cmocka_unit_test(long_segments_are_the_dense_product),
      cmocka_unit_test(half_storage_takes_slots_without_a_mirror_image_as_zeros),
      cmocka_unit_test(half_storage_refuses_a_diagonal_without_its_mirror_image),
      cmocka_unit_test(products_repeat_bit_for_bit),
      cmocka_unit_test(the_diagonal_is_that_of_the_dense_matrix),
      cmocka_unit_test(the_dense_copy_gives_back_every_value),
      cmocka_unit_test(the_fp32_copy_has_the_rounded_values),
      cmocka_unit_test(the_product_refuses_y_in_place_of_x),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
