/* tests/assembly/t231_probe.c - values of fields at places, and integrals over elements and faces */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/locate_point.h"
#include "tests/assembly/known_solution.h"

static const double A[3][4] = {{0.1, 1.0, 0.4, -0.2}, {0.0, -0.3, 0.7, 0.5}, {-0.2, 0.6, 0.1, -0.9}};

static double linear(const double *a, const double x[3])
{
  return a[0] + a[1] * x[0] + a[2] * x[1] + a[3] * x[2];
}

/* Body 3 x 2 x 1 with a linear displacement; curved inside. */
static void open_case(t_known *t, bf_elem_type type, bf_int cells, double bend)
{
  t_known_mesh(t, type, cells, bend);
  t_known_elastic(t, 1.0, 0.25);
  t_known_boundary(t, BF_BC_FIXED, 1, 1);
  t_known_build(t);
  t_known_linear(t, A);
}

static void random_place(uint64_t *seed, int dim, double at[3])
{
  at[0] = 3.0 * t_uniform(seed);
  at[1] = 2.0 * t_uniform(seed);
  at[2] = dim == 3 ? t_uniform(seed) : 0.0;
}

static void linear_field_is_read_exactly_anywhere_in_every_element(void **state)
{
  (void)state;
  uint64_t seed = 31;
  for (int k = 0; k < 8; k++) {
    t_known t;
    open_case(&t, t_types[k], 3, 0.1);
    const bf_field *f = t_known_field(&t, "displacement");
    for (int n = 0; n < 200; n++) {
      double at[3], v[9];
      random_place(&seed, t.mesh->dim, at);
      T_OK(bf_model_probe(t.model, t.view, f, at, v));
      for (int c = 0; c < t.mesh->dim; c++) T_NEAR(v[c], linear(A[c], at), 1e-12);
    }
    t_known_close(&t);
  }
}

static void every_node_and_corner_of_the_body_is_found(void **state)
{
  (void)state;
  for (int k = 0; k < 8; k++) {
    t_known t;
    open_case(&t, t_types[k], 2, 0.1);
    const bf_field *f = t_known_field(&t, "displacement");
    for (bf_int i = 0; i < t.mesh->nnodes; i++) {
      double v[9];
      T_OK(bf_model_probe(t.model, t.view, f, t.mesh->x + 3 * i, v));
      T_NEAR(v[0], linear(A[0], t.mesh->x + 3 * i), 1e-11);
    }
    t_known_close(&t);
  }
}

static void shared_faces_belong_to_the_lowest_element(void **state)
{
  (void)state;
  for (int k = 0; k < 8; k++) {
    t_known t;
    open_case(&t, t_types[k], 3, 0.0);
    double  *id    = bf_host_alloc((size_t)t.view->ncells, sizeof *id);
    bf_field field = {.name = "number", .unit = "1", .ncomp = 1, .on_cells = 1, .data = id};
    for (bf_int c = 0; c < t.view->ncells; c++) id[c] = c;
    for (bf_int i = 0; i < t.mesh->nnodes; i++) {
      double v[9], lowest = -1.0;
      for (bf_int c = 0; c < t.view->ncells && lowest < 0.0; c++)
        for (int64_t j = t.view->ptr[c]; j < t.view->ptr[c + 1]; j++)
          if (t.view->node[t.view->point[j]] == i) lowest = c;
      T_OK(bf_model_probe(t.model, t.view, &field, t.mesh->x + 3 * i, v));
      T_NEAR(v[0], lowest, 0.0);
    }
    bf_host_free(id);
    t_known_close(&t);
  }
}

static void places_just_outside_take_the_nearest_element(void **state)
{
  (void)state;
  for (int k = 0; k < 8; k++) {
    t_known t;
    double  v[9];
    open_case(&t, t_types[k], 2, 0.1);
    const bf_field *f      = t_known_field(&t, "displacement");
    const double    in[3]  = {3.0 + 2e-6, 1.3, t.mesh->dim == 3 ? 0.3 : 0.0}; /* size of the mesh: 3.6 */
    const double    out[3] = {3.0 + 2e-5, 1.3, t.mesh->dim == 3 ? 0.3 : 0.0};
    T_OK(bf_model_probe(t.model, t.view, f, in, v));
    T_NEAR(v[0], linear(A[0], in), 1e-5);
    T_ERR(BF_E_MODEL, bf_model_probe(t.model, t.view, f, out, v));
    T_CONTAINS(bf_err_message(), "no element contains the point (3.00002, 1.3");
    t_known_close(&t);
  }
}

/* A third of a ring, one quad8: the outer side is the parabola through 0, 60 and 120 degrees, highest at
 * (0.125, 1.9486), above all nodes (2 sin 60 = 1.732). */
