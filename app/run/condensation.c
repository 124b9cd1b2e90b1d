/* app/run/condensation.c - condense: auto, decided by what it costs on the backend that will solve */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"

void bf_job_condense(bf_job *job)
{
  bf_problem *p = &job->problem;
  if (p->condense != BF_CONDENSE_AUTO || p->analysis != BF_STATIC) return;
  const bf_solver_config *solver = &job->config.solver;
  if (!solver->method_auto && solver->method == BF_METHOD_DIRECT) return; /* the band */
  const double expected = bf_condense_iterations(job->mesh, p->physics);
  if (expected == 0.0 || expected >= BF_CONDENSE_PAYS_DEVICE) return;
  if (expected >= BF_CONDENSE_PAYS_HOST && !bf_job_on_device(job)) return;
  p->condense = BF_CONDENSE_OFF;
  bf_log_line(&job->log,
              "condense  off: about %.0f iterations are expected, fewer than elimination has to save",
              expected);
}
