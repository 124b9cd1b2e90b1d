/* tests/assembly/t212_incompatible.c - incompatible modes: the patch test holds, one layer of elements bends
 * like a beam
 *
 * The element matrices themselves: t320; rates of convergence: t240. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/assembly/model_case.h"

static const bf_name x_sides[] = {{.name = "x_min"}, {.name = "x_max"}};

typedef struct solved { /* a case, solved and recovered */
  t_case      c;
  bf_model   *m;
  t_system    s;
  bf_view    *view;
  bf_solution out;
  double     *u; /* by row */
} solved;

static void solve(solved *k)
{
  k->m = t_model(&k->c);
  t_assemble(&k->c, k->m, T_BDIA_HALF, &k->s);
  T_OK(BF_NEW_ARRAY(k->u, k->s.n));
  t_cholesky(k->s.n, k->s.dense, k->s.rhs, k->u);
  T_OK(bf_view_create(k->c.mesh, bf_model_region(k->m), &k->view));
  T_OK(bf_model_recover(k->m, k->s.num, t_be, k->view, k->u, NULL, &k->out));
}

static void release(solved *k)
{
  bf_solution_clear(&k->out);
  bf_view_destroy(&k->view);
  t_system_clear(&k->s);
  bf_model_destroy(&k->m);
  bf_host_free(k->u);
  t_case_clear(&k->c);
}

static const bf_field *field(const solved *k, const char *name)
{
  for (int i = 0; i < k->out.nfields; i++)
    if (strcmp(k->out.field[i].name, name) == 0) return &k->out.field[i];
  fail_msg("no field '%s'", name);
  return NULL;
}

/* Linear displacements come out exactly on distorted meshes, and so does their one stress. */
static void the_patch_test_holds_on_distorted_meshes(void **state)
{
  (void)state;
  static const char *const text[3] = {"0.2 + 0.5*x - 0.3*y + 0.25*z", "-0.1 + 0.35*x + 0.6*y - 0.2*z",
                                      "0.4 - 0.25*x + 0.15*y + 0.45*z"};
  static const double      g[3][3] = {{0.5, -0.3, 0.25}, {0.35, 0.6, -0.2}, {-0.25, 0.15, 0.45}};
  const bf_space           space[] = {BF_SPACE_PLANE_STRESS, BF_SPACE_PLANE_STRAIN, BF_SPACE_3D};
  double                   worst   = 0.0;
  for (int v = 0; v < 3; v++) {
    solved    k   = {0};
    const int dim = v == 2 ? 3 : 2;
    t_case_create(&k.c, BF_ELASTICITY, v == 2 ? BF_HEX8 : BF_QUAD4, 2);
    t_distort(k.c.mesh, 0.12, 0);
    k.c.p.space        = space[v];
    k.c.p.incompatible = 1;
    bf_boundary *b     = t_condition(&k.c, BF_BC_DISPLACEMENT, t_sides, t_nsides(&k.c));
    for (int c = 0; c < dim; c++) {
      b->given[c] = 1;
      b->value[c] = t_formula(text[c]);
    }
    solve(&k);
    const bf_field *u = field(&k, "displacement"), *e = field(&k, "strain"), *s = field(&k, "stress");
    for (bf_int p = 0; p < k.view->npoints; p++) {
      const double *x = k.c.mesh->x + 3 * k.view->node[p];
      for (int c = 0; c < dim; c++) {
        const double at0 = c == 0 ? 0.2 : c == 1 ? -0.1 : 0.4;
        worst =
            fmax(worst, fabs(u->data[3 * p + c] - at0 - g[c][0] * x[0] - g[c][1] * x[1] - g[c][2] * x[2]));
      }
    }
    for (bf_int i = 0; i < k.view->ncells; i++) {
      worst = fmax(worst, fabs(e->data[6 * i] - g[0][0]));
      worst = fmax(worst, fabs(e->data[6 * i + 3] - 0.5 * (g[0][1] + g[1][0])));
      for (int c = 0; c < 6; c++) worst = fmax(worst, fabs(s->data[6 * i + c] - s->data[c]) / 210.0);
    }
    T_LE(k.out.balance, 1e-12);
    release(&k);
  }
  T_LE(worst, 1e-11);
  print_message("largest error: %.2e\n", worst);
}

/* Beam 20 x 1 (x 1) of 10 elements in one layer, clamped so that the left side may contract across, its
 * middle at y = 0.5.  moment: end tractions (y - 0.5); else an end shear of 1.  Mean deflection of the end.
 */
