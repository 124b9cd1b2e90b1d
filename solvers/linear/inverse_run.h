/* solvers/linear/inverse_run.h - inside solvers/: A x = b by the inverse of A as a dense matrix */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_LINEAR_INVERSE_RUN_H
#define BF_SOLVERS_LINEAR_INVERSE_RUN_H
#include "kernels/matrix/host_csr.h"
#include "solvers/linear/krylov_run.h"

/* place[i] = position of row i among the rows that have an entry beside the diagonal, or are listed in
 * keep[nkeep]; -1 for the others.  Returns the number of positions. */
bf_int bf_coupled_rows(const bf_sparse *S, bf_int nkeep, const bf_int *keep, bf_int *place);

/* Solves A x = b; converged: true residual at most tol, or backward error at most bf_accuracy_limit().  Fills
 * the report, text included.  run->r is used. */
bf_err bf_inverse_run(const bf_matrix *A, const double *b, bf_run *run, double tol);
#endif