static void curved_sides_are_followed_beyond_the_nodes(void **state)
{
  (void)state;
  t_known      t;
  const double pi = acos(-1.0);
  double       v[9];
  t_known_mesh(&t, BF_QUAD8, 1, 0.0);
  for (bf_int i = 0; i < t.mesh->nnodes; i++) {
    double      *x = t.mesh->x + 3 * i;
    const double r = 1.0 + x[1] / 2.0, a = 2.0 / 3.0 * pi * (1.0 - x[0] / 3.0);
    x[0] = r * cos(a);
    x[1] = r * sin(a);
  }
  t_known_elastic(&t, 1.0, 0.25);
  t_known_boundary(&t, BF_BC_FIXED, 1, 1);
  t_known_build(&t);
  t_known_linear(&t, A);
  const bf_field *f     = t_known_field(&t, "displacement");
  const double    at[3] = {0.124, 1.94, 0.0}, hole[3] = {0.3, 0.6, 0.0}, above[3] = {0.125, 1.96, 0.0};
  T_OK(bf_model_probe(t.model, t.view, f, at, v));
  T_NEAR(v[0], linear(A[0], at), 1e-12);
  T_ERR(BF_E_MODEL, bf_model_probe(t.model, t.view, f, hole, v));
  T_ERR(BF_E_MODEL, bf_model_probe(t.model, t.view, f, above, v));
  t_known_close(&t);
}

/* Exact integrals of a linear function over the box, its sides and half of it; the map keeps the sides plane.
 */
static void integrals_of_a_linear_field_are_exact(void **state)
{
  (void)state;
  for (int k = 0; k < 8; k++) {
    t_known t;
    double  v;
    open_case(&t, t_types[k], 2, 0.1);
    const int       solid     = t.mesh->dim == 3;
    const bf_field *f         = t_known_field(&t, "displacement");
    const double    middle[3] = {1.5, 1.0, solid ? 0.5 : 0.0}, side[3] = {3.0, 1.0, solid ? 0.5 : 0.0};
    T_OK(bf_model_integral(t.model, t.view, f, 1, NULL, &v));
    T_NEAR(v, 6.0 * linear(A[1], middle), bf_elem(t_types[k])->order == 2 ? 2e-3 : 1e-12);
    T_OK(bf_model_integral(t.model, t.view, f, 0, "x_max", &v));
    T_NEAR(v, 2.0 * linear(A[0], side), bf_elem(t_types[k])->order == 2 ? 2e-3 : 1e-12);
    T_OK(bf_model_integral(t.model, t.view, t_known_field(&t, "strain"), 0, NULL, &v));
    T_NEAR(v, 6.0 * A[0][1], 2e-3);
    T_OK(bf_model_integral(t.model, t.view, t_known_field(&t, "strain"), 0, "x_max", &v));
    T_NEAR(v, 2.0 * A[0][1], 2e-3);
    t_known_close(&t);
  }
}

static void integrals_take_the_group_the_side_and_the_thickness(void **state)
{
  (void)state;
  t_known t;
  double  v;
  t_known_mesh(&t, BF_TRI6, 4, 0.0);
  t_known_elastic(&t, 1.0, 0.25);
  t_known_split(&t, 1.5);
  t.problem.thickness = 0.25;
  t_known_boundary(&t, BF_BC_FIXED, 1, 1);
  t_known_build(&t);
  t_known_linear(&t, A);
  const bf_field *f       = t_known_field(&t, "displacement");
  const double    left[3] = {0.75, 1.0, 0.0}, right[3] = {2.25, 1.0, 0.0}, side[3] = {3.0, 1.0, 0.0};
  T_OK(bf_model_integral(t.model, t.view, f, 0, "left", &v));
  T_NEAR(v, 0.25 * 3.0 * linear(A[0], left), 1e-13);
  T_OK(bf_model_integral(t.model, t.view, f, 0, "right", &v));
  T_NEAR(v, 0.25 * 3.0 * linear(A[0], right), 1e-13);
  T_OK(bf_model_integral(t.model, t.view, f, 0, "x_max", &v));
  T_NEAR(v, 0.25 * 2.0 * linear(A[0], side), 1e-13);
  T_OK(bf_model_integral(t.model, t.view, t_known_field(&t, "material_id"), 0, "x_max", &v));
  T_NEAR(v, 0.25 * 2.0, 1e-13); /* the side belongs to the second material */
  T_OK(bf_model_integral(t.model, t.view, t_known_field(&t, "material_id"), 0, "x_min", &v));
  T_NEAR(v, 0.0, 0.0);
  T_ERR(BF_E_MODEL, bf_model_integral(t.model, t.view, f, 0, "nowhere", &v));
  T_ERR(BF_E_ARG, bf_model_integral(t.model, t.view, f, 3, NULL, &v));
  t_known_close(&t);
}

