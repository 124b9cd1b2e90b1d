/* kernels/dense.h - the operations of a backend on one large dense matrix: products, and the steps of the
 * block sweep (syinv.h) that are not products
 *
 * Matrices are stored by columns, A(i,j) = a[j*ld + i], in backend memory, of type BF_S or BF_D.  Calls are
 * queued on the backend's stream.  A triangle includes its diagonal unless "strict" is said; the other strict
 * triangle is neither read nor written.  Argument errors are the caller's: bf_syinv has checked.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_DENSE_H
#define BF_DENSE_H
#include "kernels/batch.h"

enum { BF_DENSE_LEAF = 128 }; /* largest order of a diagonal block that one call factors */

typedef struct bf_dense_block { /* rows and columns k0 .. k0+m-1 of a symmetric matrix of order n */
  bf_int n, k0, m;
} bf_dense_block;

typedef enum {
  BF_DENSE_SIDE, /* on a second stream, behind all that was queued so far */
  BF_DENSE_MAIN, /* on the backend's stream */
  BF_DENSE_JOIN  /* on the backend's stream, behind all that was queued on the second */
} bf_dense_queue;

/* Is entry (i, j) of `signs` +1? */
#ifdef __CUDACC__
__host__ __device__
#endif
    static inline int
    bf_dense_sign(bf_int i, bf_int j)
{
  uint32_t x = (uint32_t)i * 2654435769u + (uint32_t)j * 0x85ebca6bu + 1u;
  x          = (x ^ (x >> 16)) * 0x7feb352du;
  x          = (x ^ (x >> 15)) * 0x846ca68bu;
  return (int)((x >> 16) & 1u);
}

