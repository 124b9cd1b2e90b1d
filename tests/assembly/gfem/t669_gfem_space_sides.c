/* tests/assembly/gfem/t669_gfem_space_sides.c - generalised finite elements in space, heat: flat interfaces
 * of materials, curved sides under Nitsche's method
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/assembly/gfem/gfem_bar.h"

/* T = 2 x and then 2 + 0.2 (x - 1): each material has its own gradient, one flux. */
static void a_kink_in_temperature_is_exact(void **state)
{
  (void)state;
  for (int kind = 0; kind < 2; kind++)
    for (int order = 2; order <= 3; order++) {
      T_ONE_OF(2);
      t_gfem      t;
      bf_solution s     = {0};
      bf_view    *view  = NULL;
      double      worst = 0.0;
      t_bar_create(&t, BF_HEAT, kind ? BF_TET4 : BF_HEX8, order);
      t_condition(&t.c, BF_BC_TEMPERATURE, t_x_min, 1)->value[0] = t_number(0.0);
      t_condition(&t.c, BF_BC_FLUX, t_x_max, 1)->value[0]        = t_number(2.0);
      t_gfem_solve(&t, T_CSR, 1e-14);
      for (bf_int v = 0; v < t.c.mesh->nnodes; v++) {
        const double x = t.c.mesh->x[3 * v];
        worst          = fmax(worst, fabs(t.u[v] - (x < 1.0 ? 2.0 * x : 2.0 + 0.2 * (x - 1.0))));
      }
      print_message("kink, kind %d order %d: %.2e, %d warnings\n", kind, order, worst, t.diags.count);
      T_LE(worst, 1e-10);
      T_OK(bf_view_create(t.c.mesh, bf_model_region(t.m), &view));
      T_OK(bf_model_recover(t.m, t.num, t_be, view, t.row, NULL, &s));
      for (int i = 0; i < s.nfields; i++)
        for (bf_int p = 0; p < view->npoints && strcmp(s.field[i].name, "heat_flux_nodal") == 0; p++)
          for (int d = 0; d < 3; d++) T_NEAR(s.field[i].data[3 * p + d], d ? 0.0 : -2.0, 1e-9);
      T_NEAR(s.reaction[0].value[0], -2.0, 1e-10);
      T_LE(s.balance, 1e-10);
      double v[9];
      T_OK(bf_model_probe(t.m, view, &s.field[0], (const double[3]){1.0641, 0.77, 0.31}, v));
      T_NEAR(v[0], 2.0 + 0.2 * 0.0641, 1e-10);
      bf_solution_clear(&s);
      bf_view_destroy(&view);
      t_gfem_clear(&t);
    }
}

/* T = q(y,z) + (x - 1) r(y,z) / k of the order's degree on both sides: T and the flux are continuous. */
static void polynomials_of_each_material_are_exact(void **state)
{
  (void)state;
  static const char *const value[2][1]  = {{"y*y-z+(x-1)*(1+y)/(x<1?1:10)"},
                                           {"y*y*y-z*y+(x-1)*(1+y*z)/(x<1?1:10)"}};
  static const char *const source[2][2] = {{"-2", "-20"}, {"-6*y", "-60*y"}};
  for (int kind = 0; kind < 2; kind++)
    for (int order = 2; order <= 3; order++) {
      T_ONE_OF(2);
      t_gfem t;
      double worst = 0.0;
      t_bar_create(&t, BF_HEAT, kind ? BF_TET4 : BF_HEX8, order);
      t_cube_dirichlet(&t, value[order - 2]);
      for (int g = 0; g < 2; g++) {
        bf_load *load  = t_load(&t.c, BF_LOAD_HEAT_SOURCE);
        load->ngroups  = 1;
        load->group    = g ? t_right : t_left;
        load->value[0] = t_formula(source[order - 2][g]);
      }
      t_gfem_solve(&t, T_CSR, 1e-14);
      for (bf_int v = 0; v < t.c.mesh->nnodes; v++) {
        const double *p = t.c.mesh->x + 3 * v, k = p[0] < 1.0 ? 1.0 : 10.0, y = p[1], z = p[2];
        const double  u = order == 2 ? y * y - z + (p[0] - 1.0) * (1.0 + y) / k
                                     : y * y * y - z * y + (p[0] - 1.0) * (1.0 + y * z) / k;
        worst           = fmax(worst, fabs(t.u[v] - u));
      }
      print_message("two materials, kind %d order %d: %.2e, %d warnings\n", kind, order, worst,
                    t.diags.count);
      T_LE(worst, 1e-10);
      t_gfem_clear(&t);
    }
}

