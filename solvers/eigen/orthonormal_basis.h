/* solvers/eigen/orthonormal_basis.h - inside solvers/: small dense bases on the host, in a metric
 *
 *     C^T G C = 1      G[n][n] symmetric, C by columns, ld = n
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_EIGEN_ORTHONORMAL_BASIS_H
#define BF_SOLVERS_EIGEN_ORTHONORMAL_BASIS_H
#include "base/err.h"

/* Orthonormalises columns have .. have+count-1 of C against each other and the orthonormal columns before; a
 * column whose length falls below `drop` times its original length is removed, the others move up. *kept:
 * number of them that remain. Gram-Schmidt, twice.  Cost: 2 n^2 count + 4 n (have + count) count flops. */
bf_err bf_basis_extend(int n, const double *G, int have, int count, double drop, double *C, int *kept);
#endif
