/* tests/mesh/t130_periodic.c - periodic nodes: faces, edges and corners close by position, and what does not
 * match is named */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/periodic.h"
#include "tests/no_memory.h"
#include "tests/test.h"
#include <math.h>

static bf_mesh *square(bf_elem_type type, bf_int nx, bf_int ny)
{
  bf_mesh     *m        = NULL;
  const double size[2]  = {2.0, 1.0};
  const bf_int cells[2] = {nx, ny};
  T_OK(bf_mesh_rectangle(size, cells, type, &m));
  return m;
}

static bf_mesh *cube(bf_elem_type type, bf_int n)
{
  bf_mesh     *m        = NULL;
  const double size[3]  = {2.0, 1.0, 0.5};
  const bf_int cells[3] = {n, n, n};
  T_OK(bf_mesh_box(size, cells, type, &m));
  return m;
}

static bf_lattice straight(int n)
{
  return (bf_lattice){n, {{2.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 0.5}}};
}

static bf_err make(const bf_mesh *m, const bf_lattice *L, const char *const names[][2], int npairs,
                   bf_diags *diags, bf_periodic **out)
{
  bf_face_pair pair[3];
  bf_int       unused;
  uint8_t     *used = calloc((size_t)m->nnodes, 1);
  bf_mesh_used_nodes(m, m->dim, used, &unused);
  for (int i = 0; i < npairs; i++)
    pair[i] =
        (bf_face_pair){bf_mesh_group(m, names[i][0]), bf_mesh_group(m, names[i][1]), {"deck.yaml", 7 + i, 3}};
  const bf_err err = bf_periodic_create(m, used, L, pair, npairs, 1e-6, diags, out);
  free(used);
  return err;
}

static const char *const straight_pairs[][2] = {{"x_min", "x_max"}, {"y_min", "y_max"}, {"z_min", "z_max"}};

/* x_v = x_master + R_shift for every node, masters are their own, and classes are as many as there should be.
 */
static void expect_classes(const bf_mesh *m, const bf_lattice *L, const bf_periodic *p, bf_int nmasters)
{
  bf_int count = 0;
  for (bf_int v = 0; v < m->nnodes; v++) {
    const bf_int w = p->master[v];
    assert_int_equal(p->master[w], w);
    assert_true(w <= v);
    count += w == v;
    for (int d = 0; d < 3; d++) {
      double x = m->x[3 * (size_t)w + (size_t)d];
      for (int i = 0; i < L->n; i++) x += p->shift[v][i] * L->a[i][d];
      T_NEAR(x, m->x[3 * (size_t)v + (size_t)d], 1e-12);
    }
  }
  assert_int_equal(count, nmasters);
  assert_int_equal(p->nmasters, nmasters);
}

static void sides_and_corners_of_a_rectangle_close(void **state)
{
  (void)state;
  static const bf_elem_type type[] = {BF_TRI3, BF_TRI6, BF_QUAD4, BF_QUAD8, BF_QUAD9};
  static const int          per[]  = {1, 4, 1, 3, 4}; /* masters a cell */
  for (int k = 0; k < 5; k++) {
    bf_mesh         *m     = square(type[k], 6, 4);
    const bf_lattice L     = straight(2);
    bf_periodic     *p     = NULL;
    bf_diags         diags = {0};
    T_OK(make(m, &L, straight_pairs, 2, &diags, &p));
    expect_classes(m, &L, p, 24 * per[k]);
    bf_periodic_destroy(&p);
    bf_mesh_destroy(&m);
  }
}

static void faces_edges_and_corners_of_a_box_close(void **state)
{
  (void)state;
  static const bf_elem_type type[] = {BF_HEX8, BF_TET4, BF_HEX20, BF_HEX27, BF_TET10};
  static const int          per[]  = {1, 1, 4, 8, 8};
  for (int k = 0; k < 5; k++) {
    bf_mesh         *m     = cube(type[k], 3);
    const bf_lattice L     = straight(3);
    bf_periodic     *p     = NULL;
    bf_diags         diags = {0};
    T_OK(make(m, &L, straight_pairs, 3, &diags, &p));
    expect_classes(m, &L, p, 27 * per[k]);
    bf_periodic_destroy(&p);
    bf_mesh_destroy(&m);
  }
}

