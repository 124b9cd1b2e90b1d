/* app/run/static/inverse.c - solver.method: inverse: the limit of the order, and the memory of the inverse */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/inverse_memory.h"
#include "app/run/static/static.h"

bf_err bf_static_inverse_order(bf_job *job)
{
  const int64_t n = bf_job_unknowns(job);
  if (bf_static_method(job) != BF_METHOD_INVERSE || n <= BF_SYINV_LARGEST) return BF_OK;
  bf_diag_add(&job->diags, BF_ERROR, 105, job->config.solver.method_where,
              "method: inverse takes at most %d unknowns, the model has %lld; use cg or direct",
              (int)BF_SYINV_LARGEST, (long long)n);
  return BF_FAIL(BF_E_INPUT, "the matrix is too large for its inverse");
}

bf_err bf_static_inverse_fits(bf_job *job)
{
  const bf_where    where = job->config.solver.method_where;
  bf_inverse_memory m;
  if (bf_static_method(job) != BF_METHOD_INVERSE) return BF_OK;
  return bf_inverse_memory_check(job->be, (bf_int)bf_job_unknowns(job), job->plan.values == BF_FP32,
                                 job->config.device.memory_limit, where, &job->log, &job->diags, &m);
}
