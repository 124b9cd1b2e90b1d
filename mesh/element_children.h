/* mesh/element_children.h - an element divided into 2^dim of its type, in reference coordinates (private to
 * mesh/)
 *
 * Children are affine images of the reference element: halves of lines, quarters of quadrilaterals, eighths
 * of hexahedra; a triangle at each corner and one between them; a tetrahedron at each corner, and the
 * octahedron between them cut along one of its three diagonals into four.
 *
 * Source: J. Bey, Tetrahedral grid refinement, Computing 55 (1995) 355-378, doi:10.1007/BF02238487.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MESH_ELEMENT_CHILDREN_H
#define BF_MESH_ELEMENT_CHILDREN_H
#include "mesh/element.h"

enum { BF_CHILDREN_MAX = 8 };

typedef struct bf_children {
  int    n;                                  /* 2^dim */
  double xi[BF_CHILDREN_MAX][BF_NEN_MAX][3]; /* their nodes, in the parent's reference coordinates */
} bf_children;

/* diagonal, of tetrahedra: 0, 1, 2 = between the middles of the edges 01-23, 02-13, 03-12. */
void bf_element_children(bf_elem_type type, int diagonal, bf_children *out);
#endif
