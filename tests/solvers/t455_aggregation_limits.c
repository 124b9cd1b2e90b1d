/* tests/solvers/t455_aggregation_limits.c - smoothed aggregation of matrices that are no meshes, or barely
 * usage: t455_aggregation_limits <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/solvers/body_case.h"
#include "tests/solvers/solver_case.h"

/* Solves S x = noise with aggregates down to `coarsest` unknowns. */
static t_solution solve(const bf_sparse *S, int ncomp, bf_int coarsest, const double *x)
{
  bf_matrix *A = NULL;
  t_solution s = {.x = NULL};
  double    *b = calloc((size_t)S->nrows, sizeof *b);
  T_OK(bf_matrix_from_sparse(t_be, S, &(bf_matrix_form){.format = BF_FORMAT_CSR, .ncomp = ncomp}, &A));
  for (bf_int i = 0; i < S->nrows; i++) b[i] = bf_hash_noise(i, 0, 1);
  const bf_multigrid_body body = {.x = x, .rigid = x != NULL};
  bf_solve_options        opt  = t_options(BF_METHOD_CG, BF_PRECOND_MULTIGRID, 1e-8);
  opt.body                     = &body;
  opt.multigrid =
      (bf_multigrid_options){.coarsening = BF_COARSENING_AGGREGATES, .coarsest = coarsest, .theta = 0.02};
  T_OK(t_solve(A, NULL, b, NULL, &opt, &s));
  bf_matrix_destroy(&A);
  free(b);
  return s;
}

static void converged(const t_solution *s, int most)
{
  if (s->rep.multigrid.failure[0]) fail_msg("%s", s->rep.multigrid.failure);
  assert_true(s->rep.multigrid.nlevels > 1);
  T_LE(s->rep.true_residual, 1e-8);
  T_LE((double)s->rep.iterations, (double)most);
}

/* One node is coupled with all others, which form rings. */
static double star(bf_int n, bf_int i, bf_int j)
{
  const bf_int lo = i < j ? i : j, hi = i < j ? j : i;
  if (i == j) return i == 0 ? 1.0 + 0.5 * n : 3.0;
  if (lo == 0) return -0.5;
  return hi == lo + 1 ? -1.0 : 0.0;
}

static void a_node_that_is_coupled_with_all_others(void **state)
{
  (void)state;
  bf_sparse *S = t_sparse(1500, star);
  t_solution s = solve(S, 1, 100, NULL);
  converged(&s, 40);
  t_solution_clear(&s);
  bf_sparse_destroy(&S);
}

/* Chains of 1 to 9 nodes, some of them alone. */
static double pieces(bf_int n, bf_int i, bf_int j)
{
  const bf_int lo = i < j ? i : j;
  (void)n;
  if (i == j) return 2.01;
  return abs(i - j) == 1 && lo % 10 < (lo / 10) % 10 ? -1.0 : 0.0;
}

static void a_matrix_of_many_parts(void **state)
{
  (void)state;
  bf_sparse *S = t_sparse(1200, pieces);
  t_solution s = solve(S, 1, 60, NULL);
  converged(&s, 40);
  t_solution_clear(&s);
  bf_sparse_destroy(&S);
}

/* Two components of different size that are not coupled; nodes of one fixed component. */
static double pairs(bf_int n, bf_int i, bf_int j)
{
  const double size = i % 2 ? 1e6 : 1.0;
  if (i % 2 != j % 2 || (i != j && (i % 14 == 0 || j % 14 == 0))) return 0.0;
  return size * t_laplace(n / 2, i / 2, j / 2);
}

static void components_of_different_size(void **state)
{
  (void)state;
  bf_sparse *S = t_sparse(1200, pairs);
  t_solution s = solve(S, 2, 60, NULL);
  converged(&s, 40);
  t_solution_clear(&s);
  bf_sparse_destroy(&S);
}

static double stiff_cells(int i, int j, int k)
{
  return (i / 3 + j / 3 + k / 3) % 2 ? 1e12 : 1.0;
}

static void coefficients_that_differ_by_1e12(void **state)
{
  (void)state;
  t_body     B = t_body_new(&(t_body_form){.cells = {12, 12, 12}, .D = 1, .coefficient = stiff_cells});
  t_solution s = solve(B.A, 1, 100, NULL);
  if (s.rep.multigrid.failure[0]) fail_msg("%s", s.rep.multigrid.failure);
  T_LE((double)s.rep.iterations, 100.0);
  assert_true(isfinite(s.rep.true_residual));
  t_solution_clear(&s);
  t_body_free(&B);
}

static void a_material_that_is_nearly_incompressible(void **state)
{
  (void)state;
  t_body     B = t_body_new(&(t_body_form){.cells = {10, 5, 5}, .D = 3, .nu = 0.499, .tets = 1});
  t_solution s = solve(B.A, 3, 150, B.x);
  converged(&s, 200);
  t_solution_clear(&s);
  t_body_free(&B);
}

/* All nodes on one line: two rotations of each aggregate are there, the third is not. */
static void nodes_on_a_line(void **state)
{
  (void)state;
  t_body B = t_body_new(&(t_body_form){.cells = {150, 1, 1}, .D = 3, .nu = 0.3});
  for (bf_int i = 0; i < B.n; i++) B.x[3 * i + 1] = B.x[3 * i + 2] = 0.0; /* so the modes say */
  t_solution s = solve(B.A, 3, 100, B.x);
  if (s.rep.multigrid.failure[0]) fail_msg("%s", s.rep.multigrid.failure);
  T_LE(s.rep.true_residual, 1e-8);
  t_solution_clear(&s);
  t_body_free(&B);
}

static void a_value_that_is_not_a_number_ends_in_jacobi(void **state)
{
  (void)state;
  t_body B               = t_body_new(&(t_body_form){.cells = {8, 8, 8}, .D = 1});
  B.A->val[B.A->nnz / 2] = (double)NAN;
  t_solution s           = solve(B.A, 1, 50, NULL);
  assert_true(s.rep.multigrid.failure[0] != 0);
  t_solution_clear(&s);
  t_body_free(&B);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_node_that_is_coupled_with_all_others),
      cmocka_unit_test(a_matrix_of_many_parts),
      cmocka_unit_test(components_of_different_size),
      cmocka_unit_test(coefficients_that_differ_by_1e12),
      cmocka_unit_test(a_material_that_is_nearly_incompressible),
      cmocka_unit_test(nodes_on_a_line),
      cmocka_unit_test(a_value_that_is_not_a_number_ends_in_jacobi),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
