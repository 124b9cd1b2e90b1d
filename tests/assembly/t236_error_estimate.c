/* tests/assembly/t236_error_estimate.c - the estimated error in the energy norm beside the exact one
 *
 * Effectivity: estimate over exact error, both relative to the energy norm, of manufactured solutions with a
 * varying modulus or conductivity on curved meshes; printed to stderr.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/internal.h"
#include "tests/assembly/convergence.h"
#include "tests/shuffle.h"

/* Solves the case iteratively, gives the exact relative error and recovers the fields into *out. */
static double solve(t_case *c, const t_field *f, bf_view **view, bf_solution *out)
{
  bf_int        unknowns;
  double       *u = t_solve_iteratively(c, &unknowns), *row = NULL;
  bf_model     *m   = t_model(c);
  bf_numbering *num = NULL;
  const int     D   = bf_model_ncomp(m);
  const t_norms n   = t_errors(c, u, 4, t_field_exact, f);
  T_OK(bf_numbering_create(c->mesh, BF_ORDER_FILE, &num));
  T_OK(BF_NEW_ARRAY(row, (size_t)num->nrows * (size_t)D));
  for (bf_int v = 0; v < c->mesh->nnodes; v++)
    for (int k = 0; k < D; k++) row[num->row[v] * D + k] = u[v * D + k];
  m->f_ext = bf_host_alloc((size_t)c->mesh->nnodes * (size_t)D, sizeof(double));
  assert_non_null(m->f_ext);
  T_OK(bf_view_create(c->mesh, bf_model_region(m), view));
  T_OK(bf_model_recover(m, num, t_be, *view, row, NULL, out));
  bf_numbering_destroy(&num);
  bf_model_destroy(&m);
  bf_host_free(row);
  bf_host_free(u);
  return sqrt(n.energy / n.energy_of_u);
}

static t_field field_of(bf_physics physics, int dim)
{
  const t_field heat  = {.ncomp = 1, .dim = dim, .a = {1.0}, .k = {{t_pi, t_pi, t_pi}}};
  const t_field solid = {
      .ncomp = dim,
      .dim   = dim,
      .a     = {1.0, 0.8, -0.6},
      .k     = {{t_pi, t_pi, 0.7 * t_pi}, {0.8 * t_pi, t_pi, 0.5 * t_pi}, {0.6 * t_pi, 0.9 * t_pi, t_pi}},
      .s     = {{0.0, t_pi / 2, 0.5}, {0.9, 0.3, 0.8}, {0.2, 1.1, 0.4}}};
  return physics == BF_HEAT ? heat : solid;
}

static void create(t_case *c, bf_physics physics, bf_space space, bf_elem_type type, const bf_int cells[3])
{
  const double size[3] = {1.0, 1.0, cells[2] == 1 ? 0.2 : 1.0};
  t_case_create(c, physics, type, 1);
  bf_mesh_destroy(&c->mesh);
  c->mesh = t_generated(size, cells, type);
  t_map(c->mesh, c->mesh->dim == 3 ? t_curve_3d : t_curve_2d);
  for (bf_int i = 0; i < c->mesh->nnodes && space == BF_SPACE_AXISYMMETRIC; i++) c->mesh->x[3 * i] += 0.5;
  c->p.space     = space;
  c->p.thickness = c->mesh->dim == 2 ? 0.37 : 1.0;
}

/* Also: the squares of the field add up to the square of the quantity. */
static double effectivity(bf_physics physics, bf_space space, bf_elem_type type, const bf_int cells[3],
                          double *exact)
{
  t_case         c;
  t_problem_text text;
  bf_view       *view = NULL;
  bf_solution    out;
  double         sum = 0.0;
  const t_field  f   = field_of(physics, bf_elem(type)->dim);
  create(&c, physics, space, type, cells);
  t_manufacture(&c, &f, &text);
  *exact = solve(&c, &f, &view, &out);
  assert_true(out.recovery.has_error);
  for (int i = 0; i < out.nfields; i++)
    for (bf_int e = 0; e < view->ncells && strcmp(out.field[i].name, "error_estimate") == 0; e++)
      sum += out.field[i].data[e] * out.field[i].data[e];
  T_NEAR(sqrt(sum), out.recovery.error_estimate, 1e-12);
  const double theta = out.recovery.error_estimate / *exact;
  bf_solution_clear(&out);
  bf_view_destroy(&view);
  t_case_clear(&c);
  return theta;
}

static void the_estimate_is_within_a_fifth_of_the_error(void **state)
{
  (void)state;
  static const struct {
    bf_physics  physics;
    bf_space    space;
    const char *name;
  } kinds[] = {{BF_HEAT, BF_SPACE_AUTO, "heat"},
               {BF_ELASTICITY, BF_SPACE_PLANE_STRESS, "plane stress"},
               {BF_ELASTICITY, BF_SPACE_PLANE_STRAIN, "plane strain"},
               {BF_ELASTICITY, BF_SPACE_AXISYMMETRIC, "axisymmetric"},
               {BF_ELASTICITY, BF_SPACE_3D, "elasticity 3D"}};
  int bad   = 0; /* all are printed before the test fails */
  for (int k = 0; k < 5; k++)
    for (int t = 0; t < T_TYPES; t++) {
      const bf_elem_info *el       = bf_elem(t_types[t]);
      const bf_int        n        = el->dim == 2 ? (el->order == 1 ? 24 : 12) : el->order == 1 ? 10 : 6;
      const bf_int        cells[3] = {n, n, n};
      double              exact;
      if ((el->dim == 3) != (kinds[k].space == BF_SPACE_3D) && kinds[k].physics == BF_ELASTICITY) continue;
      const double theta = effectivity(kinds[k].physics, kinds[k].space, t_types[t], cells, &exact);
      fprintf(stderr, "| %s | %s | %d | %.3f %% | %.3f |\n", kinds[k].name, el->name, (int)n, 100.0 * exact,
              theta);
      bad += !(theta > 0.8 && theta < 1.2);
    }
  assert_int_equal(bad, 0);
}

/* No node of one layer is inside the body. */
static void plates_of_one_layer_are_estimated_too(void **state)
{
  (void)state;
  static const bf_elem_type types[3] = {BF_HEX20, BF_HEX27, BF_TET10};
  const bf_int              cells[3] = {8, 8, 1};
  for (int t = 0; t < 3; t++) {
    double       exact;
    const double theta = effectivity(BF_ELASTICITY, BF_SPACE_3D, types[t], cells, &exact);
    fprintf(stderr, "| one layer | %s | 8 | %.3f %% | %.3f |\n", bf_elem(types[t])->name, 100.0 * exact,
            theta);
    assert_true(theta > 0.6 && theta < 1.7);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_estimate_is_within_a_fifth_of_the_error),
      cmocka_unit_test(plates_of_one_layer_are_estimated_too),
  };
  T_OK(bf_backend_create("cpu", NULL, &t_be));
  return t_backend_close(T_RUN(tests));
}
