/* tests/assembly/gfem/t668_gfem_loads.c - springs, thermal strain, point forces and loads in named directions
 * with generalised finite elements, in the plane and in space
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/robin.h"
#include "tests/assembly/gfem/gfem_space.h"

static const bf_name x_min[] = {{.name = "x_min"}}, x_max[] = {{.name = "x_max"}},
                     y_min[] = {{.name = "y_min"}}, z_min[] = {{.name = "z_min"}};

static void create(t_gfem *t, int kind, int order)
{
  static const bf_elem_type type[] = {BF_TRI3, BF_QUAD4, BF_TET4, BF_HEX8};
  if (kind < 2)
    t_gfem_create(t, BF_ELASTICITY, type[kind], 1.0, 1.0, 8, 8, order);
  else
    t_cube_create(t, BF_ELASTICITY, type[kind], 4, order);
}
#define EACH_CASE                                                                                            \
  for (int kind = 0; kind < 4; kind++)                                                                       \
    for (int order = 2; order <= 3; order++)

/* Sides x, y (, z) = 0 move along themselves only. */
static void rollers(t_gfem *t)
{
  t_condition(&t->c, BF_BC_SYMMETRY, x_min, 1);
  t_condition(&t->c, BF_BC_SYMMETRY, y_min, 1);
  if (t->c.mesh->dim == 3) t_condition(&t->c, BF_BC_SYMMETRY, z_min, 1);
}

/* alpha (T - reference) = 1e-3 x: the body is free to expand, u_x = 1e-3 x^2/2 - (y^2 + z^2) 1e-3/2, and
 * without stress. */
static void free_expansion_by_a_linear_temperature_leaves_no_stress(void **state)
{
  (void)state;
  EACH_CASE
  {
    T_ONE_OF(3);
    t_gfem t;
    create(&t, kind, order);
    const int D           = t.c.mesh->dim;
    t.c.material[0].alpha = 1e-5, t.c.material[0].has_alpha = 1;
    bf_boundary *b = t_condition(&t.c, BF_BC_DISPLACEMENT, x_min, 1);
    b->given[0]    = 1;
    b->value[0]    = t_formula(D == 2 ? "-0.0005*y^2" : "-0.0005*(y^2+z^2)");
    t_condition(&t.c, BF_BC_SYMMETRY, y_min, 1);
    if (D == 3) t_condition(&t.c, BF_BC_SYMMETRY, z_min, 1);
    bf_load *l   = t_load(&t.c, BF_LOAD_THERMAL);
    l->value[0]  = t_formula("20+100*x");
    l->reference = 20.0;
    t_gfem_solve(&t, T_CSR, 1e-14);
    for (bf_int v = 0; v < t.c.mesh->nnodes; v++) {
      const double *x = t.c.mesh->x + 3 * v;
      T_NEAR(t.u[v * D], 5e-4 * (x[0] * x[0] - x[1] * x[1] - x[2] * x[2]), 1e-13);
      T_NEAR(t.u[v * D + 1], 1e-3 * x[0] * x[1], 1e-13);
    }
    bf_view    *view  = NULL;
    bf_solution s     = {0};
    bf_phases   times = {0};
    T_OK(bf_view_create(t.c.mesh, NULL, &view));
    T_OK(bf_model_recover(t.m, t.num, t_be, view, t.row, &times, &s));
    int found = 0;
    for (int k = 0; k < s.nfields; k++) {
      if (strncmp(s.field[k].name, "stress", 6) != 0) continue;
      found++;
      const size_t n =
          (size_t)(s.field[k].on_cells ? view->ncells : view->npoints) * (size_t)s.field[k].ncomp;
      for (size_t i = 0; i < n; i++) T_NEAR(s.field[k].data[i], 0.0, 1e-9);
    }
    assert_int_equal(found, 2);
    bf_solution_clear(&s);
    bf_view_destroy(&view);
    t_gfem_clear(&t);
  }
}

/* A bar under the tension 1 N/m2 against springs of 50 N/m3 on x = 0: it moves by 1/50, then strains. */
static void springs_carry_a_bar(void **state)
{
  (void)state;
  EACH_CASE
  {
    T_ONE_OF(3);
    t_gfem t;
    create(&t, kind, order);
    const int    D = t.c.mesh->dim;
    bf_boundary *b = t_condition(&t.c, BF_BC_SPRING, x_min, 1);
    b->given[0]    = 1;
    b->value[0]    = t_number(50.0);
    t_condition(&t.c, BF_BC_SYMMETRY, y_min, 1);
    if (D == 3) t_condition(&t.c, BF_BC_SYMMETRY, z_min, 1);
    b = t_condition(&t.c, BF_BC_TRACTION, x_max, 1);
    for (int c = 0; c < 3; c++) b->value[c] = t_number(c == 0 ? 1.0 : 0.0);
    t_gfem_solve(&t, T_CSR, 1e-14);
    for (bf_int v = 0; v < t.c.mesh->nnodes; v++)
      T_NEAR(t.u[v * D], 0.02 + t.c.mesh->x[3 * v] / 1000.0, 1e-12);
    double force[3 * 1024], sum = 0.0;
    for (int s = 0; s < t.m->nsets; s++) {
      if (!bf_robin_value(&t.c.boundary[t.m->set[s].boundary], 0)) continue;
      T_OK(bf_spring_forces(t.m, t.num, &t.m->set[s], t.row, force));
      for (bf_int i = 0; i < t.m->set[s].n; i++) sum += force[3 * i];
    }
    T_NEAR(sum, -1.0, 1e-11);
    t_gfem_clear(&t);
  }
}

