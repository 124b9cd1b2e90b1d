/* app/inverse/inverse.c - bandfem inverse A.mtx: from the file of a symmetric matrix to that of its inverse
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/inverse/inverse.h"
#include "app/cli/interrupt.h"
#include "app/cli/message.h"
#include "app/cli/output_file.h"
#include "app/job.h"
#include "base/memory.h"
#include "outputs/matrix/mtx_symmetric.h"
#include "outputs/result.h"
#include <math.h>
#include <stdio.h>

static void close_job(bf_inverse_job *job)
{
  bf_mtx_destroy(&job->M);
  bf_host_free(job->A);
  bf_host_free(job->X);
  bf_backend_destroy(&job->be);
  bf_diags_clear(&job->diags);
}

static bf_err open_backend(bf_inverse_job *job)
{
  const char  *why = "", *want = job->opt.backend ? job->opt.backend : "auto";
  const double t0 = bf_seconds();
  if (bf_backend_create(want, &why, &job->be) != BF_OK) {
    bf_diag_add(&job->diags, BF_ERROR, 403, (bf_where){0}, "backend '%s': %s", want, bf_err_message());
    return BF_E_DEVICE;
  }
  bf_phase_add(&job->phases, "backend", bf_seconds() - t0, 0.0, 0.0);
  job->be->ops.describe(job->be, job->device, sizeof job->device);
  bf_log_line(&job->log, "backend   %s: %s (%s)", job->be->ops.name, job->device, why);
  return BF_OK;
}

/* E507 where there is no inverse, W508 where it is inaccurate. */
static void judge(bf_inverse_job *job)
{
  const bf_inverse_report *r    = &job->report;
  const bf_where           file = {.file = job->opt.path};
  if (r->syinv.info > job->n)
    bf_diag_add(&job->diags, BF_ERROR, 507, file,
                "the inverse is not finite: entries of the matrix are too small or too large for %s",
                job->opt.type == BF_S ? "fp32; use --precision fp64" : "fp64");
  else if (r->syinv.info > 0)
    bf_diag_add(
        &job->diags, BF_ERROR, 507, file,
        "the matrix is singular: the leading block of order %d is the first that is singular (%s path)",
        (int)r->syinv.info, bf_inverse_path(r->syinv.path));
  else if (!(r->rho < 1.0))
    bf_diag_add(
        &job->diags, BF_WARNING, 508, file,
        "the matrix is ill-conditioned: condition %.2g, ||A X - I||_1 may be %.2g; the inverse may have "
        "no correct digit%s",
        r->syinv.condition, r->rho, job->opt.type == BF_S ? "; use --precision fp64" : "");
}

static bf_err invert(bf_inverse_job *job)
{
  const double n = job->n;
  BF_TRY(BF_NEW_ARRAY(job->X, (size_t)job->n * (size_t)job->n));
  BF_TRY(bf_inverse(job->be, job->opt.type, job->n, job->A, job->X, &job->report));
  bf_phase_add(&job->phases, "inverse", job->report.seconds, 0.0, n * n * n);
  if (job->report.syinv.info == 0)
    bf_phase_add(&job->phases, "inverse: residual", job->report.check_seconds, 0.0, 2.0 * n * n * n);
  bf_inverse_show(job);
  judge(job);
  return BF_OK;
}

static bf_err until_inverted(bf_inverse_job *job)
{
  const char *const input[] = {job->opt.path};
  const int         fp32    = job->opt.type == BF_S;
  const bf_where    file    = {.file = job->opt.path};
  BF_TRY(bf_output_try(&job->diags, job->opt.out));
  BF_TRY(bf_output_try(&job->diags, job->opt.json));
  BF_TRY(bf_inverse_read(job));
  BF_TRY(open_backend(job));
  BF_TRY(bf_inverse_memory_check(job->be, job->n, fp32, job->opt.memory_limit, file, &job->log, &job->diags,
                                 &job->memory));
  BF_TRY(bf_inverse_dense(job));
  BF_TRY(bf_output_remove(&job->diags, job->opt.out, input, 1, "inverse"));
  BF_TRY(bf_output_remove(&job->diags, job->opt.json, input, 1, "inverse"));
  return invert(job);
}

static bf_err write_inverse(const bf_inverse_job *job)
{
  const bf_inverse_report *r = &job->report;
  char                     comment[500];
  if (!job->opt.out || r->syinv.info != 0) return BF_OK;
  snprintf(comment, sizeof comment,
           "inverse of %.200s, %s, %s path\ncondition %.3g, residual %.3g, error at most %.3g relative in "
           "the 1-norm",
           job->opt.path, job->opt.type == BF_S ? "fp32" : "fp64", bf_inverse_path(r->syinv.path),
           r->syinv.condition, r->residual, r->bound);
  return bf_write_mtx_symmetric(job->opt.out, comment, job->n, job->X);
}

static bf_err told(bf_inverse_job *job, bf_err err)
{
  if (err == BF_E_FILE) bf_diag_add(&job->diags, BF_ERROR, 601, (bf_where){0}, "%s", bf_err_message());
  return err;
}

/* The report is written last: it is there only beside an inverse that is complete. */
static bf_err write_files(bf_inverse_job *job)
{
  const double t0 = bf_seconds();
  bf_interrupt_hold("interrupted: finishing the files");
  bf_err err = told(job, write_inverse(job));
  if (err == BF_OK && job->opt.json) err = told(job, bf_inverse_write_json(job));
  bf_interrupt_settle();
  BF_TRY(err);
  bf_phase_add(&job->phases, "write", bf_seconds() - t0, 0.0, 0.0);
  const char *made = job->report.syinv.info == 0 ? job->opt.out : NULL;
  if (made || job->opt.json)
    bf_log_line(&job->log, "files     %s%s%s", made ? made : "", made && job->opt.json ? ", " : "",
                job->opt.json ? job->opt.json : "");
  return BF_OK;
}

int bf_cmd_inverse(int argc, char **argv)
{
  bf_inverse_job job  = {.log = {bf_console_line, NULL}};
  int            exit = bf_inverse_read_options(argc, argv, &job.opt);
  if (exit >= 0) return exit;
  if (job.opt.quiet) job.log = (bf_log){0};
  const double start = bf_seconds();
  bf_err       err   = until_inverted(&job);
  const int    made  = err == BF_OK;
  if (made) err = write_files(&job);
  bf_say_diags(&job.diags, 0, job.opt.json_errors);
  if (err != BF_OK && (job.diags.errors == 0 || job.diags.count == 0))
    bf_say(job.opt.json_errors, "%s", bf_err_trace());
  if (made && job.log.line) {
    bf_table_print(&(bf_result){.phases = &job.phases, .converged = 1}, job.log.line, job.log.context);
    bf_log_line(&job.log, "run       %.3f s in total", bf_seconds() - start);
  }
  exit = bf_exit_status(err);
  if (exit == BF_EXIT_OK && job.report.syinv.info != 0) exit = BF_EXIT_NOT_CONVERGED;
  close_job(&job);
  return exit;
}
