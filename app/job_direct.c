/* app/job_direct.c - solver.method: direct: what its factors will take, and the name of an unknown that
 * nothing holds
 */
#include "app/job.h"
#include "base/memory.h"
#include <stdio.h>
#include <string.h>

bf_err bf_job_direct_forecast(bf_job *job)
{
  bf_graph *pattern = NULL;
  bf_err    err     = BF_OK;
  char      band[24], beside[24];
  if (bf_job_method(job) != BF_METHOD_DIRECT) return BF_OK;
  const double t0 = bf_seconds();
  BF_GO(bf_model_pattern(job->model, job->num, &pattern));
  BF_GO(bf_direct_forecast(pattern, bf_model_ncomp(job->model), bf_model_symmetric(job->model),
                           &job->plan.direct));
  bf_bytes_text((double)job->plan.direct.band, band);
  bf_bytes_text((double)job->plan.direct.beside, beside);
  bf_log_line(&job->log, "direct    half-bandwidth %d, factors %s and %s beside them, %.1e flops",
              (int)job->plan.direct.half, band, beside, job->plan.direct.flops);
  bf_phase_add(&job->phases, "direct: numbering", bf_seconds() - t0, 0.0, 0.0);
done:
  bf_graph_destroy(&pattern);
  return err;
}

bf_err bf_job_direct_backend(bf_job *job, const char **want)
{
  const bf_item *root = bf_deck_root(job->deck), *method = bf_item_get(root, "solver.method");
  if (bf_job_method(job) != BF_METHOD_DIRECT) return BF_OK;
  if (strcmp(*want, "cuda") != 0) {
    *want = "cpu";
    return BF_OK;
  }
  bf_diag_add(&job->diags, BF_ERROR, 404, bf_item_where(method),
              "method: direct factors on the CPU; use device.backend: cpu or auto, or an iterative method");
  return BF_E_DEVICE;
}

void bf_job_singular(bf_job *job, bf_severity severity)
{
  static const char *const axis[3] = {"x", "y", "z"};
  const int                D       = bf_model_ncomp(job->model);
  const bf_int             row = job->solve.unknown, node = row < 0 ? -1 : job->num->node[row / D];
  const bf_mesh           *m = job->mesh;
  char                     what[64];
  if (node < 0) return;
  if (D == 1)
    snprintf(what, sizeof what, "the %s", bf_physics_words_of(job->problem.physics)->field);
  else
    snprintf(what, sizeof what, "displacement %s", row % D < 3 ? axis[row % D] : "");
  bf_diag_add(&job->diags, severity, 502, (bf_where){.file = job->deck_path},
              "%s of node %lld at (%g, %g, %g) is not determined by the equations", what,
              (long long)m->node_tag[node], m->x[3 * (size_t)node], m->x[3 * (size_t)node + 1],
              m->x[3 * (size_t)node + 2]);
}