/* sum_J f_J = F and sum_J f_J x_J = F x, at a node and between nodes. */
static void point_forces_have_their_sum_and_moment(void **state)
{
  (void)state;
  EACH_CASE
  {
    T_ONE_OF(3);
    t_gfem t;
    create(&t, kind, order);
    const int D = t.c.mesh->dim;
    rollers(&t);
    bf_load *l = t_load(&t.c, BF_LOAD_POINT_FORCE);
    for (int c = 0; c < 3; c++) l->value[c] = t_number(c == 0 ? 2.0 : c == 1 ? -1.0 : 0.0), l->at[c] = 0.0;
    l->nat   = D;
    l->at[0] = 0.43, l->at[1] = 0.61, l->at[2] = D == 3 ? 0.3 : 0.0;
    t_gfem_model(&t);
    double *f = NULL, sum[2] = {0.0}, moment[3] = {0.0}, square = 0.0;
    T_OK(BF_NEW_ARRAY(f, (size_t)t.c.mesh->nnodes * (size_t)D));
    T_OK(bf_gfem_loads(t.m, 1, f));
    for (bf_int v = 0; v < t.c.mesh->nnodes; v++) {
      for (int c = 0; c < 2; c++) sum[c] += f[v * D + c];
      for (int i = 0; i < D; i++) moment[i] += f[v * D] * t.c.mesh->x[3 * v + i];
      square += f[v * D] * t.c.mesh->x[3 * v] * t.c.mesh->x[3 * v + 1]; /* order 2 is exact, linear is not */
    }
    T_NEAR(sum[0], 2.0, 1e-12);
    T_NEAR(sum[1], -1.0, 1e-12);
    for (int i = 0; i < D; i++) T_NEAR(moment[i], 2.0 * l->at[i], 1e-12);
    T_NEAR(square, 2.0 * l->at[0] * l->at[1], 1e-12);
    bf_host_free(f);
    t_gfem_clear(&t);
  }
}

/* A body force along the radius of cylindrical axes about z is that of its components. */
static void loads_in_named_directions_are_those_of_their_components(void **state)
{
  (void)state;
  const bf_axes round = {.name = "round", .type = BF_AXES_CYLINDRICAL, .other = {0.0, 0.0, 1.0}, .nother = 3};
  EACH_CASE
  {
    T_ONE_OF(3);
    double *f[2] = {NULL, NULL};
    bf_int  n    = 0;
    for (int k = 0; k < 2; k++) {
      t_gfem t;
      create(&t, kind, order);
      rollers(&t);
      for (bf_int v = 0; v < t.c.mesh->nnodes; v++) t.c.mesh->x[3 * v] += 1.0; /* away from the axis */
      bf_load *l = t_load(&t.c, BF_LOAD_BODY_FORCE);
      for (int c = 0; c < 3; c++) l->value[c] = t_number(k == 0 && c == 0 ? 1.0 : 0.0);
      if (k == 0) l->axes = &round;
      if (k == 1) l->value[0] = t_formula("x/sqrt(x^2+y^2)"), l->value[1] = t_formula("y/sqrt(x^2+y^2)");
      t_gfem_model(&t);
      n = t.c.mesh->nnodes * t.m->ncomp;
      T_OK(BF_NEW_ARRAY(f[k], n));
      T_OK(bf_gfem_loads(t.m, 1, f[k]));
      t_gfem_clear(&t);
    }
    for (bf_int i = 0; i < n; i++) T_NEAR(f[0][i], f[1][i], 1e-14);
    bf_host_free(f[0]);
    bf_host_free(f[1]);
  }
}

int main(int argc, char **argv)
{
  const int code = t_backend_open(argc, argv);
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(free_expansion_by_a_linear_temperature_leaves_no_stress),
      cmocka_unit_test(springs_carry_a_bar),
      cmocka_unit_test(point_forces_have_their_sum_and_moment),
      cmocka_unit_test(loads_in_named_directions_are_those_of_their_components),
  };
  return t_backend_close(T_RUN(tests));
}
