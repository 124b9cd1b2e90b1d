/* tests/mesh/t117_msh_sense.c - clockwise and mirrored elements of .msh files are turned; surfaces in space
 * are not
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#define T_SCRATCH "t117.msh"
#include "tests/mesh/msh_files.h"
#include <math.h>

static const bf_elem_type every[] = {BF_TRI3, BF_TRI6,  BF_QUAD4, BF_QUAD8, BF_QUAD9,
                                     BF_TET4, BF_TET10, BF_HEX8,  BF_HEX20, BF_HEX27};
enum { EVERY = sizeof every / sizeof *every };

static bf_mesh *grid_of(bf_elem_type type)
{
  const double size[3]  = {2.0, 1.0, 1.5};
  const bf_int cells[3] = {2, 2, 2};
  bf_mesh     *m        = NULL;
  T_OK(bf_elem(type)->dim == 3 ? bf_mesh_box(size, cells, type, &m)
                               : bf_mesh_rectangle(size, cells, type, &m));
  return m;
}

/* The elements of the mesh's dimension as a .msh 2.2: x multiplied by sign, and (x, y, z) at the places `to`
 * of the coordinates, with z the value of `height` where the mesh is plane. */
static void write_mesh(const bf_mesh *m, double sign, const int to[3], double height)
{
  const bf_block *b   = &m->block[m->nblocks - 1];
  const int       nen = bf_elem(b->type)->nnodes;
  FILE           *f   = fopen(scratch, "w");
  assert_non_null(f);
  fprintf(f, FORMAT22 "$Nodes\n%d\n", m->nnodes);
  for (bf_int i = 0; i < m->nnodes; i++) {
    double x[3] = {0.0};
    for (int d = 0; d < 3; d++)
      x[to[d]] = d == 0 ? sign * m->x[3 * i] : d == 2 && m->dim == 2 ? height : m->x[3 * i + d];
    fprintf(f, "%d %.17g %.17g %.17g\n", i + 1, x[0], x[1], x[2]);
  }
  fprintf(f, "$EndNodes\n$Elements\n%d\n", b->n);
  for (bf_int e = 0; e < b->n; e++) {
    fprintf(f, "%d %d 2 1 1", e + 1, bf_elem(b->type)->gmsh);
    for (int a = 0; a < nen; a++) fprintf(f, " %d", b->node[e * nen + a] + 1);
    fprintf(f, "\n");
  }
  fprintf(f, "$EndElements\n");
  assert_int_equal(fclose(f), 0);
}

static const int as_they_are[3] = {0, 1, 2};

/* The middle nodes of straight elements are the means of the corners that they stand between. */
static void middle_nodes_are_in_their_middles(const bf_mesh *m)
{
  const bf_block     *b    = &m->block[m->nblocks - 1];
  const bf_elem_info *info = bf_elem(b->type);
  for (bf_int e = 0; e < b->n; e++)
    for (int a = 0; a < info->nnodes; a++) {
      int           corner[BF_CORNERS_MAX];
      const int     n    = bf_elem_span(info, a, corner);
      const bf_int *node = b->node + e * info->nnodes;
      for (int d = 0; d < 3; d++) {
        double mean = 0.0;
        for (int k = 0; k < n; k++) mean += m->x[3 * node[corner[k]] + d] / n;
        T_NEAR(m->x[3 * node[a] + d], mean, 1e-14);
      }
    }
}

/* The mirror image of a mesh has its area or volume, and the nodes of every element. */
static void mirrored_meshes_of_every_type_are_turned(void **state)
{
  (void)state;
  for (int k = 0; k < EVERY; k++) {
    bf_mesh   *m = grid_of(every[k]);
    bf_diags   d = {0};
    bf_quality q;
    char       words[80];
    write_mesh(m, -1.0, as_they_are, 0.0);
    bf_mesh *r = read_good(scratch, &d);
    assert_int_equal(d.count, 1);
    assert_int_equal(d.item[0].severity, BF_NOTE);
    snprintf(words, sizeof words, "%d of %d %s elements are %s in the file", r->nelem, r->nelem,
             m->dim == 2 ? "plane" : "volume", m->dim == 2 ? "clockwise" : "mirrored");
    T_CONTAINS(find_diag(&d, 232)->text, words);
    T_OK(bf_mesh_check_jacobian(r, &d));
    T_OK(bf_mesh_quality(r, &q));
    T_NEAR(q.measure, m->dim == 2 ? 2.0 : 3.0, 1e-13);
    T_NEAR(q.jacobian_min, 1.0, 1e-13);
    middle_nodes_are_in_their_middles(r);
    const bf_block *was = &m->block[m->nblocks - 1];
    const int       nen = bf_elem(every[k])->nnodes;
    for (bf_int e = 0; e < was->n; e++)
      for (int a = 0; a < nen; a++) {
        int found = 0;
        for (int c = 0; c < nen; c++) found += r->block[0].node[e * nen + c] == was->node[e * nen + a];
        assert_int_equal(found, 1);
      }
    bf_mesh_destroy(&m);
    bf_mesh_destroy(&r);
    bf_diags_clear(&d);
  }
}

