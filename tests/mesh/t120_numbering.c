/* tests/mesh/t120_numbering.c - levels give a structured block its diagonals back, whatever the file did to
 * it */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/log.h"
#include "tests/numbering_case.h"
#include <omp.h>

static void print_line(void *context, const char *text)
{
  (void)context;
  print_message("%s\n", text);
}

static bf_numbering *number(const bf_mesh *m, bf_order order)
{
  bf_numbering *n   = NULL;
  const bf_log  log = {print_line, NULL};
  T_OK(bf_numbering_create(m, order, &n));
  t_is_valid(m, n);
  if (getenv("BANDFEM_TEST_VERBOSE")) bf_numbering_log(n, &log);
  return n;
}

/* The mesh is numbered by `order`, is freed, and must have this many diagonals, all rows in one table. */
static void has_diagonals(bf_mesh *m, bf_order order, bf_int diagonals, const char *name)
{
  bf_numbering *n = number(m, order);
  assert_int_equal(t_chosen(n)->diagonals, diagonals);
  assert_non_null(n->bands);
  assert_int_equal(n->bands->nseg, 1);
  assert_int_equal(n->bands->ptr[1], diagonals);
  T_CONTAINS(t_chosen(n)->name, name);
  bf_numbering_destroy(&n);
  bf_mesh_destroy(&m);
}

/* ---- one structured block ---- */

static const struct {
  bf_elem_type type;
  bf_int       n[3], ideal;
} blocks[] = {{BF_TRI3, {17, 23, 0}, 7},   {BF_QUAD4, {15, 22, 0}, 9}, {BF_TET4, {8, 10, 15}, 15},
              {BF_HEX8, {10, 12, 20}, 27}, {BF_QUAD4, {4, 150, 0}, 9}, {BF_HEX8, {3, 4, 90}, 27}};
enum { NBLOCKS = sizeof blocks / sizeof *blocks };

static void straight_shuffled_blocks_get_the_ideal_from_coordinates(void **state)
{
  (void)state;
  for (int i = 0; i < NBLOCKS; i++) {
    bf_mesh *m = t_box(blocks[i].type, blocks[i].n[0], blocks[i].n[1], blocks[i].n[2]);
    t_shuffle(m, 10 + (uint64_t)i);
    has_diagonals(m, BF_ORDER_AUTO, blocks[i].ideal, "lexicographic");
  }
}

static void curved_shuffled_blocks_get_the_ideal_from_levels(void **state)
{
  (void)state;
  for (int i = 0; i < NBLOCKS; i++)
    for (uint64_t seed = 1; seed < 4; seed++) {
      bf_mesh *m = t_box(blocks[i].type, blocks[i].n[0], blocks[i].n[1], blocks[i].n[2]);
      t_shuffle(m, seed);
      t_map(m, m->dim == 2 ? t_curve_2d : t_curve_3d);
      bf_numbering *n       = number(m, BF_ORDER_LEVELS); /* the first side does it, simplices in two tries */
      const int     simplex = blocks[i].type == BF_TRI3 || blocks[i].type == BF_TET4;
      assert_in_range(n->ntries, 1, simplex ? 2 : 1);
      bf_numbering_destroy(&n);
      has_diagonals(m, BF_ORDER_AUTO, blocks[i].ideal, "levels");
    }
}

static void a_quarter_ring_gets_the_ideal(void **state)
{
  (void)state;
  bf_mesh *m = t_box(BF_QUAD4, 15, 22, 0);
  t_shuffle(m, 5);
  t_map(m, t_quarter_ring);
  has_diagonals(m, BF_ORDER_AUTO, 9, "levels chain");
  m = t_box(BF_TRI3, 15, 22, 0);
  t_shuffle(m, 6);
  t_map(m, t_quarter_ring);
  has_diagonals(m, BF_ORDER_AUTO, 7, "levels chain");
}

static void a_block_in_good_file_order_keeps_it(void **state)
{
  (void)state;
  bf_mesh      *m = t_box(BF_HEX8, 5, 6, 7);
  bf_numbering *n = number(m, BF_ORDER_AUTO);
  assert_string_equal(t_chosen(n)->name, "file");
  assert_int_equal(n->ntries, 1);
  assert_int_equal(n->reach, n->reach_file);
  assert_int_equal(n->ideal, 27);
  for (bf_int i = 0; i < n->nrows; i++) assert_int_equal(n->row[i], i);
  bf_numbering_destroy(&n);
  bf_mesh_destroy(&m);
}

