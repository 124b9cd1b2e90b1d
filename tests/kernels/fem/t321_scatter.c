/* tests/kernels/fem/t321_scatter.c - element matrices and vectors arrive where dense assembly puts them, in
 * fixed order usage: t321_scatter <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/backend.h"
#include "tests/reference/dense.h"
#include "tests/reference/grid.h"
#include <float.h>
#include <math.h>
#include <omp.h>

typedef struct lists { /* incidence on the backend */
  bf_int *ptr, *item, *conn;
} lists;

static lists make_lists(const t_grid *g)
{
  lists  l;
  bf_int zero = 0;
  void  *p    = NULL;
  l.conn      = t_to_backend(g->conn, (size_t)(g->ne * g->nen) * sizeof zero);
  T_OK(t_be->ops.alloc(t_be, ((size_t)g->n + 1) * sizeof zero, &p));
  l.ptr = p;
  T_OK(t_be->ops.alloc(t_be, (size_t)(g->ne * g->nen) * sizeof zero, &p));
  l.item = p;
  T_OK(BF_OP(t_be, element.incidence, g->ne, g->nen, l.conn, g->n, l.ptr, l.item));
  return l;
}

static void free_lists(lists *l)
{
  t_be->ops.release(t_be, l->ptr);
  t_be->ops.release(t_be, l->item);
  t_be->ops.release(t_be, l->conn);
}

static bf_matrix *empty_bdia(const t_grid *g, int D, int half, bf_int slice)
{
  bf_matrix *A = NULL;
  t_table   *t = t_table_of_elements(g->n, g->ne, g->nen, g->conn, slice);
  bf_bands  *b = t_table_bands(t);
  T_OK(bf_matrix_create_bdia(t_be, b, D, half, BF_FP64, 0, &A));
  bf_bands_destroy(&b);
  t_table_free(t);
  return A;
}

static bf_matrix *empty_csr(const t_grid *g, int D)
{
  bf_matrix *A = NULL;
  bf_graph  *p = t_grid_pattern(g);
  T_OK(bf_matrix_create_csr(t_be, p, D, BF_FP64, &A));
  bf_graph_destroy(&p);
  return A;
}

static bf_err scatter(bf_matrix *A, const t_grid *g, const double *Ke)
{
  const size_t nd  = (size_t)(g->nen * A->ncomp);
  lists        l   = make_lists(g);
  double      *k   = t_to_backend(Ke, (size_t)g->ne * nd * nd * sizeof *Ke);
  bf_err       err = bf_matrix_scatter(A, l.ptr, l.item, g->nen, l.conn, k);
  if (err == BF_OK) err = t_be->ops.sync(t_be);
  t_be->ops.release(t_be, k);
  free_lists(&l);
  return err;
}

static double *dense_of(const bf_matrix *A)
{
  double *a = malloc((size_t)A->nrows * (size_t)A->nrows * sizeof *a);
  T_OK(bf_matrix_to_dense(A, a));
  return a;
}

/* Scatters twice (sums add up) and compares with dense assembly done twice. */
static void check_scatter(bf_matrix *A, const t_grid *g, int symmetric, uint64_t *seed)
{
  const size_t N  = (size_t)A->nrows;
  double      *Ke = t_grid_matrices(g, A->ncomp, symmetric, seed), *want = calloc(N * N, sizeof *want);
  for (int twice = 0; twice < 2; twice++) {
    T_OK(scatter(A, g, Ke));
    t_dense_assemble(g->n, A->ncomp, g->ne, g->nen, g->conn, Ke, want);
  }
  double *a = dense_of(A);
  for (size_t i = 0; i < N * N; i++)
    if (!(fabs(a[i] - want[i]) <= 64.0 * DBL_EPSILON))
      fail_msg("(%zu, %zu): %.17g instead of %.17g", i / N, i % N, a[i], want[i]);
  free(a);
  free(Ke);
  free(want);
}

/* Every value outside the slots of the matrix is still zero: padding of planes, guard zones, phantom columns.
 */
static void nothing_outside_the_slots(const bf_matrix *A)
{
  const bf_bdia *B     = A->bdia;
  const int64_t  count = B->nvalues + 2 * B->pad, D = B->ncomp;
  double        *v = malloc((size_t)count * sizeof *v);
  t_to_host(v, B->store, (size_t)count * sizeof *v);
  for (int s = 0; s < B->nseg; s++)
    for (int k = 0; k < B->seg[s].ndiag * B->ncomp; k++)
      for (int64_t i = 0; i < B->seg[s].nrows * D; i++) {
        const int64_t col = B->seg[s].row0 + i / D + B->off[B->seg[s].diag0 + k / B->ncomp];
        if (col >= 0 && col < B->nrows) v[B->pad + bf_bdia_at(&B->seg[s], B->ncomp, k, i)] = 0.0;
      }
  for (int64_t i = 0; i < count; i++) assert_true(v[i] == 0.0);
  free(v);
}

