/* tests/solvers/aggregation_case.h - iterations of CG with smoothed aggregation, beside those of an
 * independent program on the same matrices and right-hand sides */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_SOLVERS_AGGREGATION_CASE_H
#define BF_TESTS_SOLVERS_AGGREGATION_CASE_H
#include "tests/solvers/body_case.h"

/* Iterations to 1e-8; coarsest 0: of the usual size. */
static inline int t_iterations_by(const t_body_form *form, bf_format format, bf_coarsening coarsening,
                                  bf_cycle cycle, bf_int coarsest)
{
  t_body       B = t_body_new(form);
  bf_matrix   *A = NULL;
  double      *b = NULL, *x = NULL;
  const size_t bytes = (size_t)B.n * (size_t)B.D * sizeof *b;
  T_OK(bf_matrix_from_sparse(t_be, B.A, &(bf_matrix_form){.format = format, .ncomp = B.D}, &A));
  T_OK(bf_vector_create(t_be, A->nrows, A->guard, &b));
  T_OK(bf_vector_create(t_be, A->nrows, A->guard, &x));
  T_OK(t_be->ops.copy(t_be, b, B.b, bytes, BF_TO_DEVICE));
  t_elements E = {.ptr = NULL};
  if (coarsening == BF_COARSENING_SPECTRAL) E = t_elements_of(form);
  const bf_multigrid_body body = {
      .x = B.x, .rigid = B.D > 1, .elements = E.ptr ? t_give_elements : NULL, .context = &E};
  const bf_solve_options opt = {.method         = BF_METHOD_CG,
                                .precond        = BF_PRECOND_MULTIGRID,
                                .rtol           = 1e-8,
                                .max_iterations = 400,
                                .monitor_every  = 1,
                                .multigrid      = {.coarsening = coarsening,
                                                   .cycle      = cycle,
                                                   .degree     = 2,
                                                   .coarsest   = coarsest,
                                                   .theta      = 0.02},
                                .body           = &body};
  bf_solve_report        rep;
  T_OK(bf_solve(A, NULL, b, x, &opt, &rep));
  if (rep.multigrid.failure[0]) fail_msg("%s", rep.multigrid.failure);
  if (getenv("T_VERBOSE")) {
    fprintf(stderr, "n %d: %d iterations, complexity %.3f, set-up %.3f s of %.3f s, levels", (int)A->nrows,
            rep.iterations, rep.multigrid.complexity, rep.multigrid.seconds, rep.seconds);
    for (int l = 0; l < rep.multigrid.nlevels; l++) fprintf(stderr, " %d", (int)rep.multigrid.n[l]);
    fprintf(stderr, "; %s", rep.text);
    fprintf(stderr, "\n");
  }
  T_LE(rep.true_residual, 1e-8);
  const int its = rep.iterations;
  bf_solve_report_clear(&rep);
  bf_vector_destroy(t_be, A->guard, &b);
  bf_vector_destroy(t_be, A->guard, &x);
  bf_matrix_destroy(&A);
  t_elements_free(&E);
  t_body_free(&B);
  return its;
}

static inline int t_iterations(const t_body_form *form, bf_cycle cycle)
{
  return t_iterations_by(form, BF_FORMAT_CSR, BF_COARSENING_AGGREGATES, cycle, 1500);
}

/* At most two iterations more than there, or a tenth. */
#define T_COUNT(want, form, cycle)                                                                           \
  do {                                                                                                       \
    const int its_ = t_iterations((form), (cycle));                                                          \
    T_LE((double)its_, (want) > 20 ? 1.1 * (want) : (want) + 2.0);                                           \
  } while (0)
#endif
