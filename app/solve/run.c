/* app/solve/run.c - creates the matrix on the backend, solves, and returns the solution in the order of the
 * file
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/cli/interrupt.h"
#include "app/job.h"
#include "app/precond/multigrid.h"
#include "app/solve/mtx.h"
#include "base/memory.h"
#include "kernels/precond/block_jacobi.h"
#include "kernels/precond/coupling_graph.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bf_err open_backend(bf_mtx_job *job)
{
  const char  *why = "", *want = job->opt.backend ? job->opt.backend : "auto";
  char         text[128];
  const double t0     = bf_seconds();
  const int    direct = job->opt.method == BF_METHOD_DIRECT;
  if (direct && strcmp(want, "cuda") == 0) {
    bf_diag_add(&job->diags, BF_ERROR, 404, (bf_where){0},
                "--method direct runs on the CPU only; use --backend cpu or auto, or an iterative method");
    return BF_E_DEVICE;
  }
  if (direct) want = "cpu";
  if (bf_backend_create(want, &why, &job->be) != BF_OK) {
    bf_diag_add(&job->diags, BF_ERROR, 403, (bf_where){0}, "backend '%s': %s", want, bf_err_message());
    return BF_E_DEVICE;
  }
  bf_phase_add(&job->phases, "backend", bf_seconds() - t0, 0.0, 0.0);
  job->be->ops.describe(job->be, text, sizeof text);
  bf_log_line(&job->log, "backend   %s: %s (%s)", job->be->ops.name, text, why);
  return BF_OK;
}

static bf_err make_matrix(bf_mtx_job *job)
{
  const bf_candidate  *c    = &job->candidates.item[job->chosen];
  const bf_matrix_form form = {
      .format = c->format, .half = c->half, .prec = BF_FP64, .ncomp = job->opt.components};
  const double t0  = bf_seconds();
  bf_err       err = bf_matrix_from_sparse(job->be, job->numbering[c->layout].S, &form, &job->A);
  if (err == BF_OK && job->opt.prec == BF_FP32) err = bf_matrix_to_fp32(job->A, &job->A_fast);
  if (err == BF_OK) err = bf_vector_create(job->be, job->A->nrows, job->A->guard, &job->b);
  if (err == BF_OK) err = bf_vector_create(job->be, job->A->nrows, job->A->guard, &job->x);
  if (err == BF_E_MEMORY)
    bf_diag_add(&job->diags, BF_ERROR, 401, (bf_where){.file = job->opt.path}, "%s", bf_err_message());
  BF_TRY(err);
  bf_phase_add(&job->phases, "matrix: create", bf_seconds() - t0, (double)bf_matrix_bytes(job->A), 0.0);
  return BF_OK;
}

/* CG if the matrix can be positive definite. */
static bf_err choose_method(bf_mtx_job *job)
{
  const bf_statistics *v         = &job->statistics;
  const int            symmetric = bf_statistics_nearly_symmetric(v);
  if (job->opt.method == BF_METHOD_CG && !symmetric) {
    bf_diag_add(
        &job->diags, BF_ERROR, 226, (bf_where){.file = job->opt.path},
        "method cg: the matrix is not symmetric (%lld pair%s of entries that differ); use --method bicgstab",
        (long long)v->unequal, v->unequal == 1 ? "" : "s");
    return BF_FAIL(BF_E_MODEL, "cg on a matrix that is not symmetric");
  }
  job->method = job->opt.method != BF_MTX_AUTO              ? (bf_method)job->opt.method
                : symmetric && v->positive == job->S->nrows ? BF_METHOD_CG
                                                            : BF_METHOD_BICGSTAB;
  return BF_OK;
}

/* host[] in the order of the file <-> backend vector in the chosen one. */
static bf_err put(bf_mtx_job *job, double *v)
{
  bf_err        err   = BF_OK;
  const bf_int *order = job->numbering[job->candidates.item[job->chosen].layout].order;
  const size_t  n     = (size_t)job->A->nrows;
  double       *moved = NULL;
  BF_GO(BF_NEW_ARRAY(moved, n));
  for (size_t k = 0; k < n; k++) moved[k] = job->host[order ? (size_t)order[k] : k];
  BF_GO(job->be->ops.copy(job->be, v, moved, n * sizeof *v, BF_TO_DEVICE));
  BF_GO(job->be->ops.sync(job->be));
done:
  bf_host_free(moved);
  return err;
}

