/* tests/assembly/t201_shape.c - shape functions of every element type against what defines them, and textbook
 * formulas
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/shape.h"
#include "tests/test.h"
#include <math.h>

/* A point inside the reference element, away from symmetry. */
static void inside(const bf_elem_info *el, uint64_t *seed, double xi[3])
{
  xi[0] = xi[1] = xi[2] = 0.0;
  if (el->ncorners == el->dim + 1 && el->dim > 1) { /* simplex */
    double left = 1.0;
    for (int j = 0; j < el->dim; j++) left -= xi[j] = left * 0.9 * t_uniform(seed);
  } else {
    for (int j = 0; j < el->dim; j++) xi[j] = 2.0 * t_uniform(seed) - 1.0;
  }
}

static void shape_is_one_at_its_node_and_zero_at_the_others(void **state)
{
  (void)state;
  for (int t = 0; t < BF_ELEM_TYPES; t++) {
    const bf_elem_info *el = bf_elem((bf_elem_type)t);
    double              xi[BF_NEN_MAX][3], N[BF_NEN_MAX];
    bf_elem_nodes((bf_elem_type)t, xi);
    for (int b = 0; b < el->nnodes; b++) {
      bf_shape((bf_elem_type)t, xi[b], N, NULL);
      for (int a = 0; a < el->nnodes; a++) T_NEAR(N[a], a == b ? 1.0 : 0.0, 1e-15);
    }
  }
}

static void shapes_sum_to_one_and_their_derivatives_to_zero(void **state)
{
  (void)state;
  uint64_t seed = 11;
  for (int t = 0; t < BF_ELEM_TYPES; t++)
    for (int k = 0; k < 20; k++) {
      const bf_elem_info *el = bf_elem((bf_elem_type)t);
      double              xi[3], N[BF_NEN_MAX], dN[BF_NEN_MAX][3], s = 0.0, d[3] = {0.0, 0.0, 0.0};
      inside(el, &seed, xi);
      bf_shape((bf_elem_type)t, xi, N, dN);
      for (int a = 0; a < el->nnodes; a++) {
        s += N[a];
        for (int j = 0; j < 3; j++) d[j] += dN[a][j];
      }
      T_NEAR(s, 1.0, 1e-14);
      for (int j = 0; j < 3; j++) T_NEAR(d[j], 0.0, 1e-14);
    }
}

static void derivatives_agree_with_differences(void **state)
{
  (void)state;
  uint64_t     seed = 12;
  const double h    = 1e-5;
  for (int t = 0; t < BF_ELEM_TYPES; t++)
    for (int k = 0; k < 10; k++) {
      const bf_elem_info *el = bf_elem((bf_elem_type)t);
      double              xi[3], N[BF_NEN_MAX], dN[BF_NEN_MAX][3], Np[BF_NEN_MAX], Nm[BF_NEN_MAX];
      inside(el, &seed, xi);
      bf_shape((bf_elem_type)t, xi, N, dN);
      for (int j = 0; j < 3; j++) {
        double p[3] = {xi[0], xi[1], xi[2]}, m[3] = {xi[0], xi[1], xi[2]};
        p[j] += h;
        m[j] -= h;
        bf_shape((bf_elem_type)t, p, Np, NULL);
        bf_shape((bf_elem_type)t, m, Nm, NULL);
        for (int a = 0; a < el->nnodes; a++) T_NEAR(dN[a][j], (Np[a] - Nm[a]) / (2.0 * h), 1e-9);
      }
    }
}

/* f = monomial x^p y^q z^r, g = its gradient */
static double monomial(const int e[3], const double x[3], double g[3])
{
  double f = 1.0;
  for (int i = 0; i < 3; i++) f *= pow(x[i], e[i]);
  for (int j = 0; j < 3; j++) {
    g[j] = e[j];
    for (int i = 0; i < 3; i++) g[j] *= i == j ? (e[i] ? pow(x[i], e[i] - 1) : 0.0) : pow(x[i], e[i]);
  }
  return f;
}

