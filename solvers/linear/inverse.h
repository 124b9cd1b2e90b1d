/* solvers/linear/inverse.h - the inverse X of one dense symmetric matrix with bounds of its error
 *
 *     R = I - A X,   rho >= ||R||_1 with the rounding errors of its computation,
 *     ||X - A^-1||_1 <= ||X||_1 rho / (1 - rho),   ||A^-1||_1 <= ||X||_1 / (1 - rho)   if rho < 1.
 *
 * docs/theory/dense-symmetric-inverse.md, "Error bounds", has the derivation.
 *
 * Source: N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., SIAM 2002, sections 3.1, 3.5
 * and 14.2, doi 10.1137/1.9780898718027.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_LINEAR_INVERSE_H
#define BF_SOLVERS_LINEAR_INVERSE_H
#include "kernels/syinv.h"

typedef struct bf_inverse_report {
  bf_syinv_report syinv;          /* info, path, Newton-Schulz steps, condition */
  double          norm_a, norm_x; /* ||A||_1, ||X||_1 */
  double residual; /* ||A X - I||_F / (||A||_F ||X||_F n u), u the epsilon of the type; NaN if info is not 0
                    */
  double rho;      /* bound of ||A X - I||_1; NaN if info is not 0 */
  double bound;    /* of ||X - A^-1||_1 / ||X||_1; infinite where rho >= 1 */
  double seconds, check_seconds; /* of the inverse; of residual and bounds */
} bf_inverse_report;

/* Bytes of backend memory that bf_inverse allocates at most.  On the CPU backend this is host memory. */
bf_err bf_inverse_bytes(bf_backend *be, bf_scalar type, bf_int n, int64_t *bytes);

/* X = A^-1, computed in the type BF_S or BF_D by bf_syinv (method AUTO), checked in fp64 with A as given.  A
 * and X: host, [n][n], full; X is symmetric to the bit and undefined where syinv.info is not 0.  Cost: n^3
 * flops and more by path, 2 n^3 flops for the check.  BF_E_MEMORY, BF_E_UNSUPPORTED without bf_syinv. */
bf_err bf_inverse(bf_backend *be, bf_scalar type, bf_int n, const double *A, double *X,
                  bf_inverse_report *report);

/* gamma_k = k u / (1 - k u), u = 2^-53 (Higham, section 3.1). */
double bf_inverse_gamma(double k);

/* y = X v, X[n][n] symmetric, host; the same bits for any number of threads. */
void bf_inverse_apply(bf_int n, const double *X, const double *v, double *y);

/* "definite", "indefinite", "pivoted" */
const char *bf_inverse_path(bf_syinv_method path);
#endif
