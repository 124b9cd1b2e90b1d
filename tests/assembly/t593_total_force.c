/* tests/assembly/t593_total_force.c - conditions of type force: resultant and moment on curved faces, lines
 * and points; pure bending; moments that cannot be carried
 *
 * Oracles: sums over the nodal loads, beam theory, forces computed by hand.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/internal.h"
#include "tests/assembly/solved_case.h"

/* A block of the mesh more, with a group of all its elements; undo with without_block. */
typedef struct extra {
  bf_group *kept_group, group[16];
  bf_block *kept_block, block[16];
  bf_int    node[64], elem[32];
  int64_t   tag[32];
} extra;

static void with_block(t_case *c, extra *p, bf_elem_type type, bf_int n, const char *name)
{
  bf_mesh *mesh = c->mesh;
  p->kept_group = mesh->group;
  p->kept_block = mesh->block;
  memcpy(p->group, mesh->group, (size_t)mesh->ngroups * sizeof *p->group);
  memcpy(p->block, mesh->block, (size_t)mesh->nblocks * sizeof *p->block);
  for (bf_int i = 0; i < n; i++) p->elem[i] = mesh->nelem + i, p->tag[i] = 900 + i;
  p->block[mesh->nblocks] =
      (bf_block){.type = type, .first = mesh->nelem, .n = n, .node = p->node, .tag = p->tag};
  p->group[mesh->ngroups] = (bf_group){.name  = (char *)(uintptr_t)name,
                                       .dim   = bf_elem(type)->dim,
                                       .tag   = 77,
                                       .named = 1,
                                       .nelem = n,
                                       .elem  = p->elem};
  mesh->group             = p->group;
  mesh->block             = p->block;
  mesh->nblocks++;
  mesh->ngroups++;
  mesh->nelem += n;
}

static void without_block(t_case *c, extra *p)
{
  c->mesh->nblocks--;
  c->mesh->ngroups--;
  c->mesh->nelem -= c->mesh->block[c->mesh->nblocks].n;
  c->mesh->group = p->kept_group;
  c->mesh->block = p->kept_block;
}

static bf_int node_at(const t_case *c, double x, double y, double z)
{
  bf_int       best  = 0;
  double       least = INFINITY;
  const double at[3] = {x, y, z};
  for (bf_int v = 0; v < c->mesh->nnodes; v++) {
    double d = 0.0;
    for (int k = 0; k < 3; k++) d += pow(c->mesh->x[3 * v + k] - at[k], 2.0);
    if (d < least) least = d, best = v;
  }
  return best;
}

static bf_boundary *force(t_case *c, const bf_name *group, int n, double x, double y, double z)
{
  bf_boundary *b = t_condition(c, BF_BC_FORCE, group, n);
  b->value[0] = t_number(x), b->value[1] = t_number(y), b->value[2] = t_number(z);
  b->moment_where = b->about_where = (bf_where){.file = "deck.yaml", .line = 50};
  return b;
}

/* Sum and moment about p of the nodal loads. */
static void total(t_case *c, const double p[3], double sum[3], double moment[3])
{
  bf_model *m = t_model(c);
  t_system  s;
  const int D = bf_model_ncomp(m);
  t_assemble(c, m, T_CSR, &s);
  for (int d = 0; d < 3; d++) sum[d] = moment[d] = 0.0;
  for (bf_int v = 0; v < c->mesh->nnodes; v++) {
    double f[3] = {0.0, 0.0, 0.0}, r[3];
    for (int a = 0; a < D; a++) f[a] = m->f_ext[v * D + a];
    for (int d = 0; d < 3; d++) sum[d] += f[d], r[d] = c->mesh->x[3 * v + d] - p[d];
    for (int d = 0; d < 3; d++)
      moment[d] += r[(d + 1) % 3] * f[(d + 2) % 3] - r[(d + 2) % 3] * f[(d + 1) % 3];
  }
  t_system_clear(&s);
  bf_model_destroy(&m);
}

/* Bends the box, so that its sides are curved where the elements can be. */
static void bend(bf_mesh *mesh)
{
  for (bf_int v = 0; v < mesh->nnodes; v++) {
    double      *x = mesh->x + 3 * v;
    const double y = x[1];
    x[0] += 0.3 * y * y;
    x[1] += 0.2 * x[0] * x[0] + (mesh->dim == 3 ? 0.15 * x[2] * x[2] : 0.0);
  }
}

