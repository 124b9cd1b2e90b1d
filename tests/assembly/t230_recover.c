/* tests/assembly/t230_recover.c - fields of prescribed solutions against closed forms */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/recover/recover.h"
#include "tests/assembly/linear_displacement.h"
#include "tests/no_memory.h"
#include <omp.h>

/* Strain (tensor components, xx yy zz xy yz xz) of the linear displacement. */
static void strain_of(int dim, double e[6])
{
  memset(e, 0, 6 * sizeof *e);
  e[0] = A[0][1];
  e[1] = A[1][2];
  e[3] = 0.5 * (A[0][2] + A[1][1]);
  if (dim < 3) return;
  e[2] = A[2][3];
  e[4] = 0.5 * (A[1][3] + A[2][2]);
  e[5] = 0.5 * (A[0][3] + A[2][1]);
}

/* Hooke's law with Lame's constants: s = lambda tr(e) I + 2 mu e. */
static void hooke(const double e[6], double s[6])
{
  const double lambda = E0 * NU / ((1.0 + NU) * (1.0 - 2.0 * NU)), mu = 0.5 * E0 / (1.0 + NU);
  for (int i = 0; i < 6; i++) s[i] = 2.0 * mu * e[i] + (i < 3 ? lambda * (e[0] + e[1] + e[2]) : 0.0);
}

/* von Mises as sqrt(3/2 dev:dev), another form than the code's. */
static double mises(const double s[6])
{
  const double p = (s[0] + s[1] + s[2]) / 3.0;
  double       q = 0.0;
  for (int i = 0; i < 6; i++) q += i < 3 ? (s[i] - p) * (s[i] - p) : 2.0 * s[i] * s[i];
  return sqrt(1.5 * q);
}

static void expect_tensor_fields(const t_known *t, const double e[6], const double s[6])
{
  const double vm = mises(s);
  t_known_constant(t, "strain", e, 1e-15);
  t_known_constant(t, "stress", s, 1e-9);
  t_known_constant(t, "von_mises", &vm, 1e-9);
  t_known_constant(t, "von_mises_max_ip", &vm, 1e-9);
  t_known_constant(t, "stress_nodal", s, 1e-9);
  t_known_constant(t, "von_mises_nodal", &vm, 1e-9);
}

static void linear_displacement_gives_its_strain_and_stress_on_every_element(void **state)
{
  (void)state;
  for (int k = 5; k < T_TYPES; k++) { /* in space */
    t_known t;
    double  e[6], s[6];
    t_known_mesh(&t, t_types[k], 2, 0.1);
    t_known_elastic(&t, E0, NU);
    fixed_everywhere(&t);
    t_known_build(&t);
    t_known_linear(&t, A);
    strain_of(3, e);
    hooke(e, s);
    expect_tensor_fields(&t, e, s);
    t_known_close(&t);
  }
}

static void plane_strain_has_no_strain_and_a_stress_across(void **state)
{
  (void)state;
  for (int k = 0; k < 4; k++) {
    t_known t;
    double  e[6], s[6];
    t_known_mesh(&t, t_types[k], 3, 0.1);
    t_known_elastic(&t, E0, NU);
    t.problem.space = BF_SPACE_PLANE_STRAIN;
    fixed_everywhere(&t);
    t_known_build(&t);
    t_known_linear(&t, A);
    strain_of(2, e); /* e_zz = 0 */
    hooke(e, s);
    assert_true(fabs(s[2]) > 1.0);
    expect_tensor_fields(&t, e, s);
    t_known_close(&t);
  }
}

static void plane_stress_has_no_stress_and_a_strain_across(void **state)
{
  (void)state;
  for (int k = 0; k < 4; k++) {
    t_known t;
    double  e[6], s[6];
    t_known_mesh(&t, t_types[k], 3, 0.1);
    t_known_elastic(&t, E0, NU);
    fixed_everywhere(&t);
    t_known_build(&t);
    t_known_linear(&t, A);
    strain_of(2, e);
    const double lambda = E0 * NU / ((1.0 + NU) * (1.0 - 2.0 * NU)), mu = 0.5 * E0 / (1.0 + NU);
    e[2] = -lambda / (lambda + 2.0 * mu) * (e[0] + e[1]); /* from s_zz = 0 */
    hooke(e, s);
    T_NEAR(s[2], 0.0, 1e-10);
    expect_tensor_fields(&t, e, s);
    t_known_close(&t);
  }
}

