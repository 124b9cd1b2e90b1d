/* tests/assembly/t200_model.c - a wrong model is reported with code, line of the deck and the way
 * out */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/assembly/model_case.h"
#include "tests/no_memory.h"

/* Creates the model, which must fail; the diagnostics stay for the test. */
static bf_diags refused(t_case *c)
{
  bf_diags  diags = {0};
  bf_model *m     = NULL;
  if (bf_model_create(c->mesh, t_problem(c), &diags, &m) == BF_OK) fail_msg("the model was accepted");
  assert_null(m);
  assert_true(diags.errors > 0);
  return diags;
}

/* The only error has this code and line and contains all of these; clears the diagnostics and the case. */
static void only_error(t_case *c, int code, int64_t line, const char *const *words)
{
  bf_diags       diags = refused(c);
  const bf_diag *found = NULL;
  for (int i = 0; i < diags.count; i++) {
    if (diags.item[i].severity != BF_ERROR) continue;
    if (found) bf_diags_print(&diags, 0, stderr);
    assert_null(found);
    found = &diags.item[i];
  }
  if (found->code != code) fail_msg("E%d instead of E%d: %s", found->code, code, found->text);
  if (line > 0 && found->line != line) fail_msg("line %d: %s", (int)found->line, found->text);
  for (; *words; words++) T_CONTAINS(found->text, *words);
  bf_diags_clear(&diags);
  t_case_clear(c);
}
#define ONLY_ERROR(c, code, line, ...)                                                                       \
  only_error((c), (code), (line), (const char *const[]){__VA_ARGS__, NULL})

/* The model is accepted with exactly one warning: this one. */
static void only_warning(t_case *c, int code, const char *words)
{
  bf_diags  diags = {0};
  bf_model *m     = NULL;
  T_OK(bf_model_create(c->mesh, t_problem(c), &diags, &m));
  assert_int_equal(diags.errors, 0);
  assert_int_equal(diags.warnings, 1);
  assert_int_equal(diags.item[0].code, code);
  T_CONTAINS(diags.item[0].text, words);
  bf_diags_clear(&diags);
  bf_model_destroy(&m);
  t_case_clear(c);
}

/* A good problem to spoil: x_min held (at 0), nothing else. */
static bf_boundary *good(t_case *c, bf_physics physics, bf_elem_type type)
{
  t_case_create(c, physics, type, 2);
  bf_boundary *b = t_condition(c, physics == BF_HEAT ? BF_BC_TEMPERATURE : BF_BC_FIXED, t_x_min, 1);
  b->value[0]    = t_number(0.0);
  return b;
}

static void a_good_model_is_accepted(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++)
    for (int physics = 0; physics < 2; physics++) {
      t_case   c;
      bf_diags diags = {0};
      good(&c, physics ? BF_ELASTICITY : BF_HEAT, t_types[t]);
      bf_model *m = NULL;
      T_OK(bf_model_create(c.mesh, t_problem(&c), &diags, &m));
      assert_int_equal(diags.count, 0);
      assert_int_equal(bf_model_ncomp(m), physics ? c.mesh->dim : 1);
      for (bf_int e = 0; e < c.mesh->nelem; e++) {
        const int dim = bf_elem(bf_mesh_block_of(c.mesh, e)->type)->dim;
        assert_int_equal(bf_model_region(m)[e], dim == c.mesh->dim ? 0 : -1);
      }
      bf_model_destroy(&m);
      t_case_clear(&c);
    }
}

static void unknown_group_lists_the_groups(void **state)
{
  (void)state;
  static const bf_name wrong[] = {
      {.name = "x_mim", .where = {.file = "deck.yaml", .line = 31, .column = 12}}};
  t_case c;
  good(&c, BF_ELASTICITY, BF_HEX8);
  t_condition(&c, BF_BC_SYMMETRY, wrong, 1);
  ONLY_ERROR(&c, 203, 31, "'x_mim'", "did you mean 'x_min'", "z_max (2-D)", "volume (3-D)", "symmetry");
}

