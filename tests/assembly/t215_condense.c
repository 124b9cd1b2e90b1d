/* tests/assembly/t215_condense.c - static condensation: the same solution to roundoff, on every physics and
 * load, with fewer unknowns; patch tests; what cannot be condensed; failing allocations usage: t215_condense
 * <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/internal.h"
#include "mesh/build.h"
#include "tests/assembly/solved_case.h"

static const bf_elem_type types[] = {BF_QUAD9, BF_HEX27};

typedef enum { HEAT, ELASTIC, THERMAL, CARRIED, GALERKIN, RING, WARM_RING, CASES } kind;

/* Everything that loads or holds, formulas, distorted elements with curved sides. */
static void build(t_case *c, kind k, bf_elem_type type)
{
  static const bf_name sides[] = {{.name = "x_min"}, {.name = "x_max"}, {.name = "y_min"}, {.name = "y_max"}};
  const int elastic = k == ELASTIC || k == THERMAL || k == RING, carried = k == CARRIED || k == GALERKIN;
  t_case_create(c, elastic ? BF_ELASTICITY : carried ? BF_ADVECTION : BF_HEAT, type, 2);
  t_distort(c->mesh, 0.1, 1);
  const int dim = c->mesh->dim;
  if (k == RING || k == WARM_RING) {
    for (bf_int i = 0; i < c->mesh->nnodes; i++) c->mesh->x[3 * i] += 1.0;
    c->p.space = BF_SPACE_AXISYMMETRIC;
  }
  if (elastic) {
    c->material[0].E         = t_formula("210*(1 + 0.3*x)");
    c->material[0].alpha     = 0.02;
    c->material[0].has_alpha = 1;
    bf_boundary *held        = t_condition(c, BF_BC_DISPLACEMENT, sides, 1);
    for (int i = 0; i < dim; i++) held->given[i] = 1, held->value[i] = t_formula("0.01*(y - 0.3)");
    bf_boundary *pull                                      = t_condition(c, BF_BC_TRACTION, sides + 1, 1);
    pull->value[0]                                         = t_formula("1 + y");
    pull->value[1]                                         = t_number(-0.5);
    t_condition(c, BF_BC_PRESSURE, sides + 3, 1)->value[0] = t_formula("0.4*x");
    t_condition(c, BF_BC_SPRING, sides + 2, 1)->value[0]   = t_number(30.0);
    bf_load *push                                          = t_load(c, BF_LOAD_BODY_FORCE);
    for (int i = 0; i < dim; i++) push->value[i] = t_formula("x*y - 0.2");
    if (k == RING) push->value[0] = t_number(0.0);
    bf_load *point = t_load(c, BF_LOAD_POINT_FORCE); /* the element's inner node takes a share */
    point->nat     = dim;
    for (int i = 0; i < dim; i++)
      point->at[i] = 0.4 + (k == RING), point->value[i] = t_number(i == 1 ? -0.3 : 0.1);
    if (k == RING) point->value[0] = t_number(0.0), point->at[1] = 0.4;
    if (k == THERMAL) t_load(c, BF_LOAD_THERMAL)->value[0] = t_formula("3*x*y");
  } else {
    t_condition(c, carried ? BF_BC_VALUE : BF_BC_TEMPERATURE, sides, 1)->value[0] = t_formula("1 + y");
    bf_boundary *robin                                 = t_condition(c, BF_BC_CONVECTION, sides + 3, 1);
    robin->h                                           = t_number(2.0);
    robin->ambient                                     = t_formula("x");
    t_condition(c, BF_BC_FLUX, sides + 1, 1)->value[0] = t_number(0.7);
    t_load(c, carried ? BF_LOAD_SOURCE : BF_LOAD_HEAT_SOURCE)->value[0] = t_formula("1 + x*y");
    if (!carried) c->material[0].k = t_formula("3*(1 + 0.5*x)");
  }
  if (carried) {
    c->p.stabilized            = k == CARRIED;
    c->material[0].diffusivity = t_formula("0.05*(1 + x)");
    c->material[0].velocity[0] = t_formula("1 + y");
    c->material[0].reaction    = t_number(0.3);
  }
}

