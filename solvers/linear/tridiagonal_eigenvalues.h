/* solvers/linear/tridiagonal_eigenvalues.h - inside solvers/: extreme eigenvalues of a symmetric tridiagonal
 * matrix, by bisection
 *
 * Source: Sturm sequences (W. Givens, Numerical computation of the characteristic values of a real symmetric
 * matrix, Oak Ridge National Laboratory, 1954; Golub and Van Loan, Matrix Computations, sec. 8.4).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_LINEAR_TRIDIAGONAL_EIGENVALUES_H
#define BF_SOLVERS_LINEAR_TRIDIAGONAL_EIGENVALUES_H

/* diag[n], off[n - 1] (off[i] couples i and i + 1), n >= 1.  Finite entries; both ends to about 1e-13 of the
 * largest entry.  Cost: 2 * 200 n divisions at most. */
void bf_tridiagonal_ends(int n, const double *diag, const double *off, double *least, double *most);
#endif
