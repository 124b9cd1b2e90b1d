/* tests/assembly/t221_springs.c - elastic supports: exact solutions, what they hold, their reactions and the
 * balance
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/assembly/solved_case.h"

static const bf_name t_y_sides[] = {{.name = "y_min"}, {.name = "y_max"}};

static bf_boundary *spring(t_case *c, const bf_name *group, int ngroups, bf_quantity x, bf_quantity y,
                           bf_quantity z)
{
  bf_boundary *b = t_condition(c, BF_BC_SPRING, group, ngroups);
  b->value[0] = x, b->value[1] = y, b->value[2] = c->mesh->dim == 3 ? z : t_number(0.0);
  b->given[0] = b->given[1] = b->given[2] = 1;
  return b;
}

static void displaced(const t_case *c, const t_solved *r, const double a[3], double slope, double tol)
{
  const int D = bf_model_ncomp(r->m);
  for (bf_int v = 0; v < c->mesh->nnodes; v++)
    for (int k = 0; k < D; k++)
      T_NEAR(r->x[r->s.num->row[v] * D + k], a[k] + (k == 0 ? slope * c->mesh->x[3 * v] : 0.0), tol);
}

/* u_x = t/k + t/E x of a bar without lateral contraction. */
static void a_bar_on_springs_is_exact(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++)
    for (int formula = 0; formula < 2; formula++) {
      T_ONE_OF(7);
      t_case       c;
      t_solved     r;
      const double a[3] = {3.0 / 40.0, 0.0, 0.0};
      t_case_create(&c, BF_ELASTICITY, t_types[t], 2);
      t_distort(c.mesh, 0.05, 0);
      const double area = c.mesh->dim == 2 ? 0.25 : 1.0;
      c.p.thickness     = 0.25; /* not used in 3D */
      c.material[0].nu  = 0.0;
      spring(&c, t_x_min, 1, formula ? t_formula("40 + 0*y") : t_number(40.0), t_number(0.0), t_number(0.0));
      bf_boundary *guide = t_condition(&c, BF_BC_DISPLACEMENT, t_x_min, 1);
      guide->given[1] = guide->given[2]                     = c.mesh->dim == 3;
      guide->given[1]                                       = 1;
      t_condition(&c, BF_BC_TRACTION, t_x_max, 1)->value[0] = t_number(3.0);
      t_solve_case(&c, &r);
      displaced(&c, &r, a, 3.0 / 210.0, 1e-11);
      assert_int_equal(r.out.nreactions, 1);
      T_NEAR(r.out.reaction[0].value[0], -3.0 * area, 1e-11);
      T_NEAR(r.out.applied[0], 3.0 * area, 1e-12);
      T_NEAR(r.out.reacted[0], -3.0 * area, 1e-11);
      T_LE(r.out.balance, 1e-12);
      T_LE(r.out.moment_balance, 1e-12);
      t_solved_clear(&c, &r);
    }
}

/* A disc of radius 2 pressed along its axis onto springs: u_y = -t/k - t/E y, force t pi r^2 of the whole
 * turn.
 */
static void a_body_of_revolution_on_springs_is_exact(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++) {
    T_ONE_OF(3);
    t_case       c;
    t_solved     r;
    const double force = 3.0 * acos(-1.0) * 4.0;
    if (bf_elem(t_types[t])->dim == 3) continue;
    t_case_create(&c, BF_ELASTICITY, t_types[t], 2);
    t_distort(c.mesh, 0.05, 0);
    c.p.space = BF_SPACE_AXISYMMETRIC;
    spring(&c, t_y_sides, 1, t_number(0.0), t_formula("40 + 0*x"), t_number(0.0));
    t_condition(&c, BF_BC_TRACTION, t_y_sides + 1, 1)->value[1] = t_number(-3.0);
    t_solve_case(&c, &r);
    for (bf_int v = 0; v < c.mesh->nnodes; v++) {
      const double *x = c.mesh->x + 3 * v;
      T_NEAR(r.x[r.s.num->row[v] * 2], 0.3 * 3.0 / 210.0 * x[0], 1e-11);
      T_NEAR(r.x[r.s.num->row[v] * 2 + 1], -3.0 / 40.0 - 3.0 / 210.0 * x[1], 1e-11);
    }
    assert_int_equal(r.out.nreactions, 1);
    T_NEAR(r.out.reaction[0].value[1], force, 1e-11 * force);
    T_NEAR(r.out.reacted[1], force, 1e-11 * force);
    T_LE(r.out.balance, 1e-12);
    t_solved_clear(&c, &r);
  }
}