static void displacement_has_three_components_in_the_plane(void **state)
{
  (void)state;
  t_known t;
  t_known_mesh(&t, BF_TRI6, 2, 0.1);
  t_known_elastic(&t, E0, NU);
  fixed_everywhere(&t);
  t_known_build(&t);
  t_known_linear(&t, A);
  const bf_field *f = t_known_field(&t, "displacement");
  assert_int_equal(f->ncomp, 3);
  assert_string_equal(f->unit, "m");
  for (bf_int p = 0; p < t.view->npoints; p++) {
    const double *x = t.mesh->x + 3 * t.view->node[p];
    T_NEAR(f->data[3 * p], A[0][0] + A[0][1] * x[0] + A[0][2] * x[1], 1e-15);
    T_NEAR(f->data[3 * p + 1], A[1][0] + A[1][1] * x[0] + A[1][2] * x[1], 1e-15);
    assert_true(f->data[3 * p + 2] == 0.0);
  }
  t_known_close(&t);
}

static void heat_flux_is_minus_k_times_the_gradient(void **state)
{
  (void)state;
  for (int k = 0; k < T_TYPES; k++) {
    t_known t;
    t_known_mesh(&t, t_types[k], 2, 0.1);
    t.problem.physics     = BF_HEAT;
    t.material[0].k.value = 50.0;
    t_known_boundary(&t, BF_BC_TEMPERATURE, 1, 2);
    t_known_build(&t);
    t_known_linear(&t, A);
    const double q[3] = {-50.0 * A[0][1], -50.0 * A[0][2], t.mesh->dim == 3 ? -50.0 * A[0][3] : 0.0};
    t_known_constant(&t, "heat_flux", q, 1e-12);
    t_known_constant(&t, "heat_flux_nodal", q, 1e-12);
    assert_string_equal(t_known_field(&t, "temperature")->unit, "K");
    t_known_close(&t);
  }
}

/* k = 1 + x on unbent cells: flux at a cell is that of its centre, at a node that of the node. */
static void conductivity_by_formula_enters_point_by_point(void **state)
{
  (void)state;
  t_known t;
  t_known_mesh(&t, BF_HEX8, 3, 0.0);
  t.problem.physics       = BF_HEAT;
  t.material[0].k.formula = "1 + x";
  t_known_boundary(&t, BF_BC_TEMPERATURE, 1, 2);
  t_known_build(&t);
  t_known_linear(&t, A);
  const bf_field *cell = t_known_field(&t, "heat_flux"), *point = t_known_field(&t, "heat_flux_nodal");
  for (bf_int c = 0; c < t.view->ncells; c++) {
    double x = 0.0;
    for (int a = 0; a < 8; a++) x += t.mesh->x[3 * t.view->node[t.view->point[8 * c + a]]] / 8.0;
    T_NEAR(cell->data[3 * c], -(1.0 + x) * A[0][1], 1e-14);
  }
  for (bf_int p = 0; p < t.view->npoints; p++)
    T_NEAR(point->data[3 * p], -(1.0 + t.mesh->x[3 * t.view->node[p]]) * A[0][1], 1e-14);
  t_known_close(&t);
}

/* E = 1 + x in the same way: stress = (1 + x) times that of E = 1. */
static void stiffness_by_formula_enters_point_by_point(void **state)
{
  (void)state;
  t_known t;
  double  e[6], s[6];
  t_known_mesh(&t, BF_HEX8, 3, 0.0);
  t_known_elastic(&t, 0.0, NU);
  t.material[0].E.formula = "1 + x";
  fixed_everywhere(&t);
  t_known_build(&t);
  t_known_linear(&t, A);
  strain_of(3, e);
  hooke(e, s);
  const bf_field *point = t_known_field(&t, "stress_nodal");
  for (bf_int p = 0; p < t.view->npoints; p++)
    for (int i = 0; i < 6; i++)
      T_NEAR(point->data[6 * p + i], s[i] / E0 * (1.0 + t.mesh->x[3 * t.view->node[p]]), 1e-14);
  t_known_close(&t);
}

