/* base/partition/partition.h - the vertices of a graph in parts of about equal weight with few edges between
 * them */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_PARTITION_H
#define BF_PARTITION_H
#include "base/graph.h"

typedef struct bf_partition {
  bf_int  n, count;
  bf_int *ptr;    /* owned [count + 1], ptr[0] = 0; no part is empty */
  bf_int *vertex; /* owned [n]: part by part, in each ascending */
} bf_partition;

/* METIS's k-way partition with its default options (G. Karypis, V. Kumar, SIAM J. Sci. Comput. 20 (1998) 359)
 * of a symmetric graph whose vertices weigh 1 each; loops are ignored, empty parts removed.
 * Parts are within about 3 % of n/count, or a few vertices; one of more than `most` vertices is split in the
 * order of its vertices. The result is deterministic.  BF_E_ARG for an edge that is present in one direction
 * only, for count < 1 or most < 1. Cost: about 1e5 vertices a second with 30 neighbours each, on one core; 4
 * bytes per edge and the copies of METIS. */
bf_err bf_partition_create(const bf_graph *g, bf_int count, bf_int most, bf_partition **out);

/* Grows parts of `size` vertices one after the other: a part takes the vertex with the largest sum of
 * couplings to it, coupling[ptr[n]] >= 0 of every edge, symmetric; the next part starts next to the earlier
 * ones. A part of size/2 vertices or fewer without further neighbours is merged with the part of strongest
 * coupling, if the result has at most size + size/8, or `most`, vertices; those without neighbours are merged
 * with each other. Strong couplings thus lie within parts. The result is deterministic. Source: greedy graph
 * growing of G. Karypis and V. Kumar (as above, section 3.2) with couplings as gains. Cost: O(edges log(edges
 * of a part)), about 1e6 vertices with 27 neighbours in 2 s on one core. */
bf_err bf_partition_grow(const bf_graph *g, const float *coupling, bf_int size, bf_int most,
                         bf_partition **out);

/* From the part of every vertex, part[n] in 0 .. count-1: empty parts are removed, a part of more than `most`
 * vertices is split. */
bf_err bf_partition_of(bf_int n, bf_int count, const bf_int *part, bf_int most, bf_partition **out);
void   bf_partition_destroy(bf_partition **p);

/* BF_E_ARG with the first broken invariant in the message. */
bf_err bf_partition_check(const bf_partition *p);
#endif