static void a_long_block_is_numbered_across(void **state)
{
  (void)state;
  bf_mesh *m = t_box(BF_HEX8, 3, 40, 5);
  t_shuffle(m, 3);
  t_map(m, t_curve_3d);
  bf_numbering *n = number(m, BF_ORDER_AUTO);
  assert_int_equal(n->reach, 4 * 6 + 4 + 1); /* the smallest face, its shorter edge first */
  bf_numbering_destroy(&n);
  bf_mesh_destroy(&m);
}

/* ---- several blocks ---- */

static int off_the_gap(const double c[3])
{
  return c[0] < 0.4 || c[0] > 0.6;
}

static void an_l_shape_of_three_blocks_is_cheap_in_segments(void **state)
{
  (void)state;
  bf_mesh *m = t_box(BF_QUAD4, 80, 80, 0);
  t_keep(m, t_in_l_shape);
  t_shuffle(m, 4);
  t_map(m, t_curve_2d);
  bf_numbering *n = number(m, BF_ORDER_AUTO);
  assert_in_range(t_chosen(n)->diagonals, 9, 15);
  T_LE(t_chosen(n)->bytes_full, 8.6);
  T_LE(t_chosen(n)->bytes_half, 4.8);
  assert_in_range(n->bands->nseg, 2, 6);
  bf_numbering_destroy(&n);
  bf_mesh_destroy(&m);
}

static void a_t_shape_of_hexahedra_is_cheap_in_segments(void **state)
{
  (void)state;
  bf_mesh *m = t_box(BF_HEX8, 30, 32, 12);
  t_keep(m, t_in_t_shape);
  t_shuffle(m, 4);
  t_map(m, t_curve_3d);
  bf_numbering *n = number(m, BF_ORDER_AUTO);
  assert_in_range(t_chosen(n)->diagonals, 27, 63);
  T_LE(t_chosen(n)->bytes_full, 10.0);
  bf_numbering_destroy(&n);
  bf_mesh_destroy(&m);
}

static void a_closed_ring_is_cut_open(void **state)
{
  (void)state;
  bf_mesh *m = t_box(BF_QUAD4, 120, 20, 0);
  t_close_ring(m, 121);
  t_shuffle(m, 8);
  bf_numbering *n = number(m, BF_ORDER_AUTO);
  assert_int_equal(t_chosen(n)->diagonals, 15);
  T_CONTAINS(t_chosen(n)->name, "cut");
  T_LE(t_chosen(n)->bytes_full, 8.8);
  bf_numbering_destroy(&n);
  bf_mesh_destroy(&m);
}

static void parts_are_numbered_one_after_another(void **state)
{
  (void)state;
  static const bf_elem_type types[] = {BF_QUAD4, BF_TRI3};
  for (int i = 0; i < 2; i++) {
    bf_mesh *m = t_box(types[i], 40, 17, 0);
    t_keep(m, off_the_gap);
    t_shuffle(m, 9);
    t_map(m, t_curve_2d);
    bf_numbering *n     = number(m, BF_ORDER_AUTO);
    const bf_int  ideal = types[i] == BF_QUAD4 ? 9 : 7;
    assert_int_equal(t_chosen(n)->diagonals, ideal); /* both parts have 18 vertices a level */
    assert_string_equal(t_chosen(n)->name, "parts one after another");
    double last[2] = {-1e9, -1e9}, first[2] = {1e9, 1e9}; /* rows of the left and of the right part */
    for (bf_int k = 0; k < n->nrows; k++) {
      const int p = m->x[3 * (size_t)n->node[k]] > 0.6;
      last[p]     = k > last[p] ? k : last[p];
      first[p]    = k < first[p] ? k : first[p];
    }
    assert_true(last[0] < first[1] || last[1] < first[0]);
    bf_numbering_destroy(&n);
    bf_mesh_destroy(&m);
  }
}

/* ---- meshes without structure ---- */

static void unstructured_triangles_are_numbered_and_found_expensive(void **state)
{
  (void)state;
  bf_mesh      *m = t_random_triangles(40, 12);
  bf_numbering *n = number(m, BF_ORDER_AUTO);
  assert_non_null(n->bands); /* few enough nodes */
  assert_true(t_chosen(n)->bytes_full > 24.0);
  assert_true(n->reach < n->reach_file / 8);
  bf_numbering_destroy(&n);
  bf_mesh_destroy(&m);
}