/* Pure bending u = c ((y-b) x, -x^2/2), nu = 0: stress xx = E c (y-b) alone, inside quad8's reach.  With
 * Gauss points y_j, weights v_j = 5/18, 8/18, 5/18 the cell has the mean of stress, the mean and the largest
 * of |stress|; nodes have the exact stress. */
static void bending_shows_mean_and_largest_von_mises_of_the_points(void **state)
{
  (void)state;
  t_known      t;
  const double c = 1e-3, b = 0.45, v[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0}, g = sqrt(0.6);
  t_known_mesh(&t, BF_QUAD8, 3, 0.0);
  t_known_elastic(&t, E0, 0.0);
  fixed_everywhere(&t);
  t_known_build(&t);
  for (bf_int i = 0; i < t.mesh->nnodes; i++) {
    const double *x           = t.mesh->x + 3 * i;
    t.u[2 * t.num.row[i]]     = c * (x[1] - b) * x[0];
    t.u[2 * t.num.row[i] + 1] = -0.5 * c * x[0] * x[0];
  }
  t.model->f_ext = bf_host_alloc((size_t)t.mesh->nnodes * 2, sizeof(double));
  T_OK(bf_model_recover(t.model, &t.num, t.be, t.view, t.u, NULL, &t.solution));
  const bf_field *stress = t_known_field(&t, "stress"), *vm = t_known_field(&t, "von_mises"),
                 *most = t_known_field(&t, "von_mises_max_ip"), *nodal = t_known_field(&t, "stress_nodal"),
                 *nvm = t_known_field(&t, "von_mises_nodal");
  int signs           = 0;
  for (bf_int n = 0; n < t.view->ncells; n++) {
    const bf_int *point = t.view->point + t.view->ptr[n];
    const double  lo = t.mesh->x[3 * t.view->node[point[0]] + 1], h = 2.0 / 3.0, middle = lo + 0.5 * h;
    double        mean = 0.0, top = 0.0;
    for (int j = 0; j < 3; j++) {
      const double s = fabs(E0 * c * (middle + 0.5 * h * (j - 1) * g - b));
      mean += v[j] * s;
      top = fmax(top, s);
    }
    signs += fabs(mean - fabs(E0 * c * (middle - b))) > 1.0;
    T_NEAR(stress->data[6 * n], E0 * c * (middle - b), 1e-10);
    T_NEAR(vm->data[n], mean, 1e-10);
    T_NEAR(most->data[n], top, 1e-10);
  }
  assert_int_equal(signs, 3); /* the row of cells with the neutral axis */
  for (bf_int p = 0; p < t.view->npoints; p++) {
    const double s = E0 * c * (t.mesh->x[3 * t.view->node[p] + 1] - b);
    T_NEAR(nodal->data[6 * p], s, 1e-9);
    T_NEAR(nvm->data[p], fabs(s), 1e-9);
  }
  t_known_close(&t);
}

