/* assembly/assemble/point_load.c - forces on nodes, or at a place: b_a += N_a(xi) F for the nodes a of its
 * element
 *
 * The shares N_a sum to 1 and sum_a N_a x_a is the place, so force and moment are those of the point force.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/locate_point.h"
#include "assembly/basis/shape.h"
#include "assembly/model/axes.h"
#include "assembly/model/internal.h"
#include "base/memory.h"

static bf_err new_points(bf_model *m, bf_int more, bf_point_load **first)
{
  void *p = bf_host_realloc(m->point, (size_t)m->npoints + (size_t)more, sizeof *m->point);
  BF_CHECK(p, BF_E_MEMORY, "no memory for %d point forces", (int)more);
  m->point = p;
  *first   = m->point + m->npoints;
  m->npoints += more;
  return BF_OK;
}

/* The load's force at n places x[n][3], into as many points; scratch f[n]. */
static bf_err forces(const bf_model *m, const bf_load *load, bf_int n, const double *x, double *f,
                     bf_point_load *point)
{
  for (bf_int i = 0; i < n; i++) {
    point[i].load = (int)(load - m->problem->load);
    for (int c = 0; c < 3; c++) point[i].force[c] = 0.0;
  }
  for (int c = 0; c < m->ncomp; c++) {
    const bf_err err = bf_quantity_need(m, &load->value[c], n, x, NULL, 1, f);
    if (err != BF_OK && err != BF_E_MODEL) return err; /* E319 */
    for (bf_int i = 0; i < n && err == BF_OK; i++) point[i].force[c] = f[i];
  }
  for (bf_int i = 0; i < n && load->axes; i++) {
    double e[3][3];
    bf_axes_at(load->axes, x + 3 * (size_t)i, 0.0, e);
    bf_axes_to_global((const double(*)[3])e, point[i].force);
  }
  return BF_OK;
}

/* Nodes of all groups of the load, ascending, each once. */
static bf_err group_nodes(const bf_model *m, const bf_load *load, bf_int **all, bf_int *n, bf_diags *diags)
{
  bf_err   err   = BF_OK;
  bf_int  *nodes = NULL, count = 0;
  uint8_t *mark = NULL;
  *n            = 0;
  BF_GO(BF_NEW_ARRAY(mark, m->mesh->nnodes));
  for (int g = 0; g < load->ngroups; g++) {
    const bf_group *group = bf_model_group(m, &load->group[g], 0, 0, "load 'point_force'", diags);
    if (!group) continue;
    BF_GO(bf_model_body_nodes(m, group, &load->group[g], &nodes, &count, diags));
    for (bf_int i = 0; i < count; i++) *n += !mark[nodes[i]], mark[nodes[i]] = 1;
    bf_host_free(nodes);
    nodes = NULL;
  }
  BF_GO(BF_NEW_ARRAY(*all, *n));
  *n = 0;
  for (bf_int i = 0; i < m->mesh->nnodes; i++)
    if (mark[i]) (*all)[(*n)++] = i;
done:
  bf_host_free(nodes);
  bf_host_free(mark);
  return err;
}

static bf_err on_nodes(bf_model *m, const bf_load *load, bf_diags *diags)
{
  bf_err         err   = BF_OK;
  bf_int        *nodes = NULL, n = 0;
  double        *x = NULL, *f = NULL;
  bf_point_load *point = NULL;
  BF_GO(group_nodes(m, load, &nodes, &n, diags));
  if (n == 0) goto done;
  BF_GO(BF_NEW_ARRAY(x, 3 * (size_t)n));
  BF_GO(BF_NEW_ARRAY(f, n));
  BF_GO(new_points(m, n, &point));
  for (bf_int i = 0; i < n; i++) {
    point[i].n = 1, point[i].node[0] = nodes[i], point[i].share[0] = 1.0;
    for (size_t d = 0; d < 3; d++) x[3 * (size_t)i + d] = m->mesh->x[3 * (size_t)nodes[i] + d];
  }
  BF_GO(forces(m, load, n, x, f, point));
done:
  bf_host_free(nodes);
  bf_host_free(x);
  bf_host_free(f);
  return err;
}

