/* tests/assembly/t290_bloch.c - waves of one medium are those of the medium, whatever cell it is cut into;
 * and what does not go with periodic sides is refused */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/assemble/mass.h"
#include "assembly/model/bloch.h"
#include "solvers/dispersion.h"
#include "solvers/unit_cell.h"
#include "tests/assembly/model_case.h"

static const bf_name pairs[] = {{.name = "x_min", .where = {"deck.yaml", 12, 5}},  {.name = "x_max"},
                                {.name = "y_min", .where = {"deck.yaml", 12, 9}},  {.name = "y_max"},
                                {.name = "z_min", .where = {"deck.yaml", 12, 13}}, {.name = "z_max"}};

/* The case made periodic in all directions; sheared by `shear` along y. */
static void periodic_case(t_case *c, bf_physics physics, bf_elem_type type, bf_int cells, double shear)
{
  t_case_create(c, physics, type, cells);
  const int dim       = c->mesh->dim;
  c->p.analysis       = BF_DISPERSION;
  c->p.analysis_where = (bf_where){"deck.yaml", 2, 3};
  c->p.space          = dim == 2 && physics == BF_ELASTICITY ? BF_SPACE_PLANE_STRAIN : BF_SPACE_AUTO;
  c->p.nlattice       = dim;
  c->p.lattice[0][0]  = 2.0;
  c->p.lattice[1][0]  = shear;
  c->p.lattice[1][1]  = 1.0;
  c->p.lattice[2][2]  = 1.0;
  c->boundary[0]      = (bf_boundary){.type      = BF_BC_BLOCH,
                                      .where     = {"deck.yaml", 11, 5},
                                      .ngroups   = 2 * dim,
                                      .group     = pairs,
                                      .tolerance = 1e-6};
  c->p.nboundaries    = 1;
  for (bf_int v = 0; v < c->mesh->nnodes; v++)
    c->mesh->x[3 * (size_t)v] += shear * c->mesh->x[3 * (size_t)v + 1];
}

/* The lowest `bands` frequencies (rad/s) at kappa, from the case's K and M. */
static void frequencies(t_case *c, const double kappa[3], int bands, double *omega)
{
  bf_backend   *be  = NULL;
  bf_model     *m   = NULL;
  bf_numbering *num = NULL;
  bf_graph     *g   = NULL;
  bf_matrix    *A = NULL, *B = NULL;
  bf_sparse    *K = NULL, *M = NULL;
  bf_cell      *cell  = NULL;
  bf_waves     *w     = NULL;
  bf_cell_rows  rows  = {0};
  bf_diags      diags = {0};
  double       *b = NULL, *x = NULL;
  T_OK(bf_backend_create("cpu", NULL, &be));
  T_OK(bf_model_create(c->mesh, t_problem(c), &diags, &m));
  T_OK(bf_numbering_create(c->mesh, BF_ORDER_FILE, &num));
  T_OK(bf_model_pattern(m, num, &g));
  T_OK(bf_matrix_create_csr(be, g, bf_model_ncomp(m), BF_FP64, &A));
  T_OK(bf_matrix_create_csr(be, g, bf_model_ncomp(m), BF_FP64, &B));
  T_OK(bf_vector_create(be, A->nrows, A->guard, &b));
  T_OK(bf_vector_create(be, A->nrows, A->guard, &x));
  T_OK(bf_model_assemble(m, num, A, b, x, NULL));
  T_OK(bf_model_mass(m, num, BF_MASS_CONSISTENT, 0, B, NULL));
  T_OK(bf_matrix_to_sparse(A, &K));
  T_OK(bf_matrix_to_sparse(B, &M));
  T_OK(bf_model_bloch_rows(m, num, &rows));
  T_OK(bf_cell_create_direct(K, M, &rows, &cell));
  T_LE(bf_shifted_defect(cell->K), 1e-14);
  T_OK(bf_waves_solve(be, cell->K, cell->M, 1, kappa, bands, 0, &w));
  for (int j = 0; j < bands; j++) {
    T_LE(w->residual[j], 1e-14);
    omega[j] = sqrt(fmax(w->lambda[j], 0.0));
  }
  bf_waves_destroy(&w);
  bf_cell_destroy(&cell);
  bf_cell_rows_clear(&rows);
  bf_sparse_destroy(&K);
  bf_sparse_destroy(&M);
  bf_vector_destroy(be, A->guard, &b);
  bf_vector_destroy(be, A->guard, &x);
  bf_matrix_destroy(&A);
  bf_matrix_destroy(&B);
  bf_graph_destroy(&g);
  bf_numbering_destroy(&num);
  bf_model_destroy(&m);
  bf_backend_destroy(&be);
  bf_diags_clear(&diags);
}

/* |k| for k = sum kappa_i b_i of the case's lattice. */
static double length_of(const t_case *c, const double kappa[3])
{
  bf_lattice L = {.n = c->p.nlattice};
  double     b[3][3], k[3] = {0.0, 0.0, 0.0};
  memcpy(L.a, c->p.lattice, sizeof L.a);
  T_OK(bf_lattice_reciprocal(&L, b));
  for (int i = 0; i < L.n; i++)
    for (int d = 0; d < 3; d++) k[d] += kappa[i] * b[i][d];
  return sqrt(k[0] * k[0] + k[1] * k[1] + k[2] * k[2]);
}

