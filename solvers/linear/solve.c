/* solvers/linear/solve.c - bf_solve: start residual, runs of an iteration, true residual
 *
 *     repeat:  r = b - A x;  stop if ||r|| <= tol, or if the backward error of x is that of rounding
 *              (backward_error.h);  run the iteration on (x, r) until its own r is small enough
 *
 * A run with the matrix itself aims at the tolerance; a run with rounded values (A_fast) aims at three
 * digits, because its recurrence does not contain the rounding of the values: iterative refinement (N. J.
 * Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. (2002), ch. 12,
 * doi 10.1137/1.9780898718027).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/timer.h"
#include "solvers/linear/backward_error.h"
#include "solvers/linear/direct.h"
#include "solvers/linear/fp32_matrix.h"
#include "solvers/linear/inverse_run.h"
#include "solvers/linear/iteration_limit.h"
#include "solvers/linear/precond.h"
#include "solvers/linear/workspace.h"
#include <float.h>
#include <math.h>
#include <string.h>

static const double STAGE     = 1e-4; /* reduction required of a run of CG */
static const double GAIN      = 0.5;  /* least reduction of the true residual by a further run */
static const double DEVIATION = 0.1;  /* CG keeps its direction where the residual of the recurrence deviates
                                         from the true one by less, relative to the true one */
static const double NEAR      = 1e-3; /* a larger deviation: the residual is near the level of rounding */
static const double SAFETY[2] = {0.99, 0.9}; /* runs with fp64, fp32 values stop below the tolerance, because
                                                true and recurrence residuals differ */

bf_err bf_run_true_residual(const bf_matrix *A, const double *b, const double *x, double *r, double *dot,
                            double *norm)
{
  bf_backend *be = A->be;
  double      rr;
  BF_TRY(bf_matrix_spmv(A, x, r, NULL, NULL));
  BF_TRY(BF_OP(be, vector.axpby, A->nrows, 1.0, b, -1.0, r));
  BF_TRY(BF_OP(be, vector.dot, A->nrows, r, r, dot));
  BF_TRY(be->ops.copy(be, &rr, dot, sizeof rr, BF_TO_HOST));
  *norm = sqrt(rr);
  return BF_OK;
}

static bf_err norm_of(const bf_matrix *A, const double *v, double *dot, double *norm)
{
  double s;
  BF_TRY(BF_OP(A->be, vector.dot, A->nrows, v, v, dot));
  BF_TRY(A->be->ops.copy(A->be, &s, dot, sizeof s, BF_TO_HOST));
  *norm = sqrt(s);
  return BF_OK;
}

static bf_err run_method(bf_run *run, double stop)
{
  switch (run->opt->method) {
  case BF_METHOD_CG: return bf_cg_run(run, stop);
  case BF_METHOD_BICG: return bf_bicg_run(run, stop);
  default: return bf_bicgstab_run(run, stop);
  }
}

/* CG: Ritz values of the chain of runs so far, if it is the longest. */
static bf_err take_ritz(bf_run *run, int *longest)
{
  const int made = run->chain + run->host.iteration;
  if (run->opt->method != BF_METHOD_CG || made <= *longest) return BF_OK;
  *longest = made;
  return bf_ritz_values(made, run->samples, &run->ritz);
}

/* The backward error of x, for which run->r = b - A x, and the estimates that follow from it.  CG: the
 * condition number is the quotient of the extreme Ritz values, and the largest one with the diagonal as
 * preconditioner is the norm of the scaled matrix.  Other methods, and CG with multigrid, whose Ritz values
 * are those of another matrix: the forward error is the size of the last correction relative to x (Higham,
 * sec. 12.2), and the condition number its quotient by the backward error; both are infinite before there is
 * a correction. */
