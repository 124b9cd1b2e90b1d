/* tests/solvers/eigen/t421_cell.c - a unit cell reduced to its sides and interior modes has the waves of the
 * whole cell, to its own estimate
 *
 * The cell: a grid of masses m(x,y) and springs between neighbours, NX x NY in a period; the rows at its
 * right and upper edge are those at the left and lower one, a period on.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/dispersion.h"
#include "solvers/unit_cell.h"
#include "tests/no_memory.h"
#include "tests/test.h"
#include <math.h>

enum { NX = 9, NY = 7, ROWS = (NX + 1) * (NY + 1), NK = 5, BANDS = 4 };
static const double KAPPA[NK][3] = {
    {0.0}, {0.5, 0.0, 0.0}, {0.5, 0.5, 0.0}, {0.2, 0.1, 0.0}, {0.37, -0.21, 0.0}};

typedef struct grid {
  bf_backend  *be;
  bf_sparse   *K, *M;
  bf_cell_rows rows;
} grid;

static bf_int row_of(int i, int j)
{
  return j * (NX + 1) + i;
}

static void put(bf_int *r, bf_int *c, double *v, int64_t *n, bf_int i, bf_int j, double x)
{
  r[*n]     = i;
  c[*n]     = j;
  v[(*n)++] = x;
}

static void spring(bf_int *r, bf_int *c, double *v, int64_t *n, bf_int a, bf_int b, double s)
{
  put(r, c, v, n, a, a, s);
  put(r, c, v, n, b, b, s);
  put(r, c, v, n, a, b, -s);
  put(r, c, v, n, b, a, -s);
}

/* A soft body with a heavy, stiff middle; springs along the edges count half on each side. */
static void grid_create(grid *g)
{
  static bf_int r[16 * ROWS], c[16 * ROWS], rm[4 * ROWS], cm[4 * ROWS];
  static double v[16 * ROWS], vm[4 * ROWS];
  int64_t       n = 0, m = 0;
  T_OK(bf_backend_create("cpu", NULL, &g->be));
  g->rows = (bf_cell_rows){.nrows = ROWS};
  T_OK(BF_NEW_ARRAY(g->rows.unknown, ROWS));
  T_OK(BF_NEW_ARRAY(g->rows.shift, 3 * ROWS));
  T_OK(BF_NEW_ARRAY(g->rows.paired, ROWS));
  for (int j = 0; j <= NY; j++)
    for (int i = 0; i <= NX; i++) {
      const int    stiff = i > 2 && i < 6 && j > 1 && j < 5;
      const bf_int a     = row_of(i, j);
      const double s = stiff ? 20.0 : 1.0, share = (i % NX ? 1.0 : 0.5) * (j % NY ? 1.0 : 0.5);
      if (i < NX) spring(r, c, v, &n, a, row_of(i + 1, j), s * (j % NY ? 1.0 : 0.5));
      if (j < NY) spring(r, c, v, &n, a, row_of(i, j + 1), s * (i % NX ? 1.0 : 0.5));
      put(rm, cm, vm, &m, a, a, share * (stiff ? 8.0 : 1.0));
      g->rows.unknown[a]       = row_of(i % NX, j % NY) - j % NY; /* NX a line */
      g->rows.shift[3 * a]     = i == NX;
      g->rows.shift[3 * a + 1] = j == NY;
      g->rows.paired[a]        = i % NX == 0 || j % NY == 0;
    }
  g->rows.n = NX * NY;
  T_OK(bf_sparse_from_triplets(ROWS, ROWS, n, r, c, v, &g->K));
  T_OK(bf_sparse_from_triplets(ROWS, ROWS, m, rm, cm, vm, &g->M));
}

static void grid_destroy(grid *g)
{
  bf_sparse_destroy(&g->K);
  bf_sparse_destroy(&g->M);
  bf_cell_rows_clear(&g->rows);
  bf_backend_destroy(&g->be);
}

/* With all modes of the interior the reduction is a change of basis. */
static void with_every_interior_mode_nothing_is_lost(void **state)
{
  (void)state;
  grid      g;
  bf_cell  *whole = NULL, *less = NULL;
  bf_waves *w = NULL, *v = NULL;
  grid_create(&g);
  T_OK(bf_cell_create_direct(g.K, g.M, &g.rows, &whole));
  T_OK(bf_cell_create_modes(g.be, g.K, g.M, &g.rows, 10000, &less));
  assert_int_equal(whole->n, NX * NY);
  assert_int_equal(less->n, NX * NY);
  assert_int_equal(less->nmodes, (NX - 1) * (NY - 1));
  T_OK(bf_waves_solve(g.be, whole->K, whole->M, NK, KAPPA[0], BANDS, 0, &w));
  T_OK(bf_waves_solve(g.be, less->K, less->M, NK, KAPPA[0], BANDS, 0, &v));
  for (int i = 0; i < NK * BANDS; i++) T_NEAR(v->lambda[i], w->lambda[i], 1e-11);
  T_LE(bf_shifted_defect(less->K), 1e-14);
  T_LE(bf_shifted_defect(less->M), 1e-14);
  bf_waves_destroy(&w);
  bf_waves_destroy(&v);
  bf_cell_destroy(&whole);
  bf_cell_destroy(&less);
  grid_destroy(&g);
}