static double extreme(const t_known *t, const char *field, int component, const char *group, int greatest)
{
  double v = NAN;
  T_OK(bf_model_extreme(t->model, t->view, t_known_field(t, field), component, group, greatest, &v));
  return v;
}

/* A linear function has its extremes in corners: of the body 3 x 2, of a side, of a half. */
static void extremes_take_the_group_and_the_side(void **state)
{
  (void)state;
  t_known t;
  double  v;
  t_known_mesh(&t, BF_TRI6, 4, 0.0);
  t_known_elastic(&t, 1.0, 0.25);
  t_known_split(&t, 1.5);
  t_known_boundary(&t, BF_BC_FIXED, 1, 1);
  t_known_build(&t);
  t_known_linear(&t, A);
  T_NEAR(extreme(&t, "displacement", 0, NULL, 1), linear(A[0], (double[3]){3, 2, 0}), 1e-13);
  T_NEAR(extreme(&t, "displacement", 0, "all", 0), linear(A[0], (double[3]){0, 0, 0}), 1e-13);
  T_NEAR(extreme(&t, "displacement", 0, "left", 1), linear(A[0], (double[3]){1.5, 2, 0}), 1e-13);
  T_NEAR(extreme(&t, "displacement", 0, "right", 0), linear(A[0], (double[3]){1.5, 0, 0}), 1e-13);
  T_NEAR(extreme(&t, "displacement", 1, "x_max", 1), linear(A[1], (double[3]){3, 2, 0}), 1e-13);
  T_NEAR(extreme(&t, "displacement", 1, "x_max", 0), linear(A[1], (double[3]){3, 0, 0}), 1e-13);
  const double u[2] = {linear(A[0], (double[3]){3, 2, 0}), linear(A[1], (double[3]){3, 2, 0})};
  T_NEAR(extreme(&t, "displacement", -1, "y_max", 1), sqrt(u[0] * u[0] + u[1] * u[1]), 1e-13);
  T_NEAR(extreme(&t, "material_id", 0, "left", 1), 0.0, 0.0);
  T_NEAR(extreme(&t, "material_id", 0, "right", 0), 1.0, 0.0);
  const bf_field *cells = t_known_field(&t, "strain"), *points = t_known_field(&t, "displacement");
  T_ERR(BF_E_MODEL, bf_model_extreme(t.model, t.view, cells, 0, "x_max", 1, &v));
  T_CONTAINS(bf_err_message(), "field 'strain' has values in elements");
  T_ERR(BF_E_MODEL, bf_model_extreme(t.model, t.view, points, 0, "nowhere", 1, &v));
  T_ERR(BF_E_ARG, bf_model_extreme(t.model, t.view, cells, -1, NULL, 1, &v));
  points->data[0] = NAN;
  assert_true(isnan(extreme(&t, "displacement", 0, NULL, 0)) &&
              isnan(extreme(&t, "displacement", 0, NULL, 1)));
  t_known_close(&t);
}

/* Two materials meet with another stress on each side: a group of elements has the points of its own side. */
static void extremes_of_a_group_of_elements_do_not_see_the_other_material(void **state)
{
  (void)state;
  t_known t;
  t_known_mesh(&t, BF_QUAD8, 4, 0.0);
  t_known_elastic(&t, 1.0, 0.25);
  t_known_split(&t, 1.5);
  t_known_boundary(&t, BF_BC_FIXED, 1, 1);
  t_known_build(&t);
  t_known_linear(&t, A);
  const bf_field *f = t_known_field(&t, "stress_nodal");
  for (bf_int c = 0; c < t.view->ncells; c++) /* what each side would have */
    for (int64_t p = t.view->ptr[c]; p < t.view->ptr[c + 1]; p++)
      f->data[6 * t.view->point[p]] = t.mesh->x[3 * t.view->node[t.view->point[p]]] +
                                      (bf_model_region(t.model)[t.view->elem[c]] ? 100.0 : 0.0);
  T_NEAR(extreme(&t, "stress_nodal", 0, "left", 1), 1.5, 1e-13);
  T_NEAR(extreme(&t, "stress_nodal", 0, "right", 0), 101.5, 1e-12);
  t_known_close(&t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(extremes_take_the_group_and_the_side),
      cmocka_unit_test(extremes_of_a_group_of_elements_do_not_see_the_other_material),
      cmocka_unit_test(linear_field_is_read_exactly_anywhere_in_every_element),
      cmocka_unit_test(every_node_and_corner_of_the_body_is_found),
      cmocka_unit_test(shared_faces_belong_to_the_lowest_element),
      cmocka_unit_test(places_just_outside_take_the_nearest_element),
      cmocka_unit_test(curved_sides_are_followed_beyond_the_nodes),
      cmocka_unit_test(integrals_of_a_linear_field_are_exact),
      cmocka_unit_test(integrals_take_the_group_the_side_and_the_thickness),
  };
  return T_RUN(tests);
}