static bf_err get(bf_mtx_job *job, const double *v)
{
  bf_err        err   = BF_OK;
  const bf_int *order = job->numbering[job->candidates.item[job->chosen].layout].order;
  const size_t  n     = (size_t)job->A->nrows;
  double       *moved = NULL;
  BF_GO(BF_NEW_ARRAY(moved, n));
  BF_GO(job->be->ops.copy(job->be, moved, v, n * sizeof *v, BF_TO_HOST));
  for (size_t k = 0; k < n; k++) job->host[order ? (size_t)order[k] : k] = moved[k];
done:
  bf_host_free(moved);
  return err;
}

/* Factors and inverses have no iterations. */
static int closed(const bf_mtx_job *job)
{
  return job->method == BF_METHOD_DIRECT || job->method == BF_METHOD_INVERSE;
}

/* Time per iteration, and bytes of the products, without the set-up. */
static void show_rate(const bf_mtx_job *job)
{
  const bf_solve_report *s        = &job->solve;
  const int              products = job->method == BF_METHOD_CG ? 1 : 2;
  const double           bytes    = (double)bf_matrix_product_bytes(job->A_fast ? job->A_fast : job->A);
  if (closed(job) || s->iterations == 0 || !(s->seconds > 0.0)) return;
  bf_log_line(&job->log, "          %.3g ms per iteration, products alone %.3g GB/s",
              1e3 * s->seconds / s->iterations, 1e-9 * products * bytes * s->iterations / s->seconds);
}

/* The parts of the graph of the renumbered matrix. */
static bf_err make_parts(bf_mtx_job *job)
{
  bf_err                err      = BF_OK;
  bf_graph             *g        = NULL;
  float                *coupling = NULL;
  const bf_mtx_options *o        = &job->opt;
  const bf_sparse      *S        = job->numbering[job->candidates.item[job->chosen].layout].S;
  const double          t0       = bf_seconds();
  if (closed(job) || o->precond != BF_PRECOND_BLOCK_JACOBI) return BF_OK;
  const bf_int count = S->nrows / o->block_size + (S->nrows % o->block_size > 0);
  BF_GO(bf_sparse_graph(S, 1, &g));
  if (!o->metis) {
    BF_GO(bf_sparse_couplings(S, 1, g, &coupling));
    BF_GO(bf_partition_grow(g, coupling, o->block_size, BF_BLOCK_MOST, &job->parts));
  } else {
    BF_GO(bf_partition_create(g, count > 0 ? count : 1, BF_BLOCK_MOST, &job->parts));
  }
  bf_phase_add(&job->phases, "blocks: partition", bf_seconds() - t0, 0.0, 0.0);
  bf_log_line(&job->log, "blocks    %d parts of about %d rows %s, %.2f s", job->parts->count, o->block_size,
              o->metis ? "by METIS" : "along the couplings", bf_seconds() - t0);
done:
  bf_graph_destroy(&g);
  bf_host_free(coupling);
  return err;
}

/* Log line of the inverses; W503 if a block has none. */
static void report_blocks(bf_mtx_job *job)
{
  const bf_blocks_report *b     = &job->solve.blocks;
  const bf_int           *order = job->numbering[job->candidates.item[job->chosen].layout].order;
  char                    text[24];
  if (b->count == 0) return;
  bf_bytes_text((double)b->bytes, text);
  bf_log_line(&job->log, "          %d blocks of %d to %d rows inverted in %.3g s, %s, condition up to %.2g",
              b->count, b->smallest, b->largest, b->seconds, text, b->condition);
  if (b->singular > 0)
    bf_diag_add(
        &job->diags, BF_WARNING, 503, (bf_where){.file = job->opt.path},
        "%d of %d blocks have no inverse and were replaced by their diagonals; the first is that of row %d",
        b->singular, b->count, (order ? order[b->singular_row] : b->singular_row) + 1);
}

/* The levels, or W504 where there is no hierarchy. */
static void report_multigrid(bf_mtx_job *job)
{
  const bf_multigrid_report *r = &job->solve.multigrid;
  char                       text[512];
  if (r->failure[0])
    bf_diag_add(&job->diags, BF_WARNING, 504, (bf_where){.file = job->opt.path},
                "no multigrid hierarchy was made, preconditioner jacobi was used: %s", r->failure);
  if (r->nlevels == 0 || r->failure[0]) return;
  bf_multigrid_text(r, text, sizeof text);
  bf_log_line(&job->log, "          %s", text);
}

