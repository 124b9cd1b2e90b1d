/* app/run/static/peaks.c - largest values of a static analysis: place, material, and why they may depend on
 * the mesh
 *
 * Elasticity: displacement and von Mises stress, and with output.axes the normal stresses of largest
 * magnitude in these axes; scalars: the field, largest and smallest, and its flux.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/static/cases.h"
#include "app/run/static/static.h"
#include "base/memory.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BESIDE = 4 }; /* materials of an interface that a note names */

static double size_of(const bf_field *f, const double *v)
{
  return f->ncomp == 3 ? sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) : v[0];
}

static int compare(const void *a, const void *b)
{
  const bf_int x = *(const bf_int *)a, y = *(const bf_int *)b;
  return (x > y) - (x < y);
}

/* The first cell with a point. */
static bf_int cell_of(const bf_view *v, bf_int point)
{
  for (bf_int c = 0; c < v->ncells; c++)
    for (int64_t k = v->ptr[c]; k < v->ptr[c + 1]; k++)
      if (v->point[k] == point) return c;
  return -1;
}

/* The first named group of elements with this one. */
static const char *group_of(const bf_mesh *m, bf_int elem)
{
  for (int g = 0; g < m->ngroups; g++)
    if (m->group[g].dim == m->dim && m->group[g].named &&
        bsearch(&elem, m->group[g].elem, (size_t)m->group[g].nelem, sizeof elem, compare))
      return m->group[g].name;
  return NULL;
}

static const char *material_of(const bf_job *job, bf_int region)
{
  return region >= 0 && region < job->problem.nmaterials ? job->problem.material[region].name : NULL;
}

/* 1: the node belongs to one of the groups; *name: which. */
static bf_err in_groups(const bf_mesh *m, int n, const bf_name *group, bf_int node, const char **name,
                        int *in)
{
  for (int g = 0; g < n && !*in; g++) {
    const bf_group *k     = bf_mesh_group(m, group[g].name);
    bf_int         *nodes = NULL, count = 0;
    if (!k) continue;
    BF_TRY(bf_mesh_group_nodes(m, k, &nodes, &count));
    *in   = bsearch(&node, nodes, (size_t)count, sizeof node, compare) != NULL;
    *name = group[g].name;
    bf_host_free(nodes);
  }
  return BF_OK;
}

/* 1: the place of a point force lies in the box of a cell with this point. */
static int beside(const bf_job *job, bf_int point, const double at[3])
{
  const bf_view *v = job->view;
  for (bf_int c = 0; c < v->ncells; c++) {
    double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    int    has = 0, inside = 1;
    for (int64_t k = v->ptr[c]; k < v->ptr[c + 1]; k++) has |= v->point[k] == point;
    if (!has) continue;
    for (int64_t k = v->ptr[c]; k < v->ptr[c + 1]; k++)
      for (int d = 0; d < 3; d++) {
        const double x = job->mesh->x[3 * (size_t)v->node[v->point[k]] + (size_t)d];
        lo[d]          = fmin(lo[d], x);
        hi[d]          = fmax(hi[d], x);
      }
    const double slack = 1e-6 * (hi[0] - lo[0] + hi[1] - lo[1] + hi[2] - lo[2]);
    for (int d = 0; d < 3; d++) inside &= at[d] >= lo[d] - slack && at[d] <= hi[d] + slack;
    if (inside) return 1;
  }
  return 0;
}

static bf_err note_force(const bf_job *job, bf_int point, bf_peak *p)
{
  const bf_problem *q = bf_static_case_problem(job);
  for (int l = 0; l < q->nloads && !p->note[0]; l++) {
    const bf_load *load = &q->load[l];
    const char    *name = NULL;
    int            in   = 0;
    if (load->type != BF_LOAD_POINT_FORCE) continue;
    if (load->nat > 0)
      in = beside(job, point, load->at);
    else
      BF_TRY(in_groups(job->mesh, load->ngroups, load->group, job->view->node[point], &name, &in));
    if (in)
      snprintf(
          p->note, sizeof p->note,
          "this point lies at a point force, where the exact stress is infinite: the value grows with every "
          "refinement; spread the force over a surface, or read stresses away from it");
  }
  return BF_OK;
}

