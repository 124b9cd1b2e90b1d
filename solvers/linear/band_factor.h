/* solvers/linear/band_factor.h - inside solvers/: a sparse matrix of the host factored as a band, on the CPU
 *
 *     P R A C P^T = L L^T or L U,  P a numbering with a narrow band, R and C diagonals of powers of two
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_LINEAR_BAND_FACTOR_H
#define BF_SOLVERS_LINEAR_BAND_FACTOR_H
#include "kernels/backend.h"
#include "kernels/matrix/host_csr.h"

typedef struct bf_factors {
  bf_backend    *be; /* borrowed */
  bf_int         n, kl, ku;
  bf_int        *place;            /* owned [n]: position of a row in the band */
  double        *row, *column;     /* owned [n]: R and C, equal for Cholesky */
  double        *t;                /* owned [n]: the permuted right-hand side */
  int            symmetric, tried; /* Cholesky was tried and found a minor that is not positive */
  bf_band        B;                /* its memory owned */
  bf_band_report met;
} bf_factors;

/* The ncomp rows of a node stay adjacent. (*out)->met is the result of the factorisation: info > 0 means that
 * it failed; rcond is that of R A C. BF_E_MEMORY with the sizes if the band does not fit. */
bf_err bf_factors_create(bf_backend *be, const bf_sparse *S, int ncomp, bf_factors **out);
void   bf_factors_destroy(bf_factors **f);

/* Signs of the pivots of a symmetric S in that numbering and scale (band.h); S is read as the half below the
 * diagonal.  Cost: as one factorisation by Cholesky. */
bf_err bf_factors_inertia(bf_backend *be, const bf_sparse *S, int ncomp, bf_band_inertia *out);

/* x += A^-1 r; host arrays [n] in the order of the rows.  Not concurrently: the right-hand side is copied to
 * memory of f.
 */
bf_err bf_factors_add(const bf_factors *f, const double *r, double *x);

bf_int bf_factors_half(const bf_factors *f); /* half-bandwidth */
#endif
