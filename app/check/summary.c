/* app/check/summary.c - summary printed by bandfem check: groups, materials, conditions, loads, supports
 *
 * Measures are those of the mesh, in the unit system of the deck; forces of a plane problem refer to the
 * whole thickness.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/analysis.h"
#include "app/run/setup_text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

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
      snprintf(size, sizeof size, "%.6g %s", e->measure, bf_setup_measure_unit(job, m->group[g].dim));
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
    bf_setup_extent(job, &job->setup->material[i], job->mesh->dim, size);
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

static void conditions(const bf_job *job)
{
  char text[BF_SETUP_TEXT], size[96], total[96], couple[200];
  for (int i = 0; i < job->problem.nboundaries; i++) {
    const bf_setup_entry *e = &job->setup->condition[i];
    bf_setup_condition_text(job->model, i, text);
    bf_setup_extent(job, e, job->mesh->dim - 1, size);
    double sum[3];
    for (int c = 0; c < 3; c++)
      sum[c] = fabs(e->total[c]) > bf_setup_moment_rounding(job, e) ? e->total[c] : 0.0;
    if (e->has_total) bf_setup_force(job, sum, total);
    bf_setup_moment(job, e, couple);
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
    bf_setup_extent(job, e, job->mesh->dim, size);
    if (e->has_total) bf_setup_force(job, e->total, total);
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
    rounding += bf_setup_moment_rounding(job, &job->setup->condition[i]);
  for (int c = 0; c < 3; c++) sum[c] = fabs(job->setup->total[c]) > rounding ? job->setup->total[c] : 0.0;
  bf_setup_force(job, sum, total);
  bf_log_line(&job->log, "%stotal of all loads: %s", job->problem.nloads ? "          " : "loads     ",
              total);
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
    bf_setup_prescribed(job, &s->part[i], text);
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
