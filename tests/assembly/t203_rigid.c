/* tests/assembly/t203_rigid.c - free rigid-body motions are counted and named; heat without a temperature
 * level */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/constraints/constraint_check.h"
#include "assembly/constraints/rigid_body_modes.h"
#include "assembly/model/internal.h"
#include "tests/generated.h"
#include "tests/test.h"
#include <math.h>

/* A model with nothing but a mesh and room for prescribed unknowns. */
typedef struct t_body {
  bf_mesh        *mesh;
  bf_problem      problem;
  struct bf_model model;
  bf_model_block  block;
  bf_diags        diags;
} t_body;

static void body_open(t_body *b, int dim, bf_elem_type type, double sx, double sy, double sz)
{
  const double size[3]  = {sx, sy, sz};
  const bf_int cells[3] = {3, 2, 2};
  memset(b, 0, sizeof *b);
  b->mesh            = t_generated(size, cells, type);
  b->problem.physics = BF_ELASTICITY;
  b->block.block     = bf_mesh_block(b->mesh, type);
  b->model.mesh      = b->mesh;
  b->model.problem   = &b->problem;
  b->model.basis     = &bf_basis_fem;
  b->model.sdim = b->model.ncomp = dim;
  b->model.nblocks               = 1;
  b->model.block                 = &b->block;
  b->model.fixed                 = bf_host_alloc((size_t)b->mesh->nnodes * 3, 1);
  assert_non_null(b->model.fixed);
}

static void body_close(t_body *b)
{
  bf_host_free(b->model.fixed);
  bf_mesh_destroy(&b->mesh);
  bf_diags_clear(&b->diags);
}

/* Holds component c of every node with x[axis] = at. */
static void hold(t_body *b, int axis, double at, int c)
{
  for (bf_int i = 0; i < b->mesh->nnodes; i++)
    if (fabs(b->mesh->x[3 * i + axis] - at) < 1e-12) b->model.fixed[i * b->model.ncomp + c] = 1;
}

/* Holds component c of the one node at (x, y, z). */
static void pin(t_body *b, double x, double y, double z, int c)
{
  int found = 0;
  for (bf_int i = 0; i < b->mesh->nnodes; i++)
    if (fabs(b->mesh->x[3 * i] - x) + fabs(b->mesh->x[3 * i + 1] - y) + fabs(b->mesh->x[3 * i + 2] - z) <
        1e-12) {
      b->model.fixed[i * b->model.ncomp + c] = 1;
      found++;
    }
  assert_int_equal(found, 1);
}

static const char *message_of(t_body *b)
{
  T_OK(bf_rigid_check(&b->model, &b->diags));
  const bf_diag *last = &b->diags.item[b->diags.count - 1]; /* behind W333 of several parts */
  assert_int_equal(b->diags.errors, 1);
  assert_int_equal(last->code, 301);
  return last->text;
}

static void silent(t_body *b)
{
  T_OK(bf_rigid_check(&b->model, &b->diags));
  if (b->diags.errors) fail_msg("%s", b->diags.item[0].text);
}

static void body_without_supports_has_six_motions(void **state)
{
  (void)state;
  t_body b;
  body_open(&b, 3, BF_HEX8, 1.0, 0.2, 0.1);
  const char *t = message_of(&b);
  T_CONTAINS(t, "6 rigid-body modes remain");
  T_CONTAINS(t, "translation x");
  T_CONTAINS(t, "translation y");
  T_CONTAINS(t, "translation z");
  T_CONTAINS(t, "rotation about x through (0.5, 0.1, 0.05)");
  T_CONTAINS(t, "rotation about y through");
  T_CONTAINS(t, "rotation about z through");
  T_CONTAINS(t, "it has no support");
  body_close(&b);
}

static void plane_body_without_supports_has_three_motions(void **state)
{
  (void)state;
  t_body b;
  body_open(&b, 2, BF_TRI6, 1.0, 0.2, 0.0);
  const char *t = message_of(&b);
  T_CONTAINS(t, "3 rigid-body modes remain");
  T_CONTAINS(t, "rotation about z through (0.5, 0.1)");
  T_CONTAINS(t, "translation x and");
  body_close(&b);
}

