/* app/check/check.c - bandfem check: checks a deck without solving; writes setup.vtk and setup_sides.vtk;
 * needs no GPU */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/analysis.h"
#include "app/cli/message.h"
#include "app/cli/options.h"
#include <stdio.h>

/* setup.vtk also shows the known parts of a model with errors. */
static bf_err steps(bf_job *job)
{
  const bf_err err = bf_job_open(job);
  if (bf_job_setup_known(job)) {
    const bf_err shown = bf_job_setup(job);
    bf_job_summary(job);
    if (shown == BF_OK)
      bf_log_line(&job->log,
                  "picture   %s/setup.vtk (body) and setup_sides.vtk show materials, conditions and loads",
                  job->dir);
    if (err == BF_OK) BF_TRY(shown);
  }
  BF_TRY(err);
  BF_TRY(bf_diags_status(&job->diags));
  return bf_job_steps(job, job->analysis->check);
}

int bf_cmd_check(int argc, char **argv)
{
  bf_job    job  = {.log = {bf_console_line, NULL}, .draft = 1};
  const int exit = bf_options(argc, argv, "check", &job);
  if (exit >= 0) return exit;
  const bf_err err = steps(&job);
  bf_say_diags(&job.diags, 0, job.json_errors);
  if (err == BF_OK)
    bf_log_line(&job.log, "check     %s: OK, %d warnings", job.deck_path, job.diags.warnings);
  else if (job.diags.errors == 0)
    bf_say(job.json_errors, "%s", bf_err_trace());
  bf_job_close(&job);
  return bf_exit_status(err);
}
