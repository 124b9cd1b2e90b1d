/* tests/assembly/t222_thermal.c - thermal strain: free bodies without stress, held ones with the known stress
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/internal.h"
#include "tests/assembly/solved_case.h"

static const double alpha = 1.25e-2, E = 210.0, nu = 0.3; /* of t_case_create, but alpha */

static bf_load *heat(t_case *c, bf_quantity T, double reference)
{
  c->material[0].alpha = alpha, c->material[0].has_alpha = 1;
  bf_load *l   = t_load(c, BF_LOAD_THERMAL);
  l->value[0]  = T;
  l->reference = reference;
  return l;
}

/* Holds the side x_k = 0 along x_k, for each k: the body is free to expand. */
static void three_planes(t_case *c)
{
  for (int d = 0; d < c->mesh->dim; d++) t_condition(c, BF_BC_SYMMETRY, t_sides + 2 * d, 1);
}

static double largest(const bf_field *f, bf_int n)
{
  double size = 0.0;
  for (int64_t i = 0; i < (int64_t)n * f->ncomp; i++) size = fmax(size, fabs(f->data[i]));
  return size;
}

/* Component k of a tensor field is v everywhere, to tol. */
static void is(const t_solved *r, const char *name, int k, double v, double tol)
{
  const bf_field *f = t_field(r, name);
  const bf_int    n = f->on_cells ? r->view->ncells : r->view->npoints;
  for (bf_int i = 0; i < n; i++) T_NEAR(f->data[f->ncomp * i + k], v, tol);
}

static void free_expansion_has_no_stress(void **state)
{
  (void)state;
  const double dT = 30.0, e0 = alpha * dT, size = E * e0;
  for (int t = 0; t < T_TYPES; t++)
    for (int formula = 0; formula < (bf_elem(t_types[t])->dim == 2 ? 4 : 3); formula++) {
      T_ONE_OF(7);
      /* 1: of the temperature; 2: of E too; 3: a body of revolution too */
      t_case   c;
      t_solved r;
      t_case_create(&c, BF_ELASTICITY, t_types[t], 2);
      t_distort(c.mesh, 0.1, 1);
      c.p.thickness = 0.5;
      if (formula >= 2) c.material[0].E = t_formula("210*(1 + x*y)");
      if (formula == 3) c.p.space = BF_SPACE_AXISYMMETRIC, c.p.thickness = 1.0;
      three_planes(&c);
      heat(&c, formula ? t_formula("50 + 0*x") : t_number(50.0), 20.0);
      t_solve_case(&c, &r);
      for (bf_int v = 0; v < c.mesh->nnodes; v++)
        for (int k = 0; k < c.mesh->dim; k++)
          T_NEAR(r.x[r.s.num->row[v] * c.mesh->dim + k], e0 * c.mesh->x[3 * v + k], 1e-12 * 2.0);
      const char *const stress[] = {"stress", "stress_nodal", "von_mises", "von_mises_max_ip",
                                    "von_mises_nodal"};
      for (int k = 0; k < 5; k++) {
        const bf_field *f = t_field(&r, stress[k]);
        T_LE(largest(f, f->on_cells ? r.view->ncells : r.view->npoints),
             1e-12 * size * (1.0 + 2.0 * (formula >= 2)));
      }
      for (int k = 0; k < 3; k++) is(&r, "strain", k, e0, 1e-12);
      T_LE(fabs(r.out.applied[0]) + fabs(r.out.applied[1]), 1e-11 * size); /* no force of its own */
      T_LE(r.out.balance, 1e-12);
      T_LE(r.out.moment_balance, 1e-12);
      t_solved_clear(&c, &r);
    }
}

/* u = 0 on all sides, T uniform: sigma = -E a/(1-2nu) in 3D, -E a/(1-nu) in plane stress. */
static void a_fully_held_body_has_the_stress_of_its_strain(void **state)
{
  (void)state;
  const double a = alpha * -40.0; /* cooled */
  for (int t = 0; t < T_TYPES; t++)
    for (int deep = 0; deep < 2; deep++) {
      T_ONE_OF(7);
      t_case   c;
      t_solved r;
      t_case_create(&c, BF_ELASTICITY, t_types[t], 2);
      t_distort(c.mesh, 0.1, 0); /* on curved sides only free bodies are exact: their nodal forces vanish */
      const int solid = c.mesh->dim == 3;
      if (!solid && deep) c.p.space = BF_SPACE_PLANE_STRAIN;
      t_condition(&c, BF_BC_FIXED, t_sides, t_nsides(&c));
      heat(&c, t_number(-40.0), 0.0);
      t_solve_case(&c, &r);
      const double s = -E * a / (solid || deep ? 1.0 - 2.0 * nu : 1.0 - nu), tol = 1e-12 * fabs(s);
      for (int k = 0; k < 2; k++) is(&r, "stress", k, s, tol);
      is(&r, "stress", 2, solid || deep ? s : 0.0, tol);
      is(&r, "stress_nodal", 2, solid || deep ? s : 0.0, 10.0 * tol);
      is(&r, "strain", 2, solid || deep ? 0.0 : a * (1.0 + nu) / (1.0 - nu), 1e-12);
      for (int k = 3; k < 6; k++) is(&r, "stress", k, 0.0, tol);
      T_LE(r.out.balance, 1e-12);
      t_solved_clear(&c, &r);
    }
}

