/* tests/kernels/sparse/t312_constrain.c - constrained rows and columns are zero but for the diagonal; the
 * right side follows usage: t312_constrain <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/backend.h"
#include "tests/reference/dense.h"
#include <float.h>
#include <math.h>

static uint8_t *random_fixed(bf_int n, uint64_t *seed)
{
  uint8_t *f = calloc((size_t)n, 1);
  for (bf_int i = 0; i < n; i++) f[i] = t_uniform(seed) < 0.3;
  return f;
}

/* The dense matrix with the same rows and columns struck out. */
static void strike(bf_int n, const uint8_t *fixed, double *a)
{
  for (bf_int i = 0; i < n; i++)
    for (bf_int j = 0; j < n; j++)
      if (i != j && (fixed[i] || fixed[j])) a[(size_t)i * (size_t)n + (size_t)j] = 0.0;
}

static void check_matrix(bf_matrix *A, double *a, uint64_t *seed)
{
  const bf_int n     = A->nrows;
  const size_t bytes = (size_t)n * (size_t)n * sizeof *a;
  uint8_t     *fixed = random_fixed(n, seed), *d = t_to_backend(fixed, (size_t)n);
  double      *h = malloc(bytes);
  t_matrix_put(A, a);
  T_OK(bf_matrix_constrain(A, d));
  T_OK(bf_matrix_to_dense(A, h));
  strike(n, fixed, a);
  assert_memory_equal(h, a, bytes);
  t_be->ops.release(t_be, d);
  free(fixed);
  free(h);
}

static void a_constrained_bdia_matrix_is_the_dense_one(void **state)
{
  (void)state;
  uint64_t seed = 1;
  for (int kind = 0; kind < T_TABLE_KINDS; kind++)
    for (int D = 1; D <= 3; D++)
      for (int v = 0; v < 4; v++) {
        T_ONE_OF(5);
        t_table   *t = t_table_of_kind((t_table_kind)kind, 290, &seed);
        bf_bands  *b = t_table_bands(t);
        bf_matrix *A = NULL;
        double    *a = t_dense_random(t, D, v & 1, &seed);
        T_OK(bf_matrix_create_bdia(t_be, b, D, v & 1, (bf_prec)(v >> 1), 0, &A));
        if (v >> 1) t_dense_round((size_t)A->nrows, a);
        check_matrix(A, a, &seed);
        bf_matrix_destroy(&A);
        bf_bands_destroy(&b);
        t_table_free(t);
        free(a);
      }
}

static void a_constrained_csr_matrix_is_the_dense_one(void **state)
{
  (void)state;
  uint64_t seed = 2;
  for (int D = 1; D <= 3; D++)
    for (int v = 0; v < 2; v++) {
      const bf_int n    = 140;
      t_table     *t    = t_table_of_kind(T_THREE_BANDS, n, &seed);
      bf_graph    *g    = NULL;
      bf_matrix   *A    = NULL;
      double      *a    = t_dense_random(t, D, 0, &seed);
      int64_t      nadj = 0;
      T_OK(bf_graph_create(n, (int64_t)n * n, &g));
      for (bf_int i = 0; i < n; i++) {
        for (bf_int j = 0; j < n; j++)
          if (t_table_has(t, 0, j - i)) g->adj[nadj++] = j;
        g->ptr[i + 1] = nadj;
      }
      T_OK(bf_matrix_create_csr(t_be, g, D, (bf_prec)v, &A));
      if (v) t_dense_round((size_t)A->nrows, a);
      check_matrix(A, a, &seed);
      bf_matrix_destroy(&A);
      bf_graph_destroy(&g);
      t_table_free(t);
      free(a);
    }
}

