/* assembly/basis/locate_point.h - the cell of a view that contains a point, and its reference coordinates */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_BASIS_LOCATE_POINT_H
#define BF_ASSEMBLY_BASIS_LOCATE_POINT_H
#include "mesh/mesh.h"
#include "mesh/view.h"

typedef struct bf_location {
  bf_int cell;     /* of the view; -1 = no cell contains the point */
  double xi[3];    /* reference coordinates, inside the element */
  double distance; /* of the point to x(xi) */
} bf_location;

/* The cell that contains `at` (z is ignored on a 2D mesh); on a shared face or edge the lowest one.  A point
 * outside by at most 1e-6 of the mesh's size is moved to the nearest point of the nearest cell.  Cost: one
 * pass over the bounding boxes of all cells, in parallel. */
bf_err bf_locate_point(const bf_mesh *mesh, const bf_view *view, const double at[3], bf_location *place);

/* Reference coordinates of `at` in one element of nodes x, moved into it; returns the distance that remains;
 * INFINITY if Newton's method does not converge. */
double bf_location_invert(bf_elem_type type, double x[BF_NEN_MAX][3], const double at[3], double xi[3]);

/* Nodes x[nnodes][3] of a cell. */
void bf_location_nodes(const bf_mesh *mesh, const bf_view *view, bf_int cell, double x[BF_NEN_MAX][3]);
#endif
