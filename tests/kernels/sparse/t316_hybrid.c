/* tests/kernels/sparse/t316_hybrid.c - bands and a remainder: the split, element matrices into both, memory;
 * CSR in 16 bits usage: t316_hybrid <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/bands_split.h"
#include "kernels/matrix/matrix.h"
#include "tests/backend.h"
#include "tests/no_memory.h"
#include "tests/reference/dense.h"
#include "tests/reference/grid.h"
#include <float.h>
#include <math.h>

/* A box of cells whose nodes 40 .. 40+count-1 got other numbers: diagonals with holes. */
static t_grid bent_grid(bf_int nx, bf_int ny, bf_int nz, bf_int count, uint64_t *seed)
{
  t_grid  g   = t_grid_new(nx, ny, nz, seed);
  bf_int *row = malloc((size_t)g.n * sizeof *row);
  for (bf_int i = 0; i < g.n; i++) row[i] = i;
  for (bf_int k = 0; k < count && 40 + k < g.n; k++) { /* each with another, anywhere */
    const bf_int a = 40 + k, b = (bf_int)(t_random(seed) % (uint64_t)g.n), t = row[a];
    row[a] = row[b];
    row[b] = t;
  }
  for (bf_int k = 0; k < g.ne * g.nen; k++) g.conn[k] = row[g.conn[k]];
  free(row);
  return g;
}

static bf_split_options want_of(int D, int half, int remainder)
{
  return (bf_split_options){.ncomp = D, .half = half, .value_bytes = 8, .remainder = remainder};
}

/* 1 if the pair lies on a diagonal as the kernels see it. */
static int on_band(const bf_bands *b, int half, bf_int i, bf_int j)
{
  const bf_int r = half && j < i ? j : i;
  bf_int       s = 0;
  while (b->row[s + 1] <= r) s++;
  return bf_bands_has(b, s, half && j < i ? i - j : j - i);
}

static void every_pair_is_on_a_band_or_in_the_remainder(void **state)
{
  (void)state;
  uint64_t seed = 1;
  for (int v = 0; v < 12; v++) {
    const int              half = v & 1, remainder = (v >> 1) & 1;
    t_grid                 g = bent_grid(13, 9, v > 7 ? 0 : 5, v % 3 ? 20 : 0, &seed);
    bf_graph              *p = t_grid_pattern(&g), *rest = NULL;
    bf_bands              *b    = NULL;
    const bf_split_options want = want_of(1 + v % 3, half, remainder);
    T_OK(bf_bands_split(p, &want, &b, &rest));
    T_OK(bf_bands_check(b));
    T_OK(bf_graph_check(rest));
    if (!remainder) assert_int_equal(rest->ptr[rest->n], 0);
    for (bf_int i = 0; i < p->n; i++) {
      int64_t q = rest->ptr[i];
      for (int64_t k = p->ptr[i]; k < p->ptr[i + 1]; k++) {
        const int in_rest = q < rest->ptr[i + 1] && rest->adj[q] == p->adj[k];
        assert_int_equal(in_rest, !on_band(b, half, i, p->adj[k]));
        q += in_rest;
      }
      assert_int_equal(q, rest->ptr[i + 1]);
    }
    bf_graph_destroy(&p);
    bf_graph_destroy(&rest);
    bf_bands_destroy(&b);
    t_grid_free(&g);
  }
}

/* A clean rectangle needs no remainder and one table of its 9 diagonals. */
static void a_structured_mesh_is_all_bands(void **state)
{
  (void)state;
  uint64_t seed = 2;
  t_grid   g    = t_grid_new(60, 60, 0, &seed);
  for (int half = 0; half < 2; half++) {
    bf_graph              *p = t_grid_pattern(&g), *rest = NULL;
    bf_bands              *b    = NULL;
    const bf_split_options want = want_of(1, half, 1);
    T_OK(bf_bands_split(p, &want, &b, &rest));
    assert_int_equal(rest->ptr[rest->n], 0);
    assert_int_equal(b->nseg, 1);
    assert_int_equal(b->ptr[1], half ? 5 : 9);
    bf_graph_destroy(&p);
    bf_graph_destroy(&rest);
    bf_bands_destroy(&b);
  }
  t_grid_free(&g);
}

/* Fewer bytes than bands alone, and than CSR, where a few rows are out of order. */
static void a_remainder_saves_what_stray_diagonals_cost(void **state)
{
  (void)state;
  uint64_t  seed = 3;
  t_grid    g    = bent_grid(40, 40, 0, 10, &seed);
  bf_graph *p    = t_grid_pattern(&g);
  double    bytes[2];
  for (int remainder = 0; remainder < 2; remainder++) {
    const bf_split_options want = want_of(1, 0, remainder);
    bf_graph              *rest = NULL;
    bf_bands              *b    = NULL;
    bf_matrix             *A    = NULL;
    T_OK(bf_bands_split(p, &want, &b, &rest));
    T_OK(bf_matrix_create_hybrid(t_be, b, rest, 1, 0, BF_FP64, p->ptr[p->n], &A));
    bytes[remainder] = (double)bf_matrix_product_bytes(A);
    bf_matrix_destroy(&A);
    bf_bands_destroy(&b);
    bf_graph_destroy(&rest);
  }
  assert_true(bytes[1] < 0.9 * bytes[0]);
  assert_true(bytes[1] < (double)bf_csr_product_bytes(p->ptr[p->n], p->n, BF_FP64));
  bf_graph_destroy(&p);
  t_grid_free(&g);
}

