/* solvers/solve.c - bf_solve: start residual, runs of an iteration, true residual
 *
 *     repeat:  r = b - A x;  stop if ||r|| <= tol;  run the iteration on (x, r) until its own r is
 *              small enough
 *
 * A run with the matrix itself aims at the tolerance; a run with rounded values (A_fast) aims at three
 * digits, because its recurrence does not see the rounding: iterative refinement (Higham, Accuracy and
 * Stability, ch. 12).
 */
#include "base/memory.h"
#include "base/timer.h"
#include "solvers/direct.h"
#include "solvers/precond.h"
#include <float.h>
#include <math.h>
#include <string.h>

static const double REFINE = 1e-3; /* reduction asked of a run with rounded values */
static const double GAIN   = 0.5;  /* a further run must reach at least this reduction of the true residual */
static const double AGREE  = 1.5;  /* true and recurrence residuals that differ less: the direction is kept */
static const double SAFETY =
    0.99; /* runs aim a little below the tolerance: true and recurrence residuals differ */

bf_err bf_run_true_residual(const bf_matrix *A, const double *b, const double *x, double *r, double *dot,
                            double *norm)
{
  bf_backend *be = A->be;
  double      rr;
  BF_TRY(bf_matrix_spmv(A, x, r, NULL, NULL));
  BF_TRY(BF_OP(be, axpby, A->nrows, 1.0, b, -1.0, r));
  BF_TRY(BF_OP(be, dot, A->nrows, r, r, dot));
  BF_TRY(be->ops.copy(be, &rr, dot, sizeof rr, BF_TO_HOST));
  *norm = sqrt(rr);
  return BF_OK;
}

static bf_err run_method(bf_run *run, double stop, int limit)
{
  switch (run->opt->method) {
  case BF_METHOD_CG: return bf_cg_run(run, stop, limit);
  case BF_METHOD_BICG: return bf_bicg_run(run, stop, limit);
  default: return bf_bicgstab_run(run, stop, limit);
  }
}

/* Work vectors beside r and the preconditioner. */
static int work_vectors(const bf_matrix *A, const bf_solve_options *opt)
{
  const int ahead = opt->precond != BF_PRECOND_BLOCK_JACOBI && bf_bicgstab_looks_ahead(A);
  if (opt->method == BF_METHOD_DIRECT) return 0;
  if (opt->method == BF_METHOD_CG) return 2;
  if (opt->method == BF_METHOD_BICG) return opt->precond == BF_PRECOND_BLOCK_JACOBI ? 6 : 5;
  return (opt->precond == BF_PRECOND_NONE ? 4 : 6) + ahead;
}

/* Runs until the true residual meets tol, the reason is final, or a run gained too little. */
static bf_err refine(const bf_matrix *A, const double *b, bf_run *run, double tol)
{
  const bf_solve_options *opt   = run->opt;
  bf_solve_report        *rep   = run->report;
  const double            by    = rep->norm_b > 0.0 ? rep->norm_b : 1.0;
  const double            first = rep->history[0] * by;
  double                  norm  = first, last;
  for (;;) {
    last                = norm;
    const double target = run->A == A ? SAFETY * tol : fmax(SAFETY * tol, REFINE * norm);
    const int    limit  = opt->max_iterations - rep->iterations;
    BF_TRY(run_method(run, target, limit));
    BF_TRY(bf_run_true_residual(A, b, run->x, run->r, run->state->dot, &norm));
    rep->residual                        = rep->history[rep->nhistory - 1];
    rep->true_residual                   = norm / by;
    rep->true_history[rep->nhistory - 1] = norm / by;
    rep->reason                          = (bf_krylov_status)run->host.status;
    if (norm <= tol) {
      rep->reason = BF_KRYLOV_CONVERGED;
      return BF_OK;
    }
    if (rep->reason == BF_KRYLOV_STAGNATION && norm > first) rep->reason = BF_KRYLOV_DIVERGED;
    if (rep->reason != BF_KRYLOV_CONVERGED) return BF_OK;
    if (!isfinite(norm))
      rep->reason = BF_KRYLOV_NAN;
    else if (rep->iterations >= opt->max_iterations)
      rep->reason = BF_KRYLOV_LIMIT;
    else if (!(norm <= GAIN * last))
      rep->reason = BF_KRYLOV_STAGNATION;
    if (rep->reason != BF_KRYLOV_CONVERGED) return BF_OK;
    rep->restarts++;
    run->replaced = run->A != A && opt->method == BF_METHOD_CG && norm <= AGREE * rep->residual * by;
  }
}

static bf_err make_report(bf_solve_report *rep, int limit)
{
  const size_t n = (size_t)limit + 1;
  BF_TRY(BF_NEW_ARRAY(rep->history, n));
  BF_TRY(BF_NEW_ARRAY(rep->true_history, n));
  BF_TRY(BF_NEW_ARRAY(rep->time_history, n));
  return BF_OK;
}