/* The load t = k w on the springs' own faces moves the whole body by w, whatever k is. */
static void a_load_on_the_springs_moves_the_body_as_a_whole(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++) {
    T_ONE_OF(3);
    t_case       c;
    t_solved     r;
    const double w[3] = {0.5, -2.0, 0.25};
    t_case_create(&c, BF_ELASTICITY, t_types[t], 2);
    t_distort(c.mesh, 0.05, 1);
    const int    solid = c.mesh->dim == 3;
    const double area  = solid ? 1.0 : 0.25;
    c.p.thickness      = 0.25; /* not used in 3D */
    spring(&c, t_y_sides, 2, t_formula("2 + x"), t_formula("if(x < 1, 3, 5)"), t_number(7.0));
    bf_boundary *f = t_condition(&c, BF_BC_TRACTION, t_y_sides, 2);
    f->value[0]    = t_formula("0.5*(2 + x)");
    f->value[1]    = t_formula("-2*if(x < 1, 3, 5)");
    if (solid) f->value[2] = t_number(0.25 * 7.0);
    t_solve_case(&c, &r);
    displaced(&c, &r, w, 0.0, 1e-10);
    assert_int_equal(r.out.nreactions, 2); /* both sides have the length 2 */
    for (int g = 0; g < 2; g++) {
      T_NEAR(r.out.reaction[g].value[0], -0.5 * 6.0 * area, 1e-10);
      if (solid) T_NEAR(r.out.reaction[g].value[2], -0.25 * 14.0, 1e-10);
    }
    T_NEAR(r.out.reaction[0].value[1] + r.out.reaction[1].value[1], -r.out.applied[1], 1e-10);
    T_LE(r.out.balance, 1e-12);
    T_LE(r.out.moment_balance, 1e-12);
    double sum = 0.0; /* the field holds the same forces */
    for (bf_int p = 0; p < r.view->npoints; p++) sum += t_field(&r, "reaction")->data[3 * p + 1];
    T_NEAR(sum, -r.out.applied[1], 1e-10);
    t_solved_clear(&c, &r);
  }
}

static void one_number_is_the_same_in_every_direction(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++) {
    T_ONE_OF(3);
    double *u[3] = {NULL, NULL, NULL};
    bf_int  n    = 0;
    for (int how = 0; how < 3; how++) {
      t_case c;
      t_case_create(&c, BF_ELASTICITY, t_types[t], 1);
      if (how == 0)
        t_condition(&c, BF_BC_SPRING, t_x_min, 1)->value[0] = t_number(12.0);
      else if (how == 1)
        spring(&c, t_x_min, 1, t_number(12.0), t_number(12.0), t_number(12.0));
      else
        t_condition(&c, BF_BC_SPRING, t_x_min, 1)->value[0] = t_formula("6*2");
      bf_load *g  = t_load(&c, BF_LOAD_GRAVITY);
      g->value[0] = t_number(1.0);
      g->value[1] = t_number(-0.1);
      t_solve(&c, T_BDIA_HALF, &u[how]);
      n = c.mesh->nnodes * c.mesh->dim;
      t_case_clear(&c);
    }
    double size = 0.0;
    for (bf_int i = 0; i < n; i++) size = fmax(size, fabs(u[0][i]));
    assert_true(size > 0.1);
    for (bf_int i = 0; i < n; i++) {
      T_NEAR(u[1][i], u[0][i], 1e-12 * size);
      T_NEAR(u[2][i], u[0][i], 1e-12 * size);
    }
    for (int how = 0; how < 3; how++) bf_host_free(u[how]);
  }
}