static void nodal_stress_jumps_at_a_material_interface(void **state)
{
  (void)state;
  for (int k = 0; k < T_TYPES; k++) {
    t_known t;
    double  e[6], s[6];
    t_known_mesh(&t, t_types[k], 2, 0.0);
    t_known_elastic(&t, E0, NU);
    if (t.mesh->dim == 2) t.problem.space = BF_SPACE_PLANE_STRAIN;
    t_known_split(&t, 1.5);
    fixed_everywhere(&t);
    t_known_build(&t);
    t_known_linear(&t, A);
    assert_true(t.view->npoints > t.mesh->nnodes); /* the interface has its points twice */
    strain_of(t.mesh->dim, e);
    hooke(e, s);
    const bf_field *f = t_known_field(&t, "stress_nodal"), *c = t_known_field(&t, "stress"),
                   *id = t_known_field(&t, "material_id");
    for (bf_int p = 0; p < t.view->npoints; p++)
      for (int i = 0; i < 6; i++) T_NEAR(f->data[6 * p + i], s[i] * (1 + t.view->region[p]), 1e-9);
    for (bf_int n = 0; n < t.view->ncells; n++) {
      T_NEAR(c->data[6 * n], s[0] * (1.0 + id->data[n]), 1e-9);
      assert_int_equal(id->data[n], bf_model_region(t.model)[t.view->elem[n]]);
    }
    t_known_close(&t);
  }
}

static void extrapolation_reproduces_linear_functions_at_the_nodes(void **state)
{
  (void)state;
  for (int k = 0; k < 8; k++)
    for (int points = 0; points <= bf_quadrature_max(t_types[k]); points++) {
      const bf_elem_info *el = bf_elem(t_types[k]);
      bf_rule             r;
      double              P[BF_NEN_MAX][BF_QUADRATURE_MAX], xi[BF_NEN_MAX][3];
      T_OK(bf_quadrature(t_types[k], points, BF_RULE_STIFFNESS, &r));
      bf_elem_nodes(t_types[k], xi);
      bf_recover_extrapolation(t_types[k], &r, el->nnodes, (const double(*)[3])xi, P);
      for (int a = 0; a < el->nnodes; a++) {
        double one = 0.0, f = 0.0;
        for (int q = 0; q < r.n; q++) {
          one += P[a][q];
          f += P[a][q] * (3.0 * r.xi[q][0] - 2.0 * r.xi[q][1] + r.xi[q][2]);
        }
        T_NEAR(one, 1.0, 1e-12);
        if (r.n >= el->ncorners) T_NEAR(f, 3.0 * xi[a][0] - 2.0 * xi[a][1] + xi[a][2], 1e-11);
      }
    }
}

static void von_mises_is_that_of_simple_states(void **state)
{
  (void)state;
  const double uni[6] = {0, -7, 0, 0, 0, 0}, shear[6] = {0, 0, 0, 0, 2, 0}, water[6] = {5, 5, 5, 0, 0, 0};
  T_NEAR(bf_von_mises(uni), 7.0, 1e-14);
  T_NEAR(bf_von_mises(shear), 2.0 * sqrt(3.0), 1e-14);
  T_NEAR(bf_von_mises(water), 0.0, 1e-14);
}

/* A quadratic field on many elements, so that several chunks and threads take part. */
static void same_for_any_number_of_threads(bf_elem_type type, bf_int cells)
{
  t_known     t;
  bf_solution one;
  t_known_mesh(&t, type, cells, 0.1);
  t_known_elastic(&t, E0, NU);
  fixed_everywhere(&t);
  t_known_build(&t);
  uint64_t seed = 3;
  for (bf_int i = 0; i < 3 * t.num.nrows; i++) t.u[i] = t_uniform(&seed);
  t.model->f_ext = bf_host_alloc((size_t)t.mesh->nnodes * 3, sizeof(double));
  const int all  = omp_get_max_threads();
  omp_set_num_threads(1);
  T_OK(bf_model_recover(t.model, &t.num, t.be, t.view, t.u, NULL, &one));
  for (int threads = 2; threads <= 5; threads += 3) {
    omp_set_num_threads(threads);
    bf_solution_clear(&t.solution);
    T_OK(bf_model_recover(t.model, &t.num, t.be, t.view, t.u, NULL, &t.solution));
    for (int f = 0; f < one.nfields; f++)
      assert_memory_equal(one.field[f].data, t.solution.field[f].data,
                          (size_t)t_known_count(&t, &one.field[f]) * (size_t)one.field[f].ncomp *
                              sizeof(double));
    assert_true(one.balance == t.solution.balance);
    assert_true(one.recovery.error_estimate == t.solution.recovery.error_estimate);
  }
  omp_set_num_threads(all);
  bf_solution_clear(&one);
  t_known_close(&t);
}