/* ---- element matrices ---- */

static void scatter(bf_matrix *A, const t_grid *g, const double *Ke)
{
  const size_t nd = (size_t)(g->nen * A->ncomp), count = (size_t)(g->ne * g->nen);
  bf_int      *conn = t_to_backend(g->conn, count * sizeof *conn);
  double      *k    = t_to_backend(Ke, (size_t)g->ne * nd * nd * sizeof *Ke);
  void        *ptr = NULL, *item = NULL;
  T_OK(t_be->ops.alloc(t_be, ((size_t)g->n + 1) * sizeof *conn, &ptr));
  T_OK(t_be->ops.alloc(t_be, count * sizeof *conn, &item));
  T_OK(BF_OP(t_be, element.incidence, g->ne, g->nen, conn, g->n, ptr, item));
  T_OK(bf_matrix_scatter(A, ptr, item, g->nen, conn, k));
  T_OK(t_be->ops.sync(t_be));
  t_be->ops.release(t_be, conn);
  t_be->ops.release(t_be, k);
  t_be->ops.release(t_be, ptr);
  t_be->ops.release(t_be, item);
}

static void check_scatter(bf_matrix *A, const t_grid *g, int symmetric, uint64_t *seed)
{
  const size_t N  = (size_t)A->nrows;
  double      *Ke = t_grid_matrices(g, A->ncomp, symmetric, seed), *want = calloc(N * N, sizeof *want),
         *a = calloc(N * N, sizeof *a);
  for (int twice = 0; twice < 2; twice++) {
    scatter(A, g, Ke);
    t_dense_assemble(g->n, A->ncomp, g->ne, g->nen, g->conn, Ke, want);
  }
  T_OK(bf_matrix_check(A));
  T_OK(bf_matrix_to_dense(A, a));
  for (size_t i = 0; i < N * N; i++)
    if (!(fabs(a[i] - want[i]) <= 64.0 * DBL_EPSILON))
      fail_msg("%s (%zu, %zu): %.17g instead of %.17g", bf_format_word(A->format), i / N, i % N, a[i],
               want[i]);
  free(Ke);
  free(want);
  free(a);
}

static void element_matrices_go_to_bands_and_remainder(void **state)
{
  (void)state;
  uint64_t seed = 4;
  for (int v = 0; v < 12; v++) {
    const int              D = 1 + v % 3, half = (v / 3) & 1, nz = v / 6 ? 0 : 4;
    t_grid                 g = bent_grid(11, 7, nz, 15, &seed);
    bf_graph              *p = t_grid_pattern(&g), *rest = NULL;
    bf_bands              *b    = NULL;
    bf_matrix             *A    = NULL;
    const bf_split_options want = want_of(D, half, 1);
    T_OK(bf_bands_split(p, &want, &b, &rest));
    assert_true(rest->ptr[rest->n] > 0);
    T_OK(bf_matrix_create_hybrid(t_be, b, rest, D, half, BF_FP64, p->ptr[p->n] * D * D, &A));
    check_scatter(A, &g, half, &seed);
    bf_matrix_destroy(&A);
    bf_graph_destroy(&p);
    bf_graph_destroy(&rest);
    bf_bands_destroy(&b);
    t_grid_free(&g);
  }
}

static void element_matrices_go_to_rows_with_short_columns(void **state)
{
  (void)state;
  uint64_t seed = 5;
  for (int D = 1; D <= 3; D++) {
    t_grid     g = bent_grid(9, 8, 5, 15, &seed); /* several blocks of 256 rows */
    bf_graph  *p = t_grid_pattern(&g);
    bf_matrix *A = NULL;
    T_OK(bf_matrix_create_csr16(t_be, p, D, BF_FP64, &A));
    check_scatter(A, &g, 0, &seed);
    bf_matrix_destroy(&A);
    bf_graph_destroy(&p);
    t_grid_free(&g);
  }
}

