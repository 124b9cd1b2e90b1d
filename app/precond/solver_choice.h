/* app/precond/solver_choice.h - preconditioner: auto: expected times of CG or BiCGStab with Jacobi and with
 * multigrid
 *
 * Equal decks on equal devices give equal choices: nothing is measured.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_PRECOND_SOLVER_CHOICE_H
#define BF_APP_PRECOND_SOLVER_CHOICE_H
#include "kernels/matrix/cost_model.h"
#include "mesh/mesh.h"

typedef struct bf_solver_size { /* of a system, and how fast its vectors and matrix are read */
  double rows, nonzeros;        /* scalar */
  double product, vector;       /* seconds of a product with fp64 values, of reading or writing one vector */
  double reduction;             /* of the residual, < 1 */
  double layers;                /* nodes along the longest side of the body */
  int    ncomp, bicgstab, lattice, quadratic, on_device;
} bf_solver_size;

typedef struct bf_solver_expected {
  double jacobi_iterations, jacobi_seconds; /* in all */
  double iterations, setup, seconds;        /* with multigrid; seconds with the set-up */
  int    trial; /* iterations with Jacobi that take as long as multigrid; 0: multigrid at once */
} bf_solver_expected;

bf_solver_expected bf_solver_expect(const bf_solver_size *s);

/* Nodes along the longest side of the box around the mesh, from its volume and the number of nodes. */
double bf_mesh_layers(const bf_mesh *m);
#endif
