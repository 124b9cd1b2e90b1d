/* mesh/periodic_sides.h - inside mesh/: checks that two opposite sides have the same elements, node by node
 *
 * Nodes may match while elements do not: squares cut along other diagonals, triangles opposite squares. The
 * field would then be discontinuous across the sides.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_PERIODIC_SIDES_H
#define BF_PERIODIC_SIDES_H
#include "mesh/periodic.h"

/* partner[nnodes]: of a node of pair->first the node of pair->second at the translation, else -1. E210: the
 * number of elements of either side without a partner on the other, and the first of them.  Time O(n log n).
 */
bf_err bf_periodic_sides(const bf_mesh *m, const bf_face_pair *pair, const bf_int *partner, bf_diags *diags);
#endif