static void an_entry_that_has_no_place_is_an_error(void **state)
{
  (void)state;
  const bf_int ptr[] = {0, 1, 2}, item[] = {0, 1}, conn[] = {0, 1};
  const double Ke[4] = {1, 2, 3, 4};
  for (int half = 0; half < 2; half++) {
    bf_graph  *rest = NULL;
    bf_bands  *b    = NULL;
    bf_matrix *A    = NULL;
    T_OK(bf_graph_create(2, 0, &rest));
    T_OK(bf_bands_create(2, 1, 1, &b)); /* the diagonal alone */
    b->row[1] = 2;
    b->ptr[1] = 1;
    T_OK(bf_matrix_create_hybrid(t_be, b, rest, 1, half, BF_FP64, 2, &A));
    bf_int *p = t_to_backend(ptr, sizeof ptr), *i = t_to_backend(item, sizeof item),
           *c   = t_to_backend(conn, sizeof conn);
    double *k   = t_to_backend(Ke, sizeof Ke);
    bf_err  err = bf_matrix_scatter(A, p, i, 2, c, k);
    if (err == BF_OK) err = t_be->ops.sync(t_be);
    assert_int_equal(err, BF_E_ARG);
    t_be->ops.release(t_be, p);
    t_be->ops.release(t_be, i);
    t_be->ops.release(t_be, c);
    t_be->ops.release(t_be, k);
    bf_matrix_destroy(&A);
    bf_graph_destroy(&rest);
    bf_bands_destroy(&b);
  }
}

/* ---- what is refused ---- */

static void a_remainder_on_a_diagonal_of_the_bands_is_refused(void **state)
{
  (void)state;
  bf_graph  *rest = NULL;
  bf_bands  *b    = NULL;
  bf_matrix *A    = NULL;
  T_OK(bf_graph_create(3, 1, &rest));
  rest->ptr[2] = rest->ptr[3] = 1; /* (1, 1) */
  rest->adj[0]                = 1;
  T_OK(bf_bands_create(3, 1, 1, &b));
  b->row[1] = 3;
  b->ptr[1] = 1;
  T_ERR(BF_E_ARG, bf_matrix_create_hybrid(t_be, b, rest, 1, 0, BF_FP64, 4, &A));
  T_CONTAINS(bf_err_message(), "pair (1, 1) lies on a diagonal");
  rest->adj[0] = 2;
  T_OK(bf_matrix_create_hybrid(t_be, b, rest, 1, 0, BF_FP64, 4, &A));
  bf_matrix_destroy(&A);
  bf_graph_destroy(&rest);
  bf_bands_destroy(&b);
}

static void columns_too_far_for_sixteen_bits_are_refused_by_their_half_bandwidth(void **state)
{
  (void)state;
  bf_graph  *g = NULL;
  bf_matrix *A = NULL;
  T_OK(bf_graph_create(20000, 1, &g));
  for (bf_int i = 1; i <= g->n; i++) g->ptr[i] = 1;
  g->adj[0] = 16000;
  T_OK(bf_matrix_create_csr16(t_be, g, 2, BF_FP64, &A)); /* 32001 scalar columns away */
  bf_matrix_destroy(&A);
  T_ERR(BF_E_ARG, bf_matrix_create_csr16(t_be, g, 3, BF_FP64, &A));
  T_CONTAINS(bf_err_message(), "half-bandwidth of 48002");
  bf_graph_destroy(&g);
}

static void no_memory_at_any_allocation_is_an_error_and_leaks_nothing(void **state)
{
  (void)state;
  T_LONG;
  uint64_t  seed = 6;
  t_grid    g    = bent_grid(9, 9, 0, 8, &seed);
  bf_graph *p    = t_grid_pattern(&g);
  for (int v = 0; v < 3; v++) {
    const bf_split_options want = want_of(1, v == 1, 1);
    t_no_memory            t    = {0};
    while (t_no_memory_next(&t)) {
      bf_bands  *b    = NULL;
      bf_graph  *rest = NULL;
      bf_matrix *A    = NULL;
      t_no_memory_begin(&t);
      bf_err err =
          v == 2 ? bf_matrix_create_csr16(t_be, p, 1, BF_FP64, &A) : bf_bands_split(p, &want, &b, &rest);
      if (err == BF_OK && v < 2) err = bf_matrix_create_hybrid(t_be, b, rest, 1, v, BF_FP64, 0, &A);
      t_no_memory_end(&t, err);
      bf_matrix_destroy(&A);
      bf_bands_destroy(&b);
      bf_graph_destroy(&rest);
    }
    assert_true(t.failed > 0); /* a device's memory is not planned to fail */
  }
  bf_graph_destroy(&p);
  t_grid_free(&g);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_pair_is_on_a_band_or_in_the_remainder),
      cmocka_unit_test(a_structured_mesh_is_all_bands),
      cmocka_unit_test(a_remainder_saves_what_stray_diagonals_cost),
      cmocka_unit_test(element_matrices_go_to_bands_and_remainder),
      cmocka_unit_test(element_matrices_go_to_rows_with_short_columns),
      cmocka_unit_test(an_entry_that_has_no_place_is_an_error),
      cmocka_unit_test(a_remainder_on_a_diagonal_of_the_bands_is_refused),
      cmocka_unit_test(columns_too_far_for_sixteen_bits_are_refused_by_their_half_bandwidth),
      cmocka_unit_test(no_memory_at_any_allocation_is_an_error_and_leaks_nothing),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
