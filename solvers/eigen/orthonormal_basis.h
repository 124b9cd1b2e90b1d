/* solvers/eigen/orthonormal_basis.h - inside solvers/: small dense bases on the host, in a metric
 *
 *     C^T G C = 1      G[n][n] symmetric, C by columns, ld = n
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_EIGEN_ORTHONORMAL_BASIS_H
#define BF_SOLVERS_EIGEN_ORTHONORMAL_BASIS_H
#include "base/err.h"

/* Columns have .. have+count-1 of C become orthonormal to each other and to those before, which are so
 * already; a column whose length falls below `drop` of what it was is left out, the others move up.
 * *kept: how many of them stay.  Gram and Schmidt, twice.  Cost: 2 n^2 count + 4 n (have + count) count
 * flops. */
bf_err bf_basis_extend(int n, const double *G, int have, int count, double drop, double *C, int *kept);
#endif