static bf_err check_options(const bf_solve_options *opt)
{
  BF_CHECK(isfinite(opt->rtol) && isfinite(opt->atol) && opt->rtol >= 0.0 && opt->atol >= 0.0, BF_E_ARG,
           "rtol=%g and atol=%g must be finite and not negative", opt->rtol, opt->atol);
  BF_CHECK(opt->rtol > 0.0 || opt->atol > 0.0, BF_E_ARG, "one of rtol, atol must be positive");
  BF_CHECK(opt->max_iterations >= 0 && opt->max_iterations < INT32_MAX, BF_E_ARG, "max_iterations=%d",
           opt->max_iterations);
  return BF_OK;
}

static bf_err norm_of(const bf_matrix *A, const double *v, double *dot, double *norm)
{
  double s;
  BF_TRY(BF_OP(A->be, dot, A->nrows, v, v, dot));
  BF_TRY(A->be->ops.copy(A->be, &s, dot, sizeof s, BF_TO_HOST));
  *norm = sqrt(s);
  return BF_OK;
}

bf_err bf_solve(const bf_matrix *A, const bf_matrix *A_fast, const double *b, double *x,
                const bf_solve_options *opt, bf_solve_report *report)
{
  BF_CHECK(A && b && x && opt && report, BF_E_ARG, "null argument");
  BF_TRY(check_options(opt));
  BF_CHECK(!A_fast || (A_fast->nrows == A->nrows && A_fast->guard <= A->guard), BF_E_ARG,
           "A_fast has %d rows and guard %d, A has %d and %d", A_fast ? A_fast->nrows : 0,
           A_fast ? A_fast->guard : 0, A->nrows, A->guard);
  BF_CHECK(opt->method != BF_METHOD_DIRECT || !A->be->ops.on_device, BF_E_UNSUPPORTED,
           "method: direct factors on the CPU, the matrix is on backend '%s'", A->be->ops.name);
  bf_err      err  = BF_OK;
  bf_backend *be   = A->be;
  bf_run      run  = {.A = A_fast ? A_fast : A, .opt = opt, .report = report, .x = x, .start = bf_seconds()};
  bf_preparation M = {.dinv = NULL};
  double        *r = NULL;
  void          *state = NULL, *history = NULL;
  *report = (bf_solve_report){.reason         = BF_KRYLOV_RUNNING,
                              .unknown        = -1,
                              .backward_error = NAN,
                              .condition      = NAN,
                              .forward_error  = NAN};
  BF_GO(make_report(report, opt->method == BF_METHOD_DIRECT ? BF_DIRECT_SOLUTIONS : opt->max_iterations));
  BF_GO(bf_vector_create(be, A->nrows, A->guard, &r));
  for (int i = 0, count = work_vectors(run.A, opt); i < count; i++)
    BF_GO(bf_vector_create(be, A->nrows, A->guard, &run.v[i]));
  BF_GO(be->ops.alloc(be, sizeof(bf_krylov_state), &state));
  BF_GO(be->ops.alloc(be, ((size_t)opt->max_iterations + 1) * sizeof(double), &history));
  run.state   = state;
  run.history = history;
  run.r       = r;
  if (opt->method == BF_METHOD_BICG) BF_GO(bf_bicg_transpose(run.A, &run.At));
  BF_GO(bf_precondition(A, &run, &M));
  BF_GO(norm_of(A, b, run.state->dot, &report->norm_b));
  if (report->norm_b == 0.0) BF_GO(be->ops.zero(be, x, (size_t)A->nrows * sizeof *x));
  double norm;
  BF_GO(bf_run_true_residual(A, b, x, r, run.state->dot, &norm));
  const double by    = report->norm_b > 0.0 ? report->norm_b : 1.0;
  const double tol   = fmax(opt->rtol * report->norm_b, opt->atol);
  report->nhistory   = 1;
  report->history[0] = report->true_history[0] = report->residual = report->true_residual = norm / by;
  if (!isfinite(norm) || !isfinite(report->norm_b)) /* first: an infinite tolerance is met by everything */
    report->reason = BF_KRYLOV_NAN;
  else if (norm <= tol)
    report->reason = BF_KRYLOV_CONVERGED;
  else if (opt->method == BF_METHOD_DIRECT)
    BF_GO(bf_direct_run(A, b, &run, tol));
  else
    BF_GO(refine(A, b, &run, tol));
  report->seconds = bf_seconds() - run.start;
  bf_solve_explain(report, opt);
done:
  bf_matrix_destroy(&run.At);
  be->ops.release(be, history);
  be->ops.release(be, state);
  bf_precondition_end(A, &M);
  for (int i = 0; i < BF_RUN_VECTORS; i++) bf_vector_destroy(be, A->guard, &run.v[i]);
  bf_vector_destroy(be, A->guard, &r);
  if (err != BF_OK) bf_solve_report_clear(report);
  return err;
}

void bf_solve_report_clear(bf_solve_report *report)
{
  if (!report) return;
  bf_host_free(report->history);
  bf_host_free(report->true_history);
  bf_host_free(report->time_history);
  *report = (bf_solve_report){0};
}
