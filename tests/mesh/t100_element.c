/* tests/mesh/t100_element.c - the element table agrees with the geometry it implies */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/element.h"
#include "tests/test.h"
#include <math.h>

static void cross_of(const double a[3], const double b[3], double c[3])
{
  for (int d = 0; d < 3; d++) c[d] = a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];
}

static void names_and_gmsh_numbers_lead_back_to_the_type(void **state)
{
  (void)state;
  for (int t = 0; t < BF_ELEM_TYPES; t++) {
    const bf_elem_info *e = bf_elem((bf_elem_type)t);
    assert_int_equal(bf_elem_by_name(e->name), t);
    assert_int_equal(bf_elem_by_gmsh(e->gmsh), t);
    const int middles = e->inner ? (e->dim == 3 ? e->nfaces : 0) + 1 : 0; /* of faces, of the element */
    assert_int_equal(e->nnodes, e->order == 2 ? e->ncorners + e->nedges + middles : e->ncorners);
  }
  assert_int_equal(bf_elem_by_name("hex64"), -1);
  assert_int_equal(bf_elem_by_gmsh(6), -1); /* prism */
  assert_null(bf_elem(BF_ELEM_TYPES));
  assert_null(bf_elem((bf_elem_type)-1));
}

static void every_pair_of_neighbouring_corners_is_one_edge(void **state)
{
  (void)state;
  for (int t = BF_LINE2; t < BF_ELEM_TYPES; t++) {
    const bf_elem_info *e        = bf_elem((bf_elem_type)t);
    const int           euler[4] = {0, 1, 0, 2}; /* V - E = 1 (line), 0 (polygon), V - E + F = 2 (solid) */
    assert_int_equal(e->ncorners - e->nedges + (e->dim == 3 ? e->nfaces : 0), euler[e->dim]);
    for (int k = 0; k < e->nedges; k++) {
      double length = 0.0, shortest = 1e9;
      for (int d = 0; d < 3; d++) length += pow(e->corner[e->edge[k][0]][d] - e->corner[e->edge[k][1]][d], 2);
      for (int a = 0; a < e->ncorners; a++)
        for (int b = 0; b < a; b++) {
          double ab = 0.0;
          for (int d = 0; d < 3; d++) ab += pow(e->corner[a][d] - e->corner[b][d], 2);
          shortest = fmin(shortest, ab);
        }
      const int simplex = t == BF_TRI3 || t == BF_TRI6 || t == BF_TET4 || t == BF_TET10;
      T_LE(length, simplex ? 2.0 * shortest : shortest); /* a diagonal of a square or cube is longer */
      for (int q = 0; q < k; q++)
        assert_false((e->edge[q][0] == e->edge[k][0] && e->edge[q][1] == e->edge[k][1]) ||
                     (e->edge[q][0] == e->edge[k][1] && e->edge[q][1] == e->edge[k][0]));
    }
  }
}

static void mid_side_nodes_of_an_element_lie_on_its_edges(void **state)
{
  (void)state;
  double x[BF_NEN_MAX][3];
  bf_elem_nodes(BF_HEX20, x);
  const double at9[3] = {-1, 0, -1}; /* Gmsh's tenth node of a hexahedron: on the edge of corners 0 and 3 */
  for (int d = 0; d < 3; d++) T_NEAR(x[9][d], at9[d], 0.0);
  bf_elem_nodes(BF_TET10, x);
  const double at8[3] = {0, 0.5, 0.5}, at9t[3] = {0.5, 0, 0.5}; /* swapped in VTK's order */
  for (int d = 0; d < 3; d++) {
    T_NEAR(x[8][d], at8[d], 0.0);
    T_NEAR(x[9][d], at9t[d], 0.0);
  }
}

/* Gmsh's manual, "Node ordering", of hexahedron27: faces -z -y -x +x +y +z, then the middle. */
static void middles_of_faces_and_elements_stand_where_gmsh_has_them(void **state)
{
  (void)state;
  static const int at[7][3] = {{0, 0, -1}, {0, -1, 0}, {-1, 0, 0}, {1, 0, 0},
                               {0, 1, 0},  {0, 0, 1},  {0, 0, 0}};
  double           x[BF_NEN_MAX][3];
  bf_elem_nodes(BF_HEX27, x);
  for (int a = 0; a < 7; a++)
    for (int d = 0; d < 3; d++) T_NEAR(x[20 + a][d], at[a][d], 0.0);
  bf_elem_nodes(BF_QUAD9, x);
  for (int d = 0; d < 3; d++) T_NEAR(x[8][d], 0.0, 0.0);
}

