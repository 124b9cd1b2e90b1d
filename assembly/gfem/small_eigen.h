/* assembly/gfem/small_eigen.h - inside assembly/: one symmetric matrix of order up to BF_SMALL_MAX, on the
 * host
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_GFEM_SMALL_EIGEN_H
#define BF_ASSEMBLY_GFEM_SMALL_EIGEN_H

enum { BF_SMALL_MAX = 19 };

/* l[n]: the eigenvalues of A[n][n], ascending; with vectors row k of A becomes the vector of l[k], else A is
 * destroyed.  Returns 0 if they were not found.  Cost: 4/3 n^3, with vectors about 9 n^3. */
int bf_small_eigen(int n, double *A, double *l, int vectors);

/* A[n][n] = L L^T, L in the lower triangle; 0: A is not positive definite. */
int bf_small_cholesky(int n, double *A);
/* X[n][m] = (L L^T)^-1 X, rows of ld. */
void bf_small_solve(int n, const double *L, int m, int ld, double *X);

/* Number of eigenvalues of the positive semidefinite A[n][n] that are not small, by Cholesky with pivots:
 * pivots above tolerance times the largest.  Destroys A. */
int bf_small_rank(int n, double *A, double tolerance);
#endif