static bf_err run(bf_mtx_job *job)
{
  const bf_mtx_options   *o      = &job->opt;
  const int               direct = closed(job), live = job->log.line && isatty(STDOUT_FILENO);
  bf_console             *console = live ? bf_console_open(1, 0) : NULL;
  bf_solve_options        opt     = {.method         = job->method,
                                     .precond        = (bf_precond)o->precond,
                                     .parts          = job->parts,
                                     .block_values   = (bf_prec)o->block_values,
                                     .multigrid      = {.theta = BF_MULTIGRID_THETA},
                                     .rtol           = o->rtol,
                                     .max_iterations = o->max_iterations,
                                     .monitor_every  = 10,
                                     .monitor        = live ? bf_console_progress : NULL,
                                     .context        = console,
                                     .interrupted    = bf_interrupted};
  const bf_multigrid_body body    = {.x = job->x_node, .rigid = job->x_node != NULL};
  opt.body                        = &body;
  bf_solve_report_clear(&job->solve);
  if (!direct) /* a direct method has no iterate: a signal ends the program at once */
    bf_interrupt_hold(o->out
                          ? "interrupted: writing the iterate, marked NOT CONVERGED; press Ctrl-C again to "
                            "stop at once"
                          : "interrupted: ending the solve; press Ctrl-C again to stop at once");
  bf_log_line(&job->log, "solve     %s%s%s, rtol %.1e", bf_method_name(job->method),
              direct ? "" : ", preconditioner ", direct ? "" : bf_precond_name(opt.precond), o->rtol);
  bf_console_phase(console, "solve", 0.0);
  const bf_err err = bf_solve(job->A, job->A_fast, job->b, job->x, &opt, &job->solve);
  bf_console_close(&console);
  job->interrupted = bf_interrupt_release();
  if (err == BF_E_MEMORY)
    bf_diag_add(&job->diags, BF_ERROR, 401, (bf_where){.file = o->path}, "%s", bf_err_message());
  BF_TRY(err);
  bf_phase_add(&job->phases, "solve", job->solve.seconds, 0.0, 0.0);
  report_blocks(job);
  report_multigrid(job);
  bf_log_line(&job->log, "          %s: true residual %.3g after %d %s%s, %.3g s",
              bf_reason_name(job->solve.reason), fabs(job->solve.true_residual), job->solve.iterations,
              direct ? "solution" : "iteration", job->solve.iterations == 1 ? "" : "s", job->solve.seconds);
  bf_mtx_show_inverse(job);
  if (job->solve.to_rounding) bf_log_line(&job->log, "          %s", job->solve.text);
  show_rate(job);
  return BF_OK;
}

/* Error of x if the solution is known. */
static void show_error(const bf_mtx_job *job)
{
  const bf_int n   = job->S->nrows;
  double       sum = 0.0, most = 0.0;
  if (job->opt.rhs) return;
  for (bf_int i = 0; i < n; i++) {
    sum += (job->host[i] - 1.0) * (job->host[i] - 1.0);
    most = fmax(most, fabs(job->host[i] - 1.0));
  }
  bf_log_line(&job->log, "error     of x: %.3g in the norm, %.3g at most, relative to the ones",
              sqrt(sum / n), most);
}

bf_err bf_mtx_solve(bf_mtx_job *job)
{
  BF_TRY(choose_method(job));
  BF_TRY(open_backend(job));
  BF_TRY(bf_mtx_inverse_fits(job));
  BF_TRY(bf_mtx_right_side(job));
  BF_TRY(make_matrix(job));
  BF_TRY(put(job, job->b));
  BF_TRY(bf_mtx_coordinates(job));
  BF_TRY(make_parts(job));
  BF_TRY(run(job));
  if (job->solve.reason == BF_KRYLOV_INDEFINITE && job->opt.method == BF_MTX_AUTO && !job->interrupted) {
    bf_log_line(&job->log, "          the matrix is not positive definite: repeating with bicgstab");
    job->method = BF_METHOD_BICGSTAB;
    BF_TRY(job->be->ops.zero(job->be, job->x, (size_t)job->A->nrows * sizeof *job->x));
    BF_TRY(run(job));
  }
  BF_TRY(get(job, job->x));
  show_error(job);
  return BF_OK;
}
