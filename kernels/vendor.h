/* kernels/vendor.h - the vendor's libraries doing the same work, for comparisons in one run
 *
 * Built with BANDFEM_PEERS=ON only (BF_WITH_PEERS is then defined); CUDA backends only.  A peer gets the best
 * of its algorithms, chosen by timing at creation, its preprocessing and its workspace in advance.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_VENDOR_H
#define BF_KERNELS_VENDOR_H
#include "kernels/matrix/transpose.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct bf_peer bf_peer; /* opaque: cuSPARSE and cuBLAS on one matrix */
typedef enum {
  BF_PEER_CSR,
  BF_PEER_SELL,
  BF_PEER_BSR
} bf_peer_format; /* CSR: the faster of its algorithms */

/* Borrows be and A.  A's offsets are copied to 32 bits, as a user of the library would hold them: nnz < 2^31.
 * SELL: slices of 32 rows, made from A in new memory. */
bf_err bf_peer_create(bf_backend *be, const bf_csr *A, bf_peer_format format, bf_peer **out);
/* BSR of full D x D blocks, made from A in new memory: A's rows r = i*D + a have the same columns for every
 * a, D of a node side by side (bf_matrix_create_csr).  BF_E_UNSUPPORTED where the library has no product with
 * it. */
bf_err      bf_peer_create_bsr(bf_backend *be, const bf_csr *A, int D, bf_peer **out);
void        bf_peer_destroy(bf_peer **p);
const char *bf_peer_describe(const bf_peer *p); /* "cuSPARSE 12.6 csr ALG2 fp64" */

/* y = A x by cusparseSpMV.  x[nrows], y[nrows], backend: double for an fp64 matrix, float for an fp32 one. */
bf_err bf_peer_spmv(bf_peer *p, const void *x, void *y);

/* y = A x by the kernels bDIA was published with, plain or through shared memory: one full band, one segment,
 * D = 1.  x, y of A's precision, x with A's guard of zeros. */
bf_err bf_peer_paper(bf_backend *be, const bf_bdia *A, int shared, const void *x, void *y);

/* `iterations` steps of (Jacobi-)CG on A x = b by cusparseSpMV, cublasDdot, Daxpy, Dscal, Ddgmm, scalars on
 * the device; fp64 matrices.  b, x[nrows]: backend; x is start and result.  dinv: 1/diag(A) or NULL.
 * host_check: also fetches r.r after every iteration, as a loop that tests convergence does.
 * *rr (host, may be NULL) = r.r of the recurrence at the end.  Vectors are allocated at the first call. */
bf_err bf_peer_cg(bf_peer *p, const double *b, double *x, const double *dinv, int iterations, int host_check,
                  double *rr);

/* The same by BiCGStab, without preconditioner. */
bf_err bf_peer_bicgstab(bf_peer *p, const double *b, double *x, int iterations, double *rr);

/* ---- transposes and conversions of fp64 matrices of less than 2^31 entries ---- */
typedef enum {
  BF_PEER_CSR2CSC,       /* cusparseCsr2cscEx2 */
  BF_PEER_STABLE_SORT,   /* Jin (docs/references.md): rows expanded, thrust::stable_sort_by_key by column,
                            compressed */
  BF_PEER_COMPARED_SORT, /* the same, sorted by a comparison of (column, row) */
  BF_PEER_COOSORT,       /* cusparseXcoosortByRow, gather, thrust::reduce_by_key, cusparseXcoo2csr */
  BF_PEER_SORT_PAIRS /* thrust::stable_sort_by_key of 64-bit (row, column), reduce_by_key, cusparseXcoo2csr */
} bf_peer_kind;
typedef struct bf_peer_work
       bf_peer_work; /* opaque: the matrix borrowed; result and workspace made in advance */
bf_err bf_peer_work_transpose(bf_backend *be, bf_peer_kind kind, const bf_csr_arrays *A, bf_peer_work **out);
bf_err bf_peer_work_convert(bf_backend *be, bf_peer_kind kind, const bf_coo_arrays *A, bf_peer_work **out);
bf_err bf_peer_work_run(void *work);
const char *bf_peer_work_describe(const bf_peer_work *w);
void        bf_peer_work_destroy(bf_peer_work **w);
/* y = A^T x, every entry's product added to y by an atomic: not the same bits in every run. */
bf_err bf_peer_spmv_t_atomic(bf_backend *be, const bf_csr_arrays *A, const double *x, double *y);
#ifdef __cplusplus
}
#endif
#endif
