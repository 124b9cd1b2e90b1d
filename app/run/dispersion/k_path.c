/* app/run/dispersion/k_path.c - wave vectors of a dispersion: straight segments between named points */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/dispersion/dispersion.h"
#include "assembly/model/bloch.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

static const double TURN = 6.28318530717958647692;
static const double
    FAR  = 4.0,
    NEAR = 1e-2; /* in reciprocal vectors: W324 if a point is beyond FAR, or all are within NEAR */

/* A point in fractions of the reciprocal vectors: kappa_i = k.a_i / (2 pi). */
static void fractions(const bf_wave_point *point, const bf_lattice *L, int cartesian, double kappa[3])
{
  memcpy(kappa, point->x, sizeof point->x);
  for (int i = 0; i < 3 && cartesian; i++) {
    kappa[i] = 0.0;
    for (int d = 0; d < 3 && i < L->n; d++) kappa[i] += point->x[d] * L->a[i][d] / TURN;
  }
}

/* E106: a Cartesian wave vector with a component perpendicular to all lattice vectors, along which the medium
 * is not periodic. */
static void check_span(bf_job *job, const bf_wave_point *point, const bf_lattice *L, double b[3][3])
{
  double kappa[3], apart = 0.0, size = 0.0;
  fractions(point, L, 1, kappa);
  for (int d = 0; d < point->n && d < 3; d++) {
    const double k    = point->x[d];
    double       left = k;
    for (int i = 0; i < 3; i++) left -= kappa[i] * b[i][d];
    apart = fmax(apart, fabs(left));
    size  = fmax(size, fabs(k));
  }
  if (apart > 1e-9 * size)
    bf_diag_add(&job->diags, BF_ERROR, 106, point->where,
                "point '%s' has a component of %.3g rad/m perpendicular to all lattice vectors; the cell "
                "does not repeat in this direction",
                point->name, apart);
}

/* k = sum kappa_i b_i, and the path length up to it. */
static void place(double b[3][3], bf_job_waves *w, int q)
{
  double *k = w->record.k_cartesian + 3 * q, step = 0.0;
  for (int d = 0; d < 3; d++) {
    k[d] = 0.0;
    for (int i = 0; i < 3; i++) k[d] += w->record.k_reciprocal[3 * q + i] * b[i][d];
    if (q > 0) step += (k[d] - k[d - 3]) * (k[d] - k[d - 3]);
  }
  w->record.path_length[q] = q > 0 ? w->record.path_length[q - 1] + sqrt(step) : 0.0;
}

/* W324: numbers in the range of the other `k_units`. */
static void doubt_units(bf_job *job, const bf_lattice *L)
{
  const bf_dispersion_config *c    = &job->config.dispersion;
  double                      most = 0.0, kappa[3];
  int                         at   = 0;
  for (int i = 0; i < c->npoints; i++) {
    fractions(&c->point[i], L, c->cartesian, kappa);
    for (int d = 0; d < L->n; d++) {
      if (fabs(kappa[d]) <= most) continue;
      most = fabs(kappa[d]);
      at   = i;
    }
  }
  if (c->cartesian ? most > 0.0 && most < NEAR : most > FAR)
    bf_diag_add(
        &job->diags, BF_WARNING, 324, c->point[at].where,
        "point '%s' is %.3g reciprocal lattice vectors from the origin, the zone boundary is at 0.5: %s",
        c->point[at].name, most,
        c->cartesian ? "fractions need k_units: reciprocal"
                     : "numbers in rad/m need k_units: rad_per_length");
}

bf_err bf_waves_path(bf_job *job, bf_job_waves *w)
{
  const bf_dispersion_config *c       = &job->config.dispersion;
  const int                   samples = c->samples, legs = c->npath - 1;
  const bf_lattice           *L = bf_model_lattice(job->model);
  double                      b[3][3];
  BF_TRY(bf_lattice_reciprocal(L, b));
  for (int i = 0; c->cartesian && i < c->npoints; i++) check_span(job, &c->point[i], L, b);
  BF_TRY(bf_diags_status(&job->diags));
  doubt_units(job, L);
  w->record.nk     = legs * samples + 1;
  w->record.nticks = legs + 1;
  BF_TRY(BF_NEW_ARRAY(w->record.k_reciprocal, 3 * (size_t)w->record.nk));
  BF_TRY(BF_NEW_ARRAY(w->record.k_cartesian, 3 * (size_t)w->record.nk));
  BF_TRY(BF_NEW_ARRAY(w->record.path_length, w->record.nk));
  BF_TRY(BF_NEW_ARRAY(w->tick, w->record.nticks));
  BF_TRY(BF_NEW_ARRAY(w->record.tick_position, w->record.nticks));
  BF_TRY(BF_NEW_ARRAY(w->record.tick_label, w->record.nticks));
  for (int t = 0; t <= legs; t++) {
    const bf_wave_point *point = &c->point[c->path[t]];
    double               from[3], to[3] = {0.0, 0.0, 0.0};
    w->record.tick_label[t] = point->name;
    w->tick[t]              = t * samples;
    fractions(point, L, c->cartesian, from);
    if (t < legs) fractions(&c->point[c->path[t + 1]], L, c->cartesian, to);
    for (int s = 0; s < (t < legs ? samples : 1); s++)
      for (int i = 0; i < 3; i++) {
        const double f = (double)s / samples;
        w->record.k_reciprocal[3 * (t * samples + s) + i] =
            s == 0 ? from[i] : (1.0 - f) * from[i] + f * to[i];
      }
  }
  for (int q = 0; q < w->record.nk; q++) place(b, w, q);
  for (int t = 0; t <= legs; t++) w->record.tick_position[t] = w->record.path_length[w->tick[t]];
  return BF_OK;
}
