/* app/run/static/element_spectra.c - element spectra: the warning of hourglass modes, and the summary for the
 * writers */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/static/static.h"

void bf_static_spectra_done(bf_job *job)
{
  for (int i = 0; i < job->solution.nspectra; i++) {
    const bf_spectrum_part *s = &job->solution.spectrum[i];
    if (s->faulty == 0) continue;
    bf_diag_add(
        &job->diags, BF_WARNING, 332, job->problem.spectrum_where,
        "element %lld (%s) has %d motions without energy where %d should be: %d hourglass modes; %lld of "
        "the %lld elements of this type have more than they should: take more integration points "
        "(discretization.quadrature)",
        (long long)s->most_id, bf_elem(s->type)->name, s->most, s->rigid, s->most - s->rigid,
        (long long)s->faulty, (long long)s->n);
  }
}

int bf_static_spectra(const bf_job *job, bf_spectrum_record record[BF_ELEM_TYPES])
{
  const char *unit = bf_unit_in(job->problem.units, job->problem.physics == BF_HEAT ? "W/K" : "N/m");
  int         n    = 0;
  for (int i = 0; i < job->solution.nspectra && n < BF_ELEM_TYPES; i++) {
    const bf_spectrum_part *s = &job->solution.spectrum[i];
    if (s->n == 0) continue;
    record[n++] = (bf_spectrum_record){.element  = bf_elem(s->type)->name,
                                       .elements = s->n,
                                       .faulty   = s->faulty,
                                       .expected = s->rigid,
                                       .most     = s->most,
                                       .min      = s->min,
                                       .max      = s->max,
                                       .step     = s->step,
                                       .step_id  = s->step_id,
                                       .most_id  = s->most_id,
                                       .min_id   = s->min_id,
                                       .max_id   = s->max_id,
                                       .unit     = unit};
  }
  return n;
}
