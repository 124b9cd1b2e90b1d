/* tests/mesh/t115_quality.c - measures are exact, and bad elements are named by kind and tag */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/jacobian.h"
#include "mesh/mesh.h"
#include "tests/generated.h"
#include "tests/no_memory.h"
#include "tests/test.h"
#include <math.h>

static const bf_elem_type every[] = {BF_TRI3, BF_TRI6,  BF_QUAD4, BF_QUAD8, BF_QUAD9,
                                     BF_TET4, BF_TET10, BF_HEX8,  BF_HEX20, BF_HEX27};
enum { EVERY = sizeof every / sizeof *every };

static bf_mesh *grid_of(bf_elem_type type, bf_int n)
{
  const double size[3]  = {1.0, 2.0, 0.5};
  const bf_int cells[3] = {n, n, n};
  return t_generated(size, cells, type);
}

/* The polynomials an element reproduces, by nodal values: its gradient against the exact one. */
static void gradients_of_shape_functions_are_exact_for_the_elements_polynomials(void **state)
{
  (void)state;
  uint64_t seed = 3;
  for (int k = 0; k < EVERY; k++) {
    const bf_elem_info *e = bf_elem(every[k]);
    double              node[BF_NEN_MAX][3], grad[BF_NEN_MAX][3];
    bf_elem_nodes(every[k], node);
    for (int trial = 0; trial < 20; trial++) {
      const double xi[3] = {t_uniform(&seed), t_uniform(&seed), t_uniform(&seed)};
      bf_jacobian_gradients(every[k], xi, grad);
      for (int p = 0; p < e->dim; p++)
        for (int q = 0; q < e->dim; q++) { /* f = xi_p, and for order 2 f = xi_p xi_q */
          double g1[3] = {0}, g2[3] = {0};
          for (int a = 0; a < e->nnodes; a++)
            for (int d = 0; d < e->dim; d++) {
              g1[d] += grad[a][d] * node[a][p];
              g2[d] += grad[a][d] * node[a][p] * node[a][q];
            }
          for (int d = 0; d < e->dim; d++) {
            T_NEAR(g1[d], d == p ? 1.0 : 0.0, 1e-14);
            if (e->order == 2) T_NEAR(g2[d], (d == p ? xi[q] : 0.0) + (d == q ? xi[p] : 0.0), 1e-14);
          }
        }
      for (int d = 0; d < e->dim; d++) { /* the functions sum to one */
        double sum = 0.0;
        for (int a = 0; a < e->nnodes; a++) sum += grad[a][d];
        T_NEAR(sum, 0.0, 1e-14);
      }
    }
  }
}

static void a_box_of_parallelepipeds_has_perfect_jacobians(void **state)
{
  (void)state;
  for (int k = 0; k < EVERY; k++) {
    bf_mesh   *m = grid_of(every[k], 3);
    bf_quality q;
    bf_diags   d = {0};
    T_OK(bf_mesh_quality(m, &q));
    T_NEAR(q.jacobian_min, 1.0, 1e-13);
    T_NEAR(q.measure, m->dim == 3 ? 1.0 : 2.0, 1e-13);
    assert_int_equal(q.unused_nodes, 0);
    assert_int_equal(q.components, 1);
    T_OK(bf_mesh_check_jacobian(m, &d));
    assert_int_equal(d.count, 0);
    if (every[k] == BF_QUAD4) T_NEAR(q.aspect_max, 2.0, 1e-14);
    if (every[k] == BF_HEX8) T_NEAR(q.aspect_max, 4.0, 1e-14);
    bf_mesh_destroy(&m);
  }
}

/* The map (x, y, z) -> (x + a y^2, y, z + b x y) has det 1 in 2D and 3D, so volumes stay. */
static void curved_quadratic_elements_are_measured_exactly(void **state)
{
  (void)state;
  const bf_elem_type curved[] = {BF_TRI6, BF_QUAD8, BF_QUAD9, BF_TET10, BF_HEX20, BF_HEX27};
  for (int k = 0; k < 6; k++) {
    bf_mesh *m = grid_of(curved[k], 2);
    for (bf_int i = 0; i < m->nnodes; i++) {
      double *x = m->x + 3 * i;
      if (m->dim == 3) x[2] += 0.2 * x[0] * x[1];
      x[0] += 0.1 * x[1] * x[1];
    }
    bf_quality q;
    bf_diags   d = {0};
    T_OK(bf_mesh_quality(m, &q));
    T_NEAR(q.measure, m->dim == 3 ? 1.0 : 2.0, 1e-13);
    T_OK(bf_mesh_check_jacobian(m, &d));
    bf_mesh_destroy(&m);
  }
}

