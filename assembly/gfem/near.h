/* assembly/gfem/near.h - inside assembly/: candidates for the patch of an entry, in the order in which a
 * patch takes them
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_GFEM_NEAR_H
#define BF_ASSEMBLY_GFEM_NEAR_H
#include "assembly/gfem/gfem.h"

enum { BF_GFEM_REST = 2 /* rings beyond the order at most */, BF_GFEM_RINGS = 8 };

typedef struct bf_gfem_far {
  double r;
  bf_int entry;
} bf_gfem_far;

typedef struct bf_gfem_near { /* of one thread; entries around q without q itself */
  bf_int       q, search;
  bf_int      *stamp; /* owned [at.n]: the search that saw it last */
  bf_int      *entry; /* owned [at.n]: ring after ring, or by distance */
  bf_gfem_far *far;   /* owned [at.n] */
  int          nrings;
  bf_int       end[BF_GFEM_RINGS + 1]; /* entries within k rings */
  bf_int       sorted;                 /* of far: its nearest; -1 = far is not made */
} bf_gfem_near;

bf_err bf_gfem_near_create(const bf_gfem *g, bf_gfem_near *w);
void   bf_gfem_near_clear(bf_gfem_near *w);

/* 1: the patch of q consists of rings of elements, 0: of the nearest entries */
int  bf_gfem_by_rings(const bf_model *m, const bf_gfem *g, bf_int q);
void bf_gfem_near_begin(bf_gfem_near *w, bf_int q);
/* The candidates of a level are the first *n of w->entry: `level` rings, or as many distance cuts past the
 * least number.  Returns 0 if there is no further level.  Levels must not fall. */
int bf_gfem_near_level(const bf_model *m, const bf_gfem *g, bf_gfem_near *w, int level, bf_int *n);

/* Ascending, in place. */
void bf_gfem_sort(bf_int *v, bf_int n);
#endif
