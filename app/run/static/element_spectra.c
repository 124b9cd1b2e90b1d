/* app/run/static/element_spectra.c - element spectra: warning W332 of hourglass modes */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/static/static.h"

void bf_static_spectra_done(bf_job *job)
{
  for (int i = 0; i < job->solution.nspectra; i++) {
    const bf_spectrum *s = &job->solution.spectrum[i];
    if (s->faulty == 0) continue;
    bf_diag_add(&job->diags, BF_WARNING, 332, job->problem.spectrum_where,
                "element %lld (%s) has %d zero-energy modes instead of %d: %d hourglass modes; %lld of the "
                "%lld elements of this type have too many: increase discretization.quadrature",
                (long long)s->most_id, bf_elem(s->type)->name, s->most, s->expected, s->most - s->expected,
                (long long)s->faulty, (long long)s->elements);
  }
}
