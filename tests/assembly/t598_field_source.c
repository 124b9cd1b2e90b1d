/* tests/assembly/t598_field_source.c - a field of another result as a function of place: all element types,
 * curved ones, points on and outside the mesh; against the polynomial that the nodes have
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/field_source.h"
#include "tests/assembly/model_case.h"

/* A source on the case's mesh: value(x) at nodes, or at centres of cells. */
static bf_field_source *source(const bf_mesh *mesh, int on_cells, double (*value)(const double *x))
{
  bf_view         *v = NULL;
  bf_source_data   d = {.on_cells = on_cells};
  bf_field_source *s = NULL;
  T_OK(bf_view_create(mesh, NULL, &v));
  d.mesh.dim    = mesh->dim;
  d.mesh.nnodes = mesh->nnodes;
  T_OK(BF_NEW_ARRAY(d.mesh.x, 3 * (size_t)mesh->nnodes));
  memcpy(d.mesh.x, mesh->x, 3 * (size_t)mesh->nnodes * sizeof(double));
  T_OK(BF_NEW_ARRAY(d.value, on_cells ? v->ncells : v->npoints));
  for (bf_int i = 0; i < v->npoints && !on_cells; i++) d.value[i] = value(mesh->x + 3 * v->node[i]);
  for (bf_int c = 0; c < v->ncells && on_cells; c++) d.value[c] = c;
  d.view = *v;
  bf_host_free(v);
  T_OK(bf_field_source_create(&d, "T of 'a.hdf'", &s));
  return s;
}

static double linear(const double *x)
{
  return 3.0 - x[0] + 2.0 * x[1] + 0.5 * x[2];
}

static double quadratic(const double *x)
{
  return x[0] * x[0] - x[0] * x[1] + 0.3 * x[1] * x[1] + x[2] * x[0];
}

static void random_points(const bf_mesh *mesh, int n, double *x)
{
  uint64_t seed = 7;
  for (int i = 0; i < n; i++) {
    x[3 * i]     = 2.0 * t_uniform(&seed);
    x[3 * i + 1] = t_uniform(&seed);
    x[3 * i + 2] = mesh->dim == 3 ? t_uniform(&seed) : 0.0;
  }
}

/* Isoparametric elements have linear fields exactly, whatever their shape. */
static void a_linear_field_is_exact_on_distorted_curved_elements(void **state)
{
  (void)state;
  enum { N = 400 };
  double x[3 * N], f[N];
  for (int t = 0; t < T_TYPES; t++) {
    t_case c;
    t_case_create(&c, BF_HEAT, t_types[t], 3);
    t_distort(c.mesh, 0.08, 1);
    bf_field_source *s = source(c.mesh, 0, linear);
    random_points(c.mesh, N, x);
    T_OK(bf_field_source_eval(s, N, x, f));
    for (int i = 0; i < N; i++) T_NEAR(f[i], linear(x + 3 * i), 1e-9);
    T_OK(bf_field_source_eval(s, c.mesh->nnodes < N ? c.mesh->nnodes : N, c.mesh->x, f));
    for (bf_int i = 0; i < c.mesh->nnodes && i < N; i++) T_NEAR(f[i], linear(c.mesh->x + 3 * i), 1e-9);
    assert_int_equal(s->outside, 0);
    bf_field_source_destroy(&s);
    t_case_clear(&c);
  }
}

static void a_quadratic_field_is_exact_on_straight_quadratic_elements(void **state)
{
  (void)state;
  enum { N = 300 };
  static const bf_elem_type types[] = {BF_TRI6, BF_QUAD8, BF_QUAD9, BF_TET10, BF_HEX20, BF_HEX27};
  double                    x[3 * N], f[N];
  for (int t = 0; t < 6; t++) {
    t_case c;
    t_case_create(&c, BF_HEAT, types[t], 2);
    bf_field_source *s = source(c.mesh, 0, quadratic);
    random_points(c.mesh, N, x);
    T_OK(bf_field_source_eval(s, N, x, f));
    for (int i = 0; i < N; i++) T_NEAR(f[i], quadratic(x + 3 * i), 1e-10);
    bf_field_source_destroy(&s);
    t_case_clear(&c);
  }
}