static void one_normal_support_leaves_the_motions_in_its_plane(void **state)
{
  (void)state;
  t_body b;
  body_open(&b, 3, BF_TET4, 1.0, 0.2, 0.1);
  hold(&b, 2, 0.0, 2);
  const char *t = message_of(&b);
  T_CONTAINS(t, "3 rigid-body modes remain: rotation about z through (0.5, 0.1, 0.05), translation x and "
                "translation y");
  T_CONTAINS(t, "x: 0, y: 0");
  body_close(&b);
}

static void two_normal_supports_leave_one_translation(void **state)
{
  (void)state;
  t_body b;
  body_open(&b, 3, BF_HEX20, 1.0, 0.2, 0.1);
  hold(&b, 2, 0.0, 2);
  hold(&b, 1, 0.0, 1);
  T_CONTAINS(message_of(&b),
             "1 rigid-body mode remains: translation x; add a boundary {type: displacement, x: 0}");
  body_close(&b);
}

static void hinge_leaves_a_rotation_about_its_axis(void **state)
{
  (void)state;
  t_body b;
  body_open(&b, 3, BF_HEX8, 1.5, 0.2, 0.1); /* hinge along z at x = 0.5, y = 0.2 */
  for (int k = 0; k < 3; k++)
    for (int c = 0; c < 3; c++) pin(&b, 0.5, 0.2, 0.05 * k, c);
  T_CONTAINS(
      message_of(&b),
      "1 rigid-body mode remains: rotation about z through (0.5, 0.2, 0.05); prescribe a displacement");
  body_close(&b);

  body_open(&b, 2, BF_QUAD4, 1.5, 0.2, 0.0);
  pin(&b, 0.5, 0.2, 0.0, 0);
  pin(&b, 0.5, 0.2, 0.0, 1);
  T_CONTAINS(message_of(&b), "1 rigid-body mode remains: rotation about z through (0.5, 0.2);");
  body_close(&b);
}

static void ball_joint_leaves_three_rotations_about_it(void **state)
{
  (void)state;
  t_body b;
  body_open(&b, 3, BF_HEX8, 1.5, 0.2, 0.1);
  for (int c = 0; c < 3; c++) pin(&b, 0.0, 0.0, 0.0, c);
  const char *t = message_of(&b);
  T_CONTAINS(t, "3 rigid-body modes remain");
  T_CONTAINS(t, "rotation about x through (0.75, 0, 0)");
  T_CONTAINS(t, "rotation about y through (0, 0.1, 0)");
  T_CONTAINS(t, "rotation about z through (0, 0, 0.05)");
  body_close(&b);
}

static void oblique_hinge_is_named_by_its_direction(void **state)
{
  (void)state;
  t_body b;
  body_open(&b, 3, BF_HEX8, 3.0, 2.0, 2.0);
  for (int c = 0; c < 3; c++) {
    pin(&b, 0.0, 0.0, 0.0, c);
    pin(&b, 1.0, 1.0, 0.0, c);
  }
  T_CONTAINS(message_of(&b), "rotation about (0.707, 0.707, 0) through");
  body_close(&b);
}

static void clamped_and_just_determined_bodies_are_accepted(void **state)
{
  (void)state;
  t_body b;
  body_open(&b, 3, BF_TET10, 1.0, 0.01, 0.01); /* slender */
  for (int c = 0; c < 3; c++) hold(&b, 0, 0.0, c);
  silent(&b);
  body_close(&b);

  body_open(&b, 3, BF_HEX8, 3.0, 2.0, 2.0); /* the 3-2-1 support */
  for (int c = 0; c < 3; c++) pin(&b, 0.0, 0.0, 0.0, c);
  pin(&b, 3.0, 0.0, 0.0, 1);
  pin(&b, 3.0, 0.0, 0.0, 2);
  pin(&b, 0.0, 2.0, 0.0, 2);
  silent(&b);
  body_close(&b);

  body_open(&b, 2, BF_QUAD8, 1.0, 0.2, 0.0);
  hold(&b, 0, 0.0, 0);
  hold(&b, 1, 0.0, 1);
  silent(&b);
  body_close(&b);
}

