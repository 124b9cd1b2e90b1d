/* app/run/matrix.c - the matrix of the plan: creation and, after the assembly, conversion to its format */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include "base/timer.h"

bf_err bf_job_matrix(bf_job *job, bf_matrix **out)
{
  const bf_plan  *plan    = &job->plan;
  const int       D       = bf_model_ncomp(job->model);
  bf_graph       *pattern = NULL;
  const bf_format format  = bf_format_takes_elements(plan->format) ? plan->format : BF_FORMAT_CSR;
  bf_layout       L       = {.nrows = job->num->nrows,
                             .ncomp = D,
                             .nnz   = job->num->nnz * D * D,
                             .reach = job->num->reach,
                             .bands = plan->bands,
                             .rest  = plan->rest};
  if (!bf_format_of(format)->bands) BF_TRY(bf_model_pattern(job->model, job->num, &pattern));
  L.graph          = pattern;
  const bf_err err = bf_matrix_create(job->be, format, &L, plan->half, BF_FP64, out);
  bf_graph_destroy(&pattern);
  BF_TRY(err);
  return BF_OK;
}

bf_err bf_job_matrix_format(bf_job *job, bf_matrix **A)
{
  const bf_matrix_form form = {.format = job->plan.format};
  bf_matrix           *to   = NULL;
  const double         t0   = bf_seconds();
  if ((*A)->format == form.format) return BF_OK;
  BF_TRY(bf_matrix_convert(*A, &form, &to));
  bf_matrix_destroy(A);
  *A = to;
  BF_TRY(job->be->ops.sync(job->be));
  bf_phase_add(&job->phases, "matrix: to format", bf_seconds() - t0, (double)bf_matrix_bytes(to), 0.0);
  return BF_OK;
}

bf_err bf_job_matrix_fp32(bf_job *job)
{
  const double t0 = bf_seconds();
  if (job->plan.values != BF_FP32) return BF_OK;
  BF_TRY(bf_matrix_to_fp32(job->A, &job->A_fast));
  BF_TRY(job->be->ops.sync(job->be));
  bf_phase_add(&job->phases, "matrix: to fp32", bf_seconds() - t0, 1.5 * (double)bf_matrix_bytes(job->A),
               0.0);
  return BF_OK;
}
