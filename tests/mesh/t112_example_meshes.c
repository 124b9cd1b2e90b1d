/* tests/mesh/t112_example_meshes.c - the meshes of the example decks are those of their .geo files */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/mesh.h"
#include "tests/test.h"
#include <math.h>

static bf_mesh *example(const char *name)
{
  char     path[400];
  bf_diags d = {0};
  bf_mesh *m = NULL;
  snprintf(path, sizeof path, "%s/inputs/meshes/%s.msh", BF_SOURCE_DIR, name);
  T_OK(bf_mesh_read_msh(path, &d, &m));
  T_OK(bf_mesh_check(m));
  T_OK(bf_mesh_check_jacobian(m, &d));
  assert_int_equal(d.count, 0);
  return m;
}

/* All nodes of the group fulfil x[d] = value, or with d = 3 hypot(x, y) = value. */
static void group_is_at(const bf_mesh *m, const char *name, int dim, int d, double value)
{
  const bf_group *g = bf_mesh_group(m, name);
  bf_int         *node, n;
  assert_non_null(g);
  assert_int_equal(g->dim, dim);
  T_OK(bf_mesh_group_nodes(m, g, &node, &n));
  assert_true(n > 8);
  for (bf_int i = 0; i < n; i++) {
    const double *x = m->x + 3 * node[i];
    T_NEAR(d == 3 ? hypot(x[0], x[1]) : x[d], value, 1e-12);
  }
  bf_host_free(node);
}

static double measure(const bf_mesh *m)
{
  bf_quality q;
  T_OK(bf_mesh_quality(m, &q));
  T_LE(0.2, q.jacobian_min);
  assert_int_equal(q.components, 1);
  assert_int_equal(q.unused_nodes, 0);
  return q.measure;
}

static void the_cantilevers_are_beams_with_clamp_and_tip(void **state)
{
  (void)state;
  const char *const  name[] = {"cantilever_hex20", "cantilever_tet10"};
  const bf_elem_type type[] = {BF_HEX20, BF_TET10};
  for (int k = 0; k < 2; k++) {
    bf_mesh *m = example(name[k]);
    assert_int_equal(bf_mesh_group(m, "beam")->nelem, bf_mesh_block(m, type[k])->n);
    group_is_at(m, "clamp", 2, 0, 0.0);
    group_is_at(m, "tip", 2, 0, 1.0);
    T_NEAR(measure(m), 0.01, 1e-14);
    bf_mesh_destroy(&m);
  }
}

static void the_kirsch_plate_has_a_round_hole(void **state)
{
  (void)state;
  bf_mesh *m = example("kirsch_quad8");
  assert_int_equal(bf_mesh_group(m, "plate")->nelem, bf_mesh_block(m, BF_QUAD8)->n);
  group_is_at(m, "hole", 1, 3, 1.0);
  group_is_at(m, "sym_x", 1, 0, 0.0);
  group_is_at(m, "sym_y", 1, 1, 0.0);
  group_is_at(m, "right", 1, 0, 4.0);
  group_is_at(m, "top", 1, 1, 4.0);
  T_NEAR(measure(m), 16.0 - acos(-1.0) / 4.0, 1e-6);
  bf_mesh_destroy(&m);
}

static void the_lame_ring_has_round_sides(void **state)
{
  (void)state;
  bf_mesh *m = example("lame_quad8");
  assert_int_equal(bf_mesh_group(m, "ring")->nelem, 8 * 12);
  group_is_at(m, "inner", 1, 3, 1.0);
  group_is_at(m, "outer", 1, 3, 2.0);
  group_is_at(m, "sym_x", 1, 0, 0.0);
  group_is_at(m, "sym_y", 1, 1, 0.0);
  T_NEAR(measure(m), 0.75 * acos(-1.0), 2e-6);
  bf_mesh_destroy(&m);
}

static void the_hot_disc_is_round_in_its_plate(void **state)
{
  (void)state;
  bf_mesh *m = example("hot_disc_tri6");
  assert_int_equal(bf_mesh_group(m, "disc")->nelem + bf_mesh_group(m, "plate")->nelem,
                   bf_mesh_block(m, BF_TRI6)->n);
  group_is_at(m, "sym_x", 1, 0, 0.0);
  group_is_at(m, "sym_y", 1, 1, 0.0);
  bf_int *node, n, far = 0;
  T_OK(bf_mesh_group_nodes(m, bf_mesh_group(m, "disc"), &node, &n));
  for (bf_int i = 0; i < n; i++) far += hypot(m->x[3 * node[i]], m->x[3 * node[i] + 1]) > 1.0 + 1e-12;
  assert_int_equal(far, 0);
  bf_host_free(node);
  T_NEAR(measure(m), 100.0, 1e-12);
  bf_mesh_destroy(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_cantilevers_are_beams_with_clamp_and_tip),
      cmocka_unit_test(the_kirsch_plate_has_a_round_hole),
      cmocka_unit_test(the_lame_ring_has_round_sides),
      cmocka_unit_test(the_hot_disc_is_round_in_its_plate),
  };
  return T_RUN(tests);
}
