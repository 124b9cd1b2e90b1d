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
#endif
