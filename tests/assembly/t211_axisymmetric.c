/* tests/assembly/t211_axisymmetric.c - bodies of revolution: exact fields, forces of the whole turn, the axis
 *
 * Closed forms by the theorems of Pappus and the books on thick cylinders; rates of convergence: t240. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/assembly/model_case.h"

static const double a = 0.4, b = -0.7, c = 0.2, pi = 3.14159265358979323846;

/* Rectangle 2 x 1 with its left side at r = inner. */
static void create(t_case *t, bf_physics physics, bf_elem_type type, bf_int cells, double inner)
{
  t_case_create(t, physics, type, cells);
  t->p.space = BF_SPACE_AXISYMMETRIC;
  for (bf_int v = 0; v < t->mesh->nnodes; v++) t->mesh->x[3 * v] += inner;
}

static const bf_name y_sides[] = {{.name = "y_min"}, {.name = "y_max"}},
                     x_sides[] = {{.name = "x_min"}, {.name = "x_max"}};

/* u = (a r, b y + c) has the strains a, b, a (hoop): one stress, in balance without a load. */
static void constant_strains_are_exact_on_distorted_meshes(void **state)
{
  (void)state;
  double worst = 0.0;
  for (int k = 0; k < T_TYPES; k++)
    for (int inner = 0; inner < 2; inner++)
      for (int format = 0; format < T_FORMATS; format++) {
        T_ONE_OF(7);
        t_case  t;
        double *u = NULL;
        if (bf_elem(t_types[k])->dim == 3) continue;
        create(&t, BF_ELASTICITY, t_types[k], 2, inner);
        t_distort(t.mesh, 0.12, 1);
        bf_boundary *round = t_condition(&t, BF_BC_DISPLACEMENT, t_sides, 4);
        round->given[0] = round->given[1] = 1;
        round->value[0]                   = t_formula("0.4*x");
        round->value[1]                   = t_formula("-0.7*y + 0.2");
        t_solve(&t, (t_format)format, &u);
        for (bf_int v = 0; v < t.mesh->nnodes; v++) {
          const double *x = t.mesh->x + 3 * v;
          worst           = fmax(worst, fmax(fabs(u[2 * v] - a * x[0]), fabs(u[2 * v + 1] - b * x[1] - c)));
        }
        if (!(worst <= 1e-11)) fail_msg("%s, format %d: %g", bf_elem(t_types[k])->name, format, worst);
        bf_host_free(u);
        t_case_clear(&t);
      }
  print_message("largest error: %.2e\n", worst);
}

/* Recovered fields of the case's own solution. */
static void recover(t_case *t, bf_model **m, t_system *s, bf_view **view, bf_solution *out)
{
  double *u = NULL;
  *m        = t_model(t);
  t_assemble(t, *m, T_CSR, s);
  T_OK(BF_NEW_ARRAY(u, s->n));
  t_cholesky(s->n, s->dense, s->rhs, u);
  T_OK(bf_view_create(t->mesh, bf_model_region(*m), view));
  T_OK(bf_model_recover(*m, s->num, t_be, *view, u, NULL, out));
  bf_host_free(u);
}

static void release(t_case *t, bf_model **m, t_system *s, bf_view **view, bf_solution *out)
{
  bf_solution_clear(out);
  bf_view_destroy(view);
  t_system_clear(s);
  bf_model_destroy(m);
  t_case_clear(t);
}

static const bf_field *field(const bf_solution *s, const char *name)
{
  for (int i = 0; i < s->nfields; i++)
    if (strcmp(s->field[i].name, name) == 0) return &s->field[i];
  fail_msg("no field '%s'", name);
  return NULL;
}

/* A tube of radii 1 and 3 pulled along its axis by the traction p: stress (0, p, 0), strains (-nu p, p, -nu
 * p)/E, and the force of the whole ring, pi (9 - 1) p. */
