/* app/precond/levels.c - output.levels: the nodes of the first coarse levels of multigrid as fields
 *
 *     level_L         points: the node of level L that the point is a part of, -1: none
 *     level_L_cell    cells: the same where all nodes of the cell are parts of one, else -1;  planes: the
 * node at the first corner of the cell of the coarse lattice that the cell lies in level_L_planes  points,
 * planes alone: the numbers of the coarse planes of that node in each direction
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/precond/levels.h"
#include "base/memory.h"
#include <stdio.h>

enum { FIELDS = 3 }; /* of a level */

static void why(const bf_job *job, bf_method method, bf_precond precond, char *text, size_t size)
{
  const bf_multigrid_report *r = &job->solve.multigrid;
  if (method == BF_METHOD_DIRECT || method == BF_METHOD_INVERSE)
    snprintf(text, size, "method %s needs no preconditioner", bf_method_name(method));
  else if (precond < BF_PRECOND_MULTIGRID)
    snprintf(text, size, "the preconditioner is %s; set solver.preconditioner: multigrid",
             bf_precond_name(precond));
  else if (r->failure[0])
    snprintf(text, size, "no multigrid hierarchy was made: %s", r->failure);
  else if (r->nlevels == 1)
    snprintf(text, size,
             "the matrix with %d unknowns is its own coarsest level; see solver.multigrid.coarsest",
             (int)r->n[0]);
  else if (precond == BF_PRECOND_AUTO)
    snprintf(text, size, "preconditioner auto converged with jacobi; set solver.preconditioner: multigrid");
  else
    snprintf(text, size, "the solution needed no multigrid hierarchy");
}

void bf_job_levels_done(bf_job *job, bf_method method, bf_precond precond)
{
  const bf_output_config *o = &job->config.output;
  char                    text[320];
  if (!o->levels) return;
  for (int l = 0; l < job->parents.nlevels; l++)
    bf_log_line(&job->log, "          level_%d: %d nodes, %s", l + 1, (int)job->parents.level[l].count,
                job->parents.level[l].coarsening);
  if (job->parents.nlevels > 0) return;
  why(job, method, precond, text, sizeof text);
  bf_diag_add(&job->diags, BF_WARNING, 510, o->levels_where, "output.levels: no levels are written: %s",
              text);
}

/* ---- fields ---- */

static bf_int node_of(const bf_job *job, int l, bf_int point)
{
  const bf_int row = job->num->row[job->view->node[point]];
  return row < 0 || row >= job->parents.rows ? -1 : job->parents.level[l].of[row];
}

/* Plane a of a node of a lattice. */
static bf_int plane(const bf_multigrid_parent *p, int a, bf_int node)
{
  for (int b = 0; b < a; b++) node /= p->grid[b];
  return node < 0 ? -1 : node % p->grid[a];
}

static bf_int cell_by_planes(const bf_job *job, int l, bf_int cell)
{
  const bf_view             *v       = job->view;
  const bf_multigrid_parent *p       = &job->parents.level[l];
  bf_int                     last[3] = {p->grid[0], p->grid[1], p->grid[2]};
  for (int64_t k = v->ptr[cell]; k < v->ptr[cell + 1]; k++) {
    const bf_int node = node_of(job, l, v->point[k]);
    if (node < 0) return -1;
    for (int a = 0; a < 3; a++)
      if (plane(p, a, node) < last[a]) last[a] = plane(p, a, node);
  }
  return last[0] + p->grid[0] * (last[1] + p->grid[1] * last[2]);
}

static bf_int cell_of(const bf_job *job, int l, bf_int cell)
{
  const bf_view *v = job->view;
  if (job->parents.level[l].grid[0] > 0) return cell_by_planes(job, l, cell);
  const bf_int first = node_of(job, l, v->point[v->ptr[cell]]);
  for (int64_t k = v->ptr[cell] + 1; k < v->ptr[cell + 1]; k++)
    if (node_of(job, l, v->point[k]) != first) return -1;
  return first;
}

static bf_err add(bf_result_store *s, bf_result *r, int l, int k, int64_t n)
{
  static const char *const name[BF_MULTIGRID_PARENTS][FIELDS] = {
      {"level_1", "level_1_cell", "level_1_planes"}, {"level_2", "level_2_cell", "level_2_planes"}};
  double  **data  = &s->level[l * FIELDS + k];
  const int ncomp = k == 2 ? 3 : 1;
  BF_TRY(BF_NEW_ARRAY(*data, (size_t)n * (size_t)ncomp));
  s->field[r->nfields++] = (bf_field){.name = name[l][k], .ncomp = ncomp, .on_cells = k == 1, .data = *data};
  return BF_OK;
}

bf_err bf_job_level_fields(const bf_job *job, bf_result_store *s, bf_result *r)
{
  const bf_view *v = job->view;
  for (int l = 0; l < job->parents.nlevels; l++) {
    const bf_multigrid_parent *p  = &job->parents.level[l];
    double *const             *of = &s->level[l * FIELDS];
    BF_TRY(add(s, r, l, 0, v->npoints));
    for (bf_int i = 0; i < v->npoints; i++) of[0][i] = node_of(job, l, i);
    BF_TRY(add(s, r, l, 1, v->ncells));
    for (bf_int c = 0; c < v->ncells; c++) of[1][c] = cell_of(job, l, c);
    if (p->grid[0] == 0) continue;
    BF_TRY(add(s, r, l, 2, v->npoints));
    for (bf_int i = 0; i < v->npoints; i++)
      for (int a = 0; a < 3; a++) of[2][3 * (size_t)i + (size_t)a] = plane(p, a, (bf_int)of[0][i]);
  }
  return BF_OK;
}
