/* kernels/multigrid/local_problem.h - aggregates from element matrices: Neumann matrices, their vectors, the
 * element matrices of the next level
 *
 *     N = sum of K_e over the elements e of aggregate a, on its own unknowns o and the others c
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
#include "kernels/multigrid/block_rows.h"

/* Element matrices: symmetric, their order is the number of unknowns of the nodes, node by node.  Backend
 * memory. */
typedef struct bf_element_set {
  bf_int         ne;
  bf_int         most;  /* largest order */
  int64_t        nodes; /* ptr[ne] */
  const int64_t *ptr;   /* [ne + 1] */
  const bf_int  *node;  /* [ptr[ne]]: element e has the nodes node[ptr[e]] .. node[ptr[e + 1] - 1] */
  const int64_t *at;    /* [ne + 1]: its matrix is K[at[e]] .. K[at[e + 1] - 1] */
  const double  *K;
} bf_element_set;

typedef struct bf_local_body { /* backend memory, borrowed */
  bf_int         n, unknowns;  /* nodes */
  const bf_int  *first;        /* [n + 1]: node i has the unknowns first[i] .. first[i + 1] - 1 */
  const uint8_t *fixed;        /* [unknowns] */
  const double  *diagonal;     /* [unknowns] of the matrix */
  const double  *root;         /* [unknowns] 1 / sqrt(diagonal) */
  bf_int        *aggregate;    /* [n]; -1: none */
  bf_int         count;        /* aggregates */
  bf_element_set E;
} bf_local_body;

/* What belongs to each aggregate; backend memory, owned. */
typedef struct bf_local_lists {
  bf_int        *owner;   /* [unknowns]: the aggregate of their node, or -1 */
  bf_int        *rank;    /* [unknowns]: number among those of the node that are not fixed; -1: fixed */
  bf_int        *slot;    /* [unknowns]: number among the own unknowns of the aggregate; -1: none */
  int64_t       *uptr;    /* [count + 1] */
  bf_int        *unknown; /* own unknowns that are not fixed, ascending */
  bf_block_rows *touched; /* element -> aggregates that it touches; values: in how many nodes */
  bf_block_rows *element; /* aggregate -> elements that touch it */
  bf_block_rows *node;    /* aggregate -> nodes of these elements */
  bf_int        *place;   /* [node->nnz]: of the node's first unknown in the local matrix, others first */
  bf_int        *others;  /* [count]: unknowns of the local matrix that are not own */
} bf_local_lists;

/* Marks nodes without a free unknown by aggregate -1. */
bf_err bf_local_lists_create(bf_backend *be, const bf_local_body *B, bf_local_lists *L);
void   bf_local_lists_clear(bf_backend *be, bf_local_lists *L);

/* Vectors of aggregates: entry r of vector e of aggregate a is z[a][e m + r], r < m own unknowns, e < k[a].
 * They are the unknowns first[a] + e of the next level; those from first[a] + k[a] to first[a + 1] - 1 have
 * no vector, so that an aggregate has a multiple of the order of its blocks. */
typedef struct bf_local_vectors { /* backend memory, borrowed */
  const bf_int        *k;         /* [count] */
  const bf_int        *first;     /* [count + 1] */
  const double *const *z;         /* [count] */
} bf_local_vectors;

/* Local problems of the aggregates which[0 .. many-1] as batches of matrices; backend memory. */
typedef struct bf_local_batch {
  bf_int        many, ld, lds;
  const bf_int *which;
  double       *a;     /* [many][ld][ld]: N, others first; lower triangles */
  double       *s;     /* [many][lds][lds]: S, both triangles; its eigenvectors */
  double       *w;     /* [many][lds]: its eigenvalues */
  bf_int       *sizes; /* [many]: orders of a, then of s: 0 where a has no factor */
  bf_int       *info;  /* [many] */
} bf_local_batch;

typedef struct bf_local_modes { /* vectors where coefficients are even: z = sum of modes by combine */
  int            nq;
  const double  *modes;   /* [nq][unknowns] */
  const double  *combine; /* [count][nq][nq] by columns */
  const uint8_t *phantom; /* [count nq]: columns that are no vector */
} bf_local_modes;