static void a_pulled_tube_has_the_force_of_the_whole_ring(void **state)
{
  (void)state;
  for (int k = 0; k < T_TYPES; k++) {
    T_ONE_OF(3);
    t_case      t;
    bf_model   *m;
    t_system    s;
    bf_view    *view;
    bf_solution out = {0};
    if (bf_elem(t_types[k])->dim == 3) continue;
    create(&t, BF_ELASTICITY, t_types[k], 2, 1.0);
    t_distort(t.mesh, 0.12, 0);
    const double p = 5.0, force = pi * 8.0 * p, E = 210.0, nu = 0.3, r2 = pi * (27.0 - 1.0) * 2.0 / 3.0;
    t_condition(&t, BF_BC_TRACTION, y_sides + 1, 1)->value[1] = t_number(p);
    bf_boundary *foot = t_condition(&t, BF_BC_DISPLACEMENT, y_sides, 1);
    foot->given[1]    = 1;
    recover(&t, &m, &s, &view, &out);
    const bf_field *strain = field(&out, "strain"), *stress = field(&out, "stress");
    const double    e[6] = {-nu * p / E, p / E, -nu * p / E, 0, 0, 0}, sig[6] = {0, p, 0, 0, 0, 0};
    for (bf_int i = 0; i < view->ncells; i++)
      for (int j = 0; j < 6; j++) {
        T_NEAR(strain->data[6 * i + j], e[j], 1e-13);
        T_NEAR(stress->data[6 * i + j], sig[j], 1e-11);
      }
    T_NEAR(out.applied[1], force, 1e-11 * force);
    T_NEAR(out.reaction[0].value[1], -force, 1e-11 * force);
    T_LE(out.balance, 1e-12);
    assert_true(out.applied[0] == 0.0 && out.moment_balance == 0.0);
    double volume = 0.0, top = 0.0,
           ur = 0.0; /* stress yy over the body, the displacement over body and top */
    T_OK(bf_model_integral(m, view, stress, 1, NULL, &volume));
    T_OK(bf_model_integral(m, view, field(&out, "displacement"), 1, "y_max", &top));
    T_OK(bf_model_integral(m, view, field(&out, "displacement"), 0, NULL, &ur));
    T_NEAR(volume, force, 1e-11 * force); /* height 1 */
    T_NEAR(top, p / E * pi * 8.0, 1e-12);
    T_NEAR(ur, -nu * p / E * r2, 1e-12); /* integral of r over the tube */
    release(&t, &m, &s, &view, &out);
  }
}

/* Pressure q inside a tube of radii 1 and 3 held at its ends (Lame): u_r = A r + B/r,
 * A = (1+nu)(1-2nu) q/(8E), B = (1+nu) 9 q/(8E). */
static void a_thick_cylinder_under_pressure_is_that_of_lame(void **state)
{
  (void)state;
  t_case      t;
  bf_model   *m;
  t_system    s;
  bf_view    *view;
  bf_solution out = {0};
  create(&t, BF_ELASTICITY, BF_QUAD8, 6, 1.0);
  const double q = 5.0, E = 210.0, nu = 0.3, A = (1 + nu) * (1 - 2 * nu) * q / (8 * E),
               B                                        = (1 + nu) * 9 * q / (8 * E);
  t_condition(&t, BF_BC_PRESSURE, x_sides, 1)->value[0] = t_number(q);
  bf_boundary *ends                                     = t_condition(&t, BF_BC_DISPLACEMENT, y_sides, 2);
  ends->given[1]                                        = 1;
  recover(&t, &m, &s, &view, &out);
  const bf_field *u = field(&out, "displacement"), *stress = field(&out, "stress_nodal");
  for (bf_int i = 0; i < view->npoints; i++) {
    const double r = t.mesh->x[3 * view->node[i]];
    T_NEAR(u->data[3 * i], A * r + B / r, 1e-3 * B);
    T_NEAR(u->data[3 * i + 1], 0.0, 1e-12);
    if (r < 1.5) continue; /* extrapolated linearly: near the bore 1/r^2 is not */
    T_NEAR(stress->data[6 * i], q / 8.0 * (1.0 - 9.0 / (r * r)), 0.02 * q);
    T_NEAR(stress->data[6 * i + 2], q / 8.0 * (1.0 + 9.0 / (r * r)), 0.02 * q);
    T_NEAR(stress->data[6 * i + 1], 2.0 * nu * q / 8.0, 0.02 * q);
  }
  T_NEAR(out.reaction[0].value[1] + out.reaction[1].value[1], 0.0, 1e-10 * q);
  T_NEAR(out.reaction[1].value[1], pi * 8.0 * 2.0 * nu * q / 8.0, 2e-3 * q); /* axial stress times the ring */
  release(&t, &m, &s, &view, &out);
}

