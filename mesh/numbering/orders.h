/* mesh/numbering/orders.h - inside mesh/numbering/: orders of the vertices, by coordinates and by levels
 *
 * order[k] = vertex at position k
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MESH_NUMBERING_ORDERS_H
#define BF_MESH_NUMBERING_ORDERS_H
#include "mesh/numbering/vertex_mesh.h"

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
  double          bytes; /* limits of the current order */
  bf_int          reach, n;
  bf_int          widest, placed, rows, next; /* its reach so far; rows with a position; rows counted; rows at
                                                 which the next are counted */
  double sum;                                 /* bytes of the rows counted */
} bf_bound;
bf_err bf_bound_create(const bf_graph *g, bf_bound **out);
void   bf_bound_destroy(bf_bound **b);
/* The next order has n rows; it is rejected if its diagonals take more than `bytes` in full storage and its
 * reach is `reach` or more. reach 0: any order, only the bytes count, by a rigorous bound; else an order by
 * levels, whose bytes may be estimated from the first rows. */
void bf_bound_begin(bf_bound *b, bf_int n, double bytes, bf_int reach);
/* order[0 .. placed) is known, and with it all neighbours of order[0 .. complete); widest: reach of the rows
 * since the last call.  1: the order is rejected.  Cost: over all calls one pass over g. */
int bf_bound_exceeded(bf_bound *b, const bf_int *order, bf_int complete, bf_int placed, bf_int widest);

typedef enum { BF_MAX_MIN, BF_MIN_MAX } bf_level_key;
typedef struct bf_level_work bf_level_work; /* scratch for graphs of up to n vertices */
bf_err                       bf_level_work_create(bf_int n, bf_level_work **out);
void                         bf_level_work_destroy(bf_level_work **w);
/* Breadth-first levels from an ordered start; returns the number of vertices reached, in order[]. Graph edges
 * between a vertex with cut 1 and one with cut 2 are ignored (cut NULL: none is). With a bound (NULL: none)
 * -1 if the order is rejected; then order[] is incomplete. */
bf_int bf_levels(bf_level_work *w, const bf_graph *g, const bf_int *start, bf_int nstart, bf_level_key key,
                 const uint8_t *cut, bf_bound *bound, bf_int *order);

/* level[p] of the vertex at position p of an order by levels from its first nstart vertices. */
bf_err bf_levels_by_position(const bf_graph *g, const bf_int *pos, bf_int nstart, bf_int *level);
#endif