static void fields_do_not_depend_on_the_number_of_threads(void **state)
{
  (void)state;
  same_for_any_number_of_threads(BF_TET4, 14);
  same_for_any_number_of_threads(BF_HEX20, 6);
}

/* A stress that jumps at the interface, as the modulus does, is no error: it is recovered on each side. */
static void a_linear_displacement_has_no_error(void **state)
{
  (void)state;
  const double a[3][4] = {{0.1, 0.3, -0.2, 0.4}, {0.0, 0.1, 0.5, -0.3}, {0.2, -0.4, 0.1, 0.2}};
  for (int t = 0; t < T_TYPES; t++)
    for (int two = 0; two < 2; two++) {
      t_known k;
      t_known_mesh(&k, t_types[t], 4, two ? 0.0 : 0.05);
      t_known_elastic(&k, 2.0, 0.3);
      if (two) t_known_split(&k, 1.5);
      t_known_boundary(&k, BF_BC_FIXED, 1, k.mesh->dim == 3 ? 6 : 4);
      t_known_build(&k);
      t_known_linear(&k, a);
      assert_true(k.solution.recovery.by_patches > 0);
      if (!(k.solution.recovery.error_estimate < 1e-7))
        fail_msg("%s: %g", bf_elem(t_types[t])->name, k.solution.recovery.error_estimate);
      t_known_close(&k);
    }
}

static void model_that_was_not_assembled_is_refused(void **state)
{
  (void)state;
  t_known t;
  t_known_mesh(&t, BF_QUAD4, 2, 0.0);
  t_known_elastic(&t, E0, NU);
  fixed_everywhere(&t);
  t_known_build(&t);
  T_ERR(BF_E_ARG, bf_model_recover(t.model, &t.num, t.be, t.view, t.u, NULL, &t.solution));
  T_CONTAINS(bf_err_message(), "not assembled");
  t_known_close(&t);
}

static void every_failing_allocation_is_reported_and_nothing_leaks(void **state)
{
  (void)state;
  t_known t;
  t_known_mesh(&t, BF_QUAD4, 2, 0.0);
  t_known_elastic(&t, E0, NU);
  fixed_everywhere(&t);
  t_known_build(&t);
  t.model->f_ext = bf_host_alloc((size_t)t.mesh->nnodes * 2, sizeof(double));
  t_no_memory n  = {0};
  while (t_no_memory_next(&n)) {
    t_no_memory_begin(&n);
    t_no_memory_end(&n, bf_model_recover(t.model, &t.num, t.be, t.view, t.u, NULL, &t.solution));
    if (n.last) bf_solution_clear(&t.solution);
  }
  assert_in_range(n.failed, 9, 998);
  t_known_close(&t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_displacement_gives_its_strain_and_stress_on_every_element),
      cmocka_unit_test(plane_strain_has_no_strain_and_a_stress_across),
      cmocka_unit_test(plane_stress_has_no_stress_and_a_strain_across),
      cmocka_unit_test(displacement_has_three_components_in_the_plane),
      cmocka_unit_test(heat_flux_is_minus_k_times_the_gradient),
      cmocka_unit_test(conductivity_by_formula_enters_point_by_point),
      cmocka_unit_test(stiffness_by_formula_enters_point_by_point),
      cmocka_unit_test(bending_shows_mean_and_largest_von_mises_of_the_points),
      cmocka_unit_test(nodal_stress_jumps_at_a_material_interface),
      cmocka_unit_test(extrapolation_reproduces_linear_functions_at_the_nodes),
      cmocka_unit_test(von_mises_is_that_of_simple_states),
      cmocka_unit_test(fields_do_not_depend_on_the_number_of_threads),
      cmocka_unit_test(a_linear_displacement_has_no_error),
      cmocka_unit_test(model_that_was_not_assembled_is_refused),
      cmocka_unit_test(every_failing_allocation_is_reported_and_nothing_leaks),
  };
  return T_RUN(tests);
}
