/* tests/assembly/gfem/t262_gfem_solid.c - plane elasticity with generalised finite elements: Timoshenko's
 * cantilever, moments and forces in balance, fields and probes
 *
 * L = 8, D = 2, E = 1000, nu = 0.3, plane stress, P = 2: exact displacements on x = 0, exact shear on x = L.
 *     u = P y' / (6 E I) ((6 L - 3 x) x + (2 + nu)(y'^2 - D^2/4)),
 *     v = -P / (6 E I) (3 nu y'^2 (L - x) + (4 + 5 nu) D^2 x / 4 + (3 L - x) x^2),  y' = y - 1, I = D^3/12
 * Source: Timoshenko and Goodier, Theory of Elasticity, sec. 21.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/assembly/gfem/gfem_case.h"

static const double E = 1000.0, nu = 0.3, P = 2.0, L = 8.0, D = 2.0, I = 8.0 / 12.0;

static void exact(const double *x, double *u, double (*g)[2])
{
  const double y = x[1] - 1.0, c = P / (6.0 * E * I), a = x[0];
  u[0]    = c * y * ((6.0 * L - 3.0 * a) * a + (2.0 + nu) * (y * y - D * D / 4.0));
  g[0][0] = c * y * (6.0 * L - 6.0 * a);
  g[0][1] = c * ((6.0 * L - 3.0 * a) * a + (2.0 + nu) * (3.0 * y * y - D * D / 4.0));
  u[1]    = -c * (3.0 * nu * y * y * (L - a) + (4.0 + 5.0 * nu) * D * D * a / 4.0 + (3.0 * L - a) * a * a);
  g[1][0] = -c * (-3.0 * nu * y * y + (4.0 + 5.0 * nu) * D * D / 4.0 + 6.0 * L * a - 3.0 * a * a);
  g[1][1] = -c * 6.0 * nu * y * (L - a);
}

static const bf_name x_min[] = {{.name = "x_min"}}, x_max[] = {{.name = "x_max"}};

/* n elements across, 4n along; kind 3: irregular triangles. */
static void cantilever(t_gfem *t, bf_elem_type type, int irregular, bf_int n, int order)
{
  t_gfem_create(t, BF_ELASTICITY, type, L, D, 4 * n, n, order);
  if (irregular) t_gfem_delaunay(t, D / n, 3);
  bf_boundary *b = t_condition(&t->c, BF_BC_DISPLACEMENT, x_min, 1);
  b->given[0] = b->given[1] = 1;
  b->value[0]               = t_formula("0.0005*(y-1)*((48-3*x)*x+2.3*((y-1)^2-1))");
  b->value[1]               = t_formula("-0.0005*(0.9*(y-1)^2*(8-x)+5.5*x+(24-x)*x^2)");
  b                         = t_condition(&t->c, BF_BC_TRACTION, x_max, 1);
  b->value[0]               = t_number(0.0);
  b->value[1]               = t_formula("-1.5*(1-(y-1)^2)"); /* P/2I (D^2/4 - y^2), downwards */
  b->value[2]               = t_number(0.0);
}

static void the_cantilever_is_exact_at_order_three(void **state)
{
  (void)state;
  T_LONG_CHAINS;
  for (int k = 0; k < 3; k++) {
    T_ONE_OF(3);
    t_gfem t;
    cantilever(&t, k == 1 ? BF_QUAD4 : BF_TRI3, k == 2, 8, 3);
    t_gfem_solve(&t, T_BDIA_HALF, 1e-14);
    const t_rel e = t_gfem_errors(&t, 6, exact);
    print_message("case %d: L2 %.2e energy %.2e\n", k, e.l2, e.h1);
    T_LE(e.l2, 1e-10);
    T_LE(e.h1, 1e-10);
    t_gfem_clear(&t);
  }
}

/* Section 2.5 of the reference numbers. */
static void errors_of_the_cantilever_are_those_of_the_reference(void **state)
{
  (void)state;
  T_LONG;
  static const struct {
    bf_elem_type type;
    int          order;
    double       l2, energy;
  } expect[] = {{BF_TRI3, 1, 1.27e-2, 1.13e-1},
                {BF_TRI3, 2, 2.65e-6, 1.27e-3},
                {BF_QUAD4, 1, 1.82e-3, 4.45e-2},
                {BF_QUAD4, 2, 3.75e-6, 7.24e-4}};
  for (int k = 0; k < 4; k++) {
    t_gfem t;
    cantilever(&t, expect[k].type, 0, 16, expect[k].order);
    t_gfem_solve(&t, T_CSR, 1e-13);
    const t_rel e = t_gfem_errors(&t, expect[k].order + 3, exact);
    T_NEAR(e.l2 / expect[k].l2, 1.0, 0.01);
    T_NEAR(e.h1 / expect[k].energy, 1.0, 0.01);
    t_gfem_clear(&t);
  }
}

static const bf_field *field(const bf_solution *s, const char *name)
{
  for (int i = 0; i < s->nfields; i++)
    if (strcmp(s->field[i].name, name) == 0) return &s->field[i];
  fail_msg("no field %s", name);
  return NULL;
}

