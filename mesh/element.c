/* mesh/element.c - the table of element types: see element.h
 *
 * Node, edge and type numbers: Gmsh reference manual, "Node ordering" and "MSH file format"; cell types: VTK
 * file formats.  Every entry is tested against the geometry it implies (t100) and against files that Gmsh
 * wrote (t110).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/element.h"
#include <string.h>

/* clang-format off */
#define TRIANGLE {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}
#define SQUARE {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}
#define TETRAHEDRON {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
#define CUBE \
  {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}}
#define TRIANGLE_EDGES {{0, 1}, {1, 2}, {2, 0}}
#define SQUARE_EDGES {{0, 1}, {1, 2}, {2, 3}, {3, 0}}
#define TETRAHEDRON_EDGES {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {2, 3}, {1, 3}}
#define CUBE_EDGES \
  {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3}, {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}}

static const bf_elem_info table[BF_ELEM_TYPES] = {
  /*            name     dim order nodes corners gmsh vtk edges                         faces */
  [BF_POINT1] = {"point1", 0, 1,  1, 1, 15,  1, 0, {{0}},             0, BF_POINT1, {{0}}, {{0}}, 0},
  [BF_LINE2]  = {"line2",  1, 1,  2, 2,  1,  3, 1, {{0, 1}},          2, BF_POINT1, {{0}, {1}}, {{-1}, {1}}, 0},
  [BF_LINE3]  = {"line3",  1, 2,  3, 2,  8, 21, 1, {{0, 1}},          2, BF_POINT1, {{0}, {1}}, {{-1}, {1}}, 0},
  [BF_TRI3]   = {"tri3",   2, 1,  3, 3,  2,  5, 3, TRIANGLE_EDGES,    3, BF_LINE2,
                 {{0, 1}, {1, 2}, {2, 0}}, TRIANGLE, 0},
  [BF_TRI6]   = {"tri6",   2, 2,  6, 3,  9, 22, 3, TRIANGLE_EDGES,    3, BF_LINE3,
                 {{0, 1, 3}, {1, 2, 4}, {2, 0, 5}}, TRIANGLE, 0},
  [BF_QUAD4]  = {"quad4",  2, 1,  4, 4,  3,  9, 4, SQUARE_EDGES,      4, BF_LINE2,
                 {{0, 1}, {1, 2}, {2, 3}, {3, 0}}, SQUARE, 0},
  [BF_QUAD8]  = {"quad8",  2, 2,  8, 4, 16, 23, 4, SQUARE_EDGES,      4, BF_LINE3,
                 {{0, 1, 4}, {1, 2, 5}, {2, 3, 6}, {3, 0, 7}}, SQUARE, 0},
  [BF_QUAD9]  = {"quad9",  2, 2,  9, 4, 10, 28, 4, SQUARE_EDGES,      4, BF_LINE3,
                 {{0, 1, 4}, {1, 2, 5}, {2, 3, 6}, {3, 0, 7}}, SQUARE, 1},
  [BF_TET4]   = {"tet4",   3, 1,  4, 4,  4, 10, 6, TETRAHEDRON_EDGES, 4, BF_TRI3,
                 {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}, TETRAHEDRON, 0},
  [BF_TET10]  = {"tet10",  3, 2, 10, 4, 11, 24, 6, TETRAHEDRON_EDGES, 4, BF_TRI6,
                 {{0, 2, 1, 6, 5, 4}, {0, 1, 3, 4, 9, 7}, {1, 2, 3, 5, 8, 9}, {0, 3, 2, 7, 8, 6}}, TETRAHEDRON, 0},
  [BF_HEX8]   = {"hex8",   3, 1,  8, 8,  5, 12, 12, CUBE_EDGES,       6, BF_QUAD4,
                 {{0, 4, 7, 3}, {1, 2, 6, 5}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 3, 2, 1}, {4, 5, 6, 7}}, CUBE, 0},
  [BF_HEX20]  = {"hex20",  3, 2, 20, 8, 17, 25, 12, CUBE_EDGES,       6, BF_QUAD8,
                 {{0, 4, 7, 3, 10, 17, 15, 9}, {1, 2, 6, 5, 11, 14, 18, 12}, {0, 1, 5, 4, 8, 12, 16, 10},
                  {2, 3, 7, 6, 13, 15, 19, 14}, {0, 3, 2, 1, 9, 13, 11, 8}, {4, 5, 6, 7, 16, 18, 19, 17}}, CUBE, 0},
  [BF_HEX27]  = {"hex27",  3, 2, 27, 8, 12, 29, 12, CUBE_EDGES,       6, BF_QUAD9,
                 {{0, 4, 7, 3, 10, 17, 15, 9, 22}, {1, 2, 6, 5, 11, 14, 18, 12, 23}, {0, 1, 5, 4, 8, 12, 16, 10, 21},
                  {2, 3, 7, 6, 13, 15, 19, 14, 24}, {0, 3, 2, 1, 9, 13, 11, 8, 20}, {4, 5, 6, 7, 16, 18, 19, 17, 25}},
                 CUBE, 1},
};
/* clang-format on */

const bf_elem_info *bf_elem(bf_elem_type type)
{
  return (int)type >= 0 && type < BF_ELEM_TYPES ? &table[type] : NULL;
}

int bf_elem_by_name(const char *name)
{
  for (int t = 0; t < BF_ELEM_TYPES; t++)
    if (strcmp(table[t].name, name) == 0) return t;
  return -1;
}

int bf_elem_by_gmsh(int gmsh)
{
  for (int t = 0; t < BF_ELEM_TYPES; t++)
    if (table[t].gmsh == gmsh) return t;
  return -1;
}

bf_elem_type bf_elem_of_order(bf_elem_type type, int order)
{
  if (table[type].dim == 0 || table[type].order == order) return type;
  if (order == 2) return type + 1; /* the types of a shape are neighbours, the linear one first */
  while (table[type].order > 1) type--;
  return type;
}

int bf_elem_span(const bf_elem_info *info, int a, int corner[BF_CORNERS_MAX])
{
  const int  edge_end = info->ncorners + info->nedges, face_corners = table[info->face_type].ncorners;
  const int *from = NULL;
  int        n    = info->ncorners;
  if (a < info->ncorners) {
    corner[0] = a;
    return 1;
  }
  if (a < edge_end) {
    from = info->edge[a - info->ncorners];
    n    = 2;
  }
  for (int f = 0; f < info->nfaces && a >= edge_end && info->dim == 3; f++)
    if (info->face[f][BF_FACE_NODES_MAX - 1] == a) {
      from = info->face[f];
      n    = face_corners;
    }
  for (int k = 0; k < n; k++) corner[k] = from ? from[k] : k;
  return n;
}

void bf_elem_nodes(bf_elem_type type, double xi[BF_NEN_MAX][3])
{
  const bf_elem_info *e = &table[type];
  memcpy(xi, e->corner, (size_t)e->ncorners * sizeof *xi);
  for (int k = e->ncorners; k < e->nnodes; k++) {
    int       corner[BF_CORNERS_MAX];
    const int n = bf_elem_span(e, k, corner);
    for (int d = 0; d < 3; d++) {
      double sum = 0.0;
      for (int i = 0; i < n; i++) sum += e->corner[corner[i]][d];
      xi[k][d] = sum / n;
    }
  }
}
