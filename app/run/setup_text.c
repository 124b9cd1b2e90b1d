/* app/run/setup_text.c - see setup_text.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/setup_text.h"
#include <math.h>
#include <stdio.h>

const char *bf_setup_measure_unit(const bf_job *job, int dim)
{
  static const char *const unit[] = {"", "m", "m2", "m3"};
  return bf_unit_in(job->problem.units, unit[dim]);
}

/* ": 24 elements, 39 nodes, 0.04 m2", ": 1 node", "" without nodes. */
void bf_setup_extent(const bf_job *job, const bf_setup_entry *e, int dim, char text[96])
{
  text[0] = '\0';
  if (e->measure > 0.0)
    snprintf(text, 96, ": %d element%s, %d nodes, %.6g %s", e->elements, e->elements == 1 ? "" : "s",
             e->nodes, e->measure, bf_setup_measure_unit(job, dim));
  else if (e->nodes > 0)
    snprintf(text, 96, ": %d node%s", e->nodes, e->nodes == 1 ? "" : "s");
}

/* "(0, 0, -40000) N"; components at the level of rounding are printed as 0 */
void bf_setup_force(const bf_job *job, const double total[3], char text[96])
{
  const int n       = bf_model_ncomp(job->model);
  double    largest = 0.0;
  size_t    at      = 0;
  for (int c = 0; c < n; c++) largest = fmax(largest, fabs(total[c]));
  for (int c = 0; c < n; c++)
    at += (size_t)snprintf(text + at, 96 - at, "%s%.6g",
                           c       ? ", "
                           : n > 1 ? "("
                                   : "",
                           fabs(total[c]) > 1e-12 * largest ? total[c] : 0.0);
  snprintf(text + at, 96 - at, "%s%s", n > 1 ? ") " : " ",
           bf_unit_in(job->problem.units, bf_physics_words_of(job->problem.physics)->force_unit));
}

/* ", moment (0, 0, 12) N m about (1, 0, 0)"; "" unless the entry has one */
void bf_setup_moment(const bf_job *job, const bf_setup_entry *e, char text[200])
{
  const char   *unit = bf_unit_in(job->problem.units, "N m");
  const double *M = e->moment, *p = e->about;
  double        size = 0.0, arm = 0.0, most = 0.0, v[3];
  text[0] = '\0';
  if (!e->has_moment) return;
  for (int d = 0; d < 3; d++) size = fmax(size, fabs(e->total[d])), most = fmax(most, fabs(M[d]));
  double lo[3], hi[3];
  bf_mesh_bounds(job->mesh, lo, hi);
  for (int d = 0; d < 3; d++) arm = fmax(arm, fmax(fabs(hi[d] - p[d]), fabs(lo[d] - p[d])));
  for (int d = 0; d < 3; d++) v[d] = fabs(M[d]) > 1e-12 * fmax(size * arm, most) ? M[d] : 0.0;
  if (bf_model_ncomp(job->model) == 2)
    snprintf(text, 200, ", moment %.6g %s about (%.6g, %.6g)", v[2], unit, p[0], p[1]);
  else
    snprintf(text, 200, ", moment (%.6g, %.6g, %.6g) %s about (%.6g, %.6g, %.6g)", v[0], v[1], v[2], unit,
             p[0], p[1], p[2]);
}

/* Size below which the total of a condition is the rounding of its moment. */
double bf_setup_moment_rounding(const bf_job *job, const bf_setup_entry *e)
{
  double lo[3], hi[3], size = 0.0, most = 0.0;
  if (!e->has_moment) return 0.0;
  bf_mesh_bounds(job->mesh, lo, hi);
  for (int d = 0; d < 3; d++) size = fmax(size, hi[d] - lo[d]), most = fmax(most, fabs(e->moment[d]));
  return 1e-11 * most / size;
}

/* Supports of one part: "27 of 189 unknowns (x 9, y 9, z 9)". */
void bf_setup_prescribed(const bf_job *job, const bf_setup_part *p, char text[160])
{
  static const char *const axis[] = {"x", "y", "z"};
  const int                n      = bf_model_ncomp(job->model);
  long long                sum    = (long long)p->skew;
  for (int c = 0; c < n; c++) sum += p->prescribed[c];
  int at = snprintf(text, 160, "%lld of %lld unknowns prescribed", sum, (long long)p->nodes * n);
  for (int c = 0; c < n && n > 1; c++)
    at += snprintf(text + at, 160 - (size_t)at, "%s%s %lld", c ? ", " : " (", axis[c],
                   (long long)p->prescribed[c]);
  if (p->skew > 0) at += snprintf(text + at, 160 - (size_t)at, ", other directions %lld", (long long)p->skew);
  at += snprintf(text + at, 160 - (size_t)at, "%s", n > 1 ? ")" : "");
  if (p->robin > 0 || n == 1)
    snprintf(text + at, 160 - (size_t)at, ", %s on %d faces", n > 1 ? "springs" : "convection", p->robin);
}