static void group_of_the_wrong_dimension_says_which(void **state)
{
  (void)state;
  static const bf_name side[] = {{.name = "x_min", .where = {.line = 32}}};
  static const bf_name body[] = {{.name = "surface", .where = {.line = 33}}};
  t_case               c;
  good(&c, BF_HEAT, BF_QUAD4);
  t_load(&c, BF_LOAD_HEAT_SOURCE)->group = side;
  c.load[0].ngroups                      = 1;
  ONLY_ERROR(&c, 203, 32, "'x_min' is 1-D", "needs 2-D", "surface");
  good(&c, BF_HEAT, BF_QUAD4);
  t_condition(&c, BF_BC_FLUX, body, 1);
  ONLY_ERROR(&c, 203, 33, "'surface' is 2-D", "'flux' needs 1-D", "x_max");
}

static void a_mesh_without_groups_is_said_once(void **state)
{
  (void)state;
  t_case c;
  good(&c, BF_HEAT, BF_TET4);
  t_condition(&c, BF_BC_INSULATED, t_x_max, 1);
  bf_group *kept    = c.mesh->group;
  const int ngroups = c.mesh->ngroups;
  c.mesh->ngroups   = 0;
  bf_diags diags    = refused(&c);
  assert_int_equal(diags.errors, 1);
  assert_int_equal(diags.item[0].code, 204);
  T_CONTAINS(diags.item[0].text, "no groups");
  T_CONTAINS(diags.item[0].text, "Physical");
  bf_diags_clear(&diags);
  c.mesh->group   = kept;
  c.mesh->ngroups = ngroups;
  t_case_clear(&c);
}

static void an_element_without_material_is_an_error(void **state)
{
  (void)state;
  static const bf_name volume[] = {{.name = "volume", .where = {.line = 6}}};
  t_case               c;
  good(&c, BF_ELASTICITY, BF_HEX8);
  c.material[0].group = volume;
  bf_group *g         = NULL;
  for (int i = 0; i < c.mesh->ngroups; i++)
    if (strcmp(c.mesh->group[i].name, "volume") == 0) g = &c.mesh->group[i];
  assert_non_null(g);
  const bf_int    lost = g->elem[g->nelem - 2];
  const bf_block *b    = bf_mesh_block_of(c.mesh, lost);
  char            tag[64];
  snprintf(tag, sizeof tag, "tag %lld,", (long long)b->tag[lost - b->first]);
  g->elem[g->nelem - 2] = g->elem[g->nelem - 1];
  g->nelem--;
  ONLY_ERROR(&c, 205, 4, "1 element has no material", tag, "no group");
}

static void two_materials_on_one_element_name_both(void **state)
{
  (void)state;
  static const bf_name volume[] = {{.name = "volume", .where = {.line = 12}}};
  t_case               c;
  good(&c, BF_ELASTICITY, BF_HEX8);
  c.material[1]       = c.material[0];
  c.material[1].name  = "copper";
  c.material[1].group = volume;
  c.p.nmaterials      = 2;
  ONLY_ERROR(&c, 206, 12, "'copper'", "'steel' (line 4)", "12 elements");
}

static void free_motions_are_found(void **state)
{
  (void)state;
  t_case c;
  good(&c, BF_ELASTICITY, BF_HEX8);
  c.p.nboundaries = 0;
  ONLY_ERROR(&c, 301, 0, "translation x", "rotation");
  good(&c, BF_HEAT, BF_TRI3);
  c.p.nboundaries = 0;
  ONLY_ERROR(&c, 301, 0, "temperature");
}

