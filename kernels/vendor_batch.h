/* kernels/vendor_batch.h - batched dense factorisations of vendor libraries, for comparisons in one run;
 * see vendor.h
 *
 * A routine works on `batches` consecutive batches, each of `count` matrices of order n without padding,
 * column-major: a[batches][count][n][n]. Every run takes the next batch, so that one graph of several runs
 * never uses a matrix that an earlier run has overwritten. Pointer tables and workspaces are made in
 * advance.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_VENDOR_BATCH_H
#define BF_KERNELS_VENDOR_BATCH_H
#include "kernels/backend.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  BF_PEER_GETRF,      /* cublas?getrfBatched, in place */
  BF_PEER_GETRI,      /* cublas?getriBatched of factors computed by prepare */
  BF_PEER_LU_INVERSE, /* cublas?getrfBatched, then ?getriBatched out of place */
  BF_PEER_MATINV,     /* cublas?matinvBatched, out of place, n <= 32 */
  BF_PEER_POTRF,      /* cusolverDn?potrfBatched, lower triangle, in place */
  /* eigen-decompositions with vectors, in place, lower triangle */
  BF_PEER_XSYEV, /* cusolverDnXsyevBatched */
  BF_PEER_SYEVJ, /* cusolverDn?syevjBatched, ?heevjBatched with their default tolerance */
  BF_PEER_SYEVD, /* cusolverDn?syevd, ?heevd, one matrix after the other in 8 streams */
  BF_PEER_SYGVD, /* cusolverDn?sygvd, ?hegvd, likewise; a[batches][count][2][n][n]: A, then B */
  /* kernels of "Effective Implementation of Matrix Inversion Based on Batched LU Decomposition on GPU" */
  BF_PEER_PUBLISHED_LU,     /* in place */
  BF_PEER_PUBLISHED_INVERSE /* of factors computed by prepare, out of place */
} bf_peer_dense_kind;

/* Optimisations of a published kernel, see kernels/cuda/vendor/published_lu.cu and published_inverse.cu */
enum {
  BF_LU_TREE      = 1, /* parallel pivot search */
  BF_LU_GROUPED   = 2, /* all row exchanges of a panel at once */
  BF_LU_DELAYED   = 4, /* columns right of the panel are exchanged when they are used */
  BF_LU_ALL       = 7, /* with panels of 8, 10, 14, 18, 24 columns; with 14 also 1, 3, 6 */
  BF_INVERSE_LATE = 1, /* delayed correction */
  BF_INVERSE_EACH = 2, /* threads and shared memory by panel */
  BF_INVERSE_WAY  = 4, /* columns permuted when they are stored */
  BF_INVERSE_ALL  = 7  /* with panels of 8, 16, 20, 28 columns; with 16 also 4, 5, 3 */
};

typedef struct bf_peer_dense bf_peer_dense; /* opaque */

/* a: device memory, borrowed. BF_E_UNSUPPORTED without a message for an order the routine does not
 * support. */
bf_err bf_peer_dense_create(bf_backend *be, bf_peer_dense_kind kind, bf_scalar type, bf_int n, bf_int count,
                            int batches, void *a, bf_peer_dense **out);
/* To be called after new matrices are stored at a: the next run takes the first batch. GETRI: factors
 * all of them. */
bf_err bf_peer_dense_prepare(bf_peer_dense *p);
bf_err bf_peer_dense_run(void *p);
/* For a published kernel: columns of a panel, optimisations; initially 14 or 16 and all */
void bf_peer_dense_ideas(bf_peer_dense *p, int panel, int ideas);
void bf_peer_dense_destroy(bf_peer_dense **p);

const char *bf_peer_dense_describe(const bf_peer_dense *p); /* "cuBLAS getrfBatched" */
/* Of the first batch, device memory: factors or inverses [count][n][n]; ipiv[count][n]; info[count]. */
const void *bf_peer_dense_result(const bf_peer_dense *p);
const int  *bf_peer_dense_pivots(const bf_peer_dense *p);
const int  *bf_peer_dense_info(const bf_peer_dense *p);
const void *bf_peer_dense_values(const bf_peer_dense *p); /* eigenvalues [count][n], real */

#ifdef __cplusplus
}
#endif
#endif
