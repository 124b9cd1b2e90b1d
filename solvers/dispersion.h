/* solvers/dispersion.h - waves of a periodic medium: for each wave vector k of a list
 *
 *     K(k) u = lambda M(k) u,      u^H M(k) u = 1,     lambda = omega^2 ascending
 *
 * The pencils of many k are formed on the host and solved in one call (bf_hegv_batch) on the backend.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_DISPERSION_H
#define BF_SOLVERS_DISPERSION_H
#include "kernels/backend.h"
#include "kernels/matrix/bloch_sum.h"

typedef struct bf_waves {
  int     nk, bands;
  bf_int  n;
  double *lambda;   /* owned [nk][bands] */
  double *residual; /* owned [nk][bands]: ||K u - lambda M u|| / (||K||_F + |lambda| ||M||_F) / ||u|| */
  double *mode;     /* owned [nk][bands][n] complex (re, im) */
  int     batch;    /* pencils a call */
  double  seconds_form, seconds_solve, seconds_residual, seconds_refine;
  int     failed, info; /* the first k that has no eigenvalues, with hegv's info; -1: none */
} bf_waves;

/* kappa[nk][3]: k in fractions of the reciprocal vectors.  batch: pencils a call, 0: as many as fit a share
 * of the backend's memory.  A pencil for which hegv fails is reported in failed and info, its values are NaN.
 * BF_E_ARG for bands above K->n; BF_E_UNSUPPORTED where the backend has no hegv_batch.
 * About 40 n^3 flops per wave vector; 32 n^2 bytes on the host and the backend for each of a batch. */
bf_err bf_waves_solve(bf_backend *be, const bf_shifted *K, const bf_shifted *M, int nk, const double *kappa,
                      int bands, int batch, bf_waves **out);
bf_err bf_waves_create(int nk, int bands, bf_int n, bf_waves **out); /* of zeros */
void   bf_waves_destroy(bf_waves **w);

/* Waves of a Craig-Bampton cell, corrected for the omitted interior modes (craig_bampton_correction.c):
 * the first `bands` of a new set, still above those of the whole cell.  w has some bands more, as they mix;
 * T, S: of the cell.  Residuals are those of w.  On the same backend, in one batch of small pencils. */
bf_err bf_waves_refine(bf_backend *be, const bf_waves *w, const bf_shifted *T, const bf_shifted *S,
                       const double *kappa, int bands, bf_waves **out);

/* z[nk][bands][bands] complex, columns, lower triangles, out: X^H S(k) X of the modes X of each wave vector.
 */
bf_err bf_waves_form(const bf_waves *w, const bf_shifted *S, const double *kappa, double *z);

/* branch[nk][bands], out: bands in the order of continuity.  Band j of wave vector q is on branch
 * branch[q][j], from 1 as the bands of the first; a mode continues the one with |u^H M u'|^2 above 1/2. */
bf_err bf_waves_branches(const bf_waves *w, const bf_shifted *M, const double *kappa, int *branch);
#endif
