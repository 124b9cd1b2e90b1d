/* tests/assembly/t223_point_force.c - point forces: their sum and moment, places and nodes, against
 * consistent loads
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/internal.h"
#include "tests/assembly/solved_case.h"

enum { ROOM = 16 };

/* Point elements on the nodes nearest to the given places, as a 0-D group more; undo with without_points. */
typedef struct points {
  bf_group *kept_group, group[ROOM];
  bf_block *kept_block, block[ROOM];
  bf_int    node[4], elem[4];
  int64_t   tag[4];
} points;

static void with_points(t_case *c, points *p, const double (*at)[3], int n, const char *name)
{
  bf_mesh *mesh = c->mesh;
  p->kept_group = mesh->group;
  p->kept_block = mesh->block;
  memcpy(p->group, mesh->group, (size_t)mesh->ngroups * sizeof *p->group);
  memcpy(p->block + 1, mesh->block, (size_t)mesh->nblocks * sizeof *p->block);
  for (int i = 0; i < n; i++) {
    double best = INFINITY;
    for (bf_int v = 0; v < mesh->nnodes; v++) {
      double d = 0.0;
      for (int k = 0; k < 3; k++) d += pow(mesh->x[3 * v + k] - at[i][k], 2.0);
      if (d < best) best = d, p->node[i] = v;
    }
    p->elem[i] = mesh->nelem + i; /* the new block has the last numbers: nothing else moves */
    p->tag[i]  = 900 + i;
  }
  p->block[0] = p->block[1];
  for (int b = 0; b < mesh->nblocks; b++) p->block[b] = p->block[b + 1];
  p->block[mesh->nblocks] =
      (bf_block){.type = BF_POINT1, .first = mesh->nelem, .n = n, .node = p->node, .tag = p->tag};
  p->group[mesh->ngroups] = (bf_group){
      .name = (char *)(uintptr_t)name, .dim = 0, .tag = 77, .named = 1, .nelem = n, .elem = p->elem};
  mesh->group = p->group;
  mesh->block = p->block;
  mesh->nblocks++;
  mesh->ngroups++;
  mesh->nelem += n;
}

static void without_points(t_case *c, points *p)
{
  c->mesh->nblocks--;
  c->mesh->ngroups--;
  c->mesh->nelem -= c->mesh->block[c->mesh->nblocks].n;
  c->mesh->group = p->kept_group;
  c->mesh->block = p->kept_block;
}

static bf_load *force_at(t_case *c, double x, double y, double z)
{
  bf_load *l = t_load(c, BF_LOAD_POINT_FORCE);
  l->at[0] = x, l->at[1] = y, l->at[2] = z;
  l->nat      = c->mesh->dim;
  l->at_where = (bf_where){.file = "deck.yaml", .line = 50};
  return l;
}

/* Sum and moment about the origin of the nodal loads. */
static void total(t_case *c, double sum[3], double moment[3])
{
  bf_model *m = t_model(c);
  t_system  s;
  const int D = bf_model_ncomp(m);
  t_assemble(c, m, T_CSR, &s);
  for (int d = 0; d < 3; d++) sum[d] = moment[d] = 0.0;
  for (bf_int v = 0; v < c->mesh->nnodes; v++) {
    double f[3] = {0.0, 0.0, 0.0};
    for (int a = 0; a < D; a++) f[a] = m->f_ext[v * D + a];
    for (int d = 0; d < 3; d++) {
      sum[d] += f[d];
      moment[d] +=
          c->mesh->x[3 * v + (d + 1) % 3] * f[(d + 2) % 3] - c->mesh->x[3 * v + (d + 2) % 3] * f[(d + 1) % 3];
    }
  }
  t_system_clear(&s);
  bf_model_destroy(&m);
}

