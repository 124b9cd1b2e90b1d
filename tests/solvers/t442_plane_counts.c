/* tests/solvers/t442_plane_counts.c - iterations of CG with multigrid by planes on structured bodies
 *
 * t442_plane_counts cpu|cuda: small bodies; t442_plane_counts long cpu|cuda: the others
 *
 * The counts are those of an independent implementation in Python with the same rules (coarsest level of at
 * most 1500 unknowns); they may differ by 2, above 20 by a tenth.  That one interpolates by the numbers of
 * planes, not by their positions: where positions matter (cells graded 1:1e4, slender bodies of odd sizes)
 * the counts are those measured here; by numbers they are 32 and 26 to 33.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/solvers/lattice_fem.h"

static const bf_multigrid_options PLANES = {
    .coarsening = BF_COARSENING_PLANES, .cycle = BF_CYCLE_V, .degree = 2, .coarsest = 1500, .theta = 0.02};

/* levels: unknowns of the levels after the first, ended by 0 */
static void expect(const t_body *b, const bf_multigrid_options *mg, int iterations, const bf_int *levels)
{
  bf_solve_report rep     = {.iterations = 0};
  const int       slack   = iterations > 20 ? (iterations + 9) / 10 : 2;
  const int       counted = t_body_iterations(b, mg, &rep);
  if (rep.multigrid.failure[0]) fail_msg("%s", rep.multigrid.failure);
  if (rep.reason != BF_KRYLOV_CONVERGED) fail_msg("%s", rep.text);
  printf("%d iterations (%d), levels", counted, iterations);
  for (int l = 0; l < rep.multigrid.nlevels; l++) printf(" %d", (int)rep.multigrid.n[l]);
  printf(", complexity %.2f, %.3f s, %.3f of them for the set-up\n", rep.multigrid.complexity, rep.seconds,
         rep.multigrid.seconds);
  if (counted > iterations + slack) fail_msg("%d iterations instead of %d", counted, iterations);
  int l = 1;
  for (; levels[l - 1]; l++) assert_int_equal(rep.multigrid.n[l], levels[l - 1]);
  assert_int_equal(rep.multigrid.nlevels, l);
  bf_solve_report_clear(&rep);
}
#define LEVELS(...)                                                                                          \
  (const bf_int[])                                                                                           \
  {                                                                                                          \
    __VA_ARGS__, 0                                                                                           \
  }

/* ---- maps and coefficients ---- */

static void curve(const t_body *b, double x[3])
{
  const double pi   = 3.14159265358979323846,
               u[3] = {x[0] / b->cells[0], x[1] / b->cells[1], x[2] / b->cells[2]};
  const double r    = 1.0 + u[1] + 0.075 * sin(2.0 * pi * u[0]);
  x[0]              = r * cos(0.5 * pi * u[0]);
  x[1]              = r * sin(0.5 * pi * u[0]);
  x[2]              = u[2] * (1.0 + 0.25 * sin(pi * u[0])) + 0.125 * sin(pi * u[1]);
}

static void scale(const t_body *b, double x[3])
{
  for (int a = 0; a < 3; a++) x[a] *= b->grade[a];
}

/* Cells in a geometric sequence, the last grade times the first; the same length as before */
static void grade(const t_body *b, double x[3])
{
  for (int a = 0; a < 3; a++) {
    const int n = (int)b->cells[a];
    if (b->grade[a] == 1.0) continue;
    const double q = pow(b->grade[a], 1.0 / (n - 1));
    x[a]           = n * (pow(q, x[a]) - 1.0) / (pow(q, n) - 1.0);
  }
}

/* Bricks of so many cells, 10^(0..6) at random */
static double bricks(const t_body *b, const bf_int cell[3], int size)
{
  bf_int at = 0;
  for (int a = 0; a < 3; a++) at = at * ((b->cells[a] + size - 1) / size) + cell[a] / size;
  const uint64_t hash = bf_mix64((uint64_t)at + ((uint64_t)3 << 40));
  return pow(10.0, 6.0 * ((double)(hash >> 11) * 0x1p-53));
}
static double bricks_of_5(const t_body *b, const bf_int cell[3])
{
  return bricks(b, cell, 5);
}
static double bricks_of_4(const t_body *b, const bf_int cell[3])
{
  return bricks(b, cell, 4);
}
static double layers(const t_body *b, const bf_int cell[3])
{
  (void)b;
  return cell[1] / 4 % 2 ? 1e3 : 1.0;
}

