/* tests/peers/petsc_report.h - what the programs with PETSc do before and after a solve: touch the matrix,
 * true residual, release */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_PEERS_PETSC_REPORT_H
#define BF_TESTS_PEERS_PETSC_REPORT_H
#include <petscksp.h>

/* r = A b, so that pages are touched and scatters exist; all ranks continue together. */
static inline PetscErrorCode petsc_warm_up(Mat A, Vec b, Vec r)
{
  PetscFunctionBeginUser;
  PetscCall(MatMult(A, b, r));
  MPI_Barrier(PETSC_COMM_WORLD);
  PetscFunctionReturn(0);
}

/* Iterations and |b - A x| / |b|; r is overwritten. */
static inline PetscErrorCode petsc_outcome(KSP ksp, Mat A, Vec b, Vec x, Vec r, PetscInt *iterations,
                                           double *residual)
{
  PetscReal rn, bn;
  PetscFunctionBeginUser;
  PetscCall(KSPGetIterationNumber(ksp, iterations));
  PetscCall(MatMult(A, x, r));
  PetscCall(VecAYPX(r, -1.0, b));
  PetscCall(VecNorm(r, NORM_2, &rn));
  PetscCall(VecNorm(b, NORM_2, &bn));
  *residual = (double)(rn / bn);
  PetscFunctionReturn(0);
}

static inline PetscErrorCode petsc_release(KSP *ksp, Mat *A, Vec *b, Vec *x, Vec *r)
{
  PetscFunctionBeginUser;
  PetscCall(KSPDestroy(ksp));
  PetscCall(MatDestroy(A));
  PetscCall(VecDestroy(x));
  PetscCall(VecDestroy(b));
  PetscCall(VecDestroy(r));
  PetscFunctionReturn(0);
}
#endif