static void the_right_hand_side_carries_the_prescribed_values(void **state)
{
  (void)state;
  uint64_t     seed  = 3;
  const bf_int n     = 1003;
  const size_t bytes = (size_t)n * sizeof(double);
  uint8_t     *fixed = random_fixed(n, &seed), *df = t_to_backend(fixed, (size_t)n);
  double      *diag = t_random_vector((size_t)n, &seed), *g = t_random_vector((size_t)n, &seed);
  double *Ag = t_random_vector((size_t)n, &seed), *b = t_random_vector((size_t)n, &seed), *h = malloc(bytes);
  double *dd = t_to_backend(diag, bytes), *dg = t_to_backend(g, bytes), *dA = t_to_backend(Ag, bytes);
  double *db = t_to_backend(b, bytes);
  T_OK(BF_OP(t_be, vector.constrain_rhs, n, df, dd, dg, dA, db));
  t_to_host(h, db, bytes);
  for (bf_int i = 0; i < n; i++) assert_true(h[i] == (fixed[i] ? diag[i] * g[i] : b[i] - Ag[i]));
  void *all[] = {df, dd, dg, dA, db};
  for (int k = 0; k < 5; k++) t_be->ops.release(t_be, all[k]);
  free(fixed);
  free(diag);
  free(g);
  free(Ag);
  free(b);
  free(h);
}

/* The steps of assembly: A and b constrained have the solution that takes the prescribed values: for any u
 * with u = g where fixed, A_c u - b_c = A u - b on free rows and 0 on fixed ones. */
static void the_constrained_system_has_the_residual_of_the_full_one(void **state)
{
  (void)state;
  uint64_t   seed  = 4;
  t_table   *t     = t_table_of_kind(T_RANDOM_SEGMENTS, 280, &seed);
  bf_bands  *bands = t_table_bands(t);
  bf_matrix *A     = NULL;
  double    *a     = t_dense_random(t, 2, 1, &seed);
  T_OK(bf_matrix_create_bdia(t_be, bands, 2, 1, BF_FP64, 0, &A));
  t_matrix_put(A, a);
  const bf_int n = A->nrows, guard = A->guard;
  const size_t bytes = (size_t)n * sizeof(double);
  uint8_t     *fixed = random_fixed(n, &seed), *df = t_to_backend(fixed, (size_t)n);
  double      *u = t_random_vector((size_t)n, &seed), *b = t_random_vector((size_t)n, &seed),
         *g  = calloc((size_t)n, 8);
  double *Au = malloc(bytes), *size = malloc(bytes), *h = malloc(bytes), *hb = malloc(bytes);
  for (bf_int i = 0; i < n; i++) g[i] = fixed[i] ? u[i] : 0.0;
  double *du = t_vector(t_be, n, guard, u), *dg = t_vector(t_be, n, guard, g),
         *db = t_vector(t_be, n, guard, b);
  double *y = t_vector(t_be, n, guard, NULL), *diag = t_vector(t_be, n, 0, NULL);
  T_OK(bf_matrix_spmv(A, dg, y, NULL, NULL));
  T_OK(bf_matrix_diagonal(A, diag));
  T_OK(BF_OP(t_be, vector.constrain_rhs, n, df, diag, dg, y, db));
  T_OK(bf_matrix_constrain(A, df));
  T_OK(bf_matrix_spmv(A, du, y, NULL, NULL));
  t_to_host(h, y, bytes);
  t_to_host(hb, db, bytes);
  t_dense_product(n, a, u, Au, size);
  for (bf_int i = 0; i < n; i++) T_NEAR(h[i] - hb[i], fixed[i] ? 0.0 : Au[i] - b[i], 1e-13 * (size[i] + 1.0));
  double *all[] = {du, dg, db, y};
  for (int k = 0; k < 4; k++) bf_vector_destroy(t_be, guard, &all[k]);
  bf_vector_destroy(t_be, 0, &diag);
  t_be->ops.release(t_be, df);
  void *host[] = {fixed, u, b, g, Au, size, h, hb, a};
  for (int k = 0; k < 9; k++) free(host[k]);
  bf_matrix_destroy(&A);
  bf_bands_destroy(&bands);
  t_table_free(t);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_constrained_bdia_matrix_is_the_dense_one),
      cmocka_unit_test(a_constrained_csr_matrix_is_the_dense_one),
      cmocka_unit_test(the_right_hand_side_carries_the_prescribed_values),
      cmocka_unit_test(the_constrained_system_has_the_residual_of_the_full_one),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
