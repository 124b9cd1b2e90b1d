/* outputs/vtk/vtk_nodes.c - see vtk_nodes.h
 *
 * Corners agree in all types; mid-side nodes are on the edges
 *            place    4    5    6    7    8    9
 *   tet10    VTK     0-1  1-2  2-0  0-3  1-3  2-3       Gmsh  0-1  1-2  2-0  3-0  2-3  1-3
 *            place    8    9   10   11   12   13   14   15   16   17   18   19
 *   hex20    VTK     0-1  1-2  2-3  3-0  4-5  5-6  6-7  7-4  0-4  1-5  2-6  3-7
 *            Gmsh    0-1  0-3  0-4  1-2  1-5  2-3  2-6  3-7  4-5  4-7  5-6  6-7
 *   hex27    as hex20, then the faces and the middle
 *            place   20   21   22   23   24   25   26
 *            VTK     -x   +x   -y   +y   -z   +z   middle
 *            Gmsh    -z   -y   -x   +x   +y   +z   middle
 * Sources: VTK, classes vtkQuadraticTetra, vtkQuadraticHexahedron, vtkBiQuadraticQuad and
 * vtkTriQuadraticHexahedron; Gmsh reference manual, "Node ordering".
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/vtk/vtk_nodes.h"

static const int same[BF_NEN_MAX]  = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13,
                                      14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26};
static const int tet10[BF_NEN_MAX] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
static const int hex27[BF_NEN_MAX] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  11, 13, 9,  16, 18,
                                      19, 17, 10, 12, 14, 15, 22, 23, 21, 24, 20, 25, 26};

const int *bf_vtk_nodes(bf_elem_type type)
{
  if ((int)type < 0 || type >= BF_ELEM_TYPES) return NULL;
  return type == BF_TET10 ? tet10 : type == BF_HEX20 || type == BF_HEX27 ? hex27 : same;
}