static void incidences_are_all_places_ascending(void **state)
{
  (void)state;
  uint64_t seed = 1;
  t_grid   g    = t_grid_new(9, 7, 3, &seed);
  lists    l    = make_lists(&g);
  bf_int  *ptr = malloc(((size_t)g.n + 1) * sizeof *ptr), *item = malloc((size_t)(g.ne * 8) * sizeof *item);
  t_to_host(ptr, l.ptr, ((size_t)g.n + 1) * sizeof *ptr);
  t_to_host(item, l.item, (size_t)(g.ne * 8) * sizeof *item);
  assert_int_equal(ptr[0], 0);
  assert_int_equal(ptr[g.n], g.ne * 8);
  for (bf_int r = 0; r < g.n; r++)
    for (bf_int p = ptr[r]; p < ptr[r + 1]; p++) {
      assert_int_equal(g.conn[item[p]], r);
      if (p > ptr[r]) assert_true(item[p - 1] < item[p]);
    }
  free(ptr);
  free(item);
  free_lists(&l);
  t_grid_free(&g);
}

static void rows_of_no_element_have_empty_lists(void **state)
{
  (void)state;
  bf_int       ptr[11];
  const bf_int conn[4]  = {7, 3, 3, 9};
  t_grid       g        = {.n = 10, .ne = 2, .nen = 2, .conn = (bf_int *)conn};
  lists        l        = make_lists(&g);
  const bf_int want[11] = {0, 0, 0, 0, 2, 2, 2, 2, 3, 3, 4};
  t_to_host(ptr, l.ptr, sizeof ptr);
  assert_memory_equal(ptr, want, sizeof want);
  free_lists(&l);
  g.ne = 0;
  l    = make_lists(&g);
  t_to_host(ptr, l.ptr, sizeof ptr);
  for (int r = 0; r <= 10; r++) assert_int_equal(ptr[r], 0);
  free_lists(&l);
}

static void bdia_scatter_is_dense_assembly(void **state)
{
  (void)state;
  uint64_t seed = 2;
  for (int D = 1; D <= 3; D++)
    for (int half = 0; half < 2; half++)
      for (bf_int slice = 0; slice <= 128; slice += 128)
        for (int dim = 2; dim <= 3; dim++) {
          t_grid     g = dim == 2 ? t_grid_new(16, 20, 0, &seed) : t_grid_new(5, 6, 7, &seed);
          bf_matrix *A = empty_bdia(&g, D, half, slice);
          check_scatter(A, &g, half, &seed);
          nothing_outside_the_slots(A);
          bf_matrix_destroy(&A);
          t_grid_free(&g);
        }
}

static void csr_scatter_is_dense_assembly(void **state)
{
  (void)state;
  uint64_t seed = 3;
  for (int D = 1; D <= 3; D++)
    for (int dim = 2; dim <= 3; dim++) {
      t_grid     g = dim == 2 ? t_grid_new(16, 20, 0, &seed) : t_grid_new(5, 6, 7, &seed);
      bf_matrix *A = empty_csr(&g, D);
      check_scatter(A, &g, 0, &seed);
      bf_matrix_destroy(&A);
      t_grid_free(&g);
    }
}

/* Elements that name a node twice (a collapsed side) and meshes of a single element. */
static void a_node_named_twice_gets_both_parts(void **state)
{
  (void)state;
  uint64_t     seed    = 4;
  const bf_int conn[8] = {0, 1, 2, 2, 2, 3, 4, 4};
  t_grid       g       = {.n = 5, .ne = 2, .nen = 4, .conn = (bf_int *)conn};
  bf_matrix   *A       = empty_bdia(&g, 2, 0, 0);
  check_scatter(A, &g, 0, &seed);
  bf_matrix_destroy(&A);
  A = empty_csr(&g, 2);
  check_scatter(A, &g, 0, &seed);
  bf_matrix_destroy(&A);
}

static void an_entry_outside_the_pattern_is_an_error(void **state)
{
  (void)state;
  uint64_t seed = 5;
  t_grid   g = t_grid_new(6, 5, 0, &seed), far = t_grid_new(6, 5, 0, &seed);
  far.conn[9] = far.conn[8] > 20 ? 0 : g.n - 1; /* an element reaches across the mesh */
  double *Ke  = t_grid_matrices(&g, 1, 1, &seed);
  for (int format = 0; format < 3; format++) {
    bf_matrix *A = format < 2 ? empty_bdia(&g, 1, format, 0) : empty_csr(&g, 1);
    T_ERR(BF_E_ARG, scatter(A, &far, Ke));
    T_CONTAINS(bf_err_message(), "pattern");
    T_OK(t_be->ops.sync(t_be)); /* reported once; the backend remains usable */
    bf_matrix_destroy(&A);
    A = format < 2 ? empty_bdia(&g, 1, format, 0) : empty_csr(&g, 1);
    T_OK(scatter(A, &g, Ke));
    bf_matrix_destroy(&A);
  }
  free(Ke);
  t_grid_free(&g);
  t_grid_free(&far);
}