typedef struct bf_dense_ops {
  /* Creates streams; later calls do nothing.  The first call of gemm, symm or pivoted loads cuBLAS. */
  bf_err (*open)(bf_backend *be);
  /* fp64 products by sums of integer products where the library has them; BF_E_UNSUPPORTED elsewhere */
  bf_err (*emulate)(bf_backend *be, int on);

  /* C = alpha op(A) op(B) + beta C, op(A) m x k, op(B) k x n; beta 0: C is not read */
  bf_err (*gemm)(bf_backend *be, bf_scalar type, bf_trans ta, bf_trans tb, bf_int m, bf_int n, bf_int k,
                 double alpha, const void *A, bf_int lda, const void *B, bf_int ldb, double beta, void *C,
                 bf_int ldc);
  /* lower triangle of C -= A B^T, A and B n x k; A B^T is symmetric but for rounding */
  bf_err (*syrkx)(bf_backend *be, bf_scalar type, bf_int n, bf_int k, const void *A, const void *B,
                  bf_int ldab, void *C, bf_int ldc);
  /* C = -A B, A symmetric of order n in its lower triangle, B and C n x m */
  bf_err (*symm)(bf_backend *be, bf_scalar type, bf_int n, bf_int m, const void *A, bf_int lda, const void *B,
                 bf_int ldb, void *C, bf_int ldc);

  /* B = the block's columns of A, n x m, from the lower triangle */
  bf_err (*gather)(bf_backend *be, bf_scalar type, bf_dense_block k, const void *A, bf_int lda, void *B,
                   bf_int ldb);
  /* The block's rows and columns of A's lower triangle become 0, its rows of B -I, its rows of the n x c
   * matrices G and H 0.  B NULL: A alone. */
  bf_err (*clear)(bf_backend *be, bf_scalar type, bf_dense_block k, void *A, bf_int lda, void *B, bf_int ldb,
                  bf_int c, void *G, void *H, bf_int ldg);
  /* W = L^-1 (zeros above), D = L L^T of order m <= BF_DENSE_LEAF.  If D is not positive definite and *flag
   * (backend) is 0: *flag = k0 + the order of its first minor that is not positive.  replace: D becomes I. */
  bf_err (*definite)(bf_backend *be, bf_scalar type, bf_int m, bf_int k0, void *D, bf_int ldd, int replace,
                     void *W, bf_int ldw, bf_int *flag);
  /* W = the lower triangle of V^T, of order m, zeros above; the block's rows of B become -I */
  bf_err (*lower)(bf_backend *be, bf_scalar type, bf_dense_block k, const void *V, bf_int ldv, void *W,
                  bf_int ldw, void *B, bf_int ldb);
  /* G = B W^T, n x m, W lower triangular of order m; blocks of BF_DENSE_LEAF above its diagonal are not read.
   * The matrices of this and the next two are aligned to 16 bytes, columns too. */
  bf_err (*factor)(bf_backend *be, bf_scalar type, bf_int n, bf_int m, const void *B, bf_int ldb,
                   const void *W, bf_int ldw, void *G, bf_int ldg);
  /* The update A - G G^T after the block k (G n x k.m, its rows k upper triangular with zeros below), rows
   * and columns k of A taken as 0: columns `next` of it in B, from A's lower triangle; A NULL: from B. */
  bf_err (*advance)(bf_backend *be, bf_scalar type, bf_dense_block k, bf_dense_block next, const void *G,
                    bf_int ldg, const void *A, bf_int lda, void *B, bf_int ldb);
  /* The same in A's lower triangle; rows and columns `next` (m = 0: none) are undefined afterwards. */
  bf_err (*sweep)(bf_backend *be, bf_scalar type, bf_dense_block k, bf_dense_block next, const void *G,
                  bf_int ldg, void *A, bf_int lda);
  /* Where later calls are queued. */
  bf_err (*queue)(bf_backend *be, bf_dense_queue where);
  /* C = D, symmetric of order m, full, from the lower triangle; *norm (backend) = ||D||_1 */
  bf_err (*take)(bf_backend *be, bf_scalar type, bf_int m, const void *D, bf_int ldd, void *C, bf_int ldc,
                 double *norm);

  /* Both triangles of C = alpha times the triangle `from` of A, the diagonal from `diagonal`[n] where given;
   * C may be A.  kept[n], or NULL: gets the diagonal of C. */
  bf_err (*mirror)(bf_backend *be, bf_scalar type, bf_uplo from, bf_int n, double alpha, const void *A,
                   bf_int lda, const void *diagonal, void *C, bf_int ldc, void *kept);
  /* norm[0] = ||A||_1, norm[1] = ||A||_F of an m x n matrix, NaN or infinite where an entry is; sums in fp64
   * that neither overflow nor underflow.  room[3 n]. */
  bf_err (*norms)(bf_backend *be, bf_scalar type, bf_int m, bf_int n, const void *A, bf_int lda, double *norm,
                  double *room);
  /* V = entries +1 and -1, n x k, the same in every run */
  bf_err (*signs)(bf_backend *be, bf_scalar type, bf_int n, bf_int k, void *V, bf_int ldv);
  /* C(j,j) += 1, j < m */
  bf_err (*shift)(bf_backend *be, bf_scalar type, bf_int m, void *C, bf_int ldc);
  /* Y(j0+j, i) = X(j0+j, i) + T(j, i - j0), j < m, for i > j0+j; diagonal[j0+j] the same for i = j0+j */
  bf_err (*corrected)(bf_backend *be, bf_scalar type, bf_int n, bf_int j0, bf_int m, const void *T,
                      bf_int ldt, const void *X, bf_int ldx, void *Y, bf_int ldy, void *diagonal);

  /* X = A^-1 with pivoting, symmetric, both triangles; A symmetric, full, is used up.  *info (backend): 0, or
   * the first pivot that is exactly 0, n+1 where one is not finite.  work: pivoted_bytes. */
  bf_err (*pivoted)(bf_backend *be, bf_scalar type, bf_int n, void *A, bf_int lda, void *X, bf_int ldx,
                    bf_int *info, void *work);
  size_t (*pivoted_bytes)(bf_scalar type, bf_int n);
  /* A = A^-1 by bordering with one row and column at a time, both triangles; no pivoting.  q[n + 64]. */
  bf_err (*border)(bf_backend *be, bf_scalar type, bf_int n, void *A, bf_int lda, void *q);
} bf_dense_ops;
#endif