static void polynomials_of_the_order_are_interpolated_exactly(void **state)
{
  (void)state;
  uint64_t seed = 13;
  for (int t = 1; t < BF_ELEM_TYPES; t++) {
    const bf_elem_info *el = bf_elem((bf_elem_type)t);
    double              node[BF_NEN_MAX][3], xi[3], N[BF_NEN_MAX], dN[BF_NEN_MAX][3];
    bf_elem_nodes((bf_elem_type)t, node);
    inside(el, &seed, xi);
    bf_shape((bf_elem_type)t, xi, N, dN);
    for (int m = 0; m < 27; m++) {
      const int e[3] = {m % 3, m / 3 % 3, m / 9};
      if (e[0] + e[1] + e[2] > el->order || (el->dim < 2 && e[1]) || (el->dim < 3 && e[2])) continue;
      double g[3], unused[3], f = 0.0, d[3] = {0.0, 0.0, 0.0};
      for (int a = 0; a < el->nnodes; a++) {
        const double fa = monomial(e, node[a], unused);
        f += N[a] * fa;
        for (int j = 0; j < 3; j++) d[j] += dN[a][j] * fa;
      }
      T_NEAR(f, monomial(e, xi, g), 1e-14);
      for (int j = 0; j < el->dim; j++) T_NEAR(d[j], g[j], 1e-13);
    }
  }
}

/* Gmsh's manual, "Node ordering": the mid-side nodes as pairs of corners, written out here a second time. */
static void serendipity_shapes_equal_the_textbook_in_gmsh_order(void **state)
{
  (void)state;
  static const int hex[20][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1},
                                 {1, -1, 1},   {1, 1, 1},   {-1, 1, 1}, {0, -1, -1}, {-1, 0, -1},
                                 {-1, -1, 0},  {1, 0, -1},  {1, -1, 0}, {0, 1, -1},  {1, 1, 0},
                                 {-1, 1, 0},   {0, -1, 1},  {-1, 0, 1}, {1, 0, 1},   {0, 1, 1}};
  static const int quad[8][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0, -1}, {1, 0}, {0, 1}, {-1, 0}};
  const double     x = 0.3, y = -0.45, z = 0.7, p[3] = {x, y, z};
  double           N[BF_NEN_MAX];
  bf_shape(BF_HEX20, p, N, NULL);
  for (int a = 0; a < 20; a++) {
    const double X = 1 + x * hex[a][0], Y = 1 + y * hex[a][1], Z = 1 + z * hex[a][2];
    const double n = a < 8            ? X * Y * Z * (X + Y + Z - 5) / 8
                     : hex[a][0] == 0 ? (1 - x * x) * Y * Z / 4
                     : hex[a][1] == 0 ? (1 - y * y) * X * Z / 4
                                      : (1 - z * z) * X * Y / 4;
    T_NEAR(N[a], n, 1e-15);
  }
  bf_shape(BF_QUAD8, p, N, NULL);
  for (int a = 0; a < 8; a++) {
    const double X = 1 + x * quad[a][0], Y = 1 + y * quad[a][1];
    const double n = a < 4             ? X * Y * (X + Y - 3) / 4
                     : quad[a][0] == 0 ? (1 - x * x) * Y / 2
                                       : (1 - y * y) * X / 2;
    T_NEAR(N[a], n, 1e-15);
  }
}

static void tetrahedron_shapes_equal_the_textbook_in_gmsh_order(void **state)
{
  (void)state;
  const double p[3] = {0.2, 0.15, 0.4}, l = 1 - p[0] - p[1] - p[2], a = p[0], b = p[1], c = p[2];
  const double expect[10] = {l * (2 * l - 1), a * (2 * a - 1), b * (2 * b - 1), c * (2 * c - 1), 4 * l * a,
                             4 * a * b,       4 * b * l,       4 * l * c,       4 * c * b,       4 * a * c};
  double       N[BF_NEN_MAX];
  bf_shape(BF_TET10, p, N, NULL);
  for (int i = 0; i < 10; i++) T_NEAR(N[i], expect[i], 1e-15);
  const double tri[6] = {(1 - a - b) * (1 - 2 * a - 2 * b),
                         a * (2 * a - 1),
                         b * (2 * b - 1),
                         4 * a * (1 - a - b),
                         4 * a * b,
                         4 * b * (1 - a - b)};
  bf_shape(BF_TRI6, p, N, NULL);
  for (int i = 0; i < 6; i++) T_NEAR(N[i], tri[i], 1e-15);
}

