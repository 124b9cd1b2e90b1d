/* tests/assembly/t659_frames.c - conditions in directions other than x, y, z: planes of symmetry of any
 * direction, displacements and tractions in axes, nodes with several of them; what is refused usage:
 * t659_frames <backend>
 *
 * Oracles: the same body with its sides along x, y, z, turned; rigid motions; sums of forces.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/internal.h"
#include "tests/assembly/solved_case.h"

static const bf_name t_three[] = {{.name = "x_min"}, {.name = "y_min"}, {.name = "z_min"}};

/* Columns of a rotation: in space about (1, 2, -1) by 0.7, in the plane by 0.6. */
static void rotation(int dim, double R[3][3])
{
  const double k[3] = {1.0 / sqrt(6.0), 2.0 / sqrt(6.0), -1.0 / sqrt(6.0)}, a = dim == 3 ? 0.7 : 0.6;
  const double plane[3] = {0.0, 0.0, 1.0}, *u = dim == 3 ? k : plane;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const int l = 3 - i - j;
      double    w = 0.0;
      if (i != j) w = (j == (i + 1) % 3 ? -1.0 : 1.0) * u[l];
      R[i][j] = (i == j ? cos(a) : 0.0) + (1.0 - cos(a)) * u[i] * u[j] + sin(a) * w;
    }
}

static void apply(double R[3][3], const double v[3], double w[3])
{
  for (int i = 0; i < 3; i++) w[i] = R[i][0] * v[0] + R[i][1] * v[1] + R[i][2] * v[2];
}

static void turn_mesh(bf_mesh *mesh, double R[3][3])
{
  for (bf_int v = 0; v < mesh->nnodes; v++) {
    const double x[3] = {mesh->x[3 * v], mesh->x[3 * v + 1], mesh->x[3 * v + 2]};
    apply(R, x, mesh->x + 3 * v);
  }
}

static bf_axes turned_axes(double R[3][3])
{
  bf_axes a = {.name = "turned", .type = BF_AXES_RECTANGULAR, .nfirst = 3, .nother = 3};
  for (int i = 0; i < 3; i++) {
    a.first[i] = 3.0 * R[i][0];
    a.other[i] = 2.0 * R[i][1] + 0.5 * R[i][0];
  }
  return a;
}

/* A box on three planes of symmetry, sheared on its end and pulled on a side. */
static void load(t_case *c, const bf_axes *axes)
{
  t_condition(c, BF_BC_SYMMETRY, t_three, c->mesh->dim);
  bf_boundary *b = t_condition(c, BF_BC_TRACTION, &t_sides[1], 1);
  b->axes        = axes;
  for (int k = 0; k < c->mesh->dim; k++) b->value[k] = t_number(1.0 + k);
  b       = t_condition(c, BF_BC_FORCE, &t_sides[3], 1);
  b->axes = axes;
  for (int k = 0; k < c->mesh->dim; k++) b->value[k] = t_number(0.3 - 0.2 * k);
  b           = t_condition(c, BF_BC_SPRING, &t_sides[2], 1); /* on a plane of symmetry: in its frames */
  b->value[0] = t_number(40.0);
  bf_load *l  = t_load(c, BF_LOAD_BODY_FORCE);
  l->axes     = axes;
  for (int k = 0; k < c->mesh->dim; k++) l->value[k] = t_formula("0.7");
}

static const double *vector_at(const t_solved *r, const char *name, bf_int p)
{
  const bf_field *f = t_field(r, name);
  return f->data + (size_t)p * (size_t)f->ncomp;
}

