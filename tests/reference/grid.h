/* tests/reference/grid.h - small meshes of quads and hexahedra by formula, for scatter and matrix tests */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef T_GRID_H
#define T_GRID_H
#include "base/graph.h"
#include "tests/test.h"

typedef struct t_grid {
  bf_int  n, ne; /* nodes, elements */
  int     nen;   /* 4 or 8 */
  bf_int *conn;  /* [ne][nen] */
} t_grid;

/* nx x ny x nz cells, lexicographic nodes; nz = 0: quads in the plane.  Elements come in a shuffled order. */
t_grid t_grid_new(bf_int nx, bf_int ny, bf_int nz, uint64_t *seed);
void   t_grid_free(t_grid *g);

/* Random element matrices Ke[ne][nd][nd], nd = nen*D. */
double *t_grid_matrices(const t_grid *g, int D, int symmetric, uint64_t *seed);

/* Node pattern with the diagonal. */
bf_graph *t_grid_pattern(const t_grid *g);
#endif
