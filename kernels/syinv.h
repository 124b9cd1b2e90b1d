/* kernels/syinv.h - inverse of one large dense symmetric matrix, and solutions with it
 *
 *     A(i,j) = a[j*ld + i],   0 <= i, j < n                                          (columns, as LAPACK)
 *
 * Bordering: with the inverse W of a leading block and the border (R, S), the inverse of the larger block
 * needs Q = -W R, beta = S + R^T Q, W + Q beta^-1 Q^T.  Here the borders are blocks of up to 2048 columns,
 * and every block is eliminated from all rows at once (the sweep operator), so that nearly all of the n^3
 * flops are symmetric products of that rank.  docs/theory/dense-symmetric-inverse.md has the formulas.
 *
 * Sources: Y. Huo, W. Wang, C. Peng, Y. Fang, "CUDA-based parallel matrix inverse algorithm of large-scale
 * real symmetric matrix", Computer Engineering and Design 36 (2015) 2133, doi
 * 10.16208/j.issn1000-7024.2015.08.025 (bordering); J. H. Goodnight, "A tutorial on the SWEEP operator", The
 * American Statistician 33 (1979) 149, doi 10.1080/00031305.1979.10482685; N. J. Higham, "Accuracy and
 * Stability of Numerical Algorithms", 2nd ed., SIAM 2002, chapter 14, doi 10.1137/1.9780898718027.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SYINV_H
#define BF_SYINV_H
#include "kernels/batch.h"

enum {
  BF_SYINV_LARGEST = 32768, /* order */
  BF_SYINV_REFINED = 2      /* Newton-Schulz steps at most */
};

typedef enum {
  BF_SYINV_AUTO, /* DEFINITE; if a block is not positive definite INDEFINITE; if that is not accurate PIVOTED
                  */
  BF_SYINV_DEFINITE,   /* blocks by Cholesky; info where A is not positive definite */
  BF_SYINV_INDEFINITE, /* blocks by Gauss-Jordan with pivoting, badly conditioned ones last, Newton-Schulz */
  BF_SYINV_PIVOTED, /* pivoted factorisation of the whole matrix: LU on the device, LAPACK's sytrf on the CPU
                     */
  BF_SYINV_BORDER   /* one row and column at a time, as published: for comparisons */
} bf_syinv_method;

typedef struct bf_syinv_how {
  bf_uplo         uplo; /* the triangle that is read */
  bf_syinv_method method;
  int             refine;  /* INDEFINITE: Newton-Schulz steps that are done whatever the residual is */
  bf_int          rank;    /* columns of an update, a multiple of 128, at most 2048; 0: default */
  int             emulate; /* fp64 products by emulation; BF_E_UNSUPPORTED where the library has none */
} bf_syinv_how;

typedef struct bf_syinv_report {
  bf_int info;              /* 0; k: the leading block of order k is the first that is singular (DEFINITE: not
                             * positive definite), as the path finds it; n+1: an entry of A or X is not finite */
  bf_syinv_method path;     /* the one that made the result */
  int             refined;  /* Newton-Schulz steps */
  bf_int          deferred; /* INDEFINITE: times a block was eliminated later than in order */
  double          condition; /* ||A||_1 ||X||_1 */
  double residual; /* estimate of ||A X - I||_F / (||A||_F ||X||_F n u), u the epsilon of the type; -1: not
                      made */
} bf_syinv_report;

/* *bytes of backend memory that bf_syinv needs as `work`: 2 rank (n + rank) + O(n) entries for DEFINITE,
 * n^2 more for INDEFINITE and AUTO, PIVOTED likewise.  Without cuBLAS in the build of the device code:
 * BF_E_UNSUPPORTED; it is loaded when a matrix is not positive definite or its residual is needed. */
bf_err bf_syinv_work(bf_backend *be, const bf_syinv_how *how, bf_scalar type, bf_int n, size_t *bytes);

/* A becomes A^-1, both triangles, bitwise symmetric; BF_S or BF_D; rows n .. ld-1 are neither read nor
 * written.  Waits for the result.  Allocates nothing.  Where info is not 0, A is undefined.  n^3 flops, 3 n^3
 * more per Newton-Schulz step.  The same bits in every run; on the CPU whatever the number of threads. */
bf_err bf_syinv(bf_backend *be, const bf_syinv_how *how, bf_scalar type, bf_int n, bf_int ld, void *a,
                void *work, bf_syinv_report *report);

/* The same of bf_sysolve. */
bf_err bf_sysolve_work(bf_backend *be, const bf_syinv_how *how, bf_scalar type, bf_int n, bf_int nrhs,
                       size_t *bytes);

/* B = A^-1 B, B(i,r) = b[r*ldb + i], r < nrhs; A is used up.  Positive definite: A = L L^T by the blocks of
 * bf_syinv, whose rows above are left alone, and substitution with the inverses of the diagonal blocks of L,
 * n^3/3 + 2 n^2 nrhs flops; else the inverse by the other paths and a product.  Methods AUTO, DEFINITE,
 * INDEFINITE, PIVOTED; report as bf_syinv, with condition 0 where no inverse was made.  Where info is not 0,
 * B stays. */
bf_err bf_sysolve(bf_backend *be, const bf_syinv_how *how, bf_scalar type, bf_int n, bf_int ld, void *a,
                  bf_int nrhs, bf_int ldb, void *b, void *work, bf_syinv_report *report);
#endif