static void near_fields(const t_solved *a, const t_solved *b, double tol)
{
  assert_int_equal(a->out.nfields, b->out.nfields);
  for (int f = 0; f < a->out.nfields; f++) {
    const bf_field *p = &a->out.field[f], *q = &b->out.field[f];
    const size_t    n    = (size_t)(p->on_cells ? a->view->ncells : a->view->npoints) * (size_t)p->ncomp;
    double          size = 0.0, worst = 0.0;
    assert_string_equal(p->name, q->name);
    for (size_t i = 0; i < n; i++) {
      size  = fmax(size, fabs(q->data[i]));
      worst = fmax(worst, fabs(p->data[i] - q->data[i]));
    }
    if (!(worst <= tol * size)) fail_msg("%s: %.3g apart, largest %.3g", p->name, worst, size);
  }
  assert_int_equal(a->out.nreactions, b->out.nreactions);
  for (int i = 0; i < a->out.nreactions; i++)
    for (int d = 0; d < 3; d++)
      T_NEAR(a->out.reaction[i].value[d], b->out.reaction[i].value[d], tol * (1.0 + fabs(b->out.applied[0])));
  T_NEAR(a->out.balance, b->out.balance, 1e-11);
  T_NEAR(a->out.moment_balance, b->out.moment_balance, 1e-11);
  T_LE(a->out.balance, a->m->problem->physics == BF_ADVECTION ? 1e-3 : 1e-11); /* its flow: by quadrature */
}

static void condensed_solutions_are_those_of_all_unknowns(void **state)
{
  (void)state;
  for (int t = 0; t < 2; t++)
    for (kind k = HEAT; k < CASES; k++) {
      t_case   c[2];
      t_solved r[2];
      if (t == 1 && (k == RING || k == WARM_RING)) continue;
      T_ONE_OF(3);
      for (int on = 0; on < 2; on++) {
        build(&c[on], k, types[t]);
        c[on].p.condense = on ? BF_CONDENSE_ON : BF_CONDENSE_OFF;
        t_solve_case(&c[on], &r[on]);
      }
      const bf_int ne = bf_mesh_block(c[0].mesh, types[t])->n;
      assert_int_equal(bf_model_condensed(r[0].m), 0);
      assert_int_equal(bf_model_condensed(r[1].m), ne);
      const int phantoms[2] = {bf_numbering_phantoms(r[0].s.num), bf_numbering_phantoms(r[1].s.num)};
      assert_int_equal(r[1].s.num->nrows - phantoms[1], r[0].s.num->nrows - phantoms[0] - ne);
      near_fields(&r[1], &r[0], 1e-10);
      t_solved_clear(&c[0], &r[0]);
      t_solved_clear(&c[1], &r[1]);
    }
}

/* The condensed matrix is the Schur complement of the whole one, and as symmetric. */
static void the_matrix_stays_exactly_symmetric(void **state)
{
  (void)state;
  for (int t = 0; t < 2; t++) {
    t_case   c;
    t_solved r;
    build(&c, ELASTIC, types[t]);
    c.p.condense = BF_CONDENSE_AUTO;
    r.m          = t_model(&c);
    t_assemble(&c, r.m, T_CSR, &r.s);
    for (bf_int i = 0; i < r.s.n; i++)
      for (bf_int j = 0; j < i; j++)
        assert_true(r.s.dense[(size_t)i * (size_t)r.s.n + (size_t)j] ==
                    r.s.dense[(size_t)j * (size_t)r.s.n + (size_t)i]);
    t_system_clear(&r.s);
    bf_model_destroy(&r.m);
    t_case_clear(&c);
  }
}

static void every_format_gets_the_same_condensed_matrix(void **state)
{
  (void)state;
  for (int t = 0; t < 2; t++) {
    t_case   c;
    t_system s[T_FORMATS];
    build(&c, ELASTIC, types[t]);
    c.p.condense = BF_CONDENSE_ON;
    bf_model *m  = t_model(&c);
    for (int f = 0; f < T_FORMATS; f++) t_assemble(&c, m, (t_format)f, &s[f]);
    for (int f = 1; f < T_FORMATS; f++) {
      assert_int_equal(s[f].n, s[0].n);
      for (size_t i = 0; i < (size_t)s[0].n * (size_t)s[0].n; i++)
        T_NEAR(s[f].dense[i], s[0].dense[i], 1e-12 * 210.0);
      for (bf_int i = 0; i < s[0].n; i++) T_NEAR(s[f].rhs[i], s[0].rhs[i], 1e-12);
    }
    for (int f = 0; f < T_FORMATS; f++) t_system_clear(&s[f]);
    bf_model_destroy(&m);
    t_case_clear(&c);
  }
}

