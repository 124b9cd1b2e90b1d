/* app/check/summary.c - summary printed by bandfem check: groups, materials, conditions, loads, supports
 *
 * Measures are those of the mesh, in the unit system of the deck; forces of a plane problem refer to the
 * whole thickness.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/analysis.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *measure_unit(const bf_job *job, int dim)
{
  static const char *const unit[] = {"", "m", "m2", "m3"};
  return bf_unit_in(job->problem.units, unit[dim]);
}

/* ": 24 elements, 39 nodes, 0.04 m2", ": 1 node", "" without nodes. */
static void extent(const bf_job *job, const bf_setup_entry *e, int dim, char text[96])
{
  text[0] = '\0';
  if (e->measure > 0.0)
    snprintf(text, 96, ": %d element%s, %d nodes, %.6g %s", e->elements, e->elements == 1 ? "" : "s",
             e->nodes, e->measure, measure_unit(job, dim));
  else if (e->nodes > 0)
    snprintf(text, 96, ": %d node%s", e->nodes, e->nodes == 1 ? "" : "s");
}

/* "(0, 0, -40000) N"; components at the level of rounding are printed as 0 */
static void force(const bf_job *job, const double total[3], char text[96])
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

static void problem(const bf_job *job)
{
  const bf_run_config *config = &job->config;
  bf_log_line(&job->log, "problem   physics %s, analysis %s%s%s", config->physics, config->analysis,
              config->space[0] ? ", space " : "", config->space);
  if (job->analysis->summary) job->analysis->summary(job);
}

static void mesh(const bf_job *job)
{
  const bf_mesh *m = job->mesh;
  double         lo[3], hi[3];
  bf_mesh_bounds(m, lo, hi);
  bf_log_line(&job->log, "bounds    from (%g, %g, %g) to (%g, %g, %g) %s", lo[0], lo[1], lo[2], hi[0], hi[1],
              hi[2], bf_unit_in(job->problem.units, "m"));
  bf_log_line(&job->log, "groups    %-24s  dim  elements     nodes  measure", "name");
  for (int g = 0; g < m->ngroups; g++) {
    const bf_setup_entry *e        = &job->setup->group[g];
    char                  size[48] = "";
    if (m->group[g].dim > 0)
      snprintf(size, sizeof size, "%.6g %s", e->measure, measure_unit(job, m->group[g].dim));
    bf_log_line(&job->log, "          %-24s  %3d  %8d  %8d  %s", m->group[g].name, m->group[g].dim,
                e->elements, e->nodes, size);
  }
}

static void materials(const bf_job *job)
{
  char   text[BF_SETUP_TEXT], size[96];
  bf_int bare = 0;
  for (int i = 0; i < job->problem.nmaterials; i++) {
    bf_setup_material_text(job->model, i, text);
    extent(job, &job->setup->material[i], job->mesh->dim, size);
    bf_log_line(&job->log, "%s%s%s", i ? "          " : "materials ", text, size);
  }
  const bf_int *region = bf_model_region(job->model);
  for (int b = 0; b < job->mesh->nblocks; b++) {
    const bf_block *k = &job->mesh->block[b];
    if (bf_elem(k->type)->dim != job->mesh->dim) continue;
    for (bf_int e = k->first; e < k->first + k->n; e++) bare += region[e] < 0;
  }
  if (bare) bf_log_line(&job->log, "          no material: %d elements (material_id -1)", bare);
}

/* ", moment (0, 0, 12) N m about (1, 0, 0)"; "" unless the entry has one */
static void moment(const bf_job *job, const bf_setup_entry *e, char text[200])
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
static double moment_rounding(const bf_job *job, const bf_setup_entry *e)
{
  double lo[3], hi[3], size = 0.0, most = 0.0;
  if (!e->has_moment) return 0.0;
  bf_mesh_bounds(job->mesh, lo, hi);
  for (int d = 0; d < 3; d++) size = fmax(size, hi[d] - lo[d]), most = fmax(most, fabs(e->moment[d]));
  return 1e-11 * most / size;
}

