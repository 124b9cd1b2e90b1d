/* solvers/linear/inverse_run.h - inside solvers/: A x = b by the inverse of A as a dense matrix */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_LINEAR_INVERSE_RUN_H
#define BF_SOLVERS_LINEAR_INVERSE_RUN_H
#include "solvers/linear/krylov_run.h"

/* Solves A x = b; converged: true residual at most tol, or backward error at most bf_accuracy_limit().  Fills
 * the report, text included.  run->r is used. */
bf_err bf_inverse_run(const bf_matrix *A, const double *b, bf_run *run, double tol);
#endif
