/* tests/kernels/sparse/t311_csr.c - the CSR matrix: expanded pattern, product, diagonal, copies
 * usage: t311_csr <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/backend.h"
#include "tests/reference/dense.h"
#include <math.h>

/* Pattern of a table's node pairs; with `holes` every third row keeps nothing but its diagonal. */
static bf_graph *pattern_of(const t_table *t, int holes)
{
  bf_graph *g    = NULL;
  int64_t   nadj = 0;
  for (int put = 0; put < 2; put++) {
    if (put) T_OK(bf_graph_create(t->n, nadj, &g));
    nadj = 0;
    for (bf_int i = 0; i < t->n; i++) {
      for (bf_int j = 0; j < t->n; j++) {
        if (!t_table_has(t, t_table_segment(t, i), j - i) || (holes && i % 3 == 0 && i != j)) continue;
        if (put) g->adj[nadj] = j;
        nadj++;
      }
      if (put) g->ptr[i + 1] = nadj;
    }
  }
  return g;
}

/* Random values in the pattern's blocks. */
static double *dense_of_pattern(const bf_graph *g, int D, uint64_t *seed)
{
  const size_t N = (size_t)g->n * (size_t)D;
  double      *a = calloc(N * N, sizeof *a);
  for (bf_int i = 0; i < g->n; i++)
    for (int64_t p = g->ptr[i]; p < g->ptr[i + 1]; p++)
      for (int k = 0; k < D * D; k++)
        a[(size_t)(i * D + k / D) * N + (size_t)(g->adj[p] * D + k % D)] = 2.0 * t_uniform(seed) - 1.0;
  return a;
}

static void check_product(const bf_matrix *A, const double *a, uint64_t *seed)
{
  const bf_int n = A->nrows;
  double      *x = t_random_vector((size_t)n, seed), *w = t_random_vector((size_t)n, seed),
         *h = calloc((size_t)n, 8);
  double *y = calloc((size_t)n, 8), *size = calloc((size_t)n, 8), dot[2], wy = 0.0, yy = 0.0, ws = 0.0;
  double *dx = t_vector(t_be, n, A->guard, x), *dy = t_vector(t_be, n, A->guard, NULL);
  double *dw = t_vector(t_be, n, 0, w), *dd = t_to_backend((double[2]){NAN, NAN}, 16);
  T_OK(bf_matrix_spmv(A, dx, dy, dw, dd));
  t_to_host(h, dy, (size_t)n * sizeof *h);
  t_to_host(dot, dd, sizeof dot);
  t_dense_product(n, a, x, y, size);
  for (bf_int i = 0; i < n; i++) {
    const int d = t_dense_entries(n, a, i);
    if (!(fabs(h[i] - y[i]) <= (d + 2) * 0x1p-53 * size[i]))
      fail_msg("row %d: %g, dense %g", (int)i, h[i], y[i]);
    wy += w[i] * y[i];
    yy += y[i] * y[i];
    ws += fabs(w[i]) * size[i];
  }
  T_NEAR(dot[0], wy, 1e-13 * ws);
  T_NEAR(dot[1], yy, 1e-13 * yy);
  T_OK(bf_matrix_diagonal(A, dy));
  t_to_host(h, dy, (size_t)n * sizeof *h);
  for (size_t i = 0; i < (size_t)n; i++) assert_true(h[i] == a[i * (size_t)n + i]);
  bf_vector_destroy(t_be, A->guard, &dx);
  bf_vector_destroy(t_be, A->guard, &dy);
  bf_vector_destroy(t_be, 0, &dw);
  t_be->ops.release(t_be, dd);
  free(x);
  free(w);
  free(h);
  free(y);
  free(size);
}

static void products_and_diagonals_are_the_dense_ones(void **state)
{
  (void)state;
  static const bf_int size[] = {1, 31, 32, 33, 64, 65, 127, 129, 500};
  uint64_t            seed   = 1;
  for (int k = 0; k < 9; k++)
    for (int D = 1; D <= 3; D++)
      for (int v = 0; v < 4; v++) {
        t_table   *t = t_table_of_kind(T_RANDOM_SEGMENTS, size[k], &seed);
        bf_graph  *g = pattern_of(t, v & 1);
        bf_matrix *A = NULL;
        double    *a = dense_of_pattern(g, D, &seed);
        T_OK(bf_matrix_create_csr(t_be, g, D, (bf_prec)(v >> 1), &A));
        T_OK(bf_matrix_check(A));
        if (v >> 1) t_dense_round((size_t)A->nrows, a);
        t_matrix_put(A, a);
        check_product(A, a, &seed);
        free(a);
        bf_matrix_destroy(&A);
        bf_graph_destroy(&g);
        t_table_free(t);
      }
}

static void the_scalar_pattern_is_every_pair_of_components(void **state)
{
  (void)state;
  bf_graph *g = NULL;
  T_OK(bf_graph_create(3, 5, &g)); /* 0: 0 2; 1: 1; 2: 0 2 */
  memcpy(g->ptr, (int64_t[4]){0, 2, 3, 5}, 32);
  memcpy(g->adj, (bf_int[5]){0, 2, 1, 0, 2}, 20);
  bf_matrix    *A = NULL;
  int64_t       ptr[7];
  bf_int        col[20];
  const int64_t want_ptr[7]  = {0, 4, 8, 10, 12, 16, 20};
  const bf_int  want_col[20] = {0, 1, 4, 5, 0, 1, 4, 5, 2, 3, 2, 3, 0, 1, 4, 5, 0, 1, 4, 5};
  T_OK(bf_matrix_create_csr(t_be, g, 2, BF_FP64, &A));
  assert_int_equal(A->nnz, 20);
  assert_int_equal(A->guard, 0);
  t_to_host(ptr, A->csr->ptr, sizeof ptr);
  t_to_host(col, A->csr->col, sizeof col);
  assert_memory_equal(ptr, want_ptr, sizeof ptr);
  assert_memory_equal(col, want_col, sizeof col);
  bf_matrix_destroy(&A);
  g->adj[1] = 0; /* a repeated neighbour */
  T_ERR(BF_E_ARG, bf_matrix_create_csr(t_be, g, 2, BF_FP64, &A));
  bf_graph_destroy(&g);
}

static void the_fp32_copy_has_the_rounded_values(void **state)
{
  (void)state;
  uint64_t   seed = 2;
  t_table   *t    = t_table_of_kind(T_THREE_BANDS, 150, &seed);
  bf_graph  *g    = pattern_of(t, 1);
  bf_matrix *A = NULL, *B = NULL;
  double    *a = dense_of_pattern(g, 2, &seed);
  T_OK(bf_matrix_create_csr(t_be, g, 2, BF_FP64, &A));
  t_matrix_put(A, a);
  T_OK(bf_matrix_to_fp32(A, &B));
  T_OK(bf_matrix_check(B));
  const size_t bytes = (size_t)A->nrows * (size_t)A->nrows * sizeof(double);
  double      *h     = malloc(bytes);
  T_OK(bf_matrix_to_dense(A, h));
  assert_memory_equal(h, a, bytes);
  t_dense_round((size_t)A->nrows, a);
  T_OK(bf_matrix_to_dense(B, h));
  assert_memory_equal(h, a, bytes);
  bf_matrix_destroy(&A);
  bf_matrix_destroy(&B);
  bf_graph_destroy(&g);
  t_table_free(t);
  free(a);
  free(h);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_and_diagonals_are_the_dense_ones),
      cmocka_unit_test(the_scalar_pattern_is_every_pair_of_components),
      cmocka_unit_test(the_fp32_copy_has_the_rounded_values),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