static void curved_sides_carry_the_force_and_the_moment_to_rounding(void **state)
{
  (void)state;
  const double p[3] = {0.4, -2.0, 3.0};
  for (int t = 0; t < T_TYPES; t++)
    for (int about = 0; about < 2; about++) {
      T_ONE_OF(5);
      t_case c;
      double sum[3], moment[3], at[3] = {p[0], p[1], p[2]};
      t_case_create(&c, BF_ELASTICITY, t_types[t], 2);
      bend(c.mesh);
      c.p.thickness     = 0.25; /* the force is that of the whole thickness */
      const int    dim  = c.mesh->dim;
      const double F[3] = {3.0, -2.0, dim == 3 ? 0.5 : 0.0}, M[3] = {0.7, -1.1, 1.9};
      t_condition(&c, BF_BC_FIXED, t_x_min, 1);
      bf_boundary *b = force(&c, &t_sides[1], dim == 3 ? 3 : 2, F[0], F[1], F[2]); /* x_max, y_min, y_max */
      b->nmoment     = dim == 3 ? 3 : 1;
      for (int d = 0; d < b->nmoment; d++) b->moment[d] = dim == 3 ? M[d] : M[2];
      if (about) b->nabout = dim;
      for (int d = 0; d < dim; d++) b->about[d] = p[d];
      if (dim == 2) at[2] = 0.0;
      if (!about) {
        bf_model *m = t_model(&c);
        memcpy(at, m->total[1].c, sizeof at);
        bf_model_destroy(&m);
      }
      total(&c, at, sum, moment);
      for (int d = 0; d < 3; d++) {
        T_NEAR(sum[d], F[d], 2e-14 * 10.0);
        if (dim == 3 || d == 2) T_NEAR(moment[d], M[d], 1e-12);
      }
      t_case_clear(&c);
    }
}

/* On a flat side the force is the traction F / A. */
static void a_force_on_a_flat_side_is_the_uniform_traction(void **state)
{
  (void)state;
  double *u[2] = {NULL, NULL};
  bf_int  n    = 0;
  for (int how = 0; how < 2; how++) {
    t_case c;
    t_case_create(&c, BF_ELASTICITY, BF_TET10, 2);
    t_condition(&c, BF_BC_FIXED, t_x_min, 1);
    if (how == 0)
      force(&c, t_x_max, 1, 2.0, 0.0, -6.0);
    else {
      bf_boundary *b = t_condition(&c, BF_BC_TRACTION, t_x_max, 1);
      b->value[0] = t_number(2.0), b->value[2] = t_number(-6.0); /* the side is 1 x 1 */
    }
    t_solve(&c, T_CSR, &u[how]);
    n = 3 * c.mesh->nnodes;
    t_case_clear(&c);
  }
  for (bf_int i = 0; i < n; i++) T_NEAR(u[0][i], u[1][i], 1e-12);
  bf_host_free(u[0]);
  bf_host_free(u[1]);
}

/* Couple M about y on the end of a beam with nu = 0: u_x = M x z / (E I), u_z = -M x^2 / (2 E I), which
 * quadratic elements represent.  In the plane M about z with I = thickness / 12. */
static void a_moment_on_the_end_of_a_beam_bends_it_into_a_circle(void **state)
{
  (void)state;
  static const bf_elem_type types[] = {BF_HEX20, BF_HEX27, BF_QUAD8, BF_TRI6};
  for (int t = 0; t < 4; t++) {
    t_case   c;
    t_solved r;
    double   v[9];
    t_case_create(&c, BF_ELASTICITY, types[t], 1);
    const int    dim = c.mesh->dim;
    const double M = 0.25, E = 210.0, thick = dim == 3 ? 1.0 : 0.5, I = thick / 12.0;
    c.material[0].nu = 0.0;
    if (dim == 2) c.p.thickness = thick;
    t_condition(&c, BF_BC_FIXED, t_x_min, 1);
    bf_boundary *b              = t_condition(&c, BF_BC_FORCE, t_x_max, 1);
    b->nmoment                  = dim == 3 ? 3 : 1;
    b->moment[dim == 3 ? 1 : 0] = M;
    t_solve_case(&c, &r);
    const double at[3] = {1.5, dim == 3 ? 0.4 : 0.9, dim == 3 ? 0.9 : 0.0};
    T_OK(bf_model_probe(r.m, r.view, t_field(&r, "displacement"), at, v));
    const double arm = 0.4, along = dim == 3 ? 1.0 : -1.0; /* about z a positive side is pressed */
    T_NEAR(v[0], along * M * 1.5 * arm / (E * I), 1e-10);
    T_NEAR(v[dim - 1], -along * M * 1.5 * 1.5 / (2.0 * E * I), 1e-10);
    T_LE(r.out.balance, 1e-10);
    T_LE(r.out.moment_balance, 1e-10);
    t_solved_clear(&c, &r);
  }
}

