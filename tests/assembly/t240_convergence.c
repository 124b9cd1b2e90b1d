/* tests/assembly/t240_convergence.c - errors of solved problems fall at the rates of the theory
 *
 * Manufactured solutions on curved meshes with values prescribed all round: L2 rate p + 1, energy rate p for
 * every element, heat and elasticity.  The L-shape's corner singularity r^(2/3) limits the energy rate to 2/3
 * whatever the order.  Rates are those of the two finest meshes; all are printed to stderr.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/expression.h"
#include "mesh/build.h"
#include "tests/assembly/convergence.h"
#include "tests/shuffle.h"

static const double pi = 3.14159265358979323846;

static t_field heat_field(int dim)
{
  t_field f = {.ncomp = 1, .dim = dim, .a = {1.0}};
  for (int d = 0; d < 3; d++) f.k[0][d] = pi;
  return f;
}

/* u = (sin pi x cos pi y, ...), no symmetry between the components, divergence and shear everywhere */
static t_field elastic_field(int dim)
{
  return (t_field){.ncomp = dim,
                   .dim   = dim,
                   .a     = {1.0, 0.8, -0.6},
                   .k     = {{pi, pi, 0.7 * pi}, {0.8 * pi, pi, 0.5 * pi}, {0.6 * pi, 0.9 * pi, pi}},
                   .s     = {{0.0, pi / 2, 0.5}, {0.9, 0.3, 0.8}, {0.2, 1.1, 0.4}}};
}

typedef struct variant {
  const char *name;
  bf_physics  physics;
  bf_space    space;
  double      tol;
  int         modes; /* incompatible */
} variant;
static const variant heat         = {"heat", BF_HEAT, BF_SPACE_AUTO, 0.1, 0},
                     plane_stress = {"plane stress", BF_ELASTICITY, BF_SPACE_PLANE_STRESS, 0.15, 0},
                     plane_strain = {"plane strain", BF_ELASTICITY, BF_SPACE_PLANE_STRAIN, 0.15, 0},
                     solid        = {"elasticity 3D", BF_ELASTICITY, BF_SPACE_3D, 0.15, 0},
                     heat_turned  = {"heat, axisymmetric", BF_HEAT, BF_SPACE_AXISYMMETRIC, 0.1, 0},
                     turned       = {"axisymmetric", BF_ELASTICITY, BF_SPACE_AXISYMMETRIC, 0.15, 0},
                     plane_modes  = {"plane strain, modes", BF_ELASTICITY, BF_SPACE_PLANE_STRAIN, 0.15, 1},
                     solid_modes  = {"elasticity 3D, modes", BF_ELASTICITY, BF_SPACE_3D, 0.15, 1};

static void create(t_case *c, const variant *v, bf_elem_type type, bf_int cells)
{
  const double size[3] = {1.0, 1.0, 1.0};
  const bf_int n[3]    = {cells, cells, cells};
  t_case_create(c, v->physics, type, 1);
  bf_mesh_destroy(&c->mesh);
  c->mesh = t_generated(size, n, type);
  t_map(c->mesh, c->mesh->dim == 3 ? t_curve_3d : t_curve_2d);
  for (bf_int i = 0; i < c->mesh->nnodes && v->space == BF_SPACE_AXISYMMETRIC; i++)
    c->mesh->x[3 * i] += 0.5; /* a ring: radii from a half */
  c->p.space        = v->space;
  c->p.incompatible = v->modes;
  c->p.thickness    = c->mesh->dim == 2 ? 0.37 : 1.0;
}

