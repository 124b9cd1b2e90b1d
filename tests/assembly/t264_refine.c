/* tests/assembly/t264_refine.c - pictures finer than the mesh: cells cut, points placed, fields between the
 * nodes */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/assembly/gfem/gfem_case.h"
#include "tests/no_memory.h"

static const bf_elem_type types[] = {BF_TRI3, BF_TRI6, BF_QUAD4, BF_QUAD8};

/* A field over the points (or cells) of a view by a function of the place. */
static double cubic(const double *x)
{
  return 1.0 + x[0] - 2.0 * x[1] + x[0] * x[1] * x[1] - x[0] * x[0] * x[0];
}
static double plane(const double *x)
{
  return 1.0 + x[0] - 2.0 * x[1];
}

/* Refines fields "temperature" (of f at the points) and "heat_flux" (cell numbers) of the model's view. */
static void refine(t_gfem *t, double (*f)(const double *x), int n, bf_mesh **mesh, bf_view **fine,
                   bf_solution *out)
{
  bf_view *view = NULL;
  bf_field field[3];
  T_OK(bf_view_create(t->c.mesh, bf_model_region(t->m), &view));
  field[0] = (bf_field){"temperature", "K", 1, 0, NULL, 0};
  field[1] = (bf_field){"reaction", "W", 1, 0, NULL, 0};
  field[2] = (bf_field){"heat_flux", "W/m2", 3, 1, NULL, 0};
  T_OK(BF_NEW_ARRAY(field[0].data, view->npoints));
  T_OK(BF_NEW_ARRAY(field[1].data, view->npoints));
  T_OK(BF_NEW_ARRAY(field[2].data, 3 * (size_t)view->ncells));
  for (bf_int p = 0; p < view->npoints; p++) field[0].data[p] = f(t->c.mesh->x + 3 * view->node[p]);
  for (bf_int i = 0; i < 3 * view->ncells; i++) field[2].data[i] = i;
  const bf_solution s = {.nfields = 3, .field = field};
  T_OK(bf_model_refine(t->m, view, &s, n, mesh, fine, out));
  assert_int_equal((*fine)->ncells, view->ncells * n * n);
  for (int k = 0; k < 3; k++) bf_host_free(field[k].data);
  bf_view_destroy(&view);
}

static void cells_are_cut_and_fields_follow_the_shape_functions(void **state)
{
  (void)state;
  for (int k = 0; k < 4; k++)
    for (int n = 2; n <= 5; n++) {
      t_gfem      t;
      bf_mesh    *mesh = NULL;
      bf_view    *fine = NULL;
      bf_solution s    = {0};
      bf_quality  q, whole;
      t_gfem_create(&t, BF_HEAT, types[k], 2.0, 1.0, 3, 2, 1);
      t_condition(&t.c, BF_BC_TEMPERATURE, t_x_min, 1)->value[0] = t_number(0.0);
      t_gfem_model(&t);
      refine(&t, plane, n, &mesh, &fine, &s);
      T_OK(bf_mesh_check(mesh));
      T_OK(bf_mesh_quality(mesh, &q));
      T_OK(bf_mesh_quality(t.c.mesh, &whole));
      T_NEAR(q.measure, whole.measure, 1e-12);
      T_LE(0.99, q.jacobian_min);
      assert_int_equal(s.nfields, 2); /* nodal forces stay behind */
      for (bf_int i = 0; i < mesh->nnodes; i++) T_NEAR(s.field[0].data[i], plane(mesh->x + 3 * i), 1e-12);
      for (bf_int c = 0; c < fine->ncells; c++)
        for (int i = 0; i < 3; i++) assert_true(s.field[1].data[3 * c + i] == 3 * (c / (n * n)) + i);
      bf_solution_clear(&s);
      bf_view_destroy(&fine);
      bf_mesh_destroy(&mesh);
      t_gfem_clear(&t);
    }
}

