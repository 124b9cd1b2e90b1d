/* tests/mesh/t127_numbering_early.c - orders that lose are given up early, and the result is the same */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/graph.h"
#include "mesh/numbering/band_cost.h"
#include "mesh/numbering/orders.h"
#include "mesh/numbering/search.h"
#include "mesh/numbering/vertex_mesh.h"
#include "tests/numbering_case.h"
#include <omp.h>

typedef struct result {
  bf_numbering *n; /* its table alone */
  bf_choice     best;
  int64_t       nnz;
  bf_int        nv;
} result;

static result search(const bf_mesh *m, int exhaustive)
{
  result    r = {.n = bf_host_alloc(1, sizeof *r.n)};
  bf_vmesh *v = NULL;
  assert_non_null(r.n);
  T_OK(bf_vmesh_create(m, 0, &v));
  r.nv = v->cells.nv;
  T_OK(bf_search_orders(v, BF_ORDER_AUTO, exhaustive, r.n, &r.best, &r.nnz));
  bf_vmesh_destroy(&v);
  return r;
}

static void clear(result *r)
{
  bf_choice_clear(&r->best);
  bf_numbering_destroy(&r->n);
}

/* The mesh, which is freed, is numbered the same with and without giving up; returns the orders given up. */
static int given_up(bf_mesh *m)
{
  result early = search(m, 0), all = search(m, 1);
  assert_int_equal(all.n->given_up, 0);
  assert_true(all.n->ntries >= early.n->ntries);
  assert_int_equal(early.nnz, all.nnz);
  assert_int_equal(early.best.reach, all.best.reach);
  assert_memory_equal(early.best.pos, all.best.pos, (size_t)all.nv * sizeof(bf_int));
  T_NEAR(early.best.bytes, all.best.bytes, 0.0);
  assert_string_equal(early.n->tries[early.best.line].name, all.n->tries[all.best.line].name);
  const int count = early.n->given_up;
  clear(&early);
  clear(&all);
  bf_mesh_destroy(&m);
  return count;
}

static void an_order_that_is_given_up_would_not_have_won(void **state)
{
  (void)state;
  assert_true(given_up(t_random_tets(13, 1)) > 0);
  for (uint64_t seed = 1; seed < 4; seed++) {
    given_up(t_random_tets(4, seed));
    given_up(t_random_triangles(30, seed));
  }
}

static bf_mesh *bent(bf_elem_type type, bf_int nx, bf_int ny, bf_int nz, int (*inside)(const double c[3]))
{
  bf_mesh *m = t_box(type, nx, ny, nz);
  if (inside) t_keep(m, inside);
  t_shuffle(m, 3);
  t_map(m, m->dim == 2 ? t_curve_2d : t_curve_3d);
  return m;
}

static void structured_meshes_are_numbered_the_same(void **state)
{
  (void)state;
  given_up(bent(BF_TET4, 12, 14, 20, NULL));
  given_up(bent(BF_TET4, 20, 24, 8, t_in_t_shape));
  given_up(bent(BF_HEX8, 20, 24, 8, t_in_t_shape));
  given_up(bent(BF_QUAD4, 60, 60, 0, t_in_l_shape));
  given_up(bent(BF_TRI3, 60, 60, 0, t_in_l_shape));
  given_up(bent(BF_HEX20, 6, 7, 9, NULL));
}

/* The mesh, which is freed, gets the same numbering from 1, 2 and 7 threads. */
static void number_with_threads(bf_mesh *m)
{
  static const int threads[] = {1, 2, 7};
  const int        nt        = omp_get_max_threads();
  bf_numbering    *n[3]      = {NULL};
  for (int i = 0; i < 3; i++) {
    omp_set_num_threads(threads[i]);
    T_OK(bf_numbering_create(m, BF_ORDER_AUTO, &n[i]));
    assert_memory_equal(n[0]->row, n[i]->row, (size_t)m->nnodes * sizeof *n[0]->row);
    assert_int_equal(n[0]->nnz, n[i]->nnz);
    assert_int_equal(n[0]->ntries, n[i]->ntries);
    assert_int_equal(n[0]->given_up, n[i]->given_up);
    for (int k = 0; k < n[0]->ntries; k++) assert_string_equal(n[0]->tries[k].name, n[i]->tries[k].name);
  }
  omp_set_num_threads(nt);
  T_OK(bf_numbering_check(n[0]));
  for (int i = 0; i < 3; i++) bf_numbering_destroy(&n[i]);
  bf_mesh_destroy(&m);
}

