/* app/run/static/static.c - analysis: static; its table of operations, choice of preconditioner, memory */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/static/static.h"
#include "app/run/static/cases.h"
#include "app/run/static/flexibility.h"
#include "base/memory.h"

static bf_factor_use factors(const bf_job *job)
{
  const int direct = bf_static_method(job) == BF_METHOD_DIRECT;
  return (bf_factor_use){.possible = direct || bf_static_may_factor(job),
                         .required = direct,
                         .positive = 1,
                         .method   = bf_method_name(BF_METHOD_DIRECT),
                         .note     = "",
                         .where    = job->config.solver.method_where};
}

static bf_precond precond(const bf_job *job)
{
  const bf_method method = bf_static_method(job);
  return method == BF_METHOD_DIRECT || method == BF_METHOD_INVERSE ? BF_PRECOND_NONE
                                                                   : job->config.solver.precond;
}

static bf_block_use blocks(const bf_job *job)
{
  return (bf_block_use){&job->config.solver.blocks, job->config.solver.precond_where};
}

/* Block rows with fp64 values in blocks of `order` numbers. */
static int64_t rows_bytes(int64_t nrows, int64_t blocks, int64_t order)
{
  return bf_memory_in_pages(8 * order * blocks) + bf_memory_in_pages(4 * blocks) +
         bf_memory_in_pages(8 * nrows);
}

/* Smoothed aggregation while P^T A P of the first level is made.  Blocks of P, A P and P^T A P per node:
 * means of tetrahedral meshes; T has one, and so do the modes. */
static int64_t aggregates_bytes(const bf_job *job)
{
  static const double IN_P = 3.5, IN_AP = 9.0, IN_COARSE = 1.7;
  const int64_t       n = job->num->nrows, pairs = job->num->nnz, D = bf_model_ncomp(job->model);
  const int64_t q = D == 1 ? 1 : 3 * (D - 1), values = D * D * (job->plan.half ? (pairs + n) / 2 : pairs);
  const int64_t rest = job->plan.bytes - 4 * values; /* bytes counts both precisions of a matrix */
  const int64_t fp32 = job->plan.values == BF_FP32 ? rest / 2 : rest;
  int64_t       sum  = bf_memory_in_pages(fp32) + rows_bytes(n, pairs, D * D);
  sum += 3 * bf_memory_in_pages(4 * pairs) + bf_memory_in_pages(8 * n);     /* strengths, strong couplings */
  sum += 2 * bf_memory_in_pages(4 * n) + 2 * bf_memory_in_pages(8 * n * D); /* aggregates; diagonal, root */
  sum += bf_memory_in_pages(8 * D * q * n) + (D > 1 ? bf_memory_in_pages(24 * n) : 0);    /* modes, places */
  sum += rows_bytes(n, n, D * q) + 2 * rows_bytes(n, (int64_t)(IN_P * (double)n), D * q); /* T; P, P^T */
  return sum + rows_bytes(n, (int64_t)(IN_AP * (double)n), D * q) +
         rows_bytes(0, (int64_t)(IN_COARSE * (double)n), q * q);
}

/* Planes: fp32 levels and the passes of P^T A P, 1.3 times the matrix. */
static int64_t multigrid_bytes(const bf_job *job)
{
  const int64_t unknowns = (int64_t)job->num->nrows * bf_model_ncomp(job->model);
  if (precond(job) < BF_PRECOND_MULTIGRID || job->problem.physics == BF_ADVECTION) return 0;
  const int planes = job->plan.format == BF_FORMAT_BDIA &&
                     job->config.solver.multigrid.coarsening != BF_COARSENING_AGGREGATES;
  return planes ? job->plan.bytes * 13 / 10 + 48 * unknowns : aggregates_bytes(job);
}

static bf_solver_memory memory(const bf_job *job)
{
  const bf_method  method = bf_static_method(job);
  const bf_precond M      = precond(job);
  const bf_format  format = job->plan.format;
  const int        host   = bf_solve_vectors(method, M, format, 0);
  const int64_t    D      = bf_model_ncomp(job->model);
  return (bf_solver_memory){
      .vectors        = host,
      .device_vectors = bf_solve_vectors(method, M, format, 1) - host,
      .transpose      = bf_solve_transpose_bytes(method, format, job->num->nnz * D * D,
                                                 (bf_int)(job->num->nrows * D), job->plan.values),
      .multigrid      = method == BF_METHOD_CG || method == BF_METHOD_BICGSTAB ? multigrid_bytes(job) : 0,
      .factors        = method == BF_METHOD_DIRECT};
}

static int steps(const bf_job *job)
{
  return job->config.ncases;
}

static bf_err prepare(bf_job *job)
{
  BF_TRY(bf_static_cases_prepare(job));
  return bf_static_condense(job);
}

static void targets(bf_job *job)
{
  bf_static_flexibility_targets(job);
  if (bf_static_cases_models(job) == BF_E_MEMORY)
    bf_diag_add(&job->diags, BF_ERROR, 401, (bf_where){.file = job->deck_path}, "%s", bf_err_message());
}

const bf_analysis_ops bf_static_analysis = {
    .prepare  = prepare,
    .solve    = {bf_job_number, bf_static_inverse_order, bf_job_backend, bf_job_plan, bf_job_fits_backend,
                 bf_static_inverse_fits, bf_job_folder, bf_job_assemble, bf_job_parts, bf_static_solve,
                 bf_static_flexibility},
    .recover  = {bf_static_recover, bf_static_peaks},
    .check    = {bf_job_number, bf_static_inverse_order, bf_job_plan, bf_job_memory},
    .targets  = targets,
    .unsolved = bf_static_unsolved,
    .factors  = factors,
    .choose_method   = bf_static_choose_method,
    .precond         = precond,
    .blocks          = blocks,
    .memory          = memory,
    .steps           = steps,
    .without_factors = "or an iterative solver.method",
    .model_fields    = 1,
    .quantity        = bf_static_quantity,
    .summary         = bf_static_cases_summary,
    .without_loads   = "; all prescribed values are 0: the solution is 0 everywhere",
    .result          = bf_static_result,
    .table           = {{"probes.csv", bf_write_probes}, {"reactions.csv", bf_write_reactions}}};