static void
few_modes_err_from_above_and_what_is_left_after_the_correction_is_within_its_estimate(void **state)
{
  (void)state;
  grid      g;
  bf_cell  *whole = NULL, *less = NULL;
  bf_waves *w = NULL, *v = NULL, *c = NULL;
  double    plain = 0.0, better = 0.0;
  grid_create(&g);
  T_OK(bf_cell_create_direct(g.K, g.M, &g.rows, &whole));
  T_OK(bf_cell_create_modes(g.be, g.K, g.M, &g.rows, 6, &less));
  T_OK(bf_waves_solve(g.be, whole->K, whole->M, NK, KAPPA[0], BANDS, 0, &w));
  T_OK(bf_waves_solve(g.be, less->K, less->M, NK, KAPPA[0], BANDS + 4, 0, &v));
  T_OK(bf_waves_refine(g.be, v, less->T, less->S, KAPPA[0], BANDS, &c));
  for (int i = 0; i < NK * BANDS; i++) {
    const double exact = w->lambda[i], reduced = v->lambda[i / BANDS * (BANDS + 4) + i % BANDS];
    const double left = 0.5 * (c->lambda[i] - exact) / exact;
    T_LE(exact, reduced + 1e-12);
    T_LE(exact, c->lambda[i] + 1e-12);
    if (exact < 1e-10) continue;
    plain  = fmax(plain, 0.5 * (reduced - exact) / exact);
    better = fmax(better, left);
    T_LE(left, bf_cell_error(less, reduced, c->lambda[i]) + 1e-12);
  }
  T_LE(1e-2, plain); /* there is something to correct */
  T_LE(better, 0.2 * plain);
  bf_waves_destroy(&w);
  bf_waves_destroy(&v);
  bf_waves_destroy(&c);
  bf_cell_destroy(&whole);
  bf_cell_destroy(&less);
  grid_destroy(&g);
}

/* K u - lambda M u is 0 on the rows of the interior, and summed with its phases over the rows of a side. */
static void a_lifted_mode_solves_the_equations_of_the_whole_cell(void **state)
{
  (void)state;
  grid      g;
  bf_waves *w = NULL;
  double    u[2 * ROWS], sum[2 * NX * NY];
  grid_create(&g);
  for (int method = 0; method < 2; method++) {
    bf_cell *c = NULL;
    if (method == 0)
      T_OK(bf_cell_create_direct(g.K, g.M, &g.rows, &c));
    else
      T_OK(bf_cell_create_modes(g.be, g.K, g.M, &g.rows, 10000, &c));
    T_OK(bf_waves_solve(g.be, c->K, c->M, NK, KAPPA[0], BANDS, 0, &w));
    for (int k = 0; k < NK; k++) {
      const double lambda = w->lambda[k * BANDS + 2];
      bf_cell_lift(c, KAPPA[k], w->mode + (int64_t)(k * BANDS + 2) * 2 * w->n, u);
      memset(sum, 0, sizeof sum);
      for (bf_int i = 0; i < ROWS; i++) {
        double r[2] = {0.0, 0.0}, p[2];
        for (int64_t e = g.K->ptr[i]; e < g.K->ptr[i + 1]; e++)
          for (int d = 0; d < 2; d++)
            r[d] += (g.K->val[e] - lambda * bf_sparse_value(g.M, i, g.K->col[e])) * u[2 * g.K->col[e] + d];
        bf_shifted_phase(g.rows.shift + 3 * i, KAPPA[k], p);
        sum[2 * g.rows.unknown[i]] += p[0] * r[0] + p[1] * r[1];
        sum[2 * g.rows.unknown[i] + 1] += p[0] * r[1] - p[1] * r[0];
      }
      for (int i = 0; i < 2 * NX * NY; i++) T_NEAR(sum[i], 0.0, 1e-12);
    }
    bf_waves_destroy(&w);
    bf_cell_destroy(&c);
  }
  grid_destroy(&g);
}

static void held_rows_are_left_out(void **state)
{
  (void)state;
  grid     g;
  bf_cell *c = NULL;
  grid_create(&g);
  g.rows.unknown[row_of(4, 3)] = -1; /* its number is not used: the last one takes it */
  for (int i = 0; i < ROWS; i++)
    if (g.rows.unknown[i] == NX * NY - 1) g.rows.unknown[i] = 3 * NX + 4;
  g.rows.n--;
  T_OK(bf_cell_create_modes(g.be, g.K, g.M, &g.rows, 10000, &c));
  assert_int_equal(c->n, NX * NY - 1);
  double u[2 * ROWS], x[2 * NX * NY];
  for (int i = 0; i < 2 * NX * NY; i++) x[i] = 1.0;
  bf_cell_lift(c, KAPPA[3], x, u);
  assert_true(u[2 * row_of(4, 3)] == 0.0 && u[2 * row_of(4, 3) + 1] == 0.0);
  bf_cell_destroy(&c);
  grid_destroy(&g);
}

static void nothing_leaks_where_memory_ends(void **state)
{
  (void)state;
  grid g;
  grid_create(&g);
  t_no_memory t = {0};
  while (t_no_memory_next(&t)) {
    bf_cell *c = NULL;
    t_no_memory_begin(&t);
    t_no_memory_end(&t, bf_cell_create_modes(g.be, g.K, g.M, &g.rows, 6, &c));
    bf_cell_destroy(&c);
  }
  assert_in_range(t.failed, 10, 1998);
  grid_destroy(&g);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(with_every_interior_mode_nothing_is_lost),
      cmocka_unit_test(few_modes_err_from_above_and_what_is_left_after_the_correction_is_within_its_estimate),
      cmocka_unit_test(a_lifted_mode_solves_the_equations_of_the_whole_cell),
      cmocka_unit_test(held_rows_are_left_out),
      cmocka_unit_test(nothing_leaks_where_memory_ends),
  };
  return T_RUN(tests);
}
