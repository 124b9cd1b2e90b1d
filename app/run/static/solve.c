/* app/run/static/solve.c - the solution: the solver's options from the deck, fields from the solution */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/cli/interrupt.h"
#include "app/precond/levels.h"
#include "app/precond/multigrid.h"
#include "app/run/static/cases.h"
#include "app/run/static/static.h"
#include "base/memory.h"
#include <math.h>
#include <stdio.h>

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
                            .multigrid      = solver->multigrid,
                            .rtol           = solver->rtol,
                            .atol           = solver->atol,
                            .max_iterations = solver->max_iterations,
                            .monitor_every  = solver->monitor_every,
                            .monitor        = job->brief.line ? bf_console_progress : NULL,
                            .context        = job->console,
                            .interrupted    = bf_interrupted};
}

/* One right-hand side, with the log and the phase of its solve. */
static bf_err solve_one(bf_job *job, const bf_solve_options *opt)
{
  const double n      = job->A->nrows;
  const int    direct = opt->method == BF_METHOD_DIRECT || opt->method == BF_METHOD_INVERSE;
  bf_job_phase(job, "solve", 0.0);
  BF_TRY(bf_solve(job->A, job->A_fast, job->b, job->x, opt, &job->solve));
  job->solved = 1;
  bf_job_blocks_done(job);
  bf_job_multigrid_done(job);
  if (direct) {
    bf_phase_add(&job->phases, "solve", job->solve.seconds, 0.0,
                 opt->method == BF_METHOD_DIRECT ? job->plan.direct.flops : 3.0 * n * n * n);
  } else {
    const int    products = opt->method == BF_METHOD_CG ? 1 : 2;
    const double each =
        products * (double)bf_matrix_product_bytes(job->A_fast ? job->A_fast : job->A) + moved(job, opt, n);
    bf_phase_add(&job->phases, "solve", job->solve.seconds, each * job->solve.iterations,
                 2.0 * products * (double)job->A->nnz * job->solve.iterations);
  }
  bf_log_line(&job->log, "          %s", job->solve.text);
  return BF_OK;
}

/* Load cases share the hierarchy, the factors or the blocks; after a signal no other case is solved. */
static bf_err solve_cases(bf_job *job, bf_solve_options *opt)
{
  bf_err        err        = BF_OK;
  bf_multigrid *kept       = NULL;
  bf_kept       made       = {NULL, NULL};
  int           iterations = 0, failed = 0;
  double        seconds = 0.0;
  opt->kept             = &kept;
  opt->closed           = &made;
  for (int i = 0; i < bf_static_cases_loaded(job) && !bf_interrupted(NULL); i++) {
    bf_static_case_select_loaded(job, i);
    bf_log_line(&job->log, "case      %s", bf_static_case_name(job));
    BF_GO(solve_one(job, opt));
    bf_log_line(&job->log, "          solved in %.4f s", job->solve.seconds);
    iterations += job->solve.iterations;
    seconds += job->solve.seconds;
    failed += job->solve.reason != BF_KRYLOV_CONVERGED;
  }
  bf_brief_cases(job, iterations, failed, seconds);
done:
  opt->kept   = NULL;
  opt->closed = NULL;
  bf_static_case_select(job, 0);
  bf_multigrid_destroy(&kept);
  bf_kept_clear(&made);
  return err;
}

bf_err bf_static_solve(bf_job *job)
{
  bf_solve_options opt    = bf_static_options(job);
  bf_job_body      body   = {.x = NULL};
  const int        direct = opt.method == BF_METHOD_DIRECT || opt.method == BF_METHOD_INVERSE;
  if (!direct) /* a direct method has no iterate: a signal ends the program at once */
    bf_interrupt_hold(
        "interrupted: writing the iterate, marked NOT CONVERGED; press Ctrl-C again to stop at once");
  bf_log_line(&job->log, "solve     %s%s%s, rtol %.1e", bf_method_name(opt.method),
              direct ? "" : ", preconditioner ", direct ? "" : bf_precond_name(opt.precond), opt.rtol);
  BF_TRY(bf_static_choose_preconditioner(job, &opt));
  if (opt.precond >= BF_PRECOND_MULTIGRID) BF_TRY(bf_job_body_create(job, &body));
  if (job->config.output.levels) body.body.parents = &job->parents;
  opt.body         = &body.body;
  const bf_err err = job->cases ? solve_cases(job, &opt) : solve_one(job, &opt);
  job->interrupted = bf_interrupt_release();
  bf_job_body_clear(&body);
  if (err == BF_OK) bf_job_levels_done(job, opt.method, opt.precond);
  if (err == BF_OK && !job->cases) bf_brief_solve(job);
  return err;
}

/* The fields of the selected case, or of the only one, from job->u. */
static bf_err fields_of(bf_job *job)
{
  BF_TRY(bf_model_recover(job->model, job->num, job->be, job->view, job->u, &job->phases, &job->solution));
  bf_static_spectra_done(job);
  return BF_OK;
}

bf_err bf_static_recover(bf_job *job)
{
  const size_t n  = (size_t)job->A->nrows;
  const double t0 = bf_seconds();
  BF_TRY(bf_view_create(job->mesh, bf_model_region(job->model), &job->view));
  bf_phase_add(&job->phases, "recover: view", bf_seconds() - t0, 0.0, 0.0);
  if (job->cases) return bf_static_cases_recover(job, fields_of);
  BF_TRY(BF_NEW_ARRAY(job->u, n));
  BF_TRY(job->be->ops.copy(job->be, job->u, job->x, n * sizeof *job->u, BF_TO_HOST));
  return fields_of(job);
}
