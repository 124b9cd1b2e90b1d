/* tests/assembly/physics/t637_advection_checks.c - advection and diffusion: errors and warnings of the model,
 * outer faces
 *
 * usage: t637_advection_checks <backend>
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/physics/flow.h"
#include "tests/assembly/physics/advection_case.h"

/* Creates the model; the text of the first message with this code, or "". */
static bf_err message_of(t_case *c, int code, char text[1024], int *where)
{
  bf_diags     diags = {0};
  bf_model    *m     = NULL;
  const bf_err err   = bf_model_create(c->mesh, t_problem(c), &diags, &m);
  text[0]            = '\0';
  *where             = 0;
  for (int i = 0; i < diags.count && !text[0]; i++)
    if (diags.item[i].code == code) {
      snprintf(text, 1024, "%s", diags.item[i].text);
      *where = (int)diags.item[i].line;
    }
  bf_model_destroy(&m);
  bf_diags_clear(&diags);
  return err;
}

static void plain_case(t_case *c)
{
  t_case_create(c, BF_ADVECTION, BF_QUAD4, 4); /* cells 0.4 x 0.25 */
  flow(c, 0.05, 1.0, 0.0, 0.0, 0.0);
  value_on(c, t_x_min, 1, t_number(1.0));
}

static void coarse_cells_without_stabilisation_are_warned_of(void **state)
{
  (void)state;
  t_case c;
  char   text[1024];
  int    line;
  plain_case(&c);
  T_OK(message_of(&c, 311, text, &line));
  assert_string_equal(text, "");
  c.p.stabilized          = 0;
  c.p.stabilization_where = (bf_where){.file = "deck.yaml", .line = 7};
  T_OK(message_of(&c, 311, text, &line));
  T_CONTAINS(text, "20 of 20 cells");
  T_CONTAINS(text, "up to 4 in element");
  T_CONTAINS(text, "at (0.2, 0.125, 0)");
  assert_int_equal(line, 7);
  flow(&c, 0.25, 1.0, 0.0, 0.0, 0.0); /* Pe = 0.8 */
  T_OK(message_of(&c, 311, text, &line));
  assert_string_equal(text, "");
  t_case_clear(&c);
}

static void a_value_where_the_flow_leaves_is_warned_of(void **state)
{
  (void)state;
  t_case c;
  char   text[1024];
  int    line;
  plain_case(&c);
  T_OK(message_of(&c, 312, text, &line));
  assert_string_equal(text, "");
  value_on(&c, t_x_max, 1, t_number(0.0));
  T_OK(message_of(&c, 312, text, &line));
  T_CONTAINS(text, "4 faces, the first at (2, 0.125, 0)");
  T_CONTAINS(text, "D/v = 0.05");
  T_CONTAINS(text, "up to 4 ");
  assert_int_equal(line, 21);
  t_case_clear(&c);
}

static void an_entrance_without_a_value_is_warned_of(void **state)
{
  (void)state;
  t_case c;
  char   text[1024];
  int    line;
  plain_case(&c);
  T_OK(message_of(&c, 313, text, &line));
  assert_string_equal(text, "");
  flow(&c, 0.05, 1.0, 0.3, 0.0, 0.0); /* through y_min too */
  T_OK(message_of(&c, 313, text, &line));
  T_CONTAINS(text, "5 boundary faces");
  bf_boundary *robin = t_condition(&c, BF_BC_CONVECTION, &t_sides[2], 1);
  robin->h           = t_number(0.3);
  robin->ambient     = t_number(0.0);
  T_OK(message_of(&c, 313, text, &line));
  assert_string_equal(text, "");
  t_case_clear(&c);
}

static void something_fixes_a_level(void **state)
{
  (void)state;
  t_case c;
  char   text[1024];
  int    line;
  t_case_create(&c, BF_ADVECTION, BF_TRI3, 2);
  T_ERR(BF_E_MODEL, message_of(&c, 301, text, &line));
  T_CONTAINS(text, "the concentration level of");
  T_CONTAINS(text, "value or convection");
  flow(&c, 0.5, 1.0, 0.0, 0.0, 0.1); /* a reaction does */
  T_OK(message_of(&c, 301, text, &line));
  t_case_clear(&c);
}

