/* mesh/numbering/numbering_internal.h - what the files of the numbering share (private to the room)
 *
 * mesh -> vertex mesh (vertex_mesh.c) -> element-edge graph (edge_graph.c) -> candidate starts
 * (start_boundary.c, chains.c, start_sets.c) -> level orders (levels.c) -> their cost (band_cost.c,
 * row_segments.c) -> the search (search.c). A "vertex" is a corner node of an element of the mesh's
 * dimension; vertices are numbered 0
 * .. nv-1, in the order of the file until bf_vmesh_renumber.  A "position" is the place an order gives a
 * vertex.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MESH_NUMBERING_NUMBERING_INTERNAL_H
#define BF_MESH_NUMBERING_NUMBERING_INTERNAL_H
#include "mesh/numbering.h"

/* ---- cells: who shares an element with whom ---- */
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
  int           only_edges; /* nothing else but these, or lines: any two vertices of an element are an edge */
  int           quadratic;  /* the mesh has mid-edge nodes */
  int           condensed;  /* nodes that an element has for itself do not count: they get no row */
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

/* ---- orders: order[k] = vertex at position k ---- */
/* Vertices joined by an element's edge. */
bf_err bf_edge_graph(const bf_cells *cells, bf_graph **out);

/* By coordinates, the longest axis slowest; coordinates within 1e-9 of the largest extent from their
 * neighbour belong to one line.  name: "xyz" etc., slowest first. */
bf_err bf_order_lexicographic(const bf_vmesh *v, bf_int *order, char name[4]);

/* Lower bound on the bytes that the diagonals of an order take, from its first rows (band_lower_bound.c). */
typedef struct bf_bound {
  const bf_graph *g;     /* borrowed */
  bf_int         *pos;   /* owned [g->n] */
  bf_int         *seen;  /* owned [2 * g->n]: by offset + g->n, number of the slice that had it last */
  bf_int          slice; /* number of the last slice, over all orders */
  double          bytes; /* limits of the order at hand */
  bf_int          reach, n;
  bf_int          widest, placed, rows, next; /* its reach so far; rows with a position; rows counted; rows at
                                                 which the next are counted */
  double sum;                                 /* bytes of the rows counted */
} bf_bound;
bf_err bf_bound_create(const bf_graph *g, bf_bound **out);
void   bf_bound_destroy(bf_bound **b);
/* The next order has n rows; it loses if its diagonals take more than `bytes` in full storage and its reach
 * is `reach` or more.  reach 0: any order, the bytes alone count and are proved; else an order by levels,
 * whose bytes may be estimated from the first rows. */
void bf_bound_begin(bf_bound *b, bf_int n, double bytes, bf_int reach);
/* order[0 .. placed) is known, and with it all neighbours of order[0 .. complete); widest: reach of the rows
 * since the last call.  1: the order loses.  Cost: over all calls one pass over g. */
int bf_bound_exceeded(bf_bound *b, const bf_int *order, bf_int complete, bf_int placed, bf_int widest);

typedef enum { BF_MAX_MIN, BF_MIN_MAX } bf_level_key;
typedef struct bf_level_work bf_level_work; /* scratch for graphs of up to n vertices */
bf_err                       bf_level_work_create(bf_int n, bf_level_work **out);
void                         bf_level_work_destroy(bf_level_work **w);
/* Breadth-first levels from an ordered start; returns how many vertices were reached, in order[].  Graph
 * edges between a vertex with cut 1 and one with cut 2 do not exist (cut NULL: all exist).  With a bound
 * (NULL: none) -1 if the order cannot win; then order[] is incomplete. */
bf_int bf_levels(bf_level_work *w, const bf_graph *g, const bf_int *start, bf_int nstart, bf_level_key key,
                 const uint8_t *cut, bf_bound *bound, bf_int *order);

/* level[p] of the vertex at position p of an order by levels from its first nstart vertices. */
bf_err bf_levels_by_position(const bf_graph *g, const bf_int *pos, bf_int nstart, bf_int *level);

/* ---- boundary ---- */
typedef struct bf_facet { /* side of one element only, outward by the right-hand rule (2D: interior to the
                             left) */
  bf_int v[4];
  int    n; /* 1, 2, 3 or 4 vertices */
} bf_facet;

typedef struct bf_surface_edge { /* edge of a facet of a 3D mesh */
  bf_int a, b;                   /* a < b */
  bf_int facet[2];               /* the first two */
  int    nfacets, ncells;        /* facets and elements at it (elements: only without simplices, else 0) */
} bf_surface_edge;