/* E307, E309: a place with too few or too many coordinates, or outside the body. */
static bf_err at_place(bf_model *m, const bf_load *load, const bf_view *view, bf_diags *diags)
{
  bf_location    place;
  bf_point_load *point = NULL;
  double         f, lo[3], hi[3];
  const double  *at = load->at;
  if (load->nat < m->sdim || (m->sdim == 2 && load->nat > 2 && at[2] != 0.0)) {
    bf_diag_add(diags, BF_ERROR, 307, load->at_where, "a position in a %d-D body has %d coordinates, got %d",
                m->sdim, m->sdim, load->nat);
    return BF_OK;
  }
  BF_TRY(bf_locate_point(m->mesh, view, at, &place));
  if (place.cell < 0) {
    bf_mesh_bounds(m->mesh, lo, hi);
    bf_diag_add(diags, BF_ERROR, 309, load->at_where,
                "the point (%g, %g, %g) of point_force is in no element; the mesh extends from (%g, %g, %g) "
                "to (%g, %g, %g)",
                at[0], at[1], at[2], lo[0], lo[1], lo[2], hi[0], hi[1], hi[2]);
    return BF_OK;
  }
  BF_TRY(new_points(m, 1, &point));
  point->n = bf_elem(view->type[place.cell])->nnodes;
  bf_shape(view->type[place.cell], place.xi, point->share, NULL);
  for (int a = 0; a < point->n; a++) point->node[a] = view->node[view->point[view->ptr[place.cell] + a]];
  return forces(m, load, 1, at, &f, point);
}

bf_err bf_model_resolve_points(bf_model *m, bf_diags *diags)
{
  bf_err   err  = BF_OK;
  bf_view *view = NULL;
  for (int l = 0; l < m->problem->nloads; l++) {
    const bf_load *load = &m->problem->load[l];
    if (load->type != BF_LOAD_POINT_FORCE || m->problem->physics != BF_ELASTICITY) continue;
    if (load->nat > 0 && !view) BF_GO(bf_view_create(m->mesh, NULL, &view));
    BF_GO(load->nat > 0 ? at_place(m, load, view, diags) : on_nodes(m, load, diags));
  }
done:
  bf_view_destroy(&view);
  return err;
}

/* As elements of one node: rows row[n], forces fe[n][ncomp]. */
static bf_err collect(const bf_model *m, int load, const bf_numbering *num, bf_int *row, double *fe)
{
  const size_t D = (size_t)m->ncomp;
  size_t       n = 0;
  for (int i = 0; i < m->npoints; i++)
    for (int a = 0; m->point[i].load == load && a < m->point[i].n; a++, n++) {
      row[n] = num->row[m->point[i].node[a]];
      BF_CHECK(row[n] >= 0, BF_E_ARG, "the numbering has no row for a node of an element");
      for (size_t c = 0; c < D; c++) fe[n * D + c] = m->point[i].share[a] * m->point[i].force[c];
    }
  return BF_OK;
}

bf_err bf_model_add_points(const bf_model *m, int load, const bf_numbering *num, bf_backend *be, double *b)
{
  bf_err  err = BF_OK;
  bf_int *row = NULL, n = 0;
  double *fe   = NULL;
  void   *conn = NULL, *fe_be = NULL, *ptr = NULL, *item = NULL;
  for (int i = 0; i < m->npoints; i++) n += m->point[i].load == load ? m->point[i].n : 0;
  if (n == 0) return BF_OK;
  BF_GO(BF_NEW_ARRAY(row, n));
  BF_GO(BF_NEW_ARRAY(fe, (size_t)n * (size_t)m->ncomp));
  BF_GO(collect(m, load, num, row, fe));
  BF_GO(bf_upload(be, row, (size_t)n * sizeof *row, &conn, NULL));
  BF_GO(bf_upload(be, fe, (size_t)n * (size_t)m->ncomp * sizeof *fe, &fe_be, NULL));
  BF_GO(be->ops.alloc(be, ((size_t)num->nrows + 1) * sizeof *row, &ptr));
  BF_GO(be->ops.alloc(be, (size_t)n * sizeof *row, &item));
  BF_GO(BF_OP(be, element.incidence, n, 1, conn, num->nrows, ptr, item));
  BF_GO(BF_OP(be, vector.scatter, num->nrows, m->ncomp, ptr, item, 1, fe_be, b));
  BF_GO(be->ops.sync(be)); /* row and fe are freed */
done:
  bf_host_free(row);
  bf_host_free(fe);
  be->ops.release(be, conn);
  be->ops.release(be, fe_be);
  be->ops.release(be, ptr);
  be->ops.release(be, item);
  return err;
}
