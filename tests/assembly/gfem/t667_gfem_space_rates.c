/* tests/assembly/gfem/t667_gfem_space_rates.c - errors of generalised finite elements in space against
 * reference numbers, and their rates
 *
 * Heat on the unit cube, u = sin(2.5 x + 0.3) sin(2 y + pi/2 - 0.4) sin(1.5 z + 0.7) prescribed all round,
 * its source inside; errors relative.  The reference numbers were found by another program
 * (docs/verification.md).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/assembly/gfem/gfem_space.h"

static void exact(const double *x, double *u, double (*g)[3])
{
  const double p = 2.5 * x[0] + 0.3, q = 2.0 * x[1] + 0.5 * acos(-1.0) - 0.4, r = 1.5 * x[2] + 0.7;
  u[0]    = sin(p) * sin(q) * sin(r);
  g[0][0] = 2.5 * cos(p) * sin(q) * sin(r);
  g[0][1] = 2.0 * sin(p) * cos(q) * sin(r);
  g[0][2] = 1.5 * sin(p) * sin(q) * cos(r);
}

#define SOLUTION "sin(2.5*x+0.3)*sin(2*y+1.5707963267948966-0.4)*sin(1.5*z+0.7)"

static void solve(t_gfem *t, bf_elem_type type, bf_int n, int order, bf_patch_kind patch, double shaken)
{
  static const char *const value[] = {SOLUTION};
  t_cube_create(t, BF_HEAT, type, n, order);
  t_cube_shake(t, shaken / n, 5);
  t_cube_dirichlet(t, value);
  t_load(&t->c, BF_LOAD_HEAT_SOURCE)->value[0] = t_formula("12.5*" SOLUTION);
  t->c.p.patch                                 = patch;
  t_gfem_solve(t, T_CSR, 1e-12);
}

static void errors_are_those_of_the_reference(void **state)
{
  (void)state;
  T_LONG;
  static const struct {
    bf_elem_type  type;
    bf_patch_kind patch;
    bf_int        n;
    int           order;
    double        l2, h1, row;
  } expect[] = {{BF_HEX8, BF_PATCH_RINGS, 8, 1, 1.400848e-2, 1.045676e-1, 20.0},
                {BF_HEX8, BF_PATCH_RINGS, 8, 2, 4.272583e-3, 3.348502e-2, 203.7},
                {BF_HEX8, BF_PATCH_RINGS, 8, 3, 3.709253e-3, 3.172891e-2, 328.5},
                {BF_TET4, BF_PATCH_RINGS, 6, 2, 9.678874e-3, 6.650057e-2, 87.1},
                {BF_TET4, BF_PATCH_RINGS, 6, 3, 8.942859e-3, 6.221424e-2, 121.6},
                {BF_HEX8, BF_PATCH_AUTO, 8, 2, 8.1395e-4, 9.4887e-3, 140.6},
                {BF_HEX8, BF_PATCH_AUTO, 8, 3, 8.3377e-4, 9.7027e-3, 226.8},
                {BF_TET4, BF_PATCH_AUTO, 8, 2, 1.3927e-3, 2.0039e-2, 124.1},
                {BF_TET4, BF_PATCH_AUTO, 8, 3, 9.1077e-4, 1.1290e-2, 205.6}};
  for (size_t k = 0; k < sizeof expect / sizeof *expect; k++) {
    t_gfem t;
    solve(&t, expect[k].type, expect[k].n, expect[k].order, expect[k].patch, 0.0);
    /* the reference integrated errors of compact patches by the rule of the matrix */
    const t_rel e = t_space_errors(&t, expect[k].patch == BF_PATCH_AUTO ? expect[k].order + 1 : 4, exact);
    print_message("%s order %d n %d %s: L2 %.4e (%.4f) H1 %.4e (%.4f), %.1f a row (%.4f), %d iterations\n",
                  bf_elem(expect[k].type)->name, expect[k].order, expect[k].n,
                  expect[k].patch == BF_PATCH_RINGS ? "rings" : "compact", e.l2, e.l2 / expect[k].l2, e.h1,
                  e.h1 / expect[k].h1, t_row_length(&t), t_row_length(&t) / expect[k].row,
                  t.report.iterations);
    T_NEAR(e.l2 / expect[k].l2, 1.0, 0.01);
    T_NEAR(e.h1 / expect[k].h1, 1.0, 0.01);
    T_NEAR(t_row_length(&t) / expect[k].row, 1.0, 0.002);
    t_gfem_clear(&t);
  }
}

static void errors_fall_with_the_order(void **state)
{
  (void)state;
  T_LONG;
  const bf_int n = 12;
  for (int kind = 0; kind < 3; kind++)
    for (int order = 2; order <= 3; order++) {
      t_rel e[2];
      for (int i = 0; i < 2; i++) {
        t_gfem t;
        solve(&t, kind ? BF_TET4 : BF_HEX8, i ? n : n / 2, order, BF_PATCH_AUTO, kind == 2 ? 0.15 : 0.0);
        e[i] = t_space_errors(&t, 4, exact);
        t_gfem_clear(&t);
      }
      print_message("kind %d order %d n %d: L2 %.3e rate %.2f, H1 %.3e rate %.2f\n", kind, order, n, e[1].l2,
                    log2(e[0].l2 / e[1].l2), e[1].h1, log2(e[0].h1 / e[1].h1));
      T_LE(order - 0.2, log2(e[0].h1 / e[1].h1));
    }
}

int main(int argc, char **argv)
{
  const int code = t_backend_open(argc, argv);
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_are_those_of_the_reference),
      cmocka_unit_test(errors_fall_with_the_order),
  };
  return t_backend_close(T_RUN(tests));
}
