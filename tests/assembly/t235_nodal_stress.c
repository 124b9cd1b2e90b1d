/* tests/assembly/t235_nodal_stress.c - stresses at nodes of coarse quadratic elements beside Lame's solution
 * and CalculiX's
 *
 * Thick cylinder, radii 1 and 2, internal pressure 1, nu 0.3, no axial strain: the largest error over all
 * nodes of the bore, relative, of the hoop stress and of the von Mises stress.  CalculiX 2.20 (CPE8, CPE6,
 * CAX8, CAX6, C3D20, C3D10) on the same meshes by tests/peers/compare_stress.py.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/assembly/solved_case.h"
#include "tests/shuffle.h"
#include <math.h>

static const double HALF_PI = 1.57079632679489661923;

typedef struct wall {
  bf_elem_type type;
  bf_space     space;
  bf_int       cells[3];    /* through the wall, around a quarter or along the axis, along the axis */
  double       hoop, mises; /* CalculiX's errors in per cent */
} wall;

static const wall walls[] = {{BF_QUAD8, BF_SPACE_PLANE_STRAIN, {2, 3, 1}, 3.05, 4.05},
                             {BF_QUAD8, BF_SPACE_PLANE_STRAIN, {2, 4, 1}, 3.00, 3.93},
                             {BF_QUAD8, BF_SPACE_PLANE_STRAIN, {3, 4, 1}, 1.82, 2.03},
                             {BF_QUAD8, BF_SPACE_PLANE_STRAIN, {4, 6, 1}, 1.18, 1.20},
                             {BF_QUAD8, BF_SPACE_AXISYMMETRIC, {2, 1, 1}, 2.91, 3.85},
                             {BF_QUAD8, BF_SPACE_AXISYMMETRIC, {4, 2, 1}, 1.13, 1.23},
                             {BF_TRI6, BF_SPACE_PLANE_STRAIN, {2, 4, 1}, 3.88, 7.26},
                             {BF_TRI6, BF_SPACE_PLANE_STRAIN, {4, 6, 1}, 1.16, 2.50},
                             {BF_TRI6, BF_SPACE_AXISYMMETRIC, {2, 2, 1}, 6.02, 7.80},
                             {BF_TRI6, BF_SPACE_AXISYMMETRIC, {4, 2, 1}, 2.01, 2.65},
                             {BF_HEX20, BF_SPACE_3D, {2, 3, 1}, 3.05, 4.05},
                             {BF_HEX20, BF_SPACE_3D, {2, 4, 2}, 3.00, 3.93},
                             {BF_HEX20, BF_SPACE_3D, {3, 4, 2}, 1.82, 2.03},
                             {BF_TET10, BF_SPACE_3D, {2, 3, 1}, 4.50, 8.59},
                             {BF_TET10, BF_SPACE_3D, {2, 4, 2}, 3.98, 7.73},
                             {BF_TET10, BF_SPACE_3D, {3, 4, 2}, 2.80, 4.58}};

static void ring(double x[3])
{
  const double r = 1.0 + x[0], angle = HALF_PI * x[1];
  x[0] = r * cos(angle);
  x[1] = r * sin(angle);
  x[2] *= 0.5;
}

static void section(double x[3])
{
  x[0] += 1.0;
  x[1] *= 0.5;
}

static void cylinder(t_case *c, const wall *w)
{
  static const bf_name bore = {.name = "x_min"}, sides[2] = {{.name = "y_min"}, {.name = "y_max"}},
                       ends[2] = {{.name = "z_min"}, {.name = "z_max"}};
  const double size[3]         = {1.0, 1.0, 1.0};
  t_case_create(c, BF_ELASTICITY, w->type, 1);
  bf_mesh_destroy(&c->mesh);
  c->mesh = t_generated(size, w->cells, w->type);
  t_map(c->mesh, w->space == BF_SPACE_AXISYMMETRIC ? section : ring);
  c->p.space                                         = w->space;
  t_condition(c, BF_BC_PRESSURE, &bore, 1)->value[0] = t_number(1.0);
  t_condition(c, BF_BC_SYMMETRY, sides, 2);
  if (w->space == BF_SPACE_3D) t_condition(c, BF_BC_SYMMETRY, ends, 2);
}

static double von_mises(double a, double b, double c)
{
  return sqrt(0.5 * ((a - b) * (a - b) + (b - c) * (b - c) + (c - a) * (c - a)));
}

/* Largest relative errors at the bore: hoop stress, von Mises stress. */
static void errors(const t_solved *r, const wall *w, double e[2])
{
  const double   A = 1.0 / 3.0, hoop = 5.0 * A, mises = von_mises(-1.0, hoop, 0.6 * A);
  const double  *s = t_field(r, "stress_nodal")->data, *vm = t_field(r, "von_mises_nodal")->data;
  const bf_mesh *mesh = bf_model_mesh(r->m);
  int            seen = 0;
  e[0] = e[1] = 0.0;
  for (bf_int p = 0; p < r->view->npoints; p++) {
    const double *x = mesh->x + 3 * (size_t)r->view->node[p];
    const double R = w->space == BF_SPACE_AXISYMMETRIC ? x[0] : hypot(x[0], x[1]), c = x[0] / R, q = x[1] / R;
    if (fabs(R - 1.0) > 1e-9) continue;
    const double *t = s + 6 * (size_t)p;
    const double  got =
        w->space == BF_SPACE_AXISYMMETRIC ? t[2] : q * q * t[0] + c * c * t[1] - 2.0 * q * c * t[3];
    e[0] = fmax(e[0], 100.0 * fabs(got / hoop - 1.0));
    e[1] = fmax(e[1], 100.0 * fabs(vm[p] / mises - 1.0));
    seen++;
  }
  assert_true(seen >= 3);
}

