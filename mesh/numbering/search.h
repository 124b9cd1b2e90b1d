/* mesh/numbering/search.h - inside mesh/numbering/: the search for the order of least cost */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MESH_NUMBERING_SEARCH_H
#define BF_MESH_NUMBERING_SEARCH_H
#include "mesh/numbering/band_cost.h"

typedef struct bf_choice { /* the order of some vertices, and what it costs */
  bf_int   *pos;           /* owned [nv]: position of a vertex */
  bf_bands *bands;         /* owned; NULL if stopped */
  int       empty;         /* pos is allocated only */
  int       stopped;       /* too many diagonals */
  int hopeless; /* stopped, or the diagonals cost far more than CSR even with segments: the reach decides */
  bf_int  reach;
  double  bytes;  /* of bands, full */
  int     line;   /* its line in the table of tries, -1 = none */
  bf_int  nstart; /* vertices of level 0; 0 = not an order by levels */
  bf_int *level;  /* owned [nv], by position: of a quadratic mesh numbered by levels, else NULL */
} bf_choice;

/* exhaustive: no order is abandoned before it is complete; the result is the same (for tests).
 * Fills out->tries, ideal; the best order of the vertices goes to *best with its nonzeros *nnz (pos in one
 * piece over all parts).  v may be renumbered: pos is by its vertices as they are then. */
bf_err bf_search_orders(bf_vmesh *v, bf_order order, int exhaustive, bf_numbering *out, bf_choice *best,
                        int64_t *nnz);
void   bf_choice_clear(bf_choice *c);
#endif
