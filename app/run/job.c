/* app/run/job.c - steps that all analyses share: open, number, backend, assemble; bf_job_close */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/analysis.h"
#include "app/run/dispersion/dispersion.h"
#include "app/run/early_numbering.h"
#include "app/run/static/cases.h"
#include "app/run/warm_up.h"
#include "base/memory.h"
#include <stdio.h>
#include <string.h>

/* Of a node on one core, for the live line. */
static const double NUMBER_SECONDS = 1.5e-6;

bf_err bf_job_read_deck(bf_job *job)
{
  if (job->deck_seconds > 0.0) return job->deck_status;
  const double t0 = bf_seconds();
  job->deck_status =
      bf_deck_read_with(job->deck_path, job->override, job->noverrides, &job->diags, &job->deck);
  job->deck_seconds = bf_seconds() - t0;
  return job->deck_status;
}

/* Every step adds its phase, so that the phases sum up to the time of the run. */
bf_err bf_job_open(bf_job *job)
{
  BF_TRY(bf_job_read_deck(job));
  if (!job->replaces && bf_deck_runs(job->deck) > 1)
    bf_log_line(&job->log, "sweep     %d runs; these are the values of the first", bf_deck_runs(job->deck));
  if (job->replaces && bf_deck_runs(job->deck) > 1) {
    bf_diag_add(&job->diags, BF_ERROR, 107, (bf_where){.file = job->deck_path},
                "a sweep of parameters needs a deck in a file; choose one value by -s parameters.NAME=VALUE");
    return BF_FAIL(BF_E_INPUT, "a sweep of a deck that is no file");
  }
  bf_phase_add(&job->phases, "deck", job->deck_seconds, 0.0, 0.0);
  BF_TRY(bf_job_sources(job));
  BF_TRY(bf_run_config_read(job->deck, job->backend_name, job->out_dir, &job->config));
  job->problem  = job->config.problem;
  job->analysis = bf_analysis_of(job->problem.analysis);
  if (job->config.title[0]) bf_log_line(&job->log, "deck      %s", job->config.title);
  if (job->problem.units == BF_UNITS_MM)
    bf_log_line(&job->log, "units     mm, t, s, N, MPa, mW, K: labels only, values are not converted");
  if (job->warms_up) bf_job_warm_up_begin(job);
  BF_TRY(bf_job_mesh(job));
  BF_TRY(bf_job_sources_fit(job));
  bf_job_warm_up_go(job);
  if (job->warms_up && job->problem.analysis != BF_DISPERSION) bf_job_early_begin(job);
  const double t1 = bf_seconds();
  if (job->analysis->prepare) BF_TRY(job->analysis->prepare(job));
  BF_TRY((job->draft ? bf_model_draft : bf_model_create)(job->mesh, &job->problem, &job->diags, &job->model));
  bf_phase_add(&job->phases, "model", bf_seconds() - t1, 0.0, 0.0);
  bf_job_table_warnings(job);
  BF_TRY(bf_job_check_targets(job));
  return BF_OK;
}

bf_err bf_job_number(bf_job *job)
{
  const bf_order order = job->config.matrix.reorder; /* without a deck: auto */
  const double   t0    = bf_seconds();
  const bf_int   inner = job->model ? bf_model_condensed(job->model) : 0;
  bf_job_phase(job, "numbering", NUMBER_SECONDS * job->mesh->nnodes);
  if (inner || !bf_job_early_take(job, &job->num))
    BF_TRY((inner ? bf_numbering_create_condensed : bf_numbering_create)(job->mesh, order, &job->num));
  if (job->model) BF_TRY(bf_model_widen(job->model, job->num));
  bf_phase_add(&job->phases, "numbering", bf_seconds() - t0, 0.0, 0.0);
  if (job->model) bf_model_log(job->model, &job->log);
  if (inner) bf_log_line(&job->log, "condense  %d center nodes are eliminated element by element", inner);
  bf_numbering_log(job->num, &job->log);
  return BF_OK;
}