static t_body heat(bf_int a, bf_int b, bf_int c)
{
  return (t_body){.dim = c ? 3 : 2, .D = 1, .cells = {a, b, c}, .grade = {1.0, 1.0, 1.0}};
}
static t_body elastic(bf_int a, bf_int b, bf_int c)
{
  return (t_body){.dim = 3, .D = 3, .cells = {a, b, c}, .nu = 0.3, .grade = {1.0, 1.0, 1.0}};
}

/* ---- small ---- */

static void heat_in_a_cube_takes_6_iterations(void **state)
{
  (void)state;
  const t_body b = heat(40, 40, 40);
  expect(&b, &PLANES, 6, LEVELS(9261, 1331));
}
static void heat_in_a_box_of_odd_sizes_takes_6_iterations(void **state)
{
  (void)state;
  const t_body b = heat(50, 37, 23);
  expect(&b, &PLANES, 6, LEVELS(5928, 780));
}
static void heat_in_the_plane_takes_6_iterations(void **state)
{
  (void)state;
  const t_body b = heat(256, 256, 0);
  expect(&b, &PLANES, 6, LEVELS(16641, 4225, 1089));
}
static void an_elastic_bar_takes_9_iterations(void **state)
{
  (void)state;
  const t_body b = elastic(32, 16, 16);
  expect(&b, &PLANES, 9, LEVELS(4131, 675));
}
static void heat_in_flat_cells_takes_13_iterations(void **state)
{
  (void)state;
  t_body b   = heat(40, 40, 40);
  b.map      = scale;
  b.grade[2] = 0.01;
  expect(&b, &PLANES, 13, LEVELS(35301, 18491, 10086, 5043, 3362, 1681, 441));
}

/* ---- long ---- */

static void heat_in_a_curved_box_takes_7_iterations(void **state)
{
  (void)state;
  t_body b = heat(40, 40, 40);
  b.map    = curve;
  expect(&b, &PLANES, 7, LEVELS(18081, 2541, 396));
}
static void heat_in_boundary_layers_takes_13_to_17_iterations(void **state)
{
  (void)state;
  t_body b   = heat(40, 40, 40);
  b.map      = grade;
  b.grade[2] = 100.0;
  expect(&b, &PLANES, 13, LEVELS(42025, 30258, 7056, 968));
  b.grade[2] = 1e4;
  expect(&b, &PLANES, 17, LEVELS(40344, 28577, 21853, 20172, 4851, 968));
  b.grade[0] = b.grade[1] = b.grade[2] = 100.0;
  expect(&b, &PLANES, 16, LEVELS(46656, 27000, 13824, 5202, 1452));
}
static void heat_in_bricks_takes_23_iterations(void **state)
{
  (void)state;
  t_body b      = heat(40, 40, 40);
  b.coefficient = bricks_of_5;
  expect(&b, &PLANES, 23, LEVELS(9261, 1331));
}
static void the_count_does_not_grow_with_the_mesh(void **state)
{
  (void)state;
  const t_body b = elastic(48, 24, 24);
  expect(&b, &PLANES, 9, LEVELS(12675, 1911, 336));
}
static void nearly_incompressible_bodies_take_41_iterations(void **state)
{
  (void)state;
  t_body               b  = elastic(32, 16, 16);
  bf_multigrid_options mg = PLANES;
  b.nu                    = 0.49;
  expect(&b, &mg, 41, LEVELS(4131, 675));
  mg.degree = 3;
  expect(&b, &mg, 29, LEVELS(4131, 675));
}
static void curved_bodies_take_18_iterations(void **state)
{
  (void)state;
  t_body b = elastic(33, 18, 15);
  b.map    = curve;
  expect(&b, &PLANES, 18, LEVELS(4080, 540));
}
static void elastic_bodies_of_flat_cells_take_13_iterations(void **state)
{
  (void)state;
  t_body b   = elastic(24, 24, 24);
  b.map      = scale;
  b.grade[2] = 0.1;
  expect(&b, &PLANES, 13, LEVELS(24375, 13125, 7500, 1014));
}
static void elastic_bricks_and_layers_take_18_and_11_iterations(void **state)
{
  (void)state;
  t_body b      = elastic(32, 16, 16);
  b.coefficient = bricks_of_4;
  expect(&b, &PLANES, 18, LEVELS(4131, 675));
  b.coefficient = layers;
  expect(&b, &PLANES, 11, LEVELS(4131, 675));
}

