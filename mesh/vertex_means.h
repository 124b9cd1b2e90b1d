/* mesh/vertex_means.h - nodes between vertices as means of vertices, by matrix row: the prolongation from
 * linear to quadratic elements */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_VERTEX_MEANS_H
#define BF_VERTEX_MEANS_H
#include "mesh/numbering.h"

typedef struct bf_vertex_means {
  bf_int (*ends)[BF_CORNERS_MAX]; /* owned [nrows]: rows of the vertices whose mean a node is */
  uint8_t *count;                 /* owned [nrows]: 1: a vertex, itself; 2, 4 or 8; 0: a row without a node */
  bf_int   between;               /* rows of nodes that are no vertices */
} bf_vertex_means;

/* Of the elements of the mesh's dimension.  A node that is a vertex of one element and lies between vertices
 * of another is a vertex.  Cost: one pass over the elements. */
bf_err bf_vertex_means_create(const bf_mesh *m, const bf_numbering *n, bf_vertex_means *out);
void   bf_vertex_means_clear(bf_vertex_means *v);
#endif