/* Two points: half the force each, and the moment as a pair of forces across their distance. */
static void points_share_a_force_and_carry_moments_across_their_line(void **state)
{
  (void)state;
  const bf_name name      = {.name = "tips", .where = {.file = "deck.yaml", .line = 60}};
  const double  centre[3] = {2.0, 0.5, 0.5};
  t_case        c;
  extra         p;
  double        sum[3], moment[3];
  t_case_create(&c, BF_ELASTICITY, BF_HEX8, 1);
  t_condition(&c, BF_BC_FIXED, t_x_min, 1);
  p.node[0] = node_at(&c, 2.0, 0.0, 0.5 - 0.5), p.node[1] = node_at(&c, 2.0, 1.0, 1.0);
  p.node[2] = p.node[0]; /* named twice, counts once */
  with_block(&c, &p, BF_POINT1, 3, "tips");
  bf_boundary *b = force(&c, &name, 1, 4.0, 0.0, 2.0);
  b->nmoment     = 3;
  b->moment[0]   = 3.0; /* across the direction (0, 1, 1) */
  bf_model *m    = t_model(&c);
  assert_int_equal(m->npoints, 2);
  /* w = M / I with I = 2 * (1/2) about x; forces w x r */
  T_NEAR(m->point[0].force[0], 2.0, 1e-14);
  T_NEAR(m->point[0].force[1], 1.5, 1e-14);
  T_NEAR(m->point[0].force[2], 1.0 - 1.5, 1e-14);
  bf_model_destroy(&m);
  total(&c, centre, sum, moment);
  T_NEAR(sum[0], 4.0, 1e-14);
  T_NEAR(sum[2], 2.0, 1e-14);
  T_NEAR(moment[0], 3.0, 1e-13);
  T_NEAR(moment[1], 0.0, 1e-13);
  without_block(&c, &p);
  t_case_clear(&c);
}

/* An edge of a solid: force per length; end nodes of linear elements get half of their neighbours'. */
static void a_line_carries_a_force_per_length(void **state)
{
  (void)state;
  const bf_name name      = {.name = "edge", .where = {.file = "deck.yaml", .line = 60}};
  const double  centre[3] = {2.0, 0.5, 1.0};
  t_case        c;
  extra         p;
  double        sum[3], moment[3];
  t_case_create(&c, BF_ELASTICITY, BF_HEX8, 2);
  t_condition(&c, BF_BC_FIXED, t_x_min, 1);
  p.node[0] = node_at(&c, 2.0, 0.0, 1.0), p.node[1] = node_at(&c, 2.0, 0.5, 1.0);
  p.node[2] = p.node[1], p.node[3] = node_at(&c, 2.0, 1.0, 1.0);
  with_block(&c, &p, BF_LINE2, 2, "edge");
  force(&c, &name, 1, 0.0, 0.0, -8.0);
  bf_model *m = t_model(&c);
  t_system  s;
  t_assemble(&c, m, T_BDIA_HALF, &s);
  T_NEAR(m->f_ext[3 * p.node[0] + 2], -2.0, 1e-14);
  T_NEAR(m->f_ext[3 * p.node[1] + 2], -4.0, 1e-14);
  T_NEAR(m->f_ext[3 * p.node[3] + 2], -2.0, 1e-14);
  t_system_clear(&s);
  bf_model_destroy(&m);
  c.boundary[1].nabout   = 3; /* acts beyond the end: moment about the centre is (p - c) x F */
  c.boundary[1].about[0] = 2.0, c.boundary[1].about[1] = 2.0, c.boundary[1].about[2] = 1.0;
  total(&c, centre, sum, moment);
  T_NEAR(sum[2], -8.0, 1e-13);
  T_NEAR(moment[0], 1.5 * -8.0, 1e-12);
  without_block(&c, &p);
  t_case_clear(&c);
}

/* Ring of radius 2 (x_max of a rectangle from r = 0 to 2): F is the force of the ring, radial too. */
static void a_force_on_a_body_of_revolution_is_that_of_the_ring(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++) {
    t_case c;
    double sum[3], moment[3];
    if (bf_elem(t_types[t])->dim == 3) continue;
    t_case_create(&c, BF_ELASTICITY, t_types[t], 2);
    c.p.space = BF_SPACE_AXISYMMETRIC;
    t_condition(&c, BF_BC_FIXED, &t_sides[2], 1);
    force(&c, &t_sides[3], 1, 5.0, -7.0, 0.0);
    bf_model *m = t_model(&c);
    T_NEAR(m->total[1].measure, 3.14159265358979 * 4.0, 1e-10); /* disc of radius 2 */
    bf_model_destroy(&m);
    const double origin[3] = {0.0, 0.0, 0.0};
    total(&c, origin, sum, moment);
    T_NEAR(sum[0], 5.0, 1e-13);
    T_NEAR(sum[1], -7.0, 1e-13);
    t_case_clear(&c);
  }
}

