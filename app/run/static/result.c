/* app/run/static/result.c - results of a static analysis for the writers */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/static/cases.h"
#include "app/run/static/flexibility.h"
#include "app/run/static/static.h"

/* auto and multigrid: the one that the solve ended with. */
static bf_precond used_preconditioner(const bf_job *job)
{
  const bf_precond asked = job->analysis->precond(job);
  if (asked < BF_PRECOND_MULTIGRID) return asked;
  const bf_multigrid_report *m = &job->solve.multigrid;
  return m->nlevels > 0 && !m->failure[0] ? BF_PRECOND_MULTIGRID : BF_PRECOND_JACOBI;
}

void bf_static_result(const bf_job *job, bf_result_store *s, bf_result *r)
{
  r->converged   = job->solve.reason == BF_KRYLOV_CONVERGED;
  r->flexibility = bf_static_flexibility_record(job, &s->flexibility);
  if (r->converged && job->flexibility && job->flexibility->failed) {
    r->converged = 0;
    r->status    = "NOT CONVERGED: the flexibility matrix";
  }
  r->balance_name = bf_physics_words_of(job->problem.physics)->balance;
  r->balance      = job->solution.balance;
  if (job->solve.seconds > 0.0 && job->A)
    r->fom_dof_it_per_s = (double)job->A->nrows * job->solve.iterations / job->solve.seconds;
  s->history = (bf_history){.method         = bf_method_name(bf_static_method(job)),
                            .preconditioner = bf_precond_name(used_preconditioner(job)),
                            .reason         = bf_reason_name(job->solve.reason),
                            .n              = job->solve.nhistory,
                            .residual       = job->solve.history,
                            .true_residual  = job->solve.true_history,
                            .seconds        = job->solve.time_history,
                            .to_rounding    = job->solve.to_rounding,
                            .backward_error = job->solve.backward_error,
                            .condition      = job->solve.condition,
                            .forward_error  = job->solve.forward_error};
  if (job->solved) r->history = &s->history;
  if (job->solve.blocks.count > 0) s->history.blocks = &job->solve.blocks;
  if (job->solve.multigrid.nlevels > 0 && !job->solve.multigrid.failure[0])
    s->history.multigrid = &job->solve.multigrid;
  if (job->solution.recovery.points > 0) r->recovery = &job->solution.recovery;
  r->nreactions = job->solution.nreactions;
  r->reaction   = job->solution.reaction;
  if (job->cases) bf_static_cases_result(job, s, r);
  r->nspectra = job->solution.nspectra;
  r->spectrum = job->solution.spectrum;
}
