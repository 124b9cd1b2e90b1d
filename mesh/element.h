/* mesh/element.h - the element types: counts, faces, names; bandfem uses the node order of Gmsh
 *
 * Corners first, then one node per edge in the order of `edge`; in quad9 and hex27 then one node in the
 * middle of each face of a hexahedron, and last the node in the middle of the element.  Reference coordinates
 * (xi, eta, zeta): lines, quads and hexahedra on [-1,1]^d, triangles and tetrahedra on the unit simplex.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ELEMENT_H
#define BF_ELEMENT_H
#include "base/err.h"

typedef enum bf_elem_type {
  BF_POINT1,
  BF_LINE2,
  BF_LINE3,
  BF_TRI3,
  BF_TRI6,
  BF_QUAD4,
  BF_QUAD8,
  BF_QUAD9,
  BF_TET4,
  BF_TET10,
  BF_HEX8,
  BF_HEX20,
  BF_HEX27,
  BF_ELEM_TYPES
} bf_elem_type;

enum { BF_NEN_MAX = 27, BF_FACES_MAX = 6, BF_EDGES_MAX = 12, BF_FACE_NODES_MAX = 9, BF_CORNERS_MAX = 8 };

typedef struct bf_elem_info {
  const char  *name; /* "hex8" */
  int          dim, order, nnodes, ncorners;
  int          gmsh, vtk; /* type numbers of the file formats */
  int          nedges;    /* edges, as pairs of corners; for order 2 node ncorners+e is on edge e */
  int          edge[BF_EDGES_MAX][2]; /* edges of a 2D element in cyclic order of its sides */
  int          nfaces;    /* sides of dimension dim-1, outward normal by the right-hand rule (2D: */
  bf_elem_type face_type; /* the interior lies to the left of the directed side) */
  int    face[BF_FACES_MAX][BF_FACE_NODES_MAX]; /* local nodes of a side, in the node order of face_type */
  double corner[BF_CORNERS_MAX][3];             /* reference coordinates of the corners */
  int    inner; /* 1: the last node is the center node of the element, and the shape functions are products */
} bf_elem_info;

/* Table entry of a type; never NULL for a valid type. */
const bf_elem_info *bf_elem(bf_elem_type type);

/* Type by name ("hex8") or by Gmsh number; -1 if bandfem has none. */
int bf_elem_by_name(const char *name);
int bf_elem_by_gmsh(int gmsh);

/* The type of the same shape and of order 1 or 2 (point1: itself).  A type of that order is returned
 * unchanged; for order 2 a linear quadrilateral or hexahedron becomes quad8 or hex20. */
bf_elem_type bf_elem_of_order(bf_elem_type type, int order);

/* The corners whose mean is node a: itself, or those of its edge, of its face, of the element. Returns their
 * number. */
int bf_elem_span(const bf_elem_info *info, int a, int corner[BF_CORNERS_MAX]);

/* Reference coordinates xi[nnodes][3] of all nodes (means of corners). */
void bf_elem_nodes(bf_elem_type type, double xi[BF_NEN_MAX][3]);
#endif
