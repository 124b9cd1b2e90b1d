/* app/run/static/solve.c - the solution: the solver's options from the deck, fields from the solution */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/cli/interrupt.h"
#include "app/run/static/static.h"
#include "base/memory.h"
#include <stdio.h>
#include <unistd.h>

bf_method bf_static_method(const bf_job *job)
{
  if (!job->config.solver.method_auto) return job->config.solver.method;
  return bf_model_symmetric(job->model) ? BF_METHOD_CG : BF_METHOD_BICGSTAB; /* auto */
}

/* Bytes that an iteration reads and writes beside its matrix-vector products. */
static double moved(const bf_job *job, const bf_solve_options *opt, double n)
{
  const int    jacobi = opt->precond == BF_PRECOND_JACOBI, blocks = opt->precond == BF_PRECOND_BLOCK_JACOBI;
  const double each = (double)job->solve.blocks.bytes + 16.0 * n; /* of a product with the blocks */
  if (opt->method == BF_METHOD_CG) return 8.0 * n * (9.0 + 2.0 * jacobi) + blocks * each;
  return 8.0 * n * (opt->method == BF_METHOD_BICG ? 15.0 + 2.0 * jacobi : 17.0 + 4.0 * jacobi) +
         2.0 * blocks * each;
}

bf_solve_options bf_static_options(const bf_job *job)
{
  const bf_solver_config *solver = &job->config.solver;
  return (bf_solve_options){.method         = bf_static_method(job),
                            .precond        = job->analysis->precond(job),
                            .parts          = job->parts,
                            .block_values   = bf_job_block_values(job),
                            .rtol           = solver->rtol,
                            .atol           = solver->atol,
                            .max_iterations = solver->max_iterations,
                            .monitor_every  = solver->monitor_every,
                            .monitor        = job->log.line ? bf_console_progress : NULL,
                            .interrupted    = bf_interrupted};
}

bf_err bf_static_solve(bf_job *job)
{
  const bf_solve_options opt    = bf_static_options(job);
  const double           n      = job->A->nrows;
  const int              direct = opt.method == BF_METHOD_DIRECT || opt.method == BF_METHOD_INVERSE;
  if (!direct) /* a direct method has no iterate: a signal ends the program at once */
    bf_interrupt_hold(
        "interrupted: writing the iterate, marked NOT CONVERGED; press Ctrl-C again to stop at once");
  bf_log_line(&job->log, "solve     %s%s%s, rtol %.1e", bf_method_name(opt.method),
              direct ? "" : ", preconditioner ", direct ? "" : bf_precond_name(opt.precond), opt.rtol);
  const bf_err err = bf_solve(job->A, job->A_fast, job->b, job->x, &opt, &job->solve);
  job->interrupted = bf_interrupt_release();
  BF_TRY(err);
  if (opt.monitor && !direct && isatty(STDOUT_FILENO) && job->solve.iterations > 0) printf("\n");
  job->solved = 1;
  bf_job_blocks_done(job);
  if (direct) {
    bf_phase_add(&job->phases, "solve", job->solve.seconds, 0.0,
                 opt.method == BF_METHOD_DIRECT ? job->plan.direct.flops : 3.0 * n * n * n);
    bf_log_line(&job->log, "          %s", job->solve.text);
    return BF_OK;
  }
  const int    products = opt.method == BF_METHOD_CG ? 1 : 2;
  const double each =
      products * (double)bf_matrix_product_bytes(job->A_fast ? job->A_fast : job->A) + moved(job, &opt, n);
  bf_phase_add(&job->phases, "solve", job->solve.seconds, each * job->solve.iterations,
               2.0 * products * (double)job->A->nnz * job->solve.iterations);
  bf_log_line(&job->log, "          %s", job->solve.text);
  return BF_OK;
}

bf_err bf_static_recover(bf_job *job)
{
  const size_t n = (size_t)job->A->nrows;
  BF_TRY(BF_NEW_ARRAY(job->u, n));
  BF_TRY(job->be->ops.copy(job->be, job->u, job->x, n * sizeof *job->u, BF_TO_HOST));
  const double t0 = bf_seconds();
  BF_TRY(bf_view_create(job->mesh, bf_model_region(job->model), &job->view));
  bf_phase_add(&job->phases, "recover: view", bf_seconds() - t0, 0.0, 0.0);
  BF_TRY(bf_model_recover(job->model, job->num, job->be, job->view, job->u, &job->phases, &job->solution));
  bf_static_spectra_done(job);
  return BF_OK;
}
