/* kernels/multigrid/aggregates.h - smoothed aggregation: what a backend implements
 *
 *     s_ij = ||A_ij||_F / sqrt(||A_ii||_F ||A_jj||_F)      strength of the coupling of two nodes
 *     T = B M                                              tentative prolongator, orthonormal per aggregate
 *     P = (I - 4/(3 lambda) D_F^-1 F) T                    F: A with weak couplings added to the diagonal
 *
 * Aggregates are independent sets at distance two (MIS-2) of the strong couplings with their neighbours; the
 * order is that of hash numbers of the nodes, so both backends and any number of threads find the same.
 *
 * Source: Vanek, Mandel, Brezina, Computing 56 (1996) 179, doi 10.1007/BF02238511; Bell, Dalton, Olson, SIAM
 * J. Sci. Comput. 34 (2012) C123, doi 10.1137/110838844 (parallel MIS-2).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MULTIGRID_AGGREGATES_H
#define BF_KERNELS_MULTIGRID_AGGREGATES_H
#include "kernels/multigrid/block_rows.h"

enum { BF_MG_MODES_MOST = BF_BLOCK_ORDER };

/* Strong couplings: columns ascend, every row has its own node. */
typedef struct bf_mg_graph {
  bf_int   n;
  int64_t  nnz;
  int64_t *ptr;      /* backend, owned [n + 1] */
  bf_int  *col;      /* backend, owned [nnz] */
  float   *strength; /* backend, owned [nnz]; of a node itself: 0 */
} bf_mg_graph;

/* Near-null space on aggregates. */
typedef struct bf_mg_basis {
  bf_int         n;         /* nodes */
  int            ncomp, nq; /* unknowns of a node; modes */
  const double  *modes;     /* [nq][n ncomp], or NULL: nq = ncomp constants, one per component */
  const uint8_t *fixed;     /* [n ncomp], or NULL: none */
  const bf_int  *aggregate; /* [n]; -1: none */
  bf_int         count;     /* aggregates */
  const int64_t *ptr;       /* [count + 1] members of an aggregate, */
  const bf_int  *node;      /* ascending in each */
} bf_mg_basis;

/* Smoothing of a prolongator. */
typedef struct bf_mg_smoothing {
  double         weight;   /* 4/(3 lambda) */
  const double  *diagonal; /* [n ncomp] of F */
  const uint8_t *fixed;    /* [n ncomp], or NULL */
} bf_mg_smoothing;

struct bf_local_ops; /* local_problem.h */

typedef struct bf_mg_aggregate_ops {
  const bf_block_ops        *rows;
  const struct bf_local_ops *local;
  /* strength[k] of block k of A, 0 on the diagonal */
  bf_err (*strengths)(bf_backend *be, const bf_block_rows *A, float *strength);
  /* ptr[n + 1] and the number of couplings that are at least theta and not 0, diagonal included; then G->col
   * and G->strength, G->ptr is set */
  bf_err (*strong_count)(bf_backend *be, const bf_block_rows *A, const float *strength, double theta,
                         int64_t *ptr, int64_t *nnz);
  bf_err (*strong_fill)(bf_backend *be, const bf_block_rows *A, const float *strength, double theta,
                        bf_mg_graph *G);
  /* live[i] = node i has an unknown that is not fixed; *count of them (host).  fixed may be NULL */
  bf_err (*live)(bf_backend *be, bf_int n, int ncomp, const uint8_t *fixed, uint8_t *live, bf_int *count);
  /* aggregate[i] of live nodes, -1 of others; *count of aggregates (host) */
  bf_err (*aggregate)(bf_backend *be, const bf_mg_graph *G, const uint8_t *live, bf_int *aggregate,
                      bf_int *count);
  /* ptr[count + 1], node[n]: members of aggregates, ascending in each */
  bf_err (*members)(bf_backend *be, bf_int n, bf_int count, const bf_int *aggregate, int64_t *ptr,
                    bf_int *node);
  /* gram[count][nq nq] of the modes on the unknowns of an aggregate; scaled: the same of the combinations
   * that aggregate_node.h makes of them, with unit diagonal, for bf_heev_batch */
  bf_err (*gram)(bf_backend *be, const bf_mg_basis *B, double *gram, double *scaled);
  /* vectors[count][nq nq] and values[count][nq] of `scaled`: combine[count][nq nq] = M by columns;
   * modes[nq][count nq] of the coarse level; phantom[count nq] = 1 where a combination is dependent */
  bf_err (*factor)(bf_backend *be, const bf_mg_basis *B, const double *gram, const double *vectors,
                   const double *values, double *combine, double *modes, uint8_t *phantom);
  /* Rows of T: one block for every node of an aggregate; then T->col and T->val */
  bf_err (*tentative_rows)(bf_backend *be, bf_int n, const bf_int *aggregate, int64_t *ptr, int64_t *nnz);
  bf_err (*tentative)(bf_backend *be, const bf_mg_basis *B, const double *combine, bf_block_rows *T);
  /* F->val from A; F->ptr and F->col are those of the couplings that are at least theta */
  bf_err (*filter)(bf_backend *be, const bf_block_rows *A, const float *strength, double theta,
                   bf_block_rows *F);
  /* P holds F T and becomes T - weight D^-1 F T; rows of fixed unknowns are 0 */
  bf_err (*smooth)(bf_backend *be, const bf_mg_smoothing *S, const bf_block_rows *T, bf_block_rows *P);
} bf_mg_aggregate_ops;
#endif
