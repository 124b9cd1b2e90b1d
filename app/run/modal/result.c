/* app/run/modal/result.c - results of a modal analysis for the writers */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/modal/modal.h"
#include <string.h>

void bf_modal_result(const bf_job *job, bf_result_store *s, bf_result *r)
{
  const bf_job_modes    *m = &job->modes;
  const bf_eigen_report *e = &m->report;
  s->modes                 = (bf_modes_record){.n              = e->pairs,
                                               .converged      = e->converged,
                                               .naxes          = m->naxes,
                                               .method         = m->method,
                                               .preconditioner = m->preconditioner,
                                               .mass           = bf_modal_mass_word(job),
                                               .normalization  = job->config.modal.largest_is_one ? "max" : "mass",
                                               .iterations     = e->iterations,
                                               .rigid          = e->zeros,
                                               .frequency_hz   = m->frequency,
                                               .residual       = m->residual,
                                               .orthogonality  = e->orthogonality,
                                               .participation  = m->factor,
                                               .effective_mass = m->mass,
                                               .mass_unit      = bf_unit_in(job->problem.units, "kg")};
  memcpy(s->modes.axis, m->axis, sizeof m->axis);
  memcpy(s->modes.total_mass, m->total, sizeof m->total);
  s->number    = (bf_step_number){"frequency_hz", m->frequency};
  s->steps     = (bf_steps){e->pairs, m->number, 1, &s->number};
  r->steps     = &s->steps;
  r->modes     = &s->modes;
  r->converged = e->pairs > 0 && e->converged == e->pairs;
}
