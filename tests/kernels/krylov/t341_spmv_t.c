/* tests/kernels/krylov/t341_spmv_t.c - the product with the transpose is that of the dense transpose, without
 * a copy of it usage: t341_spmv_t <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/backend.h"
#include "tests/reference/dense.h"
#include <float.h>
#include <math.h>

/* at[j][i] = a[i][j] */
static double *transposed(bf_int n, const double *a)
{
  double *t = calloc((size_t)n * (size_t)n + 1, sizeof *t);
  for (size_t i = 0; i < (size_t)n; i++)
    for (size_t j = 0; j < (size_t)n; j++) t[j * (size_t)n + i] = a[i * (size_t)n + j];
  return t;
}

/* |y - A^T x| <= (d + 2) u |A^T| |x| in every row, d terms a row at most; nothing is read or written outside
 * the rows: the guard zones of x and y hold NaN. */
static void expect_transpose(const bf_matrix *A, const double *a, uint64_t *seed)
{
  const bf_int n = A->nrows, guard = A->guard, all = n + 2 * guard;
  double      *x = t_random_vector((size_t)n, seed), *t = transposed(n, a);
  double      *want = calloc((size_t)n, sizeof *want), *size = calloc((size_t)n, sizeof *size);
  double      *h = malloc((size_t)all * sizeof *h), *g = malloc((size_t)all * sizeof *g);
  double      *dx = t_vector(t_be, n, guard, NULL), *dy = t_vector(t_be, n, guard, NULL);
  const int    half = A->bdia && A->bdia->half;
  t_dense_product(n, t, x, want, size);
  for (bf_int i = 0; i < all;
       i++) { /* half storage is the product itself, which reads the guard zone's zeros */
    g[i] = i >= guard && i < guard + n ? x[i - guard] : half ? 0.0 : NAN;
    h[i] = NAN;
  }
  T_OK(t_be->ops.copy(t_be, dx - guard, g, (size_t)all * sizeof *g, BF_TO_DEVICE));
  T_OK(t_be->ops.copy(t_be, dy - guard, h, (size_t)all * sizeof *h, BF_TO_DEVICE));
  T_OK(bf_matrix_spmv_t(A, dx, dy));
  t_to_host(h, dy - guard, (size_t)all * sizeof *h);
  for (bf_int i = 0; i < n; i++)
    if (!(fabs(h[guard + i] - want[i]) <= (n + 2) * 0.5 * DBL_EPSILON * size[i]))
      fail_msg("row %d of %d: %.17g, dense %.17g", (int)i, (int)n, h[guard + i], want[i]);
  for (bf_int i = 0; i < guard; i++)
    if (!isnan(h[i]) || !isnan(h[guard + n + i])) fail_msg("the guard zone of y was written at %d", (int)i);
  T_OK(bf_matrix_spmv_t(A, dx, dy));
  t_to_host(g, dy - guard, (size_t)all * sizeof *g);
  assert_memory_equal(g + guard, h + guard, (size_t)n * sizeof *g);
  bf_vector_destroy(t_be, guard, &dx);
  bf_vector_destroy(t_be, guard, &dy);
  free(x), free(t), free(want), free(size), free(h), free(g);
}

static void expect_of_table(t_table *table, int D, int half, bf_prec prec, uint64_t *seed)
{
  bf_bands    *bands = t_table_bands(table);
  bf_matrix   *A     = NULL;
  const size_t n     = (size_t)table->n * (size_t)D;
  double      *a     = t_dense_random(table, D, half, seed);
  T_OK(bf_matrix_create_bdia(t_be, bands, D, half, prec, 0, &A));
  if (prec == BF_FP32) t_dense_round(n, a);
  t_matrix_put(A, a);
  expect_transpose(A, a, seed);
  bf_matrix_destroy(&A);
  bf_bands_destroy(&bands);
  t_table_free(table);
  free(a);
}

static void every_layout_multiplies_with_its_transpose(void **state)
{
  (void)state;
  static const bf_int size[] = {1, 2, 31, 32, 33, 64, 127, 129, 257, 1000};
  uint64_t            seed   = 7;
  for (int kind = 0; kind < T_TABLE_KINDS; kind++)
    for (size_t k = 0; k < sizeof size / sizeof *size; k++)
      for (int D = 1; D <= 3; D++)
        for (int v = 0; v < 4; v++) {
          T_ONE_OF(11);
          if (size[k] * D <= 1000)
            expect_of_table(t_table_of_kind((t_table_kind)kind, size[k], &seed), D, v & 1, (bf_prec)(v >> 1),
                            &seed);
        }
}

/* Rows longer than a tile of the CPU, and segments whose diagonals no other segment has. */
static void an_unsymmetric_pattern_in_long_segments_is_transposed(void **state)
{
  (void)state;
  uint64_t     seed   = 9;
  const bf_int row[4] = {0, 1280, 1408, 4500};
  t_table     *t      = t_table_new(4500, 3, row);
  for (bf_int k = 1; k < 9; k++) {
    t_table_put(t, 0, k * k);
    t_table_put(t, 1, -k * 7);
    t_table_put(t, 2, k % 2 ? k * 211 : -k * 530);
  }
  expect_of_table(t, 1, 0, BF_FP64, &seed);
}

static void csr_asks_for_an_explicit_transpose(void **state)
{
  (void)state;
  bf_graph  *g = NULL;
  bf_matrix *A = NULL;
  T_OK(bf_graph_create(3, 3, &g));
  for (int i = 0; i < 3; i++) g->ptr[i + 1] = i + 1, g->adj[i] = i;
  T_OK(bf_matrix_create_csr(t_be, g, 1, BF_FP64, &A));
  double *x = t_vector(t_be, 3, 0, NULL), *y = t_vector(t_be, 3, 0, NULL);
  assert_false(bf_matrix_transposes_in_place(A));
  T_ERR(BF_E_UNSUPPORTED, bf_matrix_spmv_t(A, x, y));
  T_ERR(BF_E_ARG, bf_matrix_spmv_t(A, x, x));
  bf_vector_destroy(t_be, 0, &x);
  bf_vector_destroy(t_be, 0, &y);
  bf_matrix_destroy(&A);
  bf_graph_destroy(&g);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_layout_multiplies_with_its_transpose),
      cmocka_unit_test(an_unsymmetric_pattern_in_long_segments_is_transposed),
      cmocka_unit_test(csr_asks_for_an_explicit_transpose),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