static void a_bent_interface_is_warned_of(void **state)
{
  (void)state;
  for (int bent = 0; bent < 2; bent++) {
    t_gfem t;
    int    said = 0;
    t_bar_create(&t, BF_HEAT, BF_HEX8, 2);
    for (bf_int v = 0; v < t.c.mesh->nnodes && bent; v++) {
      double *x = t.c.mesh->x + 3 * v;
      x[0] += 0.05 * x[0] * (2.0 - x[0]) * x[1];
      if (x[1] < 0.3) x[0] += 0.05 * x[0] * (2.0 - x[0]) * (0.3 - x[1]);
    }
    t_condition(&t.c, BF_BC_TEMPERATURE, t_x_min, 1)->value[0] = t_number(0.0);
    t_gfem_model(&t);
    for (int i = 0; i < t.diags.count; i++) said |= t.diags.item[i].code == 331;
    assert_int_equal(said, bent);
    t_gfem_clear(&t);
  }
}

static void temperatures_on_a_curved_side_are_exact(void **state)
{
  (void)state;
  static const char *const value[2][1] = {{"1+x-2*y+3*z+x*y+3*x*x-y*z-z*z"},
                                          {"1+x-2*y+3*z+x*y+3*x*x-y*z-z*z+x*x*x-2*x*x*z+x*y*z"}};
  static const char *const source[2]   = {"-4", "-4-6*x+4*z"};
  for (int kind = 0; kind < 2; kind++)
    for (int order = 2; order <= 3; order++) {
      T_ONE_OF(2);
      t_gfem       t;
      bf_solution  s     = {0};
      bf_view     *view  = NULL;
      double       worst = 0.0;
      const bf_int n     = order + 3;
      t_pillow_create(&t, BF_HEAT, kind ? BF_TET4 : BF_HEX8, n, order);
      t_cube_dirichlet(&t, value[order - 2]);
      t_load(&t.c, BF_LOAD_HEAT_SOURCE)->value[0] = t_formula(source[order - 2]);
      t_gfem_solve(&t, T_CSR, 1e-14);
      assert_int_equal(bf_gfem_of(t.m)->face.ncurved, n * n * (kind ? 2 : 1));
      for (bf_int v = 0; v < t.c.mesh->nnodes; v++) {
        const double *p = t.c.mesh->x + 3 * v, x = p[0], y = p[1], z = p[2];
        const int     edge = y < 1e-9 || y > 1.0 - 1e-9 || z < 1e-9 || z > 1.0 - 1e-9;
        double        u    = 1 + x - 2 * y + 3 * z + x * y + 3 * x * x - y * z - z * z;
        if (order == 3) u += x * x * x - 2 * x * x * z + x * y * z;
        worst = fmax(worst, fabs(t.u[v] - u));
        assert_int_equal(t.m->fixed[v], edge || x < 1e-9); /* the curved side is free */
      }
      print_message("curved, kind %d order %d: %.2e, %d warnings\n", kind, order, worst, t.diags.count);
      T_LE(worst, 1e-11);
      T_OK(bf_view_create(t.c.mesh, bf_model_region(t.m), &view));
      T_OK(bf_model_recover(t.m, t.num, t_be, view, t.row, NULL, &s));
      T_LE(s.balance, 1e-10);
      bf_solution_clear(&s);
      bf_view_destroy(&view);
      t_gfem_clear(&t);
    }
}

int main(int argc, char **argv)
{
  const int code = t_backend_open(argc, argv);
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_kink_in_temperature_is_exact),
      cmocka_unit_test(polynomials_of_each_material_are_exact),
      cmocka_unit_test(a_bent_interface_is_warned_of),
      cmocka_unit_test(temperatures_on_a_curved_side_are_exact),
  };
  return t_backend_close(T_RUN(tests));
}