/* T = 100 (1 - ln(r)/ln 3) and the heat 2 pi k L 100/ln 3 through the wall, k also by a formula; convection
 * at the outer side instead of its temperature. */
static void heat_through_a_wall_of_revolution_is_logarithmic(void **state)
{
  (void)state;
  for (int way = 0; way < 3; way++) {
    t_case      t;
    bf_model   *m;
    t_system    s;
    bf_view    *view;
    bf_solution out = {0};
    create(&t, BF_HEAT, BF_QUAD8, 6, 1.0);
    if (way == 1) t.material[0].k = t_formula("3 + 0*x");
    const double heat = 2.0 * pi * 3.0 * 100.0 / log(3.0), h = 20.0;
    t_condition(&t, BF_BC_TEMPERATURE, x_sides, 1)->value[0] = t_number(100.0);
    if (way < 2)
      t_condition(&t, BF_BC_TEMPERATURE, x_sides + 1, 1)->value[0] = t_number(0.0);
    else { /* the heat leaves through 2 pi 3 h (T - ambient) with T = 0 there */
      bf_boundary *robin = t_condition(&t, BF_BC_CONVECTION, x_sides + 1, 1);
      robin->h           = t_number(h);
      robin->ambient     = t_number(-heat / (2.0 * pi * 3.0 * h));
    }
    recover(&t, &m, &s, &view, &out);
    const bf_field *T = field(&out, "temperature");
    for (bf_int i = 0; i < view->npoints; i++)
      T_NEAR(T->data[i], 100.0 * (1.0 - log(t.mesh->x[3 * view->node[i]]) / log(3.0)), 0.02);
    T_NEAR(out.reaction[0].value[0], heat, 1e-3 * heat);
    T_LE(out.balance, 1e-11);
    release(&t, &m, &s, &view, &out);
  }
}

/* E of the model that must be refused: code and words. */
static void refused(t_case *t, int code, const char *words)
{
  bf_diags  diags = {0};
  bf_model *m     = NULL;
  assert_true(bf_model_create(t->mesh, t_problem(t), &diags, &m) != BF_OK);
  assert_int_equal(diags.errors, 1);
  assert_int_equal(diags.item[0].code, code);
  T_CONTAINS(diags.item[0].text, words);
  bf_diags_clear(&diags);
  t_case_clear(t);
}

static void only_the_translation_along_the_axis_is_a_rigid_motion(void **state)
{
  (void)state;
  t_case t;
  create(&t, BF_ELASTICITY, BF_TRI6, 2, 1.0);
  refused(&t, 301, "1 rigid-body mode remains: translation y; add a boundary {type: displacement, y: 0}");
  create(&t, BF_ELASTICITY, BF_TRI6, 2, 1.0);
  t_condition(&t, BF_BC_DISPLACEMENT, x_sides, 1)->given[0] = 1; /* the radius alone does not hold it */
  refused(&t, 301, "1 rigid-body mode remains: translation y");
}

static void nothing_may_lie_across_the_axis_or_leave_it(void **state)
{
  (void)state;
  t_case t;
  create(&t, BF_HEAT, BF_QUAD4, 2, -0.5);
  t_condition(&t, BF_BC_TEMPERATURE, y_sides, 1);
  refused(&t, 313, "node 1 (-0.5, 0)");
  create(&t, BF_ELASTICITY, BF_QUAD4, 2, 0.0);
  bf_boundary *left = t_condition(&t, BF_BC_DISPLACEMENT, x_sides, 1);
  left->given[0] = left->given[1] = 1;
  left->value[0]                  = t_number(0.01);
  refused(&t, 313, "lies on the axis");
  create(&t, BF_ELASTICITY, BF_QUAD4, 2, 1.0);
  t_condition(&t, BF_BC_FIXED, y_sides, 1);
  t_load(&t, BF_LOAD_GRAVITY)->value[0] = t_number(-9.81);
  refused(&t, 307, "gravity across the axis");
}

