/* solvers/unit_cell.h - K and M of a unit cell, reduced by its periodicity for any wave vector
 *
 *     K(k) = T(k)^H K T(k),   M(k) = T(k)^H M T(k),      u = T(k) x
 *
 * Direct: x are the cell's unknowns.  Craig-Bampton: x are those of the periodic sides, and the amplitudes of
 * the lowest modes of the interior with fixed sides; the interior follows the sides statically:
 *
 *     u_i = Psi u_s + Phi q,    K_ii Psi = -K_is,    K_ii Phi = M_ii Phi diag(mu),   Phi^T M_ii Phi = 1
 *
 * Psi and Phi do not depend on k: the reduction is made once.  Source: R. R. Craig, M. C. C. Bampton,
 * Coupling of substructures for dynamic analyses, AIAA J. 6 (1968) 1313, doi 10.2514/3.4741; D. Krattiger, M.
 * I. Hussein, Generalized Bloch mode synthesis, J. Comput. Phys. 357 (2018) 183,
 * doi 10.1016/j.jcp.2017.12.016 (of unit cells).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_UNIT_CELL_H
#define BF_SOLVERS_UNIT_CELL_H
#include "kernels/backend.h"
#include "kernels/matrix/bloch_sum.h"

typedef struct bf_cell {
  const bf_cell_rows *rows;  /* borrowed */
  bf_int              n;     /* unknowns of the reduced cell */
  bf_shifted         *K, *M; /* owned */
  bf_shifted         *T, *S; /* owned: contribution of the omitted modes, see dispersion.h; NULL: direct */
  const bf_int
      *unknown; /* [nrows] of the reduced cell, -1: prescribed, or of the interior; rows', or `side` */
  /* Craig-Bampton */
  bf_int  nsides, ninterior; /* rows; 0 of a direct reduction */
  int     nmodes;
  bf_int *side;     /* owned [nrows]: unknown of the reduced cell, see above */
  bf_int *inside;   /* owned [ninterior]: rows of the interior */
  bf_int *outside;  /* owned [nsides]: rows of the sides */
  double *psi;      /* owned [nsides][ninterior] */
  double *phi, *mu; /* owned [nmodes][ninterior], [nmodes] ascending */
  double  seconds_modes, seconds_static, seconds_project;
} bf_cell;

/* rows: borrowed by the cell. Memory: 16 n^2 bytes for each translation of the lattice. */
bf_err bf_cell_create_direct(const bf_sparse *K, const bf_sparse *M, const bf_cell_rows *rows, bf_cell **out);

/* modes: of the interior, or all if it has fewer.  be: a CPU backend, for the factors of K_ii.
 * BF_E_MODEL if the interior's modes were not found, or K_ii is singular. */
bf_err bf_cell_create_modes(bf_backend *be, const bf_sparse *K, const bf_sparse *M, const bf_cell_rows *rows,
                            int modes, bf_cell **out);
void   bf_cell_destroy(bf_cell **c);

/* u[nrows] = T(k) x[n], both complex (re, im). */
void bf_cell_lift(const bf_cell *c, const double kappa[3], const double *x, double *u);

/* Upper estimate of the relative error of sqrt(corrected), `corrected` by bf_waves_refine from lambda: it
 * contains the static response of the omitted modes; the rest of their response is at most lambda/mu_last of
 * that, and the error of a Rayleigh quotient is its square. INFINITY if lambda is not below mu_last; direct:
 * 0. */
double bf_cell_error(const bf_cell *c, double lambda, double corrected);
#endif