/* A linear field comes out exactly, in the middle of the elements too, and so does its one stress. */
static void the_patch_test_holds(void **state)
{
  (void)state;
  static const char *const text[3] = {"0.2 + 0.5*x - 0.3*y + 0.25*z", "-0.1 + 0.35*x + 0.6*y - 0.2*z",
                                      "0.4 - 0.25*x + 0.15*y + 0.45*z"};
  double                   worst   = 0.0;
  for (int t = 0; t < 2; t++)
    for (int elastic = 0; elastic < 2; elastic++) {
      t_case   c;
      t_solved r;
      t_case_create(&c, elastic ? BF_ELASTICITY : BF_HEAT, types[t], 2);
      t_distort(c.mesh, 0.12, 1);
      c.p.condense = BF_CONDENSE_ON;
      bf_boundary *bc =
          t_condition(&c, elastic ? BF_BC_DISPLACEMENT : BF_BC_TEMPERATURE, t_sides, t_nsides(&c));
      for (int d = 0; d < 3; d++) {
        bc->given[d] = d < c.mesh->dim;
        bc->value[d] = t_formula(text[d]);
      }
      t_solve_case(&c, &r);
      const bf_field *u = t_field(&r, elastic ? "displacement" : "temperature");
      for (bf_int p = 0; p < r.view->npoints; p++) {
        const double *x = c.mesh->x + 3 * r.view->node[p];
        worst = fmax(worst, fabs(u->data[p * u->ncomp] - (0.2 + 0.5 * x[0] - 0.3 * x[1] + 0.25 * x[2])));
      }
      const bf_field *s = t_field(&r, elastic ? "stress" : "heat_flux");
      for (bf_int i = 0; i < r.view->ncells; i++)
        for (int k = 0; k < s->ncomp; k++)
          worst = fmax(worst, fabs(s->data[i * s->ncomp + k] - s->data[k]) / 210.0);
      T_LE(r.out.balance, 1e-12);
      t_solved_clear(&c, &r);
    }
  T_LE(worst, 1e-11);
  print_message("largest error: %.2e\n", worst);
}

/* The left half of the rectangle loses its middle nodes: quad8 beside quad9, and nodes of no element. */
static void elements_with_and_without_middle_nodes_share_a_mesh(void **state)
{
  (void)state;
  t_case   c[2];
  t_solved r[2];
  for (int on = 0; on < 2; on++) {
    build(&c[on], HEAT, BF_QUAD9);
    bf_mesh        *m = c[on].mesh, *two = NULL;
    bf_int          n[2] = {0, 0};
    const int       last = m->nblocks - 1;
    const bf_block *B    = &m->block[last];
    for (bf_int e = 0; e < B->n; e++) n[m->x[3 * B->node[9 * e + 8]] > 1.0]++;
    T_OK(bf_mesh_create("two", 2, m->nnodes, last + 2, 1, &two));
    memcpy(two->x, m->x, (size_t)m->nnodes * 3 * sizeof *m->x);
    memcpy(two->node_tag, m->node_tag, (size_t)m->nnodes * sizeof *m->node_tag);
    T_OK(bf_mesh_set_block(two, 0, BF_LINE3, m->block[0].n));
    memcpy(two->block[0].node, m->block[0].node, (size_t)m->block[0].n * 3 * sizeof(bf_int));
    T_OK(bf_mesh_set_block(two, 1, BF_QUAD8, n[0]));
    T_OK(bf_mesh_set_block(two, 2, BF_QUAD9, n[1]));
    n[0] = n[1] = 0;
    for (bf_int e = 0; e < B->n; e++) {
      const int right = m->x[3 * B->node[9 * e + 8]] > 1.0, nen = right ? 9 : 8;
      memcpy(two->block[1 + right].node + nen * n[right]++, B->node + 9 * e, (size_t)nen * sizeof(bf_int));
    }
    for (int b = 0; b < 3; b++)
      for (bf_int e = 0; e < two->block[b].n; e++) two->block[b].tag[e] = two->block[b].first + e + 1;
    bf_group *groups = two->group; /* those of the sides come along */
    two->group       = m->group;
    m->group         = groups;
    const int ng     = two->ngroups;
    two->ngroups     = m->ngroups;
    m->ngroups       = ng;
    bf_mesh_destroy(&c[on].mesh);
    c[on].mesh       = two;
    c[on].p.condense = on ? BF_CONDENSE_ON : BF_CONDENSE_OFF;
    t_solve_case(&c[on], &r[on]);
  }
  assert_int_equal(bf_model_condensed(r[1].m), bf_mesh_block(c[1].mesh, BF_QUAD9)->n);
  near_fields(&r[1], &r[0], 1e-10);
  for (int on = 0; on < 2; on++) t_solved_clear(&c[on], &r[on]);
}