static void compare(bf_elem_type type, int incompatible, int condense)
{
  t_case   a, b;
  t_solved ra, rb;
  double   R[3][3], most = 0.0, stress = 0.0;
  t_case_create(&a, BF_ELASTICITY, type, 2);
  t_case_create(&b, BF_ELASTICITY, type, 2);
  t_distort(a.mesh, 0.03, 0);
  t_distort(b.mesh, 0.03, 0);
  rotation(a.mesh->dim, R);
  turn_mesh(b.mesh, R);
  const bf_axes axes = turned_axes(R);
  a.p.incompatible = b.p.incompatible = incompatible;
  a.p.condense = b.p.condense = condense ? BF_CONDENSE_ON : BF_CONDENSE_OFF;
  b.p.axes                    = &axes;
  b.p.naxes                   = 1;
  b.p.output_axes             = &axes;
  load(&a, NULL);
  load(&b, &axes);
  t_solve_case(&a, &ra);
  t_solve_case(&b, &rb);
  assert_true(rb.m->nframes > 0 && ra.m->nframes == 0);
  for (bf_int p = 0; p < ra.view->npoints; p++)
    for (int k = 0; k < 3; k++) most = fmax(most, fabs(vector_at(&ra, "displacement", p)[k]));
  for (bf_int p = 0; p < ra.view->npoints; p++)
    for (int k = 0; k < 6; k++) stress = fmax(stress, fabs(vector_at(&ra, "stress_nodal", p)[k]));
  for (bf_int p = 0; p < ra.view->npoints; p++) {
    double u[3], f[3];
    apply(R, vector_at(&ra, "displacement", p), u);
    apply(R, vector_at(&ra, "reaction", p), f);
    for (int k = 0; k < 3; k++) {
      T_NEAR(vector_at(&rb, "displacement", p)[k], u[k], 1e-9 * most);
      T_NEAR(vector_at(&rb, "displacement_axes", p)[k], vector_at(&ra, "displacement", p)[k], 1e-9 * most);
      T_NEAR(vector_at(&rb, "reaction", p)[k], f[k], 1e-9);
    }
    for (int k = 0; k < 6; k++)
      T_NEAR(vector_at(&rb, "stress_nodal_axes", p)[k], vector_at(&ra, "stress_nodal", p)[k], 1e-8 * stress);
  }
  for (bf_int p = 0; p < ra.view->ncells; p++) {
    T_NEAR(vector_at(&rb, "von_mises", p)[0], vector_at(&ra, "von_mises", p)[0], 1e-8 * stress);
    for (int k = 0; k < 6; k++)
      T_NEAR(vector_at(&rb, "stress_axes", p)[k], vector_at(&ra, "stress", p)[k], 1e-8 * stress);
  }
  assert_int_equal(ra.out.nreactions, rb.out.nreactions);
  for (int g = 0; g < ra.out.nreactions; g++) {
    double f[3];
    apply(R, ra.out.reaction[g].value, f);
    for (int k = 0; k < 3; k++) T_NEAR(rb.out.reaction[g].value[k], f[k], 1e-9);
  }
  assert_true(rb.out.balance < 1e-10 && rb.out.moment_balance < 1e-10);
  t_solved_clear(&a, &ra);
  t_solved_clear(&b, &rb);
}

static void a_turned_body_has_the_turned_solution(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++) compare(t_types[t], 0, 0);
  compare(BF_QUAD4, 1, 0);
  compare(BF_HEX8, 1, 0);
  compare(BF_QUAD9, 0, 1);
  compare(BF_HEX27, 0, 1);
}

/* The matrix in frames is T^T K T with the rows of constraints cleared: the same in every format, symmetric.
 */
static void every_format_has_the_same_matrix(void **state)
{
  (void)state;
  double *dense[T_FORMATS] = {NULL};
  t_case  c;
  double  R[3][3];
  t_case_create(&c, BF_ELASTICITY, BF_HEX8, 2);
  rotation(3, R);
  turn_mesh(c.mesh, R);
  load(&c, NULL);
  bf_int n = 0;
  for (int f = 0; f < T_FORMATS; f++) {
    bf_model *m = t_model(&c);
    t_system  s;
    t_assemble(&c, m, (t_format)f, &s);
    n        = s.n;
    dense[f] = s.dense;
    s.dense  = NULL;
    t_system_clear(&s);
    bf_model_destroy(&m);
  }
  for (bf_int i = 0; i < n; i++)
    for (bf_int j = 0; j < n; j++) {
      const size_t at = (size_t)i * (size_t)n + (size_t)j;
      T_NEAR(dense[T_CSR][at], dense[T_CSR][(size_t)j * (size_t)n + (size_t)i], 1e-12);
      T_NEAR(dense[T_BDIA_FULL][at], dense[T_CSR][at], 1e-12);
      T_NEAR(dense[T_BDIA_HALF][at], dense[T_CSR][at], 1e-12);
    }
  for (int f = 0; f < T_FORMATS; f++) bf_host_free(dense[f]);
  t_case_clear(&c);
}

/* All nodes of two sides move with u = w e_t r + e_z a r^0 + .. : a rotation about an axis and a translation
 * along it are free of stress. */
