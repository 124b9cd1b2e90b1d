/* tests/assembly/t638_reactions.c - reactions, applied loads and balance of prescribed solutions against
 * closed forms */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/assembly/linear_displacement.h"

/* Uniaxial stress: sum of the reactions on a side = stress times its area, whatever is inside. */
static void reactions_of_a_uniform_stress_are_stress_times_area(void **state)
{
  (void)state;
  const double s = 1000.0, x = s / E0, y = -NU * s / E0;
  const double a[3][4] = {{0, x, 0, 0}, {0, 0, y, 0}, {0, 0, 0, y}};
  for (int k = 0; k < T_TYPES; k++) {
    t_known   t;
    const int dim = bf_elem(t_types[k])->dim;
    t_known_mesh(&t, t_types[k], 2, 0.1);
    t_known_straighten(&t);
    t_known_elastic(&t, E0, NU);
    if (dim == 2) t.problem.thickness = 0.25;
    fixed_everywhere(&t);
    t_known_build(&t);
    t_known_linear(&t, a);
    const double area = dim == 3 ? 2.0 : 2.0 * 0.25;
    assert_int_equal(t.solution.nreactions, 2 * dim);
    assert_string_equal(t.solution.reaction[0].group, "x_min");
    assert_string_equal(t.solution.reaction[1].group, "x_max");
    T_NEAR(t.solution.reaction[0].value[0], -s * area, 1e-10 * s);
    T_NEAR(t.solution.reaction[1].value[0], s * area, 1e-10 * s);
    T_NEAR(t.solution.reaction[1].value[1], 0.0, 1e-10 * s);
    T_NEAR(t.solution.reaction[2].value[1], 0.0, 1e-10 * s);
    T_LE(t.solution.balance, 1e-13);
    T_LE(t.solution.moment_balance, 1e-13);
    t_known_close(&t);
  }
}

/* General linear field: forces and moments of the reactions vanish, interior nodes carry nothing. */
static void reactions_of_a_linear_field_are_in_equilibrium(void **state)
{
  (void)state;
  for (int k = 0; k < T_TYPES; k++) {
    t_known t;
    t_known_mesh(&t, t_types[k], 2, 0.1);
    t_known_straighten(&t);
    t_known_elastic(&t, E0, NU);
    fixed_everywhere(&t);
    t_known_build(&t);
    t_known_linear(&t, A);
    const bf_field *f      = t_known_field(&t, "reaction");
    double          sum[3] = {0.0}, turn[3] = {0.0}, size = 0.0;
    for (bf_int p = 0; p < t.view->npoints; p++) {
      const double *r = f->data + 3 * p, *x = t.mesh->x + 3 * t.view->node[p];
      for (int i = 0; i < 3; i++) {
        sum[i] += r[i];
        turn[i] += x[(i + 1) % 3] * r[(i + 2) % 3] - x[(i + 2) % 3] * r[(i + 1) % 3];
        size += fabs(r[i]);
      }
    }
    assert_true(size > 100.0);
    for (int i = 0; i < 3; i++) T_NEAR(sum[i], 0.0, 1e-13 * size);
    for (int i = 0; i < 3; i++) T_NEAR(turn[i], 0.0, 1e-12 * size);
    for (int i = 0; i < 3; i++) T_NEAR(t.solution.reacted[i], sum[i], 1e-13 * size);
    T_LE(t.solution.balance, 1e-12);
    T_LE(t.solution.moment_balance, 1e-12);
    t_known_close(&t);
  }
}

static void unsolved_free_unknowns_show_in_the_balance(void **state)
{
  (void)state;
  t_known t;
  t_known_mesh(&t, BF_HEX8, 2, 0.1);
  t_known_elastic(&t, E0, NU);
  t_known_boundary(&t, BF_BC_FIXED, 1, 1); /* the far sides would need tractions */
  t_known_build(&t);
  t_known_linear(&t, A);
  assert_true(t.solution.balance > 0.01);
  assert_true(t.solution.moment_balance > 0.01);
  t_known_close(&t);
}

/* One load on a free node and nothing to carry it: all of it is missing. */
static void load_that_nothing_carries_is_an_imbalance_of_one(void **state)
{
  (void)state;
  t_known t;
  bf_int  at = -1;
  t_known_mesh(&t, BF_QUAD4, 2, 0.1);
  t_known_elastic(&t, E0, NU);
  fixed_everywhere(&t);
  t_known_build(&t);
  for (bf_int i = 0; i < t.mesh->nnodes; i++)
    if (!t.model->fixed[2 * i]) at = i; /* the node inside */
  t.model->f_ext             = bf_host_alloc((size_t)t.mesh->nnodes * 2, sizeof(double));
  t.model->f_ext[2 * at + 1] = -7.0;
  t.mesh->x[3 * at] += 0.25; /* an arm */
  T_OK(bf_model_recover(t.model, &t.num, t.be, t.view, t.u, NULL, &t.solution));
  T_NEAR(t.solution.applied[1], -7.0, 0.0);
  T_NEAR(t.solution.balance, 1.0, 1e-14);
  const double *x = t.mesh->x + 3 * at, arm = hypot(x[0] - 1.5, x[1] - 1.0);
  T_NEAR(t.solution.moment_balance, fabs(x[0] - 1.5) / arm, 1e-14);
  t_known_close(&t);
}

static void heat_that_enters_leaves_by_convection(void **state)
{
  (void)state;
  /* T = 100 - 20 x on a bar of length 3: q = 50*20 = 1000 W/m2; at x = 3, T = 40: h (40 - 20) = 1000 */
  const double a[3][4] = {{100.0, -20.0, 0.0, 0.0}};
  for (int k = 0; k < T_TYPES; k++) {
    t_known t;
    t_known_mesh(&t, t_types[k], 2, 0.1);
    t_known_straighten(&t);
    t.problem.physics     = BF_HEAT;
    t.problem.thickness   = 0.5;
    t.material[0].k.value = 50.0;
    t_known_boundary(&t, BF_BC_TEMPERATURE, 1, 1);
    bf_boundary *c   = t_known_boundary(&t, BF_BC_CONVECTION, 2, 2);
    c->h.value       = 50.0;
    c->ambient.value = 20.0;
    t_known_build(&t);
    const double area = t.mesh->dim == 3 ? 2.0 : 2.0 * 0.5;
    /* without f_ext, the loads of assembly, ambient counts as 0: h T leaves on x_max */
    t_known_linear(&t, a);
    T_NEAR(t.solution.reaction[0].value[0], 1000.0 * area, 1e-9);
    T_NEAR(t.solution.applied[0], -50.0 * 40.0 * area, 1e-9);
    /* at a constant temperature nothing is conducted and nothing enters */
    for (bf_int i = 0; i < t.mesh->nnodes; i++) t.u[t.num.row[i]] = 20.0;
    bf_solution_clear(&t.solution);
    T_OK(bf_model_recover(t.model, &t.num, t.be, t.view, t.u, NULL, &t.solution));
    T_NEAR(t.solution.applied[0], -50.0 * 20.0 * area, 1e-9);
    T_NEAR(t.solution.reaction[0].value[0], 0.0, 1e-9);
    t_known_close(&t);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reactions_of_a_uniform_stress_are_stress_times_area),
      cmocka_unit_test(reactions_of_a_linear_field_are_in_equilibrium),
      cmocka_unit_test(unsolved_free_unknowns_show_in_the_balance),
      cmocka_unit_test(load_that_nothing_carries_is_an_imbalance_of_one),
      cmocka_unit_test(heat_that_enters_leaves_by_convection),
  };
  return T_RUN(tests);
}
