/* solvers/linear/precond.h - inside solvers/: the preconditioner of bf_solve */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_LINEAR_PRECOND_H
#define BF_SOLVERS_LINEAR_PRECOND_H
#include "kernels/precond/block_jacobi.h"
#include "solvers/linear/krylov_run.h"
#include "solvers/linear/multigrid/multigrid.h"

typedef struct bf_preparation { /* owned by bf_solve */
  double       *dinv;           /* jacobi: backend, with the guard of A */
  bf_blocks    *blocks;         /* block_jacobi */
  bf_multigrid *multigrid;      /* NULL where it is the caller's */
  bf_multigrid *served;         /* borrowed: the one that watches the state of the run, or NULL */
  bf_operation  operation;
} bf_preparation;

/* Sets run->dinv or run->precond by run->opt; jacobi: the diagonal of run->A, run->r is used;
 * block_jacobi: the blocks of A, multigrid: its hierarchy, into run->report too. */
bf_err bf_precondition(const bf_matrix *A, bf_run *run, bf_preparation *M);
/* auto: the end of the trial with Jacobi, run->report has its history; multigrid takes its place if more
 * iterations than were made are expected. */
bf_err bf_precondition_switch(bf_run *run, bf_preparation *M);
void   bf_precondition_end(const bf_matrix *A, bf_preparation *M);
#endif
