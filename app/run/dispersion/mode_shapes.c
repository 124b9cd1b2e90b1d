/* app/run/dispersion/mode_shapes.c - mode shapes of a dispersion as steps of the result, and the record for
 * the writers */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/dispersion/dispersion.h"
#include "assembly/model/bloch.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

enum { AT, FREQUENCY, BAND, KAPPA }; /* numbers of a step; KAPPA: three */

static int tick_of(const bf_job_waves *w, const char *name)
{
  for (int t = 0; t < w->record.nticks; t++)
    if (strcmp(w->record.tick_label[t], name) == 0) return w->tick[t];
  return -1;
}

/* Scales the largest displacement to 1 and its phase to 0. */
static void normalise(double *re, double *im, int64_t npoints, int width)
{
  double most = 0.0, c = 1.0, s = 0.0;
  for (int64_t i = 0; i < npoints; i++) {
    double size = 0.0;
    for (int d = 0; d < width; d++)
      size += re[i * width + d] * re[i * width + d] + im[i * width + d] * im[i * width + d];
    if (size <= most * (1.0 + 1e-9)) continue;
    most    = size;
    int big = 0;
    for (int d = 1; d < width; d++)
      if (hypot(re[i * width + d], im[i * width + d]) > hypot(re[i * width + big], im[i * width + big]))
        big = d;
    const double a = re[i * width + big], b = im[i * width + big], r = hypot(a, b);
    c = a / r;
    s = b / r;
  }
  const double scale = most > 0.0 ? 1.0 / sqrt(most) : 1.0;
  for (int64_t i = 0; i < npoints * width; i++) {
    const double a = re[i], b = im[i];
    re[i] = scale * (a * c + b * s);
    im[i] = scale * (b * c - a * s);
  }
}

static bf_err shape(bf_job *job, int k, int band, int step, double *u)
{
  bf_job_waves *w     = job->waves;
  const int     width = bf_model_ncomp(job->model) == 1 ? 1 : 3;
  const int64_t each = (int64_t)job->view->npoints * width, j = (int64_t)k * w->record.bands + band - 1;
  bf_cell_lift(w->cell, w->record.k_reciprocal + 3 * k, w->waves->mode + j * 2 * w->waves->n, u);
  bf_model_bloch_shape(job->model, job->num, job->view, u, w->re + step * each, w->im + step * each);
  normalise(w->re + step * each, w->im + step * each, job->view->npoints, width);
  w->number[AT][step]        = step + 1;
  w->number[FREQUENCY][step] = w->record.frequency_hz[j];
  w->number[BAND][step]      = band;
  for (int i = 0; i < 3; i++) w->number[KAPPA + i][step] = w->record.k_reciprocal[3 * k + i];
  return BF_OK;
}

bf_err bf_job_waves_shapes(bf_job *job)
{
  bf_err                      err   = BF_OK;
  bf_job_waves               *w     = job->waves;
  const bf_dispersion_config *d     = &job->config.dispersion;
  const int                   width = bf_model_ncomp(job->model) == 1 ? 1 : 3;
  double                     *u = NULL, t0 = bf_seconds();
  BF_GO(bf_view_create(job->mesh, bf_model_region(job->model), &job->view));
  BF_GO(BF_NEW_ARRAY(w->material, job->view->ncells));
  for (bf_int c = 0; c < job->view->ncells; c++)
    w->material[c] = bf_model_region(job->model)[job->view->elem[c]];
  if (w->waves->failed >= 0) goto done;
  const int most = d->nsaved_points * d->nsaved_bands;
  BF_GO(BF_NEW_ARRAY(u, 2 * (size_t)w->rows.nrows));
  BF_GO(BF_NEW_ARRAY(w->re, (size_t)most * (size_t)job->view->npoints * (size_t)width));
  BF_GO(BF_NEW_ARRAY(w->im, (size_t)most * (size_t)job->view->npoints * (size_t)width));
  for (int i = 0; i < 6; i++) BF_GO(BF_NEW_ARRAY(w->number[i], most));
  for (int p = 0; p < d->nsaved_points; p++) {
    const int k = tick_of(w, d->saved_point[p]);
    for (int i = 0; k >= 0 && i < d->nsaved_bands; i++) BF_GO(shape(job, k, d->saved_band[i], w->steps++, u));
  }
done:
  bf_host_free(u);
  bf_phase_add(&job->phases, "waves: shapes", bf_seconds() - t0, 0.0, 0.0);
  return err;
}

static void steps(const bf_job *job, bf_job_waves *w, bf_result_store *s, bf_result *r)
{
  static const char *const name[] = {"frequency_hz", "band", "kappa_1", "kappa_2", "kappa_3"};
  const int                width  = bf_model_ncomp(job->model) == 1 ? 1 : 3;
  if (w->steps == 0) return;
  for (int i = 0; i < 5; i++) w->step_number[i] = (bf_step_number){name[i], w->number[FREQUENCY + i]};
  w->series = (bf_steps){.n = w->steps, .at = w->number[AT], .nnumbers = 5, .number = w->step_number};
  r->steps  = &w->series;
  s->field[r->nfields++] = (bf_field){"mode_shape_re", "1", width, 0, w->re, 1};
  s->field[r->nfields++] = (bf_field){"mode_shape_im", "1", width, 0, w->im, 1};
}

void bf_job_waves_result(const bf_job *job, bf_result_store *s, bf_result *r)
{
  bf_job_waves         *w = job->waves;
  bf_dispersion_record *d = &w->record;
  d->residual             = w->waves->residual;
  d->method               = w->cell->ninterior == 0 ? "direct" : "craig_bampton";
  d->phase                = BF_WAVE_PHASE;
  d->k_unit               = job->problem.units == BF_UNITS_MM ? "rad/mm" : "rad/m";
  d->unknowns             = w->cell->n;
  d->cell_unknowns        = w->rows.n;
  d->interior_modes       = w->cell->nmodes;
  d->batch                = w->waves->batch;
  r->dispersion           = &w->record;
  r->converged            = !w->failed;
  s->field[r->nfields++]  = (bf_field){"material_id", "1", 1, 1, w->material, 0};
  steps(job, w, s, r);
}
