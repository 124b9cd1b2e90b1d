/* app/run/static/result.c - results of a static analysis for the writers */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/static/static.h"
#include <string.h>

static void block_record(const bf_job *job, bf_result_store *s)
{
  const bf_blocks_report *b = &job->solve.blocks;
  s->blocks                 = (bf_block_record){.count             = b->count,
                                                .smallest          = b->smallest,
                                                .largest           = b->largest,
                                                .singular          = b->singular,
                                                .condition         = b->condition,
                                                .bytes             = b->bytes,
                                                .values            = bf_job_block_values(job) == BF_FP32 ? "fp32" : "fp64",
                                                .partition_seconds = job->parts_seconds,
                                                .setup_seconds     = b->seconds};
  if (b->count > 0) s->history.blocks = &s->blocks;
}

/* How the values at nodes were recovered; generalised finite elements have a recovery of their own. */
static void recovery_record(const bf_job *job, bf_result_store *s, bf_result *r)
{
  const bf_solution *u = &job->solution;
  if (!u->recovered) return;
  s->recovery = (bf_recovery_record){.points         = job->view->npoints,
                                     .by_patches     = u->patched,
                                     .has_error      = u->has_error,
                                     .error_estimate = u->error_estimate};
  r->recovery = &s->recovery;
}

void bf_static_result(const bf_job *job, bf_result_store *s, bf_result *r)
{
  r->converged    = job->solve.reason == BF_KRYLOV_CONVERGED;
  r->balance_name = bf_physics_words_of(job->problem.physics)->balance;
  r->balance      = job->solution.balance;
  if (job->solve.seconds > 0.0 && job->A)
    r->fom_dof_it_per_s = (double)job->A->nrows * job->solve.iterations / job->solve.seconds;
  s->history = (bf_history){.method         = bf_method_name(bf_static_method(job)),
                            .preconditioner = bf_precond_name(job->analysis->precond(job)),
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
  block_record(job, s);
  r->reaction = s->reaction;
  for (int i = 0; i < job->solution.nreactions && i < 64; i++) {
    const bf_group_sum *g = &job->solution.reaction[i];
    s->reaction[i]        = (bf_reaction_record){
               .group = g->group,
               .unit  = bf_unit_in(job->problem.units, bf_physics_words_of(job->problem.physics)->force_unit),
               .ncomp = bf_model_ncomp(job->model)};
    memcpy(s->reaction[i].value, g->value, sizeof g->value);
    r->nreactions = i + 1;
  }
  r->nspectra = bf_static_spectra(job, s->spectrum);
  r->spectrum = s->spectrum;
  recovery_record(job, s, r);
}
