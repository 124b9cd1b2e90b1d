/* mesh/build.h - construction of a mesh, shared by the reader and the generators (private to mesh/) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MESH_BUILD_H
#define BF_MESH_BUILD_H
#include "mesh/mesh.h"

/* New zeroed mesh with arrays for nnodes nodes, nblocks blocks and ngroups groups; blocks and groups are
 * empty. */
bf_err bf_mesh_create(const char *file, int dim, bf_int nnodes, int nblocks, int ngroups, bf_mesh **out);

/* Sets the type of block b and allocates n elements; its first number follows block b-1. */
bf_err bf_mesh_set_block(bf_mesh *m, int b, bf_elem_type type, bf_int n);

/* Sets the name of group g (copied; NULL: dim:tag) and allocates nelem elements. */
bf_err bf_mesh_set_group(bf_mesh *m, int g, const char *name, int dim, int tag, bf_int nelem);

/* E207 where a linear and a quadratic element share an edge (mesh/check_conformity.c). */
bf_err bf_mesh_check_orders(const bf_mesh *m, bf_diags *diags);

/* Elements of the mesh's dimension with det J < 0 at all points get their nodes in the order of the mirrored
 * element (mesh/orient_elements.c): N232 with their number. */
bf_err bf_mesh_turn_inverted(bf_mesh *m, bf_diags *diags);

/* mesh/check_plane.c - a mesh of dimension 2 in a plane z = c is moved to z = 0: N233. */
void bf_mesh_move_to_z_0(bf_mesh *m, bf_diags *diags);
/* E207 if a mesh of dimension 2 does not lie in z = 0. */
bf_err bf_mesh_check_plane(const bf_mesh *m, bf_diags *diags);
#endif