static void a_force_at_a_place_has_its_sum_and_moment(void **state)
{
  (void)state;
  const double where[][3] = {{0.37, 0.61, 0.43}, {2.0, 1.0, 1.0}, {1.0, 0.0, 0.5}, {1.9, 0.999, 0.01}};
  for (int t = 0; t < T_TYPES; t++)
    for (int i = 0; i < 4; i++)
      for (int formula = 0; formula < 2; formula++) {
        T_ONE_OF(7);
        t_case c;
        double sum[3], moment[3], p[3];
        t_case_create(&c, BF_ELASTICITY, t_types[t], 2);
        t_distort(c.mesh, 0.05, 1);
        c.p.thickness   = 0.25; /* the force is what it is */
        const int solid = c.mesh->dim == 3;
        t_condition(&c, BF_BC_FIXED, t_x_min, 1);
        for (int d = 0; d < 3; d++) p[d] = d < c.mesh->dim ? where[i][d] : 0.0;
        bf_load *l  = force_at(&c, p[0], p[1], p[2]);
        l->value[0] = formula ? t_formula("3 + x") : t_number(3.0 + p[0]);
        l->value[1] = t_number(-2.0);
        if (solid) l->value[2] = t_number(0.5);
        const double F[3] = {3.0 + p[0], -2.0, solid ? 0.5 : 0.0};
        total(&c, sum, moment);
        for (int d = 0; d < 3; d++) {
          T_NEAR(sum[d], F[d], 1e-12);
          T_NEAR(moment[d], p[(d + 1) % 3] * F[(d + 2) % 3] - p[(d + 2) % 3] * F[(d + 1) % 3], 1e-9);
        }
        t_case_clear(&c);
      }
}

static void a_place_on_a_node_is_a_force_on_that_node(void **state)
{
  (void)state;
  t_case c;
  t_case_create(&c, BF_ELASTICITY, BF_HEX20, 2);
  t_condition(&c, BF_BC_FIXED, t_x_min, 1);
  force_at(&c, 2.0, 0.5, 1.0)->value[2] = t_number(-4.0);
  bf_model *m                           = t_model(&c);
  assert_int_equal(m->npoints, 1);
  for (int a = 0; a < m->point[0].n; a++) {
    const double *x    = c.mesh->x + 3 * m->point[0].node[a];
    const int     here = fabs(x[0] - 2.0) + fabs(x[1] - 0.5) + fabs(x[2] - 1.0) < 1e-9;
    T_NEAR(m->point[0].share[a], here ? 1.0 : 0.0, 1e-12);
  }
  bf_model_destroy(&m);
  t_case_clear(&c);
}

/* Groups share a node: it carries the force once a load; formulas are taken at each node. */
static void a_group_of_points_carries_the_force_on_each_node(void **state)
{
  (void)state;
  const double  at[2][3] = {{2.0, 0.0, 0.0}, {2.0, 1.0, 1.0}};
  const bf_name name[2]  = {{.name = "tips"}, {.name = "0:77"}};
  t_case        c;
  points        p;
  double        sum[3], moment[3];
  t_case_create(&c, BF_ELASTICITY, BF_TET10, 1);
  t_condition(&c, BF_BC_FIXED, t_x_min, 1);
  with_points(&c, &p, at, 2, "tips");
  bf_load *l = t_load(&c, BF_LOAD_POINT_FORCE);
  l->ngroups = 2, l->group = name;
  l->value[0] = t_formula("1 + 4*y");
  l->value[2] = t_number(-3.0);
  total(&c, sum, moment);
  T_NEAR(sum[0], 6.0, 1e-13);
  T_NEAR(sum[1], 0.0, 0.0);
  T_NEAR(sum[2], -6.0, 1e-13);
  T_NEAR(moment[2], -5.0, 1e-13); /* x F_y - y F_x */
  without_points(&c, &p);
  t_case_clear(&c);
}

/* Four forces on the tip of a cantilever and the traction of the same sum: far from the tip the same bar. */
static void point_forces_bend_a_cantilever_as_the_traction_does(void **state)
{
  (void)state;
  double tip[2];
  for (int how = 0; how < 2; how++) {
    t_case       c;
    t_solved     r;
    const double size[3]  = {8.0, 1.0, 1.0};
    const bf_int cells[3] = {8, 2, 2};
    t_case_create(&c, BF_ELASTICITY, BF_HEX20, 1);
    bf_mesh_destroy(&c.mesh);
    T_OK(bf_mesh_box(size, cells, BF_HEX20, &c.mesh));
    t_condition(&c, BF_BC_FIXED, t_x_min, 1);
    if (how == 0)
      t_condition(&c, BF_BC_TRACTION, t_x_max, 1)->value[2] = t_number(-1.0);
    else
      for (int i = 0; i < 4; i++) force_at(&c, 8.0, i & 1, i >> 1)->value[2] = t_number(-0.25);
    t_solve_case(&c, &r);
    const double at[3] = {6.0, 0.5, 0.5}; /* two heights from the tip */
    double       v[9];
    T_OK(bf_model_probe(r.m, r.view, t_field(&r, "displacement"), at, v));
    tip[how] = v[2];
    T_NEAR(r.out.applied[2], -1.0, 1e-12);
    T_NEAR(r.out.reaction[0].value[2], 1.0, 1e-10);
    T_LE(r.out.balance, 1e-9); /* a long bar, solved once */
    T_LE(r.out.moment_balance, 1e-9);
    t_solved_clear(&c, &r);
  }
  assert_true(tip[0] < -1.0);
  T_NEAR(tip[1], tip[0], 2e-4 * fabs(tip[0]));
}

