/* app/run/matrix.c - the matrix of the plan: made zero, and brought into its format once it is assembled */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include "base/timer.h"

static bf_err by_rows(bf_job *job, int ncomp, bf_matrix **out)
{
  bf_graph *pattern = NULL;
  BF_TRY(bf_model_pattern(job->model, job->num, &pattern));
  const bf_err err = job->plan.format == BF_FORMAT_CSR16
                         ? bf_matrix_create_csr16(job->be, pattern, ncomp, BF_FP64, out)
                         : bf_matrix_create_csr(job->be, pattern, ncomp, BF_FP64, out);
  bf_graph_destroy(&pattern);
  BF_TRY(err);
  return BF_OK;
}

bf_err bf_job_matrix(bf_job *job, bf_matrix **out)
{
  const bf_plan *plan  = &job->plan;
  const int      ncomp = bf_model_ncomp(job->model);
  const int64_t  nnz   = job->num->nnz * ncomp * ncomp;
  switch (plan->format) {
  case BF_FORMAT_BDIA:
    BF_TRY(bf_matrix_create_bdia(job->be, plan->bands, ncomp, plan->half, BF_FP64, nnz, out));
    break;
  case BF_FORMAT_DIA: BF_TRY(bf_matrix_create_dia(job->be, plan->bands, ncomp, BF_FP64, nnz, out)); break;
  case BF_FORMAT_HYBRID:
    BF_TRY(bf_matrix_create_hybrid(job->be, plan->bands, plan->rest, ncomp, plan->half, BF_FP64, nnz, out));
    break;
  default: BF_TRY(by_rows(job, ncomp, out)); break; /* formats without place for a sum are made from CSR */
  }
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
