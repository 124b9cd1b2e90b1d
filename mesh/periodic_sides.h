/* mesh/periodic_sides.h - inside mesh/: are the elements of two opposite sides the same, node by node?
 *
 * Nodes may be opposite each other and elements not: squares cut along other diagonals, triangles opposite
 * squares.  The field would then jump where the sides meet.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_PERIODIC_SIDES_H
#define BF_PERIODIC_SIDES_H
#include "mesh/periodic.h"

/* partner[nnodes]: of a node of pair->first that of pair->second a translation away, else -1.  E210: how many
 * elements of either side have none on the other, and where the first is.  Time O(n log n). */
bf_err bf_periodic_sides(const bf_mesh *m, const bf_face_pair *pair, const bf_int *partner, bf_diags *diags);
#endif
