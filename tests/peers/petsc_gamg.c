/* tests/peers/petsc_gamg.c - CG with GAMG (or another preconditioner by options) by PETSc on a dump of
 * bandfem_multigrid
 *
 * usage: [mpirun -n 2] petsc_gamg DUMP [PETSc options]
 * prints: seconds of set-up, seconds of set-up and solve, iterations, true residual
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/peers/petsc_report.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct dump { /* the whole system, on every rank */
  int64_t  n, D, nnz, *ptr;
  int32_t *col;
  double  *val, *b, *x;
} dump;

static void *array(FILE *f, size_t size, int64_t n)
{
  void *p = malloc(size * (size_t)n);
  if (!p || fread(p, size, (size_t)n, f) != (size_t)n) exit(2);
  return p;
}

static void read_dump(const char *path, dump *d)
{
  FILE *f = fopen(path, "rb");
  if (!f) exit(2);
  int64_t *head = array(f, sizeof *head, 3);
  d->n          = head[0];
  d->D          = head[1];
  d->nnz        = head[2];
  d->ptr        = array(f, sizeof *d->ptr, d->n + 1);
  d->col        = array(f, sizeof *d->col, d->nnz);
  d->val        = array(f, sizeof *d->val, d->nnz);
  d->b          = array(f, sizeof *d->b, d->n);
  d->x          = array(f, sizeof *d->x, 3 * (d->n / d->D));
  free(head);
  fclose(f);
}

static PetscErrorCode matrix(const dump *d, Mat *A)
{
  PetscInt local = PETSC_DECIDE, nodes = (PetscInt)(d->n / d->D), first, last, *count;
  PetscFunctionBeginUser;
  PetscCall(PetscSplitOwnership(PETSC_COMM_WORLD, &local, &nodes));
  PetscCall(MatCreate(PETSC_COMM_WORLD, A));
  PetscCall(MatSetSizes(*A, local * (PetscInt)d->D, local * (PetscInt)d->D, (PetscInt)d->n, (PetscInt)d->n));
  PetscCall(MatSetType(*A, MATAIJ));
  PetscCall(MatSetBlockSize(*A, (PetscInt)d->D));
  PetscCall(PetscCalloc1((size_t)d->n, &count));
  for (int64_t i = 0; i < d->n; i++) count[i] = (PetscInt)(d->ptr[i + 1] - d->ptr[i]);
  PetscCall(MatSeqAIJSetPreallocation(*A, 0, count));
  PetscCall(MatMPIAIJSetPreallocation(*A, 243, NULL, 243, NULL));
  PetscCall(MatSetUp(*A));
  PetscCall(MatGetOwnershipRange(*A, &first, &last));
  for (PetscInt i = first; i < last; i++)
    PetscCall(MatSetValues(*A, 1, &i, (PetscInt)(d->ptr[i + 1] - d->ptr[i]), d->col + d->ptr[i],
                           d->val + d->ptr[i], INSERT_VALUES));
  PetscCall(MatAssemblyBegin(*A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatSetOption(*A, MAT_SPD, PETSC_TRUE));
  PetscCall(PetscFree(count));
  PetscFunctionReturn(0);
}

/* Rigid-body modes from the coordinates, and the right-hand side. */
static PetscErrorCode vectors(const dump *d, Mat A, Vec b)
{
  Vec          x;
  MatNullSpace modes;
  PetscInt     first, last;
  PetscFunctionBeginUser;
  PetscCall(MatGetOwnershipRange(A, &first, &last));
  PetscCall(VecDuplicate(b, &x));
  PetscCall(VecSetBlockSize(x, (PetscInt)d->D));
  for (PetscInt i = first; i < last; i++) {
    PetscCall(VecSetValue(b, i, d->b[i], INSERT_VALUES));
    PetscCall(VecSetValue(x, i, d->x[3 * (i / d->D) + i % d->D], INSERT_VALUES));
  }
  PetscCall(VecAssemblyBegin(b));
  PetscCall(VecAssemblyEnd(b));
  PetscCall(VecAssemblyBegin(x));
  PetscCall(VecAssemblyEnd(x));
  if (d->D > 1) {
    PetscCall(MatNullSpaceCreateRigidBody(x, &modes));
    PetscCall(MatSetNearNullSpace(A, modes));
    PetscCall(MatNullSpaceDestroy(&modes));
  }
  PetscCall(VecDestroy(&x));
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
  PetscLogDouble t0, t1, t2;
  dump           d;
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  read_dump(argv[1], &d);
  PetscCall(matrix(&d, &A));
  PetscCall(MatCreateVecs(A, &x, &b));
  PetscCall(VecDuplicate(b, &r));
  PetscCall(vectors(&d, A, b));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetType(ksp, KSPCG));
  PetscCall(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
  PetscCall(KSPSetOperators(ksp, A, A));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCGAMG));
  PetscCall(KSPSetTolerances(ksp, 1e-8, 1e-50, 1e10, 10000));
  PetscCall(KSPSetFromOptions(ksp));
  PetscCall(petsc_warm_up(A, b, r));
  PetscCall(PetscTime(&t0));
  PetscCall(KSPSetUp(ksp));
  PetscCall(PetscTime(&t1));
  PetscCall(KSPSolve(ksp, b, x));
  PetscCall(PetscTime(&t2));
  PetscCall(petsc_outcome(ksp, A, b, x, r, &iterations, &residual));
  PetscCall(
      PetscPrintf(PETSC_COMM_WORLD, "%.4f %.4f %d %.2e\n", t1 - t0, t2 - t0, (int)iterations, residual));
  PetscCall(petsc_release(&ksp, &A, &b, &x, &r));
  PetscCall(PetscFinalize());
  return 0;
}
