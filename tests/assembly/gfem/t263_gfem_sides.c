/* tests/assembly/gfem/t263_gfem_sides.c - generalised finite elements at interfaces of materials, on curved
 * sides under Nitsche's method, under convection and flux
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/assembly/gfem/gfem_split.h"

/* ---- two materials, k = 1 for x < 1/2 and 10 beyond ---- */

/* u = g (1 + s/k),  s = sin(2.5 (x - 1/2)),  g = sin(2 y + 1): u and k du/dx are continuous. */
static void layered(const double *x, double *u, double (*g)[2])
{
  const double k = x[0] < 0.5 ? 1.0 : 10.0, a = 2.5 * (x[0] - 0.5), G = sin(2.0 * x[1] + 1.0);
  u[0]    = G * (1.0 + sin(a) / k);
  g[0][0] = G * 2.5 * cos(a) / k;
  g[0][1] = 2.0 * cos(2.0 * x[1] + 1.0) * (1.0 + sin(a) / k);
}

static t_rel solve_layered(bf_elem_type type, bf_int n, int order)
{
  static const char *const value[] = {"sin(2*y+1)*(1+sin(2.5*(x-0.5))/(x<0.5?1:10))"};
  t_gfem                   t;
  t_gfem_create(&t, BF_HEAT, type, 1.0, 1.0, n, n, order);
  t_split(&t, 0.5);
  t.c.material[1].k = t_number(10.0);
  t_gfem_dirichlet(&t, value);
  for (int g = 0; g < 2; g++) { /* 6.25 g s + 4 g (k + s) */
    bf_load *load = t_load(&t.c, BF_LOAD_HEAT_SOURCE);
    load->ngroups = 1;
    load->group   = g ? t_right : t_left;
    load->value[0] =
        t_formula(g ? "sin(2*y+1)*(10.25*sin(2.5*(x-0.5))+40)" : "sin(2*y+1)*(10.25*sin(2.5*(x-0.5))+4)");
  }
  t_gfem_solve(&t, T_CSR, 1e-12);
  assert_int_equal(t.diags.count, 0);
  const t_rel e = t_gfem_errors(&t, order + 4, layered);
  t_gfem_clear(&t);
  return e;
}

static void an_interface_of_materials_costs_no_order(void **state)
{
  (void)state;
  T_LONG;
  for (int k = 0; k < 2; k++)
    for (int order = 1; order <= 3; order++) {
      t_rel e[2];
      for (int i = 0; i < 2; i++) e[i] = solve_layered(k ? BF_QUAD4 : BF_TRI3, i ? 64 : 32, order);
      const double h1 = log2(e[0].h1 / e[1].h1), l2 = log2(e[0].l2 / e[1].l2);
      print_message("interface %d order %d: H1 %.3e rate %.2f, L2 %.3e rate %.2f\n", k, order, e[1].h1, h1,
                    e[1].l2, l2);
      T_LE(order - 0.15, h1);
      T_LE(order + 0.9, l2);
    }
}

/* A bar of two materials: piecewise linear, exact, the trace single-valued, each material with its own flux.
 */
static void a_kink_at_an_interface_is_exact(void **state)
{
  (void)state;
  const bf_int n = t_quick() == 2 ? 6 : 10;
  for (int order = 2; order <= 3; order++) {
    t_gfem      t;
    bf_solution s    = {0};
    bf_view    *view = NULL;
    t_gfem_create(&t, BF_HEAT, BF_TRI3, 1.0, 1.0, n, n, order);
    t_split(&t, 0.5);
    t.c.material[1].k                                          = t_number(10.0);
    t_condition(&t.c, BF_BC_TEMPERATURE, t_x_min, 1)->value[0] = t_number(0.0);
    t_condition(&t.c, BF_BC_FLUX, t_x_max, 1)->value[0]        = t_number(2.0);
    t_gfem_solve(&t, T_CSR, 1e-14);
    for (bf_int v = 0; v < t.c.mesh->nnodes; v++) {
      const double x = t.c.mesh->x[3 * v];
      T_NEAR(t.u[v], x < 0.5 ? 2.0 * x : 1.0 + 0.2 * (x - 0.5), 1e-12);
    }
    T_OK(bf_view_create(t.c.mesh, bf_model_region(t.m), &view));
    T_OK(bf_model_recover(t.m, t.num, t_be, view, t.row, NULL, &s));
    for (int i = 0; i < s.nfields; i++)
      for (bf_int p = 0; p < view->npoints && strcmp(s.field[i].name, "heat_flux_nodal") == 0; p++)
        T_NEAR(s.field[i].data[3 * p], -2.0, 1e-10);
    T_LE(s.balance, 1e-10);
    T_NEAR(s.reaction[0].value[0], -2.0, 1e-10);
    double v[9];
    T_OK(bf_model_probe(t.m, view, &s.field[0], (const double[3]){0.5321, 0.77, 0.0}, v));
    T_NEAR(v[0], 1.0 + 0.2 * 0.0321, 1e-11);
    bf_solution_clear(&s);
    bf_view_destroy(&view);
    t_gfem_clear(&t);
  }
}