static void conflicting_values_name_both_lines_and_the_node(void **state)
{
  (void)state;
  static const bf_name y_min[] = {{.name = "y_min"}};
  t_case               c;
  good(&c, BF_HEAT, BF_QUAD4)->value[0]                  = t_number(100.0);
  t_condition(&c, BF_BC_TEMPERATURE, y_min, 1)->value[0] = t_number(0.0);
  ONLY_ERROR(&c, 302, 21, "temperature = 0 on node 1 (0, 0, 0)", "(line 20) set 100", "1 such value in all");

  good(&c, BF_ELASTICITY, BF_QUAD4);
  bf_boundary *b = t_condition(&c, BF_BC_DISPLACEMENT, y_min, 1);
  b->given[1]    = 1;
  b->value[1]    = t_formula("x + 1e-3");
  ONLY_ERROR(&c, 302, 21, "displacement y = 0.001", "'fixed' (line 20) set 0");
}

static void equal_values_may_meet(void **state)
{
  (void)state;
  static const bf_name y_min[] = {{.name = "y_min"}};
  t_case               c;
  good(&c, BF_HEAT, BF_QUAD4)->value[0] = t_formula("y*100");
  t_condition(&c, BF_BC_TEMPERATURE, y_min, 1)->value[0] =
      t_formula("x + sin(pi)"); /* sin(pi) is not quite 0 */
  bf_model *m = t_model(&c);
  bf_model_destroy(&m);
  t_case_clear(&c);
}

static void material_values_out_of_range_are_refused(void **state)
{
  (void)state;
  t_case c;
  good(&c, BF_ELASTICITY, BF_HEX8);
  c.material[0].E = t_number(-1.0);
  ONLY_ERROR(&c, 303, 9, "E = -1", "'steel'", "positive");
  good(&c, BF_ELASTICITY, BF_HEX8);
  c.material[0].nu       = 0.5;
  c.material[0].nu_where = (bf_where){.file = "deck.yaml", .line = 11};
  ONLY_ERROR(&c, 303, 11, "nu = 0.5", "(-1, 0.5)");
  good(&c, BF_ELASTICITY, BF_HEX8);
  c.material[0].nu = (double)NAN;
  ONLY_ERROR(&c, 303, 0, "nu");
  good(&c, BF_ELASTICITY, BF_HEX8);
  c.material[0].rho = 0.0;
  ONLY_ERROR(&c, 303, 0, "rho = 0");
  good(&c, BF_HEAT, BF_HEX8);
  c.material[0].k = t_number(0.0);
  ONLY_ERROR(&c, 303, 9, "k = 0");
  good(&c, BF_HEAT, BF_QUAD4);
  c.p.thickness = 0.0;
  ONLY_ERROR(&c, 303, 0, "thickness 0");
  good(&c, BF_HEAT, BF_QUAD4);
  bf_boundary *b = t_condition(&c, BF_BC_CONVECTION, t_x_max, 1);
  b->h           = t_number(-5.0);
  ONLY_ERROR(&c, 303, 9, "h = -5");
}

static void material_formulas_are_looked_at_where_they_count(void **state)
{
  (void)state;
  t_case c;
  good(&c, BF_HEAT, BF_QUAD4);
  c.material[0].k = t_formula("1.5 - x");
  ONLY_ERROR(&c, 303, 9, "'1.5 - x'", "at (", "positive");
  good(&c, BF_HEAT, BF_QUAD4);
  c.material[0].k = t_formula("1/(y-y)");
  ONLY_ERROR(&c, 319, 9, "k of material 'steel': formula '1/(y-y)' is inf at (", "(element ");
  good(&c, BF_HEAT, BF_QUAD4)->value[0] = t_formula("1/x");
  ONLY_ERROR(&c, 319, 9, "value of temperature: formula '1/x' is inf at (0, ", "(node ");
}

static void gravity_needs_density(void **state)
{
  (void)state;
  t_case c;
  good(&c, BF_ELASTICITY, BF_HEX8);
  t_load(&c, BF_LOAD_GRAVITY)->value[2] = t_number(-9.81);
  c.material[0].has_rho                 = 0;
  ONLY_ERROR(&c, 304, 40, "density of material 'steel' (line 4)", "rho");
}

