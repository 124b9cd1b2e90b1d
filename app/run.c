/* app/run.c - bandfem run: the main job from the deck to the files */
#include "app/job_waves.h"
#include "app/options.h"
#include "app/say.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

/* analysis: dispersion */
static bf_err until_waves(bf_job *job)
{
  BF_TRY(bf_job_waves_begin(job));
  BF_TRY(bf_job_backend(job));
  BF_TRY(bf_job_folder(job));
  BF_TRY(bf_job_waves_cell(job));
  BF_TRY(bf_job_waves_solve(job));
  return BF_OK;
}

static bf_err until_solved(bf_job *job)
{
  BF_TRY(bf_job_open(job));
  if (job->problem.analysis == BF_DISPERSION) return until_waves(job);
  BF_TRY(bf_job_number(job));
  BF_TRY(bf_job_backend(job));
  BF_TRY(bf_job_plan(job));
  BF_TRY(bf_job_fits(job, job->be));
  BF_TRY(bf_job_folder(job));
  BF_TRY(bf_job_assemble(job));
  BF_TRY(bf_job_parts(job));
  BF_TRY(bf_job_solve(job));
  return BF_OK;
}

/* A probe or check without a value does not cost the results: they are written all the same. */
static bf_err after_solve(bf_job *job)
{
  if (job->waves) {
    BF_TRY(bf_job_waves_shapes(job));
  } else {
    BF_TRY(bf_job_measure(job));
    BF_TRY(bf_job_recover(job));
  }
  const bf_err examined = bf_job_examine(job);
  if (examined != BF_OK && examined != BF_E_INPUT) return examined;
  BF_TRY(bf_job_write(job));
  return examined;
}

static void closing_words(const bf_job *job, double seconds)
{
  const bf_item  *formats = bf_item_get(bf_deck_root(job->deck), "output.formats");
  bf_result_store store;
  bf_result       r;
  if (!job->log.line) return;
  bf_job_result(job, &store, &r);
  bf_table_print(&r, job->log.line, job->log.context);
  char pictures[64] = "";
  for (int i = 0; i < bf_item_count(formats) && i < 2; i++) {
    const size_t at  = strlen(pictures);
    const int    vtk = bf_item_is(bf_item_at(formats, i), "vtk");
    snprintf(pictures + at, sizeof pictures - at, "%s, ",
             !vtk      ? "case.hdf"
             : r.steps ? "case.vtk.series"
                       : "case.vtk");
  }
  const int csv = bf_item_true(bf_item_get(bf_deck_root(job->deck), "output.csv"));
  bf_log_line(&job->log, "files     %s/: %sdeck.resolved.yaml, report.json%s%s", job->dir, pictures,
              r.history ? ", residuals.csv" : "",
              !csv           ? ""
              : r.dispersion ? ", bands.csv, checks.csv"
                             : ", probes.csv, reactions.csv, checks.csv");
  bf_log_line(&job->log, "run       %.3f s in all", seconds);
}

int bf_cmd_run(int argc, char **argv)
{
  bf_job job  = {.log = {bf_console_line, NULL}};
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
  const bf_item *on_failure = job.deck ? bf_item_get(bf_deck_root(job.deck), "solver.on_failure") : NULL;
  if (err != BF_OK && job.diags.errors == 0) bf_say(job.json_errors, "%s", bf_err_trace());
  exit = bf_exit_status(err);
  if (err == BF_OK && job.solve.reason != BF_KRYLOV_CONVERGED) {
    const int warn = bf_item_is(on_failure, "warn");
    shown          = job.diags.count;
    if (job.solve.reason == BF_KRYLOV_SINGULAR) bf_job_singular(&job, warn ? BF_WARNING : BF_ERROR);
    bf_diag_add(&job.diags, warn ? BF_WARNING : BF_ERROR, 501, (bf_where){.file = job.deck_path}, "%s",
                job.solve.text);
    bf_say_diags(&job.diags, shown, job.json_errors);
    if (!warn) exit = BF_EXIT_NOT_CONVERGED;
  }
  if (exit == BF_EXIT_OK && job.checks_failed) exit = BF_EXIT_CHECK;
  bf_job_close(&job);
  return exit;
}
