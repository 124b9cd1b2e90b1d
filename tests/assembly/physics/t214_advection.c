/* tests/assembly/physics/t214_advection.c - advection and diffusion solved: fields that the elements contain
 * are exact, inflow, outflow and sources are in balance
 *
 * usage: t214_advection <backend>
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/physics/flow.h"
#include "tests/assembly/physics/advection_case.h"

/* Largest difference of the nodes from f(x), relative to the largest value. */
static double error_of(const t_case *c, const double *u, double (*f)(const double *x))
{
  double worst = 0.0, size = 0.0;
  for (bf_int i = 0; i < c->mesh->nnodes; i++) {
    const double exact = f(c->mesh->x + 3 * i);
    worst              = fmax(worst, fabs(u[i] - exact));
    size               = fmax(size, fabs(exact));
  }
  return worst / size;
}

static double by_node(t_case *c, t_format format, double (*f)(const double *x))
{
  double *u = NULL;
  t_solve(c, format, &u);
  const double e = error_of(c, u, f);
  bf_host_free(u);
  return e;
}

/* ---- fields the elements contain ---- */

static double linear(const double *x)
{
  return 0.7 + 1.3 * x[0] - 0.6 * x[1] + 0.9 * x[2];
}

static const char linear_text[] = "0.7 + 1.3*x - 0.6*y + 0.9*z";

/* v = (1 + y, 0.4 - x, 0.3 x), r = 0.8: v . grad c + r c with the linear c; D changes too and its gradient
 * enters: - grad D . grad c, D = 0.05 (1 + x) */
static void linear_problem(t_case *c)
{
  flow(c, 0.0, 0.0, 0.0, 0.0, 0.8);
  c->material[0].velocity[0] = t_formula("1 + y");
  c->material[0].velocity[1] = t_formula("0.4 - x");
  c->material[0].velocity[2] = t_formula("0.3*x");
  c->material[0].diffusivity = t_formula("0.05");
  value_on(c, t_sides, t_nsides(c), t_formula(linear_text));
  t_load(c, BF_LOAD_SOURCE)->value[0] = t_formula(
      c->mesh->dim == 3 ? "1.3*(1 + y) - 0.6*(0.4 - x) + 0.9*0.3*x + 0.8*(0.7 + 1.3*x - 0.6*y + 0.9*z)"
                        : "1.3*(1 + y) - 0.6*(0.4 - x) + 0.8*(0.7 + 1.3*x - 0.6*y)");
}

static void linear_fields_are_exact_on_distorted_meshes(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++)
    for (int stable = 0; stable < 2; stable++)
      for (int format = 0; format < T_FORMATS; format++) {
        T_ONE_OF(7);
        t_case c;
        if (format == T_BDIA_HALF) continue; /* half of an unsymmetric matrix */
        t_case_create(&c, BF_ADVECTION, t_types[t], 2);
        t_distort(c.mesh, 0.08, 1);
        linear_problem(&c);
        c.p.stabilized = stable;
        T_LE(by_node(&c, (t_format)format, linear), 1e-12);
        t_case_clear(&c);
      }
}

static double quadratic(const double *x)
{
  return 0.4 + x[0] * x[0] - 0.8 * x[0] * x[1] + 0.5 * x[1] * x[1] + 0.7 * x[2] * x[1] - 0.6 * x[2] * x[2];
}