/* A bar between two walls, free at its sides: sigma_xx = -E alpha dT; plane strain: sigma_xx = -E a/(1-nu) =
 * zz. */
static void a_bar_between_walls_is_exact(void **state)
{
  (void)state;
  const double a = alpha * 25.0;
  for (int t = 0; t < T_TYPES; t++)
    for (int deep = 0; deep < 2; deep++) {
      T_ONE_OF(7);
      t_case   c;
      t_solved r;
      t_case_create(&c, BF_ELASTICITY, t_types[t], 2);
      t_distort(c.mesh, 0.05, 0);
      const int plane = c.mesh->dim == 2 && deep;
      if (plane) c.p.space = BF_SPACE_PLANE_STRAIN;
      three_planes(&c);
      t_condition(&c, BF_BC_SYMMETRY, t_x_max, 1);
      heat(&c, t_number(45.0), 20.0);
      t_solve_case(&c, &r);
      const double s = -E * a / (plane ? 1.0 - nu : 1.0), tol = 1e-12 * fabs(s);
      is(&r, "stress", 0, s, tol);
      is(&r, "stress", 1, 0.0, tol);
      is(&r, "stress", 2, plane ? s : 0.0, tol);
      is(&r, "von_mises", 0, fabs(s), 2.0 * tol);
      T_NEAR(r.out.reaction[r.out.nreactions - 1].value[0], s, 1e-11 * fabs(s)); /* x_max, area 1 */
      T_LE(r.out.balance, 1e-12);
      t_solved_clear(&c, &r);
    }
}

/* Plane strain without holds in the plane: sigma_zz = -E a, u = (1+nu) a x. */
static void free_plane_strain_is_held_across_only(void **state)
{
  (void)state;
  const double a = alpha * 25.0;
  for (int t = 0; t < 4; t++) {
    t_case   c;
    t_solved r;
    t_case_create(&c, BF_ELASTICITY, t_types[t], 2);
    t_distort(c.mesh, 0.1, 1);
    c.p.space = BF_SPACE_PLANE_STRAIN;
    three_planes(&c);
    heat(&c, t_number(25.0), 0.0);
    t_solve_case(&c, &r);
    is(&r, "stress", 0, 0.0, 1e-12 * E * a);
    is(&r, "stress", 1, 0.0, 1e-12 * E * a);
    is(&r, "stress", 2, -E * a, 1e-12 * E * a);
    is(&r, "von_mises_nodal", 0, E * a, 1e-11 * E * a);
    is(&r, "strain", 0, (1.0 + nu) * a, 1e-12);
    t_solved_clear(&c, &r);
  }
}

/* T linear in y, quadratic elements: a free bar bends, u_x = alpha g x y, without stress. */
static void a_linear_temperature_bends_a_free_bar_without_stress(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++) {
    T_ONE_OF(3);
    t_case   c;
    t_solved r;
    if (bf_elem(t_types[t])->order == 1) continue;
    t_case_create(&c, BF_ELASTICITY, t_types[t], 2);
    const int dim = c.mesh->dim;
    /* u = g alpha (x y, (y^2 - x^2 - z^2)/2, y z): eps = g alpha y in every direction, no shear */
    bf_boundary *b = t_condition(&c, BF_BC_DISPLACEMENT, t_x_min, 1);
    b->given[0] = b->given[1] = b->given[2] = dim == 3;
    b->given[0] = b->given[1] = 1;
    b->value[0]               = t_number(0.0);
    b->value[1]               = t_formula(dim == 3 ? "0.5*0.05*(y^2 - z^2)" : "0.5*0.05*y^2");
    b->value[2]               = t_formula("0.05*y*z");
    heat(&c, t_formula("7 + 4*y"), 7.0); /* alpha 4 y = 0.05 y */
    t_solve_case(&c, &r);
    T_LE(largest(t_field(&r, "stress"), r.view->ncells), 1e-11 * E);
    for (bf_int v = 0; v < c.mesh->nnodes; v++) {
      const double *x = c.mesh->x + 3 * v;
      T_NEAR(r.x[r.s.num->row[v] * dim], 0.05 * x[0] * x[1], 1e-12);
    }
    t_solved_clear(&c, &r);
  }
}