/* Takes the middle one of three elements away: two bodies. */
static void cut_in_two(t_body *b)
{
  bf_block *k = &b->mesh->block[b->mesh->nblocks - 1];
  assert_int_equal(k->type, BF_QUAD4);
  memmove(k->node + 4, k->node + 8, 4 * sizeof *k->node);
  k->n = 2;
  b->mesh->nelem--;
  for (int g = 0; g < b->mesh->ngroups; g++)
    if (b->mesh->group[g].dim == 2) b->mesh->group[g].nelem--;
}

static void every_part_must_be_held_and_is_named(void **state)
{
  (void)state;
  t_body       b;
  const double size[2]  = {3.0, 1.0};
  const bf_int cells[2] = {3, 1};
  body_open(&b, 2, BF_QUAD4, 3.0, 1.0, 0.0);
  bf_mesh_destroy(&b.mesh);
  T_OK(bf_mesh_rectangle(size, cells, BF_QUAD4, &b.mesh));
  cut_in_two(&b);
  b.model.mesh  = b.mesh;
  b.block.block = bf_mesh_block(b.mesh, BF_QUAD4);
  hold(&b, 0, 0.0, 0); /* the left part is clamped */
  hold(&b, 0, 0.0, 1);
  const char *t = message_of(&b);
  T_CONTAINS(t, "part 2 of 2 (1 element, in group 'surface')");
  T_CONTAINS(t, "3 rigid-body modes remain");
  T_CONTAINS(t, "rotation about z through (2.5, 0.5)");
  assert_int_equal(b.diags.warnings, 1);
  assert_int_equal(b.diags.item[0].code, 333);
  T_CONTAINS(b.diags.item[0].text, "the mesh consists of 2 parts that share no nodes");
  bf_diags_clear(&b.diags);
  memset(b.model.fixed, 0, (size_t)b.mesh->nnodes * 2);
  T_OK(bf_rigid_check(&b.model, &b.diags));
  assert_int_equal(b.diags.errors, 2); /* both are free now */
  body_close(&b);
}

/* Rank of the rows by Gaussian elimination with full pivoting. */
static int rank_of(int n, double (*A)[6])
{
  int rank = 0;
  for (int step = 0; step < 6 && step < n; step++) {
    int p = step, q = step;
    for (int i = step; i < n; i++)
      for (int j = step; j < 6; j++)
        if (fabs(A[i][j]) > fabs(A[p][q])) p = i, q = j;
    if (fabs(A[p][q]) < 1e-9) break;
    rank++;
    for (int j = 0; j < 6; j++) {
      const double s = A[p][j];
      A[p][j]        = A[step][j];
      A[step][j]     = s;
    }
    for (int i = 0; i < n; i++) {
      const double s = A[i][q];
      A[i][q]        = A[i][step];
      A[i][step]     = s;
    }
    for (int i = step + 1; i < n; i++)
      for (int j = 5; j >= step; j--) A[i][j] -= A[i][step] / A[step][step] * A[step][j];
  }
  return rank;
}

static void count_of_motions_is_six_minus_the_rank_and_held_components_rest(void **state)
{
  (void)state;
  uint64_t seed    = 21;
  int      seen[7] = {0};
  for (int trial = 0; trial < 4000; trial++) {
    const int    n    = 1 + (int)(t_random(&seed) % 7);
    const double c[3] = {0.3, 0.1, -0.2};
    double       A[8][6], B[8][6], mode[6][6];
    bf_motions   m;
    bf_motions_begin(&m, 3, 0, c, 1.7);
    memset(A, 0, sizeof A);
    for (int k = 0; k < n; k++) { /* places on a small grid, so that special positions are frequent */
      double    x[3];
      const int i = (int)(t_random(&seed) % 3);
      for (int j = 0; j < 3; j++) x[j] = 0.5 * (double)(t_random(&seed) % 3);
      bf_motions_hold(&m, x, i);
      A[k][3 + i]       = 1.0; /* (r x d)_i */
      A[k][(i + 1) % 3] = (x[(i + 2) % 3] - c[(i + 2) % 3]) / 1.7;
      A[k][(i + 2) % 3] = -(x[(i + 1) % 3] - c[(i + 1) % 3]) / 1.7;
    }
    memcpy(B, A, sizeof A);
    const int free = bf_motions_free(&m, mode);
    assert_int_equal(free, 6 - rank_of(n, B));
    seen[free]++;
    for (int k = 0; k < free; k++)
      for (int i = 0; i < n; i++) {
        double s = 0.0;
        for (int j = 0; j < 6; j++) s += A[i][j] * mode[k][j];
        T_NEAR(s, 0.0, 1e-7);
      }
  }
  for (int k = 0; k < 6; k++) assert_true(seen[k] > 0); /* all cases were met */
}