/* -D lap c is in the residual: without second derivatives these would be wrong. */
static void quadratic_fields_are_exact_on_quadratic_elements(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++) {
    T_ONE_OF(3);
    t_case c;
    if (bf_elem(t_types[t])->order != 2) continue;
    t_case_create(&c, BF_ADVECTION, t_types[t], 2);
    if (bf_elem(t_types[t])->ncorners == c.mesh->dim + 1) t_distort(c.mesh, 0.08, 0); /* straight sides */
    flow(&c, 0.3, 1.0, 0.4, -0.3, 0.5);
    const int solid = c.mesh->dim == 3;
    value_on(&c, t_sides, t_nsides(&c),
             t_formula(solid ? "0.4 + x^2 - 0.8*x*y + 0.5*y^2 + 0.7*z*y - 0.6*z^2"
                             : "0.4 + x^2 - 0.8*x*y + 0.5*y^2"));
    t_load(&c, BF_LOAD_SOURCE)->value[0] = t_formula(
        solid ? "(2*x - 0.8*y) + 0.4*(-0.8*x + y + 0.7*z) - 0.3*(0.7*y - 1.2*z) - 0.3*(2 + 1 - 1.2)"
                " + 0.5*(0.4 + x^2 - 0.8*x*y + 0.5*y^2 + 0.7*z*y - 0.6*z^2)"
              : "(2*x - 0.8*y) + 0.4*(-0.8*x + y) - 0.3*(2 + 1) + 0.5*(0.4 + x^2 - 0.8*x*y + 0.5*y^2)");
    T_LE(by_node(&c, T_CSR, quadratic), 1e-11);
    t_case_clear(&c);
  }
}

static double radial(const double *x)
{
  return 1.0 + 0.8 * x[0] - 0.5 * x[1];
}

/* In a ring lap(a r) = a/r: with it the residual of a field linear in r and z is nothing at every point. */
static void linear_fields_are_exact_in_bodies_of_revolution(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++) {
    T_ONE_OF(3);
    t_case c;
    if (bf_elem(t_types[t])->dim == 3) continue;
    t_case_create(&c, BF_ADVECTION, t_types[t], 2);
    t_distort(c.mesh, 0.05, 0);
    for (bf_int i = 0; i < c.mesh->nnodes; i++) c.mesh->x[3 * i] += 1.0;
    c.p.space = BF_SPACE_AXISYMMETRIC;
    flow(&c, 0.2, 0.0, 1.5, 0.0, 0.4);
    value_on(&c, t_sides, 4, t_formula("1 + 0.8*x - 0.5*y"));
    t_load(&c, BF_LOAD_SOURCE)->value[0] = t_formula("-0.5*1.5 - 0.2*0.8/x + 0.4*(1 + 0.8*x - 0.5*y)");
    T_LE(by_node(&c, T_CSR, radial), 1e-12);
    t_case_clear(&c);
  }
}

/* ---- layers ---- */

static double layer_D;
static double layer(const double *x)
{
  return (exp((x[0] - 2.0) / layer_D) - exp(-2.0 / layer_D)) / (1.0 - exp(-2.0 / layer_D));
}

/* On quad4 and hex8 nothing changes across the flow and the problem is that of a line; on triangles and
 * tetrahedra the other sides as well. */
static void nodes_of_linear_elements_are_exact_in_a_layer(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++)
    for (int coarse = 0; coarse < 2; coarse++) {
      T_ONE_OF(7);
      t_case    c;
      char      text[160];
      const int box = t_types[t] == BF_QUAD4 || t_types[t] == BF_HEX8;
      if (bf_elem(t_types[t])->order != 1) continue;
      t_case_create(&c, BF_ADVECTION, t_types[t], 4);
      layer_D = coarse ? 0.04 : 0.5; /* h = 0.4: Pe = 5, 0.4 */
      flow(&c, layer_D, 1.0, 0.0, 0.0, 0.0);
      snprintf(text, sizeof text, "(exp((x - 2)/%.17g) - exp(-2/%.17g))/(1 - exp(-2/%.17g))", layer_D,
               layer_D, layer_D);
      value_on(&c, t_sides, box ? 2 : t_nsides(&c), t_formula(text));
      T_LE(by_node(&c, T_BDIA_FULL, layer), 1e-12);
      if (coarse) { /* Galerkin: values below 0 by far */
        double *u = NULL, least = 0.0;
        c.p.stabilized = 0;
        t_solve(&c, T_CSR, &u);
        for (bf_int i = 0; i < c.mesh->nnodes; i++) least = fmin(least, u[i]);
        T_LE(least, box ? -0.4 : -0.1);
        bf_host_free(u);
      }
      t_case_clear(&c);
    }
}

