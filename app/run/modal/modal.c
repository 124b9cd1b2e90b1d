/* app/run/modal/modal.c - analysis: modal; its table of operations, choice of methods, memory
 *
 *     K phi = (2 pi f)^2 M phi
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/modal/modal.h"
#include "assembly/recover/mode_energies.h"

/* Up to this number of operations (about 10 s on two cores) a factorisation costs less than an iteration on
 * the CPU, which may need thousands of steps; the limit beside a GPU corresponds to about 1 s. */
static const double CHEAP_FLOPS = 2e11, CHEAP_BESIDE_GPU = 2e10;

int bf_modal_shift_invert(const bf_job *job)
{
  const bf_eigen_method method = job->config.eigensolver.method;
  if (method != BF_EIGEN_METHOD_AUTO) return method == BF_EIGEN_METHOD_SHIFT_INVERT;
  return job->config.modal.shift > 0.0 || (!bf_job_on_device(job) && job->plan.direct.flops < CHEAP_FLOPS);
}

/* auto: factors if they are cheap (smaller limit on a GPU); else, on a GPU, blocks for models of at most
 * BLOCKS_MOST unknowns, by default along the couplings; else the diagonal. */
static bf_eigen_precond choose_precond(const bf_job *job)
{
  enum { BLOCKS_MOST = 48000 }; /* unknowns: 100 blocks */
  const int64_t n      = (int64_t)job->num->nrows * bf_model_ncomp(job->model);
  const int     on_gpu = bf_job_on_device(job);
  if (job->plan.direct.flops < (on_gpu ? CHEAP_BESIDE_GPU : CHEAP_FLOPS)) return BF_EIGEN_DIRECT;
  return on_gpu && n <= BLOCKS_MOST ? BF_EIGEN_BLOCK_JACOBI : BF_EIGEN_JACOBI;
}

bf_eigen_precond bf_modal_precond(const bf_job *job)
{
  const bf_eigensolver_config *solver = &job->config.eigensolver;
  if (bf_modal_shift_invert(job)) return BF_EIGEN_JACOBI; /* not used */
  return solver->precond_auto ? choose_precond(job) : solver->precond;
}

const char *bf_modal_mass_word(const bf_job *job)
{
  return job->config.modal.mass == BF_MASS_LUMPED ? "lumped" : "consistent";
}

/* Modes around a shift: only shift_invert finds them, and K - shift M is not definite. */
static bf_factor_use factors(const bf_job *job)
{
  const bf_eigensolver_config *solver   = &job->config.eigensolver;
  const int                    inside   = job->config.modal.shift > 0.0;
  const int                    required = inside || solver->method == BF_EIGEN_METHOD_SHIFT_INVERT;
  return (bf_factor_use){.possible = required || solver->method == BF_EIGEN_METHOD_AUTO ||
                                     solver->precond_auto || solver->precond == BF_EIGEN_DIRECT,
                         .required = required,
                         .positive = !inside,
                         .method   = bf_eigen_method_word(solver->method),
                         .note     = inside ? " with a shift" : "",
                         .where    = solver->method_where};
}

static bf_precond precond(const bf_job *job)
{
  return bf_modal_precond(job) == BF_EIGEN_BLOCK_JACOBI ? BF_PRECOND_BLOCK_JACOBI : BF_PRECOND_JACOBI;
}

static bf_block_use blocks(const bf_job *job)
{
  return (bf_block_use){&job->config.eigensolver.blocks, job->config.eigensolver.precond_where};
}

static bf_solver_memory memory(const bf_job *job)
{
  const int64_t n = (int64_t)job->num->nrows * bf_model_ncomp(job->model), pairs = job->problem.modes;
  const int     motions = bf_model_motions(job->model), shift_invert = bf_modal_shift_invert(job);
  return (bf_solver_memory){.mass    = job->config.modal.mass == BF_MASS_LUMPED ? 8 * n : job->plan.bytes,
                            .vectors = shift_invert ? bf_shift_invert_vectors((int)pairs, motions)
                                                    : bf_lobpcg_vectors((int)pairs, 0),
                            .kept    = 8 * n * (pairs + motions),
                            .factors = shift_invert || bf_modal_precond(job) == BF_EIGEN_DIRECT};
}

static int steps(const bf_job *job)
{
  return job->problem.modes;
}

/* E105: more modes than the body has. */
static void targets(bf_job *job)
{
  const int64_t free = bf_model_free_unknowns(job->model);
  if (job->problem.modes > free)
    bf_diag_add(&job->diags, BF_ERROR, 105, job->config.modal.modes_where,
                "modes %d, but the body has only %lld free unknowns", job->problem.modes, (long long)free);
}

static void summary(const bf_job *job)
{
  bf_log_line(&job->log, "modes     %d, nearest to %s Hz, mass %s, eigensolver %s", job->problem.modes,
              job->config.modal.shift_text, bf_modal_mass_word(job),
              bf_eigen_method_word(job->config.eigensolver.method));
}

const bf_analysis_ops bf_modal_analysis = {
    .solve = {bf_job_number, bf_job_backend, bf_job_plan, bf_job_fits_backend, bf_job_folder, bf_job_assemble,
              bf_job_parts, bf_modal_mass, bf_modal_solve},
    .recover         = {bf_modal_recover},
    .check           = {bf_job_number, bf_job_plan, bf_job_memory},
    .targets         = targets,
    .unsolved        = bf_modal_unsolved,
    .factors         = factors,
    .precond         = precond,
    .blocks          = blocks,
    .memory          = memory,
    .steps           = steps,
    .without_factors = "or eigensolver.method: lobpcg with another preconditioner",
    .model_fields    = 1,
    .quantity        = bf_modal_quantity,
    .summary         = summary,
    .without_loads   = "",
    .result          = bf_modal_result,
    .table           = {{"modes.csv", bf_write_modes}}};