static void the_space_must_fit_the_mesh(void **state)
{
  (void)state;
  t_case c;
  good(&c, BF_ELASTICITY, BF_QUAD4);
  c.p.space = BF_SPACE_AUTO;
  ONLY_ERROR(&c, 307, 0, "plane_stress", "plane_strain");
  good(&c, BF_ELASTICITY, BF_HEX8);
  c.p.space = BF_SPACE_PLANE_STRAIN;
  ONLY_ERROR(&c, 307, 0, "'plane_strain' does not fit a 3-D mesh");
  good(&c, BF_HEAT, BF_QUAD4);
  c.p.space = BF_SPACE_3D;
  ONLY_ERROR(&c, 307, 0, "'3d' does not fit heat on a 2-D mesh");
  good(&c, BF_ELASTICITY, BF_QUAD4);
  t_load(&c, BF_LOAD_BODY_FORCE)->value[2] = t_number(1.0);
  ONLY_ERROR(&c, 307, 0, "body_force has a z component");
}

static void conditions_of_the_other_physics_are_refused(void **state)
{
  (void)state;
  t_case c;
  good(&c, BF_ELASTICITY, BF_HEX8);
  t_condition(&c, BF_BC_INSULATED, t_x_max, 1);
  ONLY_ERROR(&c, 107, 21, "'insulated' does not belong to elasticity");
  good(&c, BF_HEAT, BF_HEX8);
  t_load(&c, BF_LOAD_GRAVITY);
  ONLY_ERROR(&c, 107, 40, "'gravity' does not belong to heat");
}

static void symmetry_needs_a_plane_side(void **state)
{
  (void)state;
  static const bf_name sides[] = {{.name = "y_min", .where = {.line = 33}}, {.name = "z_min"}};
  t_case               c;
  for (int bent = 0; bent < 3; bent++) {
    t_case_create(&c, BF_ELASTICITY, BF_HEX20, 2);
    t_condition(&c, BF_BC_SYMMETRY, t_x_min, 1);
    t_condition(&c, BF_BC_SYMMETRY, sides, 2);
    for (bf_int v = 0; v < c.mesh->nnodes && bent; v++)
      c.mesh->x[3 * v + 1] += 0.1 * pow(c.mesh->x[3 * v], bent == 2 ? 2.0 : 1.0);
    if (bent == 2)
      ONLY_ERROR(&c, 308, 33, "sides of group 'y_min' that are not normal to x, y or z deviate", "plane");
    else { /* one condition, two sides: the normal of each, of a skew plane too */
      bf_model *m = t_model(&c);
      bf_model_destroy(&m);
      t_case_clear(&c);
    }
  }
}

static void faces_must_lie_on_one_element(void **state)
{
  (void)state;
  t_case c;
  good(&c, BF_ELASTICITY, BF_QUAD4);
  t_condition(&c, BF_BC_PRESSURE, t_x_max, 1)->value[0] = t_number(1.0);
  bf_group *g                                           = NULL;
  for (int i = 0; i < c.mesh->ngroups; i++)
    if (strcmp(c.mesh->group[i].name, "x_max") == 0) g = &c.mesh->group[i];
  int           n    = 0;
  const bf_int *side = bf_mesh_elem_nodes(c.mesh, g->elem[0], &n);
  bf_block     *line = NULL;
  for (int b = 0; b < c.mesh->nblocks; b++)
    if (c.mesh->block[b].type == BF_LINE2) line = &c.mesh->block[b];
  bf_int      *node   = line->node + (g->elem[0] - line->first) * 2;
  const bf_int old[2] = {side[0], side[1]};
  /* an inner edge: nodes of the second row, between two elements */
  node[0] = 5;
  node[1] = 6;
  {
    bf_diags d = refused(&c);
    assert_int_equal(d.item[0].code, 309);
    T_CONTAINS(d.item[0].text, "faces of 'pressure' lie between two elements");
    bf_diags_clear(&d);
  }
  node[0] = old[0]; /* a diagonal: on no element */
  node[1] = 0;
  ONLY_ERROR(&c, 309, 21, "on no element");
}

