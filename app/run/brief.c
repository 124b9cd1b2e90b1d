/* app/run/brief.c - the log of a run without --verbose: deck, mesh, system, solve; run.c prints the results
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/analysis.h"
#include "app/run/dispersion/dispersion.h"
#include "app/run/static/cases.h"
#include <stdio.h>
#include <string.h>

static int wanted(const bf_job *job)
{
  return job->brief.line && !job->verbose;
}

void bf_brief_model(const bf_job *job)
{
  const bf_mesh *m         = job->mesh;
  char           kinds[96] = "";
  size_t         at        = 0;
  int            more      = 0;
  if (!wanted(job)) return;
  if (job->config.title[0]) bf_log_line(&job->brief, "deck      %s", job->config.title);
  for (int b = m->nblocks - 1; b >= 0; b--) {
    if (bf_elem(m->block[b].type)->dim != m->dim) continue;
    if (at < sizeof kinds - 24)
      at += (size_t)snprintf(kinds + at, sizeof kinds - at, ", %d %s", m->block[b].n,
                             bf_elem(m->block[b].type)->name);
    else
      more = 1;
  }
  bf_log_line(&job->brief, "mesh      %s: %d nodes%s%s, %d group%s%s", m->file, m->nnodes, kinds,
              more ? ", ..." : "", m->ngroups, m->ngroups == 1 ? "" : "s",
              job->problem.units == BF_UNITS_MM ? "; units mm, t, s, N, MPa" : "");
}

void bf_brief_matrix(const bf_job *job)
{
  const bf_plan *plan = &job->plan;
  const int64_t  D    = bf_model_ncomp(job->model);
  char           memory[24], device[128] = "";
  if (!wanted(job) || job->draft) return;
  bf_bytes_text((double)plan->bytes, memory);
  if (job->be) job->be->ops.describe(job->be, device, sizeof device);
  bf_log_line(&job->brief, "system    %lld unknowns, %lld nonzeros; matrix %s %s, %s; %s%s%s",
              (long long)bf_job_unknowns(job), (long long)job->num->nnz * D * D, bf_format_word(plan->format),
              plan->half ? "symmetric" : "full", memory, job->be ? job->be->ops.name : "",
              device[0] ? ": " : "", device);
}

void bf_brief_cases(const bf_job *job, int iterations, int failed, double seconds)
{
  if (!wanted(job)) return;
  const int n = bf_static_cases_loaded(job);
  bf_log_line(&job->brief, "solve     %d load cases: %d iterations in all, %d of %d converged, %.3g s", n,
              iterations, n - failed, n, seconds);
}

void bf_brief_solve(const bf_job *job)
{
  const bf_solve_report *s   = &job->solve;
  bf_result_store        st  = {0};
  bf_result              r   = {.title = NULL};
  const char            *how = "";
  if (!wanted(job)) return;
  if (job->solved) {
    job->analysis->result(job, &st, &r);
    how = r.history ? r.history->preconditioner : "none";
    bf_log_line(&job->brief, "solve     %s%s%s: %s, %.3g s", r.history ? r.history->method : "",
                strcmp(how, "none") ? ", preconditioner " : "", strcmp(how, "none") ? how : "", s->text,
                s->seconds);
  } else if (job->waves && job->waves->waves) {
    const bf_waves *w = job->waves->waves;
    bf_log_line(&job->brief, "solve     %d wave vectors, %d bands, pencils of order %d: %.3g s",
                job->waves->record.nk, job->waves->record.bands, (int)w->n, w->seconds_solve);
  } else if (job->modes.report.pairs > 0) {
    bf_log_line(&job->brief, "solve     %s: %s, %.3g s", job->modes.record.method, job->modes.report.text,
                job->modes.report.seconds);
  }
}