/* Film and flux with the parents' shape functions: 1 - D, T quadratic by a source, exact at order 2. */
static void convection_is_exact_where_the_solution_is(void **state)
{
  (void)state;
  const bf_int n = t_quick() == 2 ? 4 : 8;
  for (int k = 0; k < 2; k++) {
    t_gfem t;
    t_gfem_create(&t, BF_HEAT, k ? BF_QUAD4 : BF_TRI3, 1.0, 1.0, n, n, 2);
    t_condition(&t.c, BF_BC_TEMPERATURE, t_x_min, 1)->value[0] = t_number(1.0);
    bf_boundary *b                              = t_condition(&t.c, BF_BC_CONVECTION, t_x_max, 1);
    b->h                                        = t_number(4.0);
    b->ambient                                  = t_number(0.5);
    t_load(&t.c, BF_LOAD_HEAT_SOURCE)->value[0] = t_number(6.0);
    t_gfem_solve(&t, T_CSR, 1e-14);
    /* T = 1 + a x - 3 x^2,  -T'(1) = 6 - a = 4 (T(1) - 1/2) = 4 (a - 5/2) */
    for (bf_int v = 0; v < t.c.mesh->nnodes; v++) {
      const double x = t.c.mesh->x[3 * v];
      T_NEAR(t.u[v], 1.0 + 3.2 * x - 3.0 * x * x, 1e-12);
    }
    bf_solution s    = {0};
    bf_view    *view = NULL;
    T_OK(bf_view_create(t.c.mesh, bf_model_region(t.m), &view));
    T_OK(bf_model_recover(t.m, t.num, t_be, view, t.row, NULL, &s));
    T_NEAR(s.reaction[0].value[0], -3.2, 1e-10); /* heat that enters: -T'(0) = -3.2 */
    T_LE(s.balance, 1e-10);
    bf_solution_clear(&s);
    bf_view_destroy(&view);
    t_gfem_clear(&t);
  }
}

/* ---- a disc of radius 1: polygons of 6 n sides, group rim ---- */

/* Node of ring i, place j of 6 i. */
static int ring_node(int i, int j)
{
  return i == 0 ? 1 : 2 + 3 * i * (i - 1) + j % (6 * i);
}

