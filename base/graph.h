/* base/graph.h - adjacency of n vertices in compressed rows (CSR) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_GRAPH_H
#define BF_GRAPH_H
#include "base/err.h"

typedef struct bf_graph {
  bf_int   n;
  int64_t *ptr; /* owned [n + 1], ptr[0] = 0 */
  bf_int  *adj; /* owned [ptr[n]], in each row ascending, without repeats */
} bf_graph;

bf_err bf_graph_create(bf_int n, int64_t nadj, bf_graph **out);
void   bf_graph_destroy(bf_graph **g);

/* BF_E_ARG with the first broken invariant in the message. */
bf_err bf_graph_check(const bf_graph *g);

/* Adjacency of the columns of an incidence list: item e joins node[ptr[e] .. ptr[e+1]); two nodes are
 * adjacent when an item has both; with `diagonal` every node of an item is its own neighbour too.  Negative
 * nodes are skipped. Parallel over nodes, the result does not depend on the number of threads. Cost: O(sum
 * over items of (nodes)^2) time, 12 bytes per incidence beside the result. */
bf_err bf_graph_from_items(bf_int n, bf_int nitems, const int64_t *ptr, const bf_int *node, int diagonal,
                           bf_graph **out);

/* Connected components: part[n], out, numbered from 0 in order of their first vertex. */
bf_err bf_graph_components(const bf_graph *g, bf_int *part, bf_int *nparts);

/* Reverse Cuthill-McKee from a pseudo-peripheral vertex of each part (George and Liu).
 * order[k] = vertex at position k, out [n].  Cost: O(ptr[n] log(degree)). */
bf_err bf_graph_rcm(const bf_graph *g, bf_int *order);
#endif
