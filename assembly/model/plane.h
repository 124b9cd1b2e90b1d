/* assembly/model/plane.h - the plane of the sides of a group, from the mesh */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_MODEL_PLANE_H
#define BF_ASSEMBLY_MODEL_PLANE_H
#include "mesh/mesh.h"

typedef struct bf_plane { /* of the sides that are not normal to x, y or z */
  bf_int faces;           /* their number */
  double normal[3];       /* mean normal, weighted by area */
  double deviation;       /* largest distance of a node from the plane through the centroid of the nodes */
  bf_int farthest;        /* that node */
  double extent;          /* of their box */
} bf_plane;

void bf_plane_of_group(const bf_mesh *mesh, int sdim, const bf_group *g, bf_plane *out);
int  bf_plane_is_flat(const bf_plane *p); /* deviation at most 1e-6 of the extent */

/* 0, 1, 2: the coordinate that does not vary over the nodes of a side (1e-6 of its size); -1: there is none.
 */
int bf_face_axis(const bf_mesh *mesh, int sdim, const bf_int *node, int n);
#endif