static void disc_mesh(t_gfem *t, int n)
{
  const int nn = 1 + 3 * n * (n + 1), nt = 6 * n * n;
  char     *s  = malloc((size_t)(nn + nt + 6 * n) * 80 + 400);
  size_t    at = 0;
  int       e  = 0;
  bf_diags  d  = {0};
  at += (size_t)sprintf(s,
                        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"rim\"\n2 2 \"body\"\n"
                        "$EndPhysicalNames\n$Nodes\n%d\n1 0 0 0\n",
                        nn);
  for (int i = 1; i <= n; i++)
    for (int j = 0; j < 6 * i; j++) {
      const double a = 2.0 * acos(-1.0) * j / (6.0 * i), r = (double)i / n;
      at += (size_t)sprintf(s + at, "%d %.17g %.17g 0\n", ring_node(i, j), r * cos(a), r * sin(a));
    }
  at += (size_t)sprintf(s + at, "$EndNodes\n$Elements\n%d\n", nt + 6 * n);
  for (int j = 0; j < 6 * n; j++)
    at += (size_t)sprintf(s + at, "%d 1 2 1 1 %d %d\n", ++e, ring_node(n, j), ring_node(n, j + 1));
  for (int i = 1; i <= n; i++)
    for (int k = 0; k < 6; k++)
      for (int j = 0; j < i; j++) {
        const int o = k * i + j, p = k * (i - 1) + j;
        at += (size_t)sprintf(s + at, "%d 2 2 2 2 %d %d %d\n", ++e, ring_node(i, o), ring_node(i, o + 1),
                              ring_node(i - 1, p));
        if (j < i - 1)
          at += (size_t)sprintf(s + at, "%d 2 2 2 2 %d %d %d\n", ++e, ring_node(i - 1, p),
                                ring_node(i, o + 1), ring_node(i - 1, p + 1));
      }
  at += (size_t)sprintf(s + at, "$EndElements\n");
  bf_mesh_destroy(&t->c.mesh);
  if (bf_mesh_read_msh_memory("disc.msh", s, at, &d, &t->c.mesh) != BF_OK) fail_msg("%s", d.item[0].text);
  bf_diags_clear(&d);
  free(s);
}

static const bf_name rim[] = {{.name = "rim"}};

static void harmonic(const double *x, double *u, double (*g)[2])
{
  const double p = 2.5 * x[0] + 0.3, q = 2.0 * x[1] + 0.4;
  u[0]    = sin(p) * sin(q);
  g[0][0] = 2.5 * cos(p) * sin(q);
  g[0][1] = 2.0 * sin(p) * cos(q);
}

static void make_disc(t_gfem *t, bf_physics physics, int n, int order, const char *const *value)
{
  t_gfem_create(t, physics, BF_TRI3, 1.0, 1.0, 1, 1, order);
  disc_mesh(t, n);
  t->c.p.nitsche_gamma = 30.0;
  bf_boundary *b = t_condition(&t->c, physics == BF_HEAT ? BF_BC_TEMPERATURE : BF_BC_DISPLACEMENT, rim, 1);
  for (int c = 0; c < (physics == BF_HEAT ? 1 : 2); c++) {
    b->given[c] = 1;
    b->value[c] = t_formula(value[c]);
  }
}

static void a_curved_side_under_nitsches_method_costs_no_order(void **state)
{
  (void)state;
  T_LONG;
  static const char *const value[] = {"sin(2.5*x+0.3)*sin(2*y+0.4)"};
  for (int order = 2; order <= 3; order++) {
    t_rel e[2];
    for (int i = 0; i < 2; i++) {
      t_gfem t;
      make_disc(&t, BF_HEAT, i ? 64 : 32, order, value);
      t_load(&t.c, BF_LOAD_HEAT_SOURCE)->value[0] = t_formula("10.25*sin(2.5*x+0.3)*sin(2*y+0.4)");
      t_gfem_solve(&t, T_BDIA_HALF, 1e-12);
      assert_int_equal(bf_gfem_of(t.m)->face.ncurved, 6 * (i ? 64 : 32));
      for (bf_int v = 0; v < t.c.mesh->nnodes; v++) assert_int_equal(t.m->fixed[v], 0);
      e[i] = t_gfem_errors(&t, order + 3, harmonic);
      t_gfem_clear(&t);
    }
    const double h1 = log2(e[0].h1 / e[1].h1), l2 = log2(e[0].l2 / e[1].l2);
    print_message("disc order %d: H1 %.3e rate %.2f, L2 %.3e rate %.2f\n", order, e[1].h1, h1, e[1].l2, l2);
    T_LE(order - 0.1, h1);
    T_LE(order + 0.9, l2);
  }
}