static void stresses_at_the_bore_are_as_good_as_those_of_calculix(void **state)
{
  (void)state;
  for (size_t k = 0; k < sizeof walls / sizeof *walls; k++) {
    const wall *w = &walls[k];
    t_case      c;
    t_solved    r;
    double      e[2];
    cylinder(&c, w);
    t_solve_case(&c, &r);
    errors(&r, w, e);
    fprintf(stderr, "%s space %d %dx%dx%d: hoop %.2f %% (CalculiX %.2f), von Mises %.2f %% (%.2f)\n",
            bf_elem(w->type)->name, (int)w->space, (int)w->cells[0], (int)w->cells[1], (int)w->cells[2], e[0],
            w->hoop, e[1], w->mises);
    assert_true(e[0] <= fmax(1.2 * w->hoop, 1.0));
    assert_true(e[1] <= fmax(1.2 * w->mises, 1.0));
    t_solved_clear(&c, &r);
  }
}

/* sigma_xx = exp(2x) cos(2y) and so on of a displacement that is a gradient of a harmonic function: no force.
 */
static void prescribe(double x[3], const double *at)
{
  x[0] = exp(2.0 * at[0]) * cos(2.0 * at[1]);
  x[1] = -exp(2.0 * at[0]) * sin(2.0 * at[1]);
}

/* Largest error of stress_nodal inside and on the sides of a square of n x n cells, of the largest stress. */
static void harmonic_errors(bf_elem_type type, bf_int n, double e[2])
{
  const double         size[3]  = {1.0, 1.0, 1.0};
  const bf_int         cells[3] = {n, n, n};
  static const bf_name sides[4] = {
      {.name = "x_min"}, {.name = "x_max"}, {.name = "y_min"}, {.name = "y_max"}};
  t_case   c;
  t_solved r;
  t_case_create(&c, BF_ELASTICITY, type, 1);
  bf_mesh_destroy(&c.mesh);
  c.mesh          = t_generated(size, cells, type);
  c.p.space       = BF_SPACE_PLANE_STRAIN;
  c.material[0].E = t_number(2.6); /* 2 mu = 2 */
  bf_boundary *b  = t_condition(&c, BF_BC_DISPLACEMENT, sides, 4);
  b->given[0] = b->given[1] = 1;
  b->value[0]               = t_formula("exp(2*x)*cos(2*y)");
  b->value[1]               = t_formula("-exp(2*x)*sin(2*y)");
  t_solve_case(&c, &r);
  const double *s = t_field(&r, "stress_nodal")->data;
  e[0] = e[1] = 0.0;
  for (bf_int p = 0; p < r.view->npoints; p++) {
    const double *x = c.mesh->x + 3 * (size_t)r.view->node[p];
    double        u[3];
    prescribe(u, x);
    const double want[4] = {4.0 * u[0], -4.0 * u[0], 0.0,
                            4.0 * u[1]}; /* 2 mu (2 u_x), trace 0, 2 mu eps_xy */
    const int    side    = fmin(fmin(x[0], 1.0 - x[0]), fmin(x[1], 1.0 - x[1])) < 1e-9;
    for (int k = 0; k < 4; k++) e[side] = fmax(e[side], fabs(s[6 * p + k] - want[k]) / (4.0 * exp(2.0)));
  }
  t_solved_clear(&c, &r);
}

static void stresses_inside_converge_faster_than_those_of_the_elements(void **state)
{
  (void)state;
  static const struct {
    bf_elem_type type;
    bf_int       n;
    double       inside, side; /* least rates */
  } all[] = {
      {BF_QUAD8, 6, 2.7, 1.8}, {BF_QUAD9, 6, 2.7, 1.8}, {BF_TRI6, 6, 1.7, 1.7}, {BF_QUAD4, 8, 1.7, 0.8}};
  for (int k = 0; k < 4; k++) {
    double e[2], f[2];
    harmonic_errors(all[k].type, all[k].n, e);
    harmonic_errors(all[k].type, 2 * all[k].n, f);
    fprintf(stderr, "%s: inside %.2e %.2e rate %.2f, sides %.2e %.2e rate %.2f\n", bf_elem(all[k].type)->name,
            e[0], f[0], log2(e[0] / f[0]), e[1], f[1], log2(e[1] / f[1]));
    assert_true(log2(e[0] / f[0]) > all[k].inside);
    assert_true(log2(e[1] / f[1]) > all[k].side);
    assert_true(f[0] < f[1]);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stresses_at_the_bore_are_as_good_as_those_of_calculix),
      cmocka_unit_test(stresses_inside_converge_faster_than_those_of_the_elements),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