/* Rigid supports; planes of symmetry have no singular edges. */
static bf_err note_support(const bf_job *job, bf_int point, bf_peak *p)
{
  const bf_problem *q = bf_static_case_problem(job);
  for (int i = 0; i < q->nboundaries && !p->note[0]; i++) {
    const bf_boundary *b    = &q->boundary[i];
    const char        *name = NULL;
    int                in   = 0;
    if (b->type != BF_BC_FIXED && b->type != BF_BC_DISPLACEMENT) continue;
    BF_TRY(in_groups(job->mesh, b->ngroups, b->group, job->view->node[point], &name, &in));
    if (in)
      snprintf(
          p->note, sizeof p->note,
          "this point lies on '%.60s' (%s). At the edge of a rigid support the exact stress may be infinite, "
          "and the value then grows with every refinement; read stresses away from the edge",
          name, b->type == BF_BC_FIXED ? "fixed" : "displacement");
  }
  return BF_OK;
}

/* A node between materials has one point in each. */
static void note_interface(const bf_job *job, const bf_field *f, bf_int point, bf_peak *p)
{
  const bf_view *v          = job->view;
  const double  *data       = f->data;
  char           names[160] = "", values[280] = "";
  int            n        = 0;
  size_t         at_names = 0, at_values = 0;
  for (bf_int q = 0; q < v->npoints && n < BESIDE; q++) {
    const char *name = material_of(job, v->region[q]);
    if (v->node[q] != v->node[point] || !name) continue;
    at_names +=
        (size_t)snprintf(names + at_names, sizeof names - at_names, "%s%.30s", n ? " and " : "", name);
    at_values +=
        (size_t)snprintf(values + at_values, sizeof values - at_values, "%s%.6g %s in %.30s", n ? ", " : "",
                         size_of(f, data + (size_t)q * (size_t)f->ncomp), f->unit ? f->unit : "", name);
    n++;
  }
  if (n > 1)
    snprintf(p->note, sizeof p->note,
             "this point lies between %s: %s. Where stiffness or thermal strain jumps, only the traction "
             "across the "
             "interface is continuous; programs that average both sides print a value between these",
             names, values);
}

static const bf_field *field_of(const bf_job *job, const char *name)
{
  for (int i = 0; i < job->solution.nfields; i++)
    if (strcmp(job->solution.field[i].name, name) == 0) return &job->solution.field[i];
  return NULL;
}

/* Point or cell of the extreme value, first of equal ones; -1: no finite value. */
static bf_int extreme(const bf_job *job, const bf_field *f, int greatest, double *value)
{
  const bf_int count = f->on_cells ? job->view->ncells : job->view->npoints;
  bf_int       where = -1;
  for (bf_int i = 0; i < count; i++) {
    const double x = size_of(f, f->data + (size_t)i * (size_t)f->ncomp);
    if (!isfinite(x) || (where >= 0 && (greatest ? x <= *value : x >= *value))) continue;
    *value = x;
    where  = i;
  }
  return where;
}

/* Place, material and group of point or cell `where`. */
static void describe(const bf_job *job, const bf_field *f, bf_int where, bf_peak *p)
{
  const bf_view *v     = job->view;
  const bf_int   cell  = f->on_cells ? where : cell_of(v, where);
  const bf_int  *point = f->on_cells ? v->point + v->ptr[cell] : &where;
  const int      n     = f->on_cells ? (int)(v->ptr[cell + 1] - v->ptr[cell]) : 1;
  for (int k = 0; k < n; k++)
    for (int d = 0; d < 3; d++) p->at[d] += job->mesh->x[3 * (size_t)v->node[point[k]] + (size_t)d] / n;
  p->node     = f->on_cells ? -1 : job->mesh->node_tag[v->node[where]];
  p->material = material_of(job, v->region[point[0]]);
  p->group    = cell >= 0 ? group_of(job->mesh, v->elem[cell]) : NULL;
  p->of_case  = bf_static_case_name(job);
}