static void quadrature_out_of_range_is_refused(void **state)
{
  (void)state;
  t_case c;
  good(&c, BF_HEAT, BF_HEX8);
  c.p.quadrature = 7;
  ONLY_ERROR(&c, 310, 0, "quadrature 7", "hex8");
}

static void hints_are_warnings(void **state)
{
  (void)state;
  t_case c;
  good(&c, BF_ELASTICITY, BF_HEX8);
  c.material[0].nu = 0.4999;
  only_warning(&c, 327, "volumetric locking is likely");
  good(&c, BF_ELASTICITY, BF_HEX8);
  c.p.quadrature = 1;
  only_warning(&c, 328, "6 of 18 modes");
  static const bf_elem_type quiet[] = {BF_HEX20, BF_QUAD4}; /* quadratic; plane stress: no locking */
  for (int i = 0; i < 2; i++) {
    bf_diags  diags = {0};
    bf_model *m     = NULL;
    good(&c, BF_ELASTICITY, quiet[i]);
    c.material[0].nu = 0.4999;
    T_OK(bf_model_create(c.mesh, t_problem(&c), &diags, &m));
    assert_int_equal(diags.count, 0);
    bf_model_destroy(&m);
    t_case_clear(&c);
  }
}

static void several_mistakes_are_told_together(void **state)
{
  (void)state;
  static const bf_name wrong[] = {{.name = "nowhere", .where = {.line = 31}}};
  t_case               c;
  good(&c, BF_ELASTICITY, BF_HEX8);
  c.material[0].E = t_number(0.0);
  t_condition(&c, BF_BC_PRESSURE, wrong, 1);
  t_condition(&c, BF_BC_FIXED, wrong, 1);
  bf_diags d = refused(&c);
  assert_int_equal(d.errors, 3);
  bf_diags_clear(&d);
  t_case_clear(&c);
}

static void a_failed_allocation_leaks_nothing(void **state)
{
  (void)state;
  t_case c;
  good(&c, BF_ELASTICITY, BF_TET10);
  c.material[0].E                                       = t_formula("1 + x");
  t_condition(&c, BF_BC_PRESSURE, t_x_max, 1)->value[0] = t_number(1.0);
  t_no_memory t = {.spare = 1}; /* a formula for each thread, or for fewer */
  while (t_no_memory_next(&t)) {
    bf_diags  diags = {0};
    bf_model *m     = NULL;
    t_no_memory_begin(&t);
    const bf_err err = bf_model_create(c.mesh, t_problem(&c), &diags, &m);
    t_no_memory_end(&t, err);
    assert_int_equal(m != NULL, err == BF_OK);
    bf_model_destroy(&m);
    bf_diags_clear(&diags);
  }
  assert_true(t.errors > 10);
  t_case_clear(&c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_good_model_is_accepted),
      cmocka_unit_test(unknown_group_lists_the_groups),
      cmocka_unit_test(group_of_the_wrong_dimension_says_which),
      cmocka_unit_test(a_mesh_without_groups_is_said_once),
      cmocka_unit_test(an_element_without_material_is_an_error),
      cmocka_unit_test(two_materials_on_one_element_name_both),
      cmocka_unit_test(free_motions_are_found),
      cmocka_unit_test(conflicting_values_name_both_lines_and_the_node),
      cmocka_unit_test(equal_values_may_meet),
      cmocka_unit_test(material_values_out_of_range_are_refused),
      cmocka_unit_test(material_formulas_are_looked_at_where_they_count),
      cmocka_unit_test(gravity_needs_density),
      cmocka_unit_test(the_space_must_fit_the_mesh),
      cmocka_unit_test(conditions_of_the_other_physics_are_refused),
      cmocka_unit_test(symmetry_needs_a_plane_side),
      cmocka_unit_test(faces_must_lie_on_one_element),
      cmocka_unit_test(quadrature_out_of_range_is_refused),
      cmocka_unit_test(hints_are_warnings),
      cmocka_unit_test(several_mistakes_are_told_together),
      cmocka_unit_test(a_failed_allocation_leaks_nothing),
  };
  return T_RUN(tests);
}
