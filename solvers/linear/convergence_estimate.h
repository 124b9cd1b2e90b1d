/* solvers/linear/convergence_estimate.h - estimates for a symmetric matrix from a few Lanczos steps, before
 * the solution
 *
 * Of B = A, or B = D^-1/2 A D^-1/2 with D = |diagonal of A| as Jacobi preconditioning has it: the eigenvalues
 * of the tridiagonal matrix of k steps (Ritz values) lie between the least and the largest of B, but for
 * rounding.  So Ritz values of both signs prove that A is indefinite, and their quotient is a lower bound of
 * the condition number, close to it once the number of steps is that of CG. Source: C. Lanczos, J. Res. Natl.
 * Bur. Stand. 45 (1950) 255, doi 10.6028/jres.045.026; C. C. Paige, Accuracy and effectiveness of the Lanczos
 * algorithm for the symmetric eigenproblem, Linear Algebra Appl. 34 (1980) 235,
 * doi 10.1016/0024-3795(80)90167-6 (no reorthogonalisation is needed for this).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_LINEAR_CONVERGENCE_ESTIMATE_H
#define BF_SOLVERS_LINEAR_CONVERGENCE_ESTIMATE_H
#include "kernels/matrix/host_csr.h"

typedef struct bf_estimate {
  int    steps;
  double least, most; /* Ritz values */
} bf_estimate;

/* S symmetric (its upper half counts as much as its lower), finite; jacobi needs no zero on the diagonal.
 * At most `steps` steps from a fixed random vector, on the host.  Cost: a product and 10 n flops per step,
 * five vectors. */
bf_err bf_estimate_symmetric(const bf_sparse *S, int jacobi, int steps, bf_estimate *out);

/* Iterations of CG by the bound sqrt(condition)/2 ln(2/rtol); 0 where least <= 0. */
double bf_estimate_iterations(const bf_estimate *o, double rtol);
#endif