/* The extreme value of all load cases, with the loads and conditions of its case. */
static bf_err add_peak(bf_job *job, const char *name, int greatest, int stress)
{
  bf_peak p     = {.greatest = greatest};
  bf_int  where = -1;
  int     from  = 0;
  for (int i = 0; i < bf_static_cases_count(job); i++) {
    double value;
    bf_static_case_select(job, i);
    const bf_field *f = field_of(job, name);
    if (!f || f->ncomp == 6) return BF_OK;
    const bf_int at = extreme(job, f, greatest, &value);
    if (at < 0 || (where >= 0 && (greatest ? value <= p.value : value >= p.value))) continue;
    p.value = value;
    where   = at;
    from    = i;
  }
  if (where < 0) return BF_OK;
  bf_static_case_select(job, from);
  const bf_field *f = field_of(job, name);
  p.field           = f->name;
  p.unit            = f->unit;
  p.norm            = f->ncomp == 3;
  describe(job, f, where, &p);
  if (stress && !f->on_cells) BF_TRY(note_force(job, where, &p));
  if (stress && !f->on_cells && !p.note[0]) BF_TRY(note_support(job, where, &p));
  if (stress && !f->on_cells && !p.note[0]) note_interface(job, f, where, &p);
  job->peak[job->npeaks++] = p;
  return BF_OK;
}

/* The value of largest magnitude of a component of stress_nodal_axes, of all load cases. */
static bf_err add_component(bf_job *job, int c)
{
  static const char *const name[2][3] = {
      {"stress_nodal_axes.xx", "stress_nodal_axes.yy", "stress_nodal_axes.zz"},
      {"stress_nodal_axes.rr", "stress_nodal_axes.tt", "stress_nodal_axes.zz"}};
  const int polar = job->problem.output_axes->type == BF_AXES_CYLINDRICAL;
  bf_peak   p     = {.greatest = 1, .field = name[polar][c]};
  bf_int    where = -1;
  int       from  = 0;
  for (int i = 0; i < bf_static_cases_count(job); i++) {
    bf_static_case_select(job, i);
    const bf_field *f = field_of(job, "stress_nodal_axes");
    for (bf_int k = 0; f && k < job->view->npoints; k++) {
      const double v = f->data[6 * (size_t)k + (size_t)c];
      if (!isfinite(v) || (where >= 0 && fabs(v) <= fabs(p.value))) continue;
      p.value = v;
      p.unit  = f->unit;
      where   = k;
      from    = i;
    }
  }
  if (where < 0) return BF_OK;
  bf_static_case_select(job, from);
  describe(job, field_of(job, "stress_nodal_axes"), where, &p);
  job->peak[job->npeaks++] = p;
  return BF_OK;
}

bf_err bf_static_peaks(bf_job *job)
{
  const bf_physics_words *words  = bf_physics_words_of(job->problem.physics);
  const double            t0     = bf_seconds();
  const int               scalar = bf_model_ncomp(job->model) == 1;
  BF_TRY(add_peak(job, words->field, 1, 0));
  if (scalar) BF_TRY(add_peak(job, words->field, 0, 0));
  BF_TRY(add_peak(job, scalar ? words->flux_nodal : "von_mises_nodal", 1, !scalar));
  if (!scalar && job->npeaks < 2) BF_TRY(add_peak(job, "von_mises", 1, 1));
  for (int c = 0; job->problem.output_axes && c < bf_model_ncomp(job->model); c++)
    BF_TRY(add_component(job, c));
  bf_static_case_select_loaded(job, 0);
  bf_phase_add(&job->phases, "extremes", bf_seconds() - t0, 0.0, 0.0);
  return BF_OK;
}
