/* app/check.c - bandfem check: everything that can be told about a deck before solving; needs no GPU */
#include "app/options.h"
#include "app/say.h"
#include <stdio.h>

static bf_err steps(bf_job *job)
{
  BF_TRY(bf_job_open(job));
  BF_TRY(bf_job_number(job));
  BF_TRY(bf_job_plan(job));
  return BF_OK;
}

int bf_cmd_check(int argc, char **argv)
{
  bf_job    job  = {.log = {bf_console_line, NULL}};
  const int exit = bf_options(argc, argv, "check", &job);
  if (exit >= 0) return exit;
  const bf_err err = steps(&job);
  bf_say_diags(&job.diags, 0, job.json_errors);
  if (err == BF_OK)
    bf_log_line(&job.log, "check     %s can be run (%d warnings)", job.deck_path, job.diags.warnings);
  else if (job.diags.errors == 0)
    bf_say(job.json_errors, "%s", bf_err_trace());
  bf_job_close(&job);
  return bf_exit_status(err);
}
