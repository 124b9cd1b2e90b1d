/* outputs/vtk_nodes.c - see vtk_nodes.h
 *
 * Corners agree in all types; mid-side nodes sit on the edges
 *            place    4    5    6    7    8    9
 *   tet10    VTK     0-1  1-2  2-0  0-3  1-3  2-3       Gmsh  0-1  1-2  2-0  3-0  2-3  1-3
 *            place    8    9   10   11   12   13   14   15   16   17   18   19
 *   hex20    VTK     0-1  1-2  2-3  3-0  4-5  5-6  6-7  7-4  0-4  1-5  2-6  3-7
 *            Gmsh    0-1  0-3  0-4  1-2  1-5  2-3  2-6  3-7  4-5  4-7  5-6  6-7
 * Sources: VTK, classes vtkQuadraticTetra and vtkQuadraticHexahedron; Gmsh reference manual, "Node ordering".
 */
#include "outputs/vtk_nodes.h"

static const int same[BF_NEN_MAX]  = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
static const int tet10[BF_NEN_MAX] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
static const int hex20[BF_NEN_MAX] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15};

const int *bf_vtk_nodes(bf_elem_type type)
{
  if ((int)type < 0 || type >= BF_ELEM_TYPES) return NULL;
  return type == BF_TET10 ? tet10 : type == BF_HEX20 ? hex20 : same;
}
