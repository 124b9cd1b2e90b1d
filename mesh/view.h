/* mesh/view.h - cells and points of a result file: cells of the highest dimension, points split between
 * regions
 *
 * Where elements of two regions (materials) share a node, each region has its own point, so that nodal
 * stresses may be discontinuous there.  Points of one region are in ascending node order; regions follow each
 * other only for split nodes: points 0 .. are the used nodes ascending (in the first region), followed by the
 * copies.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_VIEW_H
#define BF_VIEW_H
#include "mesh/mesh.h"

typedef struct bf_view {
  bf_int        npoints;
  bf_int       *node;   /* owned [npoints]: node of a point */
  bf_int       *region; /* owned [npoints] */
  bf_int        ncells;
  bf_int       *elem;  /* owned [ncells]: element number of a cell, ascending */
  bf_elem_type *type;  /* owned [ncells] */
  int64_t      *ptr;   /* owned [ncells + 1] */
  bf_int       *point; /* owned [ptr[ncells]]: points of a cell, in bandfem's (Gmsh's) node order */
} bf_view;

/* region[nelem]: region of each element of dimension m->dim (others ignored); NULL = one region. */
bf_err bf_view_create(const bf_mesh *m, const bf_int *region, bf_view **out);
/* Every element is a cell, also those of lower dimension: cell i is element i, point i is node i, one region.
 */
bf_err bf_view_create_all(const bf_mesh *m, bf_view **out);
void   bf_view_destroy(bf_view **v);

/* A mesh whose cells are those of a plane view, each divided into n*n triangles or quadrilaterals with its
 * own points: children of a cell are consecutive, cells in the order of the view, triangles before
 * quadrilaterals.  Nodes have no coordinates yet; node i lies in cell (*cell)[i] at (*xi)[i], both the
 * caller's. */
bf_err bf_view_refine(const bf_view *view, int n, bf_mesh **mesh, bf_int **cell, double (**xi)[3]);
#endif