/* The short way for nearly affine elements: its bound holds at every point of randomly bent elements. */
static void the_spread_bounds_the_jacobian_everywhere(void **state)
{
  (void)state;
  uint64_t     seed = 9;
  bf_jacobian *rule = malloc(sizeof *rule);
  for (int k = 0; k < EVERY; k++) {
    const int nen = bf_elem(every[k])->nnodes;
    bf_int    node[BF_NEN_MAX];
    double    at[BF_NEN_MAX][3], det[BF_JACOBIAN_POINTS], spread, tightest = 0.0;
    bf_jacobian_rule(every[k], rule);
    for (int trial = 0; trial < 300; trial++) {
      bf_elem_nodes(every[k], at);
      for (int a = 0; a < nen; a++) {
        node[a] = a;
        for (int d = 0; d < bf_elem(every[k])->dim; d++)
          at[a][d] += pow(10.0, -(trial % 5)) * (t_uniform(&seed) - 0.5);
      }
      const double centre = bf_jacobian_affine(rule, at[0], node, &spread);
      bf_jacobian_dets(rule, at[0], node, det);
      for (int p = 0; p < rule->npoints; p++) {
        T_LE(fabs(det[p] - centre), spread + 1e-14);
        if (spread > 1e-10) tightest = fmax(tightest, fabs(det[p] - centre) / spread);
      }
    }
    if (nen > bf_elem(every[k])->dim + 1) T_LE(0.02, tightest); /* not by being infinite */
  }
  free(rule);
}

static void quality_names_the_worst_element(void **state)
{
  (void)state;
  bf_mesh   *m = grid_of(BF_QUAD4, 4);
  bf_quality q;
  m->x[3 * 12] += 0.1; /* the middle node (0.5, 1): cells 5 6 9 10 of the grid change */
  m->x[3 * 12 + 1] += 0.1;
  T_OK(bf_mesh_quality(m, &q));
  const bf_block *b = bf_mesh_block(m, BF_QUAD4);
  assert_int_equal(q.jacobian_min_elem, b->first + 10);
  T_NEAR(q.jacobian_min, 0.4, 1e-13); /* (0.15 * 0.4 - 0.1 * 0.1) / 4 over 0.25 * 0.5 / 4 */
  T_NEAR(q.measure, 2.0, 1e-14);
  bf_mesh_destroy(&m);
}

static void parts_and_orphans_are_counted(void **state)
{
  (void)state;
  bf_mesh   *m = grid_of(BF_QUAD4, 3);
  bf_quality q;
  bf_block  *b = &m->block[1];
  memmove(b->node + 4 * 3, b->node + 4 * 6, 4 * 3 * sizeof *b->node); /* without the middle row of cells */
  b->n = 6;
  T_OK(bf_mesh_quality(m, &q));
  assert_int_equal(q.components, 2);
  assert_int_equal(q.unused_nodes, 0);
  b->n = 3;
  T_OK(bf_mesh_quality(m, &q));
  assert_int_equal(q.components, 1);
  assert_int_equal(q.unused_nodes, 8);
  bf_mesh_destroy(&m);
}

/* The mesh must be refused with code and words; the diagnostics then go. */
static void expect(bf_mesh *m, int code, const char *words)
{
  bf_diags d = {0};
  T_ERR(BF_E_MODEL, bf_mesh_check_jacobian(m, &d));
  assert_int_equal(d.count, 1);
  assert_int_equal(d.item[0].code, code);
  T_CONTAINS(d.item[0].text, words);
  bf_diags_clear(&d);
}

static void swap(bf_int *a, bf_int *b)
{
  const bf_int t = *a;
  *a             = *b;
  *b             = t;
}

static void an_inverted_element_is_named_by_its_tag(void **state)
{
  (void)state;
  for (int k = 0; k < EVERY; k++) {
    const bf_elem_info *e = bf_elem(every[k]);
    bf_mesh            *m = grid_of(every[k], 2);
    bf_block           *b = &m->block[1];
    double              xi[BF_NEN_MAX][3];
    char                words[80];
    bf_int              old[BF_NEN_MAX];
    bf_elem_nodes(every[k], xi); /* mirror element 3: its nodes with xi and eta swapped */
    memcpy(old, b->node + 3 * e->nnodes, sizeof *old * (size_t)e->nnodes);
    for (int a = 0; a < e->nnodes; a++)
      for (int c = 0; c < e->nnodes; c++)
        if (xi[a][0] == xi[c][1] && xi[a][1] == xi[c][0] && xi[a][2] == xi[c][2])
          b->node[3 * e->nnodes + a] = old[c];
    b->tag[3] = 1234567;
    snprintf(words, sizeof words, "element 1234567 (%s) is inverted: its Jacobian is negative", e->name);
    expect(m, 208, words);
    bf_mesh_destroy(&m);
  }
}

