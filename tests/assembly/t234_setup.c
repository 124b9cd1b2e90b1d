/* tests/assembly/t234_setup.c - a problem made visible: what covers what, loads at cells and nodes, drafts */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/setup/setup.h"
#include "base/memory.h"
#include "tests/assembly/model_case.h"
#include "tests/no_memory.h"
#include <string.h>

static const double *field(const bf_setup *s, const char *name, int ncomp, int on_cells)
{
  for (int i = 0; i < s->nfields; i++)
    if (strcmp(s->field[i].name, name) == 0) {
      assert_int_equal(s->field[i].ncomp, ncomp);
      assert_int_equal(s->field[i].on_cells, on_cells);
      return s->field[i].data;
    }
  return NULL;
}

static bf_setup *setup_of(t_case *c)
{
  bf_diags  diags = {0};
  bf_setup *s     = NULL;
  bf_model *m     = t_model(c);
  T_OK(bf_setup_create(m, &s));
  assert_int_equal(diags.errors, 0);
  bf_model_destroy(&m);
  bf_diags_clear(&diags);
  return s;
}

/* Box 2 x 1 x 1: prescribed at x_min, pressure 5 on x_max, gravity (0, -2, 0), density 7.5, volume 2. */
static void loaded(t_case *c, bf_elem_type type)
{
  t_case_create(c, BF_ELASTICITY, type, 2);
  t_condition(c, BF_BC_FIXED, t_x_min, 1);
  t_condition(c, BF_BC_PRESSURE, t_x_max, 1)->value[0] = t_number(5.0);
  t_load(c, BF_LOAD_GRAVITY)->value[1]                 = t_number(-2.0);
}

static void every_element_type_shows_its_loads(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++) {
    t_case c;
    loaded(&c, t_types[t]);
    bf_setup     *s        = setup_of(&c);
    const double *traction = field(s, "traction", 3, 1), *weight = field(s, "body_force", 3, 1);
    const double *id = field(s, "condition_id", 1, 1), *material = field(s, "material_id", 1, 1);
    const double *nodal = field(s, "nodal_load", 3, 0), *load = field(s, "load_id", 1, 1);
    double        sum[3] = {0.0, 0.0, 0.0};
    for (bf_int e = 0; e < c.mesh->nelem; e++) {
      const int volume = bf_elem(bf_mesh_block_of(c.mesh, e)->type)->dim == c.mesh->dim;
      T_NEAR(traction[3 * e], id[e] == 1.0 ? -5.0 : 0.0, 1e-14);
      T_NEAR(traction[3 * e + 1], 0.0, 1e-14);
      T_NEAR(weight[3 * e + 1], volume ? -15.0 : 0.0, 1e-14);
      T_NEAR(material[e], volume ? 0.0 : -1.0, 0.0);
      T_NEAR(load[e], volume ? 0.0 : -1.0, 0.0);
    }
    for (bf_int i = 0; i < c.mesh->nnodes; i++)
      for (int d = 0; d < 3; d++) sum[d] += nodal[3 * i + d];
    T_NEAR(sum[0], -5.0, 1e-12);
    T_NEAR(sum[1], -30.0, 1e-12);
    T_NEAR(s->condition[1].total[0], -5.0, 1e-12);
    T_NEAR(s->condition[1].measure, 1.0, 1e-12);
    T_NEAR(s->load[0].total[1], -30.0, 1e-12);
    T_NEAR(s->total[1], -30.0, 1e-12);
    T_NEAR(s->material[0].measure, 2.0, 1e-12);
    assert_int_equal(s->condition[0].has_total, 0);
    bf_setup_destroy(&s);
    t_case_clear(&c);
  }
}

