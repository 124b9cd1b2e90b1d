/* app/run/static/condensation.c - condense: auto, decided by the predicted cost on the backend */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/static/static.h"

bf_err bf_static_condense(bf_job *job)
{
  bf_problem *p = &job->problem;
  if (p->condense != BF_CONDENSE_AUTO) return BF_OK;
  const bf_solver_config *solver = &job->config.solver;
  if (!solver->method_auto && (solver->method == BF_METHOD_DIRECT || solver->method == BF_METHOD_INVERSE))
    return BF_OK; /* the band, the order */
  const double expected = bf_condense_iterations(job->mesh, p->physics);
  if (expected == 0.0 || expected >= BF_CONDENSE_PAYS_DEVICE) return BF_OK;
  if (expected >= BF_CONDENSE_PAYS_HOST && !bf_job_on_device(job)) return BF_OK;
  p->condense = BF_CONDENSE_OFF;
  bf_log_line(
      &job->log,
      "condense  off: about %.0f iterations are predicted, too few to recover the cost of the elimination",
      expected);
  return BF_OK;
}