static void a_bow_tie_is_inverted(void **state)
{
  (void)state;
  bf_mesh *m = grid_of(BF_QUAD4, 2);
  swap(&m->block[1].node[2], &m->block[1].node[3]);
  expect(m, 208, "(quad4) is inverted: its Jacobian changes sign inside (crossed or concave)");
  bf_mesh_destroy(&m);
}

static void a_node_named_twice_is_degenerate(void **state)
{
  (void)state;
  for (int k = 0; k < EVERY; k++) {
    bf_mesh *m          = grid_of(every[k], 2);
    m->block[1].node[1] = m->block[1].node[0];
    expect(m, 208, "is degenerate: it lists a node twice");
    bf_mesh_destroy(&m);
  }
}

static void an_element_without_area_is_degenerate(void **state)
{
  (void)state;
  bf_mesh      *m = grid_of(BF_TRI3, 1);
  const bf_int *t = m->block[1].node;
  for (int d = 0; d < 2; d++) /* corner 1 moves onto the diagonal both triangles share */
    m->x[3 * t[1] + d] = 0.3 * m->x[3 * t[0] + d] + 0.7 * m->x[3 * t[2] + d];
  expect(m, 208, "is degenerate: its Jacobian is 0 everywhere");
  bf_mesh_destroy(&m);
  m           = grid_of(BF_QUAD4, 1); /* three corners in a line: 0 at the middle one */
  m->x[3 * 3] = 0.5, m->x[3 * 3 + 1] = 1.0;
  expect(m, 208, "is degenerate: its Jacobian is 0 at a node or integration point");
  bf_mesh_destroy(&m);
}

static void a_mid_node_past_the_quarter_point_changes_the_sign_inside(void **state)
{
  (void)state;
  for (int k = 0; k < EVERY; k++) {
    const bf_elem_info *e = bf_elem(every[k]);
    if (e->order == 1) continue;
    bf_mesh      *m    = grid_of(every[k], 1);
    bf_diags      d    = {0};
    const bf_int *node = m->block[1].node, mid = node[e->ncorners];
    const double *p = m->x + 3 * node[e->edge[0][0]], *q = m->x + 3 * node[e->edge[0][1]];
    for (int i = 0; i < 3; i++) m->x[3 * mid + i] = 0.73 * p[i] + 0.27 * q[i]; /* before the quarter point */
    T_OK(bf_mesh_check_jacobian(m, &d));
    for (int i = 0; i < 3; i++) m->x[3 * mid + i] = 0.77 * p[i] + 0.23 * q[i]; /* past it */
    T_ERR(BF_E_MODEL, bf_mesh_check_jacobian(m, &d));
    T_CONTAINS(d.item[0].text, "inverted in a part: the Jacobian changes sign inside");
    assert_int_equal(d.item[0].code, 208);
    bf_diags_clear(&d);
    bf_mesh_destroy(&m);
  }
}

static void many_bad_elements_make_one_message_with_five_tags(void **state)
{
  (void)state;
  bf_mesh *m = grid_of(BF_TRI3, 3);
  for (int e = 0; e < 7; e++) swap(&m->block[1].node[3 * e], &m->block[1].node[3 * e + 1]);
  expect(m, 208,
         "7 tri3 elements are inverted: their Jacobian is negative (nodes in the wrong sense): 13, 14, 15, "
         "16, 17, ...");
  bf_mesh_destroy(&m);
}

static void a_plane_mesh_off_z_0_is_refused(void **state)
{
  (void)state;
  bf_mesh *m      = grid_of(BF_TRI6, 2);
  m->x[3 * 3 + 2] = 0.5;
  expect(m, 207,
         "the mesh is a surface in space: 8 elements of dimension 2 with z from 0 to 0.5, no volume elements "
         "(1 of 25 nodes off z = 0, the first is node 4)");
  bf_mesh_destroy(&m);
}