static void fp32_values_cannot_be_added_to(void **state)
{
  (void)state;
  uint64_t   seed = 6;
  t_grid     g    = t_grid_new(3, 3, 0, &seed);
  double    *Ke   = t_grid_matrices(&g, 1, 1, &seed);
  bf_matrix *A = empty_csr(&g, 1), *B = NULL;
  T_OK(bf_matrix_to_fp32(A, &B));
  T_ERR(BF_E_ARG, scatter(B, &g, Ke));
  bf_matrix_destroy(&A);
  bf_matrix_destroy(&B);
  free(Ke);
  t_grid_free(&g);
}

static void sums_repeat_bit_for_bit_on_any_number_of_threads(void **state)
{
  (void)state;
  uint64_t  seed = 7;
  t_grid    g    = t_grid_new(7, 6, 8, &seed);
  double   *Ke   = t_grid_matrices(&g, 2, 1, &seed);
  const int many = omp_get_max_threads();
  for (int format = 0; format < 3; format++) {
    double *first = NULL;
    for (int threads = 1; threads <= 3; threads++) {
      omp_set_num_threads(threads);
      bf_matrix *A = format < 2 ? empty_bdia(&g, 2, format, 128) : empty_csr(&g, 2);
      T_OK(scatter(A, &g, Ke));
      double *a = dense_of(A);
      if (first) assert_memory_equal(a, first, (size_t)A->nrows * (size_t)A->nrows * sizeof *a);
      if (first) free(a);
      if (!first) first = a;
      bf_matrix_destroy(&A);
    }
    free(first);
  }
  omp_set_num_threads(many);
  free(Ke);
  t_grid_free(&g);
}

static void symmetric_elements_give_an_exactly_symmetric_matrix(void **state)
{
  (void)state;
  uint64_t   seed = 8;
  t_grid     g    = t_grid_new(6, 6, 6, &seed);
  double    *Ke   = t_grid_matrices(&g, 1, 1, &seed);
  bf_matrix *A = empty_bdia(&g, 1, 0, 0), *H = empty_bdia(&g, 1, 1, 0);
  T_OK(scatter(A, &g, Ke));
  T_OK(scatter(H, &g, Ke));
  double *a = dense_of(A), *h = dense_of(H);
  assert_memory_equal(a, h, (size_t)g.n * (size_t)g.n * sizeof *a);
  bf_matrix_destroy(&A);
  bf_matrix_destroy(&H);
  free(a);
  free(h);
  free(Ke);
  t_grid_free(&g);
}

static void element_vectors_add_up_in_their_rows(void **state)
{
  (void)state;
  uint64_t seed = 9;
  for (int D = 1; D <= 3; D++) {
    t_grid       g  = t_grid_new(30, 25, 0, &seed);
    const size_t nf = (size_t)(g.ne * g.nen * D), nb = (size_t)(g.n * D);
    double *fe = t_random_vector(nf, &seed), *b = t_random_vector(nb, &seed), *h = malloc(nb * sizeof *h);
    lists   l  = make_lists(&g);
    double *df = t_to_backend(fe, nf * sizeof *fe), *db = t_to_backend(b, nb * sizeof *b);
    T_OK(BF_OP(t_be, vector.scatter, g.n, D, l.ptr, l.item, g.nen, df, db));
    t_to_host(h, db, nb * sizeof *h);
    for (size_t k = 0; k < nf; k++) b[g.conn[k / (size_t)D] * D + (int)(k % (size_t)D)] += fe[k];
    for (size_t i = 0; i < nb; i++) T_NEAR(h[i], b[i], 16.0 * DBL_EPSILON);
    t_be->ops.release(t_be, df);
    t_be->ops.release(t_be, db);
    free_lists(&l);
    free(fe);
    free(b);
    free(h);
    t_grid_free(&g);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(incidences_are_all_places_ascending),
      cmocka_unit_test(rows_of_no_element_have_empty_lists),
      cmocka_unit_test(bdia_scatter_is_dense_assembly),
      cmocka_unit_test(csr_scatter_is_dense_assembly),
      cmocka_unit_test(a_node_named_twice_gets_both_parts),
      cmocka_unit_test(an_entry_outside_the_pattern_is_an_error),
      cmocka_unit_test(fp32_values_cannot_be_added_to),
      cmocka_unit_test(sums_repeat_bit_for_bit_on_any_number_of_threads),
      cmocka_unit_test(symmetric_elements_give_an_exactly_symmetric_matrix),
      cmocka_unit_test(element_vectors_add_up_in_their_rows),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
