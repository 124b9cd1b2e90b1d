/* app/run/direct.c - factors of the band, of method: direct, shift_invert and lobpcg with the preconditioner
 * direct: what they will take; and the unknown with the smallest pivot
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include "app/run/advice.h"
#include "base/memory.h"
#include <stdio.h>
#include <string.h>

/* Modes in the middle of the spectrum, which factors alone find. */
static int inside(const bf_job *job)
{
  return bf_job_is_modal(job) && job->config.modal.shift > 0.0;
}

/* Does the deck leave no choice but the CPU? */
static int must_factor(const bf_job *job)
{
  if (!bf_job_is_modal(job)) return bf_job_method(job) == BF_METHOD_DIRECT;
  return job->config.eigensolver.method == BF_EIGEN_METHOD_SHIFT_INVERT || inside(job);
}

int bf_job_factors(const bf_job *job)
{
  const bf_eigensolver_config *solver = &job->config.eigensolver;
  return must_factor(job) ||
         (bf_job_is_modal(job) && (solver->method == BF_EIGEN_METHOD_AUTO || solver->precond_auto ||
                                   solver->precond == BF_EIGEN_DIRECT));
}

/* Half of the band where the matrix that is factored is symmetric and positive definite. */
static int cholesky(const bf_job *job)
{
  return bf_model_symmetric(job->model) && !inside(job);
}

bf_err bf_job_direct_forecast(bf_job *job)
{
  bf_graph *pattern = NULL;
  bf_err    err     = BF_OK;
  char      band[24], beside[24];
  if (!bf_job_factors(job)) return BF_OK;
  const double t0 = bf_seconds();
  BF_GO(bf_model_pattern(job->model, job->num, &pattern));
  BF_GO(bf_direct_forecast(pattern, bf_model_ncomp(job->model), cholesky(job), &job->plan.direct));
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
  const int modal = bf_job_is_modal(job);
  if (!must_factor(job)) return BF_OK;
  if (strcmp(*want, "cuda") != 0) {
    *want = "cpu";
    return BF_OK;
  }
  bf_diag_add(&job->diags, BF_ERROR, 404,
              modal ? job->config.eigensolver.method_where : job->config.solver.method_where,
              "method: %s%s factors on the CPU; use device.backend: cpu or auto, or an iterative method",
              modal ? bf_eigen_method_word(job->config.eigensolver.method)
                    : bf_method_name(job->config.solver.method),
              inside(job) ? " with a shift" : "");
  return BF_E_DEVICE;
}

/* The cost of factors where nobody asked for it before; band < 0: not known. */
static bf_direct_cost cost_of_factors(const bf_job *job)
{
  bf_graph      *pattern = NULL;
  bf_direct_cost cost    = {.band = -1};
  bf_err         err     = bf_model_pattern(job->model, job->num, &pattern);
  if (err == BF_OK) err = bf_direct_forecast(pattern, bf_model_ncomp(job->model), cholesky(job), &cost);
  bf_graph_destroy(&pattern);
  return err == BF_OK ? cost : (bf_direct_cost){.band = -1}; /* an advice less */
}

void bf_job_advice(const bf_job *job, char *text, size_t size)
{
  const bf_method method = bf_job_method(job);
  bf_advice       a      = {.report      = &job->solve,
                            .method      = method,
                            .precond     = bf_job_precond(job),
                            .symmetric   = bf_model_symmetric(job->model),
                            .limit_given = job->config.solver.max_iterations != BF_ITERATIONS_AUTO,
                            .direct.band = -1,
                            .available   = bf_memory_available()};
  if (bf_advice_wants_direct(&job->solve, method)) a.direct = cost_of_factors(job);
  bf_advice_text(&a, text, size);
}

void bf_job_singular(bf_job *job, bf_severity severity)
{
  static const char *const axis[3] = {"x", "y", "z"};
  const int                D       = bf_model_ncomp(job->model);
  const bf_int             row = job->solve.unknown, node = row < 0 ? -1 : job->num->node[row / D];
  const bf_mesh           *m = job->mesh;
  char                     what[64], place[120];
  if (node < 0) return;
  if (D == 1)
    snprintf(what, sizeof what, "the %s", bf_physics_words_of(job->problem.physics)->field);
  else
    snprintf(what, sizeof what, "displacement %s", row % D < 3 ? axis[row % D] : "");
  snprintf(place, sizeof place, "%s of node %lld at (%g, %g, %g)", what, (long long)m->node_tag[node],
           m->x[3 * (size_t)node], m->x[3 * (size_t)node + 1], m->x[3 * (size_t)node + 2]);
  if (job->solve.reason == BF_KRYLOV_SINGULAR)
    bf_diag_add(&job->diags, severity, 502, (bf_where){.file = job->deck_path},
                "%s is not determined by the equations", place);
  else
    bf_diag_add(
        &job->diags, severity, 502, (bf_where){.file = job->deck_path},
        "ill-conditioned system, smallest pivot: %s; possible causes: a part without supports or joined "
        "to the rest at a point, thin or distorted elements, material values of very different size, very "
        "soft supports",
        place);
}