static bf_err measure_accuracy(bf_run *run)
{
  bf_solve_report *rep = run->report;
  const int        cg = run->opt->method == BF_METHOD_CG, positive = run->ritz.least > 0.0;
  const int        diagonal = cg && run->dinv && positive;
  bf_accuracy     *acc      = NULL;
  bf_err           err      = BF_OK;
  const double     norm     = diagonal ? run->ritz.most : bf_run_costly(run) ? rep->multigrid.lambda : 0.0;
  BF_GO(bf_accuracy_create(run->exact, norm, &acc));
  BF_GO(bf_accuracy_backward(acc, run->b, run->sum, run->r, &rep->backward_error));
  rep->condition     = !cg || bf_run_costly(run) ? run->change / rep->backward_error
                       : positive                ? run->ritz.most / run->ritz.least
                                                 : INFINITY;
  rep->forward_error = rep->condition * rep->backward_error;
done:
  bf_accuracy_destroy(&acc);
  return err;
}

bf_err bf_run_separate(bf_run *run)
{
  if (run->x != run->sum) return BF_OK;
  BF_TRY(bf_vector_create(run->A->be, run->A->nrows, run->exact->guard, &run->correction));
  run->x = run->correction;
  return BF_OK;
}

/* r = b - A x with its norm, x with the part of the run that ended.  CG: *deviation = ||r - r_run|| / ||r||,
 * r_run the residual of the recurrence; else infinite. */
static bf_err true_residual(const bf_matrix *A, bf_run *run, double *norm, double *deviation)
{
  bf_backend  *be = A->be;
  const bf_int n  = A->nrows;
  const int    cg = run->opt->method == BF_METHOD_CG;
  double      *t = cg ? run->v[1] : run->r, *dot = run->state->dot, mixed = 0.0;
  run->change = INFINITY;
  if (run->x != run->sum) {
    double size[2];
    BF_TRY(norm_of(A, run->x, dot, &size[0]));
    BF_TRY(norm_of(A, run->sum, dot, &size[1]));
    run->change = size[0] / size[1];
    BF_TRY(BF_OP(be, vector.axpby, n, 1.0, run->x, 1.0, run->sum));
    BF_TRY(be->ops.zero(be, run->x, (size_t)n * sizeof *run->x));
  }
  BF_TRY(bf_run_true_residual(A, run->b, run->sum, t, dot, norm));
  *deviation = INFINITY;
  if (!cg) return BF_OK;
  BF_TRY(BF_OP(be, vector.dot, n, t, run->r, dot));
  BF_TRY(be->ops.copy(be, &mixed, dot, sizeof mixed, BF_TO_HOST));
  BF_TRY(be->ops.copy(be, run->r, t, (size_t)n * sizeof *t, BF_WITHIN));
  *deviation = sqrt(fmax(*norm * *norm - 2.0 * mixed + run->host.rr, 0.0)) / *norm;
  return BF_OK;
}

/* Norm of the residual at which a run ends.  CG gains a few digits, then the true residual replaces that of
 * the recurrence; near the level of rounding a run iterates down to it.  With multigrid the first run aims at
 * the tolerance: few iterations deviate little. */
static double run_target(const bf_run *run, double norm)
{
  const int    fast  = run->A != run->exact;
  const double least = SAFETY[fast] * run->tol, eta = run->report->backward_error,
               limit = bf_accuracy_limit();
  if (run->opt->method != BF_METHOD_CG || fast) return least;
  if (!isfinite(eta)) return bf_run_costly(run) ? least : fmax(least, STAGE * norm);
  return fmax(least, (eta > limit ? fmax(STAGE, 0.5 * limit / eta) : 0.1) * norm);
}

/* One run and its true residual in run->r, with its norm. */
static bf_err run_once(bf_run *run, double *norm)
{
  bf_solve_report *rep    = run->report;
  const double     by     = rep->norm_b > 0.0 ? rep->norm_b : 1.0;
  const double     before = bf_run_energy(run);
  double           deviation;
  BF_TRY(run_method(run, run_target(run, *norm)));
  if (run->A != run->exact) rep->fp32_iterations = rep->iterations;
  if (run->discard) BF_TRY(run->A->be->ops.zero(run->A->be, run->x, (size_t)run->A->nrows * sizeof *run->x));
  BF_TRY(true_residual(run->exact, run, norm, &deviation));
  if (*norm > run->tol) BF_TRY(bf_fp32_leave(run));
  run->gain = run->discard ? 0.0 : run->host.energy + run->host.gained - before;
  run->energy += run->gain;
  run->replaced                        = !run->discard && deviation <= DEVIATION;
  run->near                            = !(deviation <= NEAR);
  rep->residual                        = rep->history[rep->nhistory - 1];
  rep->true_residual                   = *norm / by;
  rep->true_history[rep->nhistory - 1] = *norm / by;
  rep->limit                           = run->limit;
  rep->reason = *norm <= run->tol ? BF_KRYLOV_CONVERGED : (bf_krylov_status)run->host.status;
  if (rep->reason == BF_KRYLOV_CONVERGED && !isfinite(*norm)) rep->reason = BF_KRYLOV_NAN;
  return BF_OK;
}

