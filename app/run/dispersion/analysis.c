/* app/run/dispersion/analysis.c - analysis: dispersion; its table of operations */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/dispersion/dispersion.h"

/* E505 and E506 have been reported during the solve. */
static int unsolved(bf_job *job)
{
  return job->waves->failed;
}

/* The cell is reduced and solved without factors of the band. */
static bf_factor_use factors(const bf_job *job)
{
  (void)job;
  return (bf_factor_use){.method = "", .note = ""};
}

static bf_precond precond(const bf_job *job)
{
  (void)job;
  return BF_PRECOND_NONE;
}

static bf_block_use blocks(const bf_job *job)
{
  return (bf_block_use){&job->config.eigensolver.blocks, job->config.eigensolver.precond_where};
}

static bf_solver_memory memory(const bf_job *job)
{
  (void)job;
  return (bf_solver_memory){.vectors = 0};
}

static int steps(const bf_job *job)
{
  return job->config.dispersion.nsaved_points * job->config.dispersion.nsaved_bands;
}

const bf_analysis_ops bf_dispersion_analysis = {
    .solve    = {bf_job_waves_begin, bf_job_backend, bf_job_folder, bf_job_waves_cell, bf_job_waves_solve},
    .recover  = {bf_job_waves_shapes},
    .check    = {bf_job_waves_begin},
    .unsolved = unsolved,
    .factors  = factors,
    .precond  = precond,
    .blocks   = blocks,
    .memory   = memory,
    .steps    = steps,
    .without_factors = "",
    .quantity        = bf_job_waves_quantity,
    .without_loads   = "",
    .result          = bf_job_waves_result,
    .table           = {{"bands.csv", bf_write_bands}}};
