/* app/run/modal/quantities.c - quantities of checks of a modal analysis: properties of one mode or of all */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/modal/modal.h"
#include <math.h>

/* Value of mode k, from 0; several axes and no component: the norm. */
static bf_err of_mode(const bf_job_modes *m, const bf_qref *ref, int k, double *value)
{
  const double *axes = ref->name[0] == 'p' ? m->record.participation : m->record.effective_mass,
               *v    = axes + k * m->record.naxes;
  *value             = 0.0;
  switch (ref->name[0]) {
  case 'f': *value = m->record.frequency_hz[k]; return BF_OK;
  case 'r': *value = m->record.residual[k]; return BF_OK;
  case 'o': *value = m->report.orthogonality[k]; return BF_OK;
  default: break;
  }
  if (ref->component < 0) {
    for (int c = 0; c < m->record.naxes; c++) *value = hypot(*value, v[c]);
    return BF_OK;
  }
  for (int c = 0; c < m->record.naxes; c++)
    if (m->record.axis[c][0] == "xyz"[ref->component]) {
      *value = v[c];
      return BF_OK;
    }
  return BF_FAIL(BF_E_INPUT, "modes of this problem have no %s along %c", ref->name, "xyz"[ref->component]);
}

static bf_err of_modes(const bf_job_modes *m, const bf_qref *ref, double *value)
{
  const int n = m->report.pairs;
  if (ref->number > 0) {
    BF_CHECK(ref->number <= n, BF_E_INPUT, "there are %d modes", n);
    return of_mode(m, ref, ref->number - 1, value);
  }
  for (int k = 0; k < n; k++) {
    double v;
    BF_TRY(of_mode(m, ref, k, &v));
    *value = k == 0             ? v
             : ref->over == '<' ? fmin(*value, v)
             : ref->over == '>' ? fmax(*value, v)
                                : *value + v;
  }
  return BF_OK;
}

bf_err bf_modal_quantity(const bf_job *job, const bf_qref *ref, double *value)
{
  switch (ref->kind) {
  case BF_Q_MODE: return of_modes(&job->modes, ref, value);
  case BF_Q_ITERATIONS: *value = job->modes.report.iterations; return BF_OK;
  case BF_Q_UNKNOWNS: *value = (double)bf_job_unknowns(job); return BF_OK;
  default: return BF_FAIL(BF_E_INTERNAL, "unknown kind of quantity");
  }
}
