/* base/incidence.h - the items at each node: the inverse of the lists of nodes of items */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_INCIDENCE_H
#define BF_INCIDENCE_H
#include "base/err.h"

/* n items with the numbers first, first + 1, ...: item first + e has the nodes node[ptr[e] .. ptr[e+1]), or,
 * if ptr is NULL, node[stride e .. stride e + count). */
typedef struct bf_item_list {
  bf_int         n, first;
  const int64_t *ptr;  /* borrowed [n + 1], or NULL */
  const bf_int  *node; /* borrowed */
  int            stride, count;
} bf_item_list;

/* Items at node v: item[ptr[v] .. ptr[v+1]), in the order of the lists.  Negative nodes are skipped; BF_E_ARG
 * for a node above nnodes - 1.  ptr [nnodes + 1] and item become the caller's (bf_host_free).  Parallel, the
 * result does not depend on the number of threads.  Cost: two passes over the nodes of the items; memory
 * beside the result: at most half of item, and 4 bytes per node. */
bf_err bf_incidence_create(bf_int nnodes, const bf_item_list *list, int nlists, int64_t **ptr, bf_int **item);
#endif