/* Planes, then sections; with boxes in place of sections the prototype takes 17 and 16. */
static void a_cantilever_of_5_planes_takes_10_iterations(void **state)
{
  (void)state;
  const t_body b = elastic(400, 4, 4);
  expect(&b, &PLANES, 10, LEVELS(5427, 1206));
}
static void a_cantilever_of_9_planes_takes_10_iterations(void **state)
{
  (void)state;
  const t_body b = elastic(800, 8, 8);
  expect(&b, &PLANES, 10, LEVELS(30075, 5427, 1206));
}
/* Sections, then boxes of them */
static void a_plate_takes_30_iterations(void **state)
{
  (void)state;
  t_body               b  = elastic(64, 64, 4);
  bf_multigrid_options mg = PLANES;
  mg.coarsest             = 1000;
  b.map                   = scale;
  b.grade[0] = b.grade[1] = 6.25;
  expect(&b, &mg, 30, LEVELS(25350, 2904, 384));
}

/* 13 and 15 cells have a gap of three planes. */
static void slender_bodies_of_odd_sizes_take_11_to_17_iterations(void **state)
{
  (void)state;
  t_body b   = elastic(240, 13, 13);
  b.map      = scale;
  b.grade[0] = 20.0 / 240.0;
  b.grade[1] = b.grade[2] = 1.0 / 13.0;
  expect(&b, &PLANES, 11, LEVELS(17787, 2928, 372));
  b          = elastic(200, 15, 9);
  b.map      = grade;
  b.grade[1] = b.grade[2] = 4.0;
  expect(&b, &PLANES, 17, LEVELS(50400, 7200, 1200));
}

static void thin_shells_take_20_to_80_iterations(void **state)
{
  (void)state;
  static const struct {
    double thickness;
    int    iterations;
  } shell[]               = {{1.0, 20}, {0.5, 33}, {0.1, 80}}; /* of cells with unit sides */
  bf_multigrid_options mg = PLANES;
  mg.coarsest             = 1000;
  for (int k = 0; k < 3; k++) {
    t_body b   = elastic(60, 60, 1);
    b.map      = scale;
    b.grade[2] = shell[k].thickness;
    expect(&b, &mg, shell[k].iterations, LEVELS(22326, 2646, 294));
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest small[] = {
      cmocka_unit_test(heat_in_a_cube_takes_6_iterations),
      cmocka_unit_test(heat_in_a_box_of_odd_sizes_takes_6_iterations),
      cmocka_unit_test(heat_in_the_plane_takes_6_iterations),
      cmocka_unit_test(an_elastic_bar_takes_9_iterations),
      cmocka_unit_test(a_cantilever_of_5_planes_takes_10_iterations),
  };
  const struct CMUnitTest large[] = {
      cmocka_unit_test(heat_in_flat_cells_takes_13_iterations),
      cmocka_unit_test(heat_in_a_curved_box_takes_7_iterations),
      cmocka_unit_test(heat_in_boundary_layers_takes_13_to_17_iterations),
      cmocka_unit_test(heat_in_bricks_takes_23_iterations),
      cmocka_unit_test(the_count_does_not_grow_with_the_mesh),
      cmocka_unit_test(nearly_incompressible_bodies_take_41_iterations),
      cmocka_unit_test(curved_bodies_take_18_iterations),
      cmocka_unit_test(elastic_bodies_of_flat_cells_take_13_iterations),
      cmocka_unit_test(elastic_bricks_and_layers_take_18_and_11_iterations),
      cmocka_unit_test(a_cantilever_of_9_planes_takes_10_iterations),
      cmocka_unit_test(a_plate_takes_30_iterations),
      cmocka_unit_test(thin_shells_take_20_to_80_iterations),
      cmocka_unit_test(slender_bodies_of_odd_sizes_take_11_to_17_iterations),
  };
  const int is_long = argc > 1 && strcmp(argv[1], "long") == 0;
  const int code    = t_backend_open(argc - is_long, argv + is_long);
  if (code) return code;
  return t_backend_close(is_long ? T_RUN(large) : T_RUN(small));
}