static void a_prescribed_turn_about_an_axis_is_a_rigid_motion(void **state)
{
  (void)state;
  const bf_axes axes = {.name    = "hub",
                        .type    = BF_AXES_CYLINDRICAL,
                        .origin  = {0.3, -2.0, 0.4},
                        .norigin = 3,
                        .other   = {0.2, 0.1, 2.0},
                        .nother  = 3};
  const double  w = 1e-3, along = 2e-3;
  double        z[3], size      = sqrt(0.2 * 0.2 + 0.1 * 0.1 + 4.0);
  t_case        c;
  t_solved      r;
  for (int i = 0; i < 3; i++) z[i] = axes.other[i] / size;
  t_case_create(&c, BF_ELASTICITY, BF_HEX20, 1);
  c.p.axes  = &axes;
  c.p.naxes = 1;
  /* |(x - o) cross z| of the axis above */
  bf_boundary *b = t_condition(&c, BF_BC_DISPLACEMENT, &t_sides[2], 1);
  b->axes        = &axes;
  b->given[0] = b->given[1] = b->given[2] = 1;
  b->value[0]                             = t_number(0.0);
  b->value[1] =
      t_formula("1e-3*sqrt(((y+2)*0.99380799-(z-0.4)*0.0496904)^2+((z-0.4)*0.09938080-(x-0.3)*0.99380799)^2"
                "+((x-0.3)*0.0496904-(y+2)*0.0993808)^2)");
  b->value[2] = t_number(along);
  t_solve_case(&c, &r);
  double most = 0.0;
  for (bf_int p = 0; p < r.view->npoints; p++) {
    const double *x = c.mesh->x + 3 * r.view->node[p], *u = vector_at(&r, "displacement", p);
    double        d[3];
    for (int i = 0; i < 3; i++) d[i] = x[i] - axes.origin[i];
    for (int i = 0; i < 3; i++) {
      const int    j = (i + 1) % 3, k = (i + 2) % 3;
      const double want = w * (z[j] * d[k] - z[k] * d[j]) + along * z[i];
      T_NEAR(u[i], want, 1e-9);
    }
    most = fmax(most, vector_at(&r, "von_mises_nodal", p)[0]);
  }
  assert_true(most < 1e-6 * 210.0 * w); /* the digits of the formula */
  t_solved_clear(&c, &r);
}

/* One condition has a part of the directions of a node, another the rest, in other axes. */
static void constraints_of_several_conditions_at_a_node_are_merged(void **state)
{
  (void)state;
  const double  v[3]    = {0.01, -0.02, 0.03};
  const bf_axes axes[2] = {
      {.name = "p", .type = BF_AXES_RECTANGULAR, .first = {1.0, 1.0, 0.0}, .other = {0.0, 1.0, 1.0}},
      {.name = "q", .type = BF_AXES_RECTANGULAR, .first = {0.0, 1.0, 2.0}, .other = {1.0, 0.0, 1.0}}};
  t_case   c;
  t_solved r;
  t_case_create(&c, BF_ELASTICITY, BF_HEX8, 2);
  c.p.axes       = axes;
  c.p.naxes      = 2;
  bf_boundary *b = t_condition(&c, BF_BC_DISPLACEMENT, t_x_min, 1); /* along (1, 1, 0) */
  b->axes        = &axes[0];
  b->given[0]    = 1;
  b->value[0]    = t_number((v[0] + v[1]) / sqrt(2.0));
  b              = t_condition(&c, BF_BC_DISPLACEMENT, t_x_min, 1); /* along (0, 1, 2) */
  b->axes        = &axes[1];
  b->given[0]    = 1;
  b->value[0]    = t_number((v[1] + 2.0 * v[2]) / sqrt(5.0));
  b              = t_condition(&c, BF_BC_DISPLACEMENT, t_x_min, 1);
  b->given[2]    = 1;
  b->value[2]    = t_number(v[2]);
  t_solve_case(&c, &r);
  assert_int_equal(r.m->nframes, 0); /* all of u is known there */
  for (bf_int p = 0; p < r.view->npoints; p++)
    for (int i = 0; i < 3; i++) T_NEAR(vector_at(&r, "displacement", p)[i], v[i], 1e-12);
  t_solved_clear(&c, &r);
}

static const bf_diag *refused(t_case *c, int code)
{
  bf_model *m = NULL;
  bf_diags_clear(&c->diags);
  T_ERR(BF_E_MODEL, bf_model_create(c->mesh, t_problem(c), &c->diags, &m));
  assert_null(m);
  for (int i = 0; i < c->diags.count; i++)
    if (c->diags.item[i].code == code) return &c->diags.item[i];
  bf_diags_print(&c->diags, 0, stderr);
  fail_msg("no E%d", code);
  return NULL;
}

static void values_that_do_not_agree_are_refused(void **state)
{
  (void)state;
  const bf_axes axes = {
      .name = "p", .type = BF_AXES_RECTANGULAR, .first = {1.0, 1.0, 0.0}, .other = {0.0, 1.0, 0.0}};
  t_case c;
  t_case_create(&c, BF_ELASTICITY, BF_HEX8, 2);
  c.p.axes  = &axes;
  c.p.naxes = 1;
  t_condition(&c, BF_BC_FIXED, t_x_min, 1);
  bf_boundary *b   = t_condition(&c, BF_BC_DISPLACEMENT, t_x_min, 1);
  b->axes          = &axes;
  b->given[0]      = 1;
  b->value[0]      = t_number(0.5);
  const bf_diag *d = refused(&c, 302);
  assert_int_equal((int)d->line, 21);
  assert_non_null(strstr(d->text, "line 20"));
  assert_non_null(strstr(d->text, "along (0.7071, 0.7071, 0) = 0.5"));
  b->value[0] = t_number(0.0); /* now they agree */
  bf_model *m = t_model(&c);
  bf_model_destroy(&m);
  t_case_clear(&c);
}

