/* solvers/linear/multigrid/aggregation.h - inside solvers/linear/multigrid: a coarsening by aggregates while
 * it is made */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_LINEAR_MULTIGRID_AGGREGATION_H
#define BF_SOLVERS_LINEAR_MULTIGRID_AGGREGATION_H
#include "kernels/multigrid/aggregates.h"
#include "solvers/linear/multigrid/multigrid.h"

typedef struct bf_mg_aggregation { /* pointers are owned, in backend memory */
  const bf_mg_stage         *fine; /* borrowed */
  bf_backend                *be;   /* borrowed */
  const bf_mg_aggregate_ops *ops;
  bf_block_rows             *own;      /* the matrix in block rows, where the stage has none */
  const bf_block_rows       *A;        /* the same, or that of the stage */
  bf_int                     n;        /* nodes */
  int                        nq;       /* modes */
  float                     *strength; /* [A->nnz] */
  bf_mg_graph                G;
  double                     theta;     /* of G */
  bf_int                     count;     /* aggregates */
  bf_int                    *aggregate; /* [n] */
  int64_t                   *members;   /* [count + 1] */
  bf_int                    *member;    /* [n] */
  double                    *combine;   /* [count][nq][nq] */
  bf_block_rows             *T, *F, *P, *PT;
} bf_mg_aggregation;

/* *out = `count` items of `one` bytes. */
bf_err bf_mg_reserve(bf_backend *be, int64_t count, size_t one, void **out);

/* aggregates.c: g with the matrix in block rows and room for aggregates; g is {.fine = fine, .be = fine->be}.
 */
bf_err bf_mg_aggregation_begin(const bf_mg_stage *fine, bf_mg_aggregation *g);
void   bf_mg_aggregation_release(bf_mg_aggregation *g);
void   bf_mg_release_graph(bf_mg_aggregation *g);
/* g->aggregate and g->count; theta is halved until an aggregate has four nodes on the mean. */
bf_err bf_mg_find_aggregates(bf_mg_aggregation *g, double theta);
/* From g->P, coarse->fixed and coarse->modes: the coarse matrix and what else its stage needs; the transfer.
 */
bf_err bf_mg_next_stage(bf_mg_aggregation *g, const char *name, bf_mg_stage *coarse, bf_mg_transfer *T);
/* prolongator.c: vectors[count][nq][nq] holds symmetric matrices and becomes their eigenvectors; where there
 * are none, values[count][nq] are NaN. */
bf_err bf_mg_gram_eigen(bf_backend *be, int nq, bf_int count, double *vectors, double *values);
/* coarse->modes and coarse->fixed, g->T from g->aggregate. */
bf_err bf_mg_tentative(bf_mg_aggregation *g, bf_mg_stage *coarse);
/* g->P from g->T, smoothed by the couplings of g->G where there is one, or by all. */
bf_err bf_mg_smoothed(bf_mg_aggregation *g);
#endif
