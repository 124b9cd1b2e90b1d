/* app/run/group_fields.c - names of materials and groups in the result files: field data, and one id per
 * dimension
 *
 *     group_id_3d on cells: the first group of the mesh's dimension with the cell; group_id_2d, _1d, _0d on
 * points: the first group of that dimension with the node; -1 = none
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include "base/memory.h"
#include <stdio.h>

/* 1: the mesh has a named group of the dimension. */
static int has_groups(const bf_mesh *m, int dim)
{
  int has = 0;
  for (int g = 0; g < m->ngroups; g++) has |= m->group[g].named && m->group[g].dim == dim;
  return has;
}

int64_t bf_job_group_values(const bf_job *job, int64_t cells, int64_t points)
{
  int64_t n = has_groups(job->mesh, job->mesh->dim) ? cells : 0;
  for (int d = 0; d < job->mesh->dim; d++) n += has_groups(job->mesh, d) ? points : 0;
  return n;
}

/* id[nelem] or id[nnodes] of the groups of a dimension; the first group has precedence. */
static bf_err ids(const bf_mesh *m, int dim, bf_int *id)
{
  for (int g = m->ngroups - 1; g >= 0; g--) {
    const bf_group *k = &m->group[g];
    if (!k->named || k->dim != dim) continue;
    if (dim == m->dim) {
      for (bf_int e = 0; e < k->nelem; e++) id[k->elem[e]] = g;
      continue;
    }
    bf_int *node = NULL, n = 0;
    BF_TRY(bf_mesh_group_nodes(m, k, &node, &n));
    for (bf_int i = 0; i < n; i++) id[node[i]] = g;
    bf_host_free(node);
  }
  return BF_OK;
}

static bf_err add_field(const bf_job *job, int dim, bf_result_store *s, bf_result *r)
{
  static const char *const name[] = {"group_id_0d", "group_id_1d", "group_id_2d", "group_id_3d"};
  bf_err                   err    = BF_OK;
  const bf_mesh           *m      = job->mesh;
  const int                cells  = dim == m->dim;
  const bf_int all = cells ? m->nelem : m->nnodes, n = cells ? job->view->ncells : job->view->npoints;
  bf_int      *id = NULL;
  BF_GO(BF_NEW_ARRAY(id, all));
  BF_GO(BF_NEW_ARRAY(s->group_id[dim], n));
  for (bf_int i = 0; i < all; i++) id[i] = -1;
  BF_GO(ids(m, dim, id));
  for (bf_int i = 0; i < n; i++) s->group_id[dim][i] = id[cells ? job->view->elem[i] : job->view->node[i]];
  s->field[r->nfields++] = (bf_field){name[dim], NULL, 1, cells, s->group_id[dim], 0};
done:
  bf_host_free(id);
  return err;
}

static bf_err add_legend(bf_result_store *s, bf_result *r, int k, const char *name, int n)
{
  BF_TRY(BF_NEW_ARRAY(s->words[k], n));
  BF_TRY(BF_NEW_ARRAY(s->word[k], n));
  for (int i = 0; i < n; i++) s->word[k][i] = s->words[k][i];
  s->legend[r->nlegends++] = (bf_legend){name, n, s->word[k]};
  r->legend                = s->legend;
  return BF_OK;
}

/* Field data "axes": the axes of output.axes and the components of fields NAME_axes. */
static bf_err axes(const bf_job *job, bf_result_store *s, bf_result *r)
{
  const bf_axes *a    = job->problem.output_axes;
  const int      size = sizeof *s->words[0];
  if (!a) return BF_OK;
  const int polar = a->type == BF_AXES_CYLINDRICAL;
  BF_TRY(add_legend(s, r, 2, "axes", 3));
  snprintf(s->words[2][0], (size_t)size, "%s: %s", a->name, polar ? "cylindrical" : "rectangular");
  snprintf(s->words[2][1], (size_t)size, "vectors: %s", polar ? "r t z" : "x y z");
  snprintf(s->words[2][2], (size_t)size, "tensors: %s", polar ? "rr tt zz rt tz rz" : "xx yy zz xy yz xz");
  return BF_OK;
}

bf_err bf_job_group_fields(const bf_job *job, bf_result_store *s, bf_result *r)
{
  const bf_mesh *m         = job->mesh;
  const int      materials = job->problem.nmaterials, size = sizeof *s->words[0];
  for (int d = m->dim; d >= 0; d--)
    if (has_groups(m, d)) BF_TRY(add_field(job, d, s, r));
  if (materials > 0) BF_TRY(add_legend(s, r, 0, "materials", materials));
  for (int i = 0; i < materials; i++)
    snprintf(s->words[0][i], (size_t)size, "%d: %s", i, job->problem.material[i].name);
  if (m->ngroups > 0) BF_TRY(add_legend(s, r, 1, "groups", m->ngroups));
  for (int g = 0; g < m->ngroups; g++)
    snprintf(s->words[1][g], (size_t)size, "%d: %.200s (%d-D)", g, m->group[g].name, m->group[g].dim);
  return axes(job, s, r);
}
