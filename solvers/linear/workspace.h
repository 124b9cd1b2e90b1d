/* solvers/linear/workspace.h - number of work vectors of an iteration (private to solvers/linear/) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_LINEAR_WORKSPACE_H
#define BF_SOLVERS_LINEAR_WORKSPACE_H
#include "solvers/solver.h"

/* Work vectors beside r and the preconditioner; ahead: bf_bicgstab_has_early_alpha of the matrix. */
int bf_work_vectors(bf_method method, bf_precond precond, int ahead);
#endif