/* 1 if x is as accurate as fp64 allows: a backward error of at most `limit`, and the last run of CG decreased
 * the energy by at most the square of the error in the energy norm for that backward error.  An estimated
 * forward error of 1 or more leaves no correct digit. */
static int rounded(const bf_run *run, double limit)
{
  const bf_solve_report *rep   = run->report;
  const double           ritz  = run->ritz.least > 0.0 ? limit * run->ritz.most / run->ritz.least : 0.0;
  const double           error = bf_run_costly(run) ? 2.0 * rep->forward_error : ritz;
  return rep->backward_error <= limit && !(rep->forward_error >= 1.0) &&
         !(run->gain > fmax(BF_KRYLOV_UNIT, error * error) * run->energy);
}

/* The last correction did not improve x: stagnation, unless r is the rounding of its own evaluation. */
static bf_err stop_stalled(bf_run *run)
{
  bf_solve_report *rep = run->report;
  rep->reason          = BF_KRYLOV_STAGNATION;
  BF_TRY(bf_accuracy_evaluation(run->exact, &run->evaluation));
  if (rounded(run, run->evaluation)) bf_accuracy_conclude(rep, rep->backward_error, rep->condition);
  return BF_OK;
}

static int first_limit(const bf_run *run)
{
  const int most = run->opt->max_iterations;
  return most == BF_ITERATIONS_AUTO ? bf_limit_first(run->exact->nrows) : most;
}

/* Runs until the true residual meets tol, x is as accurate as fp64 allows, or the reason is final.  The
 * failure of a run with fp32 values is not final, unless it ends at the limit or by an interruption: the
 * solve continues with fp64 values. Nor is the stagnation of a run of CG that halved the true residual: near
 * the level of rounding a correction from there can gain more, since its rounding errors are smaller. */
static bf_err refine(bf_run *run, bf_preparation *M)
{
  bf_solve_report *rep     = run->report;
  const int        cg      = run->opt->method == BF_METHOD_CG;
  double           norm    = rep->history[0] * (rep->norm_b > 0.0 ? rep->norm_b : 1.0), last;
  int              longest = 0;
  BF_TRY(bf_fp32_try(run));
  for (;;) {
    const int fast = run->A != run->exact;
    last           = norm;
    BF_TRY(run_once(run, &norm));
    BF_TRY(take_ritz(run, &longest));
    if (norm <= run->tol || !isfinite(norm)) return BF_OK;
    const int tried = run->trial > 0 && rep->reason == BF_KRYLOV_LIMIT && rep->iterations < first_limit(run);
    if ((rep->reason == BF_KRYLOV_LIMIT && !tried) || rep->reason == BF_KRYLOV_INTERRUPTED) return BF_OK;
    if (tried) {
      run->limit  = first_limit(run);
      rep->reason = BF_KRYLOV_RUNNING;
      BF_TRY(bf_precondition_switch(run, M));
    } else if (!fast) {
      if (run->near || rep->reason != BF_KRYLOV_CONVERGED) BF_TRY(measure_accuracy(run));
      if (rounded(run, bf_accuracy_limit())) bf_accuracy_conclude(rep, rep->backward_error, rep->condition);
      const int stagnant = cg && rep->reason == BF_KRYLOV_STAGNATION, little = !(norm <= GAIN * last);
      if (rep->to_rounding || (rep->reason != BF_KRYLOV_CONVERGED && !stagnant)) return BF_OK;
      run->stalled = little && !stagnant;
      if (little) return stop_stalled(run);
      run->replaced = run->replaced && !stagnant;
    }
    if (rep->iterations >= run->limit) rep->reason = BF_KRYLOV_LIMIT;
    if (rep->reason == BF_KRYLOV_LIMIT) return BF_OK;
    rep->restarts += !run->replaced && !run->discard;
    run->discard = 0;
    BF_TRY(bf_run_separate(run));
  }
}