static void one_vector_pairs_two_sides_and_leaves_the_others(void **state)
{
  (void)state;
  bf_mesh         *m     = square(BF_QUAD4, 6, 4);
  const bf_lattice L     = straight(1);
  bf_periodic     *p     = NULL;
  bf_diags         diags = {0};
  T_OK(make(m, &L, straight_pairs, 1, &diags, &p));
  expect_classes(m, &L, p, 6 * 5);
  bf_periodic_destroy(&p);
  bf_mesh_destroy(&m);
}

/* The same nodes whichever face of a pair is named first, and in a sheared cell of a hexagonal lattice. */
static void pairs_may_be_named_either_way_and_lattices_may_be_oblique(void **state)
{
  (void)state;
  static const char *const back[][2] = {{"y_max", "y_min"}, {"x_max", "x_min"}};
  bf_mesh                 *m         = square(BF_TRI6, 6, 4);
  for (bf_int v = 0; v < m->nnodes; v++) m->x[3 * (size_t)v] += 0.5 * m->x[3 * (size_t)v + 1];
  const bf_lattice L     = {2, {{2.0, 0.0, 0.0}, {0.5, 1.0, 0.0}}};
  bf_periodic     *p     = NULL;
  bf_diags         diags = {0};
  T_OK(make(m, &L, back, 2, &diags, &p));
  expect_classes(m, &L, p, 24 * 4);
  bf_periodic_destroy(&p);
  bf_mesh_destroy(&m);
}

static void expect_code(bf_mesh *m, const bf_lattice *L, const char *const names[][2], int npairs, int code,
                        const char *text)
{
  bf_periodic *p     = NULL;
  bf_diags     diags = {0};
  T_ERR(BF_E_MODEL, make(m, L, names, npairs, &diags, &p));
  assert_null(p);
  assert_true(diags.count >= 1);
  assert_int_equal(diags.item[0].code, code);
  assert_int_equal(diags.item[0].line, 7);
  T_CONTAINS(diags.item[0].text, text);
  bf_diags_clear(&diags);
  bf_mesh_destroy(&m);
}

static void a_node_out_of_place_is_named_with_its_distance(void **state)
{
  (void)state;
  bf_mesh         *m = square(BF_QUAD4, 6, 4);
  const bf_lattice L = straight(2);
  for (bf_int v = 0; v < m->nnodes; v++) /* one node of x_max, not at a corner */
    if (m->x[3 * (size_t)v] == 2.0 && fabs(m->x[3 * (size_t)v + 1] - 0.5) < 1e-9)
      m->x[3 * (size_t)v + 1] += 0.003;
  expect_code(m, &L, straight_pairs, 2, 210,
              "1 of the 5 nodes of 'x_min' have no partner on 'x_max': the first is node");
}

/* A cube of five tetrahedra: the diagonals of opposite faces cross.  As they are, and with x_max divided as
 * x_min is (its elements are then not those of the tetrahedra, which is not asked here). */
static void faces_with_other_diagonals_are_named(void **state)
{
  (void)state;
  static const char *const pairs[][2] = {{"x_min", "x_max"}};
  static const char        text[] =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
      "$PhysicalNames\n3\n2 1 \"x_min\"\n2 2 \"x_max\"\n3 3 \"body\"\n$EndPhysicalNames\n"
      "$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n$EndNodes\n"
      "$Elements\n9\n11 2 2 1 1 1 4 8\n12 2 2 1 1 1 8 5\n13 2 2 2 2 2 3 6\n14 2 2 2 2 3 7 6\n"
      "1 4 2 3 3 1 3 4 8\n2 4 2 3 3 1 2 3 6\n3 4 2 3 3 1 6 8 5\n4 4 2 3 3 3 8 6 7\n5 4 2 3 3 1 3 8 6\n"
      "$EndElements\n";
  const bf_lattice L = {1, {{1.0, 0.0, 0.0}}};
  for (int same = 0; same < 2; same++) {
    bf_mesh     *m     = NULL;
    bf_periodic *p     = NULL;
    bf_diags     diags = {0};
    char        *copy  = strdup(text);
    if (same) memcpy(strstr(copy, "2 3 6\n14 2 2 2 2 3 7 6"), "2 3 7\n14 2 2 2 2 2 7 6", 22);
    T_OK(bf_mesh_read_msh_memory("cube.msh", copy, strlen(copy), &diags, &m));
    assert_int_equal(make(m, &L, pairs, 1, &diags, &p), same ? BF_OK : BF_E_MODEL);
    assert_int_equal(diags.errors, same ? 0 : 1);
    if (!same) {
      assert_int_equal(diags.item[0].code, 210);
      T_CONTAINS(diags.item[0].text,
                 "the nodes of 'x_min' and 'x_max' match and their elements do not: 2 of "
                 "the 2 of 'x_min' have no partner, the first is element 11, a tri3 around "
                 "(0, 0.666667, 0.333333); divide both sides alike");
    }
    bf_periodic_destroy(&p);
    bf_mesh_destroy(&m);
    bf_diags_clear(&diags);
    free(copy);
  }
}