/* A side that is held and stands on springs has the sum of both, and the other group only its own. */
static void a_group_that_is_held_and_on_springs_has_both_reactions(void **state)
{
  (void)state;
  t_case   c;
  t_solved r;
  t_case_create(&c, BF_ELASTICITY, BF_HEX8, 2);
  bf_boundary *guide                                  = t_condition(&c, BF_BC_DISPLACEMENT, t_x_min, 1);
  guide->given[0]                                     = 1;
  t_condition(&c, BF_BC_SPRING, t_sides, 1)->value[0] = t_number(20.0); /* x_min */
  t_condition(&c, BF_BC_SPRING, t_x_max, 1)->value[0] = t_number(5.0);
  bf_load *f                                          = t_load(&c, BF_LOAD_BODY_FORCE);
  f->value[0]                                         = t_number(3.0);
  f->value[1]                                         = t_formula("x");
  t_solve_case(&c, &r);
  assert_int_equal(r.out.nreactions, 2);
  T_NEAR(r.out.applied[0], 6.0, 1e-11);
  T_NEAR(r.out.applied[1], 2.0, 1e-11);
  for (int d = 0; d < 3; d++)
    T_NEAR(r.out.reaction[0].value[d] + r.out.reaction[1].value[d], -r.out.applied[d], 1e-10);
  assert_true(r.out.reaction[1].value[0] < -0.1 && r.out.reaction[1].value[1] < -0.1);
  T_LE(r.out.balance, 1e-12);
  T_LE(r.out.moment_balance, 1e-12);
  t_solved_clear(&c, &r);
}

/* A body on springs whose other end is moved: nothing is applied, supports pull on each other. */
static void a_moved_body_on_springs_is_in_balance(void **state)
{
  (void)state;
  t_case   c;
  t_solved r;
  t_case_create(&c, BF_ELASTICITY, BF_TET10, 1);
  t_condition(&c, BF_BC_SPRING, t_x_min, 1)->value[0] = t_number(20.0);
  bf_boundary *pull                                   = t_condition(&c, BF_BC_DISPLACEMENT, t_x_max, 1);
  pull->given[0]                                      = 1;
  pull->value[0]                                      = t_number(0.1);
  t_solve_case(&c, &r);
  assert_true(r.out.reaction[1].value[0] > 0.5);
  T_NEAR(r.out.reaction[0].value[0], -r.out.reaction[1].value[0], 1e-10);
  T_LE(r.out.balance, 1e-11);
  T_LE(r.out.moment_balance, 1e-11);
  t_solved_clear(&c, &r);
}

static const char *refused(t_case *c, int code, bf_diags *diags)
{
  bf_model *m = NULL;
  bf_diags_clear(diags);
  T_ERR(code == 107 ? BF_E_INPUT : BF_E_MODEL, bf_model_create(c->mesh, t_problem(c), diags, &m));
  assert_null(m);
  assert_int_equal(diags->errors, 1);
  assert_int_equal(diags->item[0].code, code);
  return diags->item[0].text;
}

