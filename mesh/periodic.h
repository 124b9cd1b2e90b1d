/* mesh/periodic.h - lattices, and the nodes of a mesh that are equal up to a translation of the lattice
 *
 *     x_v = x_master(v) + sum_i shift(v)_i a_i,     i < n
 *
 * for nodes on paired faces; every other node is its own master.  Faces, edges and corners are matched by
 * position alone, so a mesh is valid if the nodes of opposite faces match and the faces have the same
 * elements.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_PERIODIC_H
#define BF_PERIODIC_H
#include "mesh/mesh.h"

typedef struct bf_lattice {
  int    n;       /* vectors, 1 to 3 */
  double a[3][3]; /* [n]: a[i] is a period of the medium, m */
} bf_lattice;

/* b[n] with b_i . a_j = 2 pi delta_ij in the span of the a; BF_E_ARG where they are linearly dependent. */
bf_err bf_lattice_reciprocal(const bf_lattice *L, double b[3][3]);

typedef struct bf_face_pair { /* borrowed */
  const bf_group *first, *second;
  bf_where        where; /* of the pair in the deck */
} bf_face_pair;

typedef struct bf_periodic {
  bf_int  nnodes, nmasters; /* nmasters: nodes that are their own master */
  bf_int *master;           /* owned [nnodes]: the lowest node of its class */
  int (*shift)[3];          /* owned [nnodes]; 0 beyond the lattice's n */
  uint8_t *paired;          /* owned [nnodes]: 1 = on a paired face */
} bf_periodic;

/* used[nnodes]: nodes to match (bf_mesh_used_nodes).  tolerance: of a match, relative to the longest
 * vector.  Errors are added to diags: E210 nodes without a partner on the other face (their number, the
 * first, the distance of the nearest node), or an element of the face without a partner although its nodes
 * have partners, E211 no translation of the lattice maps one face of a pair to the other, E212 nodes that the
 * lattice maps on each other and the pairs do not, or that the pairs map on each other in two ways; then
 * BF_E_MODEL.  Time O(n log n) of the faces' nodes. */
bf_err bf_periodic_create(const bf_mesh *m, const uint8_t *used, const bf_lattice *L,
                          const bf_face_pair *pair, int npairs, double tolerance, bf_diags *diags,
                          bf_periodic **out);
void   bf_periodic_destroy(bf_periodic **p);
#endif