static void between_nodes_stand_the_wide_shape_functions(void **state)
{
  (void)state;
  for (int k = 0; k < 2; k++) {
    t_gfem      t;
    bf_mesh    *mesh = NULL;
    bf_view    *fine = NULL;
    bf_solution s    = {0};
    t_gfem_create(&t, BF_HEAT, k ? BF_QUAD4 : BF_TRI3, 1.0, 1.0, 8, 8, 3);
    t_condition(&t.c, BF_BC_TEMPERATURE, t_x_min, 1)->value[0] = t_number(0.0);
    t_gfem_model(&t);
    refine(&t, cubic, 3, &mesh, &fine, &s);
    for (bf_int i = 0; i < mesh->nnodes; i++) T_NEAR(s.field[0].data[i], cubic(mesh->x + 3 * i), 1e-12);
    bf_solution_clear(&s);
    bf_view_destroy(&fine);
    bf_mesh_destroy(&mesh);
    t_gfem_clear(&t);
  }
}

static void no_memory_is_lost_when_it_runs_out(void **state)
{
  (void)state;
  T_LONG;
  t_gfem t;
  t_gfem_create(&t, BF_HEAT, BF_QUAD4, 1.0, 1.0, 5, 5, 2);
  t_condition(&t.c, BF_BC_TEMPERATURE, t_x_min, 1)->value[0] = t_number(0.0);
  t_gfem_model(&t);
  bf_view *view = NULL;
  T_OK(bf_view_create(t.c.mesh, bf_model_region(t.m), &view));
  double           *data  = bf_host_alloc((size_t)view->npoints, sizeof *data);
  bf_field          field = {"temperature", "K", 1, 0, data, 0};
  const bf_solution s     = {.nfields = 1, .field = &field};
  t_no_memory       n     = {0};
  while (t_no_memory_next(&n)) {
    bf_mesh    *mesh = NULL;
    bf_view    *fine = NULL;
    bf_solution out  = {0};
    t_no_memory_begin(&n);
    t_no_memory_end(&n, bf_model_refine(t.m, view, &s, 3, &mesh, &fine, &out));
    bf_solution_clear(&out);
    bf_view_destroy(&fine);
    bf_mesh_destroy(&mesh);
  }
  assert_true(n.failed > 10);
  bf_host_free(data);
  bf_view_destroy(&view);
  t_gfem_clear(&t);
}

/* Assembly and recovery of a small problem with every allocation failing in turn. */
static void no_memory_is_lost_in_assembly_and_recovery(void **state)
{
  (void)state;
  T_LONG;
  t_gfem t;
  t_gfem_create(&t, BF_HEAT, BF_QUAD4, 1.0, 1.0, 4, 4, 2);
  t_condition(&t.c, BF_BC_TEMPERATURE, t_x_min, 1)->value[0] = t_number(0.0);
  bf_boundary *b = t_condition(&t.c, BF_BC_CONVECTION, t_x_max, 1);
  b->h = b->ambient                           = t_number(2.0);
  t_load(&t.c, BF_LOAD_HEAT_SOURCE)->value[0] = t_number(1.0);
  t_gfem_solve(&t, T_CSR, 1e-10);
  bf_view *view = NULL;
  T_OK(bf_view_create(t.c.mesh, bf_model_region(t.m), &view));
  for (int part = 0; part < 2; part++) {
    t_no_memory n = {0};
    while (t_no_memory_next(&n)) {
      bf_solution s     = {0};
      bf_phases   times = {0};
      t_no_memory_begin(&n);
      t_no_memory_end(&n, part ? bf_model_recover(t.m, t.num, t_be, view, t.row, NULL, &s)
                               : bf_model_assemble(t.m, t.num, t.A, t.b, t.x, &times));
      bf_solution_clear(&s);
    }
    assert_true(n.failed > 0);
  }
  bf_view_destroy(&view);
  t_gfem_clear(&t);
}

int main(int argc, char **argv)
{
  const int code = t_backend_open(argc, argv);
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cells_are_cut_and_fields_follow_the_shape_functions),
      cmocka_unit_test(between_nodes_stand_the_wide_shape_functions),
      cmocka_unit_test(no_memory_is_lost_when_it_runs_out),
      cmocka_unit_test(no_memory_is_lost_in_assembly_and_recovery),
  };
  return t_backend_close(T_RUN(tests));
}