/* Heat and elasticity: polynomials of degree 2 on the disc, prescribed weakly; what enters at the rim. */
static void polynomials_on_a_disc_are_exact(void **state)
{
  (void)state;
  static const char *const heat[] = {"1+x*x-2*x*y+3*y*y"}, *const solid[] = {"x*x-y", "x*y+2*x"};
  const int n = t_quick() == 2 ? 3 : 8;
  for (int order = 2; order <= 3; order++) {
    T_ONE_OF(2);
    t_gfem      t;
    bf_solution s    = {0};
    bf_view    *view = NULL;
    double      area = 0.0;
    make_disc(&t, BF_HEAT, n, order, heat);
    t_load(&t.c, BF_LOAD_HEAT_SOURCE)->value[0] = t_number(-8.0);
    t_gfem_solve(&t, T_CSR, 1e-14);
    for (bf_int v = 0; v < t.c.mesh->nnodes; v++) {
      const double *x = t.c.mesh->x + 3 * v;
      T_NEAR(t.u[v], 1 + x[0] * x[0] - 2 * x[0] * x[1] + 3 * x[1] * x[1], 1e-11);
    }
    T_OK(bf_view_create(t.c.mesh, bf_model_region(t.m), &view));
    T_OK(bf_model_recover(t.m, t.num, t_be, view, t.row, NULL, &s));
    area = 3.0 * n * sin(acos(-1.0) / (3.0 * n)); /* of 6 n sides */
    T_NEAR(s.reaction[0].value[0], 8.0 * area, 1e-9);
    T_LE(s.balance, 1e-10);
    bf_solution_clear(&s);
    bf_view_destroy(&view);
    t_gfem_clear(&t);

    make_disc(&t, BF_ELASTICITY, n, order, solid);
    bf_load     *f = t_load(&t.c, BF_LOAD_BODY_FORCE);
    const double c = 1000.0 / (1.0 - 0.09), G = 1000.0 / 2.6; /* plane stress */
    /* sxx = c (2x + nu x), syy = c (x + 2 nu x), sxy = G (y + 1):  -f = (c (2 + nu) + G, 0) */
    f->value[0] = t_number(-(c * 2.3 + G));
    t_gfem_solve(&t, T_CSR, 1e-14);
    for (bf_int v = 0; v < t.c.mesh->nnodes; v++) {
      const double *x = t.c.mesh->x + 3 * v;
      T_NEAR(t.u[2 * v], x[0] * x[0] - x[1], 1e-11);
      T_NEAR(t.u[2 * v + 1], x[0] * x[1] + 2 * x[0], 1e-11);
    }
    T_OK(bf_view_create(t.c.mesh, bf_model_region(t.m), &view));
    T_OK(bf_model_recover(t.m, t.num, t_be, view, t.row, NULL, &s));
    T_NEAR(s.reaction[0].value[0], (c * 2.3 + G) * area, 1e-6);
    T_NEAR(s.reaction[0].value[1], 0.0, 1e-6);
    T_LE(s.balance, 1e-9);
    T_LE(s.moment_balance, 1e-9);
    bf_solution_clear(&s);
    bf_view_destroy(&view);
    t_gfem_clear(&t);
  }
}

static void a_bent_interface_is_warned_of(void **state)
{
  (void)state;
  t_gfem t;
  int    said = 0;
  t_gfem_create(&t, BF_HEAT, BF_QUAD4, 1.0, 1.0, 10, 10, 2);
  t_split(&t, 0.5);
  t_gfem_warp(&t, 0.05);
  t_condition(&t.c, BF_BC_TEMPERATURE, t_x_min, 1)->value[0] = t_number(0.0);
  t_gfem_model(&t);
  for (int i = 0; i < t.diags.count; i++) said |= t.diags.item[i].code == 331;
  assert_true(said);
  t_gfem_clear(&t);
}

int main(int argc, char **argv)
{
  const int code = t_backend_open(argc, argv);
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_interface_of_materials_costs_no_order),
      cmocka_unit_test(a_kink_at_an_interface_is_exact),
      cmocka_unit_test(convection_is_exact_where_the_solution_is),
      cmocka_unit_test(a_curved_side_under_nitsches_method_costs_no_order),
      cmocka_unit_test(polynomials_on_a_disc_are_exact),
      cmocka_unit_test(a_bent_interface_is_warned_of),
  };
  return t_backend_close(T_RUN(tests));
}
