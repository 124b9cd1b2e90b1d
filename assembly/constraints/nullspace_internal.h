/* assembly/constraints/nullspace_internal.h - data of the multifrontal QR factorisation, for nullspace.c and
 * nullspace_eliminate.c */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_CONSTRAINTS_NULLSPACE_INTERNAL_H
#define BF_ASSEMBLY_CONSTRAINTS_NULLSPACE_INTERNAL_H
#include "assembly/constraints/nullspace.h"
#include <stddef.h>
#include <stdint.h>

enum { D = 6 };

typedef struct front { /* equations of several blocks: R upper triangular, order nb * d */
  int     nb;
  bf_int *block; /* owned [nb] */
  double *R;     /* owned [nb*d][nb*d], rows; NULL = freed */
} front;

typedef struct link { /* list of the fronts of a block */
  bf_int front, next; /* next: -1 = end */
} link;

typedef struct pivot { /* an eliminated block: rank rows over its own d columns, permuted, then those of nbr
                        */
  bf_int  block;
  int     rank, nnbr, perm[D];
  bf_int *nbr; /* owned [nnbr] */
  double *row; /* owned [rank][(1 + nnbr)*d] */
} pivot;

typedef struct direction { /* column perm[column] of a pivot is free */
  bf_int pivot;
  int    column;
} direction;

typedef struct entry { /* of the heap: least degree first, then lowest block; stale if the degree has changed
                        */
  int64_t degree;
  bf_int  block;
} entry;

struct bf_nullspace {
  bf_int     n;
  int        d;
  double    *self; /* owned [n][d][d]: equations of single blocks, upper triangular */
  bf_int     nfronts, fronts_room, nlinks, links_room;
  front     *front;  /* owned */
  link      *link;   /* owned */
  bf_int    *head;   /* owned [n]: first link of a block, -1 = none */
  int64_t   *degree; /* owned [n]; -1: eliminated */
  bf_int     npivots;
  pivot     *pivot; /* owned [n] */
  bf_int     nfree, free_room;
  direction *free; /* owned */
  int64_t    nheap, heap_room;
  entry     *heap;  /* owned */
  int       *place; /* owned [n]: position in the current front, or 0 */
  double     flops, bytes;
};

/* Memory for one more of *p, which has count of *room entries of size bytes. */
bf_err bf_nullspace_grow(void **p, int64_t count, int64_t *room, size_t size);
bf_err bf_nullspace_grow_int(void **p, bf_int count, bf_int *room, size_t size);
/* Adds an equation to R (upper triangular, order n) and overwrites it; returns the operations. */
double bf_nullspace_add_row(double *R, int n, double *row);
/* A new front of nb blocks, whose degrees it raises. */
bf_err bf_nullspace_new_front(bf_nullspace *N, int nb, const bf_int *block);
void   bf_nullspace_clear_front(front *f);
/* Eliminates all blocks; *complete = 1 unless N->flops or N->bytes were used up before, then unchanged. */
bf_err bf_nullspace_eliminate_all(bf_nullspace *N, double tolerance, int *complete);
#endif
