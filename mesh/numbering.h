/* mesh/numbering.h - the matrix row of every node, and the resulting diagonals
 *
 * A row is a row of *nodes*: the D components of a node are adjacent, so counts do not depend on D.
 * Candidates: order in the file, lexicographic by coordinates, reverse Cuthill-McKee, levels from each
 * candidate side; the search stops at the first that reaches the vertex mesh's ideal number of diagonals. The
 * best order for a format of diagonals may differ from that for a format of rows: then there are several
 * numberings of the same nodes, linked by `next`, and the choice of the format selects one.  See
 * docs/theory/numbering.md.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_NUMBERING_H
#define BF_NUMBERING_H
#include "base/bands.h"
#include "base/graph.h"
#include "mesh/mesh.h"

typedef enum { BF_ORDER_AUTO, BF_ORDER_FILE, BF_ORDER_LEXICOGRAPHIC, BF_ORDER_RCM, BF_ORDER_LEVELS } bf_order;

typedef struct bf_try {          /* one line of the table of tries */
  char   name[48];               /* "file", "lexicographic xyz", "rcm", "levels side 3 chain 0 max-min" */
  bf_int diagonals;              /* distinct offsets in one table; 0 = the order did not reach every vertex */
  bf_int reach;                  /* max |offset| */
  bf_int segments;               /* of the cheaper of {one table, segments} */
  double bytes_full, bytes_half; /* per nonzero, fp64, tables included (16 bytes per offset and segment) */
  double rest;                   /* share of the nonzeros outside the diagonals, 16 bytes each */
  double seconds;
  int    chosen;
  int stopped; /* over 8192 diagonals: counting stopped there, diagonals is 8193, bytes and segments are 0 */
} bf_try;

enum { BF_TRIES_MAX = 64 };

typedef struct bf_split { /* see base/bands_split.h; fp64, 16 bytes per pair of the remainder */
  bf_bands *bands;        /* owned; half storage: offsets >= 0 alone */
  bf_graph *rest;         /* owned, symmetric */
} bf_split;

typedef struct bf_numbering {
  bf_int    nnodes;  /* of the mesh */
  bf_int    nrows;   /* node rows of the matrix; more than the used nodes once families have phantom rows */
  bf_int   *row;     /* owned [nnodes]: row of a node, -1 = node of no element of the mesh's dimension */
  bf_int   *node;    /* owned [nrows]: node of a row, -1 = phantom */
  bf_bands *bands;   /* owned: segments and their offsets (full pattern); NULL when diagonal storage is
                        unsuitable (over 8192 distinct diagonals: unstructured) */
  bf_split split[2]; /* full and half storage: the well-filled diagonals and the remaining pairs; without
                        bands if not computed */
  int64_t nnz;       /* node-to-node nonzeros, diagonal included; phantom rows are not counted */
  bf_int
      ideal; /* ideal number of diagonals of one structured block of this mesh's elements, 0 = none known */
  bf_int               reach_file; /* max |offset| of the order in the file: half-bandwidth before */
  bf_int               reach;      /* of the chosen order */
  int                  line;       /* of the table of tries: this numbering's */
  const char          *kind;       /* "plain": no phantom rows; "families", "blocks" */
  struct bf_numbering *next;       /* owned: another numbering of the same nodes, or NULL */
  int                  ntries;     /* of the first numbering only, as the rest of the table */
  int                  given_up;   /* orders by levels abandoned because another order is better */
  bf_try               tries[BF_TRIES_MAX];
} bf_numbering;

/* Numbers the nodes of all elements of dimension m->dim. Deterministic. `order` AUTO tries all orders,
 * otherwise only the given one.  The first numbering has all pairs in its bands, if it has bands; one without
 * phantom rows is among them.  A numbering by blocks has no bands, but a split. */
bf_err bf_numbering_create(const bf_mesh *m, bf_order order, bf_numbering **out);
/* The same without the center nodes of quad9 and hex27, whose unknowns are eliminated element by element:
 * they have no row, row[] is -1. */
bf_err bf_numbering_create_condensed(const bf_mesh *m, bf_order order, bf_numbering **out);
/* The rows of n, followed by one for each center node without a row in n: block by block, in the order of the
 * elements. Only rows and nodes are set: no bands, no table. */
bf_err bf_numbering_whole(const bf_mesh *m, const bf_numbering *n, bf_numbering **out);
void   bf_numbering_destroy(bf_numbering **n);
bf_err bf_numbering_check(const bf_numbering *n);

/* `which` of *n and its followers (0 = *n) becomes the first, with the table of tries. */
bf_err bf_numbering_select(bf_numbering **n, int which);
bf_int bf_numbering_phantoms(const bf_numbering *n); /* rows without a node */
const bf_numbering *
bf_numbering_plain(const bf_numbering *n); /* the first numbering of the list without any */

/* n->split of its pattern. */
bf_err bf_numbering_split(bf_numbering *n, const bf_graph *pattern);
/* Bytes of bands and remainder, fp64, tables included. */
double bf_split_bytes(const bf_numbering *n, int half);

/* The table of tries, one line each. */
void bf_numbering_log(const bf_numbering *n, const bf_log *log);

/* Node-to-node adjacency of the elements of dimension m->dim in rows of the numbering, diagonal included: the
 * pattern of a CSR matrix.  Phantom rows have their diagonal only. */
bf_err bf_numbering_pattern(const bf_mesh *m, const bf_numbering *n, bf_graph **out);

/* The same rows with other couplings (symmetric, with diagonals): bands, nnz and reach become theirs, and
 * `name` a line of the table of tries.  Where it costs less to keep the well-filled diagonals only, a
 * numbering with the same rows and a remainder follows; others are removed. Memory: 4 bytes per coupling.
 */
bf_err bf_numbering_widen(bf_numbering *n, const bf_graph *rows, const char *name);
#endif
