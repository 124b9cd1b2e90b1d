/* assembly/constraints/joined_bodies.h - bodies of a mesh and the nodes at which they are joined
 *
 * A body is a set of elements joined through whole sides (bf_bodies_find), or through nodes that connect them
 * rigidly: three nodes not on a line, in the plane two nodes. All others are joints: single nodes, and in
 * space nodes on one line.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_CONSTRAINTS_JOINED_BODIES_H
#define BF_ASSEMBLY_CONSTRAINTS_JOINED_BODIES_H
#include "mesh/mesh.h"

typedef struct bf_joint { /* the node belongs to bodies first < second; first is the lowest of all of them
                           */
  bf_int first, second, node;
} bf_joint;

typedef struct bf_bodies {
  bf_int    n;
  bf_int   *of;             /* owned [nelem]: body of an element, -1 for elements of another dimension */
  bf_int    njoints, nodes; /* joints, and different nodes in them */
  bf_joint *joint;          /* owned [njoints], ascending by first, second, node */
} bf_bodies;

/* Cost: bf_bodies_find; with joints a few passes over the elements and a sort of the joints. */
bf_err bf_bodies_create(const bf_mesh *mesh, int dim, bf_bodies **out);
void   bf_bodies_destroy(bf_bodies **b);

/* 1 if the nodes of n joints lie on one line (within 1e-6 of its length). end[2]:
 * the ends of the line, or twice a single node; otherwise two of them. */
int bf_bodies_on_line(const bf_mesh *mesh, const bf_joint *joint, bf_int n, bf_int end[2]);
#endif