/* At order 3 the fields of the cantilever are exact too: everywhere, not at nodes alone. */
static void fields_probes_and_integrals_use_the_wide_shape_functions(void **state)
{
  (void)state;
  T_LONG_CHAINS;
  for (int k = 0; k < 2; k++) {
    t_gfem      t;
    bf_solution s    = {0};
    bf_view    *view = NULL;
    double      v[9], u[2], g[2][2], sum;
    cantilever(&t, k ? BF_QUAD4 : BF_TRI3, 0, 6, 3);
    t_gfem_solve(&t, T_CSR, 1e-14);
    T_OK(bf_view_create(t.c.mesh, bf_model_region(t.m), &view));
    T_OK(bf_model_recover(t.m, t.num, t_be, view, t.row, NULL, &s));
    const double at[3] = {3.217, 1.433, 0.0};
    exact(at, u, g);
    T_OK(bf_model_probe(t.m, view, field(&s, "displacement"), at, v));
    T_NEAR(v[0], u[0], 1e-11);
    T_NEAR(v[1], u[1], 1e-11);
    T_OK(bf_model_probe(t.m, view, field(&s, "stress_nodal"), at, v));
    T_NEAR(v[0], P * (L - at[0]) * (at[1] - 1.0) / I, 1e-8);
    T_NEAR(v[3], -P / (2.0 * I) * (1.0 - (at[1] - 1.0) * (at[1] - 1.0)), 1e-8);
    const bf_field *nodal = field(&s, "stress_nodal");
    for (bf_int p = 0; p < view->npoints; p++) {
      const double *x = t.c.mesh->x + 3 * view->node[p];
      T_NEAR(nodal->data[6 * p], P * (L - x[0]) * (x[1] - 1.0) / I, 1e-8);
      T_NEAR(nodal->data[6 * p + 1], 0.0, 1e-8);
    }
    T_OK(bf_model_integral(t.m, view, field(&s, "displacement"), 1, NULL, &sum));
    /* of v over the beam: y'^2 has the mean 1/3; x and x^2 are integrals of powers */
    const double c    = -P / (6.0 * E * I),
                 want = c * (3.0 * nu * (2.0 / 3.0) * L * L / 2.0 + 2.0 * ((4.0 + 5.0 * nu) * L * L / 2.0) +
                             2.0 * (L * L * L * L - L * L * L * L / 4.0));
    T_NEAR(sum, want, 1e-9 * fabs(want));
    T_OK(bf_model_integral(t.m, view, field(&s, "displacement"), 1, "x_max", &sum));
    T_NEAR(sum, c * 2.0 * ((4.0 + 5.0 * nu) * L + 2.0 * L * L * L), 1e-9 * fabs(sum));
    T_LE(s.balance, 1e-9);
    T_LE(s.moment_balance, 1e-9);
    assert_int_equal(s.nreactions, 1);
    T_NEAR(s.reaction[0].value[0], 0.0, 1e-9);
    T_NEAR(s.reaction[0].value[1], P, 1e-9);
    bf_solution_clear(&s);
    bf_view_destroy(&view);
    t_gfem_clear(&t);
  }
}

/* Gravity, pressure and symmetry: a column under its weight and a pressure, u_y quadratic, exact at order 2.
 */
static void gravity_pressure_and_symmetry_are_exact_where_the_solution_is(void **state)
{
  (void)state;
  static const bf_name bottom[] = {{.name = "y_min"}}, left[] = {{.name = "x_min"}},
                       top[] = {{.name = "y_max"}};
  for (int k = 0; k < 2; k++) {
    t_gfem       t;
    const bf_int n = t_quick() == 2 ? 4 : 7;
    t_gfem_create(&t, BF_ELASTICITY, k ? BF_QUAD4 : BF_TRI3, 1.0, 1.0, n, n, 2);
    t.c.material[0].nu      = 0.0;
    t.c.material[0].rho     = 3.0;
    t.c.material[0].has_rho = 1;
    t_condition(&t.c, BF_BC_SYMMETRY, bottom, 1);
    t_condition(&t.c, BF_BC_SYMMETRY, left, 1);
    t_condition(&t.c, BF_BC_PRESSURE, top, 1)->value[0] = t_number(5.0);
    t_load(&t.c, BF_LOAD_GRAVITY)->value[1]             = t_number(-10.0);
    t_gfem_solve(&t, k ? T_BDIA_HALF : T_CSR, 1e-14);
    for (bf_int v = 0; v < t.c.mesh->nnodes; v++) { /* E v' = -5 - 30 (1 - y) */
      const double y = t.c.mesh->x[3 * v + 1];
      T_NEAR(t.u[2 * v], 0.0, 1e-13);
      T_NEAR(t.u[2 * v + 1], (-35.0 * y + 15.0 * y * y) / E, 1e-13);
    }
    t_gfem_clear(&t);
  }
}

int main(int argc, char **argv)
{
  const int code = t_backend_open(argc, argv);
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_cantilever_is_exact_at_order_three),
      cmocka_unit_test(errors_of_the_cantilever_are_those_of_the_reference),
      cmocka_unit_test(fields_probes_and_integrals_use_the_wide_shape_functions),
      cmocka_unit_test(gravity_pressure_and_symmetry_are_exact_where_the_solution_is),
  };
  return t_backend_close(T_RUN(tests));
}
