/* app/solve/solve.c - bandfem solve A.mtx: from the file of the matrix to that of the solution */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/cli/interrupt.h"
#include "app/cli/message.h"
#include "app/cli/output_file.h"
#include "app/job.h"
#include "app/run/static/advice.h"
#include "app/solve/mtx.h"
#include "base/memory.h"
#include "outputs/matrix/mtx_vector.h"
#include "outputs/result.h"
#include <math.h>
#include <stdio.h>

void bf_mtx_close(bf_mtx_job *job)
{
  const bf_int guard = job->A ? job->A->guard : 0;
  bf_solve_report_clear(&job->solve);
  bf_host_free(job->host);
  bf_host_free(job->x_node);
  if (job->be) {
    bf_vector_destroy(job->be, guard, &job->x);
    bf_vector_destroy(job->be, guard, &job->b);
  }
  bf_partition_destroy(&job->parts);
  bf_matrix_destroy(&job->A_fast);
  bf_matrix_destroy(&job->A);
  bf_backend_destroy(&job->be);
  for (int k = 0; k < BF_MTX_NUMBERINGS; k++) {
    if (job->numbering[k].S != job->S) bf_sparse_destroy(&job->numbering[k].S);
    bf_host_free(job->numbering[k].order);
    bf_bands_destroy(&job->numbering[k].bands);
  }
  bf_sparse_destroy(&job->S);
  bf_diags_clear(&job->diags);
}

/* The row of the smallest pivot, in the order of the file. */
static void describe_pivot(const bf_mtx_job *job, char *text, size_t size)
{
  const bf_int *order = job->numbering[job->candidates.item[job->chosen].layout].order;
  const bf_int  row   = job->solve.unknown;
  if (row < 0) return;
  snprintf(
      text, size,
      job->solve.reason == BF_KRYLOV_SINGULAR
          ? "; the pivot of row %d is zero"
          : "; the smallest pivot is that of row %d; possible causes: dependent rows, very different entries",
      (order ? order[row] : row) + 1);
}

static bf_err write_solution(bf_mtx_job *job, int converged)
{
  char comment[600];
  if (!job->opt.out) return BF_OK;
  for (bf_int i = 0; i < job->S->nrows; i++)
    if (!isfinite(job->host[i])) {
      bf_diag_add(&job->diags, BF_WARNING, 601, (bf_where){0},
                  "'%s' is not written: the solution is not finite", job->opt.out);
      return BF_OK;
    }
  const bf_solve_report *s = &job->solve;
  snprintf(
      comment, sizeof comment,
      "%s%s: true residual %.3g after %d iterations, target %.3g\nsolution x of A x = b, A = %.200s, b = "
      "%.200s",
      converged ? "" : "NOT CONVERGED: ",
      s->to_rounding ? "converged to rounding" : bf_reason_name(s->reason), fabs(s->true_residual),
      s->iterations, job->opt.rtol, job->opt.path, job->opt.rhs ? job->opt.rhs : "A * ones");
  return bf_write_mtx_vector(job->opt.out, comment, job->S->nrows, job->host);
}

static bf_err write_history(const bf_mtx_job *job)
{
  const bf_solve_report *s = &job->solve;
  const bf_history       h = {
            .n = s->nhistory, .residual = s->history, .true_residual = s->true_history, .seconds = s->time_history};
  if (!job->opt.csv) return BF_OK;
  return bf_write_residuals(&(bf_result){.history = &h}, job->opt.csv);
}

static void show_files(const bf_mtx_job *job)
{
  const char *const name[] = {job->opt.out, job->opt.csv, job->opt.json};
  const char       *before = "files     ";
  char              text[700];
  size_t            n = 0;
  for (int k = 0; k < 3; k++) {
    if (!name[k] || n >= sizeof text) continue;
    n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", before, name[k]);
    before = ", ";
  }
  if (n > 0) bf_log_line(&job->log, "%s", text);
}

/* A file that cannot be written is an error; the other one of solution and residuals is still written, the
 * report only if both were. */
