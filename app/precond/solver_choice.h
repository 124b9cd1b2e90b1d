/* app/precond/solver_choice.h - method: auto and preconditioner: auto: expected times of an iteration with
 * Jacobi, of one with multigrid, and of a factorisation of the band
 *
 * Equal decks on equal devices give equal choices: nothing is measured.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_PRECOND_SOLVER_CHOICE_H
#define BF_APP_PRECOND_SOLVER_CHOICE_H
#include "kernels/matrix/cost_model.h"
#include "mesh/mesh.h"
#include "solvers/solver.h"

typedef struct bf_solver_shape { /* of a mesh */
  double layers;      /* the longest side of the body over the shortest side of an element, in nodes */
  double slenderness; /* the longest over the shortest side of the box around it */
  int    tetrahedra;  /* most elements are: their matrices have larger condition numbers */
  double aspect;      /* the mean over the elements of the longest over the shortest side of their box */
} bf_solver_shape;

typedef struct bf_solver_size { /* of a system, and how fast its vectors and matrix are read */
  double rows, nonzeros;        /* scalar */
  double product, vector;       /* seconds of a product with fp64 values, of reading or writing one vector */
  double reduction;             /* of the residual, < 1 */
  bf_solver_shape shape;
  double          nu;              /* the largest Poisson's ratio where the volume can change; else 0 */
  double          contrast, share; /* of bf_model_contrast */
  int             cases;           /* right-hand sides */
  int dim, ncomp, bicgstab, lattice, quadratic, stiff, on_device; /* stiff: as bf_multigrid_body */
} bf_solver_size;

typedef struct bf_solver_expected {
  double jacobi_iterations, jacobi_seconds; /* in all */
  double iterations, setup, seconds;        /* with multigrid; seconds with the set-up */
  int    trial;     /* iterations with Jacobi that take as long as multigrid; 0: multigrid at once */
  int    uncertain; /* iterations depend on more than is known here: jumps, nearly incompressible materials */
} bf_solver_expected;

bf_solver_expected bf_solver_expect(const bf_solver_size *s);
/* Seconds of method: direct on the CPU, with its refinement. */
double bf_direct_expect(const bf_solver_size *s, const bf_direct_cost *cost);

/* From the boxes around the mesh and around a sample of its elements. */
bf_solver_shape bf_mesh_shape(const bf_mesh *m);
#endif
