/* app/run/run.c - bandfem run: the main job from the deck to the files */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/cli/message.h"
#include "app/cli/options.h"
#include "app/run/dispersion/dispersion.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef bf_err (*step)(bf_job *job);

/* An analysis: its steps until there is a solution, once deck, mesh and model are open; from it to the
 * fields; and what is said where it did not converge, 1: exit status 5. */
typedef struct course {
  step solve[10], recover[4];
  int (*unsolved)(bf_job *job);
} course;

static bf_err fits(bf_job *job)
{
  return bf_job_fits(job, job->be);
}

/* E505 and E506 were said where they were met. */
static int waves_unsolved(bf_job *job)
{
  return job->waves->failed;
}

static const course courses[] = {
    [BF_STATIC]     = {{bf_job_number, bf_job_backend, bf_job_plan, fits, bf_job_folder, bf_job_assemble,
                        bf_job_parts, bf_job_solve},
                       {bf_job_recover},
                       bf_job_unsolved},
    [BF_MODAL]      = {{bf_job_number, bf_job_backend, bf_job_plan, fits, bf_job_folder, bf_job_assemble,
                        bf_job_parts, bf_job_mass, bf_job_find_modes},
                       {bf_job_recover_modes},
                       bf_job_modes_unsolved},
    [BF_DISPERSION] = {
        {bf_job_waves_begin, bf_job_backend, bf_job_folder, bf_job_waves_cell, bf_job_waves_solve},
        {bf_job_waves_shapes},
        waves_unsolved}};

static bf_err go(bf_job *job, const step *steps)
{
  for (; *steps; steps++) BF_TRY((*steps)(job));
  return BF_OK;
}

static bf_err until_solved(bf_job *job)
{
  BF_TRY(bf_job_open(job));
  return go(job, courses[job->problem.analysis].solve);
}

/* A probe or check without a value does not cost the results: they are written all the same. */
static bf_err after_solve(bf_job *job)
{
  BF_TRY(go(job, courses[job->problem.analysis].recover));
  const bf_err examined = bf_job_examine(job);
  if (examined != BF_OK && examined != BF_E_INPUT) return examined;
  BF_TRY(bf_job_write(job));
  return examined;
}

static void closing_words(const bf_job *job, double seconds)
{
  const bf_output_config *output = &job->config.output;
  bf_result_store         store;
  bf_result               r;
  if (!job->log.line) return;
  bf_job_result(job, &store, &r);
  bf_table_print(&r, job->log.line, job->log.context);
  char pictures[64] = "";
  for (int i = 0; i < output->nformats; i++) {
    const size_t at = strlen(pictures);
    snprintf(pictures + at, sizeof pictures - at, "%s, ",
             output->format[i] == BF_FILE_VTKHDF ? "case.hdf"
             : r.steps                           ? "case.vtk.series"
                                                 : "case.vtk");
  }
  bf_log_line(&job->log, "files     %s/: %sdeck.resolved.yaml, report.json%s%s", job->dir, pictures,
              r.history ? ", residuals.csv" : "",
              !output->csv   ? ""
              : r.dispersion ? ", bands.csv, checks.csv"
              : r.modes      ? ", modes.csv, checks.csv"
                             : ", probes.csv, reactions.csv, checks.csv");
  bf_log_line(&job->log, "run       %.3f s in all", seconds);
}

int bf_cmd_run(int argc, char **argv)
{
  bf_job job  = {.log = {bf_console_line, NULL}, .replaces = 1};
  int    exit = bf_options(argc, argv, "run", &job);
  if (exit >= 0) return exit;
  const double start = bf_seconds();
  bf_err       err   = until_solved(&job);
  int          shown = 0;
  bf_say_diags(&job.diags, 0, job.json_errors);
  shown = job.diags.count;
  if (err == BF_OK) err = after_solve(&job);
  bf_say_diags(&job.diags, shown, job.json_errors);
  if (err == BF_OK) closing_words(&job, bf_seconds() - start);
  if (err != BF_OK && job.diags.errors == 0) bf_say(job.json_errors, "%s", bf_err_trace());
  exit = bf_exit_status(err);
  if (err == BF_OK) {
    shown = job.diags.count;
    if (courses[job.problem.analysis].unsolved(&job)) exit = BF_EXIT_NOT_CONVERGED;
    bf_say_diags(&job.diags, shown, job.json_errors);
  }
  if (exit == BF_EXIT_OK && job.checks_failed) exit = BF_EXIT_CHECK;
  if (err == BF_OK && job.interrupted) exit = 128 + job.interrupted;
  bf_job_close(&job);
  return exit;
}