/* The weight of a full cylinder of radius 2 and height 1 on its foot: rho g pi 4. */
static void gravity_along_the_axis_weighs_the_whole_body(void **state)
{
  (void)state;
  for (int k = 0; k < T_TYPES; k++) {
    T_ONE_OF(3);
    t_case      t;
    bf_model   *m;
    t_system    s;
    bf_view    *view;
    bf_solution out = {0};
    if (bf_elem(t_types[k])->dim == 3) continue;
    create(&t, BF_ELASTICITY, t_types[k], 2, 0.0);
    t_condition(&t, BF_BC_FIXED, y_sides, 1);
    t_load(&t, BF_LOAD_GRAVITY)->value[1] = t_number(-10.0);
    recover(&t, &m, &s, &view, &out);
    T_NEAR(out.reaction[0].value[1], 7.5 * 10.0 * pi * 4.0, 1e-9);
    const bf_field *u = field(&out, "displacement");
    for (bf_int i = 0; i < view->npoints; i++) /* the axis is held without a condition */
      if (t.mesh->x[3 * view->node[i]] == 0.0) assert_true(u->data[3 * i] == 0.0);
    release(&t, &m, &s, &view, &out);
  }
}

/* A free tube heated by 50: u = alpha 50 (r, y), no stress.  Standing on springs of 40 N/m3 under its own
 * weight it sinks by the weight over 40, integrated over the ring of its foot. */
static void heated_and_sprung_bodies_are_exact_too(void **state)
{
  (void)state;
  for (int k = 0; k < T_TYPES; k++)
    for (int heated = 0; heated < 2; heated++) {
      T_ONE_OF(7);
      t_case      t;
      bf_model   *m;
      t_system    s;
      bf_view    *view;
      bf_solution out = {0};
      if (bf_elem(t_types[k])->dim == 3) continue;
      create(&t, BF_ELASTICITY, t_types[k], 2, 1.0);
      bf_boundary *foot = t_condition(&t, BF_BC_SPRING, y_sides, 1);
      foot->given[1]    = 1;
      foot->value[1]    = t_number(40.0);
      bf_load *load     = t_load(&t, heated ? BF_LOAD_THERMAL : BF_LOAD_GRAVITY);
      if (heated) {
        t_distort(t.mesh, 0.12, 0);
        t.material[0].alpha     = 1e-3;
        t.material[0].has_alpha = 1;
        load->value[0]          = t_number(70.0);
        load->reference         = 20.0;
      } else
        load->value[1] = t_number(-10.0);
      recover(&t, &m, &s, &view, &out);
      const bf_field *u = field(&out, "displacement"), *stress = field(&out, "stress");
      for (bf_int i = 0; i < view->npoints && heated; i++) {
        const double *x = t.mesh->x + 3 * view->node[i];
        T_NEAR(u->data[3 * i], 0.05 * x[0], 1e-11);
        T_NEAR(u->data[3 * i + 1], 0.05 * x[1], 1e-11);
      }
      for (bf_int i = 0; i < 6 * view->ncells && heated; i++) T_NEAR(stress->data[i], 0.0, 1e-9);
      double sunk = 0.0;
      T_OK(bf_model_integral(m, view, u, 1, "y_min", &sunk));
      T_NEAR(sunk, heated ? 0.0 : -75.0 * pi * 8.0 / 40.0, 1e-9);
      T_NEAR(out.reaction[0].value[1], heated ? 0.0 : 75.0 * pi * 8.0, 1e-8);
      release(&t, &m, &s, &view, &out);
    }
}

int main(int argc, char **argv)
{
  const int               code    = t_backend_open(argc, argv);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constant_strains_are_exact_on_distorted_meshes),
      cmocka_unit_test(a_pulled_tube_has_the_force_of_the_whole_ring),
      cmocka_unit_test(a_thick_cylinder_under_pressure_is_that_of_lame),
      cmocka_unit_test(heat_through_a_wall_of_revolution_is_logarithmic),
      cmocka_unit_test(only_the_translation_along_the_axis_is_a_rigid_motion),
      cmocka_unit_test(nothing_may_lie_across_the_axis_or_leave_it),
      cmocka_unit_test(heated_and_sprung_bodies_are_exact_too),
      cmocka_unit_test(gravity_along_the_axis_weighs_the_whole_body),
  };
  if (code) return code;
  return t_backend_close(T_RUN(tests));
}