static void a_mesh_of_lines_alone_is_refused(void **state)
{
  (void)state;
  bf_mesh *m = grid_of(BF_QUAD4, 2);
  m->dim     = 1;
  m->nblocks = 1; /* the sides */
  expect(m, 207, "the mesh has only lines, no surface or volume elements");
  m->dim     = 2;
  m->nblocks = 2;
  bf_mesh_destroy(&m);
}

static void orders_that_meet_on_an_edge_are_refused(void **state)
{
  (void)state;
  bf_mesh  *m      = grid_of(BF_QUAD8, 2);
  bf_block *q      = &m->block[1]; /* its last cell becomes a quad4 on the same corners */
  bf_block  two[3] = {m->block[0], *q, *q}, *kept = m->block;
  bf_int    corner[4];
  memcpy(corner, q->node + 3 * 8, sizeof corner);
  two[1].type = BF_QUAD4, two[1].n = 1, two[1].node = corner;
  two[2].n = 3, two[2].first = two[1].first + 1;
  m->block = two, m->nblocks = 3;
  T_OK(bf_mesh_check(m));
  expect(m, 207, "non-conforming orders on the shared edge");
  m->block = kept, m->nblocks = 2;
  bf_mesh_destroy(&m);
}

static void a_failed_allocation_leaks_nothing(void **state)
{
  (void)state;
  bf_mesh    *m = grid_of(BF_QUAD8, 2);
  t_no_memory t = {0};
  while (t_no_memory_next(&t)) {
    bf_quality q;
    bf_diags   d = {0};
    t_no_memory_begin(&t);
    bf_err err = bf_mesh_quality(m, &q);
    if (err == BF_OK) err = bf_mesh_check_jacobian(m, &d);
    t_no_memory_end(&t, err);
    bf_diags_clear(&d);
  }
  assert_int_equal(t.failed, 6); /* 2 + 2 for quality, 2 for the check */
  bf_mesh_destroy(&m);
}

static void groups_have_their_length_area_and_volume(void **state)
{
  (void)state;
  const double       size[3] = {2.0, 3.0, 0.5};
  const bf_int       n[3]    = {3, 2, 2};
  const bf_elem_type type[]  = {BF_TET4, BF_TET10, BF_HEX8,  BF_HEX20, BF_HEX27,
                                BF_TRI3, BF_TRI6,  BF_QUAD4, BF_QUAD8, BF_QUAD9};
  for (size_t k = 0; k < 10; k++) {
    bf_mesh *m = NULL;
    double   v;
    T_OK(k < 5 ? bf_mesh_box(size, n, type[k], &m) : bf_mesh_rectangle(size, n, type[k], &m));
    T_OK(bf_mesh_group_measure(m, &m->group[0], &v));
    T_NEAR(v, k < 5 ? 3.0 : 6.0, 1e-13);
    T_OK(bf_mesh_group_measure(m, bf_mesh_group(m, "x_min"), &v));
    T_NEAR(v, k < 5 ? 1.5 : 3.0, 1e-13);
    T_OK(bf_mesh_group_measure(m, bf_mesh_group(m, "y_max"), &v));
    T_NEAR(v, k < 5 ? 1.0 : 2.0, 1e-13);
    bf_mesh_destroy(&m);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gradients_of_shape_functions_are_exact_for_the_elements_polynomials),
      cmocka_unit_test(a_box_of_parallelepipeds_has_perfect_jacobians),
      cmocka_unit_test(curved_quadratic_elements_are_measured_exactly),
      cmocka_unit_test(the_spread_bounds_the_jacobian_everywhere),
      cmocka_unit_test(quality_names_the_worst_element),
      cmocka_unit_test(parts_and_orphans_are_counted),
      cmocka_unit_test(an_inverted_element_is_named_by_its_tag),
      cmocka_unit_test(a_bow_tie_is_inverted),
      cmocka_unit_test(a_node_named_twice_is_degenerate),
      cmocka_unit_test(an_element_without_area_is_degenerate),
      cmocka_unit_test(a_mid_node_past_the_quarter_point_changes_the_sign_inside),
      cmocka_unit_test(many_bad_elements_make_one_message_with_five_tags),
      cmocka_unit_test(a_plane_mesh_off_z_0_is_refused),
      cmocka_unit_test(a_mesh_of_lines_alone_is_refused),
      cmocka_unit_test(orders_that_meet_on_an_edge_are_refused),
      cmocka_unit_test(a_failed_allocation_leaks_nothing),
      cmocka_unit_test(groups_have_their_length_area_and_volume),
  };
  return T_RUN(tests);
}
