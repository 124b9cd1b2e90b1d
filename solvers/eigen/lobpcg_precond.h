/* solvers/eigen/lobpcg_precond.h - inside solvers/: the preconditioner T of LOBPCG, W = T R, from the options
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_EIGEN_LOBPCG_PRECOND_H
#define BF_SOLVERS_EIGEN_LOBPCG_PRECOND_H
#include "kernels/precond/block_jacobi.h"
#include "solvers/eigen/pencil.h"
#include "solvers/linear/band_factor.h"
#include "solvers/linear/multigrid/multigrid.h"

typedef struct bf_lobpcg_precond {
  const bf_operation *use; /* own, or the caller's; NULL: the diagonal of K */
  bf_operation        own;
  bf_blocks          *blocks;    /* owned: block_jacobi */
  bf_multigrid       *multigrid; /* owned */
  bf_factors         *factors;   /* owned: direct, of K + shift M, on the CPU */
  bf_backend         *be;        /* borrowed: where the vectors are */
  bf_backend         *cpu;       /* owned, direct on a device: where the factors are, else NULL */
  double             *r, *z;     /* owned, host [n]: direct on a device */
  double              shift;
  int                 none; /* direct: the factorisation failed */
  char                text[120];
} bf_lobpcg_precond;

/* out must not be moved: `use` points into it. */
bf_err bf_lobpcg_precond_create(const bf_pencil *p, const bf_eigen_options *opt, bf_lobpcg_precond *out);
void   bf_lobpcg_precond_release(bf_lobpcg_precond *t);
#endif
