/* base/partition.h - the vertices of a graph in parts of about equal weight with few edges between them */
#ifndef BF_PARTITION_H
#define BF_PARTITION_H
#include "base/graph.h"

typedef struct bf_partition {
  bf_int  n, count;
  bf_int *ptr;    /* owned [count + 1], ptr[0] = 0; no part is empty */
  bf_int *vertex; /* owned [n]: part by part, in each ascending */
} bf_partition;

/* METIS's k-way partition with its default options (G. Karypis, V. Kumar, SIAM J. Sci. Comput. 20 (1998) 359)
 * of a symmetric graph whose vertices weigh 1 each; loops are left out, parts that came out empty removed.
 * Parts are within about 3 % of n/count, or a few vertices; one of more than `most` vertices is cut in pieces
 * in the order of its vertices.  The same graph has the same parts every time.  BF_E_ARG for an edge that is
 * not there in both directions, for count < 1 or most < 1.
 * Cost: about 1e5 vertices a second with 30 neighbours each, on one core; 4 bytes an edge and METIS's own
 * copies. */
bf_err bf_partition_create(const bf_graph *g, bf_int count, bf_int most, bf_partition **out);
void   bf_partition_destroy(bf_partition **p);

/* BF_E_ARG with the first broken invariant in the message. */
bf_err bf_partition_check(const bf_partition *p);
#endif
