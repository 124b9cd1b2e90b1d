/* tests/solvers/t457_spectral_choice.c - coarsening auto takes spectral aggregates where the stiffness jumps,
 * and extreme coefficients
 * usage: t457_spectral_choice <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/solvers/body_case.h"
#include <string.h>

static double most = 1e4, cell = -1.0;

static double stiff_rods(int i, int j, int k)
{
  (void)i;
  if (cell >= 0.0 && i == 2 && j == 2 && k == 2) return NAN;
  return j % 4 < 2 && k % 4 < 2 ? most : 1.0;
}

static const t_body_form rods = {.cells = {12, 8, 8}, .D = 3, .nu = 0.3, .coefficient = stiff_rods};
static const t_body_form heat = {.cells = {12, 12, 12}, .D = 1, .coefficient = stiff_rods};

typedef struct outcome {
  bf_multigrid_report multigrid;
  int                 iterations;
  bf_krylov_status    reason;
  double              residual;
} outcome;

static outcome solved(const t_body_form *form, bf_format format, bf_coarsening coarsening, double contrast)
{
  t_body       B = t_body_new(form);
  t_elements   E = t_elements_of(form);
  bf_matrix   *A = NULL;
  double      *b = NULL, *x = NULL;
  const size_t bytes = (size_t)B.n * (size_t)B.D * sizeof *b;
  T_OK(bf_matrix_from_sparse(t_be, B.A, &(bf_matrix_form){.format = format, .ncomp = B.D}, &A));
  T_OK(bf_vector_create(t_be, A->nrows, A->guard, &b));
  T_OK(bf_vector_create(t_be, A->nrows, A->guard, &x));
  T_OK(t_be->ops.copy(t_be, b, B.b, bytes, BF_TO_DEVICE));
  const bf_multigrid_body body = {
      .x = B.x, .rigid = B.D > 1, .elements = t_give_elements, .context = &E, .contrast = contrast};
  const bf_solve_options opt = {.method         = BF_METHOD_CG,
                                .precond        = BF_PRECOND_MULTIGRID,
                                .rtol           = 1e-8,
                                .max_iterations = 300,
                                .monitor_every  = 1,
                                .multigrid      = {.coarsening = coarsening, .theta = 0.02, .coarsest = 200},
                                .body           = &body};
  bf_solve_report        rep;
  T_OK(bf_solve(A, NULL, b, x, &opt, &rep));
  const outcome o = {.multigrid  = rep.multigrid,
                     .iterations = rep.iterations,
                     .reason     = rep.reason,
                     .residual   = rep.true_residual};
  bf_solve_report_clear(&rep);
  bf_vector_destroy(t_be, A->guard, &b);
  bf_vector_destroy(t_be, A->guard, &x);
  bf_matrix_destroy(&A);
  t_elements_free(&E);
  t_body_free(&B);
  return o;
}

static int is_spectral(const outcome *o)
{
  return o->multigrid.nlevels > 1 && strcmp(o->multigrid.coarsening[0], "spectral aggregates") == 0;
}

static void jumps_of_an_elastic_lattice_are_spectral(void **state)
{
  (void)state;
  most            = 1e6;
  const outcome o = solved(&rods, BF_FORMAT_BDIA, BF_COARSENING_AUTO, 1e6);
  most            = 1e4;
  assert_true(is_spectral(&o));
  assert_non_null(strstr(o.multigrid.reason, "1e+06"));
  T_LE(o.iterations, 25);
}

static void jumps_of_an_elastic_mesh_are_spectral(void **state)
{
  (void)state;
  most            = 1e6;
  const outcome o = solved(&rods, BF_FORMAT_CSR, BF_COARSENING_AUTO, 1e6);
  most            = 1e4;
  assert_true(is_spectral(&o));
  T_LE(o.iterations, 25);
}

static void moderate_jumps_are_not(void **state)
{
  (void)state;
  const outcome o = solved(&rods, BF_FORMAT_BDIA, BF_COARSENING_AUTO, 1e4);
  assert_false(is_spectral(&o));
  T_LE(o.residual, 1e-8);
}

static void even_coefficients_are_not(void **state)
{
  (void)state;
  t_body_form even = rods;
  even.coefficient = NULL;
  const outcome o  = solved(&even, BF_FORMAT_BDIA, BF_COARSENING_AUTO, 1.0),
                p  = solved(&even, BF_FORMAT_CSR, BF_COARSENING_AUTO, 1.0);
  assert_false(is_spectral(&o) || is_spectral(&p));
  assert_int_equal(o.multigrid.reason[0], 0);
}

static void heat_keeps_its_couplings(void **state)
{
  (void)state;
  const outcome o = solved(&heat, BF_FORMAT_BDIA, BF_COARSENING_AUTO, 1e4);
  assert_false(is_spectral(&o));
  T_LE(o.residual, 1e-8);
}

static void a_contrast_of_1e12_converges(void **state)
{
  (void)state;
  most            = 1e12;
  const outcome o = solved(&rods, BF_FORMAT_BDIA, BF_COARSENING_SPECTRAL, 0.0),
                p = solved(&rods, BF_FORMAT_CSR, BF_COARSENING_SPECTRAL, 0.0),
                q = solved(&heat, BF_FORMAT_BDIA, BF_COARSENING_SPECTRAL, 0.0);
  most            = 1e4;
  assert_true(is_spectral(&o) && is_spectral(&p) && is_spectral(&q));
  T_LE(o.iterations, 30);
  T_LE(p.iterations, 30);
  T_LE(q.iterations, 30);
}

static void a_coefficient_that_is_no_number_is_reported(void **state)
{
  (void)state;
  cell            = 1.0;
  const outcome o = solved(&rods, BF_FORMAT_CSR, BF_COARSENING_SPECTRAL, 0.0);
  cell            = -1.0;
  assert_true(o.reason != BF_KRYLOV_CONVERGED);
  assert_true(o.multigrid.failure[0] != 0);
}

/* No other aggregate, no other unknown. */
static void one_element_is_solved(void **state)
{
  (void)state;
  const t_body_form one = {.cells = {1, 1, 1}, .D = 3, .nu = 0.3};
  const outcome     o   = solved(&one, BF_FORMAT_BDIA, BF_COARSENING_SPECTRAL, 0.0);
  T_LE(o.residual, 1e-8);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jumps_of_an_elastic_lattice_are_spectral),
      cmocka_unit_test(jumps_of_an_elastic_mesh_are_spectral),
      cmocka_unit_test(moderate_jumps_are_not),
      cmocka_unit_test(even_coefficients_are_not),
      cmocka_unit_test(heat_keeps_its_couplings),
      cmocka_unit_test(a_contrast_of_1e12_converges),
      cmocka_unit_test(a_coefficient_that_is_no_number_is_reported),
      cmocka_unit_test(one_element_is_solved),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