static void a_curved_side_is_no_plane_of_symmetry(void **state)
{
  (void)state;
  double R[3][3];
  t_case c;
  t_case_create(&c, BF_ELASTICITY, BF_HEX8, 3);
  for (bf_int v = 0; v < c.mesh->nnodes; v++)
    if (c.mesh->x[3 * v] < 1e-9) c.mesh->x[3 * v] -= 0.01 * c.mesh->x[3 * v + 1] * c.mesh->x[3 * v + 1];
  rotation(3, R);
  turn_mesh(c.mesh, R);
  t_condition(&c, BF_BC_SYMMETRY, t_three, 3);
  const bf_diag *d = refused(&c, 308);
  assert_non_null(strstr(d->text, "'x_min'"));
  assert_non_null(strstr(d->text, "deviate from their mean plane by up to 0.00"));
  t_case_clear(&c);
}

static void a_node_on_the_axis_has_no_radial_direction(void **state)
{
  (void)state;
  const bf_axes axes = {.name = "hub", .type = BF_AXES_CYLINDRICAL, .other = {1.0, 0.0, 0.0}};
  t_case        c;
  t_case_create(&c, BF_ELASTICITY, BF_HEX8, 2);
  c.p.axes  = &axes;
  c.p.naxes = 1;
  t_condition(&c, BF_BC_FIXED, t_x_max, 1);
  bf_boundary *b = t_condition(&c, BF_BC_DISPLACEMENT, t_x_min, 1);
  b->axes        = &axes;
  b->given[0]    = 1;
  (void)refused(&c, 339);
  b->given[1] = 1; /* r: 0, t: 0 */
  bf_model *m = t_model(&c);
  bf_model_destroy(&m);
  t_case_clear(&c);
}

static void free_motions_along_skew_directions_are_found(void **state)
{
  (void)state;
  double R[3][3];
  t_case c;
  t_case_create(&c, BF_ELASTICITY, BF_HEX8, 2);
  rotation(3, R);
  turn_mesh(c.mesh, R);
  t_condition(&c, BF_BC_SYMMETRY, t_three, 2); /* not z_min */
  const bf_diag *d = refused(&c, 301);
  assert_non_null(strstr(d->text, "1 rigid-body mode"));
  assert_non_null(strstr(d->text, "translation along"));
  t_case_clear(&c);
}

static void axes_without_directions_are_refused(void **state)
{
  (void)state;
  bf_axes axes = {.name  = "a",
                  .where = {.file = "deck.yaml", .line = 3},
                  .type  = BF_AXES_RECTANGULAR,
                  .first = {1.0, 2.0, 0.0},
                  .other = {-2.0, -4.0, 0.0}};
  t_case  c;
  t_case_create(&c, BF_ELASTICITY, BF_HEX8, 1);
  c.p.axes  = &axes;
  c.p.naxes = 1;
  t_condition(&c, BF_BC_FIXED, t_x_min, 1);
  assert_non_null(strstr(refused(&c, 339)->text, "parallel"));
  axes = (bf_axes){.name = "a", .type = BF_AXES_CYLINDRICAL};
  assert_non_null(strstr(refused(&c, 339)->text, "no direction"));
  t_case_clear(&c);
}

static void a_failed_allocation_leaks_nothing(void **state)
{
  (void)state;
  double R[3][3];
  t_case c;
  t_case_create(&c, BF_ELASTICITY, BF_QUAD4, 1);
  rotation(2, R);
  turn_mesh(c.mesh, R);
  const bf_axes axes = turned_axes(R);
  c.p.axes = c.p.output_axes = &axes;
  c.p.naxes                  = 1;
  load(&c, &axes);
  assert_true(t_fail_everywhere(&c) > 20);
  t_case_clear(&c);
}

int main(int argc, char **argv)
{
  const int code = t_backend_open(argc, argv);
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_turned_body_has_the_turned_solution),
      cmocka_unit_test(every_format_has_the_same_matrix),
      cmocka_unit_test(a_prescribed_turn_about_an_axis_is_a_rigid_motion),
      cmocka_unit_test(constraints_of_several_conditions_at_a_node_are_merged),
      cmocka_unit_test(values_that_do_not_agree_are_refused),
      cmocka_unit_test(a_curved_side_is_no_plane_of_symmetry),
      cmocka_unit_test(a_node_on_the_axis_has_no_radial_direction),
      cmocka_unit_test(free_motions_along_skew_directions_are_found),
      cmocka_unit_test(axes_without_directions_are_refused),
      cmocka_unit_test(a_failed_allocation_leaks_nothing),
  };
  return t_backend_close(T_RUN(tests));
}
