/* mesh/numbering/quadratic.h - inside mesh/numbering/: positions and rows of the nodes between vertices */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MESH_NUMBERING_QUADRATIC_H
#define BF_MESH_NUMBERING_QUADRATIC_H
#include "mesh/numbering/vertex_mesh.h"

typedef struct bf_mid { /* of a used node: the first and last position of its edge, face or element's corners;
                         */
  bf_int lo, hi;        /* lo = hi at a vertex */
  int    kind;          /* 0 edge, 1 face, 2 element; + 3: the next corner after lo is at position lo + 1 */
} bf_mid;
enum { BF_MID_KINDS = 6 };
/* at[nused], out, by rank. */
bf_err bf_mid_ends(const bf_mesh *m, const bf_vmesh *v, const bf_int *vertex_pos, bf_mid *at);

/* Positions of all used nodes (by rank) from those of the vertices: a mid-edge node lies at the mean of its
 * edge's ends. pos[nused], out. */
bf_err bf_place_mid_nodes(const bf_mesh *m, const bf_vmesh *v, const bf_int *vertex_pos, bf_int *pos);

/* Node families (families.c): a segment of rows for the vertices and one for each kind of node between them.
 */
enum { BF_FAMILIES_MAX = 32 }; /* of a block */
typedef struct bf_families {
  bf_int  n; /* families of all blocks, those of vertices included */
  bf_int  nrows, nseg;
  bf_int *row; /* owned [nused], by rank */
  bf_int *cut; /* owned [nseg + 1]: segments of rows, a family each, then what has no family */
} bf_families;
/* Vertices have positions cut[0] = 0 .. cut[nblocks], each block its own, beginning at a multiple of
 * BF_SLICE. level: of the vertex at a position, or NULL: then families are differences of positions.  F->n =
 * nblocks: no family of mid-edge nodes was found. */
bf_err bf_families_create(const bf_mesh *m, const bf_vmesh *v, const bf_int *vertex_pos, const bf_int *level,
                          bf_int nblocks, const bf_int *cut, bf_families *F);
void   bf_families_clear(bf_families *F);
#endif