/* Cells of the box 2 x 1 x 1 in the order of the generator: 3 x 2 x 2. */
static void a_field_of_cells_is_constant_in_each(void **state)
{
  (void)state;
  t_case       c;
  double       f[3];
  const double x[9] = {0.1, 0.1, 0.1, 1.9, 0.1, 0.1, 1.9, 0.9, 0.9};
  t_case_create(&c, BF_HEAT, BF_HEX8, 2);
  bf_field_source *s = source(c.mesh, 1, NULL);
  T_OK(bf_field_source_eval(s, 3, x, f));
  T_NEAR(f[0], 0.0, 0.0);
  T_NEAR(f[1], 2.0, 0.0);
  T_NEAR(f[2], 11.0, 0.0);
  bf_field_source_destroy(&s);
  t_case_clear(&c);
}

/* Cells of 2/3 x 1/2 x 1/2, diagonal 0.97: up to 0.097 outside the nearest place counts. */
static void points_outside_get_the_nearest_value_or_an_error_with_the_distance(void **state)
{
  (void)state;
  t_case       c;
  double       f[2];
  const double just[3] = {2.05, 0.5, 0.25}, far[6] = {0.5, 0.5, 0.5, 4.0, 0.5, 1.0};
  t_case_create(&c, BF_HEAT, BF_HEX8, 2);
  bf_field_source *s = source(c.mesh, 0, linear);
  T_OK(bf_field_source_eval(s, 1, just, f));
  T_NEAR(f[0], 3.0 - 2.0 + 1.0 + 0.125, 1e-12);
  assert_int_equal(s->outside, 1);
  T_NEAR(s->farthest, 0.05, 1e-12);
  T_ERR(BF_E_MODEL, bf_field_source_eval(s, 2, far, f));
  T_NEAR(f[0], linear(far), 1e-12);
  assert_true(isnan(f[1]));
  assert_int_equal(s->lost, 1);
  T_NEAR(s->lost_distance, 2.0, 1e-12);
  T_NEAR(s->lost_at[0], 4.0, 0.0);
  T_CONTAINS(bf_err_message(), "1 points lie outside the mesh of 'T of 'a.hdf''");
  bf_field_source_destroy(&s);
  t_case_clear(&c);
}

/* The other result's linear temperature as thermal load: the displacement of the formula. */
static void a_thermal_load_from_another_mesh_is_that_of_the_formula(void **state)
{
  (void)state;
  double *u[2] = {NULL, NULL};
  bf_int  n    = 0;
  t_case  other;
  t_case_create(&other, BF_HEAT, BF_TET10, 3);
  t_distort(other.mesh, 0.05, 1);
  bf_field_source *s = source(other.mesh, 0, linear);
  for (int k = 0; k < 2; k++) {
    t_case c;
    t_case_create(&c, BF_ELASTICITY, BF_HEX20, 2);
    c.material[0].alpha = 1e-3, c.material[0].has_alpha = 1;
    t_condition(&c, BF_BC_FIXED, t_x_min, 1);
    bf_load *l  = t_load(&c, BF_LOAD_THERMAL);
    l->value[0] = t_formula("3 - x + 2*y + 0.5*z");
    if (k == 0) l->value[0].source = s;
    t_solve(&c, T_CSR, &u[k]);
    n = 3 * c.mesh->nnodes;
    t_case_clear(&c);
  }
  double most = 0.0;
  for (bf_int i = 0; i < n; i++) most = fmax(most, fabs(u[1][i]));
  assert_true(most > 1e-3);
  for (bf_int i = 0; i < n; i++) T_NEAR(u[0][i], u[1][i], 1e-9 * most);
  bf_host_free(u[0]);
  bf_host_free(u[1]);
  bf_field_source_destroy(&s);
  t_case_clear(&other);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_linear_field_is_exact_on_distorted_curved_elements),
      cmocka_unit_test(a_quadratic_field_is_exact_on_straight_quadratic_elements),
      cmocka_unit_test(a_field_of_cells_is_constant_in_each),
      cmocka_unit_test(points_outside_get_the_nearest_value_or_an_error_with_the_distance),
      cmocka_unit_test(a_thermal_load_from_another_mesh_is_that_of_the_formula),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