static void expect_315(t_case *c, const char *says)
{
  bf_diags  d   = {0};
  bf_model *m   = NULL;
  c->p.condense = BF_CONDENSE_ON;
  T_ERR(BF_E_MODEL, bf_model_create(c->mesh, t_problem(c), &d, &m));
  int found = 0;
  for (int i = 0; i < d.count; i++)
    if (d.item[i].code == 315) {
      T_CONTAINS(d.item[i].text, says);
      found++;
    }
  assert_int_equal(found, 1);
  bf_diags_clear(&d);
  c->p.condense = BF_CONDENSE_AUTO;
  m             = t_model(c);
  assert_int_equal(bf_model_condensed(m), 0);
  bf_model_destroy(&m);
}

static void what_cannot_be_condensed_is_said(void **state)
{
  (void)state;
  static const bf_name spot[] = {{.name = "spot"}};
  t_case               c;
  build(&c, HEAT, BF_QUAD9);
  c.p.quadrature = 1;
  expect_315(&c, "quadrature: 1");
  t_case_clear(&c);

  t_case_create(&c, BF_HEAT, BF_HEX8, 2);
  t_condition(&c, BF_BC_TEMPERATURE, t_sides, 1)->value[0] = t_number(1.0);
  expect_315(&c, "use quad9 or hex27");
  t_case_clear(&c);

  build(&c, HEAT, BF_QUAD9); /* an element's middle becomes a group of one point: its first side is one */
  bf_group *g = &c.mesh->group[3];
  bf_host_free(g->name);
  g->name                                               = bf_host_strdup("spot");
  bf_block       *side                                  = &c.mesh->block[0];
  const bf_block *B                                     = bf_mesh_block(c.mesh, BF_QUAD9);
  side->node[3 * g->elem[0] + 2]                        = B->node[8];
  t_condition(&c, BF_BC_TEMPERATURE, spot, 1)->value[0] = t_number(1.0);
  for (int i = 0; i < c.p.nboundaries; i++) /* what stood on that side goes */
    if (strcmp(c.boundary[i].group->name, "y_min") == 0) c.boundary[i].group = t_x_min;
  expect_315(&c, "a value is prescribed at a center node");
  t_case_clear(&c);
}

static void the_iterations_to_expect_grow_with_the_nodes_along_an_edge(void **state)
{
  (void)state;
  t_case c;
  t_case_create(&c, BF_HEAT, BF_HEX27, 3);
  T_NEAR(bf_condense_iterations(c.mesh, BF_HEAT), 4.5 * cbrt(c.mesh->nnodes), 1e-9);
  T_NEAR(bf_condense_iterations(c.mesh, BF_ELASTICITY), 12.0 * cbrt(c.mesh->nnodes), 1e-9);
  t_case_clear(&c);
  t_case_create(&c, BF_HEAT, BF_QUAD9, 3);
  T_NEAR(bf_condense_iterations(c.mesh, BF_HEAT), 4.5 * sqrt(c.mesh->nnodes), 1e-9);
  t_case_clear(&c);
  t_case_create(&c, BF_HEAT, BF_HEX20, 3);
  assert_true(bf_condense_iterations(c.mesh, BF_HEAT) == 0.0);
  t_case_clear(&c);
}

static void a_failed_allocation_leaks_nothing(void **state)
{
  (void)state;
  T_LONG;
  if (t_be->ops.on_device) skip();
  t_case c;
  build(&c, ELASTIC, BF_QUAD9);
  c.p.condense = BF_CONDENSE_ON;
  assert_true(t_fail_everywhere(&c) > 50);
  t_case_clear(&c);
}

int main(int argc, char **argv)
{
  const int code = t_backend_open(argc, argv);
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(condensed_solutions_are_those_of_all_unknowns),
      cmocka_unit_test(the_matrix_stays_exactly_symmetric),
      cmocka_unit_test(every_format_gets_the_same_condensed_matrix),
      cmocka_unit_test(the_patch_test_holds),
      cmocka_unit_test(elements_with_and_without_middle_nodes_share_a_mesh),
      cmocka_unit_test(what_cannot_be_condensed_is_said),
      cmocka_unit_test(the_iterations_to_expect_grow_with_the_nodes_along_an_edge),
      cmocka_unit_test(a_failed_allocation_leaks_nothing),
  };
  return t_backend_close(T_RUN(tests));
}
