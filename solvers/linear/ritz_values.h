/* solvers/linear/ritz_values.h - inside solvers/: extreme Ritz values from the coefficients of CG
 *
 * k iterations of CG on M^-1 A are k Lanczos steps; the Lanczos matrix is
 *
 *     T_jj = 1/alpha_j + beta_{j-1}/alpha_{j-1},   T_j,j+1 = sqrt(beta_j)/alpha_j,   beta_j = rho_j/rho_{j-1}
 *
 * Its eigenvalues lie within the spectrum of M^-1 A up to rounding: most/least is a lower bound of the
 * condition number and approaches it as CG converges.
 * Source: G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed. (2013), sec. 11.3,
 * doi 10.56021/9781421407944; Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed. (2003),
 * sec. 6.7.3.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_LINEAR_RITZ_VALUES_H
#define BF_SOLVERS_LINEAR_RITZ_VALUES_H
#include "kernels/krylov/state.h"

typedef struct bf_ritz_ends {
  double least, most;
} bf_ritz_ends;

/* samples[k + 1], k >= 1, of one run of CG: samples[0] is its start.  Samples with an alpha or rho that is
 * not positive end the matrix before them.  Cost: O(k) time and 2 k doubles.  BF_E_MEMORY. */
bf_err bf_ritz_values(int k, const bf_krylov_sample *samples, bf_ritz_ends *out);

/* Iterations of CG by the bound 2 ((sqrt(c)-1)/(sqrt(c)+1))^k of the energy norm of the error for a reduction
 * of the residual by rtol, c = most/least: sqrt(c)/2 ln(2 sqrt(c)/rtol). */
double bf_ritz_iterations(const bf_ritz_ends *r, double rtol);
#endif