int64_t bf_job_unknowns(const bf_job *job)
{
  return (int64_t)(job->num->nrows - bf_numbering_phantoms(job->num)) * bf_model_ncomp(job->model);
}

void bf_job_rates(const bf_job *job, bf_rates *rates)
{
  if (job->be)
    bf_rates_of_backend(job->be, rates);
  else
    bf_rates_of_word(job->config.device.backend, rates);
}

int bf_job_on_device(const bf_job *job)
{
  bf_rates rates;
  if (job->be) return job->be->ops.on_device;
  bf_job_rates(job, &rates);
  return rates.on_device;
}

bf_err bf_job_backend(bf_job *job)
{
  const char  *why = "", *want = job->config.device.backend;
  char         text[128];
  const double t0 = bf_seconds();
  BF_TRY(bf_job_direct_backend(job, &want));
  if (bf_backend_create(want, &why, &job->be) != BF_OK) {
    bf_diag_add(&job->diags, BF_ERROR, 403, job->config.device.backend_where, "backend '%s': %s", want,
                bf_err_message());
    return BF_E_DEVICE;
  }
  bf_phase_add(&job->phases, "backend", bf_seconds() - t0, 0.0, 0.0);
  job->be->ops.describe(job->be, text, sizeof text);
  bf_log_line(&job->log, "backend   %s: %s (%s)", job->be->ops.name, text, why);
  return BF_OK;
}

bf_err bf_job_assemble(bf_job *job)
{
  const double t0 = bf_seconds();
  bf_job_phase(job, "assembly", 0.0);
  BF_TRY(bf_job_matrix(job, &job->A));
  BF_TRY(bf_vector_create(job->be, job->A->nrows, job->A->guard, &job->b));
  BF_TRY(bf_vector_create(job->be, job->A->nrows, job->A->guard, &job->x));
  BF_TRY(job->be->ops.sync(job->be));
  bf_phase_add(&job->phases, "matrix: create", bf_seconds() - t0, (double)bf_matrix_bytes(job->A), 0.0);
  if (job->be->ops.on_device && !bf_model_on_backend(job->model, job->be))
    bf_log_line(&job->log,
                "assembly  element matrices of gfem are computed on the host and copied to the device");
  if (job->cases)
    BF_TRY(bf_static_cases_assemble(job));
  else
    BF_TRY(bf_model_assemble(job->model, job->num, job->A, job->b, job->x, &job->phases));
  bf_job_table_warnings(job);
  BF_TRY(bf_job_matrix_format(job, &job->A));
  return bf_job_matrix_fp32(job);
}

void bf_job_close(bf_job *job)
{
  const bf_int guard = job->A ? job->A->guard : 0;
  bf_job_early_end(job);
  bf_job_warm_up_end(job);
  bf_job_cases_destroy(job);
  bf_job_waves_destroy(&job->waves);
  bf_solution_clear(&job->solution);
  bf_view_destroy(&job->view);
  bf_host_free(job->u);
  bf_solve_report_clear(&job->solve);
  bf_multigrid_parents_clear(&job->parents);
  bf_job_modes_clear(&job->modes);
  bf_job_flexibility_destroy(&job->flexibility);
  if (job->be) {
    bf_vector_destroy(job->be, guard, &job->x);
    bf_vector_destroy(job->be, guard, &job->b);
  }
  bf_matrix_destroy(&job->A_fast);
  bf_matrix_destroy(&job->A);
  bf_partition_destroy(&job->parts);
  bf_backend_destroy(&job->be);
  bf_bands_destroy(&job->plan.own_bands);
  bf_graph_destroy(&job->plan.own_rest);
  bf_numbering_destroy(&job->num);
  bf_setup_destroy(&job->setup);
  bf_model_destroy(&job->model);
  bf_job_sources_destroy(job);
  bf_mesh_destroy(&job->mesh);
  bf_host_free(job->resolved);
  bf_host_free(job->probe);
  bf_host_free(job->check);
  bf_run_config_clear(&job->config);
  bf_deck_destroy(&job->deck);
  bf_diags_clear(&job->diags);
}
