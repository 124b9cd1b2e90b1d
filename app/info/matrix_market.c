/* app/info/matrix_market.c - bandfem info A.mtx: contents of the file, symmetry, diagonal, numberings, table
 * of formats
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/cli/message.h"
#include "app/job.h"
#include "app/solve/mtx.h"

static bf_err show(bf_mtx_job *job)
{
  BF_TRY(bf_mtx_open(job));
  bf_mtx_show_matrix(job);
  BF_TRY(bf_mtx_plan(job));
  bf_mtx_show_plan(job);
  return bf_mtx_show_convergence(job);
}

int bf_info_mtx(const char *path, int json_errors)
{
  bf_mtx_job   job = {.log = {bf_console_line, NULL},
                      .opt = {.path       = path,
                              .components = 1,
                              .method     = BF_MTX_AUTO,
                              .format     = BF_MTX_AUTO,
                              .storage    = BF_MTX_AUTO,
                              .order      = BF_MTX_AUTO}};
  const bf_err err = show(&job);
  bf_say_diags(&job.diags, 0, json_errors);
  if (err != BF_OK && job.diags.errors == 0) bf_say(json_errors, "%s", bf_err_trace());
  bf_mtx_close(&job);
  return bf_exit_status(err);
}
