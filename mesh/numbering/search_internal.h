/* mesh/numbering/search_internal.h - the state of the search, shared by search.c, candidate.c and
 * level_tries.c */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MESH_NUMBERING_SEARCH_INTERNAL_H
#define BF_MESH_NUMBERING_SEARCH_INTERNAL_H
#include "mesh/numbering/orders.h"
#include "mesh/numbering/search.h"
#include "mesh/numbering/starts.h"

typedef struct bf_search {
  bf_vmesh      *v; /* borrowed, renumbered when the graph is built */
  bf_order       order;
  bf_numbering  *out;
  bf_offsets    *o;         /* owned: of the current candidate */
  bf_graph      *g;         /* owned; the following are set with it: */
  bf_int         nparts;    /* connected parts */
  bf_int        *part;      /* owned [nv] */
  bf_int        *part_ptr;  /* owned [nparts + 1]: part p has places part_ptr[p] .. in these three: */
  bf_int        *file;      /* owned [nv]: by part, in file order */
  bf_int        *lex, *rcm; /* owned [nv]: likewise, or NULL */
  char           axes[4];
  bf_starts     *starts; /* owned */
  bf_level_work *work;   /* owned */
  bf_bound      *bound;  /* owned */
  uint8_t       *cut;    /* owned [nv], 0 */
  bf_int        *local;  /* owned [nv], -1 */
  bf_int        *list;   /* owned [nv]: order of the candidate */
  bf_int        *begin;  /* owned [nv]: its start */
  bf_cells       cells;  /* by part */
  bf_int        *cells_owned[BF_ELEM_TYPES], *cells_first;
  bf_choice      now, best;  /* of the current part: pos by vertex, positions within the part */
  bf_int         nstart;     /* of the current candidate, if it is by levels, else 0 */
  int64_t        nnz;        /* of the part, 0 = not counted yet */
  int            exhaustive; /* no order is abandoned before it is complete */
  int            rcm_tried;  /* of the part at hand */
  int            hopeless;   /* the order evaluated last */
  bf_int         p;          /* current part, -1 = all */
} bf_search;

/* Cells and number of vertices of part p (-1: all). */
bf_cells bf_search_cells(const bf_search *S, bf_int p);
bf_int   bf_search_size(const bf_search *S, bf_int p);

/* Bytes of the part's diagonals in full storage above which an order is hopeless: no format of diagonals is
 * better than CSR. */
double bf_search_hopeless(const bf_search *S);
/* Sets c->hopeless of a counted order of the current part; overwrites S->list with the order. */
void bf_search_judge(bf_search *S, bf_choice *c);

/* Counts the candidate order[n] (NULL: 0, 1, ...) of the current part and keeps it if it is the best; reach:
 * if known, else -1; *done: good enough. */
bf_err bf_search_evaluate(bf_search *S, const char *name, const bf_int *order, bf_int reach, double begin,
                          int *done);

/* Reverse Cuthill-McKee of the current part, once. */
bf_err bf_search_rcm(bf_search *S, int *done);

/* Level orders from the starts of the current part, item[*at] on; on return *at is the first of the next
 * part. */
bf_err bf_search_levels(bf_search *S, int *at, int *done);
#endif
