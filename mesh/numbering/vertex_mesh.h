/* mesh/numbering/vertex_mesh.h - inside mesh/numbering/: the corner nodes of the elements and the cells they
 * form
 *
 * A vertex is a corner node of an element of the mesh's dimension.  Vertices are numbered 0 .. nv-1, in the
 * order of the file until bf_vmesh_renumber.  A position is the number that an order gives a vertex.
 * mesh -> vertex mesh (vertex_mesh.h) -> orders (orders.h) from start sets (starts.h) -> their cost
 * (band_cost.h) -> the search (search.h) -> the numbering (drivers.h, create.c).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MESH_NUMBERING_VERTEX_MESH_H
#define BF_MESH_NUMBERING_VERTEX_MESH_H
#include "mesh/numbering.h"

typedef struct bf_cell_block {
  bf_elem_type  type;
  int           nc, stride; /* nodes of a cell that count, distance from cell to cell */
  bf_int        n;
  const bf_int *v; /* borrowed [n][stride] */
} bf_cell_block;

typedef struct bf_cells { /* a view: part of the elements, by corners or by all nodes */
  bf_int        nv;       /* numbers in v are 0 .. nv-1 */
  int           nblocks;
  bf_cell_block block[BF_ELEM_TYPES];
} bf_cells;

typedef struct bf_vmesh { /* the vertex mesh */
  int           dim;
  int           simplices;  /* it has triangles or tetrahedra */
  int           only_edges; /* only these, or lines: any two vertices of an element are an edge */
  int           quadratic;  /* the mesh has mid-edge nodes */
  int           condensed;  /* center nodes are not counted: they have no row */
  bf_int        ideal;      /* diagonals of one structured block, 0 = none known */
  bf_cells      cells;      /* corners, by vertex */
  bf_int        nused;      /* nodes of the elements: vertices and mid-edge nodes */
  bf_int       *node;       /* owned [nv]: node of a vertex; NULL = vertex v is node v */
  bf_int       *rank;       /* owned [nnodes]: number of a node among the used ones, or -1; NULL = all used */
  uint8_t      *ncells;     /* owned [nv]: elements at a vertex, 255 = that many or more */
  bf_int        reach_file;
  bf_int       *file;                 /* owned [nv]: the vertices in file order; NULL = 0, 1, ... */
  const double *x;                    /* borrowed [nnodes][3] */
  bf_int       *owned[BF_ELEM_TYPES]; /* cells' corners where they are not the mesh's own array */
} bf_vmesh;

bf_err bf_vmesh_create(const bf_mesh *m, int condensed, bf_vmesh **out);
void   bf_vmesh_destroy(bf_vmesh **v);
/* Vertex order[k] becomes vertex k, and the cells are sorted by their least vertex: with a spatial order,
 * every later pass stays in the cache (renumber.c).  *reach: of this order. */
bf_err                      bf_vmesh_renumber(bf_vmesh *v, const bf_int *order, bf_int *reach);
static inline const double *bf_vmesh_x(const bf_vmesh *v, bf_int vertex)
{
  return v->x + 3 * (size_t)(v->node ? v->node[vertex] : vertex);
}

/* Cells by all their nodes, numbered by rank; *owned holds the copies (free each). */
bf_err bf_cells_of_nodes(const bf_mesh *m, const bf_vmesh *v, bf_cells *cells, bf_int *owned[BF_ELEM_TYPES]);

/* Cells sorted by the part of their vertices: cells of part p in block b are first[p*nblocks + b] .. of the
 * copy. owned as above; *first is the caller's. */
bf_err bf_cells_by_part(const bf_cells *cells, const bf_int *part, bf_int nparts, bf_cells *sorted,
                        bf_int *owned[BF_ELEM_TYPES], bf_int **first);
#endif
