/* app/run/run.c - bandfem run: from the deck to the result files */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/analysis.h"
#include "app/cli/message.h"
#include "app/cli/options.h"
#include "app/run/sweep.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const bf_analysis_ops *bf_analysis_of(bf_analysis analysis)
{
  static const bf_analysis_ops *const table[] = {[BF_STATIC]     = &bf_static_analysis,
                                                 [BF_MODAL]      = &bf_modal_analysis,
                                                 [BF_DISPERSION] = &bf_dispersion_analysis};
  return table[analysis];
}

bf_err bf_job_steps(bf_job *job, const bf_step *steps)
{
  for (; *steps; steps++) BF_TRY((*steps)(job));
  return BF_OK;
}

void bf_job_phase(bf_job *job, const char *text, double expected)
{
  job->phases.work = 0.0;
  bf_console_phase(job->console, text, expected);
}

static bf_err until_solved(bf_job *job)
{
  BF_TRY(bf_job_open(job));
  bf_brief_model(job);
  return bf_job_steps(job, job->analysis->solve);
}

/* The results are written even if a probe or check has no value. */
static bf_err after_solve(bf_job *job)
{
  bf_job_phase(job, "fields", 0.0);
  BF_TRY(bf_job_steps(job, job->analysis->recover));
  const bf_err examined = bf_job_evaluate_checks(job);
  if (examined != BF_OK && examined != BF_E_INPUT) return examined;
  BF_TRY(bf_job_write(job));
  bf_job_phase(job, NULL, 0.0);
  return examined;
}

/* The names of the written files. */
static void log_files(const bf_job *job, const bf_result *r)
{
  const bf_output_config *output       = &job->config.output;
  char                    pictures[64] = "", tables[80] = "";
  for (int i = 0; i < output->nformats; i++) {
    const size_t at = strlen(pictures);
    snprintf(pictures + at, sizeof pictures - at, "%s, ",
             output->format[i] == BF_FILE_VTKHDF ? "case.hdf"
             : r->steps                          ? "case.vtk.series"
                                                 : "case.vtk");
  }
  for (const bf_table_file *t = job->analysis->table; output->csv && t->name; t++) {
    const size_t at = strlen(tables);
    snprintf(tables + at, sizeof tables - at, ", %s", t->name);
  }
  bf_log_line(&job->brief, "files     %s/: %s%sdeck.resolved.yaml, %sreport.json%s%s%s%s", job->dir, pictures,
              output->nformats > 0 ? "view.py, " : "", output->report ? "report.html, " : "",
              r->history ? ", residuals.csv" : "", tables, output->csv ? ", checks.csv" : "",
              r->flexibility ? ", flexibility.mtx, flexibility.csv" : "");
}

/* The end of the log: the results, with --verbose after the table of the run. */
static bf_err log_result(const bf_job *job, double seconds)
{
  bf_err          err   = BF_OK;
  bf_result_store store = {0};
  bf_result       r;
  if (!job->brief.line) return BF_OK;
  BF_GO(bf_job_result(job, &store, &r));
  if (job->verbose) {
    bf_table_print(&r, job->log.line, job->log.context);
    bf_table_peaks(&r, job->log.line, job->log.context);
    log_files(job, &r);
    bf_log_line(&job->log, "run       %.3f s in total", seconds);
  } else {
    bf_table_brief(&r, job->brief.line, job->brief.context);
    log_files(job, &r);
    bf_log_line(&job->brief, "verdict   %s, %.3g s", r.verdict, seconds);
  }
done:
  bf_result_store_clear(&store);
  return err;
}

static void open_console(bf_job *job)
{
  if (!job->brief.line) return;
  job->console         = bf_console_open(1, job->verbose);
  job->brief.context   = job->console;
  job->log             = job->verbose ? job->brief : (bf_log){0};
  job->phases.progress = job->console ? bf_console_share : NULL;
  job->phases.context  = job->console;
}

/* A run with its messages; sweep: NULL, or where its results go.  Returns the exit status. */
static int run_one(bf_job *job, void *sweep, int number)
{
  open_console(job);
  const double start = bf_seconds() - job->deck_seconds;
  bf_err       err   = until_solved(job);
  int          shown = 0;
  bf_console_erase(job->console);
  bf_say_diags(&job->diags, 0, job->json_errors);
  shown = job->diags.count;
  if (err == BF_OK) err = after_solve(job);
  bf_console_close(&job->console);
  job->log.context = job->brief.context = job->phases.context = NULL;
  job->phases.progress                                        = NULL;
  bf_say_diags(&job->diags, shown, job->json_errors);
  if (err == BF_OK) err = log_result(job, bf_seconds() - start);
  if (err != BF_OK && job->diags.errors == 0) bf_say(job->json_errors, "%s", bf_err_trace());
  int exit = bf_exit_status(err);
  if (err == BF_OK) {
    shown = job->diags.count;
    if (job->analysis->unsolved(job)) exit = BF_EXIT_NOT_CONVERGED;
    bf_say_diags(&job->diags, shown, job->json_errors);
  }
  if (exit == BF_EXIT_OK && job->checks_failed) exit = BF_EXIT_CHECK;
  if (err == BF_OK && job->interrupted) exit = 128 + job->interrupted;
  if (sweep) bf_sweep_take(sweep, number, job, bf_seconds() - start);
  bf_job_close(job);
  return exit;
}

int bf_cmd_run(int argc, char **argv)
{
  bf_job job  = {.brief = {bf_console_line, NULL}, .warms_up = 1, .replaces = 1};
  int    exit = bf_options(argc, argv, "run", &job);
  if (exit >= 0) return exit;
  const bf_job of =
      job; /* of the runs of a sweep, each of which reads the deck again: a pipe allows it once */
  struct stat st;
  if (bf_job_read_deck(&job) != BF_OK || bf_deck_runs(job.deck) == 1 || stat(job.deck_path, &st) != 0 ||
      !S_ISREG(st.st_mode))
    return run_one(&job, NULL, 0);
  const char  *dir = job.out_dir ? job.out_dir : bf_config_output_dir(job.deck);
  const bf_err err = bf_sweep_run(&of, job.deck, dir, run_one, &exit);
  if (err != BF_OK) bf_say(job.json_errors, "%s", bf_err_trace());
  if (err != BF_OK) exit = bf_exit_status(err);
  bf_job_close(&job);
  return exit;
}