static void hopeless_meshes_have_no_bands_and_a_small_reach(void **state)
{
  (void)state;
  bf_mesh *m = t_box(BF_TET4, 27, 27, 27);
  t_shuffle(m, 2);
  bf_numbering *n = number(m, BF_ORDER_FILE);
  assert_null(n->bands);
  assert_int_equal(n->reach, n->reach_file);
  assert_true(t_chosen(n)->stopped);
  assert_int_equal(t_chosen(n)->diagonals, 8193);
  bf_numbering_destroy(&n);
  n = number(m, BF_ORDER_RCM);
  assert_true(n->reach < n->reach_file / 8);
  bf_numbering_destroy(&n);
  bf_mesh_destroy(&m);
}

static void mixed_elements_are_numbered(void **state)
{
  (void)state;
  bf_mesh *m    = t_box(BF_QUAD4, 20, 10, 0); /* every other column of quadrilaterals becomes triangles */
  bf_block quad = {0};
  for (int b = 0; b < m->nblocks; b++)
    if (m->block[b].type == BF_QUAD4) quad = m->block[b];
  bf_int *tri  = bf_host_alloc((size_t)quad.n, 3 * sizeof *tri),
         *left = bf_host_alloc((size_t)quad.n, 4 * sizeof *left);
  assert_true(tri && left);
  bf_int nt = 0, nq = 0;
  for (bf_int e = 0; e < quad.n; e++) {
    const bf_int *c = quad.node + 4 * (size_t)e;
    if (e % 2 == 0) {
      memcpy(left + 4 * (size_t)nq++, c, 4 * sizeof *c);
    } else {
      const bf_int t[2][3] = {{c[0], c[1], c[2]}, {c[0], c[2], c[3]}};
      memcpy(tri + 3 * (size_t)nt, t, sizeof t);
      nt += 2;
    }
  }
  double *xy = bf_host_alloc((size_t)m->nnodes, 2 * sizeof *xy);
  assert_non_null(xy);
  for (bf_int i = 0; i < m->nnodes; i++) memcpy(xy + 2 * (size_t)i, m->x + 3 * (size_t)i, 2 * sizeof *xy);
  bf_mesh  *q     = t_mesh_2d(BF_TRI3, m->nnodes, xy, nt, tri);
  bf_block *block = bf_host_alloc(2, sizeof *block);
  assert_non_null(block);
  block[0]       = q->block[0];
  block[1].type  = BF_QUAD4;
  block[1].first = nt;
  block[1].n     = nq;
  block[1].node  = left;
  block[1].tag   = bf_host_alloc((size_t)nq, sizeof(int64_t));
  assert_non_null(block[1].tag);
  bf_host_free(q->block);
  q->block   = block;
  q->nblocks = 2;
  q->nelem   = nt + nq;
  T_OK(bf_mesh_check(q));
  t_shuffle(q, 4);
  t_map(q, t_curve_2d);
  bf_numbering *n = number(q, BF_ORDER_AUTO);
  assert_int_equal(n->ideal, 0);
  assert_int_equal(t_chosen(n)->diagonals,
                   9); /* of the quadrilaterals; the triangles' edges are among them */
  bf_numbering_destroy(&n);
  bf_mesh_destroy(&q);
  bf_mesh_destroy(&m);
  bf_host_free(tri);
  bf_host_free(xy);
}

/* ---- quadratic elements, other orders, details ---- */

/* A mid-edge node has its row between those of its edge's ends. */
static void mid_nodes_lie_between(const bf_mesh *m, const bf_numbering *n)
{
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block     *B    = &m->block[b];
    const bf_elem_info *info = bf_elem(B->type);
    for (bf_int e = 0; e < B->n && info->dim == m->dim; e++)
      for (int k = 0; k < info->nedges; k++) {
        const bf_int *node = B->node + (size_t)e * (size_t)info->nnodes;
        const bf_int  p = n->row[node[info->edge[k][0]]], q = n->row[node[info->edge[k][1]]],
                     r = n->row[node[info->ncorners + k]];
        assert_true((p < r && r < q) || (q < r && r < p));
      }
  }
}