/* Left half at 10, right half at 30, of different materials, as two loads. */
static void each_group_has_its_own_temperature_and_material(void **state)
{
  (void)state;
  for (int formula = 0; formula < 2; formula++) {
    t_case   c;
    t_solved r;
    bf_group half[2], *kept;
    bf_name  name[2];
    t_case_create(&c, BF_ELASTICITY, BF_HEX8, 3); /* 4 cells along x: the cut is at 1 */
    t_split_materials(&c, half, name);
    bf_group  all[16];
    const int ngroups = c.mesh->ngroups;
    kept              = c.mesh->group;
    memcpy(all, kept, (size_t)ngroups * sizeof *all);
    memcpy(all + ngroups, half, sizeof half);
    c.mesh->group = all, c.mesh->ngroups = ngroups + 2;
    for (int k = 0; k < 2; k++) {
      c.material[k].nu    = 0.0; /* one-dimensional */
      c.material[k].alpha = k ? 0.002 : 0.01, c.material[k].has_alpha = 1;
      c.material[k].E = k && formula ? t_formula("420") : t_number(k ? 420.0 : 210.0);
      bf_load *l      = t_load(&c, BF_LOAD_THERMAL);
      l->ngroups = 1, l->group = &name[k];
      l->value[0] = t_number(k ? 30.0 : 10.0);
    }
    t_condition(&c, BF_BC_SYMMETRY, t_x_min, 1);
    t_condition(&c, BF_BC_SYMMETRY, t_x_max, 1);
    bf_boundary *b = t_condition(&c, BF_BC_DISPLACEMENT, t_sides + 2, 4); /* no u_y, u_z on the sides */
    b->given[1] = b->given[2] = 1;
    t_solve_case(&c, &r);
    /* s/210 + 0.1 + s/420 + 0.06 = 0 */
    const double s = -0.16 / (1.0 / 210.0 + 1.0 / 420.0);
    is(&r, "stress", 0, s, 1e-12 * fabs(s));
    T_NEAR(r.out.reaction[1].value[0], s, 1e-11 * fabs(s));
    for (bf_int i = 0; i < r.view->ncells; i++) { /* held across */
      const int k = r.view->elem[i] == half[1].elem[0];
      if (k) T_NEAR(t_field(&r, "stress")->data[6 * i + 1], -420.0 * 0.06, 1e-10);
    }
    c.mesh->group = kept, c.mesh->ngroups = ngroups;
    for (int k = 0; k < 2; k++) bf_host_free(half[k].elem);
    t_solved_clear(&c, &r);
  }
}

static void refused(t_case *c, int code, const char *part)
{
  bf_diags  diags = {0};
  bf_model *m     = NULL;
  T_ERR(code == 107 ? BF_E_INPUT : BF_E_MODEL, bf_model_create(c->mesh, t_problem(c), &diags, &m));
  assert_int_equal(diags.errors, 1);
  assert_int_equal(diags.item[0].code, code);
  T_CONTAINS(diags.item[0].text, part);
  bf_diags_clear(&diags);
}

static void wrong_thermal_loads_are_refused(void **state)
{
  (void)state;
  t_case c;
  t_case_create(&c, BF_ELASTICITY, BF_QUAD4, 2);
  three_planes(&c);
  bf_load *l              = heat(&c, t_number(5.0), 0.0);
  c.material[0].has_alpha = 0;
  refused(&c, 304, "thermal expansion of material 'steel' (line 4): add alpha");
  c.material[0].has_alpha = 1;
  l->value[0]             = t_formula("1/(x-x)");
  refused(&c, 319, "value of thermal: formula '1/(x-x)' is inf at (");
  l->value[0]         = t_number(5.0);
  c.material[0].alpha = (double)NAN;
  refused(&c, 303, "alpha");
  heat(&c, t_number(6.0), 0.0);
  refused(&c, 302, "; the first was set in line 40");
  t_case_clear(&c);
  t_case_create(&c, BF_HEAT, BF_QUAD4, 2);
  t_condition(&c, BF_BC_TEMPERATURE, t_x_max, 1)->value[0] = t_number(1.0);
  heat(&c, t_number(5.0), 0.0);
  refused(&c, 107, "load 'thermal' does not belong to heat");
  t_case_clear(&c);
}

static void a_failed_allocation_leaks_nothing(void **state)
{
  (void)state;
  T_LONG;
  t_case c;
  t_case_create(&c, BF_ELASTICITY, BF_HEX8, 1);
  c.material[0].E = t_formula("1 + x");
  three_planes(&c);
  heat(&c, t_formula("x*y"), 1.0);
  assert_true(t_fail_everywhere(&c) > 60);
  t_case_clear(&c);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(free_expansion_has_no_stress),
      cmocka_unit_test(a_fully_held_body_has_the_stress_of_its_strain),
      cmocka_unit_test(a_bar_between_walls_is_exact),
      cmocka_unit_test(free_plane_strain_is_held_across_only),
      cmocka_unit_test(a_linear_temperature_bends_a_free_bar_without_stress),
      cmocka_unit_test(each_group_has_its_own_temperature_and_material),
      cmocka_unit_test(wrong_thermal_loads_are_refused),
      cmocka_unit_test(a_failed_allocation_leaks_nothing),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
