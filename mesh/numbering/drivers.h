/* mesh/numbering/drivers.h - inside mesh/numbering/: numberings of quadratic meshes and of block-structured
 * ones, the steps of create.c
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MESH_NUMBERING_DRIVERS_H
#define BF_MESH_NUMBERING_DRIVERS_H
#include "mesh/numbering/search.h"

bf_err bf_number_quadratic(const bf_mesh *m, bf_vmesh *v, bf_order order, bf_numbering *n);

/* ---- blocks ---- */
/* block[cells], out: structured blocks of a mesh of quadrilaterals or hexahedra alone (cell_blocks.c). */
bf_err bf_cell_blocks(const bf_vmesh *v, bf_int *block, bf_int *nblocks);
/* 1 for quadrilaterals or hexahedra only, if the diagonals of n can be improved. */
int bf_may_have_blocks(const bf_vmesh *v, const bf_numbering *n);
/* The blocks one after another, with a line in the table of n; *out stays NULL for a single block or if the
 * bytes are not reduced enough (numbering_blocks.c). */
bf_err bf_number_blocks(const bf_mesh *m, const bf_vmesh *v, bf_numbering *n, bf_numbering **out);
#endif
