/* base/solve_report.h - reports of a linear solve: solvers fills them in, outputs writes them */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVE_REPORT_H
#define BF_SOLVE_REPORT_H
#include "base/err.h"

typedef struct bf_blocks_report {   /* preconditioner block_jacobi; count 0: another one */
  bf_int  count, smallest, largest; /* blocks; unknowns of a block */
  bf_int  singular, singular_row;   /* blocks replaced by the inverse of their diagonal; a row of the first */
  double  condition;                /* largest of the others, in the 1-norm */
  int64_t bytes;                    /* of the stored inverses */
  const char *values;               /* "fp64", "fp32" */
  double      partition_seconds;    /* of dividing the nodes into blocks */
  double      seconds;              /* of gathering and inverting, part of the time of the solve */
} bf_blocks_report;
enum { BF_MULTIGRID_LEVELS = 24 };
#define BF_MULTIGRID_THETA 0.02      /* usual strength of couplings of aggregates */
typedef struct bf_multigrid_report { /* of multigrid, else all 0 */
  int     nlevels;
  bf_int  n[BF_MULTIGRID_LEVELS];   /* unknowns of each level, the first is that of the matrix */
  int64_t nnz[BF_MULTIGRID_LEVELS]; /* entries */
  const char
        *coarsening[BF_MULTIGRID_LEVELS]; /* how the next level was made: "planes", ...; NULL: the last */
  double complexity;                      /* sum of nnz / nnz of the first level */
  double lambda;       /* estimate of the largest eigenvalue of D^-1/2 A D^-1/2, D = diag(A); 0: not made */
  int    switched;     /* auto: iterations with Jacobi before multigrid; else 0 */
  const char *cycle;   /* "V", "W" */
  int         degree;  /* of the smoother of the first level */
  int64_t     bytes;   /* that the levels hold */
  double      seconds; /* of the set-up, within those of the solve */
  char        reason[160];  /* why coarsening auto took spectral aggregates; empty: it did not */
  char        failure[200]; /* why there is no hierarchy and Jacobi took its place; empty: there is one */
} bf_multigrid_report;

#endif