typedef struct bf_boundary {
  bf_int           nfacets;
  bf_facet        *facet;    /* owned */
  uint8_t         *vertex;   /* owned [nv]: 1 = on a facet */
  bf_int           nedges;   /* 3D, else 0 */
  bf_surface_edge *edge;     /* owned, by vertex a */
  bf_int          *edge_ptr; /* owned [nv + 1]: edges of a */
  bf_int           nsides;   /* 3D: sets of facets that join smoothly */
  bf_int          *side;     /* owned [nfacets]: 0 .. nsides-1 in order of their first facet */
} bf_boundary;

bf_err bf_boundary_create(const bf_vmesh *v, const bf_graph *g, bf_boundary **out);
void   bf_boundary_destroy(bf_boundary **b);
/* Number of the surface edge p-q, or -1. */
bf_int bf_boundary_edge(const bf_boundary *b, bf_int p, bf_int q);

/* Angle between two directions over 40 degrees (or one of them zero). */
int bf_is_corner(const double a[3], const double b[3]);

/* ---- chains ---- */
typedef struct bf_chains { /* chain i is vert[ptr[i] .. ptr[i+1]) */
  bf_int   n, nvert;
  bf_int  *ptr;  /* owned [n + 1] */
  bf_int  *vert; /* owned [ptr[n]] */
  uint8_t *loop; /* owned [n]: closed, no corner */
} bf_chains;

/* Directed edges, cut at corners into chains; a vertex with other than two edges is always one.  corner[v]: 1
 * = corner; NULL: by angle.  local[nv]: scratch, -1 everywhere before and after. */
bf_err bf_chains_create(const bf_vmesh *v, bf_int nedges, const bf_int (*edge)[2], const uint8_t *corner,
                        bf_int *local, bf_chains **out);
void   bf_chains_destroy(bf_chains **c);

/* ---- starts ---- */
typedef enum { BF_START_CHAIN, BF_START_LOOP, BF_START_CUT, BF_START_SIDE, BF_START_VERTEX } bf_start_kind;

typedef struct bf_start {
  bf_start_kind kind;
  bf_int        part;
  bf_int        side;         /* 3D: number of the side, else -1 */
  bf_int        chain;        /* its number in the side, or in the boundary */
  bf_int        first, count; /* vert[first .. first+count): the chain, loop or cut line */
  bf_int        nleft;        /* of a cut line: its left neighbours follow in vert */
  int64_t       size;         /* for the order of trying */
} bf_start;

typedef struct bf_side { /* its edges and number of vertices */
  bf_int first_edge, nedges, nvert;
} bf_side;

typedef struct bf_starts {
  bf_int    n, capacity;
  bf_start *item; /* owned, by part, then in the order of trying */
  bf_int    nvert, vert_capacity;
  bf_int   *vert; /* owned */
  bf_int    nsides;
  bf_side  *side;    /* owned */
  bf_int (*edge)[2]; /* owned: edges of the sides */
} bf_starts;

/* part[nv] or NULL = all in part 0. */
bf_err bf_starts_create(const bf_vmesh *v, const bf_graph *g, const bf_int *part, bf_int nparts,
                        bf_starts **out);
void   bf_starts_destroy(bf_starts **s);

/* Adds a start with its vertices (borrowed, copied). */
bf_err bf_starts_add(bf_starts *s, bf_start item, const bf_int *vert, bf_int nvert);

/* Cut lines of a loop in a mesh of quadrilaterals: straight on from it to the boundary (cut_line.c). */
bf_err bf_starts_add_cut(bf_starts *s, const bf_vmesh *v, const bf_graph *g, const bf_boundary *b,
                         const bf_int *loop, bf_int nloop, bf_start item);

/* ---- cost ---- */
/* An order of more distinct diagonals is hopeless in diagonal storage; half of them are positive. */
enum { BF_DIAGONALS_MAX = 8192, BF_OFFSETS_MAX = BF_DIAGONALS_MAX / 2 - 1, BF_SLICE = 128 };

typedef struct bf_offsets { /* the distinct offsets > 0 of an order; a pattern is symmetric */
  bf_int n;                 /* BF_OFFSETS_MAX + 1 if there are more; then off is empty */
  int    stopped;
  bf_int reach;
  bf_int off[BF_OFFSETS_MAX]; /* ascending */
} bf_offsets;

/* pos: number of the cells' nodes -> 0 .. n-1.  A pass over the cells; exact, parallel.  reach: if it is
 * known (else -1), the pass ends where there are too many offsets. */
bf_err bf_offsets_find(const bf_cells *cells, const bf_int *pos, bf_int n, bf_int reach, bf_offsets *o);

/* Pairs of positions that share a cell, both directions, and the diagonal: the nonzeros of the pattern. */
bf_err bf_pairs_count(const bf_cells *cells, const bf_int *pos, bf_int n, const bf_offsets *o, int64_t *nnz);
/* Of any pattern; pos NULL: the numbers themselves. */
bf_err bf_pairs_count_rows(const bf_cells *cells, const bf_int *pos, bf_int n, int64_t *nnz);