static void only_the_clockwise_elements_of_a_mesh_are_turned(void **state)
{
  (void)state;
  bf_diags   d = {0};
  bf_quality q;
  bf_mesh   *m =
      read_text(FORMAT22 NODES22 "$Elements\n2\n2 3 2 2 1 4 3 2 1\n3 2 2 2 1 2 5 3\n$EndElements\n", &d);
  assert_int_equal(d.count, 1);
  T_CONTAINS(find_diag(&d, 232)->text, "1 of 2 plane elements is clockwise in the file");
  T_OK(bf_mesh_quality(m, &q));
  T_NEAR(q.measure, 1.5, 1e-15);
  assert_memory_equal(bf_mesh_block(m, BF_TRI3)->node, ((bf_int[]){1, 4, 2}), 3 * sizeof(bf_int));
  bf_mesh_destroy(&m);
  bf_diags_clear(&d);
}

static void good_and_twisted_elements_stay_as_they_are(void **state)
{
  (void)state;
  bf_diags d = {0};
  bf_mesh *m = read_good(fixture("solid_2", "41b"), &d);
  assert_int_equal(d.count, 0);
  bf_mesh_destroy(&m);
  m = read_text(FORMAT22 NODES22 "$Elements\n2\n2 3 2 2 1 1 3 2 4\n3 2 2 2 1 2 5 3\n$EndElements\n", &d);
  assert_int_equal(d.count, 0);
  T_ERR(BF_E_MODEL, bf_mesh_check_jacobian(m, &d));
  T_CONTAINS(find_diag(&d, 208)->text, "its Jacobian changes sign inside");
  bf_mesh_destroy(&m);
  bf_diags_clear(&d);
}

static void a_plane_mesh_at_another_height_is_moved(void **state)
{
  (void)state;
  const double heights[] = {0.5, -1e6, 1e-3};
  for (int k = 0; k < 3; k++) {
    bf_mesh *m = grid_of(BF_QUAD8);
    bf_diags d = {0};
    write_mesh(m, -1.0, as_they_are, heights[k]);
    bf_mesh *r = read_good(scratch, &d);
    assert_int_equal(d.count, 2);
    T_CONTAINS(find_diag(&d, 233)->text, "it is moved to z = 0");
    (void)find_diag(&d, 232);
    T_OK(bf_mesh_check_jacobian(r, &d));
    for (bf_int i = 0; i < r->nnodes; i++) assert_true(r->x[3 * i + 2] == 0.0);
    bf_mesh_destroy(&m);
    bf_mesh_destroy(&r);
    bf_diags_clear(&d);
  }
}

/* One error, of code 207, and no element is called inverted. */
static void expect_surface(const char *words)
{
  bf_diags d = {0};
  bf_mesh *m = read_good(scratch, &d);
  assert_int_equal(d.count, 0);
  assert_false(bf_mesh_is_plane(m));
  T_ERR(BF_E_MODEL, bf_mesh_check_jacobian(m, &d));
  assert_int_equal(d.count, 1);
  T_CONTAINS(find_diag(&d, 207)->text, words);
  bf_mesh_destroy(&m);
  bf_diags_clear(&d);
}

static void meshes_in_other_planes_are_told_how_to_rotate(void **state)
{
  (void)state;
  bf_mesh *m = grid_of(BF_TRI6);
  write_mesh(m, 1.0, (const int[3]){0, 2, 1}, 3.0); /* (x, y) at x and z: y = 3 */
  expect_surface(
      "the mesh lies in the plane y = 3; plane meshes must lie in z = 0: rotate the geometry in Gmsh, "
      "for example Rotate {{1, 0, 0}, {0, 0, 0}, -Pi/2}");
  write_mesh(m, 1.0, (const int[3]){1, 2, 0}, 0.0);
  expect_surface(
      "the mesh lies in the plane x = 0; plane meshes must lie in z = 0: rotate the geometry in Gmsh, "
      "for example Rotate {{0, 1, 0}, {0, 0, 0}, Pi/2}");
  bf_mesh_destroy(&m);
}

static void a_surface_in_space_is_called_so(void **state)
{
  (void)state;
  bf_mesh *m = grid_of(BF_QUAD4);

  write_mesh(m, 1.0, as_they_are, 0.0);
  char  *text = NULL;
  size_t n    = 0;
  text        = read_bytes(scratch, &n);
  text[n]     = '\0';
  char *node1 = strstr(text, "\n1 0 0 0\n");
  assert_non_null(node1);
  node1[7] = '2'; /* corner 1 goes up */
  write_bytes(text, n);
  free(text);
  expect_surface(
      "the mesh is a surface in space: 4 elements of dimension 2 with z from 0 to 2, no volume elements "
      "(1 of 9 nodes off z = 0, the first is node 1); bandfem has plane elements in z = 0 and solids, no "
      "shells");
  bf_mesh_destroy(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mirrored_meshes_of_every_type_are_turned),
      cmocka_unit_test(only_the_clockwise_elements_of_a_mesh_are_turned),
      cmocka_unit_test(good_and_twisted_elements_stay_as_they_are),
      cmocka_unit_test(a_plane_mesh_at_another_height_is_moved),
      cmocka_unit_test(meshes_in_other_planes_are_told_how_to_rotate),
      cmocka_unit_test(a_surface_in_space_is_called_so),
  };
  const int code = T_RUN(tests);
  remove(scratch);
  return code;
}