static void held_unknowns_are_counted_and_marked(void **state)
{
  (void)state;
  t_case c;
  t_case_create(&c, BF_ELASTICITY, BF_HEX8, 2);
  bf_boundary *bc = t_condition(&c, BF_BC_DISPLACEMENT, t_x_min, 1);
  bc->given[0] = bc->given[1] = bc->given[2] = 1;
  bc->value[0] = t_formula("y + 2"), bc->value[1] = t_number(0.0), bc->value[2] = t_number(0.0);
  bf_setup     *s     = setup_of(&c);
  const double *fixed = field(s, "fixed", 3, 0), *value = field(s, "prescribed_displacement", 3, 0);
  for (bf_int i = 0; i < c.mesh->nnodes; i++) {
    const int prescribed = c.mesh->x[3 * i] == 0.0;
    T_NEAR(fixed[3 * i], prescribed, 0.0);
    T_NEAR(value[3 * i], prescribed ? c.mesh->x[3 * i + 1] + 2.0 : 0.0, 1e-15);
  }
  assert_int_equal(s->nparts, 1);
  assert_int_equal(s->part[0].prescribed[0], 9);
  assert_int_equal(s->part[0].nodes, c.mesh->nnodes);
  assert_null(field(s, "nodal_load", 3, 0)); /* nothing loads it */
  bf_setup_destroy(&s);
  t_case_clear(&c);
}

static void heat_shows_flux_source_and_convection(void **state)
{
  (void)state;
  t_case c;
  t_case_create(&c, BF_HEAT, BF_QUAD8, 2);
  c.p.thickness                                     = 0.5;
  t_condition(&c, BF_BC_FLUX, t_x_min, 1)->value[0] = t_formula("4*y");
  bf_boundary *robin                                = t_condition(&c, BF_BC_CONVECTION, t_x_max, 1);
  robin->h = t_number(3.0), robin->ambient = t_number(20.0);
  t_load(&c, BF_LOAD_HEAT_SOURCE)->value[0] = t_formula("x");
  bf_setup     *s                           = setup_of(&c);
  const double *flux = field(s, "flux", 1, 1), *h = field(s, "convection_h", 1, 1);
  const double *id = field(s, "condition_id", 1, 1), *source = field(s, "heat_source", 1, 1);
  for (bf_int e = 0; e < c.mesh->nelem; e++) {
    int           n;
    const bf_int *node = bf_mesh_elem_nodes(c.mesh, e, &n);
    double        x = 0.0, y = 0.0; /* of straight elements: the mean of the corners */
    const int     nc = bf_elem(bf_mesh_block_of(c.mesh, e)->type)->ncorners;
    for (int a = 0; a < nc; a++) x += c.mesh->x[3 * node[a]] / nc, y += c.mesh->x[3 * node[a] + 1] / nc;
    T_NEAR(flux[e], id[e] == 0.0 ? 4.0 * y : 0.0, 1e-14);
    T_NEAR(h[e], id[e] == 1.0 ? 3.0 : 0.0, 0.0);
    T_NEAR(source[e], nc == 4 ? x : 0.0, 1e-14);
  }
  T_NEAR(s->condition[0].total[0], 0.5 * 2.0, 1e-13);
  assert_int_equal(s->condition[1].has_total, 0);
  T_NEAR(s->total[0], 0.5 * 2.0 + 0.5 * 2.0, 1e-13);
  assert_int_equal(s->part[0].robin, 2);
  bf_setup_destroy(&s);
  t_case_clear(&c);
}

static void a_free_body_has_a_draft_that_shows_its_loads(void **state)
{
  (void)state;
  t_case c;
  t_case_create(&c, BF_ELASTICITY, BF_TET4, 2);
  t_condition(&c, BF_BC_PRESSURE, t_x_max, 1)->value[0] = t_number(5.0);
  bf_diags  diags                                       = {0};
  bf_model *m                                           = NULL;
  bf_setup *s                                           = NULL;
  T_ERR(BF_E_MODEL, bf_model_draft(c.mesh, t_problem(&c), &diags, &m));
  assert_non_null(m);
  assert_int_equal(diags.item[0].code, 301);
  T_OK(bf_setup_create(m, &s));
  T_NEAR(s->total[0], -5.0, 1e-12);
  bf_setup_destroy(&s);
  bf_model_destroy(&m);
  bf_diags_clear(&diags);
  t_case_clear(&c);
}