static bf_err write_files(bf_mtx_job *job)
{
  bf_interrupt_hold("interrupted: finishing the files");
  const bf_err out = write_solution(job, job->solve.reason == BF_KRYLOV_CONVERGED);
  if (out == BF_E_FILE) bf_diag_add(&job->diags, BF_ERROR, 601, (bf_where){0}, "%s", bf_err_message());
  const bf_err csv = write_history(job);
  if (csv == BF_E_FILE) bf_diag_add(&job->diags, BF_ERROR, 601, (bf_where){0}, "%s", bf_err_message());
  const bf_err json = out == BF_OK && csv == BF_OK && job->opt.json ? bf_mtx_write_json(job) : BF_OK;
  bf_interrupt_settle();
  if (json == BF_E_FILE) bf_diag_add(&job->diags, BF_ERROR, 601, (bf_where){0}, "%s", bf_err_message());
  BF_TRY(out);
  BF_TRY(csv);
  BF_TRY(json);
  show_files(job);
  return BF_OK;
}

/* Files of an earlier solve are removed before this one. */
static bf_err remove_old(bf_mtx_job *job, const char *path)
{
  const char *input[] = {job->opt.path, job->opt.rhs, job->opt.coordinates};
  return bf_output_remove(&job->diags, path, input, 3, "solve");
}

static bf_err until_solved(bf_mtx_job *job)
{
  BF_TRY(bf_output_try(&job->diags, job->opt.out));
  BF_TRY(bf_output_try(&job->diags, job->opt.csv));
  BF_TRY(bf_output_try(&job->diags, job->opt.json));
  BF_TRY(bf_mtx_open(job));
  bf_mtx_show_matrix(job);
  BF_TRY(bf_mtx_check_components(job));
  BF_TRY(bf_mtx_can_invert(job));
  BF_TRY(bf_mtx_plan(job));
  bf_mtx_show_plan(job);
  BF_TRY(remove_old(job, job->opt.out));
  BF_TRY(remove_old(job, job->opt.csv));
  BF_TRY(remove_old(job, job->opt.json));
  return bf_mtx_solve(job);
}

static bf_err direct_cost(const bf_mtx_job *job, bf_direct_cost *cost)
{
  bf_graph *g = NULL;
  BF_TRY(bf_sparse_graph(job->S, 1, &g));
  const bf_err err = bf_direct_forecast(g, 1, bf_statistics_symmetric(&job->statistics), cost);
  bf_graph_destroy(&g);
  return err;
}

/* E501 */
static bf_err report_failure(bf_mtx_job *job)
{
  char                   text[320] = "";
  const bf_solve_report *s         = &job->solve;
  bf_advice              a         = {.report      = s,
                                      .method      = job->method,
                                      .precond     = (bf_precond)job->opt.precond,
                                      .symmetric   = bf_statistics_nearly_symmetric(&job->statistics),
                                      .limit_given = job->opt.max_iterations != BF_ITERATIONS_AUTO,
                                      .options     = 1,
                                      .direct.band = -1,
                                      .available   = bf_memory_available()};
  if (bf_advice_direct(s, job->method)) BF_TRY(direct_cost(job, &a.direct));
  bf_advice_text(&a, text, sizeof text);
  describe_pivot(job, text, sizeof text);
  bf_diag_add(&job->diags, BF_ERROR, 501, (bf_where){.file = job->opt.path}, "%s%s", s->text, text);
  return BF_OK;
}

int bf_cmd_solve(int argc, char **argv)
{
  bf_mtx_job job  = {.log = {bf_console_line, NULL}};
  int        exit = bf_mtx_read_options(argc, argv, &job.opt);
  if (exit >= 0) return exit;
  if (job.opt.quiet) job.log = (bf_log){0};
  const double start  = bf_seconds();
  bf_err       err    = until_solved(&job);
  const int    solved = err == BF_OK;
  if (solved) err = write_files(&job);
  if (err == BF_OK && job.solve.reason != BF_KRYLOV_CONVERGED) err = report_failure(&job);
  bf_say_diags(&job.diags, 0, job.opt.json_errors);
  if (err != BF_OK && job.diags.errors == 0) bf_say(job.opt.json_errors, "%s", bf_err_trace());
  if (solved && job.log.line) {
    bf_table_print(&(bf_result){.phases = &job.phases, .converged = 1}, job.log.line, job.log.context);
    bf_log_line(&job.log, "run       %.3f s in total", bf_seconds() - start);
  }
  exit = bf_exit_status(err);
  if (exit == BF_EXIT_OK && solved && job.solve.reason != BF_KRYLOV_CONVERGED) exit = BF_EXIT_NOT_CONVERGED;
  if (err == BF_OK && job.interrupted) exit = 128 + job.interrupted;
  bf_mtx_close(&job);
  return exit;
}