static void quadratic_meshes_keep_the_bandwidth_of_their_vertices(void **state)
{
  (void)state;
  static const struct {
    bf_elem_type type;
    bf_int       n[3], vertex_reach;
    double       nodes_per_vertex;
  } q[] = {{BF_TRI6, {9, 14, 0}, 11, 4.0}, {BF_QUAD8, {9, 14, 0}, 11, 3.0}, {BF_TET10, {4, 5, 9}, 37, 8.0},
           {BF_HEX20, {4, 5, 9}, 37, 4.0}, {BF_QUAD9, {9, 14, 0}, 11, 4.0}, {BF_HEX27, {4, 5, 9}, 37, 8.0}};
  for (int i = 0; i < 6; i++) {
    bf_mesh *m = t_box(q[i].type, q[i].n[0], q[i].n[1], q[i].n[2]);
    t_shuffle(m, 3);
    t_map(m, m->dim == 2 ? t_curve_2d : t_curve_3d);
    bf_numbering *n = number(m, BF_ORDER_AUTO);
    T_OK(bf_numbering_select(&n, bf_numbering_phantoms(n) > 0));
    T_OK(bf_numbering_check(n));
    assert_int_equal(bf_numbering_phantoms(n), 0);
    T_LE(n->reach, 1.5 * q[i].nodes_per_vertex * q[i].vertex_reach);
    T_LE(n->reach, 0.6 * n->reach_file);
    mid_nodes_lie_between(m, n);
    bf_numbering_destroy(&n);
    n = number(m, BF_ORDER_FILE);
    assert_int_equal(n->reach, n->reach_file);
    bf_numbering_destroy(&n);
    bf_mesh_destroy(&m);
  }
}

static void every_order_can_be_asked_for(void **state)
{
  (void)state;
  static const bf_order     orders[] = {BF_ORDER_FILE, BF_ORDER_LEXICOGRAPHIC, BF_ORDER_RCM, BF_ORDER_LEVELS};
  static const char        *names[]  = {"file", "lexicographic", "rcm", "levels"};
  static const bf_elem_type types[]  = {BF_TRI3, BF_QUAD4, BF_TET4, BF_HEX8};
  for (int t = 0; t < 4; t++)
    for (int i = 0; i < 4; i++) {
      bf_mesh *m = t_box(types[t], 5, 7, 6);
      t_keep(m, off_the_gap);
      t_shuffle(m, 3);
      bf_numbering *n = number(m, orders[i]);
      if (i < 2)
        T_CONTAINS(t_chosen(n)->name, names[i]);
      else
        assert_string_equal(t_chosen(n)->name, "parts one after another");
      for (int k = 0; k < n->ntries && i >= 2; k++)
        assert_true(strstr(n->tries[k].name, names[i]) || n->tries[k].chosen ||
                    strstr(n->tries[k].name, "blocks"));
      bf_numbering_destroy(&n);
      bf_mesh_destroy(&m);
    }
}

static void one_element_and_lines_are_numbered(void **state)
{
  (void)state;
  static const bf_elem_type types[] = {BF_TRI3, BF_QUAD4, BF_TET4, BF_HEX8, BF_TET10, BF_HEX20, BF_HEX27};
  for (int t = 0; t < 7; t++)
    for (int order = BF_ORDER_AUTO; order <= BF_ORDER_LEVELS; order++) {
      bf_mesh      *m = t_box(types[t], 1, 1, 1);
      bf_numbering *n = number(m, (bf_order)order);
      bf_numbering_destroy(&n);
      bf_mesh_destroy(&m);
    }
  bf_mesh *m = t_box(BF_QUAD4, 7, 2, 0);
  t_shuffle(m, 2);
  for (int b = 0; b < m->nblocks; b++) /* leave the side lines of the rectangle: a closed line of 18 */
    if (m->block[b].type == BF_QUAD4) {
      m->dim = 1;
      bf_host_free(m->block[b].node);
      bf_host_free(m->block[b].tag);
      m->nelem -= m->block[b].n;
      m->nblocks--;
      assert_int_equal(b, m->nblocks);
    }
  for (int g = 0; g < m->ngroups; g++) {
    bf_host_free(m->group[g].name);
    bf_host_free(m->group[g].elem);
  }
  m->ngroups      = 0;
  bf_numbering *n = number(m, BF_ORDER_AUTO);
  assert_int_equal(n->nrows, 18);
  assert_int_equal(n->nnz, 54);
  bf_numbering_destroy(&n);
  bf_mesh_destroy(&m);
}

