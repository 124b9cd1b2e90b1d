/* tests/assembly/t232_balance.c - solved problems: loads, reactions and balance against statics and closed
 * forms
 *
 * Solved by a dense factorisation, so that the balance shows the rounding of assembly and recovery only.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/assembly/solved_case.h"

static int timed(const t_solved *r, const char *phase)
{
  for (int i = 0; i < r->s.phases.count; i++)
    if (strcmp(r->s.phases.phase[i].name, phase) == 0) return r->s.phases.phase[i].calls == 1;
  return 0;
}

/* rho g V = 7.5 * 10 * 2 * 1 (* 1) with a traction of (3, 2) on x_max of area 1; clamped at x_min. */
static void weight_and_traction_are_carried_by_the_clamp(void **state)
{
  (void)state;
  for (int k = 0; k < T_TYPES; k++) {
    T_ONE_OF(3);
    t_case    c;
    t_solved  r;
    const int dim = bf_elem(t_types[k])->dim;
    t_case_create(&c, BF_ELASTICITY, t_types[k], 1);
    t_distort(c.mesh, 0.05, 0);
    t_condition(&c, BF_BC_FIXED, t_x_min, 1);
    bf_boundary *pull      = t_condition(&c, BF_BC_TRACTION, t_x_max, 1);
    pull->value[0]         = t_number(3.0);
    pull->value[1]         = t_number(2.0);
    bf_load *weight        = t_load(&c, BF_LOAD_GRAVITY);
    weight->value[dim - 1] = t_number(-10.0);
    t_solve_case(&c, &r);
    assert_int_equal(r.out.nreactions, 1);
    assert_string_equal(r.out.reaction[0].group, "x_min");
    for (int i = 0; i < 3; i++) {
      const double load = (i == 0 ? 3.0 : i == 1 ? 2.0 : 0.0) - (i == dim - 1 ? 150.0 : 0.0);
      T_NEAR(r.out.applied[i], load, 1e-11);
      T_NEAR(r.out.reacted[i], -load, 1e-9);
      T_NEAR(r.out.reaction[0].value[i], -load, 1e-9);
    }
    T_LE(r.out.balance, 1e-11);
    T_LE(r.out.moment_balance, 1e-11);
    assert_true(timed(&r, "recover: stresses") && timed(&r, "recover: reactions"));
    t_solved_clear(&c, &r);
  }
}

/* Bar of length 2, T = 100 at x_min, h = 6 to an ambient of 20 at x_max, k = 3:  q = k (100 - T1)/2 =
 * h (T1 - 20), T1 = (1.5*100 + 6*20)/7.5 = 36, q = 96. */
static void heat_through_a_bar_with_convection_is_exact(void **state)
{
  (void)state;
  for (int k = 0; k < T_TYPES; k++) {
    T_ONE_OF(3);
    t_case   c;
    t_solved r;
    t_case_create(&c, BF_HEAT, t_types[k], 1);
    t_distort(c.mesh, 0.05, 0);
    t_condition(&c, BF_BC_TEMPERATURE, t_x_min, 1)->value[0] = t_number(100.0);
    bf_boundary *air                                         = t_condition(&c, BF_BC_CONVECTION, t_x_max, 1);
    air->h                                                   = t_number(6.0);
    air->ambient                                             = t_number(20.0);
    t_solve_case(&c, &r);
    T_NEAR(r.out.reaction[0].value[0], 96.0, 1e-9);
    T_NEAR(r.out.applied[0], -96.0, 1e-9);
    T_LE(r.out.balance, 1e-11);
    const bf_field *q = t_field(&r, "heat_flux");
    for (bf_int n = 0; n < r.view->ncells; n++) {
      T_NEAR(q->data[3 * n], 96.0, 1e-9);
      T_NEAR(q->data[3 * n + 1], 0.0, 1e-9);
    }
    const double end[3] = {2.0, 0.5, c.mesh->dim == 3 ? 0.5 : 0.0};
    double       v[9];
    T_OK(bf_model_probe(r.m, r.view, t_field(&r, "temperature"), end, v));
    T_NEAR(v[0], 36.0, 1e-10);
    assert_true(timed(&r, "recover: heat flux"));
    t_solved_clear(&c, &r);
  }
}

/* Everything at the ambient temperature: nothing flows, and rounding is not taken for an imbalance. */
static void body_at_ambient_temperature_is_in_balance(void **state)
{
  (void)state;
  t_case   c;
  t_solved r;
  t_case_create(&c, BF_HEAT, BF_HEX8, 3);
  t_distort(c.mesh, 0.05, 0);
  bf_boundary *air = t_condition(&c, BF_BC_CONVECTION, t_sides, 6);
  air->h           = t_number(25.0);
  air->ambient     = t_number(293.15);
  t_solve_case(&c, &r);
  T_NEAR(r.out.applied[0], 0.0, 1e-9);
  T_LE(r.out.balance, 1e-10);
  assert_int_equal(r.out.nreactions, 0);
  t_solved_clear(&c, &r);
}

/* Displacement only: nothing is applied, the two ends pull on each other. */
static void prescribed_displacements_are_in_balance_without_loads(void **state)
{
  (void)state;
  t_case   c;
  t_solved r;
  t_case_create(&c, BF_ELASTICITY, BF_QUAD8, 2);
  t_distort(c.mesh, 0.05, 0);
  t_condition(&c, BF_BC_FIXED, t_x_min, 1);
  bf_boundary *pull = t_condition(&c, BF_BC_DISPLACEMENT, t_x_max, 1);
  pull->given[0]    = 1;
  pull->value[0]    = t_number(0.01);
  t_solve_case(&c, &r);
  T_NEAR(r.out.applied[0], 0.0, 0.0);
  assert_true(r.out.reaction[1].value[0] > 1.0);
  T_NEAR(r.out.reaction[0].value[0], -r.out.reaction[1].value[0], 1e-10);
  T_LE(r.out.balance, 1e-11);
  T_LE(r.out.moment_balance, 1e-11);
  t_solved_clear(&c, &r);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(weight_and_traction_are_carried_by_the_clamp),
      cmocka_unit_test(heat_through_a_bar_with_convection_is_exact),
      cmocka_unit_test(body_at_ambient_temperature_is_in_balance),
      cmocka_unit_test(prescribed_displacements_are_in_balance_without_loads),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
