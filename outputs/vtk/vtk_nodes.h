/* outputs/vtk/vtk_nodes.h - VTK's node order of a cell from bandfem's (Gmsh's) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_VTK_NODES_H
#define BF_VTK_NODES_H
#include "mesh/element.h"

/* order[k], k = 0 .. nnodes-1: local node, in the order of Gmsh, of point k of the VTK cell; NULL for an
 * unsupported type. */
const int *bf_vtk_nodes(bf_elem_type type);
#endif