/* Loads from their formulas against -div of the flux or stress by central differences of values only. */
static void loads_belong_to_the_fields(void **state)
{
  (void)state;
  const variant *all[] = {&heat, &heat, &plane_stress, &plane_strain, &solid, &heat_turned, &turned};
  const double   h = 1e-3, at[3] = {0.37, 0.61, 0.23};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    t_case             c;
    const bf_elem_type type = k == 1 || k == 4 ? BF_HEX8 : BF_QUAD4;
    const int          dim  = bf_elem(type)->dim;
    const t_field      f    = all[k]->physics == BF_HEAT ? heat_field(dim) : elastic_field(dim);
    t_problem_text     text;
    create(&c, all[k], type, 1);
    t_manufacture(&c, &f, &text);
    bf_expression *u[3] = {NULL, NULL, NULL};
    for (int i = 0; i < f.ncomp; i++) T_OK(bf_expression_create(text.value[i], &(int){0}, &u[i]));
    for (int i = 0; i < f.ncomp; i++) {
      bf_expression *load = NULL;
      double         b, div = 0.0, scale = 0.0;
      T_OK(bf_expression_create(text.load[i], &(int){0}, &load));
      T_OK(bf_expression_eval(load, 1, at, &b));
      for (int j = 0; j < dim; j++)
        for (int s = -1; s <= 1; s += 2) { /* flux through the faces of a cube of edge 2h, or of a ring */
          double x[3] = {at[0], at[1], at[2]}, g[3][3] = {{0.0}};
          x[j] += s * h;
          for (int a = 0; a < f.ncomp; a++)
            for (int d = 0; d < dim; d++) {
              double y[2][3] = {{x[0], x[1], x[2]}, {x[0], x[1], x[2]}}, v[2];
              y[0][d] -= h;
              y[1][d] += h;
              T_OK(bf_expression_eval(u[a], 2, y[0], v));
              g[a][d] = (v[1] - v[0]) / (2.0 * h);
            }
          double hoop = 0.0; /* stress that pulls the ring inwards, the mean of both faces */
          if (t_turned(&c) && f.ncomp == 2) {
            T_OK(bf_expression_eval(u[0], 1, x, &g[2][2]));
            g[2][2] /= x[0];
            hoop = i == 0 && j == 0 ? 0.5 * t_stiffness(&c, x) * t_stress(&c, g, 2, 2) / at[0] : 0.0;
          }
          const double flux = (t_turned(&c) && j == 0 ? x[0] / at[0] : 1.0) * t_stiffness(&c, x) *
                              (f.ncomp == 1 ? g[0][j] : t_stress(&c, g, i, j));
          div += s * flux / (2.0 * h) - hoop;
          scale = fmax(scale, fabs(flux));
        }
      T_NEAR(b, -div, 1e-4 * pi * pi * scale);
      bf_expression_destroy(&load);
    }
    for (int i = 0; i < f.ncomp; i++) bf_expression_destroy(&u[i]);
    t_case_clear(&c);
  }
}

/* One line of the table; r[2] = rates of L2 and energy from the mesh before, which e replaces. */
static void print_rates(const char *name, bf_elem_type type, bf_int cells, bf_int unknowns, int k,
                        double refined, const double e[2], double before[2], double r[2])
{
  fprintf(stderr, "| %s | %s | %d | %d |", name, bf_elem(type)->name, (int)cells, (int)unknowns);
  for (int i = 0; i < 2; i++) {
    if (k > 0) r[i] = log(before[i] / e[i]) / log(refined);
    if (k > 0)
      fprintf(stderr, " %.3e | %.3f |", e[i], r[i]);
    else
      fprintf(stderr, " %.3e | |", e[i]);
    before[i] = e[i];
  }
  fprintf(stderr, "\n");
}

static void rates_are_optimal(const variant *v, bf_elem_type type, const bf_int *cells, int nmeshes)
{
  const bf_elem_info *info = bf_elem(type);
  const t_field       f    = v->physics == BF_HEAT ? heat_field(info->dim) : elastic_field(info->dim);
  t_problem_text      text;
  double              before[2] = {0.0, 0.0}, r[2] = {0.0, 0.0};
  for (int k = 0; k < nmeshes; k++) {
    t_case c;
    bf_int unknowns;
    create(&c, v, type, cells[k]);
    t_manufacture(&c, &f, &text);
    double       *u    = t_solve_iteratively(&c, &unknowns);
    const t_norms n    = t_errors(&c, u, info->order + 2, t_field_exact, &f);
    const double  e[2] = {sqrt(n.l2 / n.l2_of_u), sqrt(n.energy / n.energy_of_u)};
    print_rates(v->name, type, cells[k], unknowns, k, k ? (double)cells[k] / cells[k - 1] : 1.0, e, before,
                r);
    bf_host_free(u);
    t_case_clear(&c);
  }
  for (int i = 0; i < 2; i++)
    if (!(fabs(r[i] - (info->order + 1 - i)) <= v->tol))
      fail_msg("%s, %s: %s rate %.3f, not %d", v->name, info->name, i ? "energy" : "L2", r[i],
               info->order + 1 - i);
}