static void refused(t_case *c, int code, int64_t line, const char *part)
{
  bf_diags  diags = {0};
  bf_model *m     = NULL;
  T_ERR(code == 107 ? BF_E_INPUT : BF_E_MODEL, bf_model_create(c->mesh, t_problem(c), &diags, &m));
  assert_int_equal(diags.errors, 1);
  assert_int_equal(diags.item[0].code, code);
  assert_int_equal(diags.item[0].line, line);
  T_CONTAINS(diags.item[0].text, part);
  bf_diags_clear(&diags);
}

static void wrong_point_forces_are_refused_with_their_line(void **state)
{
  (void)state;
  const bf_name side = {.name = "x_max", .where = {.file = "deck.yaml", .line = 60}};
  t_case        c;
  t_case_create(&c, BF_ELASTICITY, BF_QUAD8, 2);
  t_condition(&c, BF_BC_FIXED, t_x_min, 1);
  bf_load *l  = force_at(&c, 2.01, 0.5, 0.0);
  l->value[1] = t_number(1.0);
  refused(&c, 309, 50, "the point (2.01, 0.5, 0) of point_force is in no element");
  l->at[0] = 1.0;
  l->nat = 3, l->at[2] = 0.5;
  refused(&c, 307, 50, "2 coordinates, got 3");
  l->at[2]    = 0.0;
  l->value[1] = t_formula("ln(-x)");
  refused(&c, 319, 9, "value of point_force: formula 'ln(-x)' is nan at (");
  l->value[1] = t_number(1.0);
  l->value[2] = t_number(1.0);
  refused(&c, 307, 9, "point_force has a z component");
  l->value[2] = t_number(0.0);
  l->nat      = 0;
  l->ngroups  = 1;
  l->group    = &side;
  refused(&c, 203, 60, "group 'x_max' is 1-D, load 'point_force' needs 0-D");
  t_case_clear(&c);
  t_case_create(&c, BF_ELASTICITY, BF_HEX8, 2);
  t_condition(&c, BF_BC_FIXED, t_x_min, 1);
  l      = force_at(&c, 1.0, 0.5, 0.0);
  l->nat = 2;
  refused(&c, 307, 50, "3 coordinates, got 2");
  t_case_clear(&c);
}

static void a_failed_allocation_leaks_nothing(void **state)
{
  (void)state;
  T_LONG;
  const double  at[1][3] = {{2.0, 0.0, 0.0}};
  const bf_name name     = {.name = "tip"};
  t_case        c;
  points        p;
  t_case_create(&c, BF_ELASTICITY, BF_HEX8, 1);
  t_condition(&c, BF_BC_FIXED, t_x_min, 1);
  with_points(&c, &p, at, 1, "tip");
  force_at(&c, 1.1, 0.5, 0.5)->value[2] = t_formula("x*y");
  bf_load *l                            = t_load(&c, BF_LOAD_POINT_FORCE);
  l->ngroups = 1, l->group = &name;
  l->value[1] = t_number(1.0);
  assert_true(t_fail_everywhere(&c) > 60);
  without_points(&c, &p);
  t_case_clear(&c);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_force_at_a_place_has_its_sum_and_moment),
      cmocka_unit_test(a_place_on_a_node_is_a_force_on_that_node),
      cmocka_unit_test(a_group_of_points_carries_the_force_on_each_node),
      cmocka_unit_test(point_forces_bend_a_cantilever_as_the_traction_does),
      cmocka_unit_test(wrong_point_forces_are_refused_with_their_line),
      cmocka_unit_test(a_failed_allocation_leaks_nothing),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