/* All nodes of a side are there, and one of its elements is not. */
static void a_side_with_a_hole_is_named(void **state)
{
  (void)state;
  static const char *const side[] = {"x_min", "x_max"};
  const bf_lattice         L      = straight(3);
  for (int i = 0; i < 2; i++) {
    bf_mesh  *m = cube(BF_HEX8, 3);
    bf_group *g = m->group;
    char      text[80];
    while (strcmp(g->name, side[i]) != 0) g++;
    g->elem[4] = g->elem[--g->nelem]; /* the one in the middle; the last in its place */
    snprintf(text, sizeof text, "1 of the 9 of '%s' have no partner, the first is element ", side[1 - i]);
    expect_code(m, &L, straight_pairs, 3, 210, text);
  }
}

static void a_lattice_of_another_length_is_refused(void **state)
{
  (void)state;
  const bf_lattice L = {2, {{2.1, 0.0, 0.0}, {0.0, 1.0, 0.0}}};
  expect_code(square(BF_QUAD4, 6, 4), &L, straight_pairs, 2, 211,
              "they are (2, 0, 0) apart, the nearest translation is (2.1, 0, 0)");
}

static void a_vector_without_a_pair_leaves_corners_open(void **state)
{
  (void)state;
  const bf_lattice L = straight(2);
  expect_code(square(BF_QUAD4, 6, 4), &L, straight_pairs, 1, 212, "no pair of sides joins them");
}

static void reciprocal_vectors_are_dual_and_dependent_ones_refused(void **state)
{
  (void)state;
  const bf_lattice L = {3, {{2.0, 0.1, 0.0}, {0.5, 1.0, 0.3}, {0.0, 0.4, 0.5}}};
  for (int n = 1; n <= 3; n++) {
    bf_lattice M = L;
    double     b[3][3];
    M.n = n;
    T_OK(bf_lattice_reciprocal(&M, b));
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        T_NEAR(b[i][0] * M.a[j][0] + b[i][1] * M.a[j][1] + b[i][2] * M.a[j][2],
               i == j ? 2.0 * acos(-1.0) : 0.0, 1e-13);
  }
  const bf_lattice flat = {2, {{2.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}}}, none = {1, {{0.0}}};
  double           b[3][3];
  T_ERR(BF_E_ARG, bf_lattice_reciprocal(&flat, b));
  T_ERR(BF_E_ARG, bf_lattice_reciprocal(&none, b));
}

static void nothing_leaks_where_memory_ends(void **state)
{
  (void)state;
  bf_mesh         *m = square(BF_QUAD4, 3, 2);
  const bf_lattice L = straight(2);
  t_no_memory      t = {0};
  while (t_no_memory_next(&t)) {
    bf_periodic *p     = NULL;
    bf_diags     diags = {0};
    t_no_memory_begin(&t);
    t_no_memory_end(&t, make(m, &L, straight_pairs, 2, &diags, &p));
    bf_diags_clear(&diags);
    bf_periodic_destroy(&p);
  }
  assert_in_range(t.failed, 4, 98);
  bf_mesh_destroy(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sides_and_corners_of_a_rectangle_close),
      cmocka_unit_test(faces_edges_and_corners_of_a_box_close),
      cmocka_unit_test(one_vector_pairs_two_sides_and_leaves_the_others),
      cmocka_unit_test(pairs_may_be_named_either_way_and_lattices_may_be_oblique),
      cmocka_unit_test(a_node_out_of_place_is_named_with_its_distance),
      cmocka_unit_test(faces_with_other_diagonals_are_named),
      cmocka_unit_test(a_side_with_a_hole_is_named),
      cmocka_unit_test(a_lattice_of_another_length_is_refused),
      cmocka_unit_test(a_vector_without_a_pair_leaves_corners_open),
      cmocka_unit_test(reciprocal_vectors_are_dual_and_dependent_ones_refused),
      cmocka_unit_test(nothing_leaks_where_memory_ends),
  };
  return T_RUN(tests);
}
