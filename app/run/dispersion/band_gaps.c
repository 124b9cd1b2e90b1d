/* app/run/dispersion/band_gaps.c - results derived from the bands of a dispersion: gaps, branches, quantities
 * of checks */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/dispersion/dispersion.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

void bf_waves_name(const bf_job_waves *w, int k, char text[96])
{
  const double *kappa = w->record.k_reciprocal + 3 * k;
  snprintf(text, 96, "wave vector %d (%.4g, %.4g, %.4g)", k + 1, kappa[0], kappa[1], kappa[2]);
}

/* Interval between the maximum of a band and the minimum of the next. */
static void edges(const bf_job_waves *w, int band, double *low, double *high)
{
  *low  = -INFINITY;
  *high = INFINITY;
  for (int k = 0; k < w->record.nk; k++) {
    *low  = fmax(*low, w->record.frequency_hz[(int64_t)k * w->record.bands + band - 1]);
    *high = fmin(*high, w->record.frequency_hz[(int64_t)k * w->record.bands + band]);
  }
}

bf_err bf_waves_gaps(bf_job_waves *w)
{
  static const double LEAST = 1e-6; /* relative width; narrower intervals count as touching bands */
  BF_TRY(BF_NEW_ARRAY(w->record.gap, 2 * (size_t)w->record.bands));
  BF_TRY(BF_NEW_ARRAY(w->record.gap_below, w->record.bands));
  for (int j = 1; j < w->record.bands; j++) {
    double low, high;
    edges(w, j, &low, &high);
    if (!(high - low > LEAST * high)) continue;
    w->record.gap[2 * w->record.ngaps]     = low;
    w->record.gap[2 * w->record.ngaps + 1] = high;
    w->record.gap_below[w->record.ngaps++] = j;
  }
  return BF_OK;
}

/* W322: the results list bands by frequency; at a crossing a branch continues in another column. */
bf_err bf_waves_follow(bf_job *job)
{
  bf_job_waves *w  = job->waves;
  const int     nb = w->record.bands;
  int           n = 0, first = -1, band = 0;
  char          at[96];
  BF_TRY(BF_NEW_ARRAY(w->record.branch, (size_t)w->record.nk * (size_t)nb));
  BF_TRY(bf_waves_branches(w->waves, w->cell->M, w->record.k_reciprocal, w->record.branch));
  for (int k = 0; k + 1 < w->record.nk; k++) {
    int changed = 0;
    for (int j = nb - 1; j >= 0; j--)
      if (w->record.branch[(k + 1) * nb + j] != w->record.branch[k * nb + j]) changed = j + 1;
    if (changed && n++ == 0) first = k, band = changed;
  }
  if (n == 0) return BF_OK;
  bf_waves_name(w, first, at);
  bf_diag_add(&job->diags, BF_WARNING, 322, job->config.dispersion.path_where,
              "bands cross between %d pairs of successive wave vectors, first band %d after %s; bands are "
              "numbered by frequency, 'branch' of the results by continuity",
              n, band, at);
  return BF_OK;
}

static double largest(const double *x, int64_t n)
{
  double most = 0.0;
  for (int64_t i = 0; x && i < n; i++) most = x[i] > most || isnan(x[i]) ? x[i] : most;
  return most;
}

bf_err bf_job_waves_quantity(const bf_job *job, const bf_qref *ref, double *value)
{
  const bf_job_waves *w = job->waves;
  const int64_t       n = (int64_t)w->record.nk * w->record.bands;
  double              low, high;
  *value = NAN;
  if (ref->kind == BF_Q_UNKNOWNS) *value = w->cell->n;
  if (strcmp(ref->field, "hermitian_defect") == 0) *value = w->record.hermitian_defect;
  if (strcmp(ref->field, "band.residual") == 0) *value = largest(w->waves->residual, n);
  if (strcmp(ref->field, "band.truncation") == 0) *value = largest(w->record.truncation, n);
  if (ref->kind == BF_Q_GAP) {
    edges(w, ref->number, &low, &high);
    *value = strcmp(ref->name, "low") == 0 ? low : strcmp(ref->name, "high") == 0 ? high : high - low;
  }
  for (int t = 0; ref->kind == BF_Q_BAND && t < w->record.nticks; t++)
    if (strcmp(w->record.tick_label[t], ref->name) == 0)
      *value = w->record.frequency_hz[(int64_t)w->tick[t] * w->record.bands + ref->number - 1];
  return BF_OK;
}