static void what_does_not_belong_or_has_no_value_is_refused(void **state)
{
  (void)state;
  t_case c;
  char   text[1024];
  int    line;
  plain_case(&c);
  t_condition(&c, BF_BC_TEMPERATURE, t_x_max, 1)->value[0] = t_number(1.0);
  T_ERR(BF_E_INPUT, message_of(&c, 107, text, &line));
  T_CONTAINS(text, "'temperature' does not belong to advection_diffusion");
  c.p.nboundaries--;
  t_load(&c, BF_LOAD_HEAT_SOURCE);
  T_ERR(BF_E_INPUT, message_of(&c, 107, text, &line));
  c.p.nloads--;
  c.p.order = 2;
  T_ERR(BF_E_INPUT, message_of(&c, 107, text, &line));
  T_CONTAINS(text, "gfem of order 2 is for heat and elasticity");
  c.p.order = 0;
  flow(&c, -1.0, 1.0, 0.0, 0.0, 0.0);
  T_ERR(BF_E_MODEL, message_of(&c, 303, text, &line));
  c.material[0].diffusivity = t_formula("x - 1");
  T_ERR(BF_E_MODEL, message_of(&c, 303, text, &line));
  T_CONTAINS(text, "must be positive");
  flow(&c, 1.0, 1.0, 0.0, 0.0, 0.0);
  c.material[0].velocity[1] = t_formula("1/(x - x)");
  T_ERR(BF_E_MODEL, message_of(&c, 319, text, &line));
  T_CONTAINS(text, "velocity y of material 'steel': formula '1/(x - x)' is inf at (");
  c.material[0].velocity[1] = t_formula("1/(x - 2)"); /* inside it has values, on x_max it has none */
  T_ERR(BF_E_MODEL, message_of(&c, 319, text, &line));
  T_CONTAINS(text, "is inf at (2, ");
  t_case_clear(&c);
}

static void half_of_the_matrix_is_refused(void **state)
{
  (void)state;
  t_case        c;
  bf_numbering *num = NULL;
  bf_matrix    *A   = NULL;
  double       *b = NULL, *x0 = NULL;
  plain_case(&c);
  bf_model *m = t_model(&c);
  T_OK(bf_numbering_create(c.mesh, BF_ORDER_FILE, &num));
  T_OK(bf_matrix_create_bdia(t_be, num->bands, 1, 1, BF_FP64, num->nnz, &A));
  T_OK(bf_vector_create(t_be, A->nrows, A->guard, &b));
  T_OK(bf_vector_create(t_be, A->nrows, A->guard, &x0));
  T_ERR(BF_E_ARG, bf_model_assemble(m, num, A, b, x0, NULL));
  T_CONTAINS(bf_err_message(), "not symmetric");
  bf_vector_destroy(t_be, A->guard, &b);
  bf_vector_destroy(t_be, A->guard, &x0);
  bf_matrix_destroy(&A);
  bf_numbering_destroy(&num);
  bf_model_destroy(&m);
  t_case_clear(&c);
}

static void outer_faces_are_the_surface_of_the_body(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++) {
    T_ONE_OF(3);
    t_case       c;
    bf_face_set *set   = NULL;
    int          n     = 0;
    bf_int       faces = 0, side = 0;
    t_case_create(&c, BF_ADVECTION, t_types[t], 3);
    value_on(&c, t_x_min, 1, t_number(1.0));
    bf_model *m = t_model(&c);
    T_OK(bf_model_outer_faces(m, &set, &n));
    for (int k = 0; k < n; k++) faces += set[k].n;
    for (int g = 0; g < c.mesh->ngroups; g++)
      if (c.mesh->group[g].dim == c.mesh->dim - 1) side += c.mesh->group[g].nelem;
    assert_int_equal(faces, side);
    for (int k = 0; k < n; k++) bf_face_set_clear(&set[k]);
    bf_host_free(set);
    bf_model_destroy(&m);
    t_case_clear(&c);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coarse_cells_without_stabilisation_are_warned_of),
      cmocka_unit_test(a_value_where_the_flow_leaves_is_warned_of),
      cmocka_unit_test(an_entrance_without_a_value_is_warned_of),
      cmocka_unit_test(something_fixes_a_level),
      cmocka_unit_test(what_does_not_belong_or_has_no_value_is_refused),
      cmocka_unit_test(half_of_the_matrix_is_refused),
      cmocka_unit_test(outer_faces_are_the_surface_of_the_body),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