/* *word |= bits; `shared`: other threads do so too. */
static inline void bf_or_word(uint64_t *word, uint64_t bits, int shared)
{
  if (shared) {
#pragma omp atomic
    *word |= bits;
  } else {
    *word |= bits;
  }
}

/* One table of all offsets; slices of 128 rows, each with its own, merged while the bytes grow by at most 2 %
 * in all. */
bf_err bf_bands_one_table(bf_int n, const bf_offsets *o, bf_bands **out);
/* Segments cut[0] = 0, cut[1], .. cut[nseg] = n, each with its own table. */
bf_err bf_bands_cut(const bf_cells *cells, const bf_int *pos, bf_int n, const bf_offsets *o, bf_int nseg,
                    const bf_int *cut, bf_bands **out);
bf_err bf_bands_segments(const bf_cells *cells, const bf_int *pos, bf_int n, const bf_offsets *o,
                         bf_bands **out);
/* Bytes: 8 a slot, and 16 an offset and segment. */
double bf_bands_bytes(const bf_bands *b, int half);

/* The cheaper of the two for an order (NULL if stopped); *nnz = 0: counted.  Segments are tried where one
 * table is more than 5 % above 8 bytes per nonzero, and must save 2 %.  BF_CUT_IF_QUICK leaves out orders of
 * over 1025 diagonals: they rarely gain, and cost most. */
typedef enum { BF_CUT_NEVER, BF_CUT_IF_QUICK, BF_CUT } bf_cut;
bf_err bf_bands_choose(const bf_cells *cells, const bf_int *pos, bf_int n, const bf_offsets *o, bf_cut cut,
                       int64_t *nnz, bf_bands **out);

/* ---- search ---- */
typedef struct bf_choice { /* the order of some vertices, and what it costs */
  bf_int   *pos;           /* owned [nv]: position of a vertex */
  bf_bands *bands;         /* owned; NULL if stopped */
  int       empty;         /* pos is memory only */
  int       stopped;       /* too many diagonals */
  int       hopeless;      /* stopped, or no segments bring the diagonals near CSR: the reach counts */
  bf_int    reach;
  double    bytes;  /* of bands, full */
  int       line;   /* its line in the table of tries, -1 = none */
  bf_int    nstart; /* vertices of level 0; 0 = not an order by levels */
  bf_int   *level;  /* owned [nv], by position: of a quadratic mesh numbered by levels, else NULL */
} bf_choice;

/* exhaustive: no order is abandoned before it is complete; the result is the same (for tests).
 * Fills out->tries, ideal; the best order of the vertices goes to *best with its nonzeros *nnz (pos in one
 * piece over all parts).  v may be renumbered: pos is by its vertices as they are then. */
bf_err bf_search_orders(bf_vmesh *v, bf_order order, int exhaustive, bf_numbering *out, bf_choice *best,
                        int64_t *nnz);
void   bf_choice_clear(bf_choice *c);

/* Adds a line to the table of tries; the last lines are kept for `summary` ones.  Returns its number
 * or -1.  bytes are left in bytes, per nonzero they become with bf_tries_scale. */
int  bf_tries_add(bf_numbering *n, const char *name, const bf_offsets *o, const bf_bands *bands,
                  double seconds, int summary);
void bf_tries_scale(bf_numbering *n, int first, int64_t nnz);

/* ---- blocks ---- */
/* block[cells], out: structured blocks of a mesh of quadrilaterals or hexahedra alone (cell_blocks.c). */
bf_err bf_cell_blocks(const bf_vmesh *v, bf_int *block, bf_int *nblocks);
/* Quadrilaterals or hexahedra alone, and the diagonals of n leave something to win. */
int bf_may_have_blocks(const bf_vmesh *v, const bf_numbering *n);
/* The blocks one after another, with a line in the table of n; *out stays NULL where there is one block only,
 * or the bytes are not worth it (numbering_blocks.c). */
bf_err bf_number_blocks(const bf_mesh *m, const bf_vmesh *v, bf_numbering *n, bf_numbering **out);
/* n->split of its pattern. */
bf_err bf_numbering_split(bf_numbering *n, const bf_graph *pattern);
/* The line of a numbering k that is split. */
int bf_tries_add_split(bf_numbering *n, const char *name, const bf_numbering *k, double seconds);

/* ---- quadratic meshes (numbering_quadratic.c) ---- */
bf_err bf_number_quadratic(const bf_mesh *m, bf_vmesh *v, bf_order order, bf_numbering *n);

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