static void all_types(const variant *v, int dim)
{
  static const bf_int cells[2][2][4] = {{{8, 16, 32, 64}, {6, 12, 24, 48}}, {{6, 9, 13, 19}, {4, 6, 8, 11}}};
  for (int t = 0; t < T_TYPES; t++)
    if (bf_elem(t_types[t])->dim == dim)
      rates_are_optimal(v, t_types[t], cells[dim - 2][bf_elem(t_types[t])->order - 1], 4);
}
static void heat_converges_on_plane_elements(void **state)
{
  (void)state;
  all_types(&heat, 2);
}
static void heat_converges_on_solid_elements(void **state)
{
  (void)state;
  all_types(&heat, 3);
}
static void plane_stress_converges(void **state)
{
  (void)state;
  all_types(&plane_stress, 2);
}
static void plane_strain_converges(void **state)
{
  (void)state;
  all_types(&plane_strain, 2);
}
static void solids_converge(void **state)
{
  (void)state;
  all_types(&solid, 3);
}

static void incompatible_modes_keep_the_rates(void **state)
{
  (void)state;
  static const bf_int cells[2][4] = {{8, 16, 32, 64}, {6, 9, 13, 19}};
  rates_are_optimal(&plane_modes, BF_QUAD4, cells[0], 4);
  rates_are_optimal(&solid_modes, BF_HEX8, cells[1], 4);
}

static void bodies_of_revolution_converge(void **state)
{
  (void)state;
  all_types(&heat_turned, 2);
  all_types(&turned, 2);
}

/* (-1,1)^2 without the quarter x > 0, y < 0: group "edge" holds its sides. */
static int inside(const double c[3])
{
  return c[0] < 0.0 || c[1] > 0.0;
}
static int on_edge(const double *a, const double *b)
{
  for (int d = 0; d < 2; d++)
    if (a[d] == b[d] && fabs(a[d]) == 1.0) return 1;
  return (a[1] == 0.0 && b[1] == 0.0 && a[0] + b[0] > 0.0) ||
         (a[0] == 0.0 && b[0] == 0.0 && a[1] + b[1] < 0.0);
}

static void l_shape(bf_elem_type type, bf_int cells, bf_mesh **out)
{
  const double        size[2]  = {2.0, 2.0};
  const bf_int        n[2]     = {cells, cells};
  const bf_elem_info *info     = bf_elem(type);
  const int           side_nen = bf_elem(info->face_type)->nnodes;
  bf_mesh            *whole = NULL, *m = NULL;
  bf_int             *now = NULL, *side = NULL, nnodes = 0, nsides = 0;
  T_OK(bf_mesh_rectangle(size, n, type, &whole));
  for (bf_int v = 0; v < 3 * whole->nnodes; v++)
    if (v % 3 < 2) whole->x[v] -= 1.0; /* exact: cells is a power of two */
  t_keep(whole, inside);
  const bf_block *B = &whole->block[0];
  T_OK(BF_NEW_ARRAY(now, whole->nnodes));
  T_OK(BF_NEW_ARRAY(side, (size_t)B->n * (size_t)(info->nfaces * side_nen)));
  for (bf_int i = 0; i < B->n * info->nnodes; i++) now[B->node[i]] = 1;
  for (bf_int v = 0; v < whole->nnodes; v++) now[v] = now[v] ? nnodes++ : -1;
  for (bf_int e = 0; e < B->n; e++)
    for (int s = 0; s < info->nfaces; s++) {
      const bf_int *node = B->node + e * info->nnodes;
      if (!on_edge(whole->x + 3 * node[info->face[s][0]], whole->x + 3 * node[info->face[s][1]])) continue;
      for (int a = 0; a < side_nen; a++) side[nsides * side_nen + a] = now[node[info->face[s][a]]];
      nsides++;
    }
  assert_int_equal(nsides, 4 * cells);
  T_OK(bf_mesh_create("L", 2, nnodes, 2, 1, &m));
  for (bf_int v = 0; v < whole->nnodes; v++)
    if (now[v] >= 0) {
      memcpy(m->x + 3 * now[v], whole->x + 3 * v, 3 * sizeof *m->x);
      m->node_tag[now[v]] = now[v] + 1;
    }
  T_OK(bf_mesh_set_block(m, 0, info->face_type, nsides));
  T_OK(bf_mesh_set_block(m, 1, type, B->n));
  memcpy(m->block[0].node, side, (size_t)(nsides * side_nen) * sizeof *side);
  for (bf_int i = 0; i < B->n * info->nnodes; i++) m->block[1].node[i] = now[B->node[i]];
  for (int b = 0; b < 2; b++)
    for (bf_int e = 0; e < m->block[b].n; e++) m->block[b].tag[e] = m->block[b].first + e + 1;
  T_OK(bf_mesh_set_group(m, 0, "edge", 1, 1, nsides));
  for (bf_int e = 0; e < nsides; e++) m->group[0].elem[e] = e;
  T_OK(bf_mesh_check(m));
  bf_host_free(now);
  bf_host_free(side);
  bf_mesh_destroy(&whole);
  *out = m;
}