static double tip(solved *k, bf_elem_type type, int modes, int moment)
{
  const double size[3] = {20.0, 1.0, 1.0};
  const bf_int n[3]    = {10, 1, 1};
  t_case_create(&k->c, BF_ELASTICITY, type, 1);
  bf_mesh_destroy(&k->c.mesh);
  k->c.mesh           = t_generated(size, n, type);
  k->c.p.incompatible = modes;
  bf_boundary *clamp  = t_condition(&k->c, BF_BC_DISPLACEMENT, x_sides, 1);
  clamp->given[0] = clamp->given[1] = 1;
  if (type == BF_HEX8) t_condition(&k->c, BF_BC_SYMMETRY, t_sides + 4, 1);
  bf_boundary *end = t_condition(&k->c, BF_BC_TRACTION, x_sides + 1, 1);
  if (moment)
    end->value[0] = t_formula("y - 0.5");
  else
    end->value[1] = t_number(1.0);
  solve(k);
  const bf_field *u     = field(k, "displacement");
  double          sum   = 0.0;
  int             count = 0;
  for (bf_int p = 0; p < k->view->npoints; p++)
    if (k->c.mesh->x[3 * k->view->node[p]] > 20.0 - 1e-9) sum += u->data[3 * p + 1], count++;
  return sum / count;
}

/* E I = 210/12; moment 1/12 turns the end by M L^2/(2 E I), shear 1 by L^3/(3 E I) + L/(G 5/6). */
static void one_layer_of_elements_bends_like_a_beam(void **state)
{
  (void)state;
  const bf_elem_type type[]  = {BF_QUAD4, BF_HEX8};
  const double       beam[2] = {8000.0 / 3.0 / (210.0 / 12.0) + 20.0 / (210.0 / 2.6 * 5.0 / 6.0),
                                -(1.0 / 12.0) * 400.0 / (2.0 * 210.0 / 12.0)};
  for (int t = 0; t < 2; t++)
    for (int moment = 0; moment < 2; moment++) {
      solved       with = {0}, plain = {0};
      const double w = tip(&with, type[t], 1, moment), p = tip(&plain, type[t], 0, moment);
      print_message("%s, %s: %.5f of beam theory, without modes %.5f\n", bf_elem(type[t])->name,
                    moment ? "moment" : "shear", w / beam[moment], p / beam[moment]);
      T_NEAR(w, beam[moment], 0.01 * fabs(beam[moment]));
      assert_true(fabs(p) < 0.6 * fabs(beam[moment])); /* the plain elements lock */
      T_LE(with.out.balance, 1e-9);
      T_LE(with.out.moment_balance, 1e-9);
      const bf_field *s = field(&with, "stress_nodal");
      for (bf_int i = 0; i < with.view->npoints && moment; i++) { /* the modes are in the stresses */
        const double *x = with.c.mesh->x + 3 * with.view->node[i];
        if (type[t] == BF_HEX8 && x[0] < 10.0) continue; /* the clamp hinders the section from curving */
        const double tol = type[t] == BF_HEX8 ? 1e-4 : 1e-9;
        T_NEAR(s->data[6 * i], x[1] - 0.5, tol);
        T_NEAR(s->data[6 * i + 1], 0.0, tol);
        T_NEAR(s->data[6 * i + 3], 0.0, tol);
      }
      release(&with);
      release(&plain);
    }
}

static void refused(t_case *t, const char *words)
{
  bf_diags  diags = {0};
  bf_model *m     = NULL;
  t_condition(t, BF_BC_FIXED, x_sides, 1);
  t->p.incompatible       = 1;
  t->p.incompatible_where = (bf_where){.file = "deck.yaml", .line = 6};
  assert_true(bf_model_create(t->mesh, t_problem(t), &diags, &m) != BF_OK);
  assert_int_equal(diags.item[0].code, 314);
  assert_int_equal(diags.item[0].line, 6);
  T_CONTAINS(diags.item[0].text, words);
  bf_diags_clear(&diags);
  t_case_clear(t);
}

static void where_there_are_no_modes_the_deck_is_told(void **state)
{
  (void)state;
  t_case t;
  t_case_create(&t, BF_ELASTICITY, BF_TRI3, 2);
  refused(&t, "the mesh has tri3 elements");
  t_case_create(&t, BF_ELASTICITY, BF_HEX20, 2);
  refused(&t, "quadratic elements do not need it");
  t_case_create(&t, BF_ELASTICITY, BF_QUAD4, 2);
  t.p.space = BF_SPACE_AXISYMMETRIC;
  refused(&t, "body of revolution");
  t_case_create(&t, BF_ELASTICITY, BF_QUAD4, 2);
  t.p.quadrature = 1;
  refused(&t, "quadrature: 1");
  t_case_create(&t, BF_ELASTICITY, BF_QUAD4, 2);
  t_load(&t, BF_LOAD_THERMAL)->where = (bf_where){.file = "deck.yaml", .line = 6};
  t.material[0].has_alpha            = 1;
  refused(&t, "a thermal strain");
}

int main(int argc, char **argv)
{
  const int               code    = t_backend_open(argc, argv);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_patch_test_holds_on_distorted_meshes),
      cmocka_unit_test(one_layer_of_elements_bends_like_a_beam),
      cmocka_unit_test(where_there_are_no_modes_the_deck_is_told),
  };
  if (code) return code;
  return t_backend_close(T_RUN(tests));
}
