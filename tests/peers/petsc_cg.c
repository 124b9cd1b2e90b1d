/* tests/peers/petsc_cg.c - CG with Jacobi by PETSc on the matrix of grid_matrix.h
 * usage: [mpirun -n 2] petsc_cg M D aij|sbaij RTOL   prints: seconds, iterations, true residual
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/peers/grid_matrix.h"
#include "tests/peers/petsc_report.h"
#include <stdlib.h>
#include <string.h>

static PetscErrorCode fill(Mat A, Vec b, int m, int D, int half)
{
  PetscInt    r0, r1;
  int32_t     col[81];
  double      val[81];
  PetscScalar one;
  PetscFunctionBeginUser;
  PetscCall(MatGetOwnershipRange(A, &r0, &r1));
  for (PetscInt r = r0; r < r1; r++) {
    int n = grid_row(m, D, r, col, val), keep = 0;
    for (int k = 0; k < n; k++) /* symmetric storage: blocks from the diagonal on */
      if (!half || col[k] / D >= r / D) col[keep] = col[k], val[keep++] = val[k];
    PetscInt row = r;
    PetscCall(MatSetValues(A, 1, &row, keep, col, val, INSERT_VALUES));
    one = grid_b(r);
    PetscCall(VecSetValues(b, 1, &row, &one, INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  PetscCall(VecAssemblyBegin(b));
  PetscCall(VecAssemblyEnd(b));
  PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
  Mat            A;
  Vec            b, x, r;
  KSP            ksp;
  PC             pc;
  PetscInt       iterations;
  double         residual;
  PetscLogDouble t0, t1;
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  const int      m = atoi(argv[1]), D = atoi(argv[2]), half = strcmp(argv[3], "sbaij") == 0;
  const PetscInt n = (PetscInt)m * m * m * D;
  PetscMPIInt    ranks;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  PetscInt local = PETSC_DECIDE, points = (PetscInt)m * m * m;
  PetscCall(PetscSplitOwnership(PETSC_COMM_WORLD, &local, &points));
  PetscCall(MatCreate(PETSC_COMM_WORLD, &A));
  PetscCall(MatSetSizes(A, local * D, local * D, n, n));
  PetscCall(MatSetType(A, half ? MATSBAIJ : MATAIJ));
  PetscCall(MatSetBlockSize(A, D));
  PetscCall(MatSeqAIJSetPreallocation(A, 27 * D, NULL));
  PetscCall(MatMPIAIJSetPreallocation(A, 27 * D, NULL, 27 * D, NULL));
  PetscCall(MatSeqSBAIJSetPreallocation(A, D, 14, NULL));
  PetscCall(MatMPISBAIJSetPreallocation(A, D, 14, NULL, 14, NULL));
  PetscCall(MatCreateVecs(A, &x, &b));
  PetscCall(VecDuplicate(b, &r));
  PetscCall(fill(A, b, m, D, half));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetType(ksp, KSPCG));
  PetscCall(KSPSetOperators(ksp, A, A));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCJACOBI));
  PetscCall(KSPSetTolerances(ksp, atof(argv[4]), 1e-50, 1e10, 100000));
  PetscCall(KSPSetFromOptions(ksp));
  PetscCall(KSPSetUp(ksp));
  PetscCall(petsc_warm_up(A, b, r));
  PetscCall(PetscTime(&t0));
  PetscCall(KSPSolve(ksp, b, x));
  PetscCall(PetscTime(&t1));
  PetscCall(petsc_outcome(ksp, A, b, x, r, &iterations, &residual));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%.6f %d %.3e\n", t1 - t0, (int)iterations, residual));
  PetscCall(petsc_release(&ksp, &A, &b, &x, &r));
  PetscCall(PetscFinalize());
  return 0;
}
