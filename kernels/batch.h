/* kernels/batch.h - batches of small dense square matrices: LU, Cholesky, inverses, eigenvalues, products
 *
 *     A_b(i,j) = a_b[j*ld + i],   0 <= i, j < n_b,   b = 0 .. count-1                 (columns, as LAPACK)
 *     a_b = a + b*stride scalars, or array[b];       n_b = n, or sizes[b] <= n
 *
 * Entries between n_b and ld, and between two matrices, belong to the caller and are neither read nor
 * written; pointers need the alignment of one real number only.  All arrays are backend memory.  Calls are
 * queued on the backend's stream, allocate nothing, and give a matrix the same bits whatever stands beside it
 * in the batch.
 *
 * What a matrix did is in info[count], never a bf_err:
 *
 *   0        fine; so is a matrix of order 0
 *
 *   1 .. n   as in LAPACK: U(k,k) is exactly 0 (the factorisation is complete, ipiv too); the leading minor
 *            of order k is not positive
 *
 *   n+1      an entry of the matrix, its factor or its inverse is not finite; goes before 1 .. n
 *
 *   n+2      eigenvalues: not converged; bf_heev_how counts what was left
 *
 *   -1       sizes[b] is not in 0 .. n: the matrix is not touched
 *
 * n is n_b here.  A matrix that fails leaves all others bit for bit as they are without it.  Where info is
 * not 0 an inverse, a right-hand side stays as it was; a factor is undefined (but after 1 .. n of getrf, as
 * there).
 *
 * Source: E. Anderson et al., LAPACK Users' Guide, 3rd ed. (names and meaning of the arguments).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_BATCH_H
#define BF_BATCH_H
#include "base/err.h"

typedef struct bf_backend bf_backend;

typedef enum { BF_S, BF_D, BF_C, BF_Z } bf_scalar; /* LAPACK's letters; C and Z are pairs (re, im) */
typedef enum { BF_NO_TRANS, BF_TRANS, BF_CONJ_TRANS } bf_trans;
typedef enum { BF_LOWER, BF_UPPER } bf_uplo; /* the triangle that is read and written; the other stays */

enum { BF_BATCH_LARGEST = 16384 }; /* largest supported order */

typedef struct bf_batch {
  bf_scalar     type;
  bf_int        n, ld, count; /* 1 <= n <= ld; n = the largest order where sizes is given; count 0 is fine */
  int64_t       stride;       /* scalars between first entries; at least ld*(n-1) + n where count > 1 */
  void         *a;            /* borrowed, or NULL with */
  void *const  *array;        /* [count] pointers */
  const bf_int *sizes;        /* [count] orders, or NULL: all n */
} bf_batch;

/* Right-hand sides of the batch's type, replaced by solutions: B_b(i,r) = b[b*stride + r*ld + i] or
 * array[b][r*ld + i], r < nrhs. */
typedef struct bf_batch_rhs {
  bf_int       nrhs, ld; /* nrhs 0 is fine; n <= ld */
  int64_t      stride;   /* at least ld*(nrhs-1) + n where count > 1 */
  void        *b;
  void *const *array;
} bf_batch_rhs;

/* Vectors: x_b(i) = v[first_b + i], first_b = b*stride, or first[b]. Of the matrices' type, or D with S
 * and Z with C: values may be stored in half the precision of the vectors. */
typedef struct bf_batch_vector {
  bf_scalar      type;
  void          *v;
  int64_t        stride;
  const int64_t *first; /* [count] or NULL */
} bf_batch_vector;

typedef struct bf_heev_how {
  int     vectors;   /* 0: values only, A stays */
  bf_uplo uplo;      /* the imaginary parts of the diagonal are not read either */
  double  tolerance; /* off-diagonal norm at the end over ||A||_F; 0: roundoff, as LAPACK */
  int     sweeps;    /* largest number of Jacobi sweeps, then info n+2; 0: 30. Other methods need no limit */
  bf_int *left;      /* [count], or NULL: for info n+2 rotations of the last sweep or remaining off-diagonal
                        entries, at least 1; otherwise 0 */
} bf_heev_how;

typedef enum {
  BF_GETRF,
  BF_GETRS,
  BF_GETRI,
  BF_INVERSE,
  BF_POTRF,
  BF_POTRS,
  BF_POSV,
  BF_HEEV,
  BF_HEGV
} bf_batch_op;