/* ---- what a backend implements ---- */
typedef struct bf_local_ops {
  /* B->aggregate of nodes without a free unknown, owner, rank; own[unknowns] = owner of free ones, else -1 */
  bf_err (*unknowns)(bf_backend *be, const bf_local_body *B, bf_int *owner, bf_int *rank, bf_int *own);
  /* slot of the listed unknowns, -1 of all others */
  bf_err (*slots)(bf_backend *be, bf_int unknowns, bf_int count, const int64_t *uptr, const bf_int *unknown,
                  bf_int *slot);
  /* Rows of node -> aggregate, whose ptr is set: columns; values 1 */
  bf_err (*node_rows)(bf_backend *be, const bf_int *aggregate, bf_block_rows *A);
  /* v[count] = 1 */
  bf_err (*ones)(bf_backend *be, int64_t count, double *v);
  /* owner[e]: the first aggregate of row e, or -1 */
  bf_err (*owners)(bf_backend *be, const bf_block_rows *touched, bf_int *owner);
  /* L->place and L->others from L->node */
  bf_err (*places)(bf_backend *be, const bf_local_body *B, const bf_local_lists *L);
  /* mixed[a] = 1 where the largest coefficient of the elements of a exceeds `contrast` times the least
   * positive one (coefficient not NULL), or a node of a is mixed (node_mixed[n] not NULL) */
  bf_err (*mixed)(bf_backend *be, const bf_local_body *B, const bf_local_lists *L, const double *coefficient,
                  const uint8_t *node_mixed, double contrast, uint8_t *mixed);
  /* C->a and C->sizes */
  bf_err (*assemble)(bf_backend *be, const bf_local_body *B, const bf_local_lists *L, double shift,
                     const bf_local_batch *C);
  /* C->s = L_oo L_oo^T of the factors in C->a, C->sizes of s */
  bf_err (*schur)(bf_backend *be, const bf_local_lists *L, const bf_local_batch *C);
  /* k[a] of the batch: eigenvalues below tau, at least 1, then as many as make k a multiple, at most `most`;
   * 0 where there are none */
  bf_err (*choose)(bf_backend *be, const bf_local_batch *C, double tau, bf_int most, int multiple, bf_int *k);
  /* z[a] of the batch from the eigenvectors, times D^-1/2 */
  bf_err (*scale_vectors)(bf_backend *be, const bf_local_body *B, const bf_local_lists *L,
                          const bf_local_batch *C, const bf_int *k, double *const *z);
  /* k[a] of combinations where by_modes[a] is set; their vectors */
  bf_err (*count_modes)(bf_backend *be, bf_int count, const bf_local_modes *M, const uint8_t *by_modes,
                        bf_int *k);
  bf_err (*combine_modes)(bf_backend *be, const bf_local_body *B, const bf_local_lists *L,
                          const bf_local_modes *M, const uint8_t *by_modes, double *const *z);
  /* T by rows of D unknowns, blocks of `bc` columns: ptr and their number; then T->col, T->val */
  bf_err (*row_counts)(bf_backend *be, bf_int rows, int D, int bc, const bf_int *owner, const bf_int *first,
                       int64_t *ptr, int64_t *nnz);
  bf_err (*rows)(bf_backend *be, const bf_local_lists *L, const bf_local_vectors *V, bf_block_rows *T);
  /* flag[first[count]] = 1 of unknowns without a vector, else 0 */
  bf_err (*padding)(bf_backend *be, bf_int count, const bf_local_vectors *V, uint8_t *flag);
  /* coarse[nq][nc] = T^T D modes, modes[nq][unknowns]; nc = first[count] */
  bf_err (*modes)(bf_backend *be, const bf_local_body *B, const bf_local_lists *L, const bf_local_vectors *V,
                  int nq, const double *modes, bf_int nc, double *coarse);
  /* at[count + 1], sums of the squares of the orders of coarse elements with the nodes of `nodes`; the
   * last of them, and the largest order, on the host */
  bf_err (*element_sizes)(bf_backend *be, const bf_block_rows *nodes, const bf_int *first, int64_t *at,
                          int64_t *total, bf_int *most);
  /* K[a] = sum of T_e^T K_e T_e over the elements element[ptr[a]] .. of aggregate a */
  bf_err (*element_matrices)(bf_backend *be, const bf_local_body *B, const bf_local_lists *L,
                             const bf_local_vectors *V, const int64_t *ptr, const bf_int *element,
                             const bf_block_rows *nodes, const int64_t *at, double *K);
  /* Rows node -> its unknowns first[i] .. first[i + 1] - 1, blocks of A->form.bc: ptr, columns; values 1 */
  bf_err (*unknown_rows)(bf_backend *be, const bf_int *first, bf_block_rows *A);
  /* v = v^2, v = sqrt(v) */
  bf_err (*square)(bf_backend *be, int64_t count, double *v);
  bf_err (*square_root)(bf_backend *be, int64_t count, double *v);
} bf_local_ops;
#endif