static void the_result_does_not_depend_on_threads(void **state)
{
  (void)state;
  const int     nt = omp_get_max_threads();
  bf_numbering *a = NULL, *b = NULL;
  bf_mesh      *m = t_box(BF_HEX8, 28, 30, 29);
  t_shuffle(m, 3);
  t_map(m, t_curve_3d);
  omp_set_num_threads(1);
  T_OK(bf_numbering_create(m, BF_ORDER_AUTO, &a));
  omp_set_num_threads(7);
  T_OK(bf_numbering_create(m, BF_ORDER_AUTO, &b));
  omp_set_num_threads(nt);
  assert_int_equal(a->nnz, b->nnz);
  assert_int_equal(a->ntries, b->ntries);
  assert_memory_equal(a->row, b->row, (size_t)m->nnodes * sizeof *a->row);
  assert_int_equal(a->bands->ptr[1], b->bands->ptr[1]);
  assert_memory_equal(a->bands->off, b->bands->off, (size_t)a->bands->ptr[1] * sizeof *a->bands->off);
  for (int i = 0; i < a->ntries; i++) {
    assert_string_equal(a->tries[i].name, b->tries[i].name);
    assert_int_equal(a->tries[i].diagonals, b->tries[i].diagonals);
    assert_int_equal(a->tries[i].reach, b->tries[i].reach);
  }
  bf_numbering_destroy(&a);
  bf_numbering_destroy(&b);
  bf_mesh_destroy(&m);
}

static void a_broken_numbering_is_found(void **state)
{
  (void)state;
  bf_mesh      *m = t_box(BF_QUAD4, 3, 3, 0);
  bf_numbering *n = number(m, BF_ORDER_AUTO);
  n->row[3]       = n->row[4];
  T_ERR(BF_E_ARG, bf_numbering_check(n));
  n->row[3] = -1;
  T_ERR(BF_E_ARG, bf_numbering_check(n));
  n->row[3] = 16;
  T_ERR(BF_E_ARG, bf_numbering_check(n));
  n->row[3] = 3;
  T_OK(bf_numbering_check(n));
  n->tries[0].chosen = 0;
  T_ERR(BF_E_ARG, bf_numbering_check(n));
  bf_numbering_destroy(&n);
  T_ERR(BF_E_ARG, bf_numbering_create(m, (bf_order)9, &n));
  bf_mesh_destroy(&m);
}

static void no_allocation_failure_leaks(void **state)
{
  (void)state;
  static const bf_elem_type types[] = {BF_QUAD8, BF_TET4, BF_HEX8};
  for (int t = 0; t < 3; t++) {
    bf_mesh *m = t_box(types[t], 5, 6, 3);
    t_keep(m, off_the_gap);
    t_shuffle(m, 7);
    t_map(m, m->dim == 2 ? t_curve_2d : t_curve_3d);
    t_numbering_without_memory(m);
    bf_mesh_destroy(&m);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(straight_shuffled_blocks_get_the_ideal_from_coordinates),
      cmocka_unit_test(curved_shuffled_blocks_get_the_ideal_from_levels),
      cmocka_unit_test(a_quarter_ring_gets_the_ideal),
      cmocka_unit_test(a_block_in_good_file_order_keeps_it),
      cmocka_unit_test(a_long_block_is_numbered_across),
      cmocka_unit_test(an_l_shape_of_three_blocks_is_cheap_in_segments),
      cmocka_unit_test(a_t_shape_of_hexahedra_is_cheap_in_segments),
      cmocka_unit_test(a_closed_ring_is_cut_open),
      cmocka_unit_test(parts_are_numbered_one_after_another),
      cmocka_unit_test(unstructured_triangles_are_numbered_and_found_expensive),
      cmocka_unit_test(hopeless_meshes_have_no_bands_and_a_small_reach),
      cmocka_unit_test(mixed_elements_are_numbered),
      cmocka_unit_test(quadratic_meshes_keep_the_bandwidth_of_their_vertices),
      cmocka_unit_test(every_order_can_be_asked_for),
      cmocka_unit_test(one_element_and_lines_are_numbered),
      cmocka_unit_test(the_result_does_not_depend_on_threads),
      cmocka_unit_test(a_broken_numbering_is_found),
      cmocka_unit_test(no_allocation_failure_leaks),
  };
  return T_RUN(tests);
}
