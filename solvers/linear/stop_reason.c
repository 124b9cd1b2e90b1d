/* solvers/linear/stop_reason.c - the text of the reason for which a solve ended */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/backward_error.h"
#include "solvers/linear/krylov_run.h"
#include <math.h>
#include <stdio.h>

const char *bf_method_name(bf_method method)
{
  static const char *const name[] = {"cg", "bicgstab", "bicg", "direct", "inverse"};
  return name[method];
}

const char *bf_precond_name(bf_precond precond)
{
  static const char *const name[BF_PRECONDS] = {"none", "jacobi", "block_jacobi", "multigrid", "auto"};
  return name[precond];
}

const char *bf_coarsening_name(bf_coarsening coarsening)
{
  static const char *const name[BF_COARSENINGS] = {"auto", "planes", "aggregates", "spectral"};
  return name[coarsening];
}

const char *bf_cycle_name(bf_cycle cycle)
{
  static const char *const name[BF_CYCLES] = {"auto", "v", "w"};
  return name[cycle];
}

const char *bf_reason_name(bf_krylov_status reason)
{
  switch (reason) {
  case BF_KRYLOV_RUNNING: return "running";
  case BF_KRYLOV_CONVERGED: return "converged";
  case BF_KRYLOV_LIMIT: return "iteration limit";
  case BF_KRYLOV_INDEFINITE: return "indefinite matrix";
  case BF_KRYLOV_BREAKDOWN: return "breakdown";
  case BF_KRYLOV_NAN: return "not a number";
  case BF_KRYLOV_STAGNATION: return "stagnation";
  case BF_KRYLOV_DIVERGED: return "divergence";
  case BF_KRYLOV_SINGULAR: return "singular matrix";
  case BF_KRYLOV_ILL_CONDITIONED: return "ill-conditioned matrix";
  case BF_KRYLOV_INTERRUPTED: return "interrupted";
  }
  return "unknown";
}

/* Stagnation: the observation. */
static void describe_stagnation(const bf_run *run, char *text, size_t size)
{
  const bf_solve_report *rep   = run->report;
  const double           by    = rep->norm_b > 0.0 ? rep->norm_b : 1.0;
  const double           limit = fmax(run->evaluation, bf_accuracy_limit());
  if (rep->backward_error <= limit && !(rep->forward_error >= 1.0))
    snprintf(
        text, size,
        "the residual is at the level of rounding (backward error %.2g), but the last correction changed the "
        "solution by more than rounding explains (estimated forward error %.2g)",
        rep->backward_error, rep->forward_error);
  else if (rep->backward_error <= limit)
    snprintf(
        text, size,
        "the residual is at the level of rounding (backward error %.2g), but the estimated condition number "
        "%.2g leaves no correct digit",
        rep->backward_error, rep->condition);
  else if (run->stalled)
    snprintf(
        text, size,
        "a correction with the true residual gained less than a factor 2, and the backward error %.2g is "
        "above %.2g",
        rep->backward_error, limit);
  else
    snprintf(text, size, "no smaller residual%s for %d iterations; the smallest was %.3g",
             run->opt->method == BF_METHOD_CG ? " and no decrease of the energy above rounding" : "",
             run->host.patience, sqrt(run->host.rr_best) / by);
}

/* The observation, and its possible causes, most likely first.  Other methods: app/run/advice.h.
 */
static void describe(const bf_run *run, char *text, size_t size)
{
  const bf_krylov_state *st = &run->host;
  const int              cg = run->opt->method == BF_METHOD_CG, bicg = run->opt->method == BF_METHOD_BICG;
  switch (run->report->reason) {
  case BF_KRYLOV_LIMIT:
    snprintf(text, size, "the limit of %d iterations is used up%s", run->report->limit,
             run->opt->max_iterations == BF_ITERATIONS_AUTO ? " (automatic, from the number of unknowns)"
                                                            : "");
    return;
  case BF_KRYLOV_INDEFINITE:
    if (st->dot[0] > 0.0)
      snprintf(text, size,
               "r.M^-1 r = %.3g <= 0: the preconditioner is not positive definite, as for a matrix with a "
               "negative diagonal entry",
               st->rho);
    else
      snprintf(
          text, size,
          "p.Ap = %.3g <= 0: the matrix is not positive definite, or singular to rounding; possible causes: "
          "supports or materials far softer than the rest, a negative material value, an unsymmetric matrix",
          st->dot[0]);
    return;
  case BF_KRYLOV_BREAKDOWN:
    snprintf(text, size,
             bicg ? "rt.M^-1 r or pt.Ap is zero: BiCG cannot continue"
                  : "r0.r, r0.v or omega is zero: BiCGStab cannot continue");
    return;
  case BF_KRYLOV_NAN:
    snprintf(
        text, size,
        "a scalar of the iteration is infinite or not a number; possible causes: an overflow or an invalid "
        "number in the matrix or the loads: check units and formulas");
    return;
  case BF_KRYLOV_STAGNATION: describe_stagnation(run, text, size); return;
  case BF_KRYLOV_DIVERGED:
    snprintf(text, size, "the residual has grown by %.0e%s", BF_KRYLOV_GROWTH,
             cg ? ": the matrix is not symmetric, or its condition number is above 1e24" : "");
    return;
  default: return;
  }
}

void bf_solve_explain(bf_run *run)
{
  bf_solve_report *rep       = run->report;
  char             seen[320] = "", how[96] = "";
  if (rep->text[0]) return; /* set by the factorisation or the accuracy test */
  if (run->rounded_values)
    snprintf(how, sizeof how, " (%d with fp32 values, %d with fp64 values)", rep->fp32_iterations,
             rep->iterations - rep->fp32_iterations);
  if (rep->reason == BF_KRYLOV_CONVERGED) {
    snprintf(rep->text, sizeof rep->text, "converged: true residual %.3g after %d iterations%s",
             rep->true_residual, rep->iterations, how);
    return;
  }
  describe(run, seen, sizeof seen);
  snprintf(rep->text, sizeof rep->text, "%s: true residual %.3g after %d iterations%s, target %.3g%s%s",
           bf_reason_name(rep->reason), fabs(rep->true_residual), rep->iterations, how, run->opt->rtol,
           seen[0] ? "; " : "", seen);
}