/* ---- heat, through bf_model_create ---- */
static bf_name names[6] = {{"volume", {NULL, 0, 0}}, {"x_min", {NULL, 0, 0}}, {"x_max", {NULL, 0, 0}}};

static void expect_heat(bf_boundary *bc, int nbc, bf_load *load, int nloads, int errors, const char *part)
{
  const double size[3]  = {2.0, 1.0, 0.5};
  const bf_int cells[3] = {3, 2, 2};
  bf_material  mat      = {.name = "brass", .ngroups = 1, .group = &names[0], .k = {.value = 110.0}};
  bf_problem   p        = {.physics     = BF_HEAT,
                           .thickness   = 1.0,
                           .nmaterials  = 1,
                           .material    = &mat,
                           .nboundaries = nbc,
                           .boundary    = bc,
                           .nloads      = nloads,
                           .load        = load};
  bf_mesh     *mesh     = NULL;
  bf_model    *model    = NULL;
  bf_diags     diags    = {0};
  T_OK(bf_mesh_box(size, cells, BF_HEX8, &mesh));
  if (errors)
    T_ERR(BF_E_MODEL, bf_model_create(mesh, &p, &diags, &model));
  else
    T_OK(bf_model_create(mesh, &p, &diags, &model));
  assert_int_equal(diags.errors, errors);
  if (errors) {
    assert_int_equal(diags.item[0].code, 301);
    T_CONTAINS(diags.item[0].text, part);
  }
  bf_model_destroy(&model);
  bf_mesh_destroy(&mesh);
  bf_diags_clear(&diags);
}

static void heat_with_fluxes_only_reports_the_flux_sum(void **state)
{
  (void)state;
  bf_boundary bc[2] = {
      {.type = BF_BC_FLUX, .ngroups = 1, .group = &names[1], .value = {{.value = 24.0}}},
      {.type = BF_BC_FLUX, .ngroups = 1, .group = &names[2], .value = {{.formula = "-2*4*x"}}}}; /* -16 */
  bf_load source = {.type = BF_LOAD_HEAT_SOURCE, .value = {{.formula = "8*y"}}};                 /* 4 W */
  expect_heat(bc, 2, &source, 1, 1, "its flux sum 8 W is not zero"); /* 12 - 8 + 4 */
  source.ngroups          = 1;
  source.group            = &names[0];
  source.value[0].formula = "-8*y";
  expect_heat(bc, 2, &source, 1, 1, "the heat flows balance");
  expect_heat(NULL, 0, NULL, 0, 1, "is undetermined");
}

static void temperature_or_convection_fixes_the_level(void **state)
{
  (void)state;
  bf_boundary bc = {.type = BF_BC_TEMPERATURE, .ngroups = 1, .group = &names[1], .value = {{.value = 20.0}}};
  expect_heat(&bc, 1, NULL, 0, 0, "");
  bc.type    = BF_BC_CONVECTION;
  bc.h       = (bf_quantity){.value = 25.0};
  bc.ambient = (bf_quantity){.value = 20.0};
  expect_heat(&bc, 1, NULL, 0, 0, "");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(body_without_supports_has_six_motions),
      cmocka_unit_test(plane_body_without_supports_has_three_motions),
      cmocka_unit_test(one_normal_support_leaves_the_motions_in_its_plane),
      cmocka_unit_test(two_normal_supports_leave_one_translation),
      cmocka_unit_test(hinge_leaves_a_rotation_about_its_axis),
      cmocka_unit_test(ball_joint_leaves_three_rotations_about_it),
      cmocka_unit_test(oblique_hinge_is_named_by_its_direction),
      cmocka_unit_test(clamped_and_just_determined_bodies_are_accepted),
      cmocka_unit_test(every_part_must_be_held_and_is_named),
      cmocka_unit_test(count_of_motions_is_six_minus_the_rank_and_held_components_rest),
      cmocka_unit_test(heat_with_fluxes_only_reports_the_flux_sum),
      cmocka_unit_test(temperature_or_convection_fixes_the_level),
  };
  return T_RUN(tests);
}