/* BF_E_ARG naming the first count or pointer that is out of range. */
bf_err bf_batch_check(const bf_batch *A);

static inline size_t bf_scalar_bytes(bf_scalar type)
{
  return type == BF_S ? 4 : type == BF_Z ? 16 : 8;
}

/* *bytes of backend memory that `op` needs as `work` for batches like A (type, n, ld, count, whether
 * there are sizes; matrices are not read); 0: NULL is valid. Contents are undefined on entry and exit. */
bf_err bf_batch_work(bf_backend *be, bf_batch_op op, const bf_batch *A, size_t *bytes);

/* P A = L U, in place: L unit lower, U upper; row k was exchanged with row ipiv[b*n + k] - 1 >= k, the first
 * of the largest (complex: by |re|+|im|); n as in A->n.  2/3 n^3 flops each (complex 8/3). */
bf_err bf_getrf_batch(bf_backend *be, const bf_batch *A, bf_int *ipiv, bf_int *info, void *work);

/* B = A^-1 B, A^-T B or A^-H B with the factors of getrf.  2 n^2 nrhs flops each (complex 8). */
bf_err bf_getrs_batch(bf_backend *be, bf_trans trans, const bf_batch *A, const bf_int *ipiv,
                      const bf_batch_rhs *B, bf_int *info, void *work);

/* The factors of getrf become A^-1; unchanged if info is not 0. 4/3 n^3 flops each (complex 16/3). */
bf_err bf_getri_batch(bf_backend *be, const bf_batch *A, const bf_int *ipiv, bf_int *info, void *work);

/* A becomes A^-1 with partial pivoting; unchanged if info is not 0. 2 n^3 flops each (complex 8); read
 * and written once; on the device from order 257 on (D, C: 193, Z: 161) by LU and getri of a copy in
 * `work`, which holds two matrices for each of at most 4096. */
bf_err bf_inverse_batch(bf_backend *be, const bf_batch *A, bf_int *info, void *work);

/* A = L L^H (BF_LOWER) or U^H U, in its triangle.  1/3 n^3 flops each (complex 4/3). */
bf_err bf_potrf_batch(bf_backend *be, bf_uplo uplo, const bf_batch *A, bf_int *info, void *work);

/* B = A^-1 B with the factor of potrf; posv: both at once, A becomes its factor. */
bf_err bf_potrs_batch(bf_backend *be, bf_uplo uplo, const bf_batch *A, const bf_batch_rhs *B, bf_int *info,
                      void *work);
bf_err bf_posv_batch(bf_backend *be, bf_uplo uplo, const bf_batch *A, const bf_batch_rhs *B, bf_int *info,
                     void *work);

/* y = alpha A x + beta y, A^T x or A^H x; beta 0: y is not read. x and y of one type, not the same
 * memory; sums in the precision of y or better, in a fixed order. Matrices with sizes[b] out of range: y
 * is unchanged. 2 n^2 flops each (complex 8), n^2 scalars read. */
bf_err bf_gemv_batch(bf_backend *be, bf_trans trans, double alpha, const bf_batch *A,
                     const bf_batch_vector *x, double beta, const bf_batch_vector *y);

/* The same with a symmetric (complex: Hermitian) A of which one triangle is read. */
bf_err bf_symv_batch(bf_backend *be, bf_uplo uplo, double alpha, const bf_batch *A, const bf_batch_vector *x,
                     double beta, const bf_batch_vector *y);

/* A = V diag(w) V^H, w[count][n] real, ascending (float with S and C, double with D and Z). With vectors
 * A becomes V: columns of length 1, their largest component real and positive. If info is not 0, w and V
 * are NaN. About 9 n^3 flops each (complex 36). */
bf_err bf_heev_batch(bf_backend *be, const bf_heev_how *how, const bf_batch *A, void *w, bf_int *info,
                     void *work);

/* A V = B V diag(w), V^H B V = 1, B positive definite (otherwise info 1 .. n); of both the given
 * triangle is read, both triangles of B are overwritten. Of one type, n, count and sizes (A's). The
 * largest component of every column of V is real and positive. Without vectors A is unchanged. About 4
 * n^3 flops each besides those of heev. */
bf_err bf_hegv_batch(bf_backend *be, const bf_heev_how *how, const bf_batch *A, const bf_batch *B, void *w,
                     bf_int *info, void *work);
#endif