/* Nodes of a distorted element: an affine map plus a small random displacement of every node. */
static void distorted(bf_elem_type type, uint64_t *seed, double x[BF_NEN_MAX][3])
{
  const bf_elem_info *el      = bf_elem(type);
  const double        A[3][3] = {{1.0, 0.3, 0.1}, {-0.2, 1.2, 0.25}, {0.15, -0.1, 0.9}};
  double              xi[BF_NEN_MAX][3];
  bf_elem_nodes(type, xi);
  for (int a = 0; a < el->nnodes; a++)
    for (int i = 0; i < 3; i++) {
      x[a][i] = i < el->dim ? 0.08 * (t_uniform(seed) - 0.5) : 0.0;
      for (int j = 0; j < el->dim && i < el->dim; j++) x[a][i] += A[i][j] * xi[a][j];
    }
}

static void gradient_of_a_linear_function_is_exact_on_distorted_elements(void **state)
{
  (void)state;
  uint64_t     seed = 14;
  const double c[3] = {2.0, -3.0, 5.0};
  for (int t = 1; t < BF_ELEM_TYPES; t++) {
    const bf_elem_info *el = bf_elem((bf_elem_type)t);
    double              x[BF_NEN_MAX][3], xi[3], N[BF_NEN_MAX], dN[BF_NEN_MAX][3], g[BF_NEN_MAX][3];
    distorted((bf_elem_type)t, &seed, x);
    inside(el, &seed, xi);
    bf_shape((bf_elem_type)t, xi, N, dN);
    assert_true(bf_shape_gradient((bf_elem_type)t, (const double(*)[3])x, (const double(*)[3])dN, g) > 0.0);
    for (int i = 0; i < el->dim; i++) {
      double d = 0.0;
      for (int a = 0; a < el->nnodes; a++) d += g[a][i] * (c[0] * x[a][0] + c[1] * x[a][1] + c[2] * x[a][2]);
      T_NEAR(d, c[i], 1e-13);
    }
  }
}

static void jacobian_of_an_affine_element_is_the_ratio_of_measures(void **state)
{
  (void)state;
  /* a parallelogram in space with sides (1,2,2)/2 and (2,1,-2)/2 per unit of xi: area factor |a x b| = 9/4 */
  double             x[BF_NEN_MAX][3], xi[BF_NEN_MAX][3], N[BF_NEN_MAX], dN[BF_NEN_MAX][3], J[3][3];
  const double       a[3] = {0.5, 1.0, 1.0}, b[3] = {1.0, 0.5, -1.0}, at[3] = {0.2, 0.3, 0.0};
  const bf_elem_type faces[4] = {BF_TRI3, BF_TRI6, BF_QUAD4, BF_QUAD8};
  for (int f = 0; f < 4; f++) {
    bf_elem_nodes(faces[f], xi);
    for (int n = 0; n < bf_elem(faces[f])->nnodes; n++)
      for (int i = 0; i < 3; i++) x[n][i] = 7.0 + a[i] * xi[n][0] + b[i] * xi[n][1];
    bf_shape(faces[f], at, N, dN);
    T_NEAR(bf_shape_jacobian(faces[f], 3, (const double(*)[3])x, (const double(*)[3])dN, J), 2.25, 1e-13);
    for (int i = 0; i < 3; i++) T_NEAR(J[i][0], a[i], 1e-13);
    /* in the plane the sign counts: a x b < 0 seen from +z */
    T_NEAR(bf_shape_jacobian(faces[f], 2, (const double(*)[3])x, (const double(*)[3])dN, J), -0.75, 1e-13);
  }
  bf_elem_nodes(BF_LINE3, xi);
  for (int n = 0; n < 3; n++)
    for (int i = 0; i < 3; i++) x[n][i] = a[i] * xi[n][0];
  bf_shape(BF_LINE3, at, N, dN);
  T_NEAR(bf_shape_jacobian(BF_LINE3, 3, (const double(*)[3])x, (const double(*)[3])dN, J), 1.5, 1e-13);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shape_is_one_at_its_node_and_zero_at_the_others),
      cmocka_unit_test(shapes_sum_to_one_and_their_derivatives_to_zero),
      cmocka_unit_test(derivatives_agree_with_differences),
      cmocka_unit_test(polynomials_of_the_order_are_interpolated_exactly),
      cmocka_unit_test(serendipity_shapes_equal_the_textbook_in_gmsh_order),
      cmocka_unit_test(tetrahedron_shapes_equal_the_textbook_in_gmsh_order),
      cmocka_unit_test(gradient_of_a_linear_function_is_exact_on_distorted_elements),
      cmocka_unit_test(jacobian_of_an_affine_element_is_the_ratio_of_measures),
  };
  return T_RUN(tests);
}