static void conditions(const bf_job *job)
{
  char text[BF_SETUP_TEXT], size[96], total[96], couple[200];
  for (int i = 0; i < job->problem.nboundaries; i++) {
    const bf_setup_entry *e = &job->setup->condition[i];
    bf_setup_condition_text(job->model, i, text);
    extent(job, e, job->mesh->dim - 1, size);
    double sum[3];
    for (int c = 0; c < 3; c++) sum[c] = fabs(e->total[c]) > moment_rounding(job, e) ? e->total[c] : 0.0;
    if (e->has_total) force(job, sum, total);
    moment(job, e, couple);
    bf_log_line(&job->log, "%sline %lld: %s%s%s%s%s", i ? "          " : "boundary  ",
                (long long)job->problem.boundary[i].where.line, text, size, e->has_total ? ", total " : "",
                e->has_total ? total : "", couple);
  }
  if (job->problem.nboundaries == 0) bf_log_line(&job->log, "boundary  none");
}

static void loads(const bf_job *job)
{
  char text[BF_SETUP_TEXT], size[96], total[96];
  for (int i = 0; i < job->problem.nloads; i++) {
    const bf_setup_entry *e = &job->setup->load[i];
    bf_setup_load_text(job->model, i, text);
    extent(job, e, job->mesh->dim, size);
    if (e->has_total) force(job, e->total, total);
    bf_log_line(&job->log, "%sline %lld: %s%s%s%s", i ? "          " : "loads     ",
                (long long)job->problem.load[i].where.line, text, size, e->has_total ? ", total " : "",
                e->has_total ? total : "");
  }
  int robin = 0;
  for (int i = 0; i < job->setup->nparts; i++) robin |= job->setup->part[i].robin > 0;
  if (job->problem.nloads == 0 && !job->setup->has_total && !job->setup->moved && !robin &&
      job->diags.errors == 0)
    bf_log_line(&job->log, "loads     none%s", job->analysis->without_loads);
  if (!job->setup->has_total) return;
  double sum[3], rounding = 0.0;
  for (int i = 0; i < job->problem.nboundaries; i++)
    rounding += moment_rounding(job, &job->setup->condition[i]);
  for (int c = 0; c < 3; c++) sum[c] = fabs(job->setup->total[c]) > rounding ? job->setup->total[c] : 0.0;
  force(job, sum, total);
  bf_log_line(&job->log, "%stotal of all loads: %s", job->problem.nloads ? "          " : "loads     ",
              total);
}

/* Supports of one part: "27 of 189 unknowns (x 9, y 9, z 9)". */
static void prescribed(const bf_job *job, const bf_setup_part *p, char text[160])
{
  static const char *const axis[] = {"x", "y", "z"};
  const int                n      = bf_model_ncomp(job->model);
  long long                sum    = 0;
  for (int c = 0; c < n; c++) sum += p->prescribed[c];
  int at = snprintf(text, 160, "%lld of %lld unknowns prescribed", sum, (long long)p->nodes * n);
  for (int c = 0; c < n && n > 1; c++)
    at += snprintf(text + at, 160 - (size_t)at, "%s%s %lld", c ? ", " : " (", axis[c],
                   (long long)p->prescribed[c]);
  at += snprintf(text + at, 160 - (size_t)at, "%s", n > 1 ? ")" : "");
  if (p->robin > 0 || n == 1)
    snprintf(text + at, 160 - (size_t)at, ", %s on %d faces", n > 1 ? "springs" : "convection", p->robin);
}

/* moves: E301 was reported */
static void parts(const bf_job *job)
{
  enum { SHOWN = 8 };
  const bf_setup *s     = job->setup;
  int             moves = 0, wrong = job->diags.errors > 0;
  char            text[160];
  for (int i = 0; i < job->diags.count; i++) moves |= job->diags.item[i].code == 301;
  for (bf_int i = 0; i < s->nparts && i < SHOWN; i++) {
    prescribed(job, &s->part[i], text);
    if (s->nparts == 1)
      bf_log_line(&job->log, "supports  %s", text);
    else
      bf_log_line(&job->log, "%spart %d of %d, %d elements: %s", i ? "          " : "supports  ", i + 1,
                  s->nparts, s->part[i].elements, text);
  }
  if (s->nparts > SHOWN) bf_log_line(&job->log, "          and %d more parts", s->nparts - SHOWN);
  if (moves)
    bf_log_line(&job->log, "          under-constrained: see E301");
  else if (!wrong)
    bf_log_line(&job->log, "          rigid-body motions left: none");
}

void bf_job_summary(const bf_job *job)
{
  if (!job->log.line || !job->setup) return;
  mesh(job);
  problem(job);
  materials(job);
  conditions(job);
  loads(job);
  parts(job);
}
