/* kernels/multigrid/local_problem.h - Neumann matrices of aggregates from element matrices, on the host
 *
 *     N = sum of K_e over the elements e that touch aggregate a, on its own unknowns o and the others c
 *     S = D^-1/2 (N_oo - N_oc N_cc^-1 N_co) D^-1/2 + shift I,   D: diagonal of the matrix
 *
 * The Cholesky factor of [N_cc N_co; N_oc N_oo], own unknowns scaled and shifted, has S = L_oo L_oo^T.
 * Unknowns that are fixed have no row.
 *
 * Source: Brezina, Vassilevski, Smoothed aggregation spectral element agglomeration AMG, in: Large-Scale
 * Scientific Computing, LNCS 7116 (2012) 3, doi 10.1007/978-3-642-29843-1_1
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MULTIGRID_LOCAL_PROBLEM_H
#define BF_KERNELS_MULTIGRID_LOCAL_PROBLEM_H
#include "base/err.h"

/* Element matrices: symmetric, their order is the number of unknowns of the nodes, node by node. */
typedef struct bf_element_set {
  bf_int         ne;
  const int64_t *ptr;  /* [ne + 1] */
  const bf_int  *node; /* [ptr[ne]]: element e has the nodes node[ptr[e]] .. node[ptr[e + 1] - 1] */
  const int64_t *at;   /* [ne + 1]: its matrix is K[at[e]] .. K[at[e + 1] - 1] */
  const double  *K;
} bf_element_set;

typedef struct bf_local_body { /* host, borrowed */
  bf_int         n;            /* nodes */
  const bf_int  *first;        /* [n + 1]: node i has the unknowns first[i] .. first[i + 1] - 1 */
  const uint8_t *fixed;        /* [first[n]] */
  const double  *diagonal;     /* [first[n]] of the matrix */
  const bf_int  *aggregate;    /* [n]; -1: none */
  bf_int         count;        /* aggregates */
  bf_element_set E;
} bf_local_body;

/* What belongs to each aggregate; owned, host. */
typedef struct bf_local_lists {
  int64_t *uptr;    /* [count + 1] */
  bf_int  *unknown; /* own unknowns that are not fixed, ascending */
  int64_t *eptr;    /* [count + 1] */
  bf_int  *element; /* elements that touch it, ascending */
  bf_int  *owner;   /* [ne]: the smallest aggregate that an element touches, or -1 */
  bf_int  *others;  /* [count]: unknowns of touching elements that are neither own nor fixed */
} bf_local_lists;

bf_err bf_local_lists_create(const bf_local_body *B, bf_local_lists *L);
void   bf_local_lists_clear(bf_local_lists *L);

/* Lower triangles of the matrices above of aggregates which[0 .. many-1], others first: a[k] = a + k ld^2,
 * order others + own, ld at least the largest.  Parallel; BF_E_MEMORY. */
bf_err bf_local_assemble(const bf_local_body *B, const bf_local_lists *L, bf_int many, const bf_int *which,
                         double shift, bf_int ld, double *a);
/* s[k] = L_oo L_oo^T of the factors in a, both triangles; s + k lds^2. */
void bf_local_schur(const bf_local_lists *L, bf_int many, const bf_int *which, bf_int ld, const double *a,
                    bf_int lds, double *s);
#endif
