/* solvers/reason.c - why a solve ended, in words, and what to try */
#include "solvers/krylov_run.h"
#include <math.h>
#include <stdio.h>

const char *bf_method_name(bf_method method)
{
  static const char *const name[] = {"cg", "bicgstab", "bicg", "direct"};
  return name[method];
}

const char *bf_precond_name(bf_precond precond)
{
  static const char *const name[BF_PRECONDS] = {"none", "jacobi", "block_jacobi"};
  return name[precond];
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
  case BF_KRYLOV_INTERRUPTED: return "interrupted";
  }
  return "unknown";
}

static const char *advice(bf_krylov_status reason, bf_method method)
{
  const int cg = method == BF_METHOD_CG, bicg = method == BF_METHOD_BICG;
  switch (reason) {
  case BF_KRYLOV_LIMIT: return "raise solver.max_iterations, or use preconditioner: jacobi";
  case BF_KRYLOV_INDEFINITE:
    return "p.Ap <= 0: the matrix is not positive definite; check supports and material values, or use "
           "method: bicgstab";
  case BF_KRYLOV_BREAKDOWN:
    return bicg ? "rt.r or pt.Ap vanished; use method: bicgstab, or cg if the matrix is symmetric"
                : "rho or omega vanished; use method: bicg, or cg if the matrix is symmetric";
  case BF_KRYLOV_NAN:
    return "an overflow or an invalid number in the matrix or the loads; check units and formulas";
  case BF_KRYLOV_STAGNATION:
    return cg ? "the residual stopped falling; rtol may be below what rounding allows"
           : bicg
               ? "the residual stopped falling; use method: cg if the matrix is symmetric, or a larger rtol"
               : "the residual stopped falling; use method: bicg, cg if the matrix is symmetric, or a larger "
                 "rtol";
  case BF_KRYLOV_DIVERGED:
    return cg     ? "the residual grew: the matrix is not symmetric positive definite"
           : bicg ? "the residual grew; use method: bicgstab, or check that the matrix is regular"
                  : "the residual grew; use method: bicg, or check that the matrix is regular";
  default: return "";
  }
}

void bf_solve_explain(bf_solve_report *rep, const bf_solve_options *opt)
{
  if (rep->text[0]) return; /* the factorisation has said it */
  if (rep->reason == BF_KRYLOV_CONVERGED)
    snprintf(rep->text, sizeof rep->text, "converged: true residual %.3g after %d iterations",
             rep->true_residual, rep->iterations);
  else {
    const char *words = advice(rep->reason, opt->method);
    snprintf(rep->text, sizeof rep->text, "%s: true residual %.3g after %d iterations, target %.3g%s%s",
             bf_reason_name(rep->reason), fabs(rep->true_residual), rep->iterations, opt->rtol,
             words[0] ? "; " : "", words);
  }
}
