/* outputs/record_mesh.c - /bandfem/mesh of case.hdf: relation of points and cells to the mesh and the matrix
 *
 *   attributes       file dim nodes elements
 *   permutation      [nodes] matrix row of a node, -1 = used by no element
 *   point_node       [points] node of a point of /VTKHDF; absent if point i is node i of all nodes
 *   point_region     [points] material region of a point; absent if there is one
 *   cell_element     [cells] element of a cell of /VTKHDF, or, if cell i is element first + i, the attribute
 *                    first_cell_element
 *   groups/<name>/   nodes, cells (element numbers); attributes name dim tag
 * Nodes and elements count from 0: nodes in the order of the mesh file, elements through the blocks of one
 * type.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "outputs/record.h"

static int is_run(const bf_int *a, int64_t n)
{
  int run = 1;
#pragma omp parallel for schedule(static) reduction(&& : run)
  for (int64_t i = 1; i < n; i++) run = run && a[i] == a[i - 1] + 1;
  return run;
}

static bf_err put_group(bf_hdf *h, hid_t groups, const bf_mesh *m, const bf_group *g)
{
  bf_int     *node = NULL, count = 0;
  const hid_t at = bf_hdf_group(h, groups, g->name);
  bf_hdf_attr_text(h, at, "name", g->name);
  bf_hdf_attr_int(h, at, "dim", g->dim);
  bf_hdf_attr_int(h, at, "tag", g->tag);
  BF_TRY(bf_mesh_group_nodes(m, g, &node, &count));
  bf_hdf_array(h, at, "nodes", H5T_NATIVE_INT32, count, 1, node);
  bf_hdf_array(h, at, "cells", H5T_NATIVE_INT32, g->nelem, 1, g->elem);
  bf_host_free(node);
  return BF_OK;
}

bf_err bf_record_mesh(bf_hdf *h, hid_t record, const bf_result *r)
{
  const bf_mesh *m    = r->mesh;
  const bf_view *v    = r->view;
  const hid_t    at   = bf_hdf_group(h, record, "mesh");
  const hid_t    type = H5T_NATIVE_INT32;
  bf_hdf_attr_text(h, at, "file", m->file);
  bf_hdf_attr_int(h, at, "dim", m->dim);
  bf_hdf_attr_int(h, at, "nodes", m->nnodes);
  bf_hdf_attr_int(h, at, "elements", m->nelem);
  if (r->permutation) bf_hdf_array(h, at, "permutation", type, m->nnodes, 1, r->permutation);
  if (v->npoints != m->nnodes || (v->npoints && v->node[0] != 0) || !is_run(v->node, v->npoints))
    bf_hdf_array(h, at, "point_node", type, v->npoints, 1, v->node);
  if (v->region) {
    int several = 0;
    for (bf_int i = 1; i < v->npoints && !several; i++) several = v->region[i] != v->region[0];
    if (several) bf_hdf_array(h, at, "point_region", type, v->npoints, 1, v->region);
  }
  if (v->ncells && is_run(v->elem, v->ncells))
    bf_hdf_attr_int(h, at, "first_cell_element", v->elem[0]);
  else
    bf_hdf_array(h, at, "cell_element", type, v->ncells, 1, v->elem);
  const hid_t groups = bf_hdf_group(h, at, "groups");
  for (int i = 0; i < m->ngroups && !bf_hdf_failed(h); i++) BF_TRY(put_group(h, groups, m, &m->group[i]));
  return BF_OK;
}