/* ---- what goes in comes out ---- */

static void mass_is_in_balance(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++) {
    T_ONE_OF(3);
    t_case   c;
    t_solved r;
    t_case_create(&c, BF_ADVECTION, t_types[t], 2);
    flow(&c, 0.3, 1.0, 0.4, c.mesh->dim == 3 ? -0.2 : 0.0, 0.7);
    value_on(&c, t_x_min, 1, t_number(2.0));
    t_condition(&c, BF_BC_FLUX, &t_sides[3], 1)->value[0] = t_formula("0.3*x");
    bf_boundary *robin                                    = t_condition(&c, BF_BC_CONVECTION, &t_sides[2], 1);
    robin->h                                              = t_number(0.9);
    robin->ambient                                        = t_number(1.5);
    t_condition(&c, BF_BC_OUTFLOW, t_x_max, 1);
    t_load(&c, BF_LOAD_SOURCE)->value[0] = t_formula("1 + x*y");
    c.p.thickness                        = c.mesh->dim == 2 ? 0.6 : 1.0;
    t_solve_case(&c, &r);
    assert_true(r.out.inflow > 0.1 && r.out.outflow > 0.1 && r.out.consumed > 0.1);
    T_LE(r.out.balance, 1e-12);
    T_NEAR(r.out.reacted[0], r.out.reaction[0].value[0], 1e-12);
    t_solved_clear(&c, &r);
  }
}

/* c = 1 everywhere: the flow in is that of the velocity through the sides, the reaction uses r V. */
static void a_constant_is_carried_as_it_is(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++) {
    T_ONE_OF(3);
    t_case   c;
    t_solved r;
    t_case_create(&c, BF_ADVECTION, t_types[t], 2); /* 2 x 1 (x 1) */
    t_distort(c.mesh, 0.08, 1);
    const int solid = c.mesh->dim == 3;
    flow(&c, 0.3, 1.0, -0.4, solid ? 0.3 : 0.0, 0.5);
    value_on(&c, t_x_min, 1, t_number(1.0));
    t_load(&c, BF_LOAD_SOURCE)->value[0] = t_number(0.5);
    t_solve_case(&c, &r);
    T_NEAR(r.out.inflow, 1.0 + 2.0 * 0.4 + (solid ? 2.0 * 0.3 : 0.0), 1e-12);
    T_NEAR(r.out.outflow, r.out.inflow, 1e-12);
    T_NEAR(r.out.consumed, 1.0, 1e-12);
    T_NEAR(r.out.applied[0], 1.0, 1e-12);
    T_NEAR(r.out.reacted[0], 0.0, 1e-11);
    const bf_field *c_ = t_field(&r, "concentration"), *flux = t_field(&r, "flux");
    for (bf_int i = 0; i < r.view->npoints; i++) T_NEAR(c_->data[i], 1.0, 1e-12);
    for (bf_int i = 0; i < r.view->ncells; i++) {
      T_NEAR(flux->data[3 * i], 1.0, 1e-11);
      T_NEAR(flux->data[3 * i + 1], -0.4, 1e-11);
      T_NEAR(flux->data[3 * i + 2], solid ? 0.3 : 0.0, 1e-11);
    }
    assert_string_equal(c_->unit, "kg/m3");
    assert_string_equal(flux->unit, "kg/m2/s");
    t_solved_clear(&c, &r);
  }
}

/* v c - D grad c of the linear field is linear: the extrapolation to the nodes keeps it. */
static void flux_is_what_flows_and_what_diffuses(void **state)
{
  (void)state;
  const double v[3] = {1.0, 0.4, -0.3}, grad[3] = {1.3, -0.6, 0.9}, D = 0.5;
  for (int t = 0; t < T_TYPES; t++) {
    T_ONE_OF(3);
    t_case   c;
    t_solved r;
    t_case_create(&c, BF_ADVECTION, t_types[t], 2);
    value_on(&c, t_sides, t_nsides(&c), t_formula(linear_text));
    t_load(&c, BF_LOAD_SOURCE)->value[0] =
        t_number(c.mesh->dim == 3 ? 1.3 - 0.4 * 0.6 - 0.3 * 0.9 : 1.3 - 0.4 * 0.6);
    t_solve_case(&c, &r);
    const bf_field *flux = t_field(&r, "flux_nodal");
    for (bf_int p = 0; p < r.view->npoints; p++)
      for (int i = 0; i < c.mesh->dim; i++)
        T_NEAR(flux->data[3 * p + i], v[i] * linear(c.mesh->x + 3 * r.view->node[p]) - D * grad[i], 1e-11);
    t_solved_clear(&c, &r);
  }
}

