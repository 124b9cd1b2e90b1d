/* solvers/linear/direct.h - inside solvers/: the ordering and the solution of the direct method
 * (direct_ordering.c, direct.c) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_LINEAR_DIRECT_H
#define BF_SOLVERS_LINEAR_DIRECT_H
#include "kernels/band.h"
#include "kernels/matrix/host_csr.h"
#include "solvers/linear/krylov_run.h"

/* place[v] = position of vertex v, out [n]; *half = largest distance of two neighbours. */
bf_err bf_direct_order(const bf_graph *g, bf_int *place, bf_int *half);

enum {
  BF_DIRECT_SOLUTIONS = 10
}; /* largest number of solutions with the factors: the first and its refinements */

/* r = b - S x, host arrays, accumulated in twice the working precision. */
void bf_direct_residual(const bf_sparse *S, const double *b, const double *x, double *r);

/* Solves A x = b from the start x by one factorisation and refinement; converged: true residual at most `tol`
 * = ||b - A x||, or backward error at most bf_accuracy_limit().  Fills the report, text included.  run->r is
 * used. */
bf_err bf_direct_run(const bf_matrix *A, const double *b, bf_run *run, double tol);
#endif