static void a_type_has_one_of_each_order_in_its_shape(void **state)
{
  (void)state;
  for (int t = BF_LINE2; t < BF_ELEM_TYPES; t++)
    for (int order = 1; order <= 2; order++) {
      const bf_elem_info *from = bf_elem((bf_elem_type)t),
                         *to   = bf_elem(bf_elem_of_order((bf_elem_type)t, order));
      assert_int_equal(to->order, order);
      assert_int_equal(to->dim, from->dim);
      assert_int_equal(to->ncorners, from->ncorners);
      if (from->order == order) assert_ptr_equal(to, from);
      if (from->order < order) assert_int_equal(to->inner, 0);
    }
}

static void faces_have_their_mid_nodes_between_their_corners(void **state)
{
  (void)state;
  for (int t = BF_TRI3; t < BF_ELEM_TYPES; t++) {
    const bf_elem_info *e = bf_elem((bf_elem_type)t), *f = bf_elem(e->face_type);
    double              x[BF_NEN_MAX][3];
    bf_elem_nodes((bf_elem_type)t, x);
    assert_int_equal(f->dim, e->dim - 1);
    assert_int_equal(f->order, e->order);
    for (int s = 0; s < e->nfaces; s++)
      for (int k = f->ncorners; k < f->nnodes; k++) {
        int       span[BF_CORNERS_MAX];
        const int n = bf_elem_span(f, k, span);
        for (int d = 0; d < 3; d++) {
          double sum = 0.0;
          for (int i = 0; i < n; i++) sum += x[e->face[s][span[i]]][d];
          T_NEAR(x[e->face[s][k]][d], sum / n, 0.0);
        }
      }
  }
}

static void face_normals_point_outward_and_close_the_surface(void **state)
{
  (void)state;
  for (int t = BF_TRI3; t < BF_ELEM_TYPES; t++) {
    const bf_elem_info *e = bf_elem((bf_elem_type)t), *f = bf_elem(e->face_type);
    double              sum[3] = {0, 0, 0}, centre[3] = {0, 0, 0};
    for (int a = 0; a < e->ncorners; a++)
      for (int d = 0; d < 3; d++) centre[d] += e->corner[a][d] / e->ncorners;
    for (int s = 0; s < e->nfaces; s++) {
      const double *p0 = e->corner[e->face[s][0]], *p1 = e->corner[e->face[s][1]];
      const double *p2 = e->corner[e->face[s][e->dim == 3 ? 2 : 1]],
                   *p3 = e->corner[e->face[s][f->ncorners - 1]];
      double u[3], v[3] = {0, 0, 1}, normal[3], out = 0.0;
      for (int d = 0; d < 3; d++) { /* area normal by the diagonals; of a directed line its right */
        u[d] = f->ncorners == 4 ? p2[d] - p0[d] : p1[d] - p0[d];
        if (e->dim == 3) v[d] = f->ncorners == 4 ? p3[d] - p1[d] : p2[d] - p0[d];
      }
      cross_of(u, v, normal);
      for (int d = 0; d < 3; d++) {
        out += normal[d] * (p0[d] - centre[d]);
        sum[d] += normal[d];
      }
      T_LE(1e-3, out);
    }
    for (int d = 0; d < 3; d++) T_NEAR(sum[d], 0.0, 1e-15);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_and_gmsh_numbers_lead_back_to_the_type),
      cmocka_unit_test(every_pair_of_neighbouring_corners_is_one_edge),
      cmocka_unit_test(mid_side_nodes_of_an_element_lie_on_its_edges),
      cmocka_unit_test(middles_of_faces_and_elements_stand_where_gmsh_has_them),
      cmocka_unit_test(a_type_has_one_of_each_order_in_its_shape),
      cmocka_unit_test(faces_have_their_mid_nodes_between_their_corners),
      cmocka_unit_test(face_normals_point_outward_and_close_the_surface),
  };
  return T_RUN(tests);
}