static void a_source_on_a_part_acts_there_alone(void **state)
{
  (void)state;
  t_case   c;
  t_solved r;
  bf_group group[2];
  bf_name  name[2];
  t_case_create(&c, BF_ADVECTION, BF_QUAD8, 3); /* 4 cells along x: two on each side of x = 1 */
  t_split_materials(&c, group, name);
  bf_group *all = malloc((size_t)(c.mesh->ngroups + 2) * sizeof *all), *own = c.mesh->group;
  memcpy(all, own, (size_t)c.mesh->ngroups * sizeof *all);
  memcpy(all + c.mesh->ngroups, group, sizeof group);
  c.mesh->group = all;
  c.mesh->ngroups += 2;
  c.material[1].velocity[0] = t_formula("1 + 0*x"); /* the same flow, at points */
  value_on(&c, t_x_min, 1, t_number(0.0));
  bf_load *load  = t_load(&c, BF_LOAD_SOURCE);
  load->value[0] = t_number(3.0);
  load->ngroups  = 1;
  load->group    = &name[1];
  t_solve_case(&c, &r);
  T_NEAR(r.out.applied[0], 3.0, 1e-12);
  T_LE(r.out.balance, 1e-12);
  c.mesh->ngroups -= 2;
  c.mesh->group = own;
  free(all);
  for (int k = 0; k < 2; k++) bf_host_free(group[k].elem);
  t_solved_clear(&c, &r);
}

static void cell_peclet_is_that_of_the_flow_through_the_cell(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++) {
    T_ONE_OF(3);
    t_case   c;
    t_solved r;
    t_case_create(&c, BF_ADVECTION, t_types[t], 3); /* cells 0.5 x 1/3 (x 1/3) */
    flow(&c, 0.1, 0.0, -0.6, 0.0, 0.2);
    value_on(&c, &t_sides[3], 1, t_number(1.0));
    t_solve_case(&c, &r);
    const bf_field *Pe = t_field(&r, "cell_peclet");
    for (bf_int i = 0; i < r.view->ncells; i++)
      T_NEAR(Pe->data[i], 0.6 / (3.0 * bf_elem(t_types[t])->order) / (2.0 * 0.1), 1e-12);
    t_solved_clear(&c, &r);
  }
}

static void no_memory_is_survived_everywhere(void **state)
{
  (void)state;
  T_LONG;
  t_case c;
  t_case_create(&c, BF_ADVECTION, BF_QUAD8, 2);
  linear_problem(&c);
  c.p.nboundaries = 0;
  value_on(&c, t_x_min, 1, t_number(1.0));
  assert_true(t_fail_everywhere(&c) > 20);
  t_case_clear(&c);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_fields_are_exact_on_distorted_meshes),
      cmocka_unit_test(quadratic_fields_are_exact_on_quadratic_elements),
      cmocka_unit_test(linear_fields_are_exact_in_bodies_of_revolution),
      cmocka_unit_test(nodes_of_linear_elements_are_exact_in_a_layer),
      cmocka_unit_test(mass_is_in_balance),
      cmocka_unit_test(a_constant_is_carried_as_it_is),
      cmocka_unit_test(flux_is_what_flows_and_what_diffuses),
      cmocka_unit_test(a_source_on_a_part_acts_there_alone),
      cmocka_unit_test(cell_peclet_is_that_of_the_flow_through_the_cell),
      cmocka_unit_test(no_memory_is_survived_everywhere),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