/* u = r^(2/3) sin(2 t/3), angle t from the edge y = 0; grad u = 2/3 r^(-1/3) (-sin(t/3), cos(t/3)) */
static void corner_exact(const void *context, const double *x, double u[3], double g[3][3])
{
  (void)context;
  const double r = hypot(x[0], x[1]), t = atan2(x[1], x[0]) + (x[1] < 0.0 ? 2.0 * pi : 0.0);
  u[0]    = pow(r, 2.0 / 3.0) * sin(2.0 / 3.0 * t);
  g[0][0] = -2.0 / 3.0 * pow(r, -1.0 / 3.0) * sin(t / 3.0);
  g[0][1] = 2.0 / 3.0 * pow(r, -1.0 / 3.0) * cos(t / 3.0);
}

static void nothing(const void *context, const double *x, double u[3], double g[3][3])
{
  (void)context, (void)x, (void)u, (void)g; /* zero, as they came */
}

static void a_reentrant_corner_limits_the_rate_to_two_thirds(void **state)
{
  (void)state;
  static const bf_name edge[]   = {{.name = "edge"}};
  const bf_elem_type   type[2]  = {BF_TRI3, BF_TRI6};
  const bf_int         cells[2] = {16, 8};
  for (int t = 0; t < 2; t++) {
    double before[2] = {0.0, 0.0}, r[2] = {0.0, 0.0}, whole = 0.0, found = 0.0;
    for (int k = 0; k < 4; k++) {
      t_case       c;
      bf_int       unknowns;
      const bf_int n = cells[t] << k;
      t_case_create(&c, BF_HEAT, type[t], 1);
      bf_mesh_destroy(&c.mesh);
      l_shape(type[t], n, &c.mesh);
      c.material[0].k = t_number(1.0);
      t_condition(&c, BF_BC_TEMPERATURE, edge, 1)->value[0] =
          t_formula("(x^2 + y^2)^(1/3)*sin(2/3*(atan2(y, x) + (y < 0 ? 2*pi : 0)))");
      double       *u    = t_solve_iteratively(&c, &unknowns);
      const t_norms s    = t_errors(&c, u, 8, corner_exact, NULL);
      const double  e[2] = {sqrt(s.l2 / s.l2_of_u), sqrt(s.energy / s.energy_of_u)};
      print_rates("L-shape", type[t], n, unknowns, k, 2.0, e, before, r);
      whole = s.energy_of_u;
      found = t_errors(&c, u, 8, nothing, NULL).energy; /* of the solution itself */
      bf_host_free(u);
      t_case_clear(&c);
    }
    fprintf(stderr, "|u|_H1^2 integrated %.6f, of the finest solution %.6f\n", whole, found);
    T_NEAR(whole, 1.836226662, 1e-4);
    T_NEAR(found, 1.836226662, 2e-3);
    T_NEAR(r[0], 4.0 / 3.0, 0.05); /* twice the energy rate, by duality */
    T_NEAR(r[1], 2.0 / 3.0, 0.05);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loads_belong_to_the_fields),
      cmocka_unit_test(heat_converges_on_plane_elements),
      cmocka_unit_test(heat_converges_on_solid_elements),
      cmocka_unit_test(plane_stress_converges),
      cmocka_unit_test(plane_strain_converges),
      cmocka_unit_test(solids_converge),
      cmocka_unit_test(bodies_of_revolution_converge),
      cmocka_unit_test(incompatible_modes_keep_the_rates),
      cmocka_unit_test(a_reentrant_corner_limits_the_rate_to_two_thirds),
  };
  T_OK(bf_backend_create("cpu", NULL, &t_be));
  return t_backend_close(T_RUN(tests));
}