static bf_err check_options(const bf_solve_options *opt)
{
  BF_CHECK(isfinite(opt->rtol) && isfinite(opt->atol) && opt->rtol >= 0.0 && opt->atol >= 0.0, BF_E_ARG,
           "rtol=%g and atol=%g must be finite and not negative", opt->rtol, opt->atol);
  BF_CHECK(opt->rtol > 0.0 || opt->atol > 0.0, BF_E_ARG, "one of rtol, atol must be positive");
  BF_CHECK(opt->max_iterations == BF_ITERATIONS_AUTO ||
               (opt->max_iterations >= 0 && opt->max_iterations <= BF_ITERATIONS_MOST),
           BF_E_ARG, "max_iterations=%d", opt->max_iterations);
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
  bf_err         err   = BF_OK;
  bf_backend    *be    = A->be;
  bf_run         run   = {.A              = A_fast ? A_fast : A,
                          .opt            = opt,
                          .report         = report,
                          .exact          = A,
                          .rounded_values = A_fast != NULL,
                          .b              = b,
                          .x              = x,
                          .sum            = x,
                          .start          = bf_seconds()};
  bf_preparation M     = {.dinv = NULL};
  double        *r     = NULL;
  void          *state = NULL, *history = NULL;
  *report   = (bf_solve_report){.reason         = BF_KRYLOV_RUNNING,
                                .unknown        = -1,
                                .backward_error = NAN,
                                .condition      = NAN,
                                .forward_error  = NAN};
  run.limit = first_limit(&run);
  BF_GO(bf_run_reserve(&run, BF_DIRECT_SOLUTIONS + 1));
  BF_GO(bf_vector_create(be, A->nrows, A->guard, &r));
  const int work = bf_work_vectors(opt->method, opt->precond, bf_bicgstab_has_early_alpha(run.A));
  for (int i = 0; i < work; i++) BF_GO(bf_vector_create(be, A->nrows, A->guard, &run.v[i]));
  BF_GO(be->ops.alloc(be, sizeof(bf_krylov_state), &state));
  BF_GO(be->ops.alloc(be, BF_KRYLOV_SAMPLES * sizeof(bf_krylov_sample), &history));
  run.state   = state;
  run.history = history;
  run.r       = r;
  if (opt->method == BF_METHOD_BICG) BF_GO(bf_bicg_transpose(run.A, &run.At));
  BF_GO(bf_precondition(A, &run, &M));
  if (run.trial > 0 && run.trial < run.limit) run.limit = run.trial;
  BF_GO(norm_of(A, b, run.state->dot, &report->norm_b));
  if (report->norm_b == 0.0) BF_GO(be->ops.zero(be, x, (size_t)A->nrows * sizeof *x));
  double norm;
  BF_GO(bf_run_true_residual(A, b, x, r, run.state->dot, &norm));
  const double by    = report->norm_b > 0.0 ? report->norm_b : 1.0;
  const double tol   = fmax(opt->rtol * report->norm_b, opt->atol);
  run.tol            = tol;
  report->nhistory   = 1;
  report->history[0] = report->true_history[0] = report->residual = report->true_residual = norm / by;
  if (!isfinite(norm) || !isfinite(report->norm_b)) /* checked first: an infinite tolerance is always met */
    report->reason = BF_KRYLOV_NAN;
  else if (norm <= tol)
    report->reason = BF_KRYLOV_CONVERGED;
  else if (opt->method == BF_METHOD_DIRECT)
    BF_GO(bf_direct_run(A, b, &run, tol));
  else if (opt->method == BF_METHOD_INVERSE)
    BF_GO(bf_inverse_run(A, b, &run, tol));
  else {
    BF_GO(refine(&run, &M));
    bf_run_show_end(&run);
  }
  report->seconds = bf_seconds() - run.start;
  bf_solve_explain(&run);
done:
  bf_host_free(run.samples);
  bf_vector_destroy(be, A->guard, &run.correction);
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