static void refused(t_case *c, int code, int64_t line, const char *part)
{
  bf_diags  diags = {0};
  bf_model *m     = NULL;
  T_ERR(BF_E_MODEL, bf_model_create(c->mesh, t_problem(c), &diags, &m));
  assert_int_equal(diags.errors, 1);
  assert_int_equal(diags.item[0].code, code);
  assert_int_equal(diags.item[0].line, line);
  T_CONTAINS(diags.item[0].text, part);
  bf_diags_clear(&diags);
}

static void moments_that_the_groups_cannot_carry_are_refused(void **state)
{
  (void)state;
  const bf_name names[2] = {{.name = "tips", .where = {.file = "deck.yaml", .line = 60}},
                            {.name = "x_max", .where = {.file = "deck.yaml", .line = 61}}};
  t_case        c;
  extra         p;
  t_case_create(&c, BF_ELASTICITY, BF_HEX8, 1);
  t_condition(&c, BF_BC_FIXED, t_x_min, 1);
  p.node[0] = node_at(&c, 2.0, 0.0, 0.0), p.node[1] = node_at(&c, 2.0, 1.0, 1.0);
  with_block(&c, &p, BF_POINT1, 2, "tips");
  bf_boundary *b = force(&c, names, 1, 0.0, 0.0, 0.0);
  b->nmoment     = 3;
  b->moment[1] = b->moment[2] = 1.0; /* along their line */
  refused(&c, 318, 50, "lie on a line and cannot carry the moment (0, 1, 1)");
  b->ngroups = 2;
  refused(&c, 203, 60 + 1, "group 'x_max' is 2-D, the groups of this force before it are 0-D");
  b->ngroups = 1;
  b->nmoment = 1;
  refused(&c, 307, 50, "has 3 components, got 1");
  b->nmoment = 0, b->moment[1] = b->moment[2] = 0.0;
  b->nabout = 2;
  refused(&c, 307, 50, "has 3 coordinates, got 2");
  without_block(&c, &p);
  t_case_clear(&c);
  t_case_create(&c, BF_ELASTICITY, BF_TRI3, 2);
  t_condition(&c, BF_BC_FIXED, t_x_min, 1);
  p.node[0] = node_at(&c, 2.0, 0.5, 0.0);
  with_block(&c, &p, BF_POINT1, 1, "tips");
  b           = force(&c, names, 1, 0.0, 1.0, 0.0);
  b->nabout   = 2;
  b->about[0] = 3.0, b->about[1] = 0.5; /* the arm of 1 is a moment, which one point cannot carry */
  refused(&c, 318, 50, "are one point and cannot carry the moment (0, 0, 1)");
  b->about[0] = 2.0;
  bf_model *m = t_model(&c); /* no arm */
  T_NEAR(m->point[0].force[1], 1.0, 0.0);
  bf_model_destroy(&m);
  c.p.space = BF_SPACE_AXISYMMETRIC;
  refused(&c, 318, 50, "moments cancel");
  without_block(&c, &p);
  t_case_clear(&c);
}

static void a_failed_allocation_leaks_nothing(void **state)
{
  (void)state;
  T_LONG;
  const bf_name name = {.name = "tip"};
  t_case        c;
  extra         p;
  t_case_create(&c, BF_ELASTICITY, BF_HEX8, 1);
  t_condition(&c, BF_BC_FIXED, t_x_min, 1);
  p.node[0] = node_at(&c, 2.0, 0.0, 0.0);
  with_block(&c, &p, BF_POINT1, 1, "tip");
  force(&c, &name, 1, 1.0, 0.0, 0.0);
  force(&c, t_x_max, 1, 1.0, 0.0, 0.0)->nmoment = 3;
  c.boundary[2].moment[0]                       = 1.0;
  assert_true(t_fail_everywhere(&c) > 60);
  without_block(&c, &p);
  t_case_clear(&c);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(curved_sides_carry_the_force_and_the_moment_to_rounding),
      cmocka_unit_test(a_force_on_a_flat_side_is_the_uniform_traction),
      cmocka_unit_test(a_moment_on_the_end_of_a_beam_bends_it_into_a_circle),
      cmocka_unit_test(points_share_a_force_and_carry_moments_across_their_line),
      cmocka_unit_test(a_line_carries_a_force_per_length),
      cmocka_unit_test(a_force_on_a_body_of_revolution_is_that_of_the_ring),
      cmocka_unit_test(moments_that_the_groups_cannot_carry_are_refused),
      cmocka_unit_test(a_failed_allocation_leaks_nothing),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
