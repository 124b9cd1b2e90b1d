/* tests/assembly/gfem/t670_gfem_space_solids.c - generalised finite elements in space, elasticity: flat
 * interfaces of materials, curved sides under Nitsche's method
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/assembly/gfem/gfem_bar.h"

/* u = (1, 2, 0) (x - 1) / E: the stress (C11 / E) e_x + 2 (G / E) e_y on x = const is that of both. */
static void a_kink_in_displacement_is_exact(void **state)
{
  (void)state;
  static const char *const value[] = {"(x-1)*(x<1?1:0.2)", "2*(x-1)*(x<1?1:0.2)", "0"};
  static const char *const side[]  = {"x_min", "y_min", "y_max", "z_min", "z_max"};
  const double             C11 = 1000.0 * 0.7 / (1.3 * 0.4), G = 1000.0 / 2.6;
  bf_name                  name[5];
  memset(name, 0, sizeof name);
  for (int i = 0; i < 5; i++) name[i].name = (char *)(uintptr_t)side[i];
  for (int kind = 0; kind < 2; kind++)
    for (int order = 2; order <= 3; order++) {
      T_ONE_OF(4);
      t_gfem t;
      double worst = 0.0;
      t_bar_create(&t, BF_ELASTICITY, kind ? BF_TET4 : BF_HEX8, order);
      bf_boundary *b = t_condition(&t.c, BF_BC_DISPLACEMENT, name, 5);
      for (int c = 0; c < 3; c++) {
        b->given[c] = 1;
        b->value[c] = t_formula(value[c]);
      }
      b           = t_condition(&t.c, BF_BC_TRACTION, t_x_max, 1);
      b->value[0] = t_number(C11);
      b->value[1] = t_number(2.0 * G);
      b->value[2] = t_number(0.0);
      t_gfem_solve(&t, T_CSR, 1e-14);
      for (bf_int v = 0; v < t.c.mesh->nnodes; v++)
        for (int c = 0; c < 3; c++) {
          const double x = t.c.mesh->x[3 * v] - 1.0, u = (c == 0 ? 1.0 : c == 1 ? 2.0 : 0.0) * x;
          worst = fmax(worst, fabs(t.u[3 * v + c] - (x < 0.0 ? u : 0.2 * u)));
        }
      print_message("solid, kind %d order %d: %.2e, %d warnings\n", kind, order, worst, t.diags.count);
      T_LE(worst, 1e-10);
      t_gfem_clear(&t);
    }
}

/* u = (y^p, z^p, x^p): div u = 0, so its body force is -mu lap u. */
static void displacements_on_a_curved_side_are_exact(void **state)
{
  (void)state;
  static const char *const value[2][3] = {{"y^2", "z^2", "x^2"}, {"y^3", "z^3", "x^3"}};
  static const char *const force[2][3] = {
      {"-769.230769230769231", "-769.230769230769231", "-769.230769230769231"},
      {"-2307.692307692307692*y", "-2307.692307692307692*z", "-2307.692307692307692*x"}};
  for (int kind = 0; kind < 2; kind++)
    for (int order = 2; order <= 3; order++) {
      T_ONE_OF(4);
      t_gfem t;
      double worst = 0.0;
      t_pillow_create(&t, BF_ELASTICITY, kind ? BF_TET4 : BF_HEX8, order + 2, order);
      t_cube_dirichlet(&t, value[order - 2]);
      bf_load *l = t_load(&t.c, BF_LOAD_BODY_FORCE);
      for (int c = 0; c < 3; c++) l->value[c] = t_formula(force[order - 2][c]);
      t_gfem_solve(&t, T_CSR, 1e-14);
      assert_true(bf_gfem_of(t.m)->face.ncurved > 0);
      for (bf_int v = 0; v < t.c.mesh->nnodes; v++)
        for (int c = 0; c < 3; c++)
          worst = fmax(worst, fabs(t.u[3 * v + c] - pow(t.c.mesh->x[3 * v + (c + 1) % 3], order)));
      print_message("curved solid, kind %d order %d: %.2e\n", kind, order, worst);
      T_LE(worst, 1e-11);
      t_gfem_clear(&t);
    }
}

int main(int argc, char **argv)
{
  const int code = t_backend_open(argc, argv);
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_kink_in_displacement_is_exact),
      cmocka_unit_test(displacements_on_a_curved_side_are_exact),
  };
  return t_backend_close(T_RUN(tests));
}
