/* app/run/modal/result.c - results of a modal analysis for the writers */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/modal/modal.h"

void bf_modal_result(const bf_job *job, bf_result_store *s, bf_result *r)
{
  const bf_modes_record *m = &job->modes.record;
  s->number                = (bf_step_number){"frequency_hz", m->frequency_hz};
  s->steps                 = (bf_steps){m->n, job->modes.number, 1, &s->number};
  r->steps                 = &s->steps;
  r->modes                 = m;
  r->converged             = m->n > 0 && m->converged == m->n;
}