/* omega = c |k|: transverse, longitudinal in the plane; straight and oblique cells. */
static void long_waves_travel_at_the_speeds_of_the_medium(void **state)
{
  (void)state;
  static const bf_elem_type type[]   = {BF_QUAD8, BF_TRI6, BF_QUAD9, BF_HEX20, BF_TET10};
  const double              kappa[3] = {0.11, -0.07, 0.05};
  for (int t = 0; t < 5; t++)
    for (int oblique = 0; oblique < 2; oblique++) {
      t_case c;
      double omega[4];
      periodic_case(&c, BF_ELASTICITY, type[t], bf_elem(type[t])->dim == 3 ? 2 : 4, 0.5 * oblique);
      const int    dim = c.mesh->dim;
      const double mu = 210.0 / 2.6, M = 210.0 * 0.7 / (1.3 * 0.4), k = length_of(&c, kappa);
      frequencies(&c, kappa, dim, omega);
      T_NEAR(omega[0] / (k * sqrt(mu / 7.5)), 1.0, 1e-3);
      T_NEAR(omega[1] / (k * sqrt((dim == 3 ? mu : M) / 7.5)), 1.0, 1e-3);
      if (dim == 3) T_NEAR(omega[2] / (k * sqrt(M / 7.5)), 1.0, 1e-3);
      t_case_clear(&c);
    }
}

static void a_scalar_wave_has_the_speed_of_its_two_numbers(void **state)
{
  (void)state;
  static const bf_elem_type type[]   = {BF_TRI6, BF_QUAD8, BF_TET10, BF_HEX20};
  const double              kappa[3] = {0.2, 0.1, -0.05};
  for (int t = 0; t < 4; t++) {
    t_case c;
    double omega[1];
    periodic_case(&c, BF_HEAT, type[t], bf_elem(type[t])->dim == 3 ? 2 : 4, 0.3);
    frequencies(&c, kappa, 1, omega);
    T_NEAR(omega[0] / (length_of(&c, kappa) * sqrt(3.0 / 7.5)), 1.0, 1e-3);
    t_case_clear(&c);
  }
}

static void expect(t_case *c, int code, int64_t line, const char *text)
{
  bf_model *m     = NULL;
  bf_diags  diags = {0};
  T_ERR(BF_E_MODEL, bf_model_create(c->mesh, t_problem(c), &diags, &m));
  assert_int_equal(diags.item[0].code, code);
  assert_int_equal(diags.item[0].line, line);
  T_CONTAINS(diags.item[0].text, text);
  bf_diags_clear(&diags);
  t_case_clear(c);
}

static void what_does_not_go_with_periodic_sides_is_refused(void **state)
{
  (void)state;
  t_case c;
  periodic_case(&c, BF_ELASTICITY, BF_QUAD4, 2, 0.0);
  c.p.analysis = BF_MODAL;
  expect(&c, 306, 11, "belongs to analysis dispersion");
  periodic_case(&c, BF_ELASTICITY, BF_QUAD4, 2, 0.0);
  c.p.nboundaries = 0;
  expect(&c, 306, 2, "needs a boundary of type bloch");
  periodic_case(&c, BF_ELASTICITY, BF_QUAD4, 2, 0.0);
  c.boundary[1]   = c.boundary[0];
  c.p.nboundaries = 2;
  expect(&c, 306, 11, "one condition of type bloch");
  periodic_case(&c, BF_ELASTICITY, BF_QUAD4, 2, 0.0);
  c.boundary[1] =
      (bf_boundary){.type = BF_BC_FIXED, .where = {"deck.yaml", 14, 5}, .ngroups = 1, .group = t_x_min};
  c.p.nboundaries = 2;
  expect(&c, 306, 14, "prescribes node 1 (0, 0, 0) of a periodic side");
  periodic_case(&c, BF_ELASTICITY, BF_QUAD4, 2, 0.0);
  c.boundary[1] =
      (bf_boundary){.type = BF_BC_FIXED, .where = {"deck.yaml", 14, 5}, .ngroups = 4, .group = t_sides};
  c.p.nboundaries = 2;
  expect(&c, 306, 11, "all periodic nodes");
  periodic_case(&c, BF_ELASTICITY, BF_QUAD4, 2, 0.0);
  c.p.lattice[1][1] = 0.0;
  c.p.lattice_where = (bf_where){"deck.yaml", 6, 3};
  expect(&c, 211, 6, "depends linearly");
}

/* A plate held at its faces, waves along it: scalar, omega^2 = c^2 (k^2 + (pi/h)^2). */
static void sides_that_are_held_alike_guide_waves(void **state)
{
  (void)state;
  static const bf_name faces[]  = {{.name = "y_min"}, {.name = "y_max"}};
  const double         kappa[3] = {0.2, 0.0, 0.0}, PI = acos(-1.0);
  t_case               c;
  double               omega[1];
  periodic_case(&c, BF_HEAT, BF_QUAD8, 6, 0.0);
  c.p.nlattice          = 1;
  c.boundary[0].ngroups = 2;
  c.boundary[1] =
      (bf_boundary){.type = BF_BC_TEMPERATURE, .ngroups = 2, .group = faces, .value = {t_number(0.0)}};
  c.p.nboundaries = 2;
  frequencies(&c, kappa, 1, omega);
  T_NEAR(omega[0] / sqrt(3.0 / 7.5 * (0.04 * PI * PI + PI * PI)), 1.0, 1e-4);
  t_case_clear(&c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(long_waves_travel_at_the_speeds_of_the_medium),
      cmocka_unit_test(a_scalar_wave_has_the_speed_of_its_two_numbers),
      cmocka_unit_test(what_does_not_go_with_periodic_sides_is_refused),
      cmocka_unit_test(sides_that_are_held_alike_guide_waves),
  };
  return T_RUN(tests);
}
