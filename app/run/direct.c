/* app/run/direct.c - factors of the band (method: direct, shift_invert, or preconditioner: direct of lobpcg):
 * forecast of their cost, and the backend that they need
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/analysis.h"
#include <string.h>

bf_err bf_job_direct_forecast(bf_job *job)
{
  const bf_factor_use use     = job->analysis->factors(job);
  bf_graph           *pattern = NULL;
  bf_err              err     = BF_OK;
  char                band[24], beside[24];
  if (!use.possible) return BF_OK;
  const double t0 = bf_seconds();
  BF_GO(bf_model_pattern(job->model, job->num, &pattern));
  BF_GO(bf_direct_forecast(pattern, bf_model_ncomp(job->model),
                           bf_model_symmetric(job->model) && use.positive, &job->plan.direct));
  bf_bytes_text((double)job->plan.direct.band, band);
  bf_bytes_text((double)job->plan.direct.beside, beside);
  bf_log_line(&job->log, "direct    half-bandwidth %d, factors %s, workspace %s, %.1e flops",
              (int)job->plan.direct.half, band, beside, job->plan.direct.flops);
  bf_phase_add(&job->phases, "direct: numbering", bf_seconds() - t0, 0.0, 0.0);
  if (job->analysis->choose_method) BF_GO(job->analysis->choose_method(job));
done:
  bf_graph_destroy(&pattern);
  return err;
}

bf_err bf_job_direct_backend(bf_job *job, const char **want)
{
  const bf_factor_use use = job->analysis->factors(job);
  if (!use.required) return BF_OK;
  if (strcmp(*want, "cuda") != 0) {
    *want = "cpu";
    return BF_OK;
  }
  bf_diag_add(&job->diags, BF_ERROR, 404, use.where,
              "method: %s%s runs on the CPU only; use device.backend: cpu or auto, or an iterative method",
              use.method, use.note);
  return BF_E_DEVICE;
}
