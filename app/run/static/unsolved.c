/* app/run/static/unsolved.c - a static system that was not solved: E501 and E502 with advice, and the unknown
 * with the smallest pivot
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/static/advice.h"
#include "app/run/static/cases.h"
#include "app/run/static/flexibility.h"
#include "app/run/static/static.h"
#include "base/memory.h"
#include <stdio.h>

/* The cost of factors, for the advice; band < 0: not known. */
static bf_direct_cost cost_of_factors(const bf_job *job)
{
  bf_graph      *pattern = NULL;
  bf_direct_cost cost    = {.band = -1};
  bf_err         err     = bf_model_pattern(job->model, job->num, &pattern);
  if (err == BF_OK)
    err = bf_direct_forecast(pattern, bf_model_ncomp(job->model), bf_model_symmetric(job->model), &cost);
  bf_graph_destroy(&pattern);
  return err == BF_OK ? cost : (bf_direct_cost){.band = -1}; /* without this advice */
}

static void advice(const bf_job *job, char *text, size_t size)
{
  const bf_method method = bf_static_method(job);
  bf_advice       a      = {.report      = &job->solve,
                            .method      = method,
                            .precond     = job->analysis->precond(job),
                            .symmetric   = bf_model_symmetric(job->model),
                            .limit_given = job->config.solver.max_iterations != BF_ITERATIONS_AUTO,
                            .direct.band = -1,
                            .available   = bf_memory_available()};
  if (bf_advice_direct(&job->solve, method)) a.direct = cost_of_factors(job);
  bf_advice_text(&a, text, size);
}

static void singular(bf_job *job, bf_severity severity)
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

/* E501 and E502 of the selected case, or of the only one. */
static void report(bf_job *job)
{
  char              text[320], of[96] = "";
  const bf_severity severity = job->config.solver.warn_only ? BF_WARNING : BF_ERROR;
  if (job->cases) snprintf(of, sizeof of, "case '%s': ", bf_static_case_name(job));
  if (job->solve.unknown >= 0) singular(job, severity);
  advice(job, text, sizeof text);
  bf_diag_add(&job->diags, severity, 501, (bf_where){.file = job->deck_path}, "%s%s%s", of, job->solve.text,
              text);
}

int bf_static_unsolved(bf_job *job)
{
  const int warn   = job->config.solver.warn_only;
  int       failed = !job->cases && job->solve.reason != BF_KRYLOV_CONVERGED;
  if (failed) report(job);
  for (int i = 0; i < bf_static_cases_count(job) && job->cases; i++) {
    failed |= !bf_static_case_converged(job, i);
    if (!bf_static_case_failed(job, i)) continue;
    bf_static_case_select(job, i);
    report(job);
  }
  if (!failed) /* E509 is reported already */
    return job->flexibility && job->flexibility->failed && !warn;
  return !warn;
}