static int away_from_the_middle(const double c[3])
{
  return c[0] < 0.4 || c[0] > 0.6;
}

static bf_mesh *two_parts(bf_mesh *m)
{
  t_keep(m, away_from_the_middle);
  return m;
}

static void an_unstructured_numbering_does_not_depend_on_threads(void **state)
{
  (void)state;
  number_with_threads(t_random_tets(13, 5));
  number_with_threads(two_parts(t_random_tets(9, 6)));
  number_with_threads(t_random_triangles(60, 2));
  bf_mesh *m = t_random_tets(8, 7);
  T_OK(bf_mesh_change_order(m, 2, INT32_MAX));
  number_with_threads(m);
}

static void a_structured_numbering_does_not_depend_on_threads(void **state)
{
  (void)state;
  number_with_threads(bent(BF_TET4, 12, 14, 20, NULL));
  number_with_threads(bent(BF_HEX20, 6, 7, 9, NULL));
}

/* The bound of a complete order is that of slices: at most the bytes of any segments. */
static void the_bound_is_below_the_bytes_of_the_segments(void **state)
{
  (void)state;
  bf_mesh    *m     = t_random_triangles(30, 4);
  bf_vmesh   *v     = NULL;
  bf_graph   *g     = NULL;
  bf_bands   *b     = NULL;
  bf_bound   *bound = NULL;
  bf_offsets *o     = bf_host_alloc(1, sizeof *o);
  T_OK(bf_vmesh_create(m, 0, &v));
  T_OK(bf_edge_graph(&v->cells, &g));
  T_OK(bf_bound_create(g, &bound));
  bf_int *order = bf_host_alloc((size_t)g->n, sizeof *order), *pos = bf_host_alloc((size_t)g->n, sizeof *pos);
  assert_true(o && order && pos);
  T_OK(bf_graph_rcm(g, order));
  for (bf_int p = 0; p < g->n; p++) pos[order[p]] = p;
  T_OK(bf_offsets_find(&v->cells, pos, g->n, -1, o));
  T_OK(bf_bands_segments(&v->cells, pos, g->n, o, &b));
  const double bytes = bf_bands_bytes(b, 0);
  bf_bound_begin(bound, g->n, bytes, 0);
  assert_false(bf_bound_exceeded(bound, order, g->n, g->n, o->reach));
  bf_bound_begin(bound, g->n, 0.8 * bytes, 0); /* and not far below */
  assert_true(bf_bound_exceeded(bound, order, g->n, g->n, o->reach));
  bf_bound_begin(bound, g->n, 0.8 * bytes, o->reach + 1); /* the smaller reach may win */
  assert_false(bf_bound_exceeded(bound, order, g->n, g->n, o->reach));
  bf_bands_destroy(&b);
  bf_bound_destroy(&bound);
  bf_graph_destroy(&g);
  bf_vmesh_destroy(&v);
  bf_mesh_destroy(&m);
  bf_host_free(o);
  bf_host_free(order);
  bf_host_free(pos);
}

static void a_failed_allocation_of_an_unstructured_numbering_leaves_nothing(void **state)
{
  (void)state;
  const int nt = omp_get_max_threads();
  bf_mesh  *m  = t_random_tets(3, 2);
  omp_set_num_threads(1); /* many short runs */
  t_numbering_without_memory(m);
  omp_set_num_threads(nt);
  bf_mesh_destroy(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_order_that_is_given_up_would_not_have_won),
      cmocka_unit_test(structured_meshes_are_numbered_the_same),
      cmocka_unit_test(an_unstructured_numbering_does_not_depend_on_threads),
      cmocka_unit_test(a_structured_numbering_does_not_depend_on_threads),
      cmocka_unit_test(the_bound_is_below_the_bytes_of_the_segments),
      cmocka_unit_test(a_failed_allocation_of_an_unstructured_numbering_leaves_nothing),
  };
  return T_RUN(tests);
}
