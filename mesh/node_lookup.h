/* mesh/node_lookup.h - inside mesh/: finds nodes of a mesh by position: sorted along a skew ray
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MESH_NODE_LOOKUP_H
#define BF_MESH_NODE_LOOKUP_H
#include "mesh/mesh.h"

typedef struct bf_spot {
  double along; /* the ray */
  bf_int node;
} bf_spot;

typedef struct bf_spots { /* zero-initialise; bf_host_free(at) at the end */
  bf_spot *at;            /* owned [n], ascending */
  bf_int   n;
} bf_spots;

bf_err bf_spots_create(const bf_mesh *m, const bf_int *node, bf_int n, bf_spots *out);
/* The node within the tolerance of x and nearest to it, or -1.  Time O(log n) if nodes are well separated. */
bf_int bf_spot_find(const bf_mesh *m, const bf_spots *p, const double x[3], double tolerance);
/* Distance from x to the nearest of them; O(n). */
double bf_spot_nearest(const bf_mesh *m, const bf_spots *p, const double x[3]);
double bf_spot_apart(const double a[3], const double b[3]);
#endif