static void a_draft_with_other_mistakes_shows_what_is_known(void **state)
{
  (void)state;
  t_case c;
  loaded(&c, BF_HEX8);
  c.material[0].has_rho = 0;
  bf_diags  diags       = {0};
  bf_model *m           = NULL;
  bf_setup *s           = NULL;
  T_ERR(BF_E_MODEL, bf_model_draft(c.mesh, t_problem(&c), &diags, &m));
  assert_int_equal(diags.item[0].code, 304);
  T_OK(bf_setup_create(m, &s));
  assert_int_equal(s->has_total, 0);
  assert_null(field(s, "nodal_load", 3, 0));
  assert_non_null(field(s, "traction", 3, 1));
  assert_int_equal(s->part[0].prescribed[2], 9);
  bf_setup_destroy(&s);
  bf_model_destroy(&m);
  bf_diags_clear(&diags);
  t_case_clear(&c);
}

static void a_formula_without_a_value_is_told_with_its_line(void **state)
{
  (void)state;
  static const char *const text[] = {"1/(x - 2)", "if(y < 0.2, sqrt(-1), 1)"}; /* at the middle; beside it */
  for (int k = 0; k < 2; k++) {
    t_case c;
    loaded(&c, BF_HEX8);
    c.boundary[1].value[0]            = t_formula(text[k]);
    c.boundary[1].value[0].where.file = "deck.yaml";
    c.load[0].where.file              = "deck.yaml";
    bf_model *m                       = t_model(&c);
    bf_setup *s                       = NULL;
    T_OK(bf_setup_create(m, &s));
    assert_int_equal(c.diags.errors, 1);
    assert_int_equal(c.diags.item[0].code, 319);
    assert_int_equal(c.diags.item[0].line, 9);
    T_CONTAINS(c.diags.item[0].text, "value of pressure: formula '");
    T_CONTAINS(c.diags.item[0].text, "(element ");
    bf_setup_destroy(&s);
    bf_model_destroy(&m);
    t_case_clear(&c);
  }
}

static void texts_are_those_of_the_deck(void **state)
{
  (void)state;
  t_case c;
  char   text[BF_SETUP_TEXT], formula[600];
  loaded(&c, BF_HEX8);
  memset(formula, '1', sizeof formula - 1);
  formula[sizeof formula - 1]              = '\0';
  t_load(&c, BF_LOAD_BODY_FORCE)->value[0] = t_formula(formula);
  bf_model *m                              = t_model(&c);
  bf_setup_condition_text(m, 0, text);
  assert_string_equal(text, "fixed on x_min");
  bf_setup_condition_text(m, 1, text);
  assert_string_equal(text, "pressure 5 on x_max");
  bf_setup_load_text(m, 0, text);
  assert_string_equal(text, "gravity [0, -2, 0] on the whole body");
  bf_setup_load_text(m, 1, text);
  assert_non_null(strstr(text, "1111...\", 0, 0] on the whole body"));
  bf_setup_material_text(m, 0, text);
  assert_string_equal(text, "steel: E 210, nu 0.3, rho 7.5 on all");
  bf_model_destroy(&m);
  t_case_clear(&c);
}

static void a_failed_allocation_leaks_nothing(void **state)
{
  (void)state;
  t_case c;
  loaded(&c, BF_QUAD8);
  bf_model   *m = t_model(&c);
  t_no_memory t = {0};
  while (t_no_memory_next(&t)) {
    bf_diags  diags = {0};
    bf_setup *s     = NULL;
    t_no_memory_begin(&t);
    t_no_memory_end(&t, bf_setup_create(m, &s));
    assert_int_equal(s != NULL, t.last);
    bf_setup_destroy(&s);
    bf_diags_clear(&diags);
  }
  assert_true(t.failed > 10);
  bf_model_destroy(&m);
  t_case_clear(&c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_element_type_shows_its_loads),
      cmocka_unit_test(held_unknowns_are_counted_and_marked),
      cmocka_unit_test(heat_shows_flux_source_and_convection),
      cmocka_unit_test(a_free_body_has_a_draft_that_shows_its_loads),
      cmocka_unit_test(a_draft_with_other_mistakes_shows_what_is_known),
      cmocka_unit_test(a_formula_without_a_value_is_told_with_its_line),
      cmocka_unit_test(texts_are_those_of_the_deck),
      cmocka_unit_test(a_failed_allocation_leaks_nothing),
  };
  return T_RUN(tests);
}