static void springs_hold_the_directions_they_have(void **state)
{
  (void)state;
  const bf_quantity k = t_number(1e-3), no = t_number(0.0);
  bf_diags          diags = {0};
  t_case            c;
  t_case_create(&c, BF_ELASTICITY, BF_HEX8, 2);
  spring(&c, t_x_min, 1, k, no, no); /* along its normal: rotations about y and z are held */
  const char *text = refused(&c, 301, &diags);
  T_CONTAINS(text, "3 rigid-body modes remain");
  T_CONTAINS(text, "translation y");
  T_CONTAINS(text, "translation z");
  T_CONTAINS(text, "rotation about x through (1, 0.5, 0.5)");
  c.p.nboundaries = 0;
  spring(&c, t_x_min, 1, no, k, no); /* in its plane: translation y and rotation about x are held */
  text = refused(&c, 301, &diags);
  T_CONTAINS(text, "4 rigid-body modes remain");
  T_CONTAINS(text, "translation x and translation z");
  T_CONTAINS(text, "rotation about y");
  T_CONTAINS(text, "rotation about z through (0, 0.5, 0.5)");
  c.p.nboundaries = 0;
  spring(&c, t_x_min, 1, t_formula("if(y > 0.5, 1, 0)"), k, no);
  text = refused(&c, 301, &diags);
  T_CONTAINS(text, "1 rigid-body mode remains: translation z");
  c.p.nboundaries = 0;
  spring(&c, t_x_min, 1, t_formula("0*x"), no, t_formula("0*y"));
  text = refused(&c, 301, &diags);
  T_CONTAINS(text, "6 rigid-body modes");
  T_CONTAINS(text, "spring");
  c.p.nboundaries                                     = 0;
  t_condition(&c, BF_BC_SPRING, t_x_min, 1)->value[0] = k;
  bf_model *m                                         = t_model(&c);
  bf_model_destroy(&m);
  bf_diags_clear(&diags);
  t_case_clear(&c);
}

static void wrong_springs_are_refused_with_their_line(void **state)
{
  (void)state;
  const bf_quantity no    = t_number(0.0);
  bf_diags          diags = {0};
  t_case            c;
  t_case_create(&c, BF_ELASTICITY, BF_QUAD4, 2);
  t_condition(&c, BF_BC_SPRING, t_x_min, 1)->value[0] = t_number(-2.0);
  T_CONTAINS(refused(&c, 303, &diags), "value = -2 of spring must not be negative");
  assert_int_equal(diags.item[0].line, 9);
  c.boundary[0].value[0] = t_formula("y - 0.5");
  T_CONTAINS(refused(&c, 303, &diags), "value = 'y - 0.5' of spring is -");
  c.boundary[0].value[0] = t_formula("1/(x-x)");
  T_CONTAINS(refused(&c, 319, &diags), "value of spring: formula '1/(x-x)' is inf at (");
  c.p.nboundaries                                         = 0;
  spring(&c, t_x_min, 1, t_number(1.0), no, no)->value[2] = t_number(3.0);
  T_CONTAINS(refused(&c, 307, &diags), "spring has a z component in a plane problem");
  t_case_clear(&c);
  t_case_create(&c, BF_HEAT, BF_QUAD4, 2);
  t_condition(&c, BF_BC_TEMPERATURE, t_x_max, 1)->value[0] = t_number(1.0);
  t_condition(&c, BF_BC_SPRING, t_x_min, 1)->value[0]      = t_number(1.0);
  T_CONTAINS(refused(&c, 107, &diags), "'spring' does not belong to heat");
  bf_diags_clear(&diags);
  t_case_clear(&c);
}

static void a_failed_allocation_leaks_nothing(void **state)
{
  (void)state;
  T_LONG;
  t_case c;
  t_case_create(&c, BF_ELASTICITY, BF_HEX8, 1);
  spring(&c, t_x_min, 1, t_formula("1 + y"), t_number(2.0), t_formula("3 + z"));
  t_load(&c, BF_LOAD_GRAVITY)->value[2] = t_number(-1.0);
  assert_true(t_fail_everywhere(&c) > 60);
  t_case_clear(&c);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_bar_on_springs_is_exact),
      cmocka_unit_test(a_body_of_revolution_on_springs_is_exact),
      cmocka_unit_test(a_load_on_the_springs_moves_the_body_as_a_whole),
      cmocka_unit_test(one_number_is_the_same_in_every_direction),
      cmocka_unit_test(a_group_that_is_held_and_on_springs_has_both_reactions),
      cmocka_unit_test(a_moved_body_on_springs_is_in_balance),
      cmocka_unit_test(springs_hold_the_directions_they_have),
      cmocka_unit_test(wrong_springs_are_refused_with_their_line),
      cmocka_unit_test(a_failed_allocation_leaks_nothing),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
